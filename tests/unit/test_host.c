/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is written about a made-up host (host_tree.c) is what opening the recording says about it.
 * The expected values are those of the files there, taken over or worked out by hand.
 */
#include "host_capture.h"

#include "extents.h"
#include "h5store.h"
#include "tracefile.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOT_BYTES 4096u

/* Facts at the start and nothing else. */
static struct zwb_stream *facts_only(
	struct capture *c, const struct host_tree *t, const char *cgroup, size_t max)
{
	capture_begin(c, t, cgroup, max);
	capture_facts(c, ZWB_PHASE_START);
	capture_end(c);
	return capture_reopen(c);
}

static void assert_fact(
	const struct zwb_meta *m, const char *section, const char *key, const char *value)
{
	const char *got = zwb_meta_fact_get(m, section, key);

	if (!got)
		fail_msg("no fact \"%s\" \"%s\"", section, key);
	else
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

static size_t nr_samples(const struct zwb_meta *m, const char *source, const char *key)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_counters; i++)
		nr += m->counters[i].ts_ns < ZWB_COUNTER_AFTER &&
		      strcmp(m->counters[i].source, source) == 0 &&
		      strcmp(m->counters[i].key, key) == 0;
	return nr;
}

static bool has_counters_of(const struct zwb_meta *m, const char *source)
{
	for (size_t i = 0; i < m->nr_counters; i++) {
		if (strcmp(m->counters[i].source, source) == 0)
			return true;
	}
	return false;
}

static const char *cgroup_path(const struct zwb_meta *m, uint64_t id)
{
	for (size_t i = 0; i < m->nr_cgroups; i++) {
		if (m->cgroups[i].id == id)
			return m->cgroups[i].path;
	}
	return "";
}

/* ---- facts ---- */

static void host__facts_have_the_names_of_other_recorders(void **state)
{
	static const char *const want[][3] = {
		{ "host", "kernel", "6.12.9-test" },
		{ "host", "cmdline", "root=/dev/vda1  quiet" },
		{ "host", "cpu_model", "Made Up 3000" },
		{ "host", "MemTotal", "2014424 kB" },
		{ "host", "cpus", "0-1" },
		{ "host", "nodes", "0" },
		{ "host", "lru_gen", "0x0007" },
		{ "host", "psi", "yes" },
		{ "config", "CONFIG_PSI", "y" },
		{ "zswap", "max_pool_percent", "20" },
		{ "vm", "page-cluster", "3" },
		{ "queue", "max_sectors_kb", "1280" },
		{ "queue", "max_segments", "254" },
		{ "queue", "scheduler", "mq-deadline" },
		{ "queue", "nr_hw_queues", "2" },
		{ "queue", "mq/1", "nr_tags=256 cpu_list=1" },
		{ "iosched", "fifo_batch", "16" },
		{ "iocost", "enabled", "1" },
		{ "iocost", "qos", "254:0 enable=1 ctrl=user rpct=95.00" },
		{ "iocost", "model", "254:0 ctrl=user model=linear rbps=1" },
		{ "queue vdb", "max_sectors_kb", "512" },
		{ "iocost vdb", "enabled", "0" },
		{ "iocost zram0", "enabled", "1" },
		{ "disk zram0", "comp_algorithm", "lzo [zstd]" },
		{ "cgroup /w0", "memory.max", "134217728" },
		{ "cgroup /w0", "io.weight", "default 100; 254:0 300" },
		{ "capture", "cgroups", "4" },
		{ "capture", "cgroups_without_counters", "0" },
	};
	struct capture c;
	struct zwb_stream *s = facts_only(&c, *state, NULL, 0);

	for (size_t i = 0; i < ZWB_ARRAY_LEN(want); i++)
		assert_fact(s->meta, want[i][0], want[i][1], want[i][2]);
	assert_string_equal(s->meta->scheduler, "mq-deadline");
	assert_int_equal(s->meta->hz, 300);
	assert_int_equal(s->meta->nr_cpus, 2);
	assert_int_equal(s->meta->nr_unknowns, 0);
	zwb_stream_close(s);
}

/* Names that the kernel chooses need no description. */
static bool is_described_as_a_whole(const struct zwb_fact *f)
{
	return strcmp(f->section, "zswap") == 0 || strcmp(f->section, "config") == 0 ||
	       strncmp(f->section, "iosched", 7) == 0 || strcmp(f->section, "geometry") == 0 ||
	       strncmp(f->key, "mq/", 3) == 0;
}

