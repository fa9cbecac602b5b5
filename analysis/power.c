/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of t tests. R. V. Lenth, Appl. Stat. 38 (1989), 185-189: algorithm AS 243. */
#include "power.h"

#include "signif.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#define MAX_TERMS 2000
#define ENOUGH	  1e-12
#define MAX_N	  1000000u

/* Terms of the series; Lenth's names. */
struct series {
	double p, q; /* Poisson weights */
	double x_odd, x_even; /* incomplete beta functions */
	double g_odd, g_even; /* what they fall by */
	double left; /* weight of the terms to come */
};

/* Sum of the series for t > 0, below AS 243's normal term. */
static double nct_series(double x, double freedom, double noncentrality)
{
	double lambda = noncentrality * noncentrality, a = 0.5, b = 0.5 * freedom;
	double log_rest = b * log1p(-x);
	struct series s = {
		.p = 0.5 * exp(-0.5 * lambda),
		.q = 0.79788456080286535588 * 0.5 * exp(-0.5 * lambda) * noncentrality,
	};
	double sum;

	s.left = 0.5 - s.p;
	s.x_odd = gsl_cdf_beta_P(x, a, b);
	s.g_odd = 2 * exp(log_rest + a * log(x) - gsl_sf_lnbeta(a, b));
	s.x_even = -expm1(log_rest);
	s.g_even = b * x * exp(log_rest);
	sum = s.p * s.x_odd + s.q * s.x_even;
	for (int n = 1; n < MAX_TERMS && fabs(2 * s.left * (s.x_odd - s.g_odd)) > ENOUGH; n++) {
		a++;
		s.x_odd -= s.g_odd;
		s.x_even -= s.g_even;
		s.g_odd *= x * (a + b - 1) / a;
		s.g_even *= x * (a + b - 0.5) / (a + 0.5);
		s.p *= lambda / (2 * n);
		s.q *= lambda / (2 * n + 1);
		s.left -= s.p;
		sum += s.p * s.x_odd + s.q * s.x_even;
	}
	return sum;
}

double zwb_nct_cdf(double t, double freedom, double noncentrality)
{
	double x = t * t / (t * t + freedom), cdf;

	if (t < 0)
		return 1 - zwb_nct_cdf(-t, freedom, -noncentrality);
	cdf = gsl_cdf_ugaussian_P(-noncentrality);
	if (x > 0)
		cdf += nct_series(x, freedom, noncentrality);
	return fmin(fmax(cdf, 0), 1);
}

double zwb_power_of(double freedom, double noncentrality)
{
	double t = gsl_cdf_tdist_Qinv(ZWB_ALPHA / 2, freedom);

	return 1 - zwb_nct_cdf(t, freedom, noncentrality) + zwb_nct_cdf(-t, freedom, noncentrality);
}

double zwb_power_needed(double freedom)
{
	double low = 0, high = 1;

	while (zwb_power_of(freedom, high) < ZWB_POWER)
		high *= 2;
	while (high - low > 1e-10 * high) {
		double middle = (low + high) / 2;

		if (zwb_power_of(freedom, middle) < ZWB_POWER)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Standard error and degrees of freedom with @n values an arm. */
static double standard_error(const struct zwb_spread *s, double n, double *freedom)
{
	double base = s->sd_base * s->sd_base / n, other = s->sd_other * s->sd_other / n;

	*freedom = n - 1;
	if (s->paired)
		return sqrt(base);
	if (base + other > 0)
		*freedom =
			(base + other) * (base + other) * (n - 1) / (base * base + other * other);
	return sqrt(base + other);
}

double zwb_detectable(const struct zwb_spread *spread, uint64_t n)
{
	double freedom, error;

	if (n < 2 || !isfinite(spread->sd_base) || (!spread->paired && !isfinite(spread->sd_other)))
		return NAN;
	error = standard_error(spread, (double)n, &freedom);
	return error * zwb_power_needed(freedom);
}

static int is_enough(const struct zwb_spread *spread, double difference, uint64_t n)
{
	double freedom, error = standard_error(spread, (double)n, &freedom);

	/* beyond 30 the power is 1 for any n from 3 on, and the series would underflow */
	return error * 30 <= difference || zwb_power_of(freedom, difference / error) >= ZWB_POWER;
}

uint64_t zwb_n_needed(const struct zwb_spread *spread, double difference)
{
	uint64_t low = 2, high = 3;

	difference = fabs(difference);
	if (!(difference > 0) || !isfinite(difference) || isnan(zwb_detectable(spread, low)))
		return 0;
	while (!is_enough(spread, difference, high)) {
		low = high;
		high *= 2;
		if (high > MAX_N)
			return 0;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (is_enough(spread, difference, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}
