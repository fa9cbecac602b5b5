/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists compared as multisets of (sector, length), worked by hand. */
#include "score.h"
#include "zwb_test.h"

#include <math.h>
#include <string.h>

#define MAX_ITEMS 8

/* sector, sectors, cgroup, group */
struct row {
	uint64_t sector;
	uint32_t nr_sectors, cgroup;
	uint64_t group;
};

static void fill(struct zwb_score_list *list, const struct row *rows, size_t nr)
{
	*list = (struct zwb_score_list){ 0 };
	for (size_t i = 0; i < nr; i++) {
		const struct zwb_score_item item = { .sector = rows[i].sector,
			.nr_sectors = rows[i].nr_sectors,
			.cgroup = rows[i].cgroup,
			.group = rows[i].group,
			.ts_ns = i };

		zwb_score_add(list, &item);
	}
	assert_int_equal(list->nr, nr);
}

static void score__equal_items_are_matched_one_to_one(void **state)
{
	static const struct {
		struct row model[MAX_ITEMS], truth[MAX_ITEMS];
		size_t nr_model, nr_truth;
		uint64_t nr_exact;
		double exact, deviation;
	} rows[] = {
		/* nothing against nothing */
		{ { { 0 } }, { { 0 } }, 0, 0, 0, 1.0, 0.0 },
		/* the same in another order */
		{ { { 80, 8, 0, 0 }, { 96, 8, 0, 0 }, { 88, 8, 0, 0 } },
			{ { 88, 8, 0, 0 }, { 80, 8, 0, 0 }, { 96, 8, 0, 0 } }, 3, 3, 3, 1.0, 0.0 },
		/* one joined where there were two: near, but 0 of max(1, 2) */
		{ { { 80, 16, 0, 0 } }, { { 80, 8, 0, 0 }, { 88, 8, 0, 0 } }, 1, 2, 0, 0.0, -0.5 },
		/* duplicates count as often as both have them: 2 of 3 */
		{ { { 80, 8, 0, 0 }, { 80, 8, 0, 0 }, { 80, 8, 0, 0 } },
			{ { 80, 8, 0, 0 }, { 80, 8, 0, 0 } }, 3, 2, 2, 2.0 / 3, 0.5 },
		/* equal sectors of other lengths: the 8 and the 16 match, the 24 does not */
		{ { { 80, 24, 0, 0 }, { 80, 8, 0, 0 }, { 80, 16, 0, 0 } },
			{ { 80, 16, 0, 0 }, { 80, 8, 0, 0 }, { 80, 32, 0, 0 } }, 3, 3, 2, 2.0 / 3,
			0.0 },
		/* only one side: all missing, or all too much */
		{ { { 0 } }, { { 80, 8, 0, 0 }, { 88, 8, 0, 0 } }, 0, 2, 0, 0.0, -1.0 },
		{ { { 80, 8, 0, 0 } }, { { 0 } }, 1, 0, 0, 0.0, INFINITY },
		/* the ends of the numbers */
		{ { { UINT64_MAX, UINT32_MAX, 0, 0 }, { 0, 0, 0, 0 } },
			{ { 0, 0, 0, 0 }, { UINT64_MAX, UINT32_MAX, 0, 0 } }, 2, 2, 2, 1.0, 0.0 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_score_list model, truth;
		struct zwb_score s;

		fill(&model, rows[i].model, rows[i].nr_model);
		fill(&truth, rows[i].truth, rows[i].nr_truth);
		assert_int_equal(
			zwb_score_compare(&model, &truth, ZWB_SCORE_ALL, &s, NULL), ZWB_OK);
		assert_int_equal(s.nr_model, rows[i].nr_model);
		assert_int_equal(s.nr_truth, rows[i].nr_truth);
		assert_int_equal(s.nr_exact, rows[i].nr_exact);
		assert_true(zwb_score_exact(&s) == rows[i].exact);
		assert_true(zwb_score_deviation(&s) == rows[i].deviation);
		zwb_score_release(&model);
		zwb_score_release(&truth);
	}
}

/*
 * Groups are flushes of the model. In group 1 the truth has 80, 96, 88: of the pairs (80, 88) and
 * (88, 96) the first is in order, 80 before 88, the second is not. Group 2 has one item, so no
 * pair; 0 promises none. In group 3 the middle one has no match: no pair on either side of it.
 */
static void score__order_is_that_of_neighbours_in_a_group(void **state)
{
	static const struct row model_rows[] = { { 80, 8, 0, 1 }, { 88, 8, 0, 1 }, { 96, 8, 0, 1 },
		{ 200, 8, 0, 2 }, { 300, 8, 0, 0 }, { 308, 8, 0, 0 }, { 400, 8, 0, 3 },
		{ 404, 4, 0, 3 }, { 408, 8, 0, 3 } };
	static const struct row truth_rows[] = { { 80, 8, 0, 0 }, { 96, 8, 0, 0 }, { 88, 8, 0, 0 },
		{ 308, 8, 0, 0 }, { 300, 8, 0, 0 }, { 200, 8, 0, 0 }, { 408, 8, 0, 0 },
		{ 400, 8, 0, 0 } };
	struct zwb_score_list model, truth;
	struct zwb_score s;

	(void)state;
	fill(&model, model_rows, ZWB_ARRAY_LEN(model_rows));
	fill(&truth, truth_rows, ZWB_ARRAY_LEN(truth_rows));
	assert_int_equal(zwb_score_compare(&model, &truth, ZWB_SCORE_ALL, &s, NULL), ZWB_OK);
	assert_int_equal(s.nr_exact, 8);
	assert_int_equal(s.nr_pairs, 2);
	assert_int_equal(s.nr_pairs_in_order, 1);
	zwb_score_release(&model);
	zwb_score_release(&truth);
}

/* The same bio twice in a flush: the first of the model is the first of the truth. */
static void score__the_nth_of_equals_is_matched_with_the_nth(void **state)
{
	static const struct row model_rows[] = { { 80, 8, 0, 1 }, { 96, 8, 0, 1 },
		{ 80, 8, 0, 1 } };
	struct zwb_score_list model, truth;
	struct zwb_score s;

	(void)state;
	fill(&model, model_rows, ZWB_ARRAY_LEN(model_rows));
	fill(&truth, model_rows, ZWB_ARRAY_LEN(model_rows));
	assert_int_equal(zwb_score_compare(&model, &truth, ZWB_SCORE_ALL, &s, NULL), ZWB_OK);
	assert_int_equal(s.nr_pairs, 2);
	assert_int_equal(s.nr_pairs_in_order, 2);
	zwb_score_release(&model);
	zwb_score_release(&truth);
}

/*
 * Cgroup 1: model 80, 88; truth 80. Cgroup 2: model 96; truth 96, 88. 88 is in both lists, but not
 * in the same cgroup, so that only the comparison of all matches it.
 */
static void score__a_cgroup_is_compared_by_itself(void **state)
{
	static const struct row model_rows[] = { { 80, 8, 1, 1 }, { 88, 8, 1, 1 },
		{ 96, 8, 2, 1 } };
	static const struct row truth_rows[] = { { 80, 8, 1, 0 }, { 96, 8, 2, 0 },
		{ 88, 8, 2, 0 } };
	static const struct {
		uint32_t cgroup;
		uint64_t nr_model, nr_truth, nr_exact;
	} rows[] = { { ZWB_SCORE_ALL, 3, 3, 3 }, { 1, 2, 1, 1 }, { 2, 1, 2, 1 }, { 0, 0, 0, 0 } };
	struct zwb_score_list model, truth;

	(void)state;
	fill(&model, model_rows, ZWB_ARRAY_LEN(model_rows));
	fill(&truth, truth_rows, ZWB_ARRAY_LEN(truth_rows));
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_score s;

		assert_int_equal(
			zwb_score_compare(&model, &truth, rows[i].cgroup, &s, NULL), ZWB_OK);
		assert_int_equal(s.nr_model, rows[i].nr_model);
		assert_int_equal(s.nr_truth, rows[i].nr_truth);
		assert_int_equal(s.nr_exact, rows[i].nr_exact);
	}
	zwb_score_release(&model);
	zwb_score_release(&truth);
}

