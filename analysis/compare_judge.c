/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison may say about its differences; docs/statistics.md gives the reasons. */
#include "compare_priv.h"

#include "intervals.h"
#include "power.h"
#include "signif.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#define MIN_N 3 /* fewer values say nothing about chance */

/* One difference, and the values behind it. */
struct judging {
	const struct zwb_comparison *cmp;
	const struct zwb_cmp_cell *base;
	struct zwb_cmp_cell *cell;
	struct zwb_arms arms;
	double *base_values, *other_values;
};

/* 1 if every recording of @a is one of @b, and none more. */
static int same_recordings(const struct zwb_comparison *cmp, const struct zwb_cmp_cell *a,
	const struct zwb_cmp_cell *b)
{
	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		if (isfinite(a->by_recording[r]) != isfinite(b->by_recording[r]))
			return 0;
	}
	return 1;
}

/* 1 if one of them was measured, and they have no run in common. */
static int independent(const struct zwb_comparison *cmp, const struct zwb_cmp_cell *a,
	const struct zwb_cmp_cell *b)
{
	int measured_a = 1, measured_b = 1;

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		int in_a = isfinite(a->by_recording[r]), in_b = isfinite(b->by_recording[r]);

		if (in_a && in_b)
			return 0;
		measured_a &= !in_a || cmp->recordings[r].is_measured;
		measured_b &= !in_b || cmp->recordings[r].is_measured;
	}
	return measured_a || measured_b;
}

/* A difference between replays of different recordings would be one of recordings. */
static enum zwb_cmp_pairing pairing_of(const struct zwb_comparison *cmp,
	const struct zwb_cmp_cell *base, const struct zwb_cmp_cell *cell)
{
	if (!isfinite(base->value) || !isfinite(cell->value))
		return ZWB_PAIRING_NONE;
	if (same_recordings(cmp, base, cell))
		return ZWB_PAIRED;
	return independent(cmp, base, cell) ? ZWB_UNPAIRED : ZWB_PAIRING_NONE;
}

static void take_arms(struct judging *j, const double *base, const double *other)
{
	struct zwb_arms *a = &j->arms;

	*a = (struct zwb_arms){ .base = j->base_values,
		.other = j->other_values,
		.paired = j->cell->sure.pairing == ZWB_PAIRED };
	for (size_t r = 0; r < j->cmp->nr_recordings; r++) {
		if (isfinite(base[r]))
			j->base_values[a->nr_base++] = base[r];
		if (isfinite(other[r]))
			j->other_values[a->nr_other++] = other[r];
	}
	j->cell->sure.n = a->nr_base < a->nr_other ? a->nr_base : a->nr_other;
}

/* 1 if all recordings are alike in both arms. */
static int all_equal(const struct zwb_arms *arms)
{
	for (size_t i = 0; arms->paired && i < arms->nr_base; i++) {
		if (arms->base[i] != arms->other[i])
			return 0;
	}
	for (size_t i = 0; !arms->paired && i < arms->nr_base; i++) {
		if (arms->base[i] != arms->other[0])
			return 0;
	}
	for (size_t i = 0; !arms->paired && i < arms->nr_other; i++) {
		if (arms->other[i] != arms->base[0])
			return 0;
	}
	return 1;
}

static int find_interval(struct judging *j, struct zwb_err *err)
{
	struct zwb_cmp_sure *sure = &j->cell->sure;
	struct zwb_interval ratio = { NAN, NAN };
	int ret = ZWB_OK;
	double sign = j->base->value < 0 ? -1 : 1;

	sure->is_bootstrap = sure->n >= ZWB_BOOTSTRAP_MIN;
	if (sure->is_bootstrap)
		ret = zwb_bootstrap(&j->arms, j->cmp->center, ZWB_REPLICATES, &ratio, err);
	else if (j->cmp->center == ZWB_CENTER_MEAN)
		ratio = zwb_fieller(&j->arms);
	sure->low_percent = 100 * sign * ((sign > 0 ? ratio.low : ratio.high) - 1);
	sure->high_percent = 100 * sign * ((sign > 0 ? ratio.high : ratio.low) - 1);
	return ret;
}

static int find_p(struct judging *j, struct zwb_err *err)
{
	struct zwb_cmp_sure *sure = &j->cell->sure;
	int ret = ZWB_OK;

	sure->p_least = zwb_permute_least(&j->arms);
	sure->is_permutation = j->cmp->center != ZWB_CENTER_MEAN;
	if (sure->is_permutation) {
		ret = zwb_permute(&j->arms, j->cmp->center, &sure->p, err);
	} else {
		sure->p = zwb_t_test(&j->arms).p;
		if (sure->n < ZWB_PERMUTE_BELOW)
			ret = zwb_permute(&j->arms, j->cmp->center, &sure->p_exact, err);
	}
	/* nothing varies, but the arms differ: as far apart as this many values can be */
	if (isnan(sure->p))
		sure->p = sure->p_least;
	return ret;
}

