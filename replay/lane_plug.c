/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plugs that the policy does not own: when the task holds one, and what a recorded block_plug,
 * block_unplug or switch says about it. lane.h has the rule.
 */
#include "lane_priv.h"

/* blk_finish_plug() of the outer plug. */
static void lane_end_outer_plug(struct zwb_lane *lane, struct lane_task *t)
{
	t->has_outer_plug = false;
	if (!lane->seen[ZWB_EV_SHRINK_INACTIVE])
		zwb_lane_ctx_submit(lane, t, zwb_lane_direct_ctx(t));
	if (t->nr_own_plugs == 0)
		zwb_lane_flush(lane, t, ZWB_FLUSH_FINISH);
}

/* The submission that the unplug interrupted is over: only now its meaning is known. */
static enum zwb_plug_note lane_judge_unplug(struct zwb_lane *lane, struct lane_task *t)
{
	bool is_own = t->nr_own_plugs > 0 && !t->has_outer_plug;

	if (t->was_full || (t->plug && zwb_plug_is_full(t->plug, &lane->setup.limits)))
		return ZWB_NOTE_FULL;
	if (t->plug_after_unplug)
		return ZWB_NOTE_BLOCKED;
	if (is_own && t->pending.kind == LANE_PENDING_NONE)
		return ZWB_NOTE_OWN;
	return ZWB_NOTE_ENDED;
}

/*
 * A walk that finishes a plug of its own leaves a block_unplug if anything was in it. One that
 * filled a plug and returned without flushing it was inside an outer plug, which nothing had shown
 * so far.
 */
static bool lane_plug_outlives_walk(const struct lane_task *t, const struct zwb_event *ev)
{
	return ev->kind == ZWB_EV_WALK_END && t->nr_own_plugs == 1 && !t->has_outer_plug &&
	       t->plug_is_filled;
}

/* The next event of a task that is not part of a submission: settle what was left open. */
void zwb_lane_settle(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev)
{
	if (lane->setup.is_reference) {
		ev->pad = ZWB_NOTE_NONE;
		if (t->unplug_is_open)
			ev->pad = (uint16_t)lane_judge_unplug(lane, t);
		if (lane_plug_outlives_walk(t, ev))
			ev->pad |= ZWB_NOTE_OUTLIVES;
	}
	if (ev->pad & ZWB_NOTE_OUTLIVES)
		t->has_outer_plug = true;
	t->unplug_is_open = false;
	t->plug_after_unplug = false;
	t->is_submitting = false;
	t->was_full = false;
	switch (ev->pad & ZWB_NOTE_MASK) {
	case ZWB_NOTE_BLOCKED:
		zwb_lane_flush(lane, t, ZWB_FLUSH_BLOCKED);
		zwb_lane_run_pending(lane, t);
		break;
	case ZWB_NOTE_ENDED:
		zwb_lane_run_pending(lane, t);
		lane_end_outer_plug(lane, t);
		break;
	default:
		zwb_lane_run_pending(lane, t);
		break;
	}
}

static bool lane_is_submitting(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_frame *top = lane_top(t);

	if (t->is_submitting)
		return true;
	if (!top || top->kind == LANE_FRAME_VISIT)
		return false;
	if (top->kind == LANE_FRAME_WALK)
		return true;
	return lane->seen[ZWB_EV_SHRINK_INACTIVE] && top->ctx.nr_folios > 0;
}

/* An outer plug cannot end inside a walk that it encloses: there, the task blocked. */
static enum zwb_plug_note lane_first_judgement(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_frame *top = lane_top(t);

	if (lane_is_submitting(lane, t))
		return ZWB_NOTE_UNPLUG_LATER;
	return top && top->kind == LANE_FRAME_VISIT ? ZWB_NOTE_UNPLUG_BLOCKS : ZWB_NOTE_UNPLUG_ENDS;
}

