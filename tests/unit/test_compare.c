/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a comparison; values are worked in comments. */
#include "run_builder.h"

#include <math.h>

static const struct zwb_compare_options all = { 0 };

/*
 * Two recordings, two policies:          x            y
 *   recording 1   100 pages, 50 bios    100, 20
 *   recording 2   300 pages, 60 bios    300, 30
 * bios of x: mean 55, sd sqrt(25 + 25) = 7.0711; of y: mean 25, sd sqrt(50) = 7.0711;
 * change (25 - 55) / 55 = -54.545 %
 * pages per bio: x 400 / 110 = 3.6364 (not (2 + 5) / 2), sd over 2 and 5: 2.1213;
 * y 400 / 50 = 8, sd over 5 and 10: 3.5355; change (8 - 3.6364) / 3.6364 = 120 %
 * bios per 1,000 pages: x 110 / 400 * 1000 = 275; y 125
 */
static struct zwb_run *two_by_two(void)
{
	static const struct {
		int trace;
		const char *policy;
		double pages, bios;
	} rows[] = { { 0, "x", 100, 50 }, { 0, "y", 100, 20 }, { 1, "x", 300, 60 },
		{ 1, "y", 300, 30 } };
	struct zwb_run *run = build_run();

	build_trace(run, "one");
	build_trace(run, "two");
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_run_arm *arm = build_arm((size_t)rows[i].trace, rows[i].policy, 1);

		build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, rows[i].pages);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, rows[i].bios);
		build_add(run, arm);
	}
	return run;
}

