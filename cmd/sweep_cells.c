/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells found in run files, and put together in the order of the plan. */
#include "sweep_cells.h"

#include "grow.h"
#include "runread.h"

#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT32_MAX

/* Where a cell is: an arm of a run. */
struct place {
	uint32_t run, arm;
};

static int cells_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the cells");
}

int zwb_sweep_cells_init(struct zwb_sweep_cells *cells, const struct zwb_sweep_setup *setup,
	size_t begin, size_t end, struct zwb_err *err)
{
	*cells = (struct zwb_sweep_cells){ .setup = setup, .begin = begin, .end = end };
	cells->is_done = calloc(end - begin + 1, sizeof(*cells->is_done));
	return cells->is_done ? ZWB_OK : cells_no_memory(err);
}

void zwb_sweep_cells_release(struct zwb_sweep_cells *cells)
{
	for (size_t i = 0; i < cells->nr_files; i++)
		free(cells->files[i]);
	free(cells->files);
	free(cells->is_done);
	*cells = (struct zwb_sweep_cells){ 0 };
}

/* Is it a result of this very sweep? */
static int cells_check(const struct zwb_sweep_cells *cells, const char *path,
	const struct zwb_run *run, struct zwb_err *err)
{
	if (strcmp(run->command, cells->setup->command) != 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s: not of this plan and these options, but of \"%.120s\"", path,
			run->command);
	if (strcmp(run->version, ZWB_VERSION) != 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s: written by zwb %.20s, this is zwb " ZWB_VERSION
			"; cells of both would not compare",
			path, run->version);
	return ZWB_OK;
}

/* The wanted cell that an arm is of. Return: 1 and *@cell from 0, or 0. */
static int cells_find(const struct zwb_sweep_cells *cells, const struct zwb_run *run,
	const struct zwb_run_arm *arm, size_t *cell)
{
	if (!zwb_sweep_setup_find(cells->setup, &run->traces[arm->info.trace], &arm->info, cell) ||
		*cell < cells->begin || *cell >= cells->end)
		return 0;
	*cell -= cells->begin;
	return 1;
}

static int cells_add_file(struct zwb_sweep_cells *cells, const char *path, struct zwb_err *err)
{
	char *copy;

	if (!ZWB_GROW(cells->files, cells->nr_files))
		return cells_no_memory(err);
	copy = strdup(path);
	if (!copy)
		return cells_no_memory(err);
	cells->files[cells->nr_files++] = copy;
	return ZWB_OK;
}

int zwb_sweep_cells_note(struct zwb_sweep_cells *cells, const struct zwb_run *run, const char *path,
	struct zwb_err *err)
{
	size_t cell, nr_before = cells->nr_done;
	int ret = cells_check(cells, path, run, err);

	if (!ret)
		ret = cells_add_file(cells, path, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < run->nr_arms; i++) {
		if (!cells_find(cells, run, run->arms[i], &cell) || cells->is_done[cell])
			continue;
		cells->is_done[cell] = 1;
		cells->nr_done++;
	}
	if (cells->nr_done == nr_before)
		free(cells->files[--cells->nr_files]);
	return ZWB_OK;
}

int zwb_sweep_cells_add(struct zwb_sweep_cells *cells, const char *path, struct zwb_err *err)
{
	struct zwb_run *run;
	int ret = zwb_run_read(path, &run, err);

	if (ret)
		return ret;
	ret = zwb_sweep_cells_note(cells, run, path, err);
	zwb_run_free(run);
	return ret;
}

int zwb_sweep_cells_are_in(const struct zwb_sweep_cells *cells, const char *path)
{
	struct zwb_sweep_cells found;
	struct zwb_run *run;
	size_t nr_arms;
	int ret = zwb_run_read(path, &run, NULL);

	if (ret)
		return 0;
	nr_arms = run->nr_arms;
	zwb_run_free(run);
	if (nr_arms != cells->end - cells->begin)
		return 0;
	ret = zwb_sweep_cells_init(&found, cells->setup, cells->begin, cells->end, NULL);
	if (!ret)
		ret = zwb_sweep_cells_add(&found, path, NULL);
	nr_arms = found.nr_done;
	zwb_sweep_cells_release(&found);
	return !ret && nr_arms == cells->end - cells->begin;
}

/* -- all as one -- */

