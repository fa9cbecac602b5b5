/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb info: what is in a recording, a store or a run file. */
#include "cmd.h"
#include "common.h"
#include "grow.h"
#include "info.h"
#include "options.h"
#include "runread.h"
#include "runschema.h"
#include "secondread.h"
#include "tracefile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_words[] = { "text", "json", NULL };
enum { FORMAT_TEXT, FORMAT_JSON };

struct info_args {
	const char *facts, *event_map;
	int format, quiet, second_opinion;
};

static const struct zwb_option options[] = {
	ZWB_OPTION("format", 0, "FORMAT", "form of the description; text by default", choice,
		struct info_args, format, .choices = format_words),
	ZWB_OPTION("facts", 0, "PATH",
		"host facts and counters: a folder or a file; without it in or beside FILE", string,
		struct info_args, facts),
	ZWB_OPTION("event-map", 0, "FILE",
		"what the events of a trace.dat mean; without it the built-in map that fits",
		string, struct info_args, event_map),
	ZWB_OPTION("second-opinion", 0, NULL,
		"have libtracecmd count the events of a trace.dat as well; exit 1 when it differs",
		flag, struct info_args, second_opinion),
	ZWB_OPTION("quiet", 'q', NULL, "no progress", flag, struct info_args, quiet),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "FILE [OPTION...]",
	.text = "Says what is in a trace.dat, a store or a run file: kernel, span, events by\n"
		"kind, what was lost, what is unknown, cgroups, swap areas, parameters,\n"
		"counters. The exit code is 3 when the file is damaged or events are lost.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = 1,
};

static int print_info(
	const struct info_args *args, const struct zwb_info *info, struct zwb_err *err)
{
	if (args->format == FORMAT_JSON)
		return zwb_info_json(stdout, info, err);
	zwb_info_text(stdout, info);
	return ZWB_OK;
}

/* -- run files -- */

/* A table is a group that holds columns; its length is that of any of them. */
static int note_table(const struct zwb_h5node *node, void *arg, struct zwb_err *err)
{
	struct zwb_info *info = arg;
	const char *slash = strrchr(node->path, '/');
	struct zwb_info_table table = { .nr_rows = node->nr_rows };

	if (node->kind != ZWB_H5_COLUMN || slash == node->path)
		return ZWB_OK;
	snprintf(table.path, sizeof(table.path), "%.*s", (int)(slash - node->path), node->path);
	if (info->nr_tables && strcmp(info->tables[info->nr_tables - 1].path, table.path) == 0)
		return ZWB_OK;
	if (!ZWB_GROW(info->tables, info->nr_tables))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for tables");
	info->tables[info->nr_tables++] = table;
	return ZWB_OK;
}

/* Is @path a run file? A file that cannot be read is not, and opening it as a trace will say so. */
static int is_run(const char *path)
{
	struct zwb_h5file *f;
	char *format = NULL;
	int found;

	if (!zwb_h5_is_hdf5(path) || zwb_h5_open(path, &f, NULL))
		return 0;
	found = zwb_h5_get_str(f, "/", "format", &format, NULL) == ZWB_OK &&
		strcmp(format, ZWB_RUN_FORMAT) == 0;
	free(format);
	zwb_h5_close(f);
	return found;
}

static int info_run(const struct info_args *args, const char *path, struct zwb_err *err)
{
	struct zwb_info info = { .path = path, .kind = "run" };
	struct zwb_h5file *f = NULL;
	struct zwb_run *run = NULL;
	int ret = zwb_run_read(path, &run, err);

	if (!ret)
		ret = zwb_h5_open(path, &f, err);
	if (!ret)
		ret = zwb_h5_visit(f, note_table, &info, err);
	info.run = run;
	if (!ret)
		ret = print_info(args, &info, err);
	free(info.tables);
	zwb_h5_close(f);
	zwb_run_free(run);
	return ret;
}

/* -- recordings and stores -- */

static int read_events(const struct info_args *args, struct zwb_stream *s, struct zwb_info *info,
	struct zwb_err *err)
{
	const struct zwb_event *events;
	struct zwb_progress progress;
	size_t nr = 0;
	int ret;

	zwb_progress_init(&progress, "info", "events", s->meta->nr_events, args->quiet);
	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (ret)
			break;
		zwb_summary_add(&info->summary, events, nr);
		zwb_progress_update(&progress, info->summary.nr_events);
	} while (nr);
	zwb_progress_finish(&progress);
	return ret;
}

/* Return: ZWB_OK and *@differs, or a status. */
static int print_second_opinion(
	const char *path, const struct zwb_meta *meta, int *differs, struct zwb_err *err)
{
	struct zwb_second second;
	int ret = zwb_second_read(path, meta, &second, err);

	if (ret)
		return ret;
	*differs = second.nr_rows > 0;
	printf("\nsecond opinion\n  libtracecmd reads %" PRIu64
	       " events of %zu kinds; %zu kinds differ\n",
		second.nr_events, second.nr_names, second.nr_rows);
	for (size_t i = 0; i < second.nr_rows; i++) {
		fputs("  ", stdout);
		zwb_put_text(stdout, second.rows[i].name);
		printf(": %" PRIu64 " here, %" PRIu64 " there\n", second.rows[i].nr_ours,
			second.rows[i].nr_theirs);
	}
	zwb_second_release(&second);
	return ZWB_OK;
}

static int info_trace(
	const struct info_args *args, const char *path, int *differs, struct zwb_err *err)
{
	const struct zwb_trace_opts opts = { .facts_path = args->facts,
		.event_map_path = args->event_map };
	struct zwb_info info = { .path = path,
		.kind = zwb_h5_is_hdf5(path) ? "store" : "trace.dat" };
	struct zwb_stream *s;
	struct zwb_err print_err = { 0 };
	int read, ret = zwb_trace_open(path, &opts, &s, err);

	if (ret)
		return ret;
	read = read_events(args, s, &info, err);
	if (read)
		info.stopped = err->text;
	if (read == ZWB_EENV || read == ZWB_ENOMEM) {
		ret = read;
	} else {
		info.meta = s->meta;
		ret = print_info(args, &info, &print_err);
		if (ret)
			*err = print_err;
		else if (read)
			ret = read;
		else if (zwb_meta_lost_events(s->meta))
			ret = zwb_err_set(err, ZWB_EDATA, 0,
				"%s: events are lost or damaged, see \"losses\"", path);
	}
	if (!ret && args->second_opinion)
		ret = print_second_opinion(path, s->meta, differs, err);
	zwb_stream_close(s);
	zwb_summary_release(&info.summary);
	return ret;
}

int zwb_cmd_info(int argc, char **argv)
{
	struct info_args args = { 0 };
	struct zwb_operands operands;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);
	int differs = 0;

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	if (args.second_opinion &&
		(args.format != FORMAT_TEXT || zwb_h5_is_hdf5(operands.items[0])))
		return zwb_usage_error(
			argv[0], "--second-opinion is for a trace.dat, and printed as text");
	if (is_run(operands.items[0]))
		ret = info_run(&args, operands.items[0], &err);
	else
		ret = info_trace(&args, operands.items[0], &differs, &err);
	if (ret)
		return (int)zwb_print_error(argv[0], &err);
	return differs ? ZWB_EXIT_NO : ZWB_EXIT_OK;
}
