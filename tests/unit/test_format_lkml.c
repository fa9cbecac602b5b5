/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table for mails: what it looks like, and that nothing makes it wider than 76 columns. */
#include "run_builder.h"

#include <math.h>

static const struct zwb_compare_options all = { 0 };

/* Every line is printable ASCII, at most 76 columns, and does not end in blanks. */
static void assert_fits_a_mail(const char *text)
{
	size_t column = 0;

	for (const char *s = text; *s; s++) {
		if (*s == '\n') {
			assert_true(s == text || s[-1] != ' ');
			column = 0;
			continue;
		}
		assert_true(*s >= ' ' && *s <= '~');
		column++;
		if (column > 76)
			fail_msg("line too long: %.90s", s - column + 1);
	}
	assert_int_equal(column, 0);
}

/* The first @nr lines of @text are @expected. */
static void assert_starts_with(const char *text, const char *expected)
{
	if (strncmp(text, expected, strlen(expected)) != 0)
		fail_msg("expected:\n%s\ngot:\n%s", expected, text);
}

static void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

/*
 * The first table of the batch patch (reference T1), requests in thousands:
 * 701 795 -> mean 748, sd 66; 570 622 -> mean 596, sd 37; (596 - 748) / 748 = -20.3 %
 */
static void format_lkml__looks_like_the_table_of_a_patch(void **state)
{
	static const double requests[2][2] = { { 701, 795 }, { 570, 622 } };
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		build_trace(run, t ? "two" : "one");
		for (int p = 0; p < 2; p++) {
			struct zwb_run_arm *arm = build_arm(t, p ? "batched" : "unbatched", 1);

			build_value(arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, requests[p][t]);
			assert_int_equal(zwb_run_arm_metric(arm, ZWB_METRIC_IOCOST_DEBT,
						 ZWB_RUN_TOTAL, 'M', 15 - 3 * p, NULL),
				ZWB_OK);
			build_add(run, arm);
		}
	}
	text = build_report(run, "lkml", &all);
	assert_fits_a_mail(text);
	assert_starts_with(text,
		"                   unbatched    batched\n"
		"write requests  E  748 +- 66  596 +- 37 -20.3%\n"
		"iocost debt (s) M   15 +- 0    12 +- 0  -20.0%\n"
		"\n"
		"Changes are against unbatched.\n"
		"E: exact given the recorded walks. M: needs a model.\n"
		"n = 2 recordings, one seed each. +- is the sample standard deviation over\n"
		"  recordings.\n");
	assert_contains(text,
		"\nReplayed by zwb 0.1.0 with\n"
		"  trigger recorded\n"
		"  loop open\n"
		"  scheduler none\n"
		"  device linear\n"
		"Policies:\n"
		"  unbatched: ctx=walk\n"
		"  batched: ctx=walk\n"
		"Recordings:\n"
		"  1. one.dat: kernel 7.3.4, policy unbatched, scheduler none, 1000 events in\n"
		"     2.5 s, sha256 one\n"
		"     lost: nothing\n");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__one_arm_has_no_change_and_no_spread(void **state)
{
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "batched", ZWB_METRIC_ZSWPWB, 0);
	text = build_report(run, "lkml", &all);
	assert_fits_a_mail(text);
	assert_starts_with(text, "                  batched\n"
				 "zswpwb (pages) E        0\n"
				 "\n"
				 "E: exact given the recorded walks.\n"
				 "n = 1 recording, one seed each. One recording has no spread.\n");
	assert_null(strstr(text, "+-"));
	assert_null(strstr(text, "Changes"));
	free(text);
	zwb_run_free(run);
}

static void format_lkml__not_measured_is_not_zero(void **state)
{
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_PGROTATED, 0);
	build_total(run, 0, "y", ZWB_METRIC_PGROTATED, 5);
	build_total(run, 0, "z", ZWB_METRIC_PGROTATED, NAN);
	text = build_report(run, "lkml", &all);
	assert_starts_with(text, "                     x  y        z\n"
				 "pgrotated (pages) E  0  5 n/a  n/a n/a\n");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__many_policies_go_on_below(void **state)
{
	struct zwb_run *run = build_run();
	size_t nr_tables = 0;
	char name[16], *text;

	(void)state;
	build_trace(run, "one");
	for (int p = 0; p < 9; p++) {
		snprintf(name, sizeof(name), "policy-%d", p);
		build_total(run, 0, name, ZWB_METRIC_WRITE_REQUESTS, 1000000 - 90000 * p);
	}
	text = build_report(run, "lkml", &all);
	assert_fits_a_mail(text);
	for (const char *s = text; (s = strstr(s, "\nwrite requests E   1000000")); s++)
		nr_tables++; /* the baseline is in each */
	assert_int_equal(nr_tables, 3);
	for (int p = 1; p < 9; p++) {
		char cell[32];

		snprintf(cell, sizeof(cell), "%d -%d.0%%", 1000000 - 90000 * p, 9 * p);
		assert_contains(text, cell);
	}
	free(text);
	zwb_run_free(run);
}

static void format_lkml__long_names_are_spelled_out_below(void **state)
{
	struct zwb_run *run = build_run();
	char *text, letters[301];

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "unbatched", ZWB_METRIC_ZSWPWB, 1);
	build_total(run, 0, "kworker,plug=none,completion=dropbehind", ZWB_METRIC_ZSWPWB, 1);
	memset(letters, 'p', sizeof(letters) - 1);
	letters[sizeof(letters) - 1] = '\0';
	build_total(run, 0, letters, ZWB_METRIC_ZSWPWB, 1);
	text = build_report(run, "lkml", &all);
	assert_fits_a_mail(text);
	assert_starts_with(text, "                  unbatched  kworker [2]     [3]\n");
	assert_contains(text,
		"\n  kworker [2] = kworker,plug=none,completion=dropbehind: ctx=walk\n"
		"  [3] = ppppppppp");
	free(text);
	zwb_run_free(run);
}

