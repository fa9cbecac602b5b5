/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small runs for the tests of the analysis. */
#ifndef ZWB_RUN_BUILDER_H
#define ZWB_RUN_BUILDER_H

#include "zwb_test.h"

#include "report.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline struct zwb_run *build_run(void)
{
	struct zwb_run *run = zwb_run_create("--policy test", "0.1.0");

	assert_non_null(run);
	return run;
}

/* A recording of @digest that lost nothing, with cgroups /a and /b beside the unknown one. */
static inline size_t build_trace(struct zwb_run *run, const char *digest)
{
	struct zwb_meta *meta = zwb_meta_create();
	char source[64];
	int trace;

	assert_non_null(meta);
	snprintf(source, sizeof(source), "%s.dat", digest);
	assert_int_equal(zwb_meta_set(&meta->source, source, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_set(&meta->digest, digest, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_set(&meta->kernel, "7.3.4", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_set(&meta->scheduler, "none", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 10, "/a", NULL), 1);
	assert_int_equal(zwb_meta_cgroup(meta, 11, "/b", NULL), 2);
	meta->nr_events = 1000;
	meta->end_ns = 2500000000;
	trace = zwb_run_add_trace(run, meta, "unbatched", NULL);
	assert_true(trace >= 0);
	zwb_meta_free(meta);
	return (size_t)trace;
}

static inline struct zwb_run_arm *build_arm(size_t trace, const char *policy, uint64_t seed)
{
	const struct zwb_run_arm_info info = { .trace = trace,
		.seed = seed,
		.policy = policy,
		.policy_params = "ctx=walk",
		.device = "linear",
		.trigger = "recorded",
		.loop = "open",
		.scheduler = "none" };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);

	assert_non_null(arm);
	return arm;
}

static inline void build_value(
	struct zwb_run_arm *arm, enum zwb_metric metric, uint32_t cgroup, double value)
{
	assert_int_equal(zwb_run_arm_metric(arm, metric, cgroup, 'E', value, NULL), ZWB_OK);
}

static inline void build_add(struct zwb_run *run, struct zwb_run_arm *arm)
{
	assert_true(zwb_run_add_arm(run, arm, NULL) >= 0);
}

/* An arm with one total. */
static inline void build_total(
	struct zwb_run *run, size_t trace, const char *policy, enum zwb_metric metric, double value)
{
	struct zwb_run_arm *arm = build_arm(trace, policy, 1);

	build_value(arm, metric, ZWB_RUN_TOTAL, value);
	build_add(run, arm);
}

/* The report of one run in the format called @name; caller frees. */
static inline char *build_report(
	const struct zwb_run *run, const char *name, const struct zwb_compare_options *options)
{
	const struct zwb_format_ops *format = NULL;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		if (strcmp((*f)->name, name) == 0)
			format = *f;
	}
	assert_non_null(format);
	assert_int_equal(zwb_report_write(out, &run, 1, options, format, NULL), ZWB_OK);
	assert_int_equal(fclose(out), 0);
	return text;
}

static inline struct zwb_comparison *compare(
	const struct zwb_run *run, const struct zwb_compare_options *options)
{
	struct zwb_comparison *cmp;

	assert_int_equal(zwb_compare(&run, 1, options, &cmp, NULL), ZWB_OK);
	return cmp;
}

static inline const struct zwb_cmp_row *find_row(
	const struct zwb_comparison *cmp, const char *name, const char *cgroup)
{
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *r = &cmp->rows[i];

		if (strcmp(r->name, name) == 0 &&
			(cgroup ? r->group && strcmp(r->group, cgroup) == 0 : !r->group))
			return r;
	}
	return NULL;
}

static inline void assert_value(double got, double expected)
{
	if (isnan(expected))
		assert_true(isnan(got));
	else
		assert_true(fabs(got - expected) <= 1e-9 * fabs(expected));
}

#endif
