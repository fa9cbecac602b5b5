/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb sweep: every cell of a plan, on one machine or on many. */
#include "cmd.h"
#include "common.h"
#include "input.h"
#include "options.h"
#include "runfile.h"
#include "sweep_cells.h"
#include "sweep_keep.h"
#include "sweep_part.h"
#include "sweep_setup.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWEEP_MAX_THREADS 256u
/*
 * Lanes of one decode: so many that decoding, and what one thread does alone at its begin and end,
 * hardly count; few enough to lose little when killed.
 */
#define SWEEP_LANES_A_THREAD 16u
#define SWEEP_MIN_LANES	     64u
#define NO_TRACE	     SIZE_MAX

struct sweep_args {
	struct zwb_input input;
	const char *output, *cell;
	uint64_t nr_threads, allow_loss;
	int force, quiet, infer_plugs, list;
};

struct sweep {
	const struct sweep_args *args;
	const char *command; /* argv[0] */
	struct zwb_sweep_setup setup;
	struct zwb_sweep_part part;
	struct zwb_sweep_cells cells;
	struct zwb_sweep_keep keep;
	char *output; /* of the part */
	struct zwb_progress progress;
	size_t nr_before; /* cells that were done when we began */
	struct zwb_captured captured; /* of the trace that was replayed last */
	size_t captured_trace; /* which that is; on the axis */
};

/* Cells that share a decode. */
struct batch {
	struct sweep *sweep;
	size_t trace; /* on the axis */
	size_t *cells;
	struct zwb_replay_lane *lanes;
	size_t nr, room;
	uint64_t nr_events; /* of the trace; 0 not known */
};

/* -- one batch -- */

static void batch_progress(void *arg, uint64_t nr_events)
{
	const struct batch *b = arg;
	size_t done = b->sweep->cells.nr_done - b->sweep->nr_before;

	if (b->nr_events && nr_events <= b->nr_events)
		done += (size_t)((double)b->nr * (double)nr_events / (double)b->nr_events);
	zwb_progress_update(&b->sweep->progress, done);
}

/* Which policy the trace of a batch was recorded under; looked for once a trace. */
static int batch_captured(const struct batch *b, struct zwb_err *err)
{
	struct sweep *s = b->sweep;
	int ret;

	if (s->captured_trace == b->trace)
		return ZWB_OK;
	zwb_captured_release(&s->captured);
	s->captured = (struct zwb_captured){ 0 };
	s->captured_trace = NO_TRACE;
	ret = zwb_input_captured(&s->args->input, s->setup.paths[b->trace], &s->captured, err);
	if (!ret)
		s->captured_trace = b->trace;
	return ret;
}

static int batch_replay(const struct batch *b, struct zwb_run *run, struct zwb_err *err)
{
	const struct sweep_args *args = b->sweep->args;
	const char *path = b->sweep->setup.paths[b->trace];
	struct batch progress = *b;
	const struct zwb_replay_setup setup = { .lanes = b->lanes,
		.nr_lanes = b->nr,
		.nr_threads = (unsigned int)args->nr_threads,
		.allow_loss = args->allow_loss,
		.infer_plugs = args->infer_plugs,
		.captured = &b->sweep->captured,
		.progress = batch_progress,
		.progress_arg = &progress };
	struct zwb_stream *stream = NULL;
	int ret = batch_captured(b, err);

	if (!ret)
		ret = zwb_input_open(&args->input, path, &stream, err);
	if (!ret) {
		progress.nr_events = stream->meta->nr_events;
		ret = zwb_replay_stream(&setup, stream, run, err);
	}
	zwb_stream_close(stream);
	return ret;
}

