/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "zwb info --format json": one object, everything that the text has, long lists in full. */
#include "info.h"
#include "jsonout.h"
#include "text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *kinds(const struct zwb_summary *s)
{
	json_t *object = json_object();

	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		if (s->by_kind[kind])
			object = zwb_json_set(object, zwb_event_kind_name(kind),
				zwb_json_whole(s->by_kind[kind]));
	}
	return object;
}

static json_t *walks(const struct zwb_summary *s)
{
	json_t *by_kind = json_object();

	for (unsigned int kind = 0; kind < 5; kind++) {
		if (s->walks[kind])
			by_kind = zwb_json_set(
				by_kind, zwb_walk_kind_name(kind), zwb_json_whole(s->walks[kind]));
	}
	return json_pack("{so so so so so}", "nr", zwb_json_whole(s->nr_walks), "overlapping",
		zwb_json_whole(s->nr_overlapping), "visits", zwb_json_whole(s->nr_visits),
		"written_back", zwb_json_whole(s->nr_written), "by_kind", by_kind);
}

static json_t *losses(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_losses; i++) {
		const struct zwb_loss *l = &m->losses[i];

		array = zwb_json_append(
			array, json_pack("{si ss so sb so so}", "cpu", (int)l->cpu, "kind",
				       zwb_loss_kind_name(l->kind), "nr", zwb_json_whole(l->nr),
				       "nr_is_known", l->nr_is_known, "first_ns",
				       zwb_json_whole(l->first_ns), "last_ns",
				       zwb_json_whole(l->last_ns)));
	}
	return array;
}

static json_t *unknowns(const struct zwb_meta *m)
{
	json_t *object = json_object();

	for (size_t i = 0; i < m->nr_unknowns; i++)
		object = zwb_json_set(
			object, m->unknowns[i].what, zwb_json_whole(m->unknowns[i].nr));
	return object;
}

static json_t *tallies(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_tallies; i++) {
		const struct zwb_tally *t = &m->tallies[i];

		array = zwb_json_append(array,
			json_pack("{so so so}", "name", zwb_json_text(t->name), "kind",
				t->kind < 0
					? json_null()
					: json_string(zwb_event_kind_name((unsigned int)t->kind)),
				"nr", zwb_json_whole(t->nr)));
	}
	return array;
}

static json_t *cgroups(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 1; i < m->nr_cgroups; i++)
		array = zwb_json_append(
			array, json_pack("{so so}", "id", zwb_json_whole(m->cgroups[i].id), "path",
				       zwb_json_text(m->cgroups[i].path)));
	return array;
}

static json_t *devices(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_devices; i++)
		array = zwb_json_append(
			array, json_pack("{so so so}", "major", zwb_json_whole(m->devices[i].major),
				       "minor", zwb_json_whole(m->devices[i].minor), "name",
				       zwb_json_text(m->devices[i].name)));
	return array;
}

static json_t *extents(const struct zwb_meta *m, uint32_t swap_type)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_extents; i++) {
		const struct zwb_extent *e = &m->extents[i];

		if (e->swap_type == swap_type)
			array = zwb_json_append(array,
				json_pack("{so so so}", "first_slot", zwb_json_whole(e->first_slot),
					"nr_slots", zwb_json_whole(e->nr_slots), "first_sector",
					zwb_json_whole(e->first_sector)));
	}
	return array;
}

static json_t *swaps(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_swaps; i++) {
		const struct zwb_swap *s = &m->swaps[i];

		array = zwb_json_append(array,
			json_pack("{so so so so so so sb so}", "swap_type",
				zwb_json_whole(s->swap_type), "path", zwb_json_text(s->path),
				"kind", zwb_json_text(s->kind), "nr_slots",
				zwb_json_whole(s->nr_slots), "device", zwb_json_whole(s->dev),
				"synchronous",
				s->synchronous < 0 ? json_null() : json_boolean(s->synchronous),
				"geometry_known", s->geometry_known, "extents",
				extents(m, s->swap_type)));
	}
	return array;
}

/* The member @key of @object, an object, made when it is not there; NULL without memory. */
static json_t *member(json_t *object, const char *key)
{
	char *safe = zwb_text_utf8(key);
	json_t *inner = safe ? json_object_get(object, safe) : NULL;

	if (safe && !inner) {
		inner = json_object();
		if (!inner || json_object_set_new(object, safe, inner) != 0)
			inner = NULL;
	}
	free(safe);
	return inner;
}

static json_t *facts(const struct zwb_meta *m)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < m->nr_facts; i++) {
		json_t *section = member(object, m->facts[i].section);
		json_t *value = zwb_json_text(m->facts[i].value);
		char *key = zwb_text_utf8(m->facts[i].key);

		if (!section || !value || !key || json_object_set(section, key, value) != 0) {
			json_decref(object);
			object = NULL;
		}
		json_decref(value);
		free(key);
	}
	return object;
}

/* Rows of one counter next to each other, before in front of after; samples behind all of them. */
static int by_counter(const void *a, const void *b)
{
	const struct zwb_counter *x = *(const struct zwb_counter *const *)a;
	const struct zwb_counter *y = *(const struct zwb_counter *const *)b;
	int x_is_sample = x->ts_ns < ZWB_COUNTER_AFTER, y_is_sample = y->ts_ns < ZWB_COUNTER_AFTER;
	int order;

	if (x_is_sample || y_is_sample)
		return x_is_sample - y_is_sample;
	order = strcmp(x->source, y->source);
	if (order == 0)
		order = strcmp(x->key, y->key);
	if (order == 0)
		order = (x->ts_ns < y->ts_ns) - (x->ts_ns > y->ts_ns);
	return order ? order : (x > y) - (x < y);
}

