/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slot states and the size of the pool, worked by hand from the life of entries in mm/zswap.c. */
#include "slots.h"
#include "zwb_test.h"

#include <string.h>

#define NR_SLOTS 100

/* What happens to one slot. */
enum verb { STORE, REJECT, HIT, MISS, INVALIDATE, FREE, WRITEBACK, SWAP_OUT };

struct op {
	uint64_t ts_ns, slot;
	enum verb verb;
	uint32_t len; /* STORE: of the object, 0 none; FREE: likewise */
};

static void apply(struct zwb_slots *s, const struct op *op)
{
	const struct zwb_slot_at at = { op->ts_ns, op->slot, 0 };

	switch (op->verb) {
	case STORE:
		if (op->len)
			zwb_slots_compress(s, &at, op->len);
		zwb_slots_store(s, &at, 1, true);
		break;
	case REJECT:
		zwb_slots_store(s, &at, 1, false);
		break;
	case HIT:
	case MISS:
		zwb_slots_load(s, &at, op->verb == HIT);
		break;
	case INVALIDATE:
		zwb_slots_invalidate(s, &at);
		break;
	case FREE:
		zwb_slots_entry_free(s, &at, op->len);
		break;
	case WRITEBACK:
		zwb_slots_writeback(s, &at);
		break;
	case SWAP_OUT:
		zwb_slots_swap_out(s, &at, 1);
		break;
	}
}

static struct zwb_slots *create(bool loads_are_exclusive)
{
	struct zwb_slots *s;

	assert_int_equal(zwb_slots_create(NR_SLOTS, loads_are_exclusive, &s, NULL), ZWB_OK);
	return s;
}

