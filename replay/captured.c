/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inferring the policy of the recorded kernel from what its walks look like. */
#include "captured.h"

#include "select.h"
#include "tasktab.h"

#include <stdio.h>
#include <stdlib.h>

#define CAPTURED_ENOUGH_PAGES UINT64_C(20000)
#define CAPTURED_MAX_DEPTH    24u

/* What one task is doing; walks nest, so the part of a walk is a stack. */
struct captured_task {
	unsigned int depth;
	bool has_plug; /* a plug was seen and not its end */
	uint64_t visit_slot, visit_type;
	bool is_visiting, wrote, queued;
	struct captured_walk {
		bool wrote, had_plug, unplugged;
	} walks[CAPTURED_MAX_DEPTH];
};

static struct captured_walk *captured_top(struct captured_task *t)
{
	return t->depth && t->depth <= CAPTURED_MAX_DEPTH ? &t->walks[t->depth - 1] : NULL;
}

static void captured_visit_end(struct zwb_captured *c, struct captured_task *t)
{
	struct captured_walk *w = captured_top(t);

	if (t->is_visiting && t->wrote) {
		c->nr_pages++;
		c->nr_own_bios += t->queued;
		if (w)
			w->wrote = true;
	}
	t->is_visiting = false;
}

static void captured_walk_end(struct zwb_captured *c, struct captured_task *t)
{
	struct captured_walk *w = captured_top(t);

	if (w && w->wrote && !w->had_plug) {
		c->nr_walks++;
		c->nr_own_plugs += w->unplugged;
	}
	if (t->depth)
		t->depth--;
}

static void captured_bio(
	struct captured_task *t, const struct zwb_geometry *geometry, const struct zwb_event *ev)
{
	uint32_t type;
	uint64_t slot;

	if (!(ev->flags & ZWB_OP_WRITE) || !t->is_visiting || !t->wrote)
		return;
	if (zwb_geometry_slot(geometry, ev->dev, ev->addr, &type, &slot) && slot == t->visit_slot &&
		type == t->visit_type)
		t->queued = true;
}

static void captured_event(struct zwb_captured *c, struct captured_task *t,
	const struct zwb_geometry *geometry, const struct zwb_event *ev)
{
	struct captured_walk *w = captured_top(t);

	switch (ev->kind) {
	case ZWB_EV_WALK_BEGIN:
		t->depth++;
		w = captured_top(t);
		if (w)
			*w = (struct captured_walk){ .had_plug = t->has_plug };
		if (ev->flags == ZWB_WALK_KWORKER)
			c->nr_worker_walks++;
		break;
	case ZWB_EV_WALK_END:
		captured_walk_end(c, t);
		break;
	case ZWB_EV_VISIT_BEGIN:
		t->is_visiting = true;
		t->wrote = t->queued = false;
		t->visit_slot = ev->addr;
		t->visit_type = ev->dev;
		if (w)
			w->unplugged = false;
		break;
	case ZWB_EV_VISIT_END:
		captured_visit_end(c, t);
		break;
	case ZWB_EV_SWAP_WRITE:
		t->wrote = t->wrote || (t->is_visiting && ev->addr == t->visit_slot);
		break;
	case ZWB_EV_BIO_QUEUE:
		captured_bio(t, geometry, ev);
		break;
	case ZWB_EV_PLUG:
	case ZWB_EV_PLUG_START:
		t->has_plug = true;
		if (w)
			w->unplugged = false;
		break;
	case ZWB_EV_UNPLUG:
		if (w && !t->is_visiting)
			w->unplugged = true;
		t->has_plug = false;
		break;
	case ZWB_EV_PLUG_FINISH:
		t->has_plug = false;
		break;
	default:
		break;
	}
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
	return !t->depth && !t->has_plug && !t->is_visiting;
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
