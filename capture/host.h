/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture writes down about the host: facts once, counters at intervals. */
#ifndef ZWB_HOST_H
#define ZWB_HOST_H

#include "anon.h"
#include "err.h"
#include "marker.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Everything is read from files under /proc and /sys and becomes sections of the recording (see
 * traces/FORMAT.md). What this host does not have, or does not let us read, is left out. The files
 * of the counters stay open, so that a sample is one pread() a file, and so that privileges can be
 * dropped after zwb_host_open(). Times are CLOCK_MONOTONIC.
 */
struct zwb_host;

struct zwb_host_config {
	/* In front of every path: NULL or "" is the host itself, tests have a made-up tree. */
	const char *root;
	/* "/w0": counters of this cgroup and those below it only; NULL: of all. */
	const char *cgroup;
	/*
	 * Cgroups that counters are taken of, upper levels first, 0: ZWB_HOST_CGROUPS. How many
	 * were left out is a fact.
	 */
	size_t nr_cgroups_max;
	/*
	 * Hides the names of cgroups and swap files; the command line and version of the kernel are
	 * left out. NULL: not. Copied.
	 */
	const struct zwb_anon *anon;
};

#define ZWB_HOST_CGROUPS 64u

/**
 * zwb_host_open() - find the swap devices and cgroups, open the files of counters.
 * @config: borrowed for the call.
 * Return: ZWB_OK; ZWB_EUSAGE when config->cgroup does not exist; ZWB_ENOMEM.
 */
int zwb_host_open(
	struct zwb_host **opened, const struct zwb_host_config *config, struct zwb_err *err);

/**
 * zwb_host_facts() - write the facts.
 * @phase: ZWB_PHASE_START at the beginning of a file; ZWB_PHASE_END after the recording, for what
 * has changed: parameters, and cgroups that are new.
 * Return: ZWB_OK; ZWB_ENOMEM; what zwb_markers_add() returned.
 */
int zwb_host_facts(struct zwb_host *host, enum zwb_phase phase, struct zwb_markers *markers,
	struct zwb_err *err);

/**
 * zwb_host_sample() - write the counters: all of them at the start and at the end, else those that
 * change and matter.
 * Return: as zwb_host_facts().
 */
int zwb_host_sample(struct zwb_host *host, enum zwb_phase phase, struct zwb_markers *markers,
	struct zwb_err *err);

/* What it cost so far. */
struct zwb_host_cost {
	uint64_t nr_samples; /* of ZWB_PHASE_SAMPLE */
	uint64_t total_ns; /* of CPU time, in them */
	uint64_t max_ns;
};

void zwb_host_cost(const struct zwb_host *host, struct zwb_host_cost *cost);

/** zwb_host_close() - NULL allowed. */
void zwb_host_close(struct zwb_host *host);

#endif
