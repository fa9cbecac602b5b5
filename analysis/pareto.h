/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies that no other beats in everything that matters. */
#ifndef ZWB_PARETO_H
#define ZWB_PARETO_H

#include "compare.h"
#include "err.h"

#include <stddef.h>

/*
 * What matters: requests, time in debt, tails of what tasks wait for, memory of the pool; less is
 * better in all. Of these, what was measured in every column and is not the same in all of them. A
 * column is on the front if no other is at least as good in all and better in one. Values are taken
 * as they are, without their uncertainty.
 */
#define ZWB_PARETO_MAX 5

struct zwb_pareto {
	const struct zwb_cmp_row *rows[ZWB_PARETO_MAX]; /* of the total */
	size_t nr_rows;
	size_t *front; /* columns, in their order */
	size_t nr_front; /* 0 if there is nothing to compare by */
};

/** zwb_pareto_of() - Return: ZWB_OK; ZWB_ENOMEM. @pareto is to be released in either case. */
int zwb_pareto_of(const struct zwb_comparison *cmp, struct zwb_pareto *pareto, struct zwb_err *err);
void zwb_pareto_release(struct zwb_pareto *pareto);

#endif
