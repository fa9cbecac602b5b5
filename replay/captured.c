/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inferring the policy of the recorded kernel from what its walks look like. */
#include "captured.h"

#include "select.h"
#include "tasktab.h"

#include <stdio.h>
#include <stdlib.h>

#define CAPTURED_ENOUGH_PAGES UINT64_C(20000)
#define CAPTURED_MAX_DEPTH    24u

/* One walk of a task, or what is outside of all of them. */
struct captured_walk {
	bool wrote, had_plug, unplugged;
	bool is_visiting, visit_wrote, visit_queued;
	uint32_t visit_type;
	uint64_t visit_slot; /* 0: the recording does not say */
};

/* What one task is doing; walks nest, since the charge of a folio that is written may reclaim. */
struct captured_task {
	unsigned int depth;
	bool has_plug; /* a plug was seen and not its end */
	struct captured_walk walks[CAPTURED_MAX_DEPTH + 1];
};

/* The innermost walk; NULL when nested deeper than is followed. */
static struct captured_walk *captured_top(struct captured_task *t)
{
	return t->depth <= CAPTURED_MAX_DEPTH ? &t->walks[t->depth] : NULL;
}

static void captured_walk_begin(
	struct zwb_captured *c, struct captured_task *t, const struct zwb_event *ev)
{
	struct captured_walk *w;

	t->depth++;
	w = captured_top(t);
	if (w)
		*w = (struct captured_walk){ .had_plug = t->has_plug };
	if (ev->flags == ZWB_WALK_KWORKER)
		c->nr_worker_walks++;
}

static void captured_walk_end(struct zwb_captured *c, struct captured_task *t)
{
	const struct captured_walk *w = captured_top(t);

	if (t->depth == 0)
		return;
	if (w && w->wrote && !w->had_plug) {
		c->nr_walks++;
		c->nr_own_plugs += w->unplugged;
	}
	t->depth--;
}

static void captured_visit_end(
	struct zwb_captured *c, struct captured_walk *w, const struct zwb_event *ev)
{
	if (w->is_visiting && (w->visit_wrote || ev->val == ZWB_VISIT_WRITTEN)) {
		c->nr_pages++;
		c->nr_own_bios += w->visit_queued;
		w->wrote = true;
	}
	w->is_visiting = false;
}

static void captured_swap_write(struct captured_walk *w, const struct zwb_event *ev)
{
	if (!w->is_visiting)
		return;
	if (w->visit_slot == 0) {
		w->visit_slot = ev->addr;
		w->visit_type = ev->dev;
	}
	if (ev->addr == w->visit_slot)
		w->visit_wrote = true;
}

static void captured_bio(
	struct captured_walk *w, const struct zwb_geometry *geometry, const struct zwb_event *ev)
{
	uint32_t type;
	uint64_t slot;

	if ((ev->flags & ZWB_OP_WRITE) && w->is_visiting &&
		zwb_geometry_slot(geometry, ev->dev, ev->addr, &type, &slot) &&
		slot == w->visit_slot && type == w->visit_type)
		w->visit_queued = true;
}

/* What happens in a walk, or outside of all. */
static void captured_in_walk(struct zwb_captured *c, struct captured_walk *w,
	const struct zwb_geometry *geometry, const struct zwb_event *ev)
{
	switch (ev->kind) {
	case ZWB_EV_VISIT_BEGIN:
		w->is_visiting = true;
		w->visit_wrote = w->visit_queued = w->unplugged = false;
		w->visit_slot = ev->addr;
		w->visit_type = ev->dev;
		break;
	case ZWB_EV_VISIT_END:
		captured_visit_end(c, w, ev);
		break;
	case ZWB_EV_SWAP_WRITE:
		captured_swap_write(w, ev);
		break;
	case ZWB_EV_BIO_QUEUE:
		captured_bio(w, geometry, ev);
		break;
	case ZWB_EV_PLUG:
	case ZWB_EV_PLUG_START:
		w->unplugged = false;
		break;
	case ZWB_EV_UNPLUG:
		w->unplugged = w->unplugged || !w->is_visiting;
		break;
	default:
		break;
	}
}

