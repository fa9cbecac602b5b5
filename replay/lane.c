/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From pages to bios to requests: contexts by policy, the plug of the task, the device.
 * Scheduler none: a request that is not plugged is issued at once, as
 * block/blk-mq.c blk_mq_submit_bio() does on a queue that is not busy. DEPARTS: a device never
 * refuses a request; in the kernel a busy one has the request inserted instead.
 */
#include "lane_priv.h"

#include <stdlib.h>
#include <string.h>

void zwb_lane_no_memory(struct zwb_lane *lane, const char *what)
{
	if (!lane->status)
		lane->status = zwb_err_set(&lane->err, ZWB_ENOMEM, 0, "no memory for %s", what);
}

struct zwb_lane_counts *zwb_lane_count(struct zwb_lane *lane, uint32_t cgroup)
{
	uint32_t room = lane->room_cgroups ? lane->room_cgroups : 8;
	struct zwb_lane_counts *bigger;

	if (cgroup >= LANE_MAX_CGROUPS)
		cgroup = ZWB_CGROUP_UNKNOWN;
	if (cgroup < lane->nr_cgroups)
		return &lane->cgroups[cgroup];
	if (cgroup >= lane->room_cgroups) {
		while (room <= cgroup)
			room *= 2;
		bigger = realloc(lane->cgroups, room * sizeof(*bigger));
		if (!bigger) {
			zwb_lane_no_memory(lane, "the counters of cgroups");
			return &lane->spare;
		}
		memset(bigger + lane->room_cgroups, 0,
			(room - lane->room_cgroups) * sizeof(*bigger));
		lane->cgroups = bigger;
		lane->room_cgroups = room;
	}
	lane->nr_cgroups = cgroup + 1;
	return &lane->cgroups[cgroup];
}

void zwb_lane_issue(struct zwb_lane *lane, const struct zwb_rq *rq, uint64_t flush)
{
	const struct zwb_bio *bio = &rq->bio;
	int is_write = (bio->op & ZWB_OP_WRITE) != 0;
	struct zwb_dev_rq dev_rq = {
		.sector = bio->sector, .nr_sectors = bio->nr_sectors, .is_write = is_write
	};
	uint64_t done_ns;

	if (lane->setup.device) {
		dev_rq.nr_pages = lane_pages_of(lane, bio->nr_sectors);
		done_ns = lane->setup.device->ops->issue(lane->device_state, lane->now_ns, &dev_rq);
		if (bio->is_own)
			zwb_hist_record(&lane->latency[is_write], done_ns - bio->ts_ns);
	}
	if (!bio->is_own || !lane->setup.limits.has_requests)
		return;
	if (is_write) {
		lane->total.write_rqs++;
		zwb_hist_record(&lane->write_size, lane_pages_of(lane, bio->nr_sectors));
		zwb_timeline_add(&lane->write_rqs, lane->now_ns, 1);
		zwb_lane_count(lane, bio->cgroup)->write_rqs++;
	} else {
		lane->total.read_rqs++;
		zwb_lane_count(lane, bio->cgroup)->read_rqs++;
	}
	if (lane->setup.tap && lane->setup.tap->rq)
		lane->setup.tap->rq(lane->setup.tap->arg, rq, flush);
}

static void lane_empty_plug(struct zwb_lane *lane, struct lane_task *t, enum zwb_flush_cause cause)
{
	if (cause == ZWB_FLUSH_BLOCKED)
		zwb_lane_software_forget(lane, t);
	lane->flushes[cause]++;
	lane->nr_flushes++;
	for (unsigned int i = 0; i < t->plug->nr; i++) {
		const struct zwb_rq *rq = &t->plug->rqs[i];

		/* blk_mq_flush_plug_list() from schedule(): insert, kblockd runs the queue. */
		if (cause != ZWB_FLUSH_BLOCKED ||
			!zwb_lane_software_insert(lane, rq, lane->nr_flushes))
			zwb_lane_issue(lane, rq, lane->nr_flushes);
	}
	zwb_plug_clear(t->plug);
}

