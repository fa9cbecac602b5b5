/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks whose bios and requests are worked by hand from the rules of mm/page_io.c (append rule of
 * the swap IO context) and block/blk-mq.c, block/blk-merge.c (plug), 7.3.4. Slot s lies at sector
 * 8 s, a page is 8 sectors.
 */
#include "lane_fixture.h"
#include "zwb_test.h"

static int setup(void **state)
{
	*state = fixture_create();
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	return 0;
}

/* 10, 11, 12: sectors 80, 88, 96. A context of the walk joins all; nothing is left to merge. */
static void walks__consecutive_slots(void **state)
{
	struct fixture *f = *state;

	WALK(f, 10, 11, 12);
	fixture_run(f, "unbatched", "unbatched");
	EXPECT_BIOS(f, 80, 8, 88, 8, 96, 8);
	EXPECT_RQS(f, 80, 8, 88, 8, 96, 8);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 24);
	EXPECT_RQS(f, 80, 24);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_BIOS(f, 80, 24);
	EXPECT_RQS(f, 80, 24);
}

/* 10, 11, 13: 13 starts at 104, the bio of 10 and 11 ends at 96. No rule joins across a hole. */
static void walks__a_gap(void **state)
{
	struct fixture *f = *state;

	WALK(f, 10, 11, 13);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 16, 104, 8);
	EXPECT_RQS(f, 80, 16, 104, 8);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_RQS(f, 80, 16, 104, 8);
}

/*
 * 12, 11, 10: a context only grows forward, so there are three bios. In the plug each one ends
 * where the newest request starts: two front merges. Sorting makes one bio of them.
 */
static void walks__descending_slots(void **state)
{
	struct fixture *f = *state;

	WALK(f, 12, 11, 10);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 96, 8, 88, 8, 80, 8);
	EXPECT_RQS(f, 96, 8, 88, 8, 80, 8);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_BIOS(f, 96, 8, 88, 8, 80, 8);
	EXPECT_RQS(f, 80, 24);
	assert_int_equal(zwb_lane_counts(f->lane, UINT32_MAX).front_merges, 2);
	fixture_run(f, "sorted", "unbatched");
	EXPECT_BIOS(f, 80, 24);
	EXPECT_RQS(f, 80, 24);
}

/*
 * Slots 100 to 132, 33 pages from sector 800: a bio holds 32 folios, 256 sectors, and the last page
 * is a bio of its own. The plug joins it to the request before it (back merge): 264 sectors.
 */
static void walks__33_folios(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	for (uint64_t slot = 100; slot <= 132; slot++)
		fixture_write(f, slot);
	fixture_walk_end(f);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 800, 256, 1056, 8);
	EXPECT_RQS(f, 800, 256, 1056, 8);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_BIOS(f, 800, 256, 1056, 8);
	EXPECT_RQS(f, 800, 264);
}

/* 10, 11 of cgroup 1 and 12 of cgroup 2: neither a context nor a request crosses owners. */
static void walks__a_cgroup_border(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_write(f, 10);
	fixture_write(f, 11);
	f->cgroup = 2;
	fixture_write(f, 12);
	f->cgroup = 1;
	fixture_walk_end(f);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 16, 96, 8);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_BIOS(f, 80, 16, 96, 8);
	EXPECT_RQS(f, 80, 16, 96, 8);
	assert_int_equal(zwb_lane_counts(f->lane, 1).write_rqs, 1);
	assert_int_equal(zwb_lane_counts(f->lane, 2).write_rqs, 1);
}

/*
 * 33 pages with holes between, slots 2, 4, .. 66, then slot 67 beside the last. The 33rd request
 * finds 32 in the plug: those leave, it stays behind, and slot 67 joins it. Flushes: 32 and 1.
 */
static void walks__a_full_plug_keeps_its_new_request(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	for (uint64_t slot = 2; slot <= 66; slot += 2)
		fixture_write(f, slot);
	fixture_write(f, 67);
	fixture_walk_end(f);
	fixture_run(f, "plugged,ctx=entry", "unbatched");
	assert_int_equal(f->nr_bios, 34);
	assert_int_equal(f->nr_rqs, 33);
	assert_int_equal(f->rqs[32].sector, 66 * 8);
	assert_int_equal(f->rqs[32].nr_sectors, 16);
	assert_int_equal(f->rqs[31].flush, 1);
	assert_int_equal(f->rqs[32].flush, 2);
	assert_int_equal(zwb_lane_flushes(f->lane, ZWB_FLUSH_FULL), 1);
	assert_int_equal(zwb_lane_flushes(f->lane, ZWB_FLUSH_FINISH), 1);

	/* The wrong rule takes the 33rd request along: slot 67 finds nothing to join. */
	f->wrong_full_plug = true;
	fixture_run(f, "plugged,ctx=entry", "unbatched");
	assert_int_equal(f->nr_rqs, 34);
}

