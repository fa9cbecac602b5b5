/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of one row. */
#include "compare_priv.h"
#include "quantile.h"
#include "robust.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* A ratio of sums; of a plain metric the lower sum counts its values. */
struct sums {
	double above;
	double below;
	size_t nr; /* values that went in */
};

/* Within recordings: sums of squares and degrees of freedom over all of them. */
struct within {
	double squares;
	double freedom;
};

static double sums_value(const struct cmp_item *item, const struct sums *s)
{
	if (s->nr == 0 || s->below == 0)
		return NAN;
	return (item->type == CMP_RATIO ? item->scale : 1) * s->above / s->below;
}

/* What one arm adds to a row. Return: 1, or 0 if it did not measure that. */
static int arm_part(const struct cmp_priv *p, const struct cmp_item *item, const struct cmp_arm *a,
	uint32_t cgroup, struct sums *part, char *cls)
{
	const struct zwb_run_metric *above, *below;

	above = zwb_run_arm_find(a->arm, cmp_metric_in(p, a->run, item->metric), cgroup);
	if (!above || !isfinite(above->value))
		return 0;
	*part = (struct sums){ .above = above->value, .below = 1, .nr = 1 };
	*cls = above->cls;
	if (item->type == CMP_SCALAR)
		return 1;
	below = zwb_run_arm_find(a->arm, cmp_metric_in(p, a->run, item->below), cgroup);
	if (!below || !isfinite(below->value))
		return 0;
	part->below = below->value;
	*cls = zwb_class_worse(above->cls, below->cls);
	return 1;
}

static void add_class(struct zwb_cmp_cell *cell, char cls)
{
	cell->cls = cell->cls ? zwb_class_worse(cell->cls, cls) : cls;
}

static void add_within(struct within *w, const double *values, size_t nr)
{
	struct zwb_stats s = zwb_stats_of(values, nr);

	if (s.n < 2)
		return;
	w->squares += s.sd * s.sd * (double)(s.n - 1);
	w->freedom += (double)(s.n - 1);
}

/* What the cells of a row are filled with, and room for it. */
struct filling {
	const struct zwb_comparison *cmp;
	const struct cmp_item *item;
	const struct cmp_where *where;
	double *seeds; /* of one recording */
	double *above, *below; /* means over the seeds, one a recording */
	double *halves[2]; /* of the recordings: first and second half of their seeds */
	double *units; /* see cmp_judge_row() */
};

/* The finite ones of @values, to @to. */
static size_t take_finite(const double *values, size_t nr, double *to)
{
	size_t nr_taken = 0;

	for (size_t i = 0; i < nr; i++) {
		if (isfinite(values[i]))
			to[nr_taken++] = values[i];
	}
	return nr_taken;
}

/* Means of the first and the second half of one recording's seeds. */
static void add_halves(const struct filling *f, size_t recording, size_t nr_seeds)
{
	size_t half = nr_seeds / 2;

	f->halves[0][recording] = half ? zwb_stats_of(f->seeds, half).mean : (double)NAN;
	f->halves[1][recording] =
		half ? zwb_stats_of(f->seeds + half, nr_seeds - half).mean : (double)NAN;
}

/* Change from the first half of an arm to the second: of its recordings, else of their seeds. */
static void find_drift(const struct filling *f, struct zwb_cmp_cell *cell)
{
	size_t nr = f->cmp->nr_recordings, half = cell->n / 2;
	struct zwb_stats first, second;

	cell->drift = ZWB_DRIFT_NONE;
	cell->drift_percent = NAN;
	if (cell->n >= 4) {
		take_finite(cell->by_recording, nr, f->seeds);
		first = zwb_stats_of(f->seeds, half);
		second = zwb_stats_of(f->seeds + half, cell->n - half);
		cell->drift = ZWB_DRIFT_RECORDINGS;
	} else {
		first = zwb_stats_of(f->halves[0], nr);
		second = zwb_stats_of(f->halves[1], nr);
		if (first.n == 0 || first.n != cell->n)
			return;
		cell->drift = ZWB_DRIFT_SEEDS;
	}
	cell->drift_percent = zwb_stats_delta_percent(second.mean, first.mean);
	if (isnan(cell->drift_percent))
		cell->drift = ZWB_DRIFT_NONE;
}

