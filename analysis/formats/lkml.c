/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table for a mail to the kernel list: plain ASCII, at most 76 columns, so that it survives one
 * level of quoting. Laid out like the tables of patch mails: one row a metric, one column a policy
 * with its change in % beside it; when the policies do not fit beside each other, the table goes on
 * below with the baseline repeated. What the reader must know to believe it stands underneath.
 */
#include "compare.h"
#include "describe.h"
#include "format_ops.h"
#include "mail.h"
#include "sweeptext.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH	    ZWB_MAIL_WIDTH
#define LABEL_MAX   ZWB_MAIL_LABEL
#define HEAD_MAX    ZWB_MAIL_HEAD
#define CLASS_WIDTH ZWB_MAIL_CLASS
#define GAP	    ZWB_MAIL_GAP
/* Of a sweep of more policies than this only the Pareto front is shown; csv and json have all. */
#define SWEEP_TABLE_MAX 8

/* The widest baseline, policy and class leave this much: see ZWB_TEXT_VALUE and its like. */
#define LABEL_MIN 16
_Static_assert(LABEL_MIN + CLASS_WIDTH + 2 * (GAP + ZWB_TEXT_VALUE + 4 + ZWB_TEXT_SPREAD) + 1 +
			       ZWB_TEXT_PERCENT <=
		       WIDTH,
	"the narrowest table is too wide");

/* Widths of the parts of a column, 0 where it has no such part. */
struct column {
	char head[HEAD_MAX + 1];
	int value;
	int spread;
	int delta;
	int all;
};

struct table {
	int is_wide; /* so many policies that only the front of a sweep is shown */
	FILE *out;
	const struct zwb_comparison *cmp;
	struct column *columns;
	int label; /* width of the metric names */
};

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static int no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
}

/* -- widths -- */

/* The name of a policy, or what fits of it and the number under which it is spelled out below. */
static int column_head(const struct zwb_comparison *cmp, size_t index, char *head)
{
	char *label = zwb_text_ascii(cmp->columns[index].label);
	char number[HEAD_MAX + 1];
	size_t stem, len;

	if (!label)
		return ZWB_ENOMEM;
	if (strlen(label) <= HEAD_MAX) {
		memcpy(head, label, strlen(label) + 1);
		free(label);
		return ZWB_OK;
	}
	snprintf(number, sizeof(number), "[%u]", (unsigned int)index + 1);
	len = strlen(number);
	stem = strcspn(label, ", ");
	if (stem > 0 && stem + 1 + len <= HEAD_MAX) {
		memcpy(head, label, stem);
		head[stem] = ' ';
		head += stem + 1;
	}
	memcpy(head, number, len + 1);
	free(label);
	return ZWB_OK;
}

/* Widens a column to what one of its cells needs. */
static void fit_cell(struct column *col, const struct zwb_cmp_cell *cell, int is_baseline)
{
	char text[ZWB_TEXT_NUM_SIZE];

	zwb_text_value(text, cell->value, cell->sd);
	col->value = max_int(col->value, (int)strlen(text));
	zwb_text_spread(text, cell->value, cell->sd);
	col->spread = max_int(col->spread, (int)strlen(text));
	if (is_baseline)
		return;
	zwb_text_percent(text, cell->delta_percent);
	col->delta = max_int(col->delta, (int)strlen(text));
}

static int fit_table(struct table *t, struct zwb_err *err)
{
	const struct zwb_comparison *cmp = t->cmp;
	int widest = 0, room;

	for (size_t i = 0; i < cmp->nr_rows; i++) {
		char *label = zwb_mail_label(&cmp->rows[i]);

		if (!label)
			return no_memory(err);
		t->label = max_int(t->label, (int)strlen(label));
		free(label);
	}
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		struct column *col = &t->columns[c];

		if (column_head(cmp, c, col->head) != ZWB_OK)
			return no_memory(err);
		for (size_t i = 0; i < cmp->nr_rows; i++)
			fit_cell(col, &cmp->rows[i].cells[c], c == 0);
		col->all = col->value + (col->spread ? 4 + col->spread : 0) +
			   (col->delta ? 1 + col->delta : 0);
		col->all = max_int(col->all, (int)strlen(col->head));
		if (c > 0)
			widest = max_int(widest, GAP + col->all);
	}
	room = WIDTH - CLASS_WIDTH - GAP - t->columns[0].all - widest;
	if (t->label > LABEL_MAX)
		t->label = LABEL_MAX;
	if (t->label > room)
		t->label = room;
	return ZWB_OK;
}

/* -- rows -- */

