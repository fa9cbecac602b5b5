/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated values, quoted as RFC 4180, one row a metric, cgroup and policy. */
#include "compare.h"
#include "format_ops.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CSV_SCHEMA_VERSION 1

static const char csv_header[] =
	"schema_version,metric,unit,better,class,scope,cgroup,policy,params,device,scheduler,"
	"trigger,loop,is_baseline,n,replays,value,sd,seed_sd,delta_percent,samples,lost_events,"
	"lost_is_exact,unknown\n";

/* One field and the comma behind it. */
static int put_text(FILE *out, const char *text, struct zwb_err *err)
{
	char *safe = zwb_text_utf8(text);

	if (!safe)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	if (strpbrk(safe, ",\"")) {
		fputc('"', out);
		for (const char *s = safe; *s; s++) {
			if (*s == '"')
				fputc('"', out);
			fputc(*s, out);
		}
		fputc('"', out);
	} else {
		fputs(safe, out);
	}
	fputc(',', out);
	free(safe);
	return ZWB_OK;
}

/* Every digit that the value has; empty when it was not measured. */
static void put_number(FILE *out, double value)
{
	char text[ZWB_TEXT_NUM_SIZE];

	if (isfinite(value)) {
		zwb_text_exact(text, value);
		fputs(text, out);
	}
	fputc(',', out);
}

static const char *better_name(enum zwb_better better)
{
	static const char *const names[] = { "lower", "neither", "higher" };

	return names[better];
}

static int put_row_texts(FILE *out, const struct zwb_cmp_row *row, const struct zwb_cmp_cell *cell,
	const struct zwb_cmp_column *column, struct zwb_err *err)
{
	const char cls[2] = { cell->cls, '\0' };
	const char *const texts[] = { row->name, row->unit, better_name(row->better), cls,
		row->cgroup ? "cgroup" : "total", row->cgroup ? row->cgroup : "", column->label,
		column->info->policy_params, column->info->device, column->info->scheduler,
		column->info->trigger, column->info->loop };
	int ret = ZWB_OK;

	fprintf(out, "%d,", CSV_SCHEMA_VERSION);
	for (size_t i = 0; !ret && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = put_text(out, texts[i], err);
	return ret;
}

/* What the recordings behind a cell lost, and do not tell. */
static void put_losses(FILE *out, const struct zwb_comparison *cmp, const struct zwb_cmp_cell *cell)
{
	uint64_t lost = 0, unknown = 0;
	int exact = 1;

	for (size_t r = 0; r < cmp->nr_recordings; r++) {
		if (!isfinite(cell->by_recording[r]))
			continue;
		lost += cmp->recordings[r].nr_lost;
		unknown += cmp->recordings[r].nr_unknown;
		exact &= cmp->recordings[r].lost_is_exact;
	}
	fprintf(out, "%" PRIu64 ",%d,%" PRIu64 "\n", lost, exact, unknown);
}

static int csv_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fputs(csv_header, out);
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *row = &cmp->rows[i];

		for (size_t c = 0; !ret && c < cmp->nr_columns; c++) {
			const struct zwb_cmp_cell *cell = &row->cells[c];

			ret = put_row_texts(out, row, cell, &cmp->columns[c], err);
			if (ret)
				break;
			fprintf(out, "%d,%zu,%zu,", c == 0, cell->n, cell->nr_arms);
			put_number(out, cell->value);
			put_number(out, cell->sd);
			put_number(out, cell->seed_sd);
			put_number(out, cell->delta_percent);
			fprintf(out, "%" PRIu64 ",", cell->samples);
			put_losses(out, cmp, cell);
		}
	}
	return ret;
}

const struct zwb_format_ops zwb_format_csv = {
	.name = "csv",
	.summary = "one row a metric, cgroup and policy, all statistics, RFC 4180 quoting",
	.write = csv_write,
};
