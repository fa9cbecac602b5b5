/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals that double. */
#include "timeline.h"

#include <string.h>

#define NR ZWB_TIMELINE_INTERVALS

/* Makes the intervals reach past @ts_ns. Return: the one that it falls into. */
static size_t timeline_reach(struct zwb_timeline *t, uint64_t ts_ns)
{
	if (t->interval_ns == 0)
		t->interval_ns = ZWB_TIMELINE_FIRST_NS;
	while (ts_ns / t->interval_ns >= NR) {
		for (size_t i = 0; i < NR / 2; i++)
			t->amounts[i] = t->amounts[2 * i] + t->amounts[2 * i + 1];
		memset(&t->amounts[NR / 2], 0, sizeof(t->amounts) / 2);
		t->interval_ns *= 2;
	}
	return (size_t)(ts_ns / t->interval_ns);
}

void zwb_timeline_add(struct zwb_timeline *t, uint64_t ts_ns, double amount)
{
	t->amounts[timeline_reach(t, ts_ns)] += amount;
}

void zwb_timeline_hold(struct zwb_timeline *t, uint64_t from_ns, uint64_t to_ns, double value)
{
	if (from_ns >= to_ns)
		return;
	timeline_reach(t, to_ns - 1);
	while (from_ns < to_ns) {
		size_t i = (size_t)(from_ns / t->interval_ns);
		/* what is left of the interval cannot be more than what is left of all time */
		uint64_t left_ns = t->interval_ns - from_ns % t->interval_ns;
		uint64_t span_ns = to_ns - from_ns < left_ns ? to_ns - from_ns : left_ns;

		t->amounts[i] += value * (double)span_ns;
		from_ns += span_ns;
	}
}

void zwb_timeline_extend(struct zwb_timeline *t, uint64_t end_ns)
{
	timeline_reach(t, end_ns ? end_ns - 1 : 0);
}

size_t zwb_timeline_used(const struct zwb_timeline *t, uint64_t end_ns)
{
	uint64_t nr;

	if (t->interval_ns == 0 || end_ns == 0)
		return 0;
	nr = (end_ns - 1) / t->interval_ns + 1;
	return nr < NR ? (size_t)nr : NR;
}

double zwb_timeline_mean(const struct zwb_timeline *t, size_t i, uint64_t end_ns)
{
	uint64_t begin_ns = i * t->interval_ns;
	uint64_t left_ns = end_ns - begin_ns;

	return t->amounts[i] / (double)(left_ns < t->interval_ns ? left_ns : t->interval_ns);
}
