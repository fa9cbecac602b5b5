/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start of a trace.dat file, and the parts that versions 6 and 7 have in common. */
#include "datwriter.h"
#include "grow.h"
#include "tracedat_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES_MIN 1024u
#define PAGE_BYTES_MAX (1u << 20)
#define FORMAT_MAX     (1u << 20)
#define TASKS_MAX      (16u << 20)

/* ---- formats ---- */

/* Number behind "KEY:" in the line of the field @name of a format; -1 when it is not there. */
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

void dat_head_header_info(struct dat_head *h, struct dat_cursor *c)
{
	char name[16];
	char *text;

	dat_string(c, name, sizeof(name));
	if (!c->status && strcmp(name, "header_page") != 0)
		dat_fail(c, "header_page is not where it has to be");
	text = dat_text(c, dat_u64(c), FORMAT_MAX);
	if (!text)
		return;
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

/* Where the last field ends, by the numbers in the text: formats need not be parsed for it. */
static uint16_t format_bytes(const char *text)
{
	unsigned long bytes = 0;

	for (const char *at = strstr(text, "offset:"); at; at = strstr(at, "offset:")) {
		const char *size = strstr(at, "size:");
		unsigned long end;

		if (!size)
			break;
		end = strtoul(at + strlen("offset:"), NULL, 10) +
		      strtoul(size + strlen("size:"), NULL, 10);
		if (end > bytes)
			bytes = end;
		at = size;
	}
	return bytes < UINT16_MAX ? (uint16_t)bytes : UINT16_MAX;
}

/* Fields "__data_loc TYPE NAME": 16 bits each of length and of offset in the event. */
static void format_locators(struct dat_format *f)
{
	static const char key[] = "field:__data_loc ";

	for (const char *at = strstr(f->text, key); at; at = strstr(at + 1, key)) {
		const char *offset = strstr(at, "offset:");

		if (!offset || f->nr_locators == DAT_LOCATORS_MAX) {
			f->is_variable = 1;
			return;
		}
		f->locators[f->nr_locators++] =
			(uint16_t)strtoul(offset + strlen("offset:"), NULL, 10);
	}
}

static void format_describe(struct dat_format *f, struct dat_cursor *c, const char *system)
{
	char name[128], id[16], *end;
	unsigned long number;

	format_word(f->text, "name:", name, sizeof(name));
	format_word(f->text, "\nID:", id, sizeof(id));
	number = strtoul(id, &end, 10);
	if (!name[0] || !id[0] || *end || number > UINT16_MAX) {
		dat_fail(c, "an event format without name or id");
		return;
	}
	f->id = (uint16_t)number;
	f->bytes = format_bytes(f->text);
	f->is_variable = strcmp(system, "ftrace") == 0 || strstr(f->text, "__rel_loc ") != NULL;
	format_locators(f);
	f->name = strdup(name);
	f->system = strdup(system);
	if (!f->name || !f->system)
		dat_nomem(c);
}

static void head_add_format(
	struct dat_head *h, struct dat_cursor *c, const char *system, uint64_t len)
{
	struct dat_format *f;

	if (h->nr_formats == DAT_NO_FORMAT) {
		dat_fail(c, "more event formats than there are ids");
		return;
	}
	if (!ZWB_GROW(h->formats, h->nr_formats)) {
		dat_nomem(c);
		return;
	}
	f = &h->formats[h->nr_formats++];
	*f = (struct dat_format){ 0 };
	f->text = dat_text(c, len, FORMAT_MAX);
	if (!f->text)
		return;
	if (len == 0 || f->text[len - 1] != '\n') /* or the length is wrong */
		dat_fail(c, "an event format that does not end with its last line");
	else
		format_describe(f, c, system);
}

void dat_head_ftrace_events(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr = dat_u32(c);

	for (uint32_t i = 0; i < nr && !c->status; i++)
		head_add_format(h, c, "ftrace", dat_u64(c));
}

/* What a folder of tracefs can be called (is_good_name() in kernel/trace/trace.h, and more). */
static int is_group_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:";

	return name[0] && name[strspn(name, letters)] == '\0';
}

void dat_head_event_formats(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr_systems = dat_u32(c);

	for (uint32_t i = 0; i < nr_systems && !c->status; i++) {
		char system[128];
		uint32_t nr;

		dat_string(c, system, sizeof(system));
		if (!c->status && !is_group_name(system))
			dat_fail(c, "a group of events whose name is no word");
		nr = dat_u32(c);
		for (uint32_t k = 0; k < nr && !c->status; k++)
			head_add_format(h, c, system, dat_u64(c));
	}
}

