/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands before the events of a trace.dat: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5). */
#include "tracedat_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES_MIN	 1024u
#define PAGE_BYTES_MAX	 (1u << 20)
#define CPUS_MAX	 65536u /* cpu is 16 bits in a record */
#define SECTION_MAX	 (64u << 20) /* unpacked; event formats take some 5 MB */
#define FORMAT_MAX	 (1u << 20)
#define OPTION_LISTS_MAX 256
#define SECTION_PACKED	 1u

enum { /* ids of options, and of the sections that they point to */
	OPT_DONE = 0,
	OPT_BUFFER = 3,
	OPT_TRACECLOCK = 4,
	OPT_UNAME = 5,
	OPT_CPUCOUNT = 8,
	OPT_TSC2NSEC = 14,
	OPT_HEADER_INFO = 16,
	OPT_FTRACE_EVENTS = 17,
	OPT_EVENT_FORMATS = 18,
	OPT_CMDLINES = 21,
};

/* ---- parts that both versions share ---- */

/* Number behind "KEY:" in the description of the field @name in a format; -1 when not there. */
static long format_number(const char *text, const char *name, const char *key)
{
	const char *line, *end, *at;
	char field[64], *stop;
	long n;

	snprintf(field, sizeof(field), " %s;", name);
	line = strstr(text, field);
	if (!line)
		return -1;
	end = strchr(line, '\n');
	at = strstr(line, key);
	if (!at || (end && at > end))
		return -1;
	at += strlen(key);
	n = strtol(at, &stop, 10);
	return stop == at || n < 0 || n > (long)PAGE_BYTES_MAX ? -1 : n;
}

static void head_page_shape(struct dat_head *h, struct dat_cursor *c, const char *text)
{
	long timestamp = format_number(text, "timestamp", "size:");
	long commit = format_number(text, "commit", "offset:");
	long size = format_number(text, "commit", "size:");
	long data = format_number(text, "data", "offset:");

	if (timestamp != 8 || format_number(text, "timestamp", "offset:") != 0 || commit < 8 ||
		(size != 4 && size != 8) || data < commit + size || data > 256) {
		dat_fail(c, "not the header of a ring-buffer page that this program knows");
		return;
	}
	h->commit_offset = (uint32_t)commit;
	h->commit_bytes = (uint32_t)size;
	h->data_offset = (uint32_t)data;
}

static void head_header_info(struct dat_head *h, struct dat_cursor *c)
{
	char name[16];
	uint64_t len;
	char *text;

	dat_string(c, name, sizeof(name));
	if (!c->status && strcmp(name, "header_page") != 0)
		dat_fail(c, "header_page is not where it has to be");
	len = dat_u64(c);
	text = len > FORMAT_MAX ? NULL : dat_text(c, len);
	if (!text) {
		dat_fail(c, "header_page is too long");
		return;
	}
	head_page_shape(h, c, text);
	free(text);
	dat_string(c, name, sizeof(name));
	if (!c->status && strcmp(name, "header_event") != 0)
		dat_fail(c, "header_event is not where it has to be");
	dat_skip(c, dat_u64(c));
}

/* First word behind @key at the start of a line; empty when there is none. */
static void format_word(const char *text, const char *key, char *to, size_t size)
{
	const char *at = strstr(text, key);
	size_t len;

	to[0] = '\0';
	if (!at)
		return;
	at += strlen(key);
	at += strspn(at, " \t");
	len = strcspn(at, " \t\r\n");
	if (len == 0 || len >= size)
		return;
	memcpy(to, at, len);
	to[len] = '\0';
}

static void head_add_format(
	struct dat_head *h, struct dat_cursor *c, const char *system, uint64_t len)
{
	struct dat_format *format;
	char name[128], id[16], *end;
	unsigned long number;
	void *bigger;

