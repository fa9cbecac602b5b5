/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a run. */
#include "run.h"

#include "grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more row of @table. */
#define RUN_GROW(owner, table, err)                                                                \
	(ZWB_GROW((owner)->table, (owner)->nr_##table)                                             \
			? ZWB_OK                                                                   \
			: zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the results"))

static int run_copy(char **to, const char *text, struct zwb_err *err)
{
	*to = strdup(text ? text : "");
	return *to ? ZWB_OK : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the results");
}

static int run_add_note(char ***notes, size_t *nr, const char *text, struct zwb_err *err)
{
	int ret;

	for (size_t i = 0; i < *nr; i++) {
		if (strcmp((*notes)[i], text) == 0)
			return ZWB_OK;
	}
	ret = ZWB_GROW(*notes, *nr) ? ZWB_OK
				    : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the results");
	if (!ret)
		ret = run_copy(&(*notes)[*nr], text, err);
	if (!ret)
		++*nr;
	return ret;
}

static void run_free_notes(char **notes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(notes[i]);
	free(notes);
}

/* -- traces -- */

static void trace_release(struct zwb_run_trace *t)
{
	free(t->source);
	free(t->digest);
	free(t->kernel);
	free(t->clock);
	free(t->event_map);
	free(t->scheduler);
	free(t->captured_policy);
	for (size_t i = 0; i < t->nr_cgroups; i++)
		free(t->cgroups[i].path);
	free(t->cgroups);
	free(t->losses);
	for (size_t i = 0; i < t->nr_unknowns; i++)
		free(t->unknowns[i].what);
	free(t->unknowns);
}

/*
 * What tells recordings apart. A cut of a recording has the digest of the whole and facts that say
 * where it was cut; it is another recording.
 */
static int trace_identity(char **to, const struct zwb_meta *meta, struct zwb_err *err)
{
	char text[512];
	size_t len;

	snprintf(text, sizeof(text), "%s", meta->digest);
	for (size_t i = 0; i < meta->nr_facts && text[0]; i++) {
		const struct zwb_fact *f = &meta->facts[i];

		if (strcmp(f->section, "cut") != 0)
			continue;
		len = strlen(text);
		snprintf(text + len, sizeof(text) - len, " %s=%s", f->key, f->value);
	}
	return run_copy(to, text, err);
}

static int trace_copy_strings(struct zwb_run_trace *t, const struct zwb_meta *meta,
	const char *captured_policy, struct zwb_err *err)
{
	const struct {
		char **to;
		const char *from;
	} rows[] = {
		{ &t->source, meta->source },
		{ &t->kernel, meta->kernel },
		{ &t->clock, meta->clock },
		{ &t->event_map, meta->event_map },
		{ &t->scheduler, meta->scheduler },
		{ &t->captured_policy, captured_policy },
	};
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < sizeof(rows) / sizeof(rows[0]); i++)
		ret = run_copy(rows[i].to, rows[i].from, err);
	if (!ret)
		ret = trace_identity(&t->digest, meta, err);
	return ret;
}

static int trace_copy_tables(
	struct zwb_run_trace *t, const struct zwb_meta *meta, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < meta->nr_cgroups; i++) {
		ret = RUN_GROW(t, cgroups, err);
		if (ret)
			break;
		t->cgroups[i].id = meta->cgroups[i].id;
		ret = run_copy(&t->cgroups[i].path, meta->cgroups[i].path, err);
		t->nr_cgroups++;
	}
	for (size_t i = 0; !ret && i < meta->nr_losses; i++) {
		ret = RUN_GROW(t, losses, err);
		if (!ret)
			t->losses[t->nr_losses++] = meta->losses[i];
	}
	for (size_t i = 0; !ret && i < meta->nr_unknowns; i++) {
		ret = RUN_GROW(t, unknowns, err);
		if (ret)
			break;
		t->unknowns[i].nr = meta->unknowns[i].nr;
		ret = run_copy(&t->unknowns[i].what, meta->unknowns[i].what, err);
		t->nr_unknowns++;
	}
	return ret;
}

