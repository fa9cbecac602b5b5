/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep shows, for mails. */
#ifndef ZWB_SWEEPTEXT_H
#define ZWB_SWEEPTEXT_H

#include "compare.h"
#include "err.h"

#include <stdio.h>

/**
 * zwb_sweeptext_write() - the Pareto front, and what each parameter does, as ASCII text.
 * @width: of lines.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_sweeptext_write(
	FILE *out, int width, const struct zwb_comparison *cmp, struct zwb_err *err);

#endif
