/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a stream, counted as it goes by; for "zwb import" and "zwb info". */
#ifndef ZWB_SUMMARY_H
#define ZWB_SUMMARY_H

#include "event.h"
#include "meta.h"

#include <stdio.h>

struct zwb_summary_walk;

/*
 * Two walks overlap when one begins before the other has ended, on the LRU list of one cgroup: on
 * two CPUs, or one inside the other. Walks of an unknown cgroup overlap nothing.
 */
struct zwb_summary {
	uint64_t nr_events;
	uint64_t by_kind[ZWB_EV_NR];
	uint64_t first_ns, last_ns;
	uint64_t walks[5]; /* by enum zwb_walk_kind */
	uint64_t nr_walks, nr_overlapping;
	uint64_t nr_visits, nr_written; /* visits, and those that wrote their entry back */

	struct zwb_summary_walk *open;
	size_t nr_open;
	int no_memory; /* nr_overlapping is too low */
};

/** zwb_summary_add() - count a block of events. */
void zwb_summary_add(struct zwb_summary *s, const struct zwb_event *events, size_t nr_events);
void zwb_summary_release(struct zwb_summary *s);

/** zwb_summary_print() - a few lines: events, what was lost, what is unknown. */
void zwb_summary_print(FILE *out, const struct zwb_summary *s, const struct zwb_meta *m);

/** zwb_print_losses() - one line a kind of loss and CPU, with @indent blanks before each. */
void zwb_print_losses(FILE *out, const struct zwb_meta *m, int indent);

/** zwb_print_ns() - nanoseconds as seconds with all their digits: "1.000000005". */
void zwb_print_ns(FILE *out, uint64_t ns);

const char *zwb_walk_kind_name(unsigned int kind);

#endif
