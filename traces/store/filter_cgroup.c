/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of one cgroup: see zwb_stream_of_cgroup(). */
#include "filter.h"

#include "parse.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH  16u /* operations within operations; deeper ones go with the last */
#define SWAP_TYPES 32u
#define SLOTS	   (UINT64_C(1) << 26) /* whose owner is remembered */

struct cgroup_task {
	int32_t tid;
	bool is_used;
	unsigned int depth;
	uint8_t kind[MAX_DEPTH]; /* *_BEGIN of the operations it is in */
	bool is_kept[MAX_DEPTH];
};

struct cgroup_stream {
	struct zwb_stream stream; /* its metadata are the input's */
	struct zwb_stream *input;
	char *path; /* or NULL, and id */
	uint64_t id;
	uint8_t *is_selected; /* rows of the cgroups */
	size_t nr_selected; /* rows looked at */
	uint8_t end_of[ZWB_EV_NR]; /* *_BEGIN to *_END, 0 for others */
	uint8_t begin_of[ZWB_EV_NR];
	struct cgroup_task *tasks; /* hash table */
	size_t nr_tasks, task_room;
	uint8_t *others[SWAP_TYPES]; /* bit a slot: last stored by a cgroup that is left out */
	struct zwb_event *block;
	size_t block_room;
};

/* -- which cgroups -- */

