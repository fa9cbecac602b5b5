/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts over time, in a fixed number of intervals that grow with the time there is. */
#ifndef ZWB_TIMELINE_H
#define ZWB_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Intervals begin at 1 ms. When time goes past the last one, neighbours are put together and all
 * are twice as long, so that memory does not depend on the length of a recording, and two timelines
 * that were filled up to the same time have the same intervals. What is added is an amount: a
 * count, or a gauge times the nanoseconds that it stood.
 */

#define ZWB_TIMELINE_INTERVALS 256u
#define ZWB_TIMELINE_FIRST_NS  UINT64_C(1000000)

struct zwb_timeline {
	uint64_t interval_ns; /* 0: nothing was added yet */
	double amounts[ZWB_TIMELINE_INTERVALS];
};

/** zwb_timeline_add() - @amount at @ts_ns. */
void zwb_timeline_add(struct zwb_timeline *t, uint64_t ts_ns, double amount);

/** zwb_timeline_hold() - a gauge stood at @value during [@from_ns, @to_ns). */
void zwb_timeline_hold(struct zwb_timeline *t, uint64_t from_ns, uint64_t to_ns, double value);

/** zwb_timeline_extend() - let the intervals reach as far as @end_ns, whatever was added. */
void zwb_timeline_extend(struct zwb_timeline *t, uint64_t end_ns);

/** zwb_timeline_used() - how many intervals it takes to reach @end_ns; at most all. */
size_t zwb_timeline_used(const struct zwb_timeline *t, uint64_t end_ns);

/**
 * zwb_timeline_mean() - the gauge over interval @i of a timeline that ends at @end_ns, whose last
 * interval is as short as what is left.
 */
double zwb_timeline_mean(const struct zwb_timeline *t, size_t i, uint64_t end_ns);

#endif
