/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing tables: rows into columns, packed chunks into the file. */
#include "h5table_priv.h"
#include "h5table_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS    16
#define CHUNK_ROWS_MAX 65536u
#define CHUNK_BYTES    (64u << 10) /* of the widest column, when the caller does not say */
#define LEVEL	       1

/* The names of the values, separated by blanks; the caller frees. */
static char *join_flags(const struct zwb_h5col *spec)
{
	size_t len = 1;
	char *names;

	for (size_t i = 0; i < spec->nr_flags; i++)
		len += strlen(spec->flags[i]) + 1;
	names = calloc(1, len);
	for (size_t i = 0, end = 0; names && i < spec->nr_flags; i++)
		end += (size_t)snprintf(
			names + end, len - end, "%s%s", i ? " " : "", spec->flags[i]);
	return names;
}

static int write_flags(const struct h5_at *at, const struct zwb_h5col *spec, struct zwb_err *err)
{
	hsize_t nr = spec->nr_flags;
	uint64_t *values = calloc(spec->nr_flags + 1, sizeof(*values));
	char *names = join_flags(spec);
	hid_t space;
	int ret;

	if (!values || !names) {
		free(values);
		free(names);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", at->f->path);
	}
	for (size_t i = 0; i < spec->nr_flags; i++)
		values[i] = i;
	ret = h5_put_str(at, "flag_meanings", names, err);
	if (!ret) {
		space = H5Screate_simple(1, &nr, NULL);
		ret = h5_put_attr(at, "flag_values", H5T_STD_U64LE, space, values, err);
		H5Sclose(space);
	}
	free(values);
	free(names);
	return ret;
}

static int write_column_attrs(struct zwb_h5table *t, const struct h5_col *c, struct zwb_err *err)
{
	const struct zwb_h5col *spec = c->spec;
	const struct h5_at at = { .f = t->f, .object = c->dset, .path = c->path };
	int ret = ZWB_OK;

	if (spec->units)
		ret = h5_put_str(&at, "units", spec->units, err);
	if (!ret && spec->long_name)
		ret = h5_put_str(&at, "long_name", spec->long_name, err);
	if (!ret && spec->nr_flags)
		ret = write_flags(&at, spec, err);
	return ret;
}

/* Chunked, growing, with the filters that the packer applies. */
static hid_t column_plist(const struct zwb_h5table *t, const struct h5_col *c)
{
	hid_t dcpl = h5_plist(H5P_DATASET_CREATE);
	hsize_t chunk = t->chunk_rows;

	if (dcpl < 0)
		return dcpl;
	if (H5Pset_chunk(dcpl, 1, &chunk) < 0 || (c->shuffle && H5Pset_shuffle(dcpl) < 0) ||
		H5Pset_deflate(dcpl, (unsigned)t->level) < 0) {
		H5Pclose(dcpl);
		return H5I_INVALID_HID;
	}
	return dcpl;
}