void zwb_lane_flush(struct zwb_lane *lane, struct lane_task *t, enum zwb_flush_cause cause)
{
	if (t->plug && t->plug->nr)
		lane_empty_plug(lane, t, cause);
	if (cause == ZWB_FLUSH_FINISH || cause == ZWB_FLUSH_END_OF_TRACE)
		zwb_lane_plug_drop(lane, t);
}

static void lane_count_merge(struct zwb_lane *lane, const struct zwb_bio *bio, enum zwb_merge how)
{
	struct zwb_lane_counts *c = zwb_lane_count(lane, bio->cgroup);

	if (!bio->is_own)
		return;
	if (how == ZWB_MERGE_BACK) {
		lane->total.back_merges++;
		c->back_merges++;
	} else {
		lane->total.front_merges++;
		c->front_merges++;
	}
}

/* blk_add_rq_to_plug(): a full list leaves before the new request enters. */
static void lane_plug_add(struct zwb_lane *lane, struct lane_task *t, const struct zwb_bio *bio)
{
	if (zwb_plug_is_full(t->plug, &lane->setup.limits)) {
		t->was_full = true;
		if (lane->setup.wrong_full_plug && t->plug->nr < ZWB_PLUG_MAX_RQ_MANY) {
			zwb_plug_add(t->plug, bio);
			zwb_lane_flush(lane, t, ZWB_FLUSH_FULL);
			return;
		}
		zwb_lane_flush(lane, t, ZWB_FLUSH_FULL);
	}
	zwb_plug_add(t->plug, bio);
}

void zwb_lane_bio_submit(struct zwb_lane *lane, struct lane_task *t, const struct zwb_bio *bio)
{
	const struct zwb_rq rq = { .bio = *bio, .nr_bios = 1 };
	enum zwb_merge how;

	if (!lane->setup.limits.has_requests) {
		zwb_lane_issue(lane, &rq, 0);
		return;
	}
	if (lane_is_plugged(t) && !zwb_lane_plug_need(lane, t))
		return;
	how = lane_is_plugged(t) ? zwb_plug_merge(t->plug, bio, &lane->setup.limits)
				 : ZWB_MERGE_NONE;
	if (how == ZWB_MERGE_NONE)
		how = zwb_lane_software_merge(lane, bio);
	if (how != ZWB_MERGE_NONE)
		lane_count_merge(lane, bio, how);
	else if (lane_is_plugged(t))
		lane_plug_add(lane, t, bio);
	else
		zwb_lane_issue(lane, &rq, 0);
}

void zwb_lane_bio_made(struct zwb_lane *lane, const struct zwb_bio *bio)
{
	struct zwb_lane_counts *c;

	if (!bio->is_own)
		return;
	c = zwb_lane_count(lane, bio->cgroup);
	if (bio->op & ZWB_OP_WRITE) {
		lane->total.write_bios++;
		c->write_bios++;
	} else {
		lane->total.read_bios++;
		c->read_bios++;
	}
	if (lane->setup.tap && lane->setup.tap->bio)
		lane->setup.tap->bio(lane->setup.tap->arg, bio);
}

void zwb_lane_ctx_submit(struct zwb_lane *lane, struct lane_task *t, struct zwb_swap_ctx *ctx)
{
	if (ctx->nr_folios == 0)
		return;
	ctx->nr_folios = 0;
	zwb_lane_bio_made(lane, &ctx->bio);
	if (lane->setup.mode != ZWB_LANE_GIVEN)
		zwb_lane_bio_submit(lane, t, &ctx->bio);
}

