/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge conditions and the plug list, worked by hand from block/blk-merge.c blk_rq_merge_ok(),
 * ll_back_merge_fn(), ll_front_merge_fn() and block/blk-mq.c blk_add_rq_to_plug(), 7.3.4.
 */
#include "blk.h"
#include "event.h"
#include "zwb_test.h"

#include <string.h>

static const struct zwb_blk_limits limits = {
	.max_sectors = 64, .max_segments = 8, .has_requests = true
};

#define NONE  ZWB_MERGE_NONE
#define BACK  ZWB_MERGE_BACK
#define FRONT ZWB_MERGE_FRONT
#define W     ZWB_OP_WRITE

/* What makes one page's bio differ from another's. */
struct side {
	uint64_t sector;
	uint8_t op;
	uint32_t cgroup;
	uint8_t write_class;
};

static struct zwb_bio bio_of(const struct side *side)
{
	return (struct zwb_bio){ .sector = side->sector,
		.nr_sectors = 8,
		.nr_segments = 1,
		.op = side->op,
		.cgroup = side->cgroup,
		.write_class = side->write_class };
}

static struct zwb_bio write_of(uint64_t sector, uint32_t nr_sectors, uint32_t nr_segments)
{
	return (struct zwb_bio){ .sector = sector,
		.nr_sectors = nr_sectors,
		.nr_segments = nr_segments,
		.op = W,
		.cgroup = 1 };
}

static struct zwb_bio page_of(uint64_t sector, uint16_t dev)
{
	struct zwb_bio bio = write_of(sector, 8, 1);

	bio.dev = dev;
	return bio;
}

static struct zwb_rq rq_of(const struct zwb_bio *bio)
{
	return (struct zwb_rq){ .bio = *bio, .nr_bios = 1 };
}

static void blk__bios_merge_when_they_touch_and_are_alike(void **state)
{
	static const struct {
		struct side rq, bio;
		enum zwb_merge how;
	} rows[] = {
		/* 80 + 8 = 88: behind; 72 + 8 = 80: in front */
		{ { 80, W, 1, 0 }, { 88, W, 1, 0 }, BACK },
		{ { 80, W, 1, 0 }, { 72, W, 1, 0 }, FRONT },
		{ { 80, W, 1, 0 }, { 96, W, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 64, W, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 80, W, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 87, W, 1, 0 }, NONE },
		/* reads and writes */
		{ { 80, 0, 1, 0 }, { 88, 0, 1, 0 }, BACK },
		{ { 80, W, 1, 0 }, { 88, 0, 1, 0 }, NONE },
		{ { 80, 0, 1, 0 }, { 88, W, 1, 0 }, NONE },
		/* what does not matter: sync, readahead, metadata */
		{ { 80, W, 1, 0 }, { 88, W | ZWB_OP_SYNC | ZWB_OP_META, 1, 0 }, BACK },
		{ { 80, 0, 1, 0 }, { 88, ZWB_OP_RAHEAD, 1, 0 }, BACK },
		/* REQ_NOMERGE_FLAGS on either side, discards, driver commands */
		{ { 80, W | ZWB_OP_FUA, 1, 0 }, { 88, W, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 88, W | ZWB_OP_FUA, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 88, W | ZWB_OP_FLUSH, 1, 0 }, NONE },
		{ { 80, ZWB_OP_FLUSH, 1, 0 }, { 88, ZWB_OP_FLUSH, 1, 0 }, NONE },
		{ { 80, ZWB_OP_DISCARD, 1, 0 }, { 88, ZWB_OP_DISCARD, 1, 0 }, NONE },
		{ { 80, ZWB_OP_OTHER, 1, 0 }, { 88, ZWB_OP_OTHER, 1, 0 }, NONE },
		/* owners; one that is not known may be any */
		{ { 80, W, 1, 0 }, { 88, W, 2, 0 }, NONE },
		{ { 80, W, 0, 0 }, { 88, W, 2, 0 }, BACK },
		{ { 80, W, 2, 0 }, { 72, W, 0, 0 }, FRONT },
		/* REQ_SWAP, REQ_SWAP | REQ_BACKGROUND and other IO are classes of their own */
		{ { 80, W, 1, ZWB_WRITE_OTHER }, { 88, W, 1, 0 }, NONE },
		{ { 80, W, 1, 0 }, { 88, W, 1, 1 }, NONE },
		{ { 80, W, 1, 1 }, { 88, W, 1, 1 }, BACK },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		const struct zwb_bio first = bio_of(&rows[i].rq), bio = bio_of(&rows[i].bio);
		struct zwb_rq rq = rq_of(&first), before = rq;
		enum zwb_merge how = zwb_rq_merge(&rq, &bio, &limits);

		assert_int_equal(how, rows[i].how);
		assert_false(rq.is_closed);
		if (how == NONE) {
			assert_memory_equal(&rq, &before, sizeof(rq));
			continue;
		}
		assert_int_equal(rq.bio.sector, how == BACK ? 80 : 72);
		assert_int_equal(rq.bio.nr_sectors, 16);
		assert_int_equal(rq.bio.nr_segments, 2);
		assert_int_equal(rq.nr_bios, 2);
	}
}

