/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes trace.dat files, version 6: trace-cmd.dat.v6(5). */
#include "datwriter.h"

#include "buf.h"
#include "datwriter_hide.h"
#include "datwriter_spool.h"
#include "outfile.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAT_MAX_CPUS	   65536u
#define DAT_MIN_PAGE_BYTES 4096u
#define DAT_MAX_PAGE_BYTES 65536u
#define DAT_PAGE_HEADER	   (8 + sizeof(long)) /* time stamp and commit */

/* Formats of one group, each a 64-bit length and the text: as they lie in the file. */
struct dat_system {
	char *name;
	uint32_t nr_events;
	struct zwb_buf formats;
};

struct zwb_datwriter {
	struct zwb_outfile out;
	struct zwb_datspool spool;
	uint32_t nr_cpus;
	uint32_t page_bytes;
	size_t table_offset; /* in the partial file; 0 until it has a head */
	struct zwb_buf texts[ZWB_DAT_NR_TEXTS];
	struct zwb_buf options;
	struct dat_system ftrace;
	struct dat_system *systems;
	size_t nr_systems;
	struct zwb_dathide *hide; /* NULL: nothing is hidden */
};

static const char dat_header_event[] = "# compressed entry header\n"
				       "\ttype_len    :    5 bits\n"
				       "\ttime_delta  :   27 bits\n"
				       "\tarray       :   32 bits\n"
				       "\n"
				       "\tpadding     : type == 29\n"
				       "\ttime_extend : type == 30\n"
				       "\ttime_stamp : type == 31\n"
				       "\tdata max type_len  == 28\n";

static int dat_check_config(const struct zwb_datwriter_config *config, struct zwb_err *err)
{
	uint32_t page = config->page_bytes;

	if (config->nr_cpus < 1 || config->nr_cpus > DAT_MAX_CPUS)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"a trace.dat of %u CPUs; 1 to %u can be written", config->nr_cpus,
			DAT_MAX_CPUS);
	if (page < DAT_MIN_PAGE_BYTES || page > DAT_MAX_PAGE_BYTES || (page & (page - 1)))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"ring-buffer pages of %u bytes; a power of two from %u to %u is needed",
			page, DAT_MIN_PAGE_BYTES, DAT_MAX_PAGE_BYTES);
	return ZWB_OK;
}

static void dat_free(struct zwb_datwriter *w, int is_partial_kept)
{
	for (size_t i = 0; i < w->nr_systems; i++) {
		free(w->systems[i].name);
		zwb_buf_release(&w->systems[i].formats);
	}
	for (int i = 0; i < ZWB_DAT_NR_TEXTS; i++)
		zwb_buf_release(&w->texts[i]);
	zwb_buf_release(&w->ftrace.formats);
	zwb_buf_release(&w->options);
	free(w->systems);
	zwb_dathide_free(w->hide);
	zwb_datspool_close(&w->spool, is_partial_kept);
	zwb_outfile_abort(&w->out);
	free(w);
}

/* A partial file stands for the temporary one while recording. */
static int dat_open_spool(
	struct zwb_datwriter *w, const struct zwb_datwriter_config *config, struct zwb_err *err)
{
	int is_named = config->has_partial && !zwb_outfile_is_in_place(&w->out);

	if (is_named)
		zwb_outfile_suspend(&w->out);
	return zwb_datspool_open(&w->spool, &w->out, is_named, w->nr_cpus, err);
}

int zwb_datwriter_open(struct zwb_datwriter **writer, const char *path, int force,
	const struct zwb_datwriter_config *config, struct zwb_err *err)
{
	struct zwb_datwriter *w;
	char clock[64];
	int ret = dat_check_config(config, err);

	if (ret)
		return ret;
	w = calloc(1, sizeof(*w));
	if (!w)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a trace.dat writer");
	w->out.fd = -1;
	w->spool.fd = -1;
	w->nr_cpus = config->nr_cpus;
	w->page_bytes = config->page_bytes;
	if (config->anon)
		ret = zwb_dathide_create(&w->hide, config->anon, w->page_bytes, err);
	snprintf(clock, sizeof(clock), "[%s]\n", config->clock);
	if (!ret)
		ret = zwb_datwriter_option(w, ZWB_DAT_OPTION_TRACECLOCK, clock, err);
	if (!ret)
		ret = zwb_outfile_open(&w->out, path, force, err);
	if (!ret)
		ret = dat_open_spool(w, config, err);
	if (ret) {
		dat_free(w, 0);
		return ret;
	}
	*writer = w;
	return ZWB_OK;
}

