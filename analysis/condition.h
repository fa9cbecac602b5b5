/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions on a comparison, for scripts: "p99>5%". */
#ifndef ZWB_CONDITION_H
#define ZWB_CONDITION_H

#include "compare.h"
#include "err.h"

#include <stddef.h>

/*
 *	condition = metric operator number [ "%" [ "surely" ] ]
 *	operator  = ">" | ">=" | "<" | "<="
 *
 * The metric is the name of a row; or the end of one, from a blank on, which may be that of
 * several: "p99" is that of every latency. "worse" is every row that is better low or high, and its
 * change is positive where the row got worse. Blanks around the parts do not count.
 *
 * With "%" it is about the change against the baseline, and met if the change is so large and not
 * what chance may have made (see zwb_cmp_verdict); with "surely", if the whole interval is. From a
 * baseline of 0 any change is infinite. Without "%" it is about the value.
 */
struct zwb_condition {
	char *metric;
	int is_above; /* 1: > or >=, 0: < or <= */
	int or_equal;
	int is_percent;
	int is_surely;
	double bound;
};

/** zwb_condition_parse() - Return: ZWB_OK; ZWB_EUSAGE with what is wrong; ZWB_ENOMEM. */
int zwb_condition_parse(const char *text, struct zwb_condition *c, struct zwb_err *err);
void zwb_condition_release(struct zwb_condition *c);

/* Where a condition is met. */
struct zwb_condition_hit {
	const struct zwb_cmp_row *row;
	const struct zwb_cmp_column *column;
	const struct zwb_cmp_cell *cell;
};

/**
 * zwb_condition_check() - look for cells that meet a condition.
 * @hit: called for each.
 * @nr_judged: set to how many cells had what it takes to judge them.
 * Return: how many meet it; ZWB_EUSAGE if there is no such row.
 */
int zwb_condition_check(const struct zwb_condition *c, const struct zwb_comparison *cmp,
	void (*hit)(void *arg, const struct zwb_condition_hit *hit), void *arg, size_t *nr_judged,
	struct zwb_err *err);

#endif
