/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of run.h5: every table is a walk over the run that yields its rows one by one. */
#include "runfile.h"

#include "h5table.h"
#include "runschema.h"

#include <string.h>

/* Where a walk stands; zeroed at the start of a table. */
struct walk {
	size_t outer; /* trace or arm */
	size_t inner; /* row inside it */
	size_t hist; /* histograms passed */
	size_t series, value; /* series passed, and values of the next one */
	struct zwb_hist_bucket bucket;
};

/* Fills the cells of the next row. Return: 1; 0 when there is none. */
typedef int (*next_row)(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c);

static int next_trace(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	const struct zwb_run_trace *t;

	if (w->outer == run->nr_traces)
		return 0;
	t = &run->traces[w->outer++];
	c[ZWB_RUN_TRACES_SOURCE].s = t->source;
	c[ZWB_RUN_TRACES_DIGEST].s = t->digest;
	c[ZWB_RUN_TRACES_KERNEL].s = t->kernel;
	c[ZWB_RUN_TRACES_CLOCK].s = t->clock;
	c[ZWB_RUN_TRACES_EVENT_MAP].s = t->event_map;
	c[ZWB_RUN_TRACES_SCHEDULER].s = t->scheduler;
	c[ZWB_RUN_TRACES_CAPTURED].s = t->captured_policy;
	c[ZWB_RUN_TRACES_START].u = t->start_ns;
	c[ZWB_RUN_TRACES_END].u = t->end_ns;
	c[ZWB_RUN_TRACES_EVENTS].u = t->nr_events;
	c[ZWB_RUN_TRACES_PAGE].u = t->page_bytes;
	c[ZWB_RUN_TRACES_CPUS].u = t->nr_cpus;
	return 1;
}

static int next_cgroup(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_traces; w->outer++, w->inner = 0) {
		const struct zwb_run_trace *t = &run->traces[w->outer];

		if (w->inner == t->nr_cgroups)
			continue;
		c[ZWB_RUN_CGROUPS_TRACE].u = w->outer;
		c[ZWB_RUN_CGROUPS_CGROUP].u = w->inner;
		c[ZWB_RUN_CGROUPS_ID].u = t->cgroups[w->inner].id;
		c[ZWB_RUN_CGROUPS_PATH].s = t->cgroups[w->inner].path;
		w->inner++;
		return 1;
	}
	return 0;
}

static int next_loss(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_traces; w->outer++, w->inner = 0) {
		const struct zwb_run_trace *t = &run->traces[w->outer];
		const struct zwb_loss *l;

		if (w->inner == t->nr_losses)
			continue;
		l = &t->losses[w->inner++];
		c[ZWB_RUN_LOSSES_TRACE].u = w->outer;
		c[ZWB_RUN_LOSSES_CPU].u = l->cpu;
		c[ZWB_RUN_LOSSES_KIND].u = l->kind;
		c[ZWB_RUN_LOSSES_COUNT].u = l->nr;
		c[ZWB_RUN_LOSSES_KNOWN].u = l->nr_is_known != 0;
		c[ZWB_RUN_LOSSES_FIRST].u = l->first_ns;
		c[ZWB_RUN_LOSSES_LAST].u = l->last_ns;
		return 1;
	}
	return 0;
}

static int next_unknown(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_traces; w->outer++, w->inner = 0) {
		const struct zwb_run_trace *t = &run->traces[w->outer];

		if (w->inner == t->nr_unknowns)
			continue;
		c[ZWB_RUN_UNKNOWNS_TRACE].u = w->outer;
		c[ZWB_RUN_UNKNOWNS_WHAT].s = t->unknowns[w->inner].what;
		c[ZWB_RUN_UNKNOWNS_COUNT].u = t->unknowns[w->inner].nr;
		w->inner++;
		return 1;
	}
	return 0;
}

static int next_arm(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	const struct zwb_run_arm_info *info;

	if (w->outer == run->nr_arms)
		return 0;
	info = &run->arms[w->outer++]->info;
	c[ZWB_RUN_ARMS_TRACE].u = info->trace;
	c[ZWB_RUN_ARMS_POLICY].s = info->policy;
	c[ZWB_RUN_ARMS_PARAMS].s = info->policy_params;
	c[ZWB_RUN_ARMS_DEVICE].s = info->device;
	c[ZWB_RUN_ARMS_TRIGGER].s = info->trigger;
	c[ZWB_RUN_ARMS_LOOP].s = info->loop;
	c[ZWB_RUN_ARMS_SCHEDULER].s = info->scheduler;
	c[ZWB_RUN_ARMS_SEED].u = info->seed;
	return 1;
}

