/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From published means to a comparison. */
#include "published.h"

#include "compare_priv.h"
#include "csvread.h"
#include "grow.h"
#include "power.h"
#include "stats.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column {
	TABLE,
	SOURCE,
	WORKLOAD,
	CONDITION,
	METRIC,
	UNIT,
	ARM_A,
	A_MEAN,
	A_SD,
	ARM_B,
	B_MEAN,
	B_SD,
	DELTA,
	NR_COLUMNS
};

static const char *const names[NR_COLUMNS] = { "table", "source", "workload", "condition", "metric",
	"unit", "arm_a", "a_mean", "a_sd", "arm_b", "b_mean", "b_sd", "delta_pct" };

struct reading {
	const char *path;
	const struct zwb_published_options *options;
	struct zwb_csv *csv;
	int at[NR_COLUMNS];
	struct zwb_comparison *cmp;
	const char *group; /* of the last row */
};

static int no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for published tables");
}

static int find_columns(struct reading *r, struct zwb_err *err)
{
	for (int c = 0; c < NR_COLUMNS; c++) {
		r->at[c] = zwb_csv_find(r->csv, names[c]);
		if (r->at[c] < 0)
			return zwb_err_set(err, ZWB_EKIND, 0,
				"%.200s: the first line names no column %s", r->path, names[c]);
	}
	return ZWB_OK;
}

static const char *cell(const struct reading *r, enum column c)
{
	return zwb_csv_cell(r->csv, r->at[c]);
}

/* Text that lives as long as the comparison; passes to it. NULL without memory. */
static const char *keep(struct zwb_comparison *cmp, char *text)
{
	struct cmp_priv *p = cmp->priv;

	if (!text || !ZWB_GROW(p->kept, p->nr_kept)) {
		free(text);
		return NULL;
	}
	p->kept[p->nr_kept++] = text;
	return text;
}

/* Half a unit of the last digit that was printed: "1.07" is within 0.005. */
static double rounding(const char *text)
{
	const char *point = strchr(text, '.');

	return point ? 0.5 * pow(10, -(double)strspn(point + 1, "0123456789")) : 0.5;
}

/* Does a printed change follow from printed means? See published_agrees. */
static int agrees(const struct reading *r, double a, double b, double delta, double printed)
{
	double ra = rounding(cell(r, A_MEAN)), rb = rounding(cell(r, B_MEAN)),
	       rp = rounding(cell(r, DELTA)) * (1 + 1e-9);
	double low = delta, high = delta;

	for (int i = 0; i < 4; i++) {
		double corner =
			zwb_stats_delta_percent(b + (i & 1 ? rb : -rb), a + (i & 2 ? ra : -ra));

		low = fmin(low, corner);
		high = fmax(high, corner);
	}
	if (fabs(delta - printed) <= rp)
		return 1;
	return printed >= low - rp && printed <= high + rp ? 0 : -1;
}

/* What 3 and 5 runs an arm could have shown. */
static void find_power(const struct zwb_cmp_cell *a, const struct zwb_cmp_cell *b, double cv,
	struct zwb_cmp_sure *s)
{
	struct zwb_spread spread = { a->sd, b->sd, 0 };

	if (isnan(spread.sd_base))
		spread.sd_base = cv * fabs(a->value);
	if (isnan(spread.sd_other))
		spread.sd_other = cv * fabs(b->value);
	s->detectable_n3_percent = 100 * zwb_detectable(&spread, 3) / fabs(a->value);
	s->detectable_n5_percent = 100 * zwb_detectable(&spread, 5) / fabs(a->value);
	s->n_needed = zwb_n_needed(&spread, b->value - a->value);
}

static int fill_cells(const struct reading *r, struct zwb_cmp_cell *a, struct zwb_cmp_cell *b,
	struct zwb_err *err)
{
	static const struct zwb_cmp_cell unknown = { .value = NAN,
		.sd = NAN,
		.seed_sd = NAN,
		.delta_percent = NAN,
		.sure = ZWB_CMP_SURE_UNKNOWN,
		.published_percent = NAN,
		.sample_low = NAN,
		.sample_high = NAN,
		.drift_percent = NAN,
		.cls = ZWB_CLASS_MEASURED };
	const struct {
		enum column column;
		double *to;
	} numbers[] = { { A_MEAN, &a->value }, { A_SD, &a->sd }, { B_MEAN, &b->value },
		{ B_SD, &b->sd }, { DELTA, &b->published_percent } };
	int ret = ZWB_OK;

	*a = *b = unknown;
	for (size_t i = 0; !ret && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ret = zwb_csv_number(r->csv, r->at[numbers[i].column], numbers[i].to, err);
	if (ret)
		return ret;
	if (a->sd < 0 || b->sd < 0)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%.200s, line %lu: a standard deviation below 0", r->path,
			zwb_csv_line(r->csv));
	b->delta_percent = zwb_stats_delta_percent(b->value, a->value);
	if (isnan(b->delta_percent))
		return ZWB_OK;
	b->sure.pairing = ZWB_UNPAIRED;
	find_power(a, b, r->options->assumed_cv, &b->sure);
	if (isfinite(b->published_percent))
		b->published_agrees =
			agrees(r, a->value, b->value, b->delta_percent, b->published_percent);
	return ZWB_OK;
}

/* 1 if @metric is in the list, or there is none. */
static int is_selected(const char *list, const char *metric)
{
	size_t len = strlen(metric);

	if (!list)
		return 1;
	while (*list) {
		size_t item;

		list += strspn(list, " ,");
		item = strcspn(list, ",");
		while (item > 0 && list[item - 1] == ' ')
			item--;
		if (item == len && memcmp(list, metric, len) == 0)
			return 1;
		list += strcspn(list, ",");
	}
	return 0;
}

