/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which policy the recorded kernel ran, from small recordings that look like those of each kernel.
 * Slot s lies at sector 8 s of disk 0.
 */
#include "captured.h"
#include "memory_stream.h"
#include "select.h"
#include "zwb_test.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 4096

/* How a kernel writes back. */
enum kernel { UNBATCHED, BATCHED, PLUGGED };

struct recording {
	struct zwb_event events[MAX_EVENTS];
	size_t nr;
	int32_t tid;
	uint64_t next_slot;
	struct zwb_meta *meta;
	struct zwb_geometry *geometry;
	struct zwb_captured captured;
};

static struct zwb_event *event(struct recording *r, enum zwb_event_kind kind, uint64_t addr)
{
	struct zwb_event *ev = &r->events[r->nr];

	assert_true(r->nr < MAX_EVENTS);
	*ev = (struct zwb_event){
		.ts_ns = 1000 * r->nr, .kind = (uint8_t)kind, .addr = addr, .tid = r->tid
	};
	r->nr++;
	return ev;
}

static void bio(struct recording *r, uint64_t slot)
{
	struct zwb_event *ev = event(r, ZWB_EV_BIO_QUEUE, 8 * slot);

	ev->len = 8;
	ev->flags = ZWB_OP_WRITE;
}

static void visit(struct recording *r, bool has_bio)
{
	uint64_t slot = r->next_slot;

	r->next_slot += 2; /* nothing joins anything */
	event(r, ZWB_EV_VISIT_BEGIN, slot);
	event(r, ZWB_EV_SWAP_WRITE, slot);
	if (has_bio)
		bio(r, slot);
	event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
}

/* A walk of @nr pages as @kernel does it. */
static void walk(struct recording *r, enum kernel kernel, unsigned int nr)
{
	event(r, ZWB_EV_WALK_BEGIN, 0)->flags = ZWB_WALK_SHRINKER;
	for (unsigned int i = 0; i < nr; i++) {
		uint64_t last = r->next_slot - 2;

		if (kernel != UNBATCHED && i > 0) {
			bio(r, last); /* of the page before, which the next one did not join */
			if (kernel == PLUGGED && i == 1)
				event(r, ZWB_EV_PLUG, 0);
		}
		visit(r, kernel == UNBATCHED);
	}
	if (kernel != UNBATCHED)
		bio(r, r->next_slot - 2);
	if (kernel == PLUGGED)
		event(r, ZWB_EV_UNPLUG, 0)->len = nr;
	event(r, ZWB_EV_WALK_END, 0)->flags = ZWB_WALK_SHRINKER;
}

static void infer(struct recording *r)
{
	for (size_t block = 1; block <= MAX_EVENTS; block += MAX_EVENTS - 1) {
		struct memory_stream s = memory_stream_of(r->meta, r->events, r->nr, block);

		zwb_captured_release(&r->captured);
		assert_int_equal(
			zwb_captured_infer(&s.stream, r->geometry, &r->captured, NULL), ZWB_OK);
	}
}

static void expect(const struct recording *r, const char *policy)
{
	assert_string_equal(r->captured.policy.label, policy);
}

static int setup(void **state)
{
	const struct zwb_swap swap = { .nr_slots = 65536 };
	const struct zwb_extent extent = { .nr_slots = 65536 };
	struct recording *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->tid = 100;
	r->next_slot = 1000;
	r->meta = zwb_meta_create();
	assert_non_null(r->meta);
	assert_int_equal(zwb_meta_swap(r->meta, &swap, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_extent(r->meta, &extent, NULL), ZWB_OK);
	assert_int_equal(zwb_geometry_create(r->meta, &r->geometry, NULL), ZWB_OK);
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct recording *r = *state;

	zwb_captured_release(&r->captured);
	zwb_geometry_free(r->geometry);
	zwb_meta_free(r->meta);
	free(r);
	return 0;
}

static void captured__an_entry_that_is_submitted_in_its_visit(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 4; i++)
		walk(r, UNBATCHED, 8);
	infer(r);
	expect(r, "unbatched");
	assert_true(r->captured.is_known);
	assert_false(r->captured.is_given);
	assert_int_equal(r->captured.nr_pages, 32);
	assert_int_equal(r->captured.nr_own_bios, 32);
	assert_int_equal(r->captured.nr_walks, 4);
	assert_int_equal(r->captured.nr_own_plugs, 0);
}

static void captured__bios_between_visits_are_a_walk_s(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 4; i++)
		walk(r, BATCHED, 8);
	infer(r);
	expect(r, "batched");
	assert_int_equal(r->captured.nr_own_bios, 0);
	assert_int_equal(r->captured.nr_own_plugs, 0);
}

static void captured__an_unplug_at_the_end_is_the_walk_s_own(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 4; i++)
		walk(r, PLUGGED, 8);
	infer(r);
	expect(r, "plugged");
	assert_int_equal(r->captured.nr_walks, 4);
	assert_int_equal(r->captured.nr_own_plugs, 4);
}