static void captured_event(struct zwb_captured *c, struct captured_task *t,
	const struct zwb_geometry *geometry, const struct zwb_event *ev)
{
	struct captured_walk *w;

	switch (ev->kind) {
	case ZWB_EV_WALK_BEGIN:
		captured_walk_begin(c, t, ev);
		return;
	case ZWB_EV_WALK_END:
		captured_walk_end(c, t);
		return;
	case ZWB_EV_PLUG:
	case ZWB_EV_PLUG_START:
		t->has_plug = true;
		break;
	case ZWB_EV_UNPLUG:
		t->has_plug = false;
		break;
	case ZWB_EV_PLUG_FINISH:
		if (ev->val != 0) /* 0: nested, and without effect */
			t->has_plug = false;
		break;
	default:
		break;
	}
	w = captured_top(t);
	if (w)
		captured_in_walk(c, w, geometry, ev);
}

static bool captured_wants(const struct zwb_event *ev)
{
	switch (ev->kind) {
	case ZWB_EV_WALK_BEGIN:
	case ZWB_EV_WALK_END:
	case ZWB_EV_VISIT_BEGIN:
	case ZWB_EV_VISIT_END:
	case ZWB_EV_SWAP_WRITE:
	case ZWB_EV_BIO_QUEUE:
	case ZWB_EV_PLUG:
	case ZWB_EV_UNPLUG:
	case ZWB_EV_PLUG_START:
	case ZWB_EV_PLUG_FINISH:
		return true;
	default:
		return false;
	}
}

static bool captured_may_go(void *value, void *arg)
{
	const struct captured_task *t = value;

	(void)arg;
	return !t->depth && !t->has_plug && !t->walks[0].is_visiting;
}

static int captured_block(struct zwb_captured *c, struct zwb_tasktab *tasks,
	const struct zwb_geometry *geometry, const struct zwb_event *events, size_t nr,
	struct zwb_err *err)
{
	static const struct zwb_tasktab_values values = { sizeof(struct captured_task),
		captured_may_go, NULL };
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < nr; i++) {
		void *t;

		if (!captured_wants(&events[i]))
			continue;
		t = zwb_tasktab_find(tasks, events[i].tid);
		if (!t)
			ret = zwb_tasktab_make(tasks, events[i].tid, &values, &t, err);
		if (t)
			captured_event(c, t, geometry, &events[i]);
	}
	return ret;
}

static int captured_scan(struct zwb_stream *s, const struct zwb_geometry *geometry,
	struct zwb_captured *c, struct zwb_tasktab *tasks, struct zwb_err *err)
{
	const struct zwb_event *events;
	size_t nr;
	int ret;

	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (!ret)
			ret = captured_block(c, tasks, geometry, events, nr, err);
	} while (!ret && nr && c->nr_pages < CAPTURED_ENOUGH_PAGES);
	return ret;
}

/* Knobs to the preset that has them as defaults, or to unbatched with what differs. */
static int captured_name(const struct zwb_captured *c, char *text, size_t size)
{
	bool is_walk = c->is_known && 2 * c->nr_own_bios < c->nr_pages;
	bool is_plugged = c->is_known && is_walk && 5 * c->nr_own_plugs > c->nr_walks;

	return snprintf(text, size, "%s%s",
		is_plugged ? "plugged"
		: is_walk  ? "batched"
			   : "unbatched",
		c->nr_worker_walks ? ",class=background" : "");
}

int zwb_captured_infer(struct zwb_stream *s, const struct zwb_geometry *geometry,
	struct zwb_captured *captured, struct zwb_err *err)
{
	struct zwb_tasktab tasks = { 0 };
	char name[64];
	int ret;

	*captured = (struct zwb_captured){ 0 };
	ret = captured_scan(s, geometry, captured, &tasks, err);
	zwb_tasktab_release(&tasks, free);
	if (ret)
		return ret;
	captured->is_known = captured->nr_pages >= ZWB_CAPTURED_MIN;
	captured_name(captured, name, sizeof(name));
	return zwb_policy_select(name, &captured->policy, err);
}

int zwb_captured_set(const char *policy, struct zwb_captured *captured, struct zwb_err *err)
{
	*captured = (struct zwb_captured){ .is_given = true };
	return zwb_policy_select(policy, &captured->policy, err);
}

void zwb_captured_release(struct zwb_captured *captured)
{
	zwb_policy_release(&captured->policy);
}
