/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means and (co)variances of two arms. */
#include "moments.h"

#include "stats.h"

static double covariance(const struct zwb_arms *arms, double base, double other)
{
	double sum = 0;

	for (size_t i = 0; i < arms->nr_base; i++)
		sum += (arms->base[i] - base) * (arms->other[i] - other);
	return sum / (double)(arms->nr_base - 1);
}

struct zwb_moments zwb_moments_of(const struct zwb_arms *arms)
{
	struct zwb_stats base = zwb_stats_of(arms->base, arms->nr_base);
	struct zwb_stats other = zwb_stats_of(arms->other, arms->nr_other);
	struct zwb_moments m = {
		.base = base.mean,
		.other = other.mean,
		.var_base = base.sd * base.sd / (double)base.n,
		.var_other = other.sd * other.sd / (double)other.n,
		.free_base = (double)base.n - 1,
		.free_other = (double)other.n - 1,
		.paired = arms->paired,
	};

	if (arms->paired)
		m.cov = covariance(arms, base.mean, other.mean) / (double)base.n;
	return m;
}

double zwb_moments_variance(const struct zwb_moments *m, double ratio)
{
	double variance = m->var_other + ratio * ratio * m->var_base - 2 * ratio * m->cov;

	/* what is exactly proportional leaves rounding errors of either sign */
	return variance > 1e-14 * (m->var_other + ratio * ratio * m->var_base) ? variance : 0;
}

double zwb_moments_freedom(const struct zwb_moments *m, double ratio)
{
	double base = ratio * ratio * m->var_base, other = m->var_other;

	if (m->paired || base + other == 0)
		return m->free_other;
	return (base + other) * (base + other) /
	       (base * base / m->free_base + other * other / m->free_other);
}
