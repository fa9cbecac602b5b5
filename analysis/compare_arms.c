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

/*
 * The field that does not count: the device, if groups are by it; between builds the parameters, of
 * which a new one may have more.
 */
static int is_ignored(int field, enum zwb_group_by group_by)
{
	return (field == 0 && group_by == ZWB_GROUP_POLICY) ||
	       (field == 1 && group_by == ZWB_GROUP_DEVICE);
}

int cmp_compare_infos(const struct zwb_run_arm_info *a, const struct zwb_run_arm_info *b,
	enum zwb_group_by group_by)
{
	const char *fa[NR_FIELDS], *fb[NR_FIELDS];
	int ret = strcmp(a->policy, b->policy);

	info_fields(a, fa);
	info_fields(b, fb);
	for (int i = 0; !ret && i < NR_FIELDS; i++)
		ret = is_ignored(i, group_by) ? 0 : strcmp(fa[i], fb[i]);
	return ret;
}

static int compare_infos(const void *x, const void *y)
{
	return cmp_compare_infos(x, y, ZWB_GROUP_TOTAL);
}

static int compare_infos_but_params(const void *x, const void *y)
{
	return cmp_compare_infos(x, y, ZWB_GROUP_POLICY);
}

static int compare_infos_but_device(const void *x, const void *y)
{
	return cmp_compare_infos(x, y, ZWB_GROUP_DEVICE);
}

/* Recordings are equal by digest; without one, by name. */
static int compare_traces(const void *x, const void *y)
{
	const struct zwb_run_trace *a = x, *b = y;
	int ret = strcmp(a->digest, b->digest);

	return ret || a->digest[0] ? ret : strcmp(a->source, b->source);
}

static char *label_info(const struct zwb_run_arm_info *const *infos, size_t nr, size_t which,
	enum zwb_group_by group_by)
{
	static const char *const names[NR_FIELDS] = { "params", "device", "scheduler", "trigger",
		"loop" };
	const char *mine[NR_FIELDS], *theirs[NR_FIELDS];
	int differs[NR_FIELDS] = { 0 };
	char *label = NULL;
	size_t len;
	FILE *text = open_memstream(&label, &len);

	if (!text)
		return NULL;
	info_fields(infos[which], mine);
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(infos[i]->policy, infos[which]->policy) != 0)
			continue;
		info_fields(infos[i], theirs);
		for (int k = 0; k < NR_FIELDS; k++)
			differs[k] |= !is_ignored(k, group_by) && strcmp(mine[k], theirs[k]) != 0;
	}
	fputs(infos[which]->policy, text);
	for (int k = 0; k < NR_FIELDS; k++) {
		if (differs[k] && k == 0 && strchr(mine[k], '='))
			fprintf(text, " %s", mine[k]);
		else if (differs[k])
			fprintf(text, " %s=%s", names[k], mine[k]);
	}
	if (fclose(text) != 0) {
		free(label);
		return NULL;
	}
	return label;
}

int cmp_label_infos(const struct zwb_run_arm_info *const *infos, size_t nr,
	enum zwb_group_by group_by, char **labels, struct zwb_err *err)
{
	for (size_t i = 0; i < nr; i++) {
		labels[i] = label_info(infos, nr, i, group_by);
		if (!labels[i])
			return cmp_no_memory(err);
	}
	return ZWB_OK;
}

/* Columns of run files: by name, numbered if two are called the same. */
static int label_files(const struct zwb_comparison *cmp, const char *const *names, char **labels,
	struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;

	for (size_t i = 0; i < p->nr_arms; i++) {
		const struct cmp_arm *a = &p->arms[i];
		int len, same = 0;

		if (labels[a->column])
			continue;
		for (size_t k = 0; k < p->nr_arms; k++)
			same |= p->arms[k].file != a->file &&
				strcmp(names[p->arms[k].file], names[a->file]) == 0;
		len = asprintf(
			&labels[a->column], same ? "%s (%u)" : "%s", names[a->file], a->file + 1);
		if (len < 0) {
			labels[a->column] = NULL;
			return cmp_no_memory(err);
		}
	}
	return ZWB_OK;
}

static int label_columns(
	struct zwb_comparison *cmp, const struct zwb_compare_options *options, struct zwb_err *err)
{
	const struct zwb_run_arm_info **infos = cmp_alloc(cmp->nr_columns, sizeof(*infos));
	char **labels = cmp_alloc(cmp->nr_columns, sizeof(*labels));
	int ret = ZWB_ENOMEM;

