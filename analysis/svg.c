/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From points to shapes. All numbers are in units of the view box. */
#include "svg.h"

#include "markup.h"
#include "svg_priv.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BELOW	    36.0 /* room for numbers and name of the x axis */
#define NAME_HEIGHT 15.0 /* of a category in a forest */
#define MARK_HEIGHT 11.0
#define FOREST_LEFT 10.0

double svg_place(const struct axis *axis, double value)
{
	double share = (value - axis->from) / (axis->to - axis->from);

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return axis->at_from + share * (axis->at_to - axis->at_from);
}

/* -- marks -- */

/* The shape of a style around a point. */
static void put_shape(FILE *out, size_t style, double x, double y)
{
	static const char *const shapes[] = {
		"m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z", /* circle */
		"m-3.2,-3.2h6.4v6.4h-6.4z", /* square */
		"m0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5z", /* diamond */
		"m0,-4l4,7h-8z", /* triangle */
		"m0,4l4,-7h-8z",
		"m-1.3,-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z", /* cross */
		"m-4,0l7,-4v8z",
		"m4,0l-7,-4v8z",
	};

	_Static_assert(sizeof(shapes) / sizeof(shapes[0]) == ZWB_PICTURE_MAX_LINES, "shapes");
	fprintf(out, "<path d=\"M%.1f,%.1f%s\"/>", x, y, shapes[style]);
}

static void change_text(char *text, size_t size, const struct zwb_picture_point *mark)
{
	char value[ZWB_TEXT_NUM_SIZE], low[ZWB_TEXT_NUM_SIZE], high[ZWB_TEXT_NUM_SIZE];

	zwb_text_percent(value, mark->x);
	zwb_text_percent(low, mark->low);
	zwb_text_percent(high, mark->high);
	if (isfinite(mark->low) && isfinite(mark->high))
		snprintf(text, size, ": %s (95 %% interval %s to %s)", value, low, high);
	else
		snprintf(text, size, ": %s", value);
}

int svg_title(FILE *out, const struct zwb_picture *p, const struct zwb_picture_line *line,
	const struct zwb_picture_point *mark, struct zwb_err *err)
{
	char text[3 * ZWB_TEXT_NUM_SIZE + 32], value[ZWB_TEXT_NUM_SIZE];
	const char *unit = p->x_unit;
	int ret;

	switch (p->kind) {
	case ZWB_PICTURE_FOREST:
		change_text(text, sizeof(text), mark);
		unit = "";
		break;
	case ZWB_PICTURE_CDF:
		zwb_text_value(value, mark->x, (double)NAN);
		snprintf(text, sizeof(text), ": %s ", value);
		break;
	case ZWB_PICTURE_BARS:
		snprintf(text, sizeof(text), ": %.3g %% have this many ", mark->y);
		break;
	default:
		zwb_text_value(value, mark->y, (double)NAN);
		snprintf(text, sizeof(text), "%.4g s: %s ", mark->x, value);
		unit = p->y_unit;
	}
	fputs("<title>", out);
	ret = zwb_markup_text(out, line->label, err);
	fputs(", ", out);
	if (!ret)
		ret = zwb_markup_text(out, mark->name ? mark->name : "", err);
	if (!ret)
		ret = zwb_markup_text(out, text, err);
	if (!ret)
		ret = zwb_markup_text(out, unit, err);
	fputs("</title>", out);
	return ret;
}

/* -- axes -- */

double svg_round_step(double range, int most)
{
	double power = pow(10, floor(log10(range / most)));

	while (range / power > most) {
		if (range / (2 * power) <= most)
			return 2 * power;
		if (range / (5 * power) <= most)
			return 5 * power;
		power *= 10;
	}
	return power;
}

void svg_grid_x(FILE *out, double x, double top, double bottom, const char *class)
{
	fprintf(out, "<path class=\"%s\" d=\"M%.1f,%.1fV%.1f\"/>", class, x, top, bottom);
}

void svg_tick_x(FILE *out, double x, double bottom, const char *text)
{
	const char *anchor = x < SVG_LEFT ? "start" : x > SVG_RIGHT - 16 ? "end" : "middle";

	fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x,
		bottom + 14, anchor, text);
}

