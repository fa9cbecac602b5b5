/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published means: all changes recomputed, and what cannot be said of them. */
#include "published_data.h"

#include "published.h"
#include "text_file.h"

#define TABLES ZWB_SOURCE_DIR "/tests/data/published-tables.csv"

static const struct zwb_published_options nothing_assumed = { .assumed_cv = (double)NAN };

static struct zwb_comparison *read_tables(const struct zwb_published_options *options)
{
	struct zwb_err err = { 0 };
	struct zwb_comparison *cmp;

	if (zwb_published_compare(TABLES, options, "0.1.0", &cmp, &err))
		fail_msg("%s", err.text);
	return cmp;
}

/* The cell of the other arm. */
static const struct zwb_cmp_cell *find(
	const struct zwb_comparison *cmp, const char *table, const char *metric)
{
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *row = &cmp->rows[i];

		if (strncmp(row->group, table, strlen(table)) == 0 &&
			strcmp(row->name, metric) == 0)
			return &row->cells[1];
	}
	fail_msg("no %s in %s", metric, table);
	return NULL;
}

/* Every printed change follows from the printed means: to the digit, or within their rounding. */
static void published__every_change_is_recomputed(void **state)
{
	struct zwb_comparison *cmp = read_tables(&nothing_assumed);
	size_t nr_digit = 0, nr_rounding = 0, nr_alone = 0;

	(void)state;
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_cell *cell = &cmp->rows[i].cells[1];

		if (isnan(cell->published_percent))
			continue;
		if (isnan(cell->delta_percent)) {
			nr_alone++; /* the change was published without means */
			continue;
		}
		if (cell->published_agrees < 0)
			fail_msg("%s, %s: %g printed, %g computed", cmp->rows[i].group,
				cmp->rows[i].name, cell->published_percent, cell->delta_percent);
		nr_digit += cell->published_agrees > 0;
		nr_rounding += cell->published_agrees == 0;
	}
	print_message("%zu to the digit, %zu within rounding, %zu without means\n", nr_digit,
		nr_rounding, nr_alone);
	assert_int_equal(nr_digit + nr_rounding, 35);
	assert_int_equal(nr_alone, 8);
	zwb_comparison_free(cmp);
}

/*
 * By hand. T1 requests: 748 -> 596 is -20.32; printed -20.4: 747.5..748.5 to 595.5..596.5 gives
 * -20.44 to -20.20, so the rounding explains it. Welch with sd 47 and 26: n = 3 has
 * df = 2 (47^2 + 26^2)^2 / (47^4 + 26^4) = 3.12, error sqrt((47^2 + 26^2) / 3) = 31.01.
 */
static void published__rows_by_hand(void **state)
{
	struct zwb_comparison *cmp = read_tables(&nothing_assumed);
	const struct zwb_cmp_cell *cell = find(cmp, "T1", "write requests");

	(void)state;
	assert_close(cell->delta_percent, -20.3208556149733, 1e-9);
	assert_close(cell->published_percent, -20.4, 0);
	assert_int_equal(cell->published_agrees, 0);
	/* 31.01 times the noncentrality for 80 %, 4.17 with 3.12 degrees of freedom, of 748 */
	assert_close(cell->sure.detectable_n3_percent, 17.3, 0.1);
	assert_true(cell->sure.detectable_n5_percent < 11);
	cell = find(cmp, "T3", "build time"); /* 1061 -> 1057: -0.377 */
	assert_close(cell->published_percent, -0.4, 0);
	assert_int_equal(cell->published_agrees, 1);
	assert_int_equal(find(cmp, "T11", "pgrotated")->published_agrees, 1); /* -99.43, -99.4 */
	assert_true(isnan(find(cmp, "T11", "pgrotated")->sure.detectable_n3_percent));
	zwb_comparison_free(cmp);
}

