/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "overhead.h"
#include "published_data.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NR_SLEEPERS ZWB_ARRAY_LEN(sleep_1)

/* 0.975 quantiles to three decimals: Fisher and Yates, Statistical Tables (1963), table III. */
static void overhead__student_quantiles_are_those_of_the_table(void **state)
{
	static const struct {
		unsigned int freedom;
		double t;
	} table[] = { { 1, 12.706 }, { 2, 4.303 }, { 3, 3.182 }, { 4, 2.776 }, { 5, 2.571 },
		{ 6, 2.447 }, { 7, 2.365 }, { 8, 2.306 }, { 9, 2.262 }, { 10, 2.228 },
		{ 15, 2.131 }, { 20, 2.086 }, { 30, 2.042 }, { 60, 2.000 }, { 120, 1.980 } };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(table); i++)
		assert_close(zwb_student_quantile(0.95, table[i].freedom), table[i].t, 0.0005);
}

static void overhead__student_quantiles_are_those_of_gsl(void **state)
{
	static const double inside[] = { 0.5, 0.9, 0.95, 0.99, 0.999 };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(inside); i++) {
		for (unsigned int freedom = 1; freedom <= 200; freedom++) {
			double t = gsl_cdf_tdist_Qinv((1 - inside[i]) / 2, freedom);

			assert_close(zwb_student_quantile(inside[i], freedom), t, 1e-9 * t);
		}
	}
}

static struct zwb_overhead_run run_of(double seconds)
{
	const uint64_t ns = (uint64_t)llround(seconds * 1e9);

	return (struct zwb_overhead_run){ .elapsed_ns = ns, .cpu_ns = ns / 2 };
}

/*
 * Logarithms of ratios that are Student's differences: the interval of their mean, 0.7001142 to
 * 2.4598858 around 1.58, is the example of R's t.test().
 */
static void overhead__intervals_are_those_of_a_published_example(void **state)
{
	struct zwb_overhead_run runs[2 * NR_SLEEPERS];
	struct zwb_overhead_row row;

	(void)state;
	for (size_t i = 0; i < NR_SLEEPERS; i++) {
		runs[2 * i] = run_of(exp(sleep_1[i]));
		runs[2 * i + 1] = run_of(exp(sleep_2[i]));
	}
	zwb_overhead_compare(runs, NR_SLEEPERS, ZWB_OVERHEAD_SECONDS, &row);
	assert_close(log1p(row.change), 1.58, 1e-7);
	assert_close(log1p(row.low), 0.7001142, 1e-7);
	assert_close(log1p(row.high), 2.4598858, 1e-7);
}

/* Means 5 and 6; deviations sqrt((9 + 1 + 4) / 2) = sqrt(7) and sqrt((16 + 4 + 4) / 2). */
static void overhead__means_and_deviations_are_those_of_each_kind(void **state)
{
	const struct zwb_overhead_run runs[] = { run_of(2), run_of(2), run_of(6), run_of(8),
		run_of(7), run_of(8) };
	struct zwb_overhead_row row;

	(void)state;
	zwb_overhead_compare(runs, 3, ZWB_OVERHEAD_SECONDS, &row);
	assert_close(row.mean[0], 5, 1e-12);
	assert_close(row.mean[1], 6, 1e-12);
	assert_close(row.sd[0], sqrt(7), 1e-12);
	assert_close(row.sd[1], sqrt(12), 1e-12);
	assert_close(row.change, cbrt(1 * 8 / 6.0 * 8 / 7.0) - 1, 1e-12);
}

/* @requests: UINT64_MAX when they are not counted. */
static struct zwb_overhead_run run_with(uint64_t pages, uint64_t requests)
{
	struct zwb_overhead_run run = { .elapsed_ns = 1000000000 };

