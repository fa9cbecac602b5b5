/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probabilities of a difference by chance, one at a time and over a table. */
#ifndef ZWB_SIGNIF_H
#define ZWB_SIGNIF_H

#include "arms.h"

#include "err.h"

/* A difference that chance makes less often than this counts as shown. */
#define ZWB_ALPHA 0.05

/* Arms with fewer values than this are tested by permutation. */
#define ZWB_PERMUTE_BELOW 8

struct zwb_t_test {
	double t; /* positive if other is larger */
	double freedom;
	double p; /* two-sided */
};

/**
 * zwb_t_test() - of the difference of two means: Welch (1947), or of the differences if paired.
 * Return: all NAN for an arm with fewer than 2 values, and where nothing varies.
 */
struct zwb_t_test zwb_t_test(const struct zwb_arms *arms);

/**
 * zwb_permute() - two-sided probability that the centers differ as much, had arms been dealt out
 * at random: signs of the differences if paired, membership of an arm if not (Fisher 1935).
 * @p: set; NAN for an arm without values.
 *
 * Exact over all ways if there are at most 40,000; else over 9,999 drawn ones, with the observed
 * one counted (Phipson and Smyth 2010), always the same ones. Not below zwb_permute_least().
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_permute(
	const struct zwb_arms *arms, enum zwb_center center, double *p, struct zwb_err *err);

/** zwb_permute_least() - the smallest p that arms of this size can have, whatever the values. */
double zwb_permute_least(const struct zwb_arms *arms);

/**
 * zwb_holm() - probabilities corrected for being the best of several: Holm (1979).
 * @p: in: one a test; out: corrected, at most 1. NAN: not tested, and not counted.
 * Return: how many were tested; ZWB_ENOMEM.
 */
int zwb_holm(double *p, size_t nr, struct zwb_err *err);

#endif