	if (!infos || !labels) {
		cmp_no_memory(err);
		goto out_free;
	}
	for (size_t i = 0; i < cmp->nr_columns; i++)
		infos[i] = cmp->columns[i].info;
	if (options->group_by != ZWB_GROUP_POLICY)
		ret = cmp_label_infos(infos, cmp->nr_columns, options->group_by, labels, err);
	else
		ret = label_files(cmp, options->names, labels, err);
	for (size_t i = 0; i < cmp->nr_columns; i++)
		cmp->columns[i].label = labels[i];
out_free:
	free(infos);
	free(labels);
	return ret;
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
	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
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
			a->section == last->section && a->arm->info.seed == last->arm->info.seed)
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

/* Seeds of one section after the other. */
static void count_seeds_of(
	const struct zwb_comparison *cmp, struct zwb_cmp_column *column, size_t begin, size_t end)
{
	const struct cmp_priv *p = cmp->priv;

	for (size_t next = begin; begin < end; begin = next) {
		while (next < end && p->arms[next].section == p->arms[begin].section)
			next++;
		if (!column->min_seeds || next - begin < column->min_seeds)
			column->min_seeds = next - begin;
		if (next - begin > column->max_seeds)
			column->max_seeds = next - begin;
	}
}

static void count_seeds(struct zwb_comparison *cmp)
{
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		for (size_t r = 0; r < cmp->nr_recordings; r++) {
			size_t begin, end;

			cmp_slice(cmp, c, r, &begin, &end);
			cmp->columns[c].nr_recordings += begin < end;
			count_seeds_of(cmp, &cmp->columns[c], begin, end);
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
				.file = (uint32_t)i,
				.order = p->nr_arms };
			p->nr_arms++;
		}
	}
	return ZWB_OK;
}

static int compare_files(const void *x, const void *y)
{
	const struct cmp_arm *a = x, *b = y;

	return (a->file > b->file) - (a->file < b->file);
}

static int compare_devices(const void *x, const void *y)
{
	const struct zwb_run_arm_info *a = x, *b = y;

	return strcmp(a->device, b->device);
}

/* What an arm is looked at for: itself, its settings or its recording. */
enum aspect { OF_ARM, OF_INFO, OF_TRACE };

/* Numbers the arms alike that are alike in one aspect. */
static int number_arms(const struct cmp_priv *p, enum aspect aspect,
	int (*compare)(const void *, const void *), uint32_t *numbers, size_t *nr,
	struct zwb_err *err)
{
	const void **items = cmp_alloc(p->nr_arms, sizeof(*items));
	int ret;

	if (!items)
		return cmp_no_memory(err);
	for (size_t i = 0; i < p->nr_arms; i++) {
		const struct cmp_arm *a = &p->arms[i];

		items[i] = aspect == OF_ARM    ? (const void *)a
			   : aspect == OF_INFO ? (const void *)&a->arm->info
					       : (const void *)a->trace;
	}
	ret = cmp_group(items, p->nr_arms, compare, numbers, nr, err);
	free(items);
	return ret;
}

static int number_sections(
	struct cmp_priv *p, enum zwb_group_by group_by, uint32_t *numbers, struct zwb_err *err)
{
	switch (group_by) {
	case ZWB_GROUP_TRACE:
		return number_arms(p, OF_TRACE, compare_traces, numbers, &p->nr_sections, err);
	case ZWB_GROUP_DEVICE:
		return number_arms(p, OF_INFO, compare_devices, numbers, &p->nr_sections, err);
	case ZWB_GROUP_POLICY:
		return number_arms(
			p, OF_INFO, compare_infos_but_params, numbers, &p->nr_sections, err);
	case ZWB_GROUP_TOTAL:
	case ZWB_GROUP_CGROUP:
		break;
	}
	return ZWB_OK;
}

