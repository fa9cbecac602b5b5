/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb replay: recordings through policies. */
#include "cmd.h"
#include "common.h"
#include "engine.h"
#include "input.h"
#include "options.h"
#include "report.h"
#include "runfile.h"
#include "select.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLAY_MAX_SEEDS   1000u
#define REPLAY_MAX_THREADS 256u

static const char *const trigger_words[] = { "recorded", NULL };
static const char *const loop_words[] = { "open", NULL };

struct replay_args {
	struct zwb_input input;
	struct zwb_strings policies;
	const char *device, *output;
	uint64_t nr_seeds, first_seed, nr_threads, allow_loss;
	int trigger, loop, force, quiet, infer_plugs;
};

struct replay {
	struct replay_args *args;
	struct zwb_policy *policies;
	struct zwb_device_model device;
	struct zwb_replay_lane *lanes; /* policy by policy, seed by seed */
	size_t nr_lanes;
	struct zwb_run *run;
	struct zwb_progress progress;
};

static int replay_policies(struct replay *r, struct zwb_err *err)
{
	static const char *const usual[] = { "unbatched", "batched", "plugged" };
	const char *const *names = r->args->policies.items;
	size_t nr = r->args->policies.nr;
	int ret = ZWB_OK;

	if (nr == 0) {
		names = usual;
		nr = sizeof(usual) / sizeof(usual[0]);
	}
	r->policies = calloc(nr, sizeof(*r->policies));
	if (!r->policies)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the policies");
	for (size_t i = 0; !ret && i < nr; i++) {
		ret = zwb_policy_select(names[i], &r->policies[i], err);
		for (size_t k = 0; !ret && k < i; k++) {
			if (strcmp(r->policies[k].label, names[i]) == 0)
				ret = zwb_err_set(
					err, ZWB_EUSAGE, 0, "policy %s is given twice", names[i]);
		}
	}
	r->args->policies.nr = nr;
	return ret;
}

static int replay_lanes(struct replay *r, struct zwb_err *err)
{
	size_t nr_seeds = (size_t)r->args->nr_seeds;

	r->lanes = calloc(r->args->policies.nr * nr_seeds, sizeof(*r->lanes));
	if (!r->lanes)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the lanes");
	for (size_t p = 0; p < r->args->policies.nr; p++) {
		for (size_t s = 0; s < nr_seeds; s++)
			r->lanes[r->nr_lanes++] =
				(struct zwb_replay_lane){ .policy = &r->policies[p],
					.device = &r->device,
					.seed = r->args->first_seed + s };
	}
	return ZWB_OK;
}

static void replay_progress(void *arg, uint64_t nr_events)
{
	zwb_progress_update(arg, nr_events);
}

static int replay_trace(struct replay *r, const char *path, struct zwb_err *err)
{
	struct zwb_captured captured = { 0 };
	struct zwb_stream *stream = NULL;
	const struct zwb_replay_setup setup = { .lanes = r->lanes,
		.nr_lanes = r->nr_lanes,
		.nr_threads = (unsigned int)r->args->nr_threads,
		.allow_loss = r->args->allow_loss,
		.infer_plugs = r->args->infer_plugs,
		.captured = &captured,
		.progress = replay_progress,
		.progress_arg = &r->progress };
	int ret;

	ret = zwb_input_captured(&r->args->input, path, &captured, err);
	if (!ret)
		ret = zwb_input_open(&r->args->input, path, &stream, err);
	if (!ret) {
		zwb_progress_init(
			&r->progress, "replay", "events", stream->meta->nr_events, r->args->quiet);
		ret = zwb_replay_stream(&setup, stream, r->run, err);
		zwb_progress_finish(&r->progress);
	}
	zwb_stream_close(stream);
	zwb_captured_release(&captured);
	return ret;
}

/* The options that decide the result, in a fixed order. */
static char *replay_command(const struct replay *r)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("replay", f);
	for (size_t i = 0; i < r->args->policies.nr; i++)
		fprintf(f, " --policy %s", r->policies[i].label);
	fprintf(f, " --device %s --trigger recorded --loop open --seeds %llu --seed %llu",
		r->device.label, (unsigned long long)r->args->nr_seeds,
		(unsigned long long)r->args->first_seed);
	if (r->args->allow_loss)
		fprintf(f, " --allow-loss %" PRIu64, r->args->allow_loss);
	if (r->args->infer_plugs)
		fputs(" --infer-plugs", f);
	if (r->args->input.captured_policy)
		fprintf(f, " --captured-policy %s", r->args->input.captured_policy);
	return fclose(f) ? NULL : text;
}

