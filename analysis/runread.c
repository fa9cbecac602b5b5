/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of run.h5: table by table, every row checked before it is used. */
#include "runread.h"

#include "grow.h"
#include "h5table.h"
#include "runschema.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEFS    4096 /* each is compared with all others */
#define BLOCK_BYTES (sizeof(uint64_t) << ZWB_HIST_BLOCK_BITS)

/* A row of /hists until its buckets are there. */
struct loading {
	uint32_t arm;
	uint32_t cgroup;
	uint32_t metric;
	char cls;
	struct zwb_hist exact;
	struct zwb_hist *hist;
};

/* A row of /series until its values are there. */
struct placed {
	uint32_t arm;
	struct zwb_run_series series;
};

struct reader {
	const char *path;
	struct zwb_h5file *file;
	struct zwb_run *run;
	uint64_t row; /* of the table being read */
	const char *table;
	uint64_t max_bytes;
	uint64_t bytes_left;
	struct zwb_run_arm **arms; /* become the run's when they are full */
	size_t nr_arms;
	uint32_t *defs; /* row of /metric_defs to metric of the run */
	size_t nr_defs;
	struct loading *hists;
	size_t nr_hists;
	struct placed *series;
	size_t nr_series;
};

/* Takes one row of a table. */
typedef int (*take_row)(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err);

/* ZWB_EDATA that names file, table and row. */
#define bad_row(r, err, fmt, ...)                                                                  \
	zwb_err_set(err, ZWB_EDATA, 0, "%.200s: %s row %" PRIu64 ": " fmt, (r)->path, (r)->table,  \
		(r)->row, ##__VA_ARGS__)

static int no_memory(const struct reader *r, struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "%.200s: no memory for it", r->path);
}

/* Pays for memory before it is taken. */
static int spend(struct reader *r, uint64_t bytes, struct zwb_err *err)
{
	if (bytes > r->bytes_left)
		return bad_row(r, err, "more than %" PRIu64 " KiB of results", r->max_bytes >> 10);
	r->bytes_left -= bytes;
	return ZWB_OK;
}

static int copy_text(struct reader *r, char **to, const char *text, struct zwb_err *err)
{
	int ret = spend(r, strlen(text) + 1, err);

	if (ret)
		return ret;
	*to = strdup(text);
	return *to ? ZWB_OK : no_memory(r, err);
}

/* -- recordings -- */

static int take_trace(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	struct zwb_run_trace *t;
	int ret = spend(r, sizeof(*t), err);

	if (ret)
		return ret;
	if (!ZWB_GROW(r->run->traces, r->run->nr_traces))
		return no_memory(r, err);
	t = &r->run->traces[r->run->nr_traces++];
	*t = (struct zwb_run_trace){
		.start_ns = c[ZWB_RUN_TRACES_START].u,
		.end_ns = c[ZWB_RUN_TRACES_END].u,
		.nr_events = c[ZWB_RUN_TRACES_EVENTS].u,
		.page_bytes = (uint32_t)c[ZWB_RUN_TRACES_PAGE].u,
		.nr_cpus = (uint32_t)c[ZWB_RUN_TRACES_CPUS].u,
	};
	ret = copy_text(r, &t->source, c[ZWB_RUN_TRACES_SOURCE].s, err);
	if (!ret)
		ret = copy_text(r, &t->digest, c[ZWB_RUN_TRACES_DIGEST].s, err);
	if (!ret)
		ret = copy_text(r, &t->kernel, c[ZWB_RUN_TRACES_KERNEL].s, err);
	if (!ret)
		ret = copy_text(r, &t->clock, c[ZWB_RUN_TRACES_CLOCK].s, err);
	if (!ret)
		ret = copy_text(r, &t->event_map, c[ZWB_RUN_TRACES_EVENT_MAP].s, err);
	if (!ret)
		ret = copy_text(r, &t->scheduler, c[ZWB_RUN_TRACES_SCHEDULER].s, err);
	if (!ret)
		ret = copy_text(r, &t->captured_policy, c[ZWB_RUN_TRACES_CAPTURED].s, err);
	return ret;
}

/* The trace that a row points to, or NULL and @err. */
static struct zwb_run_trace *row_trace(struct reader *r, uint64_t trace, struct zwb_err *err)
{
	if (trace < r->run->nr_traces)
		return &r->run->traces[trace];
	bad_row(r, err, "of trace %" PRIu64 ", there are %zu", trace, r->run->nr_traces);
	return NULL;
}

