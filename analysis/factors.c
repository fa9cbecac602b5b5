/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what columns say of themselves to factors and levels. */
#include "factors.h"

#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int factors_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the parameters");
}

/* A column's own words for an aspect; the first of them is the name. */
static const char *aspect_text(const struct zwb_run_arm_info *info, enum zwb_aspect aspect)
{
	switch (aspect) {
	case ZWB_ASPECT_TRIGGER:
		return info->trigger;
	case ZWB_ASPECT_LOOP:
		return info->loop;
	case ZWB_ASPECT_SCHEDULER:
		return info->scheduler;
	case ZWB_ASPECT_DEVICE:
		return info->device;
	default:
		return info->policy;
	}
}

/* Where every parameter of the aspect is, defaults included. */
static const char *aspect_params(const struct zwb_run_arm_info *info, enum zwb_aspect aspect)
{
	return aspect == ZWB_ASPECT_POLICY ? info->policy_params : aspect_text(info, aspect);
}

static const char *aspect_word(enum zwb_aspect aspect)
{
	static const char *const words[] = { "trigger", "loop", "scheduler", "device", "policy" };

	return words[aspect];
}

/* -- factors in the making -- */

static void factor_release(struct zwb_factor *f)
{
	for (uint32_t i = 0; i < f->nr_levels; i++)
		free(f->levels[i]);
	free(f->levels);
	free(f->level);
	free(f->name);
}

/* "device depth"; parameters of policies go without a word in front. */
static char *factor_name(enum zwb_aspect aspect, const char *key, size_t len)
{
	char *name;
	int ret;

	if (!key)
		ret = asprintf(&name, "%s", aspect_word(aspect));
	else
		ret = asprintf(&name, "%s%s%.*s",
			aspect == ZWB_ASPECT_POLICY ? "" : aspect_word(aspect),
			aspect == ZWB_ASPECT_POLICY ? "" : " ", (int)len, key);
	return ret < 0 ? NULL : name;
}

/* The factor of a parameter, @key NULL: of the name; made when it is new. NULL without memory. */
static struct zwb_factor *factor_get(struct zwb_factors *factors, enum zwb_aspect aspect,
	const char *key, size_t len, size_t nr_columns)
{
	char *name = factor_name(aspect, key, len);
	struct zwb_factor *f;

	if (!name)
		return NULL;
	for (size_t i = 0; i < factors->nr; i++) {
		f = &factors->items[i];
		if (f->aspect == aspect && f->is_name == !key && strcmp(f->name, name) == 0) {
			free(name);
			return f;
		}
	}
	if (!ZWB_GROW(factors->items, factors->nr)) {
		free(name);
		return NULL;
	}
	f = &factors->items[factors->nr++];
	*f = (struct zwb_factor){ .aspect = aspect, .is_name = !key, .name = name };
	f->level = malloc((nr_columns + 1) * sizeof(*f->level));
	for (size_t i = 0; f->level && i < nr_columns; i++)
		f->level[i] = ZWB_NO_LEVEL;
	return f->level ? f : NULL;
}

static int factor_set(
	struct zwb_factor *f, size_t column, const char *value, size_t len, struct zwb_err *err)
{
	uint32_t i = 0;

	while (i < f->nr_levels && (strncmp(f->levels[i], value, len) != 0 || f->levels[i][len]))
		i++;
	if (i == f->nr_levels) {
		if (!ZWB_GROW(f->levels, f->nr_levels))
			return factors_no_memory(err);
		f->levels[i] = strndup(value, len);
		if (!f->levels[i])
			return factors_no_memory(err);
		f->nr_levels++;
	}
	f->level[column] = i;
	return ZWB_OK;
}

/* Notes the name of one aspect of a column, and its parameters. */
static int add_aspect(struct zwb_factors *factors, const struct zwb_comparison *cmp, size_t column,
	enum zwb_aspect aspect, struct zwb_err *err)
{
	const struct zwb_run_arm_info *info = cmp->columns[column].info;
	const char *text = aspect_text(info, aspect);
	const char *at = aspect_params(info, aspect) + strcspn(aspect_params(info, aspect), ",");
	struct zwb_factor *f = factor_get(factors, aspect, NULL, 0, cmp->nr_columns);
	int ret = f ? factor_set(f, column, text, strcspn(text, ","), err) : factors_no_memory(err);

