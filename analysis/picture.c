/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a comparison to points. */
#include "picture.h"

#include "factors.h"
#include "grow.h"
#include "pareto.h"
#include "picture_priv.h"
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_US 1000.0
/* A point of a distribution that is not this far from the last one is left out. */
#define CDF_STEP     0.004 /* of a power of ten */
#define FOREST_LEAST (-100.0)
#define FOREST_MOST  200.0

static const struct {
	const char *name;
	uint32_t ppm;
} ruler[] = {
	{ "p50", 500000 },
	{ "p90", 900000 },
	{ "p95", 950000 },
	{ "p99", 990000 },
	{ "p99.9", 999000 },
	{ "max", 1000000 },
};

#define NR_RULER (sizeof(ruler) / sizeof(ruler[0]))

double zwb_picture_nines(double y)
{
	return y < 1 ? -log10(1 - y) : (double)INFINITY;
}

int picture_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the pictures");
}

/* -- building blocks -- */

/* "swapin latency" as a name: what is no letter and no digit becomes a dash. Caller frees. */
static char *picture_name(const struct zwb_pictures *pictures, const char *title)
{
	char *name = strdup(title), *other;

	for (char *c = name; c && *c; c++)
		*c = isalnum((unsigned char)*c) && (unsigned char)*c < 0x80
			     ? (char)tolower((unsigned char)*c)
			     : '-';
	if (!name || !zwb_picture_find(pictures, name))
		return name;
	/* two names that differ in other letters only */
	if (asprintf(&other, "%s-%zu", name, pictures->nr) < 0)
		other = NULL;
	free(name);
	return other;
}

/* A new picture at the end of @pictures, with room for its lines. */
struct zwb_picture *picture_add(struct zwb_pictures *pictures, enum zwb_picture_kind kind,
	const char *title, size_t nr_lines, struct zwb_err *err)
{
	struct zwb_picture *p;

	if (!ZWB_GROW(pictures->items, pictures->nr)) {
		picture_no_memory(err);
		return NULL;
	}
	p = &pictures->items[pictures->nr];
	*p = (struct zwb_picture){
		.kind = kind, .title = strdup(title), .name = picture_name(pictures, title)
	};
	pictures->nr++;
	p->lines = calloc(nr_lines + 1, sizeof(*p->lines));
	if (p->title && p->name && p->lines)
		return p;
	picture_no_memory(err);
	return NULL;
}

static void picture_release(struct zwb_picture *p)
{
	for (size_t i = 0; p->lines && i < p->nr_lines; i++) {
		free(p->lines[i].points);
		free(p->lines[i].marks);
	}
	free(p->lines);
	free((void *)p->categories);
	free(p->name);
	free(p->title);
	free(p->alt);
}

int picture_point(struct zwb_picture_point **points, size_t *nr, struct zwb_picture_point point,
	struct zwb_err *err)
{
	if (!ZWB_GROW(*points, *nr))
		return picture_no_memory(err);
	(*points)[(*nr)++] = point;
	return ZWB_OK;
}

int picture_alt(struct zwb_picture *p, FILE *out, struct zwb_err *err)
{
	return fclose(out) == 0 && p->alt ? ZWB_OK : picture_no_memory(err);
}

/* -- the forest -- */

/* 1 if @name ends in @end. */
static int ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), len_end = strlen(end);

	return len >= len_end && strcmp(name + len - len_end, end) == 0;
}

/* Of what should be low or high; of a distribution, its middle and its tail are enough. */
static int is_of_interest(const struct zwb_cmp_row *row)
{
	if (row->group || row->better == ZWB_BETTER_NEITHER)
		return 0;
	return row->kind != ZWB_KIND_HIST || ends_in(row->name, " p50") ||
	       ends_in(row->name, " p99");
}

static int is_delta(const struct zwb_cmp_row *row, size_t column)
{
	return is_of_interest(row) && isfinite(row->cells[column].delta_percent);
}

