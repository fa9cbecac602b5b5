/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table from thread ids to what somebody keeps about the thread. */
#ifndef ZWB_TASKTAB_H
#define ZWB_TASKTAB_H

#include <stddef.h>
#include <stdint.h>

/* Open addressing with linear probing, at most half full; values are borrowed, never removed. */
struct zwb_tasktab {
	struct zwb_tasktab_row {
		void *value; /* NULL: empty */
		int32_t tid;
	} * rows;
	size_t nr, mask; /* mask + 1 rows; both 0 before the first add */
};

/** zwb_tasktab_find() - the value of @tid, or NULL. */
static inline void *zwb_tasktab_find(const struct zwb_tasktab *t, int32_t tid)
{
	size_t i;

	if (!t->rows)
		return NULL;
	i = ((uint32_t)tid * UINT32_C(2654435769)) >> 7;
	for (i &= t->mask; t->rows[i].value; i = (i + 1) & t->mask) {
		if (t->rows[i].tid == tid)
			return t->rows[i].value;
	}
	return NULL;
}

/** zwb_tasktab_add() - @tid is not in the table yet. Return: 0, or -1 without memory. */
int zwb_tasktab_add(struct zwb_tasktab *t, int32_t tid, void *value);

/** zwb_tasktab_release() - call @release (or nothing, NULL) for every value, then free the rows. */
void zwb_tasktab_release(struct zwb_tasktab *t, void (*release)(void *value));

/** zwb_tasktab_sorted() - the values by ascending tid; the caller frees. NULL without memory. */
void **zwb_tasktab_sorted(const struct zwb_tasktab *t);

#endif
