/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "synth_observer.h"

#include <string.h>

static struct slot *slot_of(struct observer *o, uint64_t number)
{
	assert_in_range(number, 1, MAX_SLOTS - 1);
	return &o->slots[number];
}

static void enter(struct task *t, const struct zwb_event *ev)
{
	assert_in_range(t->depth, 0, MAX_DEPTH - 1);
	t->stack[t->depth] = ev->kind;
	t->slots[t->depth++] = (uint32_t)ev->addr;
}

static void leave(struct task *t, enum zwb_event_kind begin)
{
	assert_in_range(t->depth, 1, MAX_DEPTH);
	t->depth--;
	assert_int_equal(t->stack[t->depth], begin);
}

static int is_inside(const struct task *t, enum zwb_event_kind kind)
{
	for (int i = 0; i < t->depth; i++) {
		if (t->stack[i] == kind)
			return 1;
	}
	return 0;
}

static void see_store(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct slot *s;

	switch (ev->kind) {
	case ZWB_EV_SWAPOUT:
		assert_true(is_inside(t, ZWB_EV_RECLAIM_BEGIN));
		s = slot_of(o, ev->addr);
		assert_true(s->state == UNUSED || s->state == IN_MEMORY);
		s->state = ZERO; /* unless a store follows */
		break;
	case ZWB_EV_STORE_BEGIN:
		s = slot_of(o, ev->addr);
		assert_int_equal(s->state, ZERO);
		assert_int_equal(ev->len, 1);
		s->state = STORING;
		enter(t, ev);
		break;
	case ZWB_EV_COMPRESS:
		assert_true(is_inside(t, ZWB_EV_STORE_BEGIN));
		assert_in_range(ev->len, 1, 4096);
		t->stored_bytes = ev->len;
		break;
	case ZWB_EV_STORE_END:
		leave(t, ZWB_EV_STORE_BEGIN);
		assert_int_equal(t->slots[t->depth], ev->addr);
		s = slot_of(o, ev->addr);
		assert_int_equal(s->state, STORING);
		s->state = ev->val == 1 ? IN_ZSWAP : TO_DISK;
		s->bytes = t->stored_bytes;
		s->is_referenced = 1;
		o->nr_rejected += ev->val == 0;
		break;
	default:
		break;
	}
}

static void see_load(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct slot *s = slot_of(o, ev->addr);

	switch (ev->kind) {
	case ZWB_EV_SWAP_READ:
		assert_true(s->state == ZERO || s->state == IN_ZSWAP || s->state == ON_DISK ||
			    s->state == CLEAN);
		if (s->state == ZERO)
			s->state = IN_MEMORY;
		if (s->state == CLEAN) /* the page was dropped meanwhile */
			s->state = ON_DISK;
		break;
	case ZWB_EV_LOAD_BEGIN:
		assert_true(s->state == IN_ZSWAP || s->state == ON_DISK);
		enter(t, ev);
		break;
	case ZWB_EV_LOAD_END:
		leave(t, ZWB_EV_LOAD_BEGIN);
		assert_int_equal(t->slots[t->depth], ev->addr);
		if (ev->val == 1) {
			assert_int_equal(s->state, IN_MEMORY);
			o->nr_hits++;
		} else {
			assert_int_equal(ev->val, 0);
			assert_int_equal(s->state, ON_DISK);
			s->state = FROM_DISK;
			o->nr_misses++;
		}
		break;
	case ZWB_EV_INVALIDATE:
		assert_int_not_equal(s->state, UNUSED);
		assert_int_not_equal(s->state, STORING);
		assert_int_not_equal(s->state, TO_DISK);
		assert_int_not_equal(s->state, FROM_DISK);
		if (s->state == IN_ZSWAP)
			t->invalidated = (uint32_t)ev->addr;
		else
			s->state = UNUSED;
		break;
	default:
		break;
	}
}