/* At most 64 sectors in at most 8 segments. What would go past that closes the request for good. */
static void blk__limits_close_a_request(void **state)
{
	static const struct {
		uint32_t rq_sectors, rq_segments, bio_sectors, bio_segments;
		bool fits;
	} rows[] = {
		{ 56, 1, 8, 1, true }, /* 64 sectors */
		{ 56, 1, 9, 1, false }, /* 65 */
		{ 8, 7, 8, 1, true }, /* 8 segments */
		{ 8, 7, 8, 2, false }, /* 9 */
		{ 8, 8, 8, 1, false },
		/* sums past 32 bits: 8 + UINT32_MAX is not 7 */
		{ 8, 1, UINT32_MAX, 1, false },
		{ UINT32_MAX, 1, UINT32_MAX, 1, false },
		{ 8, 1, 8, UINT32_MAX, false },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		const struct zwb_bio first = write_of(80, rows[i].rq_sectors, rows[i].rq_segments);
		const struct zwb_bio behind = write_of(80 + (uint64_t)rows[i].rq_sectors,
			rows[i].bio_sectors, rows[i].bio_segments);
		const struct zwb_bio front = write_of(72, 8, 1);
		struct zwb_rq rq = rq_of(&first);

		assert_int_equal(zwb_rq_merge(&rq, &behind, &limits), rows[i].fits ? BACK : NONE);
		assert_int_equal(rq.is_closed, !rows[i].fits);
		if (rows[i].fits)
			continue;
		/* not even one that would fit now */
		assert_int_equal(rq.bio.nr_sectors, rows[i].rq_sectors);
		assert_int_equal(zwb_rq_merge(&rq, &front, &limits), NONE);
		assert_int_equal(rq.bio.sector, 80);
	}
}

/* A bio that is refused for another reason than size leaves the request open. */
static void blk__other_refusals_leave_it_open(void **state)
{
	const struct zwb_bio first = write_of(80, 64, 1);
	const struct zwb_bio stranger = bio_of(&(struct side){ 144, W, 2, 0 });
	const struct zwb_bio distant = write_of(800, 8, 1);
	struct zwb_rq rq = rq_of(&first);

	(void)state;
	assert_int_equal(zwb_rq_merge(&rq, &stranger, &limits), NONE);
	assert_int_equal(zwb_rq_merge(&rq, &distant, &limits), NONE);
	assert_false(rq.is_closed);
}

static void add(struct zwb_plug *plug, uint64_t sector, uint16_t dev)
{
	const struct zwb_bio bio = page_of(sector, dev);

	zwb_plug_add(plug, &bio);
}

static enum zwb_merge merge(struct zwb_plug *plug, uint64_t sector, uint16_t dev)
{
	const struct zwb_bio bio = page_of(sector, dev);

	return zwb_plug_merge(plug, &bio, &limits);
}

/* 80 and 800 in the plug: 88 would follow the first, but only the newest is looked at. */
static void blk__only_the_newest_request_is_tried(void **state)
{
	struct zwb_plug plug = { .nr = 0 };

	(void)state;
	assert_int_equal(merge(&plug, 80, 0), NONE);
	add(&plug, 80, 0);
	add(&plug, 800, 0);
	assert_int_equal(merge(&plug, 88, 0), NONE);
	assert_int_equal(merge(&plug, 808, 0), BACK);
	assert_int_equal(merge(&plug, 792, 0), FRONT);
	assert_int_equal(plug.nr, 2);
	assert_int_equal(plug.rqs[1].bio.sector, 792);
	assert_int_equal(plug.rqs[1].bio.nr_sectors, 24);
	assert_int_equal(plug.rqs[1].nr_bios, 3);
	assert_false(plug.many_queues);
}

