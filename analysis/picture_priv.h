/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that make pictures share. */
#ifndef ZWB_PICTURE_PRIV_H
#define ZWB_PICTURE_PRIV_H

#include "compare_priv.h"
#include "hist.h"
#include "picture.h"

#include <stdio.h>

/* The columns that are drawn, in their order; the place in it is the style. */
struct chosen {
	size_t columns[ZWB_PICTURE_MAX_LINES];
	char *const *labels;
	size_t nr;
};

/* ZWB_ENOMEM with the text of all pictures. */
int picture_no_memory(struct zwb_err *err);

/* A new picture at the end of @pictures, with room for @nr_lines; NULL without memory. */
struct zwb_picture *picture_add(struct zwb_pictures *pictures, enum zwb_picture_kind kind,
	const char *title, size_t nr_lines, struct zwb_err *err);

/* Append a point. */
int picture_point(struct zwb_picture_point **points, size_t *nr, struct zwb_picture_point point,
	struct zwb_err *err);

/* Close the stream of p->alt, which was opened with open_memstream(). */
int picture_alt(struct zwb_picture *p, FILE *out, struct zwb_err *err);

/* All values of a metric under one policy. @hist: empty. */
int picture_merge(const struct zwb_comparison *cmp, uint32_t metric, size_t column,
	struct zwb_hist *hist, struct zwb_err *err);

/* How many of what size, if anyone measured @metric, which is a histogram not of times. */
int picture_add_sizes(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, uint32_t metric, struct zwb_err *err);

/* @metric over time, if anyone has it so. */
int picture_add_series(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, uint32_t metric, struct zwb_err *err);

#endif
