/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a sweep that are done: in which run files, and all of them as one run. */
#ifndef ZWB_SWEEP_CELLS_H
#define ZWB_SWEEP_CELLS_H

#include "err.h"
#include "run.h"
#include "sweep_setup.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A cell is recognised by what its arm says of itself: recording, policy, device and seed, in a run
 * with the command and the version of this sweep. It does not matter which process wrote the file,
 * where it lay, or which other cells are in it.
 */
struct zwb_sweep_cells {
	const struct zwb_sweep_setup *setup;
	size_t begin, end; /* those that are wanted */
	uint8_t *is_done; /* [cell - begin] */
	size_t nr_done;
	char **files; /* that hold wanted cells, in the order in which they were found */
	size_t nr_files;
};

int zwb_sweep_cells_init(struct zwb_sweep_cells *cells, const struct zwb_sweep_setup *setup,
	size_t begin, size_t end, struct zwb_err *err);
void zwb_sweep_cells_release(struct zwb_sweep_cells *cells);

/**
 * zwb_sweep_cells_add() - note what a run file has.
 * Return: ZWB_OK; ZWB_EUSAGE if it is the result of something else; what zwb_run_read() returns.
 */
int zwb_sweep_cells_add(struct zwb_sweep_cells *cells, const char *path, struct zwb_err *err);

/** zwb_sweep_cells_note() - the same of a run that was just written to @path. */
int zwb_sweep_cells_note(struct zwb_sweep_cells *cells, const struct zwb_run *run, const char *path,
	struct zwb_err *err);

/** zwb_sweep_cells_are_in() - 1 if @path is the finished result of this part; else 0. */
int zwb_sweep_cells_are_in(const struct zwb_sweep_cells *cells, const char *path);

/**
 * zwb_sweep_cells_collect() - all wanted cells, which must be done, in the order of the plan.
 * Return: ZWB_OK; ZWB_EDATA if a recording is not the same in all files; ZWB_ENOMEM.
 */
int zwb_sweep_cells_collect(
	const struct zwb_sweep_cells *cells, struct zwb_run **out, struct zwb_err *err);

#endif
