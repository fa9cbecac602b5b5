/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a run: what may be put in, what is refused, in which order it comes out. */
#include "zwb_test.h"

#include "run.h"

#include <string.h>

static struct zwb_run *run_with_trace(void)
{
	struct zwb_run *run = zwb_run_create("--policy batched", "1.2.3");
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_loss loss = { .cpu = 1, .kind = ZWB_LOSS_OVERRUN, .nr = 7, .nr_is_known = 1 };

	assert_non_null(run);
	assert_non_null(meta);
	assert_int_equal(zwb_meta_set(&meta->digest, "abcd", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 42, "/w0", NULL), 1);
	assert_int_equal(zwb_meta_loss(meta, &loss, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "swap_write.cgroup", 3, NULL), ZWB_OK);
	meta->nr_events = 99;
	assert_int_equal(zwb_run_add_trace(run, meta, "unbatched", NULL), 0);
	zwb_meta_free(meta);
	return run;
}

static struct zwb_run_arm *arm_of(const char *policy)
{
	const struct zwb_run_arm_info info = { .policy = policy, .device = "linear", .seed = 5 };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);

	assert_non_null(arm);
	return arm;
}

static void run__trace_is_a_copy_of_what_the_metadata_said(void **state)
{
	struct zwb_run *run = run_with_trace();
	const struct zwb_run_trace *t = &run->traces[0];

	(void)state;
	assert_string_equal(t->digest, "abcd");
	assert_string_equal(t->captured_policy, "unbatched");
	assert_int_equal(t->nr_events, 99);
	assert_int_equal(t->nr_cgroups, 2);
	assert_string_equal(t->cgroups[1].path, "/w0");
	assert_int_equal(t->losses[0].nr, 7);
	assert_string_equal(t->unknowns[0].what, "swap_write.cgroup");
	zwb_run_free(run);
}

static void run__values_are_found_whatever_order_they_came_in(void **state)
{
	struct zwb_run *run = run_with_trace();
	struct zwb_run_arm *arm = arm_of("batched");
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	zwb_hist_record(&h, 1000);
	assert_int_equal(
		zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 'E', 10, NULL),
		ZWB_OK);
	assert_int_equal(zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, 1, 'E', 4, NULL), ZWB_OK);
	assert_int_equal(zwb_run_arm_metric(arm, ZWB_METRIC_ZSWPWB, 1, 'M', 7, NULL), ZWB_OK);
	assert_int_equal(
		zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL, 'M', &h, NULL),
		ZWB_OK);
	assert_int_equal(h.count, 0); /* it passed to the arm */
	assert_int_equal(zwb_run_add_arm(run, arm, NULL), 0);
	assert_true(zwb_run_arm_find(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL)->value == 10);
	assert_true(zwb_run_arm_find(arm, ZWB_METRIC_WRITE_BIOS, 1)->value == 4);
	assert_int_equal(zwb_run_arm_find(arm, ZWB_METRIC_ZSWPWB, 1)->cls, 'M');
	assert_null(zwb_run_arm_find(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL));
	assert_int_equal(
		zwb_run_arm_find_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL)->hist.count,
		1);
	assert_null(zwb_run_arm_find_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, 1));
	zwb_run_free(run);
}

static void run__impossible_values_are_refused(void **state)
{
	static const struct {
		const char *why;
		uint32_t metric;
		uint32_t cgroup;
		char cls;
	} rows[] = {
		{ "no such metric", ZWB_METRIC_NR, ZWB_RUN_TOTAL, 'E' },
		{ "a histogram", ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL, 'E' },
		{ "no such cgroup", ZWB_METRIC_ZSWPWB, 2, 'E' },
		{ "no such class", ZWB_METRIC_ZSWPWB, 1, 'X' },
		{ "class missing", ZWB_METRIC_ZSWPWB, 1, '\0' },
		{ "there twice", ZWB_METRIC_ZSWPWB, 0, 'E' },
	};
	struct zwb_run *run = run_with_trace();

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_run_arm *arm = arm_of("batched");

		print_message("%s\n", rows[i].why);
		assert_int_equal(
			zwb_run_arm_metric(arm, ZWB_METRIC_ZSWPWB, 0, 'E', 1, NULL), ZWB_OK);
		assert_int_equal(zwb_run_arm_metric(
					 arm, rows[i].metric, rows[i].cgroup, rows[i].cls, 1, NULL),
			ZWB_OK);
		assert_int_equal(zwb_run_add_arm(run, arm, NULL), ZWB_EUSAGE);
		zwb_run_arm_free(arm);
	}
	assert_int_equal(run->nr_arms, 0);
	zwb_run_free(run);
}

