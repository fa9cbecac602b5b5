/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings and arms from one run to another. */
#include "grow.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static int move_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the results");
}

int zwb_run_move_trace(
	struct zwb_run *into, struct zwb_run *from, size_t trace, struct zwb_err *err)
{
	if (!ZWB_GROW(into->traces, into->nr_traces))
		return move_no_memory(err);
	into->traces[into->nr_traces] = from->traces[trace];
	memset(&from->traces[trace], 0, sizeof(from->traces[trace]));
	return (int)into->nr_traces++;
}

/* The number of a metric in another run; built-in ones have the same everywhere. */
static int move_metric(
	struct zwb_run *into, const struct zwb_run *from, uint32_t metric, struct zwb_err *err)
{
	if (metric < ZWB_METRIC_NR)
		return (int)metric;
	return zwb_run_add_def(into, &from->defs[metric], err);
}

/* One metric after the other: of values, histograms, then series. */
static uint32_t *metric_at(struct zwb_run_arm *a, size_t i)
{
	if (i < a->nr_metrics)
		return &a->metrics[i].metric;
	i -= a->nr_metrics;
	return i < a->nr_hists ? &a->hists[i].metric : &a->series[i - a->nr_hists].metric;
}

int zwb_run_move_arm(
	struct zwb_run *into, size_t trace, struct zwb_run *from, size_t arm, struct zwb_err *err)
{
	struct zwb_run_arm *a = from->arms[arm];
	size_t nr = a->nr_metrics + a->nr_hists + a->nr_series;
	uint32_t *metrics = malloc((nr + 1) * sizeof(*metrics));
	int ret = metrics ? ZWB_OK : move_no_memory(err);

	/* first all that may fail, then the arm */
	for (size_t i = 0; ret >= 0 && i < nr; i++) {
		ret = move_metric(into, from, *metric_at(a, i), err);
		metrics[i] = (uint32_t)ret;
	}
	if (ret >= 0) {
		for (size_t i = 0; i < nr; i++)
			*metric_at(a, i) = metrics[i];
		a->info.trace = trace;
		ret = zwb_run_add_arm(into, a, err);
	}
	free(metrics);
	if (ret >= 0)
		from->arms[arm] = NULL;
	return ret;
}