static int forest_categories(struct zwb_picture *p, const struct zwb_comparison *cmp,
	const struct chosen *chosen, struct zwb_err *err)
{
	p->categories = calloc(cmp->nr_rows + 1, sizeof(*p->categories));
	if (!p->categories)
		return picture_no_memory(err);
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		int changes = 0;

		for (size_t k = 1; k < chosen->nr; k++) {
			size_t c = chosen->columns[k];

			changes |= is_delta(&cmp->rows[i], c) &&
				   cmp->rows[i].cells[c].delta_percent != 0;
		}
		if (changes)
			p->categories[p->nr_categories++] = cmp->rows[i].name;
	}
	return ZWB_OK;
}

static int forest_line(struct zwb_picture *p, const struct zwb_comparison *cmp,
	const struct chosen *chosen, size_t k, struct zwb_err *err)
{
	struct zwb_picture_line *line = &p->lines[k - 1];
	size_t column = chosen->columns[k];
	size_t category = 0;
	int ret = ZWB_OK;

	line->label = chosen->labels[k];
	line->style = k;
	for (size_t i = 0; !ret && i < cmp->nr_rows && category < p->nr_categories; i++) {
		const struct zwb_cmp_row *row = &cmp->rows[i];
		const struct zwb_cmp_cell *cell = &row->cells[column];

		if (row->group || row->name != p->categories[category])
			continue;
		if (is_delta(row, column))
			ret = picture_point(&line->marks, &line->nr_marks,
				(struct zwb_picture_point){ .x = cell->delta_percent,
					.y = (double)category,
					.low = cell->sure.low_percent,
					.high = cell->sure.high_percent,
					.name = row->name },
				err);
		category++;
	}
	return ret;
}

/* Where one change would make all others unreadable, it is drawn at the edge. */
static void forest_range(struct zwb_picture *p)
{
	double least = 0, most = 0, margin;

	for (size_t l = 0; l < p->nr_lines; l++) {
		for (size_t i = 0; i < p->lines[l].nr_marks; i++) {
			const struct zwb_picture_point *mark = &p->lines[l].marks[i];

			/* fmin() and fmax() leave out NAN */
			least = fmin(fmin(least, mark->x), mark->low);
			most = fmax(fmax(most, mark->x), mark->high);
			p->nr_outside += mark->x < FOREST_LEAST || mark->x > FOREST_MOST;
		}
	}
	least = fmax(least, FOREST_LEAST);
	most = fmin(most, FOREST_MOST);
	margin = most > least ? (most - least) * 0.04 : 1;
	p->x_least = least - margin;
	p->x_most = most + margin;
}

static int forest_alt(struct zwb_picture *p, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	size_t len, nr = 0;
	FILE *out = open_memstream(&p->alt, &len);

	if (!out)
		return picture_no_memory(err);
	fprintf(out, "Changes against %s.", cmp->columns[0].label);
	for (size_t l = 0; l < p->nr_lines; l++) {
		const struct zwb_picture_line *line = &p->lines[l];

		for (size_t i = 0; i < line->nr_marks && i < 2; i++) {
			char text[ZWB_TEXT_NUM_SIZE];

			zwb_text_percent(text, line->marks[i].x);
			fprintf(out, "%s %s %s: %s", nr ? ";" : "", line->label,
				line->marks[i].name, text);
			nr++;
		}
	}
	fputs(". All of them are in the table below.", out);
	if (p->nr_outside)
		fprintf(out, " Changes above +%g %% are drawn at the edge: %zu.", FOREST_MOST,
			p->nr_outside);
	return picture_alt(p, out, err);
}

static int add_forest(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, struct zwb_err *err)
{
	struct zwb_picture *p;
	int ret;

	if (chosen->nr < 2)
		return ZWB_OK;
	p = picture_add(pictures, ZWB_PICTURE_FOREST, "changes", chosen->nr, err);
	if (!p)
		return ZWB_ENOMEM;
	p->x_name = "change";
	p->x_unit = "%";
	p->nr_lines = chosen->nr - 1;
	p->nr_left_out = cmp->nr_columns - chosen->nr;
	ret = forest_categories(p, cmp, chosen, err);
	if (!ret && p->nr_categories == 0) {
		/* nothing changes */
		picture_release(&pictures->items[--pictures->nr]);
		return ZWB_OK;
	}
	for (size_t k = 1; !ret && k < chosen->nr; k++)
		ret = forest_line(p, cmp, chosen, k, err);
	if (ret)
		return ret;
	forest_range(p);
	return forest_alt(p, cmp, err);
}