/*
 * Slots 100 to 131 are a bio of 128 KiB. The next request, slot 200, finds the oldest at that size:
 * it leaves at once, 200 stays and 300 comes behind it. Two flushes, full and finish.
 */
static void walks__the_oldest_request_of_128_kib(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	for (uint64_t slot = 100; slot <= 131; slot++)
		fixture_write(f, slot);
	fixture_write(f, 200);
	fixture_write(f, 300);
	fixture_walk_end(f);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_RQS(f, 800, 256, 1600, 8, 2400, 8);
	assert_int_equal(f->rqs[0].flush, 1);
	assert_int_equal(f->rqs[1].flush, 2);
	assert_int_equal(f->rqs[2].flush, 2);
	assert_int_equal(zwb_lane_flushes(f->lane, ZWB_FLUSH_FULL), 1);
}

/*
 * 10, 12, then the task blocks: schedule() flushes the plug, which goes on afterwards and holds 14.
 * kblockd issues what was flushed 200 us later, or at the end of the recording.
 */
static void walks__a_blocked_walk(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_write(f, 10);
	fixture_write(f, 12);
	fixture_write(f, 20);
	fixture_event(f, ZWB_EV_SCHED_SWITCH, 7, 2); /* D */
	f->now_ns += 1000000;
	fixture_write(f, 14);
	fixture_walk_end(f);
	fixture_run(f, "plugged", "unbatched");
	/* 20 was still being built by the context: it is submitted when 14 does not join it. */
	EXPECT_RQS(f, 80, 8, 96, 8, 160, 8, 112, 8);
	assert_int_equal(f->rqs[0].flush, 1);
	assert_int_equal(f->rqs[1].flush, 1);
	assert_int_equal(f->rqs[2].flush, 2);
	assert_int_equal(f->rqs[3].flush, 2);
	assert_int_equal(zwb_lane_flushes(f->lane, ZWB_FLUSH_BLOCKED), 1);
}

/* Preemption is no block: the plug is not flushed. State 0x100 is R+ of the tracepoint. */
static void walks__a_preempted_walk(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_write(f, 12);
	fixture_write(f, 11);
	fixture_event(f, ZWB_EV_SCHED_SWITCH, 7, 0x100);
	fixture_write(f, 10);
	fixture_walk_end(f);
	fixture_run(f, "plugged", "unbatched");
	EXPECT_RQS(f, 80, 24);
	assert_int_equal(zwb_lane_flushes(f->lane, ZWB_FLUSH_BLOCKED), 0);
}

/*
 * A flushed request waits for kblockd; a bio of another task on that CPU joins it meanwhile
 * (blk_bio_list_merge()): slot 11 of task 200 behind slot 10 of task 100.
 */
static void walks__a_bio_joins_the_software_queue(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_write(f, 10);
	fixture_write(f, 30);
	fixture_event(f, ZWB_EV_SCHED_SWITCH, 200, 2);
	f->tid = 200;
	WALK(f, 11, 50);
	f->tid = 100;
	fixture_walk_end(f);
	fixture_run(f, "plugged", "unbatched");
	/* 50 leaves with the plug of task 200, 30 with that of task 100, 10+11 with kblockd. */
	EXPECT_RQS(f, 400, 8, 240, 8, 80, 16);
}

/*
 * Inside a visit of the outer walk the charge of the folio reclaims memory, and that runs a walk of
 * its own. Each walk has its own context: 50, 51 and 10, 11 do not mix.
 */
static void walks__nested_walks(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_event(f, ZWB_EV_VISIT_BEGIN, 10, 0);
	fixture_event(f, ZWB_EV_RECLAIM_BEGIN, 0, 0);
	WALK(f, 50, 51);
	fixture_event(f, ZWB_EV_RECLAIM_END, 0, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, 10, 0);
	fixture_event(f, ZWB_EV_VISIT_END, 0, ZWB_VISIT_WRITTEN);
	fixture_write(f, 11);
	fixture_walk_end(f);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 400, 16, 80, 16);
	/* With plugs the inner one is nested: nothing leaves before the outer walk ends. */
	fixture_run(f, "plugged", "unbatched");
	EXPECT_RQS(f, 400, 16, 80, 16);
	assert_int_equal(f->rqs[0].flush, f->rqs[1].flush);
}

