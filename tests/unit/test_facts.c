/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host facts: both layouts become the same rows, and bad text does no harm. */
#include "facts.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const files[] = { "notes.txt", "counters-before.txt", "counters-after.txt",
	"series.txt", "trace.counters.txt", "other.txt" };

struct fixture {
	char dir[32];
	char trace[64]; /* need not exist */
	struct zwb_meta *m;
};

static int setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	snprintf(fx->dir, sizeof(fx->dir), "/tmp/zwb-facts-XXXXXX");
	assert_non_null(mkdtemp(fx->dir));
	snprintf(fx->trace, sizeof(fx->trace), "%s/trace.dat", fx->dir);
	fx->m = zwb_meta_create();
	assert_non_null(fx->m);
	zwb_meta_set(&fx->m->clock, "mono", NULL);
	fx->m->start_ns = UINT64_C(10000000000);
	*state = fx;
	return 0;
}

static void path_of(const struct fixture *fx, const char *name, char path[96])
{
	snprintf(path, 96, "%s/%s", fx->dir, name);
}

static int teardown(void **state)
{
	struct fixture *fx = *state;
	char path[96];

	for (size_t i = 0; i < ZWB_ARRAY_LEN(files); i++) {
		path_of(fx, files[i], path);
		unlink(path);
	}
	assert_int_equal(rmdir(fx->dir), 0);
	zwb_meta_free(fx->m);
	free(fx);
	return 0;
}

static void put(const struct fixture *fx, const char *name, const char *text)
{
	char path[96];
	FILE *out;

	path_of(fx, name, path);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void assert_fact(
	const struct zwb_meta *m, const char *section, const char *key, const char *value)
{
	const char *got = zwb_meta_fact_get(m, section, key);

	if (!got)
		fail_msg("no fact \"%s\" \"%s\"", section, key);
	assert_string_equal(got, value);
}

static void assert_delta(
	const struct zwb_meta *m, const char *source, const char *key, int64_t want)
{
	int64_t delta = 0;

	if (!zwb_meta_counter_delta(m, source, key, &delta))
		fail_msg("no counter \"%s\" \"%s\" on both sides", source, key);
	assert_int_equal(delta, want);
}

static const struct zwb_unknown *find_unknown(const struct zwb_meta *m, const char *what)
{
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		if (strcmp(m->unknowns[i].what, what) == 0)
			return &m->unknowns[i];
	}
	return NULL;
}

static const char whole_disk_notes[] =
	"kernel: Linux (none) 7.3.4+deb13-cloud-amd64 #1 SMP x86_64 GNU/Linux\n"
	"CONFIG_HZ=250\n"
	"# CONFIG_PREEMPT is not set\n"
	"hw queues: 0 1 \n"
	"  /sys/block/vda/mq/0 nr_tags=256 cpus=1\n"
	"queue/max_segments: 254\n"
	"queue/scheduler: none [mq-deadline] \n"
	"/sys/block/vda/queue/iosched/fifo_batch:16\n"
	"zswap:\n"
	"/sys/module/zswap/parameters/max_pool_percent:20\n"
	"vm: /proc/sys/vm/swappiness:100 /proc/sys/vm/page-cluster:3\n"
	"swapdev: vda 254:0 rotational=1 sched=none [mq-deadline]  nr_requests=256 "
	"max_sectors_kb=1280 wc=write back\n"
	"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
	"/dev/vda                                partition\t2097148\t\t0\t\t-1\n"
	"io.cost.qos: 254:0 enable=1 ctrl=user min=50.00\n"
	"io.cost.model: 254:0 ctrl=user model=linear rbps=1\n"
	"cgroup /w0 inode=28 memory.max=134217728 zswap.max=max io.weight=default 100\n"
	"OK   f:zlab/zstore zswap_store slot=folio->swap.val\n"
	"FAIL f:zlab/zwb zswap_writeback_entry   (error: Invalid argument)\n"
	"dynamic_events:\n"
	"f:zlab/zstore zswap_store slot=folio->swap.val\n"
	"workload pid 447 in cgroup /w0\n"
	"/sys/module/zswap/parameters/max_pool_percent:25\n"
	"something without a key\n";