	if (len > FORMAT_MAX) {
		dat_fail(c, "an event format is too long");
		return;
	}
	bigger = realloc(h->formats, (h->nr_formats + 1) * sizeof(*h->formats));
	if (!bigger) {
		c->status = zwb_err_set(c->err, ZWB_ENOMEM, 0, "no memory for event formats");
		return;
	}
	h->formats = bigger;
	format = &h->formats[h->nr_formats++];
	*format = (struct dat_format){ 0 };
	format->text = dat_text(c, len);
	if (!format->text)
		return;
	format_word(format->text, "name:", name, sizeof(name));
	format_word(format->text, "\nID:", id, sizeof(id));
	number = strtoul(id, &end, 10);
	if (!name[0] || !id[0] || *end || number > UINT16_MAX) {
		dat_fail(c, "an event format without name or id");
		return;
	}
	format->id = (uint16_t)number;
	format->name = strdup(name);
	format->system = strdup(system);
	if (!format->name || !format->system)
		c->status = zwb_err_set(c->err, ZWB_ENOMEM, 0, "no memory for event formats");
}

static void head_ftrace_events(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr = dat_u32(c);

	for (uint32_t i = 0; i < nr && !c->status; i++)
		head_add_format(h, c, "ftrace", dat_u64(c));
}

static void head_event_formats(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr_systems = dat_u32(c);

	for (uint32_t i = 0; i < nr_systems && !c->status; i++) {
		char system[128];
		uint32_t nr;

		dat_string(c, system, sizeof(system));
		nr = dat_u32(c);
		for (uint32_t k = 0; k < nr && !c->status; k++)
			head_add_format(h, c, system, dat_u64(c));
	}
}

static void head_cmdlines(struct dat_head *h, struct dat_cursor *c)
{
	uint64_t len = dat_u64(c);
	char *text = len > SECTION_MAX ? NULL : dat_text(c, len);

	if (!text) {
		dat_fail(c, "the table of tasks is too long");
		return;
	}
	free(h->tasks);
	h->tasks = text;
}

/* "local global [mono] boot": the chosen one */
static void head_clock(struct dat_head *h, const char *text)
{
	const char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;

	if (to && to - from - 1 < (long)sizeof(h->clock)) {
		memcpy(h->clock, from + 1, (size_t)(to - from - 1));
		h->clock[to - from - 1] = '\0';
	}
}

/* "Linux NODE RELEASE MACHINE" */
static void head_uname(struct dat_head *h, const char *text)
{
	const char *space = strchr(text, ' ');

	space = space ? strchr(space + 1, ' ') : NULL;
	if (space)
		format_word(space, " ", h->release, sizeof(h->release));
}

static void head_text_option(
	struct dat_head *h, struct dat_cursor *c, unsigned int id, uint32_t len)
{
	char *text = len > FORMAT_MAX ? NULL : dat_text(c, len);

	if (!text) {
		dat_fail(c, "an option is too long");
		return;
	}
	if (id == OPT_UNAME)
		head_uname(h, text);
	else
		head_clock(h, text);
	free(text);
}

static void head_cpus(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr = dat_u32(c);

	if (nr > CPUS_MAX)
		dat_fail(c, "more than 65536 CPUs");
	if (c->status)
		return;
	h->nr_cpus = nr;
	h->has_cpus = 1;
}

static void head_tsc(struct dat_head *h, struct dat_cursor *c)
{
	h->tsc_mult = dat_u32(c);
	h->tsc_shift = dat_u32(c);
	if (h->tsc_shift > 63)
		dat_fail(c, "a shift of more than 63 bits from cycles to time");
}

static struct dat_buffer *head_add_buffer(struct dat_head *h, struct dat_cursor *c)
{
	void *bigger;

	if (c->status)
		return NULL;
	bigger = realloc(h->buffers, (h->nr_buffers + 1) * sizeof(*h->buffers));
	if (!bigger) {
		c->status = zwb_err_set(c->err, ZWB_ENOMEM, 0, "no memory for buffers");
		return NULL;
	}
	h->buffers = bigger;
	memset(&h->buffers[h->nr_buffers], 0, sizeof(*h->buffers));
	return &h->buffers[h->nr_buffers++];
}