static int create_column(struct zwb_h5table *t, struct h5_col *c, struct zwb_err *err)
{
	hsize_t none = 0, unlimited = H5S_UNLIMITED;
	int is_text = c->spec->type == ZWB_H5_STR;
	hid_t type, space, dcpl;
	int ret = ZWB_OK;

	type = is_text ? h5_string_type(c->file_bytes, H5T_STR_NULLPAD)
		       : H5Tcopy(h5_file_type(c->spec->type));
	space = H5Screate_simple(1, &none, &unlimited);
	dcpl = column_plist(t, c);
	if (type >= 0 && space >= 0 && dcpl >= 0)
		c->dset =
			H5Dcreate2(t->f->id, c->path, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
	if (c->dset < 0)
		ret = h5_fail(err, t->f, c->path, "cannot create column");
	H5Pclose(dcpl);
	H5Sclose(space);
	H5Tclose(type);
	return ret ? ret : write_column_attrs(t, c, err);
}

/* Bytes of a value in the file; 0 when it is too long. */
static size_t value_bytes(const struct zwb_h5col *spec)
{
	if (spec->type != ZWB_H5_STR)
		return h5_type_bytes(spec->type);
	if (spec->width > ZWB_H5_MAX_WIDTH)
		return 0;
	return spec->width ? spec->width : 1;
}

/* Sizes of the columns and of the chunks. */
static int layout(struct zwb_h5table *t, const struct zwb_h5spec *spec, struct zwb_err *err)
{
	size_t widest = 1;

	for (size_t i = 0; i < t->nr_cols; i++) {
		struct h5_col *c = &t->cols[i];

		c->file_bytes = value_bytes(c->spec);
		c->shuffle = c->spec->type != ZWB_H5_STR && c->file_bytes > 1;
		if (c->file_bytes == 0)
			return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: %s: a value of %u bytes",
				t->f->path, c->path, c->spec->width);
		widest = c->file_bytes > widest ? c->file_bytes : widest;
	}
	t->chunk_rows = spec->chunk_rows ? spec->chunk_rows : 1 + (CHUNK_BYTES - 1) / widest;
	if (t->chunk_rows > CHUNK_ROWS_MAX || t->chunk_rows * widest > ZWB_H5_MAX_CHUNK)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: %s: chunks of %zu rows are too long",
			t->f->path, t->path, t->chunk_rows);
	return ZWB_OK;
}

static int create_columns(struct zwb_h5table *t, const struct zwb_h5spec *spec, struct zwb_err *err)
{
	struct h5_pack_spec pack = {
		.nr_cols = t->nr_cols, .level = t->level, .nr_threads = spec->nr_threads
	};
	int ret = layout(t, spec, err);

	if (!ret && zwb_h5_has(t->f, spec->path))
		ret = zwb_err_set(
			err, ZWB_EUSAGE, 0, "%s: has a %s already", t->f->path, spec->path);
	if (!ret)
		ret = zwb_h5_group(t->f, spec->path, err);
	if (!ret && spec->long_name)
		ret = zwb_h5_set_str(t->f, spec->path, "long_name", spec->long_name, err);
	for (size_t i = 0; !ret && i < t->nr_cols; i++) {
		ret = create_column(t, &t->cols[i], err);
		pack.bytes[i] = t->cols[i].file_bytes;
		pack.shuffle[i] = t->cols[i].shuffle;
	}
	pack.chunk_rows = t->chunk_rows;
	return ret ? ret : h5_packer_create(&pack, &t->packer, err);
}

int zwb_h5_table_create(struct zwb_h5file *f, const struct zwb_h5spec *spec,
	struct zwb_h5table **out, struct zwb_err *err)
{
	struct zwb_h5table *t;
	int level = spec->level ? spec->level : LEVEL;
	int ret;

	h5_quiet();
	if (spec->nr_threads < 0 || spec->nr_threads > MAX_THREADS || level < 1 || level > 12)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s: %d threads or deflate level %d: 0 to %d and 1 to 12 work", spec->path,
			spec->nr_threads, level, MAX_THREADS);
	ret = h5_table_new(f, spec->path, spec->cols, spec->nr_cols, &t, err);
	if (ret)
		return ret;
	t->level = level;
	ret = create_columns(t, spec, err);
	if (ret) {
		h5_table_free(t);
		return ret;
	}
	*out = t;
	return ZWB_OK;
}

static int write_rows(struct zwb_h5table *t, const struct h5_rows *rows, struct zwb_err *err)
{
	hsize_t offset = t->nr_rows;
	hsize_t size = t->nr_rows + rows->nr_rows;

	for (size_t i = 0; i < t->nr_cols; i++) {
		struct h5_col *c = &t->cols[i];

		if (H5Dset_extent(c->dset, &size) < 0 ||
			H5Dwrite_chunk(c->dset, H5P_DEFAULT, rows->filter_mask[i], &offset,
				rows->packed_bytes[i], rows->packed[i]) < 0)
			return h5_fail(err, t->f, c->path, "cannot write");
	}
	t->nr_rows += rows->nr_rows;
	return ZWB_OK;
}

