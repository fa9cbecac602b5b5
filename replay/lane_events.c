/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each event of a recording does to a lane. */
#include "lane_priv.h"

#include <stdlib.h>

/* Pages and bios that wait for the task's next event. */

/* The context of direct swap-outs: one a shrink_folio_list() call (7.3.4), a bio a page before. */
struct zwb_swap_ctx *zwb_lane_direct_ctx(struct lane_task *t)
{
	struct lane_frame *f = zwb_lane_innermost(t, LANE_FRAME_RECLAIM);

	return f ? &f->ctx : &t->direct_ctx;
}

static void lane_take_direct(struct zwb_lane *lane, struct lane_task *t, const struct zwb_page *p)
{
	struct zwb_swap_ctx *ctx = zwb_lane_direct_ctx(t);

	zwb_lane_ctx_add(lane, t, ctx, p, ZWB_OP_WRITE, ZWB_WRITE_SWAP);
	if (!lane->setup.has_swap_ctx)
		zwb_lane_ctx_submit(lane, t, ctx);
}

static void lane_take_writeback(
	struct zwb_lane *lane, struct lane_task *t, const struct zwb_page *p)
{
	struct lane_frame *walk = zwb_lane_innermost(t, LANE_FRAME_WALK);

	if (walk) {
		zwb_lane_walk_page(walk, p);
		return;
	}
	/* No probe on the walk itself: all that is known is the entry. */
	lane->doubts.pages_without_walk++;
	zwb_lane_ctx_add(lane, t, &t->direct_ctx, p, ZWB_OP_WRITE,
		(uint8_t)lane->setup.policy->knobs.write_class);
	zwb_lane_ctx_submit(lane, t, &t->direct_ctx);
}

void zwb_lane_run_pending(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_pending p;

	if (t->pending.kind == LANE_PENDING_NONE)
		return;
	p = t->pending;
	t->pending.kind = LANE_PENDING_NONE;
	switch (p.kind) {
	case LANE_PENDING_WRITEBACK:
		lane_take_writeback(lane, t, &p.page);
		break;
	case LANE_PENDING_DIRECT:
		lane_take_direct(lane, t, &p.page);
		break;
	case LANE_PENDING_READ:
		zwb_lane_read_take(lane, t, &p.page);
		break;
	case LANE_PENDING_BIO:
		zwb_lane_bio_submit(lane, t, &p.bio);
		break;
	case LANE_PENDING_NONE:
		break;
	}
}

void zwb_lane_defer(struct zwb_lane *lane, struct lane_task *t, enum lane_pending_kind kind,
	const struct zwb_page *p)
{
	struct lane_pending given = t->pending;

	/* Given bios bring their own way to the plug: pages make bios to be compared, at once. */
	if (lane->setup.mode != ZWB_LANE_GIVEN)
		zwb_lane_run_pending(lane, t);
	t->pending.kind = kind;
	t->pending.page = *p;
	t->is_submitting = true;
	zwb_lane_software_submitter(lane, t);
	if (lane->setup.mode == ZWB_LANE_GIVEN) {
		zwb_lane_run_pending(lane, t);
		t->pending = given;
	}
}

static uint32_t lane_owner(struct zwb_lane *lane, struct lane_task *t, uint32_t recorded)
{
	struct lane_frame *walk;

	if (recorded != ZWB_CGROUP_UNKNOWN)
		return recorded;
	walk = zwb_lane_innermost(t, LANE_FRAME_WALK);
	if (walk && walk->walk.cgroup != ZWB_CGROUP_UNKNOWN) {
		lane->doubts.owner_from_walk++;
		return walk->walk.cgroup;
	}
	lane->doubts.owner_unknown++;
	return ZWB_CGROUP_UNKNOWN;
}

static void lane_writeback_page(struct zwb_lane *lane, struct lane_task *t, struct zwb_page *p)
{
	lane->total.wb_pages += p->nr_pages;
	zwb_lane_count(lane, p->cgroup)->wb_pages += p->nr_pages;
	zwb_lane_defer(lane, t, LANE_PENDING_WRITEBACK, p);
}

