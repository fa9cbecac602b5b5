/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb validate: the captured policy replayed, each stage scored against the recording. */
#include "against.h"
#include "cmd.h"
#include "common.h"
#include "hostcount.h"
#include "input.h"
#include "options.h"
#include "score.h"
#include "selfcheck.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATE_MIN_WRITEBACKS 100u
#define VALIDATE_SCHEMA_VERSION 1

/* The bars: counts within, and exact share at least. */
static const struct validate_bar {
	double deviation, exact;
} bars[2] = { { 0.002, 0.995 }, { 0.01, 0.97 } };

enum { GIVEN, BLIND };
enum { READS, WRITES };
enum { BIOS, RQS };

static const char *const mode_names[] = { "not blind", "blind" };
static const char *const stage_names[] = { "page -> bio", "bio -> request" };
static const char *const direction_names[] = { "reads", "writes" };
static const char *const format_words[] = { "text", "json", NULL };
static const char *const wrong_words[] = { "none", "full-plug", NULL };

struct validate_args {
	struct zwb_input input;
	struct zwb_against against;
	uint64_t allow_loss;
	int format, wrong_rule, blind_only, by_cgroup, misses, infer_plugs;
};

/* What both sides produced, [bios or requests][reads or writes]. */
struct validate_lists {
	struct zwb_score_list truth[2][2];
	struct zwb_score_list model[2][2][2]; /* [mode] first */
};

struct validate_row {
	int mode, stage, direction;
	uint32_t cgroup; /* or ZWB_SCORE_ALL */
	struct zwb_score score;
	bool has_bar, passed;
};

struct validation {
	struct validate_args *args;
	const char *path;
	struct zwb_stream *stream;
	struct zwb_captured captured;
	struct validate_lists lists;
	struct zwb_selfcheck_counts counts;
	struct validate_row *rows;
	size_t nr_rows;
	const char *no_bar; /* why nothing is held to a bar, or NULL */
	bool passed;
};

/* Collecting. */

static void collect(struct zwb_score_list lists[2], const struct zwb_bio *bio, uint64_t group)
{
	const struct zwb_score_item item = { .sector = bio->sector,
		.nr_sectors = bio->nr_sectors,
		.cgroup = bio->cgroup,
		.group = group,
		.ts_ns = bio->ts_ns };
	const uint8_t other = ZWB_OP_FLUSH | ZWB_OP_DISCARD | ZWB_OP_OTHER;

	if (!(bio->op & other))
		zwb_score_add(&lists[bio->op & ZWB_OP_WRITE ? WRITES : READS], &item);
}

static void collect_truth_bio(void *arg, const struct zwb_bio *bio)
{
	collect(((struct validate_lists *)arg)->truth[BIOS], bio, 0);
}

static void collect_truth_rq(void *arg, const struct zwb_bio *rq)
{
	collect(((struct validate_lists *)arg)->truth[RQS], rq, 0);
}

static void collect_given_bio(void *arg, const struct zwb_bio *bio)
{
	collect(((struct validate_lists *)arg)->model[GIVEN][BIOS], bio, 0);
}

static void collect_given_rq(void *arg, const struct zwb_rq *rq, uint64_t flush)
{
	collect(((struct validate_lists *)arg)->model[GIVEN][RQS], &rq->bio, flush);
}

static void collect_blind_bio(void *arg, const struct zwb_bio *bio)
{
	collect(((struct validate_lists *)arg)->model[BLIND][BIOS], bio, 0);
}

static void collect_blind_rq(void *arg, const struct zwb_rq *rq, uint64_t flush)
{
	collect(((struct validate_lists *)arg)->model[BLIND][RQS], &rq->bio, flush);
}

/* Scoring. */

static const char *validate_no_bar(const struct validation *v)
{
	if (zwb_meta_lost_events(v->stream->meta))
		return "events are lost";
	if (v->counts.nr_writebacks < VALIDATE_MIN_WRITEBACKS)
		return "fewer than 100 writebacks";
	if (v->stream->meta->nr_swaps == 0 || !v->stream->meta->swaps[0].geometry_known)
		return "the geometry of the swap area is a guess";
	return NULL;
}

/* Requests are held to a bar only where the plug alone decides them. */
static bool validate_has_bar(const struct validation *v, const struct validate_row *row)
{
	if (v->no_bar || row->cgroup != ZWB_SCORE_ALL)
		return false;
	if (row->stage == BIOS)
		return true;
	return strcmp(v->stream->meta->scheduler, "none") == 0 && v->counts.limits.has_requests;
}

