/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of run.h5, for those who write and who read it. */
#ifndef ZWB_RUNSCHEMA_H
#define ZWB_RUNSCHEMA_H

#include "h5table.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Rows refer to rows of other tables by number: trace, arm, metric, hist. A change of a table or of
 * a meaning raises the version; a column added at the end does not.
 */
#define ZWB_RUN_FORMAT	       "zwb run" /* root attribute "format" */
#define ZWB_RUN_SCHEMA_VERSION 2u /* root attribute "schema_version" */
#define ZWB_RUN_NO_ROW	       UINT32_MAX /* cgroup: the total; arm of a note: the whole run */

/* X(table, column, name, type, unit, meaning); LOSS_KIND, METRIC_KIND, BETTER: U8 with names */
#define ZWB_RUN_TRACES_COLS(X)                                                                     \
	X(TRACES, SOURCE, "source", STR, NULL, "path of the recording as given")                   \
	X(TRACES, DIGEST, "digest", STR, NULL, "SHA-256 of the recording, hexadecimal")            \
	X(TRACES, KERNEL, "kernel", STR, NULL, "release of the recorded kernel")                   \
	X(TRACES, CLOCK, "clock", STR, NULL, "clock of the time stamps")                           \
	X(TRACES, EVENT_MAP, "event_map", STR, NULL, "event map that the recording was read by")   \
	X(TRACES, SCHEDULER, "scheduler", STR, NULL, "scheduler of the recorded swap device")      \
	X(TRACES, CAPTURED, "captured_policy", STR, NULL, "policy of the recorded kernel")         \
	X(TRACES, START, "start_ns", U64, "ns", "start of the trace in its clock")                 \
	X(TRACES, END, "end_ns", U64, "ns", "last event, from the start of the trace")             \
	X(TRACES, EVENTS, "nr_events", U64, NULL, "events in the recording")                       \
	X(TRACES, PAGE, "page_bytes", U32, "bytes", "page size of the recorded machine")           \
	X(TRACES, CPUS, "nr_cpus", U32, NULL, "CPUs of the recorded machine")

#define ZWB_RUN_CGROUPS_COLS(X)                                                                    \
	X(CGROUPS, TRACE, "trace", U32, NULL, "row of /traces")                                    \
	X(CGROUPS, CGROUP, "cgroup", U32, NULL, "number of the cgroup in its trace; 0 is unknown") \
	X(CGROUPS, ID, "id", U64, NULL, "inode number of the cgroup, or its address")              \
	X(CGROUPS, PATH, "path", STR, NULL, "path of the cgroup; empty if not known")

#define ZWB_RUN_LOSSES_COLS(X)                                                                     \
	X(LOSSES, TRACE, "trace", U32, NULL, "row of /traces")                                     \
	X(LOSSES, CPU, "cpu", U16, NULL, "CPU on which events were lost")                          \
	X(LOSSES, KIND, "kind", LOSS_KIND, NULL, "how events were lost")                           \
	X(LOSSES, COUNT, "nr", U64, NULL, "events lost (overrun), else occurrences")               \
	X(LOSSES, KNOWN, "nr_is_known", U8, NULL, "0: the number is not in the recording")         \
	X(LOSSES, FIRST, "first_ns", U64, "ns", "start of the span in which it happened")          \
	X(LOSSES, LAST, "last_ns", U64, "ns", "end of that span")

#define ZWB_RUN_UNKNOWNS_COLS(X)                                                                   \
	X(UNKNOWNS, TRACE, "trace", U32, NULL, "row of /traces")                                   \
	X(UNKNOWNS, WHAT, "what", STR, NULL, "what the recording does not tell")                   \
	X(UNKNOWNS, COUNT, "nr", U64, NULL, "events that it is missing from")

#define ZWB_RUN_ARMS_COLS(X)                                                                       \
	X(ARMS, TRACE, "trace", U32, NULL, "row of /traces")                                       \
	X(ARMS, POLICY, "policy", STR, NULL, "policy as typed")                                    \
	X(ARMS, PARAMS, "policy_params", STR, NULL, "policy with every parameter")                 \
	X(ARMS, DEVICE, "device", STR, NULL, "device model with its parameters")                   \
	X(ARMS, TRIGGER, "trigger", STR, NULL, "where the LRU walks come from")                    \
	X(ARMS, LOOP, "loop", STR, NULL, "how times follow from completions")                      \
	X(ARMS, SCHEDULER, "scheduler", STR, NULL, "scheduler of the modelled swap device")        \
	X(ARMS, SEED, "seed", U64, NULL, "seed of the random numbers")

#define ZWB_RUN_METRIC_DEFS_COLS(X)                                                                \
	X(METRIC_DEFS, NAME, "name", STR, NULL, "name of the metric")                              \
	X(METRIC_DEFS, UNIT, "unit", STR, NULL, "unit; /hists are in ns where it is us")           \
	X(METRIC_DEFS, DEFINITION, "definition", STR, NULL, "what it is")                          \
	X(METRIC_DEFS, KIND, "kind", METRIC_KIND, NULL, "whether it adds up or is a histogram")    \
	X(METRIC_DEFS, BETTER, "better", BETTER, NULL, "which way is better")

