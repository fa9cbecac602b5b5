/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every device model x every promise. */
#include "select.h"
#include "zwb_test.h"

#include <math.h>
#include <stdlib.h>

#define NR_RQS 20000

/* Issue @nr requests of @nr_pages pages, @gap_ns apart; the sum of their latencies. */
static uint64_t total_latency(const char *name, uint32_t nr_pages, int is_write, uint64_t gap_ns)
{
	const struct zwb_dev_rq rq = {
		.nr_sectors = nr_pages * 8, .nr_pages = nr_pages, .is_write = is_write
	};
	struct zwb_device_model device;
	struct zwb_err err = { 0 };
	uint64_t sum = 0;
	void *state;

	assert_int_equal(zwb_device_select(name, &device, &err), ZWB_OK);
	state = calloc(1, device.ops->state_bytes);
	assert_non_null(state);
	device.ops->init(state, device.params, 1);
	for (uint64_t i = 0; i < NR_RQS; i++) {
		uint64_t now_ns = i * gap_ns;
		uint64_t done_ns = device.ops->issue(state, now_ns, &rq);

		assert_true(done_ns > now_ns);
		sum += done_ns - now_ns;
	}
	free(state);
	zwb_device_release(&device);
	return sum;
}

static void devices__take_longer_for_more_pages(void **state)
{
	(void)state;
	for (size_t i = 0; zwb_device_table[i]; i++) {
		for (int is_write = 0; is_write < 2; is_write++) {
			uint64_t last = 0;

			for (uint32_t nr_pages = 1; nr_pages <= 64; nr_pages *= 2) {
				uint64_t sum = total_latency(
					zwb_device_table[i]->name, nr_pages, is_write, 10000000);

				assert_true(sum > last);
				last = sum;
			}
		}
	}
}

static void devices__queue_when_they_are_busy(void **state)
{
	(void)state;
	for (size_t i = 0; zwb_device_table[i]; i++) {
		const char *name = zwb_device_table[i]->name;

		assert_true(total_latency(name, 8, 1, 100) > total_latency(name, 8, 1, 10000000));
	}
}

static void devices__are_deterministic(void **state)
{
	(void)state;
	for (size_t i = 0; zwb_device_table[i]; i++) {
		const char *name = zwb_device_table[i]->name;

		assert_int_equal(total_latency(name, 8, 1, 1000), total_latency(name, 8, 1, 1000));
	}
}

/* No noise and an idle device: 25000 ns a write and 9500 ns a page, 4 pages: 63000 ns. */
static void devices__linear_costs_what_it_says(void **state)
{
	(void)state;
	assert_int_equal(
		total_latency("linear,noise=0,write_request=25000,write_page=9500", 4, 1, 10000000),
		UINT64_C(63000) * NR_RQS);
}

/*
 * One server, a request every 10000 ns that takes 15000: the n-th waits for n * 5000 ns, so that
 * the latencies sum to N * 15000 + 5000 * N (N - 1) / 2 (a D/D/1 queue above its capacity).
 */
static void devices__linear_queues_in_order(void **state)
{
	const uint64_t n = NR_RQS;

	(void)state;
	assert_int_equal(total_latency("linear,noise=0,depth=1,write_request=10000,write_page=5000",
				 1, 1, 10000),
		n * 15000 + 5000 * n * (n - 1) / 2);
}

/*
 * The noise has mean 1: over 20000 draws with a coefficient of variation of 0.5 the mean of the
 * service time lies within 4 standard errors, 4 * 0.5 / sqrt(20000) = 1.4 %, of what it is without.
 */
static void devices__linear_noise_has_mean_one(void **state)
{
	double noisy = (double)total_latency("linear,noise=50", 1, 1, 10000000);
	double plain = (double)total_latency("linear,noise=0", 1, 1, 10000000);

	(void)state;
	assert_true(fabs(noisy / plain - 1.0) < 0.0142);
	assert_true(noisy != plain);
}

static void devices__refuse_what_they_do_not_know(void **state)
{
	static const char *const wrong[] = { "nosuch", "", "linear,depth=0", "linear,depth=65",
		"linear,noise=x", "linear,speed=1" };
	struct zwb_device_model device;
	struct zwb_err err = { 0 };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(wrong); i++)
		assert_int_equal(zwb_device_select(wrong[i], &device, &err), ZWB_EUSAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices__take_longer_for_more_pages),
		cmocka_unit_test(devices__queue_when_they_are_busy),
		cmocka_unit_test(devices__are_deterministic),
		cmocka_unit_test(devices__linear_costs_what_it_says),
		cmocka_unit_test(devices__linear_queues_in_order),
		cmocka_unit_test(devices__linear_noise_has_mean_one),
		cmocka_unit_test(devices__refuse_what_they_do_not_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
