/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page faults, swap readahead and discarded memory of the synthetic machine. */
#include "synth_priv.h"

#define FAULT_WINDOW_SHIFT_MAX 3u /* vm.page-cluster: up to 8 pages are read ahead */
#define FAULT_WRITE_PERCENT    60u
#define FAULT_TOUCH_NS	       150u

static void fault_map(struct synth_machine *m, struct synth_task *t, uint32_t page)
{
	struct synth_page *p = &m->pages[page];

	p->state = SYNTH_PAGE_RESIDENT;
	t->cgroup->nr_resident++;
	synth_resident_append(m, t->cgroup, page);
}

/* A page whose content the task can have now, from zswap, from the disk or as zeros. */
static int fault_is_readable(const struct synth_machine *m, uint32_t page)
{
	const struct synth_page *p = &m->pages[page];
	uint8_t state;

	if (p->state != SYNTH_PAGE_SWAPPED)
		return 0;
	state = m->swap.slots[p->slot].state;
	return state == SYNTH_SLOT_ZSWAP || state == SYNTH_SLOT_ZERO || state == SYNTH_SLOT_DISK;
}

/* A fault reads an aligned window, so that neighbours that left together come back together. */
static void fault_begin(struct synth_machine *m, struct synth_task *t, uint32_t page)
{
	uint32_t size = 1u << synth_random(m, FAULT_WINDOW_SHIFT_MAX + 1);
	uint32_t end = t->first_page + m->nr_task_pages;

	t->fault_page = page;
	t->window_begin = page / size * size;
	if (t->window_begin < t->first_page)
		t->window_begin = t->first_page;
	t->window_end = page / size * size + size;
	if (t->window_end > end)
		t->window_end = end;
	t->window_at = t->window_begin;
	t->phase = SYNTH_READ;
	synth_plug_start(m, t);
}

int synth_touch(struct synth_machine *m, struct synth_task *t, uint32_t page)
{
	struct synth_page *p = &m->pages[page];

	synth_spend(m, t, FAULT_TOUCH_NS);
	p->is_referenced = 1;
	if (p->state == SYNTH_PAGE_NEW) {
		if (synth_must_reclaim(m, t, SYNTH_RUN))
			return 0;
		fault_map(m, t, page);
	} else if (fault_is_readable(m, page)) {
		fault_begin(m, t, page);
		return 0;
	}
	return 1; /* in memory, or on its way out and still in the swap cache */
}

/* zswap_load(): a hit takes the page out of zswap, and it has to be written again. */
static void fault_load(struct synth_machine *m, struct synth_task *t, uint32_t slot)
{
	struct synth_slot *s = &m->swap.slots[slot];
	struct zwb_event *ev = synth_emit(m, t, ZWB_EV_LOAD_BEGIN);
	int is_hit = s->state == SYNTH_SLOT_ZSWAP;

	ev->addr = slot;
	ev->cgroup = t->cgroup->index;
	if (is_hit) {
		synth_lru_remove(m, t->cgroup, slot);
		ev = synth_emit(m, t, ZWB_EV_ENTRY_FREE);
		ev->addr = slot;
		ev->len = s->bytes;
		ev->val = s->is_referenced;
	}
	ev = synth_emit(m, t, ZWB_EV_LOAD_END);
	ev->addr = slot;
	ev->val = is_hit;
	if (is_hit) {
		s->state = SYNTH_SLOT_DIRTY;
		fault_map(m, t, s->page);
	} else {
		s->state = SYNTH_SLOT_READING;
		synth_io_add(m, t, &t->read, slot);
	}
}

