/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/report.schema.json is what "zwb report --format json" writes. */
#include "json_schema.h"
#include "published.h"
#include "run_builder.h"

static json_t *load_schema(void)
{
	json_error_t error;
	json_t *schema = json_load_file(
		ZWB_SOURCE_DIR "/docs/report.schema.json", JSON_REJECT_DUPLICATES, &error);

	if (!schema)
		fail_msg("line %d: %s", error.line, error.text);
	return schema;
}

static json_t *parse(char *text)
{
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return root;
}

static void assert_valid(const json_t *document)
{
	struct json_schema s = { .root = load_schema() };

	schema_validate(&s, s.root, document, "document");
	json_decref(s.root);
	if (s.error[0])
		fail_msg("%s", s.error);
}

/* Recordings that lost something, seeds, cgroups, latencies, what was not measured. */
static struct zwb_run *build_all(size_t nr_recordings)
{
	const struct zwb_loss loss = { .kind = ZWB_LOSS_OVERRUN, .nr = UINT64_MAX };
	struct zwb_run *run = build_run();

	for (size_t t = 0; t < nr_recordings; t++) {
		struct zwb_meta *meta = zwb_meta_create();
		char name[24];

		snprintf(name, sizeof(name), "%zu", t);
		assert_int_equal(zwb_meta_set(&meta->digest, name, NULL), ZWB_OK);
		assert_int_equal(zwb_meta_cgroup(meta, 5, "/a", NULL), 1);
		assert_int_equal(zwb_meta_loss(meta, &loss, NULL), ZWB_OK);
		assert_int_equal(zwb_meta_unknown(meta, "store.len", 3, NULL), ZWB_OK);
		assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), (int)t);
		zwb_meta_free(meta);
		for (uint64_t i = 0; i < 6; i++) {
			struct zwb_run_arm *arm = build_arm(t, i % 2 ? "y" : "x", i / 2);
			struct zwb_hist h;

			zwb_hist_init(&h);
			for (uint64_t v = 0; v < 300; v++)
				zwb_hist_record(&h, 1000 * v * (i + t + 1));
			build_value(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL, 7);
			build_value(arm, ZWB_METRIC_PAGES_WRITTEN, ZWB_RUN_TOTAL, 1000);
			build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL,
				(double)(100 + t % 3 - 20 * (i % 2)));
			build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, (double)i);
			build_value(arm, ZWB_METRIC_IOCOST_DEBT, ZWB_RUN_TOTAL, i % 2 ? NAN : 1);
			assert_int_equal(zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY,
						 ZWB_RUN_TOTAL, 'M', &h, NULL),
				ZWB_OK);
			build_add(run, arm);
		}
	}
	return run;
}

static void report_schema__every_report_follows_it(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 9 };
	static const struct zwb_compare_options options[] = {
		{ .group_by = ZWB_GROUP_TOTAL },
		{ .group_by = ZWB_GROUP_CGROUP },
		{ .group_by = ZWB_GROUP_TRACE },
		{ .group_by = ZWB_GROUP_DEVICE },
		{ .center = ZWB_CENTER_MEDIAN },
		{ .center = ZWB_CENTER_TRIMMED },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(sizes); i++) {
		struct zwb_run *run = build_all(sizes[i]);

		for (size_t k = 0; k < ZWB_ARRAY_LEN(options); k++) {
			json_t *document = parse(build_report(run, "json", &options[k]));

			assert_valid(document);
			json_decref(document);
		}
		zwb_run_free(run);
	}
}

static json_t *report_of_three(void)
{
	struct zwb_run *run = build_all(3);
	json_t *document = parse(build_report(run, "json", &(struct zwb_compare_options){ 0 }));

	zwb_run_free(run);
	return document;
}

static void report_schema__published_means_follow_it(void **state)
{
	const struct zwb_published_options options = { .assumed_cv = 0.05 };
	struct zwb_comparison *cmp;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	json_t *document;

	(void)state;
	assert_non_null(out);
	assert_int_equal(zwb_published_compare(ZWB_SOURCE_DIR "/tests/data/published-tables.csv",
				 &options, "0.1.0", &cmp, NULL),
		ZWB_OK);
	for (const struct zwb_format_ops *const *f = zwb_format_table; *f; f++) {
		if (strcmp((*f)->name, "json") == 0)
			assert_int_equal((*f)->write(out, cmp, NULL), ZWB_OK);
	}
	assert_int_equal(fclose(out), 0);
	zwb_comparison_free(cmp);
	document = parse(text);
	assert_valid(document);
	json_decref(document);
}

/* What the validation is worth: any of these changes is found. */
static void report_schema__other_documents_do_not(void **state)
{
	for (int change = 0; change < 8; change++) {
		struct json_schema s = { .root = load_schema() };
		json_t *document = report_of_three();
		json_t *row = json_array_get(json_object_get(document, "rows"), 0);
		json_t *cell = json_array_get(json_object_get(row, "cells"), 1);

		(void)state;
		if (change == 0)
			json_object_del(document, "notes");
		else if (change == 1)
			json_object_set_new(document, "more", json_true());
		else if (change == 2)
			json_object_set_new(document, "schema_version", json_integer(1));
		else if (change == 3)
			json_object_set_new(row, "better", json_string("worse"));
		else if (change == 4)
			json_object_set_new(cell, "value", json_string("7"));
		else if (change == 5)
			json_object_set_new(cell, "n", json_real(2.5));
		else if (change == 6)
			json_object_del(json_object_get(cell, "sure"), "p");
		else
			json_object_set_new(cell, "class", json_string("X"));
		schema_validate(&s, s.root, document, "document");
		if (!s.error[0])
			fail_msg("change %d is not found", change);
		json_decref(document);
		json_decref(s.root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_schema__every_report_follows_it),
		cmocka_unit_test(report_schema__published_means_follow_it),
		cmocka_unit_test(report_schema__other_documents_do_not),
	};

	return cmocka_run_group_tests_name("report_schema", tests, NULL, NULL);
}
