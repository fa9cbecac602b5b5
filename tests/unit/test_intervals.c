/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of a ratio: against independent calculations, and how often they cover the truth. */
#include "published_data.h"

#include "intervals.h"
#include "signif.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

static void assert_interval(struct zwb_interval got, double low, double high, double tolerance)
{
	assert_close(got.low, low, tolerance);
	assert_close(got.high, high, tolerance);
}

/* Expected: the ratios r at which t.test(other - r * base), or t.test(other, r * base), gives 0.05
 * in R 4.2, found by uniroot(). */
static void intervals__fieller_inverts_the_t_test(void **state)
{
	(void)state;
	assert_interval(zwb_fieller(&ARMS(maize_self, maize_cross, 1)), 1.00021236493194,
		1.31215598993244, 1e-11);
	assert_interval(zwb_fieller(&ARMS(maize_self, maize_cross, 0)), 1.02166512696897,
		1.28412046801141, 1e-11);
	/* the mean of y is negative */
	assert_interval(zwb_fieller(&ARMS(patch_z, patch_y, 1)), -0.289628024256468,
		0.252429518510953, 1e-11);
	assert_interval(zwb_fieller(&ARMS(mice_control, mice_treated, 0)), 0.442794539763089,
		3.94421377697476, 1e-10);
}

static void intervals__no_bounds_for_a_base_that_may_be_zero(void **state)
{
	static const double zero[] = { 0, 0, 0 }, around[] = { -1, 1, 0 }, one[] = { 4 };

	(void)state;
	/* Student's first drug: mean 0.75, t = 1.33 against 0 */
	assert_interval(zwb_fieller(&ARMS(sleep_1, sleep_2, 1)), NAN, NAN, 0);
	assert_interval(zwb_fieller(&ARMS(sleep_1, sleep_2, 0)), NAN, NAN, 0);
	assert_interval(zwb_fieller(&ARMS(zero, around, 0)), NAN, NAN, 0);
	assert_interval(zwb_fieller(&ARMS(around, zero, 1)), NAN, NAN, 0);
	assert_interval(zwb_fieller(&ARMS(one, around, 0)), NAN, NAN, 0);
}

static void intervals__what_does_not_vary_has_no_width(void **state)
{
	static const double base[] = { 100, 200, 300 }, half[] = { 50, 100, 150 };
	static const double four[] = { 4, 4 }, eight[] = { 8, 8, 8 }, none[] = { 0, 0, 0 };

	(void)state;
	assert_interval(zwb_fieller(&ARMS(four, eight, 0)), 2, 2, 1e-12);
	assert_interval(zwb_fieller(&ARMS(eight, none, 0)), 0, 0, 1e-12);
	/* exactly proportional, unlike base and half taken as unpaired: base may be 0 (t = 3.5) */
	assert_interval(zwb_fieller(&ARMS(base, half, 1)), NAN, NAN, 0);
	assert_interval(zwb_fieller(&ARMS(maize_self, maize_self, 1)), 1, 1, 1e-7);
}

/* Multiplying an arm multiplies the interval; turning the sign of both leaves it. */
static void intervals__follow_the_scale(void **state)
{
	double base[15], other[15];
	struct zwb_interval plain, scaled;

	(void)state;
	for (int i = 0; i < 15; i++) {
		base[i] = -maize_self[i];
		other[i] = -1000 * maize_cross[i];
	}
	plain = zwb_fieller(&ARMS(maize_self, maize_cross, 0));
	scaled = zwb_fieller(&ARMS(base, other, 0));
	assert_interval(scaled, 1000 * plain.low, 1000 * plain.high, 1e-8);
}

static struct zwb_interval bootstrap(struct zwb_arms arms, enum zwb_center center, size_t nr)
{
	struct zwb_interval interval = { 0, 0 };

	assert_int_equal(zwb_bootstrap(&arms, center, nr, &interval, NULL), ZWB_OK);
	return interval;
}

/*
 * Expected: 400,000 resamples in R 4.2, quantiles by Efron's formula with z moved to
 * t sqrt(n / (n - 1)) = 2.220 (paired) and 2.136 (unpaired), acceleration -0.0379 and -0.0343.
 */
static void intervals__bootstrap_agrees_with_another_program(void **state)
{
	(void)state;
	assert_interval(bootstrap(ARMS(maize_self, maize_cross, 1), ZWB_CENTER_MEAN, 200000),
		0.968792, 1.285200, 0.003);
	assert_interval(bootstrap(ARMS(maize_self, maize_cross, 0), ZWB_CENTER_MEAN, 200000),
		0.997675, 1.264648, 0.003);
	assert_interval(
		bootstrap(ARMS(maize_self, maize_cross, 1), ZWB_CENTER_MEAN, ZWB_REPLICATES),
		0.968792, 1.285200, 0.015);
}

static void intervals__bootstrap_gives_the_same_twice(void **state)
{
	struct zwb_interval a, b;

	(void)state;
	a = bootstrap(ARMS(maize_self, maize_cross, 0), ZWB_CENTER_MEAN, 1000);
	b = bootstrap(ARMS(maize_self, maize_cross, 0), ZWB_CENTER_MEAN, 1000);
	assert_interval(b, a.low, a.high, 0);
}

