/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts over time. */
#include "zwb_test.h"

#include "timeline.h"

#include <math.h>

#define MS UINT64_C(1000000)

static double total(const struct zwb_timeline *t)
{
	double sum = 0;

	for (size_t i = 0; i < ZWB_TIMELINE_INTERVALS; i++)
		sum += t->amounts[i];
	return sum;
}

static void timeline__amounts_are_where_they_were_added(void **state)
{
	struct zwb_timeline t = { 0 };

	(void)state;
	assert_int_equal(zwb_timeline_used(&t, 100), 0);
	zwb_timeline_add(&t, 0, 1);
	zwb_timeline_add(&t, MS - 1, 2);
	zwb_timeline_add(&t, MS, 4);
	zwb_timeline_add(&t, 255 * MS, 8);
	assert_int_equal(t.interval_ns, MS);
	assert_true(t.amounts[0] == 3 && t.amounts[1] == 4 && t.amounts[255] == 8);
	assert_int_equal(zwb_timeline_used(&t, 255 * MS + 1), 256);
	assert_int_equal(zwb_timeline_used(&t, MS), 1);
	assert_int_equal(zwb_timeline_used(&t, MS + 1), 2);
}

static void timeline__nothing_is_lost_when_intervals_double(void **state)
{
	struct zwb_timeline t = { 0 };
	double expected = 0;

	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		zwb_timeline_add(&t, UINT64_C(1) << bit, 1);
		assert_true(total(&t) == ++expected);
	}
	zwb_timeline_add(&t, UINT64_MAX, 1);
	assert_true(total(&t) == expected + 1);
	assert_true(t.amounts[UINT64_MAX / t.interval_ns] >= 1);
	assert_int_equal(zwb_timeline_used(&t, UINT64_MAX), UINT64_MAX / t.interval_ns + 1);
}

static void timeline__equal_ends_give_equal_intervals(void **state)
{
	struct zwb_timeline a = { 0 }, b = { 0 };

	(void)state;
	zwb_timeline_add(&a, 5, 1);
	zwb_timeline_add(&b, 900 * MS, 1);
	zwb_timeline_extend(&a, 1000 * MS);
	zwb_timeline_extend(&b, 1000 * MS);
	assert_int_equal(a.interval_ns, b.interval_ns);
	assert_int_equal(a.interval_ns, 4 * MS);
	assert_int_equal(zwb_timeline_used(&a, 1000 * MS), 250);
}

/* 10 during [0.5 ms, 1.5 ms), 4 up to the end at 2.25 ms. */
static void timeline__a_gauge_is_its_mean_over_time(void **state)
{
	struct zwb_timeline t = { 0 };
	const uint64_t end_ns = 2 * MS + MS / 4;

	(void)state;
	zwb_timeline_hold(&t, 7, 7, 1e9);
	zwb_timeline_hold(&t, MS / 2, MS + MS / 2, 10);
	zwb_timeline_hold(&t, MS + MS / 2, end_ns, 4);
	assert_int_equal(zwb_timeline_used(&t, end_ns), 3);
	assert_true(fabs(zwb_timeline_mean(&t, 0, end_ns) - 5) < 1e-9);
	assert_true(fabs(zwb_timeline_mean(&t, 1, end_ns) - 7) < 1e-9);
	/* the last interval is a quarter of a millisecond */
	assert_true(fabs(zwb_timeline_mean(&t, 2, end_ns) - 4) < 1e-9);
}

static void timeline__a_gauge_may_stand_for_all_of_time(void **state)
{
	struct zwb_timeline t = { 0 };

	(void)state;
	zwb_timeline_hold(&t, 0, UINT64_MAX, 2);
	for (size_t i = 0; i < zwb_timeline_used(&t, UINT64_MAX); i++)
		assert_true(fabs(zwb_timeline_mean(&t, i, UINT64_MAX) - 2) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timeline__amounts_are_where_they_were_added),
		cmocka_unit_test(timeline__nothing_is_lost_when_intervals_double),
		cmocka_unit_test(timeline__equal_ends_give_equal_intervals),
		cmocka_unit_test(timeline__a_gauge_is_its_mean_over_time),
		cmocka_unit_test(timeline__a_gauge_may_stand_for_all_of_time),
	};

	return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
