/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening recordings, whatever kind of file they are in. */
#ifndef ZWB_TRACEFILE_H
#define ZWB_TRACEFILE_H

#include "stream.h"

/* All zeros: the whole recording. */
struct zwb_trace_opts {
	const char *facts_path; /* host facts; NULL: found beside the recording, or in the store */
	const char *event_map_path; /* of a trace.dat; NULL: the built-in map that fits */
	const char *instance; /* of a trace.dat; NULL: all buffers */
	uint64_t from_ns, to_ns; /* span from the start, half-open; to_ns 0: to the end */
	int geometry_later; /* the caller learns the swap geometry, see zwb_learner_create() */
	const char *cgroup; /* path or id; NULL: all, see zwb_stream_of_cgroup() */
};

/**
 * zwb_trace_open() - open a trace.dat or a store as a stream.
 * @path: the kind of file is told by its content.
 * @opts: NULL: the whole recording.
 * Return: ZWB_OK; ZWB_EKIND if @path is neither; ZWB_EDATA if it is damaged beyond use; ZWB_EENV;
 * ZWB_EUSAGE; ZWB_ENOMEM.
 *
 * The metadata have the digest of the recording (of the first one read, for a store), facts and
 * swap geometry, see facts.h.
 */
int zwb_trace_open(const char *path, const struct zwb_trace_opts *opts, struct zwb_stream **out,
	struct zwb_err *err);

/** zwb_trace_open_all() - several recordings as one stream, see zwb_stream_merge(). */
int zwb_trace_open_all(const char *const *paths, size_t nr_paths, const struct zwb_trace_opts *opts,
	struct zwb_stream **out, struct zwb_err *err);

#endif
