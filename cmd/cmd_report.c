/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb report: the comparison of replays, from their run files. */
#include "cmd.h"
#include "common.h"
#include "condition.h"
#include "describe.h"
#include "measured_run.h"
#include "options.h"
#include "outfile.h"
#include "parse.h"
#include "plot.h"
#include "published.h"
#include "report.h"
#include "runread.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_args {
	const char *baseline;
	const char *metrics;
	const char *output;
	const char *plot, *picture;
	struct zwb_strings tables;
	const char *workload;
	struct zwb_strings conditions;
	const char *assumed_cv; /* percent */
	int format; /* index into zwb_format_table */
	int group_by; /* enum zwb_group_by */
	int center; /* enum zwb_center */
	int check;
	int force;
};

static const char *const group_names[] = { "total", "cgroup", "trace", "device", NULL };
static const char *const center_names[] = { "mean", "median", "trimmed", NULL };

/* What --check looks for unless --fail-if says otherwise. */
#define CHECK_CONDITION "worse>1%"

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
		ZWB_OPTION("group-by", 'g', "WHAT",
			"the total only; every cgroup or recording as well; or device by device",
			choice, struct report_args, group_by, .choices = group_names),
		ZWB_OPTION("center", 0, "WHAT",
			"what stands for several recordings; the mean if not given", choice,
			struct report_args, center, .choices = center_names),
		ZWB_OPTION("table", 0, "FILE",
			"measured runs, or published means, from a CSV file beside the replays",
			strings, struct report_args, tables),
		ZWB_OPTION("workload", 0, "NAME", "of --table only the runs of this workload",
			string, struct report_args, workload),
		ZWB_OPTION("assume-cv", 0, "PERCENT",
			"deviation of published means that came without one, in % of the mean",
			string, struct report_args, assumed_cv),
		ZWB_OPTION("fail-if", 0, "CONDITION",
			"exit with 1 if it is met: 'write requests>5%'; may be given several times",
			strings, struct report_args, conditions),
		ZWB_OPTION("check", 0, NULL,
			"compare two run files policy by policy, and exit with 1 if the second is "
			"worse",
			flag, struct report_args, check),
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
		.synopsis = "[RUN.h5...] [OPTION...]",
		.text = "Prints the replays of one or several run files beside each other: values\n"
			"and their spread over recordings, changes against a baseline, how sure\n"
			"each number is, and what the recordings lost or do not tell.\n",
		.options = options,
		.min_operands = 0,
		.max_operands = -1,
	};

	list_formats(formats);
	return zwb_options_parse(&usage, argc, argv, args, files);
}

/* What a report is made of. */
struct report {
	const char *command; /* for messages */
	const struct report_args *args;
	const struct zwb_operands *files;
	struct zwb_run **runs; /* of the files, then of the tables */
	const char **names;
	size_t nr_runs;
	struct zwb_condition *conditions;
	size_t nr_conditions;
	struct zwb_comparison *cmp;
	int failed; /* a condition is met, or cannot be judged */
};

static const struct zwb_run *const *runs_of(const struct report *r)
{
	return (const struct zwb_run *const *)r->runs;
}

static int parse_conditions(struct report *r, struct zwb_err *err)
{
	const struct zwb_strings *given = &r->args->conditions;
	int is_default = given->nr == 0 && r->args->check;
	int ret = ZWB_OK;

	r->conditions = calloc(given->nr + 1, sizeof(*r->conditions));
	if (!r->conditions)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for conditions");
	for (size_t i = 0; !ret && i < given->nr + (size_t)is_default; i++) {
		ret = zwb_condition_parse(
			is_default ? CHECK_CONDITION : given->items[i], &r->conditions[i], err);
		if (ret)
			zwb_err_prefix(err, "--fail-if");
		else
			r->nr_conditions++;
	}
	return ret;
}