/* Freed by a load, by a writeback, or because the slot became invalid; by nothing else. */
static void see_entry_free(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct slot *s = slot_of(o, ev->addr);

	assert_int_equal(s->state, IN_ZSWAP);
	assert_int_equal(s->bytes, ev->len);
	assert_int_equal(s->is_referenced, ev->val);
	if (t->invalidated) {
		assert_int_equal(t->invalidated, ev->addr);
		t->invalidated = 0;
		s->state = UNUSED;
	} else if (is_inside(t, ZWB_EV_WRITEBACK_BEGIN)) {
		assert_int_equal(t->slots[t->depth - 1], ev->addr);
		s->state = TO_DISK;
	} else {
		assert_int_equal(t->stack[t->depth - 1], ZWB_EV_LOAD_BEGIN);
		assert_int_equal(t->slots[t->depth - 1], ev->addr);
		s->state = IN_MEMORY;
	}
}

static void see_visit_end(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct slot *s;

	leave(t, ZWB_EV_VISIT_BEGIN);
	s = slot_of(o, t->slots[t->depth]);
	t->nr_visited++;
	switch (ev->val) {
	case ZWB_VISIT_WRITTEN:
		assert_int_equal(t->last_written, 1);
		t->nr_written++;
		break;
	case ZWB_VISIT_ROTATED:
		assert_int_equal(s->state, IN_ZSWAP);
		assert_int_equal(s->is_referenced, 1);
		s->is_referenced = 0;
		o->nr_rotated++;
		break;
	default:
		assert_int_equal(ev->val, ZWB_VISIT_FAILED);
		assert_int_equal(s->is_referenced, 0);
		assert_int_equal(s->state, IN_ZSWAP);
		o->nr_failed++;
	}
}

static void see_walk(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct slot *s;

	switch (ev->kind) {
	case ZWB_EV_WALK_BEGIN:
		assert_true(ev->flags == ZWB_WALK_MEMCG || ev->flags == ZWB_WALK_SHRINKER);
		assert_int_equal(is_inside(t, ZWB_EV_STORE_BEGIN), ev->flags == ZWB_WALK_MEMCG);
		assert_int_equal(ev->len, ev->flags == ZWB_WALK_MEMCG ? 32 : 128);
		o->nr_nested_walks += ev->flags == ZWB_WALK_MEMCG;
		t->nr_visited = t->nr_written = 0;
		enter(t, ev);
		break;
	case ZWB_EV_WALK_END:
		leave(t, ZWB_EV_WALK_BEGIN);
		assert_in_range(t->nr_visited, 0, ev->flags == ZWB_WALK_MEMCG ? 32 : 128);
		if (ev->flags == ZWB_WALK_MEMCG)
			assert_int_equal(ev->val == 0, t->nr_written > 0);
		else
			assert_int_equal(ev->val, t->nr_written ? (int)t->nr_written : -1);
		break;
	case ZWB_EV_VISIT_BEGIN:
		assert_true(is_inside(t, ZWB_EV_WALK_BEGIN));
		s = slot_of(o, ev->addr);
		assert_int_equal(s->state, IN_ZSWAP);
		assert_int_equal(s->bytes, ev->len);
		assert_int_equal(s->is_referenced, ev->val);
		t->last_written = 0;
		enter(t, ev);
		break;
	case ZWB_EV_VISIT_END:
		see_visit_end(o, t, ev);
		break;
	case ZWB_EV_WRITEBACK_BEGIN:
		assert_int_equal(t->slots[t->depth - 1], ev->addr);
		assert_int_equal(slot_of(o, ev->addr)->is_referenced, 0);
		enter(t, ev);
		break;
	case ZWB_EV_WRITEBACK_END:
		leave(t, ZWB_EV_WRITEBACK_BEGIN);
		s = slot_of(o, ev->addr);
		/* the write may be done already */
		assert_int_equal(ev->val == 0, s->state == TO_DISK || s->state == ON_DISK);
		t->last_written = ev->val == 0;
		break;
	default:
		break;
	}
}

