/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columnar tables in HDF5 files: what stores and run files are made of. */
#ifndef ZWB_H5TABLE_H
#define ZWB_H5TABLE_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A table is an HDF5 group; its columns are one-dimensional datasets of equal length in it. Stock
 * tools read the files: little-endian numbers and fixed-length UTF-8 strings, chunked, shuffle and
 * deflate. Chunks are packed and unpacked here (libdeflate) and move through HDF5 as they are.
 * Files of other programs are read too, if their columns are plain numbers or fixed-length strings,
 * in chunks with these filters or without chunks.
 *
 * Files depend on nothing but their content: no times, one format version, chunks in order.
 *
 * Reading trusts nothing: a file is checked before memory is sized by it. Everything that can go
 * wrong names the file and the dataset.
 *
 * A file and its tables belong to one thread at a time; different files may be used at once.
 */
struct zwb_h5file;
struct zwb_h5table;

enum zwb_h5type {
	ZWB_H5_U8,
	ZWB_H5_U16,
	ZWB_H5_U32,
	ZWB_H5_U64,
	ZWB_H5_I32,
	ZWB_H5_I64,
	ZWB_H5_F64,
	ZWB_H5_STR,
	ZWB_H5_NR_TYPES
};

#define ZWB_H5_MAX_COLS	 64
#define ZWB_H5_MAX_WIDTH 65536 /* bytes of a string, its NUL not counted */
#define ZWB_H5_MAX_CHUNK (4u << 20) /* bytes of a chunk of one column */

/* A column, for writing and for reading. */
struct zwb_h5col {
	const char *name;
	enum zwb_h5type type;
	uint32_t width; /* ZWB_H5_STR, writing: bytes of the longest value; 0 counts as 1 */
	const char *units; /* attribute "units": "ns"; NULL: a plain number, or text */
	const char *long_name; /* attribute "long_name"; NULL: none */
	/* NULL, or names of the values 0, 1, ... (attributes "flag_values" and "flag_meanings") */
	const char *const *flags;
	size_t nr_flags;
	int optional; /* reading: a column that the file lacks reads as 0 or "" */
};

/* One field of a row, by the type of its column: u, i, f or s. */
struct zwb_h5cell {
	union {
		uint64_t u;
		int64_t i;
		double f;
		const char *s;
	};
};

/* How a table is written. */
struct zwb_h5spec {
	const char *path; /* "/events"; missing groups above it are made */
	const char *long_name; /* attribute of the group; NULL: none */
	const struct zwb_h5col *cols; /* borrowed until the table is closed */
	size_t nr_cols;
	size_t chunk_rows; /* 0: chosen by the size of a row */
	int level; /* of deflate, 1..12; 0: chosen here */
	int nr_threads; /* that pack chunks beside the caller; 0: the caller packs */
};

/* -- files -- */

/**
 * zwb_h5_create() - start a file; it appears as @path when committed (see outfile.h).
 * @force: replace an existing file.
 * Return: ZWB_OK; ZWB_EUSAGE if @path exists; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_h5_create(const char *path, int force, struct zwb_h5file **out, struct zwb_err *err);

/** zwb_h5_flush() - hand all that is written to the system; a killed writer leaves that much. */
int zwb_h5_flush(struct zwb_h5file *f, struct zwb_err *err);

/**
 * zwb_h5_commit() - close the file and give it its name. The file is released in both cases; on
 * failure nothing is left behind. All tables must be closed.
 */
int zwb_h5_commit(struct zwb_h5file *f, struct zwb_err *err);

/**
 * zwb_h5_open() - open a file for reading.
 * Return: ZWB_OK; ZWB_EKIND if @path is not an HDF5 file; ZWB_EDATA if it is damaged; ZWB_EENV.
 */
int zwb_h5_open(const char *path, struct zwb_h5file **out, struct zwb_err *err);

/** zwb_h5_close() - close; a file being written, not committed, is removed. NULL allowed. */
void zwb_h5_close(struct zwb_h5file *f);

/** zwb_h5_path() - the name the file was opened or created with. */
const char *zwb_h5_path(const struct zwb_h5file *f);

/** zwb_h5_is_hdf5() - 1 if @path is a regular file that starts like HDF5, else 0. */
int zwb_h5_is_hdf5(const char *path);

/* -- groups and attributes; objects are named by path, "/" is the root -- */

/** zwb_h5_group() - make a group and those above it; one that exists is kept. */
int zwb_h5_group(struct zwb_h5file *f, const char *path, struct zwb_err *err);

/** zwb_h5_has() - 1 if the file has an object at @path, else 0. */
int zwb_h5_has(struct zwb_h5file *f, const char *path);

/** zwb_h5_has_attr() - 1 if the object at @path exists and has attribute @name, else 0. */
int zwb_h5_has_attr(struct zwb_h5file *f, const char *path, const char *name);

/* An attribute that exists is replaced. */
int zwb_h5_set_str(struct zwb_h5file *f, const char *path, const char *name, const char *value,
	struct zwb_err *err);
int zwb_h5_set_u64(struct zwb_h5file *f, const char *path, const char *name, uint64_t value,
	struct zwb_err *err);
int zwb_h5_set_f64(struct zwb_h5file *f, const char *path, const char *name, double value,
	struct zwb_err *err);