/* Changes that were published alone give no baseline to be better than. */
static enum zwb_better better_of(const char *metric)
{
	for (unsigned int m = 0; m < ZWB_METRIC_NR; m++) {
		const struct zwb_metric_def *def = zwb_metric_def((enum zwb_metric)m);

		if (strcmp(def->name, metric) == 0)
			return def->better;
	}
	return ZWB_BETTER_NEITHER;
}

/* The group of the present line: the last one, if it is called the same. */
static int find_group(struct reading *r, struct zwb_err *err)
{
	char *group = zwb_text_printf("%s (%s): %s, %s: %s -> %s", cell(r, TABLE), cell(r, SOURCE),
		cell(r, WORKLOAD), cell(r, CONDITION), cell(r, ARM_A), cell(r, ARM_B));

	if (group && r->group && strcmp(group, r->group) == 0) {
		free(group);
		return ZWB_OK;
	}
	r->group = keep(r->cmp, group);
	return r->group ? ZWB_OK : no_memory(err);
}

static int add_row(struct reading *r, struct zwb_err *err)
{
	struct zwb_cmp_row row = { .definition = "as published",
		.kind = ZWB_KIND_VALUE,
		.better = better_of(cell(r, METRIC)),
		.cls = ZWB_CLASS_MEASURED };
	int ret = find_group(r, err);

	if (ret)
		return ret;
	row.group = r->group;
	row.name = keep(r->cmp, strdup(cell(r, METRIC)));
	row.unit = keep(r->cmp, strdup(cell(r, UNIT)));
	if (!row.name || !row.unit || !ZWB_GROW(r->cmp->rows, r->cmp->nr_rows))
		return no_memory(err);
	row.cells = calloc(2, sizeof(*row.cells));
	if (!row.cells)
		return no_memory(err);
	ret = fill_cells(r, &row.cells[0], &row.cells[1], err);
	if (ret) {
		free(row.cells);
		return ret;
	}
	r->cmp->rows[r->cmp->nr_rows++] = row;
	return ZWB_OK;
}

static int add_columns(struct zwb_comparison *cmp, struct zwb_err *err)
{
	static const struct zwb_run_arm_info info = { .policy = "",
		.policy_params = "",
		.device = "",
		.trigger = ZWB_TRIGGER_MEASURED,
		.loop = "",
		.scheduler = "" };
	static const char *const labels[] = { "before", "after" };

	cmp->columns = calloc(2, sizeof(*cmp->columns));
	if (!cmp->columns)
		return no_memory(err);
	cmp->nr_columns = 2;
	for (int i = 0; i < 2; i++) {
		cmp->columns[i].info = &info;
		cmp->columns[i].label = strdup(labels[i]);
		if (!cmp->columns[i].label)
			return no_memory(err);
	}
	return ZWB_OK;
}

static int add_note(struct reading *r, struct zwb_err *err)
{
	double cv = r->options->assumed_cv;
	char *text = isnan(cv) ? zwb_text_printf("%s: means without n: no interval and no p; means "
						 "without a deviation say nothing of what could be "
						 "shown, unless one is assumed (--assume-cv)",
					 r->path)
			       : zwb_text_printf("%s: means without n: no interval and no p; where "
						 "no deviation was published, %g %% of the mean is "
						 "assumed",
					 r->path, 100 * cv);

	if (!text || !ZWB_GROW(r->cmp->notes, r->cmp->nr_notes)) {
		free(text);
		return no_memory(err);
	}
	r->cmp->notes[r->cmp->nr_notes++] = text;
	return ZWB_OK;
}

static int read_rows(struct reading *r, struct zwb_err *err)
{
	int ret = find_columns(r, err);

	if (!ret)
		ret = add_columns(r->cmp, err);
	while (!ret) {
		ret = zwb_csv_next(r->csv, err);
		if (ret <= 0)
			break;
		ret = ZWB_OK;
		if (is_selected(r->options->metrics, cell(r, METRIC)))
			ret = add_row(r, err);
	}
	if (!ret && r->cmp->nr_rows == 0)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "%.200s: no row that was asked for", r->path);
	return ret ? ret : add_note(r, err);
}

int zwb_published_is(const char *path, struct zwb_err *err)
{
	struct zwb_csv *csv;
	int ret = zwb_csv_open(path, &csv, err);

	if (ret)
		return ret;
	ret = zwb_csv_find(csv, names[A_MEAN]) >= 0 && zwb_csv_find(csv, names[B_MEAN]) >= 0;
	zwb_csv_close(csv);
	return ret;
}

int zwb_published_compare(const char *path, const struct zwb_published_options *options,
	const char *version, struct zwb_comparison **out, struct zwb_err *err)
{
	struct reading r = { .path = path, .options = options };
	int ret = zwb_csv_open(path, &r.csv, err);

	*out = NULL;
	if (ret)
		return ret;
	r.cmp = calloc(1, sizeof(*r.cmp));
	if (r.cmp)
		r.cmp->priv = calloc(1, sizeof(struct cmp_priv));
	if (r.cmp && r.cmp->priv) {
		r.cmp->group_kind = "table";
		r.cmp->version = version;
		ret = read_rows(&r, err);
	} else {
		ret = no_memory(err);
	}
	zwb_csv_close(r.csv);
	if (ret)
		zwb_comparison_free(r.cmp);
	else
		*out = r.cmp;
	return ret;
}
