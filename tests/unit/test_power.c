/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of t tests against tables and another program. */
#include "published_data.h"

#include "power.h"

/* Expected: pt(t, df, ncp) of R 4.2. */
static void power__noncentral_t_distribution(void **state)
{
	static const struct {
		double t, freedom, noncentrality, p;
	} rows[] = {
		{ 2, 10, 1, 0.807611562530311 },
		{ -1, 5, 0.5, 0.0824440910569708 },
		{ 3.5, 3.7, 2.2, 0.74345546057537 },
		{ 0, 4, 1, 0.158655253931457 },
		{ 1e-3, 7, -2, 0.977301917017664 },
		{ 25, 40, 22, 0.83117018745338 },
		{ 5, 2, 8, 0.0899185614618056 },
		/* no noncentrality: Student's t; 2.228 is the 97.5 % point of 10 degrees */
		{ 2.2281388519649385, 10, 0, 0.975 },
		{ -2.2281388519649385, 10, 0, 0.025 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++)
		assert_close(zwb_nct_cdf(rows[i].t, rows[i].freedom, rows[i].noncentrality),
			rows[i].p, 1e-10);
}

/* R 4.2, power.t.test(..., strict = TRUE): two samples of n have noncentrality d sqrt(n / 2). */
static void power__of_two_samples(void **state)
{
	(void)state;
	assert_close(zwb_power_of(38, sqrt(10)), 0.868953027724586, 1e-10);
	assert_close(zwb_power_of(4, 0.5 * sqrt(1.5)), 0.0768490499604122, 1e-10);
	/* nothing to find is found in 5 % */
	assert_close(zwb_power_of(7, 0), 0.05, 1e-10);
	assert_close(zwb_power_of(12.5, zwb_power_needed(12.5)), 0.8, 1e-8);
}

/*
 * Cohen, Statistical Power Analysis (1988), table 2.4.1, for 5 % two-sided and power 0.80: d of
 * 0.2, 0.5, 0.8 and 1 take 393, 64, 26 and 17 values a sample (0.2: 393.4 by R 4.2, so 394).
 */
static void power__n_needed_as_in_tables(void **state)
{
	static const struct zwb_spread two = { 1, 1, 0 }, pairs = { 1, 0, 1 };
	static const struct {
		double d;
		uint64_t two, pairs; /* of pairs: power.t.test(type = "paired") rounded up */
	} rows[] = { { 0.2, 394, 199 }, { 0.5, 64, 34 }, { 0.8, 26, 15 }, { 1, 17, 10 },
		{ -1, 17, 10 }, { 100, 3, 3 } };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		assert_int_equal(zwb_n_needed(&two, rows[i].d), rows[i].two);
		assert_int_equal(zwb_n_needed(&pairs, rows[i].d), rows[i].pairs);
	}
}

/* power.t.test(n, power = .8, strict = TRUE)$delta of R 4.2: 3.0709, 2.02444, 1.50663; the last of
 * 2 pairs is 12.706 / sqrt(2) = 8.98 and more. */
static void power__detectable_differences(void **state)
{
	static const struct zwb_spread two = { 1, 1, 0 }, pairs = { 1, 0, 1 };
	static const struct zwb_spread twice = { 2, 2, 0 }, lone = { 1, 0, 0 };

	(void)state;
	assert_close(zwb_detectable(&two, 3), 3.0708922664, 1e-4);
	assert_close(zwb_detectable(&two, 5), 2.02444, 2e-5);
	assert_close(zwb_detectable(&two, 8), 1.50664, 2e-5);
	assert_close(zwb_detectable(&pairs, 3), 3.26404839039689, 1e-5);
	assert_close(zwb_detectable(&pairs, 5), 1.68199903820025, 1e-5);
	assert_close(zwb_detectable(&twice, 5), 2 * zwb_detectable(&two, 5), 1e-9);
	/* one arm varies: all the degrees of freedom are its own */
	assert_close(zwb_detectable(&lone, 5), zwb_detectable(&pairs, 5), 1e-9);
}

static void power__what_cannot_be_known(void **state)
{
	static const struct zwb_spread still = { 0, 0, 0 }, unknown = { NAN, 1, 0 };
	static const struct zwb_spread huge = { 1e9, 1e9, 0 }, one = { 1, 1, 0 };

	(void)state;
	assert_close(zwb_detectable(&one, 1), NAN, 0);
	assert_close(zwb_detectable(&unknown, 5), NAN, 0);
	assert_close(zwb_detectable(&still, 5), 0, 0);
	assert_int_equal(zwb_n_needed(&still, 1), 3);
	assert_int_equal(zwb_n_needed(&one, 0), 0);
	assert_int_equal(zwb_n_needed(&one, NAN), 0);
	assert_int_equal(zwb_n_needed(&unknown, 1), 0);
	assert_int_equal(zwb_n_needed(&huge, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power__noncentral_t_distribution),
		cmocka_unit_test(power__of_two_samples),
		cmocka_unit_test(power__n_needed_as_in_tables),
		cmocka_unit_test(power__detectable_differences),
		cmocka_unit_test(power__what_cannot_be_known),
	};

	return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
