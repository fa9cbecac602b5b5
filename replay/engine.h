/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine: one decode of a recording feeds all lanes. */
#ifndef ZWB_ENGINE_H
#define ZWB_ENGINE_H

#include "captured.h"
#include "err.h"
#include "lane.h"
#include "run.h"
#include "stream.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Lanes share nothing but the events, so the result does not depend on the number of threads. The
 * reference lane runs first on every block, because it notes the meaning of the plug events; the
 * others follow in parallel.
 */

/* One arm that is to be replayed. */
struct zwb_replay_lane {
	const struct zwb_policy *policy; /* borrowed */
	const struct zwb_device_model *device; /* borrowed; NULL: no latencies */
	uint64_t seed;
};

struct zwb_replay_setup {
	const struct zwb_replay_lane *lanes; /* borrowed; arms are added in this order */
	size_t nr_lanes;
	unsigned int nr_threads; /* at least 1; the caller's own thread included */
	bool infer_plugs; /* see struct zwb_lane_setup */
	uint64_t allow_loss; /* more missing events than this end the replay with ZWB_EDATA */
	const struct zwb_captured *captured;
	/* progress: called now and then with the number of events so far; may be NULL */
	void (*progress)(void *arg, uint64_t nr_events);
	void *progress_arg;
};

/**
 * zwb_replay_stream() - replay one recording and add its arms to @run.
 * @s: stream at its begin; read to its end.
 * Return: ZWB_OK; ZWB_EDATA when more events are lost than allowed; ZWB_EKIND when the recording
 * has nothing to replay (says what is missing) or a policy does not submit every page; ZWB_ENOMEM;
 * what the stream returns.
 */
int zwb_replay_stream(const struct zwb_replay_setup *setup, struct zwb_stream *s,
	struct zwb_run *run, struct zwb_err *err);

/**
 * zwb_engine_limits() - queue limits of the swap device, from the facts of the recording; defaults
 * of the kernel where the facts are silent.
 */
struct zwb_blk_limits zwb_engine_limits(const struct zwb_meta *meta);

/**
 * zwb_engine_kblockd() - the threads that may run kblockd work: high-priority workers of a CPU,
 * "kworker/0:1H". @tab: empty; filled, to be released with zwb_tasktab_release().
 */
int zwb_engine_kblockd(const struct zwb_meta *meta, struct zwb_tasktab *tab, struct zwb_err *err);

/** zwb_engine_has_swap_ctx() - does the recorded kernel build swap bios of several folios? */
bool zwb_engine_has_swap_ctx(const struct zwb_meta *meta);

/** zwb_engine_has_frontswap() - was zswap behind frontswap in the recorded kernel? */
bool zwb_engine_has_frontswap(const struct zwb_meta *meta);

#endif
