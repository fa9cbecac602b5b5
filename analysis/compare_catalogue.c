/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be shown: every metric, ratios of metrics, percentiles of histograms. */
#include "compare_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ratios of sums, shown behind the metric @after. */
static const struct ratio {
	const char *name;
	const char *unit;
	const char *definition;
	double scale;
	enum zwb_metric metric, below;
	enum zwb_metric after;
	enum zwb_better better;
} ratios[] = {
	{ "pages per write bio", "pages", "pages written / write bios", 1, ZWB_METRIC_PAGES_WRITTEN,
		ZWB_METRIC_WRITE_BIOS, ZWB_METRIC_WRITE_REQUESTS, ZWB_BETTER_HIGHER },
	{ "pages per write request", "pages", "pages written / write requests", 1,
		ZWB_METRIC_PAGES_WRITTEN, ZWB_METRIC_WRITE_REQUESTS, ZWB_METRIC_WRITE_REQUESTS,
		ZWB_BETTER_HIGHER },
	{ "write bios /1000 pages", "count", "write bios per 1,000 pages written", 1000,
		ZWB_METRIC_WRITE_BIOS, ZWB_METRIC_PAGES_WRITTEN, ZWB_METRIC_WRITE_REQUESTS,
		ZWB_BETTER_LOWER },
	{ "write requests /1000 pages", "count", "write requests per 1,000 pages written", 1000,
		ZWB_METRIC_WRITE_REQUESTS, ZWB_METRIC_PAGES_WRITTEN, ZWB_METRIC_WRITE_REQUESTS,
		ZWB_BETTER_LOWER },
	{ "pgrotated per zswpwb", "ratio", "pgrotated / zswpwb", 1, ZWB_METRIC_PGROTATED,
		ZWB_METRIC_ZSWPWB, ZWB_METRIC_PGROTATED, ZWB_BETTER_NEITHER },
};

static const struct {
	const char *name;
	uint32_t ppm;
	int of_times; /* only; of sizes, fewer are enough */
} percentiles[] = {
	{ "p50", 500000, 0 },
	{ "p90", 900000, 1 },
	{ "p95", 950000, 1 },
	{ "p99", 990000, 0 },
	{ "p99.9", 999000, 1 },
	{ "max", 1000000, 0 },
};

#define NR_RATIOS      (sizeof(ratios) / sizeof(ratios[0]))
#define NR_PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

/* -- metrics of all runs -- */

static int add_def(struct cmp_priv *p, const struct zwb_metric_def *def, struct zwb_err *err)
{
	for (size_t i = 0; i < p->nr_defs; i++) {
		if (strcmp(p->defs[i].name, def->name) != 0)
			continue;
		if (strcmp(p->defs[i].unit, def->unit) != 0 || p->defs[i].kind != def->kind)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"metric \"%.100s\" is in %.50s in one run and in %.50s in another",
				def->name, p->defs[i].unit, def->unit);
		return ZWB_OK;
	}
	p->defs[p->nr_defs++] = *def;
	return ZWB_OK;
}

static int collect_defs(
	struct cmp_priv *p, const struct zwb_run *const *runs, size_t nr_runs, struct zwb_err *err)
{
	size_t nr = ZWB_METRIC_NR;
	int ret = ZWB_OK;

	for (size_t i = 0; i < nr_runs; i++)
		nr += runs[i]->nr_own_defs;
	p->defs = cmp_alloc(nr, sizeof(*p->defs));
	if (!p->defs)
		return cmp_no_memory(err);
	for (unsigned int i = 0; i < ZWB_METRIC_NR; i++)
		p->defs[p->nr_defs++] = *zwb_metric_def((enum zwb_metric)i);
	for (size_t i = 0; i < nr_runs; i++) {
		size_t first = runs[i]->nr_defs - runs[i]->nr_own_defs;

		for (size_t k = first; !ret && k < runs[i]->nr_defs; k++)
			ret = add_def(p, &runs[i]->defs[k], err);
	}
	return ret;
}

