/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What "zwb capture --events minimal" promises: every value of class E that a replay of such a
 * recording has is that of a replay of the whole one, requests within 0.05 %. The shipped
 * recordings are replayed with and without what the minimal plan of their kernel leaves out.
 */
#include "engine.h"
#include "eventmap_priv.h"
#include "memory_stream.h"
#include "plan.h"
#include "select.h"
#include "stored_kernel.h"
#include "tracefile.h"
#include "zwb_test.h"

#include <math.h>

#define KERNEL "7.3.4" /* of the recordings */

/*
 * Measured: one request of 4,265 in one of twelve replays. When a task blocks in the middle of
 * swapping in is told by the events between its bios, and there are fewer.
 */
#define REQUESTS_WITHIN 0.0005

static const char *const policies[] = { "unbatched", "batched", "plugged", "sorted" };

/* The kinds of record that an event becomes. */
static void add_kinds(const struct zwb_eventmap *map, const char *system, const char *event,
	bool kinds[ZWB_EV_NR])
{
	for (size_t i = 0; i < map->nr_rules; i++) {
		if (strcmp(map->rules[i].system, system) == 0 &&
			strcmp(map->rules[i].name, event) == 0)
			kinds[map->rules[i].kind] = true;
	}
}

static void minimal_kinds(bool kinds[ZWB_EV_NR])
{
	const struct zwb_plan_wish wish = { .level = ZWB_LEVEL_MINIMAL };
	struct zwb_kernel *kernel = stored_kernel(KERNEL);
	struct zwb_eventmap *map = NULL;
	struct zwb_plan plan;

	assert_int_equal(zwb_plan_make(kernel, &wish, &plan, NULL), ZWB_OK);
	assert_int_equal(zwb_eventmap_builtin("zwb", &map, NULL), ZWB_OK);
	for (size_t i = 0; i < plan.nr_probes; i++)
		add_kinds(map, "zwb", plan.probes[i].event, kinds);
	for (size_t i = 0; i < plan.nr_tracepoints; i++)
		add_kinds(map, plan.tracepoints[i].system, plan.tracepoints[i].event, kinds);
	zwb_eventmap_free(map);
	zwb_plan_release(&plan);
	zwb_kernel_free(kernel);
}

struct recording {
	struct zwb_stream *stream;
	struct zwb_event *events;
	size_t nr;
};

static void load(const char *path, struct recording *r)
{
	const struct zwb_event *events;
	size_t nr;

	*r = (struct recording){ 0 };
	assert_int_equal(zwb_trace_open(path, NULL, &r->stream, NULL), ZWB_OK);
	for (;;) {
		assert_int_equal(zwb_stream_next(r->stream, &events, &nr, NULL), ZWB_OK);
		if (nr == 0)
			break;
		r->events = realloc(r->events, (r->nr + nr) * sizeof(*events));
		assert_non_null(r->events);
		memcpy(r->events + r->nr, events, nr * sizeof(*events));
		r->nr += nr;
	}
}

static size_t keep_kinds(struct zwb_event *events, size_t nr, const bool kinds[ZWB_EV_NR])
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (kinds[events[i].kind])
			events[nr_kept++] = events[i];
	}
	return nr_kept;
}

static struct zwb_run *replay(const struct recording *r)
{
	struct zwb_policy selected[ZWB_ARRAY_LEN(policies)];
	struct zwb_replay_lane lanes[ZWB_ARRAY_LEN(policies)] = { 0 };
	struct memory_stream stream = memory_stream_of(r->stream->meta, r->events, r->nr, 1000);
	struct zwb_run *run = zwb_run_create("", "");
	struct zwb_captured captured;
	struct zwb_replay_setup setup = { .lanes = lanes,
		.nr_lanes = ZWB_ARRAY_LEN(policies),
		.nr_threads = 1,
		.captured = &captured };
	struct zwb_geometry *geometry;
	struct zwb_err err = { 0 };