/* Gives every arm its column, recording and section. */
static int place_each_arm(
	struct zwb_comparison *cmp, enum zwb_group_by group_by, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	uint32_t *numbers = cmp_alloc(p->nr_arms, sizeof(*numbers));
	int ret;

	if (!numbers)
		return cmp_no_memory(err);
	if (group_by == ZWB_GROUP_POLICY)
		ret = number_arms(p, OF_ARM, compare_files, numbers, &cmp->nr_columns, err);
	else if (group_by == ZWB_GROUP_DEVICE)
		ret = number_arms(
			p, OF_INFO, compare_infos_but_device, numbers, &cmp->nr_columns, err);
	else
		ret = number_arms(p, OF_INFO, compare_infos, numbers, &cmp->nr_columns, err);
	for (size_t i = 0; !ret && i < p->nr_arms; i++)
		p->arms[i].column = numbers[i];
	if (!ret)
		ret = number_arms(p, OF_TRACE, compare_traces, numbers, &cmp->nr_recordings, err);
	for (size_t i = 0; !ret && i < p->nr_arms; i++)
		p->arms[i].recording = numbers[i];
	if (!ret)
		ret = number_sections(p, group_by, numbers, err);
	for (size_t i = 0; !ret && p->nr_sections && i < p->nr_arms; i++)
		p->arms[i].section = numbers[i];
	free(numbers);
	return ret;
}

/* The arm that stands for each section: its first one. */
static int name_sections(struct cmp_priv *p, enum zwb_group_by group_by, struct zwb_err *err)
{
	const struct zwb_run_arm_info **infos = cmp_alloc(p->nr_sections, sizeof(*infos));
	int ret = ZWB_OK;

	p->sections = cmp_alloc(p->nr_sections, sizeof(*p->sections));
	if (!infos || !p->sections) {
		free(infos);
		return cmp_no_memory(err);
	}
	for (size_t i = 0; i < p->nr_arms; i++) {
		const struct cmp_arm *a = &p->arms[i];
		int len = 0;

		if (!p->nr_sections || infos[a->section])
			continue;
		infos[a->section] = &a->arm->info;
		if (group_by == ZWB_GROUP_TRACE)
			len = asprintf(&p->sections[a->section], "%u. %s", a->recording + 1,
				a->trace->source);
		else if (group_by == ZWB_GROUP_DEVICE)
			len = asprintf(&p->sections[a->section], "%s", a->arm->info.device);
		if (len < 0) {
			p->sections[a->section] = NULL;
			ret = cmp_no_memory(err);
			break;
		}
	}
	if (!ret && group_by == ZWB_GROUP_POLICY)
		ret = cmp_label_infos(infos, p->nr_sections, group_by, p->sections, err);
	free(infos);
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

/* Room for columns, recordings and slices, if there are not too many of them. */
static int make_room(struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	size_t nr_slices, nr_cells;

	if (__builtin_mul_overflow(cmp->nr_columns, cmp->nr_recordings, &nr_slices) ||
		__builtin_mul_overflow(nr_slices, p->nr_sections ? p->nr_sections : 1, &nr_cells) ||
		nr_cells > MAX_CELLS)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%zu policies over %zu recordings in %zu groups are too many to compare",
			cmp->nr_columns, cmp->nr_recordings, p->nr_sections ? p->nr_sections : 1);
	cmp->columns = cmp_alloc(cmp->nr_columns, sizeof(*cmp->columns));
	cmp->recordings = cmp_alloc(cmp->nr_recordings, sizeof(*cmp->recordings));
	p->first = cmp_alloc(nr_slices + 1, sizeof(*p->first));
	if (!cmp->columns || !cmp->recordings || !p->first)
		return cmp_no_memory(err);
	return ZWB_OK;
}

int cmp_collect(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, struct zwb_err *err)
{
	struct cmp_priv *p = cmp->priv;
	uint32_t baseline_column;
	int ret = list_arms(cmp, runs, nr_runs, err);

	if (!ret)
		ret = place_each_arm(cmp, options->group_by, err);
	if (!ret)
		ret = make_room(cmp, err);
	if (ret)
		return ret;
	for (size_t i = p->nr_arms; i-- > 0;) {
		cmp->columns[p->arms[i].column].info = &p->arms[i].arm->info;
		cmp->recordings[p->arms[i].recording].trace = p->arms[i].trace;
		cmp->recordings[p->arms[i].recording].is_measured =
			strcmp(p->arms[i].arm->info.trigger, ZWB_TRIGGER_MEASURED) == 0;
	}
	ret = label_columns(cmp, options, err);
	if (!ret)
		ret = name_sections(p, options->group_by, err);
	if (!ret)
		ret = find_baseline(cmp, options->baseline, &baseline_column, err);
	if (ret)
		return ret;
	move_first(cmp, baseline_column);
	place_arms(cmp);
	count_seeds(cmp);
	for (size_t r = 0; r < cmp->nr_recordings; r++)
		count_losses(&cmp->recordings[r]);
	return ZWB_OK;
}
