/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the store. */
#include "h5store_priv.h"

#include <stdlib.h>

#define CHUNK_ROWS 65536u /* measured: smaller ones pack worse and unpack slower */
#define FLUSH_ROWS (1u << 20)

struct zwb_store {
	struct zwb_h5file *file;
	struct zwb_h5table *events;
	struct zwb_h5col cols[STORE_NR_EVENT_COLS];
	const char *kind_names[ZWB_EV_NR];
	uint64_t nr_events;
	uint64_t nr_flushed;
	uint64_t end_ns;
};

void store_event_cols(struct zwb_h5col *cols, const char *kind_names[ZWB_EV_NR])
{
	const struct zwb_h5col all[STORE_NR_EVENT_COLS] = {
		[STORE_TS_NS] = { .name = "ts_ns",
			.type = ZWB_H5_U64,
			.units = "ns",
			.long_name = "time since start_ns" },
		[STORE_ADDR] = { .name = "addr",
			.type = ZWB_H5_U64,
			.long_name = "slot, sector, or what the kind says" },
		[STORE_TID] = { .name = "tid",
			.type = ZWB_H5_I32,
			.long_name = "task that was running, 0 is the idle task" },
		[STORE_CGROUP] = { .name = "cgroup",
			.type = ZWB_H5_U32,
			.long_name = "row of /cgroups, 0 is unknown" },
		[STORE_LEN] = { .name = "len",
			.type = ZWB_H5_U32,
			.long_name = "count, bytes or sectors, see the kind" },
		[STORE_VAL] = { .name = "val",
			.type = ZWB_H5_I32,
			.long_name = "result or flag, see the kind, -2147483648 is unknown" },
		[STORE_CPU] = { .name = "cpu", .type = ZWB_H5_U16, .long_name = "CPU" },
		[STORE_DEV] = { .name = "dev",
			.type = ZWB_H5_U16,
			.long_name = "block events: row of /devices; slot events: swap type" },
		[STORE_KIND] = { .name = "kind",
			.type = ZWB_H5_U8,
			.long_name = "what happened",
			.flags = kind_names,
			.nr_flags = ZWB_EV_NR },
		[STORE_FLAGS] = { .name = "flags",
			.type = ZWB_H5_U8,
			.long_name = "block events: operation bits; walks: kind of walk" },
	};

	for (unsigned int i = 0; i < ZWB_EV_NR; i++)
		kind_names[i] = zwb_event_kind_name(i);
	for (size_t i = 0; i < STORE_NR_EVENT_COLS; i++)
		cols[i] = all[i];
}

/* Written first: whatever is found of a store that was never finished says so. */
static int write_head(struct zwb_store *s, struct zwb_err *err)
{
	int ret = zwb_h5_set_str(s->file, "/", "format", ZWB_STORE_FORMAT, err);

	if (!ret)
		ret = zwb_h5_set_u64(s->file, "/", "schema_version", ZWB_STORE_SCHEMA_VERSION, err);
	if (!ret)
		ret = zwb_h5_set_str(s->file, "/", "zwb_version", ZWB_VERSION, err);
	if (!ret)
		ret = zwb_h5_set_u64(s->file, "/", "complete", 0, err);
	return ret;
}

int zwb_store_create(const char *path, const struct zwb_store_opts *opts, struct zwb_store **out,
	struct zwb_err *err)
{
	const struct zwb_store_opts defaults = { .nr_threads = 1 };
	struct zwb_store *s = calloc(1, sizeof(*s));
	struct zwb_h5spec spec = { .path = STORE_EVENTS,
		.long_name = "events, ordered by ts_ns, cpu, and order on that CPU",
		.nr_cols = STORE_NR_EVENT_COLS,
		.chunk_rows = CHUNK_ROWS };
	int ret;

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	if (!opts)
		opts = &defaults;
	store_event_cols(s->cols, s->kind_names);
	spec.cols = s->cols;
	spec.level = opts->level;
	spec.nr_threads = opts->nr_threads;
	ret = zwb_h5_create(path, opts->force, &s->file, err);
	if (!ret)
		ret = write_head(s, err);
	if (!ret)
		ret = zwb_h5_table_create(s->file, &spec, &s->events, err);
	if (ret) {
		zwb_store_abort(s);
		return ret;
	}
	*out = s;
	return ZWB_OK;
}

/* Records to columns. */
static void scatter(void *const *cols, const struct zwb_event *events, size_t nr)
{
	uint64_t *restrict ts_ns = cols[STORE_TS_NS];
	uint64_t *restrict addr = cols[STORE_ADDR];
	int32_t *restrict tid = cols[STORE_TID];
	uint32_t *restrict cgroup = cols[STORE_CGROUP];
	uint32_t *restrict len = cols[STORE_LEN];
	int32_t *restrict val = cols[STORE_VAL];
	uint16_t *restrict cpu = cols[STORE_CPU];
	uint16_t *restrict dev = cols[STORE_DEV];
	uint8_t *restrict kind = cols[STORE_KIND];
	uint8_t *restrict flags = cols[STORE_FLAGS];

	for (size_t i = 0; i < nr; i++) {
		const struct zwb_event *ev = &events[i];

		ts_ns[i] = ev->ts_ns;
		addr[i] = ev->addr;
		tid[i] = ev->tid;
		cgroup[i] = ev->cgroup;
		len[i] = ev->len;
		val[i] = ev->val;
		cpu[i] = ev->cpu;
		dev[i] = ev->dev;
		kind[i] = ev->kind;
		flags[i] = ev->flags;
	}
}

int zwb_store_append(
	struct zwb_store *s, const struct zwb_event *events, size_t nr_events, struct zwb_err *err)
{
	void *cols[STORE_NR_EVENT_COLS];
	size_t done = 0, room;
	int ret;

	while (done < nr_events) {
		ret = zwb_h5_table_space(s->events, cols, &room, err);
		if (ret)
			return ret;
		if (room > nr_events - done)
			room = nr_events - done;
		scatter(cols, events + done, room);
		zwb_h5_table_advance(s->events, room);
		done += room;
	}
	s->nr_events += nr_events;
	if (nr_events)
		s->end_ns = events[nr_events - 1].ts_ns;
	if (s->nr_events - s->nr_flushed >= FLUSH_ROWS) {
		s->nr_flushed = s->nr_events;
		return zwb_h5_flush(s->file, err);
	}
	return ZWB_OK;
}

int zwb_store_commit(struct zwb_store *s, const struct zwb_meta *meta, struct zwb_err *err)
{
	struct zwb_h5table *events = s->events;
	struct zwb_h5file *file = s->file;
	int ret;

	s->events = NULL;
	ret = zwb_h5_table_close(events, err);
	if (!ret)
		ret = store_write_meta(file, meta, err);
	if (!ret)
		ret = zwb_h5_set_u64(file, "/", "nr_events", s->nr_events, err);
	if (!ret)
		ret = zwb_h5_set_u64(file, "/", "end_ns", s->end_ns, err);
	if (!ret)
		ret = zwb_h5_set_u64(file, "/", "complete", 1, err);
	if (!ret) {
		s->file = NULL;
		ret = zwb_h5_commit(file, err);
	}
	zwb_store_abort(s);
	return ret;
}

void zwb_store_abort(struct zwb_store *s)
{
	if (!s)
		return;
	zwb_h5_table_close(s->events, NULL);
	zwb_h5_close(s->file);
	free(s);
}