static double percent_of(double difference, double base)
{
	return base != 0 ? 100 * difference / fabs(base) : (double)NAN;
}

static void find_power(const struct judging *j)
{
	struct zwb_cmp_sure *sure = &j->cell->sure;
	const struct zwb_arms *a = &j->arms;
	struct zwb_spread spread = { .paired = a->paired };
	double base = j->base->value;

	if (j->cmp->center != ZWB_CENTER_MEAN)
		return;
	spread.sd_base = zwb_stats_of(a->base, a->nr_base).sd;
	spread.sd_other = zwb_stats_of(a->other, a->nr_other).sd;
	if (a->paired) {
		for (size_t i = 0; i < a->nr_base; i++)
			j->base_values[i] = a->other[i] - a->base[i];
		spread.sd_base = zwb_stats_of(j->base_values, a->nr_base).sd;
	}
	sure->detectable_percent = percent_of(zwb_detectable(&spread, sure->n), base);
	sure->detectable_n3_percent = percent_of(zwb_detectable(&spread, 3), base);
	sure->detectable_n5_percent = percent_of(zwb_detectable(&spread, 5), base);
	sure->n_needed = zwb_n_needed(&spread, j->cell->value - base);
}

static int judge(struct judging *j, struct zwb_err *err)
{
	struct zwb_cmp_sure *sure = &j->cell->sure;
	int ret;

	if (sure->n < MIN_N)
		return ZWB_OK;
	if (all_equal(&j->arms)) {
		sure->verdict = ZWB_VERDICT_SAME;
		return ZWB_OK;
	}
	ret = find_interval(j, err);
	if (!ret)
		ret = find_p(j, err);
	if (!ret)
		find_power(j); /* overwrites the values */
	return ret;
}

int cmp_judge_row(const struct zwb_comparison *cmp, struct zwb_cmp_row *row, const double *units,
	struct zwb_err *err)
{
	size_t nr = cmp->nr_recordings;
	double *room = cmp_alloc(2 * nr, sizeof(*room));
	int ret = ZWB_OK;

	if (!room)
		return cmp_no_memory(err);
	for (size_t c = 0; !ret && c < cmp->nr_columns; c++) {
		struct zwb_cmp_cell *cell = &row->cells[c];
		struct judging j = { .cmp = cmp,
			.base = &row->cells[0],
			.cell = cell,
			.base_values = room,
			.other_values = room + nr };

		cell->delta_percent = NAN;
		cell->sure = (struct zwb_cmp_sure)ZWB_CMP_SURE_UNKNOWN;
		if (c == 0)
			continue;
		cell->sure.pairing = pairing_of(cmp, j.base, cell);
		if (cell->sure.pairing == ZWB_PAIRING_NONE)
			continue;
		cell->delta_percent = zwb_stats_delta_percent(cell->value, j.base->value);
		take_arms(&j, units, &units[c * nr]);
		ret = judge(&j, err);
	}
	free(room);
	return ret;
}

/* 1 unless permutations, of few enough values to try and enough to tell, speak against it. */
static int exact_agrees(const struct zwb_cmp_sure *sure)
{
	return isnan(sure->p_exact) || sure->p_exact < ZWB_ALPHA || sure->p_least >= ZWB_ALPHA;
}

static enum zwb_cmp_verdict verdict_of(const struct zwb_cmp_sure *sure)
{
	int leaves_out_0 = sure->low_percent > 0 || sure->high_percent < 0;

	if (sure->verdict == ZWB_VERDICT_SAME || isnan(sure->p))
		return sure->verdict;
	/* at the edge the interval and the test may differ: then neither is believed alone */
	if (sure->p_holm < ZWB_ALPHA && (leaves_out_0 || isnan(sure->low_percent)) &&
		exact_agrees(sure))
		return ZWB_VERDICT_SHOWN;
	return leaves_out_0 || sure->p < ZWB_ALPHA ? ZWB_VERDICT_HINTED : ZWB_VERDICT_NOT_SHOWN;
}

int cmp_judge_table(struct zwb_comparison *cmp, size_t begin, size_t end, struct zwb_err *err)
{
	size_t nr_columns = cmp->nr_columns, nr = (end - begin) * nr_columns;
	double *p = cmp_alloc(nr, sizeof(*p));
	int nr_tests;

	if (!p)
		return cmp_no_memory(err);
	for (size_t i = 0; i < nr; i++)
		p[i] = cmp->rows[begin + i / nr_columns].cells[i % nr_columns].sure.p;
	nr_tests = zwb_holm(p, nr, err);
	for (size_t i = 0; nr_tests >= 0 && i < nr; i++) {
		struct zwb_cmp_sure *sure =
			&cmp->rows[begin + i / nr_columns].cells[i % nr_columns].sure;

		sure->p_holm = p[i];
		sure->nr_tests = (size_t)nr_tests;
		sure->verdict = verdict_of(sure);
	}
	free(p);
	return nr_tests < 0 ? nr_tests : ZWB_OK;
}
