/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a parameter does, all others being equal. */
#ifndef ZWB_EFFECTS_H
#define ZWB_EFFECTS_H

#include "compare.h"
#include "err.h"
#include "factors.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The effect of going from one level of a factor to another is taken over pairs of columns that
 * differ in this factor only, so that a plan need not be a full grid. Where the factor is which
 * policy it is, parameters that only one of the two takes do not count as a difference.
 */

/* From the factor's first level to another one, of one metric. */
struct zwb_effect {
	const struct zwb_factor *factor; /* borrowed */
	uint32_t to; /* level */
	const struct zwb_cmp_row *row; /* borrowed */
	size_t nr_pairs; /* at least 1 */
	double percent; /* change of the mean over the pairs */
	double least, most; /* change of a single pair, in % */
};

struct zwb_effects {
	struct zwb_effect *items; /* by factor, level and row */
	size_t nr;
};

/* With more columns than this, effects are not looked for. */
#define ZWB_EFFECTS_MAX_COLUMNS 10000

/**
 * zwb_effects_of() - @rows: of the total, measured in all columns.
 * Return: ZWB_OK; ZWB_ENOMEM. @effects is to be released in either case.
 */
int zwb_effects_of(const struct zwb_factors *factors, const struct zwb_comparison *cmp,
	const struct zwb_cmp_row *const *rows, size_t nr_rows, struct zwb_effects *effects,
	struct zwb_err *err);
void zwb_effects_release(struct zwb_effects *effects);

#endif
