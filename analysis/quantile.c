/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order-statistic intervals: W. J. Conover, Practical Nonparametric Statistics (1999), 3.2. */
#include "quantile.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define TAIL 0.025
#define PPM  1000000u
#define MANY 1000000u /* beyond, GSL's continued fraction does not converge */

/* P(at most @k of @n samples lie below the quantile @p), from the incomplete beta function. */
static double at_most(uint64_t k, uint64_t n, double p)
{
	double mean = (double)n * p;

	if (k >= n)
		return 1;
	if (n > MANY)
		return gsl_cdf_ugaussian_P(((double)k + 0.5 - mean) / sqrt(mean * (1 - p)));
	return gsl_cdf_beta_Q(p, (double)k + 1, (double)(n - k));
}

/* The smallest @k of [0, @n] with at_most(k) > @bound. */
static uint64_t first_above(uint64_t n, double p, double bound)
{
	uint64_t low = 0, high = n;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (at_most(middle, n, p) > bound)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The bucket of the value at @rank, which is from 1 to the count. */
static struct zwb_hist_bucket bucket_at(const struct zwb_hist *h, uint64_t rank)
{
	struct zwb_hist_bucket b = { 0 };
	uint64_t seen = 0;

	while (seen < rank && zwb_hist_next(h, &b))
		seen += b.count;
	return b;
}

struct zwb_quantile_bounds zwb_quantile_bounds(const struct zwb_hist *h, uint32_t ppm)
{
	struct zwb_quantile_bounds bounds = { NAN, NAN };
	double p = ppm / (double)PPM;
	uint64_t low, high;

	if (h->count == 0 || ppm == 0 || ppm >= PPM)
		return bounds;
	/* P(X(r) > q) = P(at most r - 1 below): the last r for which that is at most TAIL */
	low = first_above(h->count, p, TAIL);
	/* P(X(s) < q) = 1 - P(at most s - 1 below): the first s for which that is at most TAIL */
	high = first_above(h->count, p, 1 - TAIL) + 1;
	if (low > 0)
		bounds.low = fmax((double)bucket_at(h, low).first, (double)h->min);
	if (high <= h->count)
		bounds.high = fmin((double)bucket_at(h, high).last, (double)h->max);
	return bounds;
}
