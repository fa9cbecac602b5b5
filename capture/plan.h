/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture will record on this kernel, and how. */
#ifndef ZWB_PLAN_H
#define ZWB_PLAN_H

#include <stddef.h>

/* How much is recorded; each level holds those before it. */
enum zwb_level {
	ZWB_LEVEL_MINIMAL, /* the fewest, cheapest events that a replay of class E needs */
	ZWB_LEVEL_STANDARD, /* and what the schedulers, iocost and latencies need */
	ZWB_LEVEL_FULL, /* and what the closed loop and pressure need */
};

/* A dynamic event of the group "zwb". */
struct zwb_probe {
	char *event; /* "zstore" */
	/*
	 * Lines for tracefs' dynamic_events, the best first: the next one is tried when the kernel
	 * refuses the one before. "f:zwb/zstore zswap_store slot=folio->swap.val"
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

struct zwb_plan {
	struct zwb_probe *probes;
	size_t nr_probes;
	struct zwb_tracepoint *tracepoints;
	size_t nr_tracepoints;
};

/** zwb_plan_release() - free what @plan holds and clear it. */
void zwb_plan_release(struct zwb_plan *plan);

#endif
