/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated values, quoted as RFC 4180, one row a metric, group and policy. */
#include "compare.h"
#include "format_ops.h"
#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CSV_SCHEMA_VERSION 2

static const char csv_header[] =
	"schema_version,metric,unit,better,class,scope,group,policy,params,device,scheduler,"
	"trigger,loop,is_baseline,n,replays,value,sd,seed_sd,delta_percent,samples,lost_events,"
	"lost_is_exact,unknown,center,pairing,verdict,low_percent,high_percent,interval,p,test,"
	"p_exact,p_least,p_holm,tests,detectable_percent,detectable_n3_percent,detectable_n5_"
	"percent,"
	"n_needed,sample_low,sample_high,outliers,lower_group,drift_over,drift_percent,"
	"published_percent,published_agrees\n";

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

static int put_row_texts(FILE *out, const struct zwb_comparison *cmp, const struct zwb_cmp_row *row,
	size_t c, struct zwb_err *err)
{
	const struct zwb_cmp_column *column = &cmp->columns[c];
	const char cls[2] = { row->cells[c].cls, '\0' };
	const char *const texts[] = { row->name, row->unit, zwb_better_name(row->better), cls,
		row->group ? cmp->group_kind : "total", row->group ? row->group : "", column->label,
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
		if (!cell->by_recording || !isfinite(cell->by_recording[r]))
			continue;
		lost += cmp->recordings[r].nr_lost;
		unknown += cmp->recordings[r].nr_unknown;
		exact &= cmp->recordings[r].lost_is_exact;
	}
	fprintf(out, "%" PRIu64 ",%d,%" PRIu64 ",", lost, exact, unknown);
}

/* A whole number, empty for 0. */
static void put_count(FILE *out, uint64_t nr)
{
	if (nr)
		fprintf(out, "%" PRIu64, nr);
	fputc(',', out);
}

/* How sure the difference is. Names of ours need no quotes. */
static void put_sure(FILE *out, const struct zwb_comparison *cmp, const struct zwb_cmp_sure *s)
{
	fprintf(out, "%s,%s,%s,", zwb_center_name(cmp->center), zwb_pairing_name(s->pairing),
		zwb_verdict_name(s->verdict));
	put_number(out, s->low_percent);
	put_number(out, s->high_percent);
	fprintf(out, "%s,", isfinite(s->low_percent) ? zwb_interval_name(s) : "");
	put_number(out, s->p);
	fprintf(out, "%s,", isfinite(s->p) ? zwb_test_name(s) : "");
	put_number(out, s->p_exact);
	put_number(out, s->p_least);
	put_number(out, s->p_holm);
	put_count(out, s->nr_tests);
	put_number(out, s->detectable_percent);
	put_number(out, s->detectable_n3_percent);
	put_number(out, s->detectable_n5_percent);
	put_count(out, s->n_needed);
}

static void put_oddities(FILE *out, const struct zwb_cmp_cell *cell)
{
	put_number(out, cell->sample_low);
	put_number(out, cell->sample_high);
	put_count(out, cell->nr_outliers);
	put_count(out, cell->lower_group);
	fprintf(out, "%s,", cell->drift == ZWB_DRIFT_NONE ? "" : zwb_drift_name(cell->drift));
	put_number(out, cell->drift_percent);
	put_number(out, cell->published_percent);
	fprintf(out, "%s\n",
		isfinite(cell->published_percent) ? zwb_agrees_name(cell->published_agrees) : "");
}

static int csv_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	int ret = ZWB_OK;

	fputs(csv_header, out);
	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *row = &cmp->rows[i];

		for (size_t c = 0; !ret && c < cmp->nr_columns; c++) {
			const struct zwb_cmp_cell *cell = &row->cells[c];

			ret = put_row_texts(out, cmp, row, c, err);
			if (ret)
				break;
			fprintf(out, "%d,%zu,%zu,", c == 0, cell->n, cell->nr_arms);
			put_number(out, cell->value);
			put_number(out, cell->sd);
			put_number(out, cell->seed_sd);
			put_number(out, cell->delta_percent);
			fprintf(out, "%" PRIu64 ",", cell->samples);
			put_losses(out, cmp, cell);
			put_sure(out, cmp, &cell->sure);
			put_oddities(out, cell);
		}
	}
	return ret;
}

const struct zwb_format_ops zwb_format_csv = {
	.name = "csv",
	.summary = "one row a metric, group and policy, all statistics, RFC 4180 quoting",
	.write = csv_write,
};
