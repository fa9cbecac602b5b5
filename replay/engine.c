/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of events to lanes: while the crew replays one block, the next is decoded. */
#include "engine.h"

#include "crew.h"
#include "engine_priv.h"

#include <stdlib.h>
#include <string.h>

#define ENGINE_BLOCK_EVENTS 16384u
#define BLK_DEF_MAX_SECTORS 8192u /* cap of max_sectors, 4 MiB */
#define BLK_MAX_SEGMENTS    128u /* default of drivers that set none */
#define VIRTIO_MAX_SEGMENTS 254u /* what virtio-blk of QEMU announces */

static uint32_t engine_queue_fact(
	const struct zwb_meta *meta, const char *key, uint32_t min, uint32_t fallback)
{
	const char *text = zwb_meta_fact_get(meta, "queue", key);
	unsigned long value;
	char *end;

	if (!text)
		return fallback;
	value = strtoul(text, &end, 10);
	return end == text || value < min || value > UINT32_MAX / 2 ? fallback : (uint32_t)value;
}

static bool engine_disk_is(const struct zwb_meta *meta, const char *prefix)
{
	return meta->nr_swaps && meta->swaps[0].dev < meta->nr_devices &&
	       strncmp(meta->devices[meta->swaps[0].dev].name, prefix, strlen(prefix)) == 0;
}