static void host__facts_are_those_of_the_document(void **state)
{
	struct capture c;
	struct zwb_stream *s = facts_only(&c, *state, NULL, 0);
	size_t size, nr = 0;
	char *document = (char *)build_slurp(ZWB_SOURCE_DIR "/traces/FORMAT.md", &size);
	char *text = strndup(document, size), *at, key[64];

	assert_non_null(text);
	at = strstr(text, "### Facts of a capture");
	assert_non_null(at);
	for (size_t i = 0; i < s->meta->nr_facts; i++) {
		const struct zwb_fact *f = &s->meta->facts[i];

		if (is_described_as_a_whole(f))
			continue;
		snprintf(key, sizeof(key), "`%s`", f->key);
		if (!strstr(at, key))
			fail_msg("FORMAT.md does not have \"%s\" \"%s\"", f->section, f->key);
		nr++;
	}
	assert_true(nr > 40);
	free(text);
	free(document);
	zwb_stream_close(s);
}

static void host__swap_areas_lie_where_their_devices_begin(void **state)
{
	struct capture c;
	struct zwb_stream *s = facts_only(&c, *state, NULL, 0);
	const struct zwb_meta *m = s->meta;

	assert_int_equal(m->nr_swaps, 3);
	assert_string_equal(m->swaps[0].path, "/dev/vda2");
	assert_string_equal(m->swaps[0].kind, "partition");
	assert_int_equal(m->swaps[0].nr_slots, 261888); /* 1047548 KiB and the header */
	assert_string_equal(m->devices[m->swaps[0].dev].name, "vda");
	assert_int_equal(m->devices[m->swaps[0].dev].major, 254);
	assert_int_equal(m->devices[m->swaps[0].dev].minor, 0);
	assert_int_equal(m->swaps[0].synchronous, 0);
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_int_equal(m->extents[0].swap_type, 0);
	assert_int_equal(m->extents[0].first_sector, 2048);
	assert_int_equal(m->extents[0].nr_slots, 261888);
	assert_string_equal(m->swaps[1].path, "/swap file");
	assert_string_equal(m->devices[m->swaps[1].dev].name, "vdb");
	assert_string_equal(m->swaps[2].path, "/dev/zram0");
	assert_int_equal(m->swaps[2].nr_slots, 1024);
	assert_int_equal(m->swaps[2].synchronous, 1);
	assert_int_equal(m->extents[m->nr_extents - 1].swap_type, 2);
	assert_int_equal(m->extents[m->nr_extents - 1].first_sector, 0);
	zwb_stream_close(s);
}

/* vdb1 begins at sector 4096 of vdb; blocks of the file system are as large as slots or larger. */
static void host__a_swap_file_lies_in_its_extents(void **state)
{
	const struct host_tree *t = *state;
	struct zwb_file_extents found;
	struct capture c;
	struct zwb_stream *s = facts_only(&c, t, NULL, 0);
	const struct zwb_meta *m = s->meta;
	char path[64];
	size_t next = 1; /* behind that of vda2 */

	snprintf(path, sizeof(path), "%s/swap file", t->root);
	assert_int_equal(zwb_extents_of(path, &found, NULL), ZWB_OK);
	if (found.nr == 0) {
		assert_int_equal(m->swaps[1].geometry_known, 0);
		zwb_stream_close(s);
		print_message("%s: %s\n", path, found.why_not);
		skip();
	}
	assert_int_equal(m->swaps[1].geometry_known, 1);
	assert_int_equal(m->swaps[1].nr_slots, (8u << 20) / SLOT_BYTES);
	for (size_t i = 0; i < found.nr; i++, next++) {
		assert_int_equal(m->extents[next].swap_type, 1);
		assert_int_equal(
			m->extents[next].first_slot, found.extents[i].file_byte / SLOT_BYTES);
		assert_int_equal(
			m->extents[next].first_sector, 4096 + found.extents[i].device_byte / 512);
	}
	assert_int_equal(next, m->nr_extents - 1);
	zwb_extents_release(&found);
	zwb_stream_close(s);
}

