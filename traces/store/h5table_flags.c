/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the values of a column: the attributes flag_values and flag_meanings. */
#include "h5table_table.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FLAGS 4096

/* flag_values as int64_t; the caller frees. */
static int read_values(struct zwb_h5table *t, const struct h5_col *c, int64_t **values,
	size_t *nr_values, struct zwb_err *err)
{
	hid_t attr = H5Aopen(c->dset, "flag_values", H5P_DEFAULT);
	hid_t space = H5I_INVALID_HID, type = H5I_INVALID_HID;
	hssize_t nr = -1;
	int ret = ZWB_OK;

	*values = NULL;
	if (attr >= 0) {
		space = H5Aget_space(attr);
		type = H5Aget_type(attr);
		nr = H5Sget_simple_extent_npoints(space);
	}
	if (nr < 1 || nr > MAX_FLAGS || H5Tget_class(type) != H5T_INTEGER) {
		ret = h5_bad(err, t->f, c->path, "flag_values is not a list of numbers");
	} else {
		*nr_values = (size_t)nr;
		*values = calloc((size_t)nr, sizeof(**values));
		if (!*values)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", t->f->path);
		else if (H5Aread(attr, H5T_NATIVE_INT64, *values) < 0)
			ret = h5_fail(err, t->f, c->path, "cannot read flag_values of");
	}
	H5Tclose(type);
	H5Sclose(space);
	H5Aclose(attr);
	return ret;
}

int zwb_h5_table_flags(struct zwb_h5table *t, size_t col,
	void (*flag)(int64_t value, const char *name, void *arg), void *arg, struct zwb_err *err)
{
	struct h5_col *c = &t->cols[col];
	const struct h5_at at = { .f = t->f, .object = c->dset, .path = c->path };
	char *names = NULL, *save = NULL, *name;
	int64_t *values = NULL;
	size_t nr = 0, i = 0;
	int ret;

	h5_quiet();
	if (c->dset < 0 || H5Aexists(c->dset, "flag_meanings") <= 0)
		return ZWB_OK;
	ret = read_values(t, c, &values, &nr, err);
	if (!ret)
		ret = h5_read_str(&at, "flag_meanings", &names, err);
	if (!ret) {
		for (name = strtok_r(names, " ", &save); name && i < nr;
			name = strtok_r(NULL, " ", &save))
			flag(values[i++], name, arg);
		if (name || i != nr)
			ret = h5_bad(err, t->f, c->path,
				"flag_values and flag_meanings are not of equal length");
	}
	free(names);
	free(values);
	return ret;
}
