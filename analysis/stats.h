/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over recordings. */
#ifndef ZWB_STATS_H
#define ZWB_STATS_H

#include <stddef.h>

/* Over the values that are finite; NAN and infinities stand for "not measured". */
struct zwb_stats {
	size_t n;
	double mean; /* NAN if n is 0 */
	double sd; /* sample standard deviation (n - 1); NAN if n < 2 */
};

/** zwb_stats_of() - mean and spread of @values. */
struct zwb_stats zwb_stats_of(const double *values, size_t nr_values);

/** zwb_stats_delta_percent() - change from @baseline to @value; NAN if the baseline is 0 or NAN. */
double zwb_stats_delta_percent(double value, double baseline);

#endif
