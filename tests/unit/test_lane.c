/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lane under events that no kernel writes: whatever they are, it does not crash, counts what it
 * counts consistently, needs bounded memory, and does the same thing twice. What walks become is
 * worked by hand in tests/oracle.
 */
#include "lane.h"
#include "lane_priv.h"
#include "select.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_SLOTS     4096
#define FIRST_SECTOR (1 << 24) /* of slot 0 of area 0 */
#define FUZZ_SEEDS   1000
#define FUZZ_EVENTS  150

/* Swap area 0 in two extents on device 0, area 1 on device 1. */
static struct zwb_geometry *geometry_of(uint32_t page_bytes)
{
	static const struct zwb_extent extents[] = { { 0, 0, NR_SLOTS / 2, FIRST_SECTOR },
		{ 0, NR_SLOTS / 2, NR_SLOTS / 2, 0 }, { 1, 0, NR_SLOTS, 0 } };
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_geometry *g;

	assert_non_null(meta);
	meta->page_bytes = page_bytes;
	for (uint32_t type = 0; type < 2; type++) {
		const struct zwb_swap swap = { .swap_type = type, .dev = type };

		assert_int_equal(zwb_meta_swap(meta, &swap, NULL), ZWB_OK);
	}
	for (size_t i = 0; i < ZWB_ARRAY_LEN(extents); i++)
		assert_int_equal(zwb_meta_extent(meta, &extents[i], NULL), ZWB_OK);
	assert_int_equal(zwb_geometry_create(meta, &g, NULL), ZWB_OK);
	zwb_meta_free(meta);
	return g;
}

/* Everything that a lane is made of. */
struct bench {
	struct zwb_geometry *geometry;
	struct zwb_policy policy;
	struct zwb_device_model device;
	struct zwb_tasktab kblockd;
	struct zwb_lane_setup setup;
	struct zwb_lane *lane;
	struct zwb_lane_tap tap;
	uint64_t digest; /* of all bios and requests, in their order */
	uint64_t nr_bios, nr_rqs;
};

static void mix(struct bench *b, uint64_t value)
{
	b->digest = (b->digest ^ value) * UINT64_C(0x100000001b3);
}

static void on_bio(void *arg, const struct zwb_bio *bio)
{
	struct bench *b = arg;

	assert_true(bio->is_own);
	mix(b, bio->sector ^ bio->ts_ns);
	mix(b, bio->nr_sectors ^ ((uint64_t)bio->cgroup << 32));
	b->nr_bios++;
}

static void on_rq(void *arg, const struct zwb_rq *rq, uint64_t flush)
{
	struct bench *b = arg;

	mix(b, rq->bio.sector ^ flush);
	mix(b, rq->bio.nr_sectors ^ ((uint64_t)rq->nr_bios << 32));
	b->nr_rqs++;
}

static void bench_init(struct bench *b, const char *policy, uint32_t page_bytes)
{
	*b = (struct bench){ .tap = { b, on_bio, on_rq } };
	b->geometry = geometry_of(page_bytes);
	assert_int_equal(zwb_policy_select(policy, &b->policy, NULL), ZWB_OK);
	assert_int_equal(zwb_device_select("linear,noise=0", &b->device, NULL), ZWB_OK);
	b->setup = (struct zwb_lane_setup){ .policy = &b->policy,
		.device = &b->device,
		.geometry = b->geometry,
		.limits = { .max_sectors = 8192, .max_segments = 254, .has_requests = true },
		.has_swap_ctx = true,
		.tap = &b->tap };
}

static void bench_start(struct bench *b)
{
	zwb_lane_free(b->lane);
	b->digest = b->nr_bios = b->nr_rqs = 0;
	assert_int_equal(zwb_lane_create(&b->setup, &b->lane, NULL), ZWB_OK);
}

static void bench_release(struct bench *b)
{
	zwb_lane_free(b->lane);
	zwb_tasktab_release(&b->kblockd, NULL);
	zwb_policy_release(&b->policy);
	zwb_device_release(&b->device);
	zwb_geometry_free(b->geometry);
}