/* -- distributions -- */

/* All values of a metric under one policy. @hist: empty. */
int picture_merge(const struct zwb_comparison *cmp, uint32_t metric, size_t column,
	struct zwb_hist *hist, struct zwb_err *err)
{
	const struct cmp_priv *priv = cmp->priv;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < priv->nr_arms; i++) {
		const struct cmp_arm *a = &priv->arms[i];
		const struct zwb_run_hist *h;

		if (a->column != column)
			continue;
		h = zwb_run_arm_find_hist(
			a->arm, cmp_metric_in(priv, a->run, metric), ZWB_RUN_TOTAL);
		if (h)
			ret = zwb_hist_merge(hist, &h->hist, err);
	}
	return ret;
}

static double log10_us(uint64_t ns)
{
	return log10((double)(ns ? ns : 1) / NS_PER_US);
}

static int cdf_points(
	struct zwb_picture_line *line, const struct zwb_hist *hist, struct zwb_err *err)
{
	struct zwb_hist_bucket b = { 0 };
	double last_x = (double)-INFINITY, last_y = (double)-INFINITY;
	uint64_t below = 0;
	int ret = picture_point(&line->points, &line->nr_points,
		(struct zwb_picture_point){ .x = (double)hist->min / NS_PER_US, .y = 0 }, err);

	while (!ret && zwb_hist_next(hist, &b)) {
		uint64_t value = b.last < hist->max ? b.last : hist->max;
		double x = log10_us(value), y;

		below += b.count;
		y = zwb_picture_nines((double)below / (double)hist->count);
		if (x - last_x < CDF_STEP && y - last_y < CDF_STEP && below < hist->count)
			continue;
		last_x = x;
		last_y = y;
		ret = picture_point(&line->points, &line->nr_points,
			(struct zwb_picture_point){ .x = (double)value / NS_PER_US,
				.y = (double)below / (double)hist->count },
			err);
	}
	for (size_t i = 0; !ret && i < NR_RULER; i++)
		ret = picture_point(&line->marks, &line->nr_marks,
			(struct zwb_picture_point){
				.x = (double)zwb_hist_percentile(hist, ruler[i].ppm) / NS_PER_US,
				.y = (double)ruler[i].ppm / 1e6,
				.low = (double)NAN,
				.high = (double)NAN,
				.name = ruler[i].name },
			err);
	return ret;
}

static int cdf_alt(struct zwb_picture *p, struct zwb_err *err)
{
	size_t len;
	FILE *out = open_memstream(&p->alt, &len);

	if (!out)
		return picture_no_memory(err);
	fprintf(out, "Distribution of %s.", p->title);
	for (size_t i = 0; i < p->nr_lines; i++) {
		const struct zwb_picture_line *line = &p->lines[i];
		char half[ZWB_TEXT_NUM_SIZE], most[ZWB_TEXT_NUM_SIZE];

		zwb_text_value(half, line->marks[0].x, (double)NAN);
		zwb_text_value(most, line->marks[3].x, (double)NAN);
		fprintf(out, "%s %s: median %s %s, p99 %s %s", i ? ";" : "", line->label, half,
			p->x_unit, most, p->x_unit);
	}
	fputs(".", out);
	return picture_alt(p, out, err);
}

/* The distribution of one metric, if anyone measured it. */
static int add_cdf(struct zwb_pictures *pictures, const struct zwb_comparison *cmp,
	const struct chosen *chosen, uint32_t metric, struct zwb_err *err)
{
	const struct zwb_metric_def *def = &((const struct cmp_priv *)cmp->priv)->defs[metric];
	struct zwb_picture *p = NULL;
	int ret = ZWB_OK;

	for (size_t k = 0; !ret && k < chosen->nr; k++) {
		struct zwb_hist hist;

		zwb_hist_init(&hist);
		ret = picture_merge(cmp, metric, chosen->columns[k], &hist, err);
		if (!ret && hist.count && !p) {
			p = picture_add(pictures, ZWB_PICTURE_CDF, def->name, chosen->nr, err);
			ret = p ? ZWB_OK : ZWB_ENOMEM;
		}
		if (!ret && hist.count) {
			p->lines[p->nr_lines].label = chosen->labels[k];
			p->lines[p->nr_lines].style = k;
			ret = cdf_points(&p->lines[p->nr_lines++], &hist, err);
		}
		zwb_hist_release(&hist);
	}
	if (ret || !p)
		return ret;
	p->nr_left_out = cmp->nr_columns - chosen->nr;
	p->x_name = p->title;
	p->x_unit = def->unit;
	return cdf_alt(p, err);
}

