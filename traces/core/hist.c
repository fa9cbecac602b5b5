/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log-linear histogram; after Gil Tene's HdrHistogram, with blocks allocated when first hit. */
#include "hist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_LEN (1u << ZWB_HIST_BLOCK_BITS)
#define PPM	  UINT64_C(1000000)

void zwb_hist_init(struct zwb_hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void zwb_hist_release(struct zwb_hist *h)
{
	for (size_t i = 0; i < ZWB_HIST_BLOCKS; i++)
		free(h->blocks[i]);
	zwb_hist_init(h);
}

uint64_t *zwb_hist_grow(struct zwb_hist *h, uint32_t bucket)
{
	uint64_t **block = &h->blocks[bucket >> ZWB_HIST_BLOCK_BITS];

	if (!*block)
		*block = calloc(BLOCK_LEN, sizeof(**block));
	if (!*block)
		h->no_memory = 1;
	return *block;
}

static int hist_lost_values(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a histogram");
}

/* The figures of @from join those of @into; the buckets are done. */
static void hist_join(
	struct zwb_hist *into, uint64_t count, uint64_t sum, uint64_t min, uint64_t max)
{
	into->count += count;
	if (__builtin_add_overflow(into->sum, sum, &into->sum))
		into->sum = UINT64_MAX;
	if (min < into->min)
		into->min = min;
	if (max > into->max)
		into->max = max;
}

int zwb_hist_merge(struct zwb_hist *into, const struct zwb_hist *from, struct zwb_err *err)
{
	if (into->no_memory || from->no_memory)
		return hist_lost_values(err);
	for (uint32_t i = 0; i < ZWB_HIST_BLOCKS; i++) {
		uint64_t *block;

		if (!from->blocks[i])
			continue;
		block = zwb_hist_grow(into, i << ZWB_HIST_BLOCK_BITS);
		if (!block)
			return hist_lost_values(err);
		for (uint32_t k = 0; k < BLOCK_LEN; k++)
			block[k] += from->blocks[i][k];
	}
	hist_join(into, from->count, from->sum, from->min, from->max);
	return ZWB_OK;
}

void zwb_hist_bounds(uint32_t bucket, uint64_t *first, uint64_t *last)
{
	uint32_t sub = (1u << ZWB_HIST_SUB_BITS) - 1u;
	unsigned int shift;

	if (bucket < (2u << ZWB_HIST_SUB_BITS)) {
		*first = bucket;
		*last = bucket;
		return;
	}
	shift = (bucket >> ZWB_HIST_SUB_BITS) - 1u;
	*first = (uint64_t)((bucket & sub) + sub + 1u) << shift;
	*last = *first + ((UINT64_C(1) << shift) - 1u);
}

int zwb_hist_next(const struct zwb_hist *h, struct zwb_hist_bucket *b)
{
	/* A zeroed position stands before bucket 0, any other one on the bucket it returned. */
	uint32_t i = b->count ? b->bucket + 1 : b->bucket;

	while (i < ZWB_HIST_BUCKETS) {
		const uint64_t *block = h->blocks[i >> ZWB_HIST_BLOCK_BITS];

		if (!block) {
			i = (i | ZWB_HIST_BLOCK_MASK) + 1;
			continue;
		}
		if (block[i & ZWB_HIST_BLOCK_MASK]) {
			b->bucket = i;
			b->count = block[i & ZWB_HIST_BLOCK_MASK];
			zwb_hist_bounds(i, &b->first, &b->last);
			return 1;
		}
		i++;
	}
	return 0;
}

/* ceil(count * ppm / 1000000), at least 1, without overflow. */
static uint64_t hist_rank(uint64_t count, uint32_t ppm)
{
	uint64_t rank;

	if (ppm > PPM)
		ppm = (uint32_t)PPM;
	rank = count / PPM * ppm + (count % PPM * ppm + PPM - 1) / PPM;
	return rank ? rank : 1;
}

/* The middle of a bucket, within what was recorded. */
static uint64_t hist_middle(uint32_t bucket, uint64_t min, uint64_t max)
{
	uint64_t first, last, value;

	zwb_hist_bounds(bucket, &first, &last);
	value = first + (last - first) / 2;
	if (value < min)
		return min;
	return value > max ? max : value;
}

uint64_t zwb_hist_percentile(const struct zwb_hist *h, uint32_t ppm)
{
	uint64_t rank = hist_rank(h->count, ppm), seen = 0;
	struct zwb_hist_bucket b = { 0 };

	if (h->count == 0)
		return 0;
	if (rank == 1)
		return h->min;
	if (rank >= h->count)
		return h->max;
	while (seen < rank && zwb_hist_next(h, &b))
		seen += b.count;
	return hist_middle(b.bucket, h->min, h->max);
}

/* -- packed -- */

int zwb_hist_pack(const struct zwb_hist *h, struct zwb_hist_packed *to, struct zwb_err *err)
{
	struct zwb_hist_bucket b = { 0 };
	size_t nr = 0;

	*to = (struct zwb_hist_packed){
		.count = h->count, .sum = h->sum, .min = h->min, .max = h->max
	};
	if (h->no_memory)
		return hist_lost_values(err);
	while (zwb_hist_next(h, &b))
		nr++;
	if (nr == 0)
		return ZWB_OK;
	to->buckets = malloc(nr * sizeof(*to->buckets));
	if (!to->buckets)
		return hist_lost_values(err);
	memset(&b, 0, sizeof(b));
	while (to->nr_buckets < nr && zwb_hist_next(h, &b))
		to->buckets[to->nr_buckets++] =
			(struct zwb_hist_count){ .bucket = b.bucket, .count = b.count };
	return ZWB_OK;
}

void zwb_hist_packed_release(struct zwb_hist_packed *p)
{
	free(p->buckets);
	*p = (struct zwb_hist_packed){ .min = UINT64_MAX };
}

int zwb_hist_packed_check(const struct zwb_hist_packed *p, struct zwb_err *err)
{
	uint64_t count = 0;

	for (size_t i = 0; i < p->nr_buckets; i++) {
		const struct zwb_hist_count *b = &p->buckets[i];

		if (b->bucket >= ZWB_HIST_BUCKETS || (i && b->bucket <= b[-1].bucket))
			return zwb_err_set(err, ZWB_EDATA, 0,
				"histogram bucket %" PRIu32 " of %u is out of order", b->bucket,
				ZWB_HIST_BUCKETS);
		if (b->count == 0 || __builtin_add_overflow(count, b->count, &count))
			return zwb_err_set(err, ZWB_EDATA, 0,
				"histogram bucket %" PRIu32 " holds %" PRIu64, b->bucket, b->count);
	}
	if (count != p->count)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"histogram of %" PRIu64 " values, its buckets hold %" PRIu64, p->count,
			count);
	if (count && (p->min > p->max || zwb_hist_bucket_of(p->min) != p->buckets[0].bucket ||
			     zwb_hist_bucket_of(p->max) != p->buckets[p->nr_buckets - 1].bucket))
		return zwb_err_set(
			err, ZWB_EDATA, 0, "histogram minimum or maximum lies outside its buckets");
	return ZWB_OK;
}

int zwb_hist_merge_packed(
	struct zwb_hist *into, const struct zwb_hist_packed *from, struct zwb_err *err)
{
	for (size_t i = 0; i < from->nr_buckets; i++) {
		uint32_t bucket = from->buckets[i].bucket;
		uint64_t *block = zwb_hist_grow(into, bucket);

		if (!block)
			break;
		block[bucket & ZWB_HIST_BLOCK_MASK] += from->buckets[i].count;
	}
	if (into->no_memory)
		return hist_lost_values(err);
	if (from->count)
		hist_join(into, from->count, from->sum, from->min, from->max);
	return ZWB_OK;
}

uint64_t zwb_hist_packed_percentile(const struct zwb_hist_packed *p, uint32_t ppm)
{
	uint64_t rank = hist_rank(p->count, ppm), seen = 0;
	size_t i = 0;

	if (p->count == 0)
		return 0;
	if (rank == 1)
		return p->min;
	if (rank >= p->count)
		return p->max;
	while (i + 1 < p->nr_buckets && (seen += p->buckets[i].count) < rank)
		i++;
	return hist_middle(p->buckets[i].bucket, p->min, p->max);
}