static void feed(struct bench *b, const struct zwb_event *events, size_t nr)
{
	struct zwb_event *copy = calloc(nr, sizeof(*copy));

	assert_non_null(copy);
	memcpy(copy, events, nr * sizeof(*copy));
	assert_int_equal(zwb_lane_events(b->lane, copy, nr, NULL), ZWB_OK);
	free(copy);
}

/* Events at random. */

static uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 11;
}

static uint64_t random_pick(uint64_t *state, const uint64_t *values, size_t nr)
{
	return values[random_next(state) % nr];
}

#define PICK(state, ...)                                                                           \
	random_pick(state, (const uint64_t[]){ __VA_ARGS__ },                                      \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* Mostly what hangs together: few tasks, near slots. Now and then the ends of every range. */
static void random_event(uint64_t *state, struct zwb_event *ev)
{
	uint64_t near = random_next(state) % 64;
	bool is_wild = random_next(state) % 8 == 0;

	*ev = (struct zwb_event){ .kind = (uint8_t)(random_next(state) % (ZWB_EV_NR + 2)) };
	ev->ts_ns = is_wild ? PICK(state, 0, 1, UINT64_C(1) << 62, UINT64_MAX - 1, UINT64_MAX)
			    : random_next(state) % 3000000;
	ev->addr = is_wild ? PICK(state, 0, NR_SLOTS - 1, NR_SLOTS, UINT64_C(1) << 58, UINT64_MAX,
				     UINT64_MAX - 7)
			   : PICK(state, near, near * 8, FIRST_SECTOR + near * 8, near + 1000);
	ev->len = (uint32_t)(is_wild ? PICK(state, 0, UINT32_MAX, UINT32_MAX - 7, 1u << 31, 1024)
				     : PICK(state, 1, 8, 16, 256));
	ev->tid = (int32_t)(is_wild ? PICK(state, 0, UINT32_MAX, 1u << 31, INT32_MAX) : near % 3);
	ev->val = (int32_t)(uint32_t)PICK(state, 0, 0, 1, 1, 2, 0x100, 1u << 31, UINT32_MAX);
	ev->cgroup =
		(uint32_t)(is_wild ? PICK(state, 300, LANE_MAX_CGROUPS, UINT32_MAX) : near % 3);
	ev->cpu = (uint16_t)(is_wild ? PICK(state, 0, 63, 4096, 65535) : near % 2);
	ev->dev = (uint16_t)(is_wild ? PICK(state, 31, 32, 65535) : near % 2);
	ev->flags = (uint8_t)(is_wild ? random_next(state) : PICK(state, 0, 1, 1, 3));
	ev->pad = (uint16_t)(is_wild ? random_next(state) : 0);
}

static void random_setup(struct bench *b, uint64_t seed, enum zwb_lane_mode mode)
{
	struct zwb_lane_setup *s = &b->setup;

	s->mode = mode;
	s->is_reference = mode != ZWB_LANE_REPLAY || seed % 2;
	s->infer_plugs = seed / 2 % 2;
	s->has_frontswap = seed / 4 % 2;
	s->has_swap_ctx = seed / 8 % 2;
	s->limits.has_requests = seed / 16 % 4 != 0;
	s->limits.full_by_newest = seed / 64 % 2;
	s->wrong_full_plug = seed / 128 % 8 == 0;
	s->kblockd = seed / 256 % 2 ? &b->kblockd : NULL;
	s->device = seed / 512 % 4 ? &b->device : NULL;
}

static uint64_t sum_of(const struct zwb_lane_counts *c)
{
	return c->wb_pages + c->direct_pages + c->read_pages + c->write_bios + c->read_bios +
	       c->write_rqs + c->read_rqs + c->back_merges + c->front_merges + c->walks +
	       c->walks_plug_unknown;
}

static void check_counts(const struct bench *b)
{
	struct zwb_lane_counts total = zwb_lane_counts(b->lane, UINT32_MAX);
	uint64_t sum = 0;
	double timed = 0;

	for (uint32_t i = 0; i < zwb_lane_nr_cgroups(b->lane); i++) {
		struct zwb_lane_counts c = zwb_lane_counts(b->lane, i);

		sum += sum_of(&c);
	}
	assert_int_equal(sum, sum_of(&total));
	assert_int_equal(b->nr_bios, total.write_bios + total.read_bios);
	assert_int_equal(b->nr_rqs, total.write_rqs + total.read_rqs);
	/* each write request has a size and a time */
	assert_int_equal(zwb_lane_write_size(b->lane)->count, total.write_rqs);
	for (size_t i = 0; i < ZWB_TIMELINE_INTERVALS; i++)
		timed += zwb_lane_write_requests(b->lane)->amounts[i];
	assert_true(timed == (double)total.write_rqs);
	/* every bio is a request or joined one, in the end */
	if (b->setup.limits.has_requests && b->setup.mode != ZWB_LANE_GIVEN)
		assert_int_equal(b->nr_bios, b->nr_rqs + total.back_merges + total.front_merges);
}

static uint64_t random_run(struct bench *b, uint64_t seed)
{
	struct zwb_event events[FUZZ_EVENTS];
	uint64_t state = seed;

	bench_start(b);
	for (int block = 0; block < 2; block++) {
		for (size_t i = 0; i < FUZZ_EVENTS; i++)
			random_event(&state, &events[i]);
		assert_int_equal(zwb_lane_events(b->lane, events, FUZZ_EVENTS, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_lane_finish(b->lane, NULL), ZWB_OK);
	check_counts(b);
	return b->digest;
}

static void lane__any_events_do_no_harm_and_the_same_twice(void **state)
{
	static const enum zwb_lane_mode modes[] = { ZWB_LANE_REPLAY, ZWB_LANE_BLIND,
		ZWB_LANE_GIVEN };
	uint64_t nr_bios = 0, nr_rqs = 0;

	(void)state;
	for (size_t p = 0; zwb_policy_table[p]; p++) {
		struct bench b;

		bench_init(&b, zwb_policy_table[p]->name, 4096);
		assert_int_equal(zwb_tasktab_add(&b.kblockd, 1, &b, NULL), ZWB_OK);
		for (uint64_t seed = 0; seed < FUZZ_SEEDS; seed++) {
			for (size_t m = 0; m < ZWB_ARRAY_LEN(modes); m++) {
				uint64_t digest;

				random_setup(&b, seed, modes[m]);
				digest = random_run(&b, seed);
				if (seed % 10 == 0)
					assert_int_equal(digest, random_run(&b, seed));
				nr_bios += b.nr_bios;
				nr_rqs += b.nr_rqs;
			}
		}
		bench_release(&b);
	}
	/* and they were not all for nothing */
	assert_true(nr_bios > FUZZ_SEEDS && nr_rqs > FUZZ_SEEDS);
}

/* 1 MiB pages, folios of UINT32_MAX pages: 32 folios of 1024 pages are 2^26 sectors, no more. */
static void lane__the_largest_bio_has_2_26_sectors(void **state)
{
	struct zwb_event events[2 * 40];
	struct bench b;

	(void)state;
	bench_init(&b, "batched", 1 << 20);
	b.setup.limits.has_requests = false;
	bench_start(&b);
	for (size_t i = 0; i < 40; i++)
		events[i] = (struct zwb_event){
			.kind = ZWB_EV_SWAP_WRITE, .addr = 1024 * i % NR_SLOTS, .len = UINT32_MAX
		};
	feed(&b, events, 40);
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, 0).direct_pages, 40 * 1024);
	assert_int_equal(b.nr_bios, 40);
	bench_release(&b);
}

/* A cgroup that no table can have counts as unknown, and takes no memory. */
static void lane__cgroups_past_the_table_are_unknown(void **state)
{
	static const uint32_t cgroups[] = { LANE_MAX_CGROUPS, 1u << 31, UINT32_MAX };
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	bench_start(&b);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cgroups); i++) {
		const struct zwb_event ev = {
			.kind = ZWB_EV_WALK_BEGIN, .cgroup = cgroups[i], .tid = 1
		};

		feed(&b, &ev, 1);
	}
	assert_int_equal(zwb_lane_nr_cgroups(b.lane), 1);
	assert_int_equal(zwb_lane_counts(b.lane, 0).walks, 3);
	assert_int_equal(zwb_lane_counts(b.lane, UINT32_MAX).walks, 3);
	bench_release(&b);
}

