/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metadata in the store: one description a table, from which it is written and read. */
#include "h5store_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TABLE_COLS 8

struct store_table {
	const char *path;
	const char *long_name;
	struct zwb_h5col cols[MAX_TABLE_COLS];
	size_t nr_cols;
	uint64_t max_rows; /* what a damaged file can make us hold */
	size_t (*nr_rows)(const struct zwb_meta *m);
	void (*get)(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells);
	int (*add)(struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells,
		struct zwb_err *err);
};

#define NR_ROWS(table)                                                                             \
	static size_t nr_##table(const struct zwb_meta *m)                                         \
	{                                                                                          \
		return m->nr_##table;                                                              \
	}

NR_ROWS(cgroups)
NR_ROWS(tasks)
NR_ROWS(devices)
NR_ROWS(losses)
NR_ROWS(tallies)
NR_ROWS(unknowns)
NR_ROWS(facts)
NR_ROWS(counters)
NR_ROWS(swaps)
NR_ROWS(extents)

static void get_cgroup(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].u = m->cgroups[row].id;
	cells[1].s = m->cgroups[row].path;
}

static int add_cgroup(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	int index = zwb_meta_cgroup(m, cells[0].u, cells[1].s, err);

	if (index < 0)
		return index;
	/* row 0 is the unknown one, which is there already; any other id may appear once */
	if ((size_t)index != row)
		return zwb_err_set(err, ZWB_EDATA, 0, "an id appears twice");
	return ZWB_OK;
}

static void get_task(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].i = m->tasks[row].tid;
	cells[1].s = m->tasks[row].comm;
}

static int add_task(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	(void)row;
	return zwb_meta_task(m, (int32_t)cells[0].i, cells[1].s, err);
}

static void get_device(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].u = m->devices[row].major;
	cells[1].u = m->devices[row].minor;
	cells[2].s = m->devices[row].name;
}

static int add_device(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	int index = zwb_meta_device(m, (uint32_t)cells[0].u, (uint32_t)cells[1].u, cells[2].s, err);

	if (index < 0)
		return index;
	if ((size_t)index != row)
		return zwb_err_set(err, ZWB_EDATA, 0, "a device appears twice");
	return ZWB_OK;
}

static void get_loss(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	const struct zwb_loss *l = &m->losses[row];

	cells[0].u = l->cpu;
	cells[1].s = zwb_loss_kind_name(l->kind);
	cells[2].u = l->nr;
	cells[3].u = l->nr_is_known ? 1 : 0;
	cells[4].u = l->first_ns;
	cells[5].u = l->last_ns;
}

static int add_loss(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	struct zwb_loss l = { .cpu = (uint16_t)cells[0].u,
		.nr = cells[2].u,
		.nr_is_known = cells[3].u != 0,
		.first_ns = cells[4].u,
		.last_ns = cells[5].u };

	(void)row;
	while (l.kind < ZWB_LOSS_NR && strcmp(zwb_loss_kind_name(l.kind), cells[1].s) != 0)
		l.kind++;
	if (l.kind == ZWB_LOSS_NR)
		return zwb_err_set(err, ZWB_EDATA, 0, "\"%.64s\" is no kind of loss", cells[1].s);
	return zwb_meta_loss(m, &l, err);
}

static void get_tally(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	const struct zwb_tally *t = &m->tallies[row];

	cells[0].s = t->name;
	cells[1].s = t->kind < 0 ? "" : zwb_event_kind_name((unsigned int)t->kind);
	cells[2].u = t->nr;
}

static int add_tally(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	(void)row;
	return zwb_meta_tally(m, cells[0].s, zwb_event_kind_by_name(cells[1].s), cells[2].u, err);
}

static void get_unknown(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].s = m->unknowns[row].what;
	cells[1].u = m->unknowns[row].nr;
}

static int add_unknown(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	(void)row;
	return zwb_meta_unknown(m, cells[0].s, cells[1].u, err);
}

static void get_fact(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].s = m->facts[row].section;
	cells[1].s = m->facts[row].key;
	cells[2].s = m->facts[row].value;
}