/* A number at the begin of @text; @text is set behind it. False when there is none. */
static bool engine_number(const char **text, unsigned long *number)
{
	char *end;

	*number = strtoul(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* Is the recorded kernel at least @major.@minor? Unknown releases count as new. */
static bool engine_kernel_is(const struct zwb_meta *meta, unsigned long major, unsigned long minor)
{
	const char *release = meta->kernel;
	unsigned long a, b;

	if (!engine_number(&release, &a) || *release++ != '.' || !engine_number(&release, &b))
		return true;
	return a > major || (a == major && b >= minor);
}

bool zwb_engine_has_swap_ctx(const struct zwb_meta *meta)
{
	/* include/linux/swap_ops.h struct swap_io_ctx; before it swap_writepage_bdev_async(). */
	return engine_kernel_is(meta, 7, 3);
}

bool zwb_engine_has_frontswap(const struct zwb_meta *meta)
{
	return !engine_kernel_is(meta, 6, 6);
}

/* "mm/zswap: only support zswap_exclusive_loads_enabled"; from 6.5 on an option, off by default. */
static bool engine_loads_are_exclusive(const struct zwb_meta *meta)
{
	return engine_kernel_is(meta, 6, 9);
}

struct zwb_blk_limits zwb_engine_limits(const struct zwb_meta *meta)
{
	struct zwb_blk_limits limits = { .has_requests = true };

	limits.max_sectors =
		2 * engine_queue_fact(meta, "max_sectors_kb", 4, BLK_DEF_MAX_SECTORS / 2);
	limits.max_segments = engine_queue_fact(meta, "max_segments", 1,
		engine_disk_is(meta, "vd") ? VIRTIO_MAX_SEGMENTS : BLK_MAX_SEGMENTS);
	/* blk_add_rq_to_plug(): rq_list_peek() gave the newest request until 6.13. */
	limits.full_by_newest = !engine_kernel_is(meta, 6, 13);
	if (meta->nr_swaps && meta->swaps[0].synchronous == 1)
		limits.has_requests = false;
	return limits;
}

/* "kworker/0:1H": a worker of one CPU at high priority. */
static bool engine_runs_kblockd(const char *comm)
{
	const char prefix[] = "kworker/";
	const char *at = comm + sizeof(prefix) - 1;
	unsigned long cpu, worker;

	return strncmp(comm, prefix, sizeof(prefix) - 1) == 0 && engine_number(&at, &cpu) &&
	       *at++ == ':' && engine_number(&at, &worker) && *at == 'H';
}

int zwb_engine_kblockd(const struct zwb_meta *meta, struct zwb_tasktab *tab, struct zwb_err *err)
{
	int ret;

	for (size_t i = 0; i < meta->nr_tasks; i++) {
		const struct zwb_task *t = &meta->tasks[i];

		if (!engine_runs_kblockd(t->comm) || zwb_tasktab_find(tab, t->tid))
			continue;
		/* the table needs a value; only the key counts */
		ret = zwb_tasktab_add(tab, t->tid, tab, err);
		if (ret)
			return ret;
	}
	return ZWB_OK;
}

/* Extents that were learned from writes end at the last one: the size is that of the area. */
static uint64_t engine_nr_slots(const struct zwb_meta *meta)
{
	uint64_t most = 0;

	for (size_t i = 0; i < meta->nr_swaps; i++) {
		if (meta->swaps[i].nr_slots == 0)
			return 0;
		if (meta->swaps[i].nr_slots > most)
			most = meta->swaps[i].nr_slots;
	}
	return most;
}

static int engine_lane_job(void *arg, size_t job, struct zwb_err *err)
{
	struct zwb_engine *e = arg;

	return zwb_lane_events(e->lanes[job], e->running->events, e->running->nr, err);
}

static int engine_add_lane(struct zwb_engine *e, const struct zwb_replay_setup *setup,
	const struct zwb_replay_lane *wanted, struct zwb_err *err)
{
	const struct zwb_lane_setup lane = { .policy = wanted->policy,
		.device = wanted->device,
		.geometry = e->geometry,
		.kblockd = &e->kblockd,
		.limits = e->limits,
		.has_swap_ctx = e->has_swap_ctx,
		.has_frontswap = e->has_frontswap,
		.mode = ZWB_LANE_REPLAY,
		.infer_plugs = setup->infer_plugs,
		.seed = wanted->seed };
	int ret = zwb_lane_create(&lane, &e->lanes[e->nr_lanes], err);

	if (!ret)
		e->nr_lanes++;
	return ret;
}

static int engine_init(struct zwb_engine *e, const struct zwb_replay_setup *setup,
	const struct zwb_meta *meta, struct zwb_err *err)
{
	struct zwb_lane_setup reference = { .policy = &setup->captured->policy,
		.is_reference = true,
		.infer_plugs = setup->infer_plugs };
	int ret;

	e->limits = zwb_engine_limits(meta);
	e->has_swap_ctx = zwb_engine_has_swap_ctx(meta);
	e->has_frontswap = zwb_engine_has_frontswap(meta);
	ret = zwb_geometry_create(meta, &e->geometry, err);
	if (ret)
		return ret;
	ret = zwb_pool_init(&e->pool, engine_nr_slots(meta), engine_loads_are_exclusive(meta), err);
	if (ret)
		return ret;
	ret = zwb_engine_kblockd(meta, &e->kblockd, err);
	if (ret)
		return ret;
	reference.geometry = e->geometry;
	reference.kblockd = &e->kblockd;
	reference.limits = e->limits;
	reference.has_swap_ctx = e->has_swap_ctx;
	reference.has_frontswap = e->has_frontswap;
	ret = zwb_lane_create(&reference, &e->reference, err);
	e->lanes = calloc(setup->nr_lanes, sizeof(struct zwb_lane *));
	if (!ret && !e->lanes)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the lanes");
	for (size_t i = 0; !ret && i < setup->nr_lanes; i++)
		ret = engine_add_lane(e, setup, &setup->lanes[i], err);
	for (int i = 0; !ret && i < 2; i++) {
		e->blocks[i].events = malloc(ENGINE_BLOCK_EVENTS * sizeof(struct zwb_event));
		if (!e->blocks[i].events)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for events");
	}
	if (!ret)
		ret = zwb_crew_create(
			setup->nr_threads, e->nr_lanes, engine_lane_job, e, &e->crew, err);
	return ret;
}

static void engine_release(struct zwb_engine *e)
{
	zwb_crew_free(e->crew);
	for (size_t i = 0; i < e->nr_lanes; i++)
		zwb_lane_free(e->lanes[i]);
	zwb_lane_free(e->reference);
	free(e->lanes);
	free(e->blocks[0].events);
	free(e->blocks[1].events);
	zwb_pool_release(&e->pool);
	zwb_tasktab_release(&e->kblockd, NULL);
	zwb_geometry_free(e->geometry);
}

/* Fill a block with as much as the stream gives; 0 events at its end. */
static int engine_fill(struct zwb_engine *e, struct zwb_stream *s, struct zwb_engine_block *block,
	struct zwb_err *err)
{
	int ret;

	block->nr = 0;
	while (block->nr < ENGINE_BLOCK_EVENTS) {
		size_t take = ENGINE_BLOCK_EVENTS - block->nr;

		if (e->nr_input == 0) {
			ret = zwb_stream_next(s, &e->input, &e->nr_input, err);
			if (ret || e->nr_input == 0)
				return ret;
		}
		if (take > e->nr_input)
			take = e->nr_input;
		memcpy(block->events + block->nr, e->input, take * sizeof(*e->input));
		block->nr += take;
		e->input += take;
		e->nr_input -= take;
	}
	return ZWB_OK;
}

/* What every lane builds on: the notes of the reference lane, and the pool. */
static int engine_prepare(struct zwb_engine *e, struct zwb_engine_block *block, struct zwb_err *err)
{
	int ret = zwb_lane_events(e->reference, block->events, block->nr, err);

	if (!ret)
		ret = zwb_pool_events(&e->pool, block->events, block->nr, err);
	for (size_t i = 0; i < block->nr; i++)
		e->nr_by_kind[block->events[i].kind < ZWB_EV_NR ? block->events[i].kind : 0]++;
	if (block->nr)
		e->end_ns = block->events[block->nr - 1].ts_ns;
	e->nr_events += block->nr;
	return ret;
}

static int engine_run(struct zwb_engine *e, const struct zwb_replay_setup *setup,
	struct zwb_stream *s, struct zwb_err *err)
{
	struct zwb_engine_block *next = &e->blocks[0];
	bool is_running = false;
	int ret, crew_ret;

	for (unsigned int round = 0;; round++) {
		ret = engine_fill(e, s, next, err);
		if (!ret)
			ret = engine_prepare(e, next, err);
		crew_ret = is_running ? zwb_crew_finish(e->crew, ret ? NULL : err) : ZWB_OK;
		if (ret || crew_ret)
			return ret ? ret : crew_ret;
		if (next->nr == 0)
			break;
		e->running = next;
		zwb_crew_start(e->crew);
		is_running = true;
		next = &e->blocks[(round + 1) % 2];
		if (setup->progress)
			setup->progress(setup->progress_arg, e->nr_events);
	}
	for (size_t i = 0; !ret && i < e->nr_lanes; i++)
		ret = zwb_lane_finish(e->lanes[i], err);
	if (!ret)
		ret = zwb_lane_finish(e->reference, err);
	zwb_slots_finish(e->pool.slots, e->end_ns);
	return ret;
}

/* The metadata is final: is there anything, and is it whole? */
static int engine_check(const struct zwb_engine *e, const struct zwb_replay_setup *setup,
	const struct zwb_meta *meta, struct zwb_err *err)
{
	uint64_t lost = zwb_meta_lost_events(meta);

	if (lost > setup->allow_loss)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%s: %llu events or pages are lost, so counts would be wrong; \"zwb info\" "
			"says "
			"where, --allow-loss N replays what is there",
			meta->source, (unsigned long long)lost);
	if (e->nr_by_kind[ZWB_EV_SWAP_WRITE] == 0 && e->nr_by_kind[ZWB_EV_VISIT_END] == 0)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: no zswap writeback and no swap write in it: nothing to replay; \"zwb "
			"info\" "
			"lists its events, --event-map names others",
			meta->source);
	if (e->nr_by_kind[ZWB_EV_BIO_QUEUE] == 0 && e->nr_by_kind[ZWB_EV_PLUG] == 0 &&
		e->nr_by_kind[ZWB_EV_PLUG_START] == 0 && e->limits.has_requests)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: no block events in it: outer plugs and other IO are unknown; record "
			"block_bio_queue, block_plug and block_unplug as well",
			meta->source);
	return ZWB_OK;
}

int zwb_replay_stream(const struct zwb_replay_setup *setup, struct zwb_stream *s,
	struct zwb_run *run, struct zwb_err *err)
{
	struct zwb_engine e = { 0 };
	int ret;

	ret = engine_init(&e, setup, s->meta, err);
	if (!ret)
		ret = engine_run(&e, setup, s, err);
	if (!ret)
		ret = engine_check(&e, setup, s->meta, err);
	if (!ret)
		ret = zwb_engine_results(&e, setup, s->meta, run, err);
	engine_release(&e);
	return ret;
}