static void lane_swap_write(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct lane_frame *top = lane_top(t);
	struct zwb_page p = { .slot = ev->addr, .swap_type = ev->dev, .ts_ns = ev->ts_ns };
	bool is_visit = top && top->kind == LANE_FRAME_VISIT;

	p.nr_pages = ev->len ? ev->len : 1;
	if (p.nr_pages > LANE_MAX_FOLIO_PAGES)
		p.nr_pages = LANE_MAX_FOLIO_PAGES;
	if (is_visit) {
		p.cgroup = lane_owner(lane, t, ev->cgroup);
		top->wrote = true;
		lane_writeback_page(lane, t, &p);
		return;
	}
	p.cgroup = ev->cgroup;
	if (p.cgroup == ZWB_CGROUP_UNKNOWN)
		lane->doubts.owner_unknown++;
	lane->total.direct_pages += p.nr_pages;
	zwb_lane_count(lane, p.cgroup)->direct_pages += p.nr_pages;
	zwb_lane_defer(lane, t, LANE_PENDING_DIRECT, &p);
}

static void lane_visit_begin(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct lane_frame *f = zwb_lane_frame_push(lane, t, LANE_FRAME_VISIT);

	if (!f)
		return;
	f->slot = ev->addr;
	f->swap_type = ev->dev;
}

/* Recordings without a probe on __swap_writepage(): the visit's result is all there is. */
static void lane_visit_end(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct lane_frame *top = lane_top(t);
	struct zwb_page p = { .nr_pages = 1, .ts_ns = ev->ts_ns };
	bool is_unseen;

	is_unseen = top && top->kind == LANE_FRAME_VISIT && !t->nr_lost_frames && !top->wrote &&
		    ev->val == ZWB_VISIT_WRITTEN && !lane->seen[ZWB_EV_SWAP_WRITE];
	if (is_unseen) {
		p.slot = top->slot;
		p.swap_type = top->swap_type;
		p.cgroup = lane_owner(lane, t, ev->cgroup);
	}
	zwb_lane_frame_pop(lane, t, LANE_FRAME_VISIT);
	if (is_unseen)
		lane_writeback_page(lane, t, &p);
}

/* Recorded bios. */

static void lane_bio_queue(struct zwb_lane *lane, struct zwb_event *ev)
{
	struct zwb_bio bio = zwb_bio_recorded(ev);
	bool is_write = (ev->flags & ZWB_OP_WRITE) != 0;
	struct lane_task *t;
	uint32_t swap_type;
	uint64_t slot;

	bio.is_own = zwb_geometry_slot(lane->setup.geometry, ev->dev, ev->addr, &swap_type, &slot);
	if (bio.is_own && lane->setup.mode == ZWB_LANE_BLIND)
		return;
	if (bio.is_own && is_write && lane->setup.mode == ZWB_LANE_REPLAY)
		return;
	t = zwb_lane_task(lane, ev->tid);
	if (!t)
		return;
	zwb_lane_settle(lane, t, ev);
	if (bio.is_own && !is_write)
		zwb_lane_read_boundary(lane, t, &bio);
	bio.nr_segments = lane_pages_of(lane, bio.nr_sectors);
	bio.cgroup = zwb_bio_owner_take(&t->owner, bio.sector);
	if (bio.is_own && is_write)
		bio.write_class = (uint8_t)lane->setup.policy->knobs.write_class;
	if (lane->setup.mode == ZWB_LANE_REPLAY)
		zwb_lane_bio_made(lane, &bio);
	if (lane->setup.mode == ZWB_LANE_REPLAY && bio.is_own)
		zwb_lane_read_given(lane, t);
	t->pending.kind = LANE_PENDING_BIO;
	t->pending.bio = bio;
	t->is_submitting = true;
	zwb_lane_software_submitter(lane, t);
}

static void lane_bio_cgroup(struct zwb_lane *lane, const struct zwb_event *ev)
{
	struct lane_task *t;

	if (lane->setup.mode == ZWB_LANE_BLIND)
		return;
	t = zwb_lane_task(lane, ev->tid);
	if (t)
		zwb_bio_owner_tell(&t->owner, ev);
}

/* Dispatch. */

