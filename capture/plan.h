/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture will record on this kernel, and how. */
#ifndef ZWB_PLAN_H
#define ZWB_PLAN_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much is recorded; each level holds those before it. */
enum zwb_level {
	ZWB_LEVEL_MINIMAL, /* the fewest, cheapest events that a replay of class E needs */
	ZWB_LEVEL_STANDARD, /* and what the schedulers, iocost and latencies need */
	ZWB_LEVEL_FULL, /* and what the closed loop and pressure need */
	ZWB_LEVEL_NR
};

/* A dynamic event of the group "zwb". */
struct zwb_probe {
	char *event; /* "zstore" */
	/*
	 * Lines for tracefs' dynamic_events, the best first: the next one is tried when the kernel
	 * refuses the one before. "f:zwb/zstore zswap_store slot=folio->swap.val:u64"
	 */
	char **definitions;
	size_t nr_definitions;
	char *filter; /* for the event's filter file; NULL: none */
};

/* An event of the kernel's own. */
struct zwb_tracepoint {
	char *system; /* "block" */
	char *event; /* "block_rq_issue" */
	char *filter; /* NULL: none */
};

enum zwb_method {
	ZWB_METHOD_NONE, /* cannot be recorded here */
	ZWB_METHOD_TRACEPOINT,
	ZWB_METHOD_FPROBE_BTF, /* the kernel resolves the fields itself */
	ZWB_METHOD_FPROBE, /* offsets computed here, from BTF */
	ZWB_METHOD_KPROBE, /* likewise, by breakpoint */
};

/* A field or a place that cannot be had, and why. */
struct zwb_lack {
	char *what; /* "cgid" or "zswap_writeback_entry()" */
	char *why; /* "no such function: this kernel never had it, or its compiler inlined it" */
	const char *costs; /* what becomes of the results without this field; NULL: not one */
};

/* What became of one thing that is wanted. Strings are constants, but for those in lacks. */
struct zwb_finding {
	const char *name; /* "LRU walks" */
	const char *gives; /* what a replay learns from it */
	const char *costs; /* what becomes of the results without it */
	const char *function; /* that is probed; NULL for tracepoints and NONE */
	/* Why nothing is lost though it is NONE: "zswap has no shrinker before 6.8"; else NULL. */
	const char *absence;
	enum zwb_level level; /* the lowest that records it */
	bool is_needed; /* nothing can be replayed without it */
	enum zwb_method method;
	size_t first_probe, nr_probes; /* of the plan */
	size_t first_tracepoint, nr_tracepoints; /* of the plan */
	struct zwb_lack *lacks; /* fields and tracepoints missing; for NONE, the places tried */
	size_t nr_lacks;
};

struct zwb_plan {
	struct zwb_probe *probes;
	size_t nr_probes;
	struct zwb_tracepoint *tracepoints;
	size_t nr_tracepoints;
	struct zwb_finding *findings; /* one for each thing wanted at this level */
	size_t nr_findings;
	size_t nr_missing; /* findings that are needed and cannot be recorded */
};

struct zwb_kernel;

/* What is asked for. */
struct zwb_plan_wish {
	enum zwb_level level;
	/*
	 * Inode numbers of cgroups, none: all. Stores and loads of others are left out by filters
	 * in the kernel. Walks, block IO and reclaim are kept whatever their cgroup: a walk may
	 * write back pages of others, and what merges depends on everything that is in a plug.
	 */
	const uint64_t *cgroup_ids;
	size_t nr_cgroup_ids;
};

/**
 * zwb_plan_make() - choose how to record what is wanted.
 * @kernel: borrowed; anything zwb_kernel_load() returns.
 * @plan:   filled; released by the caller, also after a failure.
 * Return: ZWB_OK, also when little can be recorded: @plan's findings and nr_missing tell;
 * ZWB_ENOMEM.
 */
int zwb_plan_make(const struct zwb_kernel *kernel, const struct zwb_plan_wish *wish,
	struct zwb_plan *plan, struct zwb_err *err);

/** zwb_plan_release() - free what @plan holds and clear it. */
void zwb_plan_release(struct zwb_plan *plan);

/** zwb_level_name() - "minimal", "standard", "full". */
const char *zwb_level_name(enum zwb_level level);

/** zwb_method_name() - "fprobe with BTF arguments". */
const char *zwb_method_name(enum zwb_method method);

#endif
