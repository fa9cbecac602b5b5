/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a replay measures: the metrics, their units and how they may be treated. */
#ifndef ZWB_METRIC_H
#define ZWB_METRIC_H

#include <stddef.h>
#include <stdint.h>

/* How sure a value is; the character is what files and tables hold. From surest to least sure. */
enum zwb_class {
	ZWB_CLASS_MEASURED = 'R', /* what a kernel really did; no replay */
	ZWB_CLASS_EXACT = 'E', /* exact given the recorded walks */
	ZWB_CLASS_MODEL = 'M', /* needs a model: device, iocost, asynchronous run latency */
	ZWB_CLASS_FEEDBACK = 'F', /* estimate: under another policy the input itself would differ */
};

enum zwb_metric_kind {
	ZWB_KIND_COUNT, /* adds up over time and cgroups */
	ZWB_KIND_VALUE, /* a time, mean, maximum or rate: does not add up */
	ZWB_KIND_HIST, /* a histogram: of nanoseconds if the unit is us, else of the unit */
};

enum zwb_better { ZWB_BETTER_LOWER, ZWB_BETTER_NEITHER, ZWB_BETTER_HIGHER };

/*
 * X(symbol, name, unit, kind, better, definition)
 * The name is what reports print, "--metric" takes and files keep, so it never changes and holds
 * no comma. Run files list the metrics that they use: the order here is free, and is that of
 * reports.
 */
