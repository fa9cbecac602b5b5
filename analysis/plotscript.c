/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for gnuplot. */
#include "plotscript.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>

/* Text of any origin: nothing is expanded in single quotes, and a quote is doubled. */
static int put_quoted(FILE *out, const char *text, struct zwb_err *err)
{
	char *safe = zwb_text_utf8(text);

	if (!safe)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the picture");
	fputc('\'', out);
	for (const char *c = safe; *c; c++) {
		if (*c == '\'')
			fputc('\'', out);
		fputc(*c, out);
	}
	fputc('\'', out);
	free(safe);
	return ZWB_OK;
}

static int put_head(FILE *out, const struct zwb_picture *p, enum zwb_plot_terminal terminal,
	struct zwb_err *err)
{
	size_t height = 480;
	int ret;

	if (p->kind == ZWB_PICTURE_FOREST)
		height = 120 + p->nr_categories * (16 + 14 * p->nr_lines);
	if (height > 8000)
		height = 8000;
	fprintf(out,
		"set encoding utf8\nset terminal %s noenhanced size 800,%zu font ',12'\n"
		"set key above noenhanced\n"
		"set grid linecolor rgb '#d0d0d0'\nset border 3\nset tics nomirror\n",
		terminal == ZWB_PLOT_SVG ? "svg background rgb 'white'" : "pngcairo", height);
	fputs("set title ", out);
	ret = put_quoted(out, p->title, err);
	fputs("\nset xlabel ", out);
	if (!ret)
		ret = put_quoted(out, p->x_name, err);
	fputs(".' ('.", out);
	if (!ret)
		ret = put_quoted(out, p->x_unit, err);
	fputs(".')'\n", out);
	return ret;
}

/* Every number that a double may be, as gnuplot reads it. */
static void put_number(FILE *out, double value)
{
	char text[ZWB_TEXT_NUM_SIZE];

	if (isfinite(value)) {
		zwb_text_exact(text, value);
		fprintf(out, " %s", text);
	} else {
		fputs(" NaN", out);
	}
}

/* -- distributions -- */

static void cdf_data(FILE *out, const struct zwb_picture_line *line, size_t l)
{
	double top = 0;

	fprintf(out, "$line%zu << EOD\n", l);
	for (size_t i = 0; i < line->nr_points; i++) {
		double y = zwb_picture_nines(line->points[i].y);

		/* the largest value has no percentile below 100 %: straight up from the last */
		top = isfinite(y) ? fmax(top, y) : top;
		put_number(out, fmax(line->points[i].x, 1e-3));
		put_number(out, isfinite(y) ? y : top + 0.1);
		fputc('\n', out);
	}
	fputs("EOD\n", out);
}

static int put_cdf(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fputs("set logscale x\nset ylabel 'percentile'\n"
	      "set ytics ('0' 0, 'p50' 0.30103, 'p90' 1, 'p99' 2, 'p99.9' 3, 'p99.99' 4, "
	      "'p99.999' 5, 'p99.9999' 6)\n",
		out);
	for (size_t l = 0; l < p->nr_lines; l++)
		cdf_data(out, &p->lines[l], l);
	for (size_t l = 0; !ret && l < p->nr_lines; l++) {
		fprintf(out, "%s $line%zu using 1:2 with lines linewidth 2 dashtype %zu title ",
			l ? ", \\\n" : "plot", l, l + 1);
		ret = put_quoted(out, p->lines[l].label, err);
	}
	fputc('\n', out);
	return ret;
}

/* -- forests -- */

/* What lies outside is drawn at the edge. */
static double inside(const struct zwb_picture *p, double x)
{
	return fmin(fmax(x, p->x_least), p->x_most);
}