/* Spread, n, seeds and oddities of a cell whose recordings and value are filled in. */
static void finish_cell(const struct filling *f, struct zwb_cmp_cell *cell, const struct within *w)
{
	size_t nr = f->cmp->nr_recordings;
	struct zwb_stats s = zwb_stats_of(cell->by_recording, nr);
	size_t nr_values = take_finite(cell->by_recording, nr, f->seeds);

	cell->n = s.n;
	cell->sd = s.sd;
	cell->seed_sd = w->freedom > 0 ? sqrt(w->squares / w->freedom) : NAN;
	cell->published_percent = NAN;
	cell->nr_outliers = zwb_outliers(f->seeds, nr_values, f->above);
	cell->lower_group = zwb_two_groups(f->seeds, nr_values, f->above);
	find_drift(f, cell);
	if (f->cmp->center == ZWB_CENTER_MEAN || nr_values == 0)
		return;
	take_finite(cell->by_recording, nr, f->seeds);
	cell->value = zwb_center_of(f->cmp->center, f->seeds, nr_values);
	if (s.n >= 2)
		cell->sd = zwb_mad(f->seeds, nr_values);
}

/*
 * Units of a column: what each recording adds to the cell's value, such that their mean is that
 * value. Of counts these are the recordings' values; of ratios of sums, the linearised ones
 * (Cochran 1977, section 6.3); other centers are of the recordings' own values.
 */
static void ratio_units(const struct filling *f, const struct zwb_cmp_cell *cell, double *units)
{
	struct zwb_stats below = zwb_stats_of(f->below, f->cmp->nr_recordings);
	double scale = f->item->type == CMP_RATIO ? f->item->scale : 1;

	for (size_t r = 0; r < f->cmp->nr_recordings; r++) {
		units[r] = cell->by_recording[r];
		if (f->item->type == CMP_RATIO && f->cmp->center == ZWB_CENTER_MEAN)
			units[r] = cell->value +
				   (scale * f->above[r] - cell->value * f->below[r]) / below.mean;
	}
}

/* Counts, times and ratios. */
static void fill_sums(
	const struct filling *f, size_t column, struct zwb_cmp_cell *cell, double *units)
{
	const struct zwb_comparison *cmp = f->cmp;
	const struct cmp_priv *p = cmp->priv;
	struct sums all = { 0 };
	struct within w = { 0 };

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		struct sums sum = { 0 };
		size_t begin, end;

		cmp_slice(cmp, column, r, &begin, &end);
		for (size_t i = begin; i < end; i++) {
			const struct cmp_arm *a = &p->arms[i];
			struct sums part;
			char cls;

			if (!cmp_is_in(a, f->where) ||
				!arm_part(p, f->item, a,
					cmp_local_cgroup(p, a->trace, f->where->cgroup), &part,
					&cls))
				continue;
			add_class(cell, cls);
			f->seeds[sum.nr++] = sums_value(f->item, &part);
			sum.above += part.above;
			sum.below += part.below;
		}
		cell->by_recording[r] = sums_value(f->item, &sum);
		add_halves(f, r, sum.nr);
		f->above[r] = sum.nr ? sum.above / (double)sum.nr : (double)NAN;
		f->below[r] = sum.nr ? sum.below / (double)sum.nr : (double)NAN;
		if (sum.nr == 0)
			continue;
		add_within(&w, f->seeds, sum.nr);
		cell->nr_arms += sum.nr;
		all.nr++;
		all.above += f->above[r];
		all.below += f->below[r];
	}
	cell->value = sums_value(f->item, &all);
	ratio_units(f, cell, units);
	finish_cell(f, cell, &w);
}

