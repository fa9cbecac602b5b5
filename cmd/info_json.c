/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "zwb info --format json": one object, everything that the text has, long lists in full. */
#include "info.h"
#include "text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/*
 * json_pack() returns NULL without memory, and takes over what is handed to it with "o" in either
 * case; "o" of NULL makes the whole object NULL. One check at the end covers all of it.
 */

static json_t *text(const char *s)
{
	char *safe = zwb_text_utf8(s);
	json_t *value = safe ? json_string(safe) : NULL;

	free(safe);
	return value;
}

/* JSON has no room for the upper half of 64 bits: those are text. */
static json_t *whole(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	return json_string(digits);
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

/* Adds to an object that may be NULL already; NULL when either is. */
static json_t *set(json_t *object, const char *key, json_t *value)
{
	char *safe = zwb_text_utf8(key);

	if (!object || !safe || !value || json_object_set_new(object, safe, value) != 0) {
		if (!object || !safe)
			json_decref(value);
		json_decref(object);
		object = NULL;
	}
	free(safe);
	return object;
}

static json_t *kinds(const struct zwb_summary *s)
{
	json_t *object = json_object();

	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		if (s->by_kind[kind])
			object = set(object, zwb_event_kind_name(kind), whole(s->by_kind[kind]));
	}
	return object;
}

static json_t *walks(const struct zwb_summary *s)
{
	json_t *by_kind = json_object();

	for (unsigned int kind = 0; kind < 5; kind++) {
		if (s->walks[kind])
			by_kind = set(by_kind, zwb_walk_kind_name(kind), whole(s->walks[kind]));
	}
	return json_pack("{so so so so so}", "nr", whole(s->nr_walks), "overlapping",
		whole(s->nr_overlapping), "visits", whole(s->nr_visits), "written_back",
		whole(s->nr_written), "by_kind", by_kind);
}

static json_t *losses(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_losses; i++) {
		const struct zwb_loss *l = &m->losses[i];

		array = append(array, json_pack("{si ss so sb so so}", "cpu", (int)l->cpu, "kind",
					      zwb_loss_kind_name(l->kind), "nr", whole(l->nr),
					      "nr_is_known", l->nr_is_known, "first_ns",
					      whole(l->first_ns), "last_ns", whole(l->last_ns)));
	}
	return array;
}

static json_t *unknowns(const struct zwb_meta *m)
{
	json_t *object = json_object();

	for (size_t i = 0; i < m->nr_unknowns; i++)
		object = set(object, m->unknowns[i].what, whole(m->unknowns[i].nr));
	return object;
}

static json_t *tallies(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_tallies; i++) {
		const struct zwb_tally *t = &m->tallies[i];

		array = append(array, json_pack("{so so so}", "name", text(t->name), "kind",
					      t->kind < 0 ? json_null()
							  : json_string(zwb_event_kind_name(
								    (unsigned int)t->kind)),
					      "nr", whole(t->nr)));
	}
	return array;
}

static json_t *cgroups(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 1; i < m->nr_cgroups; i++)
		array = append(array, json_pack("{so so}", "id", whole(m->cgroups[i].id), "path",
					      text(m->cgroups[i].path)));
	return array;
}

static json_t *devices(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_devices; i++)
		array = append(array,
			json_pack("{so so so}", "major", whole(m->devices[i].major), "minor",
				whole(m->devices[i].minor), "name", text(m->devices[i].name)));
	return array;
}

static json_t *extents(const struct zwb_meta *m, uint32_t swap_type)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_extents; i++) {
		const struct zwb_extent *e = &m->extents[i];

		if (e->swap_type == swap_type)
			array = append(
				array, json_pack("{so so so}", "first_slot", whole(e->first_slot),
					       "nr_slots", whole(e->nr_slots), "first_sector",
					       whole(e->first_sector)));
	}
	return array;
}

