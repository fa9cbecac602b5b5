/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of a lane: their open calls, their plug, and when they can be forgotten. */
#include "lane_priv.h"

#include <stdlib.h>

/* A task that was silent for so long is taken for one that has exited, if room is needed. */
#define LANE_SILENT_NS UINT64_C(60000000000)

/* Frames. */

struct lane_frame *zwb_lane_innermost(struct lane_task *t, enum lane_frame_kind kind)
{
	for (unsigned int i = t->nr_frames; i-- > 0;) {
		if (t->stack->frames[i].kind == kind)
			return &t->stack->frames[i];
	}
	return NULL;
}

static struct lane_stack *lane_stack_get(struct zwb_lane *lane)
{
	struct lane_stack *stack = lane->spare_stacks;

	if (stack) {
		lane->spare_stacks = stack->next_spare;
		return stack;
	}
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		zwb_lane_no_memory(lane, "the calls of a task");
	return stack;
}

struct lane_frame *zwb_lane_frame_push(
	struct zwb_lane *lane, struct lane_task *t, enum lane_frame_kind kind)
{
	struct lane_frame *f;

	if (t->nr_frames == LANE_MAX_FRAMES) {
		t->nr_lost_frames++;
		lane->doubts.lost_frames++;
		return NULL;
	}
	if (!t->stack)
		t->stack = lane_stack_get(lane);
	if (!t->stack)
		return NULL;
	f = &t->stack->frames[t->nr_frames++];
	f->lane = lane;
	f->task = t;
	f->kind = kind;
	f->wrote = false;
	f->ctx.nr_folios = 0;
	return f;
}

static void lane_frame_close(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_frame *f = lane_top(t);

	if (f->kind == LANE_FRAME_WALK)
		zwb_lane_walk_end(f);
	else if (f->kind == LANE_FRAME_RECLAIM)
		zwb_lane_ctx_submit(lane, t, &f->ctx);
	if (--t->nr_frames)
		return;
	t->stack->next_spare = lane->spare_stacks;
	lane->spare_stacks = t->stack;
	t->stack = NULL;
}

void zwb_lane_frame_pop(struct zwb_lane *lane, struct lane_task *t, enum lane_frame_kind kind)
{
	bool is_last = false;

	if (t->nr_lost_frames) {
		t->nr_lost_frames--;
		return;
	}
	if (!zwb_lane_innermost(t, kind))
		return;
	while (!is_last) {
		is_last = lane_top(t)->kind == kind;
		lane_frame_close(lane, t);
	}
}

/* The plug. */

struct zwb_plug *zwb_lane_plug_need(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_plug *spare = lane->spare_plugs;

	if (t->plug)
		return t->plug;
	if (spare) {
		lane->spare_plugs = spare->next_spare;
	} else {
		spare = calloc(1, sizeof(*spare));
		if (!spare) {
			zwb_lane_no_memory(lane, "a plug");
			return NULL;
		}
	}
	t->plug = &spare->plug;
	return t->plug;
}

void zwb_lane_plug_drop(struct zwb_lane *lane, struct lane_task *t)
{
	struct lane_plug *spare = (struct lane_plug *)t->plug;

	if (!spare)
		return;
	zwb_plug_finish(&spare->plug);
	spare->next_spare = lane->spare_plugs;
	lane->spare_plugs = spare;
	t->plug = NULL;
}

/* Life of a task. */

void zwb_lane_task_end(struct zwb_lane *lane, struct lane_task *t)
{
	zwb_lane_run_pending(lane, t);
	while (t->nr_frames)
		lane_frame_close(lane, t);
	zwb_lane_ctx_submit(lane, t, &t->direct_ctx);
	zwb_lane_read_submit(lane, t);
	zwb_lane_flush(lane, t, ZWB_FLUSH_END_OF_TRACE);
}

/* As a new one would be: all that it knows besides is how much it has written. */
static bool lane_task_is_fresh(const struct lane_task *t)
{
	return !t->nr_frames && !t->nr_lost_frames && !t->nr_plug_starts && !t->nr_own_plugs &&
	       !t->has_outer_plug && !t->unplug_is_open && !t->plug_after_unplug &&
	       !t->plug_is_filled && !t->is_submitting && !t->was_full && !t->load_slot &&
	       !t->swap_read.nr_pages && !t->owner.sector && !t->read_ctx.nr_folios &&
	       !t->direct_ctx.nr_folios && t->pending.kind == LANE_PENDING_NONE && !t->plug;
}

static bool lane_task_may_go(void *value, void *arg)
{
	struct zwb_lane *lane = arg;
	struct lane_task *t = value;

	if (t->is_reader)
		return false;
	if (!lane_task_is_fresh(t)) {
		if (lane->now_ns - t->last_ns < LANE_SILENT_NS)
			return false;
		zwb_lane_task_end(lane, t);
		zwb_lane_readers_forget(lane, t);
	}
	zwb_lane_software_forget(lane, t);
	return true;
}

struct lane_task *zwb_lane_task(struct zwb_lane *lane, int32_t tid)
{
	const struct zwb_tasktab_values values = { sizeof(struct lane_task), lane_task_may_go,
		lane };
	struct lane_task *t = zwb_tasktab_find(&lane->tasks, tid);
	void *made;
	int ret;

	if (t) {
		t->last_ns = lane->now_ns;
		return t;
	}
	if (zwb_tasktab_wants_look(&lane->tasks))
		zwb_lane_readers_sweep(lane);
	ret = zwb_tasktab_make(&lane->tasks, tid, &values, &made, &lane->err);
	if (ret) {
		lane->status = ret;
		return NULL;
	}
	t = made;
	t->tid = tid;
	t->last_ns = lane->now_ns;
	return t;
}

static void lane_stack_free(struct lane_stack *stack)
{
	for (unsigned int i = 0; stack && i < LANE_MAX_FRAMES; i++) {
		free(stack->frames[i].pages);
		free(stack->frames[i].priv);
	}
	free(stack);
}

static void lane_task_free(void *value)
{
	struct lane_task *t = value;

	lane_stack_free(t->stack);
	free(t->plug);
	free(t);
}

void zwb_lane_tasks_release(struct zwb_lane *lane)
{
	struct lane_stack *stack;
	struct lane_plug *plug;

	zwb_tasktab_release(&lane->tasks, lane_task_free);
	while ((stack = lane->spare_stacks)) {
		lane->spare_stacks = stack->next_spare;
		lane_stack_free(stack);
	}
	while ((plug = lane->spare_plugs)) {
		lane->spare_plugs = plug->next_spare;
		free(plug);
	}
}
