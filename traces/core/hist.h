/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mergeable histogram of uint64 values whose relative error is at most 0.1 %. */
#ifndef ZWB_HIST_H
#define ZWB_HIST_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Log-linear buckets, as in HdrHistogram: values below 2048 have a bucket each, every power of two
 * above is cut into 1024 buckets of equal width. A bucket is at most 1/1024 of its lowest value
 * wide and is represented by its middle, so that a percentile is wrong by at most 1/2048 (0.05 %)
 * of the value that it stands for. Count, sum, minimum and maximum are exact (the sum saturates).
 *
 * Counts live in blocks of 256 buckets that are allocated when first hit, at most ZWB_HIST_BLOCKS
 * times in the life of a histogram. Recording cannot fail: without memory the value is left out of
 * the buckets and no_memory is set, which zwb_run_arm_hist() and zwb_hist_merge() refuse.
 */

#define ZWB_HIST_SUB_BITS   10
#define ZWB_HIST_BLOCK_BITS 8
#define ZWB_HIST_BUCKETS    ((64u - ZWB_HIST_SUB_BITS + 1u) << ZWB_HIST_SUB_BITS)
#define ZWB_HIST_BLOCKS	    (ZWB_HIST_BUCKETS >> ZWB_HIST_BLOCK_BITS)
#define ZWB_HIST_BLOCK_MASK ((1u << ZWB_HIST_BLOCK_BITS) - 1u)

struct zwb_hist {
	uint64_t count;
	uint64_t sum; /* UINT64_MAX: saturated */
	uint64_t min; /* UINT64_MAX while empty */
	uint64_t max;
	int no_memory;
	uint64_t *blocks[ZWB_HIST_BLOCKS];
};

/* One bucket that is not empty. */
struct zwb_hist_bucket {
	uint32_t bucket;
	uint64_t first; /* lowest value that falls into it */
	uint64_t last; /* highest value that falls into it, inclusive */
	uint64_t count;
};

/** zwb_hist_init() - an empty histogram; allocates nothing. */
void zwb_hist_init(struct zwb_hist *h);

/** zwb_hist_release() - give the blocks back; the histogram is empty again. */
void zwb_hist_release(struct zwb_hist *h);

/** zwb_hist_bucket_of() - the bucket that @value falls into, below ZWB_HIST_BUCKETS. */
static inline uint32_t zwb_hist_bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < (UINT64_C(2) << ZWB_HIST_SUB_BITS))
		return (uint32_t)value;
	shift = 63u - ZWB_HIST_SUB_BITS - (unsigned int)__builtin_clzll(value);
	return (shift << ZWB_HIST_SUB_BITS) + (uint32_t)(value >> shift);
}

/** zwb_hist_grow() - the block of @bucket, allocated; NULL (and no_memory) without memory. */
uint64_t *zwb_hist_grow(struct zwb_hist *h, uint32_t bucket);

/** zwb_hist_record() - count one value. */
static inline void zwb_hist_record(struct zwb_hist *h, uint64_t value)
{
	uint32_t bucket = zwb_hist_bucket_of(value);
	uint64_t *block = h->blocks[bucket >> ZWB_HIST_BLOCK_BITS];

	if (__builtin_expect(!block, 0)) {
		block = zwb_hist_grow(h, bucket);
		if (!block)
			return;
	}
	block[bucket & ZWB_HIST_BLOCK_MASK]++;
	h->count++;
	if (__builtin_add_overflow(h->sum, value, &h->sum))
		h->sum = UINT64_MAX;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

/**
 * zwb_hist_merge() - add every value of @from to @into. Associative and commutative.
 * Return: ZWB_OK; ZWB_ENOMEM (also when either has no_memory set), @into is then unusable.
 */
int zwb_hist_merge(struct zwb_hist *into, const struct zwb_hist *from, struct zwb_err *err);

/**
 * zwb_hist_percentile() - the value at a rank, by the nearest-rank definition.
 * @ppm: rank in millionths: 500000 is the median, 999000 p99.9, 1000000 the maximum.
 *
 * The value of rank r = max(1, ceil(count * @ppm / 1000000)) in ascending order, represented by the
 * middle of its bucket within [min, max]; the first and the last rank are exact.
 * Return: the value; 0 while the histogram is empty.
 */
uint64_t zwb_hist_percentile(const struct zwb_hist *h, uint32_t ppm);

/**
 * zwb_hist_next() - the next bucket that is not empty, in ascending order.
 * @b: position and result; begin with a zeroed one.
 * Return: 1 and @b filled; 0 after the last bucket.
 */
int zwb_hist_next(const struct zwb_hist *h, struct zwb_hist_bucket *b);

/**
 * zwb_hist_load() - put @count values into @bucket of a histogram that is read back from a file.
 * Return: ZWB_OK; ZWB_EDATA for a bucket out of range, named twice or empty; ZWB_ENOMEM.
 */
int zwb_hist_load(struct zwb_hist *h, uint32_t bucket, uint64_t count, struct zwb_err *err);

/**
 * zwb_hist_seal() - give the exact figures to a histogram whose buckets were loaded.
 * @exact: count, sum, min and max; the rest is not looked at.
 * Return: ZWB_OK; ZWB_EDATA when the buckets contradict the figures.
 */
int zwb_hist_seal(struct zwb_hist *h, const struct zwb_hist *exact, struct zwb_err *err);

#endif
