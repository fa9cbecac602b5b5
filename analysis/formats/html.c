/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One page for a browser, without anything from outside: tables of all values, pictures, and what
 * the reader must know to believe them.
 */
#include "compare.h"
#include "describe.h"
#include "format_ops.h"
#include "html_page.h"
#include "html_sweep.h"
#include "markup.h"
#include "picture.h"
#include "svg.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct page {
	FILE *out;
	const struct zwb_comparison *cmp;
	int ret; /* the first failure; nothing is looked up after it */
	struct zwb_err *err;
};

/* Text of any origin. */
static void put_text(struct page *p, const char *text)
{
	if (!p->ret)
		p->ret = zwb_markup_text(p->out, text, p->err);
}

/* Text between tags. */
static void put_element(struct page *p, const char *tag, const char *text)
{
	fprintf(p->out, "<%s>", tag);
	put_text(p, text);
	fprintf(p->out, "</%s>\n", tag);
}

/* An element of text that is freed; nothing when it is empty. */
static void put_owned(struct page *p, const char *tag, char *text)
{
	if (!text && !p->ret)
		p->ret = zwb_err_set(p->err, ZWB_ENOMEM, 0, "no memory for the report");
	if (text && text[0])
		put_element(p, tag, text);
	free(text);
}

/* -- the table -- */

static void put_delta(
	struct page *p, const struct zwb_cmp_row *row, const struct zwb_cmp_cell *cell)
{
	static const char *const verdicts[] = { "", "the same in every recording", "not shown",
		"hinted at, not shown", "shown" };
	char text[ZWB_TEXT_NUM_SIZE], low[ZWB_TEXT_NUM_SIZE], high[ZWB_TEXT_NUM_SIZE];
	double good = row->better == ZWB_BETTER_HIGHER ? 1 : -1;
	const char *class = "";

	if (isnan(cell->delta_percent))
		return;
	zwb_text_percent(text, cell->delta_percent);
	if (row->better != ZWB_BETTER_NEITHER && cell->delta_percent != 0)
		class = cell->delta_percent * good > 0 ? "good" : "bad";
	fprintf(p->out, "<br/><span class=\"%s\">%s</span>", class, text);
	if (isfinite(cell->sure.low_percent) && isfinite(cell->sure.high_percent)) {
		zwb_text_percent(low, cell->sure.low_percent);
		zwb_text_percent(high, cell->sure.high_percent);
		fprintf(p->out, "<small>%s to %s</small>", low, high);
	}
	if (cell->sure.verdict != ZWB_VERDICT_NONE)
		fprintf(p->out, "<small>%s</small>", verdicts[cell->sure.verdict]);
}

static void put_cell(
	struct page *p, const struct zwb_cmp_row *row, const struct zwb_cmp_cell *cell, int is_base)
{
	char value[ZWB_TEXT_NUM_SIZE], spread[ZWB_TEXT_NUM_SIZE];

	zwb_text_value(value, cell->value, cell->sd);
	zwb_text_spread(spread, cell->value, cell->sd);
	fprintf(p->out, "<td>%s%s%s", value, spread[0] ? " \xc2\xb1 " : "", spread);
	if (!is_base)
		put_delta(p, row, cell);
	fputs("</td>", p->out);
}

static void put_row(struct page *p, const struct zwb_cmp_row *row)
{
	fputs("<tr><td>", p->out);
	put_text(p, row->name);
	fputs("<small>", p->out);
	put_text(p, row->unit);
	fprintf(p->out, ", class %c</small></td>", row->cls ? row->cls : '-');
	for (size_t c = 0; c < p->cmp->nr_columns; c++)
		put_cell(p, row, &row->cells[c], c == 0);
	fputs("</tr>\n", p->out);
}

/* The rows [begin, end), which are of one group. */
static void put_table(struct page *p, size_t begin, size_t end)
{
	fputs("<div class=\"wide\"><table>\n<thead><tr><th>metric</th>", p->out);
	for (size_t c = 0; c < p->cmp->nr_columns; c++) {
		fputs("<th class=\"label\">", p->out);
		put_text(p, p->cmp->columns[c].label);
		fprintf(p->out, "%s</th>", c == 0 ? "<small>baseline</small>" : "");
	}
	fputs("</tr></thead>\n<tbody>\n", p->out);
	for (size_t i = begin; i < end; i++)
		put_row(p, &p->cmp->rows[i]);
	fputs("</tbody></table></div>\n", p->out);
}

