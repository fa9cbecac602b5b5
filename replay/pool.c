/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From events to slot states: pairs entries with returns where the return lacks the slot. */
#include "pool.h"

#include <stdlib.h>

#define POOL_MAX_FOLIO_PAGES 1024u

/* The store or load that a task is in; neither nests in itself. */
struct pool_task {
	struct zwb_slot_at store, load, visit;
	uint32_t store_pages;
	uint32_t nr_compressed; /* pages of the store that got an object so far */
	bool is_storing;
};

int zwb_pool_init(struct zwb_pool *pool, uint64_t nr_slots, struct zwb_err *err)
{
	*pool = (struct zwb_pool){ 0 };
	return zwb_slots_create(nr_slots, &pool->slots, err);
}

void zwb_pool_release(struct zwb_pool *pool)
{
	zwb_tasktab_release(&pool->tasks, free);
	zwb_slots_free(pool->slots);
	*pool = (struct zwb_pool){ 0 };
}

static struct pool_task *pool_task(struct zwb_pool *pool, int32_t tid)
{
	struct pool_task *t = zwb_tasktab_find(&pool->tasks, tid);

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t || zwb_tasktab_add(&pool->tasks, tid, t)) {
		free(t);
		pool->no_memory = true;
		return NULL;
	}
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
	if (result == 0 || result == 1)
		zwb_slots_load(pool->slots, &load, result == 1);
}

static void pool_event(struct zwb_pool *pool, const struct zwb_event *ev)
{
	const struct zwb_slot_at at = { ev->ts_ns, ev->addr, ev->dev };
	struct pool_task *t = pool_task(pool, ev->tid);

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
		t->visit = at;
		break;
	case ZWB_EV_VISIT_END:
		if (ev->val == ZWB_VISIT_WRITTEN) {
			t->visit.ts_ns = ev->ts_ns;
			zwb_slots_writeback(pool->slots, &t->visit);
		}
		break;
	default:
		break;
	}
}

int zwb_pool_events(struct zwb_pool *pool, const struct zwb_event *events, size_t nr_events,
	struct zwb_err *err)
{
	for (size_t i = 0; i < nr_events; i++) {
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
			pool_event(pool, ev);
			break;
		default:
			break;
		}
	}
	if (pool->no_memory)
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "no memory for the state of %zu tasks", pool->tasks.nr);
	return ZWB_OK;
}
