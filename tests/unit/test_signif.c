/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of difference against published worked examples and against counting by hand. */
#include "published_data.h"

#include "signif.h"

/* Expected values of t, degrees of freedom and p: R 4.2, t.test(). */
static void signif__t_tests_give_published_values(void **state)
{
	struct zwb_t_test t;

	(void)state;
	t = zwb_t_test(&ARMS(sleep_1, sleep_2, 0));
	assert_close(t.t, 1.860813467487, 1e-11);
	assert_close(t.freedom, 17.77647351618, 1e-10);
	assert_close(t.p, 0.0793941401874, 1e-12);
	/* Student (1908) gives the odds 0.9985 to 0.0015, from z: one-sided p = 0.00142 */
	t = zwb_t_test(&ARMS(sleep_1, sleep_2, 1));
	assert_close(t.t, 4.062127683382, 1e-11);
	assert_close(t.p / 2, 0.00142, 5e-6);
	assert_close(t.p, 0.00283289019738, 1e-13);
	/* Fisher (1935), section 17: t = 2.148, only just significant at 5 % */
	t = zwb_t_test(&ARMS(maize_self, maize_cross, 1));
	assert_close(t.t, 2.148, 5e-4);
	assert_close(t.freedom, 14, 0);
	assert_close(t.p, 0.0497029440218009, 1e-13);
	t = zwb_t_test(&ARMS(mice_control, mice_treated, 0));
	assert_close(t.t, 1.05871058737541, 1e-12);
	assert_close(t.freedom, 9.65449005283648, 1e-11);
	assert_close(t.p, 0.315500654122526, 1e-12);
}

static void signif__the_sign_of_t_is_that_of_the_change(void **state)
{
	static const double low[] = { 1, 2, 3 }, high[] = { 11, 13, 12.5 };
	struct zwb_t_test up = zwb_t_test(&ARMS(low, high, 0));
	struct zwb_t_test down = zwb_t_test(&ARMS(high, low, 0));

	(void)state;
	assert_true(up.t > 0);
	assert_close(down.t, -up.t, 0);
	assert_close(down.p, up.p, 0);
}

static void signif__no_t_without_spread_or_values(void **state)
{
	static const double one[] = { 5 }, same[] = { 5, 5, 5 }, other[] = { 7, 7, 7 };
	static const double ramp[] = { 1, 2, 3 }, shifted[] = { 2, 3, 4 };

	(void)state;
	assert_close(zwb_t_test(&ARMS(one, same, 0)).p, NAN, 0);
	assert_close(zwb_t_test(&ARMS(same, other, 0)).p, NAN, 0);
	assert_close(zwb_t_test(&ARMS(same, same, 1)).p, NAN, 0);
	/* paired: every difference is 1 */
	assert_close(zwb_t_test(&ARMS(ramp, shifted, 1)).p, NAN, 0);
	/* means 2 and 3, variances of the means 1/3 each: t = 1 / sqrt(2/3), df = 4 */
	assert_close(zwb_t_test(&ARMS(ramp, shifted, 0)).t, 1.224744871391589, 1e-14);
	assert_close(zwb_t_test(&ARMS(ramp, shifted, 0)).freedom, 4, 1e-13);
}

static double permute(struct zwb_arms arms, enum zwb_center center)
{
	double p = -1;

	assert_int_equal(zwb_permute(&arms, center, &p, NULL), ZWB_OK);
	return p;
}

static void signif__permutations_give_published_values(void **state)
{
	(void)state;
	/* Fisher (1935), section 21: 863 of 32,768 on one side, so 1726 on both */
	assert_close(
		permute(ARMS(maize_self, maize_cross, 1), ZWB_CENTER_MEAN), 1726.0 / 32768, 1e-15);
	/* all 11,440 ways, by combn() of R 4.2: 3184 as far apart, 3460 by medians */
	assert_close(permute(ARMS(mice_control, mice_treated, 0), ZWB_CENTER_MEAN), 3184.0 / 11440,
		1e-15);
	assert_close(permute(ARMS(mice_control, mice_treated, 0), ZWB_CENTER_MEDIAN),
		3460.0 / 11440, 1e-15);
}

