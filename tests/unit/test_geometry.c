/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots to sectors and back. A page of 4 KiB is 8 sectors unless a test says otherwise. */
#include "geometry.h"
#include "zwb_test.h"

#include <string.h>

struct extent {
	uint32_t swap_type;
	uint64_t first_slot, nr_slots, first_sector;
};

/* Swap areas 0 and 1 lie on devices 3 and 5. */
static int create(const struct extent *extents, size_t nr, uint32_t page_bytes,
	struct zwb_geometry **g, struct zwb_err *err)
{
	const struct zwb_swap swaps[] = { { .swap_type = 0, .dev = 3 },
		{ .swap_type = 1, .dev = 5 } };
	struct zwb_meta *meta = zwb_meta_create();
	int ret;

	assert_non_null(meta);
	meta->page_bytes = page_bytes;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(swaps); i++)
		assert_int_equal(zwb_meta_swap(meta, &swaps[i], NULL), ZWB_OK);
	for (size_t i = 0; i < nr; i++) {
		const struct zwb_extent e = { extents[i].swap_type, extents[i].first_slot,
			extents[i].nr_slots, extents[i].first_sector };

		assert_int_equal(zwb_meta_extent(meta, &e, NULL), ZWB_OK);
	}
	memset(err, 0, sizeof(*err));
	ret = zwb_geometry_create(meta, g, err);
	zwb_meta_free(meta);
	return ret;
}

/* Both directions agree on where a slot lies, and on the last sector of it. */
static void expect(const struct zwb_geometry *g, uint32_t swap_type, uint64_t slot, uint64_t sector,
	uint16_t dev)
{
	uint64_t got_sector, got_slot;
	uint32_t got_type;
	uint16_t got_dev;

	assert_true(zwb_geometry_sector(g, swap_type, slot, &got_sector, &got_dev));
	assert_int_equal(got_sector, sector);
	assert_int_equal(got_dev, dev);
	for (uint32_t i = 0; i < zwb_geometry_slot_sectors(g); i += 7) {
		assert_true(zwb_geometry_slot(g, dev, sector + i, &got_type, &got_slot));
		assert_int_equal(got_type, swap_type);
		assert_int_equal(got_slot, slot);
	}
}

static void expect_no_slot(const struct zwb_geometry *g, uint32_t swap_type, uint64_t slot)
{
	uint64_t sector;
	uint16_t dev;

	assert_false(zwb_geometry_sector(g, swap_type, slot, &sector, &dev));
}

static void expect_no_sector(const struct zwb_geometry *g, uint16_t dev, uint64_t sector)
{
	uint32_t swap_type;
	uint64_t slot;

	assert_false(zwb_geometry_slot(g, dev, sector, &swap_type, &slot));
}

/* A partition from sector 2048: slot s at 2048 + 8 s, 1000 slots end at 2048 + 8000 = 10048. */
static void geometry__a_partition_is_one_extent(void **state)
{
	static const struct extent extents[] = { { 0, 0, 1000, 2048 } };
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	assert_int_equal(create(extents, 1, 4096, &g, &err), ZWB_OK);
	assert_int_equal(zwb_geometry_nr_slots(g), 1000);
	assert_int_equal(zwb_geometry_slot_sectors(g), 8);
	expect(g, 0, 0, 2048, 3);
	expect(g, 0, 1, 2056, 3);
	expect(g, 0, 999, 10040, 3);
	expect_no_slot(g, 0, 1000);
	expect_no_slot(g, 0, UINT64_MAX);
	expect_no_slot(g, 1, 1); /* another area */
	expect_no_sector(g, 3, 2047);
	expect_no_sector(g, 3, 10048);
	expect_no_sector(g, 3, UINT64_MAX);
	expect_no_sector(g, 4, 2048); /* another disk */
	zwb_geometry_free(g);
}

/*
 * A swap file in three pieces, given in no order, that lie the other way round on the disk, beside
 * an area on another disk. Slots 0 to 9 at 8000, 10 to 14 at 80, 15 to 99 at 800.
 */
