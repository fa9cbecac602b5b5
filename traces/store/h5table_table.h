/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table object, shared by writing and reading. */
#ifndef ZWB_H5TABLE_TABLE_H
#define ZWB_H5TABLE_TABLE_H

#include "h5table_priv.h"

struct libdeflate_decompressor;

struct h5_col {
	const struct zwb_h5col *spec;
	char *path; /* "/events/ts_ns" */
	hid_t dset; /* negative: an optional column that is missing */
	size_t file_bytes; /* of a value in the file */
	int shuffle;

	/* reading */
	int deflate;
	int is_chunked;
	int is_same; /* numbers that need no conversion */
	hid_t file_type;
	size_t mem_bytes; /* of a value in buf when converted: strings with their NUL */
	size_t chunk_rows; /* rows that are read at once */
	void *buf;
	uint64_t first; /* row that buf starts with */
	size_t nr; /* rows in buf */
};

struct zwb_h5table {
	struct zwb_h5file *f;
	char *path;
	struct h5_col *cols;
	size_t nr_cols;
	uint64_t nr_rows;

	/* writing */
	struct h5_packer *packer;
	size_t chunk_rows;
	int level;

	/* reading */
	struct libdeflate_decompressor *inflate;
	void *packed; /* a chunk as it lies in the file */
	size_t packed_room;
	void *planes; /* a chunk, still shuffled */
};

/* An empty table object with a name and path for each column. */
int h5_table_new(struct zwb_h5file *f, const char *path, const struct zwb_h5col *cols,
	size_t nr_cols, struct zwb_h5table **out, struct zwb_err *err);
void h5_table_free(struct zwb_h5table *t);

/* Write the rows that are still on their way. */
int h5_table_finish(struct zwb_h5table *t, struct zwb_err *err);

#endif
