/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole comparison as one JSON document. */
#include "compare.h"
#include "format_ops.h"
#include "jsonout.h"
#include "names.h"

#include <jansson.h>
#include <math.h>

/* docs/report.schema.json describes it */
#define JSON_SCHEMA_VERSION 2

static json_t *policies(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_columns; i++) {
		const struct zwb_cmp_column *c = &cmp->columns[i];

		array = zwb_json_append(array,
			json_pack("{so so so so so so so sb so so so}", "label",
				zwb_json_text(c->label), "policy", zwb_json_text(c->info->policy),
				"params", zwb_json_text(c->info->policy_params), "device",
				zwb_json_text(c->info->device), "scheduler",
				zwb_json_text(c->info->scheduler), "trigger",
				zwb_json_text(c->info->trigger), "loop",
				zwb_json_text(c->info->loop), "is_baseline", i == 0, "recordings",
				zwb_json_whole(c->nr_recordings), "min_seeds",
				zwb_json_whole(c->min_seeds), "max_seeds",
				zwb_json_whole(c->max_seeds)));
	}
	return array;
}

static json_t *losses(const struct zwb_run_trace *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->nr_losses; i++) {
		const struct zwb_loss *l = &t->losses[i];

		array = zwb_json_append(array,
			json_pack("{ss si so sb so so}", "kind", zwb_loss_kind_name(l->kind), "cpu",
				(int)l->cpu, "nr", zwb_json_whole(l->nr), "nr_is_known",
				l->nr_is_known, "first_ns", zwb_json_whole(l->first_ns), "last_ns",
				zwb_json_whole(l->last_ns)));
	}
	return array;
}

static json_t *unknowns(const struct zwb_run_trace *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->nr_unknowns; i++)
		array = zwb_json_append(
			array, json_pack("{so so}", "what", zwb_json_text(t->unknowns[i].what),
				       "nr", zwb_json_whole(t->unknowns[i].nr)));
	return array;
}

static json_t *recordings(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_recordings; i++) {
		const struct zwb_run_trace *t = cmp->recordings[i].trace;

		array = zwb_json_append(array,
			json_pack("{so so so so so so so so so so so sb}", "source",
				zwb_json_text(t->source), "digest", zwb_json_text(t->digest),
				"kernel", zwb_json_text(t->kernel), "clock",
				zwb_json_text(t->clock), "event_map", zwb_json_text(t->event_map),
				"scheduler", zwb_json_text(t->scheduler), "captured_policy",
				zwb_json_text(t->captured_policy), "events",
				zwb_json_whole(t->nr_events), "span_ns", zwb_json_whole(t->end_ns),
				"losses", losses(t), "unknowns", unknowns(t), "is_measured",
				cmp->recordings[i].is_measured));
	}
	return array;
}

static json_t *sure_object(const struct zwb_cmp_sure *s)
{
	int is_known = isfinite(s->low_percent);

	if (s->pairing == ZWB_PAIRING_NONE)
		return json_null();
	return json_pack("{ss ss so so so so so so so so so so so so so so}", "pairing",
		zwb_pairing_name(s->pairing), "verdict", zwb_verdict_name(s->verdict), "n",
		zwb_json_whole(s->n), "low_percent", zwb_json_number(s->low_percent),
		"high_percent", zwb_json_number(s->high_percent), "interval",
		is_known ? json_string(zwb_interval_name(s)) : json_null(), "p",
		zwb_json_number(s->p), "test",
		isfinite(s->p) ? json_string(zwb_test_name(s)) : json_null(), "p_exact",
		zwb_json_number(s->p_exact), "p_least", zwb_json_number(s->p_least), "p_holm",
		zwb_json_number(s->p_holm), "tests", zwb_json_whole(s->nr_tests),
		"detectable_percent", zwb_json_number(s->detectable_percent),
		"detectable_n3_percent", zwb_json_number(s->detectable_n3_percent),
		"detectable_n5_percent", zwb_json_number(s->detectable_n5_percent), "n_needed",
		s->n_needed ? zwb_json_whole(s->n_needed) : json_null());
}

static json_t *published_object(const struct zwb_cmp_cell *c)
{
	if (!isfinite(c->published_percent))
		return json_null();
	return json_pack("{so ss}", "percent", zwb_json_number(c->published_percent), "agrees",
		zwb_agrees_name(c->published_agrees));
}

static json_t *drift_object(const struct zwb_cmp_cell *c)
{
	if (c->drift == ZWB_DRIFT_NONE)
		return json_null();
	return json_pack("{ss so}", "over", zwb_drift_name(c->drift), "percent",
		zwb_json_number(c->drift_percent));
}

static json_t *cell_object(const struct zwb_comparison *cmp, const struct zwb_cmp_cell *c)
{
	const char cls[2] = { c->cls, '\0' };
	json_t *by_recording = json_array();

	for (size_t r = 0; r < cmp->nr_recordings; r++)
		by_recording = zwb_json_append(by_recording,
			zwb_json_number(c->by_recording ? c->by_recording[r] : (double)NAN));
	return json_pack("{so so so so so so so so so so so so so so so so}", "value",
		zwb_json_number(c->value), "sd", zwb_json_number(c->sd), "n", zwb_json_whole(c->n),
		"replays", zwb_json_whole(c->nr_arms), "seed_sd", zwb_json_number(c->seed_sd),
		"delta_percent", zwb_json_number(c->delta_percent), "samples",
		zwb_json_whole(c->samples), "class", c->cls ? json_string(cls) : json_null(),
		"by_recording", by_recording, "sample_low", zwb_json_number(c->sample_low),
		"sample_high", zwb_json_number(c->sample_high), "outliers",
		zwb_json_whole(c->nr_outliers), "lower_group",
		c->lower_group ? zwb_json_whole(c->lower_group) : json_null(), "sure",
		sure_object(&c->sure), "published", published_object(c), "drift", drift_object(c));
}

static json_t *rows(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *r = &cmp->rows[i];
		const char cls[2] = { r->cls, '\0' };
		json_t *cells = json_array();

		for (size_t c = 0; c < cmp->nr_columns; c++)
			cells = zwb_json_append(cells, cell_object(cmp, &r->cells[c]));
		array = zwb_json_append(array,
			json_pack("{so so so ss so ss so}", "metric", zwb_json_text(r->name),
				"unit", zwb_json_text(r->unit), "definition",
				zwb_json_text(r->definition), "better", zwb_better_name(r->better),
				"group", zwb_json_text(r->group), "class", cls, "cells", cells));
	}
	return array;
}

static json_t *notes(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_notes; i++)
		array = zwb_json_append(array, zwb_json_text(cmp->notes[i]));
	return array;
}

static int json_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	json_t *root = json_pack("{ss si so ss ss so so so so}", "format", "zwb report",
		"schema_version", JSON_SCHEMA_VERSION, "zwb_version", zwb_json_text(cmp->version),
		"group_by", cmp->group_kind, "center", zwb_center_name(cmp->center), "policies",
		policies(cmp), "recordings", recordings(cmp), "rows", rows(cmp), "notes",
		notes(cmp));
	int ret = root ? json_dumpf(root, out, JSON_INDENT(1)) : -1;

	json_decref(root);
	fputc('\n', out);
	/* what the stream did not take is for the caller to see */
	if (ret != 0 && !ferror(out))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	return ZWB_OK;
}

const struct zwb_format_ops zwb_format_json = {
	.name = "json",
	.summary = "everything in one document: policies, recordings, rows, notes",
	.write = json_write,
};
