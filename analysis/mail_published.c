/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What published changes rest on, as a table for a mail. */
#include "describe.h"
#include "mail.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_WIDTH 24

/* "=", "~" or "!": how a printed change goes with the printed means. */
static char mark_of(const struct zwb_cmp_cell *cell)
{
	if (isnan(cell->published_percent) || isnan(cell->delta_percent))
		return ' ';
	return cell->published_agrees > 0 ? '=' : cell->published_agrees == 0 ? '~' : '!';
}

static void put_detectable(struct zwb_mail_line *l, double percent)
{
	char text[ZWB_TEXT_NUM_SIZE] = "";

	if (isfinite(percent))
		zwb_text_percent(text, percent);
	zwb_mail_put(l, " %7s", text[0] == '+' ? text + 1 : text);
}

static int put_row(FILE *out, const struct zwb_cmp_row *row, struct zwb_err *err)
{
	const struct zwb_cmp_cell *cell = &row->cells[1];
	char *label = zwb_text_ascii(row->name);
	char change[ZWB_TEXT_NUM_SIZE], printed[ZWB_TEXT_NUM_SIZE] = "", verdict[ZWB_TEXT_NUM_SIZE];
	struct zwb_mail_line l = { .len = 0 };
	int len;

	if (!label)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	zwb_text_percent(change, cell->delta_percent);
	if (isfinite(cell->published_percent))
		zwb_text_percent(printed, cell->published_percent);
	zwb_describe_published(verdict, cell);
	len = zwb_mail_piece(label, LABEL_WIDTH);
	zwb_mail_put(
		&l, "%-*.*s %8s %8s %c", LABEL_WIDTH, len, label, change, printed, mark_of(cell));
	put_detectable(&l, cell->sure.detectable_n3_percent);
	put_detectable(&l, cell->sure.detectable_n5_percent);
	zwb_mail_put(&l, " %s", verdict);
	zwb_mail_end(&l, out);
	zwb_mail_rest(&l, out, label + len, LABEL_WIDTH);
	free(label);
	return ZWB_OK;
}

int zwb_mail_published(
	FILE *out, const struct zwb_comparison *cmp, size_t begin, size_t end, struct zwb_err *err)
{
	struct zwb_mail_line l = { .len = 0 };
	int ret = ZWB_OK;

	zwb_mail_put(
		&l, "%-*s %8s %8s   %7s %7s", LABEL_WIDTH, "", "change", "printed", "n=3", "n=5");
	zwb_mail_end(&l, out);
	for (size_t i = begin; !ret && i < end; i++)
		ret = put_row(out, &cmp->rows[i], err);
	fputc('\n', out);
	return ret;
}
