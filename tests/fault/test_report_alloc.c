/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an empty run to a printed report, with the Nth allocation failing, for every N. */
#include "zwb_test.h"

#include "alloc.h"
#include "report.h"

#include <stdlib.h>

static int add_trace(struct zwb_run *run, struct zwb_err *err)
{
	const struct zwb_loss loss = { .kind = ZWB_LOSS_OVERRUN, .nr = 1 };
	struct zwb_meta *meta = zwb_meta_create();
	int ret = ZWB_ENOMEM;

	if (!meta)
		return zwb_err_set(err, ret, 0, "no metadata");
	ret = zwb_meta_cgroup(meta, 5, "/a", err);
	if (ret >= 0)
		ret = zwb_meta_unknown(meta, "store.cgroup", 2, err);
	if (!ret)
		ret = zwb_meta_loss(meta, &loss, err);
	if (!ret)
		ret = zwb_run_add_trace(run, meta, "unbatched", err);
	zwb_meta_free(meta);
	return ret < 0 ? ret : ZWB_OK;
}

/* Twenty values of one metric and cgroup. */
static int add_hist(
	struct zwb_run_arm *arm, enum zwb_metric metric, uint32_t cgroup, struct zwb_err *err)
{
	struct zwb_hist h;
	int ret;

	zwb_hist_init(&h);
	for (uint64_t v = 0; v < 2000; v += 100)
		zwb_hist_record(&h, v);
	ret = zwb_run_arm_hist(arm, metric, cgroup, 'M', &h, err);
	zwb_hist_release(&h);
	return ret;
}

static int add_arm(struct zwb_run *run, size_t trace, const char *policy, struct zwb_err *err)
{
	const struct zwb_run_arm_info info = { .trace = trace, .policy = policy };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);
	double values[] = { 1, policy[0] };
	const struct zwb_run_series series = { .cgroup = ZWB_RUN_TOTAL,
		.metric = ZWB_METRIC_WRITE_BIOS,
		.cls = 'E',
		.interval_ns = 1000,
		.values = values,
		.nr_values = 2 };
	int ret;

	if (!arm)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no arm");
	ret = zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 'E', policy[0], err);
	if (!ret)
		ret = zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, 1, 'E', 5, err);
	if (!ret)
		ret = add_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, 1, err);
	if (!ret)
		ret = add_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL, err);
	if (!ret)
		ret = add_hist(arm, ZWB_METRIC_REQUEST_SIZE, ZWB_RUN_TOTAL, err);
	if (!ret)
		ret = zwb_run_arm_series(arm, &series, err);
	if (!ret)
		ret = zwb_run_arm_note(arm, "assumed", err);
	if (!ret)
		ret = zwb_run_add_arm(run, arm, err);
	if (ret < 0)
		zwb_run_arm_free(arm);
	return ret < 0 ? ret : ZWB_OK;
}

static int fill(struct zwb_run *run, struct zwb_err *err)
{
	const struct zwb_metric_def def = { "walk length", "pages", "mean", ZWB_KIND_VALUE,
		ZWB_BETTER_NEITHER };
	int ret = zwb_run_add_def(run, &def, err);

	if (ret >= 0)
		ret = zwb_run_add_note(run, "of the run", err);
	for (size_t t = 0; !ret && t < 2; t++) {
		ret = add_trace(run, err);
		if (!ret)
			ret = add_arm(run, t, "x", err);
		if (!ret)
			ret = add_arm(run, t, "y", err);
	}
	return ret;
}

/* Return: the status of the first thing that failed, or ZWB_OK and a report on @out. */
static int build_and_report(FILE *out, const struct zwb_format_ops *format, struct zwb_err *err)
{
	const struct zwb_compare_options options = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = zwb_run_create("sweep of 4 cells", "0.1.0");
	const struct zwb_run *runs = run;
	int ret;

	if (!run)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no run");
	ret = fill(run, err);
	if (!ret)
		ret = zwb_report_write(out, &runs, 1, &options, format, err);
	zwb_run_free(run);
	return ret;
}

/* Leaks and uses of what was not allocated are for the sanitizers and valgrind to see. */
static void report_alloc__every_failure_ends_in_no_memory(void **state)
{
	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		int ret = ZWB_ENOMEM;
		long nr = 0;

		for (; ret; nr++) {
			struct zwb_err err = { 0 };
			char *text = NULL;
			size_t len;
			FILE *out = fault_alloc_stream(&text, &len);

			assert_non_null(out);
			fault_alloc_after(nr);
			ret = build_and_report(out, *f, &err);
			fault_alloc_after(-1);
			fclose(out);
			free(text);
			assert_true(ret == ZWB_OK || ret == ZWB_ENOMEM);
			assert_int_equal(err.status, ret);
			assert_true(ret == ZWB_OK || err.text[0]);
		}
		assert_true(nr > 500); /* the wrappers are in place */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_alloc__every_failure_ends_in_no_memory),
	};

	return cmocka_run_group_tests_name("report_alloc", tests, NULL, NULL);
}
