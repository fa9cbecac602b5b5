/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of a made-up host. */
#include "zwb_test.h"

#include "host.h"
#include "host_totals.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 256

struct tree {
	char root[32];
};

/* Writes a file, and makes the folders that it is in. */
static void put(const struct tree *t, const char *path, const char *text)
{
	char full[PATH_ROOM];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", t->root, path);
	for (char *slash = full + strlen(t->root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		(void)mkdir(full, 0700);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* A disk that is swapped on, another one, and counters of both. */
static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		return -1;
	snprintf(t->root, sizeof(t->root), "/tmp/zwb-totals-XXXXXX");
	if (!mkdtemp(t->root))
		return -1;
	put(t, "/proc/swaps",
		"Filename Type Size Used Priority\n/dev/zwbtest partition 1047548 0 -2\n");
	put(t, "/sys/class/block/zwbtest/dev", "250:16\n");
	put(t, "/proc/vmstat", "pswpin 1\npswpout 1000\nslabs_scanned 70\nzswpwb 300\n");
	put(t, "/proc/diskstats",
		" 250       0 other 10 0 80 1 9999 0 1 1 0 1 1 0 0 0 0 0 0\n"
		" 250      16 zwbtest 20 0 160 1 400 30 3200 5 0 6 7 0 0 0 0 0 0\n"
		" 250      17 zwbtest1 1 0 1 1 7777 0 1 1 0 1 1 0 0 0 0 0 0\n");
	put(t, "/sys/fs/cgroup/cgroup.controllers", "memory io\n");
	put(t, "/sys/fs/cgroup/io.stat", "250:16 rbytes=0 wbytes=0 rios=0 wios=5555\n");
	put(t, "/sys/fs/cgroup/a/io.stat",
		"250:16 rbytes=4096 wbytes=8192 rios=1 wios=500 dbytes=0 dios=0\n"
		"250:0 rbytes=0 wbytes=0 rios=0 wios=6666\n");
	put(t, "/sys/fs/cgroup/a/nested/io.stat", "250:16 rios=0 wios=450\n");
	put(t, "/sys/fs/cgroup/b/io.stat", "250:16 rios=0 wios=11\n");
	put(t, "/sys/fs/cgroup/c/cgroup.procs", "");
	*state = t;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int teardown(void **state)
{
	struct tree *t = *state;
	int ret = nftw(t->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(t);
	return ret;
}

static struct zwb_totals totals_of(const struct tree *t)
{
	const struct zwb_host_config config = { .root = t->root };
	struct zwb_totals totals = { 0 };
	struct zwb_host *host = NULL;

	assert_int_equal(zwb_host_open(&host, &config, NULL), ZWB_OK);
	assert_int_equal(zwb_host_totals(host, &totals, NULL), ZWB_OK);
	zwb_host_close(host);
	return totals;
}

static void assert_total(const struct zwb_totals *totals, enum zwb_total total, uint64_t count)
{
	assert_true(totals->is_known[total]);
	assert_int_equal(totals->count[total], count);
}

static void host_totals__are_of_what_is_swapped_on(void **state)
{
	const struct zwb_totals totals = totals_of(*state);

	assert_total(&totals, ZWB_TOTAL_WRITTEN_BACK, 300);
	assert_total(&totals, ZWB_TOTAL_SWAPPED_OUT, 1000);
	assert_total(&totals, ZWB_TOTAL_SCANNED, 70);
	assert_total(&totals, ZWB_TOTAL_WRITE_REQUESTS, 400);
	/* a has those of a/nested, and the root's are something else */
	assert_total(&totals, ZWB_TOTAL_WRITE_BIOS, 511);
}

static void host_totals__old_kernels_count_writebacks_in_debugfs(void **state)
{
	struct tree *t = *state;
	struct zwb_totals totals;

	put(t, "/proc/vmstat", "pswpout 1000\n");
	put(t, "/sys/kernel/debug/zswap/written_back_pages", "123\n");
	totals = totals_of(t);
	assert_total(&totals, ZWB_TOTAL_WRITTEN_BACK, 123);
	assert_false(totals.is_known[ZWB_TOTAL_SCANNED]);
}

static void host_totals__what_is_not_there_is_not_known(void **state)
{
	struct tree *t = *state;
	struct zwb_totals totals;

	put(t, "/proc/vmstat", "pswpout\n\n zswpwb 3\npswpoutx 4\n");
	put(t, "/proc/diskstats", "250 16 zwbtest 1 2\n");
	put(t, "/proc/swaps", "Filename Type Size Used Priority\n");
	totals = totals_of(t);
	for (int i = 0; i < ZWB_TOTAL_NR; i++)
		assert_int_equal(totals.is_known[i], i == ZWB_TOTAL_WRITE_BIOS);
	assert_total(&totals, ZWB_TOTAL_WRITE_BIOS, 0);
}

static void host_totals__rise_between_two_looks(void **state)
{
	struct tree *t = *state;
	const struct zwb_totals before = totals_of(t);
	struct zwb_totals after;

	put(t, "/proc/vmstat", "pswpout 1600\nslabs_scanned 60\n");
	put(t, "/sys/fs/cgroup/b/io.stat", "250:16 rios=0 wios=20\n");
	after = totals_of(t);
	zwb_totals_rise(&after, &before);
	assert_total(&after, ZWB_TOTAL_SWAPPED_OUT, 600);
	assert_total(&after, ZWB_TOTAL_WRITE_BIOS, 9);
	assert_total(&after, ZWB_TOTAL_WRITE_REQUESTS, 0);
	/* one is gone, one cannot have gone down */
	assert_false(after.is_known[ZWB_TOTAL_WRITTEN_BACK]);
	assert_false(after.is_known[ZWB_TOTAL_SCANNED]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(host_totals__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(are_of_what_is_swapped_on),
		TEST(old_kernels_count_writebacks_in_debugfs),
		TEST(what_is_not_there_is_not_known),
		TEST(rise_between_two_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