static int is_pair(const struct zwb_counter *before, const struct zwb_counter *after)
{
	return before->ts_ns == ZWB_COUNTER_BEFORE && after->ts_ns == ZWB_COUNTER_AFTER &&
	       strcmp(before->source, after->source) == 0 && strcmp(before->key, after->key) == 0;
}

/* After minus before, of all counters that have both. */
static json_t *counters(const struct zwb_meta *m)
{
	const struct zwb_counter **sorted = calloc(m->nr_counters + 1, sizeof(*sorted));
	json_t *array = json_array();

	if (!sorted) {
		json_decref(array);
		return NULL;
	}
	for (size_t i = 0; i < m->nr_counters; i++)
		sorted[i] = &m->counters[i];
	qsort(sorted, m->nr_counters, sizeof(*sorted), by_counter);
	for (size_t i = 0; array && i + 1 < m->nr_counters; i++) {
		if (is_pair(sorted[i], sorted[i + 1]))
			array = zwb_json_append(array,
				json_pack("{so so sI}", "source", zwb_json_text(sorted[i]->source),
					"key", zwb_json_text(sorted[i]->key), "delta",
					(json_int_t)(sorted[i + 1]->value - sorted[i]->value)));
	}
	free(sorted);
	return array;
}

static json_t *trace(const struct zwb_info *info)
{
	const struct zwb_meta *m = info->meta;
	json_t *object = json_pack("{si so so so so so so so so so so so so so so so so}",
		"schema_version", ZWB_INFO_SCHEMA_VERSION, "file", zwb_json_text(info->path),
		"kind", zwb_json_text(info->kind), "source", zwb_json_text(m->source), "sha256",
		zwb_json_text(m->digest), "kernel", zwb_json_text(m->kernel), "clock",
		zwb_json_text(m->clock), "event_map", zwb_json_text(m->event_map), "scheduler",
		zwb_json_text(m->scheduler), "start_ns", zwb_json_whole(m->start_ns), "first_ns",
		zwb_json_whole(info->summary.first_ns), "last_ns",
		zwb_json_whole(info->summary.last_ns), "nr_events",
		zwb_json_whole(info->summary.nr_events), "page_bytes",
		zwb_json_whole(m->page_bytes), "nr_cpus", zwb_json_whole(m->nr_cpus), "hz",
		m->hz ? zwb_json_whole(m->hz) : json_null(), "stopped",
		info->stopped ? zwb_json_text(info->stopped) : json_null());

	object = zwb_json_set(object, "lost_events", zwb_json_whole(zwb_meta_lost_events(m)));
	object = zwb_json_set(object, "events", kinds(&info->summary));
	object = zwb_json_set(object, "walks", walks(&info->summary));
	object = zwb_json_set(object, "losses", losses(m));
	object = zwb_json_set(object, "unknowns", unknowns(m));
	object = zwb_json_set(object, "tallies", tallies(m));
	object = zwb_json_set(object, "cgroups", cgroups(m));
	object = zwb_json_set(object, "devices", devices(m));
	object = zwb_json_set(object, "swaps", swaps(m));
	object = zwb_json_set(object, "facts", facts(m));
	return zwb_json_set(object, "counters", counters(m));
}

static json_t *run(const struct zwb_info *info)
{
	json_t *tables = json_object(), *traces = json_array(), *arms = json_array();

	for (size_t i = 0; i < info->nr_tables; i++)
		tables = zwb_json_set(
			tables, info->tables[i].path, zwb_json_whole(info->tables[i].nr_rows));
	for (size_t i = 0; i < info->run->nr_traces; i++) {
		const struct zwb_run_trace *t = &info->run->traces[i];

		traces = zwb_json_append(traces,
			json_pack("{so so so so}", "source", zwb_json_text(t->source), "sha256",
				zwb_json_text(t->digest), "kernel", zwb_json_text(t->kernel),
				"nr_events", zwb_json_whole(t->nr_events)));
	}
	for (size_t i = 0; i < info->run->nr_arms; i++) {
		const struct zwb_run_arm_info *a = &info->run->arms[i]->info;

		arms = zwb_json_append(arms,
			json_pack("{so so so so so so so}", "trace", zwb_json_whole(a->trace),
				"policy", zwb_json_text(a->policy), "device",
				zwb_json_text(a->device), "trigger", zwb_json_text(a->trigger),
				"loop", zwb_json_text(a->loop), "scheduler",
				zwb_json_text(a->scheduler), "seed", zwb_json_whole(a->seed)));
	}
	return json_pack("{si so so so so so so so}", "schema_version", ZWB_INFO_SCHEMA_VERSION,
		"file", zwb_json_text(info->path), "kind", zwb_json_text(info->kind), "zwb_version",
		zwb_json_text(info->run->version), "command", zwb_json_text(info->run->command),
		"tables", tables, "traces", traces, "arms", arms);
}

int zwb_info_json(FILE *out, const struct zwb_info *info, struct zwb_err *err)
{
	json_t *object = info->run ? run(info) : trace(info);

	if (!object)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for JSON", info->path);
	/* a failed write shows up when the front door closes stdout */
	json_dumpf(object, out, JSON_INDENT(2));
	putc('\n', out);
	json_decref(object);
	return ZWB_OK;
}
