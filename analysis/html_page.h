/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of an HTML page: what is the same in all of them. */
#ifndef ZWB_HTML_PAGE_H
#define ZWB_HTML_PAGE_H

#include <stdio.h>

/*
 * The page is well-formed XML and valid HTML, needs nothing from outside and forbids itself to load
 * anything. Colours follow what the reader's system prefers, and paper.
 */

/** zwb_html_begin() - all up to the first element of the body. @title: of us, not of the input. */
void zwb_html_begin(FILE *out, const char *title);

/** zwb_html_end() - the script that shows the value under the pointer, and the end. */
void zwb_html_end(FILE *out);

#endif