/* Slot 7 through one or more events each, on a kernel with exclusive loads. */
static void slots__states_follow_the_events(void **state)
{
	static const struct {
		enum verb verbs[4];
		size_t nr;
		enum zwb_slot_state state;
		uint64_t pool_entries, preexisting, surprises;
	} rows[] = {
		{ { 0 }, 0, ZWB_SLOT_UNSEEN, 0, 0, 0 },
		{ { STORE }, 1, ZWB_SLOT_ZSWAP, 1, 0, 0 },
		{ { REJECT }, 1, ZWB_SLOT_MEMORY, 0, 0, 0 },
		{ { STORE, HIT }, 2, ZWB_SLOT_MEMORY, 0, 0, 0 },
		{ { STORE, INVALIDATE }, 2, ZWB_SLOT_FREE, 0, 0, 0 },
		{ { STORE, WRITEBACK }, 2, ZWB_SLOT_DISK, 0, 0, 0 },
		{ { STORE, WRITEBACK, MISS }, 3, ZWB_SLOT_MEMORY, 0, 0, 0 },
		{ { REJECT, SWAP_OUT }, 2, ZWB_SLOT_DISK, 0, 0, 0 },
		{ { REJECT, SWAP_OUT, MISS, STORE }, 4, ZWB_SLOT_ZSWAP, 1, 0, 0 },
		{ { STORE, STORE }, 2, ZWB_SLOT_ZSWAP, 1, 0, 0 },
		{ { STORE, REJECT }, 2, ZWB_SLOT_MEMORY, 0, 0, 0 },
		{ { INVALIDATE, STORE }, 2, ZWB_SLOT_ZSWAP, 1, 0, 0 },
		{ { SWAP_OUT }, 1, ZWB_SLOT_DISK, 0, 0, 0 },
		{ { MISS }, 1, ZWB_SLOT_MEMORY, 0, 0, 0 },
		/* the free is part of the call around it, which has the last word */
		{ { STORE, FREE, HIT }, 3, ZWB_SLOT_MEMORY, 0, 0, 0 },
		{ { STORE, INVALIDATE, FREE }, 3, ZWB_SLOT_FREE, 0, 0, 0 },
		{ { STORE, FREE, WRITEBACK }, 3, ZWB_SLOT_DISK, 0, 0, 0 },
		{ { STORE, FREE, STORE }, 3, ZWB_SLOT_ZSWAP, 1, 0, 0 },
		/* in the pool before the recording began: once, however many events tell */
		{ { HIT }, 1, ZWB_SLOT_MEMORY, 0, 1, 0 },
		{ { FREE, HIT }, 2, ZWB_SLOT_MEMORY, 0, 1, 0 },
		{ { WRITEBACK }, 1, ZWB_SLOT_DISK, 0, 1, 0 },
		{ { FREE, WRITEBACK }, 2, ZWB_SLOT_DISK, 0, 1, 0 },
		{ { INVALIDATE, FREE }, 2, ZWB_SLOT_FREE, 0, 1, 0 },
		{ { INVALIDATE, FREE, STORE, FREE }, 4, ZWB_SLOT_MEMORY, 0, 1, 0 },
		/* a slot may be freed without any entry in the pool */
		{ { INVALIDATE }, 1, ZWB_SLOT_FREE, 0, 0, 0 },
		{ { INVALIDATE, STORE, FREE }, 3, ZWB_SLOT_MEMORY, 0, 0, 0 },
		/* what cannot be */
		{ { STORE, MISS }, 2, ZWB_SLOT_MEMORY, 0, 0, 1 },
		{ { STORE, INVALIDATE, WRITEBACK }, 3, ZWB_SLOT_DISK, 0, 0, 1 },
		{ { STORE, WRITEBACK, WRITEBACK }, 3, ZWB_SLOT_DISK, 0, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_slots *s = create(true);
		const struct zwb_slot_counts *c = zwb_slots_counts(s);

		for (size_t k = 0; k < rows[i].nr; k++)
			apply(s, &(struct op){ 10 * k, 7, rows[i].verbs[k], 0 });
		assert_int_equal(zwb_slots_state(s, 0, 7), rows[i].state);
		assert_int_equal(zwb_slots_state(s, 0, 6), ZWB_SLOT_UNSEEN);
		assert_int_equal(zwb_slots_state(s, 0, 8), ZWB_SLOT_UNSEEN);
		assert_int_equal(zwb_slots_state(s, 1, 7), ZWB_SLOT_UNSEEN);
		assert_int_equal(c->pool_entries, rows[i].pool_entries);
		assert_int_equal(c->preexisting, rows[i].preexisting);
		assert_int_equal(c->surprises, rows[i].surprises);
		zwb_slots_free(s);
	}
}

/* Kernels before 6.9 keep the entry; so does a swap-in past the swap cache, as the frees tell. */
static void slots__a_hit_takes_the_entry_only_where_loads_are_exclusive(void **state)
{
	static const struct {
		bool is_exclusive, frees_are_recorded;
		uint64_t entries_after_hit;
	} rows[] = { { true, false, 0 }, { false, false, 1 }, { true, true, 1 },
		{ false, true, 1 } };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_slots *s = create(rows[i].is_exclusive);
		const struct zwb_slot_counts *c = zwb_slots_counts(s);

		apply(s, &(struct op){ 0, 7, STORE, 100 });
		if (rows[i].frees_are_recorded) {
			apply(s, &(struct op){ 1, 9, STORE, 100 });
			apply(s, &(struct op){ 2, 9, FREE, 100 });
		}
		apply(s, &(struct op){ 3, 7, HIT, 0 });
		assert_int_equal(c->pool_entries, rows[i].entries_after_hit);
		assert_int_equal(c->pool_bytes, 100 * rows[i].entries_after_hit);
		assert_int_equal(zwb_slots_state(s, 0, 7),
			rows[i].entries_after_hit ? ZWB_SLOT_ZSWAP : ZWB_SLOT_MEMORY);
		apply(s, &(struct op){ 4, 7, INVALIDATE, 0 });
		assert_int_equal(c->pool_entries, 0);
		assert_int_equal(c->load_hits, 1);
		zwb_slots_free(s);
	}
}

/*
 * 100 to 200: 1 entry, 1000 bytes. 200 to 400: 2 and 1500. 400 to 700: slot 2 alone, 500. At 700 it
 * is replaced by an object of 800, which lasts to 1000.
 * Entries: 100 + 2 * 200 + 300 + 300 = 1100. Bytes: 100 * 1000 + 200 * 1500 + 300 * 500 + 300 * 800
 * = 100,000 + 300,000 + 150,000 + 240,000 = 790,000.
 */