/* Read bios are derived from loads; given ones make requests without. */
static bool validate_is_derived(const struct validation *v, const struct validate_row *row)
{
	if (row->mode == GIVEN && v->args->blind_only)
		return false;
	return row->direction == WRITES || v->counts.knows_reads ||
	       (row->mode == GIVEN && row->stage == RQS);
}

static int validate_row(struct validation *v, struct validate_row *row, struct zwb_err *err)
{
	const struct validate_bar *bar = &bars[row->mode];
	int ret = zwb_score_compare(&v->lists.model[row->mode][row->stage][row->direction],
		&v->lists.truth[row->stage][row->direction], row->cgroup, &row->score, err);

	row->has_bar = !ret && validate_has_bar(v, row);
	row->passed = !row->has_bar || (fabs(zwb_score_deviation(&row->score)) <= bar->deviation &&
					       zwb_score_exact(&row->score) >= bar->exact);
	if (!row->passed)
		v->passed = false;
	return ret;
}

static int validate_score(struct validation *v, struct zwb_err *err)
{
	size_t nr_groups = 1 + (v->args->by_cgroup ? v->stream->meta->nr_cgroups : 0);
	int ret = ZWB_OK;

	v->no_bar = validate_no_bar(v);
	v->passed = true;
	v->rows = calloc(nr_groups * 8, sizeof(*v->rows));
	if (!v->rows)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the scores");
	for (size_t g = 0; g < nr_groups; g++) {
		for (int i = 0; !ret && i < 8; i++) {
			struct validate_row *row = &v->rows[v->nr_rows];

			*row = (struct validate_row){ .mode = i / 4,
				.stage = i / 2 % 2,
				.direction = i % 2 ? READS : WRITES,
				.cgroup = g ? (uint32_t)(g - 1) : ZWB_SCORE_ALL };
			if (!validate_is_derived(v, row))
				continue;
			ret = validate_row(v, row, err);
			if (g == 0 || row->score.nr_model || row->score.nr_truth)
				v->nr_rows++;
		}
	}
	return ret;
}

/* Beside the host's own counters. */

static const struct validate_counter {
	const char *what, *source, *key;
} host_counters[] = {
	{ "zswap writebacks", "vmstat", "zswpwb" },
	{ "pages to swap", "vmstat", "pswpout" },
	{ "swap write bios", "vmstat", "nrswpout" },
	{ "  by cgroups", "io.stat", "wios" },
	{ "disk writes", "disk", "writes_completed" },
	{ "disk reads", "disk", "reads_completed" },
};

#define NR_HOST_COUNTERS (sizeof(host_counters) / sizeof(host_counters[0]))

/* How many of them the replay has something for: the last one is of reads. */
static size_t validate_nr_counters(const struct validation *v)
{
	return v->counts.knows_reads ? NR_HOST_COUNTERS : NR_HOST_COUNTERS - 1;
}

/* What the blind replay has for a host counter. */
static uint64_t validate_own_count(const struct validation *v, size_t counter)
{
	const struct zwb_lane_counts *c = &v->counts.blind;
	const uint64_t own[NR_HOST_COUNTERS] = { v->counts.nr_writebacks, v->counts.nr_swap_writes,
		c->write_bios, c->write_bios, c->write_rqs, c->read_rqs };

	return own[counter];
}

static int validate_host_count(const struct validation *v, size_t counter, int64_t *value)
{
	const struct validate_counter *row = &host_counters[counter];
	const struct zwb_meta *meta = v->stream->meta;
	const char *source;

	if (strcmp(row->source, "disk") == 0)
		return zwb_hostcount_disk(meta, row->key, &source, value);
	if (strcmp(row->source, "io.stat") == 0)
		return zwb_hostcount_cgroups(meta, row->key, value);
	return zwb_meta_counter_delta(meta, row->source, row->key, value);
}

/* Printing. */

