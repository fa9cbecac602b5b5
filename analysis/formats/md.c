/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in Markdown, as on code forges: a row a metric and policy, with its verdict in words. */
#include "compare.h"
#include "describe.h"
#include "format_ops.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
}

/* Text of any origin, such that nothing in it is markup, a link or a new cell. */
static int put_text(FILE *out, const char *text, struct zwb_err *err)
{
	char *safe = zwb_text_utf8(text);

	if (!safe)
		return no_memory(err);
	for (const char *s = safe; *s; s++) {
		if (*s == '<')
			fputs("&lt;", out);
		else if (*s == '&')
			fputs("&amp;", out);
		else if (strchr("\\`*_{}[]()#!|~>", *s))
			fprintf(out, "\\%c", *s);
		else
			fputc(*s, out);
	}
	free(safe);
	return ZWB_OK;
}

/* A sentence of ours with names in it, which is freed. */
static int put_paragraph(FILE *out, const char *first, char *text, struct zwb_err *err)
{
	int ret;

	if (!text)
		return no_memory(err);
	ret = ZWB_OK;
	if (text[0]) {
		fputs(first, out);
		ret = put_text(out, text, err);
		fputs("\n", out);
	}
	free(text);
	return ret;
}

static void put_value(FILE *out, const struct zwb_cmp_cell *cell)
{
	char value[ZWB_TEXT_NUM_SIZE], spread[ZWB_TEXT_NUM_SIZE];

	zwb_text_value(value, cell->value, cell->sd);
	zwb_text_spread(spread, cell->value, cell->sd);
	fprintf(out, " %s%s%s |", value, spread[0] ? " ± " : "", spread);
}

static void put_interval(FILE *out, const struct zwb_cmp_sure *s)
{
	char low[ZWB_TEXT_NUM_SIZE], high[ZWB_TEXT_NUM_SIZE];

	if (isnan(s->low_percent)) {
		fputs(" |", out);
		return;
	}
	zwb_text_percent(low, s->low_percent);
	zwb_text_percent(high, s->high_percent);
	fprintf(out, " %s to %s |", low, high);
}

/* Its p, and the permutation's in brackets. */
static void put_p(FILE *out, const struct zwb_cmp_sure *s)
{
	char p[ZWB_TEXT_NUM_SIZE], exact[ZWB_TEXT_NUM_SIZE], holm[ZWB_TEXT_NUM_SIZE];

	zwb_describe_p(p, s->p);
	zwb_describe_p(exact, s->p_exact);
	zwb_describe_p(holm, s->p_holm);
	/* "<" would start a tag */
	fprintf(out, " %s%s%s%s%s |", p[0] == '<' ? "&lt;" : "", p[0] == '<' ? p + 1 : p,
		exact[0] ? " (" : "", exact, exact[0] ? ")" : "");
	fprintf(out, " %s%s |", holm[0] == '<' ? "&lt;" : "", holm[0] == '<' ? holm + 1 : holm);
}

static int put_verdict(FILE *out, const struct zwb_cmp_cell *cell, struct zwb_err *err)
{
	char words[ZWB_TEXT_NUM_SIZE], *text;
	int ret;

	if (isfinite(cell->published_percent) || cell->n == 0) {
		zwb_describe_published(words, cell);
		fprintf(out, " %s |", words);
		return ZWB_OK;
	}
	text = zwb_describe_verdict(cell);
	if (!text)
		return no_memory(err);
	fputc(' ', out);
	ret = put_text(out, text, err);
	fputs(" |", out);
	free(text);
	return ret;
}

static int put_cell(FILE *out, const struct zwb_comparison *cmp, const struct zwb_cmp_row *row,
	size_t c, struct zwb_err *err)
{
	const struct zwb_cmp_cell *cell = &row->cells[c];
	char change[ZWB_TEXT_NUM_SIZE], drift[ZWB_TEXT_NUM_SIZE] = "";
	int ret;

	fputs("| ", out);
	ret = put_text(out, row->name, err);
	if (!ret && row->unit[0] && strcmp(row->unit, "count") != 0 &&
		strcmp(row->unit, "ratio") != 0) {
		fputs(" (", out);
		ret = put_text(out, row->unit, err);
		fputc(')', out);
	}
	fprintf(out, " | %c | ", cell->cls ? cell->cls : ' ');
	if (!ret)
		ret = put_text(out, cmp->columns[c].label, err);
	fputs(" |", out);
	put_value(out, cell);
	zwb_text_percent(change, cell->delta_percent);
	fprintf(out, " %s |", c ? change : "");
	put_interval(out, &cell->sure);
	put_p(out, &cell->sure);
	if (cell->drift != ZWB_DRIFT_NONE)
		zwb_text_percent(drift, cell->drift_percent);
	fprintf(out, " %s |", drift);
	if (!ret)
		ret = put_verdict(out, cell, err);
	fputc('\n', out);
	return ret;
}