static void facts__notes_become_facts_with_stable_names(void **state)
{
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;

	put(fx, "notes.txt", whole_disk_notes);
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_string_equal(m->kernel, "7.3.4+deb13-cloud-amd64");
	assert_string_equal(m->scheduler, "mq-deadline");
	assert_int_equal(m->hz, 250);
	assert_fact(m, "config", "CONFIG_PREEMPT", "n");
	assert_fact(m, "queue", "nr_hw_queues", "2");
	assert_fact(m, "queue", "mq/0", "nr_tags=256 cpus=1");
	assert_fact(m, "queue", "max_segments", "254");
	assert_fact(m, "queue", "max_sectors_kb", "1280");
	assert_fact(m, "queue", "rotational", "1");
	assert_fact(m, "queue", "write_cache", "write back");
	assert_fact(m, "queue", "scheduler", "mq-deadline");
	assert_fact(m, "iosched", "fifo_batch", "16");
	assert_fact(m, "zswap", "max_pool_percent", "20");
	assert_fact(m, "zswap end", "max_pool_percent", "25");
	assert_fact(m, "vm", "page-cluster", "3");
	assert_fact(m, "iocost", "enabled", "1");
	assert_fact(m, "iocost", "model", "254:0 ctrl=user model=linear rbps=1");
	assert_fact(m, "cgroup /w0", "memory.max", "134217728");
	assert_fact(m, "cgroup /w0", "io.weight", "default 100");
	assert_fact(m, "probe", "f:zlab/zstore", "OK zswap_store slot=folio->swap.val");
	assert_fact(m, "workload", "pid 447", "/w0");
	assert_fact(m, "notes", "line 24", "something without a key");
	assert_int_equal(m->cgroups[zwb_meta_cgroup(m, 28, NULL, NULL)].path[1], 'w');
	assert_null(find_unknown(m, "facts"));
	assert_null(find_unknown(m, "facts.lines"));
}

static void facts__a_whole_disk_begins_at_sector_0(void **state)
{
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;

	put(fx, "notes.txt", whole_disk_notes);
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(m->nr_swaps, 1);
	assert_string_equal(m->swaps[0].path, "/dev/vda");
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_int_equal(m->swaps[0].synchronous, 0);
	assert_int_equal(m->swaps[0].nr_slots, 524288); /* 2097148 KiB and the header's page */
	assert_string_equal(m->devices[m->swaps[0].dev].name, "vda");
	assert_int_equal(m->nr_extents, 1);
	assert_int_equal(m->extents[0].first_sector, 0);
	assert_int_equal(m->extents[0].nr_slots, 524288);
}

static void facts__a_partition_begins_where_the_notes_say(void **state)
{
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;

	put(fx, "notes.txt",
		"partitions:\n"
		"major minor  #blocks  name\n"
		"\n"
		" 254        0    2097152 vda\n"
		" 254        1    1047552 vda1\n"
		"  vda1 start=2048 size=2095104 sectors\n"
		"swapdev: vda 254:0 rotational=0 sched=[none]\n"
		"/dev/vda1   partition\t1047548\t\t0\t\t-1\n");
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_string_equal(m->devices[m->swaps[0].dev].name, "vda");
	assert_int_equal(m->extents[0].first_sector, 2048);
	assert_int_equal(m->extents[0].nr_slots, 261888);
	assert_fact(m, "partition", "vda1", "start=2048 size=2095104 sectors");
}

static const char swap_file_notes[] =
	" 254        0    1048576 vda\n"
	"  vda2 start=4096 size=9 sectors\n"
	"File size of /swapfile is 40960 (10 blocks of 4096 bytes)\n"
	" ext:     logical_offset:        physical_offset: length:   expected: flags:\n"
	"   0:        0..       5:      34816..     34821:      6:            \n"
	"   1:        6..       9:      33024..     33027:      4:      34822: last,eof\n"
	"/dev/vda2 /mnt ext4 rw,relatime 0 0\n"
	"swapdev: vda 254:0 rotational=0 sched=[none]\n"
	"/swapfile   file\t36\t\t0\t\t-1\n";

