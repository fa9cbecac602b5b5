/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that others published: means without n. */
#ifndef ZWB_PUBLISHED_H
#define ZWB_PUBLISHED_H

#include "compare.h"
#include "err.h"

/*
 * A CSV file with the columns table, source, workload, condition, metric, unit, arm_a, a_mean,
 * a_sd, arm_b, b_mean, b_sd and delta_pct. Means, deviations and the change may be empty. Rows of
 * one table, condition and pair of arms are one group; the columns of the comparison are its arms.
 *
 * Without n there is no interval, no p and no verdict. What can be said is whether the printed
 * change follows from the printed means, and what 3 or 5 runs with such deviations could have
 * shown.
 */

struct zwb_published_options {
	const char *metrics; /* comma-separated; NULL: all */
	double assumed_cv; /* sd / mean of means without a deviation; NAN: nothing is assumed */
};

/** zwb_published_is() - 1 if the first line of @path names these columns; 0 if not; an error. */
int zwb_published_is(const char *path, struct zwb_err *err);

/**
 * zwb_published_compare() - lay such a file out as a comparison, which zwb_comparison_free() frees.
 * Return: ZWB_OK; ZWB_EKIND without the columns; ZWB_EUSAGE if nothing is selected; ZWB_EDATA;
 * ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_published_compare(const char *path, const struct zwb_published_options *options,
	const char *version, struct zwb_comparison **out, struct zwb_err *err);

#endif
