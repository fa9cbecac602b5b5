/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane: one policy, one device and one seed, fed with the events of a recording. */
#ifndef ZWB_LANE_H
#define ZWB_LANE_H

#include "blk.h"
#include "device_ops.h"
#include "err.h"
#include "event.h"
#include "geometry.h"
#include "hist.h"
#include "meta.h"
#include "policy_ops.h"
#include "swapio.h"
#include "tasktab.h"
#include "timeline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * trigger=recorded, loop=open. A lane keeps a state for every task: open walks and reclaim passes
 * with their swap IO contexts, the plug, what is known of outer plugs. Walks visit what they
 * visited in the recording, at the recorded times; the policy decides what becomes of the pages.
 *
 * Work is deferred by one event of the same task: a page that was handed to the swap device is
 * taken up when the task's next event shows that the kernel is done with it, because only then it
 * is known whether a plug was in force: block_plug follows the first request that enters one.
 *
 * Where the recording has no plug start and finish, outer plugs are inferred: block_plug outside a
 * walk's own plug shows that the task holds an outer one, block_unplug ends it, unless the unplug
 * came in the middle of a submission (the plug was full, or the task blocked). That needs to know
 * what the recorded kernel would have done, so one lane, the reference, replays the captured policy
 * and notes the meaning of each plug event in its pad field; all lanes follow the notes.
 */

/* What becomes of our own IO. */
enum zwb_lane_mode {
	ZWB_LANE_REPLAY, /* writes by the policy, swap-in reads as recorded */
	ZWB_LANE_BLIND, /* writes by the policy, reads by rule from the load misses */
	ZWB_LANE_GIVEN, /* the recorded bios go through the plug; pages only make bios to compare */
};

/*
 * How a plug event is to be read; in zwb_event.pad once the reference lane has seen it. The meaning
 * of an unplug in the middle of a submission is only known at the task's next event, which carries
 * it then.
 */
enum zwb_plug_note {
	ZWB_NOTE_NONE,
	/* on PLUG */
	ZWB_NOTE_OUTER, /* the task holds an outer plug */
	ZWB_NOTE_MISSED, /* likewise, and the unplug before it is missing */
	ZWB_NOTE_OWN, /* the recorded walk's own plug: another policy has another one */
	/* on the event after a submission, about an unplug in its middle; OWN as well */
	ZWB_NOTE_FULL, /* the plug was full */
	ZWB_NOTE_BLOCKED, /* the task blocked before its bio got a request */
	ZWB_NOTE_ENDED, /* the outer plug ended after the submission */
	ZWB_NOTE_MASK = 0xff,
	/* beside one of those, on WALK_END */
	ZWB_NOTE_OUTLIVES = 0x100, /* the plug in the walk is an outer one */
	/* beside one of those, on UNPLUG, about itself */
	ZWB_NOTE_UNPLUG_ENDS = 0x200, /* the outer plug ends */
	ZWB_NOTE_UNPLUG_BLOCKS = 0x400, /* the task blocks and keeps its plug */
	ZWB_NOTE_UNPLUG_LATER = 0x800, /* a later event will tell */
};

/* A policy with its parameters. */
struct zwb_policy {
	const struct zwb_policy_ops *ops;
	struct zwb_knobs knobs;
	int64_t params[ZWB_PARAM_MAX];
	void *library; /* dlopen() handle, or NULL */
	char *label; /* as typed */
	char *normal; /* every parameter with its value */
};

struct zwb_device_model {
	const struct zwb_device_ops *ops;
	int64_t params[ZWB_PARAM_MAX];
	char *label; /* "linear,depth=8", as typed */
	char *normal;
};

enum zwb_flush_cause {
	ZWB_FLUSH_FINISH,
	ZWB_FLUSH_FULL,
	ZWB_FLUSH_BLOCKED,
	ZWB_FLUSH_END_OF_TRACE,
	ZWB_FLUSH_NR
};

/* Counted for each cgroup and in total. */
struct zwb_lane_counts {
	uint64_t wb_pages, direct_pages, read_pages;
	uint64_t write_bios, read_bios, write_rqs, read_rqs;
	uint64_t back_merges, front_merges;
	uint64_t walks, walks_plug_unknown;
};

