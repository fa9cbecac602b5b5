/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep shows: factors, the Pareto front, the effects of parameters. */
#include "run_builder.h"

#include "effects.h"
#include "factors.h"
#include "pareto.h"

static const struct zwb_compare_options all = { 0 };

/* An arm that was replayed with these. */
static struct zwb_run_arm *arm_of(
	size_t trace, const char *policy, const char *params, const char *device)
{
	const struct zwb_run_arm_info info = { .trace = trace,
		.seed = 1,
		.policy = policy,
		.policy_params = params,
		.device = device,
		.trigger = "recorded",
		.loop = "open",
		.scheduler = "none" };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);

	assert_non_null(arm);
	return arm;
}

static void add(struct zwb_run *run, struct zwb_run_arm *arm, double requests, double debt)
{
	build_value(arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, requests);
	build_value(arm, ZWB_METRIC_IOCOST_DEBT, ZWB_RUN_TOTAL, debt);
	build_add(run, arm);
}

/* Two policies over two devices, and a third policy with a parameter of its own over one. */
static struct zwb_run *sweep(void)
{
	static const char small[] = "linear,depth=1,noise=20", large[] = "linear,depth=8,noise=20";
	static const char none[] = "none,ctx=entry,plug=none", walk[] = "walk,ctx=walk,plug=walk";
	struct zwb_run *run = zwb_run_create("sweep of 6 cells, plan sha256 0", "0.1.0");
	size_t trace;

	assert_non_null(run);
	trace = build_trace(run, "one");
	add(run, arm_of(trace, "none", none, small), 100, 10);
	add(run, arm_of(trace, "none", none, large), 200, 4);
	add(run, arm_of(trace, "walk", walk, small), 50, 20);
	add(run, arm_of(trace, "walk", walk, large), 60, 5);
	add(run, arm_of(trace, "sort,max=1", "sort,ctx=walk,plug=walk,max=1", small), 40, 20);
	add(run, arm_of(trace, "sort,max=2", "sort,ctx=walk,plug=walk,max=2", small), 30, 30);
	return run;
}

static const struct zwb_factor *factor_called(const struct zwb_factors *factors, const char *name)
{
	for (size_t i = 0; i < factors->nr; i++) {
		if (strcmp(factors->items[i].name, name) == 0)
			return &factors->items[i];
	}
	return NULL;
}

static void explore__factors_are_what_differs_under_one_name(void **state)
{
	static const char *const labels[] = { "none device depth=1", "none device depth=8",
		"walk device depth=1", "walk device depth=8", "sort max=1 device depth=1",
		"sort max=2 device depth=1" };
	struct zwb_run *run = sweep();
	struct zwb_comparison *cmp = compare(run, &all);
	struct zwb_factors factors;
	const struct zwb_factor *f;

	(void)state;
	assert_int_equal(cmp->is_sweep, 1);
	assert_int_equal(zwb_factors_of(cmp, &factors, NULL), ZWB_OK);
	/* not ctx and plug: they are what the presets are; not noise: it is the same everywhere */
	assert_int_equal(factors.nr, 3);
	assert_string_equal(factors.items[0].name, "policy");
	assert_string_equal(factors.items[1].name, "max");
	assert_string_equal(factors.items[2].name, "device depth");
	f = factor_called(&factors, "max");
	assert_int_equal(f->nr_levels, 2);
	assert_int_equal(f->level[0], ZWB_NO_LEVEL);
	assert_int_equal(f->level[5], 1);
	assert_string_equal(f->levels[1], "2");
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		char *label = zwb_factors_label(&factors, cmp, c);

		assert_non_null(label);
		assert_string_equal(label, labels[c]);
		free(label);
	}
	zwb_factors_release(&factors);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/*
 * By requests and debt: none/8 has the least debt, sort/2 the fewest requests. walk/1 (50, 20) is
 * beaten by sort/1 (40, 20); none/1 (100, 10) by walk/8 (60, 5).
 */