/* Table of @nr regions; with the CPU in front of each in version 7. */
static void head_regions(struct dat_buffer *b, struct dat_cursor *c, uint32_t nr, int has_cpu)
{
	uint32_t row_bytes = has_cpu ? 20 : 16;

	if (c->status)
		return;
	if (nr > CPUS_MAX || nr > (c->end - c->pos) / row_bytes) {
		dat_fail(c, "more CPUs than there is room for");
		return;
	}
	if (nr == 0)
		return;
	b->regions = calloc(nr, sizeof(*b->regions));
	if (!b->regions) {
		c->status = zwb_err_set(c->err, ZWB_ENOMEM, 0, "no memory for %u CPUs", nr);
		return;
	}
	b->nr_regions = nr;
	for (uint32_t i = 0; i < nr; i++) {
		b->regions[i].cpu = has_cpu ? dat_u32(c) : i;
		b->regions[i].offset = dat_u64(c);
		b->regions[i].size = dat_u64(c);
		if (!c->status && b->regions[i].cpu >= CPUS_MAX)
			dat_fail(c, "a CPU number over 65535");
	}
}

static int page_bytes_are_sane(uint32_t n)
{
	return n >= PAGE_BYTES_MIN && n <= PAGE_BYTES_MAX && (n & (n - 1)) == 0;
}

/* ---- version 7: sections ---- */

struct dat_section {
	uint16_t id, flags;
	uint64_t offset, size; /* of the content */
	unsigned char *unpacked;
};

/* A cursor over the content of the section whose header is at @offset. */
static struct dat_cursor section_open(struct dat_head *h, uint64_t offset, const char *what,
	struct dat_section *s, struct zwb_err *err)
{
	struct dat_cursor c = {
		.file = &h->file, .pos = offset, .end = h->file.size, .what = what, .err = err
	};
	uint32_t packed, unpacked;
	unsigned char *from = NULL;

	*s = (struct dat_section){ 0 };
	s->id = dat_u16(&c);
	s->flags = dat_u16(&c);
	dat_skip(&c, 4);
	s->size = dat_u64(&c);
	s->offset = c.pos;
	if (c.status || s->id == OPT_BUFFER)
		return c;
	if (s->size > c.end - c.pos) {
		dat_fail(&c, "ends behind the end of the file: cut short?");
		return c;
	}
	c.end = c.pos + s->size;
	if (!(s->flags & SECTION_PACKED))
		return c;
	packed = dat_u32(&c);
	unpacked = dat_u32(&c);
	if (!c.status && (packed > c.end - c.pos || unpacked > SECTION_MAX))
		dat_fail(&c, "its sizes contradict each other");
	if (c.status)
		return c;
	from = malloc(packed ? packed : 1);
	s->unpacked = malloc(unpacked ? unpacked : 1);
	if (!from || !s->unpacked) {
		c.status = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %s", what);
	} else {
		dat_read(&c, from, packed);
		if (!c.status && dat_unpack(&h->unpacker, from, packed, s->unpacked, unpacked))
			dat_fail(&c, "cannot be unpacked");
	}
	free(from);
	c.mem = s->unpacked;
	c.pos = 0;
	c.end = unpacked;
	return c;
}

static void section_close(struct dat_section *s)
{
	free(s->unpacked);
	s->unpacked = NULL;
}

static int section_read(struct dat_head *h, uint64_t offset, uint16_t id, const char *what,
	void (*parse)(struct dat_head *h, struct dat_cursor *c), struct zwb_err *err)
{
	struct dat_section s;
	struct dat_cursor c = section_open(h, offset, what, &s, err);

	if (!c.status && s.id != id)
		dat_fail(&c, "is not where the options say");
	if (!c.status)
		parse(h, &c);
	section_close(&s);
	return c.status;
}

