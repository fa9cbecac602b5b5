/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mean, spread and change against values worked by hand. */
#include "zwb_test.h"

#include "stats.h"

#include <math.h>

static void assert_near(double got, double expected)
{
	if (isnan(expected))
		assert_true(isnan(got));
	else
		assert_true(fabs(got - expected) <= 1e-12 * fabs(expected));
}

static void stats__mean_and_sample_deviation(void **state)
{
	static const struct {
		double values[8];
		size_t nr, n;
		double mean, sd;
	} rows[] = {
		/* nothing measured */
		{ { 0 }, 0, 0, NAN, NAN },
		{ { NAN, INFINITY }, 2, 0, NAN, NAN },
		/* one value has no spread */
		{ { 7 }, 1, 1, 7, NAN },
		{ { NAN, 7, -INFINITY }, 3, 1, 7, NAN },
		/* 2, 4: mean 3, squares 1 + 1 over n - 1 = 1 */
		{ { 2, 4 }, 2, 2, 3, M_SQRT2 },
		/* 2 4 4 4 5 5 7 9: mean 5, squares 9+1+1+1+0+0+4+16 = 32 over 7 */
		{ { 2, 4, 4, 4, 5, 5, 7, 9 }, 8, 8, 5, 2.1380899352993952 },
		{ { 5, 5, 5 }, 3, 3, 5, 0 },
		/* far from 0: 1e15 + {1, 2, 3}; squares 1 + 0 + 1 over 2 */
		{ { 1e15 + 1, 1e15 + 2, 1e15 + 3 }, 3, 3, 1e15 + 2, 1 },
		/* zero is a value, NAN is none: 0, 6: mean 3, squares 18 over 1 */
		{ { 0, NAN, 6 }, 3, 2, 3, 4.242640687119285 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_stats s = zwb_stats_of(rows[i].values, rows[i].nr);

		assert_int_equal(s.n, rows[i].n);
		assert_near(s.mean, rows[i].mean);
		assert_near(s.sd, rows[i].sd);
	}
}

static void stats__delta_against_nothing_is_not_available(void **state)
{
	static const struct {
		double value, baseline, delta;
	} rows[] = {
		{ 596, 748, -20.320855614973262 }, /* (596 - 748) / 748 = -152 / 748 */
		{ 1.30, 1.07, 21.495327102803738 }, /* 0.23 / 1.07 */
		{ 5, 5, 0 }, { 0, 5, -100 }, { 5, 0, NAN }, { 0, 0, NAN }, { NAN, 5, NAN },
		{ 5, NAN, NAN }, { INFINITY, 5, NAN }, { -1, -2, 50 }, /* up by half of its size */
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++)
		assert_near(
			zwb_stats_delta_percent(rows[i].value, rows[i].baseline), rows[i].delta);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats__mean_and_sample_deviation),
		cmocka_unit_test(stats__delta_against_nothing_is_not_available),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
