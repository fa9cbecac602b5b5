/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to the rows and columns of a comparison. */
#include "compare.h"

#include "compare_priv.h"
#include "grow.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP "sweep of " /* how the command of a sweep begins */

int cmp_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the comparison");
}

void *cmp_alloc(size_t nr, size_t size)
{
	return nr < SIZE_MAX ? calloc(nr + 1, size) : NULL;
}

/* -- notes -- */

static int add_note(struct zwb_comparison *cmp, struct zwb_err *err, const char *fmt, ...)
	ZWB_PRINTF(3, 4);

static int add_note(struct zwb_comparison *cmp, struct zwb_err *err, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return cmp_no_memory(err);
	if (!ZWB_GROW(cmp->notes, cmp->nr_notes)) {
		free(text);
		return cmp_no_memory(err);
	}
	cmp->notes[cmp->nr_notes++] = text;
	return ZWB_OK;
}

/* A note of a run, or of an arm. */
struct said {
	const char *text;
	const struct cmp_arm *arm; /* NULL: of a run */
	uint32_t group; /* the same for equal texts */
};

static int compare_texts(const void *x, const void *y)
{
	return strcmp(x, y);
}

/* Those of runs first. */
static int compare_who(const struct said *a, const struct said *b, uint32_t who_a, uint32_t who_b)
{
	if (!a->arm || !b->arm)
		return (a->arm != NULL) - (b->arm != NULL);
	return (who_a > who_b) - (who_a < who_b);
}

/* Equal texts together in order of first appearance. */
static int compare_groups(const void *x, const void *y)
{
	const struct said *a = x, *b = y;

	return (a->group > b->group) - (a->group < b->group);
}

static int compare_columns(const void *x, const void *y)
{
	const struct said *a = x, *b = y;

	return compare_who(a, b, a->arm ? a->arm->column : 0, b->arm ? b->arm->column : 0);
}

static int compare_recordings(const void *x, const void *y)
{
	const struct said *a = x, *b = y;

	return compare_who(a, b, a->arm ? a->arm->recording : 0, b->arm ? b->arm->recording : 0);
}

/* Lists every note there is. Return: how many, with @said NULL only counted. */
static size_t list_said(const struct zwb_comparison *cmp, const struct zwb_run *const *runs,
	size_t nr_runs, struct said *said)
{
	const struct cmp_priv *p = cmp->priv;
	size_t nr = 0;

	for (size_t i = 0; i < nr_runs; i++) {
		for (size_t k = 0; k < runs[i]->nr_notes; k++, nr++) {
			if (said)
				said[nr] = (struct said){ .text = runs[i]->notes[k] };
		}
	}
	for (size_t i = 0; i < p->nr_arms; i++) {
		for (size_t k = 0; k < p->arms[i].arm->nr_notes; k++, nr++) {
			if (said)
				said[nr] = (struct said){ .text = p->arms[i].arm->notes[k],
					.arm = &p->arms[i] };
		}
	}
	return nr;
}

/* Prints the labels of the columns in @said, unless that is all of them. */
static void put_columns(FILE *out, const struct zwb_comparison *cmp, struct said *said, size_t nr)
{
	size_t distinct = 0;

	qsort(said, nr, sizeof(*said), compare_columns);
	for (size_t i = 0; i < nr; i++)
		distinct += i == 0 || said[i].arm->column != said[i - 1].arm->column;
	if (distinct == cmp->nr_columns)
		return;
	for (size_t i = 0; i < nr; i++) {
		if (i == 0 || said[i].arm->column != said[i - 1].arm->column)
			fprintf(out, "%s%s", i ? ", " : "",
				cmp->columns[said[i].arm->column].label);
	}
	fputs(": ", out);
}

/* Prints the numbers of the recordings in @said, unless that is all of them. */
static void put_recordings(
	FILE *out, const struct zwb_comparison *cmp, struct said *said, size_t nr)
{
	size_t distinct = 0;

	qsort(said, nr, sizeof(*said), compare_recordings);
	for (size_t i = 0; i < nr; i++)
		distinct += i == 0 || said[i].arm->recording != said[i - 1].arm->recording;
	if (distinct == cmp->nr_recordings)
		return;
	fputs(distinct > 1 ? "recordings" : "recording", out);
	for (size_t i = 0; i < nr; i++) {
		if (i == 0 || said[i].arm->recording != said[i - 1].arm->recording)
			fprintf(out, "%s %u", i ? "," : "", said[i].arm->recording + 1);
	}
	fputs(": ", out);
}

