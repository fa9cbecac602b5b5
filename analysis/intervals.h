/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of the ratio of two arms. */
#ifndef ZWB_INTERVALS_H
#define ZWB_INTERVALS_H

#include "arms.h"

#include "err.h"

/**
 * zwb_fieller() - 95 % interval of the ratio of two means.
 *
 * Fieller (1954): all ratios r for which a t test does not tell the mean of other - r * base from
 * 0. Paired arms: exact if the values are normal, for any n. Unpaired ones: with the degrees of
 * freedom of Welch and Satterthwaite, which depend on r. It contains 1 exactly if zwb_t_test()
 * gives p >= 0.05.
 * Return: none (NAN) if an arm has fewer than 2 values, or if the mean of @arms->base cannot be
 * told from 0, which leaves the ratio without bounds.
 */
struct zwb_interval zwb_fieller(const struct zwb_arms *arms);

/* Replicates that a report uses. */
#define ZWB_REPLICATES 4000

/* Fewer values than this in an arm, and the bootstrap has too little to draw from. */
#define ZWB_BOOTSTRAP_MIN 8

/**
 * zwb_bootstrap() - 95 % interval of the ratio of two centers.
 * @nr_replicates: how often to resample; 1000 at least.
 * @interval: set; none (NAN) if an arm has fewer than ZWB_BOOTSTRAP_MIN values or the base cannot
 * be told from 0.
 *
 * BCa (Efron 1987), with quantiles moved outward by as much as a t interval is wider than what
 * resampling n values gives (Hesterberg 2015): without it 8 values cover 89 %. Medians and trimmed
 * means are corrected for bias only. Random numbers are seeded from the values: the same arms give
 * the same interval.
 * Return: ZWB_OK or ZWB_ENOMEM.
 */
int zwb_bootstrap(const struct zwb_arms *arms, enum zwb_center center, size_t nr_replicates,
	struct zwb_interval *interval, struct zwb_err *err);

#endif