#define ZWB_RUN_METRICS_COLS(X)                                                                    \
	X(METRICS, ARM, "arm", U32, NULL, "row of /arms")                                          \
	X(METRICS, CGROUP, "cgroup", U32, NULL, "number of the cgroup; 4294967295 is the total")   \
	X(METRICS, METRIC, "metric", U32, NULL, "row of /metric_defs")                             \
	X(METRICS, CLASS, "class", STR, NULL, "E exact, M needs a model, F estimate")              \
	X(METRICS, VALUE, "value", F64, NULL, "value in the unit of the metric")

#define ZWB_RUN_HISTS_COLS(X)                                                                      \
	X(HISTS, ARM, "arm", U32, NULL, "row of /arms")                                            \
	X(HISTS, CGROUP, "cgroup", U32, NULL, "number of the cgroup; 4294967295 is the total")     \
	X(HISTS, METRIC, "metric", U32, NULL, "row of /metric_defs")                               \
	X(HISTS, CLASS, "class", STR, NULL, "E exact, M needs a model, F estimate")                \
	X(HISTS, COUNT, "count", U64, NULL, "values recorded")                                     \
	X(HISTS, SUM, "sum", U64, NULL, "their sum; saturates")                                    \
	X(HISTS, MIN, "min", U64, NULL, "the smallest; 2^64-1 if there is none")                   \
	X(HISTS, MAX, "max", U64, NULL, "the largest")

#define ZWB_RUN_HIST_BUCKETS_COLS(X)                                                               \
	X(HIST_BUCKETS, HIST, "hist", U32, NULL, "row of /hists")                                  \
	X(HIST_BUCKETS, BUCKET, "bucket", U32, NULL, "number of the bucket")                       \
	X(HIST_BUCKETS, COUNT, "count", U64, NULL, "values in it")

#define ZWB_RUN_SERIES_COLS(X)                                                                     \
	X(SERIES, ARM, "arm", U32, NULL, "row of /arms")                                           \
	X(SERIES, CGROUP, "cgroup", U32, NULL, "number of the cgroup; 4294967295 is the total")    \
	X(SERIES, METRIC, "metric", U32, NULL, "row of /metric_defs")                              \
	X(SERIES, CLASS, "class", STR, NULL, "E exact, M needs a model, F estimate")               \
	X(SERIES, INTERVAL, "interval_ns", U64, "ns", "length of an interval")

#define ZWB_RUN_SERIES_VALUES_COLS(X)                                                              \
	X(SERIES_VALUES, SERIES, "series", U32, NULL, "row of /series")                            \
	X(SERIES_VALUES, VALUE, "value", F64, NULL, "of a count its sum, else the mean")

#define ZWB_RUN_NOTES_COLS(X)                                                                      \
	X(NOTES, ARM, "arm", U32, NULL, "row of /arms; 4294967295 is the whole run")               \
	X(NOTES, TEXT, "text", STR, NULL, "assumption or warning")

/* X(table, path, meaning) */
#define ZWB_RUN_TABLES(X)                                                                          \
	X(TRACES, "/traces", "recordings that were replayed")                                      \
	X(CGROUPS, "/cgroups", "cgroups of the recordings")                                        \
	X(LOSSES, "/losses", "events that the recordings lost")                                    \
	X(UNKNOWNS, "/unknowns", "what the recordings do not tell")                                \
	X(ARMS, "/arms", "replays: one trace, one policy, one seed each")                          \
	X(METRIC_DEFS, "/metric_defs", "what the metrics are")                                     \
	X(METRICS, "/metrics", "values")                                                           \
	X(HISTS, "/hists", "histograms, as far as they are exact")                                 \
	X(HIST_BUCKETS, "/hist_buckets", "their buckets that are not empty")                       \
	X(SERIES, "/series", "metrics over time, in intervals from the start of the trace")        \
	X(SERIES_VALUES, "/series_values", "their values, interval by interval")                   \
	X(NOTES, "/notes", "assumptions and warnings")

/* ZWB_RUN_TRACES_SOURCE and so on: positions of columns */
/* clang-format off */
#define ZWB_COL(table, col, name, type, unit, meaning) ZWB_RUN_##table##_##col,
#define ZWB_X(table, path, meaning) \
	enum { ZWB_RUN_##table##_COLS(ZWB_COL) ZWB_RUN_##table##_NR };
/* clang-format on */
ZWB_RUN_TABLES(ZWB_X)
#undef ZWB_X
#undef ZWB_COL

#define ZWB_RUN_MAX_COLS 16

enum zwb_run_table {
#define ZWB_X(table, path, meaning) ZWB_RUN_TABLE_##table,
	ZWB_RUN_TABLES(ZWB_X)
#undef ZWB_X
		ZWB_RUN_TABLE_NR
};

struct zwb_run_schema {
	const char *path;
	const char *long_name;
	const struct zwb_h5col *cols;
	size_t nr_cols;
};

/** zwb_run_schema() - path, columns and meaning of a table of run.h5. */
const struct zwb_run_schema *zwb_run_schema(enum zwb_run_table table);

#endif