static void print_row(const struct validation *v, const struct validate_row *row)
{
	const struct zwb_score *s = &row->score;
	char order[16] = "-";

	if (s->nr_pairs)
		snprintf(order, sizeof(order), "%.2f",
			100.0 * (double)s->nr_pairs_in_order / (double)s->nr_pairs);
	printf("  %-15s %-7s %9" PRIu64 " %9" PRIu64 " %+8.2f %8.2f %8s  %s\n",
		stage_names[row->stage], direction_names[row->direction], s->nr_model, s->nr_truth,
		100.0 * zwb_score_deviation(s), 100.0 * zwb_score_exact(s), order,
		!row->has_bar ? "no bar"
		: row->passed ? "pass"
			      : "FAIL");
	(void)v;
}

static void print_rows(const struct validation *v)
{
	const struct validate_row *last = NULL;

	for (size_t i = 0; i < v->nr_rows; i++) {
		const struct validate_row *row = &v->rows[i];

		if (!last || last->mode != row->mode || last->cgroup != row->cgroup) {
			if (row->cgroup == ZWB_SCORE_ALL)
				printf("\n%s (bar: counts within %.1f %%, exact at least %.1f "
				       "%%)\n",
					mode_names[row->mode], 100 * bars[row->mode].deviation,
					100 * bars[row->mode].exact);
			else {
				printf("\n%s, cgroup ", mode_names[row->mode]);
				zwb_put_text(stdout, v->stream->meta->cgroups[row->cgroup].path);
				printf(" (%" PRIu64 ")\n",
					v->stream->meta->cgroups[row->cgroup].id);
			}
			printf("  %-15s %-7s %9s %9s %8s %8s %8s\n", "stage", "", "replayed",
				"recorded", "diff %", "exact %", "order %");
		}
		print_row(v, row);
		last = row;
	}
}

/* Requests without a bar are no part of what passed: say so. */
static void print_verdict(const struct validation *v)
{
	bool judges_requests = false;

	for (size_t i = 0; i < v->nr_rows; i++)
		judges_requests |= v->rows[i].has_bar && v->rows[i].stage == RQS;
	if (v->no_bar)
		printf("\nverdict: no bar applies (%s)\n", v->no_bar);
	else if (judges_requests)
		printf("\nverdict: %s\n", v->passed ? "pass" : "FAIL");
	else
		printf("\nverdict: %s for bios; requests were not judged (%s)\n",
			v->passed ? "pass" : "FAIL",
			!v->counts.limits.has_requests	? "the device has none"
			: v->stream->meta->scheduler[0] ? "the scheduler is not none"
							: "the scheduler is unknown");
}

static void print_text(const struct validation *v)
{
	const struct zwb_meta *meta = v->stream->meta;
	char text[256];
	int64_t host;

	zwb_input_describe_captured(&v->captured, text, sizeof(text));
	fputs("recording: ", stdout);
	zwb_put_text(stdout, v->path);
	fputs("\nkernel: ", stdout);
	zwb_put_text(stdout, meta->kernel[0] ? meta->kernel : "unknown");
	printf(", scheduler: %s, %" PRIu64 " events, %" PRIu64 " lost\ncaptured policy: %s\n",
		meta->scheduler[0] ? meta->scheduler : "unknown", meta->nr_events,
		zwb_meta_lost_events(meta), text);
	print_rows(v);
	printf("\nbeside the host's counters\n  %-18s %12s %12s\n", "", "blind replay", "host");
	for (size_t i = 0; i < validate_nr_counters(v); i++) {
		if (validate_host_count(v, i, &host))
			printf("  %-18s %12" PRIu64 " %12" PRId64 "\n", host_counters[i].what,
				validate_own_count(v, i), host);
		else
			printf("  %-18s %12" PRIu64 " %12s\n", host_counters[i].what,
				validate_own_count(v, i), "not recorded");
	}
	if (!v->counts.knows_reads)
		puts("\nread bios were not judged: the recording has no loads to derive them from");
	print_verdict(v);
}

static void print_miss(void *arg, const struct zwb_score_item *item, int is_model)
{
	(void)arg;
	printf("    %-9s %14" PRIu64 " + %-5" PRIu32 " at %.6f s\n",
		is_model ? "replayed" : "recorded", item->sector, item->nr_sectors,
		(double)item->ts_ns / 1e9);
}

static int print_misses(const struct validation *v, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < v->nr_rows; i++) {
		const struct validate_row *row = &v->rows[i];

		if (row->cgroup != ZWB_SCORE_ALL)
			continue;
		printf("\nonly on one side: %s, %s, %s (sector + sectors)\n", mode_names[row->mode],
			stage_names[row->stage], direction_names[row->direction]);
		ret = zwb_score_misses(&v->lists.model[row->mode][row->stage][row->direction],
			&v->lists.truth[row->stage][row->direction], print_miss, NULL, err);
	}
	return ret;
}

