/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One picture of a comparison into a file, by gnuplot. */
#ifndef ZWB_PLOT_H
#define ZWB_PLOT_H

#include "compare.h"
#include "err.h"
#include "run.h"

#include <stddef.h>

struct zwb_plot_request {
	const char *path; /* ends in .svg or .png */
	const char *picture; /* its name; NULL: the first one */
	int force;
};

/**
 * zwb_plot() - compare @runs and draw one picture of the comparison.
 * Return: ZWB_OK; ZWB_EUSAGE for another ending, and for a picture that there is not (the text
 * names what there is); ZWB_EENV without gnuplot, or when it fails; what zwb_compare() returns.
 */
int zwb_plot(const struct zwb_plot_request *request, const struct zwb_run *const *runs,
	size_t nr_runs, const struct zwb_compare_options *options, struct zwb_err *err);

#endif
