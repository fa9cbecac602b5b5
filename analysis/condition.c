/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions on a comparison. */
#include "condition.h"

#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ANY_WORSE "worse"

/* @text without blanks at its ends, as long as @len; caller frees. */
static char *trimmed(const char *text, size_t len)
{
	while (len > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return strndup(text, len);
}

/* Takes @word, and blanks in front of it, off the end of @text. Return: 1 if it was there. */
static int take_off(char *text, const char *word)
{
	size_t len = strlen(text), end = strlen(word);

	if (len < end || strcmp(text + len - end, word) != 0)
		return 0;
	len -= end;
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	text[len] = '\0';
	return 1;
}

static int parse_bound(const char *from, struct zwb_condition *c, struct zwb_err *err)
{
	char *text = trimmed(from, strlen(from));
	int ret;

	if (!text)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a condition");
	c->is_surely = take_off(text, "surely");
	c->is_percent = take_off(text, "%");
	if (c->is_surely && !c->is_percent)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0,
			"\"surely\" is about a change: a number with %% stands before it");
	else
		ret = zwb_parse_double(text, -HUGE_VAL, HUGE_VAL, &c->bound, err);
	free(text);
	return ret;
}

int zwb_condition_parse(const char *text, struct zwb_condition *c, struct zwb_err *err)
{
	size_t len = strcspn(text, "<>");
	const char *rest = text + len;
	int ret;

	*c = (struct zwb_condition){ .is_above = *rest == '>' };
	if (*rest == '\0')
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"\"%.100s\": no > or < in it; wanted is METRIC>NUMBER or METRIC>NUMBER%%",
			text);
	rest++;
	c->or_equal = *rest == '=';
	rest += c->or_equal;
	c->metric = trimmed(text, len);
	if (!c->metric)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a condition");
	if (c->metric[0] == '\0')
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "no metric in front");
	else if (c->metric[strlen(c->metric) - 1] == '=')
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "no such operator; there is > >= < <=");
	else
		ret = parse_bound(rest, c, err);
	if (!ret && strcmp(c->metric, ANY_WORSE) == 0 && !c->is_percent)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "\"worse\" is about changes, in %%");
	if (ret) {
		zwb_err_prefix(err, "\"%.100s\"", text);
		zwb_condition_release(c);
	}
	return ret;
}

void zwb_condition_release(struct zwb_condition *c)
{
	free(c->metric);
	c->metric = NULL;
}

/* 1 if the condition is about that row. */
static int is_about(const struct zwb_condition *c, const struct zwb_cmp_row *row)
{
	size_t len = strlen(c->metric), whole = strlen(row->name);

	if (strcmp(c->metric, ANY_WORSE) == 0)
		return row->better != ZWB_BETTER_NEITHER;
	if (whole < len || strcmp(row->name + whole - len, c->metric) != 0)
		return 0;
	return whole == len || row->name[whole - len - 1] == ' ';
}

static int compares(const struct zwb_condition *c, double value)
{
	if (c->or_equal && value == c->bound)
		return 1;
	return c->is_above ? value > c->bound : value < c->bound;
}

/* The change, in percent; infinite from nothing. */
static double change_of(const struct zwb_cmp_cell *base, const struct zwb_cmp_cell *cell)
{
	if (cell->sure.pairing == ZWB_PAIRING_NONE)
		return NAN;
	if (base->value == 0)
		return cell->value == 0 ? 0 : copysign(HUGE_VAL, cell->value);
	return cell->delta_percent;
}

/* Return: 1 if the change meets it, 0 if not, -1 if that cannot be judged. */
static int judge_change(const struct zwb_condition *c, const struct zwb_cmp_row *row,
	const struct zwb_cmp_cell *cell)
{
	int turned = strcmp(c->metric, ANY_WORSE) == 0 && row->better == ZWB_BETTER_HIGHER;
	double sign = turned ? -1 : 1, change = sign * change_of(&row->cells[0], cell);

	if (isnan(change))
		return -1;
	if (!c->is_surely)
		return compares(c, change) && cell->sure.verdict != ZWB_VERDICT_NOT_SHOWN;
	if (cell->sure.verdict == ZWB_VERDICT_SAME)
		return compares(c, change);
	if (isnan(cell->sure.low_percent))
		return -1;
	return compares(c, sign * cell->sure.low_percent) &&
	       compares(c, sign * cell->sure.high_percent);
}

static int judge(const struct zwb_condition *c, const struct zwb_cmp_row *row,
	const struct zwb_cmp_cell *cell)
{
	if (c->is_percent)
		return judge_change(c, row, cell);
	return isfinite(cell->value) ? compares(c, cell->value) : -1;
}

int zwb_condition_check(const struct zwb_condition *c, const struct zwb_comparison *cmp,
	void (*hit)(void *arg, const struct zwb_condition_hit *hit), void *arg, size_t *nr_judged,
	struct zwb_err *err)
{
	int nr_hits = 0, nr_rows = 0;

	*nr_judged = 0;
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *row = &cmp->rows[i];

		if (!is_about(c, row))
			continue;
		nr_rows++;
		for (size_t k = 1; k < cmp->nr_columns; k++) {
			int met = judge(c, row, &row->cells[k]);

			*nr_judged += met >= 0;
			if (met > 0) {
				const struct zwb_condition_hit h = { row, &cmp->columns[k],
					&row->cells[k] };

				nr_hits++;
				hit(arg, &h);
			}
		}
	}
	if (nr_rows == 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"no row called \"%.100s\" in this report, nor one that ends so", c->metric);
	return nr_hits;
}
