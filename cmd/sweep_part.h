/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which cells of a sweep this process is to do. */
#ifndef ZWB_SWEEP_PART_H
#define ZWB_SWEEP_PART_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Part K of N has the cells from (K - 1) * cells / N up to K * cells / N: neighbours, so that a
 * part decodes as few traces as can be.
 */
struct zwb_sweep_part {
	uint64_t k, n; /* 1 <= k <= n */
};

#define ZWB_SWEEP_MAX_PARTS 100000u

/** zwb_sweep_part_parse() - "3/8". Return: ZWB_OK or ZWB_EUSAGE. */
int zwb_sweep_part_parse(const char *text, struct zwb_sweep_part *part, struct zwb_err *err);

/**
 * zwb_sweep_part_launched() - the part that whatever started this process has in mind for it.
 * @get: getenv(), or what a test puts in its place.
 *
 * mpirun of Open MPI says so in OMPI_COMM_WORLD_RANK and _SIZE; MPICH's, Intel's and srun with PMI
 * in PMI_RANK and PMI_SIZE. Without either it is part 1 of 1.
 * Return: ZWB_OK; ZWB_EUSAGE for variables that make no sense.
 */
int zwb_sweep_part_launched(
	char *(*get)(const char *name), struct zwb_sweep_part *part, struct zwb_err *err);

/** zwb_sweep_part_cells() - its cells: [*@begin, *@end) of @nr_cells. */
void zwb_sweep_part_cells(
	const struct zwb_sweep_part *part, size_t nr_cells, size_t *begin, size_t *end);

/**
 * zwb_sweep_part_path() - where the part goes: "sweep.h5" becomes "sweep.03-of-12.h5".
 * Return: allocated; @path itself when there is but one part; NULL without memory.
 */
char *zwb_sweep_part_path(const struct zwb_sweep_part *part, const char *path);

#endif