static int add_fact(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	(void)row;
	return zwb_meta_fact(m, cells[0].s, cells[1].s, cells[2].s, err);
}

static void get_counter(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].u = m->counters[row].ts_ns;
	cells[1].s = m->counters[row].source;
	cells[2].s = m->counters[row].key;
	cells[3].i = m->counters[row].value;
}

static int add_counter(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	(void)row;
	return zwb_meta_counter(m, cells[0].u, cells[1].s, cells[2].s, cells[3].i, err);
}

static void get_swap(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	const struct zwb_swap *s = &m->swaps[row];

	cells[0].u = s->swap_type;
	cells[1].s = s->path;
	cells[2].s = s->kind;
	cells[3].u = s->nr_slots;
	cells[4].u = s->dev;
	cells[5].i = s->synchronous;
	cells[6].u = s->geometry_known ? 1 : 0;
}

static int add_swap(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	struct zwb_swap s = { .swap_type = (uint32_t)cells[0].u,
		.nr_slots = cells[3].u,
		.dev = (uint32_t)cells[4].u,
		.synchronous = cells[5].i < 0 ? -1 : cells[5].i != 0,
		.geometry_known = cells[6].u != 0 };

	(void)row;
	snprintf(s.path, sizeof(s.path), "%s", cells[1].s);
	snprintf(s.kind, sizeof(s.kind), "%s", cells[2].s);
	if (s.dev && s.dev >= m->nr_devices) /* 0: the first, which may be none */
		return zwb_err_set(err, ZWB_EDATA, 0, "there is no device %u", s.dev);
	return zwb_meta_swap(m, &s, err);
}

static void get_extent(const struct zwb_meta *m, size_t row, struct zwb_h5cell *cells)
{
	cells[0].u = m->extents[row].swap_type;
	cells[1].u = m->extents[row].first_slot;
	cells[2].u = m->extents[row].nr_slots;
	cells[3].u = m->extents[row].first_sector;
}

static int add_extent(
	struct zwb_meta *m, size_t row, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	struct zwb_extent e = { .swap_type = (uint32_t)cells[0].u,
		.first_slot = cells[1].u,
		.nr_slots = cells[2].u,
		.first_sector = cells[3].u };

	(void)row;
	return zwb_meta_extent(m, &e, err);
}

#define COL(name_, type_, ...)                                                                     \
	{                                                                                          \
		.name = name_, .type = ZWB_H5_##type_, __VA_ARGS__                                 \
	}