/* The recording under the name that the plan has for it, wherever the plan lies. */
static int batch_name(const struct batch *b, struct zwb_run *run, struct zwb_err *err)
{
	const char *name = b->sweep->setup.plan.axes[ZWB_SWEEP_TRACE].values[b->trace].text;
	char *copy = strdup(name);

	if (!copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the result");
	free(run->traces[0].source);
	run->traces[0].source = copy;
	return ZWB_OK;
}

/* Replays the cells of a batch and keeps them. */
static int batch_run(const struct batch *b, struct zwb_err *err)
{
	struct sweep *s = b->sweep;
	struct zwb_run *run = zwb_run_create(s->setup.command, ZWB_VERSION);
	size_t nr_done = s->cells.nr_done;
	int ret;

	if (!run)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the result");
	ret = batch_replay(b, run, err);
	if (!ret)
		ret = batch_name(b, run, err);
	if (!ret)
		ret = zwb_sweep_keep_write(&s->keep, run, b->cells[0], &s->cells, err);
	if (!ret && s->cells.nr_done != nr_done + b->nr)
		ret = zwb_err_set(err, ZWB_EDATA, 0,
			"%s: cell %zu was replayed, and is not in the file it was kept in",
			s->keep.path, b->cells[0] + 1);
	zwb_run_free(run);
	return ret;
}

/* The next cells from @cell on that are missing and share a decode. Return: where to go on. */
static size_t batch_fill(struct batch *b, size_t cell)
{
	const struct zwb_sweep_cells *cells = &b->sweep->cells;
	size_t stage[ZWB_SWEEP_NR], index[ZWB_SWEEP_NR];

	b->nr = 0;
	for (; cell < cells->end && b->nr < b->room; cell++) {
		if (cells->is_done[cell - cells->begin])
			continue;
		zwb_sweep_plan_cell(&b->sweep->setup.plan, cell, index);
		if (b->nr == 0)
			memcpy(stage, index, sizeof(stage));
		if (memcmp(stage, index, ZWB_SWEEP_DEVICE * sizeof(stage[0])) != 0)
			break;
		b->trace = index[ZWB_SWEEP_TRACE];
		b->cells[b->nr] = cell;
		b->lanes[b->nr++] = zwb_sweep_setup_lane(&b->sweep->setup, cell);
	}
	return cell;
}

static int sweep_replay(struct sweep *s, struct zwb_err *err)
{
	struct batch b = { .sweep = s, .room = SWEEP_LANES_A_THREAD * s->args->nr_threads };
	size_t cell = s->cells.begin;
	int ret = ZWB_OK;

	if (b.room < SWEEP_MIN_LANES)
		b.room = SWEEP_MIN_LANES;
	b.cells = calloc(b.room, sizeof(*b.cells));
	b.lanes = calloc(b.room, sizeof(*b.lanes));
	if (!b.cells || !b.lanes)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the lanes");
	s->nr_before = s->cells.nr_done;
	zwb_progress_init(&s->progress, "sweep", "cells",
		s->cells.end - s->cells.begin - s->nr_before, s->args->quiet);
	while (!ret) {
		cell = batch_fill(&b, cell);
		if (b.nr == 0)
			break;
		ret = batch_run(&b, err);
	}
	zwb_progress_finish(&s->progress);
	free(b.cells);
	free(b.lanes);
	return ret;
}

/* -- the whole -- */

static int sweep_write(struct sweep *s, struct zwb_err *err)
{
	struct zwb_run *run;
	int ret = zwb_sweep_cells_collect(&s->cells, &run, err);

	if (!ret)
		ret = zwb_runfile_write(run, s->output, s->args->force, err);
	zwb_run_free(run);
	return ret;
}

/* An output that is there already: what we are about to make, or in the way? */
static int sweep_check_output(const struct sweep *s, char *const *done, int nr_done,
	int *is_finished, struct zwb_err *err)
{
	int ret = zwb_check_output(
		s->setup.paths, (int)s->setup.plan.axes[ZWB_SWEEP_TRACE].nr_values, s->output, err);

	*is_finished = 0;
	if (!ret)
		ret = zwb_check_output(done, nr_done, s->output, err);
	if (ret || s->args->force || access(s->output, F_OK) != 0)
		return ret;
	*is_finished = zwb_sweep_cells_are_in(&s->cells, s->output);
	if (!*is_finished)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s exists; --force replaces it", s->output);
	return ZWB_OK;
}

static int sweep_run(struct sweep *s, char *const *done, int nr_done, struct zwb_err *err)
{
	size_t nr_damaged;
	int is_finished, ret = sweep_check_output(s, done, nr_done, &is_finished, err);

	if (ret)
		return ret;
	ret = zwb_sweep_keep_open(&s->keep, s->output, s->args->force, &s->cells, &nr_damaged, err);
	if (ret)
		return ret;
	if (is_finished) {
		/* killed between writing it and clearing up, or there is nothing in the folder */
		zwb_sweep_keep_remove(&s->keep);
		return ZWB_OK;
	}
	if (nr_damaged)
		zwb_print_warning(s->command, "%s: %zu damaged files; their cells are replayed",
			s->keep.path, nr_damaged);
	for (int i = 0; !ret && i < nr_done; i++)
		ret = zwb_sweep_cells_add(&s->cells, done[i], err);
	if (!ret)
		ret = sweep_replay(s, err);
	if (!ret)
		ret = sweep_write(s, err);
	if (!ret)
		zwb_sweep_keep_remove(&s->keep);
	return ret;
}

/* One line a cell: its number, and its value on each axis. */
static void sweep_list(const struct sweep *s)
{
	for (size_t cell = s->cells.begin; cell < s->cells.end; cell++) {
		size_t index[ZWB_SWEEP_NR];

		zwb_sweep_plan_cell(&s->setup.plan, cell, index);
		printf("%zu", cell + 1);
		for (int i = 0; i < ZWB_SWEEP_NR; i++) {
			putchar('\t');
			zwb_put_text(stdout, s->setup.plan.axes[i].values[index[i]].text);
		}
		putchar('\n');
	}
}

/* Options that change results, in a fixed order; "" for the usual ones. NULL without memory. */
static char *sweep_options(const struct sweep_args *args)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	if (args->allow_loss)
		fprintf(f, " --allow-loss %" PRIu64, args->allow_loss);
	if (args->infer_plugs)
		fputs(" --infer-plugs", f);
	if (args->input.captured_policy)
		fprintf(f, " --captured-policy %s", args->input.captured_policy);
	if (args->input.facts)
		fprintf(f, " --facts %s", args->input.facts);
	if (args->input.event_map)
		fprintf(f, " --event-map %s", args->input.event_map);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static int sweep_open(struct sweep *s, const char *plan, struct zwb_err *err)
{
	const struct sweep_args *args = s->args;
	char *options = sweep_options(args);
	size_t begin, end;
	int ret;

	if (!options)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the options");
	ret = zwb_sweep_setup_open(plan, options, &s->setup, err);
	free(options);
	if (ret)
		return ret;
	ret = args->cell ? zwb_sweep_part_parse(args->cell, &s->part, err)
			 : zwb_sweep_part_launched(getenv, &s->part, err);
	if (ret) {
		if (args->cell)
			zwb_err_prefix(err, "--cell");
		return ret;
	}
	zwb_sweep_part_cells(&s->part, s->setup.plan.nr_cells, &begin, &end);
	ret = zwb_sweep_cells_init(&s->cells, &s->setup, begin, end, err);
	if (ret || args->list)
		return ret;
	if (!args->output)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"--output FILE is wanted: where the sweep goes, and beside it what is "
			"finished of it");
	s->output = zwb_sweep_part_path(&s->part, args->output);
	return s->output ? ZWB_OK : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a name");
}

