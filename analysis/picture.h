/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be drawn of a comparison, before anyone draws it. */
#ifndef ZWB_PICTURE_H
#define ZWB_PICTURE_H

#include "compare.h"
#include "err.h"

#include <stddef.h>

/*
 * A picture is lines of points, a line a policy. What there is depends on what was measured alone:
 * a forest of the changes if there is more than one policy, a distribution for each metric that has
 * histograms, a line for each that there is over time. Everything is of the total. At most
 * ZWB_PICTURE_MAX_LINES policies are drawn: the first ones, or of a sweep the baseline and the
 * Pareto front; tables have them all.
 */

#define ZWB_PICTURE_MAX_LINES 8

enum zwb_picture_kind {
	ZWB_PICTURE_FOREST, /* x: change in %, with its interval; y: which category */
	ZWB_PICTURE_CDF, /* x: value; y: share of samples up to it, 0 to 1 */
	ZWB_PICTURE_BARS, /* x: which category; y: share in % */
	ZWB_PICTURE_TIME, /* x: s from the start of the recording; y: value, may be NAN */
};

struct zwb_picture_point {
	double x, y;
	double low, high; /* interval of x; NAN: none */
	const char *name; /* "p99"; NULL: has none */
};

struct zwb_picture_line {
	const char *label; /* of the policy; one of zwb_pictures.labels */
	size_t style; /* below ZWB_PICTURE_MAX_LINES; of one policy the same in all pictures */
	struct zwb_picture_point *points; /* ascending in x, except in a forest */
	size_t nr_points;
	struct zwb_picture_point *marks; /* those worth a number */
	size_t nr_marks;
};

struct zwb_picture {
	enum zwb_picture_kind kind;
	char *name; /* "deltas", "swapin-latency"; unique, of a-z, 0-9 and "-" */
	char *title;
	char *alt; /* what is to be seen, in a sentence with numbers */
	const char *x_name, *x_unit;
	const char *y_name, *y_unit; /* of BARS and TIME */
	double x_least, x_most; /* of a forest: what lies outside is drawn at the edge */
	size_t nr_outside; /* marks that do */
	struct zwb_picture_line *lines;
	size_t nr_lines;
	size_t nr_left_out; /* policies that are not drawn */
	const char **categories; /* of a forest: metrics; of bars: sizes; borrowed */
	size_t nr_categories;
};

struct zwb_pictures {
	char *labels[ZWB_PICTURE_MAX_LINES]; /* of the policies that are drawn, by style */
	struct zwb_picture *items;
	size_t nr;
};

/**
 * zwb_pictures_of() - all pictures of a comparison.
 * @cmp: borrowed as long as the pictures are used.
 * @pictures: filled; to be released also after a failure.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_pictures_of(
	const struct zwb_comparison *cmp, struct zwb_pictures *pictures, struct zwb_err *err);
void zwb_pictures_release(struct zwb_pictures *pictures);

/** zwb_picture_find() - the picture called @name, or NULL. */
const struct zwb_picture *zwb_picture_find(const struct zwb_pictures *pictures, const char *name);

/** zwb_picture_nines() - where share @y is on an axis on which p90, p99, p99.9 are 1, 2, 3. */
double zwb_picture_nines(double y);

#endif