/* swap_vma_readahead(): one page of the window. */
void synth_step_read(struct synth_machine *m, struct synth_task *t)
{
	uint32_t page, slot;

	while (t->window_at < t->window_end && !fault_is_readable(m, t->window_at))
		t->window_at++;
	if (t->window_at == t->window_end) {
		t->phase = SYNTH_READ_SUBMIT;
		return;
	}
	if (synth_must_reclaim(m, t, SYNTH_READ))
		return;
	page = t->window_at++;
	slot = m->pages[page].slot;
	synth_take_slot(m, t, slot);
	synth_emit(m, t, ZWB_EV_SWAP_READ)->addr = slot;
	if (m->swap.slots[slot].state == SYNTH_SLOT_ZERO) {
		m->swap.slots[slot].state = SYNTH_SLOT_DIRTY;
		fault_map(m, t, page);
	} else {
		fault_load(m, t, slot);
	}
}

/* The plug ends before the last bio is sent; the fault sleeps if it sent any. */
void synth_step_read_submit(struct synth_machine *m, struct synth_task *t)
{
	int must_wait = t->read.nr > 0;

	synth_plug_finish(m, t);
	synth_io_submit(m, t, &t->read, 1);
	t->phase = SYNTH_READ_DONE;
	if (must_wait)
		synth_sleep(m, t);
}

void synth_step_read_done(struct synth_machine *m, struct synth_task *t)
{
	for (uint32_t page = t->window_begin; page < t->window_end; page++) {
		struct synth_page *p = &m->pages[page];

		if (p->state != SYNTH_PAGE_SWAPPED)
			continue;
		if (m->swap.slots[p->slot].state != SYNTH_SLOT_READING)
			continue;
		m->swap.slots[p->slot].state = SYNTH_SLOT_CLEAN;
		fault_map(m, t, page);
	}
	t->window_at = t->window_begin;
	t->phase = synth_random(m, 100) < FAULT_WRITE_PERCENT ? SYNTH_WRITE : SYNTH_RUN;
}

/* The task writes to what it read: pages that differ from the disk's have no use for their slot. */
void synth_step_write(struct synth_machine *m, struct synth_task *t)
{
	for (; t->window_at < t->window_end; t->window_at++) {
		struct synth_page *p = &m->pages[t->window_at];

		if (p->state != SYNTH_PAGE_RESIDENT || p->slot == SYNTH_NONE)
			continue;
		synth_take_slot(m, t, p->slot);
		synth_emit(m, t, ZWB_EV_INVALIDATE)->addr = p->slot;
		synth_swap_free(&m->swap, p->slot);
		p->slot = SYNTH_NONE;
		return;
	}
	t->phase = SYNTH_RUN;
}

void synth_discard(struct synth_machine *m, struct synth_task *t, uint32_t begin, uint32_t end)
{
	(void)m;
	t->window_at = begin;
	t->window_end = end;
	t->phase = SYNTH_DISCARD;
}

/* zap_pte_range() and zswap_invalidate(): one page; those being written are left alone. */
void synth_step_discard(struct synth_machine *m, struct synth_task *t)
{
	struct synth_page *p = &m->pages[t->window_at];
	uint32_t slot = p->slot;
	struct synth_slot *s = &m->swap.slots[slot == SYNTH_NONE ? 0 : slot];
	struct zwb_event *ev;

	t->window_at++;
	if (t->window_at == t->window_end)
		t->phase = SYNTH_RUN;
	if (p->state == SYNTH_PAGE_SWAPPED && s->state == SYNTH_SLOT_WRITING)
		return;
	if (slot != SYNTH_NONE) {
		synth_take_slot(m, t, slot);
		synth_emit(m, t, ZWB_EV_INVALIDATE)->addr = slot;
		if (s->state == SYNTH_SLOT_ZSWAP) {
			synth_lru_remove(m, t->cgroup, slot);
			ev = synth_emit(m, t, ZWB_EV_ENTRY_FREE);
			ev->addr = slot;
			ev->len = s->bytes;
			ev->val = s->is_referenced;
		}
		synth_swap_free(&m->swap, slot);
		p->slot = SYNTH_NONE;
	}
	if (p->state == SYNTH_PAGE_RESIDENT)
		t->cgroup->nr_resident--;
	p->state = SYNTH_PAGE_NEW;
}
