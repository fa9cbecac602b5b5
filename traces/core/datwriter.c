/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes trace.dat files, version 6: trace-cmd.dat.v6(5). */
#include "datwriter.h"

#include "buf.h"
#include "outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAT_MAX_CPUS	   65536u
#define DAT_MIN_PAGE_BYTES 4096u
#define DAT_MAX_PAGE_BYTES 65536u
#define DAT_COPY_BYTES	   (1u << 20)
#define DAT_PAGE_HEADER	   (8 + sizeof(long)) /* time stamp and commit */

/* Formats of one group, each a 64-bit length and the text: as they lie in the file. */
struct dat_system {
	char *name;
	uint32_t nr_events;
	struct zwb_buf formats;
};

struct dat_cpu {
	int fd; /* spool; -1 until the first page */
	uint64_t bytes;
};

struct zwb_datwriter {
	struct zwb_outfile out;
	uint32_t nr_cpus;
	uint32_t page_bytes;
	struct zwb_buf texts[ZWB_DAT_NR_TEXTS];
	struct zwb_buf options;
	struct dat_system ftrace;
	struct dat_system *systems;
	size_t nr_systems;
	struct dat_cpu *cpus;
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

static void dat_free(struct zwb_datwriter *w)
{
	for (uint32_t i = 0; w->cpus && i < w->nr_cpus; i++) {
		if (w->cpus[i].fd >= 0)
			close(w->cpus[i].fd);
	}
	for (size_t i = 0; i < w->nr_systems; i++) {
		free(w->systems[i].name);
		zwb_buf_release(&w->systems[i].formats);
	}
	for (int i = 0; i < ZWB_DAT_NR_TEXTS; i++)
		zwb_buf_release(&w->texts[i]);
	zwb_buf_release(&w->ftrace.formats);
	zwb_buf_release(&w->options);
	free(w->systems);
	free(w->cpus);
	zwb_outfile_abort(&w->out);
	free(w);
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
	w->nr_cpus = config->nr_cpus;
	w->page_bytes = config->page_bytes;
	w->cpus = calloc(w->nr_cpus, sizeof(*w->cpus));
	if (!w->cpus) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %u CPUs", w->nr_cpus);
		goto out_free;
	}
	for (uint32_t i = 0; i < w->nr_cpus; i++)
		w->cpus[i].fd = -1;
	snprintf(clock, sizeof(clock), "[%s]\n", config->clock);
	ret = zwb_datwriter_option(w, ZWB_DAT_OPTION_TRACECLOCK, clock, err);
	if (!ret)
		ret = zwb_outfile_open(&w->out, path, force, err);
	if (ret)
		goto out_free;
	*writer = w;
	return ZWB_OK;

out_free:
	dat_free(w);
	return ret;
}

void zwb_datwriter_abort(struct zwb_datwriter *w)
{
	if (w)
		dat_free(w);
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
	zwb_buf_add(&w->texts[part], text, len);
	return zwb_buf_check(&w->texts[part], err);
}

int zwb_datwriter_option(
	struct zwb_datwriter *w, enum zwb_dat_option option, const char *text, struct zwb_err *err)
{
	dat_put16(&w->options, (uint16_t)option);
	dat_put32(&w->options, (uint32_t)strlen(text) + 1);
	dat_put_string(&w->options, text);
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
	struct dat_cpu *c = &w->cpus[cpu];
	size_t bytes = nr_pages * w->page_bytes;
	int ret;

	if (c->fd < 0) {
		c->fd = zwb_outfile_spool(&w->out, err);
		if (c->fd < 0)
			return c->fd;
	}
	ret = zwb_outfile_write(&w->out, c->fd, pages, bytes, err);
	if (!ret)
		c->bytes += bytes;
	return ret;
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

/* Where each CPU's pages lie, and zeros up to the first of them. */
static void dat_put_flyrecord(struct zwb_buf *head, const struct zwb_datwriter *w)
{
	static const unsigned char zeros[DAT_MAX_PAGE_BYTES];
	uint64_t offset;

	dat_put_string(head, "flyrecord");
	offset = dat_align(w, head->len + 16ull * w->nr_cpus);
	for (uint32_t i = 0; i < w->nr_cpus; i++) {
		dat_put64(head, offset);
		dat_put64(head, w->cpus[i].bytes);
		offset += w->cpus[i].bytes;
	}
	zwb_buf_add(head, zeros, (size_t)(dat_align(w, head->len) - head->len));
}

static int dat_write_head(struct zwb_datwriter *w, struct zwb_err *err)
{
	struct zwb_buf head = { 0 };
	int ret;

	dat_default_texts(w);
	dat_put_initial(&head, w->page_bytes);
	dat_put_string(&head, "header_page");
	dat_put_sized(&head, &w->texts[ZWB_DAT_HEADER_PAGE]);
	dat_put_string(&head, "header_event");
	dat_put_sized(&head, &w->texts[ZWB_DAT_HEADER_EVENT]);
	dat_put_system(&head, &w->ftrace);
	dat_put32(&head, (uint32_t)w->nr_systems);
	for (size_t i = 0; i < w->nr_systems; i++)
		dat_put_system(&head, &w->systems[i]);
	dat_put_sized32(&head, &w->texts[ZWB_DAT_KALLSYMS]);
	dat_put_sized32(&head, &w->texts[ZWB_DAT_PRINTK]);
	dat_put_sized(&head, &w->texts[ZWB_DAT_CMDLINES]);
	dat_put32(&head, w->nr_cpus);
	dat_put_string(&head, "options  ");
	dat_put_buf(&head, &w->options);
	dat_put16(&head, 0); /* no more options */
	dat_put_flyrecord(&head, w);
	ret = zwb_buf_check(&w->texts[ZWB_DAT_HEADER_PAGE], err);
	if (!ret)
		ret = zwb_buf_check(&w->texts[ZWB_DAT_HEADER_EVENT], err);
	if (!ret)
		ret = zwb_buf_check(&head, err);
	if (!ret)
		ret = zwb_outfile_write(&w->out, w->out.fd, head.data, head.len, err);
	zwb_buf_release(&head);
	return ret;
}

static int dat_copy_cpu(
	struct zwb_datwriter *w, struct dat_cpu *cpu, unsigned char *space, struct zwb_err *err)
{
	uint64_t done = 0;
	int ret;

	while (done < cpu->bytes) {
		uint64_t left = cpu->bytes - done;
		size_t want = left < DAT_COPY_BYTES ? (size_t)left : DAT_COPY_BYTES;
		ssize_t got = pread(cpu->fd, space, want, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return zwb_err_set(err, ZWB_EENV, got < 0 ? errno : EIO,
				"%s: cannot read its temporary file", w->out.path);
		ret = zwb_outfile_write(&w->out, w->out.fd, space, (size_t)got, err);
		if (ret)
			return ret;
		done += (uint64_t)got;
	}
	close(cpu->fd); /* gives the space back before the next CPU needs it */
	cpu->fd = -1;
	return ZWB_OK;
}

int zwb_datwriter_finish(struct zwb_datwriter *w, struct zwb_err *err)
{
	unsigned char *space = malloc(DAT_COPY_BYTES);
	int ret;

	if (!space) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to put %s together", w->out.path);
		goto out_free;
	}
	ret = dat_write_head(w, err);
	for (uint32_t i = 0; i < w->nr_cpus && !ret; i++) {
		if (w->cpus[i].bytes)
			ret = dat_copy_cpu(w, &w->cpus[i], space, err);
	}
	if (!ret)
		ret = zwb_outfile_commit(&w->out, err);

out_free:
	free(space);
	dat_free(w);
	return ret;
}
