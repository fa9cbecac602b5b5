/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb synth: writes a synthetic recording. */
#include "cmd.h"
#include "common.h"
#include "datwriter_sink.h"
#include "h5store.h"
#include "options.h"
#include "synth.h"

#include <string.h>

enum synth_format { FORMAT_H5, FORMAT_DAT, FORMAT_BY_NAME };

struct synth_args {
	const char *output;
	int format;
	int force, quiet;
	uint64_t events, seed, cpus, tasks, cgroups, pages, slots, skew;
};

/* Where the events go: exactly one of the two is open. */
struct synth_output {
	struct zwb_store *store;
	struct zwb_datsink *sink;
};

static const char *const format_names[] = { "h5", "dat", NULL };

static const struct zwb_option options[] = {
	ZWB_OPTION("output", 'o', "FILE", "write the recording to FILE", string, struct synth_args,
		output),
	ZWB_OPTION("format", 0, "FORMAT",
		"of the output; without it dat if FILE ends in .dat, else h5", choice,
		struct synth_args, format, .choices = format_names),
	ZWB_OPTION("force", 'f', NULL, "replace FILE if it exists", flag, struct synth_args, force),
	ZWB_OPTION("quiet", 'q', NULL, "no progress", flag, struct synth_args, quiet),
	ZWB_OPTION("events", 'n', "N", "length of the recording (1000000)", u64, struct synth_args,
		events, .min = 1, .max = 1ull << 40),
	ZWB_OPTION("seed", 0, "N", "another seed is another recording (1)", u64, struct synth_args,
		seed, .min = 1, .max = UINT32_MAX),
	ZWB_OPTION("cpus", 0, "N", "CPUs of the machine (2)", u64, struct synth_args, cpus,
		.min = 1, .max = ZWB_SYNTH_MAX_CPUS),
	ZWB_OPTION("tasks", 0, "N", "tasks that touch memory (4)", u64, struct synth_args, tasks,
		.min = 1, .max = ZWB_SYNTH_MAX_TASKS),
	ZWB_OPTION("cgroups", 0, "N",
		"cgroups that the tasks are in; every second one has a zswap.max (2)", u64,
		struct synth_args, cgroups, .min = 1, .max = ZWB_SYNTH_MAX_TASKS),
	ZWB_OPTION("pages", 0, "N", "pages of memory that the tasks touch (65536)", u64,
		struct synth_args, pages, .min = ZWB_SYNTH_MIN_TASK_PAGES,
		.max = ZWB_SYNTH_MAX_SLOTS),
	ZWB_OPTION("slots", 0, "N", "slots of the swap area, more than pages (131072)", u64,
		struct synth_args, slots, .min = 1, .max = ZWB_SYNTH_MAX_SLOTS),
	ZWB_OPTION("skew", 0, "PERCENT", "exponent of the zipf law in hundredths (90)", u64,
		struct synth_args, skew, .max = ZWB_SYNTH_MAX_SKEW),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "PROFILE -o FILE [OPTION...]",
	.text = "Writes a synthetic recording: a small machine with zswap, driven by tasks of the\n"
		"PROFILE. The same options make the same file. There is one profile, zipf: every\n"
		"task touches its memory by a zipf law.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = 1,
};

static int name_ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len >= end_len && strcmp(name + len - end_len, end) == 0;
}

static void synth_params(
	const struct synth_args *args, const char *profile, struct zwb_synth_params *params)
{
	*params = (struct zwb_synth_params){
		.profile = profile,
		.nr_events = args->events,
		.seed = args->seed,
		.nr_cpus = (uint32_t)args->cpus,
		.nr_tasks = (uint32_t)args->tasks,
		.nr_cgroups = (uint32_t)args->cgroups,
		.nr_pages = args->pages,
		.nr_slots = args->slots,
		.skew_percent = (uint32_t)args->skew,
	};
}

static int output_open(struct synth_output *out, const struct synth_args *args,
	const struct zwb_meta *meta, struct zwb_err *err)
{
	const struct zwb_store_opts opts = { .force = args->force, .nr_threads = 1 };

	if (args->format == FORMAT_DAT)
		return zwb_datsink_open(&out->sink, args->output, args->force, meta, err);
	return zwb_store_create(args->output, &opts, &out->store, err);
}

static int output_add(
	struct synth_output *out, const struct zwb_event *events, size_t nr, struct zwb_err *err)
{
	if (out->sink)
		return zwb_datsink_add(out->sink, events, nr, err);
	return zwb_store_append(out->store, events, nr, err);
}

/* Give the output its name, or remove it when @ret says that something failed before. */
static int output_close(
	struct synth_output *out, int ret, const struct zwb_meta *meta, struct zwb_err *err)
{
	if (ret) {
		zwb_datsink_abort(out->sink);
		zwb_store_abort(out->store);
		return ret;
	}
	if (out->sink)
		return zwb_datsink_finish(out->sink, err);
	return zwb_store_commit(out->store, meta, err);
}

static int synth_write(
	const struct synth_args *args, struct zwb_stream *stream, struct zwb_err *err)
{
	struct synth_output out = { 0 };
	const struct zwb_event *events;
	struct zwb_progress progress;
	uint64_t done = 0;
	size_t nr = 0;
	int ret = output_open(&out, args, stream->meta, err);

	zwb_progress_init(&progress, "synth", "events", args->events, args->quiet);
	while (!ret) {
		ret = zwb_stream_next(stream, &events, &nr, err);
		if (ret || nr == 0)
			break;
		ret = output_add(&out, events, nr, err);
		done += nr;
		zwb_progress_update(&progress, done);
	}
	ret = output_close(&out, ret, stream->meta, err);
	zwb_progress_finish(&progress);
	return ret;
}

int zwb_cmd_synth(int argc, char **argv)
{
	struct zwb_synth_params params;
	struct zwb_operands operands;
	struct zwb_stream *stream;
	struct zwb_err err = { 0 };
	struct synth_args args = { .format = FORMAT_BY_NAME };
	int ret;

	zwb_synth_defaults(&params);
	args.events = params.nr_events;
	args.seed = params.seed;
	args.cpus = params.nr_cpus;
	args.tasks = params.nr_tasks;
	args.cgroups = params.nr_cgroups;
	args.pages = params.nr_pages;
	args.slots = params.nr_slots;
	args.skew = params.skew_percent;
	ret = zwb_options_parse(&usage, argc, argv, &args, &operands);
	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	if (!args.output)
		return zwb_usage_error(argv[0], "no output; give one with -o FILE");
	if (args.format == FORMAT_BY_NAME)
		args.format = name_ends_in(args.output, ".dat") ? FORMAT_DAT : FORMAT_H5;
	synth_params(&args, operands.items[0], &params);
	ret = zwb_synth_open(&params, &stream, &err);
	if (!ret) {
		ret = synth_write(&args, stream, &err);
		zwb_stream_close(stream);
	}
	return ret ? zwb_print_error(argv[0], &err) : ZWB_EXIT_OK;
}
