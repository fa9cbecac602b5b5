/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of percentiles by order statistics. */
#include "published_data.h"

#include "quantile.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

/* The values 1 to @nr: the value of a rank is the rank. */
static void fill(struct zwb_hist *h, uint64_t nr)
{
	zwb_hist_init(h);
	for (uint64_t v = 1; v <= nr; v++)
		zwb_hist_record(h, v);
}

/* Ranks: qbinom(.025, n, p) and qbinom(.975, n, p) + 1 of R 4.2, if there are that many. */
static void quantile__ranks_are_binomial(void **state)
{
	static const struct {
		uint64_t nr;
		uint32_t ppm;
		double low, high;
	} rows[] = {
		{ 10, 500000, 2, 9 },
		{ 16, 750000, 8, 16 },
		{ 50, 500000, 18, 33 },
		{ 50, 900000, 41, 50 },
		{ 50, 990000, 48, NAN }, /* 51 of 50 */
		{ 100, 500000, 40, 61 },
		{ 100, 900000, 84, 96 },
		{ 100, 990000, 97, NAN },
		{ 1000, 500000, 469, 532 },
		{ 1000, 990000, 983, 997 },
		{ 5, 500000, NAN, NAN }, /* 2 / 32 lie outside of the whole range: too many */
		{ 6, 500000, 1, 6 },
		{ 1, 500000, NAN, NAN },
		{ 0, 500000, NAN, NAN },
		{ 100, 1000000, NAN, NAN }, /* nothing is known of the largest there can be */
		{ 100, 0, NAN, NAN },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_quantile_bounds bounds;
		struct zwb_hist h;

		fill(&h, rows[i].nr);
		bounds = zwb_quantile_bounds(&h, rows[i].ppm);
		assert_close(bounds.low, rows[i].low, 0);
		assert_close(bounds.high, rows[i].high, 0);
		zwb_hist_release(&h);
	}
}

/* So many samples that the normal distribution takes over: 1.96 sqrt(n / 4) around the middle. */
static void quantile__of_very_many_samples(void **state)
{
	const struct zwb_hist exact = { .count = 4000000000, .min = 0, .max = 1999 };
	struct zwb_quantile_bounds bounds;
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	for (uint32_t v = 0; v < 2000; v++)
		assert_int_equal(zwb_hist_load(&h, v, 2000000, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_seal(&h, &exact, NULL), ZWB_OK);
	/* +-62,000 of 2,000,000 a bucket: the middle is the edge of 999 and 1000 */
	bounds = zwb_quantile_bounds(&h, 500000);
	assert_close(bounds.low, 999, 0);
	assert_close(bounds.high, 1000, 0);
	zwb_hist_release(&h);
}

/* Equal values have the same bounds; buckets of large values add their width and no more. */
static void quantile__bounds_are_edges_of_buckets(void **state)
{
	struct zwb_quantile_bounds bounds;
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	for (int i = 0; i < 100; i++)
		zwb_hist_record(&h, 1000000);
	bounds = zwb_quantile_bounds(&h, 500000);
	assert_close(bounds.low, 1000000, 0);
	assert_close(bounds.high, 1000000, 0);
	for (int i = 0; i < 100; i++)
		zwb_hist_record(&h, 1000300); /* shares the bucket */
	bounds = zwb_quantile_bounds(&h, 500000);
	assert_close(bounds.low, 1000000, 0);
	assert_close(bounds.high, 1000300, 0);
	zwb_hist_release(&h);
}

/* 2,000 draws of 200 values: the interval is at least 95 %, and not wider than it has to be. */
static void quantile__covers_the_truth(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double truth = 1e6 * -log(0.1); /* p90 of the exponential distribution */
	int covered = 0;

	(void)state;
	assert_non_null(rng);
	for (int i = 0; i < 2000; i++) {
		struct zwb_quantile_bounds bounds;
		struct zwb_hist h;

		zwb_hist_init(&h);
		for (int k = 0; k < 200; k++)
			zwb_hist_record(&h, (uint64_t)gsl_ran_exponential(rng, 1e6));
		bounds = zwb_quantile_bounds(&h, 900000);
		covered += bounds.low <= truth && truth <= bounds.high;
		zwb_hist_release(&h);
	}
	gsl_rng_free(rng);
	print_message("covered: %.1f %%\n", covered / 20.0);
	assert_true(covered >= 1880 && covered <= 1950);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantile__ranks_are_binomial),
		cmocka_unit_test(quantile__of_very_many_samples),
		cmocka_unit_test(quantile__bounds_are_edges_of_buckets),
		cmocka_unit_test(quantile__covers_the_truth),
	};

	return cmocka_run_group_tests_name("quantile", tests, NULL, NULL);
}
