/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines over getopt_long(). */
#include "options.h"

#include "common.h"
#include "parse.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS  64
#define HELP_COLUMN  28
#define HELP_COLUMNS 80
#define LONG_VALUE   256 /* getopt values from here on are indices; below are letters */

static const struct zwb_option common_options[] = {
	{ .name = "help", .letter = 'h', .help = "print this help" },
	{ .name = "version", .help = "print the version" },
	{ 0 },
};

/* The command's options and the common ones, in the forms that getopt_long() wants. */
struct parser {
	const struct zwb_option *rows[MAX_OPTIONS + 1]; /* NULL-terminated */
	struct option longs[MAX_OPTIONS + 1];
	char shorts[2 * MAX_OPTIONS + 2];
	const char *command;
	char **argv;
};

void zwb_strings_release(struct zwb_strings *strings)
{
	free(strings->items);
	*strings = (struct zwb_strings){ 0 };
}

int zwb_option_flag(const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	(void)opt;
	(void)arg;
	(void)err;
	*(int *)field = 1;
	return ZWB_OK;
}

int zwb_option_string(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	(void)opt;
	if (!*arg)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "the argument is empty");
	*(const char **)field = arg;
	return ZWB_OK;
}

int zwb_option_strings(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	struct zwb_strings *strings = field;
	const char **items;

	(void)opt;
	if (!*arg)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "the argument is empty");
	items = reallocarray(strings->items, strings->nr + 1, sizeof(*items));
	if (!items)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory");
	items[strings->nr++] = arg;
	strings->items = items;
	return ZWB_OK;
}

int zwb_option_u64(const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	return zwb_parse_u64(arg, opt->min, opt->max, field, err);
}

int zwb_option_seconds(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	return zwb_parse_seconds(arg, opt->min, opt->max, field, err);
}

int zwb_option_bytes(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	return zwb_parse_bytes(arg, opt->min, opt->max, field, err);
}

int zwb_option_choice(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err)
{
	return zwb_parse_choice(arg, opt->choices, field, err);
}

int zwb_usage_error(const char *command, const char *fmt, ...)
{
	struct zwb_err err = { .status = ZWB_EUSAGE };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof(err.text), fmt, ap);
	va_end(ap);
	zwb_print_error(command, &err);
	fprintf(stderr, "Try \"%s --help\".\n", command);
	return ZWB_EXIT_USAGE;
}

static size_t append_rows(struct parser *p, size_t nr, const struct zwb_option *rows)
{
	for (; rows && rows->name && nr < MAX_OPTIONS; rows++) {
		p->rows[nr] = rows;
		p->longs[nr] = (struct option){ rows->name,
			rows->arg ? required_argument : no_argument, NULL, LONG_VALUE + (int)nr };
		nr++;
	}
	return nr;
}

static void parser_init(struct parser *p, const struct zwb_usage *usage, char **argv)
{
	char *s = p->shorts;
	size_t nr;

	*p = (struct parser){ .command = argv[0], .argv = argv };
	nr = append_rows(p, 0, usage->options);
	append_rows(p, nr, common_options);
	*s++ = ':'; /* tell a missing argument from an unknown option */
	for (const struct zwb_option **row = p->rows; *row; row++) {
		if (!(*row)->letter)
			continue;
		*s++ = (*row)->letter;
		if ((*row)->arg)
			*s++ = ':';
	}
}

/* The row behind what getopt_long() returned or left in optopt; NULL when there is none. */
static const struct zwb_option *row_of(const struct parser *p, int value)
{
	if (value >= LONG_VALUE)
		return p->rows[value - LONG_VALUE];
	for (size_t i = 0; p->rows[i]; i++) {
		if (p->rows[i]->letter == value)
			return p->rows[i];
	}
	return NULL;
}

/* The word with which a long option was typed. */
static const char *typed_word(const struct parser *p, const struct zwb_option *opt)
{
	int argument_is_apart = opt->arg && optarg == p->argv[optind - 1];

	return p->argv[optind - 1 - argument_is_apart];
}

/* getopt_long() also takes unique abbreviations. */
static int is_abbreviated(const char *word, const struct zwb_option *opt)
{
	size_t len = strcspn(word + 2, "=");

	return len != strlen(opt->name) || strncmp(word + 2, opt->name, len) != 0;
}