/* The name of a run file without its directories. */
static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int read_runs(struct report *r, struct zwb_err *err)
{
	const struct zwb_strings *tables = &r->args->tables;
	size_t nr = (size_t)r->files->nr + tables->nr;
	int ret = ZWB_OK;

	r->runs = calloc(nr + 1, sizeof(struct zwb_run *));
	r->names = calloc(nr + 1, sizeof(*r->names));
	if (!r->runs || !r->names)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the list of files");
	for (int i = 0; !ret && i < r->files->nr; i++) {
		r->names[r->nr_runs] = short_name(r->files->items[i]);
		ret = zwb_run_read(r->files->items[i], &r->runs[r->nr_runs++], err);
	}
	for (size_t i = 0; !ret && i < tables->nr; i++) {
		r->names[r->nr_runs] = short_name(tables->items[i]);
		ret = zwb_measured_run(tables->items[i], r->args->workload, ZWB_VERSION,
			&r->runs[r->nr_runs++], err);
	}
	return ret;
}

static struct zwb_compare_options compare_options(const struct report *r)
{
	const struct report_args *a = r->args;

	return (struct zwb_compare_options){
		.baseline = a->baseline,
		.metrics = a->metrics,
		.group_by = a->check ? ZWB_GROUP_POLICY : (enum zwb_group_by)a->group_by,
		.center = (enum zwb_center)a->center,
		.names = r->names,
	};
}

/* Published means go with nothing else. Return: 1 if there are such, 0 if not, or an error. */
static int is_published(const struct report *r, struct zwb_err *err)
{
	const struct zwb_strings *tables = &r->args->tables;
	int published = 0;

	for (size_t i = 0; i < tables->nr; i++) {
		int ret = zwb_published_is(tables->items[i], err);

		if (ret < 0)
			return ret;
		published |= ret;
	}
	if (published && (tables->nr > 1 || r->files->nr > 0))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"a table of published means has no n, and cannot be compared with others");
	return published;
}

static int compare_published(struct report *r, struct zwb_err *err)
{
	struct zwb_published_options options = { .metrics = r->args->metrics, .assumed_cv = NAN };
	int ret = ZWB_OK;

	if (r->args->assumed_cv) {
		ret = zwb_parse_double(r->args->assumed_cv, 0, 1000, &options.assumed_cv, err);
		if (ret)
			zwb_err_prefix(err, "--assume-cv");
		options.assumed_cv /= 100;
	}
	return ret ? ret
		   : zwb_published_compare(
			     r->args->tables.items[0], &options, ZWB_VERSION, &r->cmp, err);
}

static int compare(struct report *r, struct zwb_err *err)
{
	struct zwb_compare_options options;
	int ret = is_published(r, err);

	if (ret > 0)
		return compare_published(r, err);
	if (!ret)
		ret = read_runs(r, err);
	if (ret)
		return ret;
	options = compare_options(r);
	return zwb_compare(runs_of(r), r->nr_runs, &options, &r->cmp, err);
}

/* To a file that appears when it is whole. */
static int write_file(const struct report *r, struct zwb_err *err)
{
	const struct report_args *args = r->args;
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
	ret = zwb_format_table[args->format]->write(out, r->cmp, err);
	errno = 0;
	if ((ferror(out) | fclose(out)) && !ret)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot write", args->output);
	if (ret) {
		zwb_outfile_abort(&file);
		return ret;
	}
	return zwb_outfile_commit(&file, err);
}

static int plot(const struct report *r, struct zwb_err *err)
{
	const struct zwb_plot_request request = { r->args->plot, r->args->picture, r->args->force };
	const struct zwb_compare_options options = compare_options(r);

	if (r->nr_runs == 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "--plot draws replays and measured runs");
	return zwb_plot(&request, runs_of(r), r->nr_runs, &options, err);
}

/* One cell that meets a condition, as a message. */
static void tell_hit(void *arg, const struct zwb_condition_hit *hit)
{
	const struct report *r = arg;
	char value[ZWB_TEXT_NUM_SIZE], change[ZWB_TEXT_NUM_SIZE];
	char *verdict = zwb_describe_verdict(hit->cell);

	zwb_text_value(value, hit->cell->value, hit->cell->sd);
	zwb_text_percent(change, hit->cell->delta_percent);
	fprintf(stderr, "%s: ", r->command);
	if (hit->row->group) {
		zwb_put_text(stderr, hit->row->group);
		fputs(": ", stderr);
	}
	zwb_put_text(stderr, hit->column->label);
	fprintf(stderr, ": %s is %s, %s%s%s\n", hit->row->name, value, change,
		verdict && verdict[0] ? ", " : "", verdict ? verdict : "");
	free(verdict);
}

