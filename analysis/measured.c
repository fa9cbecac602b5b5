/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs out of CSV. */
#include "measured.h"

#include "grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct measured_run {
	char *kernel, *workload;
	double bios, requests; /* per 1,000 pages; NAN: not measured */
};

struct zwb_measured {
	struct measured_run *runs;
	size_t nr_runs;
	const char **workloads; /* borrowed from the runs */
	size_t nr_workloads;
};

/* Where the wanted columns stand. */
struct measured_columns {
	int kernel, workload, pages, bios, swap_writes, writes;
};

int zwb_measured_counts(const struct zwb_csv *csv, struct zwb_err *err)
{
	static const char *const marks[] = { "bad", "trace", "traced" };
	int counts = 1;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		double mark = 0;
		int ret = zwb_csv_number(csv, zwb_csv_find(csv, marks[i]), &mark, err);

		if (ret)
			return ret;
		counts &= mark == 0;
	}
	return counts;
}

static int measured_find(const struct zwb_csv *csv, const char *path, struct measured_columns *c,
	struct zwb_err *err)
{
	*c = (struct measured_columns){ .kernel = zwb_csv_find(csv, "kernel"),
		.workload = zwb_csv_find(csv, "workload"),
		.pages = zwb_csv_find(csv, "pswpout"),
		.bios = zwb_csv_find(csv, "nrswpout"),
		.swap_writes = zwb_csv_find(csv, "swap_w_ios"),
		.writes = zwb_csv_find(csv, "w_ios") };
	if (c->kernel < 0 || c->workload < 0 || c->pages < 0)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: the first line must name the columns kernel, workload and pswpout",
			path);
	return ZWB_OK;
}

/* The run in the present line. */
static int measured_add(struct zwb_measured *m, const struct zwb_csv *csv,
	const struct measured_columns *c, struct zwb_err *err)
{
	double pages = 0, bios = (double)NAN, writes = (double)NAN;
	struct measured_run run = { 0 };
	int ret = zwb_csv_number(csv, c->pages, &pages, err);

	if (!ret)
		ret = zwb_csv_number(csv, c->bios, &bios, err);
	if (!ret)
		ret = zwb_csv_number(csv, c->writes, &writes, err);
	if (!ret) /* the swap area's own counter, where there is one */
		ret = zwb_csv_number(csv, c->swap_writes, &writes, err);
	if (ret || pages <= 0)
		return ret;
	run.bios = 1000 * bios / pages;
	run.requests = 1000 * writes / pages;
	run.kernel = strdup(zwb_csv_cell(csv, c->kernel));
	run.workload = strdup(zwb_csv_cell(csv, c->workload));
	if (!run.kernel || !run.workload || !ZWB_GROW(m->runs, m->nr_runs)) {
		free(run.kernel);
		free(run.workload);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	m->runs[m->nr_runs++] = run;
	return ZWB_OK;
}

static int measured_lines(
	struct zwb_measured *m, struct zwb_csv *csv, const char *path, struct zwb_err *err)
{
	struct measured_columns c;
	int ret = measured_find(csv, path, &c, err);

	while (!ret) {
		ret = zwb_csv_next(csv, err);
		if (ret <= 0)
			return ret;
		ret = zwb_measured_counts(csv, err);
		if (ret > 0)
			ret = measured_add(m, csv, &c, err);
	}
	return ret;
}

static int measured_name_workloads(struct zwb_measured *m, struct zwb_err *err)
{
	for (size_t i = 0; i < m->nr_runs; i++) {
		size_t k = 0;

		while (k < m->nr_workloads && strcmp(m->workloads[k], m->runs[i].workload) != 0)
			k++;
		if (k < m->nr_workloads)
			continue;
		if (!ZWB_GROW(m->workloads, m->nr_workloads))
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
		m->workloads[m->nr_workloads++] = m->runs[i].workload;
	}
	return ZWB_OK;
}

int zwb_measured_read(const char *path, struct zwb_measured **out, struct zwb_err *err)
{
	struct zwb_measured *m;
	struct zwb_csv *csv;
	int ret = zwb_csv_open(path, &csv, err);

	*out = NULL;
	if (ret)
		return ret;
	m = calloc(1, sizeof(*m));
	if (!m) {
		zwb_csv_close(csv);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	ret = measured_lines(m, csv, path, err);
	zwb_csv_close(csv);
	if (!ret)
		ret = measured_name_workloads(m, err);
	if (ret) {
		zwb_measured_free(m);
		return ret;
	}
	*out = m;
	return ZWB_OK;
}

void zwb_measured_free(struct zwb_measured *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr_runs; i++) {
		free(m->runs[i].kernel);
		free(m->runs[i].workload);
	}
	free(m->runs);
	free(m->workloads);
	free(m);
}

int zwb_measured_ratios(const struct zwb_measured *m, const char *kernel, const char *workload,
	struct zwb_measured_ratios *ratios, struct zwb_err *err)
{
	double *bios = calloc(m->nr_runs + 1, sizeof(*bios));
	double *requests = calloc(m->nr_runs + 1, sizeof(*requests));
	size_t nr = 0;
	int ret = ZWB_OK;

	for (size_t i = 0; bios && requests && i < m->nr_runs; i++) {
		const struct measured_run *run = &m->runs[i];

		if (strcmp(run->kernel, kernel) != 0 ||
			(workload && strcmp(run->workload, workload) != 0))
			continue;
		bios[nr] = run->bios;
		requests[nr++] = run->requests;
	}
	if (!bios || !requests) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	} else {
		ratios->bios = zwb_stats_of(bios, nr);
		ratios->requests = zwb_stats_of(requests, nr);
	}
	free(bios);
	free(requests);
	return ret;
}

const char *zwb_measured_workload(const struct zwb_measured *m, size_t i)
{
	return i < m->nr_workloads ? m->workloads[i] : NULL;
}
