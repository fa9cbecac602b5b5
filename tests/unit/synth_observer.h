/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks a synthetic trace event by event. It knows the kernel's rules, nothing of the generator:
 * what each task's events nest like, and what each slot and request can go through.
 */
#ifndef SYNTH_OBSERVER_H
#define SYNTH_OBSERVER_H

#include "event.h"
#include "synth.h"

#define MAX_SLOTS    (1u << 16)
#define MAX_TASKS    64
#define MAX_DEPTH    8
#define MAX_REQUESTS 4096
#define FIRST_TID    1000
#define PAGE_SECTORS 8

/* CLEAN: in memory, with a copy on the disk that is as good */
enum slot_state { UNUSED, IN_MEMORY, STORING, IN_ZSWAP, ZERO, TO_DISK, ON_DISK, FROM_DISK, CLEAN };

struct slot {
	enum slot_state state;
	uint32_t bytes;
	int is_referenced;
};

struct request {
	uint64_t sector;
	uint32_t nr_sectors;
	uint8_t op;
};

/* What a task is in: the kinds that began and did not end, innermost last. */
struct task {
	uint8_t stack[MAX_DEPTH];
	uint32_t slots[MAX_DEPTH];
	int depth;
	int plug_depth;
	struct request plug[32];
	uint32_t nr_plugged;
	struct request bio; /* queued, not yet merged nor in a request */
	struct request fresh; /* request on its way into the plug */
	int has_bio, has_fresh;
	uint32_t nr_to_issue; /* of the last unplug */
	uint32_t stored_bytes;
	uint32_t invalidated; /* slot whose entry has to be freed next, 0: none */
	uint32_t nr_visited, nr_written;
	int last_written;
};

struct observer {
	struct slot *slots;
	struct task tasks[MAX_TASKS];
	struct request at_disk[MAX_REQUESTS];
	uint32_t nr_at_disk;
	int32_t running[ZWB_SYNTH_MAX_CPUS];
	uint64_t last_ns;
	uint64_t nr[ZWB_EV_NR];
	uint64_t nr_hits, nr_misses, nr_rejected, nr_rotated, nr_failed, nr_nested_walks, nr_merges;
};

/** observer_see() - fail the running test unless @ev can come next. */
void observer_see(struct observer *o, const struct zwb_event *ev, uint32_t nr_cpus);

#endif
