/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes, and the types that tables and attributes are made of. */
#include "h5table_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ATTR_NAME 255

size_t h5_type_bytes(enum zwb_h5type type)
{
	static const size_t bytes[ZWB_H5_NR_TYPES] = {
		[ZWB_H5_U8] = 1,
		[ZWB_H5_U16] = 2,
		[ZWB_H5_U32] = 4,
		[ZWB_H5_U64] = 8,
		[ZWB_H5_I32] = 4,
		[ZWB_H5_I64] = 8,
		[ZWB_H5_F64] = 8,
	};

	return bytes[type];
}

hid_t h5_file_type(enum zwb_h5type type)
{
	switch (type) {
	case ZWB_H5_U8:
		return H5T_STD_U8LE;
	case ZWB_H5_U16:
		return H5T_STD_U16LE;
	case ZWB_H5_U32:
		return H5T_STD_U32LE;
	case ZWB_H5_U64:
		return H5T_STD_U64LE;
	case ZWB_H5_I32:
		return H5T_STD_I32LE;
	case ZWB_H5_I64:
		return H5T_STD_I64LE;
	case ZWB_H5_F64:
		return H5T_IEEE_F64LE;
	default:
		return H5I_INVALID_HID;
	}
}

hid_t h5_native_type(enum zwb_h5type type)
{
	switch (type) {
	case ZWB_H5_U8:
		return H5T_NATIVE_UINT8;
	case ZWB_H5_U16:
		return H5T_NATIVE_UINT16;
	case ZWB_H5_U32:
		return H5T_NATIVE_UINT32;
	case ZWB_H5_U64:
		return H5T_NATIVE_UINT64;
	case ZWB_H5_I32:
		return H5T_NATIVE_INT32;
	case ZWB_H5_I64:
		return H5T_NATIVE_INT64;
	case ZWB_H5_F64:
		return H5T_NATIVE_DOUBLE;
	default:
		return H5I_INVALID_HID;
	}
}

hid_t h5_string_type(size_t bytes, H5T_str_t padding)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	if (type >= 0 && (H5Tset_size(type, bytes) < 0 || H5Tset_strpad(type, padding) < 0 ||
				 H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
		H5Tclose(type);
		type = H5I_INVALID_HID;
	}
	return type;
}

static int h5_fail_attr(
	struct zwb_err *err, const struct h5_at *at, const char *name, const char *doing)
{
	char where[2 * MAX_ATTR_NAME];

	snprintf(where, sizeof(where), "attribute %s of %s", name, at->path);
	return h5_fail(err, at->f, where, doing);
}

static int h5_bad_attr(
	struct zwb_err *err, const struct h5_at *at, const char *name, const char *what)
{
	return zwb_err_set(
		err, ZWB_EDATA, 0, "%s: attribute %s of %s %s", at->f->path, name, at->path, what);
}

/* Make an attribute, in place of the one there is; negative on failure. */
static hid_t h5_new_attr(hid_t object, const char *name, hid_t type, hid_t space)
{
	if (H5Aexists(object, name) > 0 && H5Adelete(object, name) < 0)
		return H5I_INVALID_HID;
	return H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
}

int h5_put_attr(const struct h5_at *at, const char *name, hid_t type, hid_t space,
	const void *value, struct zwb_err *err)
{
	hid_t attr = h5_new_attr(at->object, name, type, space);
	int ret = ZWB_OK;

	if (attr < 0 || H5Awrite(attr, type, value) < 0)
		ret = h5_fail_attr(err, at, name, "cannot write");
	if (attr >= 0)
		H5Aclose(attr);
	return ret;
}

int h5_put_str(const struct h5_at *at, const char *name, const char *value, struct zwb_err *err)
{
	hid_t type = h5_string_type(strlen(value) + 1, H5T_STR_NULLTERM);
	hid_t space = H5Screate(H5S_SCALAR);
	int ret = h5_put_attr(at, name, type, space, value, err);

	H5Sclose(space);
	H5Tclose(type);
	return ret;
}

static int h5_at_open(struct h5_at *at, struct zwb_h5file *f, const char *path, struct zwb_err *err)
{
	h5_quiet();
	*at = (struct h5_at){ .f = f, .path = path };
	at->object = H5Oopen(f->id, path, H5P_DEFAULT);
	return at->object < 0 ? h5_fail(err, f, path, "cannot open") : ZWB_OK;
}

static int h5_set(struct zwb_h5file *f, const char *path, const char *name, hid_t type,
	const void *value, struct zwb_err *err)
{
	struct h5_at at;
	hid_t space;
	int ret = h5_at_open(&at, f, path, err);

	if (ret)
		return ret;
	space = H5Screate(H5S_SCALAR);
	ret = h5_put_attr(&at, name, type, space, value, err);
	H5Sclose(space);
	H5Oclose(at.object);
	return ret;
}

int zwb_h5_set_str(struct zwb_h5file *f, const char *path, const char *name, const char *value,
	struct zwb_err *err)
{
	struct h5_at at;
	int ret;

	/* an attribute lives in the object's header, which ends at 64 KiB */
	if (strlen(value) >= ZWB_H5_MAX_WIDTH / 2)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: attribute %s of %s is too long",
			f->path, name, path);
	ret = h5_at_open(&at, f, path, err);
	if (ret)
		return ret;
	ret = h5_put_str(&at, name, value, err);
	H5Oclose(at.object);
	return ret;
}