/* -- all of them -- */

static int choose(const struct zwb_comparison *cmp, struct chosen *chosen, struct zwb_err *err)
{
	struct zwb_pareto pareto = { 0 };
	int ret = cmp->is_sweep ? zwb_pareto_of(cmp, &pareto, err) : ZWB_OK;

	*chosen = (struct chosen){ .nr = cmp->nr_columns > 0 };
	for (size_t i = 0; i < pareto.nr_front && chosen->nr < ZWB_PICTURE_MAX_LINES; i++) {
		if (pareto.front[i] != 0)
			chosen->columns[chosen->nr++] = pareto.front[i];
	}
	for (size_t c = 1; !pareto.nr_front && c < cmp->nr_columns; c++) {
		if (chosen->nr < ZWB_PICTURE_MAX_LINES)
			chosen->columns[chosen->nr++] = c;
	}
	zwb_pareto_release(&pareto);
	return ret;
}

/* Combinations of a sweep are called by what sets them apart. */
static int name_chosen(const struct zwb_comparison *cmp, const struct chosen *chosen, char **labels,
	struct zwb_err *err)
{
	struct zwb_factors factors = { 0 };
	int ret = cmp->is_sweep ? zwb_factors_of(cmp, &factors, err) : ZWB_OK;

	for (size_t k = 0; !ret && k < chosen->nr; k++) {
		size_t c = chosen->columns[k];

		labels[k] = cmp->is_sweep ? zwb_factors_label(&factors, cmp, c)
					  : strdup(cmp->columns[c].label);
		if (!labels[k])
			ret = picture_no_memory(err);
	}
	zwb_factors_release(&factors);
	return ret;
}

int zwb_pictures_of(
	const struct zwb_comparison *cmp, struct zwb_pictures *pictures, struct zwb_err *err)
{
	const struct cmp_priv *priv = cmp->priv;
	struct chosen chosen;
	int ret;

	*pictures = (struct zwb_pictures){ 0 };
	ret = choose(cmp, &chosen, err);
	chosen.labels = pictures->labels;
	if (!ret)
		ret = name_chosen(cmp, &chosen, pictures->labels, err);
	if (!ret)
		ret = add_forest(pictures, cmp, &chosen, err);
	for (uint32_t m = 0; !ret && m < priv->nr_defs; m++) {
		if (priv->defs[m].kind != ZWB_KIND_HIST)
			continue;
		ret = zwb_metric_scale(&priv->defs[m]) > 1
			      ? add_cdf(pictures, cmp, &chosen, m, err)
			      : picture_add_sizes(pictures, cmp, &chosen, m, err);
	}
	for (uint32_t m = 0; !ret && m < priv->nr_defs; m++) {
		if (priv->defs[m].kind != ZWB_KIND_HIST)
			ret = picture_add_series(pictures, cmp, &chosen, m, err);
	}
	return ret;
}

void zwb_pictures_release(struct zwb_pictures *pictures)
{
	for (size_t i = 0; i < pictures->nr; i++)
		picture_release(&pictures->items[i]);
	for (size_t i = 0; i < ZWB_PICTURE_MAX_LINES; i++)
		free(pictures->labels[i]);
	free(pictures->items);
	*pictures = (struct zwb_pictures){ 0 };
}

const struct zwb_picture *zwb_picture_find(const struct zwb_pictures *pictures, const char *name)
{
	for (size_t i = 0; i < pictures->nr; i++) {
		if (pictures->items[i].name && strcmp(pictures->items[i].name, name) == 0)
			return &pictures->items[i];
	}
	return NULL;
}