/* Events that the task itself causes, in between submissions. */
static void lane_task_event(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct lane_frame *f;

	switch (ev->kind) {
	case ZWB_EV_WALK_BEGIN:
		f = zwb_lane_frame_push(lane, t, LANE_FRAME_WALK);
		if (f)
			zwb_lane_walk_begin(f, ev);
		break;
	case ZWB_EV_WALK_END:
		zwb_lane_frame_pop(lane, t, LANE_FRAME_WALK);
		break;
	case ZWB_EV_VISIT_BEGIN:
		lane_visit_begin(lane, t, ev);
		break;
	case ZWB_EV_VISIT_END:
		lane_visit_end(lane, t, ev);
		break;
	case ZWB_EV_RECLAIM_BEGIN:
	case ZWB_EV_DIRECT_RECLAIM_BEGIN:
		zwb_lane_frame_push(lane, t, LANE_FRAME_RECLAIM);
		break;
	case ZWB_EV_RECLAIM_END:
	case ZWB_EV_DIRECT_RECLAIM_END:
		zwb_lane_frame_pop(lane, t, LANE_FRAME_RECLAIM);
		break;
	case ZWB_EV_SHRINK_INACTIVE:
	case ZWB_EV_SHRINK_SLAB_BEGIN:
		zwb_lane_ctx_submit(lane, t, zwb_lane_direct_ctx(t));
		break;
	case ZWB_EV_SWAP_WRITE:
		lane_swap_write(lane, t, ev);
		break;
	case ZWB_EV_LOAD_BEGIN:
		t->load_slot = ev->addr;
		t->load_type = ev->dev;
		break;
	case ZWB_EV_LOAD_END:
		zwb_lane_load_end(lane, t, ev);
		break;
	case ZWB_EV_SWAP_READ:
		zwb_lane_swap_read(lane, t, ev);
		break;
	case ZWB_EV_SWAP_READ_SUBMIT:
		zwb_lane_read_submit(lane, t);
		break;
	case ZWB_EV_PLUG_START:
		zwb_lane_plug_start(t, ev);
		break;
	case ZWB_EV_PLUG_FINISH:
		zwb_lane_plug_finish(lane, t);
		break;
	default:
		break;
	}
}

/* What an event means for the task that was running. */
enum lane_event_class {
	LANE_IGNORE,
	LANE_TASK, /* the task's own doing: a submission before it is over; makes the task */
	LANE_SETTLE, /* likewise, but by itself no reason to keep a state for the task */
	LANE_SPECIAL, /* has its own rule */
};

static const uint8_t lane_event_classes[ZWB_EV_NR] = {
	[ZWB_EV_STORE_BEGIN] = LANE_SETTLE,
	[ZWB_EV_STORE_END] = LANE_SETTLE,
	[ZWB_EV_LOAD_BEGIN] = LANE_TASK,
	[ZWB_EV_LOAD_END] = LANE_TASK,
	[ZWB_EV_INVALIDATE] = LANE_SETTLE,
	[ZWB_EV_ENTRY_FREE] = LANE_SETTLE,
	[ZWB_EV_COMPRESS] = LANE_SETTLE,
	[ZWB_EV_WALK_BEGIN] = LANE_TASK,
	[ZWB_EV_WALK_END] = LANE_TASK,
	[ZWB_EV_VISIT_BEGIN] = LANE_TASK,
	[ZWB_EV_VISIT_END] = LANE_TASK,
	[ZWB_EV_WRITEBACK_BEGIN] = LANE_SETTLE,
	[ZWB_EV_WRITEBACK_END] = LANE_SETTLE,
	[ZWB_EV_WORKER_BEGIN] = LANE_SETTLE,
	[ZWB_EV_WORKER_END] = LANE_SETTLE,
	[ZWB_EV_SHRINK_COUNT] = LANE_SETTLE,
	[ZWB_EV_SWAPOUT] = LANE_SETTLE,
	[ZWB_EV_SWAP_WRITE] = LANE_TASK,
	[ZWB_EV_SWAP_READ] = LANE_TASK,
	[ZWB_EV_SWAP_READ_SUBMIT] = LANE_TASK,
	[ZWB_EV_RECLAIM_BEGIN] = LANE_TASK,
	[ZWB_EV_RECLAIM_END] = LANE_TASK,
	[ZWB_EV_DIRECT_RECLAIM_BEGIN] = LANE_TASK,
	[ZWB_EV_DIRECT_RECLAIM_END] = LANE_TASK,
	[ZWB_EV_SHRINK_SLAB_BEGIN] = LANE_TASK,
	[ZWB_EV_SHRINK_SLAB_END] = LANE_SETTLE,
	[ZWB_EV_SHRINK_INACTIVE] = LANE_TASK,
	[ZWB_EV_SWAP_FAULT_BEGIN] = LANE_SETTLE,
	[ZWB_EV_SWAP_FAULT_END] = LANE_SETTLE,
	[ZWB_EV_PLUG_START] = LANE_TASK,
	[ZWB_EV_PLUG_FINISH] = LANE_TASK,
	[ZWB_EV_BIO_CGROUP] = LANE_SPECIAL,
	[ZWB_EV_BIO_QUEUE] = LANE_SPECIAL,
	[ZWB_EV_RQ_COMPLETE] = LANE_SPECIAL,
	[ZWB_EV_PLUG] = LANE_SPECIAL,
	[ZWB_EV_UNPLUG] = LANE_SPECIAL,
	[ZWB_EV_PLUG_FLUSH] = LANE_SPECIAL,
	[ZWB_EV_SCHED_SWITCH] = LANE_SPECIAL,
};

