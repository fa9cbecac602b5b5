/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every report format x every promise. */
#include "published.h"
#include "run_builder.h"

#define NR_POLICIES 30

/* Every byte of a name that can harm: none of it may come out as it is. */
static const char hostile[] = "/\x01\x1b[2J\x7f\t\n\r\xff\xc2\x9b,\"'<&>\\%s%n";

/* Two recordings, three seeds, many policies, hostile names, values that are not measured. */
static struct zwb_run *wide_run(void)
{
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();

	assert_non_null(meta);
	build_trace(run, "one");
	assert_int_equal(zwb_meta_set(&meta->source, hostile, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_set(&meta->kernel, hostile, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 1, hostile, NULL), 1);
	assert_int_equal(zwb_meta_unknown(meta, hostile, 1, NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_trace(run, meta, hostile, NULL), 1);
	zwb_meta_free(meta);
	for (uint64_t i = 0; i < 2 * 3 * NR_POLICIES; i++) {
		char policy[64];
		struct zwb_run_arm *arm;
		struct zwb_hist h;

		snprintf(policy, sizeof(policy), "%s-%d", i % NR_POLICIES ? "policy" : hostile,
			(int)(i % NR_POLICIES));
		arm = build_arm(i / NR_POLICIES % 2, policy, i / NR_POLICIES / 2);
		zwb_hist_init(&h);
		zwb_hist_record(&h, i * 1000);
		build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, 1000);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, (double)i);
		build_value(arm, ZWB_METRIC_IOCOST_DEBT, ZWB_RUN_TOTAL, i % 5 ? NAN : 1e-9);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, 1e15);
		assert_int_equal(
			zwb_run_arm_hist(arm, ZWB_METRIC_STALL_LATENCY, 1, 'F', &h, NULL), ZWB_OK);
		assert_int_equal(zwb_run_arm_note(arm, hostile, NULL), ZWB_OK);
		build_add(run, arm);
	}
	return run;
}

/* Whole lines, no control characters, UTF-8 without the C1 ones. */
static void assert_harmless(const char *name, const char *text)
{
	size_t len = strlen(text);

	assert_true(len > 0 && text[len - 1] == '\n');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\n') || c == 0x7f || c == 0xff ||
			(c == 0xc2 && (unsigned char)text[i + 1] < 0xa0))
			fail_msg("%s: byte 0x%02x", name, c);
	}
}

static const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };

static void formats__are_harmless_on_a_terminal(void **state)
{
	struct zwb_run *run = wide_run();

	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char *text = build_report(run, (*f)->name, &by_cgroup);

		assert_harmless((*f)->name, text);
		free(text);
	}
	zwb_run_free(run);
}

static void formats__give_the_same_bytes_twice(void **state)
{
	struct zwb_run *a = wide_run(), *b = wide_run();

	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char *text = build_report(a, (*f)->name, &by_cgroup);
		char *again = build_report(b, (*f)->name, &by_cgroup);

		assert_string_equal(text, again);
		free(text);
		free(again);
	}
	zwb_run_free(a);
	zwb_run_free(b);
}

static void formats__name_every_policy_and_recording(void **state)
{
	struct zwb_run *run = wide_run();

	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char *text = build_report(run, (*f)->name, &by_cgroup);

		for (int i = 1; i < NR_POLICIES; i++) {
			char policy[32];

			snprintf(policy, sizeof(policy), "policy-%d", i);
			if (!strstr(text, policy))
				fail_msg("%s: no %s", (*f)->name, policy);
		}
		free(text);
	}
	zwb_run_free(run);
}

static void formats__take_a_run_in_which_nothing_was_measured(void **state)
{
	struct zwb_run *run = build_run();

	(void)state;
	build_trace(run, "one");
	build_add(run, build_arm(0, "x", 1));
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char *text = build_report(run, (*f)->name, &by_cgroup);

		assert_harmless((*f)->name, text);
		free(text);
	}
	zwb_run_free(run);
}

/* A full disk is for the caller to see on the stream: formats go on, and do not call it memory. */
static void formats__leave_a_full_disk_to_the_stream(void **state)
{
	struct zwb_run *run = wide_run();
	const struct zwb_run *runs = run;

	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		FILE *out = fopen("/dev/full", "w");

		assert_non_null(out);
		assert_int_equal(zwb_report_write(out, &runs, 1, &by_cgroup, *f, NULL), ZWB_OK);
		assert_true(ferror(out) || fflush(out) != 0);
		fclose(out);
	}
	zwb_run_free(run);
}

/* A comparison that is not of runs: no recordings, no n. */
static void formats__take_published_means(void **state)
{
	const struct zwb_published_options options = { .assumed_cv = (double)NAN };
	struct zwb_comparison *cmp;

	(void)state;
	assert_int_equal(zwb_published_compare(ZWB_SOURCE_DIR "/tests/data/published-tables.csv",
				 &options, "0.1.0", &cmp, NULL),
		ZWB_OK);
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		assert_non_null(out);
		assert_int_equal((*f)->write(out, cmp, NULL), ZWB_OK);
		assert_int_equal(fclose(out), 0);
		assert_harmless((*f)->name, text);
		if (!strstr(text, "pgrotated"))
			fail_msg("%s: a metric is missing", (*f)->name);
		free(text);
	}
	zwb_comparison_free(cmp);
}

static void formats__are_called_as_their_files(void **state)
{
	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		char path[256];
		FILE *in;

		snprintf(
			path, sizeof(path), "%s/analysis/formats/%s.c", ZWB_SOURCE_DIR, (*f)->name);
		in = fopen(path, "r");
		assert_non_null(in);
		fclose(in);
		assert_true((*f)->summary[0] != '\0');
		/* sorted: the table does not depend on the file system */
		assert_true(f == zwb_format_table || strcmp(f[-1]->name, (*f)->name) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats__are_harmless_on_a_terminal),
		cmocka_unit_test(formats__give_the_same_bytes_twice),
		cmocka_unit_test(formats__name_every_policy_and_recording),
		cmocka_unit_test(formats__take_a_run_in_which_nothing_was_measured),
		cmocka_unit_test(formats__leave_a_full_disk_to_the_stream),
		cmocka_unit_test(formats__take_published_means),
		cmocka_unit_test(formats__are_called_as_their_files),
	};

	return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
