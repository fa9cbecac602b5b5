/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving recordings and arms between runs. */
#include "run_builder.h"

/* A run with a metric of its own under number ZWB_METRIC_NR + @before. */
static struct zwb_run *run_with_own_metric(int before, int *metric)
{
	const struct zwb_metric_def other = { "other", "s", "", ZWB_KIND_VALUE, ZWB_BETTER_LOWER };
	const struct zwb_metric_def own = { "own", "s", "", ZWB_KIND_VALUE, ZWB_BETTER_LOWER };
	struct zwb_run *run = build_run();

	for (int i = 0; i < before; i++)
		assert_true(zwb_run_add_def(run, &other, NULL) >= 0);
	*metric = zwb_run_add_def(run, &own, NULL);
	assert_true(*metric >= 0);
	return run;
}

static void run_move__an_arm_keeps_all_its_values(void **state)
{
	int metric, there;
	struct zwb_run *from = run_with_own_metric(1, &metric),
		       *into = run_with_own_metric(0, &there);
	size_t trace = build_trace(from, "one");
	struct zwb_run_arm *arm = build_arm(trace, "x", 3);
	double values[] = { 3, 4 };
	const struct zwb_run_series series = { .cgroup = ZWB_RUN_TOTAL,
		.metric = (uint32_t)metric,
		.cls = 'E',
		.interval_ns = 10,
		.values = values,
		.nr_values = 2 };
	struct zwb_hist h;
	int moved;

	(void)state;
	assert_int_not_equal(metric, there);
	zwb_hist_init(&h);
	zwb_hist_record(&h, 7);
	build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, 5);
	build_value(arm, (enum zwb_metric)metric, ZWB_RUN_TOTAL, 0.5);
	assert_int_equal(
		zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL, 'M', &h, NULL),
		ZWB_OK);
	assert_int_equal(zwb_run_arm_series(arm, &series, NULL), ZWB_OK);
	build_add(from, arm);
	build_trace(into, "zero");

	moved = zwb_run_move_trace(into, from, trace, NULL);
	assert_int_equal(moved, 1);
	assert_int_equal(zwb_run_move_arm(into, (size_t)moved, from, 0, NULL), 0);
	assert_null(from->arms[0]);
	assert_null(from->traces[trace].digest);
	assert_string_equal(into->traces[1].digest, "one");
	assert_int_equal(into->arms[0]->info.trace, 1);
	assert_int_equal(into->arms[0]->info.seed, 3);
	assert_true(zwb_run_arm_find(into->arms[0], ZWB_METRIC_WRITE_BIOS, 1)->value == 5);
	assert_true(zwb_run_arm_find(into->arms[0], (uint32_t)there, ZWB_RUN_TOTAL)->value == 0.5);
	assert_int_equal(
		zwb_run_arm_find_hist(into->arms[0], ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL)
			->hist.count,
		1);
	assert_true(
		zwb_run_arm_find_series(into->arms[0], (uint32_t)there, ZWB_RUN_TOTAL)->values[1] ==
		4);
	zwb_run_free(from);
	zwb_run_free(into);
}

static void run_move__a_cgroup_that_is_not_there_is_refused(void **state)
{
	struct zwb_run *from = build_run(), *into = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_run_arm *arm = build_arm(build_trace(from, "one"), "x", 1);

	(void)state;
	assert_non_null(meta);
	assert_int_equal(zwb_run_add_trace(into, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_value(arm, ZWB_METRIC_WRITE_BIOS, 2, 5);
	build_add(from, arm);
	assert_int_equal(zwb_run_move_arm(into, 0, from, 0, NULL), ZWB_EUSAGE);
	assert_int_equal(into->nr_arms, 0);
	assert_ptr_equal(from->arms[0], arm);
	zwb_run_free(from);
	zwb_run_free(into);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_move__an_arm_keeps_all_its_values),
		cmocka_unit_test(run_move__a_cgroup_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests_name("run_move", tests, NULL, NULL);
}
