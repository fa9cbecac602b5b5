/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The histogram against closed forms: ranks of known sequences, the error bound, merging. */
#include "zwb_test.h"

#include "hist.h"

#include <stdlib.h>
#include <string.h>

/* Numerical Recipes' 64-bit LCG constants; the tests only need spread-out values. */
static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> (*state >> 58); /* all magnitudes are likely */
}

static struct zwb_hist *filled(uint64_t seed, unsigned int nr)
{
	struct zwb_hist *h = malloc(sizeof(*h));

	assert_non_null(h);
	zwb_hist_init(h);
	while (nr--)
		zwb_hist_record(h, next_random(&seed));
	return h;
}

static void dispose(struct zwb_hist *h)
{
	zwb_hist_release(h);
	free(h);
}

static void assert_same(const struct zwb_hist *a, const struct zwb_hist *b)
{
	struct zwb_hist_bucket x = { 0 }, y = { 0 };

	assert_int_equal(a->count, b->count);
	assert_int_equal(a->sum, b->sum);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->max, b->max);
	while (zwb_hist_next(a, &x)) {
		assert_true(zwb_hist_next(b, &y));
		assert_int_equal(x.bucket, y.bucket);
		assert_int_equal(x.count, y.count);
	}
	assert_false(zwb_hist_next(b, &y));
}