static bool is_below(const char *path, const char *top)
{
	size_t len = strlen(top);

	if (strcmp(top, "/") == 0)
		return path[0] == '/';
	return strncmp(path, top, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static int look_at_cgroups(struct cgroup_stream *cs, struct zwb_err *err)
{
	const struct zwb_meta *m = cs->stream.meta;
	uint8_t *bigger = realloc(cs->is_selected, m->nr_cgroups);

	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to select a cgroup");
	cs->is_selected = bigger;
	for (; cs->nr_selected < m->nr_cgroups; cs->nr_selected++) {
		const struct zwb_cgroup *row = &m->cgroups[cs->nr_selected];

		cs->is_selected[cs->nr_selected] =
			cs->nr_selected == ZWB_CGROUP_UNKNOWN ||
			(cs->path ? is_below(row->path, cs->path) : row->id == cs->id);
	}
	return ZWB_OK;
}

/* -- tasks -- */

static struct cgroup_task *find_task(struct cgroup_stream *cs, int32_t tid)
{
	uint32_t mix = (uint32_t)tid * UINT32_C(0x9e3779b1);
	size_t i = mix & (cs->task_room - 1);

	while (cs->tasks[i].is_used && cs->tasks[i].tid != tid)
		i = (i + 1) & (cs->task_room - 1);
	return &cs->tasks[i];
}

static int grow_tasks(struct cgroup_stream *cs, struct zwb_err *err)
{
	struct cgroup_task *old = cs->tasks;
	size_t old_room = cs->task_room;

	cs->task_room = old_room ? 2 * old_room : 256;
	cs->tasks = calloc(cs->task_room, sizeof(*cs->tasks));
	if (!cs->tasks) {
		cs->tasks = old;
		cs->task_room = old_room;
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %zu tasks", old_room * 2);
	}
	for (size_t i = 0; i < old_room; i++) {
		if (old[i].is_used)
			*find_task(cs, old[i].tid) = old[i];
	}
	free(old);
	return ZWB_OK;
}

static struct cgroup_task *get_task(struct cgroup_stream *cs, int32_t tid, struct zwb_err *err)
{
	struct cgroup_task *t;

	if (2 * cs->nr_tasks >= cs->task_room && grow_tasks(cs, err))
		return NULL;
	t = find_task(cs, tid);
	if (!t->is_used) {
		*t = (struct cgroup_task){ .tid = tid, .is_used = true };
		cs->nr_tasks++;
	}
	return t;
}

/* -- slots -- */

/* Events whose addr is a slot: the swap type is in dev. */
static bool has_slot(unsigned int kind)
{
	switch (kind) {
	case ZWB_EV_STORE_BEGIN:
	case ZWB_EV_LOAD_BEGIN:
	case ZWB_EV_INVALIDATE:
	case ZWB_EV_ENTRY_FREE:
	case ZWB_EV_VISIT_BEGIN:
	case ZWB_EV_WRITEBACK_BEGIN:
	case ZWB_EV_SWAPOUT:
	case ZWB_EV_SWAP_WRITE:
	case ZWB_EV_SWAP_READ:
	case ZWB_EV_DROPBEHIND_QUEUED:
	case ZWB_EV_DROPBEHIND_FREE:
	case ZWB_EV_ROTATE:
	case ZWB_EV_WRITEBACK_DONE:
		return true;
	default:
		return false;
	}
}

static bool is_others_slot(const struct cgroup_stream *cs, const struct zwb_event *ev)
{
	if (!has_slot(ev->kind) || ev->dev >= SWAP_TYPES || ev->addr >= SLOTS ||
		!cs->others[ev->dev])
		return false;
	return cs->others[ev->dev][ev->addr / 8] >> ev->addr % 8 & 1;
}

static int note_store(
	struct cgroup_stream *cs, const struct zwb_event *ev, bool is_kept, struct zwb_err *err)
{
	uint8_t bit = (uint8_t)(1u << ev->addr % 8);
	uint8_t **map = &cs->others[ev->dev % SWAP_TYPES];

	if (ev->dev >= SWAP_TYPES || ev->addr >= SLOTS)
		return ZWB_OK;
	if (!*map) {
		*map = calloc(1, SLOTS / 8);
		if (!*map)
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the owners of slots");
	}
	if (is_kept)
		(*map)[ev->addr / 8] &= (uint8_t)~bit;
	else
		(*map)[ev->addr / 8] |= bit;
	return ZWB_OK;
}

/* -- the rule -- */

static bool is_shared(unsigned int kind)
{
	switch (kind) {
	case ZWB_EV_BIO_CGROUP:
	case ZWB_EV_PLUG:
	case ZWB_EV_UNPLUG:
	case ZWB_EV_PLUG_START:
	case ZWB_EV_PLUG_FINISH:
	case ZWB_EV_PLUG_FLUSH:
	case ZWB_EV_SCHED_SWITCH:
	case ZWB_EV_SCHED_WAKING:
	case ZWB_EV_SCHED_WAKEUP:
	case ZWB_EV_KSWAPD_WAKE:
	case ZWB_EV_KSWAPD_SLEEP:
		return true;
	default:
		return zwb_event_kind_is_block(kind);
	}
}

/* By what the event itself says, or what it is in. */
static bool decide(
	const struct cgroup_stream *cs, const struct cgroup_task *t, const struct zwb_event *ev)
{
	if (ev->cgroup != ZWB_CGROUP_UNKNOWN)
		return cs->is_selected[ev->cgroup];
	if (t->depth)
		return t->is_kept[t->depth - 1];
	return !is_others_slot(cs, ev);
}

/* The return of an operation goes with its entry; entries without return are given up. */
static bool leave(struct cgroup_task *t, const struct cgroup_stream *cs, const struct zwb_event *ev)
{
	for (unsigned int d = t->depth; d-- > 0;) {
		if (t->kind[d] == cs->begin_of[ev->kind]) {
			t->depth = d;
			return t->is_kept[d];
		}
	}
	return decide(cs, t, ev);
}

static int judge(
	struct cgroup_stream *cs, const struct zwb_event *ev, bool *is_kept, struct zwb_err *err)
{
	struct cgroup_task *t;
	int ret = ZWB_OK;

	*is_kept = true;
	if (is_shared(ev->kind))
		return ZWB_OK;
	t = get_task(cs, ev->tid, err);
	if (!t)
		return ZWB_ENOMEM;
	if (ev->cgroup >= cs->nr_selected)
		ret = look_at_cgroups(cs, err);
	if (ret)
		return ret;
	if (cs->begin_of[ev->kind]) {
		*is_kept = leave(t, cs, ev);
		return ZWB_OK;
	}
	*is_kept = decide(cs, t, ev);
	if (ev->kind == ZWB_EV_STORE_BEGIN)
		ret = note_store(cs, ev, *is_kept, err);
	if (cs->end_of[ev->kind] && t->depth < MAX_DEPTH) {
		t->kind[t->depth] = ev->kind;
		t->is_kept[t->depth++] = *is_kept;
	}
	return ret;
}

/* Blocks of the input are of any length: what is kept goes into a buffer that grows to fit. */
static int make_room(struct cgroup_stream *cs, size_t nr, struct zwb_err *err)
{
	struct zwb_event *bigger;

	if (nr <= cs->block_room)
		return ZWB_OK;
	bigger = realloc(cs->block, nr * sizeof(*bigger));
	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for events");
	cs->block = bigger;
	cs->block_room = nr;
	return ZWB_OK;
}

static int cgroup_next(struct zwb_stream *stream, const struct zwb_event **events,
	size_t *nr_events, struct zwb_err *err)
{
	struct cgroup_stream *cs = (struct cgroup_stream *)stream;
	const struct zwb_event *in;
	size_t nr_in, nr = 0;
	int ret;

	do {
		ret = zwb_stream_next(cs->input, &in, &nr_in, err);
		if (!ret)
			ret = make_room(cs, nr_in, err);
		for (size_t i = 0; !ret && i < nr_in; i++) {
			bool is_kept;

			ret = judge(cs, &in[i], &is_kept, err);
			if (!ret && is_kept)
				cs->block[nr++] = in[i];
		}
		if (ret)
			return ret;
	} while (nr == 0 && nr_in > 0); /* none kept is not the end */
	*events = cs->block;
	*nr_events = nr;
	return ZWB_OK;
}

static void cgroup_close(struct zwb_stream *stream)
{
	struct cgroup_stream *cs = (struct cgroup_stream *)stream;

	zwb_stream_close(cs->input);
	for (size_t i = 0; i < SWAP_TYPES; i++)
		free(cs->others[i]);
	free(cs->path);
	free(cs->is_selected);
	free(cs->tasks);
	free(cs->block);
	free(cs);
}

static uint64_t cgroup_left(const struct zwb_stream *stream)
{
	return zwb_stream_left(((const struct cgroup_stream *)stream)->input);
}

static const struct zwb_stream_ops cgroup_ops = {
	.next = cgroup_next,
	.close = cgroup_close,
	.left = cgroup_left,
};

/* Pairs of kinds, by their names: "store_begin" and "store_end". */
static void pair_kinds(struct cgroup_stream *cs)
{
	static const char begin[] = "_begin";
	char name[64];

	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		const char *full = zwb_event_kind_name(kind);
		size_t len = strlen(full);
		int end;

		if (len <= strlen(begin) || strcmp(full + len - strlen(begin), begin) != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s_end", (int)(len - strlen(begin)), full);
		end = zwb_event_kind_by_name(name);
		if (end < 0)
			continue;
		cs->end_of[kind] = (uint8_t)end;
		cs->begin_of[end] = (uint8_t)kind;
	}
}

static int select_cgroup(struct cgroup_stream *cs, const char *cgroup, struct zwb_err *err)
{
	size_t len = strlen(cgroup);
	int ret;

	if (cgroup[0] != '/')
		return zwb_parse_u64(cgroup, 1, UINT64_MAX, &cs->id, err);
	while (len > 1 && cgroup[len - 1] == '/')
		len--;
	cs->path = strndup(cgroup, len);
	if (!cs->path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to select a cgroup");
	ret = look_at_cgroups(cs, err);
	for (size_t i = 1; !ret && i < cs->nr_selected; i++) {
		if (cs->is_selected[i])
			return ZWB_OK;
	}
	return ret ? ret
		   : zwb_err_set(err, ZWB_EUSAGE, 0,
			     "%s: no cgroup %s; \"zwb info\" lists them, an id works too",
			     cs->stream.meta->source, cs->path);
}

int zwb_stream_of_cgroup(
	struct zwb_stream *input, const char *cgroup, struct zwb_stream **out, struct zwb_err *err)
{
	struct cgroup_stream *cs = calloc(1, sizeof(*cs));
	int ret;

	if (!cs) {
		zwb_stream_close(input);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to select a cgroup");
	}
	cs->stream.ops = &cgroup_ops;
	cs->stream.meta = input->meta;
	cs->input = input;
	pair_kinds(cs);
	ret = select_cgroup(cs, cgroup, err);
	if (!ret)
		ret = zwb_meta_fact(input->meta, "cut", "cgroup", cgroup, err);
	if (ret)
		cgroup_close(&cs->stream);
	else
		*out = &cs->stream;
	return ret;
}
