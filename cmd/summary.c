/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting the events of a stream, and saying how many there were. */
#include "summary.h"

#include "common.h"
#include "grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND UINT64_C(1000000000)

/* A walk that has not ended yet. */
struct zwb_summary_walk {
	int32_t tid;
	uint32_t cgroup;
	int overlaps;
};

static void walk_begin(struct zwb_summary *s, const struct zwb_event *ev)
{
	struct zwb_summary_walk walk = { .tid = ev->tid, .cgroup = ev->cgroup };

	s->nr_walks++;
	s->walks[ev->flags < 5 ? ev->flags : ZWB_WALK_UNKNOWN]++;
	for (size_t i = 0; i < s->nr_open && ev->cgroup != ZWB_CGROUP_UNKNOWN; i++) {
		if (s->open[i].cgroup == ev->cgroup)
			s->open[i].overlaps = walk.overlaps = 1;
	}
	if (!ZWB_GROW(s->open, s->nr_open)) {
		s->no_memory = 1;
		return;
	}
	s->open[s->nr_open++] = walk;
}

static void walk_end(struct zwb_summary *s, const struct zwb_event *ev)
{
	for (size_t i = s->nr_open; i-- > 0;) {
		if (s->open[i].tid != ev->tid)
			continue;
		s->nr_overlapping += s->open[i].overlaps ? 1 : 0;
		s->nr_open--;
		memmove(&s->open[i], &s->open[i + 1], (s->nr_open - i) * sizeof(*s->open));
		return;
	}
}

void zwb_summary_add(struct zwb_summary *s, const struct zwb_event *events, size_t nr_events)
{
	for (size_t i = 0; i < nr_events; i++) {
		const struct zwb_event *ev = &events[i];

		s->by_kind[ev->kind < ZWB_EV_NR ? ev->kind : ZWB_EV_NONE]++;
		switch (ev->kind) {
		case ZWB_EV_WALK_BEGIN:
			walk_begin(s, ev);
			break;
		case ZWB_EV_WALK_END:
			walk_end(s, ev);
			break;
		case ZWB_EV_VISIT_BEGIN:
			s->nr_visits++;
			break;
		case ZWB_EV_VISIT_END:
			s->nr_written += ev->val == ZWB_VISIT_WRITTEN;
			break;
		default:
			break;
		}
	}
	if (nr_events == 0)
		return;
	if (s->nr_events == 0)
		s->first_ns = events[0].ts_ns;
	s->last_ns = events[nr_events - 1].ts_ns;
	s->nr_events += nr_events;
}

void zwb_summary_release(struct zwb_summary *s)
{
	free(s->open);
	s->open = NULL;
	s->nr_open = 0;
}

void zwb_print_ns(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

void zwb_print_losses(FILE *out, const struct zwb_meta *m, int indent)
{
	for (size_t i = 0; i < m->nr_losses; i++) {
		const struct zwb_loss *l = &m->losses[i];

		fprintf(out, "%*sCPU %u: %s, %s%" PRIu64 " between ", indent, "", l->cpu,
			zwb_loss_kind_name(l->kind), l->nr_is_known ? "" : "at least ", l->nr);
		zwb_print_ns(out, l->first_ns);
		fputs(" and ", out);
		zwb_print_ns(out, l->last_ns);
		fputs(" s\n", out);
	}
}

void zwb_summary_print(FILE *out, const struct zwb_summary *s, const struct zwb_meta *m)
{
	fprintf(out, "%" PRIu64 " events in ", s->nr_events);
	zwb_print_ns(out, s->last_ns - s->first_ns);
	fprintf(out, " s, %" PRIu64 " lost\n", zwb_meta_lost_events(m));
	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		if (s->by_kind[kind])
			fprintf(out, "  %-22s %" PRIu64 "\n", zwb_event_kind_name(kind),
				s->by_kind[kind]);
	}
	if (m->nr_losses)
		fputs("losses\n", out);
	zwb_print_losses(out, m, 2);
	if (m->nr_unknowns)
		fputs("unknown\n", out);
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		fputs("  ", out);
		zwb_put_text(out, m->unknowns[i].what);
		fprintf(out, " %" PRIu64 "\n", m->unknowns[i].nr);
	}
}

const char *zwb_walk_kind_name(unsigned int kind)
{
	static const char *const names[] = {
		[ZWB_WALK_UNKNOWN] = "unknown",
		[ZWB_WALK_MEMCG] = "memcg",
		[ZWB_WALK_SHRINKER] = "shrinker",
		[ZWB_WALK_KWORKER] = "kworker",
		[ZWB_WALK_ZPOOL] = "zpool",
	};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "invalid";
}
