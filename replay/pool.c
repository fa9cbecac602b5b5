/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From events to slot states: what an event lacks is taken from the call that it is part of. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

#define POOL_MAX_FOLIO_PAGES 1024u
#define POOL_MAX_VISITS	     8u

/*
 * What a task is in. Stores and loads do not nest in themselves; visits do, since the charge of the
 * folio that is written back may reclaim.
 */
struct pool_task {
	struct zwb_slot_at store, load;
	uint32_t store_pages;
	uint32_t nr_compressed; /* pages of the store that got an object so far */
	bool is_storing;
	unsigned int nr_visits;
	struct pool_visit {
		struct zwb_slot_at at;
		bool wrote; /* the page was seen on its way to the swap device */
	} visits[POOL_MAX_VISITS]; /* the innermost last */
};

int zwb_pool_init(
	struct zwb_pool *pool, uint64_t nr_slots, bool loads_are_exclusive, struct zwb_err *err)
{
	*pool = (struct zwb_pool){ 0 };
	return zwb_slots_create(nr_slots, loads_are_exclusive, &pool->slots, err);
}

void zwb_pool_release(struct zwb_pool *pool)
{
	zwb_tasktab_release(&pool->tasks, free);
	zwb_slots_free(pool->slots);
	*pool = (struct zwb_pool){ 0 };
}

static bool pool_task_may_go(void *value, void *arg)
{
	const struct pool_task *t = value;

	(void)arg;
	return !t->is_storing && !t->nr_visits && !t->load.slot;
}

static struct pool_task *pool_task(struct zwb_pool *pool, int32_t tid, struct zwb_err *err)
{
	static const struct zwb_tasktab_values values = { sizeof(struct pool_task),
		pool_task_may_go, NULL };
	void *t = zwb_tasktab_find(&pool->tasks, tid);

	if (!t)
		pool->status = zwb_tasktab_make(&pool->tasks, tid, &values, &t, err);
	return t;
}

static void pool_store_begin(struct pool_task *t, const struct zwb_slot_at *at, uint32_t nr_pages)
{
	t->store = *at;
	t->store_pages = nr_pages ? nr_pages : 1;
	if (t->store_pages > POOL_MAX_FOLIO_PAGES)
		t->store_pages = POOL_MAX_FOLIO_PAGES;
	t->nr_compressed = 0;
	t->is_storing = true;
}

static void pool_store_end(
	struct zwb_pool *pool, struct pool_task *t, const struct zwb_slot_at *at, bool stored)
{
	struct zwb_slot_at store = *at;
	uint32_t nr_pages = 1;

	if (t->is_storing) {
		store.slot = t->store.slot;
		store.swap_type = t->store.swap_type;
		nr_pages = t->store_pages;
	}
	t->is_storing = false;
	zwb_slots_store(pool->slots, &store, nr_pages, stored);
}

static void pool_compress(struct zwb_pool *pool, struct pool_task *t, const struct zwb_event *ev)
{
	struct zwb_slot_at page = t->store;

	if (!t->is_storing || t->nr_compressed >= t->store_pages)
		return;
	page.slot += t->nr_compressed++;
	zwb_slots_compress(pool->slots, &page, ev->len);
}

static void pool_load_end(
	struct zwb_pool *pool, struct pool_task *t, const struct zwb_slot_at *at, int32_t result)
{
	struct zwb_slot_at load = *at;

	if (load.slot == 0) {
		load.slot = t->load.slot;
		load.swap_type = t->load.swap_type;
	}
	t->load.slot = 0;
	if (result == 0 || result == 1)
		zwb_slots_load(pool->slots, &load, result == 1);
}

/* Deeper than that, ends are missing: the outermost visit is the oldest of those left over. */
static void pool_visit_begin(struct pool_task *t, const struct zwb_slot_at *at)
{
	if (t->nr_visits == POOL_MAX_VISITS) {
		t->nr_visits--;
		memmove(t->visits, t->visits + 1, t->nr_visits * sizeof(t->visits[0]));
	}
	t->visits[t->nr_visits++] = (struct pool_visit){ .at = *at };
}