static void lane_special_event(struct zwb_lane *lane, struct zwb_event *ev)
{
	struct lane_task *t;

	switch (ev->kind) {
	case ZWB_EV_BIO_QUEUE:
		lane_bio_queue(lane, ev);
		return;
	case ZWB_EV_BIO_CGROUP:
		lane_bio_cgroup(lane, ev);
		return;
	case ZWB_EV_RQ_COMPLETE:
		zwb_lane_read_complete(lane, ev);
		return;
	case ZWB_EV_SCHED_SWITCH:
		zwb_lane_switch(lane, ev);
		return;
	default:
		break;
	}
	t = zwb_lane_task(lane, ev->tid);
	if (!t)
		return;
	if (ev->kind == ZWB_EV_PLUG)
		zwb_lane_plug(lane, t, ev);
	else if (ev->kind == ZWB_EV_UNPLUG)
		zwb_lane_unplug(lane, t, ev);
	else if (ev->val == 1)
		zwb_lane_flush(lane, t, ZWB_FLUSH_BLOCKED);
}

static bool lane_shows_plugs(const struct zwb_event *ev)
{
	return ev->kind == ZWB_EV_PLUG_START || ev->kind == ZWB_EV_PLUG_FINISH ||
	       ev->kind == ZWB_EV_PLUG_FLUSH;
}

static void lane_event(struct zwb_lane *lane, struct zwb_event *ev, enum lane_event_class class)
{
	struct lane_task *t;

	if (class == LANE_SPECIAL) {
		lane_special_event(lane, ev);
		return;
	}
	t = class == LANE_TASK ? zwb_lane_task(lane, ev->tid)
			       : zwb_tasktab_find(&lane->tasks, ev->tid);
	if (!t)
		return;
	t->last_ns = lane->now_ns;
	zwb_lane_settle(lane, t, ev);
	if (t->swap_read.nr_pages)
		zwb_lane_swap_read_settle(lane, t, ev);
	if (class == LANE_TASK)
		lane_task_event(lane, t, ev);
}

static int lane_status(const struct zwb_lane *lane, struct zwb_err *err)
{
	if (lane->status && err)
		*err = lane->err;
	return lane->status;
}

int zwb_lane_events(
	struct zwb_lane *lane, struct zwb_event *events, size_t nr_events, struct zwb_err *err)
{
	for (size_t i = 0; i < nr_events && !lane->status; i++) {
		struct zwb_event *ev = &events[i];
		uint8_t class = ev->kind < ZWB_EV_NR ? lane_event_classes[ev->kind] : LANE_IGNORE;

		if (lane->setup.is_reference)
			ev->pad = ZWB_NOTE_NONE;
		if (class == LANE_IGNORE || (lane->setup.infer_plugs && lane_shows_plugs(ev)))
			continue;
		if (ev->ts_ns > lane->now_ns)
			lane->now_ns = ev->ts_ns;
		lane->now_cpu = ev->cpu;
		lane->seen[ev->kind] = true;
		if (lane->next_run_ns <= lane->now_ns)
			zwb_lane_software_run_due(lane);
		if (ev->cpu < LANE_MAX_CPUS && lane->reading[ev->cpu])
			zwb_lane_read_issue(lane, ev);
		lane_event(lane, ev, class);
	}
	return lane_status(lane, err);
}

/*
 * Where plug events were recorded, each page that was written tells whether a plug was in force: a
 * block_plug follows its bio, or not.
 */
static void lane_finish_plugs(struct zwb_lane *lane)
{
	if (!lane->seen[ZWB_EV_PLUG] && !lane->seen[ZWB_EV_PLUG_START])
		return;
	lane->total.walks_plug_unknown = 0;
	for (uint32_t i = 0; i < lane->nr_cgroups; i++)
		lane->cgroups[i].walks_plug_unknown = 0;
}

int zwb_lane_finish(struct zwb_lane *lane, struct zwb_err *err)
{
	void **tasks;

	if (lane->status)
		return lane_status(lane, err);
	tasks = zwb_tasktab_sorted(&lane->tasks);
	if (!tasks)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to end the replay");
	for (size_t i = 0; i < lane->tasks.nr; i++)
		zwb_lane_task_end(lane, tasks[i]);
	free(tasks);
	lane_finish_plugs(lane);
	for (unsigned int i = 0; i < lane->nr_software; i++)
		zwb_lane_software_run(lane, i);
	return lane_status(lane, err);
}
