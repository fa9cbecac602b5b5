/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store as a stream. */
#include "h5store_priv.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS 8192u
#define NO_KIND	     ZWB_EV_NR /* a number that the file has no name for */

_Static_assert(NO_KIND <= UINT8_MAX, "kinds are one byte");

struct store_stream {
	struct zwb_stream stream;
	struct zwb_h5file *file;
	struct zwb_h5table *events;
	struct zwb_h5col cols[STORE_NR_EVENT_COLS];
	const char *kind_names[ZWB_EV_NR];
	uint8_t kind_of[256]; /* kinds of the file by number to ours, by their names */
	uint8_t is_foreign[256]; /* has a name, but not one of ours: read as NONE and counted */
	int has_foreign;
	uint8_t is_block[ZWB_EV_NR + 1];
	uint64_t row;
	uint64_t last_ns;
	int is_complete;
	struct zwb_event *block;
};

/* What a block of events had that cannot be. */
struct store_faults {
	int order, kind, cgroup, dev;
};

static void note_kind(int64_t value, const char *name, void *arg)
{
	struct store_stream *s = arg;
	int kind = zwb_event_kind_by_name(name);

	if (value < 0 || value > UINT8_MAX)
		return;
	s->kind_of[value] = kind < 0 ? ZWB_EV_NONE : (uint8_t)kind;
	s->is_foreign[value] = kind < 0;
	s->has_foreign |= kind < 0;
}

static int count_foreign(
	struct store_stream *s, const uint8_t *kind, size_t nr, struct zwb_err *err)
{
	uint64_t nr_foreign = 0;

	for (size_t i = 0; i < nr; i++)
		nr_foreign += s->is_foreign[kind[i]];
	if (nr_foreign == 0)
		return ZWB_OK;
	return zwb_meta_unknown(s->stream.meta, "events.kind", nr_foreign, err);
}

/* Columns to records. */
static void gather(struct store_stream *s, const void *const *cols, size_t nr)
{
	const uint64_t *ts_ns = cols[STORE_TS_NS];
	const uint64_t *addr = cols[STORE_ADDR];
	const int32_t *tid = cols[STORE_TID];
	const uint32_t *cgroup = cols[STORE_CGROUP];
	const uint32_t *len = cols[STORE_LEN];
	const int32_t *val = cols[STORE_VAL];
	const uint16_t *cpu = cols[STORE_CPU];
	const uint16_t *dev = cols[STORE_DEV];
	const uint8_t *kind = cols[STORE_KIND];
	const uint8_t *flags = cols[STORE_FLAGS];

	for (size_t i = 0; i < nr; i++)
		s->block[i] = (struct zwb_event){ .ts_ns = ts_ns[i],
			.addr = addr[i],
			.tid = tid[i],
			.cgroup = cgroup[i],
			.len = len[i],
			.val = val[i],
			.cpu = cpu[i],
			.dev = dev[i],
			.kind = s->kind_of[kind[i]],
			.flags = flags[i] };
}

static struct store_faults check(const struct store_stream *s, size_t nr)
{
	struct store_faults bad = { 0 };
	const struct zwb_meta *m = s->stream.meta;
	uint64_t last_ns = s->last_ns;

	for (size_t i = 0; i < nr; i++) {
		const struct zwb_event *ev = &s->block[i];

		bad.order |= ev->ts_ns < last_ns;
		bad.kind |= ev->kind == NO_KIND;
		bad.cgroup |= ev->cgroup >= m->nr_cgroups;
		bad.dev |= s->is_block[ev->kind] & (ev->dev >= m->nr_devices);
		last_ns = ev->ts_ns;
	}
	return bad;
}

/* The tables of an incomplete store are missing: what its events say about them is unknown. */
static int forget_indices(struct store_stream *s, size_t nr, struct zwb_err *err)
{
	struct zwb_meta *m = s->stream.meta;
	uint64_t nr_cgroups = 0, nr_devs = 0;
	int ret = ZWB_OK;

	for (size_t i = 0; i < nr; i++) {
		struct zwb_event *ev = &s->block[i];

		if (ev->cgroup >= m->nr_cgroups) {
			ev->cgroup = ZWB_CGROUP_UNKNOWN;
			nr_cgroups++;
		}
		if (s->is_block[ev->kind] && ev->dev >= m->nr_devices) {
			ev->dev = 0; /* made by add_unknown_device() */
			nr_devs++;
		}
	}
	if (nr_cgroups)
		ret = zwb_meta_unknown(m, "events.cgroup", nr_cgroups, err);
	if (!ret && nr_devs)
		ret = zwb_meta_unknown(m, "events.dev", nr_devs, err);
	return ret;
}

static int judge(struct store_stream *s, size_t nr, struct zwb_err *err)
{
	struct store_faults bad = check(s, nr);
	const char *what = NULL;

	if (bad.order)
		what = "their time goes backwards";
	else if (bad.kind)
		what = "one is of a kind without a name";
	else if (bad.cgroup && s->is_complete)
		what = "one is of a cgroup that is not in /cgroups";
	else if (bad.dev && s->is_complete)
		what = "one is of a device that is not in /devices";
	if (what)
		return zwb_err_set(err, ZWB_EDATA, 0, "%s: " STORE_EVENTS " from row %llu on: %s",
			zwb_h5_path(s->file), (unsigned long long)s->row, what);
	if (bad.cgroup || bad.dev)
		return forget_indices(s, nr, err);
	return ZWB_OK;
}

