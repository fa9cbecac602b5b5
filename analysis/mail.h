/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a table in a mail: plain ASCII, at most 76 columns. */
#ifndef ZWB_MAIL_H
#define ZWB_MAIL_H

#include "compare.h"
#include "err.h"

#include <stdio.h>

/* So that a line survives one level of quoting. */
#define ZWB_MAIL_WIDTH 76
#define ZWB_MAIL_CLASS 2 /* the class letter and the space in front */
#define ZWB_MAIL_GAP   2 /* between columns */
#define ZWB_MAIL_LABEL 32 /* most of a metric's name; longer ones wrap */
#define ZWB_MAIL_HEAD  14 /* most of a policy's name; longer ones are abbreviated */

struct zwb_mail_line {
	char text[ZWB_MAIL_WIDTH + 1];
	int len;
};

/** zwb_mail_put() - print behind what is there; what does not fit is cut off. */
void zwb_mail_put(struct zwb_mail_line *l, const char *fmt, ...) ZWB_PRINTF(2, 3);

/** zwb_mail_end() - the line, without blanks at its end; it is empty afterwards. */
void zwb_mail_end(struct zwb_mail_line *l, FILE *out);

/** zwb_mail_label() - "iocost debt (s)"; the unit where the name does not say it. Caller frees. */
char *zwb_mail_label(const struct zwb_cmp_row *row);

/** zwb_mail_piece() - how many characters of a label go on one line of @width. */
int zwb_mail_piece(const char *label, int width);

/** zwb_mail_rest() - what @l, which is empty, and further lines show of a label behind @rest. */
void zwb_mail_rest(struct zwb_mail_line *l, FILE *out, const char *rest, int width);

/** zwb_mail_text() - a paragraph of text of any origin, which is freed; nothing if it is empty. */
int zwb_mail_text(FILE *out, const char *first, int indent, char *text, struct zwb_err *err);

/**
 * zwb_mail_sure() - how sure the differences of the rows [begin, end) are: a table a policy.
 * @heads: of the columns, as they stand in the table of values.
 */
int zwb_mail_sure(FILE *out, const struct zwb_comparison *cmp, const char *const *heads,
	size_t begin, size_t end, struct zwb_err *err);

/** zwb_mail_published() - what published changes rest on, of the rows [begin, end). */
int zwb_mail_published(
	FILE *out, const struct zwb_comparison *cmp, size_t begin, size_t end, struct zwb_err *err);

#endif
