/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions from a recording beside what other kernels were measured to do. */
#ifndef ZWB_AGAINST_H
#define ZWB_AGAINST_H

#include "captured.h"
#include "err.h"
#include "input.h"
#include "options.h"

struct zwb_against {
	const char *path; /* CSV of measured runs, see measured.h */
	const char *workload; /* NULL: the only one in the file */
	struct zwb_strings arms; /* KERNEL=POLICY */
};

/**
 * zwb_against_print() - replay @trace through the policy of each arm and print bios and requests
 * per 1,000 pages written beside those of its kernel. There is no bar: under another policy the
 * walks would have been others.
 */
int zwb_against_print(const struct zwb_against *against, const struct zwb_input *input,
	const char *trace, const struct zwb_captured *captured, struct zwb_err *err);

#endif
