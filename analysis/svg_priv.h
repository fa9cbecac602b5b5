/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that draw SVG share. All numbers are in units of the view box. */
#ifndef ZWB_SVG_PRIV_H
#define ZWB_SVG_PRIV_H

#include "picture.h"

#include <stdio.h>

#define SVG_WIDTH  480.0
#define SVG_LEFT   46.0 /* room for the numbers of the y axis */
#define SVG_RIGHT  468.0
#define SVG_TOP	   8.0
#define SVG_BOTTOM 250.0 /* of all but forests */

/* From values to places. */
struct axis {
	double from, to;
	double at_from, at_to;
};

/* Where a value is; one outside is at the edge. */
double svg_place(const struct axis *axis, double value);

/* A round step that cuts @range, which is positive, into at most @most pieces. */
double svg_round_step(double range, int most);

void svg_grid_x(FILE *out, double x, double top, double bottom, const char *class);
void svg_tick_x(FILE *out, double x, double bottom, const char *text);

/* The value of a mark, as it shows under the pointer. */
int svg_title(FILE *out, const struct zwb_picture *p, const struct zwb_picture_line *line,
	const struct zwb_picture_point *mark, struct zwb_err *err);

/* What is drawn above the name of the x axis. */
int svg_bars(FILE *out, const struct zwb_picture *p, struct zwb_err *err);
int svg_time(FILE *out, const struct zwb_picture *p, struct zwb_err *err);

#endif