#define TABLE(name, what, max, row, nr, ...)                                                       \
	{                                                                                          \
		.path = "/" #name, .long_name = what, .max_rows = max, .nr_rows = nr_##name,       \
		.get = get_##row, .add = add_##row, .nr_cols = nr, .cols = {                       \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/* The searches behind the add functions are linear: the limits keep them short. */
static const struct store_table tables[] = {
	TABLE(cgroups, "control groups", 16384, cgroup, 2,
		COL("id", U64, .long_name = "inode number, or a pointer when only that is known"),
		COL("path", STR, .long_name = "path below the root of the hierarchy")),
	TABLE(tasks, "tasks", 4194304, task, 2, COL("tid", I32, .long_name = "thread id"),
		COL("comm", STR, .long_name = "command name")),
	TABLE(devices, "block devices", 4096, device, 3,
		COL("major", U32, .long_name = "major number"),
		COL("minor", U32, .long_name = "minor number"),
		COL("name", STR, .long_name = "name, empty when not known")),
	TABLE(losses, "events, or the sense of them, that got lost", 1048576, loss, 6,
		COL("cpu", U16, .long_name = "CPU"),
		COL("kind", STR, .long_name = "how they got lost"),
		COL("nr", U64, .long_name = "events lost, else occurrences"),
		COL("nr_is_known", U8, .long_name = "0: more may be lost than nr says"),
		COL("first_ns", U64, .units = "ns", .long_name = "start of the span it was in"),
		COL("last_ns", U64, .units = "ns", .long_name = "end of the span it was in")),
	TABLE(tallies, "events of the recording and what they became", 65536, tally, 3,
		COL("name", STR, .long_name = "system/event"),
		COL("kind", STR, .long_name = "kind of event, empty: not in the event map"),
		COL("nr", U64, .long_name = "times seen")),
	TABLE(unknowns, "what was wanted and is not in the recording", 4096, unknown, 2,
		COL("what", STR, .long_name = "event.field, or a name"),
		COL("nr", U64, .long_name = "events that lack it")),
	TABLE(facts, "facts about the host", 65536, fact, 3,
		COL("section", STR, .long_name = "what the fact is about"),
		COL("key", STR, .long_name = "name of the fact"),
		COL("value", STR, .long_name = "as the host gave it")),
	TABLE(counters, "counters of the host", 4194304, counter, 4,
		COL("ts_ns", U64, .units = "ns",
			.long_name = "time of the sample; 2^64-1 before, 2^64-2 after the run"),
		COL("source", STR, .long_name = "where the counter is"),
		COL("key", STR, .long_name = "name of the counter"),
		COL("value", I64, .long_name = "value")),
	TABLE(swaps, "swap areas", 64, swap, 7,
		COL("swap_type", U32, .long_name = "number of the swap area"),
		COL("path", STR, .long_name = "device or file"),
		COL("kind", STR, .long_name = "partition or file"),
		COL("nr_slots", U64, .units = "pages",
			.long_name = "size with its header, 0: not known"),
		COL("dev", U32, .long_name = "row of /devices, the whole disk"),
		COL("synchronous", I32, .long_name = "1: IO ends in the caller, -1: not known"),
		COL("geometry_known", U8, .long_name = "0: the extents are a guess")),
	TABLE(extents, "where slots lie on the disk", 1048576, extent, 4,
		COL("swap_type", U32, .long_name = "number of the swap area"),
		COL("first_slot", U64, .units = "pages", .long_name = "first slot"),
		COL("nr_slots", U64, .units = "pages", .long_name = "number of slots"),
		COL("first_sector", U64, .units = "sectors",
			.long_name = "512-byte sector of the first slot on the whole disk")),
};

#define NR_TABLES (sizeof(tables) / sizeof(tables[0]))

/* The text columns as wide as their longest value. */
static void set_widths(
	struct zwb_h5col *cols, const struct store_table *table, const struct zwb_meta *m)
{
	struct zwb_h5cell cells[MAX_TABLE_COLS];

	memcpy(cols, table->cols, sizeof(table->cols));
	for (size_t row = 0; row < table->nr_rows(m); row++) {
		table->get(m, row, cells);
		for (size_t c = 0; c < table->nr_cols; c++) {
			size_t len = 0;

			if (cols[c].type == ZWB_H5_STR)
				len = strnlen(cells[c].s, ZWB_H5_MAX_WIDTH);
			if (len > cols[c].width)
				cols[c].width = (uint32_t)len;
		}
	}
}

static int write_table(struct zwb_h5file *f, const struct store_table *table,
	const struct zwb_meta *m, struct zwb_err *err)
{
	struct zwb_h5col cols[MAX_TABLE_COLS];
	struct zwb_h5cell cells[MAX_TABLE_COLS];
	struct zwb_h5spec spec = { .path = table->path,
		.long_name = table->long_name,
		.cols = cols,
		.nr_cols = table->nr_cols };
	struct zwb_h5table *t;
	int ret;

	set_widths(cols, table, m);
	ret = zwb_h5_table_create(f, &spec, &t, err);
	if (ret)
		return ret;
	for (size_t row = 0; !ret && row < table->nr_rows(m); row++) {
		table->get(m, row, cells);
		ret = zwb_h5_table_put(t, cells, err);
	}
	if (ret)
		zwb_h5_table_close(t, NULL);
	else
		ret = zwb_h5_table_close(t, err);
	return ret;
}

static int read_table(struct zwb_h5file *f, const struct store_table *table, struct zwb_meta *m,
	struct zwb_err *err)
{
	struct zwb_h5cell cells[MAX_TABLE_COLS];
	struct zwb_h5table *t;
	uint64_t nr;
	int ret = zwb_h5_table_open(f, table->path, table->cols, table->nr_cols, &t, err);

	if (ret)
		return ret;
	nr = zwb_h5_table_rows(t);
	if (nr > table->max_rows)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: %s: %llu rows are too many",
			zwb_h5_path(f), table->path, (unsigned long long)nr);
	for (uint64_t row = 0; !ret && row < nr; row++) {
		ret = zwb_h5_table_get(t, row, cells, err);
		if (ret)
			break;
		ret = table->add(m, (size_t)row, cells, err);
		if (ret)
			zwb_err_prefix(err, "%s: %s: row %llu", zwb_h5_path(f), table->path,
				(unsigned long long)row);
	}
	zwb_h5_table_close(t, NULL);
	return ret;
}