void zwb_datwriter_abort(struct zwb_datwriter *w)
{
	if (w)
		dat_free(w, 0);
}

uint32_t zwb_datwriter_page_bytes(const struct zwb_datwriter *w)
{
	return w->page_bytes;
}

uint32_t zwb_datwriter_nr_cpus(const struct zwb_datwriter *w)
{
	return w->nr_cpus;
}

static void dat_put16(struct zwb_buf *buf, uint16_t value)
{
	zwb_buf_add(buf, &value, sizeof(value));
}

static void dat_put32(struct zwb_buf *buf, uint32_t value)
{
	zwb_buf_add(buf, &value, sizeof(value));
}

static void dat_put64(struct zwb_buf *buf, uint64_t value)
{
	zwb_buf_add(buf, &value, sizeof(value));
}

static void dat_put_buf(struct zwb_buf *buf, const struct zwb_buf *part)
{
	zwb_buf_add(buf, part->data, part->len);
}

/* Text with its NUL. */
static void dat_put_string(struct zwb_buf *buf, const char *text)
{
	zwb_buf_add(buf, text, strlen(text) + 1);
}

int zwb_datwriter_text(struct zwb_datwriter *w, enum zwb_dat_text part, const void *text,
	size_t len, struct zwb_err *err)
{
	if (w->hide && (part == ZWB_DAT_KALLSYMS || part == ZWB_DAT_PRINTK))
		return ZWB_OK;
	if (w->hide && part == ZWB_DAT_CMDLINES) {
		zwb_dathide_cmdlines(w->hide, text, len, &w->texts[part]);
		return zwb_buf_check(&w->texts[part], err);
	}
	zwb_buf_add(&w->texts[part], text, len);
	return zwb_buf_check(&w->texts[part], err);
}

static void dat_put_option(struct zwb_buf *options, enum zwb_dat_option option, const char *text)
{
	dat_put16(options, (uint16_t)option);
	dat_put32(options, (uint32_t)strlen(text) + 1);
	dat_put_string(options, text);
}

int zwb_datwriter_option(
	struct zwb_datwriter *w, enum zwb_dat_option option, const char *text, struct zwb_err *err)
{
	struct zwb_buf hidden = { 0 };
	int ret;

	if (w->hide && option == ZWB_DAT_OPTION_UNAME) {
		zwb_dathide_uname(w->hide, text, &hidden);
		zwb_buf_add(&hidden, "", 1);
		ret = zwb_buf_check(&hidden, err);
		if (ret)
			return ret;
		text = (const char *)hidden.data;
	}
	dat_put_option(&w->options, option, text);
	zwb_buf_release(&hidden);
	return zwb_buf_check(&w->options, err);
}

static int dat_system(
	struct zwb_datwriter *w, const char *name, struct dat_system **system, struct zwb_err *err)
{
	struct dat_system *bigger;

	*system = &w->ftrace;
	if (strcmp(name, "ftrace") == 0)
		return ZWB_OK;
	for (size_t i = 0; i < w->nr_systems; i++) {
		*system = &w->systems[i];
		if (strcmp((*system)->name, name) == 0)
			return ZWB_OK;
	}
	bigger = reallocarray(w->systems, w->nr_systems + 1, sizeof(*bigger));
	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event group %s", name);
	w->systems = bigger;
	*system = &bigger[w->nr_systems];
	**system = (struct dat_system){ .name = strdup(name) };
	if (!(*system)->name)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event group %s", name);
	w->nr_systems++;
	return ZWB_OK;
}

