/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading tables. Nothing in the file is believed before it is checked. */
#include "h5table_table.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_ROWS 4096u /* read at once where chunks do not say it */

/* Plain loops over planes, for the vectoriser. */
static void unshuffle2(uint16_t *restrict out, const uint8_t *restrict in, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		out[i] = (uint16_t)(in[i] | in[nr + i] << 8);
}

static void unshuffle4(uint32_t *restrict out, const uint8_t *restrict in, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		out[i] = in[i] | (uint32_t)in[nr + i] << 8 | (uint32_t)in[2 * nr + i] << 16 |
			 (uint32_t)in[3 * nr + i] << 24;
}

static void unshuffle8(uint64_t *restrict out, const uint8_t *restrict in, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t low = in[i] | (uint32_t)in[nr + i] << 8 | (uint32_t)in[2 * nr + i] << 16 |
			       (uint32_t)in[3 * nr + i] << 24;
		uint32_t high = in[4 * nr + i] | (uint32_t)in[5 * nr + i] << 8 |
				(uint32_t)in[6 * nr + i] << 16 | (uint32_t)in[7 * nr + i] << 24;

		out[i] = low | (uint64_t)high << 32;
	}
}

void h5_unshuffle(void *values, const uint8_t *planes, size_t nr, size_t bytes)
{
	uint8_t *out = values;

	switch (bytes) {
	case 2:
		unshuffle2(values, planes, nr);
		return;
	case 4:
		unshuffle4(values, planes, nr);
		return;
	case 8:
		unshuffle8(values, planes, nr);
		return;
	default:
		for (size_t b = 0; b < bytes; b++) {
			for (size_t i = 0; i < nr; i++)
				out[i * bytes + b] = planes[b * nr + i];
		}
	}
}

/* The filters of @dcpl are ours, in our order; notes which. */
static int filters_are_ours(struct h5_col *c, hid_t dcpl)
{
	int nr = H5Pget_nfilters(dcpl);

	for (int i = 0; i < nr; i++) {
		unsigned flags, values[8] = { 0 };
		size_t nr_values = 8;
		H5Z_filter_t id = H5Pget_filter2(
			dcpl, (unsigned)i, &flags, &nr_values, values, 0, NULL, NULL);

		if (id == H5Z_FILTER_SHUFFLE && i == 0 && nr_values > 0 &&
			values[0] == c->file_bytes)
			c->shuffle = 1;
		else if (id == H5Z_FILTER_DEFLATE && i == nr - 1)
			c->deflate = 1;
		else
			return 0;
	}
	return nr >= 0;
}

/* Values are converted where they lie: room for the wider of both forms. */
static size_t wider(const struct h5_col *c)
{
	size_t bytes = c->mem_bytes > c->file_bytes ? c->mem_bytes : c->file_bytes;

	return bytes ? bytes : 1;
}

/*
 * Rows of a chunk, and its filters. HDF5's own reading is of no use here: 1.10 trusts filters to
 * give back a whole chunk, and reads past the end of what a damaged one gave.
 */
static int check_chunks(struct zwb_h5table *t, struct h5_col *c, hid_t dcpl, struct zwb_err *err)
{
	size_t bytes = wider(c);
	hid_t space = H5Dget_space(c->dset);
	hsize_t rows = 0, nr_chunks = 0;
	unsigned opts = 0;
	int ret = ZWB_OK;

	if (H5Pget_chunk(dcpl, 1, &rows) < 0 || H5Pget_chunk_opts(dcpl, &opts) < 0 ||
		H5Dget_num_chunks(c->dset, space, &nr_chunks) < 0)
		ret = h5_fail(err, t->f, c->path, "cannot read the layout of");
	else if (rows == 0 || rows > ZWB_H5_MAX_CHUNK / bytes)
		ret = h5_bad(err, t->f, c->path, "its chunks are too long");
	else if ((t->nr_rows + rows - 1) / rows > nr_chunks)
		ret = h5_bad(err, t->f, c->path, "is longer than its data");
	else if (opts != 0 || !filters_are_ours(c, dcpl))
		ret = h5_bad(err, t->f, c->path,
			"is packed in an unknown way; \"h5repack -f SHUF -f GZIP=1\" helps");
	H5Sclose(space);
	c->chunk_rows = (size_t)rows;
	c->is_chunked = 1;
	return ret;
}