static int put_x_name(FILE *out, const struct zwb_picture *p, double bottom, struct zwb_err *err)
{
	int ret;

	fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", SVG_RIGHT,
		bottom + 30);
	ret = zwb_markup_text(out, p->x_name, err);
	fputs(" (", out);
	if (!ret)
		ret = zwb_markup_text(out, p->x_unit, err);
	fputs(")</text>\n", out);
	return ret;
}

/* -- distributions -- */

static void cdf_axes(const struct zwb_picture *p, struct axis *x, struct axis *y)
{
	double least = (double)INFINITY, most = 0, nines = 2;

	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];

		for (size_t i = 0; i < line->nr_points; i++) {
			double at = zwb_picture_nines(line->points[i].y);

			least = fmin(least, line->points[i].x);
			most = fmax(most, line->points[i].x);
			if (isfinite(at))
				nines = fmax(nines, at);
		}
	}
	least = floor(log10(fmax(least, 1e-3)));
	most = ceil(log10(fmax(most, 1e-3)));
	*x = (struct axis){ least, most > least ? most : least + 1, SVG_LEFT, SVG_RIGHT };
	*y = (struct axis){ 0, nines * 1.1, SVG_BOTTOM, SVG_TOP };
}

static double cdf_x(const struct axis *x, double value)
{
	return svg_place(x, log10(fmax(value, 1e-3)));
}

/* The percentiles that the axis reaches, as a ruler. */
static void cdf_ruler(FILE *out, const struct axis *y)
{
	static const struct {
		const char *name;
		double share;
	} rows[] = { { "0", 0 }, { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 },
		{ "p99.9", 0.999 }, { "p99.99", 0.9999 }, { "p99.999", 0.99999 },
		{ "p99.9999", 0.999999 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double nines = zwb_picture_nines(rows[i].share), at = svg_place(y, nines);

		if (nines > y->to)
			break;
		fprintf(out,
			"<path class=\"grid\" d=\"M%.1f,%.1fH%.1f\"/><text class=\"tick\" "
			"x=\"%.1f\" "
			"y=\"%.1f\" text-anchor=\"end\">%s</text>",
			SVG_LEFT, at, SVG_RIGHT, SVG_LEFT - 4, at + 4, rows[i].name);
	}
	fputc('\n', out);
}

static void cdf_decades(FILE *out, const struct axis *x)
{
	int from = (int)x->from, to = (int)x->to;
	int step = 1 + (to - from) / 8;

	for (int e = from; e <= to; e += step) {
		char text[32];

		snprintf(text, sizeof(text), e > 4 || e < -3 ? "%.0e" : "%g", pow(10, e));
		svg_grid_x(out, svg_place(x, e), SVG_TOP, SVG_BOTTOM, "grid");
		svg_tick_x(out, svg_place(x, e), SVG_BOTTOM, text);
	}
	fputc('\n', out);
}

/* A staircase would be as true; at 0.1 % wide steps nobody sees the difference. */
static int cdf_line(FILE *out, const struct zwb_picture *p, const struct zwb_picture_line *line,
	const struct axis *x, const struct axis *y, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fprintf(out, "<path class=\"l%zu\" d=\"", line->style);
	for (size_t i = 0; i < line->nr_points; i++)
		fprintf(out, "%s%.1f,%.1f", i ? "L" : "M", cdf_x(x, line->points[i].x),
			svg_place(y, zwb_picture_nines(line->points[i].y)));
	fputs("\"/>\n", out);
	for (size_t i = 0; !ret && i < line->nr_marks; i++) {
		const struct zwb_picture_point *mark = &line->marks[i];

		fprintf(out, "<g class=\"m m%zu\">", line->style);
		ret = svg_title(out, p, line, mark, err);
		put_shape(out, line->style, cdf_x(x, mark->x),
			svg_place(y, zwb_picture_nines(mark->y)));
		fputs("</g>\n", out);
	}
	return ret;
}

static int put_cdf(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	struct axis x, y;
	int ret = ZWB_OK;

	cdf_axes(p, &x, &y);
	cdf_ruler(out, &y);
	cdf_decades(out, &x);
	for (size_t l = 0; !ret && l < p->nr_lines; l++)
		ret = cdf_line(out, p, &p->lines[l], &x, &y, err);
	return ret;
}

/* -- forests -- */

static double forest_category_height(const struct zwb_picture *p)
{
	return NAME_HEIGHT + (double)p->nr_lines * MARK_HEIGHT;
}

static double forest_bottom(const struct zwb_picture *p)
{
	return SVG_TOP + (double)p->nr_categories * forest_category_height(p);
}

static void forest_grid(FILE *out, const struct axis *x, double bottom)
{
	double step = svg_round_step(x->to - x->from, 8);

	for (int i = (int)ceil(x->from / step); i * step <= x->to; i++) {
		char text[32];

		snprintf(text, sizeof(text), i > 0 ? "+%g" : "%g", i == 0 ? 0.0 : i * step);
		svg_grid_x(out, svg_place(x, i * step), SVG_TOP, bottom, i == 0 ? "zero" : "grid");
		svg_tick_x(out, svg_place(x, i * step), bottom, text);
	}
	fputc('\n', out);
}

static int forest_marks(
	FILE *out, const struct zwb_picture *p, size_t l, const struct axis *x, struct zwb_err *err)
{
	const struct zwb_picture_line *line = &p->lines[l];
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < line->nr_marks; i++) {
		const struct zwb_picture_point *mark = &line->marks[i];
		double y = SVG_TOP + mark->y * forest_category_height(p) + NAME_HEIGHT +
			   ((double)l + 0.5) * MARK_HEIGHT;

		fprintf(out, "<g class=\"m m%zu\">", line->style);
		ret = svg_title(out, p, line, mark, err);
		if (isfinite(mark->low) && isfinite(mark->high))
			fprintf(out, "<path class=\"bar\" d=\"M%.1f,%.1fH%.1f\"/>",
				svg_place(x, mark->low), y, svg_place(x, mark->high));
		put_shape(out, line->style, svg_place(x, mark->x), y);
		fputs("</g>\n", out);
	}
	return ret;
}