void zwb_lane_unplug(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev)
{
	t->plug_is_filled = false;
	if (lane->seen[ZWB_EV_PLUG_START])
		return;
	/* Two in one submission: the block_plug between them tells what the first one was. */
	if (t->unplug_is_open && t->plug_after_unplug)
		zwb_lane_settle(lane, t, ev);
	if (lane->setup.is_reference)
		ev->pad |= (uint16_t)lane_first_judgement(lane, t);
	if (ev->pad & ZWB_NOTE_UNPLUG_ENDS)
		lane_end_outer_plug(lane, t);
	else if (ev->pad & ZWB_NOTE_UNPLUG_BLOCKS)
		zwb_lane_flush(lane, t, ZWB_FLUSH_BLOCKED);
	else
		t->unplug_is_open = true;
}

void zwb_lane_plug(struct zwb_lane *lane, struct lane_task *t, struct zwb_event *ev)
{
	t->plug_is_filled = true;
	if (lane->seen[ZWB_EV_PLUG_START])
		return;
	if (lane->setup.is_reference) {
		if (t->nr_own_plugs > 0 && !t->has_outer_plug)
			ev->pad = ZWB_NOTE_OWN;
		else if (!t->unplug_is_open && t->plug && t->plug->nr)
			ev->pad = ZWB_NOTE_MISSED;
		else
			ev->pad = ZWB_NOTE_OUTER;
	}
	t->plug_after_unplug = t->unplug_is_open;
	if (ev->pad == ZWB_NOTE_MISSED) {
		lane->doubts.missed_unplugs++;
		zwb_lane_flush(lane, t, ZWB_FLUSH_FINISH);
	}
	if (ev->pad != ZWB_NOTE_OWN)
		t->has_outer_plug = true;
}

/* A plug that the recorded walk itself starts belongs to the recorded policy. */
static bool lane_plug_is_of_walk(struct lane_task *t)
{
	struct lane_frame *top = lane_top(t);

	return top && top->kind == LANE_FRAME_WALK;
}

void zwb_lane_plug_start(struct lane_task *t, const struct zwb_event *ev)
{
	if (lane_plug_is_of_walk(t))
		return;
	if (ev->val == 1)
		t->nr_plug_starts = 0;
	t->nr_plug_starts++;
	t->has_outer_plug = true;
}

void zwb_lane_plug_finish(struct zwb_lane *lane, struct lane_task *t)
{
	if (lane_plug_is_of_walk(t))
		return;
	if (t->nr_plug_starts > 0)
		t->nr_plug_starts--;
	if (t->nr_plug_starts == 0)
		lane_end_outer_plug(lane, t);
}

/* schedule() of a task that is not runnable flushes its plug (sched_submit_work()). */
void zwb_lane_switch(struct zwb_lane *lane, struct zwb_event *ev)
{
	const int32_t blocked_states = 0xff; /* below TASK_REPORT_MAX; above it: preempted */
	bool is_blocking = (ev->val & blocked_states) != 0;
	struct lane_task *t;

	t = zwb_tasktab_find(&lane->tasks, ev->tid);
	if (t && is_blocking)
		zwb_lane_software_forget(lane, t);
	if (lane->setup.kblockd && zwb_tasktab_find(lane->setup.kblockd, (int32_t)ev->addr))
		zwb_lane_software_run(lane, ev->cpu);
	if (!t || !is_blocking)
		return;
	/* A load does not block: the unplug after it was the end of readahead's plug. */
	if (t->unplug_is_open && t->pending.kind == LANE_PENDING_READ)
		zwb_lane_settle(lane, t, ev);
	zwb_lane_flush(lane, t, ZWB_FLUSH_BLOCKED);
	if (lane->setup.mode == ZWB_LANE_BLIND && !lane->seen[ZWB_EV_SWAP_READ_SUBMIT]) {
		zwb_lane_run_pending(lane, t);
		zwb_lane_read_submit(lane, t);
	}
}