void zwb_lane_ctx_add(struct zwb_lane *lane, struct lane_task *t, struct zwb_swap_ctx *ctx,
	const struct zwb_page *p, uint8_t op, uint8_t write_class)
{
	struct zwb_bio folio = { .ts_ns = p->ts_ns,
		.cgroup = p->cgroup,
		.op = op,
		.write_class = write_class,
		.nr_sectors = p->nr_pages * lane->slot_sectors,
		.nr_segments = p->nr_pages,
		.is_own = true };
	bool is_full;

	if (!zwb_geometry_sector(
		    lane->setup.geometry, p->swap_type, p->slot, &folio.sector, &folio.dev)) {
		lane->doubts.slots_outside++;
		return;
	}
	if (ctx->nr_folios && !zwb_swap_ctx_joins(ctx, &folio))
		zwb_lane_ctx_submit(lane, t, ctx);
	is_full = zwb_swap_ctx_add(ctx, &folio);
	/* swap_add_folio(): a write to a synchronous device is submitted folio by folio. */
	if (is_full || ((op & ZWB_OP_WRITE) && !lane->setup.limits.has_requests))
		zwb_lane_ctx_submit(lane, t, ctx);
}

/* What a policy may call. */

static struct lane_frame *frame_of(struct zwb_walk *w)
{
	return (struct lane_frame *)((char *)w - offsetof(struct lane_frame, walk));
}

static void host_append(struct zwb_walk *w, const struct zwb_page *p)
{
	struct lane_frame *f = frame_of(w);

	f->lane->doubts.pages_taken += p->nr_pages;
	zwb_lane_ctx_add(f->lane, f->task, &f->ctx, p, ZWB_OP_WRITE,
		(uint8_t)f->lane->setup.policy->knobs.write_class);
}

static void host_submit(struct zwb_walk *w)
{
	struct lane_frame *f = frame_of(w);

	zwb_lane_ctx_submit(f->lane, f->task, &f->ctx);
}

static void host_collect(struct zwb_walk *w, const struct zwb_page *p)
{
	struct lane_frame *f = frame_of(w);
	size_t room = f->room ? 2 * f->room : 64;
	struct zwb_page *bigger;

	if (f->lane->nr_collected >= LANE_MAX_COLLECTED) {
		f->lane->doubts.not_collected++;
		host_append(w, p);
		return;
	}
	if (f->nr_pages == f->room) {
		bigger = realloc(f->pages, room * sizeof(*bigger));
		if (!bigger) {
			zwb_lane_no_memory(f->lane, "the pages of a walk");
			return;
		}
		f->pages = bigger;
		f->room = room;
	}
	f->pages[f->nr_pages++] = *p;
	f->lane->nr_collected++;
}

static void frame_forget_pages(struct lane_frame *f)
{
	f->lane->nr_collected -= f->nr_pages;
	f->nr_pages = 0;
}

static struct zwb_page *host_collected(struct zwb_walk *w, size_t *nr_pages)
{
	struct lane_frame *f = frame_of(w);

	*nr_pages = f->nr_pages;
	frame_forget_pages(f);
	return f->pages;
}

static const struct zwb_policy_host lane_host = {
	.append = host_append,
	.submit = host_submit,
	.collect = host_collect,
	.collected = host_collected,
};

void zwb_lane_walk_begin(struct lane_frame *f, const struct zwb_event *ev)
{
	const struct zwb_policy *policy = f->lane->setup.policy;
	size_t priv_bytes = policy->ops->walk_bytes;

	f->walk = (struct zwb_walk){ .host = &lane_host,
		.params = policy->params,
		.begin_ns = ev->ts_ns,
		.cgroup = ev->cgroup,
		.kind = ev->flags };
	f->nr_pages = 0;
	f->nr_pages_begun = f->task->nr_wb_pages;
	if (priv_bytes && !f->priv) {
		f->priv = malloc(priv_bytes);
		if (!f->priv) {
			zwb_lane_no_memory(f->lane, "what the policy keeps of a walk");
			return;
		}
	}
	if (priv_bytes)
		memset(f->priv, 0, priv_bytes);
	f->walk.priv = f->priv;
	f->lane->total.walks++;
	zwb_lane_count(f->lane, ev->cgroup)->walks++;
	if (policy->knobs.plug == ZWB_PLUG_WALK)
		f->task->nr_own_plugs++;
	if (policy->ops->walk_begin)
		policy->ops->walk_begin(&f->walk);
}