static int take_cgroup(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	struct zwb_run_trace *t = row_trace(r, c[ZWB_RUN_CGROUPS_TRACE].u, err);
	int ret;

	if (!t)
		return ZWB_EDATA;
	if (c[ZWB_RUN_CGROUPS_CGROUP].u != t->nr_cgroups)
		return bad_row(r, err, "cgroup %" PRIu64 " follows %zu others",
			c[ZWB_RUN_CGROUPS_CGROUP].u, t->nr_cgroups);
	ret = spend(r, sizeof(*t->cgroups), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(t->cgroups, t->nr_cgroups))
		return no_memory(r, err);
	t->cgroups[t->nr_cgroups] = (struct zwb_cgroup){ .id = c[ZWB_RUN_CGROUPS_ID].u };
	return copy_text(r, &t->cgroups[t->nr_cgroups++].path, c[ZWB_RUN_CGROUPS_PATH].s, err);
}

static int take_loss(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	struct zwb_run_trace *t = row_trace(r, c[ZWB_RUN_LOSSES_TRACE].u, err);
	int ret;

	if (!t)
		return ZWB_EDATA;
	if (c[ZWB_RUN_LOSSES_KIND].u >= ZWB_LOSS_NR)
		return bad_row(r, err, "no kind of loss %" PRIu64, c[ZWB_RUN_LOSSES_KIND].u);
	ret = spend(r, sizeof(*t->losses), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(t->losses, t->nr_losses))
		return no_memory(r, err);
	t->losses[t->nr_losses++] = (struct zwb_loss){
		.cpu = (uint16_t)c[ZWB_RUN_LOSSES_CPU].u,
		.kind = (uint8_t)c[ZWB_RUN_LOSSES_KIND].u,
		.nr = c[ZWB_RUN_LOSSES_COUNT].u,
		.nr_is_known = c[ZWB_RUN_LOSSES_KNOWN].u != 0,
		.first_ns = c[ZWB_RUN_LOSSES_FIRST].u,
		.last_ns = c[ZWB_RUN_LOSSES_LAST].u,
	};
	return ZWB_OK;
}

static int take_unknown(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	struct zwb_run_trace *t = row_trace(r, c[ZWB_RUN_UNKNOWNS_TRACE].u, err);
	int ret;

	if (!t)
		return ZWB_EDATA;
	ret = spend(r, sizeof(*t->unknowns), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(t->unknowns, t->nr_unknowns))
		return no_memory(r, err);
	t->unknowns[t->nr_unknowns] = (struct zwb_unknown){ .nr = c[ZWB_RUN_UNKNOWNS_COUNT].u };
	return copy_text(r, &t->unknowns[t->nr_unknowns++].what, c[ZWB_RUN_UNKNOWNS_WHAT].s, err);
}

/* -- replays -- */

static int take_arm(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	const struct zwb_run_arm_info info = {
		.trace = c[ZWB_RUN_ARMS_TRACE].u,
		.seed = c[ZWB_RUN_ARMS_SEED].u,
		.policy = c[ZWB_RUN_ARMS_POLICY].s,
		.policy_params = c[ZWB_RUN_ARMS_PARAMS].s,
		.device = c[ZWB_RUN_ARMS_DEVICE].s,
		.trigger = c[ZWB_RUN_ARMS_TRIGGER].s,
		.loop = c[ZWB_RUN_ARMS_LOOP].s,
		.scheduler = c[ZWB_RUN_ARMS_SCHEDULER].s,
	};
	uint64_t bytes = sizeof(struct zwb_run_arm) + strlen(info.policy) +
			 strlen(info.policy_params) + strlen(info.device) + strlen(info.trigger) +
			 strlen(info.loop) + strlen(info.scheduler);
	int ret = spend(r, bytes, err);

	if (ret)
		return ret;
	if (!row_trace(r, info.trace, err))
		return ZWB_EDATA;
	if (!ZWB_GROW(r->arms, r->nr_arms))
		return no_memory(r, err);
	r->arms[r->nr_arms] = zwb_run_arm_create(&info);
	if (!r->arms[r->nr_arms])
		return no_memory(r, err);
	r->nr_arms++;
	return ZWB_OK;
}

