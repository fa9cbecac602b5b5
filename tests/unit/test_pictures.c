/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn: the points of pictures, the page they are on, the script for gnuplot. */
#include "run_builder.h"

#include "picture.h"
#include "plotscript.h"
#include "svg.h"

#include <ctype.h>

static const char hostile[] = "</title><script>alert('\"')</script>&amp;]]>--><!--";

static void build_hist(struct zwb_run_arm *arm, uint64_t from_ns, uint64_t step_ns, int nr)
{
	struct zwb_hist h;

	zwb_hist_init(&h);
	for (int i = 0; i < nr; i++)
		zwb_hist_record(&h, from_ns + (uint64_t)i * step_ns);
	assert_int_equal(
		zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL, 'M', &h, NULL),
		ZWB_OK);
}

/* Three recordings; "b" has half the requests of "a", and twice the latency. */
static struct zwb_run *two_policies(const char *a, const char *b)
{
	static const char *const digests[] = { "one", "two", "three" };
	struct zwb_run *run = build_run();

	for (int i = 0; i < 3; i++) {
		size_t trace = build_trace(run, digests[i]);

		for (int p = 0; p < 2; p++) {
			struct zwb_run_arm *arm = build_arm(trace, p ? b : a, 1);

			build_value(
				arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, (p ? 50 : 100) + i);
			build_value(arm, ZWB_METRIC_PAGES_READ, ZWB_RUN_TOTAL, p ? 1 : 7);
			build_value(arm, ZWB_METRIC_READ_BIOS, ZWB_RUN_TOTAL, 3);
			build_hist(arm, p ? 2000 : 1000, p ? 2000 : 1000, 1000);
			build_add(run, arm);
		}
	}
	return run;
}

