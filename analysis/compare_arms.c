/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which replays belong together: columns, recordings, cgroups. */
#include "compare_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More cells than this nobody reads; it also bounds what a hostile file can ask for. */
#define MAX_CELLS ((size_t)1 << 20)

/* What cmp_group() sorts with. */
struct group_order {
	const void *const *items;
	int (*compare)(const void *, const void *);
};

static int compare_indices(const void *x, const void *y, void *arg)
{
	const struct group_order *order = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int ret = order->compare(order->items[a], order->items[b]);

	return ret ? ret : (a > b) - (a < b);
}

int cmp_group(const void *const *items, size_t nr, int (*compare)(const void *, const void *),
	uint32_t *group, size_t *nr_groups, struct zwb_err *err)
{
	struct group_order order = { .items = items, .compare = compare };
	uint32_t *sorted, first = 0, next = 0;

	*nr_groups = 0;
	if (nr == 0)
		return ZWB_OK;
	sorted = nr < UINT32_MAX ? malloc(nr * sizeof(*sorted)) : NULL;
	if (!sorted)
		return cmp_no_memory(err);
	for (uint32_t i = 0; i < nr; i++)
		sorted[i] = i;
	qsort_r(sorted, nr, sizeof(*sorted), compare_indices, &order);
	/* first the index of the first equal item, then its number */
	for (size_t i = 0; i < nr; i++) {
		if (i == 0 || compare(items[sorted[i]], items[first]) != 0)
			first = sorted[i];
		group[sorted[i]] = first;
	}
	for (uint32_t i = 0; i < nr; i++)
		group[i] = group[i] == i ? next++ : group[group[i]];
	free(sorted);
	*nr_groups = next;
	return ZWB_OK;
}

/* -- columns -- */

/* What tells columns apart beside the policy, in the order in which labels name it. */
#define NR_FIELDS 5

static void info_fields(const struct zwb_run_arm_info *info, const char **fields)
{
	fields[0] = info->policy_params;
	fields[1] = info->device;
	fields[2] = info->scheduler;
	fields[3] = info->trigger;
	fields[4] = info->loop;
}

static int compare_infos(const void *x, const void *y)
{
	const struct zwb_run_arm_info *a = x, *b = y;
	const char *fa[NR_FIELDS], *fb[NR_FIELDS];
	int ret = strcmp(a->policy, b->policy);

	info_fields(a, fa);
	info_fields(b, fb);
	for (int i = 0; !ret && i < NR_FIELDS; i++)
		ret = strcmp(fa[i], fb[i]);
	return ret;
}

/* Recordings are equal by digest; without one, by name. */
static int compare_traces(const void *x, const void *y)
{
	const struct zwb_run_trace *a = x, *b = y;
	int ret = strcmp(a->digest, b->digest);

	return ret || a->digest[0] ? ret : strcmp(a->source, b->source);
}

/* The policy as typed, and every other field in which columns of the same policy differ. */
static int column_label(struct zwb_comparison *cmp, size_t column, struct zwb_err *err)
{
	static const char *const names[NR_FIELDS] = { "params", "device", "scheduler", "trigger",
		"loop" };
	const struct zwb_run_arm_info *info = cmp->columns[column].info;
	const char *mine[NR_FIELDS], *theirs[NR_FIELDS];
	int differs[NR_FIELDS] = { 0 };
	char *label = NULL;
	size_t len;
	FILE *text = open_memstream(&label, &len);

	if (!text)
		return cmp_no_memory(err);
	info_fields(info, mine);
	for (size_t i = 0; i < cmp->nr_columns; i++) {
		const struct zwb_run_arm_info *other = cmp->columns[i].info;

		if (strcmp(other->policy, info->policy) != 0)
			continue;
		info_fields(other, theirs);
		for (int k = 0; k < NR_FIELDS; k++)
			differs[k] |= strcmp(mine[k], theirs[k]) != 0;
	}
	fputs(info->policy, text);
	for (int k = 0; k < NR_FIELDS; k++) {
		if (differs[k])
			fprintf(text, " %s=%s", names[k], mine[k]);
	}
	if (fclose(text) != 0) {
		free(label);
		return cmp_no_memory(err);
	}
	cmp->columns[column].label = label;
	return ZWB_OK;
}

