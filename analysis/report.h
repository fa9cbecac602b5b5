/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to a printed report. */
#ifndef ZWB_REPORT_H
#define ZWB_REPORT_H

#include "compare.h"
#include "err.h"
#include "format_ops.h"
#include "run.h"

#include <stdio.h>

/**
 * zwb_report_write() - compare the arms of @runs and print the comparison.
 * @out: borrowed; whether it took everything is for the caller to check, by closing it.
 * @runs: borrowed; from run files or straight from a replay.
 * @format: one of zwb_format_table; NULL is the default, lkml.
 * Return: what zwb_compare() returns; ZWB_ENOMEM.
 */
int zwb_report_write(FILE *out, const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, const struct zwb_format_ops *format,
	struct zwb_err *err);

/** zwb_report_default_format() - the index of the default in zwb_format_table. */
int zwb_report_default_format(void);

#endif
