/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes, and metrics over time. */
#include "picture_priv.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

/* -- sizes: a bar for each power of two -- */

static const char *const size_names[] = { "0", "1", "2", "3-4", "5-8", "9-16", "17-32", "33-64",
	"65-128", "129-256", "257-512", "513-1024", "1025-2048", "more" };

#define NR_SIZES (sizeof(size_names) / sizeof(size_names[0]))

static size_t size_class(uint64_t value)
{
	size_t class = 0;

	if (value == 0)
		return 0;
	while (class < NR_SIZES - 2 && value > UINT64_C(1) << class)
		class ++;
	return class + 1;
}

/* Shares of the sizes, in the order of their names; small enough to be exact in the histogram. */
static void size_shares(const struct zwb_hist *hist, double *shares)
{
	struct zwb_hist_bucket b = { 0 };

	for (size_t i = 0; i < NR_SIZES; i++)
		shares[i] = 0;
	while (zwb_hist_next(hist, &b))
		shares[size_class(b.first)] += (double)b.count / (double)hist->count;
}

static int sizes_line(struct zwb_picture_line *line, const double *shares, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < NR_SIZES; i++)
		ret = picture_point(&line->marks, &line->nr_marks,
			(struct zwb_picture_point){ .x = (double)i,
				.y = 100 * shares[i],
				.low = (double)NAN,
				.high = (double)NAN,
				.name = size_names[i] },
			err);
	return ret;
}

/* Drops the sizes that nobody has at either end, and names those that are left. */
static int sizes_trim(struct zwb_picture *p, struct zwb_err *err)
{
	size_t first = NR_SIZES, last = 0;

	for (size_t l = 0; l < p->nr_lines; l++) {
		for (size_t i = 0; i < NR_SIZES; i++) {
			if (p->lines[l].marks[i].y <= 0)
				continue;
			first = i < first ? i : first;
			last = i > last ? i : last;
		}
	}
	p->categories = calloc(NR_SIZES, sizeof(*p->categories));
	if (!p->categories)
		return picture_no_memory(err);
	for (size_t i = first; i <= last; i++)
		p->categories[p->nr_categories++] = size_names[i];
	for (size_t l = 0; l < p->nr_lines; l++) {
		struct zwb_picture_line *line = &p->lines[l];

		line->nr_marks = p->nr_categories;
		memmove(line->marks, line->marks + first, line->nr_marks * sizeof(*line->marks));
		for (size_t i = 0; i < line->nr_marks; i++)
			line->marks[i].x = (double)i;
	}
	return ZWB_OK;
}

static int sizes_alt(struct zwb_picture *p, struct zwb_err *err)
{
	size_t len;
	FILE *out = open_memstream(&p->alt, &len);

	if (!out)
		return picture_no_memory(err);
	fprintf(out, "Share of each %s.", p->title);
	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];
		size_t most = 0;

		for (size_t i = 1; i < line->nr_marks; i++)
			most = line->marks[i].y > line->marks[most].y ? i : most;
		fprintf(out, "%s %s: most have %s %s (%.3g %%)", l ? ";" : "", line->label,
			line->marks[most].name, p->x_unit, line->marks[most].y);
	}
	fputs(".", out);
	return picture_alt(p, out, err);
}

int picture_add_sizes(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, uint32_t metric, struct zwb_err *err)
{
	const struct zwb_metric_def *def = &((const struct cmp_priv *)cmp->priv)->defs[metric];
	struct zwb_picture *p = NULL;
	int ret = ZWB_OK;

	for (size_t k = 0; !ret && k < chosen->nr; k++) {
		double shares[NR_SIZES];
		struct zwb_hist hist;

		zwb_hist_init(&hist);
		ret = picture_merge(cmp, metric, chosen->columns[k], &hist, err);
		if (!ret && hist.count && !p) {
			p = picture_add(pictures, ZWB_PICTURE_BARS, def->name, chosen->nr, err);
			ret = p ? ZWB_OK : ZWB_ENOMEM;
		}
		if (!ret && hist.count) {
			struct zwb_picture_line *line = &p->lines[p->nr_lines++];

			line->label = chosen->labels[k];
			line->style = k;
			size_shares(&hist, shares);
			ret = sizes_line(line, shares, err);
		}
		zwb_hist_release(&hist);
	}
	if (ret || !p)
		return ret;
	p->nr_left_out = cmp->nr_columns - chosen->nr;
	p->x_name = p->title;
	p->x_unit = def->unit;
	p->y_name = "share";
	p->y_unit = "%";
	ret = sizes_trim(p, err);
	return ret ? ret : sizes_alt(p, err);
}

/* -- over time -- */