static int check_layout(struct zwb_h5table *t, struct h5_col *c, struct zwb_err *err)
{
	hid_t dcpl = H5Dget_create_plist(c->dset);
	H5D_layout_t layout = dcpl >= 0 ? H5Pget_layout(dcpl) : H5D_LAYOUT_ERROR;
	uint64_t bytes;
	int ret = ZWB_OK;

	c->chunk_rows = WINDOW_ROWS;
	if (layout == H5D_CHUNKED)
		ret = check_chunks(t, c, dcpl, err);
	else if ((layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) ||
		 H5Pget_external_count(dcpl) != 0)
		ret = h5_bad(err, t->f, c->path, "its data are not in this file");
	else if (__builtin_mul_overflow(t->nr_rows, c->file_bytes, &bytes) ||
		 H5Dget_storage_size(c->dset) < bytes)
		ret = h5_bad(err, t->f, c->path, "is longer than its data");
	H5Pclose(dcpl);
	return ret;
}

/* Plain numbers only: a file can describe odder ones than one wants HDF5 to convert. */
static int type_is_plain(hid_t type, int want_float)
{
	const hid_t plain[] = { H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
		H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U16BE,
		H5T_STD_U32BE, H5T_STD_U64BE, H5T_STD_I16BE, H5T_STD_I32BE, H5T_STD_I64BE,
		H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE };
	const size_t nr_floats = 4;
	size_t nr = sizeof(plain) / sizeof(plain[0]) - (want_float ? 0 : nr_floats);

	for (size_t i = 0; i < nr; i++) {
		if (H5Tequal(type, plain[i]) > 0)
			return 1;
	}
	return 0;
}

/* The type in the file converts to the one asked for; sets the sizes of a value. */
static int check_type(struct zwb_h5table *t, struct h5_col *c, struct zwb_err *err)
{
	int want_text = c->spec->type == ZWB_H5_STR;

	c->file_type = H5Dget_type(c->dset);
	c->file_bytes = c->file_type >= 0 ? H5Tget_size(c->file_type) : 0;
	if (c->file_bytes == 0)
		return h5_fail(err, t->f, c->path, "cannot read the type of");
	if (!want_text) {
		if (!type_is_plain(c->file_type, c->spec->type == ZWB_H5_F64))
			return h5_bad(err, t->f, c->path, "should be numbers");
		c->mem_bytes = h5_type_bytes(c->spec->type);
		c->is_same = H5Tequal(c->file_type, h5_native_type(c->spec->type)) > 0;
		return ZWB_OK;
	}
	if (H5Tget_class(c->file_type) != H5T_STRING || H5Tis_variable_str(c->file_type) != 0)
		return h5_bad(err, t->f, c->path, "should be strings of fixed length");
	if (c->file_bytes > ZWB_H5_MAX_WIDTH)
		return h5_bad(err, t->f, c->path, "its strings are too long");
	c->mem_bytes = c->file_bytes + 1;
	return ZWB_OK;
}

static int open_dataset(struct zwb_h5table *t, struct h5_col *c, hid_t group, struct zwb_err *err)
{
	hid_t object = H5I_INVALID_HID;

	if (!h5_link_is_hard(group, c->spec->name))
		return h5_bad(err, t->f, c->path, "is a link to somewhere else");
	object = H5Oopen(group, c->spec->name, H5P_DEFAULT);
	if (object < 0)
		return h5_fail(err, t->f, c->path, "cannot open");
	if (H5Iget_type(object) != H5I_DATASET) {
		H5Oclose(object);
		return h5_bad(err, t->f, c->path, "is not a dataset");
	}
	c->dset = object;
	return ZWB_OK;
}

/* Length of an open column; -1 when it is not a plain list. */
static int64_t column_rows(const struct h5_col *c)
{
	hid_t space = H5Dget_space(c->dset);
	hsize_t nr = 0;
	int ok = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
		 H5Sget_simple_extent_dims(space, &nr, NULL) == 1 && nr <= INT64_MAX;

	H5Sclose(space);
	return ok ? (int64_t)nr : -1;
}

static int open_column(
	struct zwb_h5table *t, struct h5_col *c, hid_t group, int is_first, struct zwb_err *err)
{
	int64_t nr;
	int ret = open_dataset(t, c, group, err);

	if (ret)
		return ret;
	nr = column_rows(c);
	if (nr < 0)
		return h5_bad(err, t->f, c->path, "is not a list");
	if (is_first)
		t->nr_rows = (uint64_t)nr;
	else if (t->nr_rows != (uint64_t)nr)
		return h5_bad(err, t->f, c->path, "has another length than the columns beside it");
	ret = check_type(t, c, err);
	return ret ? ret : check_layout(t, c, err);
}

static int alloc_column(struct h5_col *c)
{
	size_t bytes;

	if (c->dset < 0) { /* a window of nothing, the same for every row */
		c->mem_bytes = c->spec->type == ZWB_H5_STR ? 1 : h5_type_bytes(c->spec->type);
		c->chunk_rows = WINDOW_ROWS;
	}
	bytes = wider(c);
	if (!c->is_chunked && c->chunk_rows > ZWB_H5_MAX_CHUNK / bytes)
		c->chunk_rows = ZWB_H5_MAX_CHUNK / bytes;
	c->buf = calloc(c->chunk_rows, bytes);
	return c->buf ? 0 : -1;
}