/* Says which conditions are met. */
static int check_conditions(struct report *r, struct zwb_err *err)
{
	for (size_t i = 0; i < r->nr_conditions; i++) {
		const char *text =
			r->args->conditions.nr ? r->args->conditions.items[i] : CHECK_CONDITION;
		size_t nr_judged;
		int hits = zwb_condition_check(
			&r->conditions[i], r->cmp, tell_hit, r, &nr_judged, err);

		if (hits < 0)
			return hits;
		if (hits == 0 && nr_judged > 0)
			continue;
		r->failed = 1;
		fprintf(stderr, "%s: ", r->command);
		zwb_put_text(stderr, text);
		if (nr_judged == 0)
			fputs(": cannot be judged, nothing comparable was measured\n", stderr);
		else
			fprintf(stderr, ": met %d of %zu times\n", hits, nr_judged);
	}
	return ZWB_OK;
}

static void ignore_hit(void *arg, const struct zwb_condition_hit *hit)
{
	(void)arg;
	(void)hit;
}

/* Conditions on rows that are not there are an error before anything is printed. */
static int check_names(const struct report *r, struct zwb_err *err)
{
	for (size_t i = 0; i < r->nr_conditions; i++) {
		size_t nr_judged;
		int ret = zwb_condition_check(
			&r->conditions[i], r->cmp, ignore_hit, NULL, &nr_judged, err);

		if (ret < 0) {
			zwb_err_prefix(err, "--fail-if");
			return ret;
		}
	}
	return ZWB_OK;
}

/* What excludes each other, and outputs that would overwrite an input. */
static int check_usage(const struct report *r, struct zwb_err *err)
{
	const struct report_args *args = r->args;
	const char *output = args->plot ? args->plot : args->output;
	int ret;

	if (args->plot && args->output)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "--plot and --output exclude each other");
	if (r->files->nr == 0 && args->tables.nr == 0)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "nothing to work on: no run file and no --table");
	if (args->check && (r->files->nr != 2 || args->tables.nr > 0))
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "--check compares two run files, the old one first");
	if (args->check && (args->group_by || args->baseline))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"--check goes policy by policy, against the first file");
	ret = zwb_check_output(r->files->items, r->files->nr, output, err);
	if (!ret)
		ret = zwb_check_output(
			(char *const *)args->tables.items, (int)args->tables.nr, output, err);
	return ret;
}

/* Whether standard output took everything is checked by main(). */
static int report(struct report *r, struct zwb_err *err)
{
	int ret = check_usage(r, err);

	if (!ret)
		ret = parse_conditions(r, err);
	if (!ret)
		ret = compare(r, err);
	if (!ret)
		ret = check_names(r, err);
	if (!ret && r->args->plot)
		ret = plot(r, err);
	else if (!ret && r->args->output)
		ret = write_file(r, err);
	else if (!ret)
		ret = zwb_format_table[r->args->format]->write(stdout, r->cmp, err);
	return ret ? ret : check_conditions(r, err);
}

static void release(struct report *r)
{
	zwb_comparison_free(r->cmp);
	for (size_t i = 0; i < r->nr_runs; i++)
		zwb_run_free(r->runs[i]);
	for (size_t i = 0; i < r->nr_conditions; i++)
		zwb_condition_release(&r->conditions[i]);
	free(r->runs);
	free(r->names);
	free(r->conditions);
}

int zwb_cmd_report(int argc, char **argv)
{
	struct report_args args = { .format = zwb_report_default_format() };
	struct zwb_operands files;
	struct report r = { .command = argv[0], .args = &args, .files = &files };
	struct zwb_err err = { 0 };
	int ret = parse(argc, argv, &args, &files);

	if (ret == ZWB_OPTIONS_RUN) {
		ret = report(&r, &err);
		ret = ret ? zwb_print_error(argv[0], &err) : r.failed ? ZWB_EXIT_NO : ZWB_EXIT_OK;
		release(&r);
	}
	zwb_strings_release(&args.tables);
	zwb_strings_release(&args.conditions);
	return ret;
}
