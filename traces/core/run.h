/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of replays: which recordings, which arms, what was measured, how sure it is. */
#ifndef ZWB_RUN_H
#define ZWB_RUN_H

#include "err.h"
#include "hist.h"
#include "meta.h"
#include "metric.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A run holds traces (the recordings, as far as a report needs them) and arms: one replay of one
 * trace through one policy with one seed. An arm is filled by the thread that replays it and shares
 * nothing with other arms; when all are done they are added to the run in a fixed order, so that
 * the file does not depend on the number of threads. replay/runfile.h writes a run, analysis/
 * reads it back into the same form.
 *
 * Values are per cgroup, an index into the cgroups of the arm's trace, and in total.
 */
#define ZWB_RUN_TOTAL UINT32_MAX

struct zwb_run_metric {
	uint32_t cgroup; /* or ZWB_RUN_TOTAL */
	uint32_t metric; /* index into the defs of the run; enum zwb_metric for the built-in ones */
	char cls; /* enum zwb_class */
	double value;
};

struct zwb_run_hist {
	uint32_t cgroup;
	uint32_t metric;
	char cls;
	struct zwb_hist hist; /* ns where the unit of the metric is us, else in that unit */
};

/* Trigger of an arm that holds what a kernel was measured to do. */
#define ZWB_TRIGGER_MEASURED "measured"

/*
 * A metric over time, from the start of the trace: of counts what there was in each interval, of
 * other values their mean. The last interval may be cut short by the end of the trace.
 */
struct zwb_run_series {
	uint32_t cgroup;
	uint32_t metric; /* not of kind ZWB_KIND_HIST */
	char cls;
	uint64_t interval_ns;
	double *values; /* NAN: not known */
	size_t nr_values;
};

/* How an arm was replayed. */
struct zwb_run_arm_info {
	size_t trace; /* index into the traces of the run */
	uint64_t seed;
	const char *policy; /* as typed: "kworker,plug=none"; the label of reports */
	const char *policy_params; /* normalised: every parameter with its value, sorted */
	const char *device; /* with parameters: "linear,depth=32" */
	const char *trigger; /* "recorded"; ZWB_TRIGGER_MEASURED if it was no replay */
	const char *loop; /* "open" */
	const char *scheduler; /* "none" */
};

struct zwb_run_arm {
	struct zwb_run_arm_info info; /* strings owned by the arm */

	struct zwb_run_metric *metrics;
	size_t nr_metrics;
	struct zwb_run_hist *hists;
	size_t nr_hists;
	struct zwb_run_series *series;
	size_t nr_series;
	char **notes;
	size_t nr_notes;
};

/* What a report says about a recording. */
struct zwb_run_trace {
	char *source;
	char *digest; /* SHA-256, hex, and where it was cut; recordings are told apart by it */
	char *kernel;
	char *clock;
	char *event_map;
	char *scheduler; /* of the swap device while it was recorded */
	char *captured_policy; /* what the recorded kernel did: "unbatched"; "" unknown */
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t nr_events;
	uint32_t page_bytes;
	uint32_t nr_cpus;

	struct zwb_cgroup *cgroups;
	size_t nr_cgroups;
	struct zwb_loss *losses;
	size_t nr_losses;
	struct zwb_unknown *unknowns;
	size_t nr_unknowns;
};

struct zwb_run {
	char *command; /* options as given, without those that do not change the result */
	char *version; /* of the zwb that replayed */
	struct zwb_metric_def *defs; /* the built-in ones first, in the order of enum zwb_metric */
	size_t nr_defs;
	size_t nr_own_defs; /* the last ones, whose strings the run owns */
	struct zwb_run_trace *traces;
	size_t nr_traces;
	struct zwb_run_arm **arms;
	size_t nr_arms;
	char **notes;
	size_t nr_notes;
};

/**
 * zwb_run_create() - an empty run.
 * @command: options as given; leave out what does not change the result (threads, output name).
 * @version: ZWB_VERSION.
 * Return: the run, NULL without memory.
 */
struct zwb_run *zwb_run_create(const char *command, const char *version);
void zwb_run_free(struct zwb_run *run);

/**
 * zwb_run_add_trace() - copy what a report needs to know about a recording.
 * @meta: metadata of a stream that has ended (losses and unknowns are final); borrowed.
 * @captured_policy: policy that the recorded kernel itself ran, "" if not known.
 * Return: index of the trace; ZWB_ENOMEM.
 */