	run.totals.count[ZWB_TOTAL_SWAPPED_OUT] = pages;
	run.totals.is_known[ZWB_TOTAL_SWAPPED_OUT] = true;
	run.totals.count[ZWB_TOTAL_WRITE_REQUESTS] = requests;
	run.totals.is_known[ZWB_TOTAL_WRITE_REQUESTS] = requests != UINT64_MAX;
	return run;
}

static void overhead__requests_are_per_1000_pages(void **state)
{
	const struct zwb_overhead_run runs[] = { run_with(4000, 1000), run_with(2000, 600),
		run_with(8000, 2000), run_with(1000, 300) };
	struct zwb_overhead_row row;

	(void)state;
	zwb_overhead_compare(runs, 2, ZWB_OVERHEAD_REQUESTS, &row);
	assert_close(row.mean[0], 250, 1e-9);
	assert_close(row.mean[1], 300, 1e-9);
	assert_close(row.change, 0.2, 1e-12);
	assert_close(row.low, 0.2, 1e-9);
}

static void overhead__what_is_not_counted_is_not_known(void **state)
{
	const struct zwb_overhead_run uncounted = run_with(1000, UINT64_MAX);
	const struct zwb_overhead_run idle = run_with(0, 0), no_request = run_with(1000, 0);
	const struct zwb_overhead_run pairs[] = { no_request, no_request, no_request, no_request };
	struct zwb_overhead_row row;

	(void)state;
	assert_true(isnan(zwb_overhead_value(&uncounted, ZWB_OVERHEAD_REQUESTS)));
	assert_true(isnan(zwb_overhead_value(&uncounted, ZWB_OVERHEAD_BIOS)));
	assert_true(isnan(zwb_overhead_value(&uncounted, ZWB_OVERHEAD_WRITTEN_BACK)));
	assert_true(isnan(zwb_overhead_value(&idle, ZWB_OVERHEAD_REQUESTS)));
	assert_close(zwb_overhead_value(&idle, ZWB_OVERHEAD_SWAPPED_OUT), 0, 0);
	/* a mean of nothing is known, how it changed is not */
	zwb_overhead_compare(pairs, 2, ZWB_OVERHEAD_REQUESTS, &row);
	assert_close(row.mean[1], 0, 0);
	assert_true(isnan(row.change) && isnan(row.low) && isnan(row.high));
}

/* Log ratios 0 and ln 4: mean ln 2, deviation ln 4 / sqrt(2), t 12.706: an interval of no use. */
static void overhead__facts_have_every_run(void **state)
{
	const struct zwb_overhead_run runs[] = { run_of(1), run_of(1), run_of(2), run_of(8) };
	struct zwb_buf text = { 0 };

	(void)state;
	zwb_overhead_put(runs, 2, &text);
	zwb_buf_add(&text, "", 1);
	assert_int_equal(zwb_buf_check(&text, NULL), ZWB_OK);
	assert_string_equal((const char *)text.data,
		"seconds without: mean 1.5 sd 0.707107 runs 1 2\n"
		"seconds with: mean 4.5 sd 4.94975 runs 1 8\n"
		"seconds change: +100.00 % from -99.97 to +1336430.13\n"
		"cpu_seconds without: mean 0.75 sd 0.353553 runs 0.5 1\n"
		"cpu_seconds with: mean 2.25 sd 2.47487 runs 0.5 4\n"
		"cpu_seconds change: +100.00 % from -99.97 to +1336430.13\n");
	zwb_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overhead__student_quantiles_are_those_of_the_table),
		cmocka_unit_test(overhead__student_quantiles_are_those_of_gsl),
		cmocka_unit_test(overhead__intervals_are_those_of_a_published_example),
		cmocka_unit_test(overhead__means_and_deviations_are_those_of_each_kind),
		cmocka_unit_test(overhead__requests_are_per_1000_pages),
		cmocka_unit_test(overhead__what_is_not_counted_is_not_known),
		cmocka_unit_test(overhead__facts_have_every_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
