/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From events to slot states: recordings of a few events, worked by hand. */
#include "pool.h"
#include "zwb_test.h"

#define MAX_EVENTS 64

/* Events come 1 us apart. */
struct recording {
	struct zwb_event events[MAX_EVENTS];
	size_t nr;
	int32_t tid; /* of the events to come */
	struct zwb_pool pool;
	const struct zwb_slot_counts *counts;
};

static void event(
	struct recording *r, enum zwb_event_kind kind, uint64_t slot, uint32_t len, int32_t val)
{
	assert_true(r->nr < MAX_EVENTS);
	r->events[r->nr] = (struct zwb_event){ .ts_ns = 1000 * r->nr,
		.addr = slot,
		.len = len,
		.val = val,
		.tid = r->tid,
		.kind = (uint8_t)kind };
	r->nr++;
}

static void store(struct recording *r, uint64_t slot, uint32_t bytes)
{
	event(r, ZWB_EV_STORE_BEGIN, slot, 1, 0);
	event(r, ZWB_EV_COMPRESS, 0, bytes, 0);
	event(r, ZWB_EV_STORE_END, slot, 0, 1);
}

static void run(struct recording *r)
{
	assert_int_equal(zwb_pool_events(&r->pool, r->events, r->nr, NULL), ZWB_OK);
}

static enum zwb_slot_state state_of(const struct recording *r, uint64_t slot)
{
	return zwb_slots_state(r->pool.slots, 0, slot);
}

static int setup(void **state)
{
	static struct recording r;

	r = (struct recording){ .tid = 100 };
	assert_int_equal(zwb_pool_init(&r.pool, 1000, true, NULL), ZWB_OK);
	r.counts = zwb_slots_counts(r.pool.slots);
	*state = &r;
	return 0;
}

static int teardown(void **state)
{
	struct recording *r = *state;

	zwb_pool_release(&r->pool);
	return 0;
}

static void pool__a_life_from_store_to_miss(void **state)
{
	struct recording *r = *state;

	store(r, 10, 500);
	event(r, ZWB_EV_VISIT_BEGIN, 10, 500, 0);
	event(r, ZWB_EV_ENTRY_FREE, 10, 500, 0);
	event(r, ZWB_EV_SWAP_WRITE, 10, 1, 0);
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_DISK);
	assert_int_equal(r->counts->pool_max_bytes, 500);
	assert_int_equal(r->counts->pool_entries, 0);
	assert_int_equal(r->counts->writebacks, 1);
	r->nr = 0;
	event(r, ZWB_EV_LOAD_BEGIN, 10, 0, 0);
	event(r, ZWB_EV_LOAD_END, 10, 0, 0);
	event(r, ZWB_EV_INVALIDATE, 10, 0, 0);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_FREE);
	assert_int_equal(r->counts->load_misses, 1);
	assert_int_equal(r->counts->invalidates, 1);
	assert_int_equal(r->counts->surprises, 0);
}

/* Probes on returns do not see arguments: the slot is that of the call's begin, task by task. */
static void pool__ends_without_a_slot_take_it_from_their_begin(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_STORE_BEGIN, 10, 1, 0);
	r->tid = 200;
	event(r, ZWB_EV_STORE_BEGIN, 20, 1, 0);
	event(r, ZWB_EV_COMPRESS, 0, 40, 0);
	r->tid = 100;
	event(r, ZWB_EV_COMPRESS, 0, 30, 0);
	event(r, ZWB_EV_STORE_END, 0, 0, 1);
	r->tid = 200;
	event(r, ZWB_EV_STORE_END, 0, 0, 0);
	r->tid = 100;
	event(r, ZWB_EV_LOAD_BEGIN, 10, 0, 0);
	r->tid = 200;
	event(r, ZWB_EV_LOAD_BEGIN, 30, 0, 0);
	run(r);
	assert_int_equal(r->counts->pool_bytes, 30);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_ZSWAP);
	assert_int_equal(state_of(r, 20), ZWB_SLOT_MEMORY);
	r->nr = 0;
	r->tid = 100;
	event(r, ZWB_EV_LOAD_END, 0, 0, 1);
	r->tid = 200;
	event(r, ZWB_EV_LOAD_END, 0, 0, 0);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_MEMORY);
	assert_int_equal(state_of(r, 30), ZWB_SLOT_MEMORY);
	assert_int_equal(r->counts->load_hits, 1);
	assert_int_equal(r->counts->load_misses, 1);
	assert_int_equal(state_of(r, 0), ZWB_SLOT_UNSEEN);
}