static void host__cgroups_have_numbers_and_names(void **state)
{
	const struct host_tree *t = *state;
	struct capture c;
	struct zwb_stream *s = facts_only(&c, t, NULL, 0);
	const struct zwb_meta *m = s->meta;

	assert_string_equal(cgroup_path(m, host_tree_inode(t, "sys/fs/cgroup")), "/");
	assert_string_equal(cgroup_path(m, host_tree_inode(t, "sys/fs/cgroup/w0")), "/w0");
	assert_string_equal(
		cgroup_path(m, host_tree_inode(t, "sys/fs/cgroup/w0/deep down")), "/w0/deep down");
	assert_string_equal(cgroup_path(m, host_tree_inode(t, "sys/fs/cgroup/z")), "/z");
	zwb_stream_close(s);
}

static void host__a_fact_that_changes_is_kept_twice(void **state)
{
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, *state, NULL, 0);
	capture_facts(&c, ZWB_PHASE_START);
	host_tree_put(*state, "sys/module/zswap/parameters/max_pool_percent", "30\n");
	host_tree_put(*state, "sys/fs/cgroup/w0/memory.max", "max\n");
	capture_facts(&c, ZWB_PHASE_END);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_fact(s->meta, "zswap", "max_pool_percent", "20");
	assert_fact(s->meta, "zswap end", "max_pool_percent", "30");
	assert_fact(s->meta, "cgroup /w0 end", "memory.max", "max");
	assert_null(zwb_meta_fact_get(s->meta, "zswap end", "enabled"));
	assert_int_equal(s->meta->nr_swaps, 3);
	zwb_stream_close(s);
}

static void host__what_is_missing_is_left_out(void **state)
{
	const struct host_tree *t = *state;
	struct zwb_stream *s;
	struct capture c;

	host_tree_cut(t, "proc/swaps");
	host_tree_cut(t, "proc/vmstat");
	host_tree_cut(t, "proc/sys/kernel/osrelease");
	host_tree_cut(t, "sys/fs/cgroup/cgroup.controllers");
	host_tree_put(t, "proc/cmdline", "");
	s = facts_only(&c, t, NULL, 0);
	assert_null(zwb_meta_fact_get(s->meta, "host", "cmdline"));
	assert_null(zwb_meta_fact_get(s->meta, "queue", "scheduler"));
	assert_fact(s->meta, "host", "cgroup_hierarchy", "none that is unified");
	assert_int_equal(s->meta->nr_swaps, 1); /* nothing is known about it */
	assert_int_equal(s->meta->swaps[0].geometry_known, 0);
	zwb_stream_close(s);
}

/* ---- counters ---- */

static void change_counters(const struct host_tree *t)
{
	host_tree_put(t, "proc/vmstat", "nr_free_pages 4\npswpout 130\nzswpwb 9\nnr_mapped 4\n");
	host_tree_put(t, "proc/diskstats",
		" 254       0 vda 1 2 3 4 15 6 7 8 9 10 11\n 254      32 vdc 1 1 1 1 1 1 1 1 1 1 "
		"1\n");
	host_tree_put(
		t, "proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=111\n");
	host_tree_put(t, "proc/stat", "cpu  1 2 3 9\ncpu0 1 2 3 9\nctxt 90\nprocesses 9\n");
	host_tree_put(t, "sys/kernel/debug/zswap/stored_pages", "33\n");
	host_tree_put(
		t, "sys/fs/cgroup/w0/memory.stat", "anon 8192\nkernel 6\npgscan 60\nzswpwb 8\n");
	host_tree_put(t, "sys/fs/cgroup/w0/memory.swap.current", "8192\n");
	host_tree_put(t, "sys/fs/cgroup/w0/io.stat", "254:0 rbytes=1 wbytes=2 rios=3 wios=45\n");
}

static void host__counters_are_taken_before_and_after(void **state)
{
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, *state, NULL, 0);
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	change_counters(*state);
	capture_sample(&c, ZWB_PHASE_END);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_delta(s->meta, "vmstat", "pswpout", 30);
	assert_delta(s->meta, "vmstat", "nr_mapped", 0);
	assert_delta(s->meta, "disk vda", "writes_completed", 5);
	assert_delta(s->meta, "pressure memory", "some total", 100);
	assert_delta(s->meta, "stat", "cpu idle", 5);
	assert_delta(s->meta, "stat", "ctxt", 2);
	assert_delta(s->meta, "zswap", "stored_pages", 2);
	assert_delta(s->meta, "meminfo", "SwapFree", 0);
	assert_delta(s->meta, "cgroup /w0 memory.stat", "zswpwb", 2);
	assert_delta(s->meta, "cgroup /w0 memory.swap.current", "value", 4096);
	assert_delta(s->meta, "cgroup /w0 io.stat", "254:0 wios", 5);
	assert_delta(s->meta, "cgroup /w0/deep down memory.stat", "anon", 0);
	assert_false(has_counters_of(s->meta, "disk vdc")); /* has no swap area */
	assert_int_equal(s->meta->nr_unknowns, 0);
	zwb_stream_close(s);
}

