/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the columns of a comparison differ in: parameters and their levels. */
#ifndef ZWB_FACTORS_H
#define ZWB_FACTORS_H

#include "compare.h"
#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A column says what it is as "sorted,max_pages=16" and "linear,depth=8,...", see struct
 * zwb_run_arm_info. A factor is a name (which policy, which device) that is not the same
 * everywhere, or a parameter that is not the same for all columns of one name: what sets presets
 * apart from each other belongs to the name. A column whose policy does not take a parameter has no
 * level of it.
 */

#define ZWB_NO_LEVEL UINT32_MAX

enum zwb_aspect {
	ZWB_ASPECT_TRIGGER,
	ZWB_ASPECT_LOOP,
	ZWB_ASPECT_SCHEDULER,
	ZWB_ASPECT_DEVICE,
	ZWB_ASPECT_POLICY,
	ZWB_ASPECT_NR
};

struct zwb_factor {
	enum zwb_aspect aspect;
	int is_name; /* else a parameter */
	char *name; /* "policy", "max_pages", "device depth" */
	char **levels; /* in the order of the columns: the baseline's first, if it has one */
	uint32_t nr_levels;
	uint32_t *level; /* of each column */
};

struct zwb_factors {
	struct zwb_factor *items;
	size_t nr;
};

/** zwb_factors_of() - Return: ZWB_OK; ZWB_ENOMEM. @factors is to be released in either case. */
int zwb_factors_of(
	const struct zwb_comparison *cmp, struct zwb_factors *factors, struct zwb_err *err);
void zwb_factors_release(struct zwb_factors *factors);

/**
 * zwb_factors_label() - a column by what sets it apart: "sorted max_pages=16 depth=8". Caller
 * frees; NULL without memory.
 */
char *zwb_factors_label(
	const struct zwb_factors *factors, const struct zwb_comparison *cmp, size_t column);

#endif