static int alloc_buffers(struct zwb_h5table *t, struct zwb_err *err)
{
	size_t chunk = 1;

	for (size_t i = 0; i < t->nr_cols; i++) {
		struct h5_col *c = &t->cols[i];

		if (alloc_column(c))
			return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", t->f->path);
		if (c->is_chunked && c->chunk_rows * c->file_bytes > chunk)
			chunk = c->chunk_rows * c->file_bytes;
	}
	/* what deflate cannot shrink is stored as it is, so a chunk grows by a little at most */
	t->packed_room = chunk + chunk / 8 + 4096;
	t->packed = malloc(t->packed_room);
	t->planes = malloc(chunk);
	t->inflate = libdeflate_alloc_decompressor();
	if (!t->packed || !t->planes || !t->inflate)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", t->f->path);
	return ZWB_OK;
}

static int open_columns(struct zwb_h5table *t, hid_t group, struct zwb_err *err)
{
	int nr_open = 0;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < t->nr_cols; i++) {
		struct h5_col *c = &t->cols[i];

		if (H5Lexists(group, c->spec->name, H5P_DEFAULT) > 0)
			ret = open_column(t, c, group, nr_open++ == 0, err);
		else if (!c->spec->optional)
			ret = h5_bad(err, t->f, c->path, "is missing");
	}
	if (!ret && nr_open == 0)
		ret = h5_bad(err, t->f, t->path, "has none of its columns");
	return ret;
}

int zwb_h5_table_open(struct zwb_h5file *f, const char *path, const struct zwb_h5col *cols,
	size_t nr_cols, struct zwb_h5table **out, struct zwb_err *err)
{
	struct zwb_h5table *t;
	hid_t group;
	int ret = h5_table_new(f, path, cols, nr_cols, &t, err);

	if (ret)
		return ret;
	h5_quiet();
	if (!zwb_h5_has(f, path) || !h5_link_is_hard(f->id, path)) {
		ret = h5_bad(err, f, path, "is missing");
	} else {
		group = H5Gopen2(f->id, path, H5P_DEFAULT);
		ret = group < 0 ? h5_fail(err, f, path, "cannot open")
				: open_columns(t, group, err);
		if (group >= 0)
			H5Gclose(group);
	}
	if (!ret)
		ret = alloc_buffers(t, err);
	if (ret) {
		h5_table_free(t);
		return ret;
	}
	*out = t;
	return ZWB_OK;
}

/* Unpack the chunk at @first into the column's buffer. */
static int read_chunk(struct zwb_h5table *t, struct h5_col *c, uint64_t first, struct zwb_err *err)
{
	size_t bytes = c->chunk_rows * c->file_bytes;
	hsize_t offset = first, size = 0;
	uint32_t mask = 0;
	int deflated, shuffled;
	void *plain;

	if (H5Dget_chunk_storage_size(c->dset, &offset, &size) < 0)
		return h5_fail(err, t->f, c->path, "cannot read");
	if (size == 0 || size > t->packed_room)
		return h5_bad(err, t->f, c->path, "a chunk is missing, or of an impossible size");
	if (H5Dread_chunk(c->dset, H5P_DEFAULT, &offset, &mask, t->packed) < 0)
		return h5_fail(err, t->f, c->path, "cannot read");
	shuffled = c->shuffle && !(mask & 1u);
	deflated = c->deflate && !(mask & (c->shuffle ? 2u : 1u));
	plain = t->packed;
	if (deflated) {
		plain = shuffled ? t->planes : c->buf;
		if (libdeflate_zlib_decompress(t->inflate, t->packed, (size_t)size, plain, bytes,
			    NULL) != LIBDEFLATE_SUCCESS)
			return h5_bad(err, t->f, c->path, "a chunk does not unpack");
	} else if (size != bytes) {
		return h5_bad(err, t->f, c->path, "a chunk has the wrong size");
	}
	if (shuffled)
		h5_unshuffle(c->buf, plain, c->chunk_rows, c->file_bytes);
	else if (plain != c->buf)
		memcpy(c->buf, plain, bytes);
	return ZWB_OK;
}

/* Read rows that are not in chunks. */
static int read_plain(
	struct zwb_h5table *t, struct h5_col *c, uint64_t first, size_t nr, struct zwb_err *err)
{
	hsize_t start = first, count = nr;
	hid_t file_space = H5Dget_space(c->dset);
	hid_t mem_space = H5Screate_simple(1, &count, NULL);
	int ret = ZWB_OK;

