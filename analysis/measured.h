/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs of kernels, from a CSV file: counters over the run, one run a row. */
#ifndef ZWB_MEASURED_H
#define ZWB_MEASURED_H

#include "csvread.h"
#include "err.h"
#include "stats.h"

#include <stddef.h>

/*
 * The first row names the columns. Wanted are kernel, workload and pswpout (pages written to swap);
 * nrswpout (swap write bios) and swap_w_ios or w_ios (writes that the disk completed) are used when
 * they are there. A run whose bad, trace or traced is not 0 is left out: it failed, or recording
 * disturbed it.
 */
struct zwb_measured;

/**
 * zwb_measured_read() - read a file of measured runs.
 * Return: ZWB_OK; ZWB_EENV; ZWB_EKIND without the wanted columns; ZWB_EDATA for a row with another
 * number of cells or no number where one is due (names the line); ZWB_ENOMEM.
 */
int zwb_measured_read(const char *path, struct zwb_measured **out, struct zwb_err *err);
void zwb_measured_free(struct zwb_measured *m);

/**
 * zwb_measured_counts() - whether the run in the present line of a file counts.
 * Return: 1; 0 if its bad, trace or traced is not 0; ZWB_EDATA if one of them is no number.
 */
int zwb_measured_counts(const struct zwb_csv *csv, struct zwb_err *err);

/* Per 1,000 pages written, over the runs of one kernel. */
struct zwb_measured_ratios {
	struct zwb_stats bios, requests;
};

/** zwb_measured_ratios() - @workload NULL: of all workloads. */
int zwb_measured_ratios(const struct zwb_measured *m, const char *kernel, const char *workload,
	struct zwb_measured_ratios *ratios, struct zwb_err *err);

/** zwb_measured_workload() - name of the @i-th workload in order of appearance, NULL at the end. */
const char *zwb_measured_workload(const struct zwb_measured *m, size_t i);

#endif
