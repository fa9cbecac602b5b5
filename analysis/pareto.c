/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the front: whoever dominates a column comes before it in lexical order. */
#include "pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const objectives[ZWB_PARETO_MAX] = { "write requests", "iocost debt",
	"swapin latency p99", "reclaim-stall latency p99", "zswap pool mean" };

static int pareto_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the Pareto front");
}

static double value_of(const struct zwb_pareto *p, size_t row, size_t column)
{
	return p->rows[row]->cells[column].value;
}

/* Measured everywhere, and not the same everywhere? */
static int tells_apart(const struct zwb_comparison *cmp, const struct zwb_cmp_row *row)
{
	int differs = 0;

	for (size_t c = 0; c < cmp->nr_columns; c++) {
		if (!isfinite(row->cells[c].value))
			return 0;
		differs |= row->cells[c].value != row->cells[0].value;
	}
	return differs;
}

static void find_rows(const struct zwb_comparison *cmp, struct zwb_pareto *p)
{
	for (size_t o = 0; o < ZWB_PARETO_MAX; o++) {
		for (size_t i = 0; i < cmp->nr_rows; i++) {
			const struct zwb_cmp_row *row = &cmp->rows[i];

			if (!row->group && strcmp(row->name, objectives[o]) == 0 &&
				tells_apart(cmp, row))
				p->rows[p->nr_rows++] = row;
		}
	}
}

/* Is @a at least as good as @b in all? As the first in lexical order it is better, or equal. */
static int covers(const struct zwb_pareto *p, size_t a, size_t b)
{
	for (size_t r = 0; r < p->nr_rows; r++) {
		if (value_of(p, r, a) > value_of(p, r, b))
			return 0;
	}
	return 1;
}

static int equals(const struct zwb_pareto *p, size_t a, size_t b)
{
	return covers(p, a, b) && covers(p, b, a);
}

static int compare_values(const void *x, const void *y, void *arg)
{
	const struct zwb_pareto *p = arg;
	size_t a = *(const size_t *)x, b = *(const size_t *)y;

	for (size_t r = 0; r < p->nr_rows; r++) {
		double va = value_of(p, r, a), vb = value_of(p, r, b);

		if (va != vb)
			return va < vb ? -1 : 1;
	}
	return (a > b) - (a < b);
}

static int compare_columns(const void *x, const void *y)
{
	size_t a = *(const size_t *)x, b = *(const size_t *)y;

	return (a > b) - (a < b);
}

int zwb_pareto_of(const struct zwb_comparison *cmp, struct zwb_pareto *p, struct zwb_err *err)
{
	size_t *sorted;

	*p = (struct zwb_pareto){ 0 };
	find_rows(cmp, p);
	if (p->nr_rows == 0)
		return ZWB_OK;
	p->front = malloc(cmp->nr_columns * sizeof(*p->front));
	sorted = malloc(cmp->nr_columns * sizeof(*sorted));
	if (!p->front || !sorted) {
		free(sorted);
		return pareto_no_memory(err);
	}
	for (size_t c = 0; c < cmp->nr_columns; c++)
		sorted[c] = c;
	qsort_r(sorted, cmp->nr_columns, sizeof(*sorted), compare_values, p);
	for (size_t i = 0; i < cmp->nr_columns; i++) {
		int is_beaten = 0;

		/* equal ones are all on the front: neither beats the other */
		for (size_t f = 0; !is_beaten && f < p->nr_front; f++)
			is_beaten = covers(p, p->front[f], sorted[i]) &&
				    !equals(p, p->front[f], sorted[i]);
		if (!is_beaten)
			p->front[p->nr_front++] = sorted[i];
	}
	free(sorted);
	qsort(p->front, p->nr_front, sizeof(*p->front), compare_columns);
	return ZWB_OK;
}

void zwb_pareto_release(struct zwb_pareto *p)
{
	free(p->front);
	*p = (struct zwb_pareto){ 0 };
}
