/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture as a script for gnuplot. */
#ifndef ZWB_PLOTSCRIPT_H
#define ZWB_PLOTSCRIPT_H

#include "err.h"
#include "picture.h"

#include <stdio.h>

enum zwb_plot_terminal { ZWB_PLOT_SVG, ZWB_PLOT_PNG };

/**
 * zwb_plot_write() - a script that draws @picture to the standard output of gnuplot (5.2 or later).
 * It holds the data, names no file, and no name in it can be taken for a command.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_plot_write(FILE *out, const struct zwb_picture *picture, enum zwb_plot_terminal terminal,
	struct zwb_err *err);

#endif
