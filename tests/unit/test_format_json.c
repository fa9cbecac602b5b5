/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON report: parsed back with a strict parser. */
#include "run_builder.h"

#include <jansson.h>
#include <math.h>

static const struct zwb_compare_options all = { 0 };

/* Parses a report; the caller drops the reference. */
static json_t *parse(const struct zwb_run *run, const struct zwb_compare_options *options)
{
	char *text = build_report(run, "json", options);
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return root;
}

static const char *string_at(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void format_json__says_what_it_is(void **state)
{
	struct zwb_run *run = build_run();
	json_t *root;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	root = parse(run, &all);
	assert_string_equal(string_at(root, "format"), "zwb report");
	assert_int_equal(json_integer_value(json_object_get(root, "schema_version")), 2);
	assert_string_equal(string_at(root, "zwb_version"), "0.1.0");
	json_decref(root);
	zwb_run_free(run);
}

/* 10 and 20: mean 15, sd sqrt(50); 0 and 0: mean 0, sd 0, change -100 %. */
static void format_json__cells_line_up_with_policies(void **state)
{
	struct zwb_run *run = build_run();
	json_t *root, *row, *cells;

	(void)state;
	build_trace(run, "one");
	build_trace(run, "two");
	build_total(run, 0, "x", ZWB_METRIC_WRITE_BIOS, 10);
	build_total(run, 1, "x", ZWB_METRIC_WRITE_BIOS, 20);
	build_total(run, 0, "y", ZWB_METRIC_WRITE_BIOS, 0);
	build_total(run, 1, "y", ZWB_METRIC_WRITE_BIOS, 0);
	root = parse(run, &all);
	assert_string_equal(
		string_at(json_array_get(json_object_get(root, "policies"), 1), "label"), "y");
	row = json_array_get(json_object_get(root, "rows"), 0);
	assert_string_equal(string_at(row, "metric"), "write bios");
	assert_string_equal(string_at(row, "better"), "lower");
	assert_true(json_is_null(json_object_get(row, "group")));
	cells = json_object_get(row, "cells");
	assert_int_equal(json_array_size(cells), 2);
	assert_true(json_real_value(json_object_get(json_array_get(cells, 0), "value")) == 15);
	assert_true(json_real_value(json_object_get(json_array_get(cells, 0), "sd")) == sqrt(50));
	assert_true(json_is_null(json_object_get(json_array_get(cells, 0), "delta_percent")));
	assert_true(json_real_value(json_object_get(json_array_get(cells, 1), "delta_percent")) ==
		    -100);
	assert_int_equal(
		json_array_size(json_object_get(json_array_get(cells, 1), "by_recording")), 2);
	json_decref(root);
	zwb_run_free(run);
}

static void format_json__recordings_carry_losses_and_unknowns(void **state)
{
	const struct zwb_loss loss = {
		.cpu = 3, .kind = ZWB_LOSS_OVERRUN, .nr = UINT64_MAX, .last_ns = 7
	};
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	json_t *root, *recording, *lost;

	(void)state;
	assert_int_equal(zwb_meta_loss(meta, &loss, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "store.cgroup", 4, NULL), ZWB_OK);
	assert_int_equal(zwb_run_add_trace(run, meta, "plugged", NULL), 0);
	zwb_meta_free(meta);
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	root = parse(run, &all);
	recording = json_array_get(json_object_get(root, "recordings"), 0);
	assert_string_equal(string_at(recording, "captured_policy"), "plugged");
	lost = json_array_get(json_object_get(recording, "losses"), 0);
	assert_string_equal(string_at(lost, "kind"), "overrun");
	assert_int_equal(json_integer_value(json_object_get(lost, "cpu")), 3);
	/* JSON's integers end earlier than ours */
	assert_string_equal(string_at(lost, "nr"), "18446744073709551615");
	assert_true(json_is_false(json_object_get(lost, "nr_is_known")));
	assert_string_equal(
		string_at(json_array_get(json_object_get(recording, "unknowns"), 0), "what"),
		"store.cgroup");
	json_decref(root);
	zwb_run_free(run);
}

static void format_json__not_measured_is_null(void **state)
{
	struct zwb_run *run = build_run();
	json_t *root, *cell;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	build_total(run, 0, "y", ZWB_METRIC_ZSWPWB, NAN);
	root = parse(run, &all);
	cell = json_array_get(
		json_object_get(json_array_get(json_object_get(root, "rows"), 0), "cells"), 1);
	assert_true(json_is_null(json_object_get(cell, "value")));
	assert_true(json_is_null(json_object_get(cell, "class")));
	assert_int_equal(json_integer_value(json_object_get(cell, "n")), 0);
	json_decref(root);
	zwb_run_free(run);
}

static void format_json__hostile_names_are_valid_text(void **state)
{
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_run_arm *arm = build_arm(0, "\xc3(", 1);
	json_t *root;

	(void)state;
	assert_int_equal(zwb_meta_cgroup(meta, 5, "/\"\\ \xc3\xa9\n\xed\xa0\x80", NULL), 1);
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_value(arm, ZWB_METRIC_ZSWPWB, 1, 1);
	build_add(run, arm);
	root = parse(run, &by_cgroup);
	assert_string_equal(string_at(json_array_get(json_object_get(root, "rows"), 0), "group"),
		"/\"\\ \xc3\xa9\\x0a\\xed\\xa0\\x80");
	assert_string_equal(
		string_at(json_array_get(json_object_get(root, "policies"), 0), "label"), "\\xc3(");
	json_decref(root);
	zwb_run_free(run);
}

/* -- without memory -- */

static size_t allocations_left;
static size_t nr_live;

static void *scarce_malloc(size_t bytes)
{
	void *p;

	if (allocations_left == 0)
		return NULL;
	allocations_left--;
	p = malloc(bytes);
	nr_live += p != NULL;
	return p;
}

static void counting_free(void *p)
{
	nr_live -= p != NULL;
	free(p);
}

/* The Nth allocation of the JSON library fails, for every N until the report succeeds. */
static void format_json__every_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
	struct zwb_run *run = build_run();
	const struct zwb_run *runs = run;
	const struct zwb_format_ops *json = NULL;
	int ret = ZWB_ENOMEM;
	size_t nr = 0, len;
	char *text = NULL;
	json_t *root;

	(void)state;
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		if (strcmp((*f)->name, "json") == 0)
			json = *f;
	}
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_ZSWPWB, 1);
	json_set_alloc_funcs(scarce_malloc, counting_free);
	for (; ret == ZWB_ENOMEM; nr++) {
		FILE *out;

		free(text);
		text = NULL;
		out = open_memstream(&text, &len);
		assert_non_null(out);
		allocations_left = nr;
		nr_live = 0;
		ret = zwb_report_write(out, &runs, 1, &all, json, NULL);
		assert_int_equal(nr_live, 0);
		fclose(out);
	}
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(ret, ZWB_OK);
	assert_true(nr > 100);
	root = json_loads(text, 0, NULL); /* the first success is whole */
	assert_non_null(root);
	json_decref(root);
	free(text);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_json__says_what_it_is),
		cmocka_unit_test(format_json__cells_line_up_with_policies),
		cmocka_unit_test(format_json__recordings_carry_losses_and_unknowns),
		cmocka_unit_test(format_json__not_measured_is_null),
		cmocka_unit_test(format_json__hostile_names_are_valid_text),
		cmocka_unit_test(
			format_json__every_failed_allocation_is_reported_and_leaks_nothing),
	};

	return cmocka_run_group_tests_name("format_json", tests, NULL, NULL);
}
