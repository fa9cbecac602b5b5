/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device of Q equal servers: a request holds one of them for a fixed time plus a time for each
 * page, times a log-normal noise of mean 1. Requests wait for the server that is free first, in the
 * order of issue. Nothing in it is fitted to any device; the defaults resemble a mid-range SSD.
 */
#include "device_ops.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

#define LINEAR_MAX_DEPTH   64
#define LINEAR_NOISE_STEPS 1024
#define LINEAR_ONE	   65536u /* a noise factor of 1 */
#define LINEAR_MAX_NS	   1000000000

enum {
	LINEAR_READ_RQ,
	LINEAR_READ_PAGE,
	LINEAR_WRITE_RQ,
	LINEAR_WRITE_PAGE,
	LINEAR_DEPTH,
	LINEAR_NOISE,
};

static const struct zwb_param linear_params[] = {
	[LINEAR_READ_RQ] = { "read_request", "ns", "service time of a read, without its pages", 0,
		LINEAR_MAX_NS, 80000, NULL },
	[LINEAR_READ_PAGE] = { "read_page", "ns", "service time of each page read", 0,
		LINEAR_MAX_NS, 2500, NULL },
	[LINEAR_WRITE_RQ] = { "write_request", "ns", "service time of a write, without its pages",
		0, LINEAR_MAX_NS, 25000, NULL },
	[LINEAR_WRITE_PAGE] = { "write_page", "ns", "service time of each page written", 0,
		LINEAR_MAX_NS, 9500, NULL },
	[LINEAR_DEPTH] = { "depth", "requests", "requests served at the same time", 1,
		LINEAR_MAX_DEPTH, 8, NULL },
	[LINEAR_NOISE] = { "noise", "%", "coefficient of variation of the service time", 0, 300, 20,
		NULL },
	{ 0 },
};

struct linear {
	uint64_t service_ns[2][2]; /* [write][request, page] */
	uint64_t free_ns[LINEAR_MAX_DEPTH];
	uint64_t seed, nr_issued;
	unsigned int depth;
	uint32_t noise[LINEAR_NOISE_STEPS]; /* quantiles of the noise factor, in 1/65536 */
};

/* Sebastiano Vigna's splitmix64: a hash of a counter, so that noise does not depend on history. */
static uint64_t linear_hash(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/*
 * A log-normal of mean 1 and coefficient of variation c has sigma^2 = ln(1 + c^2) and
 * mu = -sigma^2 / 2. The table holds the middle quantile of each of its steps.
 */
static void linear_init_noise(struct linear *d, int64_t percent)
{
	double c = (double)percent / 100.0;
	double sigma = sqrt(log1p(c * c));

	for (int i = 0; i < LINEAR_NOISE_STEPS; i++) {
		double p = (i + 0.5) / LINEAR_NOISE_STEPS;
		double factor =
			percent ? gsl_cdf_lognormal_Pinv(p, -sigma * sigma / 2, sigma) : 1.0;

		d->noise[i] = (uint32_t)lrint(factor * LINEAR_ONE);
	}
}

static void linear_init(void *state, const int64_t *params, uint64_t seed)
{
	struct linear *d = state;

	d->service_ns[0][0] = (uint64_t)params[LINEAR_READ_RQ];
	d->service_ns[0][1] = (uint64_t)params[LINEAR_READ_PAGE];
	d->service_ns[1][0] = (uint64_t)params[LINEAR_WRITE_RQ];
	d->service_ns[1][1] = (uint64_t)params[LINEAR_WRITE_PAGE];
	d->depth = (unsigned int)params[LINEAR_DEPTH];
	d->seed = linear_hash(seed);
	linear_init_noise(d, params[LINEAR_NOISE]);
}

static uint64_t linear_issue(void *state, uint64_t now_ns, const struct zwb_dev_rq *rq)
{
	struct linear *d = state;
	const uint64_t *cost = d->service_ns[rq->is_write != 0];
	uint64_t service = cost[0] + cost[1] * rq->nr_pages;
	uint64_t noise = d->noise[linear_hash(d->seed ^ d->nr_issued++) % LINEAR_NOISE_STEPS];
	unsigned int first = 0;
	uint64_t start;

	for (unsigned int i = 1; i < d->depth; i++) {
		if (d->free_ns[i] < d->free_ns[first])
			first = i;
	}
	start = d->free_ns[first] > now_ns ? d->free_ns[first] : now_ns;
	service = (uint64_t)(((unsigned __int128)service * noise) / LINEAR_ONE);
	d->free_ns[first] = start + (service ? service : 1);
	return d->free_ns[first];
}

extern const struct zwb_device_ops zwb_device_linear;

const struct zwb_device_ops zwb_device_linear = {
	.name = "linear",
	.summary = "Q servers, a time a request and a time a page, log-normal noise; not fitted",
	.params = linear_params,
	.state_bytes = sizeof(struct linear),
	.init = linear_init,
	.issue = linear_issue,
};