struct collection {
	const struct zwb_sweep_cells *cells;
	struct zwb_run **runs; /* one a file */
	struct place *places; /* [cell - begin] */
	int *traces; /* [trace of the plan]: of the whole, or negative */
	struct zwb_run *whole;
};

static int collect_read(struct collection *c, struct zwb_err *err)
{
	const struct zwb_sweep_cells *cells = c->cells;

	for (uint32_t f = 0; f < cells->nr_files; f++) {
		int ret = zwb_run_read(cells->files[f], &c->runs[f], err);

		if (!ret)
			ret = cells_check(cells, cells->files[f], c->runs[f], err);
		if (ret)
			return ret;
		for (uint32_t a = 0; a < c->runs[f]->nr_arms; a++) {
			size_t cell = 0;

			if (cells_find(cells, c->runs[f], c->runs[f]->arms[a], &cell) &&
				c->places[cell].run == NO_PLACE)
				c->places[cell] = (struct place){ .run = f, .arm = a };
		}
	}
	return ZWB_OK;
}

/* Two files about one recording must have seen the same one. */
static int collect_same(const struct zwb_run_trace *a, const struct zwb_run_trace *b,
	const char *path, struct zwb_err *err)
{
	if (strcmp(a->digest, b->digest) == 0 && a->nr_cgroups == b->nr_cgroups)
		return ZWB_OK;
	return zwb_err_set(err, ZWB_EDATA, 0,
		"%s: recording %.100s is not the one that other cells were replayed from: it was "
		"changed meanwhile",
		path, a->source);
}

/* The trace of a cell in the whole run, moved there by the first cell that is of it. */
static int collect_trace(
	struct collection *c, size_t cell, const struct place *place, struct zwb_err *err)
{
	struct zwb_run *from = c->runs[place->run];
	size_t trace = from->arms[place->arm]->info.trace, index[ZWB_SWEEP_NR];
	int *known;
	int ret = ZWB_OK;

	zwb_sweep_plan_cell(&c->cells->setup->plan, c->cells->begin + cell, index);
	known = &c->traces[index[ZWB_SWEEP_TRACE]];
	if (*known < 0)
		ret = *known = zwb_run_move_trace(c->whole, from, trace, err);
	else if (from->traces[trace].digest) /* else it is the one that was moved */
		ret = collect_same(&from->traces[trace], &c->whole->traces[*known],
			c->cells->files[place->run], err);
	return ret < 0 ? ret : *known;
}

static int collect_arms(struct collection *c, struct zwb_err *err)
{
	size_t nr = c->cells->end - c->cells->begin;

	for (size_t i = 0; i < nr; i++) {
		const struct place *place = &c->places[i];
		int ret;

		if (place->run == NO_PLACE)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"cell %zu is gone from the file that it was in",
				c->cells->begin + i + 1);
		ret = collect_trace(c, i, place, err);
		if (ret >= 0)
			ret = zwb_run_move_arm(
				c->whole, (size_t)ret, c->runs[place->run], place->arm, err);
		if (ret < 0)
			return ret;
	}
	return ZWB_OK;
}

int zwb_sweep_cells_collect(
	const struct zwb_sweep_cells *cells, struct zwb_run **out, struct zwb_err *err)
{
	size_t nr_traces = cells->setup->plan.axes[ZWB_SWEEP_TRACE].nr_values;
	struct collection c = { .cells = cells };
	int ret = ZWB_OK;

	*out = NULL;
	c.runs = calloc(cells->nr_files + 1, sizeof(struct zwb_run *));
	c.places = calloc(cells->end - cells->begin + 1, sizeof(*c.places));
	c.traces = malloc(nr_traces * sizeof(*c.traces));
	c.whole = zwb_run_create(cells->setup->command, ZWB_VERSION);
	if (!c.runs || !c.places || !c.traces || !c.whole)
		ret = cells_no_memory(err);
	for (size_t i = 0; !ret && i < cells->end - cells->begin; i++)
		c.places[i].run = NO_PLACE;
	for (size_t i = 0; !ret && i < nr_traces; i++)
		c.traces[i] = -1;
	if (!ret)
		ret = collect_read(&c, err);
	if (!ret)
		ret = collect_arms(&c, err);
	for (size_t i = 0; c.runs && i < cells->nr_files; i++)
		zwb_run_free(c.runs[i]);
	free(c.runs);
	free(c.places);
	free(c.traces);
	if (ret)
		zwb_run_free(c.whole);
	else
		*out = c.whole;
	return ret;
}