static void compare__recordings_are_n_and_give_the_spread(void **state)
{
	struct zwb_run *run = two_by_two();
	struct zwb_comparison *cmp = compare(run, &all);
	const struct zwb_cmp_row *row = find_row(cmp, "write bios", NULL);

	(void)state;
	assert_int_equal(cmp->nr_columns, 2);
	assert_int_equal(cmp->nr_recordings, 2);
	assert_string_equal(cmp->columns[0].label, "x");
	assert_int_equal(row->cells[0].n, 2);
	assert_value(row->cells[0].value, 55);
	assert_value(row->cells[0].sd, 7.0710678118654755);
	assert_value(row->cells[0].seed_sd, NAN);
	assert_value(row->cells[0].delta_percent, NAN);
	assert_value(row->cells[1].value, 25);
	assert_value(row->cells[1].delta_percent, -54.54545454545454);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare__ratios_are_of_sums(void **state)
{
	struct zwb_run *run = two_by_two();
	struct zwb_comparison *cmp = compare(run, &all);
	const struct zwb_cmp_row *per_bio = find_row(cmp, "pages per write bio", NULL);
	const struct zwb_cmp_row *per_1000 = find_row(cmp, "write bios /1000 pages", NULL);

	(void)state;
	assert_value(per_bio->cells[0].value, 400.0 / 110);
	assert_value(per_bio->cells[0].sd, 2.1213203435596424);
	assert_value(per_bio->cells[1].value, 8);
	assert_value(per_bio->cells[1].delta_percent, 120);
	assert_value(per_1000->cells[0].value, 275);
	assert_value(per_1000->cells[1].value, 125);
	/* no requests were measured: nothing is made up for them */
	assert_null(find_row(cmp, "pages per write request", NULL));
	assert_null(find_row(cmp, "write requests", NULL));
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/*
 * One recording with seeds 10, 20, 30 and another with seeds 40, 60:
 * means 20 and 50, so 35 with sd 21.213 and n = 2;
 * within: squares 200 and 200 over 2 + 1 degrees, sd sqrt(400 / 3) = 11.547
 */
static void compare__seeds_are_averaged_and_never_n(void **state)
{
	static const double values[2][3] = { { 10, 20, 30 }, { 40, 60, NAN } };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_cell *cell;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		build_trace(run, t ? "two" : "one");
		for (size_t s = 0; s < 3 - t; s++) {
			struct zwb_run_arm *arm = build_arm(t, "x", s + 1);

			build_value(arm, ZWB_METRIC_IOCOST_DEBT, ZWB_RUN_TOTAL, values[t][s]);
			build_add(run, arm);
		}
	}
	cmp = compare(run, &all);
	cell = &find_row(cmp, "iocost debt", NULL)->cells[0];
	assert_value(cell->value, 35);
	assert_value(cell->sd, 21.213203435596427);
	assert_value(cell->seed_sd, 11.547005383792516);
	assert_int_equal(cell->n, 2);
	assert_int_equal(cell->nr_arms, 5);
	assert_int_equal(cmp->columns[0].min_seeds, 2);
	assert_int_equal(cmp->columns[0].max_seeds, 3);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare__one_recording_has_seeds_but_no_spread(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_cell *cell;

	(void)state;
	build_trace(run, "one");
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct zwb_run_arm *arm = build_arm(0, "x", seed);

		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, (double)seed);
		build_add(run, arm);
	}
	cmp = compare(run, &all);
	cell = &find_row(cmp, "write bios", NULL)->cells[0];
	assert_int_equal(cell->n, 1);
	assert_value(cell->value, 2.5);
	assert_value(cell->sd, NAN);
	assert_value(cell->seed_sd, 1.2909944487358056); /* of 1 2 3 4 */
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/*
 * Recording 1: 1..100 us; recording 2: 901..1000 us. Of all 200 values p50 is rank 100 = 100 us
 * and p99 rank 198 = 998 us; the mean of their medians (50 and 950) would be 500.
 */
static void compare__percentiles_are_of_merged_histograms(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	for (uint64_t t = 0; t < 2; t++) {
		struct zwb_run_arm *arm = build_arm(t, "x", 1);
		struct zwb_hist h;

		build_trace(run, t ? "two" : "one");
		zwb_hist_init(&h);
		for (uint64_t us = 1; us <= 100; us++)
			zwb_hist_record(&h, (us + t * 900) * 1000);
		assert_int_equal(zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL,
					 'M', &h, NULL),
			ZWB_OK);
		build_add(run, arm);
	}
	cmp = compare(run, &all);
	row = find_row(cmp, "swapin latency p50", NULL);
	assert_true(fabs(row->cells[0].value - 100) <= 0.1);
	assert_int_equal(row->cells[0].samples, 200);
	assert_int_equal(row->cells[0].n, 2);
	/* sd of 50 and 950 */
	assert_true(fabs(row->cells[0].sd - 636.4) <= 0.7);
	row = find_row(cmp, "swapin latency p99", NULL);
	assert_true(fabs(row->cells[0].value - 998) <= 1);
	row = find_row(cmp, "swapin latency max", NULL);
	assert_value(row->cells[0].value, 1000);
	assert_string_equal(row->unit, "us");
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare__zero_is_a_value_and_no_baseline(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_PGROTATED, 0);
	build_total(run, 0, "y", ZWB_METRIC_PGROTATED, 5);
	build_total(run, 0, "z", ZWB_METRIC_PGROTATED, NAN);
	cmp = compare(run, &all);
	row = find_row(cmp, "pgrotated", NULL);
	assert_int_equal(row->cells[0].n, 1);
	assert_value(row->cells[0].value, 0);
	assert_value(row->cells[1].delta_percent, NAN);
	assert_int_equal(row->cells[2].n, 0);
	assert_value(row->cells[2].value, NAN);
	assert_int_equal(row->cells[2].cls, '\0');
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* 0 pages over 0 bios is not measured; per 1,000 pages neither. */
static void compare__ratio_over_nothing_is_not_measured(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_run_arm *arm = build_arm(0, "x", 1);
	struct zwb_comparison *cmp;

	(void)state;
	build_trace(run, "one");
	build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, 0);
	build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 0);
	build_add(run, arm);
	cmp = compare(run, &all);
	assert_value(find_row(cmp, "pages per write bio", NULL)->cells[0].value, NAN);
	assert_int_equal(find_row(cmp, "write bios /1000 pages", NULL)->cells[0].n, 0);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare__baseline_is_the_first_unless_named(void **state)
{
	const struct zwb_compare_options y = { .baseline = "y" };
	struct zwb_run *run = two_by_two();
	struct zwb_comparison *cmp = compare(run, &y);
	const struct zwb_cmp_row *row = find_row(cmp, "write bios", NULL);

	(void)state;
	assert_string_equal(cmp->columns[0].label, "y");
	assert_string_equal(cmp->columns[1].label, "x");
	assert_value(row->cells[0].value, 25);
	assert_value(row->cells[1].delta_percent, 120); /* (55 - 25) / 25 */
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare__missing_baseline_names_what_there_is(void **state)
{
	const struct zwb_compare_options z = { .baseline = "z" };
	struct zwb_run *run = two_by_two();
	const struct zwb_run *runs = run;
	struct zwb_comparison *cmp;
	struct zwb_err err;

	(void)state;
	assert_int_equal(zwb_compare(&runs, 1, &z, &cmp, &err), ZWB_EUSAGE);
	assert_null(cmp);
	assert_string_equal(err.text, "no baseline \"z\"; there is \"x\", \"y\"");
	zwb_run_free(run);
}

static void compare__missing_metric_names_what_there_is(void **state)
{
	const struct zwb_compare_options options = { .metrics = "write bios,bogus" };
	struct zwb_run *run = two_by_two();
	const struct zwb_run *runs = run;
	struct zwb_comparison *cmp;
	struct zwb_err err;

	(void)state;
	assert_int_equal(zwb_compare(&runs, 1, &options, &cmp, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, "no metric \"bogus\""));
	assert_non_null(strstr(err.text, "pages per write bio"));
	zwb_run_free(run);
}

static void compare__metrics_come_in_the_order_asked_for(void **state)
{
	static const struct {
		const char *list;
		const char *names[3];
	} rows[] = {
		{ "pages per write bio,write bios", { "pages per write bio", "write bios" } },
		{ " write bios , pages written ", { "write bios", "pages written" } },
		{ "write bios,write bios", { "write bios" } },
		{ "write requests", { NULL } }, /* known, not measured */
	};
	struct zwb_run *run = two_by_two();

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		const struct zwb_compare_options options = { .metrics = rows[i].list };
		struct zwb_comparison *cmp = compare(run, &options);
		size_t nr = 0;

		while (rows[i].names[nr]) {
			assert_string_equal(cmp->rows[nr].name, rows[i].names[nr]);
			nr++;
		}
		assert_int_equal(cmp->nr_rows, nr);
		zwb_comparison_free(cmp);
	}
	zwb_run_free(run);
}