/* Begins that the recording lacks: an end with a slot counts, and is one page. */
static void pool__ends_without_a_begin(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_COMPRESS, 0, 30, 0); /* of nothing */
	event(r, ZWB_EV_STORE_END, 10, 0, 1);
	event(r, ZWB_EV_LOAD_END, 20, 0, 0);
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN); /* of an unknown page */
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_ZSWAP);
	assert_int_equal(state_of(r, 11), ZWB_SLOT_UNSEEN);
	assert_int_equal(state_of(r, 20), ZWB_SLOT_MEMORY);
	assert_int_equal(r->counts->stores, 1);
	assert_int_equal(r->counts->no_length, 1);
	assert_int_equal(r->counts->writebacks, 0);
}

/* A folio of 4 pages; a fifth length belongs to none of them. */
static void pool__a_large_folio_is_stored_page_by_page(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_STORE_BEGIN, 40, 4, 0);
	for (uint32_t i = 1; i <= 5; i++)
		event(r, ZWB_EV_COMPRESS, 0, 100 * i, 0);
	event(r, ZWB_EV_STORE_END, 40, 0, 1);
	event(r, ZWB_EV_INVALIDATE, 43, 0, 0);
	run(r);
	assert_int_equal(r->counts->stores, 4);
	assert_int_equal(r->counts->pool_max_bytes, 1000);
	assert_int_equal(r->counts->pool_bytes, 600);
}

/* A load that failed says nothing about where the page is. */
static void pool__a_failed_load_changes_nothing(void **state)
{
	struct recording *r = *state;

	store(r, 10, 500);
	event(r, ZWB_EV_LOAD_BEGIN, 10, 0, 0);
	event(r, ZWB_EV_LOAD_END, 10, 0, -1);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_ZSWAP);
	assert_int_equal(r->counts->load_hits + r->counts->load_misses, 0);
}

/*
 * The visit of slot 10 reclaims: a direct swap-out of slot 30, and a walk that writes slot 20. Then
 * the outer visit writes its own page.
 */
static void pool__visits_nest(void **state)
{
	struct recording *r = *state;

	store(r, 10, 100);
	store(r, 20, 100);
	event(r, ZWB_EV_VISIT_BEGIN, 10, 100, 0);
	event(r, ZWB_EV_SWAP_WRITE, 30, 1, 0);
	event(r, ZWB_EV_VISIT_BEGIN, 20, 100, 0);
	event(r, ZWB_EV_SWAP_WRITE, 20, 1, 0);
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_ZSWAP);
	assert_int_equal(state_of(r, 20), ZWB_SLOT_DISK);
	assert_int_equal(state_of(r, 30), ZWB_SLOT_DISK);
	assert_int_equal(r->counts->writebacks, 1);
	r->nr = 0;
	event(r, ZWB_EV_SWAP_WRITE, 10, 1, 0);
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_DISK);
	assert_int_equal(r->counts->writebacks, 2);
	assert_int_equal(r->counts->surprises, 0);
}

/* Only a result of WRITTEN writes, and each page once, with a probe on the write or without. */
static void pool__a_visit_writes_once_or_not_at_all(void **state)
{
	static const struct {
		uint64_t visited, written; /* slots; written 0: no such event */
		enum zwb_visit_result result;
		uint64_t writebacks;
		enum zwb_slot_state state; /* of slot 10 */
	} rows[] = {
		{ 10, 10, ZWB_VISIT_WRITTEN, 1, ZWB_SLOT_DISK },
		{ 10, 0, ZWB_VISIT_WRITTEN, 1, ZWB_SLOT_DISK },
		{ 10, 0, ZWB_VISIT_ROTATED, 0, ZWB_SLOT_ZSWAP },
		{ 10, 0, ZWB_VISIT_FAILED, 0, ZWB_SLOT_ZSWAP },
		/* 6.1: the visit lacks its slot */
		{ 0, 10, ZWB_VISIT_WRITTEN, 1, ZWB_SLOT_DISK },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct recording r = { .tid = 100 };

		assert_int_equal(zwb_pool_init(&r.pool, 1000, true, NULL), ZWB_OK);
		store(&r, 10, 100);
		event(&r, ZWB_EV_VISIT_BEGIN, rows[i].visited, 100, 0);
		if (rows[i].written)
			event(&r, ZWB_EV_SWAP_WRITE, rows[i].written, 1, 0);
		event(&r, ZWB_EV_VISIT_END, 0, 0, (int32_t)rows[i].result);
		run(&r);
		assert_int_equal(zwb_slots_counts(r.pool.slots)->writebacks, rows[i].writebacks);
		assert_int_equal(state_of(&r, 10), rows[i].state);
		zwb_pool_release(&r.pool);
	}
}