static void put_cell(
	struct zwb_mail_line *l, const struct column *col, const struct zwb_cmp_cell *cell)
{
	char value[ZWB_TEXT_NUM_SIZE], spread[ZWB_TEXT_NUM_SIZE], delta[ZWB_TEXT_NUM_SIZE];
	int numbers = col->value + (col->spread ? 4 + col->spread : 0);
	int tail = col->delta ? 1 + col->delta : 0;

	zwb_text_value(value, cell->value, cell->sd);
	zwb_text_spread(spread, cell->value, cell->sd);
	zwb_text_percent(delta, cell->delta_percent);
	zwb_mail_put(l, "%*s%*s", GAP + col->all - numbers - tail, "", col->value, value);
	if (col->spread)
		zwb_mail_put(l, "%s%-*s", spread[0] ? " +- " : "    ", col->spread, spread);
	if (col->delta)
		zwb_mail_put(l, " %*s", col->delta, delta);
}

/* Columns of one block: the baseline, then [first, end). */
static int put_row(const struct table *t, const struct zwb_cmp_row *row, size_t first, size_t end,
	struct zwb_err *err)
{
	struct zwb_mail_line l = { .len = 0 };
	char *label = zwb_mail_label(row);
	int len;

	if (!label)
		return no_memory(err);
	len = zwb_mail_piece(label, t->label);
	zwb_mail_put(&l, "%-*.*s %c", t->label, len, label, row->cls);
	put_cell(&l, &t->columns[0], &row->cells[0]);
	for (size_t c = first; c < end; c++)
		put_cell(&l, &t->columns[c], &row->cells[c]);
	zwb_mail_end(&l, t->out);
	zwb_mail_rest(&l, t->out, label + len, t->label);
	free(label);
	return ZWB_OK;
}

static void put_heads(const struct table *t, size_t first, size_t end)
{
	struct zwb_mail_line l = { .len = 0 };

	zwb_mail_put(&l, "%*s", t->label + CLASS_WIDTH, "");
	for (size_t c = 0; c < end; c = c ? c + 1 : first) {
		const struct column *col = &t->columns[c];
		int tail = col->delta ? 1 + col->delta : 0;
		int len = (int)strlen(col->head);

		/* over the value if it fits there, else up to the end of the column */
		if (len > col->all - tail)
			tail = 0;
		zwb_mail_put(&l, "%*s%*s", GAP + col->all - tail, col->head, tail, "");
	}
	zwb_mail_end(&l, t->out);
}

/* The end of the block that starts with column @first. */
static size_t block_end(const struct table *t, size_t first)
{
	int used = t->label + CLASS_WIDTH + GAP + t->columns[0].all;
	size_t end = first;

	while (end < t->cmp->nr_columns && used + GAP + t->columns[end].all <= WIDTH)
		used += GAP + t->columns[end++].all;
	return end;
}

/* All blocks of the rows [begin, end), which are of one cgroup. */
static int put_section(const struct table *t, size_t begin, size_t end, struct zwb_err *err)
{
	size_t first = 1;
	int ret = ZWB_OK;

	do {
		size_t behind = block_end(t, first);

		put_heads(t, first, behind);
		for (size_t i = begin; !ret && i < end; i++)
			ret = put_row(t, &t->cmp->rows[i], first, behind, err);
		fputc('\n', t->out);
		first = behind;
	} while (!ret && first < t->cmp->nr_columns);
	return ret;
}

static int put_group(const struct table *t, const char *group, struct zwb_err *err)
{
	if (group)
		return zwb_mail_text(
			t->out, "", 2, zwb_text_printf("%s %s", t->cmp->group_kind, group), err);
	fputs("total\n", t->out);
	return ZWB_OK;
}

/* How sure it is, of one group. */
static int put_sure(const struct table *t, size_t begin, size_t end, struct zwb_err *err)
{
	const char **heads;
	int ret;

	if (t->cmp->nr_recordings == 0)
		return zwb_mail_published(t->out, t->cmp, begin, end, err);
	heads = calloc(t->cmp->nr_columns, sizeof(*heads));
	if (!heads)
		return no_memory(err);
	for (size_t c = 0; c < t->cmp->nr_columns; c++)
		heads[c] = t->columns[c].head;
	ret = zwb_mail_sure(t->out, t->cmp, heads, begin, end, err);
	free(heads);
	return ret;
}

static int put_sections(const struct table *t, struct zwb_err *err)
{
	const struct zwb_comparison *cmp = t->cmp;
	int several = cmp->nr_rows && cmp->rows[cmp->nr_rows - 1].group != NULL;
	int ret = ZWB_OK;
	size_t end;

	for (size_t i = 0; !ret && i < cmp->nr_rows; i = end) {
		/* rows of one group share the string */
		for (end = i; end < cmp->nr_rows && cmp->rows[end].group == cmp->rows[i].group;)
			end++;
		if (several)
			ret = put_group(t, cmp->rows[i].group, err);
		if (!ret)
			ret = put_section(t, i, end, err);
		if (!ret)
			ret = put_sure(t, i, end, err);
	}
	if (cmp->nr_rows == 0)
		fputs("Nothing of what was asked for was measured.\n\n", t->out);
	return ret;
}

