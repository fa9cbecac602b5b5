/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two lanes of a validation, and what the recording itself shows. */
#include "selfcheck.h"

#include "engine.h"
#include "recorded.h"
#include "tasktab.h"

#include <stdlib.h>
#include <string.h>

#define SELFCHECK_BLOCK_EVENTS 4096u
#define OWNERS_MAX_SLOTS       (UINT64_C(1) << 26)

struct selfcheck {
	const struct zwb_selfcheck_sink *sink;
	struct zwb_geometry *geometry;
	struct zwb_tasktab kblockd;
	struct zwb_lane *lanes[2]; /* given, blind: each writes its own notes into its own copy */
	struct zwb_event *copy;
	struct zwb_tasktab owners; /* of struct zwb_bio_owner */
	uint16_t *slot_owners; /* cgroup of the last bio at each slot; 0 unknown */
	uint64_t nr_slots;
	bool knows_reads;
};

static bool owner_may_go(void *value, void *arg)
{
	const struct zwb_bio_owner *o = value;

	(void)arg;
	return o->sector == 0;
}

static int selfcheck_owner(struct selfcheck *c, const struct zwb_event *ev, struct zwb_err *err)
{
	static const struct zwb_tasktab_values values = { sizeof(struct zwb_bio_owner),
		owner_may_go, NULL };
	void *o = zwb_tasktab_find(&c->owners, ev->tid);
	int ret = o ? ZWB_OK : zwb_tasktab_make(&c->owners, ev->tid, &values, &o, err);

	if (o)
		zwb_bio_owner_tell(o, ev);
	return ret;
}

/* Is the bio or request of @ev our own? */
static bool selfcheck_own(
	struct selfcheck *c, const struct zwb_event *ev, struct zwb_bio *bio, uint64_t *slot)
{
	uint32_t swap_type;

	*bio = zwb_bio_recorded(ev);
	bio->is_own = zwb_geometry_slot(c->geometry, ev->dev, ev->addr, &swap_type, slot);
	return bio->is_own;
}

static void selfcheck_truth_bio(struct selfcheck *c, const struct zwb_event *ev)
{
	struct zwb_bio_owner *o = zwb_tasktab_find(&c->owners, ev->tid);
	uint32_t slot_sectors = zwb_geometry_slot_sectors(c->geometry);
	struct zwb_bio bio;
	uint64_t slot;

	if (!selfcheck_own(c, ev, &bio, &slot))
		return;
	if (o)
		bio.cgroup = zwb_bio_owner_take(o, bio.sector);
	for (uint64_t i = slot; i < c->nr_slots && i - slot < bio.nr_sectors / slot_sectors; i++)
		c->slot_owners[i] = (uint16_t)(bio.cgroup <= UINT16_MAX ? bio.cgroup : 0);
	c->sink->truth_bio(c->sink->arg, &bio);
}

static void selfcheck_truth_rq(struct selfcheck *c, const struct zwb_event *ev)
{
	struct zwb_bio rq;
	uint64_t slot;

	if (!selfcheck_own(c, ev, &rq, &slot))
		return;
	if (slot < c->nr_slots)
		rq.cgroup = c->slot_owners[slot];
	c->sink->truth_rq(c->sink->arg, &rq);
}

static int selfcheck_truth(
	struct selfcheck *c, const struct zwb_event *events, size_t nr, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < nr; i++) {
		if (events[i].kind == ZWB_EV_BIO_CGROUP)
			ret = selfcheck_owner(c, &events[i], err);
		else if (events[i].kind == ZWB_EV_BIO_QUEUE)
			selfcheck_truth_bio(c, &events[i]);
		else if (events[i].kind == ZWB_EV_RQ_ISSUE)
			selfcheck_truth_rq(c, &events[i]);
		else if (events[i].kind == ZWB_EV_LOAD_END)
			c->knows_reads = true;
	}
	return ret;
}