static void forest_data(FILE *out, const struct zwb_picture *p, size_t l)
{
	const struct zwb_picture_line *line = &p->lines[l];

	fprintf(out, "$line%zu << EOD\n", l);
	for (size_t i = 0; i < line->nr_marks; i++) {
		const struct zwb_picture_point *mark = &line->marks[i];
		int has_interval = isfinite(mark->low) && isfinite(mark->high);

		put_number(out, inside(p, mark->x));
		put_number(out, mark->y + ((double)l + 1) / ((double)p->nr_lines + 1) - 0.5);
		put_number(out, inside(p, has_interval ? mark->low : mark->x));
		put_number(out, inside(p, has_interval ? mark->high : mark->x));
		fputc('\n', out);
	}
	fputs("EOD\n", out);
}

static int put_forest(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fputs("set ytics (", out);
	for (size_t i = 0; !ret && i < p->nr_categories; i++) {
		fputs(i ? ", " : "", out);
		ret = put_quoted(out, p->categories[i], err);
		fprintf(out, " %zu", i);
	}
	fprintf(out,
		")\nset xrange [%.6g:%.6g]\nset yrange [%g:-0.6]\n"
		"set arrow from 0,graph 0 to 0,graph 1 nohead\n",
		p->x_least, p->x_most, (double)p->nr_categories - 0.4);
	for (size_t l = 0; l < p->nr_lines; l++)
		forest_data(out, p, l);
	for (size_t l = 0; !ret && l < p->nr_lines; l++) {
		fprintf(out,
			"%s $line%zu using 1:2:3:4 with xerrorbars pointtype %zu linewidth 2 "
			"title ",
			l ? ", \\\n" : "plot", l, l + 4);
		ret = put_quoted(out, p->lines[l].label, err);
	}
	fputc('\n', out);
	return ret;
}

/* -- bars, and lines over time -- */

/* "NAME (UNIT)" as the name of the y axis, which begins at 0. */
static int put_y_name(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	int ret;

	fputs("set yrange [0:*]\nset ylabel ", out);
	ret = put_quoted(out, p->y_name, err);
	fputs(".' ('.", out);
	if (!ret)
		ret = put_quoted(out, p->y_unit, err);
	fputs(".')'\n", out);
	return ret;
}

static void marks_data(FILE *out, const struct zwb_picture_line *line, size_t l)
{
	fprintf(out, "$line%zu << EOD\n", l);
	for (size_t i = 0; i < line->nr_marks; i++) {
		put_number(out, line->marks[i].x);
		put_number(out, line->marks[i].y);
		fputc('\n', out);
	}
	fputs("EOD\n", out);
}

/* Beside each other in each category, or as lines. */
static int put_linear(FILE *out, const struct zwb_picture *p, struct zwb_err *err)
{
	int is_bars = p->kind == ZWB_PICTURE_BARS, ret = put_y_name(out, p, err);

	for (size_t l = 0; l < p->nr_lines; l++)
		marks_data(out, &p->lines[l], l);
	fputs(is_bars ? "set style data histograms\nset style fill solid 0.8\nset xtics (" : "",
		out);
	for (size_t i = 0; !ret && i < p->nr_categories; i++) {
		fputs(i ? ", " : "", out);
		ret = put_quoted(out, p->categories[i], err);
		fprintf(out, " %zu", i);
	}
	fputs(is_bars ? ")\n" : "", out);
	for (size_t l = 0; !ret && l < p->nr_lines; l++) {
		fprintf(out, "%s $line%zu using %s title ", l ? ", \\\n" : "plot", l,
			is_bars ? "2" : "1:2 with lines linewidth 2");
		ret = put_quoted(out, p->lines[l].label, err);
	}
	fputc('\n', out);
	return ret;
}

int zwb_plot_write(FILE *out, const struct zwb_picture *p, enum zwb_plot_terminal terminal,
	struct zwb_err *err)
{
	int ret = put_head(out, p, terminal, err);

	if (ret)
		return ret;
	switch (p->kind) {
	case ZWB_PICTURE_FOREST:
		return put_forest(out, p, err);
	case ZWB_PICTURE_CDF:
		return put_cdf(out, p, err);
	default:
		return put_linear(out, p, err);
	}
}