static int replay_report(const struct replay *r, struct zwb_err *err)
{
	const struct zwb_run *runs[] = { r->run };
	const struct zwb_compare_options options = { 0 };

	return zwb_report_write(stdout, runs, 1, &options, NULL, err);
}

static int replay_run(struct replay *r, const struct zwb_operands *traces, struct zwb_err *err)
{
	char *command;
	int ret;

	ret = zwb_check_output(traces->items, traces->nr, r->args->output, err);
	if (ret)
		return ret;
	/* Before hours of work, not after them. */
	if (r->args->output && !r->args->force && access(r->args->output, F_OK) == 0)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "%s exists; --force replaces it", r->args->output);
	ret = replay_policies(r, err);
	if (!ret)
		ret = zwb_device_select(r->args->device, &r->device, err);
	if (!ret)
		ret = replay_lanes(r, err);
	if (ret)
		return ret;
	command = replay_command(r);
	r->run = command ? zwb_run_create(command, ZWB_VERSION) : NULL;
	free(command);
	if (!r->run)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the result");
	for (int i = 0; !ret && i < traces->nr; i++)
		ret = replay_trace(r, traces->items[i], err);
	if (!ret && r->args->output)
		ret = zwb_runfile_write(r->run, r->args->output, r->args->force, err);
	else if (!ret)
		ret = replay_report(r, err);
	return ret;
}

static const struct zwb_option options[] = {
	ZWB_OPTION("policy", 'p', "POLICY[,KEY=VALUE]...",
		"policy to replay; may be given several times; unbatched, batched and plugged by "
		"default; a path to a .so loads one of your own",
		strings, struct replay_args, policies),
	ZWB_OPTION("device", 'd', "DEVICE[,KEY=VALUE]...", "device model; linear by default",
		string, struct replay_args, device),
	ZWB_OPTION("trigger", 0, "TRIGGER", "where the LRU walks come from", choice,
		struct replay_args, trigger, .choices = trigger_words),
	ZWB_OPTION("loop", 0, "LOOP", "what the times of the tasks follow", choice,
		struct replay_args, loop, .choices = loop_words),
	ZWB_OPTION("seeds", 0, "N", "replay with N seeds of the device's noise; 1 by default", u64,
		struct replay_args, nr_seeds, .min = 1, .max = REPLAY_MAX_SEEDS),
	ZWB_OPTION("seed", 0, "N", "first seed; 1 by default", u64, struct replay_args, first_seed,
		.min = 0, .max = UINT32_MAX),
	ZWB_OPTION("threads", 0, "N", "threads; all processors by default; the result is the same",
		u64, struct replay_args, nr_threads, .min = 1, .max = REPLAY_MAX_THREADS),
	ZWB_INPUT_OPTIONS(struct replay_args, input),
	ZWB_OPTION("allow-loss", 0, "N", "replay though up to N events are lost (0)", u64,
		struct replay_args, allow_loss, .max = UINT64_MAX),
	ZWB_OPTION("infer-plugs", 0, NULL,
		"infer outer plugs though their start and end were recorded", flag,
		struct replay_args, infer_plugs),
	ZWB_OPTION("output", 'o', "FILE", "write a run file instead of printing the comparison",
		string, struct replay_args, output),
	ZWB_OPTION("force", 'f', NULL, "replace FILE", flag, struct replay_args, force),
	ZWB_OPTION("quiet", 'q', NULL, "no progress", flag, struct replay_args, quiet),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "TRACE... [OPTION...]",
	.text = "Replays recordings (trace.dat or trace.h5) through writeback policies over a\n"
		"model of the block layer and a device, and compares them.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = -1,
};

int zwb_cmd_replay(int argc, char **argv)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct replay_args args = { .device = "linear",
		.nr_seeds = 1,
		.first_seed = 1,
		.nr_threads = nr_cpus > 0 ? (uint64_t)nr_cpus : 1 };
	struct replay r = { .args = &args };
	struct zwb_operands traces;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &traces);
	size_t nr_given = args.policies.nr;

	if (ret == ZWB_OPTIONS_RUN) {
		ret = replay_run(&r, &traces, &err);
		ret = ret ? (int)zwb_print_error(argv[0], &err) : ZWB_EXIT_OK;
	}
	for (size_t i = 0; r.policies && i < args.policies.nr; i++)
		zwb_policy_release(&r.policies[i]);
	free(r.policies);
	free(r.lanes);
	args.policies.nr = nr_given;
	zwb_strings_release(&args.policies);
	zwb_device_release(&r.device);
	zwb_run_free(r.run);
	return ret;
}
