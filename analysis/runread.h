/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads run.h5 back. */
#ifndef ZWB_RUNREAD_H
#define ZWB_RUNREAD_H

#include "err.h"
#include "run.h"

/* More than this in memory is taken for a damaged or hostile file. */
#define ZWB_RUNREAD_MAX_BYTES ((uint64_t)1 << 30)

/**
 * zwb_run_read() - a whole run file.
 * @path: borrowed.
 * @out: filled; the caller frees it with zwb_run_free().
 *
 * Nothing in the file is believed: rows that point to rows that are not there, values of no known
 * class, histograms that contradict themselves and tables that would not fit into
 * ZWB_RUNREAD_MAX_BYTES are refused. Metrics that this version does not know are kept by name.
 * Return: ZWB_OK; ZWB_EKIND if @path is not a run file or of a newer schema; ZWB_EDATA if it is
 * damaged; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_run_read(const char *path, struct zwb_run **out, struct zwb_err *err);

/** zwb_run_read_within() - the same with another limit than ZWB_RUNREAD_MAX_BYTES. */
int zwb_run_read_within(
	const char *path, uint64_t max_bytes, struct zwb_run **out, struct zwb_err *err);

#endif
