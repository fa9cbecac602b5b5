/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small trace.dat to damage, and which of its bits are what. */
#ifndef SMALL_TRACE_H
#define SMALL_TRACE_H

#include <stddef.h>
#include <stdint.h>

/** small_trace_write() - a synthetic recording of @nr_events on 2 CPUs; fails the test. */
void small_trace_write(const char *path, uint64_t nr_events);

/** small_file_read() - all of a file; freed by the caller; fails the test. */
unsigned char *small_file_read(const char *path, size_t *size);

/* What a bit of the file is, by what a reader can make of its flip. */
enum small_bit {
	SMALL_TEXT, /* of a format, a task, an option: another text is as good */
	SMALL_SHAPE, /* magic, names of sections, counts, lengths, places: nothing fits any more */
	SMALL_COMMIT, /* of a page: how many bytes of events, and flags */
	SMALL_LENGTH, /* of an event */
	SMALL_TIME, /* of a page or an event: another time is as good, unless it goes back */
	SMALL_PAYLOAD,
};

/**
 * small_trace_map() - tell the bits of a version 6 file of ours.
 * Return: an enum small_bit for each bit, the lowest of a byte first; freed by the caller.
 */
unsigned char *small_trace_map(const unsigned char *data, size_t size);

#endif