static void facts__a_swap_file_lies_in_its_extents(void **state)
{
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;

	put(fx, "notes.txt", swap_file_notes);
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_string_equal(m->swaps[0].kind, "file");
	assert_int_equal(m->swaps[0].nr_slots, 10);
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_int_equal(m->nr_extents, 2);
	/* the partition begins at sector 4096, a block is 8 sectors */
	assert_int_equal(m->extents[0].first_slot, 0);
	assert_int_equal(m->extents[0].nr_slots, 6);
	assert_int_equal(m->extents[0].first_sector, 4096 + 34816 * 8);
	assert_int_equal(m->extents[1].first_slot, 6);
	assert_int_equal(m->extents[1].nr_slots, 4);
	assert_int_equal(m->extents[1].first_sector, 4096 + 33024 * 8);
}

static void facts__half_a_swap_file_is_no_geometry(void **state)
{
	struct fixture *fx = *state;
	char text[sizeof(swap_file_notes)];
	char *second;

	snprintf(text, sizeof(text), "%s", swap_file_notes);
	second = strstr(text, "   1:");
	assert_non_null(second);
	second[3] = 'x';
	put(fx, "notes.txt", text);
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(fx->m->swaps[0].geometry_known, 0);
	assert_int_equal(fx->m->nr_extents, 1);
	assert_int_equal(fx->m->extents[0].first_sector, 0);
	assert_non_null(find_unknown(fx->m, "swap.geometry"));
}

static void facts__ram_disks_are_synchronous(void **state)
{
	struct fixture *fx = *state;

	put(fx, "notes.txt",
		"swapdev: ram0 1:0 rotational=0 sched= nr_requests= max_sectors_kb=127\n"
		"/dev/ram0   partition\t524284\t\t0\t\t-1\n");
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(fx->m->swaps[0].synchronous, 1);
	assert_string_equal(fx->m->scheduler, "");
	assert_null(zwb_meta_fact_get(fx->m, "queue", "nr_requests"));
	assert_fact(fx->m, "queue", "max_sectors_kb", "127");
}

