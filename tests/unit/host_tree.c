/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up host: files that look like those under /proc and /sys. */
#include "host_tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * Two disks and a zram. vda2 is a swap area, vdb1 has a file system with a swap file, zram0 is a
 * swap area of its own. vda has two hardware queues and iocost, vdb neither.
 */
static const struct {
	const char *path, *text;
} files[] = {
	{ "proc/sys/kernel/osrelease", "6.12.9-test\n" },
	{ "proc/version", "Linux version 6.12.9-test (someone) #1 SMP\n" },
	{ "proc/cmdline", "root=/dev/vda1  quiet \n" },
	{ "proc/cpuinfo", "processor\t: 0\nmodel name\t: Made Up 3000\nmodel name\t: other\n" },
	{ "proc/meminfo", "MemTotal:        2014424 kB\nMemFree:  100 kB\nSwapTotal: 1059828 kB\n"
			  "SwapFree: 900000 kB\nZswapped:  40 kB\nHugePages_Total: 0\n" },
	{ "proc/vmstat", "nr_free_pages 5\npswpout 100\nzswpwb 7\nnr_mapped 4\n" },
	{ "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\nintr 5 6 7\nctxt 88\nprocesses 9\n" },
	{ "proc/diskstats", " 254       0 vda 1 2 3 4 10 6 7 8 9 10 11\n"
			    " 254       1 vda1 9 9 9 9 9 9 9 9 9 9 9\n"
			    " 254       2 vda2 1 2 3 4 10 6 7 8 9 10 11\n"
			    " 254      16 vdb 9 9 9 9 9 9 9 9 9 9 9\n"
			    " 254      32 vdc 9 9 9 9 9 9 9 9 9 9 9\n" },
	{ "proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=11\n"
				  "full avg10=0.00 avg60=0.00 avg300=0.00 total=12\n" },
	{ "proc/pressure/io", "some avg10=1.00 avg60=0.00 avg300=0.00 total=21\n" },
	{ "proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
			"/dev/vda2                               partition\t1047548\t\t20\t\t-2\n"
			"/swap\\040file                           file\t\t8188\t\t0\t\t-3\n"
			"/dev/zram0                              partition\t4092\t\t0\t\t100\n" },
	{ "proc/sys/vm/swappiness", "60\n" },
	{ "proc/sys/vm/page-cluster", "3\n" },
	{ "boot/config-6.12.9-test",
		"# CONFIG_PREEMPT is not set\nCONFIG_HZ=300\nCONFIG_HZ_300=y\nCONFIG_PSI=y\n"
		"CONFIG_OTHER=y\n" },
	{ "sys/module/zswap/parameters/enabled", "Y\n" },
	{ "sys/module/zswap/parameters/max_pool_percent", "20\n" },
	{ "sys/kernel/mm/lru_gen/enabled", "0x0007\n" },
	{ "sys/kernel/debug/zswap/stored_pages", "31\n" },
	{ "sys/kernel/debug/zswap/pool_total_size", "8192\n" },
	{ "sys/devices/system/cpu/online", "0-1\n" },
	{ "sys/devices/system/node/online", "0\n" },
	{ "sys/devices/x/block/vda/dev", "254:0\n" },
	{ "sys/devices/x/block/vda/size", "4194304\n" },
	{ "sys/devices/x/block/vda/queue/max_sectors_kb", "1280\n" },
	{ "sys/devices/x/block/vda/queue/max_segments", "254\n" },
	{ "sys/devices/x/block/vda/queue/rotational", "1\n" },
	{ "sys/devices/x/block/vda/queue/scheduler", "none [mq-deadline] kyber \n" },
	{ "sys/devices/x/block/vda/queue/iosched/fifo_batch", "16\n" },
	{ "sys/devices/x/block/vda/mq/0/nr_tags", "256\n" },
	{ "sys/devices/x/block/vda/mq/0/cpu_list", "0\n" },
	{ "sys/devices/x/block/vda/mq/1/nr_tags", "256\n" },
	{ "sys/devices/x/block/vda/mq/1/cpu_list", "1\n" },
	{ "sys/devices/x/block/vda/vda2/dev", "254:2\n" },
	{ "sys/devices/x/block/vda/vda2/partition", "2\n" },
	{ "sys/devices/x/block/vda/vda2/start", "2048\n" },
	{ "sys/devices/x/block/vdb/dev", "254:16\n" },
	{ "sys/devices/x/block/vdb/queue/max_sectors_kb", "512\n" },
	{ "sys/devices/x/block/vdb/queue/scheduler", "none\n" },
	{ "sys/devices/x/block/vdb/vdb1/dev", "254:17\n" },
	{ "sys/devices/x/block/vdb/vdb1/partition", "1\n" },
	{ "sys/devices/x/block/vdb/vdb1/start", "4096\n" },
	{ "sys/devices/x/block/zram0/dev", "253:0\n" },
	{ "sys/devices/x/block/zram0/comp_algorithm", "lzo [zstd]\n" },
	{ "sys/fs/cgroup/cgroup.controllers", "cpu io memory\n" },
	{ "sys/fs/cgroup/io.cost.qos",
		"253:0 enable=1 ctrl=auto\n254:0 enable=1 ctrl=user rpct=95.00\n" },
	{ "sys/fs/cgroup/io.cost.model", "254:0 ctrl=user model=linear rbps=1\n" },
	{ "sys/fs/cgroup/memory.stat", "anon 1\npgscan 2\n" },
	{ "sys/fs/cgroup/w0/memory.max", "134217728\n" },
	{ "sys/fs/cgroup/w0/memory.zswap.writeback", "1\n" },
	{ "sys/fs/cgroup/w0/io.weight", "default 100\n254:0 300\n" },
	{ "sys/fs/cgroup/w0/memory.stat", "anon 4096\nkernel 5\npgscan 50\nzswpwb 6\n" },
	{ "sys/fs/cgroup/w0/memory.swap.current", "4096\n" },
	{ "sys/fs/cgroup/w0/io.stat", "254:0 rbytes=1 wbytes=2 rios=3 wios=40\n254:32 rbytes=9 "
				      "wbytes=9 rios=9 wios=9\n" },
	{ "sys/fs/cgroup/w0/io.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n" },
	{ "sys/fs/cgroup/w0/deep down/memory.stat", "anon 1\n" },
	{ "sys/fs/cgroup/z/memory.stat", "anon 2\n" },
	{ "sys/dev/block/README", "links\n" },
	{ "sys/class/block/README", "links\n" },
};

