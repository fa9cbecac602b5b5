/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reclaim, zswap stores and LRU walks of the synthetic machine: mm/vmscan.c, mm/zswap.c, v7.3. */
#include "synth_priv.h"

#include <errno.h>

#define RECLAIM_PAGES		32u /* SWAP_CLUSTER_MAX */
#define WALK_MEMCG_BUDGET	32u
#define WALK_SHRINKER_BUDGET	128u /* SHRINK_BATCH */
#define RECLAIM_PRIORITY	12 /* DEF_PRIORITY */
#define RECLAIM_PRIORITIES	4u
#define STORE_ZERO_PERMILLE	20u
#define STORE_RAW_PERMILLE	40u /* incompressible */
#define STORE_MIN_BYTES		40u
#define STORE_SPAN_BYTES	3400u
#define WRITEBACK_FAIL_PERMILLE 4u

/* try_charge_memcg(): over its limit, a cgroup's task frees some pages first. */
int synth_must_reclaim(struct synth_machine *m, struct synth_task *t, enum synth_phase back)
{
	(void)m;
	if (t->cgroup->nr_resident < t->cgroup->max_resident || t->has_reclaimed) {
		t->has_reclaimed = 0;
		return 0;
	}
	t->reclaim_back = (uint8_t)back;
	t->phase = SYNTH_RECLAIM;
	return 1;
}

void synth_step_reclaim(struct synth_machine *m, struct synth_task *t)
{
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_RECLAIM_BEGIN);

	ev->cgroup = t->cgroup->index;
	ev->len = RECLAIM_PAGES;
	t->nr_to_evict = RECLAIM_PAGES;
	t->nr_evicted = 0;
	synth_plug_start(m, t);
	t->phase = SYNTH_EVICT;
}

static uint16_t store_bytes(struct synth_machine *m)
{
	uint32_t a, b;

	if (synth_random(m, 1000) < STORE_RAW_PERMILLE)
		return SYNTH_PAGE_BYTES;
	a = synth_random(m, STORE_SPAN_BYTES);
	b = synth_random(m, STORE_SPAN_BYTES);
	return (uint16_t)(STORE_MIN_BYTES + (a < b ? a : b)); /* small ones are more frequent */
}

static void walk_begin(struct synth_machine *m, struct synth_task *t, enum zwb_walk_kind kind,
	enum synth_phase back)
{
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_WALK_BEGIN);

	t->walk_kind = (uint8_t)kind;
	t->walk_left = kind == ZWB_WALK_MEMCG ? WALK_MEMCG_BUDGET : WALK_SHRINKER_BUDGET;
	t->walk_visited = 0;
	t->walk_written = 0;
	t->walk_back = (uint8_t)back;
	t->phase = SYNTH_VISIT;
	ev->flags = t->walk_kind;
	ev->len = t->walk_left;
	ev->cgroup = t->cgroup->index;
}

/* swap_writeout() of one page, up to the point where zswap_store() knows whether it may. */
static void evict_begin(struct synth_machine *m, struct synth_task *t, uint32_t page)
{
	struct synth_page *p = &m->pages[page];
	struct synth_slot *s;
	struct zwb_event *ev;

	if (p->slot == SYNTH_NONE)
		p->slot = synth_swap_alloc(&m->swap, &m->cpus[t->cpu].cursor);
	synth_take_slot(m, t, p->slot);
	s = &m->swap.slots[p->slot];
	s->page = page;
	p->state = SYNTH_PAGE_SWAPPED;
	synth_emit(m, t, ZWB_EV_SWAPOUT)->addr = p->slot;
	if (synth_random(m, 1000) < STORE_ZERO_PERMILLE) {
		s->state = SYNTH_SLOT_ZERO;
		return;
	}
	s->state = SYNTH_SLOT_STORING;
	s->bytes = store_bytes(m);
	t->store_slot = p->slot;
	t->store_walked = 0;
	t->phase = SYNTH_STORE_END;
	ev = synth_emit(m, t, ZWB_EV_STORE_BEGIN);
	ev->addr = p->slot;
	ev->len = 1;
	ev->cgroup = t->cgroup->index;
	if (t->cgroup->has_zswap_max && t->cgroup->nr_stored >= t->cgroup->max_stored) {
		t->store_walked = 1;
		walk_begin(m, t, ZWB_WALK_MEMCG, SYNTH_STORE_END);
	}
}

