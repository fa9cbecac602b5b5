/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A format of reports: one file in analysis/formats/ that ends with its ops. */
#ifndef ZWB_FORMAT_OPS_H
#define ZWB_FORMAT_OPS_H

#include "compare.h"
#include "err.h"

#include <stdio.h>

struct zwb_format_ops {
	const char *name; /* of the file, and for --format */
	const char *summary; /* one line */
	/*
	 * write: print a comparison. Whether the stream took everything is for the caller to
	 * check; what fails here is memory. Nothing in the output depends on date or machine.
	 */
	int (*write)(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err);
};

/* All formats by name, NULL at the end; made by CMake from the files there are. */
extern const struct zwb_format_ops *const zwb_format_table[];

#endif
