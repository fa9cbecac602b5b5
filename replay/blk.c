/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug list and merge conditions (block/blk-merge.c, block/blk-mq.c, 7.3.4). */
#include "blk.h"

#include "event.h"

/*
 * blk_rq_merge_ok(). DEPARTS: ioprio, write hint, stream, integrity and crypto contexts are not in
 * a recording and taken as equal. An owner that is not known merges with any.
 */
static bool merge_is_allowed(const struct zwb_bio *rq, const struct zwb_bio *bio)
{
	const uint8_t no_merge = ZWB_OP_FLUSH | ZWB_OP_FUA | ZWB_OP_DISCARD | ZWB_OP_OTHER;

	if ((rq->op | bio->op) & no_merge)
		return false;
	if ((rq->op ^ bio->op) & ZWB_OP_WRITE)
		return false;
	if (rq->cgroup && bio->cgroup && rq->cgroup != bio->cgroup)
		return false;
	return rq->write_class == bio->write_class;
}

/* ll_back_merge_fn(), ll_front_merge_fn(): a refusal closes the request for good. */
static bool merge_fits(
	struct zwb_rq *rq, const struct zwb_bio *bio, const struct zwb_blk_limits *limits)
{
	uint64_t nr_sectors = (uint64_t)rq->bio.nr_sectors + bio->nr_sectors;
	uint64_t nr_segments = (uint64_t)rq->bio.nr_segments + bio->nr_segments;

	if (nr_sectors <= limits->max_sectors && nr_segments <= limits->max_segments)
		return true;
	rq->is_closed = true;
	return false;
}

enum zwb_merge zwb_rq_merge(
	struct zwb_rq *rq, const struct zwb_bio *bio, const struct zwb_blk_limits *limits)
{
	enum zwb_merge how;

	if (rq->is_closed || !merge_is_allowed(&rq->bio, bio))
		return ZWB_MERGE_NONE;
	if (rq->bio.sector + rq->bio.nr_sectors == bio->sector)
		how = ZWB_MERGE_BACK;
	else if (bio->sector + bio->nr_sectors == rq->bio.sector)
		how = ZWB_MERGE_FRONT;
	else
		return ZWB_MERGE_NONE;
	if (!merge_fits(rq, bio, limits))
		return ZWB_MERGE_NONE;
	if (how == ZWB_MERGE_FRONT)
		rq->bio.sector = bio->sector;
	rq->bio.nr_sectors += bio->nr_sectors;
	rq->bio.nr_segments += bio->nr_segments;
	rq->nr_bios++;
	return how;
}

enum zwb_merge zwb_plug_merge(
	struct zwb_plug *plug, const struct zwb_bio *bio, const struct zwb_blk_limits *limits)
{
	struct zwb_rq *newest;

	if (plug->nr == 0)
		return ZWB_MERGE_NONE;
	newest = &plug->rqs[plug->nr - 1];
	if (newest->bio.dev == bio->dev)
		return zwb_rq_merge(newest, bio, limits);
	if (!plug->many_queues)
		return ZWB_MERGE_NONE;
	for (unsigned int i = 0; i < plug->nr; i++) {
		if (plug->rqs[i].bio.dev == bio->dev)
			return zwb_rq_merge(&plug->rqs[i], bio, limits);
	}
	return ZWB_MERGE_NONE;
}

bool zwb_plug_is_full(const struct zwb_plug *plug, const struct zwb_blk_limits *limits)
{
	const struct zwb_rq *judged;

	if (plug->nr == 0)
		return false;
	if (plug->nr >= (plug->many_queues ? ZWB_PLUG_MAX_RQ_MANY : ZWB_PLUG_MAX_RQ))
		return true;
	judged = &plug->rqs[limits->full_by_newest ? plug->nr - 1 : 0];
	return (uint64_t)judged->bio.nr_sectors * 512 >= ZWB_PLUG_FLUSH_BYTES;
}

void zwb_plug_add(struct zwb_plug *plug, const struct zwb_bio *bio)
{
	if (plug->nr && plug->rqs[plug->nr - 1].bio.dev != bio->dev)
		plug->many_queues = true;
	plug->rqs[plug->nr++] = (struct zwb_rq){ .bio = *bio, .nr_bios = 1 };
}
