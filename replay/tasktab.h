/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table from thread ids to what somebody keeps about the thread. */
#ifndef ZWB_TASKTAB_H
#define ZWB_TASKTAB_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Open addressing with linear probing, at most half full. Thread ids come and go, and a long
 * recording sees more of them than there ever were at once: from 2^14 values on the table looks for
 * some that can go each time it has doubled since the last look. More than 2^15 that must stay are
 * more tasks than are inside the calls that are followed on any machine: the recording is damaged.
 */

#define ZWB_TASKTAB_FIRST_LOOK (1u << 14)
#define ZWB_TASKTAB_MAX_STAY   (1u << 15)

struct zwb_tasktab {
	struct zwb_tasktab_row {
		void *value; /* NULL: empty */
		int32_t tid;
	} * rows;
	size_t nr, mask; /* mask + 1 rows; both 0 before the first add */
	size_t next_look; /* size at which values that can go are looked for; 0: the first */
};

/* The values of a table that makes them itself. */
struct zwb_tasktab_values {
	size_t bytes; /* of one; zeroed, and given back by free() */
	/*
	 * may_go: true when nothing is lost if @value is made anew at the task's next event, and
	 * when it holds nothing any more; must leave the table alone.
	 */
	bool (*may_go)(void *value, void *arg);
	void *arg;
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

/**
 * zwb_tasktab_add() - @tid is not in the table yet.
 * @value: borrowed, not NULL.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_tasktab_add(struct zwb_tasktab *t, int32_t tid, void *value, struct zwb_err *err);

/**
 * zwb_tasktab_make() - likewise, with a new value.
 * @out: set to the value, or to NULL.
 * Return: ZWB_OK; ZWB_ENOMEM; ZWB_EDATA when more than 2^15 values must stay.
 */
int zwb_tasktab_make(struct zwb_tasktab *t, int32_t tid, const struct zwb_tasktab_values *values,
	void **out, struct zwb_err *err);

/** zwb_tasktab_wants_look() - the next make() will ask may_go() first. */
static inline bool zwb_tasktab_wants_look(const struct zwb_tasktab *t)
{
	return t->nr >= (t->next_look ? t->next_look : ZWB_TASKTAB_FIRST_LOOK);
}

/** zwb_tasktab_release() - call @release (or nothing, NULL) for every value, then free the rows. */
void zwb_tasktab_release(struct zwb_tasktab *t, void (*release)(void *value));

/** zwb_tasktab_sorted() - the values by ascending tid; the caller frees. NULL without memory. */
void **zwb_tasktab_sorted(const struct zwb_tasktab *t);

#endif
