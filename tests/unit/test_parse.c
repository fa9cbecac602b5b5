/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"

#include "zwb_test.h"

#include <string.h>

struct number_case {
	const char *text;
	uint64_t min, max;
	int status;
	uint64_t value;
};

typedef int (*number_fn)(const char *, uint64_t, uint64_t, uint64_t *, struct zwb_err *);

static void check_numbers(number_fn parse, const struct number_case *cases, size_t nr)
{
	const uint64_t untouched = 424242;

	for (size_t i = 0; i < nr; i++) {
		const struct number_case *c = &cases[i];
		struct zwb_err err = { 0 };
		uint64_t value = untouched;

		if (parse(c->text, c->min, c->max, &value, &err) != c->status)
			fail_msg("\"%s\": expected status %d", c->text, c->status);
		if (value != (c->status == ZWB_OK ? c->value : untouched))
			fail_msg("\"%s\": got %lu", c->text, (unsigned long)value);
		if (c->status != ZWB_OK && !strstr(err.text, c->text))
			fail_msg("\"%s\": not quoted in \"%s\"", c->text, err.text);
	}
}

static void parse__u64_takes_a_whole_number_or_nothing(void **state)
{
	static const struct number_case cases[] = {
		{ "0", 0, UINT64_MAX, ZWB_OK, 0 },
		{ "42", 0, 100, ZWB_OK, 42 },
		{ "0x10", 0, 100, ZWB_OK, 16 },
		{ "010", 0, 100, ZWB_OK, 10 },
		{ "18446744073709551615", 0, UINT64_MAX, ZWB_OK, UINT64_MAX },
		{ "18446744073709551616", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "", 0, 100, ZWB_EUSAGE, 0 },
		{ "-1", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "+1", 0, 100, ZWB_EUSAGE, 0 },
		{ " 1", 0, 100, ZWB_EUSAGE, 0 },
		{ "1 ", 0, 100, ZWB_EUSAGE, 0 },
		{ "1x", 0, 100, ZWB_EUSAGE, 0 },
		{ "0x", 0, 100, ZWB_EUSAGE, 0 },
		{ "0x-1", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1.5", 0, 100, ZWB_EUSAGE, 0 },
		{ "5", 6, 7, ZWB_EUSAGE, 0 },
		{ "6", 6, 7, ZWB_OK, 6 },
		{ "7", 6, 7, ZWB_OK, 7 },
		{ "8", 6, 7, ZWB_EUSAGE, 0 },
	};

	(void)state;
	check_numbers(zwb_parse_u64, cases, ZWB_ARRAY_LEN(cases));
}

static void parse__seconds_are_exact_to_the_nanosecond(void **state)
{
	static const struct number_case cases[] = {
		{ "0", 0, UINT64_MAX, ZWB_OK, 0 },
		{ "2", 0, UINT64_MAX, ZWB_OK, 2000000000 },
		{ "0.25", 0, UINT64_MAX, ZWB_OK, 250000000 },
		{ "1.000000001", 0, UINT64_MAX, ZWB_OK, 1000000001 },
		{ "1.0000000001", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "18446744073.709551615", 0, UINT64_MAX, ZWB_OK, UINT64_MAX },
		{ "18446744073.709551616", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "18446744074", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1.", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ ".5", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1s", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1e3", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "-1", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "0.5", 600000000, UINT64_MAX, ZWB_EUSAGE, 0 },
	};

	(void)state;
	check_numbers(zwb_parse_seconds, cases, ZWB_ARRAY_LEN(cases));
}

static void parse__bytes_know_their_suffixes(void **state)
{
	static const struct number_case cases[] = {
		{ "4096", 0, UINT64_MAX, ZWB_OK, 4096 },
		{ "64K", 0, UINT64_MAX, ZWB_OK, 65536 },
		{ "64k", 0, UINT64_MAX, ZWB_OK, 65536 },
		{ "2M", 0, UINT64_MAX, ZWB_OK, 2097152 },
		{ "1G", 0, UINT64_MAX, ZWB_OK, 1073741824 },
		{ "1T", 0, UINT64_MAX, ZWB_OK, UINT64_C(1) << 40 },
		{ "16777215T", 0, UINT64_MAX, ZWB_OK, UINT64_C(16777215) << 40 },
		{ "16777216T", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1KB", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "1X", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "K", 0, UINT64_MAX, ZWB_EUSAGE, 0 },
		{ "2K", 0, 2047, ZWB_EUSAGE, 0 },
		{ "2K", 2049, 9999, ZWB_EUSAGE, 0 },
	};

	(void)state;
	check_numbers(zwb_parse_bytes, cases, ZWB_ARRAY_LEN(cases));
}

static void parse__double_is_finite_and_in_range(void **state)
{
	static const struct {
		const char *text;
		int status;
		double value;
	} cases[] = {
		{ "0.5", ZWB_OK, 0.5 },
		{ "1e-3", ZWB_OK, 1e-3 },
		{ "10", ZWB_OK, 10 },
		{ "10.01", ZWB_EUSAGE, 0 },
		{ "-0.1", ZWB_EUSAGE, 0 },
		{ "nan", ZWB_EUSAGE, 0 },
		{ "inf", ZWB_EUSAGE, 0 },
		{ "1e999", ZWB_EUSAGE, 0 },
		{ " 1", ZWB_EUSAGE, 0 },
		{ "1 ", ZWB_EUSAGE, 0 },
		{ "", ZWB_EUSAGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		double value = -7;

		assert_int_equal(
			zwb_parse_double(cases[i].text, 0, 10, &value, NULL), cases[i].status);
		assert_true(value == (cases[i].status == ZWB_OK ? cases[i].value : -7));
	}
}

static void parse__choice_names_what_there_is(void **state)
{
	static const char *const choices[] = { "lkml", "csv", NULL };
	struct zwb_err err = { 0 };
	int index = -7;

	(void)state;
	assert_int_equal(zwb_parse_choice("csv", choices, &index, &err), ZWB_OK);
	assert_int_equal(index, 1);
	assert_int_equal(zwb_parse_choice("cs", choices, &index, &err), ZWB_EUSAGE);
	assert_int_equal(index, 1);
	assert_string_equal(err.text, "\"cs\" is not one of lkml, csv");
}

static void parse__choice_survives_more_names_than_fit_a_message(void **state)
{
	const char *choices[65];
	struct zwb_err err = { 0 };
	int index = -7;

	(void)state;
	for (size_t i = 0; i + 1 < ZWB_ARRAY_LEN(choices); i++)
		choices[i] = "a-name-of-twenty-one";
	choices[ZWB_ARRAY_LEN(choices) - 1] = NULL;
	assert_int_equal(zwb_parse_choice("b", choices, &index, &err), ZWB_EUSAGE);
	assert_int_equal(index, -7);
}

static void parse__flag_takes_the_usual_words(void **state)
{
	int value = -7;

	(void)state;
	assert_int_equal(zwb_parse_flag("on", &value, NULL), ZWB_OK);
	assert_int_equal(value, 1);
	assert_int_equal(zwb_parse_flag("0", &value, NULL), ZWB_OK);
	assert_int_equal(value, 0);
	assert_int_equal(zwb_parse_flag("true", &value, NULL), ZWB_OK);
	assert_int_equal(value, 1);
	assert_int_equal(zwb_parse_flag("2", &value, NULL), ZWB_EUSAGE);
	assert_int_equal(value, 1);
}

static void parse__pair_walks_a_list(void **state)
{
	char text[] = "batched,plug=none,x=a=b,empty=";
	static const struct {
		const char *name, *value;
	} expected[] = { { "batched", NULL }, { "plug", "none" }, { "x", "a=b" }, { "empty", "" } };
	char *list = text, *name, *value;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(expected); i++) {
		assert_non_null(list);
		assert_int_equal(zwb_parse_pair(&list, &name, &value, NULL), ZWB_OK);
		assert_string_equal(name, expected[i].name);
		if (expected[i].value)
			assert_string_equal(value, expected[i].value);
		else
			assert_null(value);
	}
	assert_null(list);
}

static void parse__pair_refuses_items_without_a_name(void **state)
{
	char empty[] = "", hole[] = ",x", trailing[] = "x,", nameless[] = "=1";
	char *bad[] = { empty, hole, nameless };
	char *list, *name, *value;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(bad); i++) {
		list = bad[i];
		assert_int_equal(zwb_parse_pair(&list, &name, &value, NULL), ZWB_EUSAGE);
	}
	list = trailing;
	assert_int_equal(zwb_parse_pair(&list, &name, &value, NULL), ZWB_OK);
	assert_int_equal(zwb_parse_pair(&list, &name, &value, NULL), ZWB_EUSAGE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse__u64_takes_a_whole_number_or_nothing),
		cmocka_unit_test(parse__seconds_are_exact_to_the_nanosecond),
		cmocka_unit_test(parse__bytes_know_their_suffixes),
		cmocka_unit_test(parse__double_is_finite_and_in_range),
		cmocka_unit_test(parse__choice_names_what_there_is),
		cmocka_unit_test(parse__choice_survives_more_names_than_fit_a_message),
		cmocka_unit_test(parse__flag_takes_the_usual_words),
		cmocka_unit_test(parse__pair_walks_a_list),
		cmocka_unit_test(parse__pair_refuses_items_without_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
