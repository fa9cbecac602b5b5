/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of a lane: shared by the lane*.c files. */
#ifndef ZWB_LANE_PRIV_H
#define ZWB_LANE_PRIV_H

#include "lane.h"
#include "recorded.h"
#include "tasktab.h"

#define LANE_MAX_FRAMES	     24u
#define LANE_MAX_FOLIO_PAGES 1024u
#define LANE_MAX_CPUS	     1024u /* on more, a read may wait for its task's next event */
#define LANE_MAX_CGROUPS     65536u /* indices from here on count as unknown */
#define LANE_MAX_COLLECTED   (1u << 20) /* pages that policies keep, in all walks together */
#define LANE_KEEP_PAGES	     4096u /* memory for so many stays with a frame */

enum lane_frame_kind { LANE_FRAME_RECLAIM, LANE_FRAME_WALK, LANE_FRAME_VISIT };

/* One kernel function that is under way on a task. */
struct lane_frame {
	struct zwb_lane *lane;
	struct lane_task *task;
	enum lane_frame_kind kind;
	bool wrote; /* VISIT: the page was seen on its way to the swap device */
	uint64_t slot; /* VISIT */
	uint32_t swap_type; /* VISIT */
	uint64_t nr_pages_begun; /* WALK: pages of the task when it began */
	struct zwb_swap_ctx ctx; /* WALK: of the policy; RECLAIM: of direct swap-outs */
	struct zwb_walk walk; /* WALK */
	struct zwb_page *pages; /* WALK: collected; some memory is kept for the next walk */
	size_t nr_pages, room;
	void *priv; /* WALK: likewise */
};

/*
 * The open calls of a task, the innermost last. Stacks and plugs belong to the lane: a task that is
 * in no call, or holds no plug, has none.
 */
struct lane_stack {
	struct lane_stack *next_spare;
	struct lane_frame frames[LANE_MAX_FRAMES];
};

struct lane_plug {
	struct zwb_plug plug; /* first: a task knows it by this address */
	struct lane_plug *next_spare;
};

enum lane_pending_kind {
	LANE_PENDING_NONE,
	LANE_PENDING_WRITEBACK,
	LANE_PENDING_DIRECT,
	LANE_PENDING_READ,
	LANE_PENDING_BIO,
};

/* Work of a task that waits for the task's next event. */
struct lane_pending {
	enum lane_pending_kind kind;
	union {
		struct zwb_page page;
		struct zwb_bio bio;
	};
};

struct lane_task {
	int32_t tid;
	unsigned int nr_frames, nr_lost_frames;
	unsigned int nr_plug_starts; /* recorded blk_start_plug() that are open */
	unsigned int nr_own_plugs; /* walks that hold a plug by policy */
	bool has_outer_plug;
	bool unplug_is_open; /* an unplug whose meaning the next event will tell */
	bool plug_after_unplug; /* and a block_plug followed it */
	bool plug_is_filled; /* block_plug was recorded last, not block_unplug */
	bool is_submitting; /* handed something over since its last event */
	bool was_full; /* and the plug was full then */
	bool is_reader; /* in the list of those that may have an open read_ctx */
	uint64_t last_ns; /* its last event */
	uint64_t nr_wb_pages;
	uint64_t load_slot; /* 0: not in a load */
	uint32_t load_type;
	struct zwb_page swap_read; /* nr_pages 0: none that may still ask zswap */
	struct zwb_bio_owner owner;
	struct lane_pending pending;
	struct zwb_swap_ctx read_ctx;
	struct zwb_swap_ctx direct_ctx; /* outside any reclaim pass that was recorded */
	struct zwb_plug *plug; /* NULL: empty, and no plug in force */
	struct lane_stack *stack; /* NULL while nr_frames is 0 */
	struct lane_task *next_reader;
};

/* Requests inserted on one CPU that wait for kblockd to run the queue. */
struct lane_software_queue {
	struct zwb_rq *rqs; /* oldest first */
	uint64_t *flushes; /* the flush each came from */
	unsigned int nr, room;
	uint64_t run_ns;
	struct lane_task
		*submitter; /* who submitted last on this CPU: may be in the middle of it */
};

