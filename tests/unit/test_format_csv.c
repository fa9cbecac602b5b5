/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated values: read back by a small parser of RFC 4180. */
#include "run_builder.h"

#include <math.h>

static const struct zwb_compare_options all = { 0 };

#define MAX_FIELDS 64

struct record {
	char fields[MAX_FIELDS][256];
	size_t nr;
};

/* Reads one record; lines end in LF. Return: behind it, or NULL at the end of the text. */
static const char *parse_record(const char *s, struct record *r)
{
	size_t len = 0;

	memset(r, 0, sizeof(*r));
	if (!*s)
		return NULL;
	for (;; s++) {
		char *field = r->fields[r->nr];

		if (len == 0 && *s == '"') {
			for (s++; *s != '"' || s[1] == '"'; s++) {
				assert_true(*s != '\0' && len < sizeof(r->fields[0]) - 1);
				s += *s == '"';
				field[len++] = *s;
			}
			s++;
			assert_true(*s == ',' || *s == '\n');
		}
		if (*s == ',' || *s == '\n') {
			r->nr++;
			len = 0;
			assert_true(r->nr < MAX_FIELDS);
			if (*s == '\n')
				return s + 1;
			continue;
		}
		assert_true(*s != '\0' && *s != '"' && len < sizeof(r->fields[0]) - 1);
		field[len++] = *s;
	}
}

/* The field of @r in the column called @name. */
static const char *field_of(const struct record *header, const struct record *r, const char *name)
{
	for (size_t i = 0; i < header->nr; i++) {
		if (strcmp(header->fields[i], name) == 0)
			return r->fields[i];
	}
	fail_msg("no column %s", name);
	return NULL;
}

static void format_csv__one_row_a_metric_cgroup_and_policy(void **state)
{
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct record header, r;
	const char *at;
	char *text;
	size_t nr = 0;

	(void)state;
	build_trace(run, "one");
	for (int p = 0; p < 2; p++) {
		struct zwb_run_arm *arm = build_arm(0, p ? "y" : "x", 1);

		build_value(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL, 7);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 5);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, 5);
		build_add(run, arm);
	}
	text = build_report(run, "csv", &by_cgroup);
	at = parse_record(text, &header);
	while ((at = parse_record(at, &r))) {
		assert_int_equal(r.nr, header.nr);
		assert_string_equal(field_of(&header, &r, "schema_version"), "2");
		nr++;
	}
	assert_int_equal(nr, 6); /* zswpwb, write bios, write bios of /a; two policies each */
	free(text);
	zwb_run_free(run);
}

/* 10 and 20 over two recordings: mean 15, sd sqrt(50); the other 15 and 45: 30, sd sqrt(450). */
static void format_csv__statistics_have_all_their_digits(void **state)
{
	struct zwb_run *run = build_run();
	struct record header, r;
	const char *at;
	char *text;

	(void)state;
	build_trace(run, "one");
	build_trace(run, "two");
	build_total(run, 0, "x", ZWB_METRIC_WRITE_BIOS, 10);
	build_total(run, 1, "x", ZWB_METRIC_WRITE_BIOS, 20);
	build_total(run, 0, "y", ZWB_METRIC_WRITE_BIOS, 15);
	build_total(run, 1, "y", ZWB_METRIC_WRITE_BIOS, 45);
	text = build_report(run, "csv", &all);
	at = parse_record(text, &header);
	at = parse_record(at, &r);
	assert_string_equal(field_of(&header, &r, "metric"), "write bios");
	assert_string_equal(field_of(&header, &r, "unit"), "count");
	assert_string_equal(field_of(&header, &r, "better"), "lower");
	assert_string_equal(field_of(&header, &r, "class"), "E");
	assert_string_equal(field_of(&header, &r, "scope"), "total");
	assert_string_equal(field_of(&header, &r, "policy"), "x");
	assert_string_equal(field_of(&header, &r, "is_baseline"), "1");
	assert_string_equal(field_of(&header, &r, "n"), "2");
	assert_string_equal(field_of(&header, &r, "value"), "15");
	assert_true(strtod(field_of(&header, &r, "sd"), NULL) == sqrt(50));
	assert_string_equal(field_of(&header, &r, "seed_sd"), "");
	assert_string_equal(field_of(&header, &r, "delta_percent"), "");
	assert_non_null(parse_record(at, &r));
	assert_string_equal(field_of(&header, &r, "is_baseline"), "0");
	assert_true(strtod(field_of(&header, &r, "sd"), NULL) == sqrt(450));
	assert_string_equal(field_of(&header, &r, "delta_percent"), "100");
	free(text);
	zwb_run_free(run);
}

static void format_csv__not_measured_is_empty(void **state)
{
	struct zwb_run *run = build_run();
	struct record header, r;
	const char *at;
	char *text;

	(void)state;
	build_trace(run, "one");
	build_total(run, 0, "x", ZWB_METRIC_PGROTATED, 0);
	build_total(run, 0, "y", ZWB_METRIC_PGROTATED, NAN);
	text = build_report(run, "csv", &all);
	at = parse_record(text, &header);
	at = parse_record(at, &r);
	assert_string_equal(field_of(&header, &r, "value"), "0");
	assert_non_null(parse_record(at, &r));
	assert_string_equal(field_of(&header, &r, "value"), "");
	assert_string_equal(field_of(&header, &r, "n"), "0");
	assert_string_equal(field_of(&header, &r, "class"), "");
	free(text);
	zwb_run_free(run);
}

static void format_csv__hostile_names_come_back(void **state)
{
	/* what is written, and what a reader sees: nothing that steers a terminal */
	static const struct {
		const char *path, *read;
	} rows[] = {
		{ "/plain", "/plain" },
		{ "/a,b", "/a,b" },
		{ "/say \"hi\"", "/say \"hi\"" },
		{ "/caf\xc3\xa9", "/caf\xc3\xa9" },
		{ "/\"", "/\"" },
		{ "/line\nbreak\r", "/line\\x0abreak\\x0d" },
		{ "/\x1b[2J\xff", "/\\x1b[2J\\xff" },
	};
	const struct zwb_compare_options by_cgroup = { .group_by = ZWB_GROUP_CGROUP };
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();
	struct zwb_run_arm *arm = build_arm(0, "./a\"b,c.so,x=1", 1);
	struct record header, r;
	const char *at;
	char *text;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		assert_int_equal(zwb_meta_cgroup(meta, 5 + i, rows[i].path, NULL), 1 + i);
		build_value(arm, ZWB_METRIC_ZSWPWB, (uint32_t)i + 1, (double)i);
	}
	assert_int_equal(zwb_run_add_trace(run, meta, "", NULL), 0);
	zwb_meta_free(meta);
	build_add(run, arm);
	text = build_report(run, "csv", &by_cgroup);
	at = parse_record(text, &header);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		at = parse_record(at, &r);
		assert_non_null(at);
		assert_string_equal(field_of(&header, &r, "group"), rows[i].read);
		assert_string_equal(field_of(&header, &r, "policy"), "./a\"b,c.so,x=1");
		assert_true(strtod(field_of(&header, &r, "value"), NULL) == (double)i);
	}
	assert_null(parse_record(at, &r));
	free(text);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_csv__one_row_a_metric_cgroup_and_policy),
		cmocka_unit_test(format_csv__statistics_have_all_their_digits),
		cmocka_unit_test(format_csv__not_measured_is_empty),
		cmocka_unit_test(format_csv__hostile_names_come_back),
	};

	return cmocka_run_group_tests_name("format_csv", tests, NULL, NULL);
}