static void hist__buckets_cover_all_values_without_gap(void **state)
{
	/* 2047 is the last exact value; 2048 starts buckets of 2, 4096 of 4, 2^63 of 2^53. */
	static const struct {
		uint64_t value;
		uint32_t bucket;
		uint64_t first, last;
	} rows[] = {
		{ 0, 0, 0, 0 },
		{ 2047, 2047, 2047, 2047 },
		{ 2048, 2048, 2048, 2049 },
		{ 2049, 2048, 2048, 2049 },
		{ 2050, 2049, 2050, 2051 },
		{ 4095, 3071, 4094, 4095 },
		{ 4096, 3072, 4096, 4099 },
		{ UINT64_MAX, ZWB_HIST_BUCKETS - 1, UINT64_MAX - (UINT64_C(1) << 53) + 1,
			UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_hist h;
		struct zwb_hist_bucket b = { 0 };

		zwb_hist_init(&h);
		zwb_hist_record(&h, rows[i].value);
		assert_true(zwb_hist_next(&h, &b));
		assert_int_equal(b.bucket, rows[i].bucket);
		assert_int_equal(b.first, rows[i].first);
		assert_int_equal(b.last, rows[i].last);
		assert_int_equal(b.count, 1);
		assert_false(zwb_hist_next(&h, &b));
		zwb_hist_release(&h);
	}
}

static void hist__neighbouring_buckets_touch(void **state)
{
	struct zwb_hist h;
	struct zwb_hist_bucket b = { 0 };
	uint64_t expected_first = 0;

	(void)state;
	zwb_hist_init(&h);
	for (uint32_t i = 0; i < ZWB_HIST_BUCKETS; i++)
		assert_int_equal(zwb_hist_load(&h, i, 1, NULL), ZWB_OK);
	for (uint32_t i = 0; i < ZWB_HIST_BUCKETS; i++) {
		assert_true(zwb_hist_next(&h, &b));
		assert_int_equal(b.first, expected_first);
		assert_int_equal(zwb_hist_bucket_of(b.first), i);
		assert_int_equal(zwb_hist_bucket_of(b.last), i);
		expected_first = b.last + 1; /* wraps to 0 behind the last bucket */
	}
	assert_int_equal(expected_first, 0);
	zwb_hist_release(&h);
}

/* Sequence 1..1000: the value at nearest rank ceil(p * 1000) is the rank itself, and exact. */
static void hist__percentiles_of_a_sequence_are_its_ranks(void **state)
{
	static const struct {
		uint32_t ppm;
		uint64_t value;
	} rows[] = {
		{ 0, 1 },
		{ 1, 1 }, /* ceil(0.001) = 1 */
		{ 1000, 1 },
		{ 1001, 2 }, /* ceil(1.001) = 2 */
		{ 500000, 500 },
		{ 500001, 501 },
		{ 900000, 900 },
		{ 950000, 950 },
		{ 990000, 990 },
		{ 999000, 999 },
		{ 999001, 1000 },
		{ 1000000, 1000 },
		{ UINT32_MAX, 1000 },
	};
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	for (uint64_t v = 1000; v > 0; v--)
		zwb_hist_record(&h, v);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++)
		assert_int_equal(zwb_hist_percentile(&h, rows[i].ppm), rows[i].value);
	assert_int_equal(h.sum, 500500); /* 1000 * 1001 / 2 */
	zwb_hist_release(&h);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The bound is promised for every rank of any values: compare with the sorted values themselves. */
static void hist__percentile_error_is_below_a_thousandth(void **state)
{
	enum { NR = 20000 };
	uint64_t *values = malloc(NR * sizeof(*values));
	struct zwb_hist h;

	(void)state;
	assert_non_null(values);
	for (uint64_t seed = 1; seed <= 5; seed++) {
		uint64_t random = seed;

		zwb_hist_init(&h);
		for (size_t i = 0; i < NR; i++) {
			values[i] = next_random(&random);
			zwb_hist_record(&h, values[i]);
		}
		qsort(values, NR, sizeof(*values), compare_u64);
		for (uint32_t ppm = 0; ppm <= 1000000; ppm += 50) {
			size_t rank = ((size_t)ppm * NR + 999999) / 1000000;
			uint64_t truth = values[rank ? rank - 1 : 0];
			uint64_t got = zwb_hist_percentile(&h, ppm);
			uint64_t off = got > truth ? got - truth : truth - got;

			assert_true(off <= truth / 1000);
		}
		zwb_hist_release(&h);
	}
	free(values);
}

static void hist__empty_has_no_buckets_and_percentile_zero(void **state)
{
	struct zwb_hist h;
	struct zwb_hist_bucket b = { 0 };

	(void)state;
	zwb_hist_init(&h);
	assert_int_equal(zwb_hist_percentile(&h, 500000), 0);
	assert_false(zwb_hist_next(&h, &b));
	zwb_hist_release(&h);
}

static void hist__sum_saturates(void **state)
{
	struct zwb_hist h;

	(void)state;
	zwb_hist_init(&h);
	zwb_hist_record(&h, UINT64_MAX - 1);
	assert_int_equal(h.sum, UINT64_MAX - 1);
	zwb_hist_record(&h, 7);
	assert_int_equal(h.sum, UINT64_MAX);
	assert_int_equal(h.min, 7);
	assert_int_equal(h.max, UINT64_MAX - 1);
	zwb_hist_release(&h);
}

static void hist__merge_equals_recording_everything_into_one(void **state)
{
	struct zwb_hist *a = filled(11, 5000), *b = filled(12, 300), *both = filled(11, 5000);
	uint64_t seed = 12;

	(void)state;
	for (int i = 0; i < 300; i++)
		zwb_hist_record(both, next_random(&seed));
	assert_int_equal(zwb_hist_merge(a, b, NULL), ZWB_OK);
	assert_same(a, both);
	dispose(a);
	dispose(b);
	dispose(both);
}

static void hist__merge_is_associative_and_commutative(void **state)
{
	/* (a + b) + c against c + (b + a) */
	struct zwb_hist *a = filled(1, 1000), *b = filled(2, 1), *c = filled(3, 1000);
	struct zwb_hist *left = filled(1, 1000), *right = filled(3, 1000);

	(void)state;
	assert_int_equal(zwb_hist_merge(left, b, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_merge(left, c, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_merge(b, a, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_merge(right, b, NULL), ZWB_OK);
	assert_same(left, right);
	dispose(a);
	dispose(b);
	dispose(c);
	dispose(left);
	dispose(right);
}

static void hist__merge_with_empty_changes_nothing(void **state)
{
	struct zwb_hist *a = filled(5, 100), *same = filled(5, 100), *none = filled(0, 0);

	(void)state;
	assert_int_equal(zwb_hist_merge(a, none, NULL), ZWB_OK);
	assert_same(a, same);
	assert_int_equal(zwb_hist_merge(none, a, NULL), ZWB_OK);
	assert_same(none, same);
	dispose(a);
	dispose(same);
	dispose(none);
}

static void hist__merge_refuses_one_that_lost_values(void **state)
{
	struct zwb_hist *a = filled(5, 1), *b = filled(6, 1);

	(void)state;
	b->no_memory = 1;
	assert_int_equal(zwb_hist_merge(a, b, NULL), ZWB_ENOMEM);
	dispose(a);
	dispose(b);
}

static void hist__loaded_and_sealed_equals_the_recorded(void **state)
{
	struct zwb_hist *h = filled(9, 2000), back;
	struct zwb_hist_bucket b = { 0 };

	(void)state;
	zwb_hist_init(&back);
	while (zwb_hist_next(h, &b))
		assert_int_equal(zwb_hist_load(&back, b.bucket, b.count, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_seal(&back, h, NULL), ZWB_OK);
	assert_same(&back, h);
	zwb_hist_release(&back);
	dispose(h);
}

static void hist__contradictory_files_are_damaged(void **state)
{
	const struct zwb_hist good = { .count = 3, .sum = 50, .min = 10, .max = 20 };
	struct zwb_hist h, exact;

	(void)state;
	zwb_hist_init(&h);
	assert_int_equal(zwb_hist_load(&h, ZWB_HIST_BUCKETS, 1, NULL), ZWB_EDATA);
	assert_int_equal(zwb_hist_load(&h, 10, 0, NULL), ZWB_EDATA);
	assert_int_equal(zwb_hist_load(&h, 10, 1, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_load(&h, 10, 1, NULL), ZWB_EDATA);
	assert_int_equal(zwb_hist_load(&h, 20, 2, NULL), ZWB_OK);
	assert_int_equal(zwb_hist_load(&h, 21, UINT64_MAX, NULL), ZWB_EDATA);
	exact = good;
	exact.count = 4;
	assert_int_equal(zwb_hist_seal(&h, &exact, NULL), ZWB_EDATA);
	exact = good;
	exact.min = 11;
	assert_int_equal(zwb_hist_seal(&h, &exact, NULL), ZWB_EDATA);
	exact = good;
	exact.max = 19;
	assert_int_equal(zwb_hist_seal(&h, &exact, NULL), ZWB_EDATA);
	assert_int_equal(zwb_hist_seal(&h, &good, NULL), ZWB_OK);
	zwb_hist_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hist__buckets_cover_all_values_without_gap),
		cmocka_unit_test(hist__neighbouring_buckets_touch),
		cmocka_unit_test(hist__percentiles_of_a_sequence_are_its_ranks),
		cmocka_unit_test(hist__percentile_error_is_below_a_thousandth),
		cmocka_unit_test(hist__empty_has_no_buckets_and_percentile_zero),
		cmocka_unit_test(hist__sum_saturates),
		cmocka_unit_test(hist__merge_equals_recording_everything_into_one),
		cmocka_unit_test(hist__merge_is_associative_and_commutative),
		cmocka_unit_test(hist__merge_with_empty_changes_nothing),
		cmocka_unit_test(hist__merge_refuses_one_that_lost_values),
		cmocka_unit_test(hist__loaded_and_sealed_equals_the_recorded),
		cmocka_unit_test(hist__contradictory_files_are_damaged),
	};

	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