static int bad_option(const struct parser *p, int value)
{
	const struct zwb_option *opt = optopt ? row_of(p, optopt) : NULL;

	if (opt && value == ':')
		return zwb_usage_error(
			p->command, "--%s needs an argument, %s", opt->name, opt->arg);
	if (opt)
		return zwb_usage_error(p->command, "--%s takes no argument", opt->name);
	if (optopt)
		return zwb_usage_error(p->command, "unknown option \"-%c\"", optopt);
	return zwb_usage_error(p->command, "unknown option \"%s\"", p->argv[optind - 1]);
}

/* Puts @text at HELP_COLUMN, broken at spaces; @column is where the line stands now. */
static void print_wrapped(const char *text, int column)
{
	while (*text) {
		int room = HELP_COLUMNS - HELP_COLUMN - 1;
		int len = (int)strlen(text);

		if (len > room) {
			len = room;
			while (len > 0 && text[len] != ' ')
				len--;
			if (!len)
				len = (int)strcspn(text, " ");
		}
		if (column >= HELP_COLUMN) {
			putchar('\n');
			column = 0;
		}
		printf("%*s%.*s\n", HELP_COLUMN - column, "", len, text);
		column = 0;
		text += len;
		text += strspn(text, " ");
	}
}

/* "=FILE", or the words to choose from: "=lkml|csv". Return: columns. */
static int print_argument(const struct zwb_option *opt)
{
	int columns = 0;

	if (!opt->arg)
		return 0;
	if (!opt->choices)
		return printf("=%s", opt->arg);
	for (const char *const *choice = opt->choices; *choice; choice++)
		columns += printf("%s%s", columns ? "|" : "=", *choice);
	return columns;
}

static void print_help(const struct parser *p, const struct zwb_usage *usage)
{
	printf("Usage: %s %s\n\n%s\nOptions:\n", p->command, usage->synopsis, usage->text);
	for (size_t i = 0; p->rows[i]; i++) {
		const struct zwb_option *opt = p->rows[i];
		int column = opt->letter ? printf("  -%c, ", opt->letter) : printf("      ");

		column += printf("--%s", opt->name);
		column += print_argument(opt);
		print_wrapped(opt->help, column);
	}
}

static int check_operands(
	const struct parser *p, const struct zwb_usage *usage, const struct zwb_operands *operands)
{
	if (operands->nr < usage->min_operands)
		return zwb_usage_error(p->command, "%s; the call is \"%s %s\"",
			operands->nr ? "too few arguments" : "nothing to work on", p->command,
			usage->synopsis);
	if (usage->max_operands >= 0 && operands->nr > usage->max_operands)
		return zwb_usage_error(p->command, "unexpected argument \"%s\"",
			operands->items[usage->max_operands]);
	return ZWB_OPTIONS_RUN;
}

/* One option of the command itself. */
static int take_option(const struct parser *p, const struct zwb_option *opt, void *args)
{
	struct zwb_err err = { 0 };

	if (opt->take(opt, optarg, (char *)args + opt->offset, &err) == ZWB_OK)
		return ZWB_OPTIONS_RUN;
	zwb_err_prefix(&err, "--%s", opt->name);
	if (err.status == ZWB_EUSAGE)
		return zwb_usage_error(p->command, "%s", err.text);
	return zwb_print_error(p->command, &err);
}

int zwb_options_parse(const struct zwb_usage *usage, int argc, char **argv, void *args,
	struct zwb_operands *operands)
{
	const struct zwb_option *opt;
	struct parser p = { 0 };
	int value, code;

	parser_init(&p, usage, argv);
	opterr = 0;
	optind = 0; /* glibc: start anew, also when an earlier line was left half read */
	while ((value = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
		if (value == '?' || value == ':')
			return bad_option(&p, value);
		opt = row_of(&p, value);
		if (value >= LONG_VALUE && is_abbreviated(typed_word(&p, opt), opt))
			return zwb_usage_error(p.command,
				"unknown option \"%s\"; did you mean --%s?", typed_word(&p, opt),
				opt->name);
		if (opt == &common_options[0]) {
			print_help(&p, usage);
			return ZWB_EXIT_OK;
		}
		if (opt == &common_options[1]) {
			printf("zwb %s\n", ZWB_VERSION);
			return ZWB_EXIT_OK;
		}
		code = take_option(&p, opt, args);
		if (code != ZWB_OPTIONS_RUN)
			return code;
	}
	*operands = (struct zwb_operands){ argv + optind, argc - optind };
	return check_operands(&p, usage, operands);
}
