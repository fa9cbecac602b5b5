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

/* Move the values to a table of @nr_rows, a power of two; those that may go are given back. */
static int tasktab_move(
	struct zwb_tasktab *t, size_t nr_rows, const struct zwb_tasktab_values *values)
{
	struct zwb_tasktab old = *t;

	t->rows = calloc(nr_rows, sizeof(*t->rows));
	if (!t->rows) {
		*t = old;
		return -1;
	}
	t->mask = nr_rows - 1;
	for (size_t i = 0; old.rows && i <= old.mask; i++) {
		void *value = old.rows[i].value;

		if (!value)
			continue;
		if (values && values->may_go(value, values->arg)) {
			free(value);
			t->nr--;
		} else {
			tasktab_put(t, old.rows[i].tid, value);
		}
	}
	free(old.rows);
	return 0;
}

int zwb_tasktab_add(struct zwb_tasktab *t, int32_t tid, void *value, struct zwb_err *err)
{
	size_t nr_rows = t->rows ? 2 * (t->mask + 1) : TASKTAB_FIRST_ROWS;

	if ((!t->rows || 2 * t->nr > t->mask) && tasktab_move(t, nr_rows, NULL))
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "no memory for the state of %zu tasks", t->nr + 1);
	tasktab_put(t, tid, value);
	t->nr++;
	return ZWB_OK;
}

static int tasktab_look(
	struct zwb_tasktab *t, const struct zwb_tasktab_values *values, struct zwb_err *err)
{
	if (tasktab_move(t, t->mask + 1, values))
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "no memory for the state of %zu tasks", t->nr);
	if (t->nr > ZWB_TASKTAB_MAX_STAY)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"more than %u tasks are inside calls that are followed: the recording is "
			"damaged",
			ZWB_TASKTAB_MAX_STAY);
	t->next_look = 2 * t->nr;
	if (t->next_look < ZWB_TASKTAB_FIRST_LOOK)
		t->next_look = ZWB_TASKTAB_FIRST_LOOK;
	return ZWB_OK;
}

int zwb_tasktab_make(struct zwb_tasktab *t, int32_t tid, const struct zwb_tasktab_values *values,
	void **out, struct zwb_err *err)
{
	int ret = zwb_tasktab_wants_look(t) ? tasktab_look(t, values, err) : ZWB_OK;
	void *value;

	*out = NULL;
	if (ret)
		return ret;
	value = calloc(1, values->bytes);
	if (!value)
		return zwb_err_set(
			err, ZWB_ENOMEM, 0, "no memory for the state of %zu tasks", t->nr + 1);
	ret = zwb_tasktab_add(t, tid, value, err);
	if (ret)
		free(value);
	else
		*out = value;
	return ret;
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