static void facts__counters_have_two_sides(void **state)
{
	static const char text[] = "## uptime %d.30\n"
				   "## vmstat\n"
				   "zswpwb %d00\n"
				   "## zswap debugfs\n"
				   "/sys/kernel/debug/zswap/stored_pages:%d\n"
				   "## cgroup w0 memory.stat\n"
				   "pgscan %d7\n"
				   "## cgroup w0 memory.current\n"
				   "%d096\n"
				   "## cgroup w0 io.stat\n"
				   "254:0 rbytes=1 wios=%d cost.vrate=1%d.25\n"
				   "## /sys/block/vda/stat\n"
				   "   9  9  9  9  9  9  9  9  9  9  9\n"
				   "## diskstats\n"
				   " 254       0 vda 3 0 24 14 2%d 0 8 8 0 36 25\n"
				   "## swaps\n"
				   "/dev/vda   partition\t2097148\t\t0\t\t-1\n"
				   "## pressure\n"
				   "some avg10=0.00 avg60=0.00 avg300=0.00 total=1%d\n"
				   "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
				   "some avg10=0.16 avg60=0.14 avg300=0.03 total=15%d\n"
				   "full avg10=0.11 avg60=0.09 avg300=0.02 total=0\n"
				   "## meminfo\n"
				   "MemFree:   %d kB\n";
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;
	char filled[2048];

	snprintf(filled, sizeof(filled), text, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	put(fx, "counters-before.txt", filled);
	snprintf(filled, sizeof(filled), text, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4);
	put(fx, "counters-after.txt", filled);
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_delta(m, "uptime", "ns", INT64_C(3000000000));
	assert_delta(m, "vmstat", "zswpwb", 300);
	assert_delta(m, "zswap", "stored_pages", 3);
	assert_delta(m, "cgroup /w0 memory.stat", "pgscan", 30);
	assert_delta(m, "cgroup /w0 memory.current", "value", 3000);
	assert_delta(m, "cgroup /w0 io.stat", "254:0 wios", 3);
	assert_delta(m, "cgroup /w0 io.stat", "254:0 cost.vrate_x100", 300);
	assert_delta(m, "disk vda", "writes_completed", 3);
	assert_delta(m, "pressure memory", "some total", 3);
	assert_delta(m, "pressure io", "some total", 3);
	assert_delta(m, "meminfo", "MemFree", 3);
	/* nothing says that the area on vda is the whole disk, but its name does not either */
	assert_int_equal(m->swaps[0].geometry_known, 0);
}

static const char one_file[] = "## vmstat 0\n"
			       "zswpwb 1\n"
			       "## vmstat 1\n"
			       "zswpwb 6\n"
			       "## blkstat 0\n"
			       "  4  0  32  3  5364  0\n"
			       "## blkstat 1\n"
			       "  4  0  32  3  5370  0\n"
			       "## memory.stat 0\n"
			       "pgscan 1\n"
			       "## memory.stat 1\n"
			       "pgscan 3\n"
			       "## w.io.stat 0\n"
			       "254:0 wios=1\n"
			       "## w.io.stat 1\n"
			       "254:0 wios=9\n"
			       "## sys.io.pressure 0\n"
			       "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n"
			       "## sys.io.pressure 1\n"
			       "some avg10=0.00 avg60=0.00 avg300=0.00 total=8\n"
			       "## zswapdbg 0\n"
			       "stored_pages 2\n"
			       "## zswapdbg 1\n"
			       "stored_pages 5\n"
			       "## samples\n"
			       "9.999999 7 7\n"
			       "10.500000 11 12\n"
			       "## queue\n"
			       "[none] mq-deadline kyber \n"
			       "256\n"
			       "## iocost.conf\n"
			       "254:0 ctrl=user model=linear rbps=60000000\n"
			       "254:0 enable=0 ctrl=user\n"
			       "## cgroup_ids\n"
			       "     24 /sys/fs/cgroup/build\n"
			       "     73 /sys/fs/cgroup/writer\n"
			       "## zparams\n"
			       "compressor lzo\n"
			       "## probes.txt\n"
			       "OK   f:zlab/zstore zswap_store slot=+40($arg1):u64\n"
			       "## wl.out\n"
			       "WL mode=zipf\n";

static void facts__one_file_becomes_the_same_rows(void **state)
{
	struct fixture *fx = *state;
	struct zwb_meta *m = fx->m;

	put(fx, "trace.counters.txt", one_file);
	put(fx, "notes.txt", "CONFIG_HZ=1000\n"); /* of another recording in the folder */
	assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
	assert_delta(m, "vmstat", "zswpwb", 5);
	assert_delta(m, "disk swap", "writes_completed", 6);
	assert_delta(m, "cgroup /build memory.stat", "pgscan", 2);
	assert_delta(m, "cgroup /writer io.stat", "254:0 wios", 8);
	assert_delta(m, "pressure io", "some total", 7);
	assert_delta(m, "zswap", "stored_pages", 3);
	assert_string_equal(m->scheduler, "none");
	assert_int_equal(m->hz, 0);
	assert_fact(m, "iocost", "enabled", "0");
	assert_fact(m, "zswap", "compressor", "lzo");
	assert_fact(m, "wl.out", "line 1", "WL mode=zipf");
	assert_fact(m, "probe", "f:zlab/zstore", "OK zswap_store slot=+40($arg1):u64");
	assert_string_equal(m->cgroups[zwb_meta_cgroup(m, 73, NULL, NULL)].path, "/writer");
}

static void facts__samples_are_timed_from_the_start_of_the_trace(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_meta *m = fx->m;
	unsigned int nr_samples = 0;

	put(fx, "series.txt",
		"@ mono=9.000000000 uptime=9.0\n"
		"# /proc/vmstat\n"
		"zswpwb 1\n"
		"@ mono=12.250000001 uptime=12.0\n"
		"# /w0/memory.current\n"
		"4096\n"
		"# /io.stat\n"
		"254:0 wios=3\n"
		"# /sys/block/vda/stat\n"
		" 5 0 0 0 7\n"
		"# /proc/stat\n"
		"cpu0 20 0 2104 695\n"
		"# /sys/kernel/debug/zswap/stored_pages\n"
		"8\n");
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	for (size_t i = 0; i < m->nr_counters; i++) {
		assert_int_equal(m->counters[i].ts_ns, UINT64_C(2250000001));
		nr_samples += strcmp(m->counters[i].source, "cgroup /w0 memory.current") == 0 &&
			      m->counters[i].value == 4096;
		nr_samples += strcmp(m->counters[i].source, "cgroup / io.stat") == 0 &&
			      m->counters[i].value == 3;
		nr_samples += strcmp(m->counters[i].source, "disk vda") == 0 &&
			      strcmp(m->counters[i].key, "writes_completed") == 0 &&
			      m->counters[i].value == 7;
		nr_samples += strcmp(m->counters[i].key, "cpu0 system") == 0 &&
			      m->counters[i].value == 2104;
		nr_samples +=
			strcmp(m->counters[i].source, "zswap") == 0 && m->counters[i].value == 8;
	}
	assert_int_equal(nr_samples, 5);
}

static void facts__samples_of_another_clock_are_left_out(void **state)
{
	struct fixture *fx = *state;

	zwb_meta_set(&fx->m->clock, "local", NULL);
	put(fx, "series.txt", "@ mono=12.25 uptime=12.0\n# /proc/vmstat\nzswpwb 1\n");
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(fx->m->nr_counters, 0);
}

static void facts__nothing_beside_the_recording_is_said(void **state)
{
	struct fixture *fx = *state;

	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	assert_non_null(find_unknown(fx->m, "facts"));
	assert_non_null(find_unknown(fx->m, "swap.geometry"));
	assert_int_equal(fx->m->nr_swaps, 1);
	assert_int_equal(fx->m->extents[0].nr_slots, ZWB_FACTS_GUESSED_SLOTS);
	assert_fact(
		fx->m, "geometry", "source", "guess: the swap area begins at sector 0 of the disk");
}

static void facts__a_given_path_has_to_hold_something(void **state)
{
	struct fixture *fx = *state;
	struct zwb_err err = { 0 };
	char path[96];

	path_of(fx, "nowhere", path);
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, path, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "nowhere"));
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, fx->dir, &err), ZWB_EUSAGE);
	put(fx, "other.txt", one_file);
	path_of(fx, "other.txt", path);
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, path, &err), ZWB_OK);
	assert_delta(fx->m, "vmstat", "zswpwb", 5);
}