static int take_def(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t kind = c[ZWB_RUN_METRIC_DEFS_KIND].u, better = c[ZWB_RUN_METRIC_DEFS_BETTER].u;
	const struct zwb_metric_def def = {
		.name = c[ZWB_RUN_METRIC_DEFS_NAME].s,
		.unit = c[ZWB_RUN_METRIC_DEFS_UNIT].s,
		.definition = c[ZWB_RUN_METRIC_DEFS_DEFINITION].s,
		.kind = (enum zwb_metric_kind)kind,
		.better = (enum zwb_better)better,
	};
	int ret;

	if (kind > ZWB_KIND_HIST || better > ZWB_BETTER_HIGHER || r->nr_defs >= MAX_DEFS)
		return bad_row(r, err, "no such kind of metric, or too many");
	ret = spend(r, strlen(def.name) + strlen(def.unit) + strlen(def.definition), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(r->defs, r->nr_defs))
		return no_memory(r, err);
	ret = zwb_run_add_def(r->run, &def, err);
	if (ret < 0) {
		zwb_err_prefix(err, "%s", r->path);
		return ret;
	}
	r->defs[r->nr_defs++] = (uint32_t)ret;
	return ZWB_OK;
}

/* Arm, metric and class of a row of /metrics or /hists. */
static int check_place(
	struct reader *r, uint64_t arm, uint64_t metric, const char *cls, struct zwb_err *err)
{
	if (arm >= r->nr_arms)
		return bad_row(r, err, "of arm %" PRIu64 ", there are %zu", arm, r->nr_arms);
	if (metric >= r->nr_defs)
		return bad_row(r, err, "of metric %" PRIu64 ", there are %zu", metric, r->nr_defs);
	if (!zwb_class_is_valid(cls[0]) || cls[1])
		return bad_row(r, err, "no such class");
	return ZWB_OK;
}

static int take_metric(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t arm = c[ZWB_RUN_METRICS_ARM].u, metric = c[ZWB_RUN_METRICS_METRIC].u;
	const char *cls = c[ZWB_RUN_METRICS_CLASS].s;
	int ret = check_place(r, arm, metric, cls, err);

	if (!ret)
		ret = spend(r, sizeof(struct zwb_run_metric), err);
	if (!ret)
		ret = zwb_run_arm_metric(r->arms[arm], r->defs[metric],
			(uint32_t)c[ZWB_RUN_METRICS_CGROUP].u, cls[0], c[ZWB_RUN_METRICS_VALUE].f,
			err);
	return ret;
}

static int take_hist(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t arm = c[ZWB_RUN_HISTS_ARM].u, metric = c[ZWB_RUN_HISTS_METRIC].u;
	const char *cls = c[ZWB_RUN_HISTS_CLASS].s;
	struct loading *l;
	int ret = check_place(r, arm, metric, cls, err);

	if (!ret)
		ret = spend(r, sizeof(*l) + 2 * sizeof(struct zwb_hist), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(r->hists, r->nr_hists))
		return no_memory(r, err);
	l = &r->hists[r->nr_hists];
	*l = (struct loading){
		.arm = (uint32_t)arm,
		.cgroup = (uint32_t)c[ZWB_RUN_HISTS_CGROUP].u,
		.metric = r->defs[metric],
		.cls = cls[0],
		.exact = { .count = c[ZWB_RUN_HISTS_COUNT].u,
			.sum = c[ZWB_RUN_HISTS_SUM].u,
			.min = c[ZWB_RUN_HISTS_MIN].u,
			.max = c[ZWB_RUN_HISTS_MAX].u },
		.hist = malloc(sizeof(*l->hist)),
	};
	if (!l->hist)
		return no_memory(r, err);
	zwb_hist_init(l->hist);
	r->nr_hists++;
	return ZWB_OK;
}

static int take_bucket(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t hist = c[ZWB_RUN_HIST_BUCKETS_HIST].u;
	uint64_t bucket = c[ZWB_RUN_HIST_BUCKETS_BUCKET].u;
	struct zwb_hist *h;
	int ret = ZWB_OK;

	if (hist >= r->nr_hists)
		return bad_row(
			r, err, "of histogram %" PRIu64 ", there are %zu", hist, r->nr_hists);
	h = r->hists[hist].hist;
	if (bucket < ZWB_HIST_BUCKETS && !h->blocks[bucket >> ZWB_HIST_BLOCK_BITS])
		ret = spend(r, BLOCK_BYTES, err);
	if (ret)
		return ret;
	ret = zwb_hist_load(h, (uint32_t)bucket, c[ZWB_RUN_HIST_BUCKETS_COUNT].u, err);
	if (ret)
		zwb_err_prefix(err, "%s", r->path);
	return ret;
}