static void published__without_n_there_is_no_p(void **state)
{
	struct zwb_comparison *cmp = read_tables(&nothing_assumed);

	(void)state;
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_cell *cell = &cmp->rows[i].cells[1];

		assert_int_equal(cell->n, 0);
		assert_true(isnan(cell->sure.p) && isnan(cell->sure.p_holm));
		assert_true(isnan(cell->sure.low_percent) && isnan(cell->sure.high_percent));
		assert_int_equal(cell->sure.verdict, ZWB_VERDICT_NONE);
	}
	assert_non_null(strstr(cmp->notes[0], "no interval and no p"));
	zwb_comparison_free(cmp);
}

/* 5 % of either mean, which are nearly equal: 3.0709 (2.0244) times that, see test_power.c. */
static void published__an_assumed_deviation_is_named(void **state)
{
	const struct zwb_published_options assumed = { .metrics = "zswpwb", .assumed_cv = 0.05 };
	struct zwb_comparison *cmp = read_tables(&assumed);
	const struct zwb_cmp_cell *cell = find(cmp, "T11", "zswpwb");

	(void)state;
	assert_int_equal(cmp->nr_rows, 1);
	assert_close(cell->sure.detectable_n3_percent, 15.3, 0.1);
	assert_close(cell->sure.detectable_n5_percent, 10.1, 0.1);
	assert_non_null(strstr(cmp->notes[0], "5 % of the mean is assumed"));
	zwb_comparison_free(cmp);
}

#define HEADER                                                                                     \
	"table,source,workload,condition,metric,unit,arm_a,a_mean,a_sd,arm_b,b_mean,b_sd,"         \
	"delta_pct\n"

static void published__refuses_what_it_cannot_read(void **state)
{
	static const struct {
		const char *text;
		int status;
		const char *says;
	} rows[] = {
		{ "", ZWB_EKIND, "empty" },
		{ "a_mean,b_mean\n1,2\n", ZWB_EKIND, "no column table" },
		{ HEADER, ZWB_EUSAGE, "no row" },
		{ HEADER "T,s,w,c,m,u,a,1,,b,2,\n", ZWB_EDATA, "12 cells" },
		{ HEADER "T,s,w,c,m,u,a,one,,b,2,,\n", ZWB_EDATA, "a_mean" },
		{ HEADER "T,s,w,c,m,u,a,1,-1,b,2,,\n", ZWB_EDATA, "below 0" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		char path[] = TEXT_FILE_TEMPLATE;
		struct zwb_comparison *cmp;
		struct zwb_err err = { 0 };

		write_text_file(path, rows[i].text);
		assert_int_equal(zwb_published_compare(path, &nothing_assumed, "0", &cmp, &err),
			rows[i].status);
		unlink(path);
		assert_null(cmp);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s", err.text);
	}
}

/* A change that does not follow from its means is called so: 100 -> 90 is -10, not -12. */
static void published__a_wrong_change_is_found(void **state)
{
	static const struct {
		const char *row;
		int agrees;
	} rows[] = {
		{ "T,s,w,c,m,u,a,100,,b,90,,-12\n", -1 },
		{ "T,s,w,c,m,u,a,100,,b,90,,-10\n", 1 },
		{ "T,s,w,c,m,u,a,100,,b,90,,-10.9\n", 0 }, /* 100.5 -> 89.5 is -10.95 */
		{ "T,s,w,c,m,u,a,100.0,,b,90.0,,-10.9\n", -1 },
		{ "T,s,w,c,m,u,a,-100,,b,-90,,10\n", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		char path[] = TEXT_FILE_TEMPLATE, text[512];
		struct zwb_comparison *cmp;

		snprintf(text, sizeof(text), HEADER "%s", rows[i].row);
		write_text_file(path, text);
		assert_int_equal(
			zwb_published_compare(path, &nothing_assumed, "0", &cmp, NULL), ZWB_OK);
		unlink(path);
		assert_int_equal(cmp->rows[0].cells[1].published_agrees, rows[i].agrees);
		zwb_comparison_free(cmp);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published__every_change_is_recomputed),
		cmocka_unit_test(published__rows_by_hand),
		cmocka_unit_test(published__without_n_there_is_no_p),
		cmocka_unit_test(published__an_assumed_deviation_is_named),
		cmocka_unit_test(published__refuses_what_it_cannot_read),
		cmocka_unit_test(published__a_wrong_change_is_found),
	};

	return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