int zwb_datwriter_format(struct zwb_datwriter *w, const char *system, const void *text, size_t len,
	struct zwb_err *err)
{
	struct dat_system *sys;
	int ret = dat_system(w, system, &sys, err);

	if (!ret && w->hide)
		ret = zwb_dathide_format(w->hide, system, text, len, err);
	if (ret)
		return ret;
	sys->nr_events++;
	dat_put64(&sys->formats, len);
	zwb_buf_add(&sys->formats, text, len);
	return zwb_buf_check(&sys->formats, err);
}

int zwb_datwriter_pages(struct zwb_datwriter *w, uint32_t cpu, const void *pages, size_t nr_pages,
	struct zwb_err *err)
{
	void *hidden = NULL;
	int ret = ZWB_OK;

	if (w->hide) {
		ret = zwb_dathide_pages(w->hide, pages, nr_pages, &hidden, err);
		pages = hidden;
	}
	if (!ret)
		ret = zwb_datspool_append(
			&w->spool, &w->out, cpu, pages, nr_pages * w->page_bytes, err);
	free(hidden);
	return ret;
}

uint64_t zwb_datwriter_nr_erased(const struct zwb_datwriter *w)
{
	return w->hide ? zwb_dathide_nr_erased(w->hide) : 0;
}

static void dat_default_texts(struct zwb_datwriter *w)
{
	struct zwb_buf *page = &w->texts[ZWB_DAT_HEADER_PAGE];
	struct zwb_buf *event = &w->texts[ZWB_DAT_HEADER_EVENT];

	if (page->len == 0)
		zwb_buf_addf(page,
			"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			"\tfield: local_t commit;\toffset:8;\tsize:%zu;\tsigned:1;\n"
			"\tfield: char overwrite;\toffset:8;\tsize:1;\tsigned:0;\n"
			"\tfield: char data;\toffset:%zu;\tsize:%zu;\tsigned:0;\n",
			sizeof(long), DAT_PAGE_HEADER, w->page_bytes - DAT_PAGE_HEADER);
	if (event->len == 0)
		zwb_buf_add(event, dat_header_event, sizeof(dat_header_event) - 1);
}

static void dat_put_initial(struct zwb_buf *head, uint32_t page_bytes)
{
	static const unsigned char magic[] = { 0x17, 0x08, 0x44 };
	const unsigned char kind[] = { __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long) };

	zwb_buf_add(head, magic, sizeof(magic));
	zwb_buf_add(head, "tracing", 7);
	dat_put_string(head, "6");
	zwb_buf_add(head, kind, sizeof(kind));
	dat_put32(head, page_bytes);
}

/* A text in front of which its length stands in 64 bits. */
static void dat_put_sized(struct zwb_buf *head, const struct zwb_buf *text)
{
	dat_put64(head, text->len);
	dat_put_buf(head, text);
}

/* The same with 32 bits; no kernel's kallsyms come near 4 GiB. */
static void dat_put_sized32(struct zwb_buf *head, const struct zwb_buf *text)
{
	dat_put32(head, (uint32_t)text->len);
	dat_put_buf(head, text);
}

static void dat_put_system(struct zwb_buf *head, const struct dat_system *sys)
{
	if (sys->name)
		dat_put_string(head, sys->name);
	dat_put32(head, sys->nr_events);
	dat_put_buf(head, &sys->formats);
}

static uint64_t dat_align(const struct zwb_datwriter *w, uint64_t offset)
{
	return (offset + w->page_bytes - 1) & ~(uint64_t)(w->page_bytes - 1);
}

/* Everything in front of the table of CPUs. */
static int dat_put_head(
	struct zwb_buf *head, struct zwb_datwriter *w, int is_unfinished, struct zwb_err *err)
{
	int ret;

