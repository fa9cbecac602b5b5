/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a stream of records as a trace.dat. */
#ifndef ZWB_DATWRITER_SINK_H
#define ZWB_DATWRITER_SINK_H

#include "err.h"
#include "event.h"
#include "meta.h"

#include <stddef.h>

/*
 * Records become events of the group "zwb" and of the kernel's tracepoints, in the ring buffer of
 * their CPU. What a trace.dat has no place for is not written: cgroup paths, facts, counters, swap
 * geometry, losses. Memory is 64 KiB a CPU that has events.
 */
struct zwb_datsink;

/**
 * zwb_datsink_open() - start a file.
 * @meta: borrowed until finish() or abort(). nr_cpus, clock, kernel and start_ns are those of the
 * file; cgroups, devices and tasks are looked up as events need them, so they may grow meanwhile.
 * Return: ZWB_OK; ZWB_EUSAGE for an existing file without @force or an impossible number of CPUs;
 * ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_datsink_open(struct zwb_datsink **sink, const char *path, int force,
	const struct zwb_meta *meta, struct zwb_err *err);

/**
 * zwb_datsink_add() - append records, in time order.
 * Return: ZWB_OK; ZWB_EUSAGE for a record that no event stands for, or a CPU, cgroup or device that
 * the metadata does not have; ZWB_EENV; ZWB_ENOMEM. After a failure only abort() is left.
 */
int zwb_datsink_add(
	struct zwb_datsink *sink, const struct zwb_event *events, size_t nr, struct zwb_err *err);

/** zwb_datsink_finish() - put the file together; as zwb_datwriter_finish(). */
int zwb_datsink_finish(struct zwb_datsink *sink, struct zwb_err *err);

/** zwb_datsink_abort() - give up and leave no file; NULL allowed. */
void zwb_datsink_abort(struct zwb_datsink *sink);

#endif
