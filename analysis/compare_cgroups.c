/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cgroups of several recordings by name. */
#include "compare_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *x, const void *y)
{
	const struct cmp_cgroup *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* By group, then trace: the order in which cmp_local_cgroup() searches. */
static int compare_places(const void *x, const void *y)
{
	const struct cmp_cgroup *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->trace > b->trace) - (a->trace < b->trace);
}

static int compare_paths(const void *x, const void *y)
{
	const struct zwb_cgroup *const *a = x, *const *b = y;

	return strcmp((*a)->path, (*b)->path);
}

/* Names the cgroups of one trace: by path where that is unique in it, else with the id. */
static int name_cgroups(
	struct cmp_cgroup *to, const struct zwb_run_trace *trace, struct zwb_err *err)
{
	const struct zwb_cgroup **sorted = cmp_alloc(trace->nr_cgroups, sizeof(*sorted));
	int ret = ZWB_OK;

	if (!sorted)
		return cmp_no_memory(err);
	for (size_t i = 0; i < trace->nr_cgroups; i++)
		sorted[i] = &trace->cgroups[i];
	qsort(sorted, trace->nr_cgroups, sizeof(*sorted), compare_paths);
	for (size_t i = 0; !ret && i < trace->nr_cgroups; i++) {
		const struct zwb_cgroup *cg = sorted[i];
		int unique =
			(i == 0 || strcmp(sorted[i - 1]->path, cg->path) != 0) &&
			(i + 1 == trace->nr_cgroups || strcmp(sorted[i + 1]->path, cg->path) != 0);
		size_t local = (size_t)(cg - trace->cgroups);
		int len;

		if (unique && cg->path[0])
			len = asprintf(&to[local].name, "%s", cg->path);
		else /* large ones are addresses */
			len = asprintf(&to[local].name,
				cg->id >> 32 ? "%s%s(id 0x%" PRIx64 ")" : "%s%s(id %" PRIu64 ")",
				cg->path, cg->path[0] ? " " : "", cg->id);
		if (len < 0) {
			to[local].name = NULL;
			ret = cmp_no_memory(err);
		}
		to[local].trace = trace;
		to[local].local = (uint32_t)local;
	}
	free(sorted);
	return ret;
}

static int compare_addresses(const void *x, const void *y)
{
	return (x > y) - (x < y);
}

/* The traces of the arms, each once. */
static int distinct_traces(const struct cmp_priv *p, const struct zwb_run_trace ***traces,
	size_t *nr_traces, struct zwb_err *err)
{
	const void **items = cmp_alloc(p->nr_arms, sizeof(*items));
	uint32_t *numbers = cmp_alloc(p->nr_arms, sizeof(*numbers));
	int ret;

	*traces = cmp_alloc(p->nr_arms, sizeof(**traces));
	if (!items || !numbers || !*traces) {
		ret = cmp_no_memory(err);
		goto out_free;
	}
	for (size_t i = 0; i < p->nr_arms; i++)
		items[i] = p->arms[i].trace;
	ret = cmp_group(items, p->nr_arms, compare_addresses, numbers, nr_traces, err);
	for (size_t i = 0; !ret && i < p->nr_arms; i++)
		(*traces)[numbers[i]] = p->arms[i].trace;
out_free:
	free(items);
	free(numbers);
	return ret;
}

static int list_cgroups(struct cmp_priv *p, struct zwb_err *err)
{
	const struct zwb_run_trace **traces = NULL;
	size_t nr_traces = 0, nr = 0;
	int ret = distinct_traces(p, &traces, &nr_traces, err);

	for (size_t i = 0; !ret && i < nr_traces; i++)
		nr += traces[i]->nr_cgroups;
	if (!ret) {
		p->cgroups = cmp_alloc(nr, sizeof(*p->cgroups));
		if (!p->cgroups)
			ret = cmp_no_memory(err);
	}
	for (size_t i = 0; !ret && i < nr_traces; i++) {
		if (!traces[i]->nr_cgroups)
			continue;
		ret = name_cgroups(&p->cgroups[p->nr_cgroups], traces[i], err);
		p->nr_cgroups += traces[i]->nr_cgroups;
	}
	free(traces);
	return ret;
}

/* Gives cgroups of one name one group. */
static int group_cgroups(struct cmp_priv *p, struct zwb_err *err)
{
	const void **items = cmp_alloc(p->nr_cgroups, sizeof(*items));
	uint32_t *numbers = cmp_alloc(p->nr_cgroups, sizeof(*numbers));
	int ret;

	if (!items || !numbers) {
		ret = cmp_no_memory(err);
		goto out_free;
	}
	for (size_t i = 0; i < p->nr_cgroups; i++)
		items[i] = &p->cgroups[i];
	ret = cmp_group(items, p->nr_cgroups, compare_names, numbers, &p->nr_groups, err);
	for (size_t i = 0; !ret && i < p->nr_cgroups; i++)
		p->cgroups[i].group = numbers[i];
out_free:
	free(items);
	free(numbers);
	return ret;
}

int cmp_collect_cgroups(struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	size_t at = 0;
	int ret = list_cgroups(p, err);

	if (!ret)
		ret = group_cgroups(p, err);
	if (ret)
		return ret;
	p->first_cgroup = cmp_alloc(p->nr_groups + 1, sizeof(*p->first_cgroup));
	if (!p->first_cgroup)
		return cmp_no_memory(err);
	qsort(p->cgroups, p->nr_cgroups, sizeof(*p->cgroups), compare_places);
	for (size_t i = 0; i < p->nr_cgroups; i++) {
		if (i && compare_places(&p->cgroups[i - 1], &p->cgroups[i]) == 0)
			return zwb_err_set(err, ZWB_EDATA, 0, "cgroup \"%.200s\" is there twice",
				p->cgroups[i].name);
		while (at <= p->cgroups[i].group)
			p->first_cgroup[at++] = i;
	}
	while (at <= p->nr_groups)
		p->first_cgroup[at++] = p->nr_cgroups;
	return ZWB_OK;
}

uint32_t cmp_local_cgroup(const struct cmp_priv *p, const struct zwb_run_trace *trace, size_t group)
{
	const struct cmp_cgroup key = { .trace = trace, .group = (uint32_t)group };
	const struct cmp_cgroup *found;
	size_t begin, end;

	if (group == CMP_TOTAL)
		return ZWB_RUN_TOTAL;
	begin = p->first_cgroup[group];
	end = p->first_cgroup[group + 1];
	found = bsearch(&key, &p->cgroups[begin], end - begin, sizeof(*p->cgroups), compare_places);
	return found ? found->local : CMP_NO_CGROUP;
}
