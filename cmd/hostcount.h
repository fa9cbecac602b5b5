/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's own counts of swap IO, whichever of its counters have them. */
#ifndef ZWB_HOSTCOUNT_H
#define ZWB_HOSTCOUNT_H

#include "meta.h"

/*
 * After minus before, of the first swap area. Other IO to the same place is counted too: a swap
 * partition has counters of its own, a swap file shares those of its disk.
 */

/**
 * zwb_hostcount_disk() - a field of diskstats: of the swap partition, else of its disk.
 * @source: set to the counter's name in the metadata, "disk vda".
 * Return: 1 and *@value, or 0 when it was not recorded.
 */
int zwb_hostcount_disk(
	const struct zwb_meta *m, const char *field, const char **source, int64_t *value);

/**
 * zwb_hostcount_cgroups() - a field of io.stat, summed over the cgroups right below the root, which
 * count what is below them.
 * Return: 1 and *@value; 0 when it was not recorded. A cgroup that has no count before has a count
 * of 0: it is younger, or had no IO.
 */
int zwb_hostcount_cgroups(const struct zwb_meta *m, const char *field, int64_t *value);

#endif