static void explore__the_front_is_what_nothing_else_beats(void **state)
{
	struct zwb_run *run = sweep();
	struct zwb_comparison *cmp = compare(run, &all);
	struct zwb_pareto p;

	(void)state;
	assert_int_equal(zwb_pareto_of(cmp, &p, NULL), ZWB_OK);
	assert_int_equal(p.nr_rows, 2);
	assert_string_equal(p.rows[0]->name, "write requests");
	assert_string_equal(p.rows[1]->name, "iocost debt");
	assert_int_equal(p.nr_front, 4);
	assert_int_equal(p.front[0], 1);
	assert_int_equal(p.front[1], 3);
	assert_int_equal(p.front[2], 4);
	assert_int_equal(p.front[3], 5);
	zwb_pareto_release(&p);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* By definition, over points that a generator makes, ties included. */
static void explore__the_front_is_the_one_by_definition(void **state)
{
	enum { NR = 200 };
	struct zwb_run *run = build_run();
	size_t trace = build_trace(run, "one"), nr_front = 0, at = 0;
	double requests[NR], debt[NR];
	struct zwb_comparison *cmp;
	struct zwb_pareto p;
	uint32_t random = 1;

	(void)state;
	for (int i = 0; i < NR; i++) {
		char name[16];

		random = random * 1664525u + 1013904223u;
		requests[i] = (random >> 16) % 30;
		random = random * 1664525u + 1013904223u;
		debt[i] = (random >> 16) % 30;
		snprintf(name, sizeof(name), "p%d", i);
		add(run, arm_of(trace, name, name, "d"), requests[i], debt[i]);
	}
	cmp = compare(run, &all);
	assert_int_equal(zwb_pareto_of(cmp, &p, NULL), ZWB_OK);
	for (size_t i = 0; i < NR; i++) {
		int is_beaten = 0;

		for (size_t k = 0; k < NR; k++)
			is_beaten |= requests[k] <= requests[i] && debt[k] <= debt[i] &&
				     (requests[k] < requests[i] || debt[k] < debt[i]);
		if (is_beaten)
			continue;
		assert_true(at < p.nr_front);
		assert_int_equal(p.front[at++], i);
		nr_front++;
	}
	assert_int_equal(p.nr_front, nr_front);
	assert_true(nr_front > 0 && nr_front < NR / 2);
	zwb_pareto_release(&p);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void explore__what_is_the_same_or_missing_somewhere_decides_nothing(void **state)
{
	struct zwb_run *run = build_run();
	size_t trace = build_trace(run, "one");
	struct zwb_comparison *cmp;
	struct zwb_pareto p;

	(void)state;
	build_total(run, trace, "a", ZWB_METRIC_IOCOST_DEBT, 1);
	add(run, arm_of(trace, "b", "b", "linear"), 5, 2);
	cmp = compare(run, &all);
	assert_int_equal(zwb_pareto_of(cmp, &p, NULL), ZWB_OK);
	assert_int_equal(p.nr_rows, 1);
	assert_int_equal(p.nr_front, 1);
	assert_int_equal(p.front[0], 0);
	zwb_pareto_release(&p);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static const struct zwb_effect *effect_of(
	const struct zwb_effects *effects, const char *factor, const char *to, const char *metric)
{
	for (size_t i = 0; i < effects->nr; i++) {
		const struct zwb_effect *e = &effects->items[i];

		if (strcmp(e->factor->name, factor) == 0 &&
			strcmp(e->factor->levels[e->to], to) == 0 &&
			strcmp(e->row->name, metric) == 0)
			return e;
	}
	return NULL;
}

static void explore__effects_are_over_pairs_that_differ_in_nothing_else(void **state)
{
	static const struct {
		const char *factor, *to, *metric;
		size_t nr_pairs;
		double percent, least, most;
	} rows[] = {
		/* (100, 200) to (50, 60): 300 to 110; -50 % and -70 % */
		{ "policy", "walk", "write requests", 2, -190 / 3.0, -70, -50 },
		/* none/1 with sort/1 and sort/2: 200 to 70; max is none's lack, not a difference */
		{ "policy", "sort", "write requests", 2, -65, -70, -60 },
		{ "policy", "sort", "iocost debt", 2, 150, 100, 200 },
		/* (100, 50) to (200, 60): 150 to 260; sort has no second device to pair with */
		{ "device depth", "8", "write requests", 2, 220 / 3.0, 20, 100 },
		{ "max", "2", "write requests", 1, -25, -25, -25 },
	};
	struct zwb_run *run = sweep();
	struct zwb_comparison *cmp = compare(run, &all);
	struct zwb_effects effects;
	struct zwb_factors factors;
	struct zwb_pareto p;

	(void)state;
	assert_int_equal(zwb_pareto_of(cmp, &p, NULL), ZWB_OK);
	assert_int_equal(zwb_factors_of(cmp, &factors, NULL), ZWB_OK);
	assert_int_equal(zwb_effects_of(&factors, cmp, p.rows, p.nr_rows, &effects, NULL), ZWB_OK);
	/* walk, sort, max 2 and depth 8, two metrics each */
	assert_int_equal(effects.nr, 8);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct zwb_effect *e;

		e = effect_of(&effects, rows[i].factor, rows[i].to, rows[i].metric);
		assert_non_null(e);
		assert_int_equal(e->nr_pairs, rows[i].nr_pairs);
		assert_value(e->percent, rows[i].percent);
		assert_value(e->least, rows[i].least);
		assert_value(e->most, rows[i].most);
	}
	zwb_effects_release(&effects);
	zwb_factors_release(&factors);
	zwb_pareto_release(&p);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void explore__mails_and_pages_of_sweeps_show_both(void **state)
{
	struct zwb_run *run = sweep();
	char *mail = build_report(run, "lkml", &all), *page = build_report(run, "html", &all);

	(void)state;
	assert_non_null(strstr(mail, "Pareto front: 4 of 6 combinations."));
	assert_non_null(
		strstr(mail, "  sort max=2 device depth=1\n"
			     "      write requests 30 (-70.0%), iocost debt 30 s (+200.0%)\n"));
	assert_non_null(strstr(mail, "Not on it:\n  none device depth=1 (baseline)\n"));
	assert_non_null(strstr(mail, "  device depth from 1 to 8 (2 pairs)\n"));
	assert_non_null(strstr(page, "<td>sort max=2 device depth=1</td>"));
	assert_non_null(strstr(page, "<small>from 1 to 8</small></td><td>2</td>"));
	free(mail);
	free(page);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explore__factors_are_what_differs_under_one_name),
		cmocka_unit_test(explore__the_front_is_what_nothing_else_beats),
		cmocka_unit_test(explore__the_front_is_the_one_by_definition),
		cmocka_unit_test(explore__what_is_the_same_or_missing_somewhere_decides_nothing),
		cmocka_unit_test(explore__effects_are_over_pairs_that_differ_in_nothing_else),
		cmocka_unit_test(explore__mails_and_pages_of_sweeps_show_both),
	};

	return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