/* Time that goes back stands still: no latency is longer than the device may take. */
static void lane__time_does_not_go_back(void **state)
{
	static const struct zwb_event events[] = {
		{ .ts_ns = UINT64_C(1) << 40, .kind = ZWB_EV_SWAP_WRITE, .addr = 8, .tid = 1 },
		{ .ts_ns = 10, .kind = ZWB_EV_SWAP_WRITE, .addr = 80, .tid = 2 },
		{ .ts_ns = 20, .kind = ZWB_EV_SHRINK_INACTIVE, .tid = 1 },
		{ .ts_ns = 30, .kind = ZWB_EV_SHRINK_INACTIVE, .tid = 2 },
	};
	struct zwb_hist *writes;
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	bench_start(&b);
	feed(&b, events, ZWB_ARRAY_LEN(events));
	writes = zwb_lane_latency(b.lane, 1);
	assert_int_equal(writes->count, 2);
	/* the second was submitted at 10 ns and issued at 2^40 ns */
	assert_true(writes->max < (UINT64_C(1) << 40) + 1000000000);
	assert_true(writes->min < 1000000000);
	bench_release(&b);
}

/*
 * A plug of disk 0 and disk 1, full at 64 requests; the one that filled it is flushed, and what
 * comes after still counts to 64, because the plug has seen both (blk_start_plug() alone resets
 * that). Writes are file IO: 1 of disk 0, then of disk 1 only.
 */