static void intervals__bootstrap_knows_its_limits(void **state)
{
	static const double seven[] = { 3, 4, 5, 6, 7, 8, 9 };
	static const double same[] = { 3, 3, 3, 3, 3, 3, 3, 3 },
			    twice[] = { 6, 6, 6, 6, 6, 6, 6, 6 };

	(void)state;
	assert_interval(bootstrap(ARMS(seven, seven, 0), ZWB_CENTER_MEAN, 1000), NAN, NAN, 0);
	assert_interval(bootstrap(ARMS(sleep_1, sleep_2, 1), ZWB_CENTER_MEAN, 1000), NAN, NAN, 0);
	assert_interval(bootstrap(ARMS(same, twice, 0), ZWB_CENTER_MEAN, 1000), 2, 2, 1e-12);
	assert_interval(bootstrap(ARMS(same, twice, 1), ZWB_CENTER_MEDIAN, 1000), 2, 2, 1e-12);
}

static void intervals__medians_ignore_a_wild_value(void **state)
{
	double base[] = { 100, 101, 102, 103, 104, 105, 106, 107, 108 };
	double other[] = { 50, 51, 52, 52, 53, 52, 52, 53, 1e6 };
	struct zwb_interval interval = bootstrap(ARMS(base, other, 0), ZWB_CENTER_MEDIAN, 2000);

	(void)state;
	assert_true(interval.low > 0.47 && interval.low < 0.5);
	assert_true(interval.high > 0.5 && interval.high < 0.54);
}

/* -- coverage -- */

enum shape { NORMAL, LOGNORMAL };

/* Arms as benches give them: a common level a recording if paired, noise of its own beside it. */
struct population {
	enum shape shape;
	double spread; /* coefficient of variation of the noise */
	double common; /* and of the level */
	double ratio; /* of the means: the truth */
	double more; /* spread of other against that of base */
	int paired;
};

static double draw(gsl_rng *rng, enum shape shape, double spread)
{
	double sigma = sqrt(log1p(spread * spread));

	return shape == NORMAL ? 1 + gsl_ran_gaussian(rng, spread)
			       : exp(gsl_ran_gaussian(rng, sigma) - sigma * sigma / 2);
}

static void draw_arms(
	gsl_rng *rng, const struct population *p, size_t n, double *base, double *other)
{
	for (size_t i = 0; i < n; i++) {
		double level = p->paired ? draw(rng, p->shape, p->common) : 1;

		base[i] = 1000 * level * draw(rng, p->shape, p->spread);
		other[i] = 1000 * level * p->ratio * draw(rng, p->shape, p->more * p->spread);
	}
}

#define NR_DRAWS 2000

/* In % of the draws that had an interval; of populations as these nearly all have. */
static double coverage(const struct population *p, size_t n, uint32_t seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double base[32], other[32];
	int covered = 0, given = 0;

	assert_non_null(rng);
	gsl_rng_set(rng, seed);
	for (int i = 0; i < NR_DRAWS; i++) {
		const struct zwb_arms arms = { base, n, other, n, p->paired };
		struct zwb_interval interval;

		draw_arms(rng, p, n, base, other);
		if (n < ZWB_BOOTSTRAP_MIN)
			interval = zwb_fieller(&arms);
		else
			interval = bootstrap(arms, ZWB_CENTER_MEAN, 1000);
		given += isfinite(interval.low) && isfinite(interval.high);
		covered += interval.low <= p->ratio && p->ratio <= interval.high;
	}
	gsl_rng_free(rng);
	assert_true(given >= NR_DRAWS * 95 / 100);
	return 100.0 * covered / given;
}

/* 93 to 97 %; 2,000 draws of a true 95 % are within 1.5 % with four standard errors. */
static void intervals__cover_the_truth_in_95_of_100(void **state)
{
	static const struct population populations[] = {
		{ NORMAL, 0.03, 0, 0.8, 1, 0 },
		{ NORMAL, 0.10, 0, 1, 2, 0 },
		{ LOGNORMAL, 0.20, 0, 0.6, 1, 0 },
		{ NORMAL, 0.03, 0.10, 0.8, 1, 1 },
		{ NORMAL, 0.10, 0.10, 1, 2, 1 },
		{ LOGNORMAL, 0.10, 0.20, 1.3, 1, 1 },
	};
	static const size_t sizes[] = { 3, 4, 5, 7, 8, 12, 20 };
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(populations); i++) {
		for (size_t k = 0; k < ZWB_ARRAY_LEN(sizes); k++) {
			double got = coverage(
				&populations[i], sizes[k], (uint32_t)(1000 * i + sizes[k]));

			print_message("population %zu, n = %2zu: %.1f %%\n", i, sizes[k], got);
			failed |= got < 93 || got > 97;
		}
	}
	assert_false(failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals__fieller_inverts_the_t_test),
		cmocka_unit_test(intervals__no_bounds_for_a_base_that_may_be_zero),
		cmocka_unit_test(intervals__what_does_not_vary_has_no_width),
		cmocka_unit_test(intervals__follow_the_scale),
		cmocka_unit_test(intervals__bootstrap_agrees_with_another_program),
		cmocka_unit_test(intervals__bootstrap_gives_the_same_twice),
		cmocka_unit_test(intervals__bootstrap_knows_its_limits),
		cmocka_unit_test(intervals__medians_ignore_a_wild_value),
		cmocka_unit_test(intervals__cover_the_truth_in_95_of_100),
	};

	return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
