/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "small_trace.h"

#include "datwriter_sink.h"
#include "synth.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES	 4096
#define PAGE_HEADER	 16
#define COMMIT_MASK	 0xfffff
#define TYPE_LEN_BITS	 5
#define TYPE_TIME_EXTEND 30
#define TYPE_TIME_STAMP	 31
#define EVENT_HEADER	 4

void small_trace_write(const char *path, uint64_t nr_events)
{
	struct zwb_synth_params params;
	const struct zwb_event *events;
	struct zwb_datsink *sink;
	struct zwb_stream *s;
	size_t nr;

	zwb_synth_defaults(&params);
	params.nr_events = nr_events;
	params.nr_pages = 4096;
	params.nr_slots = 5000;
	assert_int_equal(zwb_synth_open(&params, &s, NULL), ZWB_OK);
	assert_int_equal(zwb_datsink_open(&sink, path, 1, s->meta, NULL), ZWB_OK);
	while (zwb_stream_next(s, &events, &nr, NULL) == ZWB_OK && nr > 0)
		assert_int_equal(zwb_datsink_add(sink, events, nr, NULL), ZWB_OK);
	assert_int_equal(zwb_datsink_finish(sink, NULL), ZWB_OK);
	zwb_stream_close(s);
}

unsigned char *small_file_read(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	unsigned char *data;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	data = malloc(*size);
	assert_int_equal(read(fd, data, *size), *size);
	close(fd);
	return data;
}

/* Walks through the file in the order of trace-cmd.dat.v6(5). */
struct mapper {
	const unsigned char *data;
	unsigned char *bits;
	size_t size, at;
};

static void mark(struct mapper *m, size_t len, enum small_bit what)
{
	assert_true(len <= m->size - m->at);
	memset(m->bits + m->at * 8, (int)what, len * 8);
	m->at += len;
}

static uint64_t number_at(const struct mapper *m, size_t at, size_t width)
{
	uint64_t number = 0;

	memcpy(&number, m->data + at, width);
	return number;
}

static uint64_t mark_number(struct mapper *m, size_t width)
{
	mark(m, width, SMALL_SHAPE);
	return number_at(m, m->at - width, width);
}

static void mark_sized(struct mapper *m, size_t width)
{
	mark(m, mark_number(m, width), SMALL_TEXT);
}

static void mark_formats(struct mapper *m)
{
	uint64_t nr = mark_number(m, 4);

	for (uint64_t i = 0; i < nr; i++)
		mark_sized(m, 8);
}

static void mark_options(struct mapper *m)
{
	while (mark_number(m, 2) != 0)
		mark_sized(m, 4);
}

static void mark_event_word(struct mapper *m, size_t at)
{
	memset(m->bits + at * 8, SMALL_LENGTH, TYPE_LEN_BITS);
	memset(m->bits + at * 8 + TYPE_LEN_BITS, SMALL_TIME, 32 - TYPE_LEN_BITS);
}

static void mark_page(struct mapper *m, size_t page)
{
	size_t end = page + PAGE_HEADER + (number_at(m, page + 8, 8) & COMMIT_MASK);
	size_t at = page + PAGE_HEADER;

	memset(m->bits + page * 8, SMALL_TIME, 8 * 8);
	memset(m->bits + (page + 8) * 8, SMALL_COMMIT, 8 * 8);
	memset(m->bits + at * 8, SMALL_PAYLOAD, (size_t)(PAGE_BYTES - PAGE_HEADER) * 8);
	while (at < end) {
		unsigned int type = m->data[at] & ((1u << TYPE_LEN_BITS) - 1);

		mark_event_word(m, at);
		at += EVENT_HEADER;
		if (type >= TYPE_TIME_EXTEND) {
			memset(m->bits + at * 8, SMALL_TIME, 4 * 8);
			type = 1;
		}
		assert_in_range(type, 1, 28); /* our events are short */
		at += (size_t)type * 4;
	}
	assert_int_equal(at, end);
}

static void mark_head(struct mapper *m)
{
	uint64_t nr_systems;

	mark(m, 18, SMALL_SHAPE); /* magic, version, byte order, long, page size */
	mark(m, sizeof("header_page"), SMALL_SHAPE);
	mark_sized(m, 8);
	mark(m, sizeof("header_event"), SMALL_SHAPE);
	mark_sized(m, 8);
	mark_formats(m);
	nr_systems = mark_number(m, 4);
	for (uint64_t i = 0; i < nr_systems; i++) {
		mark(m, strlen((const char *)m->data + m->at), SMALL_TEXT);
		mark(m, 1, SMALL_SHAPE);
		mark_formats(m);
	}
	mark_sized(m, 4);
	mark_sized(m, 4);
	mark_sized(m, 8);
}

unsigned char *small_trace_map(const unsigned char *data, size_t size)
{
	struct mapper m = { .data = data, .size = size };
	uint64_t nr_cpus;

	m.bits = calloc(size, 8); /* SMALL_TEXT where nothing else is said: padding */
	mark_head(&m);
	nr_cpus = mark_number(&m, 4);
	mark(&m, sizeof("options  "), SMALL_SHAPE);
	mark_options(&m);
	mark(&m, sizeof("flyrecord"), SMALL_SHAPE);
	for (uint64_t i = 0; i < nr_cpus; i++) {
		uint64_t offset = mark_number(&m, 8), bytes = mark_number(&m, 8);

		for (uint64_t page = offset; page < offset + bytes; page += PAGE_BYTES)
			mark_page(&m, page);
	}
	return m.bits;
}