static void v7_buffer(struct dat_head *h, struct dat_cursor *c)
{
	struct dat_section s;
	struct dat_cursor data;
	struct dat_buffer *b = head_add_buffer(h, c);
	uint64_t offset = dat_u64(c);
	char clock[sizeof(h->clock)];

	if (!b)
		return;
	dat_string(c, b->name, sizeof(b->name));
	dat_string(c, clock, sizeof(clock));
	b->page_bytes = dat_u32(c);
	head_regions(b, c, dat_u32(c), 1);
	if (!c->status && !page_bytes_are_sane(b->page_bytes))
		dat_fail(c, "the page size of a buffer is impossible");
	if (c->status)
		return;
	if (!h->clock[0])
		memcpy(h->clock, clock, sizeof(clock));
	data = section_open(h, offset, "a buffer", &s, c->err);
	if (!data.status && s.id != OPT_BUFFER)
		dat_fail(&data, "is not where the options say");
	b->is_packed = s.flags & SECTION_PACKED;
	c->status = data.status;
	section_close(&s);
}

/* Offsets of the sections that the options point to. */
struct v7_sections {
	uint64_t header_info, ftrace_events, event_formats, cmdlines;
};

static void v7_option(struct dat_head *h, struct dat_cursor *c, uint16_t id, struct v7_sections *at)
{
	switch (id) {
	case OPT_HEADER_INFO:
		at->header_info = dat_u64(c);
		break;
	case OPT_FTRACE_EVENTS:
		at->ftrace_events = dat_u64(c);
		break;
	case OPT_EVENT_FORMATS:
		at->event_formats = dat_u64(c);
		break;
	case OPT_CMDLINES:
		at->cmdlines = dat_u64(c);
		break;
	case OPT_BUFFER:
		v7_buffer(h, c);
		break;
	case OPT_TRACECLOCK:
	case OPT_UNAME:
		head_text_option(h, c, id, (uint32_t)(c->end - c->pos));
		break;
	case OPT_CPUCOUNT:
		head_cpus(h, c);
		break;
	case OPT_TSC2NSEC:
		head_tsc(h, c);
		break;
	default:
		break;
	}
}

/* One list of options. Return: where the next one is, 0 for none. */
static uint64_t v7_options(struct dat_head *h, struct dat_cursor *c, struct v7_sections *at)
{
	for (;;) {
		uint16_t id = dat_u16(c);
		uint32_t len = dat_u32(c);
		struct dat_cursor option = *c;

		dat_skip(c, len);
		if (c->status)
			return 0;
		option.end = c->pos;
		if (id == OPT_DONE) {
			uint64_t next = len ? dat_u64(&option) : 0;

			c->status = option.status;
			return next;
		}
		v7_option(h, &option, id, at);
		c->status = option.status;
		if (c->status)
			return 0;
	}
}

static int v7_read(struct dat_head *h, uint64_t options, struct zwb_err *err)
{
	struct v7_sections at = { 0 };
	int ret = ZWB_OK;

	for (int i = 0; options; i++) {
		struct dat_section s;
		struct dat_cursor c = section_open(h, options, "the options", &s, err);

		if (!c.status && (s.id != OPT_DONE || i == OPTION_LISTS_MAX))
			dat_fail(&c, "do not follow each other");
		options = c.status ? 0 : v7_options(h, &c, &at);
		section_close(&s);
		if (c.status)
			return c.status;
	}
	if (!at.header_info || !at.event_formats)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%s: has no event formats; the recorder did not finish", h->file.path);
	ret = section_read(
		h, at.header_info, OPT_HEADER_INFO, "the page header", head_header_info, err);
	if (!ret && at.ftrace_events)
		ret = section_read(h, at.ftrace_events, OPT_FTRACE_EVENTS,
			"the ftrace event formats", head_ftrace_events, err);
	if (!ret)
		ret = section_read(h, at.event_formats, OPT_EVENT_FORMATS, "the event formats",
			head_event_formats, err);
	if (!ret && at.cmdlines)
		ret = section_read(
			h, at.cmdlines, OPT_CMDLINES, "the table of tasks", head_cmdlines, err);
	return ret;
}