static void queue_bio(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	uint64_t slot = ev->addr / PAGE_SECTORS;

	assert_int_equal(t->has_bio, 0);
	assert_int_equal(ev->addr % PAGE_SECTORS, 0);
	assert_in_range(ev->len / PAGE_SECTORS, 1, 32);
	for (uint64_t i = slot; i < slot + ev->len / PAGE_SECTORS; i++)
		assert_int_equal(
			slot_of(o, i)->state, ev->flags & ZWB_OP_WRITE ? TO_DISK : FROM_DISK);
	t->bio = (struct request){ ev->addr, ev->len, ev->flags };
	t->has_bio = 1;
}

static void take_bio(struct task *t, const struct zwb_event *ev)
{
	assert_int_equal(t->has_bio, 1);
	assert_int_equal(t->bio.sector, ev->addr);
	assert_int_equal(t->bio.nr_sectors, ev->len);
	assert_int_equal(t->bio.op, ev->flags);
	t->has_bio = 0;
}

static void merge_bio(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	struct request *tail = &t->plug[t->nr_plugged - 1];

	take_bio(t, ev);
	assert_in_range(t->nr_plugged, 1, 32);
	assert_int_equal(tail->op, ev->flags);
	if (ev->kind == ZWB_EV_BIO_BACKMERGE) {
		assert_int_equal(tail->sector + tail->nr_sectors, ev->addr);
	} else {
		assert_int_equal(ev->addr + ev->len, tail->sector);
		tail->sector = ev->addr;
	}
	tail->nr_sectors += ev->len;
	o->nr_merges++;
}

/* A new request goes to the disk or, under a plug, behind those that are there. */
static void get_request(struct task *t, const struct zwb_event *ev)
{
	take_bio(t, ev);
	assert_int_equal(t->has_fresh, 0);
	if (t->plug_depth) {
		t->fresh = t->bio;
		t->has_fresh = 1;
	} else {
		assert_int_equal(t->nr_plugged, 0);
		t->plug[0] = t->bio;
		t->nr_plugged = t->nr_to_issue = 1;
	}
}

/* PLUG says that the plug was empty; without it the request joins others. */
static void plug_request(struct task *t, const struct zwb_event *ev)
{
	if (!t->has_fresh || ev->kind == ZWB_EV_UNPLUG || ev->kind == ZWB_EV_RQ_ISSUE)
		return;
	assert_in_range(
		t->nr_plugged, ev->kind == ZWB_EV_PLUG ? 0 : 1, ev->kind == ZWB_EV_PLUG ? 0 : 31);
	t->plug[t->nr_plugged++] = t->fresh;
	t->has_fresh = 0;
}

static void issue_request(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	const struct request *rq = &t->plug[t->nr_plugged - t->nr_to_issue];

	assert_in_range(t->nr_to_issue, 1, t->nr_plugged);
	assert_int_equal(rq->sector, ev->addr);
	assert_int_equal(rq->nr_sectors, ev->len);
	assert_int_equal(rq->op, ev->flags);
	assert_in_range(o->nr_at_disk, 0, MAX_REQUESTS - 1);
	o->at_disk[o->nr_at_disk++] = *rq;
	if (--t->nr_to_issue == 0)
		t->nr_plugged = 0;
}

static void complete_request(struct observer *o, const struct zwb_event *ev)
{
	const struct request *rq = &o->at_disk[0];
	uint64_t slot = ev->addr / PAGE_SECTORS;

	assert_in_range(o->nr_at_disk, 1, MAX_REQUESTS);
	while (rq->sector != ev->addr || rq->nr_sectors != ev->len || rq->op != ev->flags)
		assert_true(++rq < o->at_disk + o->nr_at_disk);
	memmove(&o->at_disk[rq - o->at_disk], rq + 1,
		(size_t)(&o->at_disk[--o->nr_at_disk] - rq) * sizeof(*rq));
	for (uint64_t i = slot; i < slot + ev->len / PAGE_SECTORS; i++) {
		struct slot *s = slot_of(o, i);

		assert_int_equal(s->state, ev->flags & ZWB_OP_WRITE ? TO_DISK : FROM_DISK);
		s->state = ev->flags & ZWB_OP_WRITE ? ON_DISK : CLEAN;
	}
}

