/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms of one or several runs beside each other: what every report is made of. */
#ifndef ZWB_COMPARE_H
#define ZWB_COMPARE_H

#include "arms.h"
#include "err.h"
#include "metric.h"
#include "run.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A column is a policy (under one device model, trigger, loop and scheduler); all arms that differ
 * only in recording and seed are in one column. A row is a metric, in total or of one group: a
 * cgroup, a recording, a device model (which then tells no columns apart), or, where builds are
 * compared, a policy (columns are then the run files).
 *
 * Recordings are told apart by their digest, so that the same one from two run files is one. A cell
 * has one value a recording: of counts and times the mean over its seeds, of ratios the ratio of
 * sums, of latencies the percentile of the histograms merged. The cell's own value is formed in the
 * same way over all recordings: the mean; the ratio of sums; the percentile of everything merged.
 * n and the spread are over recordings, never over seeds.
 *
 * Measured runs come as runs too (see measured_run.h): a run of a kernel is a recording of its own.
 */

enum zwb_group_by {
	ZWB_GROUP_TOTAL,
	ZWB_GROUP_CGROUP, /* and the total */
	ZWB_GROUP_TRACE, /* and the total */
	ZWB_GROUP_DEVICE,
	ZWB_GROUP_POLICY, /* columns are run files */
};

struct zwb_compare_options {
	const char *baseline; /* label of a column; NULL: the first one */
	const char *metrics; /* comma-separated, in the order wanted; NULL: all there is */
	enum zwb_group_by group_by;
	enum zwb_center center; /* other than MEAN: of the recordings' own values */
	const char *const *names; /* of the runs; for GROUP_POLICY */
};

struct zwb_cmp_recording {
	const struct zwb_run_trace *trace; /* borrowed from the run */
	uint64_t nr_lost; /* as zwb_meta_lost_events() */
	int lost_is_exact; /* 0: at least as many */
	uint64_t nr_unknown; /* pieces of information that events lack */
	int is_measured; /* a run of a kernel */
};

struct zwb_cmp_column {
	char *label; /* unique; as typed, and what else tells it from others */
	const struct zwb_run_arm_info *info; /* of its first arm; borrowed from the run */
	size_t nr_recordings;
	size_t min_seeds; /* seeds of the recording with the fewest */
	size_t max_seeds;
};

enum zwb_cmp_verdict {
	ZWB_VERDICT_NONE, /* nothing can be said: fewer than 3 values, or unrelated recordings */
	ZWB_VERDICT_SAME, /* equal in every recording */
	ZWB_VERDICT_NOT_SHOWN, /* may be chance */
	ZWB_VERDICT_HINTED, /* the interval leaves out 0, or p is below 0.05, but not as below */
	/*
	 * p (corrected) is below 0.05, the interval leaves out 0, and so small an n as can be
	 * permuted agrees, if it is not too small for that.
	 */
	ZWB_VERDICT_SHOWN,
};

/* How the two arms of a difference belong together. */
enum zwb_cmp_pairing { ZWB_PAIRING_NONE, ZWB_PAIRED, ZWB_UNPAIRED };

/*
 * How sure delta_percent is. All but the first three are NAN or 0 where they cannot be known; below
 * n = 3 none is. Percentages are of the baseline's value, as delta_percent.
 */
struct zwb_cmp_sure {
	enum zwb_cmp_pairing pairing;
	enum zwb_cmp_verdict verdict;
	size_t n; /* of the smaller arm */
	double low_percent, high_percent; /* 95 % interval */
	int is_bootstrap; /* BCa; else Fieller */
	double p; /* by t test; by permutation for other centers than the mean */
	int is_permutation;
	double p_exact; /* of n < 8 also by permutation, which assumes no distribution */
	double p_least; /* smallest that a permutation could have given */
	double p_holm; /* p corrected for all of the same group */
	size_t nr_tests; /* how many these were */
	double detectable_percent; /* smallest change that n could show */
	double detectable_n3_percent, detectable_n5_percent; /* that 3 and 5 could */
	uint64_t n_needed; /* to show a change as large as this one; 0: unknown, or very many */
};

/* Initialiser of one of which nothing is known. */
#define ZWB_CMP_SURE_UNKNOWN                                                                       \
	{                                                                                          \
		.low_percent = NAN, .high_percent = NAN, .p = NAN, .p_exact = NAN, .p_least = NAN, \
		.p_holm = NAN, .detectable_percent = NAN, .detectable_n3_percent = NAN,            \
		.detectable_n5_percent = NAN                                                       \
	}

/* The same arm twice: what changes when nothing does. */
enum zwb_cmp_drift { ZWB_DRIFT_NONE, ZWB_DRIFT_RECORDINGS, ZWB_DRIFT_SEEDS };

struct zwb_cmp_cell {
	double value; /* NAN: not measured */
	double sd; /* of the recordings' values; NAN if n < 2 */
	size_t n; /* recordings with a value; 0 with a value: published, n unknown */
	size_t nr_arms; /* replays with a value: n times seeds */
	double seed_sd; /* within a recording, over its seeds; NAN if none has two */
	double delta_percent; /* against the baseline; NAN: n/a */
	struct zwb_cmp_sure sure; /* of delta_percent; of the baseline: all unknown */
	double published_percent; /* delta_percent as printed elsewhere; NAN */
	int published_agrees; /* 1: to the digit, 0: within the rounding of the means, -1: no */
	uint64_t samples; /* of percentiles: values in the histograms; else 0 */
	double sample_low, sample_high; /* 95 % of a percentile, over samples; NAN: not bounded */
	size_t nr_outliers; /* recordings far from the others */
	size_t lower_group; /* recordings fall into two groups, the lower has so many; or 0 */
	enum zwb_cmp_drift drift; /* what the next one is from */
	double drift_percent; /* second half against the first; NAN */
	char cls; /* least sure class of what went in; '\0' if not measured */
	double *by_recording; /* one a recording; NAN: not measured */
};

struct zwb_cmp_row {
	const char *name; /* "write bios", "swapin latency p99" */
	const char *unit;
	const char *definition;
	enum zwb_metric_kind kind; /* VALUE for ratios, HIST for percentiles */
	enum zwb_better better;
	const char *group; /* NULL: the total; rows of one group share the string */
	char cls; /* least sure class of the row */
	struct zwb_cmp_cell *cells; /* one a column */
};

struct zwb_comparison {
	struct zwb_cmp_column *columns; /* the baseline first */
	size_t nr_columns;
	struct zwb_cmp_recording *recordings;
	size_t nr_recordings;
	struct zwb_cmp_row *rows; /* the total first, then group by group */
	size_t nr_rows;
	const char *group_kind; /* "cgroup", "trace", "device", "policy", "table"; "total" */
	enum zwb_center center;
	char **notes; /* of the runs, of the arms, and about the comparison itself */
	size_t nr_notes;
	const char *version; /* of the zwb that wrote the first run */
	int is_sweep; /* a run is the result of zwb sweep, or a part of it */
	void *priv; /* what the pointers above point into */
};

/** zwb_cmp_is_measured() - 1 if the column holds runs of a kernel and not replays. */
int zwb_cmp_is_measured(const struct zwb_cmp_column *column);

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
