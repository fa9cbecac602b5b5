/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb import: recordings into a store. */
#include "cmd.h"
#include "common.h"
#include "facts.h"
#include "filter.h"
#include "h5store.h"
#include "options.h"
#include "summary.h"
#include "tracefile.h"

#include <inttypes.h>

struct import_args {
	const char *output;
	const char *facts, *event_map, *instance, *cgroup, *secret;
	uint64_t from_ns, to_ns;
	uint64_t level, allow_loss;
	int anonymise, force, quiet;
};

static const struct zwb_option options[] = {
	ZWB_OPTION("output", 'o', "FILE", "write the store to FILE", string, struct import_args,
		output),
	ZWB_OPTION("from", 0, "SECONDS", "leave out what is earlier, counted from the start",
		seconds, struct import_args, from_ns, .max = INT64_MAX),
	ZWB_OPTION("to", 0, "SECONDS", "leave out this moment and what is later", seconds,
		struct import_args, to_ns, .min = 1, .max = INT64_MAX),
	ZWB_OPTION("cgroup", 0, "PATH",
		"keep the operations of this cgroup, those below it and of unknown ones, and all "
		"block IO; an id works too",
		string, struct import_args, cgroup),
	ZWB_OPTION("facts", 0, "PATH",
		"host facts and counters: a folder or a file; without it in or beside TRACE",
		string, struct import_args, facts),
	ZWB_OPTION("event-map", 0, "FILE",
		"what the events of TRACE mean; without it the built-in map that fits", string,
		struct import_args, event_map),
	ZWB_OPTION("instance", 0, "NAME", "only this buffer instance of TRACE", string,
		struct import_args, instance),
	ZWB_OPTION("anonymise", 0, NULL,
		"hide names of commands, cgroups and files, and user addresses", flag,
		struct import_args, anonymise),
	ZWB_OPTION("secret", 0, "FILE",
		"make --anonymise give the same names for all recordings with the phrase in FILE",
		string, struct import_args, secret),
	ZWB_OPTION("allow-loss", 0, "N", "exit 0 though up to N events are lost (0)", u64,
		struct import_args, allow_loss, .max = UINT64_MAX),
	ZWB_OPTION("level", 0, "N", "of compression, 1 to 12 (1)", u64, struct import_args, level,
		.min = 1, .max = 12),
	ZWB_OPTION(
		"force", 'f', NULL, "replace FILE if it exists", flag, struct import_args, force),
	ZWB_OPTION("quiet", 'q', NULL, "neither progress nor summary", flag, struct import_args,
		quiet),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "TRACE... -o FILE [OPTION...]",
	.text = "Turns recordings (trace.dat) or stores into one store: cut, merged, or of one\n"
		"cgroup. What can be read of a damaged recording is written and marked; the exit\n"
		"code is 3 then.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = -1,
};

/* Nothing more can be read: what was read is kept, and says so. */
static int mark_truncated(struct zwb_meta *m, const struct zwb_summary *summary)
{
	/* A store says how many events it holds; a cut of it may have wanted fewer. */
	int is_known = m->nr_events > summary->nr_events;
	const struct zwb_loss loss = { .kind = ZWB_LOSS_TRUNCATED,
		.nr = is_known ? m->nr_events - summary->nr_events : 1,
		.nr_is_known = is_known,
		.first_ns = summary->last_ns,
		.last_ns = m->end_ns > summary->last_ns ? m->end_ns : summary->last_ns };

	return zwb_meta_loss(m, &loss, NULL);
}

/* What an import works on. */
struct import {
	const struct import_args *args;
	struct zwb_stream *in;
	struct zwb_store *out;
	struct zwb_summary summary;
	struct zwb_learner *learner;
};

/* The share of the input that is read says how many events there will be. */
static void show_progress(
	struct zwb_progress *progress, uint64_t nr_events, uint64_t all, uint64_t left)
{
	if (all > left && progress->is_on)
		progress->total =
			(uint64_t)((double)nr_events * (double)all / (double)(all - left));
	zwb_progress_update(progress, nr_events);
}