static void lane__a_plug_of_two_disks_is_full_at_64_until_it_ends(void **state)
{
	struct zwb_event ev = { .kind = ZWB_EV_PLUG_START, .tid = 1, .val = 1 };
	const uint64_t foreign = 1 << 22;
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	b.setup.tap = NULL;
	bench_start(&b);
	feed(&b, &ev, 1);
	for (uint64_t i = 0; i < 64 + 40 + 1; i++) {
		ev = (struct zwb_event){ .kind = ZWB_EV_BIO_QUEUE,
			.tid = 1,
			.addr = foreign + 100 * i,
			.len = 8,
			.dev = i > 0,
			.flags = ZWB_OP_WRITE };
		feed(&b, &ev, 1);
	}
	/* the 65th bio, at index 64, is taken up by the event after it: it finds 64 */
	assert_int_equal(zwb_lane_flushes(b.lane, ZWB_FLUSH_FULL), 1);
	ev = (struct zwb_event){ .kind = ZWB_EV_PLUG_FINISH, .tid = 1, .val = 1 };
	feed(&b, &ev, 1);
	assert_int_equal(zwb_lane_flushes(b.lane, ZWB_FLUSH_FINISH), 1);
	/* a new plug is full at 32 */
	ev = (struct zwb_event){ .kind = ZWB_EV_PLUG_START, .tid = 1, .val = 1 };
	feed(&b, &ev, 1);
	for (uint64_t i = 0; i < 34; i++) {
		ev = (struct zwb_event){ .kind = ZWB_EV_BIO_QUEUE,
			.tid = 1,
			.addr = foreign + 100 * i,
			.len = 8,
			.dev = 1,
			.flags = ZWB_OP_WRITE };
		feed(&b, &ev, 1);
	}
	assert_int_equal(zwb_lane_flushes(b.lane, ZWB_FLUSH_FULL), 2);
	bench_release(&b);
}

/* Before 6.6 a swap-in is told from a hit by the task's next event, which may be a write. */
static void lane__a_swap_in_and_a_write_are_both_kept(void **state)
{
	static const struct zwb_event events[] = {
		{ .ts_ns = 10, .kind = ZWB_EV_SWAP_READ, .addr = 8, .tid = 1 },
		{ .ts_ns = 20, .kind = ZWB_EV_SWAP_WRITE, .addr = 80, .tid = 1 },
	};
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	b.setup.mode = ZWB_LANE_BLIND;
	b.setup.is_reference = true;
	b.setup.has_frontswap = true;
	bench_start(&b);
	feed(&b, events, ZWB_ARRAY_LEN(events));
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, UINT32_MAX).read_bios, 1);
	assert_int_equal(zwb_lane_counts(b.lane, UINT32_MAX).write_bios, 1);
	bench_release(&b);
}