static void put_tables(struct page *p)
{
	const struct zwb_comparison *cmp = p->cmp;
	size_t end;

	fputs("<section id=\"values\">\n<h2>Values</h2>\n", p->out);
	put_owned(p, "p", zwb_describe_spread(cmp));
	if (cmp->nr_rows == 0)
		fputs("<p>Nothing of what was asked for was measured.</p>\n", p->out);
	for (size_t i = 0; i < cmp->nr_rows; i = end) {
		const char *group = cmp->rows[i].group;

		for (end = i; end < cmp->nr_rows && cmp->rows[end].group == group;)
			end++;
		if (group) {
			fprintf(p->out, "<details><summary>%s ", cmp->group_kind);
			put_text(p, group);
			fputs("</summary>\n", p->out);
		}
		put_table(p, i, end);
		if (group)
			fputs("</details>\n", p->out);
	}
	fputs("</section>\n", p->out);
}

/* -- pictures -- */

/* Is what a mark says its x, or its y? */
static int is_by_value(const struct zwb_picture *picture)
{
	return picture->kind == ZWB_PICTURE_FOREST || picture->kind == ZWB_PICTURE_CDF;
}

/* The head of the table of a picture. */
static void put_marks_head(struct page *p, const struct zwb_picture *picture)
{
	static const char *const what[] = { "metric", "percentile", "size", "time (s)" };

	fprintf(p->out,
		"<details><summary>Data of this picture</summary>\n<div class=\"wide\"><table>\n"
		"<thead><tr><th>policy</th><th>%s</th><th>",
		what[picture->kind]);
	put_text(p, is_by_value(picture) ? picture->x_name : picture->y_name);
	fputs(" (", p->out);
	put_text(p, is_by_value(picture) ? picture->x_unit : picture->y_unit);
	fprintf(p->out, ")</th>%s</tr></thead>\n<tbody>\n",
		picture->kind == ZWB_PICTURE_FOREST ? "<th>95 % from</th><th>to</th>" : "");
}

static void put_number(struct page *p, double value)
{
	char text[ZWB_TEXT_NUM_SIZE];

	zwb_text_value(text, value, (double)NAN);
	fprintf(p->out, "<td>%s</td>", text);
}

static void put_mark(struct page *p, const struct zwb_picture *picture,
	const struct zwb_picture_line *line, const struct zwb_picture_point *mark)
{
	fputs("<tr><td>", p->out);
	put_text(p, line->label);
	fputs("</td>", p->out);
	if (mark->name) {
		fputs("<td>", p->out);
		put_text(p, mark->name);
		fputs("</td>", p->out);
	} else {
		put_number(p, mark->x);
	}
	put_number(p, is_by_value(picture) ? mark->x : mark->y);
	if (picture->kind == ZWB_PICTURE_FOREST) {
		put_number(p, mark->low);
		put_number(p, mark->high);
	}
	fputs("</tr>\n", p->out);
}

/* What is drawn, as numbers. */
static void put_marks(struct page *p, const struct zwb_picture *picture)
{
	put_marks_head(p, picture);
	for (size_t l = 0; l < picture->nr_lines; l++) {
		for (size_t i = 0; i < picture->lines[l].nr_marks; i++)
			put_mark(p, picture, &picture->lines[l], &picture->lines[l].marks[i]);
	}
	fputs("</tbody></table></div></details>\n", p->out);
}

static void put_picture(struct page *p, const struct zwb_picture *picture)
{
	fprintf(p->out, "<figure id=\"%s\">\n<figcaption>", picture->name);
	put_text(p, picture->title);
	if (picture->y_unit) {
		fputs(" (", p->out);
		put_text(p, picture->y_unit);
		fputs(")", p->out);
	}
	fputs("</figcaption>\n<ul class=\"legend\">", p->out);
	for (size_t l = 0; l < picture->nr_lines; l++) {
		fputs("<li>", p->out);
		zwb_svg_swatch(p->out, picture, l);
		put_text(p, picture->lines[l].label);
		fputs("</li>", p->out);
	}
	fputs("</ul>\n", p->out);
	if (!p->ret)
		p->ret = zwb_svg_write(p->out, picture, p->err);
	fputs("<output></output>\n<p class=\"dim\">", p->out);
	put_text(p, picture->alt);
	if (picture->nr_left_out)
		fprintf(p->out, " %zu more policies are not drawn; the table of values has them.",
			picture->nr_left_out);
	fputs("</p>\n", p->out);
	put_marks(p, picture);
	fputs("</figure>\n", p->out);
}

static void put_pictures(struct page *p)
{
	struct zwb_pictures pictures;

	if (p->ret)
		return;
	p->ret = zwb_pictures_of(p->cmp, &pictures, p->err);
	if (!p->ret && pictures.nr) {
		fputs("<section id=\"pictures\">\n<h2>Pictures</h2>\n"
		      "<p class=\"dim\">Point at a mark to see its value.</p>\n",
			p->out);
		for (size_t i = 0; i < pictures.nr; i++)
			put_picture(p, &pictures.items[i]);
		fputs("</section>\n", p->out);
	}
	zwb_pictures_release(&pictures);
}

