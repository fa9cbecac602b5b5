/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb capture --measure-overhead. */
#ifndef ZWB_CAPTURE_OVERHEAD_H
#define ZWB_CAPTURE_OVERHEAD_H

#include "capture_run.h"

/**
 * zwb_capture_overhead() - run a command in turns without and with capture, and print the figures.
 * The last run is one with, and args->output is its recording, with the figures in it.
 * @argv: the command, ends with NULL; argv[0] NULL: the built-in load, for about
 * args->duration_ns a run.
 * @nr_pairs: of runs, at least 2.
 * Return: ZWB_OK; ZWB_EUSAGE; ZWB_EENV, also when a signal ended it; ZWB_ENOMEM. Then there is no
 * recording.
 */
int zwb_capture_overhead(const char *command, const struct zwb_capture_args *args,
	char *const *argv, size_t nr_pairs, struct zwb_err *err);

#endif