/* -- percentiles -- */

void cmp_merged_release(const struct zwb_comparison *cmp, struct cmp_merged *merged)
{
	size_t nr = cmp->nr_columns * (cmp->nr_recordings + 1);

	for (size_t i = 0; merged->hists && i < nr; i++) {
		if (merged->hists[i])
			zwb_hist_release(merged->hists[i]);
		free(merged->hists[i]);
	}
	free(merged->hists);
	free(merged->cls);
	*merged = (struct cmp_merged){ 0 };
}

static const struct zwb_run_hist *arm_hist(const struct cmp_priv *p, const struct cmp_arm *a,
	uint32_t metric, const struct cmp_where *where)
{
	const struct zwb_run_hist *h;

	if (!cmp_is_in(a, where))
		return NULL;
	h = zwb_run_arm_find_hist(a->arm, cmp_metric_in(p, a->run, metric),
		cmp_local_cgroup(p, a->trace, where->cgroup));
	return h && h->hist.count ? h : NULL;
}

static int merge_into(struct zwb_hist **into, const struct zwb_hist *from, struct zwb_err *err)
{
	if (!*into) {
		*into = malloc(sizeof(**into));
		if (!*into)
			return cmp_no_memory(err);
		zwb_hist_init(*into);
	}
	return zwb_hist_merge(*into, from, err);
}

static int merge_column(const struct zwb_comparison *cmp, struct cmp_merged *merged, size_t column,
	struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;
	struct zwb_hist **hists = &merged->hists[column * (cmp->nr_recordings + 1)];
	int ret = ZWB_OK;

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		size_t begin, end;

		cmp_slice(cmp, column, r, &begin, &end);
		for (size_t i = begin; !ret && i < end; i++) {
			const struct zwb_run_hist *h =
				arm_hist(p, &p->arms[i], merged->metric, &merged->where);

			if (!h)
				continue;
			merged->cls[column] = merged->cls[column]
						      ? zwb_class_worse(merged->cls[column], h->cls)
						      : h->cls;
			ret = merge_into(&hists[r], &h->hist, err);
		}
		if (!ret && hists[r])
			ret = merge_into(&hists[cmp->nr_recordings], hists[r], err);
	}
	return ret;
}

/* Makes @merged hold the histograms of one metric and group. */
static int merge_all(const struct zwb_comparison *cmp, struct cmp_merged *merged, uint32_t metric,
	const struct cmp_where *where, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (merged->hists && merged->metric == metric && merged->where.cgroup == where->cgroup &&
		merged->where.section == where->section)
		return ZWB_OK;
	cmp_merged_release(cmp, merged);
	merged->metric = metric;
	merged->where = *where;
	merged->cls = cmp_alloc(cmp->nr_columns, 1);
	merged->hists =
		cmp_alloc(cmp->nr_columns * (cmp->nr_recordings + 1), sizeof(*merged->hists));
	if (!merged->cls || !merged->hists)
		return cmp_no_memory(err);
	for (size_t c = 0; !ret && c < cmp->nr_columns; c++)
		ret = merge_column(cmp, merged, c, err);
	return ret;
}

static double percentile(const struct cmp_item *item, const struct zwb_hist *h)
{
	return h ? (double)zwb_hist_percentile(h, item->ppm) / item->scale : NAN;
}

/* How sure the samples alone make the percentile. */
static void bound_percentile(
	struct zwb_cmp_cell *cell, const struct cmp_item *item, const struct zwb_hist *h)
{
	struct zwb_quantile_bounds bounds = { NAN, NAN };

	if (h)
		bounds = zwb_quantile_bounds(h, item->ppm);
	cell->samples = h ? h->count : 0;
	cell->sample_low = bounds.low / item->scale;
	cell->sample_high = bounds.high / item->scale;
}