static int copy_events(struct import *im, struct zwb_err *err)
{
	const struct zwb_event *events;
	struct zwb_progress progress;
	uint64_t all = zwb_stream_left(im->in);
	size_t nr = 0;
	int ret;

	zwb_progress_init(&progress, "import", "events", 0, im->args->quiet);
	do {
		ret = zwb_stream_next(im->in, &events, &nr, err);
		if (ret || nr == 0)
			break;
		ret = zwb_store_append(im->out, events, nr, err);
		zwb_summary_add(&im->summary, events, nr);
		zwb_learner_add(im->learner, events, nr);
		show_progress(&progress, im->summary.nr_events, all, zwb_stream_left(im->in));
	} while (!ret);
	zwb_progress_finish(&progress);
	return ret;
}

/* Return: ZWB_EDATA also when the input is damaged, and what could be read of it is written. */
static int import(struct import *im, struct zwb_err *err)
{
	const struct zwb_store_opts opts = {
		.force = im->args->force, .level = (int)im->args->level, .nr_threads = 1
	};
	struct zwb_meta *m = im->in->meta;
	int read, ret = zwb_store_create(im->args->output, &opts, &im->out, err);

	if (!ret)
		ret = zwb_learner_create(m, &im->learner, err);
	read = ret ? ret : copy_events(im, err);
	if (read == ZWB_EDATA && im->summary.nr_events)
		ret = mark_truncated(m, &im->summary);
	else
		ret = read;
	if (!ret && im->summary.nr_events == 0)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0,
			"no event is in this span of the recording, or of this cgroup");
	if (ret) {
		zwb_store_abort(im->out);
		zwb_learner_apply(im->learner, m, NULL, 0, NULL);
		return ret;
	}
	ret = zwb_learner_apply(im->learner, m, m->devices, m->nr_devices, err);
	if (ret)
		zwb_store_abort(im->out);
	else
		ret = zwb_store_commit(im->out, m, err);
	return ret ? ret : read;
}

/* Damaged input and lost events both end in exit 3, with the store written. */
static int report(const struct import_args *args, const char *command,
	const struct zwb_summary *summary, const struct zwb_meta *m)
{
	uint64_t lost = zwb_meta_lost_events(m);

	if (!args->quiet)
		zwb_summary_print(stdout, summary, m);
	if (lost <= args->allow_loss)
		return ZWB_EXIT_OK;
	fprintf(stderr,
		"%s: %s: written, but %" PRIu64
		" events are lost or damaged; --allow-loss accepts that\n",
		command, args->output, lost);
	return ZWB_EXIT_DATA;
}

static int open_input(const struct import_args *args, const struct zwb_operands *operands,
	struct zwb_stream **in, struct zwb_err *err)
{
	const struct zwb_trace_opts opts = { .facts_path = args->facts,
		.event_map_path = args->event_map,
		.instance = args->instance,
		.from_ns = args->from_ns,
		.to_ns = args->to_ns,
		.cgroup = args->cgroup,
		/* a part shows less than the whole, which is read for it then */
		.geometry_later =
			operands->nr == 1 && !args->from_ns && !args->to_ns && !args->cgroup };
	struct zwb_anon anon;
	int ret = ZWB_OK;

	if (args->anonymise)
		ret = zwb_anon_open(&anon, args->secret, err);
	if (!ret)
		ret = zwb_trace_open_all(
			(const char *const *)operands->items, (size_t)operands->nr, &opts, in, err);
	if (!ret && args->anonymise)
		ret = zwb_stream_anonymise(*in, &anon, in, err);
	return ret;
}

int zwb_cmd_import(int argc, char **argv)
{
	struct import_args args = { .level = 1 };
	struct import im = { .args = &args };
	struct zwb_operands operands;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	if (!args.output)
		return zwb_usage_error(argv[0], "no output; give one with -o FILE");
	if (args.to_ns && args.to_ns <= args.from_ns)
		return zwb_usage_error(argv[0], "--to is not after --from");
	if (args.secret && !args.anonymise)
		return zwb_usage_error(argv[0], "--secret goes with --anonymise");
	ret = zwb_check_output(operands.items, operands.nr, args.output, &err);
	if (ret)
		return zwb_print_error(argv[0], &err);
	ret = open_input(&args, &operands, &im.in, &err);
	if (ret)
		return zwb_print_error(argv[0], &err);
	ret = import(&im, &err);
	if (ret)
		zwb_print_error(argv[0], &err);
	if (!ret || (ret == ZWB_EDATA && im.summary.nr_events))
		ret = report(&args, argv[0], &im.summary, im.in->meta);
	else
		ret = (int)zwb_status_exit_code(ret);
	zwb_stream_close(im.in);
	zwb_summary_release(&im.summary);
	return ret;
}