int zwb_run_add_trace(struct zwb_run *run, const struct zwb_meta *meta, const char *captured_policy,
	struct zwb_err *err)
{
	struct zwb_run_trace t = {
		.start_ns = meta->start_ns,
		.end_ns = meta->end_ns,
		.nr_events = meta->nr_events,
		.page_bytes = meta->page_bytes,
		.nr_cpus = meta->nr_cpus,
	};
	int ret = RUN_GROW(run, traces, err);

	if (!ret)
		ret = trace_copy_strings(&t, meta, captured_policy, err);
	if (!ret)
		ret = trace_copy_tables(&t, meta, err);
	if (ret) {
		trace_release(&t);
		return ret;
	}
	run->traces[run->nr_traces] = t;
	return (int)run->nr_traces++;
}

/* -- arms -- */

static void arm_free_strings(struct zwb_run_arm_info *info)
{
	free((char *)info->policy);
	free((char *)info->policy_params);
	free((char *)info->device);
	free((char *)info->trigger);
	free((char *)info->loop);
	free((char *)info->scheduler);
}

struct zwb_run_arm *zwb_run_arm_create(const struct zwb_run_arm_info *info)
{
	struct zwb_run_arm *arm = calloc(1, sizeof(*arm));

	if (!arm)
		return NULL;
	arm->info.trace = info->trace;
	arm->info.seed = info->seed;
	if (run_copy((char **)&arm->info.policy, info->policy, NULL) ||
		run_copy((char **)&arm->info.policy_params, info->policy_params, NULL) ||
		run_copy((char **)&arm->info.device, info->device, NULL) ||
		run_copy((char **)&arm->info.trigger, info->trigger, NULL) ||
		run_copy((char **)&arm->info.loop, info->loop, NULL) ||
		run_copy((char **)&arm->info.scheduler, info->scheduler, NULL)) {
		zwb_run_arm_free(arm);
		return NULL;
	}
	return arm;
}

void zwb_run_arm_free(struct zwb_run_arm *arm)
{
	if (!arm)
		return;
	arm_free_strings(&arm->info);
	for (size_t i = 0; i < arm->nr_hists; i++)
		zwb_hist_release(&arm->hists[i].hist);
	for (size_t i = 0; i < arm->nr_series; i++)
		free(arm->series[i].values);
	run_free_notes(arm->notes, arm->nr_notes);
	free(arm->metrics);
	free(arm->hists);
	free(arm->series);
	free(arm);
}

int zwb_run_arm_metric(struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup, char cls,
	double value, struct zwb_err *err)
{
	int ret = RUN_GROW(arm, metrics, err);

	if (ret)
		return ret;
	arm->metrics[arm->nr_metrics++] = (struct zwb_run_metric){
		.cgroup = cgroup, .metric = metric, .cls = cls, .value = value
	};
	return ZWB_OK;
}

int zwb_run_arm_hist(struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup, char cls,
	struct zwb_hist *h, struct zwb_err *err)
{
	int ret;

	if (h->no_memory)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a histogram");
	ret = RUN_GROW(arm, hists, err);
	if (ret)
		return ret;
	arm->hists[arm->nr_hists++] =
		(struct zwb_run_hist){ .cgroup = cgroup, .metric = metric, .cls = cls, .hist = *h };
	zwb_hist_init(h);
	return ZWB_OK;
}

int zwb_run_arm_series(
	struct zwb_run_arm *arm, const struct zwb_run_series *series, struct zwb_err *err)
{
	struct zwb_run_series copy = *series;
	int ret;

	if (series->interval_ns == 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "a time series without an interval");
	ret = RUN_GROW(arm, series, err);
	if (ret)
		return ret;
	copy.values = malloc((series->nr_values + 1) * sizeof(*copy.values));
	if (!copy.values)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the results");
	if (series->nr_values)
		memcpy(copy.values, series->values, series->nr_values * sizeof(*copy.values));
	arm->series[arm->nr_series++] = copy;
	return ZWB_OK;
}

int zwb_run_arm_note(struct zwb_run_arm *arm, const char *text, struct zwb_err *err)
{
	return run_add_note(&arm->notes, &arm->nr_notes, text, err);
}

static int compare_keys(uint32_t metric_a, uint32_t cgroup_a, uint32_t metric_b, uint32_t cgroup_b)
{
	if (metric_a != metric_b)
		return metric_a < metric_b ? -1 : 1;
	return (cgroup_a > cgroup_b) - (cgroup_a < cgroup_b);
}

