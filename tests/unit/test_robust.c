/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centers, outliers and groups. */
#include "published_data.h"

#include "robust.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

/* 2.1 3.4 1.9 8.8 2.5 3.0 2.2: median 2.5, distances 0 .3 .4 .5 .6 .9 6.3; without the lowest and
 * the highest, (2.1 + 2.2 + 2.5 + 3.0 + 3.4) / 5 = 2.64. mad() and mean(trim = .2) of R agree. */
static void robust__centers_by_hand(void **state)
{
	static const double values[] = { 2.1, 3.4, 1.9, 8.8, 2.5, 3.0, 2.2 };
	double v[7], four[] = { 4, 1, 3, 2 }, one[] = { -3 };

	(void)state;
	memcpy(v, values, sizeof(v));
	assert_close(zwb_median(v, 7), 2.5, 0);
	memcpy(v, values, sizeof(v));
	assert_close(zwb_mad(v, 7), 0.5 * 1.4826022185, 1e-9);
	memcpy(v, values, sizeof(v));
	assert_close(zwb_trimmed_mean(v, 7), 2.64, 1e-12);
	assert_close(zwb_median(four, 4), 2.5, 0);
	assert_close(zwb_trimmed_mean(four, 4), 2.5, 0); /* a fifth of 4 is none */
	assert_close(zwb_median(one, 1), -3, 0);
	assert_close(zwb_mad(one, 1), 0, 0);
	assert_close(zwb_median(one, 0), NAN, 0);
	assert_close(zwb_mad(one, 0), NAN, 0);
	assert_close(zwb_trimmed_mean(one, 0), NAN, 0);
	assert_close(zwb_center_of(ZWB_CENTER_MEAN, one, 0), NAN, 0);
	assert_close(zwb_center_of(ZWB_CENTER_MEAN, four, 4), 2.5, 0);
}

/*
 * Mass spectrometer readings of Tietjen and Moore (1972), the example of Grubbs's test in the
 * NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17.1: G = 2.4687 against 2.032 at 5 %. At
 * 1 % the bound for 8 values is 2.274 (Grubbs 1969, table 1, two-sided).
 */
static void robust__outliers_of_published_examples(void **state)
{
	static const double mass[] = { 199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18,
		245.57 };
	double scratch[8];

	(void)state;
	assert_int_equal(zwb_outliers(mass, 8, scratch), 1);
	assert_int_equal(zwb_outliers(mass, 7, scratch), 0);
}

static void robust__outliers_by_hand(void **state)
{
	static const struct {
		double values[8];
		size_t nr, outliers;
	} rows[] = {
		{ { 100, 101, 102, 103, 104 }, 5, 0 },
		/* n = 5: bound 1.764; mean 201.6, sd 222.6 and 1.789 */
		{ { 100, 101, 102, 103, 600 }, 5, 1 },
		{ { 100, 101, 102, 103, -600 }, 5, 1 },
		{ { 100, 101, 102, 103, 106 }, 5, 0 },
		/* one on either side: the second is found without the first */
		{ { 101, 102, 103, 102, 101, 102, 900, -4000 }, 8, 2 },
		{ { 5, 5, 5, 5, 5 }, 5, 0 },
		{ { 100, 101, 102, 900 }, 4, 0 }, /* too few */
		{ { 0 }, 0, 0 },
	};
	double scratch[8];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++)
		assert_int_equal(
			zwb_outliers(rows[i].values, rows[i].nr, scratch), rows[i].outliers);
}

/* 1 of 100 normal samples has one. */
static void robust__normal_values_have_no_outliers(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double v[20], scratch[20];

	(void)state;
	assert_non_null(rng);
	for (size_t n = 5; n <= 20; n += 5) {
		size_t alarms = 0;

		for (int i = 0; i < 4000; i++) {
			for (size_t j = 0; j < n; j++)
				v[j] = gsl_ran_gaussian(rng, 1);
			alarms += zwb_outliers(v, n, scratch) != 0;
		}
		assert_true(alarms >= 15 && alarms <= 65);
	}
	gsl_rng_free(rng);
}

static void robust__groups_that_anyone_sees(void **state)
{
	static const double two[] = { 10, 52, 11, 51, 10.5, 50, 53, 11.5, 52, 10 };
	static const double far[] = { 1e9 + 1, 1e9 + 2, 1e9 + 1, 1e9 + 2, 1e9 + 91, 1e9 + 92,
		1e9 + 91, 1e9 + 92 };
	static const double ramp[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const double lone[] = { 1, 2, 1, 2, 1, 2, 1, 90 }; /* one is an outlier, no group */
	static const double same[] = { 4, 4, 4, 4, 4, 4, 4, 4 };
	double scratch[10];

	(void)state;
	assert_int_equal(zwb_two_groups(two, 10, scratch), 5);
	assert_int_equal(zwb_two_groups(far, 8, scratch), 4);
	assert_int_equal(zwb_two_groups(ramp, 10, scratch), 0);
	assert_int_equal(zwb_two_groups(lone, 8, scratch), 0);
	assert_int_equal(zwb_two_groups(same, 8, scratch), 0);
	assert_int_equal(zwb_two_groups(two, 7, scratch), 0); /* too few */
}

/* One peak, of any of these shapes, is taken for two groups in at most 1 of 100 cases. */
static void robust__one_peak_is_no_two_groups(void **state)
{
	static const size_t sizes[] = { 8, 12, 20, 50, 200 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double v[200], scratch[200];

	(void)state;
	assert_non_null(rng);
	for (size_t k = 0; k < ZWB_ARRAY_LEN(sizes) * 4; k++) {
		size_t n = sizes[k / 4], alarms = 0;

		for (int i = 0; i < 4000; i++) {
			for (size_t j = 0; j < n; j++) {
				v[j] = k % 4 == 0   ? gsl_ran_gaussian(rng, 1)
				       : k % 4 == 1 ? gsl_rng_uniform(rng)
				       : k % 4 == 2 ? gsl_ran_lognormal(rng, 0, 0.5)
						    : gsl_ran_exponential(rng, 1);
			}
			alarms += zwb_two_groups(v, n, scratch) != 0;
		}
		/* 1 % of 4,000 is 40, with a standard error of 6.3 */
		if (alarms > 65)
			fail_msg("n = %zu, shape %zu: %zu of 4000", n, k % 4, alarms);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(robust__centers_by_hand),
		cmocka_unit_test(robust__outliers_of_published_examples),
		cmocka_unit_test(robust__outliers_by_hand),
		cmocka_unit_test(robust__normal_values_have_no_outliers),
		cmocka_unit_test(robust__groups_that_anyone_sees),
		cmocka_unit_test(robust__one_peak_is_no_two_groups),
	};

	return cmocka_run_group_tests_name("robust", tests, NULL, NULL);
}