int zwb_run_add_trace(struct zwb_run *run, const struct zwb_meta *meta, const char *captured_policy,
	struct zwb_err *err);

/** zwb_run_add_note() - something that every reader of the run must be told: one sentence. */
int zwb_run_add_note(struct zwb_run *run, const char *text, struct zwb_err *err);

/**
 * zwb_run_add_def() - a metric that is not built in; one of the same name is kept.
 * @def: its strings are copied.
 * Return: index for zwb_run_metric.metric; ZWB_EDATA if the name stands for another unit or kind;
 * ZWB_ENOMEM.
 */
int zwb_run_add_def(struct zwb_run *run, const struct zwb_metric_def *def, struct zwb_err *err);

/**
 * zwb_run_add_arm() - hand over a filled arm; its values are put in order of metric and cgroup.
 * @arm: passes to the run on success.
 * Return: index of the arm; ZWB_EUSAGE if it names a trace, cgroup or metric that the run does not
 * have, or has a value twice; ZWB_ENOMEM.
 */
int zwb_run_add_arm(struct zwb_run *run, struct zwb_run_arm *arm, struct zwb_err *err);

/**
 * zwb_run_move_trace() - a recording with all its tables from one run to another.
 * Its place in @from stays, zeroed; no arm of @from is to be looked at with it any more.
 * Return: index of the trace in @into; ZWB_ENOMEM.
 */
int zwb_run_move_trace(
	struct zwb_run *into, struct zwb_run *from, size_t trace, struct zwb_err *err);

/**
 * zwb_run_move_arm() - an arm with all its values from one run to another.
 * @trace: of @into, the same recording as the arm's in @from.
 * @arm: index in @from; its place there becomes NULL on success.
 * Return: index of the arm in @into; what zwb_run_add_def() and zwb_run_add_arm() return, and then
 * the arm is only good for being freed with @from.
 */
int zwb_run_move_arm(
	struct zwb_run *into, size_t trace, struct zwb_run *from, size_t arm, struct zwb_err *err);

/** zwb_run_arm_create() - an empty arm; the strings of @info are copied. NULL without memory. */
struct zwb_run_arm *zwb_run_arm_create(const struct zwb_run_arm_info *info);
void zwb_run_arm_free(struct zwb_run_arm *arm);

/**
 * zwb_run_arm_metric() - one value.
 * @metric: enum zwb_metric, of any kind but ZWB_KIND_HIST.
 * @cgroup: index in the trace, or ZWB_RUN_TOTAL.
 * @cls: enum zwb_class.
 */
int zwb_run_arm_metric(struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup, char cls,
	double value, struct zwb_err *err);

/**
 * zwb_run_arm_hist() - one histogram of nanoseconds.
 * @metric: enum zwb_metric, of kind ZWB_KIND_HIST.
 * @h: its content passes to the arm on success, and it is empty afterwards.
 * Return: ZWB_OK; ZWB_ENOMEM, also when the histogram lost values for want of memory.
 */
int zwb_run_arm_hist(struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup, char cls,
	struct zwb_hist *h, struct zwb_err *err);

/**
 * zwb_run_arm_series() - a metric over time.
 * @series: its values are copied.
 * Return: ZWB_OK; ZWB_EUSAGE without an interval; ZWB_ENOMEM.
 */
int zwb_run_arm_series(
	struct zwb_run_arm *arm, const struct zwb_run_series *series, struct zwb_err *err);

/** zwb_run_arm_note() - an assumption or a warning about this arm: one sentence. */
int zwb_run_arm_note(struct zwb_run_arm *arm, const char *text, struct zwb_err *err);

/** zwb_run_arm_find() - the value of @metric for @cgroup, or NULL; @arm was added to a run. */
const struct zwb_run_metric *zwb_run_arm_find(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup);

/** zwb_run_arm_find_hist() - the histogram of @metric for @cgroup, or NULL; likewise. */
const struct zwb_run_hist *zwb_run_arm_find_hist(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup);

/** zwb_run_arm_find_series() - the series of @metric for @cgroup, or NULL; likewise. */
const struct zwb_run_series *zwb_run_arm_find_series(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup);

#endif