/* Two tasks take turns at one list, 10, 12 and 11, 13: each walk sees its own pages only. */
static void walks__two_tasks_interleaved(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	f->tid = 200;
	fixture_walk_begin(f);
	f->tid = 100;
	fixture_write(f, 10);
	f->tid = 200;
	fixture_write(f, 11);
	f->tid = 100;
	fixture_write(f, 12);
	f->tid = 200;
	fixture_write(f, 13);
	fixture_walk_end(f);
	f->tid = 100;
	fixture_walk_end(f);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 8, 88, 8, 104, 8, 96, 8);
}

/* Rotated entries are visited but not written. */
static void walks__second_chance_writes_nothing(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_write(f, 10);
	fixture_rotate(f, 11);
	fixture_write(f, 11);
	fixture_walk_end(f);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 16);
	assert_int_equal(zwb_lane_counts(f->lane, UINT32_MAX).wb_pages, 2);
}

/*
 * The task holds an outer plug (readahead): recorded, it took 10 as its first request, and a second
 * walk put 11 into it before it ended. Batched submits at the end of each walk, into that plug.
 */
static void walks__an_outer_plug_that_the_recording_shows(void **state)
{
	struct fixture *f = *state;

	fixture_walk_begin(f);
	fixture_event(f, ZWB_EV_VISIT_BEGIN, 10, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, 10, 0);
	fixture_event(f, ZWB_EV_PLUG, 0, 0);
	fixture_event(f, ZWB_EV_VISIT_END, 0, ZWB_VISIT_WRITTEN);
	fixture_walk_end(f);
	WALK(f, 11);
	fixture_event(f, ZWB_EV_UNPLUG, 0, 0);
	WALK(f, 12);
	fixture_run(f, "batched", "unbatched");
	EXPECT_BIOS(f, 80, 8, 88, 8, 96, 8);
	EXPECT_RQS(f, 80, 16, 96, 8);
}

/* The same, where plug start and finish were recorded; the inner start is nested. */
static void walks__an_outer_plug_by_start_and_finish(void **state)
{
	struct fixture *f = *state;

	fixture_event(f, ZWB_EV_PLUG_START, 0, 1);
	fixture_event(f, ZWB_EV_PLUG_START, 0, 0);
	WALK(f, 10);
	fixture_event(f, ZWB_EV_PLUG_FINISH, 0, 0);
	WALK(f, 11);
	fixture_event(f, ZWB_EV_PLUG_FINISH, 0, 0);
	WALK(f, 12);
	fixture_run(f, "unbatched", "unbatched");
	EXPECT_RQS(f, 80, 16, 96, 8);
}

/*
 * Direct swap-outs of a reclaim pass share a context whatever the policy, and shrink_inactive ends
 * it; the walk inside has its own.
 */
static void walks__direct_swap_outs_are_kept(void **state)
{
	struct fixture *f = *state;

	fixture_event(f, ZWB_EV_RECLAIM_BEGIN, 0, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, 10, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, 11, 0);
	fixture_event(f, ZWB_EV_SHRINK_INACTIVE, 0, 0);
	fixture_event(f, ZWB_EV_SWAP_WRITE, 12, 0);
	fixture_event(f, ZWB_EV_RECLAIM_END, 0, 0);
	fixture_run(f, "unbatched", "unbatched");
	EXPECT_BIOS(f, 80, 16, 96, 8);
	assert_int_equal(zwb_lane_counts(f->lane, UINT32_MAX).direct_pages, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(walks__##name, setup, teardown)
		T(consecutive_slots),
		T(a_gap),
		T(descending_slots),
		T(33_folios),
		T(a_cgroup_border),
		T(a_full_plug_keeps_its_new_request),
		T(the_oldest_request_of_128_kib),
		T(a_blocked_walk),
		T(a_preempted_walk),
		T(a_bio_joins_the_software_queue),
		T(nested_walks),
		T(two_tasks_interleaved),
		T(second_chance_writes_nothing),
		T(an_outer_plug_that_the_recording_shows),
		T(an_outer_plug_by_start_and_finish),
		T(direct_swap_outs_are_kept),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
