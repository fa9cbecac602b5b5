/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison says about chance; each figure is worked in a comment or by another program. */
#include "intervals.h"
#include "measured_run.h"
#include "run_builder.h"
#include "signif.h"

#define MAX_N 12

/* x and y over @n recordings, one metric. */
static struct zwb_comparison *two_arms(struct zwb_run *run, size_t n, const double *x,
	const double *y, const struct zwb_compare_options *options)
{
	for (size_t t = 0; t < n; t++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", t);
		build_trace(run, name);
		build_total(run, t, "x", ZWB_METRIC_WRITE_BIOS, x[t]);
		build_total(run, t, "y", ZWB_METRIC_WRITE_BIOS, y[t]);
	}
	return compare(run, options);
}

static const struct zwb_cmp_cell *cell_of(const struct zwb_comparison *cmp)
{
	return &find_row(cmp, "write bios", NULL)->cells[1];
}

/* Fewer than three recordings say nothing about chance; the change is there all the same. */
static void judge__n_below_3_has_no_interval_and_no_p(void **state)
{
	static const double x[] = { 100, 110 }, y[] = { 50, 56 };

	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		struct zwb_run *run = build_run();
		struct zwb_comparison *cmp =
			two_arms(run, n, x, y, &(struct zwb_compare_options){ 0 });
		const struct zwb_cmp_sure *s = &cell_of(cmp)->sure;

		assert_int_equal(s->pairing, ZWB_PAIRED);
		assert_int_equal(s->n, n);
		assert_int_equal(s->verdict, ZWB_VERDICT_NONE);
		assert_true(isnan(s->low_percent) && isnan(s->high_percent) && isnan(s->p));
		assert_true(isnan(s->p_exact) && isnan(s->p_holm) && isnan(s->detectable_percent));
		assert_true(cell_of(cmp)->delta_percent < -45);
		assert_int_equal(isnan(cell_of(cmp)->sd), n < 2);
		zwb_comparison_free(cmp);
		zwb_run_free(run);
	}
}

/*
 * Differences -52 -48 -50: mean -50, sd 2, t = -50 / (2 / sqrt(3)) = -43.3; p by R 4.2,
 * 2 * pt(-43.30127, 2) = 0.000533. Exact: 2 of 8. Smallest effect: 3.26404839 * 2 / 100 (see
 * test_power.c), in percent of 100.
 */
