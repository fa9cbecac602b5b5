/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small recordings written by hand, fed to one lane, whose bios and requests are collected. */
#ifndef LANE_FIXTURE_H
#define LANE_FIXTURE_H

#include "lane.h"
#include "select.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The disk is the swap area: slot s lies at sector 8 s. Every event comes 1 us after the one
 * before, on CPU 0. Pages are of 4 KiB, the kernel is one with swap IO contexts (7.3).
 */

#define FIXTURE_MAX 4096

struct fixture_rq {
	uint64_t sector;
	uint32_t nr_sectors;
	uint64_t flush;
};

struct fixture {
	struct zwb_meta *meta;
	struct zwb_geometry *geometry;
	struct zwb_policy policy, captured;
	struct zwb_lane *lane;
	struct zwb_lane_tap tap;
	uint64_t now_ns;
	int32_t tid; /* of the events to come */
	uint32_t cgroup;
	struct zwb_event events[FIXTURE_MAX];
	size_t nr_events;
	struct fixture_rq bios[FIXTURE_MAX], rqs[FIXTURE_MAX];
	size_t nr_bios, nr_rqs;
	bool wrong_full_plug;
};

struct fixture *fixture_create(void);
void fixture_free(struct fixture *f);

/* Writing the recording. */
void fixture_event(struct fixture *f, enum zwb_event_kind kind, uint64_t addr, int32_t val);
void fixture_walk_begin(struct fixture *f);
void fixture_walk_end(struct fixture *f);
/* A visit that writes the entry back: begin, swap write, end. */
void fixture_write(struct fixture *f, uint64_t slot);
/* A visit that gives the entry a second chance. */
void fixture_rotate(struct fixture *f, uint64_t slot);
/* One walk that writes these slots. */
void fixture_walk(struct fixture *f, const uint64_t *slots, size_t nr);

/*
 * fixture_run() - replay what was written through @policy; a recording made under @captured. Bios
 * and requests are those of writes.
 */
void fixture_run(struct fixture *f, const char *policy, const char *captured);

/* fixture_expect_bios(), fixture_expect_rqs() - sector, sectors, sector, sectors ... in order. */
void fixture_expect_bios(const struct fixture *f, const uint64_t *expected, size_t nr);
void fixture_expect_rqs(const struct fixture *f, const uint64_t *expected, size_t nr);

#define EXPECT_BIOS(f, ...)                                                                        \
	fixture_expect_bios(f, (const uint64_t[]){ __VA_ARGS__ },                                  \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t) / 2)
#define EXPECT_RQS(f, ...)                                                                         \
	fixture_expect_rqs(f, (const uint64_t[]){ __VA_ARGS__ },                                   \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t) / 2)
#define WALK(f, ...)                                                                               \
	fixture_walk(f, (const uint64_t[]){ __VA_ARGS__ },                                         \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

#endif