static json_t *json_row(const struct validation *v, const struct validate_row *row)
{
	const struct zwb_score *s = &row->score;
	double deviation = zwb_score_deviation(s);
	json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:I, s:I, s:b, s:b}", "mode",
		row->mode == BLIND ? "blind" : "given", "stage",
		row->stage == BIOS ? "page_to_bio" : "bio_to_request", "direction",
		direction_names[row->direction], "replayed", (json_int_t)s->nr_model, "recorded",
		(json_int_t)s->nr_truth, "exact", (json_int_t)s->nr_exact, "exact_share",
		zwb_score_exact(s), "ordered_pairs", (json_int_t)s->nr_pairs, "pairs_in_order",
		(json_int_t)s->nr_pairs_in_order, "has_bar", (int)row->has_bar, "passed",
		(int)row->passed);

	json_object_set_new(
		o, "deviation", isfinite(deviation) ? json_real(deviation) : json_null());
	if (row->cgroup != ZWB_SCORE_ALL)
		json_object_set_new(o, "cgroup_id",
			json_integer((json_int_t)v->stream->meta->cgroups[row->cgroup].id));
	return o;
}

static json_t *json_counters(const struct validation *v)
{
	json_t *list = json_array();
	int64_t host;

	for (size_t i = 0; i < validate_nr_counters(v); i++) {
		json_t *o = json_pack("{s:s, s:s, s:I}", "source", host_counters[i].source, "key",
			host_counters[i].key, "replayed", (json_int_t)validate_own_count(v, i));

		if (validate_host_count(v, i, &host))
			json_object_set_new(o, "host", json_integer(host));
		else
			json_object_set_new(o, "host", json_null());
		json_array_append_new(list, o);
	}
	return list;
}

static int print_json(const struct validation *v, struct zwb_err *err)
{
	const struct zwb_meta *meta = v->stream->meta;
	json_t *rows = json_array();
	json_t *root;
	int ret;

	for (size_t i = 0; i < v->nr_rows; i++)
		json_array_append_new(rows, json_row(v, &v->rows[i]));
	root = json_pack("{s:s, s:i, s:s%, s:s%, s:s%, s:I, s:I, s:s, s:b, s:b, s:o, s:o}",
		"format", "zwb validate", "schema_version", VALIDATE_SCHEMA_VERSION, "source",
		v->path, strlen(v->path), "kernel", meta->kernel, strlen(meta->kernel), "scheduler",
		meta->scheduler, strlen(meta->scheduler), "events", (json_int_t)meta->nr_events,
		"lost", (json_int_t)zwb_meta_lost_events(meta), "captured_policy",
		v->captured.policy.normal, "captured_policy_is_inferred",
		(int)(!v->captured.is_given), "passed", (int)v->passed, "scores", rows,
		"host_counters", json_counters(v));
	if (!root)
		return zwb_err_set(err, ZWB_ENOMEM, 0,
			"no memory for the report, or a name in it is "
			"not UTF-8");
	json_object_set_new(root, "no_bar", v->no_bar ? json_string(v->no_bar) : json_null());
	ret = json_dumpf(root, stdout, JSON_INDENT(2)) ? ZWB_EENV : ZWB_OK;
	json_decref(root);
	putchar('\n');
	return ret ? zwb_err_set(err, ret, 0, "cannot write the report") : ZWB_OK;
}

/* The command. */

static int validate_run(struct validation *v, struct zwb_err *err)
{
	const struct zwb_selfcheck_sink sink = { .arg = &v->lists,
		.truth_bio = collect_truth_bio,
		.truth_rq = collect_truth_rq,
		.given = { &v->lists, collect_given_bio, collect_given_rq },
		.blind = { &v->lists, collect_blind_bio, collect_blind_rq } };
	const struct zwb_selfcheck_setup setup = { .captured = &v->captured,
		.infer_plugs = v->args->infer_plugs,
		.wrong_full_plug = v->args->wrong_rule == 1,
		.sink = &sink };
	int ret;

	ret = zwb_input_captured(&v->args->input, v->path, &v->captured, err);
	if (!ret)
		ret = zwb_input_open(&v->args->input, v->path, &v->stream, err);
	if (!ret)
		ret = zwb_selfcheck_stream(&setup, v->stream, &v->counts, err);
	if (!ret && zwb_meta_lost_events(v->stream->meta) > v->args->allow_loss)
		ret = zwb_err_set(err, ZWB_EDATA, 0,
			"%s: %" PRIu64
			" events or pages are lost; \"zwb info\" says where, --allow-loss N "
			"scores what is there",
			v->path, zwb_meta_lost_events(v->stream->meta));
	if (!ret)
		ret = validate_score(v, err);
	return ret;
}