static void judge__three_pairs_are_tested_by_t_beside_permutation(void **state)
{
	static const double x[] = { 99, 101, 100 }, y[] = { 47, 53, 50 };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = two_arms(run, 3, x, y, &(struct zwb_compare_options){ 0 });
	const struct zwb_cmp_sure *s = &cell_of(cmp)->sure;

	(void)state;
	assert_value(cell_of(cmp)->delta_percent, -50);
	assert_true(fabs(s->p - 0.000533) < 1e-6);
	assert_value(s->p_exact, 0.25);
	assert_value(s->p_least, 0.25);
	assert_false(s->is_permutation);
	assert_int_equal(s->nr_tests, 1);
	assert_value(s->p_holm, s->p);
	assert_true(fabs(s->detectable_percent - 6.52809678) < 1e-4);
	assert_true(s->low_percent < -50 && s->low_percent > -60 && s->high_percent > -50 &&
		    s->high_percent < -40);
	assert_int_equal(s->verdict, ZWB_VERDICT_SHOWN); /* three pairs are too few for a veto */
	assert_int_equal(s->n_needed, 3);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void judge__verdicts(void **state)
{
	static const struct {
		double x[MAX_N], y[MAX_N];
		size_t n;
		enum zwb_cmp_verdict verdict;
	} rows[] = {
		{ { 5, 6, 7 }, { 5, 6, 7 }, 3, ZWB_VERDICT_SAME },
		{ { 0, 0, 0 }, { 0, 0, 0 }, 3, ZWB_VERDICT_SAME },
		{ { 100, 101, 99 }, { 101, 99, 100 }, 3, ZWB_VERDICT_NOT_SHOWN },
		/* nothing varies, but 4 pairs differ alike: exact p = 2/16 */
		{ { 5, 6, 7, 8 }, { 6, 7, 8, 9 }, 4, ZWB_VERDICT_HINTED },
		/* the same of 6: 2/64 */
		{ { 50, 60, 70, 80, 55, 65 }, { 60, 70, 80, 90, 65, 75 }, 6, ZWB_VERDICT_SHOWN },
		{ { 50, 51, 52, 50, 51, 52, 50, 51 }, { 40, 42, 41, 40, 42, 41, 40, 41 }, 8,
			ZWB_VERDICT_SHOWN },
		/* no baseline to be in percent of: the test still tells */
		{ { -1, 1, -1, 1, -1, 1, -1, 1 }, { 9, 10, 9, 10, 9, 10, 9, 11 }, 8,
			ZWB_VERDICT_SHOWN },
		/* negative values */
		{ { -50, -51, -52, -50, -51, -52, -50, -51 },
			{ -40, -42, -41, -40, -42, -41, -40, -41 }, 8, ZWB_VERDICT_SHOWN },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_run *run = build_run();
		struct zwb_comparison *cmp = two_arms(
			run, rows[i].n, rows[i].x, rows[i].y, &(struct zwb_compare_options){ 0 });
		const struct zwb_cmp_cell *cell = cell_of(cmp);

		if (cell->sure.verdict != rows[i].verdict)
			fail_msg("row %zu: verdict %d, p %g, %g to %g", i, cell->sure.verdict,
				cell->sure.p, cell->sure.low_percent, cell->sure.high_percent);
		/* the change lies in its interval */
		if (isfinite(cell->sure.low_percent))
			assert_true(cell->sure.low_percent <= cell->delta_percent + 1e-9 &&
				    cell->delta_percent <= cell->sure.high_percent + 1e-9);
		zwb_comparison_free(cmp);
		zwb_run_free(run);
	}
}

/* A permutation test that could speak and does not agree has a veto. */
static void judge__permutations_have_a_veto(void **state)
{
	static const double x[] = { 100, 100, 100, 100, 100, 100 };
	static const double y[] = { 110, 111, 112, 110, 111, 100 };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = two_arms(run, 6, x, y, &(struct zwb_compare_options){ 0 });
	const struct zwb_cmp_sure *s = &cell_of(cmp)->sure;

	(void)state;
	assert_true(s->p_holm < 0.05);
	assert_value(s->p_exact, 4.0 / 64); /* the sign of the pair that is equal is free */
	assert_int_equal(s->verdict, ZWB_VERDICT_HINTED);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void judge__from_8_on_by_bootstrap_and_t_alone(void **state)
{
	static const double x[] = { 50, 51, 52, 50, 51, 52, 50, 51 };
	static const double y[] = { 40, 42, 41, 40, 42, 41, 40, 41 };
	const struct zwb_arms arms = { x, 8, y, 8, 1 };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = two_arms(run, 8, x, y, &(struct zwb_compare_options){ 0 });
	const struct zwb_cmp_sure *s = &cell_of(cmp)->sure;
	struct zwb_interval interval;

	(void)state;
	assert_int_equal(
		zwb_bootstrap(&arms, ZWB_CENTER_MEAN, ZWB_REPLICATES, &interval, NULL), ZWB_OK);
	assert_true(s->is_bootstrap);
	assert_value(s->low_percent, 100 * (interval.low - 1));
	assert_value(s->high_percent, 100 * (interval.high - 1));
	assert_value(s->p, zwb_t_test(&arms).p);
	assert_true(isnan(s->p_exact));
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* Ratios of sums: the interval is about the ratio of sums, and contains it. */
static void judge__ratios_of_sums_have_intervals_of_their_own(void **state)
{
	static const double pages[] = { 1000, 100, 3000, 500 }, bios[] = { 500, 60, 1400, 240 };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_cell *cell;

	(void)state;
	for (size_t t = 0; t < 4; t++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", t);
		build_trace(run, name);
		for (int y = 0; y < 2; y++) {
			struct zwb_run_arm *arm = build_arm(t, y ? "y" : "x", 1);

			build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, pages[t]);
			build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL,
				y ? 0.5 * bios[t] + (double)t : pages[t]);
			build_add(run, arm);
		}
	}
	cmp = compare(run, &(struct zwb_compare_options){ 0 });
	cell = &find_row(cmp, "write bios /1000 pages", NULL)->cells[1];
	/* 4600 pages, bios 250 + 31 + 702 + 123 = 1106 */
	assert_value(cell->value, 1000 * 1106.0 / 4600);
	assert_value(cell->delta_percent, 100 * (1106.0 / 4600 - 1));
	/*
	 * Linearised, (1000 bios - 240.43 pages) / 1150: 8.32 6.05 -16.79 2.42 around 240.43, sd
	 * 11.45; x does not vary from 1000: 3.182 * 11.45 / sqrt(4) = 18.2 on either side.
	 */
	assert_true(fabs(cell->sure.high_percent - cell->delta_percent - 1.82) < 0.01);
	assert_true(fabs(cell->delta_percent - cell->sure.low_percent - 1.82) < 0.01);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void judge__medians_are_of_the_recordings(void **state)
{
	static const double x[] = { 10, 11, 12, 13, 1000 }, y[] = { 20, 22, 24, 26, 28 };
	const struct zwb_compare_options median = { .center = ZWB_CENTER_MEDIAN };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = two_arms(run, 5, x, y, &median);
	const struct zwb_cmp_row *row = find_row(cmp, "write bios", NULL);

	(void)state;
	assert_value(row->cells[0].value, 12);
	assert_value(row->cells[0].sd, 1.4826022185056018); /* distances 2 1 0 1 988 */
	assert_value(row->cells[1].value, 24);
	assert_value(row->cells[1].delta_percent, 100);
	assert_true(row->cells[1].sure.is_permutation);
	assert_true(isnan(row->cells[1].sure.low_percent));
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* Halves of 5: (10 + 10) / 2 and (11 + 12 + 13) / 3 = 12; with 2 recordings, of seeds 1 2 3: 1 and
 * 2.5, 3 and 4.5 -> (1 + 3) / 2 = 2 and (2.5 + 4.5) / 2 = 3.5. */
static void judge__the_same_arm_twice(void **state)
{
	static const double x[] = { 10, 10, 11, 12, 13 };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = two_arms(run, 5, x, x, &(struct zwb_compare_options){ 0 });
	const struct zwb_cmp_cell *cell = &find_row(cmp, "write bios", NULL)->cells[0];

	(void)state;
	assert_int_equal(cell->drift, ZWB_DRIFT_RECORDINGS);
	assert_value(cell->drift_percent, 20);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
	run = build_run();
	for (size_t t = 0; t < 2; t++) {
		build_trace(run, t ? "two" : "one");
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct zwb_run_arm *arm = build_arm(t, "x", seed);

			build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL,
				(double)seed + 2 * (double)t);
			build_add(run, arm);
		}
	}
	cmp = compare(run, &(struct zwb_compare_options){ 0 });
	cell = &find_row(cmp, "write bios", NULL)->cells[0];
	assert_int_equal(cell->drift, ZWB_DRIFT_SEEDS);
	assert_value(cell->drift_percent, 75);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void judge__values_without_measure_are_survived(void **state)
{
	static const double huge[] = { 1e308, -1e308, 1e308, 1e307 },
			    tiny[] = { 5e-324, 0, 1e-320, 0 };
	static const double nothing[] = { NAN, NAN, NAN, NAN }, two[] = { 1, NAN, 2, NAN };
	const double *const arms[] = { huge, tiny, nothing, two };

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		struct zwb_run *run = build_run();
		struct zwb_comparison *cmp = two_arms(
			run, 4, arms[i / 4], arms[i % 4], &(struct zwb_compare_options){ 0 });

		for (size_t k = 0; k < cmp->nr_rows; k++)
			assert_true(cmp->rows[k].cells[1].sure.verdict <= ZWB_VERDICT_SHOWN);
		zwb_comparison_free(cmp);
		zwb_run_free(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judge__n_below_3_has_no_interval_and_no_p),
		cmocka_unit_test(judge__three_pairs_are_tested_by_t_beside_permutation),
		cmocka_unit_test(judge__verdicts),
		cmocka_unit_test(judge__permutations_have_a_veto),
		cmocka_unit_test(judge__from_8_on_by_bootstrap_and_t_alone),
		cmocka_unit_test(judge__ratios_of_sums_have_intervals_of_their_own),
		cmocka_unit_test(judge__medians_are_of_the_recordings),
		cmocka_unit_test(judge__the_same_arm_twice),
		cmocka_unit_test(judge__values_without_measure_are_survived),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