	if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, NULL, &count, NULL) < 0 ||
		H5Dread(c->dset, c->file_type, mem_space, file_space, H5P_DEFAULT, c->buf) < 0)
		ret = h5_fail(err, t->f, c->path, "cannot read");
	H5Sclose(mem_space);
	H5Sclose(file_space);
	return ret;
}

/* From the type in the file to the type asked for, in place. */
static int convert(struct zwb_h5table *t, struct h5_col *c, size_t nr, struct zwb_err *err)
{
	char *buf = c->buf;

	if (c->spec->type == ZWB_H5_STR) {
		for (size_t i = nr; i-- > 0;) { /* backwards: the values grow by their NUL */
			memmove(buf + i * c->mem_bytes, buf + i * c->file_bytes, c->file_bytes);
			buf[i * c->mem_bytes + c->file_bytes] = '\0';
		}
		return ZWB_OK;
	}
	if (!c->is_same && H5Tconvert(c->file_type, h5_native_type(c->spec->type), nr, buf, NULL,
				   H5P_DEFAULT) < 0)
		return h5_fail(err, t->f, c->path, "cannot convert");
	return ZWB_OK;
}

/* Make the column's buffer hold @row, which is inside the table. */
static int load(struct zwb_h5table *t, struct h5_col *c, uint64_t row, struct zwb_err *err)
{
	uint64_t first = row - row % c->chunk_rows;
	uint64_t nr = t->nr_rows - first;
	int ret = ZWB_OK;

	if (c->nr && c->first == first)
		return ZWB_OK;
	/* not for every row: it takes longer than to find one in a chunk that is loaded */
	h5_quiet();
	if (nr > c->chunk_rows)
		nr = c->chunk_rows;
	c->nr = 0;
	if (c->dset >= 0) {
		ret = c->is_chunked ? read_chunk(t, c, first, err)
				    : read_plain(t, c, first, (size_t)nr, err);
		if (!ret)
			ret = convert(t, c, (size_t)nr, err);
	}
	if (ret)
		return ret;
	c->first = first;
	c->nr = (size_t)nr;
	return ZWB_OK;
}

int zwb_h5_table_block(struct zwb_h5table *t, uint64_t row, const void **cols, size_t *nr_rows,
	struct zwb_err *err)
{
	size_t nr = SIZE_MAX;
	int ret;

	*nr_rows = 0;
	if (row >= t->nr_rows)
		return ZWB_OK;
	for (size_t i = 0; i < t->nr_cols; i++) {
		struct h5_col *c = &t->cols[i];
		size_t skip;

		ret = load(t, c, row, err);
		if (ret)
			return ret;
		skip = (size_t)(row - c->first);
		cols[i] = (char *)c->buf + skip * c->mem_bytes;
		if (c->nr - skip < nr)
			nr = c->nr - skip;
	}
	*nr_rows = nr;
	return ZWB_OK;
}

static struct zwb_h5cell get_cell(const struct h5_col *c, const void *from)
{
	struct zwb_h5cell cell = { .u = 0 };
	int32_t narrow;

	switch (c->spec->type) {
	case ZWB_H5_STR:
		cell.s = from;
		break;
	case ZWB_H5_I32:
		memcpy(&narrow, from, sizeof(narrow));
		cell.i = narrow;
		break;
	default: /* little-endian, see h5table_pack.c */
		memcpy(&cell, from, c->mem_bytes);
		break;
	}
	return cell;
}

int zwb_h5_table_get(
	struct zwb_h5table *t, uint64_t row, struct zwb_h5cell *cells, struct zwb_err *err)
{
	const void *cols[ZWB_H5_MAX_COLS];
	size_t nr;
	int ret = zwb_h5_table_block(t, row, cols, &nr, err);

	if (ret)
		return ret;
	if (nr == 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: %s has no row %llu", t->f->path,
			t->path, (unsigned long long)row);
	for (size_t i = 0; i < t->nr_cols; i++)
		cells[i] = get_cell(&t->cols[i], cols[i]);
	return ZWB_OK;
}

int zwb_h5_table_read(struct zwb_h5table *t, size_t col, uint64_t row, size_t nr_rows, void *buf,
	struct zwb_err *err)
{
	struct h5_col *c = &t->cols[col];
	char *to = buf;
	int ret;

	if (row > t->nr_rows || nr_rows > t->nr_rows - row)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: %s has only %llu rows", t->f->path,
			t->path, (unsigned long long)t->nr_rows);
	while (nr_rows) {
		size_t skip, nr;

		ret = load(t, c, row, err);
		if (ret)
			return ret;
		skip = (size_t)(row - c->first);
		nr = c->nr - skip < nr_rows ? c->nr - skip : nr_rows;
		memcpy(to, (char *)c->buf + skip * c->mem_bytes, nr * c->mem_bytes);
		to += nr * c->mem_bytes;
		row += nr;
		nr_rows -= nr;
	}
	return ZWB_OK;
}
