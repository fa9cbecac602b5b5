/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines: one table a command, from which parsing and --help are made. */
#ifndef ZWB_OPTIONS_H
#define ZWB_OPTIONS_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A command describes its options in a static const table and keeps their values in a struct of its
 * own, which it fills with the defaults before parsing:
 *
 *	struct args {
 *		const char *output;
 *		uint64_t from_ns;
 *		int quiet;
 *	};
 *	static const struct zwb_option options[] = {
 *		ZWB_OPTION("output", 'o', "FILE", "write the store to FILE", string,
 *			struct args, output),
 *		ZWB_OPTION("from", 0, "SECONDS", "leave out what is earlier", seconds,
 *			struct args, from_ns, .max = UINT64_MAX),
 *		ZWB_OPTION("quiet", 'q', NULL, "no progress", flag, struct args, quiet),
 *		{ 0 },
 *	};
 *
 * --help and --version are in every command and not in its table. Options and operands mix, "--"
 * ends the options, "-" alone is an operand. Long names must be given in full: an abbreviation that
 * works today would break when an option is added. An option given twice: the last one counts,
 * except with zwb_option_strings, which collects.
 */

struct zwb_option;

/**
 * typedef zwb_option_fn - take the value of one option.
 * @opt:   its row.
 * @arg:   text from the command line, lives as long as argv; NULL when the option takes none.
 * @field: the option's place in the command's struct.
 * Return: ZWB_OK or a negative status with @err filled; the parser puts "--NAME: " in front.
 */
typedef int (*zwb_option_fn)(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);

struct zwb_option {
	const char *name; /* long name without dashes; NULL ends the table */
	char letter; /* short form, or 0 */
	const char *arg; /* what --help calls the argument; NULL: takes none */
	const char *help; /* one sentence, no full stop; wrapped by --help */
	zwb_option_fn take;
	size_t offset; /* of the field in the command's struct */
	uint64_t min, max; /* inclusive range for u64, seconds (ns) and bytes */
	const char *const *choices; /* NULL-terminated, for zwb_option_choice; --help lists them */
};

/*
 * One row. @how: zwb_option_ is put in front of it. @args, @member: the struct and the field. What
 * follows are initializers of min, max or choices.
 */
#define ZWB_OPTION(name_, letter_, arg_, help_, how, args, member, ...)                            \
	{                                                                                          \
		.name = name_, .letter = letter_, .arg = arg_, .help = help_,                      \
		.take = zwb_option_##how, .offset = offsetof(args, member), __VA_ARGS__            \
	}

/* A growing array of borrowed strings; the array is freed by zwb_strings_release(). */
struct zwb_strings {
	const char **items;
	size_t nr;
};

void zwb_strings_release(struct zwb_strings *strings);

/* The ready-made ones. */
/** zwb_option_flag() - @field: int, set to 1. */
int zwb_option_flag(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_string() - @field: const char *; an empty argument is refused. */
int zwb_option_string(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_strings() - @field: struct zwb_strings, appended to. */
int zwb_option_strings(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_u64() - @field: uint64_t. */
int zwb_option_u64(const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_seconds() - @field: uint64_t, nanoseconds. */
int zwb_option_seconds(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_bytes() - @field: uint64_t, bytes. */
int zwb_option_bytes(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);
/** zwb_option_choice() - @field: int, index into choices. */
int zwb_option_choice(
	const struct zwb_option *opt, const char *arg, void *field, struct zwb_err *err);

/* How a command is called. */
struct zwb_usage {
	const char *synopsis; /* "TRACE... -o FILE [OPTION...]" */
	const char *text; /* what it does: a few lines, each ended by a newline */
	const struct zwb_option *options;
	int min_operands;
	int max_operands; /* -1: any number */
};

struct zwb_operands {
	char **items; /* part of argv */
	int nr;
};

#define ZWB_OPTIONS_RUN (-1)

/**
 * zwb_options_parse() - read a command line.
 * @usage:    the command's tables.
 * @argc:     as given to the command; argv[0] is "zwb NAME".
 * @argv:     reordered: options first.
 * @args:     the command's struct, holding the defaults; filled.
 * @operands: what is left.
 * Return: ZWB_OPTIONS_RUN, or the exit code with which the command is over: ZWB_EXIT_OK after
 * --help or --version, ZWB_EXIT_USAGE after a message on stderr. Nothing but zwb_strings in @args
 * is allocated.
 */
int zwb_options_parse(const struct zwb_usage *usage, int argc, char **argv, void *args,
	struct zwb_operands *operands);

/**
 * zwb_usage_error() - say what is wrong with a command line, and where its help is.
 * @command: argv[0].
 * Return: ZWB_EXIT_USAGE.
 */
int zwb_usage_error(const char *command, const char *fmt, ...) ZWB_PRINTF(2, 3);

#endif
