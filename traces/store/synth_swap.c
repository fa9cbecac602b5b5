/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots and lists of the synthetic machine. Slot allocation follows mm/swapfile.c, v7.3. */
#include "synth_priv.h"

#include <stdlib.h>

#define SWAP_CLUSTER_SLOTS 512u /* SWAPFILE_CLUSTER with THP_SWAP on x86 */
#define SWAP_WORD_SLOTS	   64u

/* ---- clusters ---- */

static void cluster_unlink(struct synth_swap *swap, uint32_t index)
{
	struct synth_cluster *c = &swap->clusters[index];
	struct synth_list *list;

	if (c->list >= SYNTH_NR_LISTS)
		return;
	list = &swap->lists[c->list];
	if (c->prev == SYNTH_NONE)
		list->head = c->next;
	else
		swap->clusters[c->prev].next = c->next;
	if (c->next == SYNTH_NONE)
		list->tail = c->prev;
	else
		swap->clusters[c->next].prev = c->prev;
}

static void cluster_move(struct synth_swap *swap, uint32_t index, enum synth_cluster_list to)
{
	struct synth_cluster *c = &swap->clusters[index];
	struct synth_list *list;

	cluster_unlink(swap, index);
	c->list = (uint8_t)to;
	if (to >= SYNTH_NR_LISTS)
		return;
	list = &swap->lists[to];
	c->prev = list->tail;
	c->next = SYNTH_NONE;
	if (list->tail == SYNTH_NONE)
		list->head = index;
	else
		swap->clusters[list->tail].next = index;
	list->tail = index;
}

/* The first free slot of the cluster from @slot on, or SYNTH_NONE. */
static uint32_t cluster_scan(const struct synth_swap *swap, uint32_t slot)
{
	uint32_t end = slot / SWAP_CLUSTER_SLOTS * SWAP_CLUSTER_SLOTS + SWAP_CLUSTER_SLOTS;

	while (slot < end) {
		uint64_t free_bits = ~swap->used[slot / SWAP_WORD_SLOTS] >> slot % SWAP_WORD_SLOTS;

		if (free_bits)
			return slot + (uint32_t)__builtin_ctzll(free_bits);
		slot = (slot / SWAP_WORD_SLOTS + 1) * SWAP_WORD_SLOTS;
	}
	return SYNTH_NONE;
}

static void swap_mark(struct synth_swap *swap, uint32_t slot, int is_used)
{
	uint64_t bit = 1ull << slot % SWAP_WORD_SLOTS;

	if (is_used)
		swap->used[slot / SWAP_WORD_SLOTS] |= bit;
	else
		swap->used[slot / SWAP_WORD_SLOTS] &= ~bit;
}

/* ---- swap area ---- */

int synth_swap_init(struct synth_swap *swap, uint32_t nr_slots, struct zwb_err *err)
{
	uint32_t nr_clusters = (nr_slots + SWAP_CLUSTER_SLOTS - 1) / SWAP_CLUSTER_SLOTS;
	uint32_t all = nr_clusters * SWAP_CLUSTER_SLOTS;

	swap->nr_slots = nr_slots;
	swap->nr_clusters = nr_clusters;
	swap->slots = calloc(all, sizeof(*swap->slots));
	swap->used = calloc(all / SWAP_WORD_SLOTS, sizeof(*swap->used));
	swap->clusters = calloc(nr_clusters, sizeof(*swap->clusters));
	if (!swap->slots || !swap->used || !swap->clusters)
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "no memory for a swap area of %u slots", nr_slots);
	for (int i = 0; i < SYNTH_NR_LISTS; i++)
		swap->lists[i] = (struct synth_list){ SYNTH_NONE, SYNTH_NONE };
	for (uint32_t i = 0; i < nr_clusters; i++) {
		swap->clusters[i].list = SYNTH_FULL; /* on no list yet */
		cluster_move(swap, i, SYNTH_FREE);
	}
	swap_mark(swap, 0, 1); /* the header */
	swap->clusters[0].nr_used = 1;
	for (uint32_t slot = nr_slots; slot < all; slot++) {
		swap_mark(swap, slot, 1);
		swap->clusters[nr_clusters - 1].nr_used++;
	}
	return ZWB_OK;
}

