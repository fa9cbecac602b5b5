/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slot states and pool size, from the recorded life of the entries. */
#include "slots.h"

#include <stdlib.h>

#define SLOTS_WHEN_UNKNOWN (UINT64_C(1) << 26)
#define SLOTS_MAX	   (UINT64_C(1) << 32)

struct slot {
	uint32_t len_bytes; /* while in the pool; 0 none or unknown */
	uint32_t new_bytes; /* of the store under way */
	uint8_t state;
	bool is_pooled;
	bool had_unseen_entry; /* maybe: it was freed before anything else was seen of it */
};

_Static_assert(sizeof(struct slot) == 12, "slots.h says so");

struct zwb_slots {
	struct zwb_slot_counts counts;
	bool loads_are_exclusive, frees_are_recorded;
	uint64_t nr;
	struct slot *areas[ZWB_SWAP_TYPES]; /* made when first used */
	struct zwb_timeline entries, bytes;
};

int zwb_slots_create(
	uint64_t nr_slots, bool loads_are_exclusive, struct zwb_slots **out, struct zwb_err *err)
{
	struct zwb_slots *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the slot table");
	s->loads_are_exclusive = loads_are_exclusive;
	s->nr = nr_slots ? nr_slots : SLOTS_WHEN_UNKNOWN;
	if (s->nr > SLOTS_MAX)
		s->nr = SLOTS_MAX;
	return ZWB_OK;
}

void zwb_slots_free(struct zwb_slots *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < ZWB_SWAP_TYPES; i++)
		free(s->areas[i]);
	free(s);
}

/* NULL, and counted, for a slot that cannot be. */
static struct slot *slots_find(struct zwb_slots *s, const struct zwb_slot_at *at)
{
	struct slot **area;

	if (at->swap_type >= ZWB_SWAP_TYPES || at->slot >= s->nr) {
		s->counts.outside++;
		return NULL;
	}
	area = &s->areas[at->swap_type];
	if (!*area) {
		*area = calloc(s->nr, sizeof(**area));
		if (!*area) {
			s->counts.no_memory = true;
			return NULL;
		}
	}
	return *area + at->slot;
}

static void slots_advance(struct zwb_slots *s, uint64_t ts_ns)
{
	struct zwb_slot_counts *c = &s->counts;
	uint64_t dt_ns;

	if (ts_ns <= c->since_ns)
		return;
	dt_ns = ts_ns - c->since_ns;
	c->entry_ns += (unsigned __int128)c->pool_entries * dt_ns;
	c->byte_ns += (unsigned __int128)c->pool_bytes * dt_ns;
	zwb_timeline_hold(&s->entries, c->since_ns, ts_ns, (double)c->pool_entries);
	zwb_timeline_hold(&s->bytes, c->since_ns, ts_ns, (double)c->pool_bytes);
	c->since_ns = ts_ns;
}

static void slots_pool_add(struct zwb_slots *s, struct slot *slot)
{
	struct zwb_slot_counts *c = &s->counts;

	slot->len_bytes = slot->new_bytes;
	slot->is_pooled = true;
	if (!slot->len_bytes)
		c->no_length++;
	c->pool_bytes += slot->len_bytes;
	c->pool_entries++;
	if (c->pool_bytes > c->pool_max_bytes)
		c->pool_max_bytes = c->pool_bytes;
	if (c->pool_entries > c->pool_max_entries)
		c->pool_max_entries = c->pool_entries;
}

static void slots_pool_remove(struct zwb_slots *s, struct slot *slot)
{
	if (!slot->is_pooled)
		return;
	s->counts.pool_bytes -= slot->len_bytes;
	s->counts.pool_entries--;
	slot->len_bytes = 0;
	slot->is_pooled = false;
}

void zwb_slots_compress(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t len_bytes)
{
	struct slot *slot = slots_find(s, at);

	s->counts.lengths++;
	if (slot)
		slot->new_bytes = len_bytes;
}

void zwb_slots_store(
	struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t nr_pages, bool stored)
{
	struct zwb_slot_at page = *at;

	slots_advance(s, at->ts_ns);
	if (stored)
		s->counts.stores += nr_pages;
	else
		s->counts.store_rejects += nr_pages;
	for (uint32_t i = 0; i < nr_pages; i++, page.slot++) {
		struct slot *slot = slots_find(s, &page);

		if (!slot)
			return;
		slots_pool_remove(s, slot);
		if (stored)
			slots_pool_add(s, slot);
		slot->new_bytes = 0;
		slot->had_unseen_entry = false;
		slot->state = stored ? ZWB_SLOT_ZSWAP : ZWB_SLOT_MEMORY;
	}
}

