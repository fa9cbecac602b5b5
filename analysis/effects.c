/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of columns, and what changes between them. */
#include "effects.h"

#include "grow.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* Two columns that differ in one factor only. */
struct pair {
	size_t from, to;
};

struct pairs {
	struct pair *items;
	size_t nr;
};

struct wanted {
	const struct zwb_cmp_row *const *rows;
	size_t nr_rows;
	size_t nr_columns;
};

static int effects_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the effects");
}

static int is_pair(
	const struct zwb_factors *factors, const struct zwb_factor *differs, size_t a, size_t b)
{
	for (size_t i = 0; i < factors->nr; i++) {
		const struct zwb_factor *f = &factors->items[i];

		if (f == differs || f->level[a] == f->level[b])
			continue;
		/* a parameter that one of two policies does not take */
		if (differs->is_name && f->aspect == differs->aspect &&
			(f->level[a] == ZWB_NO_LEVEL || f->level[b] == ZWB_NO_LEVEL))
			continue;
		return 0;
	}
	return 1;
}

static int find_pairs(const struct zwb_factors *factors, const struct zwb_factor *f, uint32_t to,
	size_t nr_columns, struct pairs *pairs)
{
	for (size_t a = 0; a < nr_columns; a++) {
		if (f->level[a] != 0)
			continue;
		for (size_t b = 0; b < nr_columns; b++) {
			if (f->level[b] != to || !is_pair(factors, f, a, b))
				continue;
			if (!ZWB_GROW(pairs->items, pairs->nr))
				return ZWB_ENOMEM;
			pairs->items[pairs->nr++] = (struct pair){ a, b };
		}
	}
	return ZWB_OK;
}

static struct zwb_effect effect_of(const struct zwb_factor *f, uint32_t to,
	const struct zwb_cmp_row *row, const struct pairs *pairs)
{
	struct zwb_effect e = { .factor = f,
		.to = to,
		.row = row,
		.nr_pairs = pairs->nr,
		.least = (double)NAN,
		.most = (double)NAN };
	double from_sum = 0, to_sum = 0;

	for (size_t i = 0; i < pairs->nr; i++) {
		double from = row->cells[pairs->items[i].from].value;
		double value = row->cells[pairs->items[i].to].value;
		double percent = zwb_stats_delta_percent(value, from);

		from_sum += from;
		to_sum += value;
		/* both leave out NAN */
		e.least = fmin(e.least, percent);
		e.most = fmax(e.most, percent);
	}
	e.percent = zwb_stats_delta_percent(to_sum, from_sum);
	return e;
}

/* The effects of one step from level to level. */
static int add_step(const struct zwb_factors *factors, const struct zwb_factor *f, uint32_t to,
	const struct wanted *wanted, struct zwb_effects *effects)
{
	struct pairs pairs = { 0 };
	int ret = find_pairs(factors, f, to, wanted->nr_columns, &pairs);

	for (size_t r = 0; !ret && pairs.nr && r < wanted->nr_rows; r++) {
		if (ZWB_GROW(effects->items, effects->nr))
			effects->items[effects->nr++] = effect_of(f, to, wanted->rows[r], &pairs);
		else
			ret = ZWB_ENOMEM;
	}
	free(pairs.items);
	return ret;
}

int zwb_effects_of(const struct zwb_factors *factors, const struct zwb_comparison *cmp,
	const struct zwb_cmp_row *const *rows, size_t nr_rows, struct zwb_effects *effects,
	struct zwb_err *err)
{
	const struct wanted wanted = { rows, nr_rows, cmp->nr_columns };
	int ret = ZWB_OK;

	*effects = (struct zwb_effects){ 0 };
	if (cmp->nr_columns > ZWB_EFFECTS_MAX_COLUMNS)
		return ZWB_OK;
	for (size_t i = 0; i < factors->nr; i++) {
		const struct zwb_factor *f = &factors->items[i];

		for (uint32_t to = 1; !ret && to < f->nr_levels; to++)
			ret = add_step(factors, f, to, &wanted, effects);
	}
	return ret ? effects_no_memory(err) : ZWB_OK;
}

void zwb_effects_release(struct zwb_effects *effects)
{
	free(effects->items);
	*effects = (struct zwb_effects){ 0 };
}