struct zwb_lane {
	struct zwb_lane_setup setup;
	struct lane_software_queue *software; /* by CPU */
	unsigned int nr_software;
	uint64_t next_run_ns; /* earliest run of any of them; UINT64_MAX: all are empty */
	uint16_t now_cpu;
	uint64_t now_ns;
	int status; /* ZWB_OK, or why the lane cannot go on: @err */
	struct zwb_err err;
	bool seen[ZWB_EV_NR];
	struct zwb_tasktab tasks;
	struct lane_task *readers;
	struct lane_task *reading[LANE_MAX_CPUS]; /* REPLAY: who submitted a read there last */
	struct lane_stack *spare_stacks;
	struct lane_plug *spare_plugs;
	uint64_t nr_collected;
	void *device_state;
	uint32_t slot_sectors;
	uint32_t nr_cgroups, room_cgroups;
	struct zwb_lane_counts total, spare;
	struct zwb_lane_counts *cgroups;
	uint64_t flushes[ZWB_FLUSH_NR];
	uint64_t nr_flushes;
	struct zwb_lane_doubts doubts;
	struct zwb_hist latency[2];
	struct zwb_hist write_size; /* of own requests, pages */
	struct zwb_timeline write_rqs; /* own requests over time */
};

/* lane.c */

/** zwb_lane_no_memory() - the lane ends here; the first reason stays. */
void zwb_lane_no_memory(struct zwb_lane *lane, const char *what);

/** zwb_lane_count() - the counters of a cgroup; a spare when there is no memory. */
struct zwb_lane_counts *zwb_lane_count(struct zwb_lane *lane, uint32_t cgroup);

/** zwb_lane_ctx_add() - the append rule, and submission when it asks for it. */
void zwb_lane_ctx_add(struct zwb_lane *lane, struct lane_task *t, struct zwb_swap_ctx *ctx,
	const struct zwb_page *p, uint8_t op, uint8_t write_class);

/** zwb_lane_ctx_submit() - submit what the context is building, if anything. */
void zwb_lane_ctx_submit(struct zwb_lane *lane, struct lane_task *t, struct zwb_swap_ctx *ctx);

/** zwb_lane_bio_made() - a bio was built or taken from the recording: count and show it. */
void zwb_lane_bio_made(struct zwb_lane *lane, const struct zwb_bio *bio);

/** zwb_lane_bio_submit() - through the task's plug, to the device. */
void zwb_lane_bio_submit(struct zwb_lane *lane, struct lane_task *t, const struct zwb_bio *bio);

/** zwb_lane_flush() - take the requests out of the plug: issued, or inserted when blocking. */
void zwb_lane_flush(struct zwb_lane *lane, struct lane_task *t, enum zwb_flush_cause cause);

/** zwb_lane_issue() - hand a request to the device. @flush: see struct zwb_lane_tap. */
void zwb_lane_issue(struct zwb_lane *lane, const struct zwb_rq *rq, uint64_t flush);

/* One walk each. */
void zwb_lane_walk_begin(struct lane_frame *f, const struct zwb_event *ev);
void zwb_lane_walk_page(struct lane_frame *f, const struct zwb_page *p);
void zwb_lane_walk_end(struct lane_frame *f);

/* lane_task.c: tasks, their open calls, their plug */

/** zwb_lane_task() - the state of a task, made when new; NULL when that fails. */
struct lane_task *zwb_lane_task(struct zwb_lane *lane, int32_t tid);

