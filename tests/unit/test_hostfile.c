/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values out of small files, and names that hold anything. */
#include "zwb_test.h"

#include "hostfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int setup(void **state)
{
	char *path = test_malloc(32);
	int fd;

	snprintf(path, 32, "/tmp/zwb-hostfile-XXXXXX");
	fd = mkstemp(path);
	*state = path;
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	int ret = unlink(*state);

	test_free(*state);
	return ret;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void hostfile__a_value_is_one_line(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "5\n", "5" },
		{ " a\tb \n", "a b" },
		{ "one \ntwo\n\nthree", "one; two; three" },
		{ "\n\nx", "x" },
	};
	char value[HOSTFILE_LINE];

	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		put(*state, rows[i].text);
		assert_true(hostfile_value(*state, value));
		assert_string_equal(value, rows[i].want);
	}
}

static void hostfile__nothing_is_no_value(void **state)
{
	char value[HOSTFILE_LINE];

	put(*state, " \n \n");
	assert_false(hostfile_value(*state, value));
	assert_false(hostfile_value("/tmp", value));
	assert_false(hostfile_value("/nowhere", value));
}

/* As long as a line can be, and longer. */
static void hostfile__a_long_value_is_cut(void **state)
{
	char text[2 * HOSTFILE_LINE], value[HOSTFILE_LINE];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put(*state, text);
	assert_true(hostfile_value(*state, value));
	assert_in_range(strlen(value), HOSTFILE_LINE - 8, HOSTFILE_LINE - 1);
}

static void hostfile__a_path_fits_or_is_refused(void **state)
{
	char path[HOSTFILE_PATH], root[2 * HOSTFILE_PATH];

	(void)state;
	assert_true(hostfile_path(path, "/r", "/a/%d", 5));
	assert_string_equal(path, "/r/a/5");
	memset(root, 'r', sizeof(root) - 1);
	root[sizeof(root) - 1] = '\0';
	assert_false(hostfile_path(path, root, "/a"));
	root[HOSTFILE_PATH - 2] = '\0';
	assert_false(hostfile_path(path, root, "/a"));
	assert_true(hostfile_path(path, root, "/"));
}

static void hostfile__names_survive_their_escapes(void **state)
{
	static const char name[] = "/a b\\040\nc\\", want[] = "/a b\\134040\\012c\\134";
	char escaped[64];

	(void)state;
	hostfile_escape(name, escaped, sizeof(escaped));
	assert_string_equal(escaped, want);
	hostfile_unescape(escaped);
	assert_string_equal(escaped, name);
	hostfile_escape("\n\n\n", escaped, 10); /* an escape is not cut in two */
	assert_string_equal(escaped, "\\012\\012");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(hostfile__a_value_is_one_line, setup, teardown),
		cmocka_unit_test_setup_teardown(hostfile__nothing_is_no_value, setup, teardown),
		cmocka_unit_test_setup_teardown(hostfile__a_long_value_is_cut, setup, teardown),
		cmocka_unit_test(hostfile__a_path_fits_or_is_refused),
		cmocka_unit_test(hostfile__names_survive_their_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