static int no_baseline(
	const struct zwb_comparison *cmp, const char *wanted, int ambiguous, struct zwb_err *err)
{
	char list[256];
	size_t used = 0;

	list[0] = '\0';
	for (size_t i = 0; i < cmp->nr_columns && used < sizeof(list) - 1; i++) {
		int len = snprintf(list + used, sizeof(list) - used, "%s\"%s\"", i ? ", " : "",
			cmp->columns[i].label);

		used += len > 0 ? (size_t)len : 0;
	}
	if (used >= sizeof(list))
		memcpy(list + sizeof(list) - 4, "...", 4);
	return zwb_err_set(err, ZWB_EUSAGE, 0, "%s baseline \"%.100s\"; there is %s",
		ambiguous ? "more than one" : "no", wanted, list);
}

/* Label first, then the policy alone when that is one column. */
static int find_baseline(
	const struct zwb_comparison *cmp, const char *wanted, uint32_t *column, struct zwb_err *err)
{
	size_t nr_found = 0;

	*column = 0;
	if (!wanted)
		return ZWB_OK;
	for (size_t i = 0; i < cmp->nr_columns; i++) {
		if (strcmp(cmp->columns[i].label, wanted) == 0) {
			*column = (uint32_t)i;
			return ZWB_OK;
		}
	}
	for (size_t i = 0; i < cmp->nr_columns; i++) {
		if (strcmp(cmp->columns[i].info->policy, wanted) == 0) {
			*column = (uint32_t)i;
			nr_found++;
		}
	}
	return nr_found == 1 ? ZWB_OK : no_baseline(cmp, wanted, nr_found > 1, err);
}

/* Puts column @baseline first; the others keep their order. */
static void move_first(struct zwb_comparison *cmp, uint32_t baseline)
{
	struct cmp_priv *p = cmp->priv;
	struct zwb_cmp_column moved = cmp->columns[baseline];

	memmove(&cmp->columns[1], &cmp->columns[0], baseline * sizeof(moved));
	cmp->columns[0] = moved;
	for (size_t i = 0; i < p->nr_arms; i++) {
		if (p->arms[i].column == baseline)
			p->arms[i].column = 0;
		else if (p->arms[i].column < baseline)
			p->arms[i].column++;
	}
}

/* -- arms -- */

static int compare_arms(const void *x, const void *y)
{
	const struct cmp_arm *a = x, *b = y;

	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->recording != b->recording)
		return a->recording < b->recording ? -1 : 1;
	if (a->arm->info.seed != b->arm->info.seed)
		return a->arm->info.seed < b->arm->info.seed ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Sorts the arms, leaves out those that are there twice, and finds where each slice starts. */
static void place_arms(struct zwb_comparison *cmp)
{
	struct cmp_priv *p = cmp->priv;
	size_t nr = 0, at = 0;

	qsort(p->arms, p->nr_arms, sizeof(*p->arms), compare_arms);
	for (size_t i = 0; i < p->nr_arms; i++) {
		const struct cmp_arm *a = &p->arms[i], *last = nr ? &p->arms[nr - 1] : NULL;

		if (last && a->column == last->column && a->recording == last->recording &&
			a->arm->info.seed == last->arm->info.seed)
			continue;
		p->arms[nr++] = *a;
	}
	p->nr_repeated = p->nr_arms - nr;
	p->nr_arms = nr;
	for (size_t i = 0; i < nr; i++) {
		size_t slice = p->arms[i].column * cmp->nr_recordings + p->arms[i].recording;

		while (at <= slice)
			p->first[at++] = i;
	}
	while (at <= cmp->nr_columns * cmp->nr_recordings)
		p->first[at++] = nr;
}

static void count_seeds(struct zwb_comparison *cmp)
{
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		struct zwb_cmp_column *column = &cmp->columns[c];

		for (size_t r = 0; r < cmp->nr_recordings; r++) {
			size_t begin, end;

			cmp_slice(cmp, c, r, &begin, &end);
			if (begin == end)
				continue;
			column->nr_recordings++;
			if (!column->min_seeds || end - begin < column->min_seeds)
				column->min_seeds = end - begin;
			if (end - begin > column->max_seeds)
				column->max_seeds = end - begin;
		}
	}
}