static int take_series(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t arm = c[ZWB_RUN_SERIES_ARM].u, metric = c[ZWB_RUN_SERIES_METRIC].u;
	const char *cls = c[ZWB_RUN_SERIES_CLASS].s;
	struct placed *place;
	int ret = check_place(r, arm, metric, cls, err);

	if (!ret && c[ZWB_RUN_SERIES_INTERVAL].u == 0)
		ret = bad_row(r, err, "an interval of 0 ns");
	if (!ret)
		ret = spend(r, sizeof(struct zwb_run_series) + sizeof(*place), err);
	if (ret)
		return ret;
	if (!ZWB_GROW(r->series, r->nr_series))
		return no_memory(r, err);
	place = &r->series[r->nr_series];
	*place = (struct placed){ .arm = (uint32_t)arm,
		.series = { .cgroup = (uint32_t)c[ZWB_RUN_SERIES_CGROUP].u,
			.metric = r->defs[metric],
			.cls = cls[0],
			.interval_ns = c[ZWB_RUN_SERIES_INTERVAL].u } };
	r->nr_series++;
	return ZWB_OK;
}

static int take_series_value(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t at = c[ZWB_RUN_SERIES_VALUES_SERIES].u;
	struct zwb_run_series *s;
	/* twice: the array doubles, and is copied at the end */
	int ret = spend(r, 3 * sizeof(*s->values), err);

	if (ret)
		return ret;
	if (at >= r->nr_series)
		return bad_row(r, err, "of series %" PRIu64 ", there are %zu", at, r->nr_series);
	s = &r->series[at].series;
	if (!ZWB_GROW(s->values, s->nr_values))
		return no_memory(r, err);
	s->values[s->nr_values++] = c[ZWB_RUN_SERIES_VALUES_VALUE].f;
	return ZWB_OK;
}

static int take_note(struct reader *r, const struct zwb_h5cell *c, struct zwb_err *err)
{
	uint64_t arm = c[ZWB_RUN_NOTES_ARM].u;
	char ***notes = &r->run->notes;
	size_t *nr_notes = &r->run->nr_notes;
	int ret = spend(r, sizeof(**notes), err);

	if (ret)
		return ret;
	if (arm != ZWB_RUN_NO_ROW) {
		if (arm >= r->nr_arms)
			return bad_row(
				r, err, "of arm %" PRIu64 ", there are %zu", arm, r->nr_arms);
		notes = &r->arms[arm]->notes;
		nr_notes = &r->arms[arm]->nr_notes;
	}
	if (!ZWB_GROW(*notes, *nr_notes))
		return no_memory(r, err);
	ret = copy_text(r, &(*notes)[*nr_notes], c[ZWB_RUN_NOTES_TEXT].s, err);
	if (!ret)
		++*nr_notes;
	return ret;
}

/* -- the file -- */

static int read_table(
	struct reader *r, enum zwb_run_table table, take_row take, struct zwb_err *err)
{
	const struct zwb_run_schema *schema = zwb_run_schema(table);
	struct zwb_h5cell cells[ZWB_RUN_MAX_COLS];
	struct zwb_h5table *t;
	uint64_t nr_rows;
	int ret = zwb_h5_table_open(r->file, schema->path, schema->cols, schema->nr_cols, &t, err);

	if (ret)
		return ret;
	r->table = schema->path;
	nr_rows = zwb_h5_table_rows(t);
	for (r->row = 0; !ret && r->row < nr_rows; r->row++) {
		ret = zwb_h5_table_get(t, r->row, cells, err);
		if (!ret)
			ret = take(r, cells, err);
		if (ret)
			break;
	}
	zwb_h5_table_close(t, NULL);
	return ret;
}

/* Hands histograms and series to their arms and the arms to the run. */
static int assemble(struct reader *r, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < r->nr_hists; i++) {
		struct loading *l = &r->hists[i];

		ret = zwb_hist_seal(l->hist, &l->exact, err);
		if (!ret)
			ret = zwb_run_arm_hist(
				r->arms[l->arm], l->metric, l->cgroup, l->cls, l->hist, err);
	}
	for (size_t i = 0; !ret && i < r->nr_series; i++)
		ret = zwb_run_arm_series(r->arms[r->series[i].arm], &r->series[i].series, err);
	for (size_t i = 0; !ret && i < r->nr_arms; i++) {
		ret = zwb_run_add_arm(r->run, r->arms[i], err);
		if (ret >= 0) {
			r->arms[i] = NULL;
			ret = ZWB_OK;
		}
	}
	/* what a caller of add_arm() did wrong is here what the file has wrong */
	if (ret == ZWB_EUSAGE) {
		ret = ZWB_EDATA;
		if (err)
			err->status = ret;
	}
	if (ret)
		zwb_err_prefix(err, "%s", r->path);
	return ret;
}