static int compare_metrics(const void *x, const void *y)
{
	const struct zwb_run_metric *a = x, *b = y;

	return compare_keys(a->metric, a->cgroup, b->metric, b->cgroup);
}

static int compare_hists(const void *x, const void *y)
{
	const struct zwb_run_hist *a = x, *b = y;

	return compare_keys(a->metric, a->cgroup, b->metric, b->cgroup);
}

static int compare_series(const void *x, const void *y)
{
	const struct zwb_run_series *a = x, *b = y;

	return compare_keys(a->metric, a->cgroup, b->metric, b->cgroup);
}

const struct zwb_run_metric *zwb_run_arm_find(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup)
{
	const struct zwb_run_metric key = { .metric = metric, .cgroup = cgroup };

	if (!arm->nr_metrics)
		return NULL;
	return bsearch(&key, arm->metrics, arm->nr_metrics, sizeof(key), compare_metrics);
}

const struct zwb_run_hist *zwb_run_arm_find_hist(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup)
{
	const struct zwb_run_hist key = { .metric = metric, .cgroup = cgroup };

	if (!arm->nr_hists)
		return NULL;
	return bsearch(&key, arm->hists, arm->nr_hists, sizeof(key), compare_hists);
}

const struct zwb_run_series *zwb_run_arm_find_series(
	const struct zwb_run_arm *arm, uint32_t metric, uint32_t cgroup)
{
	const struct zwb_run_series key = { .metric = metric, .cgroup = cgroup };

	if (!arm->nr_series)
		return NULL;
	return bsearch(&key, arm->series, arm->nr_series, sizeof(key), compare_series);
}

/* Puts the values in order. Return: the value that is there twice, or NULL. */
static const struct zwb_run_metric *arm_sort_metrics(struct zwb_run_arm *arm)
{
	if (arm->nr_metrics)
		qsort(arm->metrics, arm->nr_metrics, sizeof(*arm->metrics), compare_metrics);
	for (size_t i = 1; i < arm->nr_metrics; i++) {
		if (compare_metrics(&arm->metrics[i - 1], &arm->metrics[i]) == 0)
			return &arm->metrics[i];
	}
	return NULL;
}

static const struct zwb_run_hist *arm_sort_hists(struct zwb_run_arm *arm)
{
	if (arm->nr_hists)
		qsort(arm->hists, arm->nr_hists, sizeof(*arm->hists), compare_hists);
	for (size_t i = 1; i < arm->nr_hists; i++) {
		if (compare_hists(&arm->hists[i - 1], &arm->hists[i]) == 0)
			return &arm->hists[i];
	}
	return NULL;
}

static const struct zwb_run_series *arm_sort_series(struct zwb_run_arm *arm)
{
	if (arm->nr_series)
		qsort(arm->series, arm->nr_series, sizeof(*arm->series), compare_series);
	for (size_t i = 1; i < arm->nr_series; i++) {
		if (compare_series(&arm->series[i - 1], &arm->series[i]) == 0)
			return &arm->series[i];
	}
	return NULL;
}

/* -- the run -- */

struct zwb_run *zwb_run_create(const char *command, const char *version)
{
	struct zwb_run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	if (run_copy(&run->command, command, NULL) || run_copy(&run->version, version, NULL))
		goto out_free;
	for (unsigned int i = 0; i < ZWB_METRIC_NR; i++) {
		if (RUN_GROW(run, defs, NULL))
			goto out_free;
		run->defs[run->nr_defs++] = *zwb_metric_def((enum zwb_metric)i);
	}
	return run;
out_free:
	zwb_run_free(run);
	return NULL;
}

static void def_free_strings(struct zwb_metric_def *def)
{
	free((char *)def->name);
	free((char *)def->unit);
	free((char *)def->definition);
}

void zwb_run_free(struct zwb_run *run)
{
	if (!run)
		return;
	for (size_t i = run->nr_defs - run->nr_own_defs; i < run->nr_defs; i++)
		def_free_strings(&run->defs[i]);
	for (size_t i = 0; i < run->nr_traces; i++)
		trace_release(&run->traces[i]);
	for (size_t i = 0; i < run->nr_arms; i++)
		zwb_run_arm_free(run->arms[i]);
	run_free_notes(run->notes, run->nr_notes);
	free(run->defs);
	free(run->traces);
	free(run->arms);
	free(run->command);
	free(run->version);
	free(run);
}

