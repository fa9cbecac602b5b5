/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From lines of counters to arms. */
#include "measured_run.h"

#include "csvread.h"
#include "measured.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US 1e-6

/* Counters that mean a metric; of several for one metric the first that is there. */
static const struct counter {
	const char *name;
	enum zwb_metric metric;
	double scale;
} counters[] = {
	{ "zswpwb", ZWB_METRIC_ZSWPWB, 1 },
	{ "pswpout", ZWB_METRIC_PAGES_WRITTEN, 1 },
	{ "nrswpout", ZWB_METRIC_WRITE_BIOS, 1 },
	{ "swap_w_ios", ZWB_METRIC_WRITE_REQUESTS, 1 },
	{ "w_ios", ZWB_METRIC_WRITE_REQUESTS, 1 },
	{ "pswpin", ZWB_METRIC_PAGES_READ, 1 },
	{ "nrswpin", ZWB_METRIC_READ_BIOS, 1 },
	{ "swap_r_ios", ZWB_METRIC_READ_REQUESTS, 1 },
	{ "r_ios", ZWB_METRIC_READ_REQUESTS, 1 },
	{ "io_cost.indebt", ZWB_METRIC_IOCOST_DEBT, US },
	{ "io_cost.wait", ZWB_METRIC_IOCOST_WAIT, US },
	{ "io_cost.indelay", ZWB_METRIC_IOCOST_DELAY, US },
	{ "io_cost.usage", ZWB_METRIC_IOCOST_USAGE, US },
	{ "psi_io_some_us", ZWB_METRIC_IO_SOME, US },
	{ "psi_io_full_us", ZWB_METRIC_IO_FULL, US },
	{ "psi_memory_some_us", ZWB_METRIC_MEM_SOME, US },
	{ "psi_memory_full_us", ZWB_METRIC_MEM_FULL, US },
	{ "pgrotated", ZWB_METRIC_PGROTATED, 1 },
	{ "pgscan_direct", ZWB_METRIC_PGSCAN_DIRECT, 1 },
	{ "pgsteal_direct", ZWB_METRIC_PGSTEAL_DIRECT, 1 },
	{ "z_written_back_pages", ZWB_METRIC_WRITTEN_BACK, 1 },
	{ "z_pool_limit_hit", ZWB_METRIC_POOL_LIMIT_HIT, 1 },
	{ "z_reject_reclaim_fail", ZWB_METRIC_REJECT_RECLAIM, 1 },
	{ "z_reject_alloc_fail", ZWB_METRIC_REJECT_ALLOC, 1 },
	{ "z_reject_kmemcache_fail", ZWB_METRIC_REJECT_KMEMCACHE, 1 },
	{ "z_reject_compress_fail", ZWB_METRIC_REJECT_COMPRESS, 1 },
	{ "z_reject_compress_poor", ZWB_METRIC_REJECT_POOR, 1 },
};

/* Columns that describe a run; neither measured nor worth a note. */
static const char *const described[] = { "kernel", "arm", "workload", "sched", "iocost", "writer",
	"bad", "trace", "traced", "run", "seed" };

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* What a column is taken for. */
struct meaning {
	uint32_t metric; /* of the run; or one of: */
#define MEANS_NOTHING (UINT32_MAX - 1)
#define DESCRIBES     UINT32_MAX
	double scale;
};

struct table {
	const char *path;
	const char *workload;
	struct zwb_csv *csv;
	struct zwb_run *run;
	struct meaning meanings[ZWB_CSV_MAX_COLUMNS];
	size_t nr_used, nr_unused;
	size_t nr_left_out;
	char seen[256]; /* workloads, for an error */
};

/* "build time (s)": a metric of its own. Return: its number, MEANS_NOTHING, or an error. */
static int own_metric(struct table *t, const char *name, uint32_t *metric, struct zwb_err *err)
{
	const char *open = strrchr(name, '(');
	size_t len = strlen(name);
	char *text, *unit;
	int ret;

	*metric = MEANS_NOTHING;
	if (!open || open - name < 2 || open[-1] != ' ' || name[len - 1] != ')' || open[1] == ')')
		return ZWB_OK;
	text = strndup(name, (size_t)(open - name) - 1);
	unit = strndup(open + 1, len - (size_t)(open - name) - 2);
	if (!text || !unit) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	} else if (strchr(text, ',')) {
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%.200s: a comma in the column \"%.100s\"",
			t->path, name);
	} else {
		const struct zwb_metric_def def = { text, unit, "a column of the table",
			ZWB_KIND_VALUE, ZWB_BETTER_NEITHER };

		ret = zwb_run_add_def(t->run, &def, err);
		if (ret >= 0)
			*metric = (uint32_t)ret;
	}
	free(text);
	free(unit);
	return ret < 0 ? ret : ZWB_OK;
}