int zwb_h5_set_u64(struct zwb_h5file *f, const char *path, const char *name, uint64_t value,
	struct zwb_err *err)
{
	return h5_set(f, path, name, H5T_STD_U64LE, &value, err);
}

int zwb_h5_set_f64(
	struct zwb_h5file *f, const char *path, const char *name, double value, struct zwb_err *err)
{
	return h5_set(f, path, name, H5T_IEEE_F64LE, &value, err);
}

int zwb_h5_has_attr(struct zwb_h5file *f, const char *path, const char *name)
{
	h5_quiet();
	return zwb_h5_has(f, path) && H5Aexists_by_name(f->id, path, name, H5P_DEFAULT) > 0;
}

/* An open attribute with exactly one value, or negative. */
static hid_t h5_open_attr(const struct h5_at *at, const char *name, struct zwb_err *err)
{
	hid_t attr, space;
	hssize_t nr;

	if (H5Aexists(at->object, name) <= 0) {
		h5_bad_attr(err, at, name, "is missing");
		return H5I_INVALID_HID;
	}
	attr = H5Aopen(at->object, name, H5P_DEFAULT);
	if (attr < 0) {
		h5_fail_attr(err, at, name, "cannot open");
		return attr;
	}
	space = H5Aget_space(attr);
	nr = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
	H5Sclose(space);
	if (nr != 1) {
		h5_bad_attr(err, at, name, "is not a single value");
		H5Aclose(attr);
		return H5I_INVALID_HID;
	}
	return attr;
}

/* The type of a string attribute is one that can be read; sets its size. */
static int h5_check_str(
	const struct h5_at *at, const char *name, hid_t type, size_t *bytes, struct zwb_err *err)
{
	*bytes = type >= 0 ? H5Tget_size(type) : 0;
	if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
		return h5_bad_attr(err, at, name, "is not a string of fixed length");
	if (*bytes == 0 || *bytes > ZWB_H5_MAX_WIDTH)
		return h5_bad_attr(err, at, name, "is too long");
	return ZWB_OK;
}

int h5_read_str(const struct h5_at *at, const char *name, char **value, struct zwb_err *err)
{
	hid_t attr = h5_open_attr(at, name, err);
	char *text = NULL;
	size_t bytes;
	hid_t type;
	int ret;

	if (attr < 0)
		return ZWB_EDATA;
	type = H5Aget_type(attr);
	ret = h5_check_str(at, name, type, &bytes, err);
	if (!ret) {
		text = calloc(1, bytes + 1);
		if (!text)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", at->f->path);
		else if (H5Aread(attr, type, text) < 0)
			ret = h5_fail_attr(err, at, name, "cannot read");
	}
	H5Tclose(type);
	H5Aclose(attr);
	if (ret)
		free(text);
	else
		*value = text;
	return ret;
}

int zwb_h5_get_str(
	struct zwb_h5file *f, const char *path, const char *name, char **value, struct zwb_err *err)
{
	struct h5_at at;
	int ret = h5_at_open(&at, f, path, err);

	if (ret)
		return ret;
	ret = h5_read_str(&at, name, value, err);
	H5Oclose(at.object);
	return ret;
}

static int h5_get(struct zwb_h5file *f, const char *path, const char *name, hid_t mem, void *value,
	struct zwb_err *err)
{
	struct h5_at at;
	hid_t attr, type;
	H5T_class_t class;
	int ret = h5_at_open(&at, f, path, err);

	if (ret)
		return ret;
	attr = h5_open_attr(&at, name, err);
	H5Oclose(at.object);
	if (attr < 0)
		return ZWB_EDATA;
	type = H5Aget_type(attr);
	class = H5Tget_class(type);
	H5Tclose(type);
	if (class != H5T_INTEGER && !(class == H5T_FLOAT && H5Tget_class(mem) == H5T_FLOAT))
		ret = h5_bad_attr(err, &at, name, "is not such a number");
	else if (H5Aread(attr, mem, value) < 0)
		ret = h5_fail_attr(err, &at, name, "cannot read");
	H5Aclose(attr);
	return ret;
}

int zwb_h5_get_u64(struct zwb_h5file *f, const char *path, const char *name, uint64_t *value,
	struct zwb_err *err)
{
	return h5_get(f, path, name, H5T_NATIVE_UINT64, value, err);
}

int zwb_h5_get_f64(struct zwb_h5file *f, const char *path, const char *name, double *value,
	struct zwb_err *err)
{
	return h5_get(f, path, name, H5T_NATIVE_DOUBLE, value, err);
}

int zwb_h5_visit_attrs(struct zwb_h5file *f, const char *object_name,
	int (*visit)(const char *name, void *arg, struct zwb_err *err), void *arg,
	struct zwb_err *err)
{
	char name[MAX_ATTR_NAME + 1];
	int ret = ZWB_OK;

	h5_quiet();
	for (hsize_t i = 0; !ret; i++) {
		hid_t attr = H5Aopen_by_idx(f->id, object_name, H5_INDEX_NAME, H5_ITER_INC, i,
			H5P_DEFAULT, H5P_DEFAULT);

		if (attr < 0)
			break;
		if (H5Aget_name(attr, sizeof(name), name) < 0)
			ret = h5_fail(err, f, object_name, "cannot read the attributes of");
		H5Aclose(attr);
		if (!ret)
			ret = visit(name, arg, err);
	}
	return ret;
}