int zwb_run_add_note(struct zwb_run *run, const char *text, struct zwb_err *err)
{
	return run_add_note(&run->notes, &run->nr_notes, text, err);
}

int zwb_run_add_def(struct zwb_run *run, const struct zwb_metric_def *def, struct zwb_err *err)
{
	struct zwb_metric_def copy = *def;
	int ret;

	for (size_t i = 0; i < run->nr_defs; i++) {
		const struct zwb_metric_def *d = &run->defs[i];

		if (strcmp(d->name, def->name) != 0)
			continue;
		if (strcmp(d->unit, def->unit) != 0 || d->kind != def->kind)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"metric \"%s\" in %s is not the one in %s known here", def->name,
				def->unit, d->unit);
		return (int)i;
	}
	copy.name = copy.unit = copy.definition = NULL;
	ret = RUN_GROW(run, defs, err);
	if (!ret)
		ret = run_copy((char **)&copy.name, def->name, err);
	if (!ret)
		ret = run_copy((char **)&copy.unit, def->unit, err);
	if (!ret)
		ret = run_copy((char **)&copy.definition, def->definition, err);
	if (ret) {
		def_free_strings(&copy);
		return ret;
	}
	run->nr_own_defs++;
	run->defs[run->nr_defs] = copy;
	return (int)run->nr_defs++;
}

static int run_check_value(const struct zwb_run *run, const struct zwb_run_trace *trace,
	const struct zwb_run_metric *m, int is_hist, struct zwb_err *err)
{
	if (m->metric >= run->nr_defs ||
		(run->defs[m->metric].kind == ZWB_KIND_HIST) != (is_hist != 0))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "no %s metric %" PRIu32,
			is_hist ? "histogram" : "scalar", m->metric);
	if (m->cgroup != ZWB_RUN_TOTAL && m->cgroup >= trace->nr_cgroups)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" of cgroup %" PRIu32 " of %zu",
			run->defs[m->metric].name, m->cgroup, trace->nr_cgroups);
	if (!zwb_class_is_valid(m->cls))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" of class 0x%02x",
			run->defs[m->metric].name, (unsigned char)m->cls);
	return ZWB_OK;
}

static int run_check_arm(const struct zwb_run *run, struct zwb_run_arm *arm, struct zwb_err *err)
{
	const struct zwb_run_trace *trace = &run->traces[arm->info.trace];
	const struct zwb_run_series *s;
	const struct zwb_run_metric *m;
	const struct zwb_run_hist *h;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < arm->nr_metrics; i++)
		ret = run_check_value(run, trace, &arm->metrics[i], 0, err);
	for (size_t i = 0; !ret && i < arm->nr_hists; i++) {
		const struct zwb_run_metric as_value = {
			.cgroup = arm->hists[i].cgroup,
			.metric = arm->hists[i].metric,
			.cls = arm->hists[i].cls,
		};

		ret = run_check_value(run, trace, &as_value, 1, err);
	}
	for (size_t i = 0; !ret && i < arm->nr_series; i++) {
		const struct zwb_run_metric as_value = {
			.cgroup = arm->series[i].cgroup,
			.metric = arm->series[i].metric,
			.cls = arm->series[i].cls,
		};

		ret = run_check_value(run, trace, &as_value, 0, err);
	}
	if (ret)
		return ret;
	m = arm_sort_metrics(arm);
	h = arm_sort_hists(arm);
	s = arm_sort_series(arm);
	if (m || h || s)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" of one cgroup is there twice",
			run->defs[m    ? m->metric
				   : h ? h->metric
				       : s->metric]
				.name);
	return ZWB_OK;
}

int zwb_run_add_arm(struct zwb_run *run, struct zwb_run_arm *arm, struct zwb_err *err)
{
	int ret;

	if (arm->info.trace >= run->nr_traces)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "arm of trace %zu of %zu", arm->info.trace,
			run->nr_traces);
	ret = run_check_arm(run, arm, err);
	if (!ret)
		ret = RUN_GROW(run, arms, err);
	if (ret)
		return ret;
	run->arms[run->nr_arms] = arm;
	return (int)run->nr_arms++;
}