/* Values of one counter in the order of their times. */
static void assert_series(const struct zwb_meta *m, const char *source, const char *key,
	const int64_t *want, size_t nr)
{
	uint64_t last_ns = 0;
	size_t seen = 0;

	for (size_t i = 0; i < m->nr_counters; i++) {
		const struct zwb_counter *c = &m->counters[i];

		if (c->ts_ns >= ZWB_COUNTER_AFTER || strcmp(c->source, source) != 0 ||
			strcmp(c->key, key) != 0)
			continue;
		if (seen >= nr)
			fail_msg("more than %zu samples of %s", nr, key);
		assert_int_equal(c->value, want[seen++]);
		assert_true(c->ts_ns >= last_ns);
		last_ns = c->ts_ns;
	}
	assert_int_equal(seen, nr);
}

/* Events first, so that the samples have a time in the recording. */
static void host__samples_have_what_has_changed(void **state)
{
	const int64_t pswpout[] = { 100, 130 }, wios[] = { 40, 45 }, pswap[] = { 4096, 8192 };
	struct zwb_host_cost cost;
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, *state, NULL, 0);
	build_stores(&c.b, 1, 3, capture_now_ns(), 10);
	capture_sample(&c, ZWB_PHASE_SAMPLE);
	capture_sample(&c, ZWB_PHASE_SAMPLE);
	change_counters(*state);
	capture_sample(&c, ZWB_PHASE_SAMPLE);
	zwb_host_cost(c.host, &cost);
	capture_facts(&c, ZWB_PHASE_END);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_series(s->meta, "vmstat", "pswpout", pswpout, 2);
	assert_series(s->meta, "cgroup /w0 io.stat", "254:0 wios", wios, 2);
	assert_series(s->meta, "cgroup /w0 memory.swap.current", "value", pswap, 2);
	assert_int_equal(nr_samples(s->meta, "cgroup /z memory.stat", "anon"), 1);
	assert_int_equal(nr_samples(s->meta, "vmstat", "nr_mapped"), 0); /* not one of those kept */
	assert_int_equal(nr_samples(s->meta, "meminfo", "MemTotal"), 0);
	assert_int_equal(nr_samples(s->meta, "cgroup /w0 io.stat", "254:32 wios"), 0);
	assert_fact(s->meta, "capture", "samples", "3");
	assert_int_equal(cost.nr_samples, 3);
	assert_true(cost.max_ns > 0 && cost.max_ns <= cost.total_ns);
	zwb_stream_close(s);
}

static void host__a_cgroup_may_go_and_come(void **state)
{
	const struct host_tree *t = *state;
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, t, NULL, 0);
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	host_tree_cut(t, "sys/fs/cgroup/z/memory.stat");
	host_tree_cut(t, "sys/fs/cgroup/z");
	host_tree_put(t, "sys/fs/cgroup/new/memory.stat", "anon 3\n");
	capture_sample(&c, ZWB_PHASE_END);
	capture_facts(&c, ZWB_PHASE_END);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_string_equal(cgroup_path(s->meta, host_tree_inode(t, "sys/fs/cgroup/new")), "/new");
	assert_true(has_counters_of(s->meta, "cgroup /new memory.stat"));
	assert_true(has_counters_of(s->meta, "cgroup /z memory.stat"));
	zwb_stream_close(s);
}

/* A flight recorder begins one file after the other, for weeks: what is gone takes no place. */
static void host__a_new_start_forgets_cgroups_that_are_gone(void **state)
{
	const struct host_tree *t = *state;
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, t, NULL, 4); /* as many as there are */
	host_tree_cut(t, "sys/fs/cgroup/z/memory.stat");
	host_tree_cut(t, "sys/fs/cgroup/z");
	host_tree_put(t, "sys/fs/cgroup/later/memory.stat", "anon 3\n");
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_fact(s->meta, "capture", "cgroups", "4");
	assert_fact(s->meta, "capture", "cgroups_without_counters", "0");
	assert_true(has_counters_of(s->meta, "cgroup /later memory.stat"));
	assert_false(has_counters_of(s->meta, "cgroup /z memory.stat"));
	assert_true(has_counters_of(s->meta, "cgroup /w0 memory.stat"));
	assert_true(has_counters_of(s->meta, "vmstat"));
	zwb_stream_close(s);
}

