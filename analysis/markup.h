/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of any origin in HTML and SVG. */
#ifndef ZWB_MARKUP_H
#define ZWB_MARKUP_H

#include "err.h"

#include <stdio.h>

/**
 * zwb_markup_text() - write text so that it is text, also inside quoted attributes: valid UTF-8
 * without control characters, & < > " ' as entities.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_markup_text(FILE *out, const char *text, struct zwb_err *err);

#endif