static int next_def(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	const struct zwb_metric_def *def;

	if (w->outer == run->nr_defs)
		return 0;
	def = &run->defs[w->outer++];
	c[ZWB_RUN_METRIC_DEFS_NAME].s = def->name;
	c[ZWB_RUN_METRIC_DEFS_UNIT].s = def->unit;
	c[ZWB_RUN_METRIC_DEFS_DEFINITION].s = def->definition;
	c[ZWB_RUN_METRIC_DEFS_KIND].u = def->kind;
	c[ZWB_RUN_METRIC_DEFS_BETTER].u = def->better;
	return 1;
}

/* The class as a string of one letter. */
static const char *class_text(char cls)
{
	switch (cls) {
	case ZWB_CLASS_EXACT:
		return "E";
	case ZWB_CLASS_MODEL:
		return "M";
	default:
		return "F";
	}
}

static int next_metric(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_arms; w->outer++, w->inner = 0) {
		const struct zwb_run_arm *arm = run->arms[w->outer];
		const struct zwb_run_metric *m;

		if (w->inner == arm->nr_metrics)
			continue;
		m = &arm->metrics[w->inner++];
		c[ZWB_RUN_METRICS_ARM].u = w->outer;
		c[ZWB_RUN_METRICS_CGROUP].u = m->cgroup;
		c[ZWB_RUN_METRICS_METRIC].u = m->metric;
		c[ZWB_RUN_METRICS_CLASS].s = class_text(m->cls);
		c[ZWB_RUN_METRICS_VALUE].f = m->value;
		return 1;
	}
	return 0;
}

static int next_hist(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_arms; w->outer++, w->inner = 0) {
		const struct zwb_run_arm *arm = run->arms[w->outer];
		const struct zwb_run_hist *h;

		if (w->inner == arm->nr_hists)
			continue;
		h = &arm->hists[w->inner++];
		c[ZWB_RUN_HISTS_ARM].u = w->outer;
		c[ZWB_RUN_HISTS_CGROUP].u = h->cgroup;
		c[ZWB_RUN_HISTS_METRIC].u = h->metric;
		c[ZWB_RUN_HISTS_CLASS].s = class_text(h->cls);
		c[ZWB_RUN_HISTS_COUNT].u = h->hist.count;
		c[ZWB_RUN_HISTS_SUM].u = h->hist.sum;
		c[ZWB_RUN_HISTS_MIN].u = h->hist.min;
		c[ZWB_RUN_HISTS_MAX].u = h->hist.max;
		return 1;
	}
	return 0;
}

static int next_bucket(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_arms; w->outer++, w->inner = 0) {
		const struct zwb_run_arm *arm = run->arms[w->outer];

		for (; w->inner < arm->nr_hists; w->inner++, w->hist++) {
			if (zwb_hist_next(&arm->hists[w->inner].hist, &w->bucket)) {
				c[ZWB_RUN_HIST_BUCKETS_HIST].u = w->hist;
				c[ZWB_RUN_HIST_BUCKETS_BUCKET].u = w->bucket.bucket;
				c[ZWB_RUN_HIST_BUCKETS_COUNT].u = w->bucket.count;
				return 1;
			}
			memset(&w->bucket, 0, sizeof(w->bucket));
		}
	}
	return 0;
}

static int next_series(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_arms; w->outer++, w->inner = 0) {
		const struct zwb_run_arm *arm = run->arms[w->outer];
		const struct zwb_run_series *s;

		if (w->inner == arm->nr_series)
			continue;
		s = &arm->series[w->inner++];
		c[ZWB_RUN_SERIES_ARM].u = w->outer;
		c[ZWB_RUN_SERIES_CGROUP].u = s->cgroup;
		c[ZWB_RUN_SERIES_METRIC].u = s->metric;
		c[ZWB_RUN_SERIES_CLASS].s = class_text(s->cls);
		c[ZWB_RUN_SERIES_INTERVAL].u = s->interval_ns;
		return 1;
	}
	return 0;
}

static int next_series_value(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer < run->nr_arms; w->outer++, w->inner = 0) {
		const struct zwb_run_arm *arm = run->arms[w->outer];

		for (; w->inner < arm->nr_series; w->inner++, w->series++, w->value = 0) {
			const struct zwb_run_series *s = &arm->series[w->inner];

			if (w->value == s->nr_values)
				continue;
			c[ZWB_RUN_SERIES_VALUES_SERIES].u = w->series;
			c[ZWB_RUN_SERIES_VALUES_VALUE].f = s->values[w->value++];
			return 1;
		}
	}
	return 0;
}