/* -- what stands underneath -- */

static int put_text(
	const struct table *t, const char *first, int indent, char *text, struct zwb_err *err)
{
	return zwb_mail_text(t->out, first, indent, text, err);
}

/* A paragraph from parts. */
static int put_joined(const struct table *t, const char *first, const char *a, const char *b,
	const char *c, struct zwb_err *err)
{
	char *text;

	if (asprintf(&text, "%s%s%s", a, b, c) < 0)
		return no_memory(err);
	return put_text(t, first, 4, text, err);
}

/* Recordings that a mean or a spread would hide, of one policy. */
static int put_oddity(const struct table *t, size_t column, struct zwb_err *err)
{
	char *text = NULL, *oddity;
	size_t len, nr = 0;
	FILE *list = open_memstream(&text, &len);
	int ret = ZWB_OK;

	if (!list)
		return no_memory(err);
	for (size_t i = 0; !ret && i < t->cmp->nr_rows; i++) {
		const struct zwb_cmp_row *row = &t->cmp->rows[i];

		oddity = zwb_describe_oddity(&row->cells[column]);
		if (!oddity)
			ret = no_memory(err);
		else if (oddity[0])
			fprintf(list, "%s%s%s%s (%s)", nr++ ? ", " : "",
				row->group ? row->group : "", row->group ? " " : "", row->name,
				oddity);
		free(oddity);
	}
	if (fclose(list) != 0 || ret) {
		free(text);
		return ret ? ret : no_memory(err);
	}
	if (nr == 0) {
		free(text);
		return ZWB_OK;
	}
	ret = put_joined(
		t, "Look at the recordings of ", t->cmp->columns[column].label, ": ", text, err);
	free(text);
	return ret;
}

static int put_oddities(const struct table *t, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t c = 0; !ret && c < t->cmp->nr_columns; c++)
		ret = put_oddity(t, c, err);
	return ret;
}

static int put_rules(const struct table *t, struct zwb_err *err)
{
	const struct zwb_comparison *cmp = t->cmp;
	int has_percentiles = 0, ret = ZWB_OK;

	for (size_t i = 0; i < cmp->nr_rows; i++)
		has_percentiles |= cmp->rows[i].kind == ZWB_KIND_HIST;
	if (cmp->nr_columns > 1)
		ret = put_joined(t, "Changes are against ", cmp->columns[0].label, ".", "", err);
	if (!ret)
		ret = put_text(t, "", 2, zwb_describe_classes(cmp), err);
	if (!ret && has_percentiles)
		fputs("Percentiles are of merged histograms, off by at most 0.05 %.\n", t->out);
	if (!ret)
		ret = put_text(t, "", 2, zwb_describe_spread(cmp), err);
	if (!ret)
		ret = put_text(t, "", 2, zwb_describe_method(cmp), err);
	if (!ret)
		ret = put_text(t, "", 2, zwb_describe_drift(cmp), err);
	return ret ? ret : put_oddities(t, err);
}

static const char *setting(const struct zwb_cmp_column *column, size_t offset)
{
	const char *value = *(const char *const *)((const char *)column->info + offset);

	return value[0] ? value : "-";
}

/* A setting of the replays: once if all policies share it, else with the policies that have it. */
static int put_setting(const struct table *t, const char *name, size_t offset, struct zwb_err *err)
{
	const struct zwb_cmp_column *columns = t->cmp->columns, *shared = NULL;
	size_t nr = t->cmp->nr_columns;
	int is_shared = 1, ret = ZWB_OK;
	char first[32];

	snprintf(first, sizeof(first), "  %s ", name);
	for (size_t c = 0; c < nr; c++) {
		if (zwb_cmp_is_measured(&columns[c]))
			continue;
		if (!shared)
			shared = &columns[c];
		is_shared &= strcmp(setting(&columns[c], offset), setting(shared, offset)) == 0;
	}
	if (shared && is_shared)
		return put_joined(t, first, setting(shared, offset), "", "", err);
	if (t->is_wide)
		return put_joined(t, first, "not the same for all, see above", "", "", err);
	for (size_t c = 0; !ret && c < nr; c++) {
		if (!zwb_cmp_is_measured(&columns[c]))
			ret = put_joined(t, first, setting(&columns[c], offset), " for ",
				columns[c].label, err);
	}
	return ret;
}

static int is_replayed(const struct zwb_comparison *cmp)
{
	for (size_t c = 0; c < cmp->nr_columns; c++) {
		if (!zwb_cmp_is_measured(&cmp->columns[c]))
			return 1;
	}
	return 0;
}

