/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs of kernels as a run, so that they stand in a comparison beside replays. */
#ifndef ZWB_MEASURED_RUN_H
#define ZWB_MEASURED_RUN_H

#include "err.h"
#include "run.h"

/*
 * One run of a kernel a line. What tells arms apart: kernel (or arm), then workload, sched, iocost
 * and writer, as far as there are such columns. What was measured: columns that are called like a
 * metric ("write requests", in its unit), counters that mean one ("nrswpout", "io_cost.indebt" in
 * microseconds), and those with a unit of their own: "build time (s)". A note says how many other
 * columns there are. Runs are left out as by zwb_measured_counts().
 */

/**
 * zwb_measured_run() - read a file of measured runs.
 * @workload: only runs of this one; NULL: all.
 * @version: ZWB_VERSION.
 * Return: ZWB_OK; ZWB_EENV; ZWB_EKIND without an arm or anything measured; ZWB_EUSAGE if there is
 * no such workload (the text names what there is); ZWB_EDATA; ZWB_ENOMEM.
 */
int zwb_measured_run(const char *path, const char *workload, const char *version,
	struct zwb_run **out, struct zwb_err *err);

#endif