/* One text, with the policies and recordings it is about where that is not all of them. */
static int merge_said(struct zwb_comparison *cmp, struct said *said, size_t nr, struct zwb_err *err)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int of_run = 0;

	if (!out)
		return cmp_no_memory(err);
	for (size_t i = 0; i < nr; i++)
		of_run |= !said[i].arm;
	if (!of_run) {
		put_columns(out, cmp, said, nr);
		put_recordings(out, cmp, said, nr);
	}
	fputs(said->text, out);
	if (fclose(out) != 0 || !ZWB_GROW(cmp->notes, cmp->nr_notes)) {
		free(text);
		return cmp_no_memory(err);
	}
	cmp->notes[cmp->nr_notes++] = text;
	return ZWB_OK;
}

static int merge_notes(
	struct zwb_comparison *cmp, struct said *said, size_t nr, struct zwb_err *err)
{
	const void **texts = cmp_alloc(nr, sizeof(*texts));
	uint32_t *groups = cmp_alloc(nr, sizeof(*groups));
	size_t nr_groups, end;
	int ret = ZWB_ENOMEM;

	if (!texts || !groups) {
		cmp_no_memory(err);
		goto out_free;
	}
	for (size_t i = 0; i < nr; i++)
		texts[i] = said[i].text;
	ret = cmp_group(texts, nr, compare_texts, groups, &nr_groups, err);
	for (size_t i = 0; i < nr; i++)
		said[i].group = groups[i];
	if (!ret)
		qsort(said, nr, sizeof(*said), compare_groups);
	for (size_t i = 0; !ret && i < nr; i = end) {
		for (end = i + 1; end < nr && said[end].group == said[i].group;)
			end++;
		ret = merge_said(cmp, &said[i], end - i, err);
	}
out_free:
	free(texts);
	free(groups);
	return ret;
}

static int collect_notes(struct zwb_comparison *cmp, const struct zwb_run *const *runs,
	size_t nr_runs, struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;
	size_t nr = list_said(cmp, runs, nr_runs, NULL), other = 0;
	struct said *said = cmp_alloc(nr, sizeof(*said));
	int ret = ZWB_OK;

	if (!said)
		return cmp_no_memory(err);
	list_said(cmp, runs, nr_runs, said);
	if (nr)
		ret = merge_notes(cmp, said, nr, err);
	free(said);
	while (other < nr_runs && strcmp(runs[other]->version, cmp->version) == 0)
		other++;
	if (!ret && other < nr_runs)
		ret = add_note(cmp, err, "run files of zwb %s and of zwb %s", cmp->version,
			runs[other]->version);
	if (!ret && p->nr_repeated)
		ret = add_note(cmp, err,
			"replays left out as they are there twice (same recording, policy and "
			"seed): %zu",
			p->nr_repeated);
	return ret;
}

int zwb_cmp_is_measured(const struct zwb_cmp_column *column)
{
	return strcmp(column->info->trigger, ZWB_TRIGGER_MEASURED) == 0;
}

/* Runs of a kernel are recordings of their own, which no policy shares. */
static int recordings_differ(const struct zwb_comparison *cmp)
{
	size_t nr_replayed = 0;

	for (size_t r = 0; r < cmp->nr_recordings; r++)
		nr_replayed += !cmp->recordings[r].is_measured;
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		if (!zwb_cmp_is_measured(&cmp->columns[c]) &&
			cmp->columns[c].nr_recordings != nr_replayed)
			return 1;
	}
	return 0;
}

/* -- rows -- */

static int row_alloc(const struct zwb_comparison *cmp, struct zwb_cmp_row *row, struct zwb_err *err)
{
	size_t nr_values = cmp->nr_columns * cmp->nr_recordings;
	double *values;

	/* cells, then their values, in one piece */
	row->cells = calloc(1, cmp->nr_columns * sizeof(*row->cells) + nr_values * sizeof(*values));
	if (!row->cells)
		return cmp_no_memory(err);
	values = (double *)&row->cells[cmp->nr_columns];
	for (size_t c = 0; c < cmp->nr_columns; c++)
		row->cells[c].by_recording = &values[c * cmp->nr_recordings];
	return ZWB_OK;
}

/* The name of a group: of a cgroup, of a section, or NULL for the total. */
static const char *where_name(const struct cmp_priv *p, const struct cmp_where *where)
{
	if (where->cgroup != CMP_TOTAL)
		return p->cgroups[p->first_cgroup[where->cgroup]].name;
	return where->section != CMP_ALL ? p->sections[where->section] : NULL;
}

