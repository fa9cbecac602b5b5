/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile "zipf": every task chooses a page by a zipf law and touches what lies from there to the
 * end of its block, then chooses again; now and then it gives some pages back. Blocks of about the
 * same rank are scattered over the memory. The law is kept as quantiles and is uniform between two
 * of them.
 */
#include "synth_priv.h"

#include <math.h>
#include <stdlib.h>

#define ZIPF_QUANTILE_BITS 12
#define ZIPF_NR_QUANTILES  (1u << ZIPF_QUANTILE_BITS)
#define ZIPF_REST_BITS	   (32 - ZIPF_QUANTILE_BITS)
#define ZIPF_BLOCK_PAGES   32u
#define ZIPF_TOUCHES	   32u /* at most, before another CPU has its turn */
#define ZIPF_DISCARD_ODDS  4096u /* touches from one discard to the next, on average */
#define ZIPF_DISCARD_PAGES 256u /* most that are given back at once */

struct zipf {
	uint32_t nr_pages; /* of a task, in whole blocks */
	uint32_t nr_blocks;
	uint32_t stride; /* prime to nr_blocks: rank of a block times stride is its place */
	uint32_t quantiles[ZIPF_NR_QUANTILES + 1]; /* ranks */
	uint32_t next_pages[]; /* of each task; at the start of a block it chooses another */
};

static uint32_t zipf_gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void zipf_set_quantiles(struct zipf *z, double exponent)
{
	double total = 0, sum = 0;
	uint32_t next = 0;

	for (uint32_t rank = 0; rank < z->nr_pages; rank++)
		total += pow(rank + 1.0, -exponent);
	for (uint32_t rank = 0; rank < z->nr_pages; rank++) {
		while (next < ZIPF_NR_QUANTILES && sum * ZIPF_NR_QUANTILES >= next * total)
			z->quantiles[next++] = rank;
		sum += pow(rank + 1.0, -exponent);
	}
	while (next <= ZIPF_NR_QUANTILES)
		z->quantiles[next++] = z->nr_pages;
}

static int zipf_init(struct synth_machine *m, const struct zwb_synth_params *params, void **state,
	struct zwb_err *err)
{
	struct zipf *z = calloc(1, sizeof(*z) + m->nr_tasks * sizeof(z->next_pages[0]));

	if (!z)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a zipf law");
	z->nr_blocks = m->nr_task_pages / ZIPF_BLOCK_PAGES;
	z->nr_pages = z->nr_blocks * ZIPF_BLOCK_PAGES;
	z->stride = (uint32_t)(z->nr_blocks * 0.6180339887) | 1u; /* golden ratio: spreads well */
	while (zipf_gcd(z->nr_blocks, z->stride) != 1)
		z->stride += 2;
	zipf_set_quantiles(z, params->skew_percent / 100.0);
	*state = z;
	return ZWB_OK;
}

static void zipf_release(void *state)
{
	free(state);
}

/* A page of the task, counted from its first one. */
static uint32_t zipf_page(const struct zipf *z, struct synth_machine *m)
{
	uint32_t bits = (uint32_t)gsl_rng_get(m->rng);
	uint32_t low = z->quantiles[bits >> ZIPF_REST_BITS];
	uint32_t high = z->quantiles[(bits >> ZIPF_REST_BITS) + 1];
	uint64_t rest = bits & ((1u << ZIPF_REST_BITS) - 1);
	uint32_t rank = low + (uint32_t)(rest * (high - low) >> ZIPF_REST_BITS);
	uint64_t block = (uint64_t)(rank / ZIPF_BLOCK_PAGES) * z->stride % z->nr_blocks;

	return (uint32_t)block * ZIPF_BLOCK_PAGES + rank % ZIPF_BLOCK_PAGES;
}

static void zipf_act(void *state, struct synth_machine *m, struct synth_task *t)
{
	struct zipf *z = state;

	for (uint32_t i = 0; i < ZIPF_TOUCHES; i++) {
		uint32_t page = z->next_pages[t->index];

		if (page % ZIPF_BLOCK_PAGES == 0)
			page = zipf_page(z, m);
		z->next_pages[t->index] = page + 1;

		if (synth_random(m, ZIPF_DISCARD_ODDS) == 0) {
			uint32_t nr = 1 + synth_random(m, ZIPF_DISCARD_PAGES);

			if (nr > z->nr_pages - page)
				nr = z->nr_pages - page;
			synth_discard(m, t, t->first_page + page, t->first_page + page + nr);
			return;
		}
		if (!synth_touch(m, t, t->first_page + page))
			return;
	}
}

const struct synth_profile synth_profile_zipf = {
	.name = "zipf",
	.summary = "tasks that touch their memory by a zipf law",
	.init = zipf_init,
	.release = zipf_release,
	.act = zipf_act,
};