static int is_taken(const struct table *t, uint32_t metric)
{
	for (size_t i = 0; i < zwb_csv_nr_columns(t->csv); i++) {
		if (t->meanings[i].metric == metric)
			return 1;
	}
	return 0;
}

static void take_column(struct table *t, size_t column, uint32_t metric, double scale)
{
	if (is_taken(t, metric))
		return;
	t->meanings[column] = (struct meaning){ metric, scale };
	t->nr_used++;
}

/* Columns that are called like a metric, then counters in their order, then those with a unit. */
static int find_meanings(struct table *t, struct zwb_err *err)
{
	size_t nr = zwb_csv_nr_columns(t->csv);
	int ret = ZWB_OK;

	for (size_t i = 0; i < nr; i++)
		t->meanings[i].metric = MEANS_NOTHING;
	for (size_t i = 0; i < NR(described); i++) {
		int column = zwb_csv_find(t->csv, described[i]);

		if (column >= 0)
			t->meanings[column].metric = DESCRIBES;
	}
	for (uint32_t m = 0; m < ZWB_METRIC_NR; m++) {
		const struct zwb_metric_def *def = zwb_metric_def((enum zwb_metric)m);
		int column = zwb_csv_find(t->csv, def->name);

		if (column >= 0 && def->kind != ZWB_KIND_HIST)
			take_column(t, (size_t)column, m, 1);
	}
	for (size_t i = 0; i < NR(counters); i++) {
		int column = zwb_csv_find(t->csv, counters[i].name);

		if (column >= 0)
			take_column(t, (size_t)column, counters[i].metric, counters[i].scale);
	}
	for (size_t i = 0; !ret && i < nr; i++) {
		uint32_t metric;

		if (t->meanings[i].metric != MEANS_NOTHING)
			continue;
		ret = own_metric(t, zwb_csv_name(t->csv, i), &metric, err);
		if (!ret && metric != MEANS_NOTHING)
			take_column(t, i, metric, 1);
		t->nr_unused += t->meanings[i].metric == MEANS_NOTHING;
	}
	return ret;
}

static int arm_column(const struct table *t)
{
	int column = zwb_csv_find(t->csv, "kernel");

	return column >= 0 ? column : zwb_csv_find(t->csv, "arm");
}

static int read_header(struct table *t, struct zwb_err *err)
{
	int ret = find_meanings(t, err);

	if (ret)
		return ret;
	if (arm_column(t) < 0)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: the first line must name a column kernel or arm", t->path);
	if (t->nr_used == 0)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: no column is a metric (\"write requests\"), a counter (\"nrswpout\") "
			"or "
			"has a unit (\"build time (s)\")",
			t->path);
	return ZWB_OK;
}

