/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bootstrap interval of a ratio of centers. BCa: B. Efron, J. Am. Stat. Assoc. 82 (1987), 171-185,
 * and Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 14. Acceleration of
 * two samples: Davison and Hinkley, Bootstrap Methods and their Application (1997), section 5.3.2.
 * Small samples: T. Hesterberg, Am. Stat. 69 (2015), 371-386, section 3.2.
 */
#include "intervals.h"
#include "moments.h"
#include "robust.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What quantiles are taken at: see Efron (1987). */
struct bca {
	double bias; /* z0 */
	double acceleration;
	double reach; /* quantile of the normal distribution, moved outward */
};

/* FNV-1a over what was measured, so that equal arms draw equal numbers. */
static uint32_t hash_values(uint32_t hash, const double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		unsigned char bytes[sizeof(double)];

		memcpy(bytes, &values[i], sizeof(bytes));
		for (size_t k = 0; k < sizeof(bytes); k++)
			hash = (hash ^ bytes[k]) * 16777619u;
	}
	return hash;
}

/* Draws as many values as there are; the same places from both arms if they are paired. */
static void resample(gsl_rng *rng, const struct zwb_arms *arms, double *base, double *other)
{
	for (size_t i = 0; i < arms->nr_base; i++) {
		size_t at = gsl_rng_uniform_int(rng, arms->nr_base);

		base[i] = arms->base[at];
		if (arms->paired)
			other[i] = arms->other[at];
	}
	for (size_t i = 0; !arms->paired && i < arms->nr_other; i++)
		other[i] = arms->other[gsl_rng_uniform_int(rng, arms->nr_other)];
}

/* Sums of squares and cubes of the influence that each value has on a ratio of means. */
static void add_influence(double influence, size_t nr, double *squares, double *cubes)
{
	double scaled = influence / (double)nr;

	*squares += scaled * scaled;
	*cubes += scaled * scaled * scaled;
}

static double acceleration(const struct zwb_arms *arms, const struct zwb_moments *m)
{
	double ratio = m->other / m->base, squares = 0, cubes = 0;

	for (size_t i = 0; i < arms->nr_other; i++) {
		double influence = (arms->other[i] - m->other) / m->base;

		if (arms->paired)
			influence -= ratio * (arms->base[i] - m->base) / m->base;
		add_influence(influence, arms->nr_other, &squares, &cubes);
	}
	for (size_t i = 0; !arms->paired && i < arms->nr_base; i++)
		add_influence(-ratio * (arms->base[i] - m->base) / m->base, arms->nr_base, &squares,
			&cubes);
	return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0;
}

/* Resampling n values gives (n - 1) / n of their variance, and a normal quantile instead of t. */
static double reach(const struct zwb_arms *arms, const struct zwb_moments *m)
{
	double ratio = m->other / m->base, n_base = (double)arms->nr_base,
	       n_other = (double)arms->nr_other;
	double freedom = zwb_moments_freedom(m, ratio);
	double t = gsl_cdf_tdist_Qinv((1 - ZWB_CONFIDENCE) / 2, freedom);
	double resampled = m->var_other * (n_other - 1) / n_other +
			   ratio * ratio * m->var_base * (n_base - 1) / n_base;
	double all = m->var_other + ratio * ratio * m->var_base;

	if (arms->paired)
		return t * sqrt(n_base / (n_base - 1));
	return resampled > 0 ? t * sqrt(all / resampled) : t;
}

/* Share of replicates below the estimate, as a normal quantile; ties count half. */
static double bias(const double *replicates, size_t nr, double estimate)
{
	double below = 0;

	for (size_t i = 0; i < nr; i++)
		below += replicates[i] < estimate ? 1 : replicates[i] == estimate ? 0.5 : 0;
	/* all on one side: as far as that many replicates can tell */
	below = fmin(fmax(below, 0.5), (double)nr - 0.5);
	return gsl_cdf_ugaussian_Pinv(below / (double)nr);
}

static double bca_quantile(const struct bca *b, const double *sorted, size_t nr, int sign)
{
	double z = b->bias + sign * b->reach;
	double p = gsl_cdf_ugaussian_P(b->bias + z / (1 - b->acceleration * z));
	/* the k-th of nr replicates stands for k / (nr + 1) */
	double at = p * (double)(nr + 1) - 1;
	size_t lower;

	if (!(at > 0))
		return sorted[0];
	if (at >= (double)(nr - 1))
		return sorted[nr - 1];
	lower = (size_t)at;
	return sorted[lower] + (at - (double)lower) * (sorted[lower + 1] - sorted[lower]);
}

static double ratio_of(
	enum zwb_center center, double *base, size_t nr_base, double *other, size_t nr_other)
{
	double other_center = zwb_center_of(center, other, nr_other);

	return other_center / zwb_center_of(center, base, nr_base);
}

static struct zwb_interval take_interval(const struct zwb_arms *arms, const struct zwb_moments *m,
	enum zwb_center center, double estimate, double *replicates, size_t nr)
{
	struct bca b = { .reach = reach(arms, m) };

	if (center == ZWB_CENTER_MEAN)
		b.acceleration = acceleration(arms, m);
	b.bias = bias(replicates, nr, estimate);
	gsl_sort(replicates, 1, nr);
	return (struct zwb_interval){ bca_quantile(&b, replicates, nr, -1),
		bca_quantile(&b, replicates, nr, 1) };
}

int zwb_bootstrap(const struct zwb_arms *arms, enum zwb_center center, size_t nr_replicates,
	struct zwb_interval *interval, struct zwb_err *err)
{
	size_t nr_values = arms->nr_base + arms->nr_other;
	struct zwb_interval bounded = zwb_fieller(arms);
	double *room, *replicates, estimate;
	struct zwb_moments m;
	gsl_rng *rng;

	*interval = (struct zwb_interval){ NAN, NAN };
	if (arms->nr_base < ZWB_BOOTSTRAP_MIN || arms->nr_other < ZWB_BOOTSTRAP_MIN ||
		isnan(bounded.low))
		return ZWB_OK;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	room = malloc((nr_values + nr_replicates) * sizeof(*room));
	if (!rng || !room) {
		if (rng)
			gsl_rng_free(rng);
		free(room);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to resample");
	}
	replicates = room + nr_values;
	gsl_rng_set(rng, hash_values(hash_values(2166136261u, arms->base, arms->nr_base),
				 arms->other, arms->nr_other));
	memcpy(room, arms->base, arms->nr_base * sizeof(*room));
	memcpy(room + arms->nr_base, arms->other, arms->nr_other * sizeof(*room));
	estimate = ratio_of(center, room, arms->nr_base, room + arms->nr_base, arms->nr_other);
	for (size_t i = 0; i < nr_replicates; i++) {
		resample(rng, arms, room, room + arms->nr_base);
		replicates[i] =
			ratio_of(center, room, arms->nr_base, room + arms->nr_base, arms->nr_other);
	}
	m = zwb_moments_of(arms);
	*interval = take_interval(arms, &m, center, estimate, replicates, nr_replicates);
	gsl_rng_free(rng);
	free(room);
	return ZWB_OK;
}