void zwb_lane_walk_page(struct lane_frame *f, const struct zwb_page *p)
{
	const struct zwb_policy *policy = f->lane->setup.policy;

	f->task->nr_wb_pages++;
	f->lane->doubts.pages_given += p->nr_pages;
	if (policy->ops->page) {
		policy->ops->page(&f->walk, p);
		return;
	}
	host_append(&f->walk, p);
	if (policy->knobs.ctx == ZWB_CTX_ENTRY)
		host_submit(&f->walk);
}

void zwb_lane_walk_end(struct lane_frame *f)
{
	const struct zwb_policy *policy = f->lane->setup.policy;
	struct zwb_lane *lane = f->lane;

	if (policy->ops->walk_end)
		policy->ops->walk_end(&f->walk);
	for (size_t i = 0; i < f->nr_pages; i++)
		host_append(&f->walk, &f->pages[i]);
	frame_forget_pages(f);
	if (f->room > LANE_KEEP_PAGES) {
		free(f->pages);
		f->pages = NULL;
		f->room = 0;
	}
	host_submit(&f->walk);
	if (policy->knobs.plug == ZWB_PLUG_WALK && --f->task->nr_own_plugs == 0 &&
		!f->task->has_outer_plug)
		zwb_lane_flush(lane, f->task, ZWB_FLUSH_FINISH);
	/* Until a plug event shows that they were recorded at all; see lane_finish_plugs(). */
	if (f->task->nr_wb_pages != f->nr_pages_begun && !lane->seen[ZWB_EV_PLUG_START] &&
		!lane->seen[ZWB_EV_PLUG] && lane->setup.limits.has_requests) {
		lane->total.walks_plug_unknown++;
		zwb_lane_count(lane, f->walk.cgroup)->walks_plug_unknown++;
	}
}

/* Life cycle and results. */

int zwb_lane_create(const struct zwb_lane_setup *setup, struct zwb_lane **out, struct zwb_err *err)
{
	struct zwb_lane *lane = calloc(1, sizeof(*lane));

	*out = NULL;
	if (!lane)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a lane");
	lane->setup = *setup;
	lane->next_run_ns = UINT64_MAX;
	lane->slot_sectors = zwb_geometry_slot_sectors(setup->geometry);
	zwb_hist_init(&lane->latency[0]);
	zwb_hist_init(&lane->latency[1]);
	zwb_hist_init(&lane->write_size);
	if (setup->device) {
		lane->device_state = calloc(1, setup->device->ops->state_bytes);
		if (!lane->device_state) {
			free(lane);
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the device model");
		}
		setup->device->ops->init(lane->device_state, setup->device->params, setup->seed);
	}
	*out = lane;
	return ZWB_OK;
}

void zwb_lane_free(struct zwb_lane *lane)
{
	if (!lane)
		return;
	zwb_lane_tasks_release(lane);
	zwb_lane_software_release(lane);
	zwb_hist_release(&lane->latency[0]);
	zwb_hist_release(&lane->latency[1]);
	zwb_hist_release(&lane->write_size);
	free(lane->device_state);
	free(lane->cgroups);
	free(lane);
}

struct zwb_lane_counts zwb_lane_counts(const struct zwb_lane *lane, uint32_t cgroup)
{
	if (cgroup == UINT32_MAX)
		return lane->total;
	return cgroup < lane->nr_cgroups ? lane->cgroups[cgroup] : (struct zwb_lane_counts){ 0 };
}

uint32_t zwb_lane_nr_cgroups(const struct zwb_lane *lane)
{
	return lane->nr_cgroups;
}

uint64_t zwb_lane_flushes(const struct zwb_lane *lane, enum zwb_flush_cause cause)
{
	return lane->flushes[cause];
}

struct zwb_lane_doubts zwb_lane_doubts(const struct zwb_lane *lane)
{
	return lane->doubts;
}

struct zwb_hist *zwb_lane_latency(struct zwb_lane *lane, int is_write)
{
	return &lane->latency[is_write != 0];
}

struct zwb_hist *zwb_lane_write_size(struct zwb_lane *lane)
{
	return &lane->write_size;
}

struct zwb_timeline *zwb_lane_write_requests(struct zwb_lane *lane)
{
	return &lane->write_rqs;
}