static const struct {
	const char *link, *target;
} links[] = {
	{ "sys/class/block/vda", "../../devices/x/block/vda" },
	{ "sys/class/block/vda2", "../../devices/x/block/vda/vda2" },
	{ "sys/class/block/vdb", "../../devices/x/block/vdb" },
	{ "sys/class/block/vdb1", "../../devices/x/block/vdb/vdb1" },
	{ "sys/class/block/zram0", "../../devices/x/block/zram0" },
};

static void path_in(const struct host_tree *t, const char *path, char full[512])
{
	assert_in_range(snprintf(full, 512, "%s/%s", t->root, path), 1, 511);
}

void host_tree_put(const struct host_tree *t, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	path_in(t, path, full);
	for (char *at = full + strlen(t->root) + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		mkdir(full, 0777);
		*at = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

void host_tree_cut(const struct host_tree *t, const char *path)
{
	char full[512];

	path_in(t, path, full);
	assert_int_equal(remove(full), 0);
}

uint64_t host_tree_inode(const struct host_tree *t, const char *path)
{
	char full[512];
	struct stat st;

	path_in(t, path, full);
	assert_int_equal(stat(full, &st), 0);
	return st.st_ino;
}

static void put_link(const struct host_tree *t, const char *link, const char *target)
{
	char full[512];

	path_in(t, link, full);
	assert_int_equal(symlink(target, full), 0);
}

/* 8 MiB that are written: a file with holes is no swap file. */
static void put_swap_file(const struct host_tree *t)
{
	static char mib[1 << 20];
	char full[512];
	FILE *f;

	path_in(t, "swap file", full);
	f = fopen(full, "w");
	assert_non_null(f);
	memset(mib, 's', sizeof(mib));
	for (int i = 0; i < 8; i++)
		assert_int_equal(fwrite(mib, sizeof(mib), 1, f), 1);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(fsync(fileno(f)), 0); /* blocks that are not allocated have no place */
	assert_int_equal(fclose(f), 0);
}

int host_tree_make(void **state)
{
	struct host_tree *t = test_calloc(1, sizeof(*t));
	char link[64];
	struct stat st;

	snprintf(t->root, sizeof(t->root), "/tmp/zwb-host-XXXXXX");
	if (!mkdtemp(t->root) || stat(t->root, &st) != 0)
		return -1;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(files); i++)
		host_tree_put(t, files[i].path, files[i].text);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(links); i++)
		put_link(t, links[i].link, links[i].target);
	/* the file system that the tree itself is on plays that of vdb1 */
	snprintf(link, sizeof(link), "sys/dev/block/%u:%u", major(st.st_dev), minor(st.st_dev));
	put_link(t, link, "../../devices/x/block/vdb/vdb1");
	put_swap_file(t);
	*state = t;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int host_tree_remove(void **state)
{
	struct host_tree *t = *state;
	int ret = nftw(t->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);

	test_free(t);
	return ret;
}