/* -- what the numbers rest on -- */

static void put_classes(struct page *p)
{
	fputs("<dl>\n<dt>Class E</dt><dd>Exact, given the recorded walks.</dd>\n"
	      "<dt>Class M</dt><dd>Needs a model: of the device, of the IO controller, of how long "
	      "asynchronous work waits.</dd>\n"
	      "<dt>Class F</dt><dd>An estimate: under another policy the workload would have "
	      "reacted, and the recording does not show how.</dd>\n</dl>\n",
		p->out);
}

static void put_settings(struct page *p)
{
	fputs("<div class=\"wide\"><table>\n<thead><tr><th>policy</th><th>every parameter</th>"
	      "<th>device</th><th>trigger</th><th>loop</th><th>scheduler</th></tr></thead>\n"
	      "<tbody>\n",
		p->out);
	for (size_t c = 0; c < p->cmp->nr_columns; c++) {
		const struct zwb_run_arm_info *info = p->cmp->columns[c].info;

		fputs("<tr><td>", p->out);
		put_text(p, p->cmp->columns[c].label);
		fputs("</td><td>", p->out);
		put_text(p, info->policy_params);
		fputs("</td><td>", p->out);
		put_text(p, info->device);
		fputs("</td><td>", p->out);
		put_text(p, info->trigger);
		fputs("</td><td>", p->out);
		put_text(p, info->loop);
		fputs("</td><td>", p->out);
		put_text(p, info->scheduler);
		fputs("</td></tr>\n", p->out);
	}
	fputs("</tbody></table></div>\n", p->out);
}

static void put_assumptions(struct page *p)
{
	fputs("<section id=\"assumptions\">\n<h2>Assumptions</h2>\n", p->out);
	put_classes(p);
	if (p->cmp->nr_notes)
		fputs("<ul>\n", p->out);
	for (size_t i = 0; i < p->cmp->nr_notes; i++)
		put_element(p, "li", p->cmp->notes[i]);
	if (p->cmp->nr_notes)
		fputs("</ul>\n", p->out);
	put_settings(p);
	fputs("</section>\n", p->out);
}

/* One thing about a recording; nothing if there is nothing to say. */
static void put_fact(struct page *p, const char *name, char *text)
{
	if (!text && !p->ret)
		p->ret = zwb_err_set(p->err, ZWB_ENOMEM, 0, "no memory for the report");
	if (text && text[0]) {
		fprintf(p->out, "<br/>%s: ", name);
		put_text(p, text);
	}
	free(text);
}

static void put_recordings(struct page *p)
{
	fputs("<section id=\"recordings\">\n<h2>Recordings</h2>\n<ol>\n", p->out);
	for (size_t i = 0; i < p->cmp->nr_recordings; i++) {
		const struct zwb_run_trace *trace = p->cmp->recordings[i].trace;
		char *text = zwb_describe_recording(trace);

		fputs("<li>", p->out);
		if (text)
			put_text(p, text);
		else if (!p->ret)
			p->ret = zwb_err_set(p->err, ZWB_ENOMEM, 0, "no memory for the report");
		free(text);
		put_fact(p, "lost", zwb_describe_losses(trace));
		put_fact(p, "odd", zwb_describe_oddities(trace));
		put_fact(p, "unknown", zwb_describe_unknowns(trace));
		fputs("</li>\n", p->out);
	}
	fputs("</ol>\n</section>\n", p->out);
}

static int html_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct page p = { .out = out, .cmp = cmp, .err = err };

	zwb_html_begin(out, "zwb report");
	fprintf(out, "<h1>%zu polic%s over %zu recording%s</h1>\n<p class=\"dim\">zwb ",
		cmp->nr_columns, cmp->nr_columns == 1 ? "y" : "ies", cmp->nr_recordings,
		cmp->nr_recordings == 1 ? "" : "s");
	put_text(&p, cmp->version);
	if (cmp->nr_columns > 1) {
		fputs("; changes are against ", out);
		put_text(&p, cmp->columns[0].label);
	}
	fputs("</p>\n", out);
	if (cmp->is_sweep && !p.ret)
		p.ret = zwb_html_sweep(out, cmp, err);
	put_tables(&p);
	put_pictures(&p);
	put_assumptions(&p);
	put_recordings(&p);
	zwb_html_end(out);
	return p.ret;
}

const struct zwb_format_ops zwb_format_html = {
	.name = "html",
	.summary = "one page with pictures for a browser",
	.write = html_write,
};
