/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bios, requests and the plug: what the block layer does before a request is issued. */
#ifndef ZWB_BLK_H
#define ZWB_BLK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * block/blk-mq.c and block/blk-merge.c, 7.3.4. A task that holds a plug keeps its requests in a
 * list, oldest first. A new bio may join one request only: the newest, when it is of the same
 * queue; else, when the plug holds several queues, the oldest of its own queue. The list is not
 * sorted. A bio that joins nothing becomes a request at the end of the list; when the list is full
 * at that moment the old requests leave first, and the new one stays behind in the fresh plug.
 */

#define ZWB_PLUG_MAX_RQ	     32u /* BLK_MAX_REQUEST_COUNT */
#define ZWB_PLUG_MAX_RQ_MANY 64u /* with several queues in it */
#define ZWB_PLUG_FLUSH_BYTES (128u * 1024u) /* BLK_PLUG_FLUSH_SIZE */

struct zwb_blk_limits {
	uint32_t max_sectors;
	uint32_t max_segments;
	bool has_requests; /* false: bio-based device (zram, brd, pmem) */
	bool full_by_newest; /* before 6.13 the size test looked at the newest request */
};

struct zwb_bio {
	uint64_t sector;
	uint64_t ts_ns; /* submission */
	uint32_t nr_sectors;
	uint32_t nr_segments;
	uint32_t cgroup; /* that is charged; 0 unknown */
	uint16_t dev;
	uint8_t op; /* ZWB_OP_* */
	uint8_t write_class; /* enum zwb_write_class, ZWB_WRITE_OTHER for other IO */
	bool is_own; /* swap IO that the engine made or follows */
};

#define ZWB_WRITE_OTHER 0xffu /* neither swap class: reads, file IO */

struct zwb_rq {
	struct zwb_bio bio; /* the request's extent, class and owner; ts_ns of its first bio */
	uint32_t nr_bios;
	bool is_closed; /* hit a size or segment limit: takes no more bios (REQ_NOMERGE) */
};

struct zwb_plug {
	struct zwb_rq rqs[ZWB_PLUG_MAX_RQ_MANY];
	unsigned int nr;
	bool many_queues;
};

enum zwb_merge { ZWB_MERGE_NONE, ZWB_MERGE_BACK, ZWB_MERGE_FRONT };

/** zwb_rq_merge() - try to let @bio join a request of the same queue. */
enum zwb_merge zwb_rq_merge(
	struct zwb_rq *rq, const struct zwb_bio *bio, const struct zwb_blk_limits *limits);

/** zwb_plug_merge() - try to let @bio join a request of the plug. */
enum zwb_merge zwb_plug_merge(
	struct zwb_plug *plug, const struct zwb_bio *bio, const struct zwb_blk_limits *limits);

/** zwb_plug_is_full() - true when the list must be flushed before a request is added to it. */
bool zwb_plug_is_full(const struct zwb_plug *plug, const struct zwb_blk_limits *limits);

/** zwb_plug_add() - @bio becomes the newest request; the plug must not be full. */
void zwb_plug_add(struct zwb_plug *plug, const struct zwb_bio *bio);

/**
 * zwb_plug_clear() - the requests were taken out. That it saw several queues a plug remembers until
 * it is finished: only block/blk-core.c blk_start_plug() resets multiple_queues.
 */
static inline void zwb_plug_clear(struct zwb_plug *plug)
{
	plug->nr = 0;
}

/** zwb_plug_finish() - an empty plug ends; the next request enters a new one. */
static inline void zwb_plug_finish(struct zwb_plug *plug)
{
	plug->many_queues = false;
}

#endif