/* Write what is packed; with @all, wait for all that is on its way. */
static int drain(struct zwb_h5table *t, int all, struct zwb_err *err)
{
	struct h5_rows *rows;
	int ret;

	while ((rows = h5_packer_take(t->packer, all)) != NULL) {
		ret = write_rows(t, rows, err);
		if (ret)
			return ret;
		h5_packer_release(t->packer);
	}
	return ZWB_OK;
}

int zwb_h5_table_space(struct zwb_h5table *t, void **cols, size_t *nr_rows, struct zwb_err *err)
{
	struct h5_rows *rows = h5_packer_fill(t->packer);
	int ret;

	/* not for every row: it takes longer than to write one */
	if (!rows || rows->nr_rows == t->chunk_rows)
		h5_quiet();
	if (rows && rows->nr_rows == t->chunk_rows) {
		h5_packer_submit(t->packer);
		ret = drain(t, 0, err);
		if (ret)
			return ret;
		rows = h5_packer_fill(t->packer);
	}
	if (!rows) {
		ret = write_rows(t, h5_packer_take(t->packer, 1), err);
		if (ret)
			return ret;
		h5_packer_release(t->packer);
		rows = h5_packer_fill(t->packer);
	}
	for (size_t i = 0; i < t->nr_cols; i++)
		cols[i] = (char *)rows->cols[i] + rows->nr_rows * t->cols[i].file_bytes;
	*nr_rows = t->chunk_rows - rows->nr_rows;
	return ZWB_OK;
}

void zwb_h5_table_advance(struct zwb_h5table *t, size_t nr_rows)
{
	h5_packer_fill(t->packer)->nr_rows += nr_rows;
}

int zwb_h5_table_append(
	struct zwb_h5table *t, const void *const *cols, size_t nr_rows, struct zwb_err *err)
{
	void *to[ZWB_H5_MAX_COLS];
	size_t done = 0, room;
	int ret;

	while (done < nr_rows) {
		ret = zwb_h5_table_space(t, to, &room, err);
		if (ret)
			return ret;
		if (room > nr_rows - done)
			room = nr_rows - done;
		for (size_t i = 0; i < t->nr_cols; i++) {
			size_t bytes = t->cols[i].file_bytes;

			memcpy(to[i], (const char *)cols[i] + done * bytes, room * bytes);
		}
		zwb_h5_table_advance(t, room);
		done += room;
	}
	return ZWB_OK;
}

static void put_cell(const struct h5_col *c, void *to, const struct zwb_h5cell *cell)
{
	switch (c->spec->type) {
	case ZWB_H5_STR:
		/* the padding is NUL, the last byte may be text */
		memset(to, 0, c->file_bytes);
		memcpy(to, cell->s, strnlen(cell->s, c->file_bytes));
		break;
	case ZWB_H5_F64:
		memcpy(to, &cell->f, sizeof(cell->f));
		break;
	default: /* little-endian, see h5table_pack.c: the low bytes come first */
		memcpy(to, &cell->u, c->file_bytes);
		break;
	}
}

int zwb_h5_table_put(struct zwb_h5table *t, const struct zwb_h5cell *cells, struct zwb_err *err)
{
	void *to[ZWB_H5_MAX_COLS];
	size_t room;
	int ret = zwb_h5_table_space(t, to, &room, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < t->nr_cols; i++)
		put_cell(&t->cols[i], to[i], &cells[i]);
	zwb_h5_table_advance(t, 1);
	return ZWB_OK;
}

int h5_table_finish(struct zwb_h5table *t, struct zwb_err *err)
{
	struct h5_rows *rows = h5_packer_fill(t->packer);

	if (rows && rows->nr_rows)
		h5_packer_submit(t->packer);
	return drain(t, 1, err);
}
