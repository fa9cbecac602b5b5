/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thread ids to values. */
#include "tasktab.h"

#include <stdlib.h>

#define TASKTAB_FIRST_ROWS 64

static void tasktab_put(struct zwb_tasktab *t, int32_t tid, void *value)
{
	size_t i = ((uint32_t)tid * UINT32_C(2654435769)) >> 7;

	for (i &= t->mask; t->rows[i].value; i = (i + 1) & t->mask)
		;
	t->rows[i].tid = tid;
	t->rows[i].value = value;
}

static int tasktab_grow(struct zwb_tasktab *t)
{
	struct zwb_tasktab old = *t;
	size_t nr_rows = t->rows ? 2 * (t->mask + 1) : TASKTAB_FIRST_ROWS;

	t->rows = calloc(nr_rows, sizeof(*t->rows));
	if (!t->rows) {
		*t = old;
		return -1;
	}
	t->mask = nr_rows - 1;
	for (size_t i = 0; old.rows && i <= old.mask; i++) {
		if (old.rows[i].value)
			tasktab_put(t, old.rows[i].tid, old.rows[i].value);
	}
	free(old.rows);
	return 0;
}

int zwb_tasktab_add(struct zwb_tasktab *t, int32_t tid, void *value)
{
	if ((!t->rows || 2 * t->nr > t->mask) && tasktab_grow(t))
		return -1;
	tasktab_put(t, tid, value);
	t->nr++;
	return 0;
}

void zwb_tasktab_release(struct zwb_tasktab *t, void (*release)(void *value))
{
	for (size_t i = 0; release && t->rows && i <= t->mask; i++) {
		if (t->rows[i].value)
			release(t->rows[i].value);
	}
	free(t->rows);
	*t = (struct zwb_tasktab){ 0 };
}

static int tasktab_compare(const void *a, const void *b)
{
	const struct zwb_tasktab_row *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

void **zwb_tasktab_sorted(const struct zwb_tasktab *t)
{
	struct zwb_tasktab_row *rows = calloc(t->nr + 1, sizeof(*rows));
	void **values = calloc(t->nr + 1, sizeof(*values));
	size_t nr = 0;

	if (!rows || !values) {
		free(rows);
		free(values);
		return NULL;
	}
	for (size_t i = 0; t->rows && i <= t->mask; i++) {
		if (t->rows[i].value)
			rows[nr++] = t->rows[i];
	}
	qsort(rows, nr, sizeof(*rows), tasktab_compare);
	for (size_t i = 0; i < nr; i++)
		values[i] = rows[i].value;
	free(rows);
	return values;
}