/* Every byte of the texts replaced in turn by what breaks parsers: still no harm and one area. */
static void facts__damaged_text_does_no_harm(void **state)
{
	static const char nasty[] = { '\n', '\0', ' ', ':', '=', '9', '\xff' };
	struct fixture *fx = *state;
	char text[sizeof(one_file) + sizeof(whole_disk_notes)];
	const char *const texts[] = { whole_disk_notes, swap_file_notes, one_file };
	const char *const names[] = { "notes.txt", "notes.txt", "trace.counters.txt" };

	for (size_t t = 0; t < ZWB_ARRAY_LEN(texts); t++) {
		for (size_t i = 0; texts[t][i]; i++) {
			struct zwb_meta *m = zwb_meta_create();

			snprintf(text, sizeof(text), "%s", texts[t]);
			text[i] = nasty[i % sizeof(nasty)];
			put(fx, names[t], text);
			assert_int_equal(zwb_facts_load(m, fx->trace, NULL, NULL), ZWB_OK);
			assert_true(m->nr_swaps >= 1 && m->nr_extents >= 1);
			zwb_meta_free(m);
		}
	}
}

static void facts__long_lines_are_cut_and_counted(void **state)
{
	struct fixture *fx = *state;
	char *text = malloc(100001);

	assert_non_null(text);
	memset(text, 'x', 100000);
	memcpy(text + 50000, "\nCONFIG_HZ=100\n", 15);
	text[100000] = '\0';
	put(fx, "notes.txt", text);
	free(text);
	assert_int_equal(zwb_facts_load(fx->m, fx->trace, NULL, NULL), ZWB_OK);
	assert_int_equal(fx->m->hz, 100);
	assert_int_equal(find_unknown(fx->m, "facts.lines")->nr, 2);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(facts__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(notes_become_facts_with_stable_names),
		T(a_whole_disk_begins_at_sector_0),
		T(a_partition_begins_where_the_notes_say),
		T(a_swap_file_lies_in_its_extents),
		T(half_a_swap_file_is_no_geometry),
		T(ram_disks_are_synchronous),
		T(counters_have_two_sides),
		T(one_file_becomes_the_same_rows),
		T(samples_are_timed_from_the_start_of_the_trace),
		T(samples_of_another_clock_are_left_out),
		T(nothing_beside_the_recording_is_said),
		T(a_given_path_has_to_hold_something),
		T(damaged_text_does_no_harm),
		T(long_lines_are_cut_and_counted),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
