/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Version 7 of trace.dat: sections, and options that point to them; trace-cmd.dat.v7(5). */
#include "tracedat_priv.h"

#include <stdlib.h>
#include <string.h>

#define SECTION_MAX	 (32u << 20) /* unpacked; event formats take some 5 MB */
#define SECTION_PACKED	 1u
#define OPTION_LISTS_MAX 256
#define CHUNK_HEAD_BYTES 8u

struct v7_section {
	uint16_t id, flags;
	uint64_t offset, size; /* of the content */
	unsigned char *unpacked;
};

/* Offsets of the sections that the options point to. */
struct v7_places {
	uint64_t header_info, ftrace_events, event_formats, cmdlines;
};

/* ---- sections ---- */

static void section_head(struct dat_cursor *c, struct v7_section *s)
{
	*s = (struct v7_section){ 0 };
	s->id = dat_u16(c);
	s->flags = dat_u16(c);
	dat_skip(c, 4); /* where its description is among the strings */
	s->size = dat_u64(c);
	s->offset = c->pos;
}

/* Replace the position in the file by one in the unpacked content. */
static void section_unpack(struct dat_head *h, struct dat_cursor *c, struct v7_section *s)
{
	uint32_t packed_bytes = dat_u32(c), unpacked_bytes = dat_u32(c);
	unsigned char *packed;

	if (!c->status && (packed_bytes > c->end - c->pos || unpacked_bytes > SECTION_MAX))
		dat_fail(c, "its sizes contradict each other");
	if (c->status)
		return;
	packed = malloc((size_t)packed_bytes + 1);
	s->unpacked = malloc((size_t)unpacked_bytes + 1);
	if (!packed || !s->unpacked) {
		dat_nomem(c);
	} else {
		dat_read(c, packed, packed_bytes);
		if (!c->status &&
			dat_unpack(&h->unpacker, packed, packed_bytes, s->unpacked, unpacked_bytes))
			dat_fail(c, "cannot be unpacked");
	}
	free(packed);
	c->mem = s->unpacked;
	c->pos = 0;
	c->end = unpacked_bytes;
}

/* A position at the start of the content of the section whose header is at @offset. */
static struct dat_cursor section_open(struct dat_head *h, uint64_t offset, uint16_t id,
	const char *what, struct v7_section *s, struct zwb_err *err)
{
	struct dat_cursor c = {
		.file = &h->file, .pos = offset, .end = h->file.size, .what = what, .err = err
	};

	section_head(&c, s);
	if (!c.status && s->id != id)
		dat_fail(&c, "is not where the options say");
	if (!c.status && s->size > c.end - c.pos)
		dat_fail(&c, "ends behind the end of the file: cut short?");
	if (c.status)
		return c;
	c.end = c.pos + s->size;
	if (s->flags & SECTION_PACKED)
		section_unpack(h, &c, s);
	return c;
}

static void section_close(struct v7_section *s)
{
	free(s->unpacked);
	s->unpacked = NULL;
}

static int section_read(struct dat_head *h, uint64_t offset, uint16_t id, const char *what,
	void (*parse)(struct dat_head *h, struct dat_cursor *c), struct zwb_err *err)
{
	struct v7_section s;
	struct dat_cursor c = section_open(h, offset, id, what, &s, err);

	if (!c.status)
		parse(h, &c);
	section_close(&s);
	return c.status;
}

/* ---- options ---- */

static void v7_buffer(struct dat_head *h, struct dat_cursor *c)
{
	struct dat_cursor data = {
		.file = &h->file, .end = h->file.size, .what = "a buffer", .err = c->err
	};
	struct dat_buffer *b = dat_head_add_buffer(h, c);
	char clock[sizeof(h->clock)];
	struct v7_section s;

	if (!b)
		return;
	data.pos = dat_u64(c);
	dat_string(c, b->name, sizeof(b->name));
	dat_string(c, clock, sizeof(clock));
	b->page_bytes = dat_u32(c);
	dat_head_regions(b, c, dat_u32(c), 1);
	if (!c->status && !dat_page_bytes_are_sane(b->page_bytes))
		dat_fail(c, "the page size of a buffer is impossible");
	if (c->status)
		return;
	if (!h->clock[0])
		memcpy(h->clock, clock, sizeof(clock));
	section_head(&data, &s);
	if (!data.status && s.id != DAT_OPT_BUFFER)
		dat_fail(&data, "is not where the options say");
	b->is_packed = s.flags & SECTION_PACKED;
	c->status = data.status;
	if (!c->status && s.size <= UINT64_MAX - s.offset)
		dat_head_check_layout(h, c, b, s.offset + s.size);
}

static void v7_option(
	struct dat_head *h, struct dat_cursor *c, uint16_t id, struct v7_places *places)
{
	switch (id) {
	case DAT_OPT_HEADER_INFO:
		places->header_info = dat_u64(c);
		break;
	case DAT_OPT_FTRACE_EVENTS:
		places->ftrace_events = dat_u64(c);
		break;
	case DAT_OPT_EVENT_FORMATS:
		places->event_formats = dat_u64(c);
		break;
	case DAT_OPT_CMDLINES:
		places->cmdlines = dat_u64(c);
		break;
	case DAT_OPT_BUFFER:
		v7_buffer(h, c);
		break;
	default:
		dat_head_option(h, c, id);
		break;
	}
}

