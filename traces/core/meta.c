/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that travel with a stream. */
#include "meta.h"

#include "grow.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more row of @table. */
#define META_GROW(m, table, err)                                                                   \
	(ZWB_GROW((m)->table, (m)->nr_##table)                                                     \
			? ZWB_OK                                                                   \
			: zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for metadata"))

int zwb_meta_set(char **field, const char *value, struct zwb_err *err)
{
	char *copy = strdup(value ? value : "");

	if (!copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for metadata");
	free(*field);
	*field = copy;
	return ZWB_OK;
}

struct zwb_meta *zwb_meta_create(void)
{
	struct zwb_meta *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->page_bytes = 4096;
	if (zwb_meta_set(&m->source, "", NULL) || zwb_meta_set(&m->digest, "", NULL) ||
		zwb_meta_set(&m->kernel, "", NULL) || zwb_meta_set(&m->clock, "", NULL) ||
		zwb_meta_set(&m->event_map, "", NULL) || zwb_meta_set(&m->scheduler, "", NULL) ||
		zwb_meta_cgroup(m, 0, "unknown", NULL) < 0) {
		zwb_meta_free(m);
		return NULL;
	}
	return m;
}

void zwb_meta_free(struct zwb_meta *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr_cgroups; i++)
		free(m->cgroups[i].path);
	for (size_t i = 0; i < m->nr_tallies; i++)
		free(m->tallies[i].name);
	for (size_t i = 0; i < m->nr_unknowns; i++)
		free(m->unknowns[i].what);
	for (size_t i = 0; i < m->nr_facts; i++) {
		free(m->facts[i].section);
		free(m->facts[i].key);
		free(m->facts[i].value);
	}
	for (size_t i = 0; i < m->nr_counters; i++) {
		free(m->counters[i].source);
		free(m->counters[i].key);
	}
	free(m->source);
	free(m->digest);
	free(m->kernel);
	free(m->clock);
	free(m->event_map);
	free(m->scheduler);
	free(m->cgroups);
	free(m->tasks);
	free(m->devices);
	free(m->losses);
	free(m->tallies);
	free(m->unknowns);
	free(m->facts);
	free(m->counters);
	free(m->swaps);
	free(m->extents);
	free(m);
}

int zwb_meta_cgroup(struct zwb_meta *m, uint64_t id, const char *path, struct zwb_err *err)
{
	struct zwb_cgroup row = { .id = id };
	size_t i;
	int ret;

	for (i = 0; i < m->nr_cgroups; i++) {
		if (m->cgroups[i].id == id)
			break;
	}
	if (i < m->nr_cgroups) {
		if (path && m->cgroups[i].path[0] == '\0') {
			ret = zwb_meta_set(&m->cgroups[i].path, path, err);
			if (ret)
				return ret;
		}
		return (int)i;
	}
	ret = META_GROW(m, cgroups, err);
	if (ret)
		return ret;
	ret = zwb_meta_set(&row.path, path, err);
	if (ret)
		return ret;
	m->cgroups[m->nr_cgroups] = row;
	return (int)m->nr_cgroups++;
}

int zwb_meta_device(
	struct zwb_meta *m, uint32_t major, uint32_t minor, const char *name, struct zwb_err *err)
{
	struct zwb_device *dev;
	size_t i;
	int ret;

	for (i = 0; i < m->nr_devices; i++) {
		if (m->devices[i].major == major && m->devices[i].minor == minor)
			break;
	}
	if (i == m->nr_devices) {
		ret = META_GROW(m, devices, err);
		if (ret)
			return ret;
		m->devices[m->nr_devices++] = (struct zwb_device){ .major = major, .minor = minor };
	}
	dev = &m->devices[i];
	if (name && dev->name[0] == '\0')
		strncpy(dev->name, name, sizeof(dev->name) - 1);
	return (int)i;
}

int zwb_meta_task(struct zwb_meta *m, int32_t tid, const char *comm, struct zwb_err *err)
{
	struct zwb_task row = { .tid = tid };
	int ret = META_GROW(m, tasks, err);

	if (ret)
		return ret;
	strncpy(row.comm, comm, sizeof(row.comm) - 1);
	m->tasks[m->nr_tasks++] = row;
	return ZWB_OK;
}

int zwb_meta_loss(struct zwb_meta *m, const struct zwb_loss *loss, struct zwb_err *err)
{
	int ret = META_GROW(m, losses, err);

	if (ret)
		return ret;
	m->losses[m->nr_losses++] = *loss;
	return ZWB_OK;
}

int zwb_meta_tally(struct zwb_meta *m, const char *name, int kind, uint64_t nr, struct zwb_err *err)
{
	struct zwb_tally row = { .kind = kind, .nr = nr };
	int ret = META_GROW(m, tallies, err);

	if (!ret)
		ret = zwb_meta_set(&row.name, name, err);
	if (ret)
		return ret;
	m->tallies[m->nr_tallies++] = row;
	return ZWB_OK;
}

int zwb_meta_unknown(struct zwb_meta *m, const char *what, uint64_t nr, struct zwb_err *err)
{
	struct zwb_unknown row = { .nr = nr };
	int ret;

	for (size_t i = 0; i < m->nr_unknowns; i++) {
		if (strcmp(m->unknowns[i].what, what) == 0) {
			m->unknowns[i].nr += nr;
			return ZWB_OK;
		}
	}
	ret = META_GROW(m, unknowns, err);
	if (!ret)
		ret = zwb_meta_set(&row.what, what, err);
	if (ret)
		return ret;
	m->unknowns[m->nr_unknowns++] = row;
	return ZWB_OK;
}

int zwb_meta_fact(struct zwb_meta *m, const char *section, const char *key, const char *value,
	struct zwb_err *err)
{
	struct zwb_fact row = { 0 };
	int ret = META_GROW(m, facts, err);

	if (!ret)
		ret = zwb_meta_set(&row.section, section, err);
	if (!ret)
		ret = zwb_meta_set(&row.key, key, err);
	if (!ret)
		ret = zwb_meta_set(&row.value, value, err);
	if (ret) {
		free(row.section);
		free(row.key);
		return ret;
	}
	m->facts[m->nr_facts++] = row;
	return ZWB_OK;
}

int zwb_meta_counter(struct zwb_meta *m, uint64_t ts_ns, const char *source, const char *key,
	int64_t value, struct zwb_err *err)
{
	struct zwb_counter row = { .ts_ns = ts_ns, .value = value };
	int ret = META_GROW(m, counters, err);

	if (!ret)
		ret = zwb_meta_set(&row.source, source, err);
	if (!ret)
		ret = zwb_meta_set(&row.key, key, err);
	if (ret) {
		free(row.source);
		return ret;
	}
	m->counters[m->nr_counters++] = row;
	return ZWB_OK;
}

int zwb_meta_swap(struct zwb_meta *m, const struct zwb_swap *swap, struct zwb_err *err)
{
	int ret = META_GROW(m, swaps, err);

	if (ret)
		return ret;
	m->swaps[m->nr_swaps++] = *swap;
	return ZWB_OK;
}

int zwb_meta_extent(struct zwb_meta *m, const struct zwb_extent *extent, struct zwb_err *err)
{
	int ret = META_GROW(m, extents, err);

	if (ret)
		return ret;
	m->extents[m->nr_extents++] = *extent;
	return ZWB_OK;
}

size_t zwb_meta_keep_facts(struct zwb_meta *m, int (*is_kept)(const struct zwb_fact *fact))
{
	size_t nr_facts = m->nr_facts;

	m->nr_facts = 0;
	for (size_t i = 0; i < nr_facts; i++) {
		if (is_kept(&m->facts[i])) {
			m->facts[m->nr_facts++] = m->facts[i];
			continue;
		}
		free(m->facts[i].section);
		free(m->facts[i].key);
		free(m->facts[i].value);
	}
	return nr_facts - m->nr_facts;
}

const char *zwb_meta_fact_get(const struct zwb_meta *m, const char *section, const char *key)
{
	for (size_t i = 0; i < m->nr_facts; i++) {
		if (strcmp(m->facts[i].section, section) == 0 && strcmp(m->facts[i].key, key) == 0)
			return m->facts[i].value;
	}
	return NULL;
}

int zwb_meta_counter_delta(
	const struct zwb_meta *m, const char *source, const char *key, int64_t *delta)
{
	int have_before = 0, have_after = 0;
	int64_t before = 0, after = 0;

	for (size_t i = 0; i < m->nr_counters; i++) {
		const struct zwb_counter *c = &m->counters[i];

		if (c->ts_ns < ZWB_COUNTER_AFTER || strcmp(c->source, source) != 0 ||
			strcmp(c->key, key) != 0)
			continue;
		if (c->ts_ns == ZWB_COUNTER_BEFORE) {
			before = c->value;
			have_before = 1;
		} else {
			after = c->value;
			have_after = 1;
		}
	}
	if (!have_before || !have_after)
		return 0;
	*delta = after - before;
	return 1;
}

uint64_t zwb_meta_lost_events(const struct zwb_meta *m)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < m->nr_losses; i++) {
		const struct zwb_loss *l = &m->losses[i];

		if (zwb_loss_is_missing(l->kind))
			lost += l->nr ? l->nr : 1;
	}
	return lost;
}

const char *zwb_loss_kind_name(unsigned int kind)
{
	static const char *const names[ZWB_LOSS_NR] = {
#define ZWB_X(sym, name, doc) name,
		ZWB_LOSS_KINDS(ZWB_X)
#undef ZWB_X
	};

	return kind < ZWB_LOSS_NR ? names[kind] : "invalid";
}

int zwb_loss_is_missing(unsigned int kind)
{
	return kind != ZWB_LOSS_UNPAIRED_BEGIN && kind != ZWB_LOSS_UNPAIRED_END &&
	       kind != ZWB_LOSS_RESTORED;
}
