/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms of one or several runs beside each other: what every report is made of. */
#ifndef ZWB_COMPARE_H
#define ZWB_COMPARE_H

#include "err.h"
#include "metric.h"
#include "run.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A column is a policy (under one device model, trigger, loop and scheduler); all arms that differ
 * only in recording and seed are in one column. A row is a metric, in total or of one cgroup.
 *
 * Recordings are told apart by their digest, so that the same one from two run files is one. A cell
 * has one value a recording: of counts and times the mean over its seeds, of ratios the ratio of
 * sums, of latencies the percentile of the histograms merged. The cell's own value is formed in the
 * same way over all recordings: the mean; the ratio of sums; the percentile of everything merged.
 * n and the spread are over recordings, never over seeds.
 */

enum zwb_group_by { ZWB_GROUP_TOTAL, ZWB_GROUP_CGROUP };

struct zwb_compare_options {
	const char *baseline; /* label of a column; NULL: the first one */
	const char *metrics; /* comma-separated, in the order wanted; NULL: all there is */
	enum zwb_group_by group_by; /* CGROUP: the total as well */
};

struct zwb_cmp_recording {
	const struct zwb_run_trace *trace; /* borrowed from the run */
	uint64_t nr_lost; /* as zwb_meta_lost_events() */
	int lost_is_exact; /* 0: at least as many */
	uint64_t nr_unknown; /* pieces of information that events lack */
};

struct zwb_cmp_column {
	char *label; /* unique; as typed, and what else tells it from others */
	const struct zwb_run_arm_info *info; /* of its first arm; borrowed from the run */
	size_t nr_recordings;
	size_t min_seeds; /* seeds of the recording with the fewest */
	size_t max_seeds;
};

struct zwb_cmp_cell {
	double value; /* NAN: not measured */
	double sd; /* of the recordings' values; NAN if n < 2 */
	size_t n; /* recordings with a value */
	size_t nr_arms; /* replays with a value: n times seeds */
	double seed_sd; /* within a recording, over its seeds; NAN if none has two */
	double delta_percent; /* against the baseline; NAN: n/a */
	uint64_t samples; /* of percentiles: values in the histograms; else 0 */
	char cls; /* least sure class of what went in; '\0' if not measured */
	double *by_recording; /* one a recording; NAN: not measured */
};

struct zwb_cmp_row {
	const char *name; /* "write bios", "swapin latency p99" */
	const char *unit;
	const char *definition;
	enum zwb_metric_kind kind; /* VALUE for ratios, HIST for percentiles */
	enum zwb_better better;
	const char *cgroup; /* NULL: the total */
	char cls; /* least sure class of the row */
	struct zwb_cmp_cell *cells; /* one a column */
};

struct zwb_comparison {
	struct zwb_cmp_column *columns; /* the baseline first */
	size_t nr_columns;
	struct zwb_cmp_recording *recordings;
	size_t nr_recordings;
	struct zwb_cmp_row *rows; /* the total first, then cgroup by cgroup */
	size_t nr_rows;
	char **notes; /* of the runs, of the arms, and about the comparison itself */
	size_t nr_notes;
	const char *version; /* of the zwb that wrote the first run */
	void *priv; /* what the pointers above point into */
};

/**
 * zwb_compare() - lay out arms as a comparison.
 * @runs: borrowed until the comparison is freed.
 * Return: ZWB_OK; ZWB_EUSAGE if there is no such baseline or metric (the text names what there is)
 * or nothing to compare; ZWB_EDATA if runs contradict each other; ZWB_ENOMEM.
 */
int zwb_compare(const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, struct zwb_comparison **out,
	struct zwb_err *err);
void zwb_comparison_free(struct zwb_comparison *cmp);

#endif