static int selfcheck_init(struct selfcheck *c, const struct zwb_selfcheck_setup *setup,
	const struct zwb_meta *meta, struct zwb_err *err)
{
	const enum zwb_lane_mode modes[2] = { ZWB_LANE_GIVEN, ZWB_LANE_BLIND };
	const struct zwb_lane_tap *taps[2] = { &setup->sink->given, &setup->sink->blind };
	int ret = zwb_geometry_create(meta, &c->geometry, err);

	if (!ret)
		ret = zwb_engine_kblockd(meta, &c->kblockd, err);
	for (int i = 0; !ret && i < 2; i++) {
		const struct zwb_lane_setup lane = { .policy = &setup->captured->policy,
			.geometry = c->geometry,
			.kblockd = &c->kblockd,
			.limits = zwb_engine_limits(meta),
			.has_swap_ctx = zwb_engine_has_swap_ctx(meta),
			.has_frontswap = zwb_engine_has_frontswap(meta),
			.mode = modes[i],
			.is_reference = true,
			.infer_plugs = setup->infer_plugs,
			.wrong_full_plug = setup->wrong_full_plug,
			.tap = taps[i] };

		ret = zwb_lane_create(&lane, &c->lanes[i], err);
	}
	if (ret)
		return ret;
	c->nr_slots = zwb_geometry_nr_slots(c->geometry);
	if (c->nr_slots > OWNERS_MAX_SLOTS)
		c->nr_slots = OWNERS_MAX_SLOTS;
	c->slot_owners = calloc(c->nr_slots + 1, sizeof(*c->slot_owners));
	c->copy = malloc(SELFCHECK_BLOCK_EVENTS * sizeof(*c->copy));
	if (!c->slot_owners || !c->copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to validate");
	return ZWB_OK;
}

static void selfcheck_release(struct selfcheck *c)
{
	zwb_lane_free(c->lanes[0]);
	zwb_lane_free(c->lanes[1]);
	zwb_tasktab_release(&c->owners, free);
	zwb_tasktab_release(&c->kblockd, NULL);
	free(c->slot_owners);
	free(c->copy);
	zwb_geometry_free(c->geometry);
}

static int selfcheck_block(
	struct selfcheck *c, const struct zwb_event *events, size_t nr, struct zwb_err *err)
{
	int ret = selfcheck_truth(c, events, nr, err);

	for (size_t done = 0; !ret && done < nr;) {
		size_t take = nr - done;

		if (take > SELFCHECK_BLOCK_EVENTS)
			take = SELFCHECK_BLOCK_EVENTS;
		for (int i = 0; !ret && i < 2; i++) {
			memcpy(c->copy, events + done, take * sizeof(*events));
			ret = zwb_lane_events(c->lanes[i], c->copy, take, err);
		}
		done += take;
	}
	return ret;
}

int zwb_selfcheck_stream(const struct zwb_selfcheck_setup *setup, struct zwb_stream *s,
	struct zwb_selfcheck_counts *counts, struct zwb_err *err)
{
	struct selfcheck c = { .sink = setup->sink };
	const struct zwb_event *events;
	size_t nr;
	int ret;

	ret = selfcheck_init(&c, setup, s->meta, err);
	while (!ret) {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (ret || nr == 0)
			break;
		ret = selfcheck_block(&c, events, nr, err);
	}
	for (int i = 0; !ret && i < 2; i++)
		ret = zwb_lane_finish(c.lanes[i], err);
	if (!ret) {
		counts->given = zwb_lane_counts(c.lanes[0], UINT32_MAX);
		counts->blind = zwb_lane_counts(c.lanes[1], UINT32_MAX);
		counts->doubts = zwb_lane_doubts(c.lanes[1]);
		counts->knows_reads = c.knows_reads;
		counts->limits = zwb_engine_limits(s->meta);
		counts->nr_writebacks = counts->blind.wb_pages;
		counts->nr_swap_writes = counts->blind.wb_pages + counts->blind.direct_pages;
	}
	selfcheck_release(&c);
	return ret;
}