	dat_default_texts(w);
	dat_put_initial(head, w->page_bytes);
	dat_put_string(head, "header_page");
	dat_put_sized(head, &w->texts[ZWB_DAT_HEADER_PAGE]);
	dat_put_string(head, "header_event");
	dat_put_sized(head, &w->texts[ZWB_DAT_HEADER_EVENT]);
	dat_put_system(head, &w->ftrace);
	dat_put32(head, (uint32_t)w->nr_systems);
	for (size_t i = 0; i < w->nr_systems; i++)
		dat_put_system(head, &w->systems[i]);
	dat_put_sized32(head, &w->texts[ZWB_DAT_KALLSYMS]);
	dat_put_sized32(head, &w->texts[ZWB_DAT_PRINTK]);
	dat_put_sized(head, &w->texts[ZWB_DAT_CMDLINES]);
	dat_put32(head, w->nr_cpus);
	dat_put_string(head, "options  ");
	dat_put_buf(head, &w->options);
	if (is_unfinished)
		dat_put_option(head, ZWB_DAT_OPTION_VERSION, ZWB_DAT_UNFINISHED);
	dat_put16(head, 0); /* no more options */
	dat_put_string(head, "flyrecord");
	ret = zwb_buf_check(&w->texts[ZWB_DAT_HEADER_PAGE], err);
	if (!ret)
		ret = zwb_buf_check(&w->texts[ZWB_DAT_HEADER_EVENT], err);
	return ret ? ret : zwb_buf_check(head, err);
}

/* Where each CPU's pages lie when they follow each other, and zeros up to the first of them. */
static void dat_put_table(struct zwb_buf *head, const struct zwb_datwriter *w)
{
	static const unsigned char zeros[DAT_MAX_PAGE_BYTES];
	uint64_t offset = dat_align(w, head->len + 16ull * w->nr_cpus);

	for (uint32_t i = 0; i < w->nr_cpus; i++) {
		dat_put64(head, offset);
		dat_put64(head, w->spool.bytes[i]);
		offset += w->spool.bytes[i];
	}
	zwb_buf_add(head, zeros, (size_t)(dat_align(w, head->len) - head->len));
}

/* The same for the partial file, where they are already. */
static void dat_put_partial_table(struct zwb_buf *table, const struct zwb_datwriter *w)
{
	for (uint32_t i = 0; i < w->nr_cpus; i++) {
		dat_put64(table, zwb_datspool_offset(&w->spool, i));
		dat_put64(table, w->spool.bytes[i]);
	}
}

int zwb_datwriter_flush(struct zwb_datwriter *w, struct zwb_err *err)
{
	struct zwb_buf head = { 0 };
	size_t table_offset = w->table_offset;
	int ret = ZWB_OK;

	if (!w->spool.path)
		return ZWB_OK;
	if (!table_offset) {
		ret = dat_put_head(&head, w, 1, err);
		table_offset = head.len;
	}
	dat_put_partial_table(&head, w);
	if (!ret)
		ret = zwb_buf_check(&head, err);
	if (!ret)
		ret = zwb_datspool_put_head(
			&w->spool, &w->out, w->table_offset, head.data, head.len, err);
	if (!ret)
		w->table_offset = table_offset;
	zwb_buf_release(&head);
	return ret;
}

static int dat_write_head(struct zwb_datwriter *w, struct zwb_err *err)
{
	struct zwb_buf head = { 0 };
	int ret = dat_put_head(&head, w, 0, err);

	if (!ret) {
		dat_put_table(&head, w);
		ret = zwb_buf_check(&head, err);
	}
	if (!ret)
		ret = zwb_outfile_write(&w->out, w->out.fd, head.data, head.len, err);
	zwb_buf_release(&head);
	return ret;
}

int zwb_datwriter_finish(struct zwb_datwriter *w, struct zwb_err *err)
{
	int ret = zwb_datwriter_flush(w, err);

	if (!ret)
		ret = zwb_outfile_resume(&w->out, err);
	if (!ret)
		ret = dat_write_head(w, err);
	for (uint32_t i = 0; i < w->nr_cpus && !ret; i++)
		ret = zwb_datspool_copy(&w->spool, &w->out, i, err);
	if (!ret)
		ret = zwb_outfile_commit(&w->out, err);
	dat_free(w, ret && w->table_offset);
	return ret;
}
