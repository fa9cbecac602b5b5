/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands share beside options: error messages and the progress meter. */
#ifndef ZWB_COMMON_H
#define ZWB_COMMON_H

#include "err.h"

#include <stdint.h>
#include <stdio.h>

/**
 * zwb_print_error() - "zwb NAME: TEXT" on stderr, control characters shown as \xNN.
 * @command: argv[0].
 * Return: the exit code that stands for @err's status.
 */
int zwb_print_error(const char *command, const struct zwb_err *err);

/** zwb_print_warning() - "zwb NAME: warning: TEXT" on stderr, control characters made visible. */
void zwb_print_warning(const char *command, const char *fmt, ...) ZWB_PRINTF(2, 3);

/**
 * zwb_put_text() - write text that came from a file, control characters shown as \xNN, so that it
 * can neither steer a terminal nor break a line.
 */
void zwb_put_text(FILE *out, const char *text);

/**
 * zwb_check_output() - refuse an output that is one of the inputs, whatever --force says.
 * @output: NULL: nothing to check.
 * Return: ZWB_OK; ZWB_EUSAGE.
 */
int zwb_check_output(char *const *inputs, int nr_inputs, const char *output, struct zwb_err *err);

/*
 * One line on stderr that is overwritten in place: what is done, share, rate, time left. Silent
 * when stderr is not a terminal or the user asked for quiet. Updating often is cheap.
 */
struct zwb_progress {
	const char *what; /* "import"; borrowed */
	const char *unit; /* "events"; borrowed */
	uint64_t total; /* 0: not known, no share and no time left */
	uint64_t start_ns, shown_ns; /* monotonic clock */
	int is_on;
};

void zwb_progress_init(
	struct zwb_progress *p, const char *what, const char *unit, uint64_t total, int quiet);
/** zwb_progress_update() - @done units so far. */
void zwb_progress_update(struct zwb_progress *p, uint64_t done);
/** zwb_progress_finish() - erase the line; before any other output. */
void zwb_progress_finish(struct zwb_progress *p);

#endif