/* A synchronous device is done, and the slot freed and stored again, before the visit's end. */
static void pool__a_slot_may_be_used_again_before_the_visit_ends(void **state)
{
	struct recording *r = *state;

	store(r, 10, 100);
	event(r, ZWB_EV_VISIT_BEGIN, 10, 100, 0);
	event(r, ZWB_EV_SWAP_WRITE, 10, 1, 0);
	r->tid = 200;
	event(r, ZWB_EV_INVALIDATE, 10, 0, 0);
	store(r, 10, 200);
	r->tid = 100;
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN);
	run(r);
	assert_int_equal(state_of(r, 10), ZWB_SLOT_ZSWAP);
	assert_int_equal(r->counts->pool_bytes, 200);
	assert_int_equal(r->counts->surprises, 0);
}

/* Outside any visit: a folio of 16 pages past zswap; one of no length is a page. */
static void pool__direct_swap_outs_are_on_the_disk(void **state)
{
	struct recording *r = *state;

	event(r, ZWB_EV_SWAP_WRITE, 100, 16, 0);
	event(r, ZWB_EV_SWAP_WRITE, 200, 0, 0);
	run(r);
	assert_int_equal(state_of(r, 100), ZWB_SLOT_DISK);
	assert_int_equal(state_of(r, 115), ZWB_SLOT_DISK);
	assert_int_equal(state_of(r, 116), ZWB_SLOT_UNSEEN);
	assert_int_equal(state_of(r, 200), ZWB_SLOT_DISK);
	assert_int_equal(state_of(r, 201), ZWB_SLOT_UNSEEN);
	assert_int_equal(r->counts->writebacks, 0);
}

/*
 * 20 visits that never end, then one that does: it is the innermost, and the lost ones stay out of
 * its way however many they are.
 */
static void pool__visits_without_an_end_are_forgotten(void **state)
{
	struct recording *r = *state;

	for (uint64_t slot = 1; slot <= 20; slot++)
		event(r, ZWB_EV_VISIT_BEGIN, slot, 100, 0);
	event(r, ZWB_EV_VISIT_BEGIN, 500, 100, 0);
	event(r, ZWB_EV_VISIT_END, 0, 0, ZWB_VISIT_WRITTEN);
	run(r);
	assert_int_equal(state_of(r, 500), ZWB_SLOT_DISK);
	assert_int_equal(r->counts->writebacks, 1);
}

/* Folios of more than 1024 pages do not exist: a damaged length does not walk the whole area. */
static void pool__a_folio_has_at_most_1024_pages(void **state)
{
	struct zwb_pool pool;
	const struct zwb_event events[] = {
		{ .kind = ZWB_EV_STORE_BEGIN, .addr = 5000, .len = UINT32_MAX, .tid = 1 },
		{ .kind = ZWB_EV_STORE_END, .addr = 5000, .val = 1, .tid = 1 },
		{ .kind = ZWB_EV_SWAP_WRITE, .addr = 9000, .len = UINT32_MAX, .tid = 2 },
		{ .kind = ZWB_EV_STORE_BEGIN, .addr = UINT64_MAX - 1, .len = 8, .tid = 1 },
		{ .kind = ZWB_EV_COMPRESS, .len = 8, .tid = 1 },
		{ .kind = ZWB_EV_COMPRESS, .len = 8, .tid = 1 },
		{ .kind = ZWB_EV_COMPRESS, .len = 8, .tid = 1 },
		{ .kind = ZWB_EV_STORE_END, .addr = 0, .val = 1, .tid = 1 },
	};

	(void)state;
	assert_int_equal(zwb_pool_init(&pool, 100000, true, NULL), ZWB_OK);
	assert_int_equal(zwb_pool_events(&pool, events, ZWB_ARRAY_LEN(events), NULL), ZWB_OK);
	assert_int_equal(zwb_slots_state(pool.slots, 0, 5000 + 1023), ZWB_SLOT_ZSWAP);
	assert_int_equal(zwb_slots_state(pool.slots, 0, 5000 + 1024), ZWB_SLOT_UNSEEN);
	assert_int_equal(zwb_slots_state(pool.slots, 0, 9000 + 1023), ZWB_SLOT_DISK);
	assert_int_equal(zwb_slots_state(pool.slots, 0, 9000 + 1024), ZWB_SLOT_UNSEEN);
	zwb_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(pool__##name, setup, teardown)
		T(a_life_from_store_to_miss),
		T(ends_without_a_slot_take_it_from_their_begin),
		T(ends_without_a_begin),
		T(a_large_folio_is_stored_page_by_page),
		T(a_failed_load_changes_nothing),
		T(visits_nest),
		T(a_visit_writes_once_or_not_at_all),
		T(a_slot_may_be_used_again_before_the_visit_ends),
		T(direct_swap_outs_are_on_the_disk),
		T(visits_without_an_end_are_forgotten),
		T(a_folio_has_at_most_1024_pages),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