/**
 * zwb_h5_get_str(), _u64(), _f64() - read an attribute.
 * @value: for strings a copy that the caller frees, at most ZWB_H5_MAX_WIDTH bytes.
 * Return: ZWB_OK; ZWB_EDATA if it is missing, of another type, or not a single value.
 */
int zwb_h5_get_str(struct zwb_h5file *f, const char *path, const char *name, char **value,
	struct zwb_err *err);
int zwb_h5_get_u64(struct zwb_h5file *f, const char *path, const char *name, uint64_t *value,
	struct zwb_err *err);
int zwb_h5_get_f64(struct zwb_h5file *f, const char *path, const char *name, double *value,
	struct zwb_err *err);

/* What zwb_h5_visit() meets. */
enum zwb_h5node_kind { ZWB_H5_GROUP, ZWB_H5_COLUMN };

struct zwb_h5node {
	enum zwb_h5node_kind kind;
	const char *path; /* "/events/ts_ns" */
	uint64_t nr_rows; /* ZWB_H5_COLUMN */
};

/**
 * zwb_h5_visit() - call @visit for every group and dataset, in the order of their names.
 * @visit: a negative status stops and is returned.
 */
int zwb_h5_visit(struct zwb_h5file *f,
	int (*visit)(const struct zwb_h5node *node, void *arg, struct zwb_err *err), void *arg,
	struct zwb_err *err);

/** zwb_h5_visit_attrs() - call @visit with the name of every attribute of @object, sorted. */
int zwb_h5_visit_attrs(struct zwb_h5file *f, const char *object,
	int (*visit)(const char *name, void *arg, struct zwb_err *err), void *arg,
	struct zwb_err *err);

/* -- writing tables -- */

/**
 * zwb_h5_table_create() - add a table.
 * Return: ZWB_OK; ZWB_EUSAGE if it exists or @spec breaks a limit above; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_h5_table_create(struct zwb_h5file *f, const struct zwb_h5spec *spec,
	struct zwb_h5table **out, struct zwb_err *err);

/** zwb_h5_table_put() - append one row, one cell a column; strings are cut to their width. */
int zwb_h5_table_put(struct zwb_h5table *t, const struct zwb_h5cell *cells, struct zwb_err *err);

/**
 * zwb_h5_table_append() - append rows from arrays.
 * @cols: one array a column; strings as char[width], NUL-padded.
 */
int zwb_h5_table_append(
	struct zwb_h5table *t, const void *const *cols, size_t nr_rows, struct zwb_err *err);

/**
 * zwb_h5_table_space() - where the next rows go, for writers that lay out columns themselves.
 * @cols: filled with one pointer a column.
 * @nr_rows: filled with the rows that fit there, at least 1.
 * Then zwb_h5_table_advance() by what was filled in, at most that many.
 */
int zwb_h5_table_space(struct zwb_h5table *t, void **cols, size_t *nr_rows, struct zwb_err *err);
void zwb_h5_table_advance(struct zwb_h5table *t, size_t nr_rows);

/* -- reading tables -- */

/**
 * zwb_h5_table_open() - open the table at @path.
 * @cols: columns wanted, in the order of the cells and arrays; borrowed until it is closed.
 * Return: ZWB_OK; ZWB_EDATA if a column is missing (and not optional), of a class that does not
 * convert, of another length than the others, or longer than the data it has.
 */
int zwb_h5_table_open(struct zwb_h5file *f, const char *path, const struct zwb_h5col *cols,
	size_t nr_cols, struct zwb_h5table **out, struct zwb_err *err);

uint64_t zwb_h5_table_rows(const struct zwb_h5table *t);

/** zwb_h5_table_stride() - bytes from one value of @col to the next in the arrays of a block. */
size_t zwb_h5_table_stride(const struct zwb_h5table *t, size_t col);

/**
 * zwb_h5_table_block() - the rows from @row on that can be had at once.
 * @cols: filled with one array a column, of the native type of the column asked for; strings are
 *        NUL-terminated, zwb_h5_table_stride() apart. Valid until the next call on this table.
 * @nr_rows: filled; 0 when @row is past the end.
 */
int zwb_h5_table_block(struct zwb_h5table *t, uint64_t row, const void **cols, size_t *nr_rows,
	struct zwb_err *err);

/** zwb_h5_table_get() - one row as cells; strings are valid until the next call on this table. */
int zwb_h5_table_get(
	struct zwb_h5table *t, uint64_t row, struct zwb_h5cell *cells, struct zwb_err *err);

/** zwb_h5_table_read() - copy @nr_rows rows of one column from @row on to @buf. */
int zwb_h5_table_read(struct zwb_h5table *t, size_t col, uint64_t row, size_t nr_rows, void *buf,
	struct zwb_err *err);

/**
 * zwb_h5_table_flags() - call @flag for each value of @col that the file names (zwb_h5col.flags).
 * Return: ZWB_OK, also when it names none; ZWB_EDATA if values and names do not match.
 */
int zwb_h5_table_flags(struct zwb_h5table *t, size_t col,
	void (*flag)(int64_t value, const char *name, void *arg), void *arg, struct zwb_err *err);

/**
 * zwb_h5_table_close() - release; NULL allowed. Of a table being written the rest is written first.
 * Return: ZWB_OK, or why the rest could not be written. The table is released in both cases.
 */
int zwb_h5_table_close(struct zwb_h5table *t, struct zwb_err *err);

#endif
