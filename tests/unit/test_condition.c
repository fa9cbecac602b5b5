/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions: the grammar, hostile input, and what meets them. */
#include "condition.h"
#include "run_builder.h"

static void condition__the_grammar(void **state)
{
	static const struct {
		const char *text, *metric;
		int is_above, or_equal, is_percent, is_surely;
		double bound;
	} rows[] = {
		{ "p99>5%", "p99", 1, 0, 1, 0, 5 },
		{ "write requests > 5 %", "write requests", 1, 0, 1, 0, 5 },
		{ "  write requests<=-2.5e1%surely ", "write requests", 0, 1, 1, 1, -25 },
		{ "pages per write bio<1.5", "pages per write bio", 0, 0, 0, 0, 1.5 },
		{ "ops/s >= 0 %\tsurely", "ops/s", 1, 1, 1, 1, 0 },
		{ "worse>1%", "worse", 1, 0, 1, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_condition c;

		assert_int_equal(zwb_condition_parse(rows[i].text, &c, NULL), ZWB_OK);
		assert_string_equal(c.metric, rows[i].metric);
		assert_int_equal(c.is_above, rows[i].is_above);
		assert_int_equal(c.or_equal, rows[i].or_equal);
		assert_int_equal(c.is_percent, rows[i].is_percent);
		assert_int_equal(c.is_surely, rows[i].is_surely);
		assert_value(c.bound, rows[i].bound);
		zwb_condition_release(&c);
	}
}

static void condition__refuses_what_it_does_not_know(void **state)
{
	static const char *const texts[] = { "", " ", "p99", ">", ">5", " >5%", "p99>", "p99>%",
		"p99>surely", "p99>5surely", "p99>5% maybe", "p99>5%%", "p99>>5", "p99=>5",
		"p99>5<6", "p99>nan", "p99>inf%", "p99>0x", "p99>5,3", "worse>5", "p99> = 5",
		"p99>1e999", "p99>5%surelysurely", "<", "a<\xff", "%s%n>%s%n" };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(texts); i++) {
		struct zwb_err err = { 0 };
		struct zwb_condition c;

		if (zwb_condition_parse(texts[i], &c, &err) != ZWB_EUSAGE)
			fail_msg("\"%s\" is taken", texts[i]);
		assert_true(err.text[0] != '\0');
		assert_null(c.metric);
	}
}

/* Metrics, values over recordings of x (the baseline) and y. */
static struct zwb_comparison *build(struct zwb_run *run)
{
	static const struct {
		enum zwb_metric metric;
		double x[4], y[4];
	} rows[] = {
		/* +10 % in all: sure */
		{ ZWB_METRIC_WRITE_REQUESTS, { 100, 101, 99, 100 }, { 110, 111, 109, 110.5 } },
		/* +10 %, but by chance */
		{ ZWB_METRIC_READ_BIOS, { 100, 100, 100, 100 }, { 50, 160, 90, 140 } },
		/* -20 % of what is better high */
		{ ZWB_METRIC_OPS, { 50, 51, 50, 49 }, { 40, 41, 40, 39.5 } },
		/* from nothing */
		{ ZWB_METRIC_IOCOST_DEBT, { 0, 0, 0, 0 }, { 1, 2, 3, 1 } },
		/* the same */
		{ ZWB_METRIC_ZSWPWB, { 7, 8, 9, 10 }, { 7, 8, 9, 10 } },
		/* y did not measure it */
		{ ZWB_METRIC_PGROTATED, { 7, 8, 9, 10 }, { NAN, NAN, NAN, NAN } },
	};

	for (size_t t = 0; t < 4; t++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", t);
		build_trace(run, name);
		for (int y = 0; y < 2; y++) {
			struct zwb_run_arm *arm = build_arm(t, y ? "y" : "x", 1);

			for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++)
				build_value(arm, rows[i].metric, ZWB_RUN_TOTAL,
					y ? rows[i].y[t] : rows[i].x[t]);
			build_add(run, arm);
		}
	}
	return compare(run, &(struct zwb_compare_options){ 0 });
}

static void count_hit(void *arg, const struct zwb_condition_hit *hit)
{
	assert_string_equal(hit->column->label, "y");
	assert_ptr_equal(hit->cell, &hit->row->cells[1]);
	++*(int *)arg;
}

static void condition__is_met_by_changes_that_are_not_chance(void **state)
{
	static const struct {
		const char *text;
		int hits;
		size_t judged;
	} rows[] = {
		{ "write requests>9%", 1, 1 },
		{ "write requests>11%", 0, 1 },
		{ "write requests>9% surely", 1, 1 },
		{ "write requests>10% surely", 0, 1 },
		{ "requests>9%", 1, 1 },
		{ "write requests<9%", 0, 1 },
		{ "write requests>110", 1, 1 }, /* mean 110.125 */
		{ "write requests>=110.125", 1, 1 },
		{ "write requests>110.125", 0, 1 },
		{ "read bios>9%", 0, 1 }, /* chance */
		{ "ops/s<-10%", 1, 1 },
		{ "iocost debt>1000%", 1, 1 },
		{ "iocost debt<0%", 0, 1 },
		{ "iocost debt>1% surely", 0, 0 },
		{ "zswpwb>=0%", 1, 1 },
		{ "zswpwb>=0% surely", 1, 1 },
		{ "zswpwb>0%", 0, 1 },
		{ "pgrotated>5%", 0, 0 },
		{ "pgrotated<5", 0, 0 },
		/* requests, debt, and operations turned round; read bios may be chance */
		{ "worse>1%", 3, 4 },
		{ "worse>15%", 2, 4 },
	};
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = build(run);

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_condition c;
		size_t judged = 99;
		int hits = 0, ret;

		assert_int_equal(zwb_condition_parse(rows[i].text, &c, NULL), ZWB_OK);
		ret = zwb_condition_check(&c, cmp, count_hit, &hits, &judged, NULL);
		if (ret != rows[i].hits || hits != ret || judged != rows[i].judged)
			fail_msg("%s: %d hits, %zu judged", rows[i].text, ret, judged);
		zwb_condition_release(&c);
	}
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void condition__a_row_that_is_not_there_is_an_error(void **state)
{
	static const char *const texts[] = { "p99>5%", "rite requests>5%", "write>5%",
		"write requests p99>5%" };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp = build(run);

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(texts); i++) {
		struct zwb_err err = { 0 };
		struct zwb_condition c;
		size_t judged;

		assert_int_equal(zwb_condition_parse(texts[i], &c, NULL), ZWB_OK);
		assert_int_equal(
			zwb_condition_check(&c, cmp, count_hit, NULL, &judged, &err), ZWB_EUSAGE);
		assert_non_null(strstr(err.text, c.metric));
		zwb_condition_release(&c);
	}
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(condition__the_grammar),
		cmocka_unit_test(condition__refuses_what_it_does_not_know),
		cmocka_unit_test(condition__is_met_by_changes_that_are_not_chance),
		cmocka_unit_test(condition__a_row_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests_name("condition", tests, NULL, NULL);
}
