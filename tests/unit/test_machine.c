/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include "zwb_test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH 256
#define Z    "sys/module/zswap/parameters/"

/* A machine made of files. */
struct made_file {
	const char *path, *content; /* path NULL: no more */
};

static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void make(const char *root, const struct made_file *files)
{
	for (; files->path; files++) {
		char path[PATH];
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", root, files->path);
		make_folders(path);
		f = fopen(path, "w");
		assert_non_null(f);
		assert_true(fputs(files->content, f) >= 0);
		assert_int_equal(fclose(f), 0);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	return remove(path);
}

static void look(const struct made_file *files, struct zwb_machine *machine)
{
	char root[] = "/tmp/zwb-machine-XXXXXX";
	char tracing[PATH];

	assert_non_null(mkdtemp(root));
	make(root, files);
	snprintf(tracing, sizeof(tracing), "%s/tracing", root);
	assert_int_equal(zwb_machine_look(root, tracing, machine, NULL), ZWB_OK);
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* NULL: nothing was said about it. */
static const struct zwb_check *check(const struct zwb_machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->nr_checks; i++) {
		if (strcmp(machine->checks[i].name, name) == 0)
			return &machine->checks[i];
	}
	return NULL;
}

static void is_found(const struct zwb_machine *machine, const char *name,
	enum zwb_check_state state, const char *value)
{
	const struct zwb_check *c = check(machine, name);

	if (!c)
		fail_msg("nothing about %s", name);
	if (c->state != state || !strstr((const char *)c->value.data, value))
		fail_msg("%s is %s: %s", name, zwb_check_state_name(c->state),
			(const char *)c->value.data);
	assert_true((c->state == ZWB_CHECK_GOOD) == (c->advice == NULL));
}

static void machine__finds_a_good_one_good(void **state)
{
	static const struct made_file files[] = {
		{ Z "enabled", "Y\n" },
		{ Z "compressor", "zstd\n" },
		{ Z "shrinker_enabled", "Y\n" },
		{ "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"
				"/dev/vda2 partition\t2097148\t0\t-1\n"
				"/swapfile file 1024 0 -2\n" },
		{ "sys/class/block/vda2/../queue/scheduler", "[none] mq-deadline\n" },
		{ "sys/class/block/vda2/partition", "2\n" },
		{ "sys/module/blk_cgroup/parameters/blkcg_debug_stats", "Y\n" },
		{ "sys/fs/cgroup/cgroup.controllers", "cpu io memory\n" },
		{ "proc/pressure/memory", "some avg10=0.00\n" },
		{ "proc/meminfo", "MemTotal: 2018928 kB\nMemAvailable: 1942108 kB\n" },
		{ "proc/sys/kernel/ftrace_enabled", "1\n" },
		{ "sys/kernel/security/lockdown", "[none] integrity confidentiality\n" },
		{ "tracing/trace_clock",
			"[local] global counter uptime perf mono mono_raw boot\n" },
		{ "tracing/dynamic_events", "p:mine/x do_sys_open\n" },
		{ NULL, NULL },
	};
	struct zwb_machine m;

	(void)state;
	look(files, &m);
	is_found(&m, "zswap", ZWB_CHECK_GOOD, "enabled Y, compressor zstd");
	is_found(&m, "swap", ZWB_CHECK_GOOD, "/dev/vda2, /swapfile");
	is_found(&m, "IO scheduler", ZWB_CHECK_GOOD, "none for /dev/vda2");
	is_found(&m, "memory", ZWB_CHECK_GOOD, "1896 MiB");
	is_found(&m, "trace clock", ZWB_CHECK_GOOD, "mono");
	is_found(&m, "lockdown", ZWB_CHECK_GOOD, "none");
	assert_null(check(&m, "left behind"));
	assert_int_equal(zwb_machine_worst(&m), ZWB_CHECK_GOOD);
	zwb_machine_release(&m);
}

static void machine__says_what_stands_in_the_way(void **state)
{
	static const struct made_file files[] = {
		{ Z "enabled", "N\n" },
		{ Z "shrinker_enabled", "N\n" },
		{ "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n" },
		{ "sys/module/blk_cgroup/parameters/blkcg_debug_stats", "N\n" },
		{ "proc/meminfo", "MemAvailable: 1024 kB\n" },
		{ "proc/sys/kernel/ftrace_enabled", "0\n" },
		{ "sys/kernel/security/lockdown", "none integrity [confidentiality]\n" },
		{ "tracing/trace_clock", "[local] global\n" },
		{ "tracing/dynamic_events", "f:zwb/zstore zswap_store\n" },
		{ NULL, NULL },
	};
	struct zwb_machine m;

	(void)state;
	look(files, &m);
	is_found(&m, "zswap", ZWB_CHECK_WARNING, "enabled N");
	is_found(&m, "zswap shrinker", ZWB_CHECK_NOTE, "off");
	is_found(&m, "swap", ZWB_CHECK_WARNING, "none");
	assert_null(check(&m, "IO scheduler"));
	is_found(&m, "iocost statistics", ZWB_CHECK_NOTE, "off");
	is_found(&m, "cgroups", ZWB_CHECK_NOTE, "no unified hierarchy");
	is_found(&m, "pressure", ZWB_CHECK_NOTE, "not measured");
	is_found(&m, "memory", ZWB_CHECK_NOTE, "1 MiB");
	is_found(&m, "trace clock", ZWB_CHECK_BAD, "local");
	is_found(&m, "lockdown", ZWB_CHECK_BAD, "confidentiality");
	is_found(&m, "ftrace", ZWB_CHECK_BAD, "off");
	is_found(&m, "left behind", ZWB_CHECK_NOTE, "zwb");
	assert_int_equal(zwb_machine_worst(&m), ZWB_CHECK_BAD);
	zwb_machine_release(&m);
}

static void machine__judges_the_scheduler_of_the_swap_disk(void **state)
{
	static const struct made_file files[] = {
		{ "proc/swaps", "Filename\n/swapfile file 1 0 -2\n/dev/sdb partition 1 0 -3\n" },
		{ "sys/class/block/sdb/queue/scheduler", "none [mq-deadline] bfq\n" },
		{ NULL, NULL },
	};
	struct zwb_machine m;

	(void)state;
	look(files, &m);
	is_found(&m, "IO scheduler", ZWB_CHECK_NOTE, "mq-deadline for /dev/sdb");
	zwb_machine_release(&m);
}

static void machine__has_an_answer_where_there_is_nothing(void **state)
{
	static const struct made_file files[] = { { NULL, NULL } };
	struct zwb_machine m;

	(void)state;
	look(files, &m);
	is_found(&m, "zswap", ZWB_CHECK_WARNING, "not there");
	is_found(&m, "swap", ZWB_CHECK_WARNING, "none");
	assert_null(check(&m, "ftrace"));
	zwb_machine_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine__finds_a_good_one_good),
		cmocka_unit_test(machine__says_what_stands_in_the_way),
		cmocka_unit_test(machine__judges_the_scheduler_of_the_swap_disk),
		cmocka_unit_test(machine__has_an_answer_where_there_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
