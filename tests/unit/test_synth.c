/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "synth.h"
#include "synth_observer.h"

#include <stdlib.h>
#include <string.h>

static struct zwb_stream *open_stream(const struct zwb_synth_params *params)
{
	struct zwb_stream *s = NULL;
	struct zwb_err err = { 0 };

	assert_int_equal(zwb_synth_open(params, &s, &err), ZWB_OK);
	return s;
}

/* Everything the stream says, seen. */
static struct observer *observe(const struct zwb_synth_params *params)
{
	struct zwb_stream *s = open_stream(params);
	struct observer *o = calloc(1, sizeof(*o));
	const struct zwb_event *events;
	size_t nr;

	o->slots = calloc(MAX_SLOTS, sizeof(*o->slots));
	for (size_t i = 0; i < ZWB_SYNTH_MAX_CPUS; i++)
		o->running[i] = -1;
	for (;;) {
		assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
		if (nr == 0)
			break;
		for (size_t i = 0; i < nr; i++)
			observer_see(o, &events[i], params->nr_cpus);
	}
	assert_int_equal(o->nr[ZWB_EV_NONE], params->nr_events);
	assert_int_equal(o->last_ns, s->meta->end_ns);
	zwb_stream_close(s);
	return o;
}

static void forget(struct observer *o)
{
	free(o->slots);
	free(o);
}

static void small_machine(struct zwb_synth_params *params)
{
	zwb_synth_defaults(params);
	params->nr_pages = 8192;
	params->nr_slots = 10000;
	params->nr_events = 300000;
}

