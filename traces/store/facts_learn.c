/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap geometry from the recording itself. */
#include "facts_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WANTED_BIOS 256u
#define NEEDED_BIOS 16u
#define CANDIDATES  8u /* bios whose distances are tried */
#define MAX_TASKS   64u /* that are about to submit; the oldest is forgotten */
#define MAX_PENDING 64u /* last slots of a task; a swap IO context holds 32 */
#define MAX_DEVICES 256u /* rows of the table that are looked at */

/* The slots that a task gave to the swap device last. */
struct learn_task {
	int32_t tid;
	unsigned int nr; /* in all; the last MAX_PENDING are kept, in a ring */
	uint64_t slots[MAX_PENDING];
};

/* A write bio, and where the area would begin if it ran from one of those slots to another. */
struct learn_bio {
	uint16_t dev;
	unsigned int nr;
	int64_t distances[MAX_PENDING]; /* first sector of the area */
};

struct zwb_learner {
	uint32_t slot_sectors;
	struct learn_task tasks[MAX_TASKS];
	unsigned int next_task; /* to be forgotten */
	struct learn_bio bios[WANTED_BIOS];
	unsigned int nr_bios;
	uint64_t end_slot; /* behind the last one seen */
	bool has_requests[MAX_DEVICES]; /* devices that were seen to have some */
};

static struct learn_task *learn_task(struct zwb_learner *l, int32_t tid, bool create)
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

static void learn_slot(struct zwb_learner *l, const struct zwb_event *ev)
{
	struct learn_task *t = learn_task(l, ev->tid, true);

	t->slots[t->nr++ % MAX_PENDING] = ev->addr;
}

static bool learn_gave(const struct learn_task *t, uint64_t slot)
{
	for (unsigned int i = 0; i < t->nr && i < MAX_PENDING; i++) {
		if (t->slots[i] == slot)
			return true;
	}
	return false;
}

static void learn_bio(struct zwb_learner *l, const struct zwb_event *ev)
{
	struct learn_task *t = learn_task(l, ev->tid, false);
	struct learn_bio *bio = &l->bios[l->nr_bios];

	if (!t || !(ev->flags & ZWB_OP_WRITE) || ev->len < l->slot_sectors ||
		ev->addr > INT64_MAX || l->nr_bios == WANTED_BIOS)
		return;
	*bio = (struct learn_bio){ .dev = ev->dev };
	/* The latest first: where several distances are as good, it is the likelier one. */
	for (unsigned int i = 0; i < t->nr && i < MAX_PENDING; i++) {
		uint64_t slot = t->slots[(t->nr - 1 - i) % MAX_PENDING];

		if (slot <= INT64_MAX / l->slot_sectors &&
			learn_gave(t, slot + ev->len / l->slot_sectors - 1))
			bio->distances[bio->nr++] =
				(int64_t)ev->addr - (int64_t)(slot * l->slot_sectors);
	}
	l->nr_bios++;
}

static void learn_event(struct zwb_learner *l, const struct zwb_event *ev)
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
	case ZWB_EV_RQ_ISSUE:
		if (ev->dev < MAX_DEVICES)
			l->has_requests[ev->dev] = true;
		break;
	default:
		break;
	}
}

/* How many bios may lie at this distance. */
static unsigned int learn_support(const struct zwb_learner *l, int64_t distance, uint16_t dev)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < l->nr_bios; i++) {
		const struct learn_bio *bio = &l->bios[i];
		unsigned int k = 0;

		while (k < bio->nr && bio->distances[k] != distance)
			k++;
		nr += k < bio->nr && bio->dev == dev;
	}
	return nr;
}

/* The distance that most bios agree with. Return: how many do. */
static unsigned int learn_agreement(const struct zwb_learner *l, int64_t *distance, uint16_t *dev)
{
	unsigned int most = 0;

	for (unsigned int c = 0; c < CANDIDATES && l->nr_bios; c++) {
		const struct learn_bio *bio = &l->bios[c * l->nr_bios / CANDIDATES];

		for (unsigned int k = 0; k < bio->nr; k++) {
			unsigned int nr = learn_support(l, bio->distances[k], bio->dev);

			if (nr > most) {
				most = nr;
				*distance = bio->distances[k];
				*dev = bio->dev;
			}
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
	int dev = zwb_meta_device(m, device->major, device->minor, device->name, err);
	int ret = ZWB_OK;

	if (dev < 0)
		return dev;
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

int zwb_learner_create(const struct zwb_meta *m, struct zwb_learner **out, struct zwb_err *err)
{
	*out = NULL;
	/* several areas would have to be told apart; a file is no single run */
	if (m->nr_swaps != 1 || m->nr_extents != 1 || m->swaps[0].geometry_known ||
		strcmp(m->swaps[0].kind, "file") == 0)
		return ZWB_OK;
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to learn the swap geometry");
	(*out)->slot_sectors = m->page_bytes / 512;
	return ZWB_OK;
}

void zwb_learner_add(struct zwb_learner *l, const struct zwb_event *events, size_t nr_events)
{
	for (size_t i = 0; l && i < nr_events; i++)
		learn_event(l, &events[i]);
}

int zwb_learner_apply(struct zwb_learner *l, struct zwb_meta *m, const struct zwb_device *devices,
	size_t nr_devices, struct zwb_err *err)
{
	struct zwb_extent extent = { 0 };
	struct zwb_device device;
	int64_t distance = 0;
	uint16_t dev = 0;
	unsigned int most;
	char source[96];
	int ret = ZWB_OK;

	if (!l)
		return ZWB_OK;
	most = learn_agreement(l, &distance, &dev);
	if (l->nr_bios >= NEEDED_BIOS && most * 5 >= l->nr_bios * 4 && distance >= 0 &&
		dev < nr_devices) {
		snprintf(source, sizeof(source), "learned: %u of %u writes of the recording lie so",
			most, l->nr_bios);
		extent.first_sector = (uint64_t)distance;
		extent.nr_slots = l->end_slot;
		device = devices[dev]; /* a copy: the rows may be those of @m, and move */
		ret = learn_apply(m, &device, &extent, source, err);
		if (m->swaps[0].synchronous < 0 && dev < MAX_DEVICES && l->has_requests[dev])
			m->swaps[0].synchronous = 0; /* what has requests has a queue */
	}
	free(l);
	return ret;
}

int zwb_facts_learn(struct zwb_meta *m, struct zwb_stream *probe, struct zwb_err *err)
{
	const struct zwb_event *events;
	struct zwb_learner *l;
	size_t nr = 1;
	int ret = zwb_learner_create(m, &l, err);
	int applied;

	while (!ret && l && nr) {
		ret = zwb_stream_next(probe, &events, &nr, err);
		if (!ret)
			zwb_learner_add(l, events, nr);
	}
	applied = zwb_learner_apply(l, m, probe->meta->devices, probe->meta->nr_devices, err);
	return applied ? applied : ret;
}
