/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The append rule of the swap IO context, worked by hand from mm/page_io.c swap_add_folio() and
 * swap_can_merge(), 7.3.4. A page is 8 sectors.
 */
#include "event.h"
#include "swapio.h"
#include "zwb_test.h"

static struct zwb_bio folio_of(uint64_t sector, uint32_t nr_pages, uint32_t cgroup, uint8_t op)
{
	return (struct zwb_bio){ .sector = sector,
		.nr_sectors = 8 * nr_pages,
		.nr_segments = nr_pages,
		.cgroup = cgroup,
		.op = op };
}

static void swapio__an_empty_context_is_joined_by_nothing(void **state)
{
	const struct zwb_bio folio = folio_of(0, 1, 1, ZWB_OP_WRITE);
	const struct zwb_swap_ctx ctx = { .nr_folios = 0 };

	(void)state;
	assert_false(zwb_swap_ctx_joins(&ctx, &folio));
}

/* The bio covers sectors 80 to 95: the next sector is 96. */
static void swapio__a_folio_joins_behind_the_last(void **state)
{
	static const struct {
		uint64_t sector;
		uint32_t cgroup;
		uint16_t dev;
		uint8_t op;
		bool joins;
	} rows[] = {
		{ 96, 1, 0, ZWB_OP_WRITE, true },
		{ 104, 1, 0, ZWB_OP_WRITE, false }, /* a hole */
		{ 88, 1, 0, ZWB_OP_WRITE, false }, /* one that is in it */
		{ 72, 1, 0, ZWB_OP_WRITE, false }, /* in front: a context only grows forward */
		{ 96, 1, 1, ZWB_OP_WRITE, false }, /* another disk */
		{ 96, 2, 0, ZWB_OP_WRITE, false }, /* another owner */
		{ 96, 0, 0, ZWB_OP_WRITE, false }, /* known and unknown are not the same */
		{ 96, 1, 0, 0, true },
		{ 96, 2, 0, 0, true }, /* reads are charged to the task: no border */
		{ 104, 1, 0, 0, false },
		{ 96, 1, 1, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		const struct zwb_bio first = folio_of(80, 2, 1, rows[i].op);
		struct zwb_bio next = folio_of(rows[i].sector, 1, rows[i].cgroup, rows[i].op);
		struct zwb_swap_ctx ctx = { .nr_folios = 0 };

		next.dev = rows[i].dev;
		assert_false(zwb_swap_ctx_add(&ctx, &first));
		assert_int_equal(zwb_swap_ctx_joins(&ctx, &next), rows[i].joins);
	}
}

/* Two owners that are not known may be one. */
static void swapio__unknown_owners_share_a_bio(void **state)
{
	const struct zwb_bio first = folio_of(80, 1, 0, ZWB_OP_WRITE);
	const struct zwb_bio next = folio_of(88, 1, 0, ZWB_OP_WRITE);
	struct zwb_swap_ctx ctx = { .nr_folios = 0 };

	(void)state;
	zwb_swap_ctx_add(&ctx, &first);
	assert_true(zwb_swap_ctx_joins(&ctx, &next));
}

/* Folios of 1, 4 and 16 pages count as one each; their sectors and segments add up. */
static void swapio__folios_are_counted_and_pages_added(void **state)
{
	static const uint32_t nr_pages[] = { 1, 4, 16 };
	struct zwb_swap_ctx ctx = { .nr_folios = 0 };
	uint64_t sector = 800;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(nr_pages); i++) {
		const struct zwb_bio folio = folio_of(sector, nr_pages[i], 1, ZWB_OP_WRITE);

		if (i)
			assert_true(zwb_swap_ctx_joins(&ctx, &folio));
		assert_false(zwb_swap_ctx_add(&ctx, &folio));
		sector += folio.nr_sectors;
	}
	assert_int_equal(ctx.nr_folios, 3);
	assert_int_equal(ctx.bio.sector, 800);
	assert_int_equal(ctx.bio.nr_sectors, 21 * 8);
	assert_int_equal(ctx.bio.nr_segments, 21);
}

/* Full at 32 folios, whatever their size; the 33rd does not join though it would follow. */
static void swapio__32_folios_are_a_bio(void **state)
{
	static const uint32_t sizes[] = { 1, 16 };

	(void)state;
	for (size_t k = 0; k < ZWB_ARRAY_LEN(sizes); k++) {
		struct zwb_swap_ctx ctx = { .nr_folios = 0 };
		struct zwb_bio folio = folio_of(0, sizes[k], 1, ZWB_OP_WRITE);

		for (uint32_t i = 0; i < 32; i++) {
			assert_int_equal(zwb_swap_ctx_add(&ctx, &folio), i == 31);
			folio.sector += folio.nr_sectors;
		}
		assert_false(zwb_swap_ctx_joins(&ctx, &folio));
		assert_int_equal(ctx.bio.nr_sectors, 32 * 8 * sizes[k]);
	}
}

/* A context is used again: the first folio after a submission takes nothing from the last bio. */
static void swapio__a_new_bio_starts_afresh(void **state)
{
	const struct zwb_bio old = folio_of(80, 4, 1, ZWB_OP_WRITE);
	const struct zwb_bio new = folio_of(800, 1, 2, ZWB_OP_WRITE);
	struct zwb_swap_ctx ctx = { .nr_folios = 0 };

	(void)state;
	zwb_swap_ctx_add(&ctx, &old);
	ctx.nr_folios = 0; /* submitted */
	zwb_swap_ctx_add(&ctx, &new);
	assert_memory_equal(&ctx.bio, &new, sizeof(new));
	assert_int_equal(ctx.nr_folios, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swapio__an_empty_context_is_joined_by_nothing),
		cmocka_unit_test(swapio__a_folio_joins_behind_the_last),
		cmocka_unit_test(swapio__unknown_owners_share_a_bio),
		cmocka_unit_test(swapio__folios_are_counted_and_pages_added),
		cmocka_unit_test(swapio__32_folios_are_a_bio),
		cmocka_unit_test(swapio__a_new_bio_starts_afresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
