/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the Pareto front and of the effects of parameters. */
#include "html_sweep.h"

#include "effects.h"
#include "factors.h"
#include "markup.h"
#include "pareto.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

static int put_heads(FILE *out, const struct zwb_pareto *p, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t r = 0; !ret && r < p->nr_rows; r++) {
		fputs("<th class=\"label\">", out);
		ret = zwb_markup_text(out, p->rows[r]->name, err);
		fputs("<small>", out);
		if (!ret)
			ret = zwb_markup_text(out, p->rows[r]->unit, err);
		fputs("</small></th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	return ret;
}

static int put_column(FILE *out, const struct zwb_comparison *cmp, const struct zwb_pareto *p,
	const struct zwb_factors *factors, size_t column, struct zwb_err *err)
{
	char *label = zwb_factors_label(factors, cmp, column);
	int ret;

	if (!label)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	fputs("<tr><td>", out);
	ret = zwb_markup_text(out, label, err);
	free(label);
	fprintf(out, "%s</td>", column == 0 ? "<small>baseline</small>" : "");
	for (size_t r = 0; r < p->nr_rows; r++) {
		const struct zwb_cmp_cell *cell = &p->rows[r]->cells[column];
		char value[ZWB_TEXT_NUM_SIZE], delta[ZWB_TEXT_NUM_SIZE];

		zwb_text_value(value, cell->value, cell->sd);
		zwb_text_percent(delta, cell->delta_percent);
		fprintf(out, "<td>%s", value);
		if (column > 0 && isfinite(cell->delta_percent))
			fprintf(out, "<small>%s</small>", delta);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
	return ret;
}

static int put_front(FILE *out, const struct zwb_comparison *cmp, const struct zwb_pareto *p,
	const struct zwb_factors *factors, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fprintf(out,
		"<h3>Pareto front</h3>\n<p>%zu of %zu combinations. To each other one there is one "
		"of them that is as good or better in all of these.</p>\n"
		"<div class=\"wide\"><table>\n<thead><tr><th>policy</th>",
		p->nr_front, cmp->nr_columns);
	ret = put_heads(out, p, err);
	for (size_t i = 0; !ret && i < p->nr_front; i++)
		ret = put_column(out, cmp, p, factors, p->front[i], err);
	fputs("</tbody></table></div>\n", out);
	return ret;
}

/* Where a step from level to level ends that begins at @begin. */
static size_t step_end(const struct zwb_effects *effects, size_t begin)
{
	const struct zwb_effect *first = &effects->items[begin];
	size_t end = begin;

	while (end < effects->nr && effects->items[end].factor == first->factor &&
		effects->items[end].to == first->to)
		end++;
	return end;
}

static int put_step(
	FILE *out, const struct zwb_effects *effects, size_t begin, size_t end, struct zwb_err *err)
{
	const struct zwb_effect *first = &effects->items[begin];
	int ret;

	fputs("<tr><td>", out);
	ret = zwb_markup_text(out, first->factor->name, err);
	fputs("<small>from ", out);
	if (!ret)
		ret = zwb_markup_text(out, first->factor->levels[0], err);
	fputs(" to ", out);
	if (!ret)
		ret = zwb_markup_text(out, first->factor->levels[first->to], err);
	fprintf(out, "</small></td><td>%zu</td>", first->nr_pairs);
	for (size_t i = begin; i < end; i++) {
		const struct zwb_effect *e = &effects->items[i];
		char percent[ZWB_TEXT_NUM_SIZE], least[ZWB_TEXT_NUM_SIZE], most[ZWB_TEXT_NUM_SIZE];

		zwb_text_percent(percent, e->percent);
		zwb_text_percent(least, e->least);
		zwb_text_percent(most, e->most);
		fprintf(out, "<td>%s<small>%s to %s</small></td>", percent, least, most);
	}
	fputs("</tr>\n", out);
	return ret;
}

static int put_effects(FILE *out, const struct zwb_pareto *p, const struct zwb_effects *effects,
	struct zwb_err *err)
{
	size_t end;
	int ret;

	fputs("<h3>What each parameter does</h3>\n<p>All others being equal: change of the mean "
	      "over pairs that differ in it alone; least and most of a pair.</p>\n"
	      "<div class=\"wide\"><table>\n<thead><tr><th>parameter</th><th>pairs</th>",
		out);
	ret = put_heads(out, p, err);
	for (size_t i = 0; !ret && i < effects->nr; i = end) {
		end = step_end(effects, i);
		ret = put_step(out, effects, i, end, err);
	}
	fputs("</tbody></table></div>\n", out);
	return ret;
}

int zwb_html_sweep(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct zwb_effects effects = { 0 };
	struct zwb_factors factors = { 0 };
	struct zwb_pareto pareto;
	int ret = zwb_pareto_of(cmp, &pareto, err);

	if (!ret)
		ret = zwb_factors_of(cmp, &factors, err);
	if (!ret)
		ret = zwb_effects_of(&factors, cmp, pareto.rows, pareto.nr_rows, &effects, err);
	fputs("<section id=\"sweep\">\n<h2>Sweep</h2>\n", out);
	if (!ret && pareto.nr_front)
		ret = put_front(out, cmp, &pareto, &factors, err);
	else if (!ret)
		fputs("<p>Nothing by which the combinations could be told apart.</p>\n", out);
	if (!ret && effects.nr)
		ret = put_effects(out, &pareto, &effects, err);
	fputs("</section>\n", out);
	zwb_effects_release(&effects);
	zwb_factors_release(&factors);
	zwb_pareto_release(&pareto);
	return ret;
}
