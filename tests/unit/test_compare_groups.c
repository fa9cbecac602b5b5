/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which replays belong together in a comparison, and who is named where they differ. */
#include "run_builder.h"

#include <math.h>

static const struct zwb_compare_options all = { 0 };

static void compare_groups__same_recording_from_two_files_is_one(void **state)
{
	struct zwb_run *a = build_run(), *b = build_run();
	const struct zwb_run *runs[] = { a, b };
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	build_trace(a, "one");
	build_total(a, 0, "x", ZWB_METRIC_WRITE_BIOS, 10);
	build_trace(b, "other");
	build_trace(b, "one");
	build_total(b, 1, "y", ZWB_METRIC_WRITE_BIOS, 5);
	build_total(b, 1, "x", ZWB_METRIC_WRITE_BIOS, 10); /* the same replay again */
	assert_int_equal(zwb_compare(runs, 2, &all, &cmp, NULL), ZWB_OK);
	row = find_row(cmp, "write bios", NULL);
	assert_int_equal(cmp->nr_recordings, 1); /* nothing was replayed over "other" */
	assert_int_equal(row->cells[0].n, 1);
	assert_int_equal(row->cells[0].nr_arms, 1);
	assert_value(row->cells[1].delta_percent, -50);
	assert_int_equal(cmp->nr_notes, 1);
	assert_non_null(strstr(cmp->notes[0], "policy and seed): 1"));
	zwb_comparison_free(cmp);
	zwb_run_free(a);
	zwb_run_free(b);
}

/* x over two recordings, y over one: their difference would be one of recordings. */
static void compare_groups__no_delta_across_different_recordings(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	build_trace(run, "one");
	build_trace(run, "two");
	build_total(run, 0, "x", ZWB_METRIC_WRITE_BIOS, 10);
	build_total(run, 1, "x", ZWB_METRIC_WRITE_BIOS, 20);
	build_total(run, 1, "y", ZWB_METRIC_WRITE_BIOS, 5);
	cmp = compare(run, &all);
	row = find_row(cmp, "write bios", NULL);
	assert_value(row->cells[0].value, 15);
	assert_value(row->cells[1].value, 5);
	assert_value(row->cells[1].delta_percent, NAN);
	assert_non_null(strstr(cmp->notes[0], "not every policy was replayed over every"));
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare_groups__same_policy_on_two_devices_is_two_columns(void **state)
{
	struct zwb_run_arm_info info = { .policy = "x",
		.device = "linear,depth=1",
		.trigger = "recorded",
		.loop = "open",
		.scheduler = "none" };
	const struct zwb_compare_options alone = { .baseline = "x" };
	const struct zwb_compare_options full = { .baseline = "x device=linear,depth=2" };
	struct zwb_run *run = build_run();
	const struct zwb_run *runs = run;
	struct zwb_comparison *cmp;
	struct zwb_err err;

	(void)state;
	build_trace(run, "one");
	for (int i = 0; i < 2; i++) {
		struct zwb_run_arm *arm = zwb_run_arm_create(&info);

		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, i + 1);
		build_add(run, arm);
		info.device = "linear,depth=2";
	}
	cmp = compare(run, &full);
	assert_string_equal(cmp->columns[0].label, "x device=linear,depth=2");
	assert_string_equal(cmp->columns[1].label, "x device=linear,depth=1");
	zwb_comparison_free(cmp);
	assert_int_equal(zwb_compare(&runs, 1, &alone, &cmp, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, "more than one baseline \"x\""));
	zwb_run_free(run);
}

static void compare_groups__cgroups_join_by_path(void **state)
{
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct zwb_run_arm *arm = build_arm(t, "x", 1);

		build_trace(run, t ? "two" : "one");
		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 100);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, 30 + (double)t * 10);
		if (t == 0)
			build_value(arm, ZWB_METRIC_WRITE_BIOS, 2, 70);
		build_add(run, arm);
	}
	cmp = compare(run, &by_cgroup);
	assert_int_equal(cmp->nr_rows, 3); /* total, /a, /b: the unknown cgroup had nothing */
	assert_null(cmp->rows[0].group);
	assert_value(find_row(cmp, "write bios", "/a")->cells[0].value, 35);
	assert_int_equal(find_row(cmp, "write bios", "/a")->cells[0].n, 2);
	assert_value(find_row(cmp, "write bios", "/b")->cells[0].value, 70);
	assert_int_equal(find_row(cmp, "write bios", "/b")->cells[0].n, 1);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* A cgroup that was removed and made again: two ids with one path in one recording. */
