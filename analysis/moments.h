/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means and (co)variances of two arms: what t tests and intervals share. */
#ifndef ZWB_MOMENTS_H
#define ZWB_MOMENTS_H

#include "arms.h"

/* Variances are of the means: already divided by n. */
struct zwb_moments {
	double base, other; /* means */
	double var_base, var_other, cov; /* cov is 0 for unpaired arms */
	double free_base, free_other; /* degrees of freedom */
	int paired;
};

/** zwb_moments_of() - of arms with at least 2 values each. */
struct zwb_moments zwb_moments_of(const struct zwb_arms *arms);

/** zwb_moments_variance() - of the mean of other - @ratio * base. */
double zwb_moments_variance(const struct zwb_moments *m, double ratio);

/** zwb_moments_freedom() - its degrees of freedom; after Welch and Satterthwaite if unpaired. */
double zwb_moments_freedom(const struct zwb_moments *m, double ratio);

#endif