/* The attributes of the root that are plain fields of the metadata. */
static const struct {
	const char *name;
	size_t offset;
} text_attrs[] = {
	{ "source", offsetof(struct zwb_meta, source) },
	{ "digest", offsetof(struct zwb_meta, digest) },
	{ "kernel", offsetof(struct zwb_meta, kernel) },
	{ "clock", offsetof(struct zwb_meta, clock) },
	{ "event_map", offsetof(struct zwb_meta, event_map) },
	{ "scheduler", offsetof(struct zwb_meta, scheduler) },
};

#define NR_TEXT_ATTRS (sizeof(text_attrs) / sizeof(text_attrs[0]))

int store_write_meta(struct zwb_h5file *f, const struct zwb_meta *m, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < NR_TEXT_ATTRS; i++) {
		const char *text = *(char *const *)((const char *)m + text_attrs[i].offset);

		ret = zwb_h5_set_str(f, "/", text_attrs[i].name, text, err);
	}
	if (!ret)
		ret = zwb_h5_set_u64(f, "/", "start_ns", m->start_ns, err);
	if (!ret)
		ret = zwb_h5_set_u64(f, "/", "page_bytes", m->page_bytes, err);
	if (!ret)
		ret = zwb_h5_set_u64(f, "/", "nr_cpus", m->nr_cpus, err);
	if (!ret)
		ret = zwb_h5_set_u64(f, "/", "hz", m->hz, err);
	for (size_t i = 0; !ret && i < NR_TABLES; i++)
		ret = write_table(f, &tables[i], m, err);
	return ret;
}

static int read_u32(
	struct zwb_h5file *f, const char *name, uint32_t max, uint32_t *value, struct zwb_err *err)
{
	uint64_t wide = 0;
	int ret = zwb_h5_get_u64(f, "/", name, &wide, err);

	if (!ret && wide > max)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: attribute %s of / is out of range: %llu",
			zwb_h5_path(f), name, (unsigned long long)wide);
	if (!ret)
		*value = (uint32_t)wide;
	return ret;
}

int store_read_attrs(struct zwb_h5file *f, struct zwb_meta *m, struct zwb_err *err)
{
	char **field, *text;
	int ret;

	for (size_t i = 0; i < NR_TEXT_ATTRS; i++) {
		field = (char **)((char *)m + text_attrs[i].offset);
		ret = zwb_h5_get_str(f, "/", text_attrs[i].name, &text, err);
		if (ret)
			return ret;
		free(*field);
		*field = text;
	}
	ret = zwb_h5_get_u64(f, "/", "start_ns", &m->start_ns, err);
	if (!ret)
		ret = zwb_h5_get_u64(f, "/", "end_ns", &m->end_ns, err);
	if (!ret)
		ret = zwb_h5_get_u64(f, "/", "nr_events", &m->nr_events, err);
	if (!ret)
		ret = read_u32(f, "page_bytes", 1u << 30, &m->page_bytes, err);
	if (!ret && (m->page_bytes < 512 || m->page_bytes & (m->page_bytes - 1)))
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: page_bytes %u is no page size",
			zwb_h5_path(f), m->page_bytes);
	if (!ret)
		ret = read_u32(f, "nr_cpus", 65536, &m->nr_cpus, err);
	if (!ret)
		ret = read_u32(f, "hz", 1000000, &m->hz, err);
	return ret;
}

int store_read_tables(struct zwb_h5file *f, struct zwb_meta *m, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < NR_TABLES; i++)
		ret = read_table(f, &tables[i], m, err);
	return ret;
}