/* The notes of the run itself, then those of the arms. */
static int next_note(const struct zwb_run *run, struct walk *w, struct zwb_h5cell *c)
{
	for (; w->outer <= run->nr_arms; w->outer++, w->inner = 0) {
		int whole = w->outer == 0;
		size_t nr = whole ? run->nr_notes : run->arms[w->outer - 1]->nr_notes;
		char **notes = whole ? run->notes : run->arms[w->outer - 1]->notes;

		if (w->inner == nr)
			continue;
		c[ZWB_RUN_NOTES_ARM].u = whole ? ZWB_RUN_NO_ROW : w->outer - 1;
		c[ZWB_RUN_NOTES_TEXT].s = notes[w->inner++];
		return 1;
	}
	return 0;
}

/* -- from rows to the file -- */

/* Copies the columns of a table and makes every text column as wide as its longest value. */
static void fit_columns(const struct zwb_run *run, const struct zwb_run_schema *schema,
	next_row next, struct zwb_h5col *cols)
{
	struct zwb_h5cell cells[ZWB_RUN_MAX_COLS];
	struct walk w = { 0 };
	int has_text = 0;

	for (size_t i = 0; i < schema->nr_cols; i++) {
		cols[i] = schema->cols[i];
		has_text |= cols[i].type == ZWB_H5_STR;
	}
	while (has_text && next(run, &w, cells)) {
		for (size_t i = 0; i < schema->nr_cols; i++) {
			size_t len;

			if (cols[i].type != ZWB_H5_STR)
				continue;
			len = strnlen(cells[i].s, ZWB_H5_MAX_WIDTH);
			if (len > cols[i].width)
				cols[i].width = (uint32_t)len;
		}
	}
}

static int write_table(struct zwb_h5file *file, const struct zwb_run *run, enum zwb_run_table table,
	next_row next, struct zwb_err *err)
{
	const struct zwb_run_schema *schema = zwb_run_schema(table);
	struct zwb_h5col cols[ZWB_RUN_MAX_COLS];
	struct zwb_h5cell cells[ZWB_RUN_MAX_COLS];
	struct zwb_h5spec spec = { .path = schema->path,
		.long_name = schema->long_name,
		.cols = cols,
		.nr_cols = schema->nr_cols };
	struct zwb_h5table *t;
	struct walk w = { 0 };
	int ret;

	fit_columns(run, schema, next, cols);
	ret = zwb_h5_table_create(file, &spec, &t, err);
	if (ret)
		return ret;
	while (!ret && next(run, &w, cells))
		ret = zwb_h5_table_put(t, cells, err);
	if (ret) {
		zwb_h5_table_close(t, NULL);
		return ret;
	}
	return zwb_h5_table_close(t, err);
}

static int write_root(struct zwb_h5file *file, const struct zwb_run *run, struct zwb_err *err)
{
	int ret = zwb_h5_set_str(file, "/", "format", ZWB_RUN_FORMAT, err);

	if (!ret)
		ret = zwb_h5_set_u64(file, "/", "schema_version", ZWB_RUN_SCHEMA_VERSION, err);
	if (!ret)
		ret = zwb_h5_set_str(file, "/", "zwb_version", run->version, err);
	if (!ret)
		ret = zwb_h5_set_str(file, "/", "command", run->command, err);
	return ret;
}

int zwb_runfile_write(const struct zwb_run *run, const char *path, int force, struct zwb_err *err)
{
	static const next_row walks[ZWB_RUN_TABLE_NR] = {
		[ZWB_RUN_TABLE_TRACES] = next_trace,
		[ZWB_RUN_TABLE_CGROUPS] = next_cgroup,
		[ZWB_RUN_TABLE_LOSSES] = next_loss,
		[ZWB_RUN_TABLE_UNKNOWNS] = next_unknown,
		[ZWB_RUN_TABLE_ARMS] = next_arm,
		[ZWB_RUN_TABLE_METRIC_DEFS] = next_def,
		[ZWB_RUN_TABLE_METRICS] = next_metric,
		[ZWB_RUN_TABLE_HISTS] = next_hist,
		[ZWB_RUN_TABLE_HIST_BUCKETS] = next_bucket,
		[ZWB_RUN_TABLE_SERIES] = next_series,
		[ZWB_RUN_TABLE_SERIES_VALUES] = next_series_value,
		[ZWB_RUN_TABLE_NOTES] = next_note,
	};
	struct zwb_h5file *file;
	int ret = zwb_h5_create(path, force, &file, err);

	if (ret)
		return ret;
	ret = write_root(file, run, err);
	for (unsigned int i = 0; !ret && i < ZWB_RUN_TABLE_NR; i++)
		ret = write_table(file, run, (enum zwb_run_table)i, walks[i], err);
	if (ret) {
		zwb_h5_close(file);
		return ret;
	}
	return zwb_h5_commit(file, err);
}
