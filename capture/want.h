/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture wants to record, and from where: a table. */
#ifndef ZWB_WANT_H
#define ZWB_WANT_H

#include "plan.h"

/*
 * Another kernel generation is another row or another choice in a field, never code. The language
 * of fields is in fetch.h; several are separated by blanks. Without a field that has a "!" in front
 * the place is of no use, and the next one is tried. Field and event names are those of
 * traces/maps/zwb.map, and so is what they mean.
 */

#define WANT_PLACES_MAX 4

/* One way to record something: the first that this kernel allows is taken. */
struct want_place {
	const char *event; /* of the entry; that of the return ends in "_ret" */
	const char *function; /* NULL: tracepoints */
	const char *fields; /* at the entry; NULL: the entry is not recorded */
	const char *ret; /* at the return; NULL: the return is not recorded */
	const char *tracepoints; /* "block/block_plug block/block_unplug" */
	enum zwb_level level; /* not below it */
	bool is_per_cgroup; /* may be cut to one cgroup by its field cgid */
};

struct want {
	const char *name; /* of the row, for people: "LRU walks" */
	const char *gives; /* what a replay learns from it */
	const char *costs; /* what becomes of the results without it */
	/* What it means that none of the functions exists, where nothing is lost; NULL: a loss. */
	const char *absence;
	enum zwb_level level;
	bool is_needed; /* nothing can be replayed without it */
	struct want_place places[WANT_PLACES_MAX]; /* function and tracepoints NULL: no more */
};

/* Ends with a NULL name. */
extern const struct want zwb_wants[];

/* What becomes of the results without a field that is not needed. */
struct want_field {
	const char *name;
	const char *costs;
};

/* Every field without a "!"; ends with a NULL name. */
extern const struct want_field zwb_want_fields[];

#endif
