/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block layer and disk of the synthetic machine: block/blk-mq.c, v7.3, scheduler none. */
#include "synth_priv.h"

#include <assert.h>
#include <stdlib.h>

#define IO_MAX_FOLIOS	   32u /* SWAP_CLUSTER_MAX */
#define BIO_OPF_WRITE	   0x1000001 /* REQ_OP_WRITE | REQ_SWAP */
#define RQ_MAX_SECTORS	   (128u * SYNTH_PAGE_SECTORS) /* max_segments pages */
#define PLUG_FLUSH_SECTORS 256u /* BLK_PLUG_FLUSH_SIZE */
#define DISK_REQUEST_NS	   6000u
#define DISK_PAGE_NS	   1500u
#define DISK_NOISE_NS	   4000u

static uint64_t block_align(const struct synth_machine *m, uint64_t ns)
{
	uint64_t behind = ns % m->nr_sources;
	uint64_t wanted = m->nr_cpus; /* the disk is the last source */

	return ns + (wanted - behind);
}

static struct zwb_event *block_emit(struct synth_machine *m, const struct synth_task *t,
	enum zwb_event_kind kind, const struct synth_request *rq)
{
	struct zwb_event *ev = synth_emit(m, t, kind);

	ev->addr = rq->sector;
	ev->len = rq->nr_sectors;
	ev->flags = rq->op;
	return ev;
}

static void block_issue(
	struct synth_machine *m, const struct synth_task *t, const struct synth_request *rq)
{
	struct synth_disk *disk = &m->disk;
	uint64_t now_ns = m->cpus[t->cpu].clock_ns;
	struct synth_request *at = &disk->requests[(disk->first + disk->nr) % disk->room];

	assert(disk->nr < disk->room);
	block_emit(m, t, ZWB_EV_RQ_ISSUE, rq);
	if (disk->free_ns < now_ns)
		disk->free_ns = now_ns;
	disk->free_ns += DISK_REQUEST_NS + rq->nr_sectors / SYNTH_PAGE_SECTORS * DISK_PAGE_NS +
			 synth_random(m, DISK_NOISE_NS);
	disk->free_ns = block_align(m, disk->free_ns);
	*at = *rq;
	at->done_ns = disk->free_ns;
	at->cpu = (uint16_t)t->cpu;
	disk->nr++;
}

static void block_flush(struct synth_machine *m, struct synth_task *t)
{
	struct synth_plug *plug = &t->plug;

	if (!plug->nr)
		return;
	synth_emit(m, t, ZWB_EV_UNPLUG)->len = plug->nr;
	for (uint32_t i = 0; i < plug->nr; i++)
		block_issue(m, t, &plug->requests[i]);
	plug->nr = 0;
}

void synth_plug_start(struct synth_machine *m, struct synth_task *t)
{
	synth_emit(m, t, ZWB_EV_PLUG_START)->val = t->plug.depth == 0;
	t->plug.depth++;
}

void synth_plug_finish(struct synth_machine *m, struct synth_task *t)
{
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_PLUG_FINISH);

	t->plug.depth--;
	ev->val = t->plug.depth == 0;
	if (t->plug.depth > 0)
		return; /* nested: its own list is never used */
	ev->len = t->plug.nr;
	block_flush(m, t);
}

/* blk_attempt_plug_merge(): with one queue, the request that was added last is tried. */
static int block_merge(struct synth_machine *m, const struct synth_task *t, struct synth_plug *plug,
	const struct synth_request *bio)
{
	struct synth_request *tail = plug->nr ? &plug->requests[plug->nr - 1] : NULL;

	if (!tail || tail->op != bio->op || tail->cgroup != bio->cgroup ||
		tail->nr_sectors + bio->nr_sectors > RQ_MAX_SECTORS)
		return 0;
	if (tail->sector + tail->nr_sectors == bio->sector) {
		block_emit(m, t, ZWB_EV_BIO_BACKMERGE, bio);
	} else if (bio->sector + bio->nr_sectors == tail->sector) {
		block_emit(m, t, ZWB_EV_BIO_FRONTMERGE, bio);
		tail->sector = bio->sector;
	} else {
		return 0;
	}
	tail->nr_sectors += bio->nr_sectors;
	return 1;
}