static void slots__the_pool_is_integrated_over_time(void **state)
{
	static const struct op ops[] = { { 100, 1, STORE, 1000 }, { 200, 2, STORE, 500 },
		{ 400, 1, WRITEBACK, 0 }, { 700, 2, STORE, 800 } };
	struct zwb_slots *s = create(true);
	const struct zwb_slot_counts *c = zwb_slots_counts(s);

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(ops); i++)
		apply(s, &ops[i]);
	zwb_slots_finish(s, 1000);
	assert_true(c->entry_ns == 1100);
	assert_true(c->byte_ns == 790000);
	/* all of it is in the first millisecond */
	assert_true(zwb_slots_entries(s)->amounts[0] == 1100);
	assert_true(zwb_slots_bytes(s)->amounts[0] == 790000);
	assert_int_equal(c->pool_max_entries, 2);
	assert_int_equal(c->pool_max_bytes, 1500);
	assert_int_equal(c->pool_entries, 1);
	assert_int_equal(c->pool_bytes, 800);
	assert_int_equal(c->stores, 3);
	assert_int_equal(c->lengths, 3);
	assert_int_equal(c->no_length, 0);
	/* the end once more, and an end before it, add nothing */
	zwb_slots_finish(s, 1000);
	zwb_slots_finish(s, 500);
	assert_true(c->entry_ns == 1100);
	zwb_slots_free(s);
}

/* 2^58 ns with 3 entries of 4096 bytes are 3 * 2^70 byte ns: more than 64 bits. */
static void slots__integrals_do_not_wrap(void **state)
{
	struct zwb_slots *s = create(true);

	(void)state;
	for (uint64_t slot = 1; slot <= 3; slot++)
		apply(s, &(struct op){ 0, slot, STORE, 4096 });
	zwb_slots_finish(s, UINT64_C(1) << 58);
	assert_true(zwb_slots_counts(s)->byte_ns == (unsigned __int128)3 << 70);
	zwb_slots_free(s);
}

/* A folio of 4 pages at slot 20, with objects of 10, 20, 30 and 40 bytes; one page is freed. */
static void slots__a_large_folio_is_an_entry_a_page(void **state)
{
	const struct zwb_slot_at at = { 100, 20, 0 };
	struct zwb_slots *s = create(true);
	const struct zwb_slot_counts *c = zwb_slots_counts(s);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		zwb_slots_compress(s, &(struct zwb_slot_at){ 50, 20 + i, 0 }, 10 * (i + 1));
	assert_int_equal(c->pool_entries, 0); /* not before the store has ended */
	zwb_slots_store(s, &at, 4, true);
	assert_int_equal(c->stores, 4);
	assert_int_equal(c->pool_entries, 4);
	assert_int_equal(c->pool_bytes, 100);
	zwb_slots_invalidate(s, &(struct zwb_slot_at){ 200, 22, 0 });
	assert_int_equal(c->pool_bytes, 70);
	assert_int_equal(zwb_slots_state(s, 0, 23), ZWB_SLOT_ZSWAP);
	assert_int_equal(zwb_slots_state(s, 0, 24), ZWB_SLOT_UNSEEN);
	zwb_slots_free(s);
}

/*
 * A folio of 4 pages is rejected at its third page: the two objects are taken back, and so is the
 * entry of before at slot 21. None of them was in the pool before the recording.
 */
static void slots__a_rejected_store_leaves_nothing(void **state)
{
	struct zwb_slots *s = create(true);
	const struct zwb_slot_counts *c = zwb_slots_counts(s);

	(void)state;
	apply(s, &(struct op){ 10, 21, STORE, 500 });
	for (uint64_t slot = 20; slot < 22; slot++)
		zwb_slots_compress(s, &(struct zwb_slot_at){ 50, slot, 0 }, 100);
	for (uint64_t slot = 20; slot < 22; slot++)
		apply(s, &(struct op){ 60, slot, FREE, 100 });
	zwb_slots_store(s, &(struct zwb_slot_at){ 70, 20, 0 }, 4, false);
	assert_int_equal(c->store_rejects, 4);
	assert_int_equal(c->pool_entries, 0);
	assert_int_equal(c->pool_bytes, 0);
	assert_int_equal(c->preexisting, 0);
	for (uint64_t slot = 20; slot < 24; slot++)
		assert_int_equal(zwb_slots_state(s, 0, slot), ZWB_SLOT_MEMORY);
	/* what was told for the rejected page is not taken for the next store's */
	apply(s, &(struct op){ 80, 20, STORE, 0 });
	assert_int_equal(c->pool_bytes, 0);
	assert_int_equal(c->no_length, 1);
	zwb_slots_free(s);
}