/*
 * Device 0: 80, then 800; device 1: 80. A bio of device 0 does not find its queue at the tail, so
 * the oldest request of its queue is tried, 80, and not 800. Once the tail is of its own queue
 * again, only the tail is.
 */
static void blk__with_many_queues_the_oldest_of_its_own_is_tried(void **state)
{
	struct zwb_plug plug = { .nr = 0 };

	(void)state;
	add(&plug, 80, 0);
	add(&plug, 800, 0);
	assert_false(plug.many_queues);
	add(&plug, 80, 1);
	assert_true(plug.many_queues);
	assert_int_equal(merge(&plug, 808, 0), NONE);
	assert_int_equal(merge(&plug, 88, 0), BACK);
	assert_int_equal(plug.rqs[0].bio.nr_sectors, 16);
	assert_int_equal(merge(&plug, 88, 1), BACK);
	assert_int_equal(plug.rqs[2].bio.nr_sectors, 16);
	assert_int_equal(merge(&plug, 80, 2), NONE); /* a queue that is not in it */
	add(&plug, 1600, 0);
	assert_int_equal(merge(&plug, 96, 0), NONE);
	assert_int_equal(merge(&plug, 1608, 0), BACK);
}

/* A flush keeps what the plug knows of queues; only a new plug starts with one queue. */
static void blk__many_queues_ends_with_the_plug(void **state)
{
	struct zwb_plug plug = { .nr = 0 };

	(void)state;
	add(&plug, 80, 0);
	add(&plug, 80, 1);
	zwb_plug_clear(&plug);
	assert_int_equal(plug.nr, 0);
	assert_true(plug.many_queues);
	zwb_plug_finish(&plug);
	assert_false(plug.many_queues);
}

/* 32 requests of one queue, 64 of two. */
static void blk__a_plug_is_full_at_32_or_64(void **state)
{
	struct zwb_plug plug = { .nr = 0 };

	(void)state;
	assert_false(zwb_plug_is_full(&plug, &limits));
	for (uint64_t i = 0; i < 31; i++)
		add(&plug, 80 + 16 * i, 0);
	assert_false(zwb_plug_is_full(&plug, &limits));
	add(&plug, 8000, 0);
	assert_int_equal(plug.nr, 32);
	assert_true(zwb_plug_is_full(&plug, &limits));

	zwb_plug_clear(&plug);
	for (uint64_t i = 0; i < 63; i++) {
		add(&plug, 80 + 16 * i, i % 2);
		assert_false(zwb_plug_is_full(&plug, &limits));
	}
	add(&plug, 8000, 1);
	assert_int_equal(plug.nr, 64);
	assert_true(zwb_plug_is_full(&plug, &limits));
}

/* 128 KiB are 256 sectors: in the oldest request since 6.13, in the newest before. */
static void blk__a_plug_is_full_by_the_size_of_one_request(void **state)
{
	static const struct {
		uint32_t oldest, newest;
		bool by_oldest, by_newest;
	} rows[] = {
		{ 255, 255, false, false },
		{ 256, 8, true, false },
		{ 8, 256, false, true },
		{ 256, 256, true, true },
		{ UINT32_MAX, 8, true, false },
	};
	const struct zwb_blk_limits old = { .full_by_newest = true };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		const struct zwb_bio oldest = write_of(0, rows[i].oldest, 1);
		const struct zwb_bio newest = write_of(1 << 20, rows[i].newest, 1);
		struct zwb_plug plug = { .nr = 0 };

		zwb_plug_add(&plug, &oldest);
		zwb_plug_add(&plug, &newest);
		assert_int_equal(zwb_plug_is_full(&plug, &limits), rows[i].by_oldest);
		assert_int_equal(zwb_plug_is_full(&plug, &old), rows[i].by_newest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blk__bios_merge_when_they_touch_and_are_alike),
		cmocka_unit_test(blk__limits_close_a_request),
		cmocka_unit_test(blk__other_refusals_leave_it_open),
		cmocka_unit_test(blk__only_the_newest_request_is_tried),
		cmocka_unit_test(blk__with_many_queues_the_oldest_of_its_own_is_tried),
		cmocka_unit_test(blk__many_queues_ends_with_the_plug),
		cmocka_unit_test(blk__a_plug_is_full_at_32_or_64),
		cmocka_unit_test(blk__a_plug_is_full_by_the_size_of_one_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