static int check_kind(struct reader *r, struct zwb_err *err)
{
	uint64_t version = 0;
	char *format = NULL;
	int ret;

	if (!zwb_h5_has_attr(r->file, "/", "format"))
		return zwb_err_set(
			err, ZWB_EKIND, 0, "%.200s: an HDF5 file, but not one of zwb", r->path);
	ret = zwb_h5_get_str(r->file, "/", "format", &format, err);
	if (ret)
		return ret;
	if (strcmp(format, ZWB_RUN_FORMAT) != 0)
		ret = zwb_err_set(err, ZWB_EKIND, 0,
			"%.200s: a \"%.40s\" file, not the result of \"zwb replay\"", r->path,
			format);
	free(format);
	if (!ret)
		ret = zwb_h5_get_u64(r->file, "/", "schema_version", &version, err);
	if (!ret && version != ZWB_RUN_SCHEMA_VERSION)
		ret = zwb_err_set(err, ZWB_EKIND, 0,
			"%.200s: schema version %" PRIu64 ", this zwb reads %u", r->path, version,
			ZWB_RUN_SCHEMA_VERSION);
	return ret;
}

static int read_all(struct reader *r, struct zwb_err *err)
{
	static const take_row takes[ZWB_RUN_TABLE_NR] = {
		[ZWB_RUN_TABLE_TRACES] = take_trace,
		[ZWB_RUN_TABLE_CGROUPS] = take_cgroup,
		[ZWB_RUN_TABLE_LOSSES] = take_loss,
		[ZWB_RUN_TABLE_UNKNOWNS] = take_unknown,
		[ZWB_RUN_TABLE_ARMS] = take_arm,
		[ZWB_RUN_TABLE_METRIC_DEFS] = take_def,
		[ZWB_RUN_TABLE_METRICS] = take_metric,
		[ZWB_RUN_TABLE_HISTS] = take_hist,
		[ZWB_RUN_TABLE_HIST_BUCKETS] = take_bucket,
		[ZWB_RUN_TABLE_SERIES] = take_series,
		[ZWB_RUN_TABLE_SERIES_VALUES] = take_series_value,
		[ZWB_RUN_TABLE_NOTES] = take_note,
	};
	char *command = NULL, *version = NULL;
	int ret = check_kind(r, err);

	if (!ret)
		ret = zwb_h5_get_str(r->file, "/", "command", &command, err);
	if (!ret)
		ret = zwb_h5_get_str(r->file, "/", "zwb_version", &version, err);
	if (!ret) {
		r->run = zwb_run_create(command, version);
		ret = r->run ? ZWB_OK : no_memory(r, err);
	}
	free(command);
	free(version);
	for (unsigned int i = 0; !ret && i < ZWB_RUN_TABLE_NR; i++)
		ret = read_table(r, (enum zwb_run_table)i, takes[i], err);
	return ret ? ret : assemble(r, err);
}

int zwb_run_read_within(
	const char *path, uint64_t max_bytes, struct zwb_run **out, struct zwb_err *err)
{
	struct reader r = { .path = path, .max_bytes = max_bytes, .bytes_left = max_bytes };
	int ret = zwb_h5_open(path, &r.file, err);

	*out = NULL;
	if (ret)
		return ret;
	ret = read_all(&r, err);
	zwb_h5_close(r.file);
	for (size_t i = 0; i < r.nr_arms; i++)
		zwb_run_arm_free(r.arms[i]);
	for (size_t i = 0; i < r.nr_hists; i++) {
		zwb_hist_release(r.hists[i].hist);
		free(r.hists[i].hist);
	}
	for (size_t i = 0; i < r.nr_series; i++)
		free(r.series[i].series.values);
	free(r.series);
	free(r.arms);
	free(r.defs);
	free(r.hists);
	if (ret)
		zwb_run_free(r.run);
	else
		*out = r.run;
	return ret;
}

int zwb_run_read(const char *path, struct zwb_run **out, struct zwb_err *err)
{
	return zwb_run_read_within(path, ZWB_RUNREAD_MAX_BYTES, out, err);
}
