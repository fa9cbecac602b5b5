/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairing of entry and return events: a stack a task, since kernel functions nest on one task. */
#include "tracedat_priv.h"

#include <stdlib.h>
#include <string.h>

#define STACK_DEPTH 24 /* deepest seen in real recordings: 9 */
#define TASKS_START 64u
#define TASKS_MAX   65536u

struct pair_frame {
	uint64_t addr;
	uint64_t ts; /* recording's clock */
	uint16_t cpu, dev;
	uint8_t kind, flags;
};

struct pair_task {
	int64_t key; /* tid, or below 0 for the idle task of a CPU */
	int is_used;
	unsigned int depth;
	struct pair_frame frames[STACK_DEPTH];
};

struct dat_pairing {
	struct dat_losses *losses;
	struct pair_task *tasks; /* open addressing */
	size_t nr, nr_places;
	int status;
	uint8_t opens[ZWB_EV_NR]; /* 1: the kind is an entry */
	uint8_t closes[ZWB_EV_NR]; /* kind of the entry that it returns from; 0: none */
};

/* NAME_begin is paired with NAME_end. */
static void pairing_kinds(struct dat_pairing *p)
{
	for (int i = 0; i < ZWB_EV_NR; i++) {
		const char *begin = zwb_event_kind_name((unsigned int)i);
		size_t len = strlen(begin);

		if (len <= 6 || strcmp(begin + len - 6, "_begin") != 0)
			continue;
		for (int k = 0; k < ZWB_EV_NR; k++) {
			const char *end = zwb_event_kind_name((unsigned int)k);

			if (strlen(end) == len - 2 && strncmp(end, begin, len - 5) == 0 &&
				strcmp(end + len - 6, "_end") == 0) {
				p->opens[i] = 1;
				p->closes[k] = (uint8_t)i;
			}
		}
	}
}

struct dat_pairing *dat_pairing_create(struct dat_losses *losses)
{
	struct dat_pairing *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->losses = losses;
	p->nr_places = TASKS_START;
	p->tasks = calloc(p->nr_places, sizeof(*p->tasks));
	if (!p->tasks) {
		free(p);
		return NULL;
	}
	pairing_kinds(p);
	return p;
}

void dat_pairing_free(struct dat_pairing *p)
{
	if (!p)
		return;
	free(p->tasks);
	free(p);
}

static void unpaired(struct dat_pairing *p, enum zwb_loss_kind kind, unsigned int cpu,
	uint64_t from, uint64_t to)
{
	dat_losses_put_event(p->losses, cpu, kind, from, to);
}

static size_t task_place(const struct pair_task *tasks, size_t nr_places, int64_t key)
{
	size_t mask = nr_places - 1;
	size_t place = (size_t)(((uint64_t)key * 0x9e3779b97f4a7c15ull) >> 40) & mask;

	while (tasks[place].is_used && tasks[place].key != key)
		place = (place + 1) & mask;
	return place;
}

/* Forget tasks with nothing open; if that does not help, take twice the room. */
static int tasks_make_room(struct dat_pairing *p)
{
	size_t nr_open = 0, nr_places = p->nr_places;
	struct pair_task *tasks;

	for (size_t i = 0; i < p->nr_places; i++)
		nr_open += p->tasks[i].is_used && p->tasks[i].depth;
	if (nr_open > p->nr_places / 2)
		nr_places *= 2;
	if (nr_places > TASKS_MAX)
		return 0;
	tasks = calloc(nr_places, sizeof(*tasks));
	if (!tasks) {
		p->status = ZWB_ENOMEM;
		return 0;
	}
	for (size_t i = 0; i < p->nr_places; i++) {
		if (p->tasks[i].is_used && p->tasks[i].depth)
			tasks[task_place(tasks, nr_places, p->tasks[i].key)] = p->tasks[i];
	}
	free(p->tasks);
	p->tasks = tasks;
	p->nr_places = nr_places;
	p->nr = nr_open;
	return 1;
}

