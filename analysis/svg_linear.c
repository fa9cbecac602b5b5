/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures whose y axis begins at 0: bars, and lines over time. */
#include "svg_priv.h"

#include <math.h>

/* The largest y of all marks, 0 if there is none above it. */
static double largest(const struct zwb_picture *p)
{
	double most = 0;

	for (size_t l = 0; l < p->nr_lines; l++) {
		for (size_t i = 0; i < p->lines[l].nr_marks; i++)
			most = fmax(most, p->lines[l].marks[i].y); /* leaves out NAN */
	}
	return most;
}

/* 12345678 as "12M": there is room for few digits. */
static void short_number(char *text, size_t size, double value)
{
	static const char units[] = " kMGTPE";
	size_t unit = 0;

	while (value >= 10000 && units[unit + 1]) {
		value /= 1000;
		unit++;
	}
	snprintf(text, size, "%.4g%.*s", value, unit ? 1 : 0, &units[unit]);
}

/* The y axis, from 0 to a round number that no mark is above. */
static struct axis y_axis(FILE *out, const struct zwb_picture *p)
{
	double most = largest(p), step = svg_round_step(most > 0 ? most : 1, 5);
	int nr = (int)ceil((most > 0 ? most : 1) / step);
	const struct axis y = { 0, nr * step, SVG_BOTTOM, SVG_TOP };

	for (int i = 0; i <= nr; i++) {
		double at = svg_place(&y, i * step);
		char text[32];

		short_number(text, sizeof(text), i * step);
		fprintf(out,
			"<path class=\"grid\" d=\"M%.1f,%.1fH%.1f\"/><text class=\"tick\" "
			"x=\"%.1f\" "
			"y=\"%.1f\" text-anchor=\"end\">%s</text>",
			SVG_LEFT, at, SVG_RIGHT, SVG_LEFT - 4, at + 4, text);
	}
	fputc('\n', out);
	return y;
}

int svg_bars(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	double group = (SVG_RIGHT - SVG_LEFT) / (double)p->nr_categories;
	double width = group * 0.8 / (double)p->nr_lines;
	const struct axis y = y_axis(out, p);
	int ret = ZWB_OK;

	for (size_t i = 0; i < p->nr_categories; i++)
		svg_tick_x(out, SVG_LEFT + ((double)i + 0.5) * group, SVG_BOTTOM, p->categories[i]);
	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];

		for (size_t i = 0; !ret && i < line->nr_marks; i++) {
			const struct zwb_picture_point *mark = &line->marks[i];
			double x = SVG_LEFT + (mark->x + 0.1) * group + (double)l * width;
			double top = svg_place(&y, mark->y);

			fprintf(out, "<g class=\"m m%zu\">", line->style);
			ret = svg_title(out, p, line, mark, err);
			fprintf(out, "<path d=\"M%.1f,%.1fV%.1fH%.1fV%.1fz\"/></g>\n", x,
				SVG_BOTTOM, top, x + width, SVG_BOTTOM);
		}
	}
	return ret;
}

/* -- over time -- */

static struct axis time_axis(FILE *out, const struct zwb_picture *p)
{
	double end_s = 0, step;
	struct axis x;

	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];

		/* marks are in the middle of intervals */
		if (line->nr_marks)
			end_s = fmax(end_s, line->marks[line->nr_marks - 1].x + line->marks[0].x);
	}
	step = svg_round_step(end_s > 0 ? end_s : 1, 8);
	x = (struct axis){ 0, end_s > 0 ? end_s : 1, SVG_LEFT, SVG_RIGHT };
	for (int i = 0; i * step <= x.to; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%g", i * step);
		svg_grid_x(out, svg_place(&x, i * step), SVG_TOP, SVG_BOTTOM, "grid");
		svg_tick_x(out, svg_place(&x, i * step), SVG_BOTTOM, text);
	}
	fputc('\n', out);
	return x;
}

/* A line with gaps where nothing is known. */
static void time_line(
	FILE *out, const struct zwb_picture_line *line, const struct axis *x, const struct axis *y)
{
	int is_drawing = 0;

	fprintf(out, "<path class=\"l%zu\" d=\"M%.1f,%.1f", line->style, SVG_LEFT, SVG_BOTTOM);
	for (size_t i = 0; i < line->nr_marks; i++) {
		const struct zwb_picture_point *mark = &line->marks[i];

		if (isfinite(mark->y))
			fprintf(out, "%s%.1f,%.1f", is_drawing ? "L" : "M", svg_place(x, mark->x),
				svg_place(y, mark->y));
		is_drawing = isfinite(mark->y);
	}
	fputs("\"/>\n", out);
}

int svg_time(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	const struct axis y = y_axis(out, p), x = time_axis(out, p);
	int ret = ZWB_OK;

	for (size_t l = 0; l < p->nr_lines; l++)
		time_line(out, &p->lines[l], &x, &y);
	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];

		for (size_t i = 0; !ret && i < line->nr_marks; i++) {
			const struct zwb_picture_point *mark = &line->marks[i];

			if (!isfinite(mark->y))
				continue;
			/* to point at; the line itself is what is seen */
			fprintf(out, "<g class=\"m hidden m%zu\">", line->style);
			ret = svg_title(out, p, line, mark, err);
			fprintf(out,
				"<path d=\"M%.1f,%.1fm-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z\"/></g>\n",
				svg_place(&x, mark->x), svg_place(&y, mark->y));
		}
	}
	return ret;
}