static void host__only_the_wanted_cgroup_is_counted(void **state)
{
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, *state, "/w0", 0);
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_true(has_counters_of(s->meta, "cgroup / memory.stat")); /* its limits are theirs */
	assert_true(has_counters_of(s->meta, "cgroup /w0 memory.stat"));
	assert_true(has_counters_of(s->meta, "cgroup /w0/deep down memory.stat"));
	assert_false(has_counters_of(s->meta, "cgroup /z memory.stat"));
	assert_fact(s->meta, "capture", "cgroups", "4"); /* names for all events */
	assert_fact(s->meta, "capture", "cgroups_without_counters", "1");
	zwb_stream_close(s);
}

static void host__upper_cgroups_come_first(void **state)
{
	struct zwb_stream *s;
	struct capture c;

	capture_begin(&c, *state, NULL, 3);
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_true(has_counters_of(s->meta, "cgroup /z memory.stat"));
	assert_false(has_counters_of(s->meta, "cgroup /w0/deep down memory.stat"));
	assert_fact(s->meta, "capture", "cgroups_without_counters", "1");
	zwb_stream_close(s);
}

static void host__a_cgroup_that_is_not_there_is_refused(void **state)
{
	static const char *const names[] = { "/nowhere", "w0", "" };
	const struct host_tree *t = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(names); i++) {
		const struct zwb_host_config config = { .root = t->root, .cgroup = names[i] };
		struct zwb_host *host;

		assert_int_equal(zwb_host_open(&host, &config, NULL), ZWB_EUSAGE);
	}
}

/* ---- the store ---- */

static void host__all_of_it_goes_through_the_store(void **state)
{
	const struct host_tree *t = *state;
	const struct zwb_event *events;
	struct zwb_stream *s, *stored;
	struct zwb_store *store;
	struct capture c;
	char path[64];
	size_t nr;

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	snprintf(path, sizeof(path), "%s/trace.h5", t->root);
	capture_begin(&c, t, NULL, 0);
	capture_facts(&c, ZWB_PHASE_START);
	capture_sample(&c, ZWB_PHASE_START);
	change_counters(t);
	capture_sample(&c, ZWB_PHASE_END);
	capture_end(&c);
	s = capture_reopen(&c);
	assert_int_equal(zwb_store_create(path, NULL, &store, NULL), ZWB_OK);
	do {
		assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
		assert_int_equal(zwb_store_append(store, events, nr, NULL), ZWB_OK);
	} while (nr);
	assert_int_equal(zwb_store_commit(store, s->meta, NULL), ZWB_OK);
	assert_int_equal(zwb_trace_open(path, NULL, &stored, NULL), ZWB_OK);
	assert_int_equal(stored->meta->nr_facts, s->meta->nr_facts);
	assert_int_equal(stored->meta->nr_counters, s->meta->nr_counters);
	for (size_t i = 0; i < s->meta->nr_facts; i++)
		assert_string_equal(stored->meta->facts[i].value, s->meta->facts[i].value);
	assert_delta(stored->meta, "cgroup /w0/deep down memory.stat", "anon", 0);
	assert_delta(stored->meta, "vmstat", "pswpout", 30);
	assert_int_equal(stored->meta->nr_extents, s->meta->nr_extents);
	assert_int_equal(stored->meta->nr_cpus, 2);
	zwb_stream_close(stored);
	zwb_stream_close(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, host_tree_make, host_tree_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(host__facts_have_the_names_of_other_recorders),
		TEST(host__facts_are_those_of_the_document),
		TEST(host__swap_areas_lie_where_their_devices_begin),
		TEST(host__a_swap_file_lies_in_its_extents),
		TEST(host__cgroups_have_numbers_and_names),
		TEST(host__a_fact_that_changes_is_kept_twice),
		TEST(host__what_is_missing_is_left_out),
		TEST(host__counters_are_taken_before_and_after),
		TEST(host__samples_have_what_has_changed),
		TEST(host__a_cgroup_may_go_and_come),
		TEST(host__a_new_start_forgets_cgroups_that_are_gone),
		TEST(host__only_the_wanted_cgroup_is_counted),
		TEST(host__upper_cgroups_come_first),
		TEST(host__a_cgroup_that_is_not_there_is_refused),
		TEST(host__all_of_it_goes_through_the_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