/* The free tells another length than the store: one of the two is of another entry. */
static void slots__lengths_that_differ_are_a_surprise(void **state)
{
	struct zwb_slots *s = create(true);

	(void)state;
	apply(s, &(struct op){ 10, 1, STORE, 100 });
	apply(s, &(struct op){ 20, 1, FREE, 100 });
	apply(s, &(struct op){ 30, 2, STORE, 0 }); /* same-filled: no length, any is right */
	apply(s, &(struct op){ 40, 2, FREE, 100 });
	assert_int_equal(zwb_slots_counts(s)->surprises, 0);
	apply(s, &(struct op){ 50, 3, STORE, 100 });
	apply(s, &(struct op){ 60, 3, FREE, 101 });
	assert_int_equal(zwb_slots_counts(s)->surprises, 1);
	zwb_slots_free(s);
}

static void slots__slots_outside_are_counted_and_left_out(void **state)
{
	static const struct zwb_slot_at outside[] = { { 10, NR_SLOTS, 0 }, { 10, UINT64_MAX, 0 },
		{ 10, UINT64_C(1) << 58, 31 }, { 10, 0, 32 }, { 10, 5, UINT32_MAX } };
	const struct zwb_slot_at last = { 20, NR_SLOTS - 2, 31 };
	struct zwb_slots *s = create(true);
	const struct zwb_slot_counts *c = zwb_slots_counts(s);

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(outside); i++) {
		zwb_slots_compress(s, &outside[i], 100);
		zwb_slots_store(s, &outside[i], 1024, true);
		zwb_slots_load(s, &outside[i], true);
		zwb_slots_invalidate(s, &outside[i]);
		zwb_slots_entry_free(s, &outside[i], 100);
		zwb_slots_writeback(s, &outside[i]);
		zwb_slots_swap_out(s, &outside[i], 1024);
		assert_int_equal(
			zwb_slots_state(s, outside[i].swap_type, outside[i].slot), ZWB_SLOT_UNSEEN);
		assert_int_equal(c->outside, 7 * (i + 1));
	}
	assert_int_equal(c->pool_entries, 0);
	/* a folio of 4 pages across the end: two of them are inside */
	zwb_slots_store(s, &last, 4, true);
	assert_int_equal(c->pool_entries, 2);
	assert_int_equal(c->outside, 36);
	assert_int_equal(zwb_slots_state(s, 31, NR_SLOTS - 1), ZWB_SLOT_ZSWAP);
	assert_false(c->no_memory);
	zwb_slots_free(s);
	zwb_slots_free(NULL);
}

/* Where the size of the area is not known there is room for 2^26 slots, 256 GiB of 4 KiB pages. */
static void slots__an_area_of_unknown_size_has_room(void **state)
{
	struct zwb_slots *s;

	(void)state;
	assert_int_equal(zwb_slots_create(0, true, &s, NULL), ZWB_OK);
	zwb_slots_writeback(s, &(struct zwb_slot_at){ 10, (1 << 26) - 1, 0 });
	assert_int_equal(zwb_slots_state(s, 0, (1 << 26) - 1), ZWB_SLOT_DISK);
	zwb_slots_writeback(s, &(struct zwb_slot_at){ 10, 1 << 26, 0 });
	assert_int_equal(zwb_slots_counts(s)->outside, 1);
	zwb_slots_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots__states_follow_the_events),
		cmocka_unit_test(slots__a_hit_takes_the_entry_only_where_loads_are_exclusive),
		cmocka_unit_test(slots__the_pool_is_integrated_over_time),
		cmocka_unit_test(slots__integrals_do_not_wrap),
		cmocka_unit_test(slots__a_large_folio_is_an_entry_a_page),
		cmocka_unit_test(slots__a_rejected_store_leaves_nothing),
		cmocka_unit_test(slots__lengths_that_differ_are_a_surprise),
		cmocka_unit_test(slots__slots_outside_are_counted_and_left_out),
		cmocka_unit_test(slots__an_area_of_unknown_size_has_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
