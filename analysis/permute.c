/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation tests: R. A. Fisher, The Design of Experiments (1935), section 21. Probabilities from
 * drawn permutations: Phipson and Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010), article 39.
 */
#include "signif.h"

#include "robust.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAYS 40000.0
#define NR_DRAWN 9999
#define SEED	 20261201 /* any; the values are shuffled, so it need not depend on them */

struct permuting {
	const struct zwb_arms *arms;
	enum zwb_center center;
	double *all; /* both arms behind each other */
	double *work; /* one dealt out */
	size_t *chosen; /* places of the base in all; signs as 0 and 1 if paired */
	double observed;
	double nr_ways, nr_as_far; /* tried, and of them at least as far apart */
};

static double ways(const struct zwb_arms *arms)
{
	double n = (double)(arms->nr_base + arms->nr_other), ways = 1;

	if (arms->paired)
		return exp2((double)arms->nr_base);
	for (size_t i = 1; i <= arms->nr_base; i++)
		ways *= (n - (double)(arms->nr_base - i)) / (double)i;
	return rint(ways);
}

double zwb_permute_least(const struct zwb_arms *arms)
{
	int mirrored = arms->paired || arms->nr_base == arms->nr_other;

	return (mirrored ? 2 : 1) / ways(arms);
}

/* How far apart the centers are with @p->chosen. */
static double distance_paired(const struct permuting *p)
{
	size_t nr = p->arms->nr_base;

	for (size_t i = 0; i < nr; i++) {
		double diff = p->all[nr + i] - p->all[i];

		p->work[i] = p->chosen[i] ? -diff : diff;
	}
	return fabs(zwb_center_of(p->center, p->work, nr));
}

static double distance_unpaired(const struct permuting *p)
{
	size_t nr_base = p->arms->nr_base, nr = nr_base + p->arms->nr_other;
	size_t next = 0, base = 0, other = nr_base;

	/* chosen places ascend */
	for (size_t i = 0; i < nr; i++) {
		if (next < nr_base && p->chosen[next] == i) {
			p->work[base++] = p->all[i];
			next++;
		} else {
			p->work[other++] = p->all[i];
		}
	}
	return fabs(zwb_center_of(p->center, p->work + nr_base, nr - nr_base) -
		    zwb_center_of(p->center, p->work, nr_base));
}

static double distance(const struct permuting *p)
{
	return p->arms->paired ? distance_paired(p) : distance_unpaired(p);
}

/* Sums in another order differ in the last bits: that is still as far. */
static void try_one(struct permuting *p)
{
	p->nr_ways++;
	p->nr_as_far += distance(p) >= p->observed * (1 - 1e-9);
}

/* The next way, in lexicographic order; 0 after the last one. */
static int next_paired(struct permuting *p)
{
	for (size_t i = 0; i < p->arms->nr_base; i++) {
		p->chosen[i] = !p->chosen[i];
		if (p->chosen[i])
			return 1;
	}
	return 0;
}

static int next_unpaired(struct permuting *p)
{
	size_t nr_base = p->arms->nr_base, nr = nr_base + p->arms->nr_other;

	for (size_t i = nr_base; i-- > 0;) {
		if (p->chosen[i] == nr - nr_base + i)
			continue;
		p->chosen[i]++;
		for (size_t k = i + 1; k < nr_base; k++)
			p->chosen[k] = p->chosen[k - 1] + 1;
		return 1;
	}
	return 0;
}

/* Signs, or places by selection sampling (Knuth, volume 2, algorithm 3.4.2 S). */
static void draw(struct permuting *p, gsl_rng *rng)
{
	size_t nr_base = p->arms->nr_base, nr = nr_base + p->arms->nr_other, taken = 0;

	for (size_t i = 0; p->arms->paired && i < nr_base; i++)
		p->chosen[i] = gsl_rng_uniform_int(rng, 2);
	for (size_t i = 0; !p->arms->paired && taken < nr_base; i++) {
		if (gsl_rng_uniform_int(rng, nr - i) < nr_base - taken)
			p->chosen[taken++] = i;
	}
}

static int permute(struct permuting *p, double *result, struct zwb_err *err)
{
	gsl_rng *rng;

	p->observed = distance(p);
	if (ways(p->arms) <= MAX_WAYS) {
		do
			try_one(p);
		while (p->arms->paired ? next_paired(p) : next_unpaired(p));
		*result = p->nr_as_far / p->nr_ways;
		return ZWB_OK;
	}
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (!rng)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to draw permutations");
	gsl_rng_set(rng, SEED);
	for (int i = 0; i < NR_DRAWN; i++) {
		draw(p, rng);
		try_one(p);
	}
	gsl_rng_free(rng);
	*result = (p->nr_as_far + 1) / (p->nr_ways + 1);
	return ZWB_OK;
}

int zwb_permute(const struct zwb_arms *arms, enum zwb_center center, double *p, struct zwb_err *err)
{
	size_t nr = arms->nr_base + arms->nr_other;
	struct permuting permuting = { .arms = arms, .center = center };
	int ret;

	*p = NAN;
	if (arms->nr_base == 0 || arms->nr_other == 0)
		return ZWB_OK;
	permuting.all = malloc(2 * nr * sizeof(double));
	permuting.chosen = malloc(arms->nr_base * sizeof(size_t));
	if (!permuting.all || !permuting.chosen) {
		free(permuting.all);
		free(permuting.chosen);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to permute %zu values", nr);
	}
	permuting.work = permuting.all + nr;
	memcpy(permuting.all, arms->base, arms->nr_base * sizeof(double));
	memcpy(permuting.all + arms->nr_base, arms->other, arms->nr_other * sizeof(double));
	/* the observed way: the base are the first places, no sign is turned */
	for (size_t i = 0; i < arms->nr_base; i++)
		permuting.chosen[i] = arms->paired ? 0 : i;
	ret = permute(&permuting, p, err);
	free(permuting.all);
	free(permuting.chosen);
	return ret;
}