static void compare_groups__cgroups_of_one_path_are_told_apart_by_id(void **state)
{
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_run_arm *arm = build_arm(0, "x", 1);
	struct zwb_comparison *cmp;

	(void)state;
	assert_int_equal(zwb_meta_cgroup(meta, 5, "/w", NULL), 1);
	assert_int_equal(zwb_meta_cgroup(meta, 6, "/w", NULL), 2);
	assert_int_equal(zwb_meta_cgroup(meta, 0xffff888012345678, "", NULL), 3);
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	for (uint32_t i = 1; i <= 3; i++)
		build_value(arm, ZWB_METRIC_WRITE_BIOS, i, i);
	build_add(run, arm);
	cmp = compare(run, &by_cgroup);
	assert_value(find_row(cmp, "write bios", "/w (id 5)")->cells[0].value, 1);
	assert_value(find_row(cmp, "write bios", "/w (id 6)")->cells[0].value, 2);
	assert_value(find_row(cmp, "write bios", "(id 0xffff888012345678)")->cells[0].value, 3);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare_groups__notes_say_whom_they_are_about(void **state)
{
	static const char *const expected[] = { "of the run", "everyone", "y: only y",
		"recording 2: only two", "y: recording 2: only y on two" };
	struct zwb_run *run = build_run();
	struct zwb_comparison *cmp;

	(void)state;
	assert_int_equal(zwb_run_add_note(run, "of the run", NULL), ZWB_OK);
	build_trace(run, "one");
	build_trace(run, "two");
	for (size_t t = 0; t < 2; t++) {
		for (int y = 0; y < 2; y++) {
			struct zwb_run_arm *arm = build_arm(t, y ? "y" : "x", 1);

			build_value(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL, 1);
			assert_int_equal(zwb_run_arm_note(arm, "everyone", NULL), ZWB_OK);
			if (y)
				assert_int_equal(zwb_run_arm_note(arm, "only y", NULL), ZWB_OK);
			if (t)
				assert_int_equal(zwb_run_arm_note(arm, "only two", NULL), ZWB_OK);
			if (t && y)
				assert_int_equal(
					zwb_run_arm_note(arm, "only y on two", NULL), ZWB_OK);
			build_add(run, arm);
		}
	}
	cmp = compare(run, &all);
	assert_int_equal(cmp->nr_notes, ZWB_ARRAY_LEN(expected));
	for (size_t i = 0; i < cmp->nr_notes; i++) {
		size_t k = 0;

		while (k < cmp->nr_notes && strcmp(cmp->notes[k], expected[i]) != 0)
			k++;
		if (k == cmp->nr_notes)
			fail_msg("no note \"%s\"", expected[i]);
	}
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare_groups__losses_are_counted_per_recording(void **state)
{
	const struct zwb_loss losses[] = {
		{ .cpu = 0, .kind = ZWB_LOSS_OVERRUN, .nr = 7, .nr_is_known = 1 },
		{ .cpu = 1, .kind = ZWB_LOSS_OVERRUN, .nr = 0, .nr_is_known = 0 }, /* at least 1 */
		{ .cpu = 1, .kind = ZWB_LOSS_UNPAIRED_BEGIN, .nr = 9, .nr_is_known = 1 },
		{ .cpu = 1, .kind = ZWB_LOSS_RESTORED, .nr = 9, .nr_is_known = 1 },
	};
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_comparison *cmp;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(losses); i++)
		assert_int_equal(zwb_meta_loss(meta, &losses[i], NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "a", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "b", 3, NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	cmp = compare(run, &all);
	assert_int_equal(cmp->recordings[0].nr_lost, 8);
	assert_false(cmp->recordings[0].lost_is_exact);
	assert_int_equal(cmp->recordings[0].nr_unknown, 5);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void compare_groups__metrics_of_other_versions_are_rows_too(void **state)
{
	const struct zwb_metric_def strange = { "walk length", "pages", "mean", ZWB_KIND_VALUE,
		ZWB_BETTER_NEITHER };
	struct zwb_run *a = build_run(), *b = build_run();
	const struct zwb_run *runs[] = { a, b };
	struct zwb_comparison *cmp;

	(void)state;
	build_trace(a, "one");
	build_total(a, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	build_trace(b, "one");
	assert_int_equal(zwb_run_add_def(b, &strange, NULL), ZWB_METRIC_NR);
	build_total(b, 0, "y", ZWB_METRIC_NR, 12);
	assert_int_equal(zwb_compare(runs, 2, &all, &cmp, NULL), ZWB_OK);
	assert_value(find_row(cmp, "walk length", NULL)->cells[1].value, 12);
	assert_value(find_row(cmp, "walk length", NULL)->cells[0].value, NAN);
	zwb_comparison_free(cmp);
	zwb_run_free(a);
	zwb_run_free(b);
}

static void compare_groups__nothing_to_compare_is_an_error(void **state)
{
	struct zwb_run *run = build_run();
	const struct zwb_run *runs = run;
	struct zwb_comparison *cmp;

	(void)state;
	build_trace(run, "one");
	assert_int_equal(zwb_compare(&runs, 1, &all, &cmp, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_compare(NULL, 0, &all, &cmp, NULL), ZWB_EUSAGE);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compare_groups__same_recording_from_two_files_is_one),
		cmocka_unit_test(compare_groups__no_delta_across_different_recordings),
		cmocka_unit_test(compare_groups__same_policy_on_two_devices_is_two_columns),
		cmocka_unit_test(compare_groups__cgroups_join_by_path),
		cmocka_unit_test(compare_groups__cgroups_of_one_path_are_told_apart_by_id),
		cmocka_unit_test(compare_groups__notes_say_whom_they_are_about),
		cmocka_unit_test(compare_groups__losses_are_counted_per_recording),
		cmocka_unit_test(compare_groups__metrics_of_other_versions_are_rows_too),
		cmocka_unit_test(compare_groups__nothing_to_compare_is_an_error),
	};

	return cmocka_run_group_tests_name("compare_groups", tests, NULL, NULL);
}
