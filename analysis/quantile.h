/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a percentile is known from so many samples. */
#ifndef ZWB_QUANTILE_H
#define ZWB_QUANTILE_H

#include "hist.h"

/* In the unit of the histogram; NAN: not bounded, there are too few samples on that side. */
struct zwb_quantile_bounds {
	double low, high;
};

/**
 * zwb_quantile_bounds() - 95 % interval of a percentile, by order statistics.
 * @ppm: rank in millionths, as for zwb_hist_percentile().
 *
 * Ranks between which the true percentile lies with at least 95 % whatever the distribution
 * (binomial; Conover 1999, section 3.2), and the outer edges of the buckets that they fall into.
 * Samples count as independent: it says how far so many samples determine a percentile, not how
 * much recordings differ.
 */
struct zwb_quantile_bounds zwb_quantile_bounds(const struct zwb_hist *h, uint32_t ppm);

#endif
