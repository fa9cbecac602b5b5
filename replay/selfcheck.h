/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaying a recording under the policy that it was made with, to compare with what it shows. */
#ifndef ZWB_SELFCHECK_H
#define ZWB_SELFCHECK_H

#include "captured.h"
#include "err.h"
#include "lane.h"
#include "stream.h"

#include <stdint.h>

/*
 * Two lanes see the same events. GIVEN follows the recorded bios and plug events and derives the
 * requests; BLIND derives bios and requests from walks, tasks, ends of outer plugs, times a task
 * was blocked, and foreign IO. Neither looks at a recorded request of our own writes: what was
 * recorded goes to @truth only.
 */

struct zwb_selfcheck_sink {
	void *arg;
	/* cgroup of @bio is its owner when told, 0 unknown */
	void (*truth_bio)(void *arg, const struct zwb_bio *bio);
	void (*truth_rq)(void *arg, const struct zwb_bio *rq);
	struct zwb_lane_tap given, blind;
};

struct zwb_selfcheck_setup {
	const struct zwb_captured *captured;
	bool infer_plugs, wrong_full_plug; /* see struct zwb_lane_setup */
	const struct zwb_selfcheck_sink *sink;
};

struct zwb_selfcheck_counts {
	uint64_t nr_writebacks; /* pages that walks wrote back */
	uint64_t nr_swap_writes; /* pages handed to the swap device in all */
	bool knows_reads; /* there are loads, from which read bios are derived */
	struct zwb_lane_counts given, blind;
	struct zwb_lane_doubts doubts; /* of the blind lane */
	struct zwb_blk_limits limits;
};

/**
 * zwb_selfcheck_stream() - run both lanes over a recording.
 * @s: stream at its begin; read to its end.
 */
int zwb_selfcheck_stream(const struct zwb_selfcheck_setup *setup, struct zwb_stream *s,
	struct zwb_selfcheck_counts *counts, struct zwb_err *err);

#endif