static void run__arm_of_a_missing_trace_is_refused(void **state)
{
	struct zwb_run *run = zwb_run_create("", "");
	struct zwb_run_arm *arm = arm_of("batched");

	(void)state;
	assert_int_equal(zwb_run_add_arm(run, arm, NULL), ZWB_EUSAGE);
	zwb_run_arm_free(arm);
	zwb_run_free(run);
}

static void run__histogram_that_lost_values_is_refused(void **state)
{
	struct zwb_run_arm *arm = arm_of("batched");
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	h.no_memory = 1;
	assert_int_equal(
		zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, 0, 'M', &h, NULL), ZWB_ENOMEM);
	zwb_run_arm_free(arm);
}

static void run__metrics_of_other_versions_join_by_name(void **state)
{
	const struct zwb_metric_def known = { "write bios", "count", "", ZWB_KIND_COUNT,
		ZWB_BETTER_LOWER };
	const struct zwb_metric_def strange = { "walk length", "pages", "mean", ZWB_KIND_VALUE,
		ZWB_BETTER_NEITHER };
	const struct zwb_metric_def clash = { "write bios", "s", "", ZWB_KIND_COUNT,
		ZWB_BETTER_LOWER };
	struct zwb_run *run = zwb_run_create("", "");

	(void)state;
	assert_int_equal(zwb_run_add_def(run, &known, NULL), ZWB_METRIC_WRITE_BIOS);
	assert_int_equal(zwb_run_add_def(run, &strange, NULL), ZWB_METRIC_NR);
	assert_int_equal(zwb_run_add_def(run, &strange, NULL), ZWB_METRIC_NR);
	assert_int_equal(zwb_run_add_def(run, &clash, NULL), ZWB_EDATA);
	assert_string_equal(run->defs[ZWB_METRIC_NR].unit, "pages");
	zwb_run_free(run);
}

static void run__a_note_said_twice_is_kept_once(void **state)
{
	struct zwb_run *run = zwb_run_create("", "");

	(void)state;
	assert_int_equal(zwb_run_add_note(run, "plugs inferred", NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_note(run, "plugs inferred", NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_note(run, "device not fitted", NULL), ZWB_OK);
	assert_int_equal(run->nr_notes, 2);
	assert_string_equal(run->notes[1], "device not fitted");
	zwb_run_free(run);
}

static void run__the_less_sure_class_wins(void **state)
{
	(void)state;
	assert_int_equal(zwb_class_worse('E', 'E'), 'E');
	assert_int_equal(zwb_class_worse('E', 'M'), 'M');
	assert_int_equal(zwb_class_worse('F', 'M'), 'F');
	assert_int_equal(zwb_class_worse('E', 'F'), 'F');
}

static void run__metric_names_are_unique_and_hold_no_comma(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ZWB_METRIC_NR; i++) {
		const char *name = zwb_metric_def((enum zwb_metric)i)->name;

		assert_null(strchr(name, ','));
		for (unsigned int k = 0; k < i; k++)
			assert_string_not_equal(name, zwb_metric_def((enum zwb_metric)k)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run__trace_is_a_copy_of_what_the_metadata_said),
		cmocka_unit_test(run__values_are_found_whatever_order_they_came_in),
		cmocka_unit_test(run__impossible_values_are_refused),
		cmocka_unit_test(run__arm_of_a_missing_trace_is_refused),
		cmocka_unit_test(run__histogram_that_lost_values_is_refused),
		cmocka_unit_test(run__metrics_of_other_versions_join_by_name),
		cmocka_unit_test(run__a_note_said_twice_is_kept_once),
		cmocka_unit_test(run__the_less_sure_class_wins),
		cmocka_unit_test(run__metric_names_are_unique_and_hold_no_comma),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
