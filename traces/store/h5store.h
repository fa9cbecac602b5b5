/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store: an event stream with its metadata in one HDF5 file (trace.h5, see FORMAT.md). */
#ifndef ZWB_H5STORE_H
#define ZWB_H5STORE_H

#include "stream.h"

#define ZWB_STORE_FORMAT	 "zwb trace"
#define ZWB_STORE_SCHEMA_VERSION 1

struct zwb_store;

struct zwb_store_opts {
	int force; /* replace an existing file */
	int level; /* of deflate, 1..12; 0: the default */
	int nr_threads; /* that pack beside the caller; 0: none */
};

/**
 * zwb_store_create() - start a store; it appears as @path when committed.
 * @opts: NULL: no force, default level, one thread.
 * Return: ZWB_OK; ZWB_EUSAGE if @path exists; ZWB_EENV; ZWB_ENOMEM.
 *
 * Until then it is PATH.tmp-PID-N. What was appended is handed to the system every million events
 * or so, so that after a kill that file can still be read up to there, marked as incomplete.
 */
int zwb_store_create(const char *path, const struct zwb_store_opts *opts, struct zwb_store **out,
	struct zwb_err *err);

/** zwb_store_append() - add events, in the order of the stream. */
int zwb_store_append(
	struct zwb_store *s, const struct zwb_event *events, size_t nr_events, struct zwb_err *err);

/**
 * zwb_store_commit() - write the metadata and give the file its name. The number and the end of the
 * events are those appended, whatever @meta says. Releases the store; on failure nothing is left.
 */
int zwb_store_commit(struct zwb_store *s, const struct zwb_meta *meta, struct zwb_err *err);

/** zwb_store_abort() - remove what was written and release the store; NULL allowed. */
void zwb_store_abort(struct zwb_store *s);

/**
 * zwb_store_open() - read a store as a stream.
 * Return: ZWB_OK; ZWB_EKIND if @path is HDF5 but not a store (it says what it is, if it can);
 * ZWB_EDATA if it is damaged or of a newer schema; ZWB_EENV; ZWB_ENOMEM.
 *
 * The metadata are complete at once. Events are checked: order, and indices into the tables. An
 * incomplete store (its writer was killed) has a loss "truncated" and no tables; what its events
 * say about cgroups and devices is unknown.
 */
int zwb_store_open(const char *path, struct zwb_stream **out, struct zwb_err *err);

#endif
