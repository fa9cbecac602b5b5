/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input is a command line: arguments that end in a NUL. Messages go to a closed stderr. */
#include "fuzz_util.h"

#include "options.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 64

struct args {
	int flag;
	int choice;
	const char *string;
	struct zwb_strings strings;
	uint64_t number;
	uint64_t ns;
	uint64_t bytes;
};

static const char *const words[] = { "one", "two", "three", NULL };

static const struct zwb_option options[] = {
	ZWB_OPTION("flag", 'f', NULL, "a flag", flag, struct args, flag),
	ZWB_OPTION(
		"choice", 'c', "WORD", "a choice", choice, struct args, choice, .choices = words),
	ZWB_OPTION("string", 's', "TEXT", "a text", string, struct args, string),
	ZWB_OPTION("strings", 'S', "TEXT", "texts", strings, struct args, strings),
	ZWB_OPTION("number", 'n', "N", "a number", u64, struct args, number, .min = 3, .max = 1000),
	ZWB_OPTION("seconds", 0, "S", "a time", seconds, struct args, ns, .max = UINT64_MAX),
	ZWB_OPTION("bytes", 'b', "B", "a size", bytes, struct args, bytes, .max = UINT64_MAX),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "FILE... [OPTION...]",
	.text = "Takes a command line apart.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = 3,
};

/* A copy, because the parser sorts argv; what it points to must stay unchanged. */
static uint64_t parse_once(char *text, size_t size)
{
	char name[] = "zwb fuzz";
	char *argv[MAX_ARGS + 2] = { name };
	struct zwb_operands operands = { 0 };
	struct args args = { 0 };
	uint64_t hash = FUZZ_HASH_START;
	int argc = 1, ret;

	for (size_t at = 0; at < size && argc <= MAX_ARGS; at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	ret = zwb_options_parse(&usage, argc, argv, &args, &operands);
	hash = fuzz_hash(hash, &ret, sizeof(ret));
	hash = fuzz_hash(hash, &args.flag, sizeof(args.flag));
	hash = fuzz_hash(hash, &args.choice, sizeof(args.choice));
	hash = fuzz_hash(hash, &args.number, sizeof(args.number));
	hash = fuzz_hash(hash, &args.ns, sizeof(args.ns));
	hash = fuzz_hash(hash, &args.bytes, sizeof(args.bytes));
	if (args.string)
		hash = fuzz_hash(hash, args.string, strlen(args.string));
	for (size_t i = 0; i < args.strings.nr; i++)
		hash = fuzz_hash(hash, args.strings.items[i], strlen(args.strings.items[i]));
	for (int i = 0; ret == ZWB_OPTIONS_RUN && i < operands.nr; i++)
		hash = fuzz_hash(hash, operands.items[i], strlen(operands.items[i]));
	zwb_strings_release(&args.strings);
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_same(parse_once(text, size), parse_once(text, size));
	free(text);
	return 0;
}
