/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder in which finished cells are kept until a sweep is whole. */
#ifndef ZWB_SWEEP_KEEP_H
#define ZWB_SWEEP_KEEP_H

#include "err.h"
#include "sweep_cells.h"

#include <stddef.h>

/*
 * "sweep.h5.cells" beside the output: run files of some cells each, which appear when they are
 * whole. Whoever works on a sweep holds a lock on the folder, which the kernel gives back when the
 * process dies.
 */
struct zwb_sweep_keep {
	char *path;
	int fd; /* of the folder; carries the lock */
};

/**
 * zwb_sweep_keep_open() - make the folder, or take over what a killed sweep left in it.
 * @output: of the sweep.
 * @force: throw away what is of another sweep.
 * @cells: told what is there.
 * @nr_damaged: how many files in it were damaged and are gone now.
 * Return: ZWB_OK; ZWB_EUSAGE if the folder is of another sweep and not @force; ZWB_EENV, also when
 * another process is at it; ZWB_ENOMEM.
 */
int zwb_sweep_keep_open(struct zwb_sweep_keep *keep, const char *output, int force,
	struct zwb_sweep_cells *cells, size_t *nr_damaged, struct zwb_err *err);

/** zwb_sweep_keep_write() - keep the arms of @run; @cell is the first of them. */
int zwb_sweep_keep_write(const struct zwb_sweep_keep *keep, const struct zwb_run *run, size_t cell,
	struct zwb_sweep_cells *cells, struct zwb_err *err);

/** zwb_sweep_keep_remove() - the sweep is whole: remove the folder and what is in it. */
void zwb_sweep_keep_remove(struct zwb_sweep_keep *keep);

/** zwb_sweep_keep_close() - leave the folder to the next one; no-op when not open. */
void zwb_sweep_keep_close(struct zwb_sweep_keep *keep);

#endif