uint32_t cmp_metric_in(const struct cmp_priv *p, const struct zwb_run *run, uint32_t metric)
{
	if (metric < ZWB_METRIC_NR)
		return metric;
	for (size_t i = run->nr_defs - run->nr_own_defs; i < run->nr_defs; i++) {
		if (strcmp(run->defs[i].name, p->defs[metric].name) == 0)
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

/* -- items -- */

static int add_item(struct cmp_priv *p, const struct cmp_item *item, const char *name,
	const char *suffix, struct zwb_err *err)
{
	struct cmp_item *to = &p->items[p->nr_items];

	*to = *item;
	if (asprintf(&to->name, "%s%s%s", name, suffix[0] ? " " : "", suffix) < 0) {
		to->name = NULL;
		return cmp_no_memory(err);
	}
	p->nr_items++;
	return ZWB_OK;
}

static int add_metric(struct cmp_priv *p, uint32_t metric, struct zwb_err *err)
{
	const struct zwb_metric_def *def = &p->defs[metric];
	struct cmp_item item = { .type = def->kind == ZWB_KIND_HIST ? CMP_PERCENTILE : CMP_SCALAR,
		.metric = metric,
		.scale = zwb_metric_scale(def),
		.unit = def->unit,
		.definition = def->definition,
		.kind = def->kind,
		.better = def->better };
	int ret = ZWB_OK;

	if (item.type == CMP_SCALAR)
		return add_item(p, &item, def->name, "", err);
	for (size_t i = 0; !ret && i < NR_PERCENTILES; i++) {
		if (percentiles[i].of_times && zwb_metric_scale(def) == 1)
			continue;
		item.ppm = percentiles[i].ppm;
		ret = add_item(p, &item, def->name, percentiles[i].name, err);
	}
	return ret;
}

static int add_ratios(struct cmp_priv *p, uint32_t after, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < NR_RATIOS; i++) {
		const struct ratio *r = &ratios[i];
		const struct cmp_item item = { .type = CMP_RATIO,
			.metric = r->metric,
			.below = r->below,
			.scale = r->scale,
			.unit = r->unit,
			.definition = r->definition,
			.kind = ZWB_KIND_VALUE,
			.better = r->better };

		if (r->after == after)
			ret = add_item(p, &item, r->name, "", err);
	}
	return ret;
}

/* -- selection -- */

/* 1 if @item is what @name (of @len bytes) means: itself, or all percentiles of a histogram. */
static int item_is(
	const struct cmp_priv *p, const struct cmp_item *item, const char *name, size_t len)
{
	const char *whole = item->type == CMP_PERCENTILE ? p->defs[item->metric].name : "";

	return (strlen(item->name) == len && memcmp(item->name, name, len) == 0) ||
	       (strlen(whole) == len && len > 0 && memcmp(whole, name, len) == 0);
}

/* 1 if @name is the end of an item's, from a blank on: "p99" of all latencies. */
static int item_ends_with(const struct cmp_item *item, const char *name, size_t len)
{
	size_t whole = strlen(item->name);

	return len > 0 && whole > len && item->name[whole - len - 1] == ' ' &&
	       memcmp(item->name + whole - len, name, len) == 0;
}

static int is_selected(const struct cmp_priv *p, const struct cmp_item *item)
{
	for (size_t i = 0; i < p->nr_selected; i++) {
		if (p->selected[i] == item)
			return 1;
	}
	return 0;
}

/* What an error calls an item: a latency without its percentile. NULL: as the item before. */
static const char *shown_name(const struct cmp_priv *p, const struct cmp_item *item)
{
	if (item->type != CMP_PERCENTILE)
		return item->name;
	return item->ppm == percentiles[0].ppm ? p->defs[item->metric].name : NULL;
}

/* 1 if the name has the first word of what was asked for, whatever its case. */
static int is_similar(const char *name, const char *wanted, size_t len)
{
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)(len < 63 ? len : 63), wanted);
	word[strcspn(word, " ")] = '\0';
	return word[0] != '\0' && strcasestr(name, word) != NULL;
}

/* The metrics there are, similar ones if there are such; what does not fit is not cut in two. */
static int no_metric(const struct cmp_priv *p, const char *name, size_t len, struct zwb_err *err)
{
	char list[400];
	size_t used = 0;
	int has_similar = 0, is_cut = 0;

	for (size_t i = 0; i < p->nr_items; i++) {
		const char *shown = shown_name(p, &p->items[i]);

		has_similar |= shown && is_similar(shown, name, len);
	}
	for (size_t i = 0; !is_cut && i < p->nr_items; i++) {
		const char *shown = shown_name(p, &p->items[i]);

		if (!shown || (has_similar && !is_similar(shown, name, len)))
			continue;
		is_cut = used + strlen(shown) + 8 > sizeof(list);
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
			is_cut ? "..." : shown);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "no metric \"%.*s\"; there is %s",
		len < 60 ? (int)len : 60, name, list);
}

/* Adds what one name of the list means: an item, else all that end so. */
static int select_name(struct cmp_priv *p, const char *name, size_t len, struct zwb_err *err)
{
	int found = 0;

	for (int by_end = 0; !found && by_end < 2; by_end++) {
		for (size_t i = 0; i < p->nr_items; i++) {
			const struct cmp_item *item = &p->items[i];

			if (!(by_end ? item_ends_with(item, name, len)
				     : item_is(p, item, name, len)))
				continue;
			found = 1;
			if (!is_selected(p, item))
				p->selected[p->nr_selected++] = item;
		}
	}
	return found ? ZWB_OK : no_metric(p, name, len, err);
}

static int select_items(struct cmp_priv *p, const char *metrics, struct zwb_err *err)
{
	int ret = ZWB_OK;

	p->selected = cmp_alloc(p->nr_items, sizeof(const struct cmp_item *));
	if (!p->selected)
		return cmp_no_memory(err);
	if (!metrics) {
		for (size_t i = 0; i < p->nr_items; i++)
			p->selected[p->nr_selected++] = &p->items[i];
		return ZWB_OK;
	}
	while (!ret) {
		size_t len = strcspn(metrics, ",");
		size_t lead = strspn(metrics, " ");
		size_t word = lead < len ? len - lead : 0;

		while (word > 0 && metrics[lead + word - 1] == ' ')
			word--;
		ret = select_name(p, metrics + (word ? lead : 0), word, err);
		if (metrics[len] == '\0')
			break;
		metrics += len + 1;
	}
	return ret;
}

int cmp_catalogue(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const char *metrics, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	int ret = collect_defs(p, runs, nr_runs, err);

	if (ret)
		return ret;
	p->items = cmp_alloc(p->nr_defs * NR_PERCENTILES + NR_RATIOS, sizeof(*p->items));
	if (!p->items)
		return cmp_no_memory(err);
	for (uint32_t i = 0; !ret && i < p->nr_defs; i++) {
		ret = add_metric(p, i, err);
		if (!ret)
			ret = add_ratios(p, i, err);
	}
	return ret ? ret : select_items(p, metrics, err);
}
