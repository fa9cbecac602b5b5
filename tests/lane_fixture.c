/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings by hand. */
#include "lane_fixture.h"

#include "zwb_test.h"

#include <stdlib.h>
#include <string.h>

#define FIXTURE_SLOTS 65536

struct fixture *fixture_create(void)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const struct zwb_extent extent = { .nr_slots = FIXTURE_SLOTS };
	struct zwb_swap swap = { .nr_slots = FIXTURE_SLOTS, .geometry_known = 1 };
	struct zwb_err err = { 0 };

	assert_non_null(f);
	f->meta = zwb_meta_create();
	assert_non_null(f->meta);
	assert_int_equal(zwb_meta_device(f->meta, 254, 0, "vda", &err), 0);
	assert_int_equal(zwb_meta_swap(f->meta, &swap, &err), ZWB_OK);
	assert_int_equal(zwb_meta_extent(f->meta, &extent, &err), ZWB_OK);
	assert_int_equal(zwb_geometry_create(f->meta, &f->geometry, &err), ZWB_OK);
	f->tid = 100;
	f->cgroup = 1;
	return f;
}

void fixture_free(struct fixture *f)
{
	zwb_lane_free(f->lane);
	zwb_policy_release(&f->policy);
	zwb_policy_release(&f->captured);
	zwb_geometry_free(f->geometry);
	zwb_meta_free(f->meta);
	free(f);
}

void fixture_event(struct fixture *f, enum zwb_event_kind kind, uint64_t addr, int32_t val)
{
	struct zwb_event *ev = &f->events[f->nr_events];

	assert_true(f->nr_events < FIXTURE_MAX);
	f->nr_events++;
	f->now_ns += 1000;
	*ev = (struct zwb_event){ .ts_ns = f->now_ns,
		.addr = addr,
		.tid = f->tid,
		.val = val,
		.kind = (uint8_t)kind,
		.cgroup = f->cgroup };
	if (kind == ZWB_EV_SWAP_WRITE)
		ev->len = 1;
	if (kind == ZWB_EV_WALK_BEGIN || kind == ZWB_EV_WALK_END)
		ev->flags = ZWB_WALK_SHRINKER;
}

void fixture_walk_begin(struct fixture *f)
{
	fixture_event(f, ZWB_EV_WALK_BEGIN, 0, 0);
}

void fixture_walk_end(struct fixture *f)
{
	fixture_event(f, ZWB_EV_WALK_END, 0, 0);
}

void fixture_write(struct fixture *f, uint64_t slot)
{
	fixture_event(f, ZWB_EV_VISIT_BEGIN, slot, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, slot, 0);
	fixture_event(f, ZWB_EV_VISIT_END, 0, ZWB_VISIT_WRITTEN);
}

void fixture_rotate(struct fixture *f, uint64_t slot)
{
	fixture_event(f, ZWB_EV_VISIT_BEGIN, slot, 1);
	fixture_event(f, ZWB_EV_VISIT_END, 0, ZWB_VISIT_ROTATED);
}

void fixture_walk(struct fixture *f, const uint64_t *slots, size_t nr)
{
	fixture_walk_begin(f);
	for (size_t i = 0; i < nr; i++)
		fixture_write(f, slots[i]);
	fixture_walk_end(f);
}

static void fixture_collect(
	struct fixture_rq *rows, size_t *nr, const struct zwb_bio *bio, uint64_t flush)
{
	if (!(bio->op & ZWB_OP_WRITE))
		return;
	assert_true(*nr < FIXTURE_MAX);
	rows[(*nr)++] = (struct fixture_rq){ bio->sector, bio->nr_sectors, flush };
}

static void fixture_bio(void *arg, const struct zwb_bio *bio)
{
	struct fixture *f = arg;

	fixture_collect(f->bios, &f->nr_bios, bio, 0);
}

static void fixture_rq(void *arg, const struct zwb_rq *rq, uint64_t flush)
{
	struct fixture *f = arg;

	fixture_collect(f->rqs, &f->nr_rqs, &rq->bio, flush);
}

void fixture_run(struct fixture *f, const char *policy, const char *captured)
{
	struct zwb_lane_setup setup = { .policy = &f->captured,
		.geometry = f->geometry,
		.limits = { .max_sectors = 8192, .max_segments = 254, .has_requests = true },
		.has_swap_ctx = true,
		.is_reference = true };
	struct zwb_lane *reference;
	struct zwb_err err = { 0 };

	zwb_lane_free(f->lane);
	zwb_policy_release(&f->policy);
	zwb_policy_release(&f->captured);
	f->nr_bios = f->nr_rqs = 0;
	assert_int_equal(zwb_policy_select(policy, &f->policy, &err), ZWB_OK);
	assert_int_equal(zwb_policy_select(captured, &f->captured, &err), ZWB_OK);
	assert_int_equal(zwb_lane_create(&setup, &reference, &err), ZWB_OK);
	assert_int_equal(zwb_lane_events(reference, f->events, f->nr_events, &err), ZWB_OK);
	zwb_lane_free(reference);

	f->tap = (struct zwb_lane_tap){ f, fixture_bio, fixture_rq };
	setup.policy = &f->policy;
	setup.is_reference = false;
	setup.tap = &f->tap;
	setup.wrong_full_plug = f->wrong_full_plug;
	assert_int_equal(zwb_lane_create(&setup, &f->lane, &err), ZWB_OK);
	assert_int_equal(zwb_lane_events(f->lane, f->events, f->nr_events, &err), ZWB_OK);
	assert_int_equal(zwb_lane_finish(f->lane, &err), ZWB_OK);
}

static void fixture_expect(
	const struct fixture_rq *rows, size_t nr_rows, const uint64_t *expected, size_t nr)
{
	for (size_t i = 0; i < nr_rows && i < nr; i++) {
		assert_int_equal(rows[i].sector, expected[2 * i]);
		assert_int_equal(rows[i].nr_sectors, expected[2 * i + 1]);
	}
	assert_int_equal(nr_rows, nr);
}

void fixture_expect_bios(const struct fixture *f, const uint64_t *expected, size_t nr)
{
	fixture_expect(f->bios, f->nr_bios, expected, nr);
}

void fixture_expect_rqs(const struct fixture *f, const uint64_t *expected, size_t nr)
{
	fixture_expect(f->rqs, f->nr_rqs, expected, nr);
}
