/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every slot of the swap areas holds, and how full the zswap pool is. */
#ifndef ZWB_SLOTS_H
#define ZWB_SLOTS_H

#include "err.h"
#include "timeline.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One state a slot, driven by the recorded stores, loads, invalidates and writebacks (mm/zswap.c,
 * 7.3.4):
 *
 *	FREE -> store: ZSWAP -> load: MEMORY | invalidate: FREE | writeback: DISK
 *	DISK -> load miss: MEMORY;  MEMORY -> store: ZSWAP | direct swap-out: DISK
 *
 * What the recording says always wins; a transition that the state does not allow means that events
 * are missing, or that calls overlapped, and is counted. A slot has an entry in the pool from its
 * store to the first event that ends it. A load that hits is one only where loads are exclusive
 * (from 6.9 on), and not where the frees themselves were recorded: a swap-in past the swap cache
 * keeps the entry even there.
 *
 * Arrays are indexed by the slot directly, 12 bytes each; parts that are never touched cost
 * nothing.
 */

enum zwb_slot_state {
	ZWB_SLOT_UNSEEN,
	ZWB_SLOT_FREE,
	ZWB_SLOT_ZSWAP,
	ZWB_SLOT_MEMORY,
	ZWB_SLOT_DISK,
};

#define ZWB_SWAP_TYPES 32u /* MAX_SWAPFILES of the kernel */

struct zwb_slot_counts {
	uint64_t stores, store_rejects, load_hits, load_misses, invalidates, writebacks;
	uint64_t preexisting; /* left the pool without having been stored in the recording */
	uint64_t surprises; /* transitions that the state does not allow */
	uint64_t outside; /* slots past the end of their area: left out */
	uint64_t lengths; /* objects whose length was told */
	uint64_t no_length; /* stored without one: same-filled pages, if there are any lengths */
	uint64_t pool_entries, pool_max_entries;
	uint64_t pool_bytes, pool_max_bytes;
	unsigned __int128 entry_ns, byte_ns; /* integrals over time */
	uint64_t since_ns;
	bool no_memory; /* for the table of a swap area: what it holds was left out */
};

struct zwb_slots;

/**
 * zwb_slots_create() - all slots unseen, the pool empty.
 * @nr_slots: size of the largest area; 0: not known, room for 2^26 slots.
 * @loads_are_exclusive: a load that hits takes the entry out of the pool.
 */
int zwb_slots_create(
	uint64_t nr_slots, bool loads_are_exclusive, struct zwb_slots **out, struct zwb_err *err);
void zwb_slots_free(struct zwb_slots *s);

/* A slot and when; what happens to it is the verb. Time does not go back. */
struct zwb_slot_at {
	uint64_t ts_ns;
	uint64_t slot;
	uint32_t swap_type;
};

/** zwb_slots_compress() - the store under way got an object of @len_bytes for this slot. */
void zwb_slots_compress(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t len_bytes);
/**
 * zwb_slots_store() - a store of @nr_pages slots ended. One that was rejected leaves no entry of
 * before behind either.
 */
void zwb_slots_store(
	struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t nr_pages, bool stored);
void zwb_slots_load(struct zwb_slots *s, const struct zwb_slot_at *at, bool hit);
void zwb_slots_invalidate(struct zwb_slots *s, const struct zwb_slot_at *at);
/** zwb_slots_entry_free() - the pool's entry is gone, for whatever reason. */
void zwb_slots_entry_free(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t len_bytes);
void zwb_slots_writeback(struct zwb_slots *s, const struct zwb_slot_at *at);
/** zwb_slots_swap_out() - a direct swap-out, past zswap. */
void zwb_slots_swap_out(struct zwb_slots *s, const struct zwb_slot_at *at, uint32_t nr_pages);

/** zwb_slots_finish() - close the time integrals at @end_ns. */
void zwb_slots_finish(struct zwb_slots *s, uint64_t end_ns);

/** zwb_slots_counts() - the counters so far; borrowed. */
const struct zwb_slot_counts *zwb_slots_counts(const struct zwb_slots *s);

/** zwb_slots_entries() - pages in the pool over time: each times the ns that it was there. */
const struct zwb_timeline *zwb_slots_entries(const struct zwb_slots *s);

/** zwb_slots_bytes() - compressed bytes likewise. */
const struct zwb_timeline *zwb_slots_bytes(const struct zwb_slots *s);

/** zwb_slots_state() - of one slot, ZWB_SLOT_UNSEEN when outside. */
enum zwb_slot_state zwb_slots_state(const struct zwb_slots *s, uint32_t swap_type, uint64_t slot);

#endif
