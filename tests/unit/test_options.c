/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include "zwb_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct args {
	const char *output;
	struct zwb_strings policies;
	uint64_t from_ns, threads, bytes;
	int format, quiet;
};

static const char *const formats[] = { "lkml", "csv", NULL };

static const struct zwb_option options[] = {
	ZWB_OPTION("output", 'o', "FILE", "write to FILE", string, struct args, output),
	ZWB_OPTION("policy", 'p', "NAME", "a policy; may be given several times", strings,
		struct args, policies),
	ZWB_OPTION("from", 0, "SECONDS", "start", seconds, struct args, from_ns, .max = UINT64_MAX),
	ZWB_OPTION("threads", 'j', "N", "threads", u64, struct args, threads, .min = 1, .max = 256),
	ZWB_OPTION("buffer", 0, "BYTES", "size", bytes, struct args, bytes, .max = UINT64_MAX),
	ZWB_OPTION("format", 0, "NAME", "lkml or csv", choice, struct args, format,
		.choices = formats),
	ZWB_OPTION("quiet", 'q', NULL,
		"a sentence which is so long that it cannot be put on one line of help and is "
		"therefore broken where a space is",
		flag, struct args, quiet),
	{ 0 },
};

static const struct zwb_usage usage = { "TRACE... [OPTION...]", "Does a thing.\n", options, 1, 2 };

struct run {
	int code;
	struct args args;
	struct zwb_operands operands;
	char *argv[16];
	char words[16][48];
	char text[4096]; /* what went to the stream that was watched */
};

/* Parses @line (words apart by one space) while stream @fd goes to a file that is read back. */
static void run_line(struct run *r, int fd, const char *line)
{
	FILE *watched = tmpfile();
	int saved = dup(fd), argc = 0;
	size_t len;

	assert_non_null(watched);
	*r = (struct run){ .args = { .threads = 1 } };
	for (const char *c = line; *c; c += strspn(c, " ")) {
		len = strcspn(c, " ");
		snprintf(r->words[argc], sizeof(r->words[argc]), "%.*s", (int)len, c);
		r->argv[argc] = r->words[argc];
		argc++;
		c += len;
	}
	snprintf(r->words[0], sizeof(r->words[0]), "zwb test");
	fflush(NULL);
	dup2(fileno(watched), fd);
	r->code = zwb_options_parse(&usage, argc, r->argv, &r->args, &r->operands);
	fflush(NULL);
	dup2(saved, fd);
	close(saved);
	rewind(watched);
	len = fread(r->text, 1, sizeof(r->text) - 1, watched);
	r->text[len] = '\0';
	fclose(watched);
}

static void options__fill_every_type_of_field(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDERR_FILENO,
		"zwb a -o out --policy=x --from 0.5 b -j2 --buffer 1K --format csv -p y,k=v -q");
	assert_int_equal(r.code, ZWB_OPTIONS_RUN);
	assert_string_equal(r.text, "");
	assert_string_equal(r.args.output, "out");
	assert_int_equal(r.args.policies.nr, 2);
	assert_string_equal(r.args.policies.items[0], "x");
	assert_string_equal(r.args.policies.items[1], "y,k=v");
	assert_int_equal(r.args.from_ns, 500000000);
	assert_int_equal(r.args.threads, 2);
	assert_int_equal(r.args.bytes, 1024);
	assert_int_equal(r.args.format, 1);
	assert_int_equal(r.args.quiet, 1);
	assert_int_equal(r.operands.nr, 2);
	assert_string_equal(r.operands.items[0], "a");
	assert_string_equal(r.operands.items[1], "b");
	zwb_strings_release(&r.args.policies);
	assert_int_equal(r.args.policies.nr, 0);
}

static void options__keep_defaults_and_take_the_last(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDERR_FILENO, "zwb -o one -o two -");
	assert_int_equal(r.code, ZWB_OPTIONS_RUN);
	assert_string_equal(r.args.output, "two");
	assert_int_equal(r.args.threads, 1);
	assert_string_equal(r.operands.items[0], "-");
}