static void sweep_release(struct sweep *s)
{
	zwb_captured_release(&s->captured);
	zwb_sweep_keep_close(&s->keep);
	zwb_sweep_cells_release(&s->cells);
	zwb_sweep_setup_release(&s->setup);
	free(s->output);
}

static const struct zwb_option options[] = {
	ZWB_OPTION("output", 'o', "FILE",
		"run file to write; finished cells are kept in FILE.cells", string,
		struct sweep_args, output),
	ZWB_OPTION("force", 'f', NULL, "replace FILE, and what was kept of another sweep", flag,
		struct sweep_args, force),
	ZWB_OPTION("cell", 0, "K/N",
		"do part K of N only; under mpirun each rank has a part without being told", string,
		struct sweep_args, cell),
	ZWB_OPTION("list", 0, NULL, "list the cells instead of replaying them", flag,
		struct sweep_args, list),
	ZWB_OPTION("threads", 0, "N",
		"threads; all processors it may use by default; the result is the same", u64,
		struct sweep_args, nr_threads, .min = 1, .max = SWEEP_MAX_THREADS),
	ZWB_INPUT_OPTIONS(struct sweep_args, input),
	ZWB_OPTION("allow-loss", 0, "N", "replay though up to N events are lost (0)", u64,
		struct sweep_args, allow_loss, .max = UINT64_MAX),
	ZWB_OPTION("infer-plugs", 0, NULL,
		"infer outer plugs though their start and end were recorded", flag,
		struct sweep_args, infer_plugs),
	ZWB_OPTION("quiet", 'q', NULL, "no progress", flag, struct sweep_args, quiet),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "PLAN [DONE.h5...] -o FILE [OPTION...]",
	.text = "Replays every trace of a plan with every policy, device and seed of it. When it\n"
		"is killed, the same command goes on where it was. Cells that are in run files\n"
		"given behind the plan are taken from there, which puts parts together. A plan\n"
		"is lines such as \"trace monday.h5\", \"policy sorted,max_pages={16,64}\",\n"
		"\"device linear,depth={1,32}\", \"seed {1..5}\".\n",
	.options = options,
	.min_operands = 1,
	.max_operands = -1,
};

/* Those that this process was given: mpirun and Slurm deal processors to ranks. */
static uint64_t usable_processors(void)
{
	cpu_set_t set;
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		nr = CPU_COUNT(&set);
	if (nr < 1)
		return 1;
	return nr < (long)SWEEP_MAX_THREADS ? (uint64_t)nr : SWEEP_MAX_THREADS;
}

int zwb_cmd_sweep(int argc, char **argv)
{
	struct sweep_args args = { .nr_threads = usable_processors() };
	struct sweep s = {
		.args = &args, .command = argv[0], .keep = { .fd = -1 }, .captured_trace = NO_TRACE
	};
	struct zwb_operands operands;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	ret = sweep_open(&s, operands.items[0], &err);
	if (!ret && args.list)
		sweep_list(&s);
	else if (!ret)
		ret = sweep_run(&s, operands.items + 1, operands.nr - 1, &err);
	ret = ret ? zwb_print_error(argv[0], &err) : (int)ZWB_EXIT_OK;
	sweep_release(&s);
	return ret;
}
