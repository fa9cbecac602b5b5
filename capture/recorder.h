/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the kernel's ring-buffer pages into a file, as they fill up. */
#ifndef ZWB_RECORDER_H
#define ZWB_RECORDER_H

#include "datwriter.h"
#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * One thread serves all CPUs: it sleeps until a buffer is half full or the flush interval is over,
 * reads whole pages and writes them as they are. It looks at no event. What it costs are one read()
 * a page and one write() for many.
 */
struct zwb_recorder;

struct zwb_recorder_config {
	const int *fds; /* trace_pipe_raw by CPU, non-blocking, -1: none; borrowed until stop() */
	uint32_t nr_cpus;
	uint64_t buffer_bytes; /* of one CPU's ring buffer */
	uint64_t flush_ns; /* how often everything is read and the writer is flushed */
	struct zwb_datwriter *writer; /* borrowed until stop() */
};

/* What was moved. */
struct zwb_recorder_stats {
	uint64_t nr_pages;
	uint64_t max_gap_ns; /* longest time between two looks at the buffers */
};

/**
 * zwb_recorder_start() - begin to read.
 * Return: ZWB_OK; ZWB_EENV when there can be no thread; ZWB_ENOMEM.
 */
int zwb_recorder_start(struct zwb_recorder **recorder, const struct zwb_recorder_config *config,
	struct zwb_err *err);

/** zwb_recorder_fd() - readable when the thread has ended by itself, because something failed. */
int zwb_recorder_fd(const struct zwb_recorder *r);

/**
 * zwb_recorder_stop() - read what is left and end the thread; frees @r. To be called when nothing
 * is recorded any more. NULL allowed.
 * @stats: filled; may be NULL.
 * Return: ZWB_OK, or what failed: ZWB_EENV, ZWB_ENOMEM.
 */
int zwb_recorder_stop(
	struct zwb_recorder *r, struct zwb_recorder_stats *stats, struct zwb_err *err);

/* Out of buffers that were overwritten again and again. */
struct zwb_recorder_window {
	uint64_t nr_pages; /* written */
	uint64_t from_ns; /* from here on all CPUs have all events; 0: nothing was overwritten */
};

/**
 * zwb_recorder_drain() - write what is in the buffers now, without a thread. To be called while
 * nothing is recorded. What was overwritten before is no loss, but a busy CPU's buffer goes back
 * less far than that of an idle one: pages from before what all of them have are left out.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_recorder_drain(const struct zwb_recorder_config *config, struct zwb_recorder_window *window,
	struct zwb_err *err);

#endif