static int put_table(
	FILE *out, const struct zwb_comparison *cmp, size_t begin, size_t end, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fputs("| metric | class | policy | value | change | 95 % interval | p | Holm | A/A | "
	      "verdict |\n"
	      "| --- | :-: | --- | --: | --: | :-: | --: | --: | --: | --- |\n",
		out);
	for (size_t i = begin; !ret && i < end; i++) {
		for (size_t c = 0; !ret && c < cmp->nr_columns; c++)
			ret = put_cell(out, cmp, &cmp->rows[i], c, err);
	}
	fputc('\n', out);
	return ret;
}

static int put_groups(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int several = cmp->nr_rows && cmp->rows[cmp->nr_rows - 1].group;
	int ret = ZWB_OK;
	size_t end;

	for (size_t i = 0; !ret && i < cmp->nr_rows; i = end) {
		const char *group = cmp->rows[i].group;

		for (end = i; end < cmp->nr_rows && cmp->rows[end].group == group;)
			end++;
		if (several) {
			fprintf(out, "### %s ", group ? cmp->group_kind : "total");
			ret = put_text(out, group ? group : "", err);
			fputs("\n\n", out);
		}
		if (!ret)
			ret = put_table(out, cmp, i, end, err);
	}
	if (cmp->nr_rows == 0)
		fputs("Nothing of what was asked for was measured.\n\n", out);
	return ret;
}

static int put_policies(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (cmp->nr_recordings == 0)
		return ZWB_OK;
	fputs("\nPolicies:\n\n", out);
	for (size_t c = 0; !ret && c < cmp->nr_columns; c++) {
		const struct zwb_cmp_column *col = &cmp->columns[c];
		const struct zwb_run_arm_info *info = col->info;

		if (zwb_cmp_is_measured(col))
			ret = put_paragraph(out, "* ",
				zwb_text_printf("%s: %s, %zu measured runs", col->label,
					info->policy_params, col->nr_recordings),
				err);
		else
			ret = put_paragraph(out, "* ",
				zwb_text_printf(
					"%s: %s; trigger %s, loop %s, scheduler %s, device %s",
					col->label, info->policy_params, info->trigger, info->loop,
					info->scheduler, info->device),
				err);
	}
	return ret;
}

static int put_recordings(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int has_heading = 0, ret = ZWB_OK;

	for (size_t i = 0; !ret && i < cmp->nr_recordings; i++) {
		const struct zwb_run_trace *t = cmp->recordings[i].trace;

		if (cmp->recordings[i].is_measured)
			continue;
		if (!has_heading)
			fputs("\nRecordings:\n\n", out);
		has_heading = 1;
		ret = put_paragraph(out, "* ", zwb_describe_recording(t), err);
		if (!ret)
			ret = put_paragraph(out, "  * lost: ", zwb_describe_losses(t), err);
		if (!ret)
			ret = put_paragraph(out, "  * odd: ", zwb_describe_oddities(t), err);
		if (!ret)
			ret = put_paragraph(out, "  * unknown: ", zwb_describe_unknowns(t), err);
	}
	return ret;
}

static int put_notes(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (cmp->nr_notes)
		fputs("\nNotes:\n\n", out);
	for (size_t i = 0; !ret && i < cmp->nr_notes; i++)
		ret = put_paragraph(out, "* ", zwb_text_printf("%s", cmp->notes[i]), err);
	return ret;
}

typedef char *rule_fn(const struct zwb_comparison *cmp);

static rule_fn *const rules[] = { zwb_describe_classes, zwb_describe_spread, zwb_describe_method,
	zwb_describe_drift };

static int md_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int ret = put_groups(out, cmp, err);

	if (!ret && cmp->nr_columns > 1)
		ret = put_paragraph(out, "* ",
			zwb_text_printf("Changes are against %s.", cmp->columns[0].label), err);
	for (size_t i = 0; !ret && i < sizeof(rules) / sizeof(rules[0]); i++)
		ret = put_paragraph(out, "* ", rules[i](cmp), err);
	if (!ret)
		ret = put_policies(out, cmp, err);
	if (!ret)
		ret = put_recordings(out, cmp, err);
	if (!ret)
		ret = put_notes(out, cmp, err);
	fprintf(out, "\nzwb %s\n", cmp->version);
	return ret;
}

const struct zwb_format_ops zwb_format_md = {
	.name = "md",
	.summary = "tables in Markdown, with a verdict in words for every change",
	.write = md_write,
};
