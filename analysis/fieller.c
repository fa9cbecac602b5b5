/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fieller's interval: E. C. Fieller, J. R. Stat. Soc. B 16 (1954), 175-185. */
#include "intervals.h"
#include "moments.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MAX_STEPS 100

/*
 * The lower (@sign -1) or upper (+1) root of (other - r base)^2 = t^2 var(r), in r, with the t of
 * @freedom; NAN if the solutions are not one bounded interval.
 */
static double fieller_root(const struct zwb_moments *m, double freedom, int sign)
{
	double t = gsl_cdf_tdist_Qinv((1 - ZWB_CONFIDENCE) / 2, freedom), t2 = t * t;
	double a = m->base * m->base - t2 * m->var_base;
	double b = m->base * m->other - t2 * m->cov;
	double c = m->other * m->other - t2 * m->var_other;
	double discriminant = b * b - a * c;

	if (!(a > 0))
		return NAN;
	return (b + sign * sqrt(discriminant > 0 ? discriminant : 0)) / a;
}

/* The degrees of freedom are those at the root itself: repeated until they agree. */
static double fieller_bound(const struct zwb_moments *m, int sign)
{
	double r = m->other / m->base;

	for (int i = 0; i < MAX_STEPS; i++) {
		double next = fieller_root(m, zwb_moments_freedom(m, r), sign);

		if (!isfinite(next) || fabs(next - r) <= 1e-13 * fabs(next))
			return next;
		r = next;
	}
	return r;
}

struct zwb_interval zwb_fieller(const struct zwb_arms *arms)
{
	const struct zwb_interval none = { NAN, NAN };
	struct zwb_interval interval;
	struct zwb_moments m;

	if (arms->nr_base < 2 || arms->nr_other < 2)
		return none;
	m = zwb_moments_of(arms);
	if (m.base == 0)
		return none;
	interval.low = fieller_bound(&m, -1);
	interval.high = fieller_bound(&m, 1);
	return isfinite(interval.low) && isfinite(interval.high) ? interval : none;
}
