/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture leaves in the kernel while it runs: whose it is, and how it is removed. */
#ifndef ZWB_SESSION_CLEAN_H
#define ZWB_SESSION_CLEAN_H

#include "err.h"

#include <stddef.h>

/*
 * A capture has one instance of the tracer and one group of dynamic events, both of this name, and
 * nothing else. They are ours whoever made them: they outlive a capture that was killed, and then
 * the next one removes them. Who holds the lock is the only capture that runs; the kernel drops the
 * lock with the process.
 */
#define ZWB_SESSION_NAME "zwb"

/**
 * zwb_session_lock() - become the capture that runs.
 * @fd: set to a descriptor to be closed when everything is removed.
 * Return: ZWB_OK; ZWB_EENV when another capture runs, tracefs is not mounted or not permitted.
 */
int zwb_session_lock(int *fd, struct zwb_err *err);

struct zwb_leftovers {
	size_t nr_instances; /* 0 or 1 */
	size_t nr_events; /* dynamic events */
};

/**
 * zwb_session_clean() - remove the instance and the events. The caller holds the lock.
 * @removed: filled with what was there and is gone; may be NULL.
 * Return: ZWB_OK; ZWB_EENV when something is left, because another program uses it.
 */
int zwb_session_clean(struct zwb_leftovers *removed, struct zwb_err *err);

/**
 * zwb_session_owns() - is a line of dynamic_events one of ours?
 * @line: "f:zwb/zstore zswap_store slot=..."; need not be terminated after its end of line.
 * @len: set to the length of the event's name.
 * Return: where the name begins, or NULL for a line of others.
 */
const char *zwb_session_owns(const char *line, size_t *len);

#endif
