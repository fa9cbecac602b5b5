/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that keeps zswap busy: page faults in a cgroup that has too little memory for them. */
#ifndef ZWB_LOAD_H
#define ZWB_LOAD_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * One task touches pages at random that are more than twice the memory of its cgroup. Half of a
 * page is noise, so that zswap stores it in about half of its size. Where a cgroup can have a limit
 * of zswap it gets one, so that zswap writes back as well. What is touched follows from the seed.
 *
 * The cgroup is "zwb-overhead-PID" right below the root. Nothing else is changed: where memory is
 * not among the controllers of the root's children, there is no load.
 */
struct zwb_load;

#define ZWB_LOAD_MEMORY_BYTES (32ull << 20) /* the limit */
#define ZWB_LOAD_ZSWAP_BYTES  (4ull << 20) /* likewise */
#define ZWB_LOAD_TOUCH_BYTES  (72ull << 20) /* what is touched */

/**
 * zwb_load_open() - make the cgroup. What killed ones have left is removed first.
 * @opened: set.
 * @root: in front of every path; "" is the host itself.
 * Return: ZWB_OK; ZWB_EENV without a unified hierarchy, its memory controller or swap; ZWB_ENOMEM.
 */
int zwb_load_open(struct zwb_load **opened, const char *root, uint64_t seed, struct zwb_err *err);

/** zwb_load_set_touches() - how much zwb_load_work() does. */
void zwb_load_set_touches(struct zwb_load *load, uint64_t nr_touches);
uint64_t zwb_load_touches(const struct zwb_load *load);

/**
 * zwb_load_work() - join the cgroup and touch pages. To be called in a process of its own, which
 * exits afterwards, and is killed when its parent dies.
 * Return: its exit status: 0, or 1 when it could not join, or got no memory.
 */
int zwb_load_work(struct zwb_load *load);

/**
 * zwb_load_close() - kill what is in the cgroup and remove it; frees @load. NULL allowed.
 * Return: ZWB_OK; ZWB_EENV when the cgroup could not be removed.
 */
int zwb_load_close(struct zwb_load *load, struct zwb_err *err);

/**
 * zwb_load_clean() - remove cgroups of processes that are no more.
 * @nr: set to how many; may be NULL.
 * Return: ZWB_OK, also without a unified hierarchy; ZWB_EENV when one could not be removed;
 * ZWB_ENOMEM.
 */
int zwb_load_clean(const char *root, size_t *nr, struct zwb_err *err);

#endif