static void geometry__a_file_has_several_extents(void **state)
{
	static const struct extent extents[] = { { 0, 15, 85, 800 }, { 1, 0, 50, 80 },
		{ 0, 0, 10, 8000 }, { 0, 10, 5, 80 } };
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	assert_int_equal(create(extents, 4, 4096, &g, &err), ZWB_OK);
	assert_int_equal(zwb_geometry_nr_slots(g), 100);
	expect(g, 0, 0, 8000, 3);
	expect(g, 0, 9, 8072, 3);
	expect(g, 0, 10, 80, 3);
	expect(g, 0, 14, 112, 3);
	expect(g, 0, 15, 800, 3);
	expect(g, 0, 99, 1472, 3);
	expect(g, 1, 0, 80, 5);
	expect(g, 1, 49, 472, 5);
	expect_no_slot(g, 0, 100);
	expect_no_slot(g, 1, 50);
	expect_no_sector(g, 3, 120); /* behind slot 14 */
	expect_no_sector(g, 3, 79);
	expect_no_sector(g, 3, 8080);
	expect_no_sector(g, 5, 480);
	zwb_geometry_free(g);
}

/* Slots 10 to 19 have no extent: a hole, as under a header that was cut off. */
static void geometry__slots_between_extents_lie_nowhere(void **state)
{
	static const struct extent extents[] = { { 0, 0, 10, 0 }, { 0, 20, 10, 160 },
		{ 0, 5, 0, 0 } /* empty: as if it were not there */ };
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	assert_int_equal(create(extents, 3, 4096, &g, &err), ZWB_OK);
	expect(g, 0, 5, 40, 3);
	expect(g, 0, 9, 72, 3);
	expect_no_slot(g, 0, 10);
	expect_no_slot(g, 0, 19);
	expect(g, 0, 20, 160, 3);
	expect_no_sector(g, 3, 80);
	expect_no_sector(g, 3, 159);
	zwb_geometry_free(g);
}

static void geometry__nothing_is_known(void **state)
{
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	assert_int_equal(create(NULL, 0, 4096, &g, &err), ZWB_OK);
	assert_int_equal(zwb_geometry_nr_slots(g), 0);
	expect_no_slot(g, 0, 0);
	expect_no_sector(g, 0, 0);
	zwb_geometry_free(g);
	zwb_geometry_free(NULL);
}

/* The largest extents that can be named: nothing wraps on the way. */
static void geometry__extents_reach_the_end_of_the_numbers(void **state)
{
	/* 2^60 slots of 8 sectors are 2^63: from 2^63 - 1 they end at 2^64 - 1 */
	static const struct extent far_sectors[] = { { 0, 0, UINT64_C(1) << 60,
		(UINT64_C(1) << 63) - 1 } };
	/* the last slot that can be named is 2^64 - 2: one slot from there ends at 2^64 - 1 */
	static const struct extent far_slots[] = { { 0, UINT64_MAX - 1, 1, 0 } };
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	assert_int_equal(create(far_sectors, 1, 4096, &g, &err), ZWB_OK);
	expect(g, 0, (UINT64_C(1) << 60) - 1, UINT64_MAX - 8, 3);
	expect_no_sector(g, 3, UINT64_MAX);
	expect_no_sector(g, 3, 0);
	zwb_geometry_free(g);
	assert_int_equal(create(far_slots, 1, 4096, &g, &err), ZWB_OK);
	expect(g, 0, UINT64_MAX - 1, 0, 3);
	expect_no_slot(g, 0, UINT64_MAX);
	assert_int_equal(zwb_geometry_nr_slots(g), UINT64_MAX);
	zwb_geometry_free(g);
}