/* The widest numbers there are, under the longest metric name, with a spread. */
static void format_lkml__widest_numbers_fit(void **state)
{
	static const double values[] = { -1.2345e-150, 1.2345e-5, 9999999999, 1e150 };
	const struct zwb_metric_def wide = {
		"a metric of another version with a name of many words", "furlongs", "",
		ZWB_KIND_VALUE, ZWB_BETTER_NEITHER
	};
	const struct zwb_metric_def solid = {
		"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "x", "", ZWB_KIND_VALUE,
		ZWB_BETTER_NEITHER
	};
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	assert_int_equal(zwb_run_add_def(run, &wide, NULL), ZWB_METRIC_NR);
	assert_int_equal(zwb_run_add_def(run, &solid, NULL), ZWB_METRIC_NR + 1);
	for (size_t t = 0; t < 2; t++) {
		build_trace(run, t ? "two" : "one");
		for (size_t p = 0; p < ZWB_ARRAY_LEN(values); p++) {
			char name[32];
			struct zwb_run_arm *arm;

			snprintf(name, sizeof(name), "a-policy-with-a-name-%zu", p);
			arm = build_arm(t, name, 1);
			build_value(
				arm, ZWB_METRIC_NR, ZWB_RUN_TOTAL, values[p] * (t ? 1 : 1.00001));
			build_value(arm, ZWB_METRIC_NR + 1, ZWB_RUN_TOTAL, values[3 - p]);
			build_add(run, arm);
		}
	}
	text = build_report(run, "lkml", &all);
	assert_fits_a_mail(text);
	assert_contains(text, "1.000e+150 +- 7e+144");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__hostile_names_stay_ascii(void **state)
{
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_run_arm *arm = build_arm(0, "caf\xc3\xa9\x1b[31m", 1);
	char *text;

	(void)state;
	assert_int_equal(zwb_meta_set(&meta->source, "in\nvented\r.dat", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 5, "/\x1b]0;title\x07,\"\xff", NULL), 1);
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_value(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL, 3);
	build_value(arm, ZWB_METRIC_ZSWPWB, 1, 2);
	assert_int_equal(zwb_run_arm_note(arm, "a\nnote", NULL), ZWB_OK);
	build_add(run, arm);
	text = build_report(run, "lkml", &by_cgroup);
	assert_fits_a_mail(text);
	assert_contains(text, "\ncgroup /\\x1b]0;title\\x07,\"\\xff\n");
	assert_contains(text, "in\\x0avented\\x0d.dat");
	assert_contains(text, "- a\\x0anote\n");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__losses_and_unknowns_are_listed(void **state)
{
	const struct zwb_loss losses[] = {
		{ .cpu = 0, .kind = ZWB_LOSS_OVERRUN, .nr = 7, .nr_is_known = 1 },
		{ .cpu = 65535, .kind = ZWB_LOSS_OVERRUN, .nr = 3, .nr_is_known = 0 },
		{ .cpu = 0, .kind = ZWB_LOSS_OVERRUN, .nr = 2, .nr_is_known = 1 },
		{ .cpu = 1, .kind = ZWB_LOSS_TRUNCATED, .nr = 1, .nr_is_known = 1 },
		{ .cpu = 1, .kind = ZWB_LOSS_UNPAIRED_END, .nr = 4, .nr_is_known = 1 },
	};
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	char *text;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(losses); i++)
		assert_int_equal(zwb_meta_loss(meta, &losses[i], NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "swap_write.cgroup", 12, NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	text = build_report(run, "lkml", &all);
	assert_contains(text, "     lost: overrun at least 12 on 2 CPUs, truncated 1 on 1 CPU\n"
			      "     odd: unpaired_end 4 on 1 CPU\n"
			      "     unknown: swap_write.cgroup of 12 events\n");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__seeds_are_told_from_n(void **state)
{
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	build_trace(run, "one");
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct zwb_run_arm *arm = build_arm(0, "x", seed);

		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, (double)seed);
		build_add(run, arm);
	}
	text = build_report(run, "lkml", &all);
	assert_contains(text, "\nwrite bios E  3\n");
	assert_contains(text,
		"n = 1 recording, 5 seeds each, averaged first. One recording has no spread.\n");
	free(text);
	zwb_run_free(run);
}

static void format_lkml__nothing_measured_is_said(void **state)
{
	const struct zwb_compare_options options = { .metrics = "makespan" };
	struct zwb_run *run = build_run();
	char *text;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	text = build_report(run, "lkml", &options);
	assert_fits_a_mail(text);
	assert_starts_with(text, "Nothing of what was asked for was measured.\n\nn = 1");
	free(text);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_lkml__looks_like_the_table_of_a_patch),
		cmocka_unit_test(format_lkml__one_arm_has_no_change_and_no_spread),
		cmocka_unit_test(format_lkml__not_measured_is_not_zero),
		cmocka_unit_test(format_lkml__many_policies_go_on_below),
		cmocka_unit_test(format_lkml__long_names_are_spelled_out_below),
		cmocka_unit_test(format_lkml__widest_numbers_fit),
		cmocka_unit_test(format_lkml__hostile_names_stay_ascii),
		cmocka_unit_test(format_lkml__losses_and_unknowns_are_listed),
		cmocka_unit_test(format_lkml__seeds_are_told_from_n),
		cmocka_unit_test(format_lkml__nothing_measured_is_said),
	};

	return cmocka_run_group_tests_name("format_lkml", tests, NULL, NULL);
}
