/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data of published worked examples, and a comparison of numbers. */
#ifndef ZWB_PUBLISHED_DATA_H
#define ZWB_PUBLISHED_DATA_H

#include "arms.h"

#include "zwb_test.h"

#include <math.h>

/* Hours of sleep gained by 10 patients under two drugs: Student, Biometrika 6 (1908), 1-25. */
static const double sleep_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double sleep_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

/*
 * Heights of 15 pairs of maize plants, in inches, self- and cross-fertilised: Darwin (1876), as in
 * Fisher, The Design of Experiments (1935), chapter 3.
 */
static const double maize_self[] = { 17.375, 20.375, 20, 20, 18.375, 18.625, 18.625, 15.25, 16.5,
	18, 16.25, 18, 12.75, 15.5, 18 };
static const double maize_cross[] = { 23.5, 12, 21, 22, 19.125, 21.5, 22.125, 20.375, 18.25, 21.625,
	23.25, 21, 22.125, 23, 12 };

/*
 * Survival of mice in days: Efron and Tibshirani, An Introduction to the Bootstrap (1993), table
 * 2.1.
 */
static const double mice_control[] = { 52, 104, 146, 10, 51, 30, 40, 27, 46 };
static const double mice_treated[] = { 94, 197, 16, 38, 99, 141, 23 };

/*
 * Hormone levels under patches: the same, table 25.1; z is old patch less placebo, y new patch less
 * old one, and y / z has to be shown small.
 */
static const double patch_z[] = { 8406, 2342, 8187, 8459, 4795, 3516, 4796, 10238 };
static const double patch_y[] = { -1200, 2601, -2705, 1982, -1290, 351, -638, -2719 };

#define ARMS(base_, other_, paired_)                                                               \
	((struct zwb_arms){ .base = (base_),                                                       \
		.nr_base = ZWB_ARRAY_LEN(base_),                                                   \
		.other = (other_),                                                                 \
		.nr_other = ZWB_ARRAY_LEN(other_),                                                 \
		.paired = (paired_) })

static inline void assert_close(double got, double expected, double tolerance)
{
	if (isnan(expected) ? !isnan(got) : !(fabs(got - expected) <= tolerance))
		fail_msg("%.12g instead of %.12g", got, expected);
}

#endif