static void signif__permutations_counted_by_hand(void **state)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 }, c[] = { 2, 2, 3 };
	static const double four[] = { 7, 8, 9, 10 }, negative[] = { -4, -5, -6 };
	static const double x[] = { 10, 20, 30 }, y[] = { 11, 19, 33 };

	(void)state;
	/* apart: only the observed one of C(6,3) = 20 and its mirror image */
	assert_close(permute(ARMS(a, b, 0), ZWB_CENTER_MEAN), 2.0 / 20, 1e-15);
	/* C(7,3) = 35: 24/4 - 6/3... no mirror image: only the observed one */
	assert_close(permute(ARMS(a, four, 0), ZWB_CENTER_MEAN), 1.0 / 35, 1e-15);
	/* ties: sums 6 and 7 of {1,2,2,2,3,3}; all 20 splits are at least 1 apart: 6.5 is no sum */
	assert_close(permute(ARMS(a, c, 0), ZWB_CENTER_MEAN), 1, 1e-15);
	/* differences 1, -1, 3: sums of the 8 signings 3 5 -3 -1 and their negatives; 6 reach 3 */
	assert_close(permute(ARMS(x, y, 1), ZWB_CENTER_MEAN), 6.0 / 8, 1e-15);
	assert_close(permute(ARMS(a, b, 1), ZWB_CENTER_MEAN), 2.0 / 8, 1e-15);
	assert_close(permute(ARMS(a, negative, 1), ZWB_CENTER_MEAN), 2.0 / 8, 1e-15);
	assert_close(permute(ARMS(a, a, 1), ZWB_CENTER_MEAN), 1, 0);
	assert_close(
		permute(((struct zwb_arms){ .base = a, .nr_base = 3 }), ZWB_CENTER_MEAN), NAN, 0);
}

static void signif__least_p_is_what_separated_arms_get(void **state)
{
	static const double low[] = { 1, 2, 3, 4, 5, 6, 7 },
			    high[] = { 21, 22, 23, 24, 25, 26, 27 };

	(void)state;
	for (size_t n = 1; n <= 7; n++) {
		for (size_t m = 1; m <= 7; m++) {
			struct zwb_arms arms = { low, n, high, m, 0 };

			assert_close(
				permute(arms, ZWB_CENTER_MEAN), zwb_permute_least(&arms), 1e-15);
			arms.paired = 1;
			if (m == n)
				assert_close(permute(arms, ZWB_CENTER_MEAN),
					zwb_permute_least(&arms), 1e-15);
		}
	}
	assert_close(zwb_permute_least(&ARMS(low, high, 0)), 2.0 / 3432, 1e-18);
	assert_close(zwb_permute_least(&ARMS(low, high, 1)), 2.0 / 128, 1e-18);
}

/* Too many ways to try: 9,999 drawn ones, and the t test knows about what they must give. */
static void signif__drawn_permutations_agree_with_the_t_test(void **state)
{
	double base[30], other[30];

	(void)state;
	for (int i = 0; i < 30; i++) {
		base[i] = 100 + i % 7 - i % 4;
		other[i] = 100 + i * 11 % 7 - i * 3 % 4 + 0.8;
	}
	for (int paired = 0; paired < 2; paired++) {
		struct zwb_arms arms = ARMS(base, other, paired);
		double p = permute(arms, ZWB_CENTER_MEAN);

		assert_close(p, zwb_t_test(&arms).p, 0.02);
		assert_close(permute(arms, ZWB_CENTER_MEAN), p, 0); /* the same again */
	}
	for (int i = 0; i < 30; i++)
		other[i] = base[i] + 50 + i % 3;
	/* never 0: the observed way is one of them */
	assert_close(permute(ARMS(base, other, 0), ZWB_CENTER_MEAN), 1e-4, 1e-12);
}

static void signif__holm_steps_down(void **state)
{
	/* R 4.2: p.adjust(c(.01, .04, .03, .005, NA, .9), "holm") */
	double p[] = { .01, .04, .03, .005, NAN, .9 };
	static const double expected[] = { .04, .09, .09, .025, NAN, .9 };
	double ties[] = { .02, .02, .02 }, large[] = { .6, .7 };

	(void)state;
	assert_int_equal(zwb_holm(p, ZWB_ARRAY_LEN(p), NULL), 5);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(p); i++)
		assert_close(p[i], expected[i], 1e-15);
	assert_int_equal(zwb_holm(ties, 3, NULL), 3);
	for (int i = 0; i < 3; i++)
		assert_close(ties[i], .06, 1e-15);
	assert_int_equal(zwb_holm(large, 2, NULL), 2);
	assert_close(large[0], 1, 0);
	assert_close(large[1], 1, 0);
	assert_int_equal(zwb_holm(NULL, 0, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signif__t_tests_give_published_values),
		cmocka_unit_test(signif__the_sign_of_t_is_that_of_the_change),
		cmocka_unit_test(signif__no_t_without_spread_or_values),
		cmocka_unit_test(signif__permutations_give_published_values),
		cmocka_unit_test(signif__permutations_counted_by_hand),
		cmocka_unit_test(signif__least_p_is_what_separated_arms_get),
		cmocka_unit_test(signif__drawn_permutations_agree_with_the_t_test),
		cmocka_unit_test(signif__holm_steps_down),
	};

	return cmocka_run_group_tests_name("signif", tests, NULL, NULL);
}