void synth_swap_release(struct synth_swap *swap)
{
	free(swap->slots);
	free(swap->used);
	free(swap->clusters);
}

/* cluster_alloc_swap_entry(): the list whose first cluster is used when a CPU has none. */
static uint32_t swap_next_cluster(const struct synth_swap *swap)
{
	static const enum synth_cluster_list order[] = { SYNTH_NONFULL, SYNTH_FREE, SYNTH_FRAG };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (swap->lists[order[i]].head != SYNTH_NONE)
			return swap->lists[order[i]].head;
	}
	return SYNTH_NONE;
}

uint32_t synth_swap_alloc(struct synth_swap *swap, uint32_t *cursor)
{
	uint32_t slot = *cursor ? cluster_scan(swap, *cursor) : SYNTH_NONE;
	struct synth_cluster *c;

	while (slot == SYNTH_NONE) {
		uint32_t cluster = swap_next_cluster(swap);

		slot = cluster_scan(swap, cluster * SWAP_CLUSTER_SLOTS);
	}
	c = &swap->clusters[slot / SWAP_CLUSTER_SLOTS];
	swap_mark(swap, slot, 1);
	c->nr_used++;
	cluster_move(swap, slot / SWAP_CLUSTER_SLOTS,
		c->nr_used == SWAP_CLUSTER_SLOTS ? SYNTH_FULL : SYNTH_FRAG);
	*cursor = (slot + 1) % SWAP_CLUSTER_SLOTS ? slot + 1 : 0;
	return slot;
}

void synth_swap_free(struct synth_swap *swap, uint32_t slot)
{
	struct synth_cluster *c = &swap->clusters[slot / SWAP_CLUSTER_SLOTS];

	swap->slots[slot].state = SYNTH_SLOT_FREE;
	swap_mark(swap, slot, 0);
	c->nr_used--;
	cluster_move(swap, slot / SWAP_CLUSTER_SLOTS, c->nr_used ? SYNTH_NONFULL : SYNTH_FREE);
}

/* ---- the LRU of a cgroup's compressed pages ---- */

void synth_lru_append(struct synth_machine *m, struct synth_cgroup *cg, uint32_t slot)
{
	struct synth_slot *slots = m->swap.slots;

	slots[slot].prev = cg->lru.tail;
	slots[slot].next = SYNTH_NONE;
	if (cg->lru.tail == SYNTH_NONE)
		cg->lru.head = slot;
	else
		slots[cg->lru.tail].next = slot;
	cg->lru.tail = slot;
	cg->nr_stored++;
}

void synth_lru_remove(struct synth_machine *m, struct synth_cgroup *cg, uint32_t slot)
{
	struct synth_slot *slots = m->swap.slots;
	uint32_t prev = slots[slot].prev, next = slots[slot].next;

	if (prev == SYNTH_NONE)
		cg->lru.head = next;
	else
		slots[prev].next = next;
	if (next == SYNTH_NONE)
		cg->lru.tail = prev;
	else
		slots[next].prev = prev;
	cg->nr_stored--;
}

/* ---- a cgroup's pages in memory ---- */

void synth_resident_append(struct synth_machine *m, struct synth_cgroup *cg, uint32_t page)
{
	struct synth_page *p = &m->pages[page];

	if (p->is_queued)
		return;
	p->is_queued = 1;
	p->next = SYNTH_NONE;
	if (cg->resident.tail == SYNTH_NONE)
		cg->resident.head = page;
	else
		m->pages[cg->resident.tail].next = page;
	cg->resident.tail = page;
}

uint32_t synth_resident_pop(struct synth_machine *m, struct synth_cgroup *cg)
{
	while (cg->resident.head != SYNTH_NONE) {
		uint32_t page = cg->resident.head;
		struct synth_page *p = &m->pages[page];

		cg->resident.head = p->next;
		if (p->next == SYNTH_NONE)
			cg->resident.tail = SYNTH_NONE;
		p->is_queued = 0;
		if (p->state != SYNTH_PAGE_RESIDENT)
			continue;
		if (!p->is_referenced)
			return page;
		p->is_referenced = 0;
		synth_resident_append(m, cg, page);
	}
	return SYNTH_NONE;
}