/*
 * The recordings' own percentiles, scaled such that their mean is that of the histograms merged:
 * the spread is theirs, the center is not.
 */
static void percentile_units(
	const struct filling *f, const struct zwb_cmp_cell *cell, double *units)
{
	size_t nr = f->cmp->nr_recordings;
	struct zwb_stats own = zwb_stats_of(cell->by_recording, nr);
	int scaled = f->cmp->center == ZWB_CENTER_MEAN && own.mean > 0;

	for (size_t r = 0; r < nr; r++)
		units[r] = cell->by_recording[r] * (scaled ? cell->value / own.mean : 1);
}

static void fill_percentile(const struct filling *f, const struct cmp_merged *merged, size_t column,
	struct zwb_cmp_cell *cell, double *units)
{
	const struct zwb_comparison *cmp = f->cmp;
	const struct cmp_priv *p = cmp->priv;
	struct zwb_hist **hists = &merged->hists[column * (cmp->nr_recordings + 1)];
	struct within w = { 0 };

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		size_t begin, end, nr = 0;

		cmp_slice(cmp, column, r, &begin, &end);
		for (size_t i = begin; i < end; i++) {
			const struct zwb_run_hist *h =
				arm_hist(p, &p->arms[i], merged->metric, f->where);

			if (h)
				f->seeds[nr++] = percentile(f->item, &h->hist);
		}
		add_within(&w, f->seeds, nr);
		add_halves(f, r, nr);
		cell->nr_arms += nr;
		cell->by_recording[r] = percentile(f->item, hists[r]);
	}
	cell->cls = merged->cls[column];
	cell->value = percentile(f->item, hists[cmp->nr_recordings]);
	bound_percentile(cell, f->item, hists[cmp->nr_recordings]);
	percentile_units(f, cell, units);
	finish_cell(f, cell, &w);
}

/* -- rows -- */

static int filling_init(struct filling *f, struct zwb_err *err)
{
	const struct cmp_priv *p = f->cmp->priv;
	size_t nr = f->cmp->nr_recordings, nr_seeds = p->nr_arms > nr ? p->nr_arms : nr;

	f->seeds = cmp_alloc(nr_seeds + nr * (4 + f->cmp->nr_columns), sizeof(double));
	if (!f->seeds) {
		cmp_no_memory(err);
		return ZWB_ENOMEM;
	}
	f->above = f->seeds + nr_seeds;
	f->below = f->above + nr;
	f->halves[0] = f->below + nr;
	f->halves[1] = f->halves[0] + nr;
	f->units = f->halves[1] + nr;
	return ZWB_OK;
}

int cmp_fill_row(struct zwb_comparison *cmp, const struct cmp_item *item,
	const struct cmp_where *where, struct cmp_merged *merged, struct zwb_cmp_row *row,
	struct zwb_err *err)
{
	struct filling f = { .cmp = cmp, .item = item, .where = where };
	size_t nr_measured = 0;
	int ret = ZWB_OK;

	if (item->type == CMP_PERCENTILE)
		ret = merge_all(cmp, merged, item->metric, where, err);
	if (!ret)
		ret = filling_init(&f, err);
	if (ret)
		return ret;
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		struct zwb_cmp_cell *cell = &row->cells[c];
		double *units = &f.units[c * cmp->nr_recordings];

		cell->sample_low = cell->sample_high = NAN;
		if (item->type == CMP_PERCENTILE)
			fill_percentile(&f, merged, c, cell, units);
		else
			fill_sums(&f, c, cell, units);
		nr_measured += cell->nr_arms;
		if (cell->cls)
			row->cls = row->cls ? zwb_class_worse(row->cls, cell->cls) : cell->cls;
	}
	if (nr_measured > 0)
		ret = cmp_judge_row(cmp, row, f.units, err);
	free(f.seeds);
	return ret ? ret : nr_measured > 0;
}