static int list_arms(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	size_t nr = 0;

	for (size_t i = 0; i < nr_runs; i++)
		nr += runs[i]->nr_arms;
	if (nr == 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "nothing to compare: no replay in it");
	p->arms = cmp_alloc(nr, sizeof(*p->arms));
	if (!p->arms)
		return cmp_no_memory(err);
	for (size_t i = 0; i < nr_runs; i++) {
		for (size_t k = 0; k < runs[i]->nr_arms; k++) {
			const struct zwb_run_arm *arm = runs[i]->arms[k];

			p->arms[p->nr_arms] = (struct cmp_arm){ .run = runs[i],
				.arm = arm,
				.trace = &runs[i]->traces[arm->info.trace],
				.order = p->nr_arms };
			p->nr_arms++;
		}
	}
	return ZWB_OK;
}

/* Gives every arm its column and recording. */
static int number_arms(struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	const void **items = cmp_alloc(p->nr_arms, sizeof(*items));
	uint32_t *numbers = cmp_alloc(p->nr_arms, sizeof(*numbers));
	int ret = ZWB_ENOMEM;

	if (!items || !numbers) {
		cmp_no_memory(err);
		goto out_free;
	}
	for (size_t i = 0; i < p->nr_arms; i++)
		items[i] = &p->arms[i].arm->info;
	ret = cmp_group(items, p->nr_arms, compare_infos, numbers, &cmp->nr_columns, err);
	if (ret)
		goto out_free;
	for (size_t i = 0; i < p->nr_arms; i++) {
		p->arms[i].column = numbers[i];
		items[i] = p->arms[i].trace;
	}
	ret = cmp_group(items, p->nr_arms, compare_traces, numbers, &cmp->nr_recordings, err);
	for (size_t i = 0; !ret && i < p->nr_arms; i++)
		p->arms[i].recording = numbers[i];
out_free:
	free(items);
	free(numbers);
	return ret;
}

static void count_losses(struct zwb_cmp_recording *r)
{
	const struct zwb_run_trace *t = r->trace;

	r->lost_is_exact = 1;
	for (size_t i = 0; i < t->nr_losses; i++) {
		const struct zwb_loss *l = &t->losses[i];

		if (!zwb_loss_is_missing(l->kind))
			continue;
		r->nr_lost += l->nr ? l->nr : 1;
		r->lost_is_exact &= l->nr_is_known != 0;
	}
	for (size_t i = 0; i < t->nr_unknowns; i++)
		r->nr_unknown += t->unknowns[i].nr;
}

int cmp_collect(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const char *baseline, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	uint32_t baseline_column;
	size_t nr_cells;
	int ret = list_arms(cmp, runs, nr_runs, err);

	if (!ret)
		ret = number_arms(cmp, err);
	if (ret)
		return ret;
	if (__builtin_mul_overflow(cmp->nr_columns, cmp->nr_recordings, &nr_cells) ||
		nr_cells > MAX_CELLS)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%zu policies over %zu recordings are too many to compare", cmp->nr_columns,
			cmp->nr_recordings);
	cmp->columns = cmp_alloc(cmp->nr_columns, sizeof(*cmp->columns));
	cmp->recordings = cmp_alloc(cmp->nr_recordings, sizeof(*cmp->recordings));
	p->first = cmp_alloc(nr_cells + 1, sizeof(*p->first));
	if (!cmp->columns || !cmp->recordings || !p->first)
		return cmp_no_memory(err);
	for (size_t i = p->nr_arms; i-- > 0;) {
		cmp->columns[p->arms[i].column].info = &p->arms[i].arm->info;
		cmp->recordings[p->arms[i].recording].trace = p->arms[i].trace;
	}
	for (size_t i = 0; !ret && i < cmp->nr_columns; i++)
		ret = column_label(cmp, i, err);
	if (!ret)
		ret = find_baseline(cmp, baseline, &baseline_column, err);
	if (ret)
		return ret;
	move_first(cmp, baseline_column);
	place_arms(cmp);
	count_seeds(cmp);
	for (size_t r = 0; r < cmp->nr_recordings; r++)
		count_losses(&cmp->recordings[r]);
	return ZWB_OK;
}
