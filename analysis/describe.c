/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that stand under every table for people. */
#include "describe.h"

#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Closes a memory stream: its text, or NULL if that did not fit into memory. */
static char *finish(FILE *out, char **text)
{
	if (fclose(out) == 0)
		return *text;
	free(*text);
	return NULL;
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static const char *or_unknown(const char *text)
{
	return text[0] ? text : "unknown";
}

char *zwb_describe_spread(const struct zwb_comparison *cmp)
{
	size_t least = SIZE_MAX, most = 0, min_seeds = SIZE_MAX, max_seeds = 0;
	int is_measured = 0, is_replayed = 0;
	char n[64], seeds[96];
	const char *what;

	for (size_t c = 0; c < cmp->nr_columns; c++) {
		const struct zwb_cmp_column *col = &cmp->columns[c];

		least = col->nr_recordings < least ? col->nr_recordings : least;
		most = col->nr_recordings > most ? col->nr_recordings : most;
		min_seeds = col->min_seeds < min_seeds ? col->min_seeds : min_seeds;
		max_seeds = col->max_seeds > max_seeds ? col->max_seeds : max_seeds;
		is_measured |= zwb_cmp_is_measured(col);
		is_replayed |= !zwb_cmp_is_measured(col);
	}
	what = is_measured ? is_replayed ? "recording or run" : "measured run" : "recording";
	if (least == most)
		snprintf(n, sizeof(n), "%zu %s%s", most, what, plural(most));
	else
		snprintf(n, sizeof(n), "%zu to %zu %ss", least, most, what);
	if (max_seeds == 1)
		snprintf(seeds, sizeof(seeds), "one seed each");
	else if (min_seeds == max_seeds)
		snprintf(seeds, sizeof(seeds), "%zu seeds each, averaged first", max_seeds);
	else
		snprintf(seeds, sizeof(seeds), "%zu to %zu seeds each, averaged first", min_seeds,
			max_seeds);
	if (cmp->nr_recordings == 0)
		return zwb_text_printf(
			"n is not known: means were published without it. +- is as published.");
	return zwb_text_printf("n = %s%s%s. %s%s", n, is_replayed ? ", " : "",
		is_replayed ? seeds : "",
		most < 2			 ? "One recording has no spread."
		: cmp->center == ZWB_CENTER_MEAN ? "+- is the sample standard deviation over "
						 : "+- is 1.4826 times the median deviation over ",
		most < 2      ? ""
		: is_measured ? is_replayed ? "them." : "runs."
			      : "recordings.");
}

char *zwb_describe_classes(const struct zwb_comparison *cmp)
{
	int exact = 0, model = 0, feedback = 0, measured = 0;

	for (size_t i = 0; i < cmp->nr_rows; i++) {
		exact |= cmp->rows[i].cls == ZWB_CLASS_EXACT;
		model |= cmp->rows[i].cls == ZWB_CLASS_MODEL;
		feedback |= cmp->rows[i].cls == ZWB_CLASS_FEEDBACK;
		measured |= cmp->rows[i].cls == ZWB_CLASS_MEASURED;
	}
	return zwb_text_printf("%s%s%s%s", measured ? "R: really measured. " : "",
		exact ? "E: exact given the recorded walks. " : "",
		model ? "M: needs a model. " : "",
		feedback ? "F: estimate, the workload would have reacted." : "");
}

char *zwb_describe_recording(const struct zwb_run_trace *trace)
{
	return zwb_text_printf("%s: kernel %s, policy %s, scheduler %s, %" PRIu64
			       " events in %.3g s, sha256 %.12s",
		trace->source, or_unknown(trace->kernel), or_unknown(trace->captured_policy),
		or_unknown(trace->scheduler), trace->nr_events, (double)trace->end_ns / 1e9,
		or_unknown(trace->digest));
}

/* All losses of one kind. Return: 1, or 0 and nothing printed if there are none. */
static int put_loss(
	FILE *out, const char *separator, const struct zwb_run_trace *t, unsigned int kind)
{
	uint64_t seen[(UINT16_MAX + 1) / 64] = { 0 };
	uint64_t nr = 0, nr_cpus = 0;
	int exact = 1;

	for (size_t i = 0; i < t->nr_losses; i++) {
		const struct zwb_loss *l = &t->losses[i];
		uint64_t bit = UINT64_C(1) << (l->cpu % 64);

		if (l->kind != kind)
			continue;
		nr += l->nr ? l->nr : 1;
		exact &= l->nr_is_known != 0;
		nr_cpus += !(seen[l->cpu / 64] & bit);
		seen[l->cpu / 64] |= bit;
	}
	if (nr == 0)
		return 0;
	fprintf(out, "%s%s%s %" PRIu64 " on %" PRIu64 " CPU%s", separator, zwb_loss_kind_name(kind),
		exact ? "" : " at least", nr, nr_cpus, plural(nr_cpus));
	return 1;
}

/* The losses that mean missing events, or the other ones. */
static char *list_losses(const struct zwb_run_trace *trace, int missing, const char *none)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int nr = 0;

	if (!out)
		return NULL;
	for (unsigned int kind = 0; kind < ZWB_LOSS_NR; kind++) {
		if (zwb_loss_is_missing(kind) == missing)
			nr += put_loss(out, nr ? ", " : "", trace, kind);
	}
	if (!nr)
		fputs(none, out);
	return finish(out, &text);
}

char *zwb_describe_losses(const struct zwb_run_trace *trace)
{
	return list_losses(trace, 1, "nothing");
}

char *zwb_describe_oddities(const struct zwb_run_trace *trace)
{
	return list_losses(trace, 0, "");
}

char *zwb_describe_unknowns(const struct zwb_run_trace *trace)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (size_t i = 0; i < trace->nr_unknowns; i++)
		fprintf(out, "%s%s of %" PRIu64 " events", i ? ", " : "", trace->unknowns[i].what,
			trace->unknowns[i].nr);
	return finish(out, &text);
}
