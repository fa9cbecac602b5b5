/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Swap-in. A replay keeps the recorded read bios; a validation derives them from the loads that
 * zswap missed.
 */
#include "lane_priv.h"

void zwb_lane_read_take(struct zwb_lane *lane, struct lane_task *t, const struct zwb_page *p)
{
	zwb_lane_ctx_add(lane, t, &t->read_ctx, p, 0, ZWB_WRITE_OTHER);
	if (!lane->setup.has_swap_ctx)
		zwb_lane_ctx_submit(lane, t, &t->read_ctx);
}

void zwb_lane_read_submit(struct zwb_lane *lane, struct lane_task *t)
{
	zwb_lane_ctx_submit(lane, t, &t->read_ctx);
}

static void lane_read_page(struct zwb_lane *lane, struct lane_task *t, const struct zwb_page *p)
{
	lane->total.read_pages++;
	zwb_lane_count(lane, p->cgroup)->read_pages++;
	if (lane->setup.mode == ZWB_LANE_REPLAY)
		return;
	if (!t->is_reader) {
		t->is_reader = true;
		t->next_reader = lane->readers;
		lane->readers = t;
	}
	zwb_lane_defer(lane, t, LANE_PENDING_READ, p);
}

void zwb_lane_load_end(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct zwb_page p = { .slot = ev->addr,
		.swap_type = ev->dev,
		.nr_pages = 1,
		.ts_ns = ev->ts_ns,
		.cgroup = ev->cgroup };

	if (p.slot == 0) {
		p.slot = t->load_slot;
		p.swap_type = t->load_type;
	}
	t->load_slot = 0;
	if (ev->val == 0)
		lane_read_page(lane, t, &p);
}

void zwb_lane_swap_read(struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	if (lane->setup.has_frontswap)
		t->swap_read = (struct zwb_page){ .slot = ev->addr,
			.swap_type = ev->dev,
			.nr_pages = 1,
			.ts_ns = ev->ts_ns,
			.cgroup = ev->cgroup };
}

/* swap_readpage() of 6.1 asks frontswap only for slots that it stored; else it goes to the disk. */
void zwb_lane_swap_read_settle(
	struct zwb_lane *lane, struct lane_task *t, const struct zwb_event *ev)
{
	struct zwb_page p = t->swap_read;

	t->swap_read.nr_pages = 0;
	if (p.nr_pages && (ev->kind != ZWB_EV_LOAD_BEGIN || ev->addr != p.slot))
		lane_read_page(lane, t, &p);
}

/* Given bios also say where the contexts of swap-in reads ended. */
void zwb_lane_read_boundary(struct zwb_lane *lane, struct lane_task *t, const struct zwb_bio *bio)
{
	if (lane->setup.mode == ZWB_LANE_GIVEN && t->read_ctx.nr_folios &&
		t->read_ctx.bio.sector == bio->sector)
		zwb_lane_read_submit(lane, t);
}

/* Readers: tasks that may have an open read context, for the completions to find them. */

/* The link after that of a reader, which leaves the list when it has nothing open. */
static struct lane_task **lane_reader_next(struct lane_task **link)
{
	struct lane_task *t = *link;

	if (t->read_ctx.nr_folios || t->pending.kind == LANE_PENDING_READ)
		return &t->next_reader;
	*link = t->next_reader;
	t->is_reader = false;
	return link;
}

void zwb_lane_readers_sweep(struct zwb_lane *lane)
{
	struct lane_task **link = &lane->readers;

	while (*link)
		link = lane_reader_next(link);
	for (size_t cpu = 0; cpu < LANE_MAX_CPUS; cpu++) {
		if (lane->reading[cpu] && lane->reading[cpu]->pending.kind != LANE_PENDING_BIO)
			lane->reading[cpu] = NULL;
	}
}

/* Is a page that the task reads, or is about to read, among those of a completed request? */
static bool lane_read_is_in(
	struct zwb_lane *lane, const struct lane_task *t, const struct zwb_event *ev)
{
	const struct zwb_bio *bio = &t->read_ctx.bio;
	uint64_t sector;
	uint16_t dev;

	if (t->read_ctx.nr_folios && bio->dev == ev->dev && bio->sector < ev->addr + ev->len &&
		ev->addr < bio->sector + bio->nr_sectors)
		return true;
	return t->pending.kind == LANE_PENDING_READ &&
	       zwb_geometry_sector(lane->setup.geometry, t->pending.page.swap_type,
		       t->pending.page.slot, &sector, &dev) &&
	       dev == ev->dev && sector >= ev->addr && sector - ev->addr < ev->len;
}

/*
 * Where the end of a readahead window was not recorded: a page whose read has completed was
 * submitted, and the context that held it was the last of its window, behind the plug
 * (mm/swap_state.c swap_vma_readahead() finishes the plug before it submits the last context).
 */
void zwb_lane_read_complete(struct zwb_lane *lane, const struct zwb_event *ev)
{
	struct lane_task **link = &lane->readers;

	if ((ev->flags & ZWB_OP_WRITE) || lane->setup.mode != ZWB_LANE_BLIND ||
		lane->seen[ZWB_EV_SWAP_READ_SUBMIT])
		return;
	while (*link) {
		struct lane_task *t = *link;
		bool had_outer_plug = t->has_outer_plug;

		if (lane_read_is_in(lane, t, ev)) {
			zwb_lane_run_pending(lane, t);
			t->has_outer_plug = false;
			zwb_lane_read_submit(lane, t);
			t->has_outer_plug = had_outer_plug;
		}
		link = lane_reader_next(link);
	}
}

/* Recorded reads. */

void zwb_lane_read_given(struct zwb_lane *lane, struct lane_task *t)
{
	if (lane->now_cpu < LANE_MAX_CPUS)
		lane->reading[lane->now_cpu] = t;
}

void zwb_lane_readers_forget(struct zwb_lane *lane, const struct lane_task *t)
{
	for (size_t cpu = 0; cpu < LANE_MAX_CPUS; cpu++) {
		if (lane->reading[cpu] == t)
			lane->reading[cpu] = NULL;
	}
}

/* A reader sleeps until its read completes: that others run on its CPU shows that it was issued. */
void zwb_lane_read_issue(struct zwb_lane *lane, const struct zwb_event *ev)
{
	struct lane_task *t = lane->reading[ev->cpu];

	if (t->tid == ev->tid && ev->kind != ZWB_EV_SCHED_SWITCH)
		return;
	lane->reading[ev->cpu] = NULL;
	if (t->pending.kind == LANE_PENDING_BIO)
		zwb_lane_run_pending(lane, t);
}
