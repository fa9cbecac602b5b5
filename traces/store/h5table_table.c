/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life cycle of tables. */
#include "h5table_table.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int new_columns(struct zwb_h5table *t, const struct zwb_h5col *cols)
{
	for (size_t i = 0; i < t->nr_cols; i++) {
		t->cols[i].spec = &cols[i];
		t->cols[i].dset = H5I_INVALID_HID;
		t->cols[i].file_type = H5I_INVALID_HID;
		if (asprintf(&t->cols[i].path, "%s/%s", t->path, cols[i].name) < 0) {
			t->cols[i].path = NULL;
			return -1;
		}
	}
	return 0;
}

int h5_table_new(struct zwb_h5file *f, const char *path, const struct zwb_h5col *cols,
	size_t nr_cols, struct zwb_h5table **out, struct zwb_err *err)
{
	struct zwb_h5table *t;

	if (nr_cols == 0 || nr_cols > ZWB_H5_MAX_COLS)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: %s: %zu columns; 1 to %d work", f->path,
			path, nr_cols, ZWB_H5_MAX_COLS);
	t = calloc(1, sizeof(*t));
	if (!t)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", f->path);
	t->f = f;
	t->path = strdup(path);
	t->cols = calloc(nr_cols, sizeof(*t->cols));
	if (t->cols)
		t->nr_cols = nr_cols;
	if (!t->path || !t->cols || new_columns(t, cols)) {
		h5_table_free(t);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", f->path);
	}
	*out = t;
	return ZWB_OK;
}

void h5_table_free(struct zwb_h5table *t)
{
	for (size_t i = 0; i < t->nr_cols; i++) {
		if (t->cols[i].dset >= 0)
			H5Dclose(t->cols[i].dset);
		if (t->cols[i].file_type >= 0)
			H5Tclose(t->cols[i].file_type);
		free(t->cols[i].path);
		free(t->cols[i].buf);
	}
	h5_packer_free(t->packer);
	libdeflate_free_decompressor(t->inflate);
	free(t->packed);
	free(t->planes);
	free(t->cols);
	free(t->path);
	free(t);
}

int zwb_h5_table_close(struct zwb_h5table *t, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (!t)
		return ZWB_OK;
	h5_quiet();
	if (t->packer)
		ret = h5_table_finish(t, err);
	h5_table_free(t);
	return ret;
}

uint64_t zwb_h5_table_rows(const struct zwb_h5table *t)
{
	return t->nr_rows;
}

size_t zwb_h5_table_stride(const struct zwb_h5table *t, size_t col)
{
	return t->cols[col].mem_bytes;
}
