/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over recordings. */
#include "stats.h"

#include <math.h>

struct zwb_stats zwb_stats_of(const double *values, size_t nr_values)
{
	struct zwb_stats s = { .mean = 0, .sd = NAN };
	double squares = 0;

	/* Welford (1962): no cancellation when the spread is small beside the mean */
	for (size_t i = 0; i < nr_values; i++) {
		double off;

		if (!isfinite(values[i]))
			continue;
		s.n++;
		off = values[i] - s.mean;
		s.mean += off / (double)s.n;
		squares += off * (values[i] - s.mean);
	}
	if (s.n == 0)
		s.mean = NAN;
	if (s.n > 1)
		s.sd = sqrt(squares / (double)(s.n - 1));
	return s;
}

double zwb_stats_delta_percent(double value, double baseline)
{
	if (!isfinite(value) || !isfinite(baseline) || baseline == 0)
		return NAN;
	return (value - baseline) / fabs(baseline) * 100;
}
