/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Median, MAD, trimmed mean; outliers and groups. */
#include "robust.h"

#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define MAD_TO_SD     1.4826022185056018 /* 1 / the 0.75 quantile of the normal distribution */
#define OUTLIER_ALPHA 0.01 /* F. E. Grubbs, Technometrics 11 (1969), 1-21 */
#define TRIMMED	      0.2 /* on either side; Wilcox (2012), section 3.2.6 */

double zwb_median(double *values, size_t nr)
{
	if (nr == 0)
		return NAN;
	gsl_sort(values, 1, nr);
	return gsl_stats_median_from_sorted_data(values, 1, nr);
}

double zwb_mad(double *values, size_t nr)
{
	double median = zwb_median(values, nr);

	for (size_t i = 0; i < nr; i++)
		values[i] = fabs(values[i] - median);
	return MAD_TO_SD * zwb_median(values, nr);
}

double zwb_trimmed_mean(double *values, size_t nr)
{
	size_t cut = (size_t)floor(TRIMMED * (double)nr);

	if (nr == 0)
		return NAN;
	gsl_sort(values, 1, nr);
	return gsl_stats_mean(values + cut, 1, nr - 2 * cut);
}

double zwb_center_of(enum zwb_center center, double *values, size_t nr)
{
	double sum = 0;

	switch (center) {
	case ZWB_CENTER_MEDIAN:
		return zwb_median(values, nr);
	case ZWB_CENTER_TRIMMED:
		return zwb_trimmed_mean(values, nr);
	case ZWB_CENTER_MEAN:
		break;
	}
	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return nr ? sum / (double)nr : (double)NAN;
}

/* How many standard deviations the furthest of @nr normal values lies off in 99 of 100 cases. */
static double grubbs_bound(size_t nr)
{
	double n = (double)nr, t = gsl_cdf_tdist_Qinv(OUTLIER_ALPHA / (2 * n), n - 2);

	return (n - 1) / sqrt(n) * sqrt(t * t / (n - 2 + t * t));
}

size_t zwb_outliers(const double *values, size_t nr, double *scratch)
{
	size_t low = 0, high = nr;

	memcpy(scratch, values, nr * sizeof(*values));
	gsl_sort(scratch, 1, nr);
	/* the furthest is the first or the last of those that are left */
	while (high - low >= ZWB_OUTLIER_MIN) {
		struct zwb_stats s = zwb_stats_of(scratch + low, high - low);
		double below = s.mean - scratch[low], above = scratch[high - 1] - s.mean;

		if (!(fmax(below, above) > grubbs_bound(high - low) * s.sd))
			break;
		low += below > above;
		high -= below <= above;
	}
	return nr - (high - low);
}

/* Sum of squared distances from the mean, from sums. */
static double squares(double sum, double sum_squares, size_t nr)
{
	return sum_squares - sum * sum / (double)nr;
}

/*
 * Share of the variance that is left inside two groups. Uniform values leave 1/4 in the limit and
 * normal ones 1 - 2/pi; few values leave less by chance. By simulation (docs/statistics.md), 1 % of
 * samples of n uniform values leave less than this, and fewer of other shapes with one peak.
 */
static double groups_bound(size_t nr)
{
	return 0.25 - 0.64 / sqrt((double)nr);
}

size_t zwb_two_groups(const double *values, size_t nr, double *scratch)
{
	double sum = 0, all = 0, left = 0, left_squares = 0, least = HUGE_VAL, mean;
	size_t best = 0, edge = nr / 4;

	if (nr < ZWB_GROUPS_MIN)
		return 0;
	memcpy(scratch, values, nr * sizeof(*values));
	gsl_sort(scratch, 1, nr);
	mean = gsl_stats_mean(scratch, 1, nr);
	for (size_t i = 0; i < nr; i++) {
		scratch[i] -= mean;
		sum += scratch[i];
		all += scratch[i] * scratch[i];
	}
	for (size_t i = 0; i + edge < nr; i++) {
		double within;

		left += scratch[i];
		left_squares += scratch[i] * scratch[i];
		if (i + 1 < edge)
			continue;
		within = squares(left, left_squares, i + 1) +
			 squares(sum - left, all - left_squares, nr - i - 1);
		if (within < least) {
			least = within;
			best = i + 1;
		}
	}
	return all > 0 && least < groups_bound(nr) * all ? best : 0;
}
