/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Pareto front and the effects of parameters, in lines. */
#include "sweeptext.h"

#include "effects.h"
#include "factors.h"
#include "pareto.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sweep {
	FILE *out;
	int width;
	const struct zwb_comparison *cmp;
	struct zwb_factors factors;
	struct zwb_pareto pareto;
	struct zwb_effects effects;
};

static int sweep_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
}

/* A paragraph from a stream that is closed, see begin(); names in it may be of any origin. */
static int put_stream(const struct sweep *s, const char *first, int indent, FILE *text, char **buf,
	struct zwb_err *err)
{
	char *safe = fclose(text) == 0 ? zwb_text_ascii(*buf) : NULL;

	free(*buf);
	if (!safe)
		return sweep_no_memory(err);
	zwb_text_wrap(s->out, s->width, first, indent, safe);
	free(safe);
	return ZWB_OK;
}

/* "write requests 4343 (-68.1%)"; the unit where the name does not say it. */
static void put_value(FILE *out, const struct zwb_cmp_row *row, size_t column)
{
	const struct zwb_cmp_cell *cell = &row->cells[column];
	char value[ZWB_TEXT_NUM_SIZE], delta[ZWB_TEXT_NUM_SIZE];

	zwb_text_value(value, cell->value, cell->sd);
	fprintf(out, "%s %s", row->name, value);
	if (strcmp(row->unit, "count") != 0)
		fprintf(out, " %s", row->unit);
	if (column == 0 || !isfinite(cell->delta_percent))
		return;
	zwb_text_percent(delta, cell->delta_percent);
	fprintf(out, " (%s)", delta);
}

static int put_column(const struct sweep *s, size_t column, struct zwb_err *err)
{
	char *label = zwb_factors_label(&s->factors, s->cmp, column), *buf = NULL;
	size_t len;
	FILE *text = label ? open_memstream(&buf, &len) : NULL;
	int ret;

	if (!text) {
		free(label);
		return sweep_no_memory(err);
	}
	fprintf(text, "%s%s", label, column == 0 ? " (baseline)" : "");
	free(label);
	ret = put_stream(s, "  ", 4, text, &buf, err);
	text = ret ? NULL : open_memstream(&buf, &len);
	if (!text)
		return ret ? ret : sweep_no_memory(err);
	for (size_t r = 0; r < s->pareto.nr_rows; r++) {
		fputs(r ? ", " : "", text);
		put_value(text, s->pareto.rows[r], column);
	}
	return put_stream(s, "      ", 6, text, &buf, err);
}

static int put_front(const struct sweep *s, struct zwb_err *err)
{
	const struct zwb_pareto *p = &s->pareto;
	char *buf = NULL;
	size_t len;
	FILE *text = open_memstream(&buf, &len);
	int ret, has_baseline = 0;

	if (!text)
		return sweep_no_memory(err);
	fprintf(text,
		"%zu of %zu combinations. To each other one there is one of them that is as "
		"good or better in: ",
		p->nr_front, s->cmp->nr_columns);
	for (size_t r = 0; r < p->nr_rows; r++)
		fprintf(text, "%s%s", r ? ", " : "", p->rows[r]->name);
	fputs(". Changes are against the baseline.", text);
	ret = put_stream(s, "Pareto front: ", 2, text, &buf, err);
	for (size_t i = 0; !ret && i < p->nr_front; i++) {
		has_baseline |= p->front[i] == 0;
		ret = put_column(s, p->front[i], err);
	}
	if (!ret && !has_baseline) {
		fputs("Not on it:\n", s->out);
		ret = put_column(s, 0, err);
	}
	fputc('\n', s->out);
	return ret;
}

/* All metrics of one step from level to level: effects[begin, end). */
static int put_step(const struct sweep *s, size_t begin, size_t end, struct zwb_err *err)
{
	const struct zwb_effect *first = &s->effects.items[begin];
	char *buf = NULL;
	size_t len;
	FILE *text = open_memstream(&buf, &len);
	int ret;

	if (!text)
		return sweep_no_memory(err);
	fprintf(text, "%s from %s to %s (%zu pair%s)", first->factor->name,
		first->factor->levels[0], first->factor->levels[first->to], first->nr_pairs,
		first->nr_pairs == 1 ? "" : "s");
	ret = put_stream(s, "  ", 4, text, &buf, err);
	text = ret ? NULL : open_memstream(&buf, &len);
	if (!text)
		return ret ? ret : sweep_no_memory(err);
	for (size_t i = begin; i < end; i++) {
		const struct zwb_effect *e = &s->effects.items[i];
		char percent[ZWB_TEXT_NUM_SIZE], least[ZWB_TEXT_NUM_SIZE], most[ZWB_TEXT_NUM_SIZE];

		zwb_text_percent(percent, e->percent);
		zwb_text_percent(least, e->least);
		zwb_text_percent(most, e->most);
		fprintf(text, "%s%s %s", i > begin ? ", " : "", e->row->name, percent);
		if (e->nr_pairs > 1)
			fprintf(text, " (%s to %s)", least, most);
	}
	return put_stream(s, "      ", 6, text, &buf, err);
}

static int put_effects(const struct sweep *s, struct zwb_err *err)
{
	size_t end;
	int ret = ZWB_OK;

	if (s->effects.nr == 0)
		return ZWB_OK;
	zwb_text_wrap(s->out, s->width, "", 2,
		"What a parameter does, all others being equal: change of the mean (least and "
		"most of a pair).");
	for (size_t i = 0; !ret && i < s->effects.nr; i = end) {
		for (end = i + 1; end < s->effects.nr &&
				  s->effects.items[end].factor == s->effects.items[i].factor &&
				  s->effects.items[end].to == s->effects.items[i].to;)
			end++;
		ret = put_step(s, i, end, err);
	}
	fputc('\n', s->out);
	return ret;
}

int zwb_sweeptext_write(FILE *out, int width, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct sweep s = { .out = out, .width = width, .cmp = cmp };
	int ret = zwb_pareto_of(cmp, &s.pareto, err);

	if (!ret)
		ret = zwb_factors_of(cmp, &s.factors, err);
	if (!ret)
		ret = zwb_effects_of(
			&s.factors, cmp, s.pareto.rows, s.pareto.nr_rows, &s.effects, err);
	if (!ret && s.pareto.nr_front)
		ret = put_front(&s, err);
	if (!ret)
		ret = put_effects(&s, err);
	zwb_effects_release(&s.effects);
	zwb_factors_release(&s.factors);
	zwb_pareto_release(&s.pareto);
	return ret;
}