static void pool_visit_end(struct zwb_pool *pool, struct pool_task *t, const struct zwb_event *ev)
{
	struct pool_visit *visit;

	if (t->nr_visits == 0)
		return;
	visit = &t->visits[--t->nr_visits];
	visit->at.ts_ns = ev->ts_ns;
	if (ev->val == ZWB_VISIT_WRITTEN && !visit->wrote)
		zwb_slots_writeback(pool->slots, &visit->at);
}

/*
 * The page of the visit, or a direct swap-out by the reclaim in it. Slot 0 is the header of the
 * swap area: the visit lacks its slot (6.1). The write and not the visit's end makes the change,
 * because a synchronous device may be done, and the slot be used again, before that.
 */
static void pool_swap_write(
	struct zwb_pool *pool, struct pool_task *t, const struct zwb_slot_at *at, uint32_t nr_pages)
{
	struct pool_visit *visit = t->nr_visits ? &t->visits[t->nr_visits - 1] : NULL;

	if (visit && !visit->wrote &&
		(visit->at.slot == 0 ||
			(visit->at.slot == at->slot && visit->at.swap_type == at->swap_type))) {
		visit->wrote = true;
		zwb_slots_writeback(pool->slots, at);
		return;
	}
	if (nr_pages > POOL_MAX_FOLIO_PAGES)
		nr_pages = POOL_MAX_FOLIO_PAGES;
	zwb_slots_swap_out(pool->slots, at, nr_pages ? nr_pages : 1);
}

static void pool_event(struct zwb_pool *pool, const struct zwb_event *ev, struct zwb_err *err)
{
	const struct zwb_slot_at at = { ev->ts_ns, ev->addr, ev->dev };
	struct pool_task *t = pool_task(pool, ev->tid, err);

	if (!t)
		return;
	switch (ev->kind) {
	case ZWB_EV_STORE_BEGIN:
		pool_store_begin(t, &at, ev->len);
		break;
	case ZWB_EV_STORE_END:
		pool_store_end(pool, t, &at, ev->val == 1);
		break;
	case ZWB_EV_COMPRESS:
		pool_compress(pool, t, ev);
		break;
	case ZWB_EV_LOAD_BEGIN:
		t->load = at;
		break;
	case ZWB_EV_LOAD_END:
		pool_load_end(pool, t, &at, ev->val);
		break;
	case ZWB_EV_VISIT_BEGIN:
		pool_visit_begin(t, &at);
		break;
	case ZWB_EV_VISIT_END:
		pool_visit_end(pool, t, ev);
		break;
	case ZWB_EV_SWAP_WRITE:
		pool_swap_write(pool, t, &at, ev->len);
		break;
	default:
		break;
	}
}

int zwb_pool_events(struct zwb_pool *pool, const struct zwb_event *events, size_t nr_events,
	struct zwb_err *err)
{
	for (size_t i = 0; i < nr_events && !pool->status; i++) {
		const struct zwb_event *ev = &events[i];
		const struct zwb_slot_at at = { ev->ts_ns, ev->addr, ev->dev };

		switch (ev->kind) {
		case ZWB_EV_INVALIDATE:
			zwb_slots_invalidate(pool->slots, &at);
			break;
		case ZWB_EV_ENTRY_FREE:
			zwb_slots_entry_free(pool->slots, &at, ev->len);
			break;
		case ZWB_EV_STORE_BEGIN:
		case ZWB_EV_STORE_END:
		case ZWB_EV_COMPRESS:
		case ZWB_EV_LOAD_BEGIN:
		case ZWB_EV_LOAD_END:
		case ZWB_EV_VISIT_BEGIN:
		case ZWB_EV_VISIT_END:
		case ZWB_EV_SWAP_WRITE:
			pool_event(pool, ev, err);
			break;
		default:
			break;
		}
	}
	if (zwb_slots_counts(pool->slots)->no_memory)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the slots of a swap area");
	return pool->status;
}