/* ---- version 6: one part after the other ---- */

struct v6_instances {
	uint64_t *offsets; /* of the buffer in the same place of dat_head */
	size_t nr;
};

static void v6_instance(struct dat_head *h, struct dat_cursor *c, struct v6_instances *more)
{
	uint64_t offset = dat_u64(c);
	struct dat_buffer *b;
	char name[sizeof(b->name)];
	void *bigger;

	dat_string(c, name, sizeof(name));
	if (!c->status && !name[0])
		return; /* the top buffer, which is described in its own place */
	b = head_add_buffer(h, c);
	if (!b)
		return;
	memcpy(b->name, name, sizeof(name));
	bigger = realloc(more->offsets, (more->nr + 1) * sizeof(*more->offsets));
	if (!bigger) {
		c->status = zwb_err_set(c->err, ZWB_ENOMEM, 0, "no memory for buffers");
		return;
	}
	more->offsets = bigger;
	more->offsets[more->nr++] = offset;
}

static void v6_options(struct dat_head *h, struct dat_cursor *c, struct v6_instances *more)
{
	for (;;) {
		uint16_t id = dat_u16(c);
		struct dat_cursor option;
		uint32_t len;

		if (c->status || id == OPT_DONE)
			return;
		len = dat_u32(c);
		option = *c;
		dat_skip(c, len);
		if (c->status)
			return;
		option.end = c->pos;
		if (id == OPT_BUFFER && more)
			v6_instance(h, &option, more);
		else if (id == OPT_TRACECLOCK || id == OPT_UNAME)
			head_text_option(h, &option, id, len);
		else if (id == OPT_CPUCOUNT)
			head_cpus(h, &option);
		else if (id == OPT_TSC2NSEC)
			head_tsc(h, &option);
		c->status = option.status;
	}
}

/* Options if any, and the table of regions of one buffer. */
static void v6_buffer(
	struct dat_head *h, struct dat_cursor *c, size_t buffer, struct v6_instances *more)
{
	char word[10];

	dat_read(c, word, sizeof(word));
	if (!c->status && memcmp(word, "options  ", sizeof(word)) == 0) {
		v6_options(h, c, more);
		dat_read(c, word, sizeof(word));
	}
	if (!c->status && memcmp(word, "latency  ", sizeof(word)) == 0)
		dat_fail(c, "a latency report in text, not recorded events");
	else if (!c->status && memcmp(word, "flyrecord", sizeof(word)) != 0)
		dat_fail(c, "the table of CPUs is not where it has to be");
	h->buffers[buffer].page_bytes = h->page_bytes;
	head_regions(&h->buffers[buffer], c, h->nr_cpus, 0);
}

static int v6_read(struct dat_head *h, struct dat_cursor *c)
{
	struct v6_instances more = { 0 };

	c->what = "the page header";
	head_header_info(h, c);
	c->what = "the event formats";
	head_ftrace_events(h, c);
	head_event_formats(h, c);
	c->what = "the symbol table";
	dat_skip(c, dat_u32(c));
	c->what = "the printk formats";
	dat_skip(c, dat_u32(c));
	c->what = "the table of tasks";
	if (!c->status)
		head_cmdlines(h, c);
	c->what = "the table of CPUs";
	head_cpus(h, c);
	if (head_add_buffer(h, c))
		v6_buffer(h, c, 0, &more);
	for (size_t i = 0; i < more.nr && !c->status; i++) {
		c->pos = more.offsets[i];
		c->what = "the table of CPUs of an instance";
		v6_buffer(h, c, 1 + i, NULL);
	}
	free(more.offsets);
	return c->status;
}

/* ---- the start of the file ---- */