static void pictures__a_forest_has_the_changes_and_nothing_that_does_not_change(void **state)
{
	struct zwb_run *run = two_policies("a", "b");
	const struct zwb_compare_options options = { 0 };
	struct zwb_comparison *cmp = compare(run, &options);
	const struct zwb_cmp_row *row = find_row(cmp, "write requests", NULL);
	struct zwb_pictures pictures;
	const struct zwb_picture *p;

	(void)state;
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	p = zwb_picture_find(&pictures, "changes");
	assert_non_null(p);
	assert_int_equal(p->nr_lines, 1);
	assert_string_equal(p->lines[0].label, "b");
	/* the baseline has style 0 */
	assert_int_equal(p->lines[0].style, 1);
	assert_int_equal(p->nr_categories, 3);
	assert_string_equal(p->categories[0], "write requests");
	assert_string_equal(p->categories[1], "swapin latency p50");
	assert_string_equal(p->categories[2], "swapin latency p99");
	assert_int_equal(p->lines[0].nr_marks, 3);
	assert_value(p->lines[0].marks[0].x, row->cells[1].delta_percent);
	assert_value(p->lines[0].marks[0].low, row->cells[1].sure.low_percent);
	assert_true(p->lines[0].marks[0].x < -49 && p->lines[0].marks[0].x > -51);
	assert_true(p->x_least < p->lines[0].marks[0].x && p->x_most > p->lines[0].marks[1].x);
	assert_int_equal(p->nr_outside, 0);
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void pictures__a_distribution_rises_to_all_of_its_samples(void **state)
{
	struct zwb_run *run = two_policies("a", "b");
	const struct zwb_compare_options options = { 0 };
	struct zwb_comparison *cmp = compare(run, &options);
	struct zwb_pictures pictures;
	const struct zwb_picture *p;

	(void)state;
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	p = zwb_picture_find(&pictures, "swapin-latency");
	assert_non_null(p);
	assert_int_equal(p->nr_lines, 2);
	for (size_t l = 0; l < 2; l++) {
		const struct zwb_picture_line *line = &p->lines[l];
		double scale = l ? 2 : 1; /* us */

		assert_true(line->nr_points > 50);
		assert_true(line->points[0].y == 0);
		assert_value(line->points[0].x, scale);
		assert_true(line->points[line->nr_points - 1].y == 1);
		assert_value(line->points[line->nr_points - 1].x, 1000 * scale);
		for (size_t i = 1; i < line->nr_points; i++) {
			assert_true(line->points[i].x >= line->points[i - 1].x);
			assert_true(line->points[i].y > line->points[i - 1].y);
			/* uniform from 1 to 1000 */
			assert_true(
				fabs(line->points[i].x / scale / 1000 - line->points[i].y) < 0.002);
		}
		assert_string_equal(line->marks[3].name, "p99");
		assert_true(fabs(line->marks[3].x - 990 * scale) <= 0.0005 * 990 * scale);
		assert_string_equal(line->marks[5].name, "max");
		assert_value(line->marks[5].x, 1000 * scale);
	}
	assert_non_null(strstr(p->alt, "a: median 500"));
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void pictures__of_a_single_policy_are_distributions_only(void **state)
{
	struct zwb_run *run = build_run();
	struct zwb_run_arm *arm = build_arm(build_trace(run, "one"), "a", 1);
	const struct zwb_compare_options options = { 0 };
	struct zwb_pictures pictures;
	struct zwb_comparison *cmp;

	(void)state;
	build_value(arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, 5);
	build_hist(arm, 0, 0, 1);
	build_add(run, arm);
	cmp = compare(run, &options);
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	assert_int_equal(pictures.nr, 1);
	assert_string_equal(pictures.items[0].name, "swapin-latency");
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void pictures__more_policies_than_can_be_told_apart_are_counted(void **state)
{
	struct zwb_run *run = build_run();
	size_t trace = build_trace(run, "one");
	const struct zwb_compare_options options = { 0 };
	struct zwb_pictures pictures;
	struct zwb_comparison *cmp;

	(void)state;
	for (int i = 0; i < 12; i++) {
		char name[16];
		struct zwb_run_arm *arm;

		snprintf(name, sizeof(name), "p%d", i);
		arm = build_arm(trace, name, 1);
		build_value(arm, ZWB_METRIC_WRITE_REQUESTS, ZWB_RUN_TOTAL, 5 + i * 30);
		build_hist(arm, 1000, 1, 10);
		build_add(run, arm);
	}
	cmp = compare(run, &options);
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	assert_int_equal(pictures.nr, 2);
	assert_int_equal(pictures.items[0].nr_lines, ZWB_PICTURE_MAX_LINES - 1);
	assert_int_equal(pictures.items[0].nr_left_out, 4);
	assert_int_equal(pictures.items[1].nr_lines, ZWB_PICTURE_MAX_LINES);
	assert_int_equal(pictures.items[1].nr_left_out, 4);
	/* +600 % and more: at the edge, and not what the axis is made for */
	assert_true(pictures.items[0].nr_outside > 0);
	assert_true(pictures.items[0].x_most < 300);
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* Two policies with sizes and series. */
static struct zwb_run *sizes_and_series(const char *a, const char *b)
{
	static const uint64_t sizes[2][6] = { { 1, 1, 1, 2, 4, 16 }, { 3, 4, 4, 4, 2000, 5000 } };
	static double writes[2][3] = { { 10, 30, 20 }, { 10, 3, NAN } };
	static double pool[3] = { 100, 400, 200 };
	struct zwb_run *run = build_run();
	size_t trace = build_trace(run, "one");

	for (int p = 0; p < 2; p++) {
		struct zwb_run_arm *arm = build_arm(trace, p ? b : a, 1);
		struct zwb_run_series series = { .cgroup = ZWB_RUN_TOTAL,
			.metric = ZWB_METRIC_WRITE_REQUESTS,
			.cls = 'E',
			.interval_ns = 500000000,
			.values = writes[p],
			.nr_values = 3 };
		struct zwb_hist h;

		zwb_hist_init(&h);
		for (int i = 0; i < 6; i++)
			zwb_hist_record(&h, sizes[p][i]);
		assert_int_equal(zwb_run_arm_hist(arm, ZWB_METRIC_REQUEST_SIZE, ZWB_RUN_TOTAL, 'E',
					 &h, NULL),
			ZWB_OK);
		assert_int_equal(zwb_run_arm_series(arm, &series, NULL), ZWB_OK);
		series.metric = ZWB_METRIC_POOL_MEAN;
		series.values = pool;
		assert_int_equal(zwb_run_arm_series(arm, &series, NULL), ZWB_OK);
		build_add(run, arm);
	}
	return run;
}

static void pictures__sizes_are_bars_of_powers_of_two(void **state)
{
	static const char *const names[] = { "1", "2", "3-4", "5-8", "9-16", "17-32", "33-64",
		"65-128", "129-256", "257-512", "513-1024", "1025-2048", "more" };
	static const double shares[2][13] = { { 50, 100 / 6.0, 100 / 6.0, 0, 100 / 6.0 },
		{ 0, 0, 400 / 6.0, 0, 0, 0, 0, 0, 0, 0, 0, 100 / 6.0, 100 / 6.0 } };
	struct zwb_run *run = sizes_and_series("a", "b");
	const struct zwb_compare_options options = { 0 };
	struct zwb_comparison *cmp = compare(run, &options);
	const struct zwb_cmp_row *row = find_row(cmp, "write request size max", NULL);
	struct zwb_pictures pictures;
	const struct zwb_picture *p;

	(void)state;
	assert_non_null(row);
	assert_string_equal(row->unit, "pages");
	assert_value(row->cells[1].value, 5000);
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	p = zwb_picture_find(&pictures, "write-request-size");
	assert_non_null(p);
	assert_int_equal(p->kind, ZWB_PICTURE_BARS);
	assert_int_equal(p->nr_categories, 13);
	for (size_t i = 0; i < p->nr_categories; i++)
		assert_string_equal(p->categories[i], names[i]);
	for (size_t l = 0; l < 2; l++) {
		assert_int_equal(p->lines[l].nr_marks, 13);
		for (size_t i = 0; i < 13; i++) {
			assert_value(p->lines[l].marks[i].x, (double)i);
			assert_true(fabs(p->lines[l].marks[i].y - shares[l][i]) < 1e-9);
		}
	}
	assert_string_equal(p->alt, "Share of each write request size. a: most have 1 pages (50 %);"
				    " b: most have 3-4 pages (66.7 %).");
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void pictures__what_is_the_same_under_all_policies_is_one_line(void **state)
{
	struct zwb_run *run = sizes_and_series("a", "b");
	const struct zwb_compare_options options = { 0 };
	struct zwb_comparison *cmp = compare(run, &options);
	struct zwb_pictures pictures;
	const struct zwb_picture *p;

	(void)state;
	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	p = zwb_picture_find(&pictures, "write-requests-over-time");
	assert_non_null(p);
	assert_int_equal(p->kind, ZWB_PICTURE_TIME);
	assert_string_equal(p->y_unit, "1/s");
	assert_int_equal(p->nr_lines, 2);
	/* 30 in the half second around 0.75 s are 60 a second */
	assert_value(p->lines[0].marks[1].x, 0.75);
	assert_value(p->lines[0].marks[1].y, 60);
	assert_value(p->lines[1].marks[2].y, NAN);
	p = zwb_picture_find(&pictures, "zswap-pool-over-time");
	assert_non_null(p);
	assert_string_equal(p->y_unit, "bytes");
	assert_int_equal(p->nr_lines, 1);
	assert_string_equal(p->lines[0].label, "all policies");
	assert_value(p->lines[0].marks[1].y, 400);
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* -- the page -- */

#define MAX_DEPTH 64

/* The name of a tag into @name; where it ends. */
static const char *tag_name(const char *at, char *name, size_t size)
{
	size_t len = 0;

	while (isalnum((unsigned char)*at) && len + 1 < size)
		name[len++] = *at++;
	name[len] = '\0';
	return at;
}

/* Attributes up to ">": NAME="VALUE" each. Return: behind it. */
static const char *skip_attributes(const char *at, int *is_empty)
{
	*is_empty = 0;
	while (*at != '>') {
		if (*at == '/' && at[1] == '>') {
			*is_empty = 1;
			return at + 2;
		}
		assert_int_equal(*at, ' ');
		at++;
		while (isalpha((unsigned char)*at) || *at == '-' || *at == ':')
			at++;
		assert_memory_equal(at, "=\"", 2);
		at += 2;
		while (*at != '"') {
			assert_true(*at && *at != '<');
			at++;
		}
		at++;
	}
	return at + 1;
}

/* Every element is closed, every attribute quoted, every "&" begins an entity that we write. */
static void assert_well_formed(const char *text)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	char stack[MAX_DEPTH][16];
	const char *at = text + strlen("<!DOCTYPE html>");
	int depth = 0, is_empty;

	assert_memory_equal(text, "<!DOCTYPE html>", strlen("<!DOCTYPE html>"));
	while (*at) {
		char name[16];
		size_t e = 0;

		if (*at == '&') {
			while (e < 5 && strncmp(at, entities[e], strlen(entities[e])) != 0)
				e++;
			assert_true(e < 5);
		}
		if (*at++ != '<')
			continue;
		if (*at == '/') {
			at = tag_name(at + 1, name, sizeof(name));
			assert_int_equal(*at++, '>');
			assert_true(depth > 0);
			assert_string_equal(name, stack[--depth]);
			continue;
		}
		at = tag_name(at, name, sizeof(name));
		assert_true(name[0] && depth < MAX_DEPTH);
		at = skip_attributes(at, &is_empty);
		if (!is_empty)
			memcpy(stack[depth++], name, sizeof(name));
	}
	assert_int_equal(depth, 0);
}

static size_t count(const char *text, const char *what)
{
	size_t nr = 0, len = strlen(what);

	for (; *text; text++)
		nr += strncmp(text, what, len) == 0;
	return nr;
}

static void pictures__the_page_is_well_formed_whatever_names_are_in_it(void **state)
{
	const struct zwb_metric_def def = { hostile, hostile, hostile, ZWB_KIND_COUNT,
		ZWB_BETTER_LOWER };
	const struct zwb_compare_options options = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = two_policies(hostile, "b");
	int metric = zwb_run_add_def(run, &def, NULL);
	char *page;

	(void)state;
	assert_true(metric >= 0);
	for (int p = 0; p < 2; p++) {
		struct zwb_run_arm *arm = build_arm(0, p ? "b" : hostile, 2);

		build_value(arm, (enum zwb_metric)metric, ZWB_RUN_TOTAL, 5 + p);
		build_value(arm, ZWB_METRIC_WRITE_REQUESTS, 1, 5 + p);
		assert_int_equal(zwb_run_arm_note(arm, hostile, NULL), ZWB_OK);
		build_add(run, arm);
	}
	free(run->traces[0].cgroups[1].path);
	run->traces[0].cgroups[1].path = strdup(hostile);
	page = build_report(run, "html", &options);
	assert_well_formed(page);
	/* our own, and no other */
	assert_int_equal(count(page, "<script"), 1);
	assert_int_equal(count(page, "alert('"), 0);
	assert_true(count(page, "alert(&#39;&quot;&#39;)") > 5);
	/* nothing is fetched */
	assert_int_equal(count(page, "src="), 0);
	assert_int_equal(count(page, "href="), 0);
	assert_int_equal(count(page, "url("), 0);
	free(page);
	zwb_run_free(run);
}

static void pictures__sizes_and_series_are_drawn_whatever_names_they_have(void **state)
{
	const struct zwb_compare_options options = { 0 };
	struct zwb_run *run = sizes_and_series(hostile, "b");
	char *page = build_report(run, "html", &options);

	(void)state;
	assert_well_formed(page);
	assert_int_equal(count(page, "<script"), 1);
	/* and the changes of the sizes */
	assert_int_equal(count(page, "<figure "), 4);
	assert_int_equal(count(page, "Data of this picture"), 4);
	assert_int_equal(count(page, "<title>b, 3-4: 66.7 % have this many pages</title>"), 1);
	assert_int_equal(count(page, "<title>b, 0.25 s: 20 1/s</title>"), 1);
	assert_int_equal(count(page, "<title>all policies, 0.75 s: 400 bytes</title>"), 1);
	assert_int_equal(count(page, "nan"), 0);
	free(page);
	zwb_run_free(run);
}

static void pictures__every_picture_has_a_text_and_a_table(void **state)
{
	const struct zwb_compare_options options = { 0 };
	struct zwb_run *run = two_policies("a", "b");
	char *page = build_report(run, "html", &options);
	size_t nr = count(page, "<figure ");

	(void)state;
	assert_int_equal(nr, 2);
	assert_int_equal(count(page, "role=\"img\" aria-label=\""), nr);
	assert_int_equal(count(page, "aria-label=\"\""), 0);
	assert_int_equal(count(page, "Data of this picture"), nr);
	assert_int_equal(count(page, "<output>"), nr);
	/* a value that hovers: p99 of 1 to 1000 us */
	assert_int_equal(count(page, "<title>a, p99: 990"), 1);
	assert_int_equal(count(page, "nan"), 0);
	assert_int_equal(count(page, "inf"), 0);
	free(page);
	zwb_run_free(run);
}

/* -- gnuplot -- */

static void assert_no_command(const struct zwb_run *run)
{
	const struct zwb_compare_options options = { 0 };
	struct zwb_comparison *cmp = compare(run, &options);
	struct zwb_pictures pictures;

	assert_int_equal(zwb_pictures_of(cmp, &pictures, NULL), ZWB_OK);
	assert_true(pictures.nr > 1);
	for (size_t i = 0; i < pictures.nr; i++) {
		char *script = NULL;
		size_t len;
		FILE *out = open_memstream(&script, &len);

		assert_non_null(out);
		assert_int_equal(
			zwb_plot_write(out, &pictures.items[i], ZWB_PLOT_SVG, NULL), ZWB_OK);
		assert_int_equal(fclose(out), 0);
		/* quotes are doubled, there are no double ones, and lines are not broken */
		assert_int_equal(count(script, "x' ;"), 0);
		assert_int_equal(count(script, "\""), 0);
		assert_int_equal(count(script, "\n!"), 0);
		assert_int_equal(count(script, "\nEOD\n"), pictures.items[i].nr_lines);
		free(script);
	}
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
}

static void pictures__a_script_holds_no_command_of_the_names_in_it(void **state)
{
	static const char command[] = "x' ; system 'touch /tmp/owned' #`id`\n!id\nEOD\n";
	struct zwb_run *times = two_policies(command, "b"), *sizes = sizes_and_series(command, "b");

	(void)state;
	assert_no_command(times);
	assert_no_command(sizes);
	zwb_run_free(times);
	zwb_run_free(sizes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			pictures__a_forest_has_the_changes_and_nothing_that_does_not_change),
		cmocka_unit_test(pictures__a_distribution_rises_to_all_of_its_samples),
		cmocka_unit_test(pictures__of_a_single_policy_are_distributions_only),
		cmocka_unit_test(pictures__more_policies_than_can_be_told_apart_are_counted),
		cmocka_unit_test(pictures__the_page_is_well_formed_whatever_names_are_in_it),
		cmocka_unit_test(pictures__sizes_are_bars_of_powers_of_two),
		cmocka_unit_test(pictures__what_is_the_same_under_all_policies_is_one_line),
		cmocka_unit_test(pictures__sizes_and_series_are_drawn_whatever_names_they_have),
		cmocka_unit_test(pictures__every_picture_has_a_text_and_a_table),
		cmocka_unit_test(pictures__a_script_holds_no_command_of_the_names_in_it),
	};

	return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