/* ---- tasks and options ---- */

void dat_head_cmdlines(struct dat_head *h, struct dat_cursor *c)
{
	free(h->tasks);
	h->tasks = dat_text(c, dat_u64(c), TASKS_MAX);
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

/* Number behind @key in the per-CPU statistics of the ring buffer; 0 when it is not there. */
static uint64_t cpustat_number(const char *text, const char *key)
{
	char word[32];

	format_word(text, key, word, sizeof(word));
	return strtoull(word, NULL, 10);
}

static void head_cpustat(struct dat_head *h, struct dat_cursor *c, const char *text)
{
	uint64_t cpu = cpustat_number(text, "CPU:");
	uint64_t nr_lost = cpustat_number(text, "\noverrun:") +
			   cpustat_number(text, "\ncommit overrun:") +
			   cpustat_number(text, "\ndropped events:");

	if (cpu >= DAT_CPUS_MAX || nr_lost == 0)
		return;
	if (!ZWB_GROW(h->cpustats, h->nr_cpustats)) {
		dat_nomem(c);
		return;
	}
	h->cpustats[h->nr_cpustats++] =
		(struct dat_cpustat){ .cpu = (uint32_t)cpu, .nr_lost = nr_lost };
}

static void head_text_option(struct dat_head *h, struct dat_cursor *c, uint16_t id)
{
	char *text = dat_text(c, c->end - c->pos, FORMAT_MAX);

	if (!text)
		return;
	if (id == DAT_OPT_UNAME)
		head_uname(h, text);
	else if (id == DAT_OPT_TRACECLOCK)
		head_clock(h, text);
	else if (id == DAT_OPT_VERSION)
		h->is_unfinished |= strcmp(text, ZWB_DAT_UNFINISHED) == 0;
	else
		head_cpustat(h, c, text);
	free(text);
}

void dat_head_cpus(struct dat_head *h, struct dat_cursor *c)
{
	uint32_t nr = dat_u32(c);

	if (nr > DAT_CPUS_MAX)
		dat_fail(c, "more than 65536 CPUs");
	if (c->status)
		return;
	h->nr_cpus = nr;
	h->has_cpus = 1;
}

void dat_head_option(struct dat_head *h, struct dat_cursor *c, uint16_t id)
{
	switch (id) {
	case DAT_OPT_TRACECLOCK:
	case DAT_OPT_UNAME:
	case DAT_OPT_CPUSTAT:
	case DAT_OPT_VERSION:
		head_text_option(h, c, id);
		break;
	case DAT_OPT_CPUCOUNT:
		dat_head_cpus(h, c);
		break;
	case DAT_OPT_TSC2NSEC:
		h->tsc_mult = dat_u32(c);
		h->tsc_shift = dat_u32(c);
		if (h->tsc_shift > 63)
			dat_fail(c, "a shift of more than 63 bits from cycles to time");
		break;
	default:
		break;
	}
}

/* ---- buffers ---- */

struct dat_buffer *dat_head_add_buffer(struct dat_head *h, struct dat_cursor *c)
{

	if (c->status)
		return NULL;
	if (!ZWB_GROW(h->buffers, h->nr_buffers)) {
		dat_nomem(c);
		return NULL;
	}
	memset(&h->buffers[h->nr_buffers], 0, sizeof(*h->buffers));
	return &h->buffers[h->nr_buffers++];
}

/* Table of @nr regions; with the CPU in front of each in version 7. */
void dat_head_regions(struct dat_buffer *b, struct dat_cursor *c, uint32_t nr, int has_cpu)
{
	uint32_t row_bytes = has_cpu ? 20 : 16;

	if (c->status)
		return;
	if (nr > DAT_CPUS_MAX || nr > (c->end - c->pos) / row_bytes) {
		dat_fail(c, "more CPUs than there is room for");
		return;
	}
	if (nr == 0)
		return;
	b->regions = calloc(nr, sizeof(*b->regions));
	if (!b->regions) {
		dat_nomem(c);
		return;
	}
	b->nr_regions = nr;
	for (uint32_t i = 0; i < nr; i++) {
		b->regions[i].cpu = has_cpu ? dat_u32(c) : i;
		b->regions[i].offset = dat_u64(c);
		b->regions[i].size = dat_u64(c);
		if (!c->status && b->regions[i].cpu >= DAT_CPUS_MAX)
			dat_fail(c, "a CPU number over 65535");
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct dat_region *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void dat_head_check_layout(
	struct dat_head *h, struct dat_cursor *c, const struct dat_buffer *b, uint64_t end)
{
	struct dat_region *sorted = calloc(b->nr_regions + 1, sizeof(*sorted));
	size_t nr = 0;

	if (!sorted) {
		dat_nomem(c);
		return;
	}
	for (size_t i = 0; i < b->nr_regions; i++) {
		if (b->regions[i].size && b->regions[i].size < INT64_MAX)
			sorted[nr++] = b->regions[i];
	}
	qsort(sorted, nr, sizeof(*sorted), by_offset);
	sorted[nr].offset = end;
	for (size_t i = 0; i < nr; i++) {
		uint64_t count_bytes = b->is_packed ? DAT_CHUNK_COUNT_BYTES : 0;
		uint64_t reached = sorted[i].offset + sorted[i].size + count_bytes;
		uint64_t next = sorted[i + 1].offset;

		if (reached < next && !h->is_unfinished)
			h->nr_stray_pages += (next - reached) / b->page_bytes;
		else if (reached > next && reached - next > DAT_CHUNK_COUNT_BYTES && i + 1 < nr)
			h->nr_stray_pages++;
	}
	free(sorted);
}

int dat_page_bytes_are_sane(uint32_t n)
{
	return n >= PAGE_BYTES_MIN && n <= PAGE_BYTES_MAX && (n & (n - 1)) == 0;
}

/* ---- the start of the file ---- */

/* A few wrong bits are damage; more of them are another kind of file. */
static int head_magic(struct dat_head *h, struct dat_cursor *c)
{
	static const unsigned char magic[] = DAT_MAGIC;
	size_t len = h->file.size < DAT_MAGIC_BYTES ? (size_t)h->file.size : DAT_MAGIC_BYTES;
	unsigned char begin[DAT_MAGIC_BYTES] = { 0 };
	int nr_wrong_bits = 0;

	if (len == 0)
		return zwb_err_set(c->err, ZWB_EDATA, 0, "%s: is empty", h->file.path);
	dat_read(c, begin, len);
	for (size_t i = 0; i < len; i++)
		nr_wrong_bits += __builtin_popcount((unsigned int)(begin[i] ^ magic[i]));
	if (!c->status && nr_wrong_bits > 4)
		return zwb_err_set(c->err, ZWB_EKIND, 0, "%s: is not a trace.dat file of trace-cmd",
			h->file.path);
	if (nr_wrong_bits)
		dat_fail(c, "its first bytes are damaged");
	else if (len < DAT_MAGIC_BYTES)
		dat_fail(c, "ends too early");
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
	int ret = head_magic(h, c);
	uint8_t is_big_endian, long_bytes;
	char version[8];

	if (ret)
		return ret;
	dat_string(c, version, sizeof(version));
	if (!c->status && (version[0] < '6' || version[0] > '7' || version[1]))
		dat_fail(c, "of a version that is neither 6 nor 7");
	h->version = (unsigned int)(version[0] - '0');
	is_big_endian = dat_u8(c);
	long_bytes = dat_u8(c);
	h->page_bytes = dat_u32(c);
	if (c->status)
		return c->status;
	if (is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		dat_fail(c, is_big_endian == 1
				    ? "recorded on a big-endian machine; read it on such a machine"
				    : "not the byte order of this machine");
	else if (long_bytes != 4 && long_bytes != 8)
		dat_fail(c, "the size of a long is impossible");
	else if (!dat_page_bytes_are_sane(h->page_bytes))
		dat_fail(c, "the page size is impossible");
	return c->status;
}

static int head_index(struct dat_head *h, struct zwb_err *err)
{
	h->by_id = malloc((UINT16_MAX + 1) * sizeof(*h->by_id));
	if (!h->by_id)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event formats");
	memset(h->by_id, 0xff, (UINT16_MAX + 1) * sizeof(*h->by_id));
	for (size_t i = 0; i < h->nr_formats; i++) {
		uint16_t *index = &h->by_id[h->formats[i].id];

		if (*index != DAT_NO_FORMAT)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"%s: events %s and %s have the same id", h->file.path,
				h->formats[*index].name, h->formats[i].name);
		*index = (uint16_t)i;
	}
	return ZWB_OK;
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
	ret = h->version == 6 ? dat_v6_read(h, &c) : dat_v7_read(h, &c);
	if (!ret && !h->nr_buffers)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: describes no buffer", path);
	if (!ret && h->has_cpus && !h->nr_cpus)
		ret = zwb_err_set(err, ZWB_EDATA, 0, "%s: recorded on 0 CPUs", path);
	return ret ? ret : head_index(h, err);
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
	free(h->by_id);
	free(h->cpustats);
	dat_unpacker_release(&h->unpacker);
	dat_file_close(&h->file);
}
