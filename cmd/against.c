/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printing predictions beside measurements. */
#include "against.h"

#include "engine.h"
#include "measured.h"
#include "select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One kernel that was measured, and the policy that it stands for. */
struct against_arm {
	char *kernel;
	struct zwb_policy policy;
	struct zwb_measured_ratios measured;
};

struct against_run {
	struct zwb_measured *measured;
	const char *workload;
	struct against_arm *arms;
	struct zwb_replay_lane *lanes; /* one an arm */
	size_t nr_arms;
	struct zwb_run *run;
};

static int against_workload(
	struct against_run *r, const struct zwb_against *against, struct zwb_err *err)
{
	char names[256] = "";
	size_t len, i;

	for (i = 0; zwb_measured_workload(r->measured, i); i++) {
		r->workload = zwb_measured_workload(r->measured, i);
		if (against->workload && strcmp(r->workload, against->workload) == 0)
			return ZWB_OK;
		len = strlen(names);
		snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "", r->workload);
	}
	if (i == 1 && !against->workload)
		return ZWB_OK;
	return zwb_err_set(
		err, ZWB_EUSAGE, 0, "%s: --workload names one of %s", against->path, names);
}

static int against_arm(struct against_run *r, const char *text, struct zwb_err *err)
{
	struct against_arm *arm = &r->arms[r->nr_arms];
	const char *equals = strchr(text, '=');
	int ret;

	if (!equals || equals == text)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "--arm %s: KERNEL=POLICY is wanted", text);
	ret = zwb_policy_select(equals + 1, &arm->policy, err);
	if (ret)
		return ret;
	arm->kernel = strndup(text, (size_t)(equals - text));
	r->nr_arms++;
	r->lanes[r->nr_arms - 1] = (struct zwb_replay_lane){ .policy = &arm->policy };
	if (!arm->kernel)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the measured kernels");
	ret = zwb_measured_ratios(r->measured, arm->kernel, r->workload, &arm->measured, err);
	if (!ret && arm->measured.bios.n == 0 && arm->measured.requests.n == 0)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0,
			"--arm %s: no run of kernel %s and workload %s", text, arm->kernel,
			r->workload);
	return ret;
}

static int against_replay(struct against_run *r, const struct zwb_input *input, const char *trace,
	const struct zwb_captured *captured, struct zwb_err *err)
{
	const struct zwb_replay_setup setup = {
		.lanes = r->lanes, .nr_lanes = r->nr_arms, .nr_threads = 1, .captured = captured
	};
	struct zwb_stream *stream;
	int ret = zwb_input_open(input, trace, &stream, err);

	if (ret)
		return ret;
	r->run = zwb_run_create("validate --against", ZWB_VERSION);
	if (!r->run)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the result");
	else
		ret = zwb_replay_stream(&setup, stream, r->run, err);
	zwb_stream_close(stream);
	return ret;
}

static double against_per_kpage(const struct zwb_run_arm *arm, enum zwb_metric metric)
{
	const struct zwb_run_metric *count = zwb_run_arm_find(arm, metric, ZWB_RUN_TOTAL);
	const struct zwb_run_metric *pages =
		zwb_run_arm_find(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL);

	if (!count || !pages || pages->value <= 0)
		return (double)NAN;
	return 1000 * count->value / pages->value;
}

static void against_print_row(const struct against_arm *arm, const char *what, double predicted,
	const struct zwb_stats *s)
{
	double sem = s->sd / sqrt((double)s->n);

	printf("  %-10s %-12s %-9s %9.1f %9.1f", arm->kernel, arm->policy.label, what, predicted,
		s->mean);
	if (s->n >= 2 && sem > 0)
		printf(" +- %-6.1f %3zu %+8.1f %9.1f\n", s->sd, s->n,
			100 * (predicted - s->mean) / s->mean, (predicted - s->mean) / sem);
	else
		printf("    %-6s %3zu %+8.1f %9s\n", "", s->n,
			100 * (predicted - s->mean) / s->mean, "-");
}

static void against_print(const struct against_run *r)
{
	printf("\npredicted from this recording's walks, beside measured runs of workload %s\n"
	       "per 1,000 pages written; no bar: another policy would have had other walks\n"
	       "  %-10s %-12s %-9s %9s %9s    %-6s %3s %8s %9s\n",
		r->workload, "kernel", "policy", "", "predicted", "measured", "sd", "n", "diff %",
		"std. err.");
	for (size_t i = 0; i < r->nr_arms; i++) {
		const struct zwb_run_arm *arm = r->run->arms[i];

		against_print_row(&r->arms[i], "bios",
			against_per_kpage(arm, ZWB_METRIC_WRITE_BIOS), &r->arms[i].measured.bios);
		against_print_row(&r->arms[i], "requests",
			against_per_kpage(arm, ZWB_METRIC_WRITE_REQUESTS),
			&r->arms[i].measured.requests);
	}
}

static void against_release(struct against_run *r)
{
	for (size_t i = 0; r->arms && i < r->nr_arms; i++) {
		free(r->arms[i].kernel);
		zwb_policy_release(&r->arms[i].policy);
	}
	free(r->arms);
	free(r->lanes);
	zwb_run_free(r->run);
	zwb_measured_free(r->measured);
}

int zwb_against_print(const struct zwb_against *against, const struct zwb_input *input,
	const char *trace, const struct zwb_captured *captured, struct zwb_err *err)
{
	struct against_run r = { 0 };
	int ret;

	ret = zwb_measured_read(against->path, &r.measured, err);
	if (!ret)
		ret = against_workload(&r, against, err);
	r.arms = calloc(against->arms.nr + 1, sizeof(*r.arms));
	r.lanes = calloc(against->arms.nr + 1, sizeof(*r.lanes));
	if (!ret && (!r.arms || !r.lanes))
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the measured kernels");
	for (size_t i = 0; !ret && i < against->arms.nr; i++)
		ret = against_arm(&r, against->arms.items[i], err);
	if (!ret && r.nr_arms == 0)
		ret = zwb_err_set(
			err, ZWB_EUSAGE, 0, "--against needs --arm KERNEL=POLICY, at least once");
	if (!ret)
		ret = against_replay(&r, input, trace, captured, err);
	if (!ret)
		against_print(&r);
	against_release(&r);
	return ret;
}
