/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of one row. */
#include "compare_priv.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#define NS_PER_US 1000.0

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

/* Spread, n and seeds of a cell whose recordings are filled in. */
static void finish_cell(
	const struct zwb_comparison *cmp, struct zwb_cmp_cell *cell, const struct within *w)
{
	struct zwb_stats s = zwb_stats_of(cell->by_recording, cmp->nr_recordings);

	cell->n = s.n;
	cell->sd = s.sd;
	cell->seed_sd = w->freedom > 0 ? sqrt(w->squares / w->freedom) : NAN;
}

/* Counts, times and ratios. @seeds: room for the arms of one recording. */
static void fill_sums(const struct zwb_comparison *cmp, const struct cmp_item *item, size_t group,
	size_t column, struct zwb_cmp_cell *cell, double *seeds)
{
	const struct cmp_priv *p = cmp->priv;
	struct sums all = { 0 };
	struct within w = { 0 };

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		struct sums sum = { 0 };
		size_t begin, end;

		cmp_slice(cmp, column, r, &begin, &end);
		for (size_t i = begin; i < end; i++) {
			const struct cmp_arm *a = &p->arms[i];
			uint32_t cgroup = cmp_local_cgroup(p, a->trace, group);
			struct sums part;
			char cls;

			if (!arm_part(p, item, a, cgroup, &part, &cls))
				continue;
			add_class(cell, cls);
			seeds[sum.nr++] = sums_value(item, &part);
			sum.above += part.above;
			sum.below += part.below;
		}
		cell->by_recording[r] = sums_value(item, &sum);
		if (sum.nr == 0)
			continue;
		add_within(&w, seeds, sum.nr);
		cell->nr_arms += sum.nr;
		all.nr++;
		all.above += sum.above / (double)sum.nr;
		all.below += sum.below / (double)sum.nr;
	}
	cell->value = sums_value(item, &all);
	finish_cell(cmp, cell, &w);
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

static const struct zwb_run_hist *arm_hist(
	const struct cmp_priv *p, const struct cmp_arm *a, uint32_t metric, size_t group)
{
	const struct zwb_run_hist *h = zwb_run_arm_find_hist(
		a->arm, cmp_metric_in(p, a->run, metric), cmp_local_cgroup(p, a->trace, group));

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
				arm_hist(p, &p->arms[i], merged->metric, merged->group);

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

/* Makes @merged hold the histograms of one metric and cgroup. */
static int merge_all(const struct zwb_comparison *cmp, struct cmp_merged *merged, uint32_t metric,
	size_t group, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (merged->hists && merged->metric == metric && merged->group == group)
		return ZWB_OK;
	cmp_merged_release(cmp, merged);
	merged->metric = metric;
	merged->group = group;
	merged->cls = cmp_alloc(cmp->nr_columns, 1);
	merged->hists =
		cmp_alloc(cmp->nr_columns * (cmp->nr_recordings + 1), sizeof(*merged->hists));
	if (!merged->cls || !merged->hists)
		return cmp_no_memory(err);
	for (size_t c = 0; !ret && c < cmp->nr_columns; c++)
		ret = merge_column(cmp, merged, c, err);
	return ret;
}

static double percentile_us(const struct zwb_hist *h, uint32_t ppm)
{
	return h ? (double)zwb_hist_percentile(h, ppm) / NS_PER_US : NAN;
}

static void fill_percentile(const struct zwb_comparison *cmp, const struct cmp_item *item,
	const struct cmp_merged *merged, size_t column, struct zwb_cmp_cell *cell, double *seeds)
{
	const struct cmp_priv *p = cmp->priv;
	struct zwb_hist **hists = &merged->hists[column * (cmp->nr_recordings + 1)];
	struct within w = { 0 };

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		size_t begin, end, nr = 0;

		cmp_slice(cmp, column, r, &begin, &end);
		for (size_t i = begin; i < end; i++) {
			const struct zwb_run_hist *h =
				arm_hist(p, &p->arms[i], merged->metric, merged->group);

			if (h)
				seeds[nr++] = percentile_us(&h->hist, item->ppm);
		}
		add_within(&w, seeds, nr);
		cell->nr_arms += nr;
		cell->by_recording[r] = percentile_us(hists[r], item->ppm);
	}
	cell->cls = merged->cls[column];
	cell->value = percentile_us(hists[cmp->nr_recordings], item->ppm);
	cell->samples = hists[cmp->nr_recordings] ? hists[cmp->nr_recordings]->count : 0;
	finish_cell(cmp, cell, &w);
}

/* -- rows -- */

/* 1 if both cells have values for the same recordings: only then is a difference one of policy. */
static int same_recordings(const struct zwb_comparison *cmp, const struct zwb_cmp_cell *a,
	const struct zwb_cmp_cell *b)
{
	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		if (isfinite(a->by_recording[r]) != isfinite(b->by_recording[r]))
			return 0;
	}
	return 1;
}

static void finish_row(const struct zwb_comparison *cmp, struct zwb_cmp_row *row)
{
	struct zwb_cmp_cell *base = &row->cells[0];

	for (size_t c = 0; c < cmp->nr_columns; c++) {
		struct zwb_cmp_cell *cell = &row->cells[c];

		cell->delta_percent = NAN;
		if (c > 0 && same_recordings(cmp, base, cell))
			cell->delta_percent = zwb_stats_delta_percent(cell->value, base->value);
		if (cell->cls)
			row->cls = row->cls ? zwb_class_worse(row->cls, cell->cls) : cell->cls;
	}
}

int cmp_fill_row(struct zwb_comparison *cmp, const struct cmp_item *item, size_t group,
	struct cmp_merged *merged, struct zwb_cmp_row *row, struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;
	size_t nr_measured = 0;
	double *seeds;

	if (item->type == CMP_PERCENTILE) {
		int ret = merge_all(cmp, merged, item->metric, group, err);

		if (ret)
			return ret;
	}
	seeds = cmp_alloc(p->nr_arms, sizeof(*seeds));
	if (!seeds)
		return cmp_no_memory(err);
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		struct zwb_cmp_cell *cell = &row->cells[c];

		if (item->type == CMP_PERCENTILE)
			fill_percentile(cmp, item, merged, c, cell, seeds);
		else
			fill_sums(cmp, item, group, c, cell, seeds);
		nr_measured += cell->nr_arms;
	}
	free(seeds);
	finish_row(cmp, row);
	return nr_measured > 0;
}