/* shrink_folio_list(): one page. */
void synth_step_evict(struct synth_machine *m, struct synth_task *t)
{
	uint32_t page = SYNTH_NONE;

	if (t->nr_to_evict)
		page = synth_resident_pop(m, t->cgroup);
	if (page == SYNTH_NONE) {
		t->phase = SYNTH_EVICT_END;
		return;
	}
	t->nr_to_evict--;
	t->nr_evicted++;
	t->cgroup->nr_resident--;
	if (m->pages[page].slot != SYNTH_NONE &&
		m->swap.slots[m->pages[page].slot].state == SYNTH_SLOT_CLEAN) {
		m->swap.slots[m->pages[page].slot].state = SYNTH_SLOT_DISK;
		m->pages[page].state = SYNTH_PAGE_SWAPPED;
		return;
	}
	evict_begin(m, t, page);
}

/* The rest of zswap_store(). A page that zswap does not take goes to the disk at once. */
void synth_step_store_end(struct synth_machine *m, struct synth_task *t)
{
	uint32_t slot = t->store_slot;
	struct synth_slot *s = &m->swap.slots[slot];
	int is_stored = !t->store_walked || t->walk_written > 0;
	struct zwb_event *ev;

	t->phase = SYNTH_EVICT;
	synth_take_slot(m, t, slot);
	if (is_stored)
		synth_emit(m, t, ZWB_EV_COMPRESS)->len = s->bytes;
	ev = synth_emit(m, t, ZWB_EV_STORE_END);
	ev->addr = slot;
	ev->val = is_stored;
	if (is_stored) {
		s->state = SYNTH_SLOT_ZSWAP;
		s->is_referenced = 1;
		synth_lru_append(m, t->cgroup, slot);
		return;
	}
	ev = synth_emit(m, t, ZWB_EV_SWAP_WRITE);
	ev->addr = slot;
	ev->len = 1;
	ev->cgroup = t->cgroup->index;
	s->state = SYNTH_SLOT_WRITING;
	synth_io_add(m, t, &t->write, slot);
}

void synth_step_evict_end(struct synth_machine *m, struct synth_task *t)
{
	synth_io_submit(m, t, &t->write, 0);
	synth_plug_finish(m, t);
	t->phase = t->cgroup->has_zswap_max ? SYNTH_RECLAIM_END : SYNTH_SHRINK_SLAB;
}

/* do_shrink_slab() of the zswap shrinker, which here holds the pool at its size. */
void synth_step_shrink_slab(struct synth_machine *m, struct synth_task *t)
{
	uint32_t nr_freeable = t->cgroup->nr_stored / 3; /* scaled by the compression ratio */
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_SHRINK_COUNT);

	ev->val = (int32_t)nr_freeable;
	ev->cgroup = t->cgroup->index;
	t->phase = SYNTH_RECLAIM_END;
	if (nr_freeable == 0)
		return;
	ev = synth_emit(m, t, ZWB_EV_SHRINK_SLAB_BEGIN);
	ev->val = RECLAIM_PRIORITY - (int32_t)synth_random(m, RECLAIM_PRIORITIES);
	ev->len = nr_freeable;
	ev->addr = nr_freeable / 2;
	t->walk_visited = t->walk_written = 0;
	if (t->cgroup->nr_stored > t->cgroup->max_stored)
		walk_begin(m, t, ZWB_WALK_SHRINKER, SYNTH_SHRINK_SLAB_END);
	else
		t->phase = SYNTH_SHRINK_SLAB_END;
}

