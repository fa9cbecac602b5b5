/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front door: finds the subcommand and runs it. */
#include "cmd.h"
#include "err.h"
#include "options.h"

#include <errno.h>
#ifndef ZWB_CAPTURE_ONLY
#include <gsl/gsl_errno.h>
#include <hdf5.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct zwb_cmd commands[] = {
#define ZWB_X(name, summary) { #name, zwb_cmd_##name, summary },
	ZWB_COMMANDS(ZWB_X)
#undef ZWB_X
		{ 0 },
};

static void print_help(void)
{
	puts("Usage: zwb COMMAND [OPTION...] [FILE...]\n\n"
	     "Replays recordings of zswap writeback through other writeback policies.\n");
	for (const struct zwb_cmd *c = commands; c->name; c++)
		printf("  %-10s %s\n", c->name, c->summary);
	puts("\n\"zwb COMMAND --help\" describes a command; zwb(1) is the manual.");
}

static int run(int argc, char **argv)
{
	char name[64];

	if (argc < 2)
		return zwb_usage_error("zwb", "no command given");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help();
		return ZWB_EXIT_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("zwb %s\n", ZWB_VERSION);
		return ZWB_EXIT_OK;
	}
	for (const struct zwb_cmd *c = commands; c->name; c++) {
		if (strcmp(argv[1], c->name) != 0)
			continue;
		snprintf(name, sizeof(name), "zwb %s", c->name);
		argv[1] = name;
		return c->run(argc - 1, argv + 1);
	}
	return zwb_usage_error("zwb", "unknown command \"%s\"", argv[1]);
}

/* Both libraries would print, GSL would abort; their failures are returned as zwb_err. */
static void hush_libraries(void)
{
#ifndef ZWB_CAPTURE_ONLY
	/* The exit handler of HDF5 1.10 crashes after a file could not be written: disk full. */
	H5dont_atexit();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	gsl_set_error_handler_off();
#endif
}

int main(int argc, char **argv)
{
	int code;

	hush_libraries();
	signal(SIGXFSZ, SIG_IGN); /* beyond "ulimit -f" writes fail, and the half file is removed */
	code = run(argc, argv);
	/* What did not reach the disk or pipe must not look done. */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "zwb: standard output: %s\n", strerror(errno));
		return code < ZWB_EXIT_USAGE ? ZWB_EXIT_ENV : code;
	}
	return code;
}
