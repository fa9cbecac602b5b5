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

int zwb_hist_merge(struct zwb_hist *into, const struct zwb_hist *from, struct zwb_err *err)
{
	if (into->no_memory || from->no_memory)
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "a histogram lost values for want of memory");
	for (uint32_t i = 0; i < ZWB_HIST_BLOCKS; i++) {
		uint64_t *block;

		if (!from->blocks[i])
			continue;
		block = zwb_hist_grow(into, i << ZWB_HIST_BLOCK_BITS);
		if (!block)
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to merge histograms");
		for (uint32_t k = 0; k < BLOCK_LEN; k++)
			block[k] += from->blocks[i][k];
	}
	into->count += from->count;
	if (__builtin_add_overflow(into->sum, from->sum, &into->sum))
		into->sum = UINT64_MAX;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	return ZWB_OK;
}

/* Lowest and highest value of a bucket: the inverse of zwb_hist_bucket_of(). */
static void hist_bounds(struct zwb_hist_bucket *b)
{
	uint32_t sub = (1u << ZWB_HIST_SUB_BITS) - 1u;
	unsigned int shift;

	if (b->bucket < (2u << ZWB_HIST_SUB_BITS)) {
		b->first = b->bucket;
		b->last = b->bucket;
		return;
	}
	shift = (b->bucket >> ZWB_HIST_SUB_BITS) - 1u;
	b->first = (uint64_t)((b->bucket & sub) + sub + 1u) << shift;
	b->last = b->first + ((UINT64_C(1) << shift) - 1u);
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
			hist_bounds(b);
			return 1;
		}
		i++;
	}
	return 0;
}

uint64_t zwb_hist_percentile(const struct zwb_hist *h, uint32_t ppm)
{
	struct zwb_hist_bucket b = { 0 };
	uint64_t rank, value, seen = 0;

	if (h->count == 0)
		return 0;
	if (ppm > PPM)
		ppm = (uint32_t)PPM;
	/* ceil(count * ppm / PPM) without overflow */
	rank = h->count / PPM * ppm + (h->count % PPM * ppm + PPM - 1) / PPM;
	if (rank <= 1)
		return h->min;
	if (rank >= h->count)
		return h->max;
	while (seen < rank && zwb_hist_next(h, &b))
		seen += b.count;
	value = b.first + (b.last - b.first) / 2;
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

int zwb_hist_load(struct zwb_hist *h, uint32_t bucket, uint64_t count, struct zwb_err *err)
{
	uint64_t *block, total;

	if (bucket >= ZWB_HIST_BUCKETS)
		return zwb_err_set(err, ZWB_EDATA, 0, "histogram bucket %" PRIu32 " of %u", bucket,
			ZWB_HIST_BUCKETS);
	block = zwb_hist_grow(h, bucket);
	if (!block)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a histogram");
	if (count == 0 || block[bucket & ZWB_HIST_BLOCK_MASK] != 0)
		return zwb_err_set(err, ZWB_EDATA, 0, "histogram bucket %" PRIu32 " is %s", bucket,
			count ? "there twice" : "empty");
	if (__builtin_add_overflow(h->count, count, &total))
		return zwb_err_set(err, ZWB_EDATA, 0, "histogram counts overflow");
	h->count = total;
	block[bucket & ZWB_HIST_BLOCK_MASK] = count;
	return ZWB_OK;
}

int zwb_hist_seal(struct zwb_hist *h, const struct zwb_hist *exact, struct zwb_err *err)
{
	struct zwb_hist_bucket b = { 0 };
	uint32_t lowest = ZWB_HIST_BUCKETS, highest = ZWB_HIST_BUCKETS;

	while (zwb_hist_next(h, &b)) {
		if (lowest == ZWB_HIST_BUCKETS)
			lowest = b.bucket;
		highest = b.bucket;
	}
	if (h->count != exact->count)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"histogram of %" PRIu64 " values, its buckets hold %" PRIu64, exact->count,
			h->count);
	if (h->count &&
		(zwb_hist_bucket_of(exact->min) != lowest ||
			zwb_hist_bucket_of(exact->max) != highest || exact->min > exact->max))
		return zwb_err_set(
			err, ZWB_EDATA, 0, "histogram minimum or maximum lies outside its buckets");
	h->sum = exact->sum;
	h->min = h->count ? exact->min : UINT64_MAX;
	h->max = h->count ? exact->max : 0;
	return ZWB_OK;
}