static int put_forest(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	double bottom = forest_bottom(p);
	const struct axis x = { p->x_least, p->x_most, FOREST_LEFT, SVG_RIGHT };
	int ret = ZWB_OK;

	forest_grid(out, &x, bottom);
	for (size_t i = 0; !ret && i < p->nr_categories; i++) {
		double y = SVG_TOP + (double)i * forest_category_height(p) + NAME_HEIGHT - 4;

		fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", FOREST_LEFT, y);
		ret = zwb_markup_text(out, p->categories[i], err);
		fputs("</text>\n", out);
	}
	for (size_t l = 0; !ret && l < p->nr_lines; l++)
		ret = forest_marks(out, p, l, &x, err);
	return ret;
}

int zwb_svg_write(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	static int (*const draw[])(FILE * out, const struct zwb_picture *p, struct zwb_err *err) = {
		[ZWB_PICTURE_FOREST] = put_forest,
		[ZWB_PICTURE_CDF] = put_cdf,
		[ZWB_PICTURE_BARS] = svg_bars,
		[ZWB_PICTURE_TIME] = svg_time,
	};
	double bottom = p->kind == ZWB_PICTURE_FOREST ? forest_bottom(p) : SVG_BOTTOM;
	int ret;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
		"aria-label=\"",
		SVG_WIDTH, bottom + BELOW);
	ret = zwb_markup_text(out, p->alt, err);
	fputs("\">\n", out);
	if (!ret)
		ret = draw[p->kind](out, p, err);
	if (!ret)
		ret = put_x_name(out, p, bottom, err);
	fputs("</svg>\n", out);
	return ret;
}

void zwb_svg_swatch(FILE *out, const struct zwb_picture *p, size_t i)
{
	size_t style = p->lines[i].style;

	fputs("<svg class=\"swatch\" viewBox=\"0 0 30 12\" aria-hidden=\"true\">", out);
	if (p->kind == ZWB_PICTURE_CDF || p->kind == ZWB_PICTURE_TIME)
		fprintf(out, "<path class=\"l%zu\" d=\"M0,6H30\"/>", style);
	fprintf(out, "<g class=\"m%zu\">", style);
	put_shape(out, style, 15, 6);
	fputs("</g></svg>", out);
}
