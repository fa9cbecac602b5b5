/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure differences are, as a table for a mail. */
#include "describe.h"
#include "mail.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define P_WIDTH	  ZWB_P_WIDTH
#define LABEL_MIN 16

/* Everything at its widest, and two probabilities. */
_Static_assert(LABEL_MIN + ZWB_MAIL_GAP + 2 * ZWB_TEXT_PERCENT + 4 + 2 * (1 + P_WIDTH) +
			       ZWB_MAIL_GAP + ZWB_VERDICT_SHORT <=
		       ZWB_MAIL_WIDTH,
	"the narrowest table is too wide");

/* Widths of the columns of one table. */
struct sure_table {
	FILE *out;
	const struct zwb_comparison *cmp;
	size_t column, begin, end; /* of the comparison: column, rows */
	int label, low, high, verdict;
	int is_exact; /* p is by permutation; what is corrected is by t test */
};

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* 1 if the row has more to say than that nothing changed. */
static int has_line(const struct zwb_cmp_cell *cell)
{
	return cell->sure.verdict != ZWB_VERDICT_NONE && cell->sure.verdict != ZWB_VERDICT_SAME;
}

static int fit(struct sure_table *t, struct zwb_err *err)
{
	char text[ZWB_TEXT_NUM_SIZE];

	for (size_t i = t->begin; i < t->end; i++) {
		const struct zwb_cmp_cell *cell = &t->cmp->rows[i].cells[t->column];
		char *label;

		if (!has_line(cell))
			continue;
		label = zwb_text_ascii(t->cmp->rows[i].name);
		if (!label)
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
		t->label = max_int(t->label, (int)strlen(label));
		free(label);
		t->is_exact |= isfinite(cell->sure.p_exact);
		zwb_text_percent(text, cell->sure.low_percent);
		t->low = max_int(t->low, (int)strlen(text));
		zwb_text_percent(text, cell->sure.high_percent);
		t->high = max_int(t->high, (int)strlen(text));
		zwb_describe_verdict_short(text, cell);
		t->verdict = max_int(t->verdict, (int)strlen(text));
	}
	/* the head "95 % interval" has to fit */
	t->low = max_int(t->low, 6);
	t->label = t->label > ZWB_MAIL_LABEL ? ZWB_MAIL_LABEL : t->label;
	if (t->label > ZWB_MAIL_WIDTH - (ZWB_MAIL_GAP + t->low + 4 + t->high + 2 * (1 + P_WIDTH) +
						ZWB_MAIL_GAP + t->verdict))
		t->label = ZWB_MAIL_WIDTH - (ZWB_MAIL_GAP + t->low + 4 + t->high +
						    2 * (1 + P_WIDTH) + ZWB_MAIL_GAP + t->verdict);
	return ZWB_OK;
}

static int put_row(const struct sure_table *t, const struct zwb_cmp_row *row, struct zwb_err *err)
{
	const struct zwb_cmp_cell *cell = &row->cells[t->column];
	char low[ZWB_TEXT_NUM_SIZE], high[ZWB_TEXT_NUM_SIZE], p[ZWB_TEXT_NUM_SIZE],
		holm[ZWB_TEXT_NUM_SIZE], verdict[ZWB_TEXT_NUM_SIZE];
	char *label = zwb_text_ascii(row->name);
	struct zwb_mail_line l = { .len = 0 };
	int len;

	if (!label)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	zwb_text_percent(low, cell->sure.low_percent);
	zwb_text_percent(high, cell->sure.high_percent);
	zwb_describe_p(p, t->is_exact ? cell->sure.p_exact : cell->sure.p);
	zwb_describe_p(holm, cell->sure.p_holm);
	zwb_describe_verdict_short(verdict, cell);
	len = zwb_mail_piece(label, t->label);
	zwb_mail_put(&l, "%-*.*s%*s%*s", t->label, len, label, ZWB_MAIL_GAP, "", t->low, low);
	if (isfinite(cell->sure.low_percent))
		zwb_mail_put(&l, " .. %*s", t->high, high);
	else
		zwb_mail_put(&l, "%*s", 4 + t->high, "");
	zwb_mail_put(&l, " %*s %*s%*s%s", P_WIDTH, p, P_WIDTH, holm, ZWB_MAIL_GAP, "", verdict);
	zwb_mail_end(&l, t->out);
	zwb_mail_rest(&l, t->out, label + len, t->label);
	free(label);
	return ZWB_OK;
}

/* The rows that no recording tells apart, in one paragraph. */
static int put_same(const struct sure_table *t, struct zwb_err *err)
{
	char *text = NULL;
	size_t size, nr = 0;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	for (size_t i = t->begin; i < t->end; i++) {
		const struct zwb_cmp_row *row = &t->cmp->rows[i];

		if (row->cells[t->column].sure.verdict == ZWB_VERDICT_SAME)
			fprintf(list, "%s%s", nr++ ? ", " : "", row->name);
	}
	if (fclose(list) != 0) {
		free(text);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	}
	return zwb_mail_text(t->out, "the same in every recording: ", 2, text, err);
}

static int put_heading(const struct sure_table *t, const char *head, struct zwb_err *err)
{
	const struct zwb_cmp_sure *s = NULL;

	for (size_t i = t->begin; i < t->end; i++) {
		if (has_line(&t->cmp->rows[i].cells[t->column]))
			s = &t->cmp->rows[i].cells[t->column].sure;
	}
	return zwb_mail_text(t->out, "", 2,
		zwb_text_printf("%s against %s%s", head, t->cmp->columns[0].label,
			!s			   ? ""
			: s->pairing == ZWB_PAIRED ? ", paired by recording"
						   : ", not paired"),
		err);
}

static void put_heads(const struct sure_table *t)
{
	struct zwb_mail_line l = { .len = 0 };

	zwb_mail_put(&l, "%*s%*s %*s %*s%*s%s", t->label + ZWB_MAIL_GAP, "", t->low + 4 + t->high,
		"95 % interval", P_WIDTH, t->is_exact ? "exact" : "p", P_WIDTH, "Holm",
		ZWB_MAIL_GAP, "", "verdict");
	zwb_mail_end(&l, t->out);
}

static int put_column(struct sure_table *t, const char *head, struct zwb_err *err)
{
	int has_lines = 0, has_same = 0, ret;

	for (size_t i = t->begin; i < t->end; i++) {
		const struct zwb_cmp_cell *cell = &t->cmp->rows[i].cells[t->column];

		has_lines |= has_line(cell);
		has_same |= cell->sure.verdict == ZWB_VERDICT_SAME;
	}
	if (!has_lines && !has_same)
		return ZWB_OK;
	ret = fit(t, err);
	if (!ret)
		ret = put_heading(t, head, err);
	if (has_lines)
		put_heads(t);
	for (size_t i = t->begin; !ret && i < t->end; i++) {
		if (has_line(&t->cmp->rows[i].cells[t->column]))
			ret = put_row(t, &t->cmp->rows[i], err);
	}
	if (!ret && has_same)
		ret = put_same(t, err);
	fputc('\n', t->out);
	return ret;
}

int zwb_mail_sure(FILE *out, const struct zwb_comparison *cmp, const char *const *heads,
	size_t begin, size_t end, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t c = 1; !ret && c < cmp->nr_columns; c++) {
		struct sure_table t = {
			.out = out, .cmp = cmp, .column = c, .begin = begin, .end = end
		};

		ret = put_column(&t, heads[c], err);
	}
	return ret;
}