/* Walks by a worker of their own: the writes are of the background class. */
static void captured__kworkers_write_in_the_background(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 4; i++) {
		size_t first = r->nr;

		walk(r, PLUGGED, 8);
		r->events[first].flags = ZWB_WALK_KWORKER;
	}
	infer(r);
	expect(r, "plugged,class=background");
	assert_int_equal(r->captured.nr_worker_walks, 4);
}

/* 19 pages are not enough to tell, 20 are. */
static void captured__too_few_pages_are_taken_for_the_stock_kernel(void **state)
{
	struct recording *r = *state;

	walk(r, BATCHED, 19);
	infer(r);
	expect(r, "unbatched");
	assert_false(r->captured.is_known);
	assert_int_equal(r->captured.nr_pages, 19);
	walk(r, BATCHED, 1);
	infer(r);
	expect(r, "batched");
	assert_true(r->captured.is_known);
}

/* Half of the pages with a bio of their own: 10 of 20 is an entry's context, 9 of 20 a walk's. */
static void captured__half_of_the_pages_decide(void **state)
{
	static const struct {
		unsigned int nr_own;
		const char *policy;
	} rows[] = { { 10, "unbatched" }, { 9, "batched" } };
	struct recording *r = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		r->nr = 0;
		walk(r, UNBATCHED, rows[i].nr_own);
		walk(r, BATCHED, 20 - rows[i].nr_own);
		infer(r);
		expect(r, rows[i].policy);
		assert_int_equal(r->captured.nr_own_bios, rows[i].nr_own);
	}
}

/* More than one walk in five with a plug of its own: 1 of 5 is not, 2 of 9 is. */
static void captured__more_than_a_fifth_of_the_walks_decide(void **state)
{
	static const struct {
		unsigned int nr_plugged, nr_plain;
		const char *policy;
	} rows[] = { { 1, 4, "batched" }, { 2, 7, "plugged" } };
	struct recording *r = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		r->nr = 0;
		for (unsigned int k = 0; k < rows[i].nr_plugged; k++)
			walk(r, PLUGGED, 5);
		for (unsigned int k = 0; k < rows[i].nr_plain; k++)
			walk(r, BATCHED, 5);
		infer(r);
		expect(r, rows[i].policy);
	}
}

/* In an outer plug, known from its start or from its first request, a walk shows nothing. */
static void captured__walks_in_an_outer_plug_do_not_count(void **state)
{
	static const enum zwb_event_kind kinds[] = { ZWB_EV_PLUG, ZWB_EV_PLUG_START };
	struct recording *r = *state;

	for (size_t k = 0; k < ZWB_ARRAY_LEN(kinds); k++) {
		r->nr = 0;
		for (int i = 0; i < 4; i++) {
			event(r, kinds[k], 0)->val = 1;
			walk(r, PLUGGED, 8); /* the unplug is the outer plug's: full, or blocked */
			event(r, ZWB_EV_UNPLUG, 0);
			event(r, ZWB_EV_PLUG_FINISH, 0)->val = 1;
		}
		infer(r);
		expect(r, "batched");
		assert_int_equal(r->captured.nr_walks, 0);
	}
}

/* A nested plug finishes without effect: the walk after it still runs in the outer one. */
static void captured__a_nested_finish_ends_nothing(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_PLUG_START, 0)->val = 1;
	event(r, ZWB_EV_PLUG_START, 0)->val = 0;
	event(r, ZWB_EV_PLUG_FINISH, 0)->val = 0;
	walk(r, BATCHED, 8);
	infer(r);
	assert_int_equal(r->captured.nr_walks, 0);
	event(r, ZWB_EV_PLUG_FINISH, 0)->val = 1;
	walk(r, BATCHED, 8);
	infer(r);
	assert_int_equal(r->captured.nr_walks, 1);
}

/* An unplug in the middle of a walk is one of a full plug, or of a task that blocked. */
static void captured__only_the_last_unplug_of_a_walk_is_its_end(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 4; i++) {
		event(r, ZWB_EV_WALK_BEGIN, 0);
		visit(r, false);
		event(r, ZWB_EV_UNPLUG, 0);
		visit(r, false);
		event(r, ZWB_EV_UNPLUG, 0);
		event(r, ZWB_EV_PLUG, 0); /* and the plug goes on */
		event(r, ZWB_EV_WALK_END, 0);
		event(r, ZWB_EV_UNPLUG, 0);
	}
	infer(r);
	assert_int_equal(r->captured.nr_walks, 4);
	assert_int_equal(r->captured.nr_own_plugs, 0);
}

/*
 * Inside of each of 10 visits the charge of the folio reclaims, and an unbatched walk writes a
 * page. Inner and outer pages all have bios of their own, and none is lost.
 */