static json_t *swaps(const struct zwb_meta *m)
{
	json_t *array = json_array();

	for (size_t i = 0; i < m->nr_swaps; i++) {
		const struct zwb_swap *s = &m->swaps[i];

		array = append(array,
			json_pack("{so so so so so so sb so}", "swap_type", whole(s->swap_type),
				"path", text(s->path), "kind", text(s->kind), "nr_slots",
				whole(s->nr_slots), "device", whole(s->dev), "synchronous",
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
		json_t *value = text(m->facts[i].value);
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

/* After minus before, of all counters that have both. */
static json_t *counters(const struct zwb_meta *m)
{
	json_t *array = json_array();
	int64_t delta;

	for (size_t i = 0; array && i < m->nr_counters; i++) {
		const struct zwb_counter *c = &m->counters[i];

		if (c->ts_ns != ZWB_COUNTER_BEFORE ||
			!zwb_meta_counter_delta(m, c->source, c->key, &delta))
			continue;
		array = append(array, json_pack("{so so sI}", "source", text(c->source), "key",
					      text(c->key), "delta", (json_int_t)delta));
	}
	return array;
}

static json_t *trace(const struct zwb_info *info)
{
	const struct zwb_meta *m = info->meta;
	json_t *object = json_pack("{si so so so so so so so so so so so so so so so so}",
		"schema_version", ZWB_INFO_SCHEMA_VERSION, "file", text(info->path), "kind",
		text(info->kind), "source", text(m->source), "sha256", text(m->digest), "kernel",
		text(m->kernel), "clock", text(m->clock), "event_map", text(m->event_map),
		"scheduler", text(m->scheduler), "start_ns", whole(m->start_ns), "first_ns",
		whole(info->summary.first_ns), "last_ns", whole(info->summary.last_ns), "nr_events",
		whole(info->summary.nr_events), "page_bytes", whole(m->page_bytes), "nr_cpus",
		whole(m->nr_cpus), "hz", m->hz ? whole(m->hz) : json_null(), "stopped",
		info->stopped ? text(info->stopped) : json_null());

	object = set(object, "lost_events", whole(zwb_meta_lost_events(m)));
	object = set(object, "events", kinds(&info->summary));
	object = set(object, "walks", walks(&info->summary));
	object = set(object, "losses", losses(m));
	object = set(object, "unknowns", unknowns(m));
	object = set(object, "tallies", tallies(m));
	object = set(object, "cgroups", cgroups(m));
	object = set(object, "devices", devices(m));
	object = set(object, "swaps", swaps(m));
	object = set(object, "facts", facts(m));
	return set(object, "counters", counters(m));
}

static json_t *run(const struct zwb_info *info)
{
	json_t *tables = json_object(), *traces = json_array(), *arms = json_array();

	for (size_t i = 0; i < info->nr_tables; i++)
		tables = set(tables, info->tables[i].path, whole(info->tables[i].nr_rows));
	for (size_t i = 0; i < info->run->nr_traces; i++) {
		const struct zwb_run_trace *t = &info->run->traces[i];

		traces = append(traces, json_pack("{so so so so}", "source", text(t->source),
						"sha256", text(t->digest), "kernel",
						text(t->kernel), "nr_events", whole(t->nr_events)));
	}
	for (size_t i = 0; i < info->run->nr_arms; i++) {
		const struct zwb_run_arm_info *a = &info->run->arms[i]->info;

		arms = append(
			arms, json_pack("{so so so so so so so}", "trace", whole(a->trace),
				      "policy", text(a->policy), "device", text(a->device),
				      "trigger", text(a->trigger), "loop", text(a->loop),
				      "scheduler", text(a->scheduler), "seed", whole(a->seed)));
	}
	return json_pack("{si so so so so so so so}", "schema_version", ZWB_INFO_SCHEMA_VERSION,
		"file", text(info->path), "kind", text(info->kind), "zwb_version",
		text(info->run->version), "command", text(info->run->command), "tables", tables,
		"traces", traces, "arms", arms);
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