/* What misses() told, one row after the other. */
struct told {
	struct row rows[MAX_ITEMS];
	int is_model[MAX_ITEMS];
	uint64_t ts_ns[MAX_ITEMS];
	size_t nr;
};

static void on_miss(void *arg, const struct zwb_score_item *item, int is_model)
{
	struct told *t = arg;

	assert_true(t->nr < MAX_ITEMS);
	t->rows[t->nr].sector = item->sector;
	t->rows[t->nr].nr_sectors = item->nr_sectors;
	t->ts_ns[t->nr] = item->ts_ns;
	t->is_model[t->nr++] = is_model;
}

/*
 * Model 96, 80, 80; truth 80, 88+16, 96+16. 80 matches once: by sector there is an 80 too many, the
 * 88 that is missing, 96 in either length. The 80 that is left is the second, at time 2.
 */
static void score__misses_come_by_sector(void **state)
{
	static const struct row model_rows[] = { { 96, 8, 0, 0 }, { 80, 8, 0, 0 },
		{ 80, 8, 0, 0 } };
	static const struct row truth_rows[] = { { 80, 8, 0, 0 }, { 88, 16, 0, 0 },
		{ 96, 16, 0, 0 } };
	static const struct {
		uint64_t sector;
		uint32_t nr_sectors;
		int is_model;
	} expected[] = { { 80, 8, 1 }, { 88, 16, 0 }, { 96, 8, 1 }, { 96, 16, 0 } };
	struct zwb_score_list model, truth;
	struct told told = { .nr = 0 };

	(void)state;
	fill(&model, model_rows, ZWB_ARRAY_LEN(model_rows));
	fill(&truth, truth_rows, ZWB_ARRAY_LEN(truth_rows));
	assert_int_equal(zwb_score_misses(&model, &truth, on_miss, &told, NULL), ZWB_OK);
	assert_int_equal(told.nr, ZWB_ARRAY_LEN(expected));
	for (size_t i = 0; i < told.nr; i++) {
		assert_int_equal(told.rows[i].sector, expected[i].sector);
		assert_int_equal(told.rows[i].nr_sectors, expected[i].nr_sectors);
		assert_int_equal(told.is_model[i], expected[i].is_model);
	}
	assert_int_equal(told.ts_ns[0], 2);
	zwb_score_release(&model);
	zwb_score_release(&truth);
}