static void geometry__what_cannot_be_is_refused(void **state)
{
	static const struct {
		struct extent extents[2];
		size_t nr;
		const char *says;
	} rows[] = {
		/* the same slot twice, by one and altogether */
		{ { { 0, 0, 10, 0 }, { 0, 9, 10, 800 } }, 2, "slot 9" },
		{ { { 0, 0, 10, 0 }, { 0, 0, 10, 800 } }, 2, "slot 0" },
		/* the same sector twice: slots 0 to 9 end at sector 80 */
		{ { { 0, 0, 10, 0 }, { 0, 10, 10, 79 } }, 2, "sector 79" },
		{ { { 0, 10, 10, 400 }, { 0, 0, 60, 0 } }, 2, "slot 10" },
		{ { { 0, 10, 10, 400 }, { 0, 20, 60, 0 } }, 2, "sector 400" },
		/* 2^61 slots of 8 sectors are 2^64 */
		{ { { 0, 0, UINT64_C(1) << 61, 0 } }, 1, "too long" },
		{ { { 0, 0, UINT64_MAX, 0 } }, 1, "too long" },
		{ { { 0, 0, 1, UINT64_MAX - 6 } }, 1, "too long" },
		{ { { 0, UINT64_MAX, 1, 0 } }, 1, "too long" },
		{ { { 2, 0, 10, 0 } }, 1, "area 2" },
	};
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		assert_int_equal(create(rows[i].extents, rows[i].nr, 4096, &g, &err), ZWB_EDATA);
		assert_null(g);
		assert_non_null(strstr(err.text, rows[i].says));
	}
}

static void geometry__areas_may_not_share_sectors(void **state)
{
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_geometry *g;
	struct zwb_err err = { 0 };

	(void)state;
	for (uint32_t type = 0; type < 2; type++) {
		const struct zwb_swap swap = { .swap_type = type, .dev = 0 };
		const struct zwb_extent e = { type, 0, 10, 40 * (uint64_t)type };

		assert_int_equal(zwb_meta_swap(meta, &swap, NULL), ZWB_OK);
		assert_int_equal(zwb_meta_extent(meta, &e, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_geometry_create(meta, &g, &err), ZWB_EDATA);
	assert_non_null(strstr(err.text, "sector 40"));
	meta->extents[1].first_sector = 80;
	assert_int_equal(zwb_geometry_create(meta, &g, &err), ZWB_OK);
	zwb_geometry_free(g);
	/* a device that the 16 bits of an event cannot name */
	meta->swaps[1].dev = 65536;
	assert_int_equal(zwb_geometry_create(meta, &g, &err), ZWB_EDATA);
	assert_non_null(strstr(err.text, "65536"));
	zwb_meta_free(meta);
}

static void geometry__pages_are_powers_of_two_up_to_a_mib(void **state)
{
	static const struct {
		uint32_t page_bytes, slot_sectors; /* 0: refused */
	} rows[] = { { 512, 1 }, { 4096, 8 }, { 16384, 32 }, { 65536, 128 }, { 1 << 20, 2048 },
		{ 0, 0 }, { 1, 0 }, { 256, 0 }, { 4095, 0 }, { 12288, 0 }, { 1 << 21, 0 },
		{ UINT32_MAX, 0 } };
	static const struct extent extents[] = { { 0, 0, 100, 100 } };
	struct zwb_geometry *g;
	struct zwb_err err;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		int ret = create(extents, 1, rows[i].page_bytes, &g, &err);

		if (rows[i].slot_sectors == 0) {
			assert_int_equal(ret, ZWB_EDATA);
			assert_non_null(strstr(err.text, "bytes cannot be"));
			continue;
		}
		assert_int_equal(ret, ZWB_OK);
		assert_int_equal(zwb_geometry_slot_sectors(g), rows[i].slot_sectors);
		expect(g, 0, 99, 100 + 99 * (uint64_t)rows[i].slot_sectors, 3);
		zwb_geometry_free(g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometry__a_partition_is_one_extent),
		cmocka_unit_test(geometry__a_file_has_several_extents),
		cmocka_unit_test(geometry__slots_between_extents_lie_nowhere),
		cmocka_unit_test(geometry__nothing_is_known),
		cmocka_unit_test(geometry__extents_reach_the_end_of_the_numbers),
		cmocka_unit_test(geometry__what_cannot_be_is_refused),
		cmocka_unit_test(geometry__areas_may_not_share_sectors),
		cmocka_unit_test(geometry__pages_are_powers_of_two_up_to_a_mib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