void synth_step_shrink_slab_end(struct synth_machine *m, struct synth_task *t)
{
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_SHRINK_SLAB_END);

	ev->val = (int32_t)t->walk_written;
	ev->len = t->walk_visited;
	t->phase = SYNTH_RECLAIM_END;
}

void synth_step_reclaim_end(struct synth_machine *m, struct synth_task *t)
{
	synth_emit(m, t, ZWB_EV_RECLAIM_END)->val = (int32_t)t->nr_evicted;
	t->has_reclaimed = 1;
	t->phase = t->reclaim_back;
}

/* zswap_writeback_entry() with a swap IO context of its own. */
static void visit_write(struct synth_machine *m, struct synth_task *t, uint32_t slot)
{
	struct synth_slot *s = &m->swap.slots[slot];
	struct synth_io reclaim_io = t->write;
	struct zwb_event *ev;

	ev = synth_emit(m, t, ZWB_EV_ENTRY_FREE);
	ev->addr = slot;
	ev->len = s->bytes;
	synth_lru_remove(m, t->cgroup, slot);
	s->state = SYNTH_SLOT_WRITING;
	ev = synth_emit(m, t, ZWB_EV_SWAP_WRITE);
	ev->addr = slot;
	ev->len = 1;
	ev->cgroup = t->cgroup->index;
	t->write = (struct synth_io){ slot, 1 };
	synth_io_submit(m, t, &t->write, 0);
	t->write = reclaim_io;
}

static enum zwb_visit_result visit_writeback(
	struct synth_machine *m, struct synth_task *t, uint32_t slot)
{
	int is_cached = synth_random(m, 1000) < WRITEBACK_FAIL_PERMILLE;
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_WRITEBACK_BEGIN);

	ev->addr = slot;
	ev->len = m->swap.slots[slot].bytes;
	if (!is_cached)
		visit_write(m, t, slot);
	ev = synth_emit(m, t, ZWB_EV_WRITEBACK_END);
	ev->addr = slot;
	ev->val = is_cached ? -EEXIST : 0;
	return is_cached ? ZWB_VISIT_FAILED : ZWB_VISIT_WRITTEN;
}

/* shrink_memcg_cb() for the oldest entry. */
void synth_step_visit(struct synth_machine *m, struct synth_task *t)
{
	uint32_t slot = t->cgroup->lru.head;
	enum zwb_visit_result result = ZWB_VISIT_ROTATED;
	struct synth_slot *s;
	struct zwb_event *ev;

	if (slot == SYNTH_NONE || t->walk_left == 0) {
		t->phase = SYNTH_WALK_END;
		return;
	}
	s = &m->swap.slots[slot];
	t->walk_left--;
	t->walk_visited++;
	synth_take_slot(m, t, slot);
	ev = synth_emit(m, t, ZWB_EV_VISIT_BEGIN);
	ev->addr = slot;
	ev->len = s->bytes;
	ev->val = s->is_referenced;
	synth_lru_remove(m, t->cgroup, slot);
	synth_lru_append(m, t->cgroup, slot);
	if (s->is_referenced)
		s->is_referenced = 0;
	else
		result = visit_writeback(m, t, slot);
	synth_emit(m, t, ZWB_EV_VISIT_END)->val = (int32_t)result;
	if (result == ZWB_VISIT_WRITTEN)
		t->walk_written++;
}

void synth_step_walk_end(struct synth_machine *m, struct synth_task *t)
{
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_WALK_END);
	int is_memcg = t->walk_kind == ZWB_WALK_MEMCG;

	ev->flags = t->walk_kind;
	if (t->walk_written)
		ev->val = is_memcg ? 0 : (int32_t)t->walk_written;
	else
		ev->val = is_memcg ? -EAGAIN : -1; /* SHRINK_STOP */
	t->phase = t->walk_back;
}