static void options__double_dash_ends_them(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDERR_FILENO, "zwb -- -q --nonsense");
	assert_int_equal(r.code, ZWB_OPTIONS_RUN);
	assert_int_equal(r.args.quiet, 0);
	assert_int_equal(r.operands.nr, 2);
	assert_string_equal(r.operands.items[1], "--nonsense");
}

static void options__refuse_with_exit_2_and_say_why(void **state)
{
	static const struct {
		const char *line, *expected;
	} cases[] = {
		{ "zwb", "nothing to work on; the call is \"zwb test TRACE... [OPTION...]\"" },
		{ "zwb a b c", "unexpected argument \"c\"" },
		{ "zwb a --nonsense", "unknown option \"--nonsense\"" },
		{ "zwb a -z", "unknown option \"-z\"" },
		{ "zwb a -qz", "unknown option \"-z\"" },
		{ "zwb a --output", "--output needs an argument, FILE" },
		{ "zwb a -o", "--output needs an argument, FILE" },
		{ "zwb a --output=", "--output: the argument is empty" },
		{ "zwb a --quiet=yes", "--quiet takes no argument" },
		{ "zwb a --thr 2", "unknown option \"--thr\"; did you mean --threads?" },
		{ "zwb a --threads 0", "--threads: 0 is out of range, 1 to 256" },
		{ "zwb a --threads many", "--threads: \"many\" is not a whole number" },
		{ "zwb a --format html", "--format: \"html\" is not one of lkml, csv" },
		{ "zwb a --from x", "--from: \"x\" is not a number of seconds" },
	};
	struct run r;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		run_line(&r, STDERR_FILENO, cases[i].line);
		assert_int_equal(r.code, ZWB_EXIT_USAGE);
		assert_memory_equal(r.text, "zwb test: ", strlen("zwb test: "));
		if (!strstr(r.text, cases[i].expected))
			fail_msg("%s: \"%s\"", cases[i].line, r.text);
		assert_non_null(strstr(r.text, "Try \"zwb test --help\"."));
	}
}

static void options__refuse_abbreviations(void **state)
{
	static const char *const lines[] = { "zwb a --outp x", "zwb a --outp=x", "zwb a --quie",
		"zwb a b --fro 1 ", "zwb a --hel" };
	struct run r;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(lines); i++) {
		run_line(&r, STDERR_FILENO, lines[i]);
		assert_int_equal(r.code, ZWB_EXIT_USAGE);
	}
}

static void options__help_lists_the_table_within_80_columns(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDOUT_FILENO, "zwb --help");
	assert_int_equal(r.code, ZWB_EXIT_OK);
	assert_non_null(strstr(r.text, "Usage: zwb test TRACE... [OPTION...]\n\nDoes a thing.\n"));
	for (const struct zwb_option *o = options; o->name; o++)
		assert_non_null(strstr(r.text, o->name));
	assert_non_null(strstr(r.text, "\n  -o, --output=FILE         write to FILE\n"));
	assert_non_null(strstr(r.text, "\n      --format=lkml|csv     lkml or csv\n"));
	assert_non_null(strstr(r.text, "\n  -h, --help                print this help\n"));
	for (const char *line = r.text; *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
}

static void options__version_goes_to_stdout(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDOUT_FILENO, "zwb --version");
	assert_int_equal(r.code, ZWB_EXIT_OK);
	assert_string_equal(r.text, "zwb " ZWB_VERSION "\n");
}

static void options__messages_carry_no_control_characters(void **state)
{
	struct run r;

	(void)state;
	run_line(&r, STDERR_FILENO, "zwb a --\033[2J");
	assert_int_equal(r.code, ZWB_EXIT_USAGE);
	assert_null(strchr(r.text, '\033'));
	assert_non_null(strstr(r.text, "\\x1b[2J"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(options__fill_every_type_of_field),
		cmocka_unit_test(options__keep_defaults_and_take_the_last),
		cmocka_unit_test(options__double_dash_ends_them),
		cmocka_unit_test(options__refuse_with_exit_2_and_say_why),
		cmocka_unit_test(options__refuse_abbreviations),
		cmocka_unit_test(options__help_lists_the_table_within_80_columns),
		cmocka_unit_test(options__version_goes_to_stdout),
		cmocka_unit_test(options__messages_carry_no_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
