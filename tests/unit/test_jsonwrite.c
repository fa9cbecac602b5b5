/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "jsonwrite.h"

#include "zwb_test.h"

#include <jansson.h>
#include <string.h>

static json_t *read_back(struct zwb_buf *out)
{
	json_error_t error;
	json_t *value;

	assert_int_equal(zwb_buf_check(out, NULL), ZWB_OK);
	value = json_loadb((const char *)out->data, out->len, 0, &error);
	if (!value)
		fail_msg("%s: %.*s", error.text, (int)out->len, (const char *)out->data);
	return value;
}

static void jsonwrite__nests_objects_and_arrays(void **state)
{
	static const char expected[] = "{\n  \"a\": [\n    1,\n    {},\n    []\n  ],\n"
				       "  \"b\": true,\n  \"c\": null\n}\n";
	struct zwb_buf out = { 0 };
	struct zwb_jsonwrite json;

	(void)state;
	zwb_jsonwrite_init(&json, &out);
	zwb_jsonwrite_object(&json, NULL);
	zwb_jsonwrite_array(&json, "a");
	zwb_jsonwrite_number(&json, NULL, 1);
	zwb_jsonwrite_object(&json, NULL);
	zwb_jsonwrite_end(&json);
	zwb_jsonwrite_array(&json, NULL);
	zwb_jsonwrite_end_array(&json);
	zwb_jsonwrite_end_array(&json);
	zwb_jsonwrite_bool(&json, "b", true);
	zwb_jsonwrite_text(&json, "c", NULL);
	zwb_jsonwrite_end(&json);
	zwb_jsonwrite_finish(&json);
	assert_int_equal(out.len, strlen(expected));
	assert_memory_equal(out.data, expected, out.len);
	json_decref(read_back(&out));
	zwb_buf_release(&out);
}

/* Whatever bytes: a parser takes it, and what was text comes back. */
static void jsonwrite__makes_text_of_any_bytes(void **state)
{
	static const struct {
		const char *text, *read;
	} cases[] = {
		{ "plain", "plain" },
		{ "a \"quote\" and a \\", "a \"quote\" and a \\" },
		{ "line\nend\ttab\x01\x7f", "line\nend\ttab\x01\x7f" },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7",
			"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7" },
		{ "\xff|\xc3|\xc0\xaf|", "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf5\x80\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct zwb_buf out = { 0 };
		struct zwb_jsonwrite json;
		json_t *value;

		zwb_jsonwrite_init(&json, &out);
		zwb_jsonwrite_array(&json, NULL);
		zwb_jsonwrite_text(&json, NULL, cases[i].text);
		zwb_jsonwrite_end_array(&json);
		zwb_jsonwrite_finish(&json);
		value = read_back(&out);
		assert_string_equal(json_string_value(json_array_get(value, 0)), cases[i].read);
		json_decref(value);
		zwb_buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jsonwrite__nests_objects_and_arrays),
		cmocka_unit_test(jsonwrite__makes_text_of_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
