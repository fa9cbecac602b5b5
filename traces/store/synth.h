/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic traces: a small machine with zswap, driven by a seeded workload. */
#ifndef ZWB_SYNTH_H
#define ZWB_SYNTH_H

#include "err.h"
#include "stream.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The machine has CPUs with a scheduler each, memory-limited cgroups, a swap area with the kernel's
 * slot allocator, a zswap pool with an LRU a cgroup, plugs and a disk. Policy "unbatched" on
 * scheduler "none": one swap IO context a writeback. Events have the order, nesting and fields of a
 * recording of a 7.3 kernel, and no two of them the same time. Cgroups with an even number are kept
 * in bounds by the shrinker, those with an odd one by a zswap.max, whose walks run inside stores.
 *
 * The same parameters make the same stream. Memory is at most 48 bytes a slot or page.
 */

struct zwb_synth_params {
	const char *profile; /* "zipf" */
	uint64_t nr_events; /* the stream ends after so many, wherever that is */
	uint64_t seed; /* 1 to 2^32 - 1 */
	uint32_t nr_cpus; /* 1 to 64 */
	uint32_t nr_tasks; /* at least nr_cgroups; task i is on CPU i % nr_cpus */
	uint32_t nr_cgroups;
	uint64_t nr_pages; /* anonymous memory of all tasks; at least 1024 a task */
	uint64_t nr_slots; /* of the swap area, its header included; more than nr_pages */
	uint32_t skew_percent; /* exponent of the zipf law in hundredths, 0 to 150 */
};

#define ZWB_SYNTH_MAX_CPUS	 64u
#define ZWB_SYNTH_MAX_TASKS	 4096u
#define ZWB_SYNTH_MIN_TASK_PAGES 1024u
#define ZWB_SYNTH_MAX_SLOTS	 (1ull << 30)
#define ZWB_SYNTH_MAX_SKEW	 150u

/** zwb_synth_defaults() - parameters of a small machine: 2 CPUs, 256 MiB, 1 M events. */
void zwb_synth_defaults(struct zwb_synth_params *params);

/**
 * zwb_synth_open() - make a stream.
 * @params: borrowed for the call.
 * @out: the stream; its metadata is complete from the start, but for end_ns.
 * Return: ZWB_OK; ZWB_EUSAGE for an unknown profile or parameters that make no machine; ZWB_ENOMEM.
 */
int zwb_synth_open(
	const struct zwb_synth_params *params, struct zwb_stream **out, struct zwb_err *err);

/** zwb_synth_profile_name() - name of the @index-th profile, NULL behind the last. */
const char *zwb_synth_profile_name(size_t index);

/** zwb_synth_profile_summary() - one line about it. */
const char *zwb_synth_profile_summary(size_t index);

#endif