static void synth__keeps_the_kernel_s_rules_on_every_machine(void **state)
{
	const struct {
		uint32_t nr_cpus, nr_tasks, nr_cgroups, skew_percent;
		uint64_t nr_pages, nr_slots;
	} cases[] = {
		{ 1, 1, 1, 90, 1024, 1025 },
		{ 1, 4, 2, 90, 8192, 10000 },
		{ 2, 4, 2, 90, 8192, 10000 },
		{ 2, 2, 1, 0, 4096, 5000 },
		{ 3, 2, 2, 60, 4096, 65536 },
		{ 4, 16, 3, 120, 20000, 21000 },
		{ 8, 8, 1, 100, 16384, 32768 },
		{ 64, 32, 8, 90, 32768, 40000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_synth_params params;

		small_machine(&params);
		params.nr_cpus = cases[i].nr_cpus;
		params.nr_tasks = cases[i].nr_tasks;
		params.nr_cgroups = cases[i].nr_cgroups;
		params.skew_percent = cases[i].skew_percent;
		params.nr_pages = cases[i].nr_pages;
		params.nr_slots = cases[i].nr_slots;
		params.seed = i + 1;
		forget(observe(&params));
	}
}

static void synth__has_all_that_a_recording_has(void **state)
{
	static const uint8_t kinds[] = { ZWB_EV_STORE_BEGIN, ZWB_EV_LOAD_BEGIN, ZWB_EV_INVALIDATE,
		ZWB_EV_ENTRY_FREE, ZWB_EV_COMPRESS, ZWB_EV_WALK_BEGIN, ZWB_EV_VISIT_BEGIN,
		ZWB_EV_WRITEBACK_BEGIN, ZWB_EV_SHRINK_COUNT, ZWB_EV_SWAPOUT, ZWB_EV_SWAP_WRITE,
		ZWB_EV_SWAP_WRITE_SUBMIT, ZWB_EV_SWAP_READ, ZWB_EV_SWAP_READ_SUBMIT,
		ZWB_EV_RECLAIM_BEGIN, ZWB_EV_SHRINK_SLAB_BEGIN, ZWB_EV_BIO_CGROUP, ZWB_EV_BIO_QUEUE,
		ZWB_EV_BIO_BACKMERGE, ZWB_EV_RQ_GET, ZWB_EV_RQ_ISSUE, ZWB_EV_RQ_COMPLETE,
		ZWB_EV_PLUG, ZWB_EV_UNPLUG, ZWB_EV_PLUG_START, ZWB_EV_PLUG_FINISH,
		ZWB_EV_SCHED_SWITCH };
	struct zwb_synth_params params;
	struct observer *o;

	(void)state;
	small_machine(&params);
	o = observe(&params);
	for (size_t i = 0; i < sizeof(kinds); i++)
		assert_true(o->nr[kinds[i]] >= 20);
	assert_true(o->nr_hits >= 100 && o->nr_misses >= 100);
	assert_true(o->nr_rotated >= 100 && o->nr_failed >= 1);
	assert_true(o->nr_nested_walks >= 100 && o->nr_rejected >= 10 && o->nr_merges >= 100);
	forget(o);
}

/* FNV-1a of all records, padding included: there is none, and pad is 0. */
static uint64_t digest(const struct zwb_synth_params *params)
{
	struct zwb_stream *s = open_stream(params);
	uint64_t hash = 0xcbf29ce484222325u;
	const struct zwb_event *events;
	size_t nr;

	while (zwb_stream_next(s, &events, &nr, NULL) == ZWB_OK && nr > 0) {
		const unsigned char *bytes = (const unsigned char *)events;

		for (size_t i = 0; i < nr * sizeof(*events); i++)
			hash = (hash ^ bytes[i]) * 0x100000001b3u;
	}
	zwb_stream_close(s);
	return hash;
}

static void synth__is_the_same_for_the_same_seed_only(void **state)
{
	struct zwb_synth_params params;
	uint64_t first;

	(void)state;
	small_machine(&params);
	first = digest(&params);
	assert_true(digest(&params) == first);
	params.seed = 2;
	assert_true(digest(&params) != first);
}

static void synth__is_a_prefix_of_a_longer_one(void **state)
{
	struct zwb_synth_params params;
	const struct zwb_event *a, *b;
	struct zwb_stream *one, *two;
	size_t nr_a, nr_b;

	(void)state;
	small_machine(&params);
	params.nr_events = 1000;
	one = open_stream(&params);
	params.nr_events = 5000;
	two = open_stream(&params);
	assert_int_equal(zwb_stream_next(one, &a, &nr_a, NULL), ZWB_OK);
	assert_int_equal(zwb_stream_next(two, &b, &nr_b, NULL), ZWB_OK);
	assert_int_equal(nr_a, 1000);
	assert_true(nr_b >= 1000);
	assert_memory_equal(a, b, 1000 * sizeof(*a));
	assert_int_equal(zwb_stream_next(one, &a, &nr_a, NULL), ZWB_OK);
	assert_int_equal(nr_a, 0);
	zwb_stream_close(one);
	zwb_stream_close(two);
}

static void synth__refuses_impossible_machines(void **state)
{
	struct zwb_synth_params good, cases[16];
	struct zwb_stream *s = NULL;
	size_t nr = 0;

	(void)state;
	small_machine(&good);
	for (size_t i = 0; i < 16; i++)
		cases[i] = good;
	cases[nr++].profile = "nonesuch";
	cases[nr++].seed = 0;
	cases[nr++].seed = 1ull << 32;
	cases[nr++].nr_cpus = 0;
	cases[nr++].nr_cpus = ZWB_SYNTH_MAX_CPUS + 1;
	cases[nr++].nr_cgroups = 0;
	cases[nr++].nr_tasks = 0;
	cases[nr++].nr_cgroups = good.nr_tasks + 1;
	cases[nr++].nr_tasks = ZWB_SYNTH_MAX_TASKS + 1;
	cases[nr++].nr_pages = 0;
	cases[nr++].nr_pages = good.nr_slots;
	cases[nr++].nr_pages = good.nr_tasks * ZWB_SYNTH_MIN_TASK_PAGES - 1;
	cases[nr++].nr_slots = ZWB_SYNTH_MAX_SLOTS + 1;
	cases[nr++].nr_slots = UINT64_MAX;
	cases[nr++].skew_percent = ZWB_SYNTH_MAX_SKEW + 1;
	for (size_t i = 0; i < nr; i++) {
		struct zwb_err err = { 0 };

		assert_int_equal(zwb_synth_open(&cases[i], &s, &err), ZWB_EUSAGE);
		assert_true(strlen(err.text) > 10);
		assert_null(s);
	}
}

static void synth__names_its_profiles(void **state)
{
	size_t nr = 0;

	(void)state;
	for (; zwb_synth_profile_name(nr); nr++)
		assert_non_null(zwb_synth_profile_summary(nr));
	assert_true(nr >= 1);
	assert_null(zwb_synth_profile_summary(nr));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synth__keeps_the_kernel_s_rules_on_every_machine),
		cmocka_unit_test(synth__has_all_that_a_recording_has),
		cmocka_unit_test(synth__is_the_same_for_the_same_seed_only),
		cmocka_unit_test(synth__is_a_prefix_of_a_longer_one),
		cmocka_unit_test(synth__refuses_impossible_machines),
		cmocka_unit_test(synth__names_its_profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
