/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs out of CSV. */
#include "measured.h"

#include "grow.h"
#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEASURED_MAX_COLUMNS 1024u

/* Names first, then numbers. */
enum column { KERNEL, WORKLOAD, BAD, TRACE, TRACED, PAGES, BIOS, SWAP_WRITES, WRITES, NR_COLUMNS };

static const char *const column_names[NR_COLUMNS] = { "kernel", "workload", "bad", "trace",
	"traced", "pswpout", "nrswpout", "swap_w_ios", "w_ios" };

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

/* Where the wanted columns stand; -1: nowhere. */
struct measured_header {
	int at[NR_COLUMNS];
	size_t nr_columns;
};

/* Cut the next cell off @line, in place, quotes removed; NULL after the last. */
static char *csv_cell(char **line)
{
	char *cell = *line, *from, *to;

	if (!cell)
		return NULL;
	if (*cell != '"') {
		*line = strchr(cell, ',');
		if (*line)
			*(*line)++ = '\0';
		return cell;
	}
	for (from = to = cell + 1; *from && (*from != '"' || from[1] == '"'); from++) {
		if (*from == '"')
			from++;
		*to++ = *from;
	}
	if (*from == '"')
		from++;
	*to = '\0';
	*line = *from == ',' ? from + 1 : NULL;
	return cell + 1;
}

static int measured_header(
	char *line, const char *path, struct measured_header *h, struct zwb_err *err)
{
	char *cell;

	for (int c = 0; c < NR_COLUMNS; c++)
		h->at[c] = -1;
	h->nr_columns = 0;
	while ((cell = csv_cell(&line)) && h->nr_columns < MEASURED_MAX_COLUMNS) {
		for (int c = 0; c < NR_COLUMNS; c++) {
			if (strcmp(cell, column_names[c]) == 0)
				h->at[c] = (int)h->nr_columns;
		}
		h->nr_columns++;
	}
	if (h->at[KERNEL] < 0 || h->at[WORKLOAD] < 0 || h->at[PAGES] < 0)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: the first line must name the columns kernel, workload and pswpout",
			path);
	return ZWB_OK;
}

/* The number of a column; *@value stays as it is where there is none. */
static int measured_number(char *const *cells, const struct measured_header *h, enum column c,
	double *value, struct zwb_err *err)
{
	if (h->at[c] < 0 || cells[h->at[c]][0] == '\0')
		return ZWB_OK;
	if (zwb_parse_double(cells[h->at[c]], -HUGE_VAL, HUGE_VAL, value, err)) {
		zwb_err_prefix(err, "column %s", column_names[c]);
		return ZWB_EDATA;
	}
	return ZWB_OK;
}

static int measured_add(struct zwb_measured *m, char *const *cells, const struct measured_header *h,
	struct zwb_err *err)
{
	double v[NR_COLUMNS] = {
		[BIOS] = (double)NAN, [SWAP_WRITES] = (double)NAN, [WRITES] = (double)NAN
	};
	struct measured_run run = { 0 };

	for (enum column c = BAD; c < NR_COLUMNS; c++) {
		int ret = measured_number(cells, h, c, &v[c], err);

		if (ret)
			return ret;
	}
	if (v[BAD] != 0 || v[TRACE] != 0 || v[TRACED] != 0 || v[PAGES] <= 0)
		return ZWB_OK;
	run.bios = 1000 * v[BIOS] / v[PAGES];
	run.requests = 1000 * (isnan(v[SWAP_WRITES]) ? v[WRITES] : v[SWAP_WRITES]) / v[PAGES];
	run.kernel = strdup(cells[h->at[KERNEL]]);
	run.workload = strdup(cells[h->at[WORKLOAD]]);
	if (!run.kernel || !run.workload || !ZWB_GROW(m->runs, m->nr_runs)) {
		free(run.kernel);
		free(run.workload);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	m->runs[m->nr_runs++] = run;
	return ZWB_OK;
}

static int measured_line(
	struct zwb_measured *m, char *line, const struct measured_header *h, struct zwb_err *err)
{
	char *cells[MEASURED_MAX_COLUMNS];
	char *cell;
	size_t nr = 0;

	while ((cell = csv_cell(&line)) && nr < MEASURED_MAX_COLUMNS)
		cells[nr++] = cell;
	if (nr != h->nr_columns)
		return zwb_err_set(err, ZWB_EDATA, 0, "%zu cells where the first line has %zu", nr,
			h->nr_columns);
	return measured_add(m, cells, h, err);
}

static int measured_lines(struct zwb_measured *m, FILE *f, const char *path, struct zwb_err *err)
{
	struct measured_header h;
	unsigned long line_nr = 0;
	char *line = NULL;
	size_t size = 0;
	int ret = ZWB_OK;

	while (!ret && getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		line_nr++;
		if (line_nr == 1)
			ret = measured_header(line, path, &h, err);
		else if (line[0])
			ret = measured_line(m, line, &h, err);
		if (ret && line_nr > 1)
			zwb_err_prefix(err, "%s, line %lu", path, line_nr);
	}
	free(line);
	if (!ret && ferror(f))
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", path);
	if (!ret && line_nr == 0)
		ret = zwb_err_set(err, ZWB_EKIND, 0, "%s: empty", path);
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
	FILE *f;
	int ret = zwb_open_text(path, &f, err);

	*out = NULL;
	if (ret)
		return ret;
	m = calloc(1, sizeof(*m));
	if (!m) {
		fclose(f);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for measured runs");
	}
	ret = measured_lines(m, f, path, err);
	fclose(f);
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