/* Of the first recording and the lowest seed: the spread of others would hide what happened. */
static const struct zwb_run_series *series_of(
	const struct zwb_comparison *cmp, uint32_t metric, size_t column)
{
	const struct cmp_priv *priv = cmp->priv;

	for (size_t i = 0; i < priv->nr_arms; i++) {
		const struct cmp_arm *a = &priv->arms[i];

		if (a->column == column && a->recording == 0)
			return zwb_run_arm_find_series(
				a->arm, cmp_metric_in(priv, a->run, metric), ZWB_RUN_TOTAL);
	}
	return NULL;
}

/* Counts per second, other values as they are. */
static int series_line(struct zwb_picture_line *line, const struct zwb_run_series *s,
	enum zwb_metric_kind kind, struct zwb_err *err)
{
	double interval_s = (double)s->interval_ns / NS_PER_S;
	double scale = kind == ZWB_KIND_COUNT ? interval_s : 1;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < s->nr_values; i++)
		ret = picture_point(&line->marks, &line->nr_marks,
			(struct zwb_picture_point){ .x = ((double)i + 0.5) * interval_s,
				.y = s->values[i] / scale,
				.low = (double)NAN,
				.high = (double)NAN },
			err);
	return ret;
}

static int same_line(const struct zwb_picture_line *a, const struct zwb_picture_line *b)
{
	if (a->nr_marks != b->nr_marks)
		return 0;
	for (size_t i = 0; i < a->nr_marks; i++) {
		if (a->marks[i].x != b->marks[i].x || a->marks[i].y != b->marks[i].y)
			return 0;
	}
	return 1;
}

/* What is the same under all policies is one line. */
static void series_unite(struct zwb_picture *p)
{
	size_t nr_same = 1;

	while (nr_same < p->nr_lines && same_line(&p->lines[0], &p->lines[nr_same]))
		nr_same++;
	if (nr_same < 2 || nr_same < p->nr_lines)
		return;
	for (size_t l = 1; l < p->nr_lines; l++) {
		free(p->lines[l].marks);
		p->lines[l] = (struct zwb_picture_line){ 0 };
	}
	p->nr_lines = 1;
	p->lines[0].label = "all policies";
}

static int series_alt(struct zwb_picture *p, struct zwb_err *err)
{
	size_t len;
	FILE *out = open_memstream(&p->alt, &len);

	if (!out)
		return picture_no_memory(err);
	fprintf(out, "%s: recording 1, first seed.", p->title);
	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];
		char value[ZWB_TEXT_NUM_SIZE];
		size_t most = 0;

		for (size_t i = 1; i < line->nr_marks; i++)
			most = line->marks[i].y > line->marks[most].y ? i : most;
		zwb_text_value(value, line->marks[most].y, (double)NAN);
		fprintf(out, "%s %s: at most %s %s, at %.3g s", l ? ";" : "", line->label, value,
			p->y_unit, line->marks[most].x);
	}
	fputs(".", out);
	return picture_alt(p, out, err);
}

/* "zswap pool mean" is what it is called over all of the time. */
static char *series_title(const char *name)
{
	const char mean[] = " mean";
	size_t len = strlen(name), end = sizeof(mean) - 1;
	char *title;

	if (len > end && strcmp(name + len - end, mean) == 0)
		len -= end;
	return asprintf(&title, "%.*s over time", (int)len, name) < 0 ? NULL : title;
}

int picture_add_series(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, uint32_t metric, struct zwb_err *err)
{
	const struct zwb_metric_def *def = &((const struct cmp_priv *)cmp->priv)->defs[metric];
	struct zwb_picture *p = NULL;
	int ret = ZWB_OK;

	for (size_t k = 0; !ret && k < chosen->nr; k++) {
		const struct zwb_run_series *s = series_of(cmp, metric, chosen->columns[k]);
		struct zwb_picture_line *line;

		if (!s || s->nr_values == 0)
			continue;
		if (!p) {
			char *title = series_title(def->name);

			p = title ? picture_add(pictures, ZWB_PICTURE_TIME, title, chosen->nr, err)
				  : NULL;
			free(title);
			if (!p)
				return picture_no_memory(err);
		}
		line = &p->lines[p->nr_lines++];
		line->label = chosen->labels[k];
		line->style = k;
		ret = series_line(line, s, def->kind, err);
	}
	if (ret || !p)
		return ret;
	p->nr_left_out = cmp->nr_columns - chosen->nr;
	p->x_name = "time";
	p->x_unit = "s";
	p->y_name = p->title;
	p->y_unit = def->kind == ZWB_KIND_COUNT ? "1/s" : def->unit;
	series_unite(p);
	return series_alt(p, err);
}
