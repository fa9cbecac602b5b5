/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture as an SVG element inside a page. */
#ifndef ZWB_SVG_H
#define ZWB_SVG_H

#include "err.h"
#include "picture.h"

#include <stdio.h>

/*
 * Colours, fonts and dashes are those of the page: a line of style I has class "lI", its marks
 * "mI"; there are also "grid", "tick", "name" and "zero". Marks have shapes of their own as well,
 * so that they can be told apart without colours, and their value as a <title>.
 */

/** zwb_svg_write() - Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_svg_write(FILE *out, const struct zwb_picture *picture, struct zwb_err *err);

/** zwb_svg_swatch() - how line @i looks, for the legend. */
void zwb_svg_swatch(FILE *out, const struct zwb_picture *picture, size_t i);

#endif