/* An owner is told for one bio: a later one at the same sector is not the same cgroup's. */
static void lane__an_owner_is_told_for_one_bio(void **state)
{
	static const struct zwb_event events[] = {
		{ .kind = ZWB_EV_BIO_CGROUP, .addr = 80, .cgroup = 3, .tid = 1 },
		{ .kind = ZWB_EV_BIO_CGROUP, .addr = 0, .cgroup = 9, .tid = 1 },
		{ .kind = ZWB_EV_BIO_QUEUE, .addr = 8000, .len = 8, .dev = 1, .tid = 1 },
		{ .kind = ZWB_EV_BIO_QUEUE, .addr = 80, .len = 8, .dev = 1, .tid = 1 },
		{ .kind = ZWB_EV_BIO_QUEUE, .addr = 80, .len = 8, .dev = 1, .tid = 1 },
	};
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	bench_start(&b);
	feed(&b, events, ZWB_ARRAY_LEN(events));
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, 3).read_bios, 1);
	assert_int_equal(zwb_lane_counts(b.lane, 0).read_bios, 2);
	bench_release(&b);
}

/* Notes are the reference's: what the pad field held before does not count. */
static void lane__the_reference_wipes_old_notes(void **state)
{
	struct zwb_event events[ZWB_EV_NR + 1];
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	b.setup.is_reference = true;
	bench_start(&b);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(events); i++) {
		bool is_plug = i == ZWB_EV_PLUG || i == ZWB_EV_UNPLUG; /* these do get a note */

		events[i] = (struct zwb_event){ .kind = is_plug ? ZWB_EV_NONE : (uint8_t)i,
			.pad = 0xffff };
	}
	assert_int_equal(zwb_lane_events(b.lane, events, ZWB_ARRAY_LEN(events), NULL), ZWB_OK);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(events); i++)
		assert_int_equal(events[i].pad, ZWB_NOTE_NONE);
	bench_release(&b);
}

/* Memory. */

/* 200,000 tasks that each write a page and leave: few of them are kept. */
static void lane__tasks_that_are_idle_are_forgotten(void **state)
{
	struct zwb_event events[] = {
		{ .kind = ZWB_EV_WALK_BEGIN, .cgroup = 1 },
		{ .kind = ZWB_EV_VISIT_BEGIN },
		{ .kind = ZWB_EV_SWAP_WRITE, .len = 1, .cgroup = 1 },
		{ .kind = ZWB_EV_VISIT_END, .val = ZWB_VISIT_WRITTEN },
		{ .kind = ZWB_EV_WALK_END },
	};
	const uint32_t nr_tasks = 200000;
	struct bench b;

	(void)state;
	bench_init(&b, "plugged", 4096);
	bench_start(&b);
	for (uint32_t tid = 0; tid < nr_tasks; tid++) {
		for (size_t i = 0; i < ZWB_ARRAY_LEN(events); i++)
			events[i].tid = (int32_t)tid;
		events[1].addr = events[2].addr = 1 + tid % (NR_SLOTS - 1);
		assert_int_equal(
			zwb_lane_events(b.lane, events, ZWB_ARRAY_LEN(events), NULL), ZWB_OK);
		assert_true(b.lane->tasks.nr <= ZWB_TASKTAB_FIRST_LOOK);
	}
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, 1).write_rqs, nr_tasks);
	bench_release(&b);
}