static void see_block(struct observer *o, struct task *t, const struct zwb_event *ev)
{
	switch (ev->kind) {
	case ZWB_EV_BIO_QUEUE:
		queue_bio(o, t, ev);
		break;
	case ZWB_EV_BIO_BACKMERGE:
	case ZWB_EV_BIO_FRONTMERGE:
		merge_bio(o, t, ev);
		break;
	case ZWB_EV_RQ_GET:
		get_request(t, ev);
		break;
	case ZWB_EV_RQ_ISSUE:
		issue_request(o, t, ev);
		break;
	case ZWB_EV_UNPLUG:
		assert_int_equal(t->nr_to_issue, 0);
		assert_int_equal(ev->len, t->nr_plugged);
		t->nr_to_issue = t->nr_plugged;
		break;
	case ZWB_EV_PLUG_START:
		assert_int_equal(ev->val, t->plug_depth == 0);
		t->plug_depth++;
		break;
	case ZWB_EV_PLUG_FINISH:
		t->plug_depth--;
		assert_int_equal(ev->val, t->plug_depth == 0);
		assert_int_equal(ev->len, t->plug_depth ? 0 : t->nr_plugged);
		break;
	case ZWB_EV_PLUG_FLUSH:
		assert_int_equal(ev->val, 1);
		assert_int_equal(ev->len, t->nr_plugged);
		break;
	default:
		break;
	}
}

static void see_reclaim(struct task *t, const struct zwb_event *ev)
{
	if (ev->kind == ZWB_EV_RECLAIM_BEGIN || ev->kind == ZWB_EV_SHRINK_SLAB_BEGIN)
		enter(t, ev);
	else if (ev->kind == ZWB_EV_RECLAIM_END)
		leave(t, ZWB_EV_RECLAIM_BEGIN);
	else if (ev->kind == ZWB_EV_SHRINK_SLAB_END)
		leave(t, ZWB_EV_SHRINK_SLAB_BEGIN);
}

void observer_see(struct observer *o, const struct zwb_event *ev, uint32_t nr_cpus)
{
	struct task *t;

	assert_true(o->last_ns < ev->ts_ns || o->nr[ZWB_EV_NONE] == 0);
	o->last_ns = ev->ts_ns;
	o->nr[ZWB_EV_NONE]++;
	assert_in_range(ev->kind, 1, ZWB_EV_NR - 1);
	o->nr[ev->kind]++;
	assert_in_range(ev->cpu, 0, nr_cpus - 1);
	if (o->running[ev->cpu] >= 0)
		assert_int_equal(o->running[ev->cpu], ev->tid);
	o->running[ev->cpu] = ev->kind == ZWB_EV_SCHED_SWITCH ? (int32_t)ev->addr : ev->tid;
	if (ev->kind == ZWB_EV_RQ_COMPLETE)
		complete_request(o, ev);
	if (ev->kind == ZWB_EV_RQ_COMPLETE || ev->kind == ZWB_EV_SCHED_SWITCH)
		return;
	t = &o->tasks[ev->tid - FIRST_TID];
	assert_int_equal((ev->tid - FIRST_TID) % (int)nr_cpus, ev->cpu);
	if (t->invalidated)
		assert_int_equal(ev->kind, ZWB_EV_ENTRY_FREE);
	plug_request(t, ev);
	see_reclaim(t, ev);
	see_store(o, t, ev);
	if ((ev->kind >= ZWB_EV_LOAD_BEGIN && ev->kind <= ZWB_EV_INVALIDATE) ||
		ev->kind == ZWB_EV_SWAP_READ)
		see_load(o, t, ev);
	if (ev->kind == ZWB_EV_ENTRY_FREE)
		see_entry_free(o, t, ev);
	see_walk(o, t, ev);
	see_block(o, t, ev);
}