void zwb_slots_load(struct zwb_slots *s, const struct zwb_slot_at *at, bool hit)
{
	struct slot *slot = slots_find(s, at);

	slots_advance(s, at->ts_ns);
	if (hit)
		s->counts.load_hits++;
	else
		s->counts.load_misses++;
	if (!slot)
		return;
	if (hit && slot->state == ZWB_SLOT_UNSEEN)
		s->counts.preexisting++;
	else if (!hit && slot->is_pooled)
		s->counts.surprises++;
	if (!hit || (s->loads_are_exclusive && !s->frees_are_recorded))
		slots_pool_remove(s, slot);
	slot->state = slot->is_pooled ? ZWB_SLOT_ZSWAP : ZWB_SLOT_MEMORY;
}

void zwb_slots_invalidate(struct zwb_slots *s, const struct zwb_slot_at *at)
{
	struct slot *slot = slots_find(s, at);

	slots_advance(s, at->ts_ns);
	s->counts.invalidates++;
	if (!slot)
		return;
	slot->had_unseen_entry = slot->state == ZWB_SLOT_UNSEEN;
	slots_pool_remove(s, slot);
	slot->state = ZWB_SLOT_FREE;
}

/*
 * Comes inside the store that replaces the entry, the load, the invalidate or the writeback: the
 * end of that call, or the call itself, says what becomes of the slot.
 */
void zwb_slots_entry_free(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t len_bytes)
{
	struct slot *slot = slots_find(s, at);

	slots_advance(s, at->ts_ns);
	s->frees_are_recorded = true;
	if (!slot)
		return;
	/* Not one that a store of several pages made and takes back. */
	if (slot->had_unseen_entry || (slot->state == ZWB_SLOT_UNSEEN && !slot->new_bytes))
		s->counts.preexisting++;
	else if (slot->is_pooled && slot->len_bytes && len_bytes && slot->len_bytes != len_bytes)
		s->counts.surprises++;
	slot->had_unseen_entry = false;
	slots_pool_remove(s, slot);
	if (slot->state == ZWB_SLOT_ZSWAP || slot->state == ZWB_SLOT_UNSEEN)
		slot->state = ZWB_SLOT_MEMORY;
}

void zwb_slots_writeback(struct zwb_slots *s, const struct zwb_slot_at *at)
{
	struct slot *slot = slots_find(s, at);

	slots_advance(s, at->ts_ns);
	s->counts.writebacks++;
	if (!slot)
		return;
	if (slot->state == ZWB_SLOT_UNSEEN)
		s->counts.preexisting++;
	else if (slot->state == ZWB_SLOT_FREE || slot->state == ZWB_SLOT_DISK)
		s->counts.surprises++;
	slots_pool_remove(s, slot);
	slot->state = ZWB_SLOT_DISK;
}

void zwb_slots_swap_out(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t nr_pages)
{
	struct zwb_slot_at page = *at;

	slots_advance(s, at->ts_ns);
	for (uint32_t i = 0; i < nr_pages; i++, page.slot++) {
		struct slot *slot = slots_find(s, &page);

		if (!slot)
			return;
		slots_pool_remove(s, slot);
		slot->state = ZWB_SLOT_DISK;
	}
}

void zwb_slots_finish(struct zwb_slots *s, uint64_t end_ns)
{
	slots_advance(s, end_ns);
}

const struct zwb_timeline *zwb_slots_entries(const struct zwb_slots *s)
{
	return &s->entries;
}

const struct zwb_timeline *zwb_slots_bytes(const struct zwb_slots *s)
{
	return &s->bytes;
}

const struct zwb_slot_counts *zwb_slots_counts(const struct zwb_slots *s)
{
	return &s->counts;
}

enum zwb_slot_state zwb_slots_state(const struct zwb_slots *s, uint32_t swap_type, uint64_t slot)
{
	if (swap_type >= ZWB_SWAP_TYPES || slot >= s->nr || !s->areas[swap_type])
		return ZWB_SLOT_UNSEEN;
	return (enum zwb_slot_state)s->areas[swap_type][slot].state;
}