static void validate_release(struct validation *v)
{
	for (int i = 0; i < 4; i++) {
		zwb_score_release(&v->lists.truth[i / 2][i % 2]);
		zwb_score_release(&v->lists.model[GIVEN][i / 2][i % 2]);
		zwb_score_release(&v->lists.model[BLIND][i / 2][i % 2]);
	}
	free(v->rows);
	zwb_captured_release(&v->captured);
	zwb_stream_close(v->stream);
}

static const struct zwb_option options[] = {
	ZWB_INPUT_OPTIONS(struct validate_args, input),
	ZWB_OPTION("against", 0, "FILE",
		"print predictions from TRACE beside the measured runs in FILE (CSV; text)", string,
		struct validate_args, against.path),
	ZWB_OPTION("workload", 0, "NAME", "workload of the measured runs", string,
		struct validate_args, against.workload),
	ZWB_OPTION("arm", 0, "KERNEL=POLICY",
		"a measured kernel and the policy that it stands for; may be given several times",
		strings, struct validate_args, against.arms),
	ZWB_OPTION(
		"blind", 0, NULL, "only the blind score", flag, struct validate_args, blind_only),
	ZWB_OPTION("by-cgroup", 0, NULL, "score each cgroup as well", flag, struct validate_args,
		by_cgroup),
	ZWB_OPTION("misses", 0, NULL, "list every bio and request that only one side has (text)",
		flag, struct validate_args, misses),
	ZWB_OPTION("format", 0, "FORMAT", "form of the report", choice, struct validate_args,
		format, .choices = format_words),
	ZWB_OPTION("allow-loss", 0, "N", "score though up to N events are lost (0)", u64,
		struct validate_args, allow_loss, .max = UINT64_MAX),
	ZWB_OPTION("infer-plugs", 0, NULL,
		"infer outer plugs though their start and end were recorded", flag,
		struct validate_args, infer_plugs),
	ZWB_OPTION("wrong-rule", 0, "RULE",
		"break a rule on purpose, to see that the bars can fail", choice,
		struct validate_args, wrong_rule, .choices = wrong_words),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "TRACE [OPTION...]",
	.text = "Replays the policy that TRACE was recorded under and scores each stage, page to\n"
		"bio and bio to request, against what the recording shows. Exit 1 below the\n"
		"bar.\n",
	.options = options,
	.min_operands = 1,
	.max_operands = 1,
};

int zwb_cmd_validate(int argc, char **argv)
{
	struct validate_args args = { 0 };
	struct validation v = { .args = &args };
	struct zwb_operands operands;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);
	int code;

	if (ret != ZWB_OPTIONS_RUN) {
		zwb_strings_release(&args.against.arms);
		return ret;
	}
	v.path = operands.items[0];
	if (!args.against.path && (args.against.arms.nr || args.against.workload)) {
		zwb_strings_release(&args.against.arms);
		return zwb_usage_error(argv[0], "--arm and --workload are for --against");
	}
	if (args.format != 0 && (args.misses || args.against.path)) {
		zwb_strings_release(&args.against.arms);
		return zwb_usage_error(argv[0], "--misses and --against print text only");
	}
	ret = validate_run(&v, &err);
	if (!ret && args.format == 0)
		print_text(&v);
	if (!ret && args.format == 0 && args.misses)
		ret = print_misses(&v, &err);
	if (!ret && args.format == 0 && args.against.path)
		ret = zwb_against_print(&args.against, &args.input, v.path, &v.captured, &err);
	if (!ret && args.format != 0)
		ret = print_json(&v, &err);
	if (ret)
		code = zwb_print_error(argv[0], &err);
	else
		code = v.passed ? ZWB_EXIT_OK : ZWB_EXIT_NO;
	validate_release(&v);
	zwb_strings_release(&args.against.arms);
	return code;
}
