/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep shows, as a section of a page. */
#ifndef ZWB_HTML_SWEEP_H
#define ZWB_HTML_SWEEP_H

#include "compare.h"
#include "err.h"

#include <stdio.h>

/** zwb_html_sweep() - Pareto front and effects of parameters. Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_html_sweep(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err);

#endif