#define ZWB_METRICS(X)                                                                             \
	X(ZSWPWB, "zswpwb", "pages", COUNT, NEITHER, "successful zswap writebacks")                \
	X(PAGES_WRITTEN, "pages written", "pages", COUNT, NEITHER,                                 \
		"pages written to the swap device: writebacks and direct swap-outs")               \
	X(WRITE_BIOS, "write bios", "count", COUNT, LOWER,                                         \
		"bios submitted to the swap device for writes (io.stat wios)")                     \
	X(WRITE_REQUESTS, "write requests", "count", COUNT, LOWER,                                 \
		"write requests issued to the swap device after merges (diskstats)")               \
	X(PAGES_READ, "pages read", "pages", COUNT, NEITHER, "pages read from the swap device")    \
	X(READ_BIOS, "read bios", "count", COUNT, LOWER,                                           \
		"bios submitted to the swap device for reads (io.stat rios)")                      \
	X(READ_REQUESTS, "read requests", "count", COUNT, LOWER,                                   \
		"read requests issued to the swap device after merges (diskstats)")                \
	X(WALKS, "LRU walks", "count", COUNT, NEITHER, "walks over a zswap LRU list")              \
	X(WALKS_PLUG_UNKNOWN, "walks with plug unknown", "count", COUNT, LOWER,                    \
		"walks of which the recording does not tell whether a plug was held")              \
	X(IOCOST_DEBT, "iocost debt", "s", VALUE, LOWER,                                           \
		"wall time with abs_vdebt > 0 (cost.indebt)")                                      \
	X(IOCOST_DEBT_INTEGRAL, "iocost debt integral", "device-s x s", VALUE, LOWER,              \
		"integral of the debt over time")                                                  \
	X(IOCOST_WAIT, "iocost wait", "s", VALUE, LOWER,                                           \
		"wall time with a waiter in the throttling queue (cost.wait)")                     \
	X(IOCOST_TASK_WAIT, "iocost task wait", "s", VALUE, LOWER,                                 \
		"time in the throttling queue, summed over waiting tasks")                         \
	X(IOCOST_DELAY, "iocost delay", "s", VALUE, LOWER, "wall time with a delay set")           \
	X(IOCOST_USAGE, "iocost usage", "s", VALUE, LOWER, "device time charged (cost.usage)")     \
	X(IOCOST_VRATE, "iocost vrate", "%", VALUE, HIGHER, "time-weighted mean of vrate")         \
	X(IO_SOME, "IO some pressure", "s", VALUE, LOWER, "PSI: at least one task stalled on IO")  \
	X(IO_FULL, "IO full pressure", "s", VALUE, LOWER, "PSI: all tasks stalled on IO")          \
	X(MEM_SOME, "memory some pressure", "s", VALUE, LOWER,                                     \
		"PSI: at least one task stalled on memory")                                        \
	X(MEM_FULL, "memory full pressure", "s", VALUE, LOWER, "PSI: all tasks stalled on memory") \
	X(REQUEST_SIZE, "write request size", "pages", HIST, HIGHER,                               \
		"pages of a write request issued to the swap device")                              \
	X(SWAPIN_LATENCY, "swapin latency", "us", HIST, LOWER,                                     \
		"time from a swap-in's start to its end")                                          \
	X(STALL_LATENCY, "reclaim-stall latency", "us", HIST, LOWER,                               \
		"time a task spends in one reclaim call")                                          \
	X(WRITEBACK_LATENCY, "writeback latency", "us", HIST, LOWER,                               \
		"time from a writeback's start to its completion")                                 \
	X(PGROTATED, "pgrotated", "pages", COUNT, NEITHER, "as vmstat")                            \
	X(PGSCAN_DIRECT, "pgscan_direct", "pages", COUNT, LOWER, "as vmstat")                      \
	X(PGSTEAL_DIRECT, "pgsteal_direct", "pages", COUNT, NEITHER, "as vmstat")                  \
	X(WORKER_WAKEUPS, "shrink_worker wakeups", "count", COUNT, LOWER,                          \
		"runs of the global shrink worker")                                                \
	X(SHRINK_MEMCG, "shrink_memcg calls", "count", COUNT, LOWER, "calls of shrink_memcg()")    \
	X(WRITTEN_BACK, "written back", "pages", COUNT, NEITHER, "debugfs written_back_pages")     \
	X(POOL_LIMIT_HIT, "pool_limit_hit", "count", COUNT, LOWER, "as debugfs")                   \
	X(REJECT_RECLAIM, "reject_reclaim_fail", "count", COUNT, LOWER, "as debugfs")              \
	X(REJECT_ALLOC, "reject_alloc_fail", "count", COUNT, LOWER, "as debugfs")                  \
	X(REJECT_KMEMCACHE, "reject_kmemcache_fail", "count", COUNT, LOWER, "as debugfs")          \
	X(REJECT_COMPRESS, "reject_compress_fail", "count", COUNT, LOWER, "as debugfs")            \
	X(REJECT_POOR, "reject_compress_poor", "count", COUNT, LOWER, "as debugfs")                \
	X(POOL_MEAN, "zswap pool mean", "bytes", VALUE, NEITHER,                                   \
		"time-weighted mean of the compressed bytes in the pool")                          \
	X(POOL_MAX, "zswap pool max", "bytes", VALUE, NEITHER,                                     \
		"most compressed bytes in the pool")                                               \
	X(STORED_MEAN, "zswap stored mean", "pages", VALUE, NEITHER,                               \
		"time-weighted mean of the pages in the pool")                                     \
	X(STORED_MAX, "zswap stored max", "pages", VALUE, NEITHER, "most pages in the pool")       \
	X(MAKESPAN, "makespan", "s", VALUE, LOWER,                                                 \
		"time from first to last operation, loop think")                                   \
	X(OPS, "ops/s", "1/s", VALUE, HIGHER, "operations over makespan, loop think")

enum zwb_metric {
#define ZWB_X(sym, name, unit, kind, better, definition) ZWB_METRIC_##sym,
	ZWB_METRICS(ZWB_X)
#undef ZWB_X
		ZWB_METRIC_NR
};

/* One metric; strings of metrics read from a file belong to the run. */
struct zwb_metric_def {
	const char *name;
	const char *unit;
	const char *definition;
	enum zwb_metric_kind kind;
	enum zwb_better better;
};

/** zwb_metric_def() - the built-in metric @metric, which is below ZWB_METRIC_NR. */
const struct zwb_metric_def *zwb_metric_def(enum zwb_metric metric);

/** zwb_metric_scale() - what a value in a histogram of @def is divided by to be in its unit. */
double zwb_metric_scale(const struct zwb_metric_def *def);

/** zwb_class_worse() - the less sure of two classes. */
char zwb_class_worse(char a, char b);

/** zwb_class_is_valid() - 1 if @cls is one of enum zwb_class. */
int zwb_class_is_valid(char cls);

#endif
