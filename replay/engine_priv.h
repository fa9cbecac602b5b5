/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the engine: shared by engine.c (running) and engine_result.c (reporting). */
#ifndef ZWB_ENGINE_PRIV_H
#define ZWB_ENGINE_PRIV_H

#include "engine.h"
#include "pool.h"

struct zwb_engine_block {
	struct zwb_event *events;
	size_t nr;
};

struct zwb_engine {
	struct zwb_geometry *geometry;
	struct zwb_tasktab kblockd;
	struct zwb_blk_limits limits;
	bool has_swap_ctx, has_frontswap;
	struct zwb_pool pool;
	struct zwb_lane *reference;
	struct zwb_lane **lanes; /* in the order of the setup */
	size_t nr_lanes;
	struct zwb_crew *crew;
	struct zwb_engine_block blocks[2];
	const struct zwb_engine_block *running; /* what the crew works on */
	const struct zwb_event *input; /* rest of what the stream gave last */
	size_t nr_input;
	uint64_t nr_events, end_ns;
	uint64_t nr_by_kind[ZWB_EV_NR];
};

/** zwb_engine_results() - add the trace and one arm a lane to @run. */
int zwb_engine_results(struct zwb_engine *e, const struct zwb_replay_setup *setup,
	const struct zwb_meta *meta, struct zwb_run *run, struct zwb_err *err);

#endif
