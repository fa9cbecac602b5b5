/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of h5table share. */
#ifndef ZWB_H5TABLE_PRIV_H
#define ZWB_H5TABLE_PRIV_H

#include "h5table.h"
#include "outfile.h"

#include <hdf5.h>

struct zwb_h5file {
	hid_t id;
	char *path;
	int writing;
	struct zwb_outfile out; /* writing */
};

/* Bytes of a number of @type in memory and in the file. */
size_t h5_type_bytes(enum zwb_h5type type);

/* The type in the file and in memory of a number; owned by HDF5, not to be closed. */
hid_t h5_file_type(enum zwb_h5type type);
hid_t h5_native_type(enum zwb_h5type type);

/* HDF5 keeps its error reporting per thread: every entry from outside calls this first. */
void h5_quiet(void);

/*
 * Translate the failure that HDF5 just reported: @doing is "cannot read". The status is ZWB_EENV
 * when the system refused or @f is being written, else ZWB_EDATA.
 */
int h5_fail(struct zwb_err *err, const struct zwb_h5file *f, const char *object, const char *doing);

/* ZWB_EDATA that names file and object. */
int h5_bad(struct zwb_err *err, const struct zwb_h5file *f, const char *object, const char *what);

/* A property list of @class whose objects record no times; negative on failure. */
hid_t h5_plist(hid_t class);

/* A fixed-length UTF-8 string type; the caller closes it; negative on failure. */
hid_t h5_string_type(size_t bytes, H5T_str_t padding);

/* An open object, and what to call it in errors. */
struct h5_at {
	struct zwb_h5file *f;
	hid_t object;
	const char *path;
};

/* Attributes of an open object; one that exists is replaced. */
int h5_put_attr(const struct h5_at *at, const char *name, hid_t type, hid_t space,
	const void *value, struct zwb_err *err);
int h5_put_str(const struct h5_at *at, const char *name, const char *value, struct zwb_err *err);
int h5_read_str(const struct h5_at *at, const char *name, char **value, struct zwb_err *err);

/* 1 if the link at @path is there and leads nowhere else (no soft or external link). */
int h5_link_is_hard(hid_t group, const char *path);

/* -- chunks -- */

/* Spread the bytes of @nr values of @bytes each over @bytes planes, and back. */
void h5_shuffle(uint8_t *planes, const void *values, size_t nr, size_t bytes);
void h5_unshuffle(void *values, const uint8_t *planes, size_t nr, size_t bytes);

/* What a packer packs. */
struct h5_pack_spec {
	size_t nr_cols;
	size_t bytes[ZWB_H5_MAX_COLS]; /* of a value */
	int shuffle[ZWB_H5_MAX_COLS];
	size_t chunk_rows;
	int level;
	int nr_threads;
};

/* A group of rows on its way from columns to packed chunks. */
struct h5_rows {
	size_t nr_rows;
	void *cols[ZWB_H5_MAX_COLS]; /* chunk_rows long; 0 past nr_rows when submitted */
	void *packed[ZWB_H5_MAX_COLS];
	size_t packed_bytes[ZWB_H5_MAX_COLS];
	uint32_t filter_mask[ZWB_H5_MAX_COLS]; /* filters left out, as H5Dwrite_chunk() takes it */
	int done;
};

struct h5_packer;

int h5_packer_create(const struct h5_pack_spec *spec, struct h5_packer **out, struct zwb_err *err);
void h5_packer_free(struct h5_packer *p);

/* The rows to fill next; NULL while all are on their way: take and release one first. */
struct h5_rows *h5_packer_fill(struct h5_packer *p);
/* Those rows are filled: pack them, here or in a thread. */
void h5_packer_submit(struct h5_packer *p);
/* The oldest rows that are packed, or NULL; waits for them if @wait and some are on their way. */
struct h5_rows *h5_packer_take(struct h5_packer *p, int wait);
/* The rows taken are written. */
void h5_packer_release(struct h5_packer *p);

#endif
