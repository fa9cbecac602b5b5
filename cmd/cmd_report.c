/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb report: the comparison of replays, from their run files. */
#include "cmd.h"
#include "common.h"
#include "options.h"
#include "outfile.h"
#include "plot.h"
#include "report.h"
#include "runread.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct report_args {
	const char *baseline;
	const char *metrics;
	const char *output;
	const char *plot, *picture;
	int format; /* index into zwb_format_table */
	int group_by; /* enum zwb_group_by */
	int force;
};

static const char *const group_names[] = { "total", "cgroup", NULL };

#define MAX_FORMATS 32

/* Names of the formats there are, NULL at the end. */
static void list_formats(const char **names)
{
	size_t nr = 0;

	while (nr < MAX_FORMATS && zwb_format_table[nr]) {
		names[nr] = zwb_format_table[nr]->name;
		nr++;
	}
	names[nr] = NULL;
}

static int parse(int argc, char **argv, struct report_args *args, struct zwb_operands *files)
{
	const char *formats[MAX_FORMATS + 1];
	const struct zwb_option options[] = {
		ZWB_OPTION("baseline", 'b', "POLICY", "compare with POLICY instead of the first",
			string, struct report_args, baseline),
		ZWB_OPTION("format", 0, "FORMAT", "how to print it; lkml if not given", choice,
			struct report_args, format, .choices = formats),
		ZWB_OPTION("metric", 'm', "LIST",
			"these metrics only, in this order: names with commas between", string,
			struct report_args, metrics),
		ZWB_OPTION("group-by", 'g', "WHAT", "the total only, or every cgroup as well",
			choice, struct report_args, group_by, .choices = group_names),
		ZWB_OPTION("output", 'o', "FILE", "write to FILE instead of standard output",
			string, struct report_args, output),
		ZWB_OPTION("plot", 0, "FILE",
			"draw one picture with gnuplot instead: FILE ends in .svg or .png", string,
			struct report_args, plot),
		ZWB_OPTION("picture", 0, "NAME",
			"which one --plot draws; by default the first there is", string,
			struct report_args, picture),
		ZWB_OPTION("force", 'f', NULL, "replace FILE if it exists", flag,
			struct report_args, force),
		{ 0 },
	};
	const struct zwb_usage usage = {
		.synopsis = "RUN.h5... [OPTION...]",
		.text = "Prints the replays of one or several run files beside each other: values\n"
			"and their spread over recordings, changes against a baseline, how sure\n"
			"each number is, and what the recordings lost or do not tell.\n",
		.options = options,
		.min_operands = 1,
		.max_operands = -1,
	};

	list_formats(formats);
	return zwb_options_parse(&usage, argc, argv, args, files);
}

static int read_runs(const struct zwb_operands *files, struct zwb_run **runs, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (int i = 0; !ret && i < files->nr; i++)
		ret = zwb_run_read(files->items[i], &runs[i], err);
	return ret;
}

/* To a file that appears when it is whole. */
static int write_file(const struct report_args *args, const struct zwb_run *const *runs,
	size_t nr_runs, const struct zwb_compare_options *options, struct zwb_err *err)
{
	struct zwb_outfile file;
	FILE *out;
	int fd, ret = zwb_outfile_open(&file, args->output, args->force, err);

	if (ret)
		return ret;
	fd = dup(file.fd);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s", args->output);
		if (fd >= 0)
			close(fd);
		zwb_outfile_abort(&file);
		return ret;
	}
	ret = zwb_report_write(out, runs, nr_runs, options, zwb_format_table[args->format], err);
	errno = 0;
	if ((ferror(out) | fclose(out)) && !ret)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot write", args->output);
	if (ret) {
		zwb_outfile_abort(&file);
		return ret;
	}
	return zwb_outfile_commit(&file, err);
}

/* Whether standard output took everything is checked by main(). */
static int report(
	const struct report_args *args, const struct zwb_operands *files, struct zwb_err *err)
{
	const struct zwb_compare_options options = {
		.baseline = args->baseline,
		.metrics = args->metrics,
		.group_by = (enum zwb_group_by)args->group_by,
	};
	const struct zwb_plot_request plot = { args->plot, args->picture, args->force };
	size_t nr_runs = (size_t)files->nr;
	struct zwb_run **runs = calloc(nr_runs, sizeof(struct zwb_run *));
	const struct zwb_run *const *all = (const struct zwb_run *const *)runs;
	int ret;

	if (!runs)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the list of files");
	if (args->plot && args->output)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "--plot and --output exclude each other");
	else
		ret = zwb_check_output(
			files->items, files->nr, args->plot ? args->plot : args->output, err);
	if (!ret)
		ret = read_runs(files, runs, err);
	if (!ret && args->plot)
		ret = zwb_plot(&plot, all, nr_runs, &options, err);
	else if (!ret && args->output)
		ret = write_file(args, all, nr_runs, &options, err);
	else if (!ret)
		ret = zwb_report_write(
			stdout, all, nr_runs, &options, zwb_format_table[args->format], err);
	for (size_t i = 0; i < nr_runs; i++)
		zwb_run_free(runs[i]);
	free(runs);
	return ret;
}

int zwb_cmd_report(int argc, char **argv)
{
	struct report_args args = { .format = zwb_report_default_format() };
	struct zwb_operands files;
	struct zwb_err err = { 0 };
	int ret = parse(argc, argv, &args, &files);

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	ret = report(&args, &files, &err);
	return ret ? zwb_print_error(argv[0], &err) : ZWB_EXIT_OK;
}