static void captured__pages_of_nested_walks_all_count(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_WALK_BEGIN, 0);
	for (int i = 0; i < 10; i++) {
		uint64_t slot = r->next_slot++;

		event(r, ZWB_EV_VISIT_BEGIN, slot);
		walk(r, UNBATCHED, 1);
		event(r, ZWB_EV_SWAP_WRITE, slot);
		bio(r, slot);
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
	}
	event(r, ZWB_EV_WALK_END, 0);
	infer(r);
	assert_int_equal(r->captured.nr_pages, 20);
	assert_int_equal(r->captured.nr_own_bios, 20);
	assert_int_equal(r->captured.nr_walks, 11);
}

/* Recordings without the slot at the visit (6.1), and without a probe on the swap write. */
static void captured__events_may_say_less(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 10; i++) {
		event(r, ZWB_EV_VISIT_BEGIN, 0);
		event(r, ZWB_EV_SWAP_WRITE, r->next_slot);
		bio(r, r->next_slot++);
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
		event(r, ZWB_EV_VISIT_BEGIN, r->next_slot);
		bio(r, r->next_slot++);
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
	}
	infer(r);
	expect(r, "unbatched");
	assert_int_equal(r->captured.nr_pages, 20);
	assert_int_equal(r->captured.nr_own_bios, 20);
}

/* What is not the page's own bio: another page's, a read, another task's; failed visits. */
static void captured__other_io_is_not_taken_for_the_page_s(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 20; i++) {
		uint64_t slot = r->next_slot += 2;

		event(r, ZWB_EV_VISIT_BEGIN, slot);
		event(r, ZWB_EV_SWAP_WRITE, slot);
		bio(r, slot + 1);
		bio(r, slot);
		r->events[r->nr - 1].flags = 0;
		bio(r, slot);
		r->events[r->nr - 1].tid = 999;
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
		event(r, ZWB_EV_VISIT_BEGIN, slot + 1);
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_FAILED;
	}
	infer(r);
	expect(r, "batched");
	assert_int_equal(r->captured.nr_pages, 20);
	assert_int_equal(r->captured.nr_own_bios, 0);
}

/* Ends without begins, walks 100 deep: no harm, and pages too deep to follow are left out. */
static void captured__unpaired_events_do_no_harm(void **state)
{
	struct recording *r = *state;

	for (int i = 0; i < 10; i++) {
		event(r, ZWB_EV_VISIT_END, 0)->val = ZWB_VISIT_WRITTEN;
		event(r, ZWB_EV_WALK_END, 0);
	}
	for (int i = 0; i < 100; i++)
		event(r, ZWB_EV_WALK_BEGIN, 0);
	for (int i = 0; i < 10; i++)
		visit(r, true);
	for (int i = 0; i < 110; i++)
		event(r, ZWB_EV_WALK_END, 0);
	for (int i = 0; i < 30; i++)
		visit(r, true);
	infer(r);
	expect(r, "unbatched");
	assert_int_equal(r->captured.nr_pages, 30);
}

static void captured__nothing_to_look_at(void **state)
{
	struct recording *r = *state;
	struct memory_stream s = memory_stream_of(r->meta, r->events, 0, 1);
	struct zwb_err err = { 0 };

	infer(r);
	expect(r, "unbatched");
	assert_false(r->captured.is_known);
	/* what the stream says is passed on */
	zwb_captured_release(&r->captured);
	s.fails_at_end = ZWB_EDATA;
	assert_int_equal(zwb_captured_infer(&s.stream, r->geometry, &r->captured, &err), ZWB_EDATA);
	assert_string_equal(err.text, "the stream broke");
}

static void captured__the_user_s_word_is_taken(void **state)
{
	struct recording *r = *state;
	struct zwb_err err = { 0 };

	assert_int_equal(zwb_captured_set("plugged,class=background", &r->captured, &err), ZWB_OK);
	assert_true(r->captured.is_given);
	assert_int_equal(r->captured.policy.knobs.write_class, ZWB_WRITE_BACKGROUND);
	zwb_captured_release(&r->captured);
	assert_int_equal(zwb_captured_set("nosuch", &r->captured, &err), ZWB_EUSAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(captured__##name, setup, teardown)
		T(an_entry_that_is_submitted_in_its_visit),
		T(bios_between_visits_are_a_walk_s),
		T(an_unplug_at_the_end_is_the_walk_s_own),
		T(kworkers_write_in_the_background),
		T(too_few_pages_are_taken_for_the_stock_kernel),
		T(half_of_the_pages_decide),
		T(more_than_a_fifth_of_the_walks_decide),
		T(walks_in_an_outer_plug_do_not_count),
		T(a_nested_finish_ends_nothing),
		T(only_the_last_unplug_of_a_walk_is_its_end),
		T(pages_of_nested_walks_all_count),
		T(events_may_say_less),
		T(other_io_is_not_taken_for_the_page_s),
		T(unpaired_events_do_no_harm),
		T(nothing_to_look_at),
		T(the_user_s_word_is_taken),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
