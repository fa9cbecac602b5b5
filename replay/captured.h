/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which policy the recorded kernel itself ran. */
#ifndef ZWB_CAPTURED_H
#define ZWB_CAPTURED_H

#include "err.h"
#include "event.h"
#include "geometry.h"
#include "lane.h"
#include "stream.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The rule looks at what the recording shows, never at which policy scores best:
 *
 *	1. A page's own bio is queued inside its visit, before the next page is looked at: the
 *	   context belongs to the entry. Half of the pages or more: ctx=entry, else ctx=walk.
 *	2. A walk that submitted something and ends with block_unplug between its last visit and its
 *	   return, on a task that showed no plug before the walk, finished a plug of its own. More
 *	   than one in five such walks: plug=walk, else plug=none.
 *	3. Walks by a per-lruvec worker: the write class is background, else swap.
 *
 * Fewer than ZWB_CAPTURED_MIN pages: not enough to tell; unbatched, the stock kernel, is assumed.
 */
#define ZWB_CAPTURED_MIN 20u

struct zwb_captured {
	struct zwb_policy policy; /* released by zwb_captured_release() */
	uint64_t nr_pages; /* written back in what was looked at */
	uint64_t nr_own_bios; /* of them with a bio of their own in their visit */
	uint64_t nr_walks; /* that wrote something, on a task without an outer plug */
	uint64_t nr_own_plugs; /* of them with a plug of their own */
	uint64_t nr_worker_walks;
	bool is_known; /* false: too little to tell, or not inferred but given */
	bool is_given;
};

/**
 * zwb_captured_infer() - look at the begin of a recording.
 * @s: stream at its begin; read as far as needed, not to be used afterwards.
 * @geometry: of its swap areas.
 */
int zwb_captured_infer(struct zwb_stream *s, const struct zwb_geometry *geometry,
	struct zwb_captured *captured, struct zwb_err *err);

/** zwb_captured_set() - take the user's word for it. */
int zwb_captured_set(const char *policy, struct zwb_captured *captured, struct zwb_err *err);

void zwb_captured_release(struct zwb_captured *captured);

#endif
