/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What-if: the walk collects what it wants written, sorts it by slot and then submits it batched
 * and plugged. Not in any kernel; shows what slot order would be worth given the same walks.
 */
#include "policy_ops.h"

#include <stdlib.h>

enum { SORTED_MAX_PAGES };

static const struct zwb_param sorted_params[] = {
	[SORTED_MAX_PAGES] = {
		.name = "max_pages",
		.unit = "pages",
		.help = "sort and submit when this many are collected; 0: at the end of the walk",
		.min = 0,
		.max = 1 << 20,
		.def = 0,
	},
	{ 0 },
};

struct sorted_walk {
	int64_t nr_pages;
};

static int sorted_compare(const void *a, const void *b)
{
	const struct zwb_page *x = a;
	const struct zwb_page *y = b;

	if (x->swap_type != y->swap_type)
		return x->swap_type < y->swap_type ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static void sorted_flush(struct zwb_walk *w)
{
	struct sorted_walk *sw = w->priv;
	struct zwb_page *pages;
	size_t nr;

	pages = zwb_walk_collected(w, &nr);
	if (nr)
		qsort(pages, nr, sizeof(*pages), sorted_compare);
	for (size_t i = 0; i < nr; i++)
		zwb_walk_append(w, &pages[i]);
	zwb_walk_submit(w);
	sw->nr_pages = 0;
}

static void sorted_page(struct zwb_walk *w, const struct zwb_page *p)
{
	struct sorted_walk *sw = w->priv;

	zwb_walk_collect(w, p);
	sw->nr_pages += p->nr_pages;
	if (w->params[SORTED_MAX_PAGES] && sw->nr_pages >= w->params[SORTED_MAX_PAGES])
		sorted_flush(w);
}

extern const struct zwb_policy_ops zwb_policy_sorted;

const struct zwb_policy_ops zwb_policy_sorted = {
	.abi = ZWB_POLICY_ABI,
	.name = "sorted",
	.summary = "the walk's pages sorted by slot, then batched and plugged (what-if)",
	.knobs = { .ctx = ZWB_CTX_WALK, .plug = ZWB_PLUG_WALK, .write_class = ZWB_WRITE_SWAP },
	.params = sorted_params,
	.walk_bytes = sizeof(struct sorted_walk),
	.page = sorted_page,
	.walk_end = sorted_flush,
};

ZWB_POLICY_EXPORT(sorted);