static int put_settings(const struct table *t, struct zwb_err *err)
{
	static const struct {
		const char *name;
		size_t offset;
		const char *grouped; /* left out if groups are by it */
	} settings[] = {
		{ "trigger", offsetof(struct zwb_run_arm_info, trigger), "" },
		{ "loop", offsetof(struct zwb_run_arm_info, loop), "" },
		{ "scheduler", offsetof(struct zwb_run_arm_info, scheduler), "" },
		{ "device", offsetof(struct zwb_run_arm_info, device), "device" },
	};
	int ret;

	fputc('\n', t->out);
	if (!is_replayed(t->cmp))
		return ZWB_OK;
	ret = put_joined(t, "Replayed by zwb ", t->cmp->version, " with", "", err);
	for (size_t i = 0; !ret && i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (strcmp(settings[i].grouped, t->cmp->group_kind) != 0)
			ret = put_setting(t, settings[i].name, settings[i].offset, err);
	}
	return ret;
}

/* The whole name of policies whose column shows only a part of it, and every parameter. */
static int put_policy(const struct table *t, size_t c, struct zwb_err *err)
{
	const struct zwb_cmp_column *column = &t->cmp->columns[c];
	const char *label = column->label, *params = column->info->policy_params;
	int repeats = strncmp(params, label, strlen(label)) == 0;
	char first[HEAD_MAX + 8] = "  ";

	if (strcmp(t->columns[c].head, label) != 0)
		snprintf(first, sizeof(first), "  %s = ", t->columns[c].head);
	if (zwb_cmp_is_measured(column))
		return put_text(t, first, 4,
			zwb_text_printf("%s: %s%s%zu measured runs", label, params,
				params[0] ? ", " : "", column->nr_recordings),
			err);
	return put_joined(
		t, first, repeats ? "" : label, repeats || !params[0] ? "" : ": ", params, err);
}

/* Published tables name their arms in the groups, and builds are compared policy by policy. */
static int put_policies(const struct table *t, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (t->cmp->nr_recordings == 0 || strcmp(t->cmp->group_kind, "policy") == 0)
		return ZWB_OK;
	fputs(is_replayed(t->cmp) ? "Policies:\n" : "Kernels:\n", t->out);
	for (size_t c = 0; !ret && c < t->cmp->nr_columns; c++)
		ret = put_policy(t, c, err);
	return ret;
}

static int put_recordings(const struct table *t, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (is_replayed(t->cmp))
		fputs("Recordings:\n", t->out);
	for (size_t i = 0; !ret && i < t->cmp->nr_recordings; i++) {
		const struct zwb_run_trace *r = t->cmp->recordings[i].trace;
		char first[32];

		if (t->cmp->recordings[i].is_measured)
			continue;
		snprintf(first, sizeof(first), "  %zu. ", i + 1);
		ret = put_text(t, first, 5, zwb_describe_recording(r), err);
		if (!ret)
			ret = put_text(t, "     lost: ", 7, zwb_describe_losses(r), err);
		if (!ret)
			ret = put_text(t, "     odd: ", 7, zwb_describe_oddities(r), err);
		if (!ret)
			ret = put_text(t, "     unknown: ", 7, zwb_describe_unknowns(r), err);
	}
	return ret;
}

static int put_notes(const struct table *t, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (t->cmp->nr_notes)
		fputs("Notes:\n", t->out);
	for (size_t i = 0; !ret && i < t->cmp->nr_notes; i++)
		ret = put_joined(t, "  - ", t->cmp->notes[i], "", "", err);
	return ret;
}

static int lkml_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	struct table t = { .out = out, .cmp = cmp };
	int ret;

	t.columns = calloc(cmp->nr_columns, sizeof(*t.columns));
	if (!t.columns)
		return no_memory(err);
	t.is_wide = cmp->is_sweep && cmp->nr_columns > SWEEP_TABLE_MAX;
	ret = fit_table(&t, err);
	if (!ret && !t.is_wide)
		ret = put_sections(&t, err);
	if (!ret && cmp->is_sweep)
		ret = zwb_sweeptext_write(out, WIDTH, cmp, err);
	if (!ret)
		ret = put_rules(&t, err);
	if (!ret)
		ret = put_settings(&t, err);
	if (!ret && !t.is_wide)
		ret = put_policies(&t, err);
	if (!ret)
		ret = put_recordings(&t, err);
	if (!ret)
		ret = put_notes(&t, err);
	free(t.columns);
	return ret;
}

const struct zwb_format_ops zwb_format_lkml = {
	.name = "lkml",
	.summary = "plain ASCII table of at most 76 columns for a mail (default)",
	.write = lkml_write,
};
