/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison of a given size can show. */
#ifndef ZWB_POWER_H
#define ZWB_POWER_H

#include <stdint.h>

/* A difference counts as detectable if a t test at the 5 % level finds it in 80 % of cases. */
#define ZWB_POWER 0.8

/** zwb_nct_cdf() - P(T <= @t) of the noncentral t distribution: Lenth (1989), AS 243. */
double zwb_nct_cdf(double t, double freedom, double noncentrality);

/** zwb_power_of() - chance that a two-sided t test at the 5 % level finds a difference. */
double zwb_power_of(double freedom, double noncentrality);

/** zwb_power_needed() - the noncentrality that is found with a chance of ZWB_POWER. */
double zwb_power_needed(double freedom);

/* Spread of the two arms, whatever its unit; of paired ones the sd of the differences. */
struct zwb_spread {
	double sd_base, sd_other; /* paired: sd_base is that of the differences, sd_other unused */
	int paired;
};

/** zwb_detectable() - smallest difference that @n values an arm show; NAN for n < 2. */
double zwb_detectable(const struct zwb_spread *spread, uint64_t n);

/**
 * zwb_n_needed() - values an arm that it takes to show @difference.
 * Return: at least 3; 0 if there is no difference, nothing known of the spread, or if more than
 * 1,000,000 are needed.
 */
uint64_t zwb_n_needed(const struct zwb_spread *spread, double difference);

#endif