/*
 * Watches a lane; for validation and tests. Own swap IO only. rq: @flush numbers the flushes of the
 * lane from 1, 0 is direct issue.
 */
struct zwb_lane_tap {
	void *arg;
	void (*bio)(void *arg, const struct zwb_bio *bio);
	void (*rq)(void *arg, const struct zwb_rq *rq, uint64_t flush);
};

struct zwb_lane_setup {
	const struct zwb_policy *policy; /* borrowed, as all of this */
	const struct zwb_device_model *device; /* NULL: no latencies */
	const struct zwb_geometry *geometry;
	const struct zwb_tasktab *kblockd; /* tids of kblockd's workers, NULL when not known */
	struct zwb_blk_limits limits;
	bool has_swap_ctx; /* the kernel builds bios of several folios for direct swap IO (7.3) */
	bool has_frontswap; /* before 6.6: a swap-in that zswap cannot hold never asks it */
	enum zwb_lane_mode mode;
	uint64_t seed;
	bool is_reference; /* notes the meaning of plug events; policy is the captured one */
	bool infer_plugs; /* leave recorded plug starts and ends aside, infer outer plugs */
	bool wrong_full_plug; /* wrong on purpose: a full plug takes its new request along */
	const struct zwb_lane_tap *tap; /* or NULL */
};

struct zwb_lane;

/** zwb_lane_create() - Return: ZWB_OK, ZWB_ENOMEM. */
int zwb_lane_create(const struct zwb_lane_setup *setup, struct zwb_lane **out, struct zwb_err *err);
void zwb_lane_free(struct zwb_lane *lane);

/**
 * zwb_lane_events() - feed a block of events, in order of time.
 * @events: a reference lane writes the pad field; all others only read.
 * Return: ZWB_OK; ZWB_ENOMEM; ZWB_EDATA when more tasks are inside calls than can be. A lane that
 * failed cannot go on: every later call returns it again.
 */
int zwb_lane_events(
	struct zwb_lane *lane, struct zwb_event *events, size_t nr_events, struct zwb_err *err);

/**
 * zwb_lane_finish() - the trace is over: flush what contexts and plugs still hold.
 * Return: as zwb_lane_events().
 */
int zwb_lane_finish(struct zwb_lane *lane, struct zwb_err *err);

/** zwb_lane_counts() - of one cgroup; zeroes when it did nothing. @cgroup UINT32_MAX: total. */
struct zwb_lane_counts zwb_lane_counts(const struct zwb_lane *lane, uint32_t cgroup);

/** zwb_lane_nr_cgroups() - cgroup indices from here on did nothing. */
uint32_t zwb_lane_nr_cgroups(const struct zwb_lane *lane);

uint64_t zwb_lane_flushes(const struct zwb_lane *lane, enum zwb_flush_cause cause);

/* Things the lane had to leave out or guess. */
struct zwb_lane_doubts {
	uint64_t pages_given, pages_taken; /* to the policy, and by it into contexts */
	uint64_t slots_outside; /* pages whose slot lies in no extent: not written */
	uint64_t owner_from_walk; /* pages whose cgroup is that of the walked list */
	uint64_t owner_unknown; /* pages without any cgroup */
	uint64_t pages_without_walk; /* pages that no recorded walk encloses: a bio each */
	uint64_t missed_unplugs; /* a plug whose end the recording does not show */
	uint64_t lost_frames; /* calls nested deeper than the lane follows */
	uint64_t not_collected; /* pages that a policy wanted to keep, and 2^20 were kept already */
};
struct zwb_lane_doubts zwb_lane_doubts(const struct zwb_lane *lane);

/** zwb_lane_latency() - histogram of read (0) or write (1) requests, submission to completion. */
struct zwb_hist *zwb_lane_latency(struct zwb_lane *lane, int is_write);

/** zwb_lane_write_size() - histogram of the pages of the lane's own write requests. */
struct zwb_hist *zwb_lane_write_size(struct zwb_lane *lane);

/** zwb_lane_write_requests() - how many write requests there were when; own ones. */
struct zwb_timeline *zwb_lane_write_requests(struct zwb_lane *lane);

#endif
