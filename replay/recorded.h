/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded bios and requests: what their events say, and whom a bio is charged to. */
#ifndef ZWB_RECORDED_H
#define ZWB_RECORDED_H

#include "blk.h"
#include "event.h"

/** zwb_bio_recorded() - the bio or request of a block event; owner, class and segments are open. */
static inline struct zwb_bio zwb_bio_recorded(const struct zwb_event *ev)
{
	return (struct zwb_bio){ .sector = ev->addr,
		.ts_ns = ev->ts_ns,
		.nr_sectors = ev->len,
		.dev = ev->dev,
		.op = ev->flags,
		.write_class = ZWB_WRITE_OTHER };
}

/* What a task was told last: the cgroup that pays for the bio it is about to queue. */
struct zwb_bio_owner {
	uint64_t sector; /* of that bio; 0: nothing was told */
	uint32_t cgroup;
};

/** zwb_bio_owner_tell() - a BIO_CGROUP event of the task. */
static inline void zwb_bio_owner_tell(struct zwb_bio_owner *o, const struct zwb_event *ev)
{
	/* bio_associate_blkg_from_css() runs twice: first for the task, at sector 0. */
	if (ev->addr)
		*o = (struct zwb_bio_owner){ ev->addr, ev->cgroup };
}

/** zwb_bio_owner_take() - the owner of the bio that is queued at @sector; each is told once. */
static inline uint32_t zwb_bio_owner_take(struct zwb_bio_owner *o, uint64_t sector)
{
	if (!o->sector || o->sector != sector)
		return ZWB_CGROUP_UNKNOWN;
	o->sector = 0;
	return o->cgroup;
}

#endif