static int head_magic(struct dat_head *h, struct dat_cursor *c)
{
	unsigned char begin[DAT_MAGIC_BYTES];
	int wrong_bits = 0;

	if (h->file.size == 0)
		return zwb_err_set(c->err, ZWB_EDATA, 0, "%s: is empty", h->file.path);
	if (h->file.size >= DAT_MAGIC_BYTES)
		dat_read(c, begin, sizeof(begin));
	if (c->status)
		return c->status;
	for (size_t i = 0; i < DAT_MAGIC_BYTES && h->file.size >= DAT_MAGIC_BYTES; i++)
		wrong_bits +=
			__builtin_popcount((unsigned int)(begin[i] ^ (unsigned char)DAT_MAGIC[i]));
	if (h->file.size < DAT_MAGIC_BYTES || wrong_bits > 4)
		return zwb_err_set(c->err, ZWB_EKIND, 0, "%s: is not a trace.dat file of trace-cmd",
			h->file.path);
	if (wrong_bits)
		dat_fail(c, "its first bytes are damaged");
	return c->status;
}

static enum dat_codec head_codec(struct dat_cursor *c)
{
	char name[16], version[32];

	dat_string(c, name, sizeof(name));
	dat_string(c, version, sizeof(version));
	if (strcmp(name, "zstd") == 0)
		return DAT_ZSTD;
	if (strcmp(name, "zlib") == 0)
		return DAT_ZLIB;
	if (strcmp(name, "none") != 0)
		dat_fail(c, "compressed in a way that this program does not know");
	return DAT_PLAIN;
}

static int head_start(struct dat_head *h, struct dat_cursor *c)
{
	char version[8];
	uint8_t is_foreign, long_bytes;

	if (head_magic(h, c))
		return c->status;
	dat_string(c, version, sizeof(version));
	if (!c->status && (version[0] < '6' || version[0] > '7' || version[1]))
		dat_fail(c, "of a version that is neither 6 nor 7");
	h->version = (unsigned int)(version[0] - '0');
	is_foreign = dat_u8(c) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	long_bytes = dat_u8(c);
	h->page_bytes = dat_u32(c);
	if (c->status)
		return c->status;
	if (is_foreign)
		dat_fail(
			c, "recorded on a machine of the other byte order, which is not supported");
	else if (long_bytes != 4 && long_bytes != 8)
		dat_fail(c, "the size of a long is impossible");
	else if (!page_bytes_are_sane(h->page_bytes))
		dat_fail(c, "the page size is impossible");
	return c->status;
}

int dat_head_read(struct dat_head *h, const char *path, struct zwb_err *err)
{
	struct dat_cursor c = { .file = &h->file, .what = "the file header", .err = err };
	enum dat_codec codec = DAT_PLAIN;
	int ret;

	*h = (struct dat_head){ .file.fd = -1 };
	ret = dat_file_open(&h->file, path, err);
	if (ret)
		return ret;
	c.end = h->file.size;
	ret = head_start(h, &c);
	if (!ret && h->version == 7)
		codec = head_codec(&c);
	if (!ret)
		ret = c.status;
	if (!ret)
		ret = dat_unpacker_init(&h->unpacker, codec, err);
	if (ret)
		return ret;
	if (h->version == 6) {
		ret = v6_read(h, &c);
	} else {
		uint64_t options = dat_u64(&c);

		ret = c.status ? c.status : v7_read(h, options, err);
	}
	if (!ret && !h->nr_buffers)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: describes no buffer", path);
	if (!ret && h->has_cpus && !h->nr_cpus)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: recorded on 0 CPUs", path);
	return ret;
}

void dat_head_release(struct dat_head *h)
{
	for (size_t i = 0; i < h->nr_formats; i++) {
		free(h->formats[i].system);
		free(h->formats[i].name);
		free(h->formats[i].text);
		free(h->formats[i].decoder);
	}
	for (size_t i = 0; i < h->nr_buffers; i++)
		free(h->buffers[i].regions);
	free(h->formats);
	free(h->buffers);
	free(h->tasks);
	dat_unpacker_release(&h->unpacker);
	dat_file_close(&h->file);
}