static void compare__a_row_is_as_sure_as_its_least_sure_cell(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_run_arm *arm = build_arm(0, "y", 1);
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_WRITE_REQUESTS, 10);
	build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, 10);
	assert_int_equal(
		zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, 'M', 5, NULL),
		ZWB_OK);
	build_add(run, arm);
	cmp = compare(run, &all);
	row = find_row(cmp, "write requests", NULL);
	assert_int_equal(row->cells[0].cls, 'E');
	assert_int_equal(row->cells[1].cls, 'M');
	assert_int_equal(row->cls, 'M');
	assert_int_equal(find_row(cmp, "pages per write request", NULL)->cls, 'M');
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compare__recordings_are_n_and_give_the_spread),
		cmocka_unit_test(compare__ratios_are_of_sums),
		cmocka_unit_test(compare__seeds_are_averaged_and_never_n),
		cmocka_unit_test(compare__one_recording_has_seeds_but_no_spread),
		cmocka_unit_test(compare__percentiles_are_of_merged_histograms),
		cmocka_unit_test(compare__zero_is_a_value_and_no_baseline),
		cmocka_unit_test(compare__ratio_over_nothing_is_not_measured),
		cmocka_unit_test(compare__baseline_is_the_first_unless_named),
		cmocka_unit_test(compare__missing_baseline_names_what_there_is),
		cmocka_unit_test(compare__missing_metric_names_what_there_is),
		cmocka_unit_test(compare__metrics_come_in_the_order_asked_for),
		cmocka_unit_test(compare__a_row_is_as_sure_as_its_least_sure_cell),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
