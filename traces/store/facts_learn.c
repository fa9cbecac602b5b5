/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap geometry from the recording itself: see zwb_facts_learn(). */
#include "facts_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WANTED_PAIRS 256u
#define NEEDED_PAIRS 16u
#define MAX_EVENTS   5000000u /* look no further */
#define MAX_TASKS    64u /* that are about to submit; the oldest is forgotten */
#define MAX_PENDING  64u /* slots of a task, a swap IO context holds 32 */

/* A task that gave slots to the swap device whose bios are still to come. */
struct learn_task {
	int32_t tid;
	unsigned int nr;
	uint64_t slots[MAX_PENDING];
};

struct learn {
	uint32_t slot_sectors;
	struct learn_task tasks[MAX_TASKS];
	unsigned int next_task; /* to be forgotten */
	int64_t distance[WANTED_PAIRS]; /* first sector of the area, if the pair is one */
	uint16_t dev[WANTED_PAIRS];
	unsigned int nr_pairs;
	uint64_t end_slot; /* behind the last one seen */
};

static struct learn_task *learn_task(struct learn *l, int32_t tid, bool create)
{
	struct learn_task *t;

	for (unsigned int i = 0; i < MAX_TASKS; i++) {
		if (l->tasks[i].nr && l->tasks[i].tid == tid)
			return &l->tasks[i];
	}
	if (!create)
		return NULL;
	t = &l->tasks[l->next_task++ % MAX_TASKS];
	*t = (struct learn_task){ .tid = tid };
	return t;
}

static void learn_slot(struct learn *l, const struct zwb_event *ev)
{
	struct learn_task *t = learn_task(l, ev->tid, true);

	if (t->nr == MAX_PENDING)
		t->nr = 0; /* its bios are not the ones we see */
	t->slots[t->nr++] = ev->addr;
}

static void learn_bio(struct learn *l, const struct zwb_event *ev)
{
	struct learn_task *t = learn_task(l, ev->tid, false);
	unsigned int nr = ev->len / l->slot_sectors;

	if (!t || !(ev->flags & ZWB_OP_WRITE) || nr == 0 || l->nr_pairs == WANTED_PAIRS)
		return;
	if (ev->addr <= INT64_MAX && t->slots[0] <= INT64_MAX / l->slot_sectors) {
		l->distance[l->nr_pairs] =
			(int64_t)ev->addr - (int64_t)(t->slots[0] * l->slot_sectors);
		l->dev[l->nr_pairs++] = ev->dev;
	}
	if (nr > t->nr)
		nr = t->nr;
	t->nr -= nr;
	memmove(t->slots, t->slots + nr, t->nr * sizeof(t->slots[0]));
}

static void learn_event(struct learn *l, const struct zwb_event *ev)
{
	switch (ev->kind) {
	case ZWB_EV_SWAP_WRITE:
		learn_slot(l, ev);
		/* fall through */
	case ZWB_EV_STORE_BEGIN:
	case ZWB_EV_SWAPOUT:
	case ZWB_EV_SWAP_READ:
		if (ev->addr >= l->end_slot && ev->addr < ZWB_FACTS_GUESSED_SLOTS)
			l->end_slot = ev->addr + 1;
		break;
	case ZWB_EV_BIO_QUEUE:
		learn_bio(l, ev);
		break;
	default:
		break;
	}
}

static int learn_events(struct learn *l, struct zwb_stream *probe, struct zwb_err *err)
{
	const struct zwb_event *events;
	size_t nr;
	int ret;

	do {
		ret = zwb_stream_next(probe, &events, &nr, err);
		for (size_t i = 0; !ret && i < nr; i++)
			learn_event(l, &events[i]);
	} while (!ret && nr);
	return ret;
}

/* The pair that most others agree with. Return: how many do. */
static unsigned int learn_agreement(const struct learn *l, unsigned int *best)
{
	unsigned int most = 0;

	for (unsigned int i = 0; i < l->nr_pairs; i++) {
		unsigned int nr = 0;

		for (unsigned int j = 0; j < l->nr_pairs; j++)
			nr += l->distance[j] == l->distance[i] && l->dev[j] == l->dev[i];
		if (nr > most) {
			most = nr;
			*best = i;
		}
	}
	return most;
}

static void forget_unknown(struct zwb_meta *m, const char *what)
{
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		if (strcmp(m->unknowns[i].what, what) != 0)
			continue;
		free(m->unknowns[i].what);
		m->nr_unknowns--;
		memmove(&m->unknowns[i], &m->unknowns[i + 1],
			(m->nr_unknowns - i) * sizeof(m->unknowns[0]));
		return;
	}
}

/* Replace the guess of the only swap area by @extent on @device. */
static int learn_apply(struct zwb_meta *m, const struct zwb_device *device,
	const struct zwb_extent *extent, const char *source, struct zwb_err *err)
{
	struct zwb_device *guess;
	size_t nr_devices = m->nr_devices;
	int dev = zwb_meta_device(m, device->major, device->minor, device->name, err);
	int ret = ZWB_OK;

	if (dev < 0)
		return dev;
	guess = &m->devices[m->swaps[0].dev];
	if (m->nr_devices > nr_devices && guess->major == 0 && guess->minor == 0) {
		*guess = *device; /* the row that stood for the disk gets its number */
		m->nr_devices--;
		dev = (int)m->swaps[0].dev;
	}
	m->swaps[0].dev = (uint32_t)dev;
	m->swaps[0].geometry_known = 1;
	m->extents[0].first_sector = extent->first_sector;
	m->extents[0].nr_slots = extent->nr_slots;
	if (m->swaps[0].synchronous < 0)
		m->swaps[0].synchronous = facts_is_synchronous(m->devices[dev].name);
	for (size_t i = 0; !ret && i < m->nr_facts; i++) {
		if (strcmp(m->facts[i].section, "geometry") == 0 &&
			strcmp(m->facts[i].key, "source") == 0)
			ret = zwb_meta_set(&m->facts[i].value, source, err);
	}
	forget_unknown(m, "swap.geometry");
	return ret;
}

int zwb_facts_learn(struct zwb_meta *m, struct zwb_stream *probe, struct zwb_err *err)
{
	struct learn *l;
	struct zwb_extent extent = { 0 };
	unsigned int best = 0, most;
	char source[96];
	int ret;

	/* several areas would have to be told apart; a file is no single run */
	if (m->nr_swaps != 1 || m->nr_extents != 1 || m->swaps[0].geometry_known ||
		strcmp(m->swaps[0].kind, "file") == 0)
		return ZWB_OK;
	l = calloc(1, sizeof(*l));
	if (!l)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to learn the swap geometry");
	l->slot_sectors = m->page_bytes / 512;
	ret = learn_events(l, probe, err);
	most = learn_agreement(l, &best);
	if (!ret && l->nr_pairs >= NEEDED_PAIRS && most * 5 >= l->nr_pairs * 4 &&
		l->distance[best] >= 0 && l->dev[best] < probe->meta->nr_devices) {
		snprintf(source, sizeof(source), "learned: %u of %u writes of the recording lie so",
			most, l->nr_pairs);
		extent.first_sector = (uint64_t)l->distance[best];
		extent.nr_slots = l->end_slot;
		ret = learn_apply(m, &probe->meta->devices[l->dev[best]], &extent, source, err);
	}
	free(l);
	return ret;
}