/* One list of options. Return: where the next one is, 0 for none. */
static uint64_t v7_option_list(struct dat_head *h, struct dat_cursor *c, struct v7_places *places)
{
	while (!c->status) {
		uint16_t id = dat_u16(c);
		uint32_t len = dat_u32(c);
		struct dat_cursor option = *c;
		uint64_t next = 0;

		dat_skip(c, len);
		if (c->status)
			break;
		option.end = c->pos;
		if (id == DAT_OPT_DONE)
			next = dat_u64(&option);
		else
			v7_option(h, &option, id, places);
		c->status = option.status;
		if (id == DAT_OPT_DONE)
			return next;
	}
	return 0;
}

/*
 * All lists of options. In a file that is cut, the later lists are missing (the one that describes
 * the buffers stands behind them): then is_cut is set.
 */
static int v7_options(
	struct dat_head *h, uint64_t offset, struct v7_places *places, struct zwb_err *err)
{
	struct v7_section s;
	struct dat_cursor c;

	for (int i = 0; offset; i++) {
		if (i == OPTION_LISTS_MAX)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"%s: more than %d lists of options, or a ring of them",
				h->file.path, OPTION_LISTS_MAX);
		if (i > 0 && offset >= h->file.size) {
			h->is_cut = 1;
			break;
		}
		c = section_open(h, offset, DAT_OPT_DONE, "the options", &s, err);
		offset = c.status ? 0 : v7_option_list(h, &c, places);
		section_close(&s);
		if (c.status)
			return c.status;
	}
	return ZWB_OK;
}

/* ---- a file that was cut ---- */

/* The region whose chunks begin at or behind @c: its true size, as far as the file goes. */
static void cut_region(struct dat_buffer *b, struct dat_cursor *c, uint32_t cpu)
{
	uint64_t begin = (c->pos + b->page_bytes - 1) / b->page_bytes * b->page_bytes;
	struct dat_region *r = &b->regions[cpu];
	uint32_t nr_chunks = 0;

	*r = (struct dat_region){ .cpu = cpu, .offset = begin, .size = UINT64_MAX / 2 };
	c->pos = begin < c->end ? begin : c->end;
	nr_chunks = dat_u32(c);
	for (uint32_t i = 0; i < nr_chunks && !c->status; i++) {
		uint32_t packed_bytes = dat_u32(c);

		dat_skip(c, CHUNK_HEAD_BYTES - sizeof(packed_bytes));
		dat_skip(c, packed_bytes);
	}
	if (!c->status)
		r->size = c->pos - begin - sizeof(nr_chunks);
}

static void cut_buffer(struct dat_head *h, struct dat_cursor *c, const struct v7_section *s)
{
	struct dat_cursor at = {
		.file = c->file, .pos = s->offset, .end = h->file.size, .what = "a buffer"
	};
	struct dat_buffer *b = dat_head_add_buffer(h, c);

	if (!b)
		return;
	b->page_bytes = h->page_bytes;
	b->is_packed = 1;
	b->regions = calloc(h->nr_cpus, sizeof(*b->regions));
	if (!b->regions) {
		dat_nomem(c);
		return;
	}
	b->nr_regions = h->nr_cpus;
	for (uint32_t i = 0; i < h->nr_cpus; i++)
		cut_region(b, &at, i);
}

/*
 * Find buffers without their description, by walking over the sections from @c on. The chunks of
 * the CPUs follow each other, each CPU on a page border. Plain pages do not tell where a CPU ends,
 * so they are given up.
 */
static void v7_find_buffers(struct dat_head *h, struct dat_cursor *c)
{
	while (!c->status && c->pos < c->end && c->end - c->pos > 16) {
		struct v7_section s;

		section_head(c, &s);
		if (c->status)
			return;
		if (s.id == DAT_OPT_BUFFER && (s.flags & SECTION_PACKED))
			cut_buffer(h, c, &s);
		if (s.size >= c->end - c->pos)
			return;
		dat_skip(c, s.size);
	}
}

int dat_v7_read(struct dat_head *h, struct dat_cursor *c)
{
	struct v7_places at = { 0 };
	uint64_t options = dat_u64(c);
	int ret = c->status ? c->status : v7_options(h, options, &at, c->err);

	if (!ret && (!at.header_info || !at.event_formats))
		ret = zwb_err_set(c->err, ZWB_EDATA, 0,
			"%s: has no event formats: cut short, or its recorder did not finish",
			h->file.path);
	if (!ret)
		ret = section_read(h, at.header_info, DAT_OPT_HEADER_INFO, "the page header",
			dat_head_header_info, c->err);
	if (!ret && at.ftrace_events)
		ret = section_read(h, at.ftrace_events, DAT_OPT_FTRACE_EVENTS,
			"the ftrace event formats", dat_head_ftrace_events, c->err);
	if (!ret)
		ret = section_read(h, at.event_formats, DAT_OPT_EVENT_FORMATS, "the event formats",
			dat_head_event_formats, c->err);
	if (!ret && at.cmdlines)
		ret = section_read(h, at.cmdlines, DAT_OPT_CMDLINES, "the table of tasks",
			dat_head_cmdlines, c->err);
	if (!ret && h->is_cut && !h->nr_buffers) {
		v7_find_buffers(h, c);
		ret = c->status;
		if (!ret && !h->nr_buffers)
			ret = zwb_err_set(c->err, ZWB_EDATA, 0,
				"%s: is cut short before the description of its events",
				h->file.path);
	}
	return ret;
}