/* What else tells arms apart: "workload=churn,iocost=1". Caller frees. */
static char *describe_setup(const struct table *t)
{
	static const char *const names[] = { "workload", "iocost", "writer" };
	char *text = NULL;
	size_t len, nr = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (size_t i = 0; i < NR(names); i++) {
		const char *cell = zwb_csv_cell(t->csv, zwb_csv_find(t->csv, names[i]));

		if (cell[0])
			fprintf(out, "%s%s=%s", nr++ ? "," : "", names[i], cell);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int fill_arm(const struct table *t, struct zwb_run_arm *arm, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < zwb_csv_nr_columns(t->csv); i++) {
		const struct meaning *m = &t->meanings[i];
		double value = (double)NAN;

		if (m->metric == MEANS_NOTHING || m->metric == DESCRIBES)
			continue;
		ret = zwb_csv_number(t->csv, (int)i, &value, err);
		if (!ret && isfinite(value))
			ret = zwb_run_arm_metric(arm, m->metric, ZWB_RUN_TOTAL, ZWB_CLASS_MEASURED,
				value * m->scale, err);
	}
	return ret;
}

/* The line as a recording of its own. Return: its index, or an error. */
static int add_trace(const struct table *t, struct zwb_err *err)
{
	struct zwb_meta *meta = zwb_meta_create();
	char *source = meta ? zwb_text_printf("%s, line %lu", t->path, zwb_csv_line(t->csv)) : NULL;
	int ret;

	if (!source)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	else
		ret = zwb_meta_set(&meta->source, source, err);
	if (!ret)
		ret = zwb_meta_set(&meta->kernel, zwb_csv_cell(t->csv, arm_column(t)), err);
	if (!ret)
		ret = zwb_run_add_trace(t->run, meta, "", err);
	free(source);
	if (meta)
		zwb_meta_free(meta);
	return ret;
}

static int add_line(const struct table *t, struct zwb_err *err)
{
	char *setup = describe_setup(t);
	struct zwb_run_arm_info info = { .policy = zwb_csv_cell(t->csv, arm_column(t)),
		.policy_params = setup,
		.device = "",
		.trigger = ZWB_TRIGGER_MEASURED,
		.loop = "",
		.scheduler = zwb_csv_cell(t->csv, zwb_csv_find(t->csv, "sched")) };
	struct zwb_run_arm *arm = NULL;
	int ret;

	if (!setup)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	ret = add_trace(t, err);
	if (ret >= 0) {
		info.trace = (size_t)ret;
		arm = zwb_run_arm_create(&info);
		ret = arm ? fill_arm(t, arm, err)
			  : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	if (!ret)
		ret = zwb_run_add_arm(t->run, arm, err);
	if (ret < 0 && arm)
		zwb_run_arm_free(arm);
	free(setup);
	return ret < 0 ? ret : ZWB_OK;
}

/* 1 if a list with commas between has @item. */
static int is_listed(const char *list, const char *item)
{
	size_t len = strlen(item);

	for (const char *at = list; *at; at += strcspn(at, ",")) {
		at += strspn(at, ", ");
		if (strcspn(at, ",") == len && memcmp(at, item, len) == 0)
			return 1;
	}
	return 0;
}

/* 1 if the line is of the workload that was asked for. */
static int is_wanted(struct table *t)
{
	const char *cell = zwb_csv_cell(t->csv, zwb_csv_find(t->csv, "workload"));
	size_t len = strlen(t->seen);

	if (!t->workload || strcmp(cell, t->workload) == 0)
		return 1;
	if (!is_listed(t->seen, cell))
		snprintf(t->seen + len, sizeof(t->seen) - len, "%s%s", len ? ", " : "", cell);
	return 0;
}

static int add_notes(struct table *t, struct zwb_err *err)
{
	char text[400];
	int ret = ZWB_OK;

	if (t->nr_left_out) {
		snprintf(text, sizeof(text),
			"%.200s: %zu runs left out, which failed or were being recorded", t->path,
			t->nr_left_out);
		ret = zwb_run_add_note(t->run, text, err);
	}
	if (!ret && t->nr_unused) {
		snprintf(text, sizeof(text),
			"%.200s: %zu columns not used; a name with a unit, \"build time (s)\", "
			"makes "
			"one a metric",
			t->path, t->nr_unused);
		ret = zwb_run_add_note(t->run, text, err);
	}
	return ret;
}

static int read_lines(struct table *t, struct zwb_err *err)
{
	int ret = read_header(t, err);

	while (!ret) {
		ret = zwb_csv_next(t->csv, err);
		if (ret <= 0)
			break;
		if (!is_wanted(t)) {
			ret = ZWB_OK;
			continue;
		}
		ret = zwb_measured_counts(t->csv, err);
		if (ret > 0)
			ret = add_line(t, err);
		else if (ret == 0)
			t->nr_left_out++;
	}
	if (!ret && t->run->nr_arms == 0 && t->seen[0])
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%.200s: no run of workload %.100s; there is %s", t->path, t->workload,
			t->seen);
	return ret ? ret : add_notes(t, err);
}

int zwb_measured_run(const char *path, const char *workload, const char *version,
	struct zwb_run **out, struct zwb_err *err)
{
	struct table *t = calloc(1, sizeof(*t));
	int ret;

	*out = NULL;
	if (!t)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	t->path = path;
	t->workload = workload;
	ret = zwb_csv_open(path, &t->csv, err);
	if (!ret) {
		t->run = zwb_run_create("", version);
		ret = t->run ? read_lines(t, err)
			     : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	zwb_csv_close(t->csv);
	if (!ret)
		*out = t->run;
	else
		zwb_run_free(t->run);
	free(t);
	return ret;
}