/* Adds the row of one metric and group, if it was measured. */
static int add_row(struct zwb_comparison *cmp, const struct cmp_item *item,
	const struct cmp_where *where, struct cmp_merged *merged, struct zwb_err *err)
{
	struct zwb_cmp_row row = { .name = item->name,
		.unit = item->unit,
		.definition = item->definition,
		.kind = item->kind,
		.better = item->better,
		.group = where_name(cmp->priv, where) };
	int ret;

	if (!ZWB_GROW(cmp->rows, cmp->nr_rows))
		return cmp_no_memory(err);
	ret = row_alloc(cmp, &row, err);
	if (ret)
		return ret;
	ret = cmp_fill_row(cmp, item, where, merged, &row, err);
	if (ret <= 0) {
		free(row.cells);
		return ret;
	}
	cmp->rows[cmp->nr_rows++] = row;
	return ZWB_OK;
}

static int add_rows(
	struct zwb_comparison *cmp, size_t cgroup, uint32_t section, struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;
	const struct cmp_where where = { cgroup, section };
	struct cmp_merged merged = { 0 };
	size_t begin = cmp->nr_rows;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < p->nr_selected; i++)
		ret = add_row(cmp, p->selected[i], &where, &merged, err);
	cmp_merged_release(cmp, &merged);
	return ret ? ret : cmp_judge_table(cmp, begin, cmp->nr_rows, err);
}

static int add_groups(struct zwb_comparison *cmp, enum zwb_group_by group_by, struct zwb_err *err)
{
	const struct cmp_priv *p = cmp->priv;
	int ret = ZWB_OK;

	/* one number over several devices or policies would mean nothing */
	if (group_by != ZWB_GROUP_DEVICE && group_by != ZWB_GROUP_POLICY)
		ret = add_rows(cmp, CMP_TOTAL, CMP_ALL, err);
	for (size_t i = 0; !ret && i < p->nr_groups; i++)
		ret = add_rows(cmp, i, CMP_ALL, err);
	for (uint32_t i = 0; !ret && i < p->nr_sections; i++)
		ret = add_rows(cmp, CMP_TOTAL, i, err);
	return ret;
}

static int fill(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, struct zwb_err *err)
{
	static const char *const kinds[] = { "total", "cgroup", "trace", "device", "policy" };
	int ret = cmp_collect(cmp, runs, nr_runs, options, err);

	cmp->group_kind = kinds[options->group_by];
	cmp->center = options->center;
	if (!ret)
		ret = cmp_catalogue(cmp, runs, nr_runs, options->metrics, err);
	if (!ret && options->group_by == ZWB_GROUP_CGROUP)
		ret = cmp_collect_cgroups(cmp, err);
	if (!ret)
		ret = add_groups(cmp, options->group_by, err);
	if (!ret)
		ret = collect_notes(cmp, runs, nr_runs, err);
	if (!ret && recordings_differ(cmp))
		ret = add_note(cmp, err,
			"not every policy was replayed over every recording: where they differ "
			"there is no delta");
	return ret;
}

int zwb_compare(const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, struct zwb_comparison **out, struct zwb_err *err)
{
	struct zwb_comparison *cmp = calloc(1, sizeof(*cmp));
	int ret;

	*out = NULL;
	if (!cmp)
		return cmp_no_memory(err);
	cmp->version = nr_runs ? runs[0]->version : "";
	for (size_t i = 0; i < nr_runs; i++)
		cmp->is_sweep |= strncmp(runs[i]->command, SWEEP, strlen(SWEEP)) == 0;
	cmp->priv = calloc(1, sizeof(struct cmp_priv));
	ret = cmp->priv ? fill(cmp, runs, nr_runs, options, err) : cmp_no_memory(err);
	if (ret) {
		zwb_comparison_free(cmp);
		return ret;
	}
	*out = cmp;
	return ZWB_OK;
}

static void priv_free(struct cmp_priv *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nr_items; i++)
		free(p->items[i].name);
	for (size_t i = 0; i < p->nr_cgroups; i++)
		free(p->cgroups[i].name);
	free(p->arms);
	free(p->first);
	free(p->defs);
	free(p->items);
	free((void *)p->selected);
	for (size_t i = 0; p->sections && i < p->nr_sections; i++)
		free(p->sections[i]);
	free(p->sections);
	for (size_t i = 0; i < p->nr_kept; i++)
		free(p->kept[i]);
	free(p->kept);
	free(p->cgroups);
	free(p->first_cgroup);
	free(p);
}

void zwb_comparison_free(struct zwb_comparison *cmp)
{
	if (!cmp)
		return;
	for (size_t i = 0; cmp->columns && i < cmp->nr_columns; i++)
		free(cmp->columns[i].label);
	for (size_t i = 0; i < cmp->nr_rows; i++)
		free(cmp->rows[i].cells);
	for (size_t i = 0; i < cmp->nr_notes; i++)
		free(cmp->notes[i]);
	free(cmp->columns);
	free(cmp->recordings);
	free(cmp->rows);
	free(cmp->notes);
	priv_free(cmp->priv);
	free(cmp);
}