static int store_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct store_stream *s = (struct store_stream *)stream;
	const void *cols[STORE_NR_EVENT_COLS];
	size_t nr;
	int ret = zwb_h5_table_block(s->events, s->row, cols, &nr, err);

	if (ret)
		return ret;
	if (nr > BLOCK_EVENTS)
		nr = BLOCK_EVENTS;
	gather(s, cols, nr);
	ret = judge(s, nr, err);
	if (!ret && s->has_foreign)
		ret = count_foreign(s, cols[STORE_KIND], nr, err);
	if (ret)
		return ret;
	s->row += nr;
	if (nr)
		s->last_ns = s->block[nr - 1].ts_ns;
	*events = s->block;
	*nr_events = nr;
	return ZWB_OK;
}

static void store_close(struct zwb_stream *stream)
{
	struct store_stream *s = (struct store_stream *)stream;

	zwb_h5_table_close(s->events, NULL);
	zwb_h5_close(s->file);
	zwb_meta_free(s->stream.meta);
	free(s->block);
	free(s);
}

static uint64_t store_left(const struct zwb_stream *stream)
{
	const struct store_stream *s = (const struct store_stream *)stream;

	return zwb_h5_table_rows(s->events) - s->row;
}

static const struct zwb_stream_ops store_stream_ops = {
	.next = store_next,
	.close = store_close,
	.left = store_left,
};

static int check_format(struct store_stream *s, struct zwb_err *err)
{
	const char *path = zwb_h5_path(s->file);
	char *format = NULL;
	uint64_t version = 0, complete = 0;
	int ret;

	if (!zwb_h5_has_attr(s->file, "/", "format"))
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: an HDF5 file, but not a zwb trace (no attribute \"format\")", path);
	ret = zwb_h5_get_str(s->file, "/", "format", &format, err);
	if (!ret && strcmp(format, ZWB_STORE_FORMAT) != 0)
		ret = zwb_err_set(
			err, ZWB_EKIND, 0, "%s: a \"%.64s\", not a zwb trace", path, format);
	free(format);
	if (!ret)
		ret = zwb_h5_get_u64(s->file, "/", "schema_version", &version, err);
	if (!ret && (version == 0 || version > ZWB_STORE_SCHEMA_VERSION))
		ret = zwb_err_set(err, ZWB_EDATA, 0,
			"%s: schema version %llu; this zwb reads 1 to %d, a newer one may help",
			path, (unsigned long long)version, ZWB_STORE_SCHEMA_VERSION);
	if (!ret)
		ret = zwb_h5_get_u64(s->file, "/", "complete", &complete, err);
	s->is_complete = complete == 1;
	return ret;
}

static int open_incomplete(struct store_stream *s, struct zwb_err *err)
{
	struct zwb_meta *m = s->stream.meta;
	const struct zwb_loss loss = { .kind = ZWB_LOSS_TRUNCATED, .nr = 1 };
	int ret = zwb_meta_device(m, 0, 0, NULL, err);

	if (ret < 0)
		return ret;
	m->nr_events = zwb_h5_table_rows(s->events);
	return zwb_meta_loss(m, &loss, err);
}

static int open_complete(struct store_stream *s, struct zwb_err *err)
{
	uint64_t nr = zwb_h5_table_rows(s->events);
	int ret = store_read_attrs(s->file, s->stream.meta, err);

	if (!ret)
		ret = store_read_tables(s->file, s->stream.meta, err);
	if (!ret && s->stream.meta->nr_events != nr)
		ret = zwb_err_set(err, ZWB_EDATA, 0,
			"%s: " STORE_EVENTS " has %llu rows, nr_events says %llu",
			zwb_h5_path(s->file), (unsigned long long)nr,
			(unsigned long long)s->stream.meta->nr_events);
	return ret;
}

static int open_events(struct store_stream *s, struct zwb_err *err)
{
	int ret;

	memset(s->kind_of, NO_KIND, sizeof(s->kind_of));
	for (unsigned int i = 0; i < ZWB_EV_NR; i++)
		s->is_block[i] = (uint8_t)zwb_event_kind_is_block(i);
	store_event_cols(s->cols, s->kind_names);
	ret = zwb_h5_table_open(
		s->file, STORE_EVENTS, s->cols, STORE_NR_EVENT_COLS, &s->events, err);
	if (!ret)
		ret = zwb_h5_table_flags(s->events, STORE_KIND, note_kind, s, err);
	return ret;
}

int zwb_store_open(const char *path, struct zwb_stream **out, struct zwb_err *err)
{
	struct store_stream *s = calloc(1, sizeof(*s));
	int ret = ZWB_OK;

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	s->stream.ops = &store_stream_ops;
	s->stream.meta = zwb_meta_create();
	s->block = malloc(BLOCK_EVENTS * sizeof(*s->block));
	if (!s->stream.meta || !s->block)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	if (!ret)
		ret = zwb_h5_open(path, &s->file, err);
	if (!ret)
		ret = check_format(s, err);
	if (!ret)
		ret = open_events(s, err);
	if (!ret)
		ret = s->is_complete ? open_complete(s, err) : open_incomplete(s, err);
	if (ret) {
		store_close(&s->stream);
		return ret;
	}
	*out = &s->stream;
	return ZWB_OK;
}