/** zwb_lane_task_end() - nothing more comes from the task: submit and flush what it holds. */
void zwb_lane_task_end(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_tasks_release() - of a lane that is freed. */
void zwb_lane_tasks_release(struct zwb_lane *lane);

/** zwb_lane_frame_push() - NULL when nested too deep or without memory. */
struct lane_frame *zwb_lane_frame_push(
	struct zwb_lane *lane, struct lane_task *t, enum lane_frame_kind kind);

/** zwb_lane_frame_pop() - close the innermost call of @kind and those in it; none: nothing. */
void zwb_lane_frame_pop(struct zwb_lane *lane, struct lane_task *t, enum lane_frame_kind kind);

/** zwb_lane_innermost() - the innermost open frame of @kind, or NULL. */
struct lane_frame *zwb_lane_innermost(struct lane_task *t, enum lane_frame_kind kind);

/** zwb_lane_plug_need() - the task's plug, made when it has none; NULL without memory. */
struct zwb_plug *zwb_lane_plug_need(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_plug_drop() - the task's plug is finished, and empty. */
void zwb_lane_plug_drop(struct zwb_lane *lane, struct lane_task *t);

/* lane_software.c: requests that wait for kblockd */

/** zwb_lane_software_insert() - false when the queue cannot take it: issue it. */
bool zwb_lane_software_insert(struct zwb_lane *lane, const struct zwb_rq *rq, uint64_t flush);

/** zwb_lane_software_merge() - let @bio join one of the last requests of this CPU's queue. */
enum zwb_merge zwb_lane_software_merge(struct zwb_lane *lane, const struct zwb_bio *bio);

/** zwb_lane_software_submitter() - @t begins to submit on the CPU of the event. */
void zwb_lane_software_submitter(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_software_forget() - @t blocks: its submission goes on when it is back. */
void zwb_lane_software_forget(struct zwb_lane *lane, const struct lane_task *t);

/** zwb_lane_software_run() - kblockd runs the queue of a CPU. */
void zwb_lane_software_run(struct zwb_lane *lane, unsigned int cpu);

/** zwb_lane_software_run_due() - run every queue whose time has come. */
void zwb_lane_software_run_due(struct zwb_lane *lane);

void zwb_lane_software_release(struct zwb_lane *lane);

/* lane_events.c */

/** zwb_lane_defer() - @p is worked on when the task's next event comes. */
void zwb_lane_defer(struct zwb_lane *lane, struct lane_task *t, enum lane_pending_kind kind,
	const struct zwb_page *p);

/** zwb_lane_run_pending() - take up the work that waits for the task's next event. */
void zwb_lane_run_pending(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_direct_ctx() - the context that a direct swap-out would join now. */
struct zwb_swap_ctx *zwb_lane_direct_ctx(struct lane_task *t);

/* lane_reads.c: swap-in */

/** zwb_lane_read_take() - a page whose read was deferred joins the swap-in context. */
void zwb_lane_read_take(struct zwb_lane *lane, struct lane_task *t, const struct zwb_page *p);

/** zwb_lane_read_submit() - submit the swap-in context. */
void zwb_lane_read_submit(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_read_boundary() - a read bio of ours was given: it says where a context ended. */
void zwb_lane_read_boundary(struct zwb_lane *lane, struct lane_task *t, const struct zwb_bio *bio);

/** zwb_lane_readers_sweep() - forget tasks that have nothing to read, before they may go. */
void zwb_lane_readers_sweep(struct zwb_lane *lane);

/** zwb_lane_read_given() - @t submits a recorded read on the CPU of the event. */
void zwb_lane_read_given(struct zwb_lane *lane, struct lane_task *t);

/** zwb_lane_readers_forget() - @t goes. */
void zwb_lane_readers_forget(struct zwb_lane *lane, const struct lane_task *t);

/** zwb_lane_read_issue() - does @ev show that the read submitted last on its CPU was issued? */
void zwb_lane_read_issue(struct zwb_lane *lane, const struct zwb_event *ev);

/* One event each. */
void zwb_lane_load_end(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev);
void zwb_lane_swap_read(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev);
void zwb_lane_read_complete(struct zwb_lane *lane, const struct zwb_event *ev);

/** zwb_lane_swap_read_settle() - @ev shows whether the swap-in that was begun asked zswap. */
void zwb_lane_swap_read_settle(
	struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev);

/* lane_plug.c */

/** zwb_lane_settle() - @ev shows that what the task was submitting is over. */
void zwb_lane_settle(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev);

/* One event each. */
void zwb_lane_plug(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev);
void zwb_lane_unplug(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev);
void zwb_lane_plug_start(struct lane_task *t, const struct zwb_event *ev);
void zwb_lane_plug_finish(struct zwb_lane *lane, struct lane_task *t);
void zwb_lane_switch(struct zwb_lane *lane, struct zwb_event *ev);

/* Pages, begun ones included, of so many sectors. */
static inline uint32_t lane_pages_of(const struct zwb_lane *lane, uint32_t nr_sectors)
{
	return (uint32_t)(((uint64_t)nr_sectors + lane->slot_sectors - 1) / lane->slot_sectors);
}

static inline bool lane_is_plugged(const struct lane_task *t)
{
	return t->has_outer_plug || t->nr_own_plugs > 0;
}

static inline struct lane_frame *lane_top(struct lane_task *t)
{
	return t->nr_frames ? &t->stack->frames[t->nr_frames - 1] : NULL;
}

#endif