/* blk_mq_submit_bio() and blk_add_rq_to_plug(). */
static void block_submit(
	struct synth_machine *m, struct synth_task *t, const struct synth_request *bio)
{
	struct synth_plug *plug = &t->plug;
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_BIO_CGROUP);

	ev->addr = bio->sector;
	ev->len = bio->nr_sectors * SYNTH_SECTOR_BYTES;
	ev->cgroup = bio->cgroup;
	ev->val = bio->op & ZWB_OP_WRITE ? BIO_OPF_WRITE : 0;
	block_emit(m, t, ZWB_EV_BIO_QUEUE, bio);
	if (plug->depth && block_merge(m, t, plug, bio))
		return;
	block_emit(m, t, ZWB_EV_RQ_GET, bio);
	if (!plug->depth) {
		block_issue(m, t, bio);
		return;
	}
	if (plug->nr == SYNTH_PLUG_MAX ||
		(plug->nr && plug->requests[0].nr_sectors >= PLUG_FLUSH_SECTORS))
		block_flush(m, t);
	if (!plug->nr)
		synth_emit(m, t, ZWB_EV_PLUG);
	plug->requests[plug->nr++] = *bio;
}

void synth_io_submit(struct synth_machine *m, struct synth_task *t, struct synth_io *io, int waits)
{
	const struct synth_request bio = {
		.sector = (uint64_t)io->first_slot * SYNTH_PAGE_SECTORS,
		.nr_sectors = io->nr * SYNTH_PAGE_SECTORS,
		.waiter = waits ? t->index : SYNTH_NONE,
		.cgroup = t->cgroup->index,
		.op = io == &t->write ? ZWB_OP_WRITE : 0,
	};
	struct zwb_event *ev;

	if (!io->nr)
		return;
	ev = synth_emit(m, t, io == &t->write ? ZWB_EV_SWAP_WRITE_SUBMIT : ZWB_EV_SWAP_READ_SUBMIT);
	ev->addr = io->first_slot;
	ev->len = io->nr;
	io->nr = 0;
	block_submit(m, t, &bio);
}

/* swap_can_merge(): only the next slot continues a context. */
void synth_io_add(struct synth_machine *m, struct synth_task *t, struct synth_io *io, uint32_t slot)
{
	if (io->nr == IO_MAX_FOLIOS || (io->nr && io->first_slot + io->nr != slot))
		synth_io_submit(m, t, io, 0);
	if (!io->nr)
		io->first_slot = slot;
	io->nr++;
}

/* A step makes less than twice a plug of requests, and each task flushes one before it sleeps. */
int synth_disk_init(struct synth_machine *m, struct zwb_err *err)
{
	m->disk.room = SYNTH_DISK_TAGS + SYNTH_PLUG_MAX * (m->nr_tasks + 4);
	m->disk.requests = calloc(m->disk.room, sizeof(*m->disk.requests));
	if (!m->disk.requests)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a disk");
	return ZWB_OK;
}

/* blk_mq_get_tag() sleeps; schedule() flushes the plug first. */
int synth_disk_throttle(struct synth_machine *m, struct synth_task *t)
{
	if (m->disk.nr < SYNTH_DISK_TAGS)
		return 0;
	if (t->plug.nr) {
		struct zwb_event *ev = synth_emit(m, t, ZWB_EV_PLUG_FLUSH);

		ev->val = 1;
		ev->len = t->plug.nr;
		block_flush(m, t);
	}
	t->is_throttled = 1;
	synth_sleep(m, t);
	return 1;
}

uint64_t synth_disk_next_ns(const struct synth_machine *m)
{
	return m->disk.nr ? m->disk.requests[m->disk.first].done_ns : SYNTH_NEVER;
}

void synth_disk_complete(struct synth_machine *m)
{
	const struct synth_request *rq = &m->disk.requests[m->disk.first];
	struct synth_queue *q = &m->queues[m->nr_cpus];
	uint32_t slot = (uint32_t)(rq->sector / SYNTH_PAGE_SECTORS);
	uint32_t nr = rq->op & ZWB_OP_WRITE ? rq->nr_sectors / SYNTH_PAGE_SECTORS : 0;

	if (q->nr == 0)
		m->heads_ns[m->nr_cpus] = rq->done_ns;
	q->events[q->nr++] = (struct zwb_event){
		.ts_ns = rq->done_ns,
		.addr = rq->sector,
		.len = rq->nr_sectors,
		.cpu = rq->cpu,
		.kind = ZWB_EV_RQ_COMPLETE,
		.flags = rq->op,
	};
	for (uint32_t i = slot; i < slot + nr; i++)
		m->swap.slots[i].state = SYNTH_SLOT_DISK;
	if (rq->waiter != SYNTH_NONE)
		synth_wake(m, &m->tasks[rq->waiter], rq->done_ns);
	m->disk.first = (m->disk.first + 1) % m->disk.room;
	m->disk.nr--;
	for (uint32_t i = 0; m->disk.nr == SYNTH_DISK_TAGS / 2 && i < m->nr_tasks; i++) {
		if (m->tasks[i].is_throttled)
			synth_wake(m, &m->tasks[i], rq->done_ns);
	}
}
