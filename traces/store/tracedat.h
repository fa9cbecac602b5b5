/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of trace.dat files (trace-cmd): one time-ordered stream of records. */
#ifndef ZWB_TRACEDAT_H
#define ZWB_TRACEDAT_H

#include "err.h"
#include "stream.h"

/*
 * Versions 6 and 7 of the file format, plain, zlib or zstd, any number of CPUs and of buffer
 * instances, of a recorder with the byte order of this machine. Every CPU of every buffer is read
 * through a window of one chunk, and they are merged by time; memory does not grow with the length
 * of the recording.
 *
 * What cannot be read is skipped and put into the metadata as a loss of its CPU: pages that the
 * kernel marked after an overrun, pages and events that contradict themselves, data that the file
 * announces but does not hold. The stream goes on after it. Metadata, losses and tallies are
 * complete when the stream has ended; tasks, kernel and clock are there from the start.
 */

struct zwb_tracedat_opts {
	const char *event_map_path; /* NULL: the built-in map that fits the recording */
	const char *instance; /* NULL: all buffers merged; "": the top buffer; else by name */
};

/**
 * zwb_tracedat_open() - start reading a recording.
 * @path: a regular file.
 * @opts: NULL for the defaults.
 * @out: on success a stream that the caller closes.
 * Return: ZWB_OK; ZWB_EENV when the file cannot be read; ZWB_EKIND when it is no trace.dat or holds
 * no event that the map knows; ZWB_EDATA when the header is damaged or of foreign byte order;
 * ZWB_EUSAGE for a bad event map or an instance that is not there; ZWB_ENOMEM.
 */
int zwb_tracedat_open(const char *path, const struct zwb_tracedat_opts *opts,
	struct zwb_stream **out, struct zwb_err *err);

/**
 * zwb_tracedat_has_markers() - non-zero when a CPU of @s holds what its recorder knew about the
 * host (see marker.h). Those events make no records, and that CPU is none of the machine.
 */
int zwb_tracedat_has_markers(const struct zwb_stream *s);

/**
 * zwb_tracedat_markers() - read all of that CPU, whatever has been read of the others. Once.
 * @s: opened by zwb_tracedat_open().
 * @see: called for every event; @ts_ns: from the start of the recording, ZWB_TRACEDAT_EARLIER when
 * it is from before that; @text: @len bytes, not terminated.
 * Return: ZWB_OK; ZWB_EENV or ZWB_ENOMEM when the file cannot be read.
 */
int zwb_tracedat_markers(struct zwb_stream *s,
	void (*see)(void *arg, uint64_t ts_ns, const char *text, size_t len), void *arg,
	struct zwb_err *err);

#define ZWB_TRACEDAT_EARLIER UINT64_MAX

/** zwb_tracedat_is_unfinished() - non-zero for what is left of a recorder that was killed. */
int zwb_tracedat_is_unfinished(const struct zwb_stream *s);

/** zwb_tracedat_is() - non-zero when the file at @path begins like a trace.dat. */
int zwb_tracedat_is(const char *path);

#endif
