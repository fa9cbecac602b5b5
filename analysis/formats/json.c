/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole comparison as one JSON document. */
#include "compare.h"
#include "format_ops.h"
#include "text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define JSON_SCHEMA_VERSION 1

/*
 * Objects are built with json_pack(), which returns NULL without memory and takes over what is
 * handed to it with "o" in either case; "o" of NULL makes the whole object NULL. A single check of
 * the outermost object therefore covers all of them.
 */

/* Text of any origin as valid UTF-8. */
static json_t *text(const char *s)
{
	char *safe = zwb_text_utf8(s);
	json_t *value = safe ? json_string(safe) : NULL;

	free(safe);
	return value;
}

/* null stands for "not measured" and "not available". */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *whole(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* Appends to an array that may be NULL already; NULL when either is. */
static json_t *append(json_t *array, json_t *item)
{
	if (!array || !item || json_array_append_new(array, item) != 0) {
		if (!array)
			json_decref(item);
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *policies(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_columns; i++) {
		const struct zwb_cmp_column *c = &cmp->columns[i];

		array = append(array,
			json_pack("{so so so so so so so sb so so so}", "label", text(c->label),
				"policy", text(c->info->policy), "params",
				text(c->info->policy_params), "device", text(c->info->device),
				"scheduler", text(c->info->scheduler), "trigger",
				text(c->info->trigger), "loop", text(c->info->loop), "is_baseline",
				i == 0, "recordings", whole(c->nr_recordings), "min_seeds",
				whole(c->min_seeds), "max_seeds", whole(c->max_seeds)));
	}
	return array;
}

static json_t *losses(const struct zwb_run_trace *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->nr_losses; i++) {
		const struct zwb_loss *l = &t->losses[i];

		array = append(array,
			json_pack("{ss si so sb so so}", "kind", zwb_loss_kind_name(l->kind), "cpu",
				(int)l->cpu, "nr", whole(l->nr), "nr_is_known", l->nr_is_known,
				"first_ns", whole(l->first_ns), "last_ns", whole(l->last_ns)));
	}
	return array;
}

static json_t *unknowns(const struct zwb_run_trace *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->nr_unknowns; i++)
		array = append(array, json_pack("{so so}", "what", text(t->unknowns[i].what), "nr",
					      whole(t->unknowns[i].nr)));
	return array;
}

static json_t *recordings(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_recordings; i++) {
		const struct zwb_run_trace *t = cmp->recordings[i].trace;

		array = append(array,
			json_pack("{so so so so so so so so so so so}", "source", text(t->source),
				"digest", text(t->digest), "kernel", text(t->kernel), "clock",
				text(t->clock), "event_map", text(t->event_map), "scheduler",
				text(t->scheduler), "captured_policy", text(t->captured_policy),
				"events", whole(t->nr_events), "span_ns", whole(t->end_ns),
				"losses", losses(t), "unknowns", unknowns(t)));
	}
	return array;
}

static json_t *cell_object(const struct zwb_comparison *cmp, const struct zwb_cmp_cell *c)
{
	const char cls[2] = { c->cls, '\0' };
	json_t *by_recording = json_array();

	for (size_t r = 0; r < cmp->nr_recordings; r++)
		by_recording = append(by_recording, number(c->by_recording[r]));
	return json_pack("{so so so so so so so so so}", "value", number(c->value), "sd",
		number(c->sd), "n", whole(c->n), "replays", whole(c->nr_arms), "seed_sd",
		number(c->seed_sd), "delta_percent", number(c->delta_percent), "samples",
		whole(c->samples), "class", c->cls ? json_string(cls) : json_null(), "by_recording",
		by_recording);
}

static json_t *rows(const struct zwb_comparison *cmp)
{
	static const char *const better[] = { "lower", "neither", "higher" };
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_row *r = &cmp->rows[i];
		const char cls[2] = { r->cls, '\0' };
		json_t *cells = json_array();

		for (size_t c = 0; c < cmp->nr_columns; c++)
			cells = append(cells, cell_object(cmp, &r->cells[c]));
		array = append(array, json_pack("{so so so ss so ss so}", "metric", text(r->name),
					      "unit", text(r->unit), "definition",
					      text(r->definition), "better", better[r->better],
					      "cgroup", r->cgroup ? text(r->cgroup) : json_null(),
					      "class", cls, "cells", cells));
	}
	return array;
}

static json_t *notes(const struct zwb_comparison *cmp)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cmp->nr_notes; i++)
		array = append(array, text(cmp->notes[i]));
	return array;
}

static int json_write(FILE *out, const struct zwb_comparison *cmp, struct zwb_err *err)
{
	json_t *root = json_pack("{ss si so so so so so}", "format", "zwb report", "schema_version",
		JSON_SCHEMA_VERSION, "zwb_version", text(cmp->version), "policies", policies(cmp),
		"recordings", recordings(cmp), "rows", rows(cmp), "notes", notes(cmp));
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
