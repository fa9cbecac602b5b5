/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centers and spreads that single values do not move, and warnings about such values. */
#ifndef ZWB_ROBUST_H
#define ZWB_ROBUST_H

#include "arms.h"

#include <stddef.h>

/** zwb_median() - of @values, which are put into ascending order; NAN if there are none. */
double zwb_median(double *values, size_t nr);

/**
 * zwb_mad() - median distance from the median, times 1.4826: the standard deviation, if the values
 * are normal.
 * @values: put into ascending order and then overwritten.
 */
double zwb_mad(double *values, size_t nr);

/** zwb_trimmed_mean() - mean without the lowest and highest fifth of @values, which are sorted. */
double zwb_trimmed_mean(double *values, size_t nr);

/** zwb_center_of() - the center of @values, which are put into another order. */
double zwb_center_of(enum zwb_center center, double *values, size_t nr);

/* Fewer values than these say nothing about outliers or groups. */
#define ZWB_OUTLIER_MIN 5
#define ZWB_GROUPS_MIN	8

/**
 * zwb_outliers() - how many values chance does not explain, one after the other.
 * @scratch: room for @nr values.
 * Grubbs (1969) at the 1 % level, repeated without the value that was found. 0 for fewer than
 * ZWB_OUTLIER_MIN values; so many are always left.
 */
size_t zwb_outliers(const double *values, size_t nr, double *scratch);

/**
 * zwb_two_groups() - how many values belong to the lower of two groups.
 * @scratch: room for @nr values.
 * Return: 0 if the values do not fall into two: if cutting them in two at the best place, with at
 * least a quarter of them on either side, leaves more variance than normal or uniform values of
 * that number leave in all but 1 % of cases.
 */
size_t zwb_two_groups(const double *values, size_t nr, double *scratch);

#endif