static void score__empty_lists_have_no_misses(void **state)
{
	static const struct row row[] = { { 80, 8, 0, 0 } };
	struct zwb_score_list some, none = { 0 };
	struct told told = { .nr = 0 };

	(void)state;
	fill(&some, row, 1);
	assert_int_equal(zwb_score_misses(&none, &none, on_miss, &told, NULL), ZWB_OK);
	assert_int_equal(told.nr, 0);
	assert_int_equal(zwb_score_misses(&some, &none, on_miss, &told, NULL), ZWB_OK);
	assert_int_equal(zwb_score_misses(&none, &some, on_miss, &told, NULL), ZWB_OK);
	assert_int_equal(told.nr, 2);
	assert_int_equal(told.is_model[0], 1);
	assert_int_equal(told.is_model[1], 0);
	zwb_score_release(&some);
	zwb_score_release(&none);
}

/* A list that could not hold everything cannot be compared, and does not look as if it could. */
static void score__a_list_without_memory_is_refused(void **state)
{
	static const struct row row[] = { { 80, 8, 0, 0 } };
	struct zwb_score_list whole, part;
	struct told told = { .nr = 0 };
	struct zwb_err err = { 0 };
	struct zwb_score s;

	(void)state;
	fill(&whole, row, 1);
	fill(&part, row, 1);
	part.no_memory = 1;
	assert_int_equal(zwb_score_compare(&part, &whole, ZWB_SCORE_ALL, &s, &err), ZWB_ENOMEM);
	assert_int_equal(zwb_score_compare(&whole, &part, ZWB_SCORE_ALL, &s, &err), ZWB_ENOMEM);
	assert_int_equal(zwb_score_misses(&whole, &part, on_miss, &told, &err), ZWB_ENOMEM);
	assert_int_equal(zwb_score_misses(&part, &whole, on_miss, &told, &err), ZWB_ENOMEM);
	assert_true(err.text[0] != '\0');
	zwb_score_release(&whole);
	zwb_score_release(&part);
}

/* 5000 items, of which every 7th has another length in the truth: 715 of them, 0 to 4998. */
static void score__lists_grow(void **state)
{
	struct zwb_score_list model = { 0 }, truth = { 0 };
	struct zwb_score s;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		struct zwb_score_item item = { .sector = 8 * (i * 31 % 5000), .nr_sectors = 8 };

		zwb_score_add(&model, &item);
		item.nr_sectors += i % 7 == 0;
		zwb_score_add(&truth, &item);
	}
	assert_int_equal(zwb_score_compare(&model, &truth, ZWB_SCORE_ALL, &s, NULL), ZWB_OK);
	assert_int_equal(s.nr_exact, 5000 - 715);
	zwb_score_release(&model);
	zwb_score_release(&truth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(score__equal_items_are_matched_one_to_one),
		cmocka_unit_test(score__order_is_that_of_neighbours_in_a_group),
		cmocka_unit_test(score__the_nth_of_equals_is_matched_with_the_nth),
		cmocka_unit_test(score__a_cgroup_is_compared_by_itself),
		cmocka_unit_test(score__misses_come_by_sector),
		cmocka_unit_test(score__empty_lists_have_no_misses),
		cmocka_unit_test(score__a_list_without_memory_is_refused),
		cmocka_unit_test(score__lists_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