/* The stack of the task; NULL when there are too many tasks with open entries. */
static struct pair_task *task_of(struct dat_pairing *p, const struct zwb_event *ev, int may_add)
{
	int64_t key = ev->tid ? ev->tid : -1 - (int64_t)ev->cpu;
	struct pair_task *task = &p->tasks[task_place(p->tasks, p->nr_places, key)];

	if (task->is_used)
		return task;
	if (!may_add)
		return NULL;
	if (p->nr >= p->nr_places / 4 * 3) {
		if (!tasks_make_room(p))
			return NULL;
		task = &p->tasks[task_place(p->tasks, p->nr_places, key)];
	}
	p->nr++;
	task->is_used = 1;
	task->key = key;
	return task;
}

static void pairing_open(struct dat_pairing *p, const struct zwb_event *ev, uint64_t abs_ts)
{
	struct pair_task *task = task_of(p, ev, 1);
	struct pair_frame *frame;

	if (!task) {
		unpaired(p, ZWB_LOSS_UNPAIRED_BEGIN, ev->cpu, abs_ts, abs_ts);
		return;
	}
	if (task->depth == STACK_DEPTH) {
		unpaired(p, ZWB_LOSS_UNPAIRED_BEGIN, task->frames[0].cpu, task->frames[0].ts,
			abs_ts);
		task->depth--;
		memmove(&task->frames[0], &task->frames[1], task->depth * sizeof(*task->frames));
	}
	frame = &task->frames[task->depth++];
	*frame = (struct pair_frame){ .addr = ev->addr,
		.ts = abs_ts,
		.cpu = ev->cpu,
		.dev = ev->dev,
		.kind = ev->kind,
		.flags = ev->flags };
}

/* The entry that @ev returns from; entries above it never returned. NULL when there is none. */
static struct pair_frame *pairing_close(
	struct dat_pairing *p, const struct zwb_event *ev, uint64_t abs_ts)
{
	struct pair_task *task = task_of(p, ev, 0);
	unsigned int at = task ? task->depth : 0;

	while (at > 0 && (task->frames[at - 1].kind != p->closes[ev->kind] ||
				 task->frames[at - 1].flags != ev->flags))
		at--;
	if (at == 0) {
		unpaired(p, ZWB_LOSS_UNPAIRED_END, ev->cpu, abs_ts, abs_ts);
		return NULL;
	}
	for (unsigned int i = at; i < task->depth; i++)
		unpaired(p, ZWB_LOSS_UNPAIRED_BEGIN, task->frames[i].cpu, task->frames[i].ts,
			abs_ts);
	task->depth = at - 1;
	return &task->frames[at - 1];
}

void dat_pairing_event(struct dat_pairing *p, struct zwb_event *ev, uint64_t abs_ts)
{
	const struct pair_frame *entry;

	if (p->opens[ev->kind]) {
		pairing_open(p, ev, abs_ts);
		return;
	}
	if (!p->closes[ev->kind])
		return;
	entry = pairing_close(p, ev, abs_ts);
	if (!entry || ev->addr)
		return;
	switch (ev->kind) {
	case ZWB_EV_STORE_END:
	case ZWB_EV_LOAD_END:
	case ZWB_EV_WRITEBACK_END:
		ev->addr = entry->addr;
		ev->dev = entry->dev;
		break;
	default:
		break;
	}
}

int dat_pairing_status(const struct dat_pairing *p)
{
	return p->status;
}

void dat_pairing_end(struct dat_pairing *p)
{
	for (size_t i = 0; i < p->nr_places; i++) {
		struct pair_task *task = &p->tasks[i];

		for (unsigned int k = 0; k < task->depth; k++)
			unpaired(p, ZWB_LOSS_UNPAIRED_BEGIN, task->frames[k].cpu,
				task->frames[k].ts, task->frames[k].ts);
		task->depth = 0;
	}
}
