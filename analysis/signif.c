/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Welch's and the paired t test; Holm's correction, Scand. J. Stat. 6 (1979), 65-70. */
#include "signif.h"

#include "moments.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct zwb_t_test zwb_t_test(const struct zwb_arms *arms)
{
	struct zwb_t_test test = { NAN, NAN, NAN };
	struct zwb_moments m;
	double variance;

	if (arms->nr_base < 2 || arms->nr_other < 2)
		return test;
	m = zwb_moments_of(arms);
	variance = zwb_moments_variance(&m, 1);
	if (!(variance > 0))
		return test;
	test.t = (m.other - m.base) / sqrt(variance);
	test.freedom = zwb_moments_freedom(&m, 1);
	test.p = 2 * gsl_cdf_tdist_Q(fabs(test.t), test.freedom);
	return test;
}

int zwb_holm(double *p, size_t nr, struct zwb_err *err)
{
	double least = 0, *tested;
	size_t *places, *order, nr_tested = 0;

	if (nr == 0)
		return 0;
	if (nr > INT_MAX)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%zu tests are too many", nr);
	tested = malloc(nr * sizeof(*tested));
	places = malloc(2 * nr * sizeof(*places));
	if (!tested || !places) {
		free(tested);
		free(places);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to correct %zu tests", nr);
	}
	order = places + nr;
	for (size_t i = 0; i < nr; i++) {
		if (isnan(p[i]))
			continue;
		tested[nr_tested] = p[i];
		places[nr_tested++] = i;
	}
	gsl_sort_index(order, tested, 1, nr_tested);
	for (size_t i = 0; i < nr_tested; i++) {
		least = fmax(least, tested[order[i]] * (double)(nr_tested - i));
		p[places[order[i]]] = fmin(least, 1);
	}
	free(tested);
	free(places);
	return (int)nr_tested;
}