/* A bio was the last thing seen of each: after a minute without an event they count as gone. */
static void lane__silent_tasks_are_ended_where_room_is_needed(void **state)
{
	const uint32_t nr_tasks = 100000;
	struct bench b;

	(void)state;
	bench_init(&b, "unbatched", 4096);
	bench_start(&b);
	for (uint32_t tid = 0; tid < nr_tasks; tid++) {
		const struct zwb_event ev = { .kind = ZWB_EV_BIO_QUEUE,
			.ts_ns = tid * UINT64_C(10000000), /* 100 a second */
			.addr = 8 * (tid % NR_SLOTS),
			.len = 8,
			.dev = 1,
			.tid = (int32_t)tid };

		feed(&b, &ev, 1);
		assert_true(b.lane->tasks.nr <= ZWB_TASKTAB_FIRST_LOOK);
	}
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, UINT32_MAX).read_rqs, nr_tasks);
	bench_release(&b);
}

/* Calls without an end in one task after the other: an error, and it stays one. */
static void lane__more_open_calls_than_can_be_are_an_error(void **state)
{
	struct zwb_err err = { 0 };
	struct bench b;
	int ret = ZWB_OK;

	(void)state;
	bench_init(&b, "plugged", 4096);
	bench_start(&b);
	for (int32_t tid = 0; !ret && tid < 1000000; tid++) {
		struct zwb_event ev = { .kind = ZWB_EV_WALK_BEGIN, .tid = tid };

		ret = zwb_lane_events(b.lane, &ev, 1, &err);
	}
	assert_int_equal(ret, ZWB_EDATA);
	assert_non_null(strstr(err.text, "damaged"));
	memset(&err, 0, sizeof(err));
	assert_int_equal(zwb_lane_events(b.lane, NULL, 0, &err), ZWB_EDATA);
	assert_non_null(strstr(err.text, "damaged"));
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_EDATA);
	bench_release(&b);
}

/* A policy that collects is stopped at 2^20 pages; what is more is written at once. */
static void lane__policies_keep_a_million_pages_at_most(void **state)
{
	struct zwb_event visit[] = {
		{ .kind = ZWB_EV_VISIT_BEGIN, .tid = 1 },
		{ .kind = ZWB_EV_SWAP_WRITE, .tid = 1, .len = 1 },
		{ .kind = ZWB_EV_VISIT_END, .tid = 1, .val = ZWB_VISIT_WRITTEN },
	};
	struct zwb_event ev = { .kind = ZWB_EV_WALK_BEGIN, .tid = 1 };
	struct bench b;

	(void)state;
	bench_init(&b, "sorted", 4096);
	b.setup.device = NULL;
	bench_start(&b);
	feed(&b, &ev, 1);
	for (uint32_t i = 0; i < LANE_MAX_COLLECTED + 10; i++) {
		visit[0].addr = visit[1].addr = 1 + i % (NR_SLOTS - 1);
		assert_int_equal(zwb_lane_events(b.lane, visit, 3, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_lane_doubts(b.lane).not_collected, 10);
	assert_int_equal(b.lane->nr_collected, LANE_MAX_COLLECTED);
	ev.kind = ZWB_EV_WALK_END;
	feed(&b, &ev, 1);
	assert_int_equal(b.lane->nr_collected, 0);
	assert_int_equal(zwb_lane_finish(b.lane, NULL), ZWB_OK);
	assert_int_equal(zwb_lane_counts(b.lane, UINT32_MAX).wb_pages, LANE_MAX_COLLECTED + 10);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lane__any_events_do_no_harm_and_the_same_twice),
		cmocka_unit_test(lane__the_largest_bio_has_2_26_sectors),
		cmocka_unit_test(lane__cgroups_past_the_table_are_unknown),
		cmocka_unit_test(lane__time_does_not_go_back),
		cmocka_unit_test(lane__a_plug_of_two_disks_is_full_at_64_until_it_ends),
		cmocka_unit_test(lane__a_swap_in_and_a_write_are_both_kept),
		cmocka_unit_test(lane__an_owner_is_told_for_one_bio),
		cmocka_unit_test(lane__the_reference_wipes_old_notes),
		cmocka_unit_test(lane__tasks_that_are_idle_are_forgotten),
		cmocka_unit_test(lane__silent_tasks_are_ended_where_room_is_needed),
		cmocka_unit_test(lane__more_open_calls_than_can_be_are_an_error),
		cmocka_unit_test(lane__policies_keep_a_million_pages_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
