/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zswap pool as the recording shows it: trigger=recorded keeps stores, loads and frees. */
#ifndef ZWB_POOL_H
#define ZWB_POOL_H

#include "event.h"
#include "slots.h"
#include "tasktab.h"

#include <stddef.h>

/* Follows the events of one recording; the same for every policy, so there is one a recording. */
struct zwb_pool {
	struct zwb_slots *slots;
	struct zwb_tasktab tasks; /* the call that each task is in */
	int status; /* ZWB_OK, or why it cannot go on */
};

/** zwb_pool_init() - see zwb_slots_create(). */
int zwb_pool_init(
	struct zwb_pool *pool, uint64_t nr_slots, bool loads_are_exclusive, struct zwb_err *err);
void zwb_pool_release(struct zwb_pool *pool);

/**
 * zwb_pool_events() - follow a block of events.
 * Return: ZWB_OK; ZWB_ENOMEM; ZWB_EDATA when more tasks are in a call than can be.
 */
int zwb_pool_events(struct zwb_pool *pool, const struct zwb_event *events, size_t nr_events,
	struct zwb_err *err);

#endif
