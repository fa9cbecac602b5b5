/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the result of replays to run.h5. */
#ifndef ZWB_RUNFILE_H
#define ZWB_RUNFILE_H

#include "err.h"
#include "run.h"

/*
 * The layout is described in traces/FORMAT.md. The file depends on nothing but the run: no dates,
 * no names of machines, rows in the order of the run.
 */

/**
 * zwb_runfile_write() - write a run; the file appears under its name when it is whole.
 * @run: borrowed; all arms added.
 * @path: name of the file.
 * @force: replace an existing file.
 * Return: ZWB_OK; ZWB_EUSAGE if @path exists and not @force; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_runfile_write(const struct zwb_run *run, const char *path, int force, struct zwb_err *err);

#endif