	while (!ret && *at == ',') {
		size_t key = strcspn(++at, ",="), value = 0;

		if (at[key] == '=') {
			value = strcspn(at + key + 1, ",");
			f = factor_get(factors, aspect, at, key, cmp->nr_columns);
			ret = f ? factor_set(f, column, at + key + 1, value, err)
				: factors_no_memory(err);
			key += 1 + value;
		}
		at += key;
	}
	return ret;
}

/* -- which of them are factors -- */

static const struct zwb_factor *name_of(const struct zwb_factors *factors, enum zwb_aspect aspect)
{
	size_t i = 0;

	while (factors->items[i].aspect != aspect || !factors->items[i].is_name)
		i++;
	return &factors->items[i];
}

/* Does the parameter differ between columns of one name? */
static int factor_varies(const struct zwb_factors *factors, const struct zwb_factor *f,
	size_t nr_columns, uint32_t *seen)
{
	const struct zwb_factor *name = name_of(factors, f->aspect);

	for (uint32_t i = 0; i < name->nr_levels; i++)
		seen[i] = ZWB_NO_LEVEL;
	for (size_t c = 0; c < nr_columns; c++) {
		uint32_t *first = &seen[name->level[c]];

		if (*first == ZWB_NO_LEVEL)
			*first = f->level[c];
		else if (f->level[c] != *first)
			return 1;
	}
	return 0;
}

static int drop_constant(struct zwb_factors *factors, size_t nr_columns, struct zwb_err *err)
{
	/* there are no more names than columns */
	uint32_t *seen = malloc((nr_columns + 1) * sizeof(*seen));
	int *varies = calloc(factors->nr + 1, sizeof(*varies));
	size_t nr = 0;
	int ret = seen && varies ? ZWB_OK : factors_no_memory(err);

	for (size_t i = 0; !ret && i < factors->nr; i++) {
		const struct zwb_factor *f = &factors->items[i];

		varies[i] =
			f->is_name ? f->nr_levels > 1 : factor_varies(factors, f, nr_columns, seen);
	}
	for (size_t i = 0; !ret && i < factors->nr; i++) {
		if (varies[i])
			factors->items[nr++] = factors->items[i];
		else
			factor_release(&factors->items[i]);
	}
	if (!ret)
		factors->nr = nr;
	free(seen);
	free(varies);
	return ret;
}

/* Policies first, as readers ask for them first; names before parameters. */
static int compare_factors(const void *x, const void *y)
{
	const struct zwb_factor *a = x, *b = y;

	if (a->aspect != b->aspect)
		return a->aspect > b->aspect ? -1 : 1;
	if (a->is_name != b->is_name)
		return a->is_name ? -1 : 1;
	return strcmp(a->name, b->name);
}

int zwb_factors_of(
	const struct zwb_comparison *cmp, struct zwb_factors *factors, struct zwb_err *err)
{
	int ret = ZWB_OK;

	*factors = (struct zwb_factors){ 0 };
	for (size_t c = 0; !ret && c < cmp->nr_columns; c++) {
		for (int a = 0; !ret && a < ZWB_ASPECT_NR; a++)
			ret = add_aspect(factors, cmp, c, (enum zwb_aspect)a, err);
	}
	if (!ret)
		ret = drop_constant(factors, cmp->nr_columns, err);
	if (!ret && factors->nr)
		qsort(factors->items, factors->nr, sizeof(*factors->items), compare_factors);
	return ret;
}

void zwb_factors_release(struct zwb_factors *factors)
{
	for (size_t i = 0; i < factors->nr; i++)
		factor_release(&factors->items[i]);
	free(factors->items);
	*factors = (struct zwb_factors){ 0 };
}

char *zwb_factors_label(
	const struct zwb_factors *factors, const struct zwb_comparison *cmp, size_t column)
{
	char *label = NULL;
	size_t len, nr = 0;
	FILE *out = open_memstream(&label, &len);

	if (!out)
		return NULL;
	for (size_t i = 0; i < factors->nr; i++) {
		const struct zwb_factor *f = &factors->items[i];
		uint32_t level = f->level[column];

		if (level == ZWB_NO_LEVEL)
			continue;
		fprintf(out, "%s%s%s%s", nr++ ? " " : "", f->is_name ? "" : f->name,
			f->is_name ? "" : "=", f->levels[level]);
	}
	if (nr == 0)
		fputs(cmp->columns[column].label, out);
	if (fclose(out) == 0)
		return label;
	free(label);
	return NULL;
}