	assert_non_null(run);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(policies); i++) {
		assert_int_equal(zwb_policy_select(policies[i], &selected[i], &err), ZWB_OK);
		lanes[i].policy = &selected[i];
	}
	assert_int_equal(zwb_geometry_create(r->stream->meta, &geometry, &err), ZWB_OK);
	assert_int_equal(zwb_captured_infer(&stream.stream, geometry, &captured, &err), ZWB_OK);
	stream.next = 0;
	if (zwb_replay_stream(&setup, &stream.stream, run, &err))
		fail_msg("%s", err.text);
	zwb_geometry_free(geometry);
	zwb_captured_release(&captured);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(policies); i++)
		zwb_policy_release(&selected[i]);
	return run;
}

static const struct zwb_run_metric *find(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup)
{
	for (size_t i = 0; i < arm->nr_metrics; i++) {
		if (arm->metrics[i].metric == metric && arm->metrics[i].cgroup == cgroup)
			return &arm->metrics[i];
	}
	return NULL;
}

static bool is_same(const struct zwb_run_metric *m, const struct zwb_run_metric *whole)
{
	bool is_requests =
		m->metric == ZWB_METRIC_WRITE_REQUESTS || m->metric == ZWB_METRIC_READ_REQUESTS;

	return whole &&
	       fabs(m->value - whole->value) <= (is_requests ? REQUESTS_WITHIN * whole->value : 0);
}

static void check_arm(const struct zwb_run_arm *less, const struct zwb_run_arm *whole)
{
	static const enum zwb_metric promised[] = { ZWB_METRIC_ZSWPWB, ZWB_METRIC_PAGES_WRITTEN,
		ZWB_METRIC_WRITE_BIOS, ZWB_METRIC_WRITE_REQUESTS, ZWB_METRIC_READ_BIOS,
		ZWB_METRIC_READ_REQUESTS, ZWB_METRIC_WALKS };

	for (size_t i = 0; i < ZWB_ARRAY_LEN(promised); i++) {
		const struct zwb_run_metric *m = find(less, promised[i], ZWB_RUN_TOTAL);

		assert_non_null(m);
		assert_int_equal(m->cls, ZWB_CLASS_EXACT);
	}
	assert_null(find(less, ZWB_METRIC_PAGES_READ, ZWB_RUN_TOTAL));
	assert_non_null(find(whole, ZWB_METRIC_PAGES_READ, ZWB_RUN_TOTAL));
	for (size_t i = 0; i < less->nr_metrics; i++) {
		const struct zwb_run_metric *m = &less->metrics[i];
		const struct zwb_run_metric *w = find(whole, m->metric, m->cgroup);

		/* Bios of swap-ins have no owner without the events that tell it. */
		if (m->cls != ZWB_CLASS_EXACT ||
			(m->cgroup != ZWB_RUN_TOTAL && m->metric != ZWB_METRIC_ZSWPWB))
			continue;
		if (!is_same(m, w))
			fail_msg("%s of %s: %g instead of %g", zwb_metric_def(m->metric)->name,
				less->info.policy, m->value, w ? w->value : -1.0);
	}
}

static void check(const char *path)
{
	bool kinds[ZWB_EV_NR] = { false };
	struct recording r;
	struct zwb_run *less, *whole;
	size_t nr;

	load(path, &r);
	nr = r.nr;
	whole = replay(&r);
	minimal_kinds(kinds);
	r.nr = keep_kinds(r.events, r.nr, kinds);
	assert_true(r.nr < nr / 2);
	less = replay(&r);
	assert_int_equal(less->nr_arms, ZWB_ARRAY_LEN(policies));
	for (size_t i = 0; i < less->nr_arms; i++)
		check_arm(less->arms[i], whole->arms[i]);
	zwb_run_free(less);
	zwb_run_free(whole);
	free(r.events);
	zwb_stream_close(r.stream);
}

static void minimal__replays_to_the_same_exact_values(void **state)
{
	static const char *const samples[] = { ZWB_SAMPLES };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(samples); i++)
		check(samples[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minimal__replays_to_the_same_exact_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
