/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small recordings made by hand for the tests of the trace.dat reader. */
#include "zwb_test.h"

#include "tracedat_build.h"

#include "buf.h"
#include "datwriter_schema.h"
#include "tracedat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define U64(name)                                                                                  \
	{                                                                                          \
		"u64", name, 8, 0, 0, 0, 0                                                         \
	}
#define U32(name)                                                                                  \
	{                                                                                          \
		"u32", name, 4, 0, 0, 0, 0                                                         \
	}
#define S32(name)                                                                                  \
	{                                                                                          \
		"s32", name, 4, 0, 1, 0, 0                                                         \
	}
#define FIELDS(...) ((const struct zwb_dat_field[]){ __VA_ARGS__, { 0 } })

static const struct zwb_dat_schema schemas[BUILD_NR_EVENTS] = {
	[BUILD_ZSTORE] = { "zlab", "zstore", ZWB_DAT_ENTRY_PROBE, NULL,
		FIELDS(U64("slot"), U64("cgid")) },
	[BUILD_ZSTORE_RET] = { "zlab", "zstore_ret", ZWB_DAT_RETURN_PROBE, NULL,
		FIELDS({ "u8", "ret", 1, 0, 0, 0, 0 }) },
	[BUILD_ZLOAD] = { "zlab", "zload", ZWB_DAT_ENTRY_PROBE, NULL,
		FIELDS(U64("slot"), U64("cgid")) },
	[BUILD_ZLOAD_RET] = { "zlab", "zload_ret", ZWB_DAT_RETURN_PROBE, NULL, FIELDS(S32("ret")) },
	[BUILD_SWPREAD] = { "zlab", "swpread", ZWB_DAT_ENTRY_PROBE, NULL, FIELDS(U64("slot")) },
	[BUILD_ISSUE] = { "block", "block_rq_issue", ZWB_DAT_TRACEPOINT, NULL,
		FIELDS(U32("dev"), U64("sector"), U32("nr_sector"),
			{ "char", "rwbs", 1, 8, 0, 0, 0 }) },
	[BUILD_OTHER] = { "other", "thing", ZWB_DAT_TRACEPOINT, NULL, FIELDS(U32("number")) },
};

int build_place_make(void **state)
{
	struct build_place *p = test_calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-tracedat-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->path, sizeof(p->path), "%s/trace.dat", p->dir);
	snprintf(p->other, sizeof(p->other), "%s/other.dat", p->dir);
	*state = p;
	return 0;
}

int build_place_remove(void **state)
{
	struct build_place *p = *state;
	int ret;

	unlink(p->path);
	unlink(p->other);
	ret = rmdir(p->dir);
	test_free(p);
	return ret;
}

/* ---- version 6 ---- */

void build_begin(struct build *b, const char *path, uint32_t nr_cpus)
{
	const struct zwb_datwriter_config config = { nr_cpus, BUILD_PAGE_BYTES, "mono", 0, NULL };
	static const char tasks[] = "1 init\n77 a b\n";

	assert_int_equal(zwb_datwriter_open(&b->writer, path, 1, &config, NULL), ZWB_OK);
	for (unsigned int i = 0; i < BUILD_NR_EVENTS; i++) {
		struct zwb_buf text = { 0 };

		zwb_dat_format(&schemas[i], BUILD_FIRST_ID + i, &text);
		assert_int_equal(zwb_datwriter_format(
					 b->writer, schemas[i].system, text.data, text.len, NULL),
			ZWB_OK);
		zwb_buf_release(&text);
	}
	assert_int_equal(
		zwb_datwriter_text(b->writer, ZWB_DAT_CMDLINES, tasks, sizeof(tasks) - 1, NULL),
		ZWB_OK);
	assert_int_equal(zwb_datwriter_option(b->writer, ZWB_DAT_OPTION_UNAME,
				 "Linux host 7.3.4-test x86_64", NULL),
		ZWB_OK);
	zwb_datpage_init(&b->builder, b->page, sizeof(b->page));
}

static void put_field(
	unsigned char *to, const struct zwb_dat_field *field, uint64_t number, const char *text)
{
	if (text)
		strncpy((char *)to, text, field->nr);
	else
		memcpy(to, &number, field->size); /* little-endian, as are the recordings */
}

void build_put(struct build *b, uint64_t ts_ns, int pid, enum build_event id, ...)
{
	struct zwb_dat_common common = { .type = (uint16_t)(BUILD_FIRST_ID + id), .pid = pid };
	const struct zwb_dat_field *fields = schemas[id].fields;
	struct zwb_dat_layout layout;
	unsigned char *data;
	va_list values;

	zwb_dat_layout(&schemas[id], &layout);
	data = zwb_datpage_reserve(&b->builder, ts_ns, layout.bytes);
	assert_non_null(data);
	memset(data, 0, layout.bytes);
	memcpy(data, &common, sizeof(common));
	va_start(values, id);
	for (size_t i = 0; i < layout.nr_fields; i++) {
		const char *text = fields[i].nr ? va_arg(values, const char *) : NULL;

		put_field(data + layout.offsets[i], &fields[i], text ? 0 : va_arg(values, uint64_t),
			text);
	}
	va_end(values);
}

void build_close(struct build *b)
{
	zwb_datpage_close(&b->builder);
}

void build_page(struct build *b, uint32_t cpu)
{
	if (b->builder.data)
		build_close(b);
	assert_int_equal(zwb_datwriter_pages(b->writer, cpu, b->page, 1, NULL), ZWB_OK);
	zwb_datpage_init(&b->builder, b->page, sizeof(b->page));
}

void build_end(struct build *b)
{
	assert_int_equal(zwb_datwriter_finish(b->writer, NULL), ZWB_OK);
}

void build_stores(struct build *b, uint32_t cpu, int nr, uint64_t ts_ns, uint64_t step_ns)
{
	for (int i = 0; i < nr; i++)
		build_put(b, ts_ns + (uint64_t)i * step_ns, 77, BUILD_ZSTORE, (uint64_t)i + 1,
			(uint64_t)42);
	build_page(b, cpu);
}

/* ---- version 7, from the parts of a version 6 file ---- */

struct v7 {
	unsigned char *from; /* version 6 */
	size_t at;
	struct zwb_buf out;
	const char *codec;
};

static uint64_t v6_number(struct v7 *v, size_t len)
{
	uint64_t number = 0;

	memcpy(&number, v->from + v->at, len);
	v->at += len;
	return number;
}

static void add_number(struct zwb_buf *to, uint64_t number, size_t len)
{
	zwb_buf_add(to, &number, len);
}

static void add_packed(struct v7 *v, const void *data, size_t len)
{
	uLongf room = compressBound(len) > ZSTD_compressBound(len) ? compressBound(len)
								   : ZSTD_compressBound(len);
	unsigned char *packed = malloc(room);

	if (strcmp(v->codec, "zlib") == 0)
		assert_int_equal(compress2(packed, &room, data, len, 6), Z_OK);
	else
		room = ZSTD_compress(packed, room, data, len, 3);
	add_number(&v->out, room, 4);
	add_number(&v->out, len, 4);
	zwb_buf_add(&v->out, packed, room);
	free(packed);
}

/* Return: where the section is. */
static uint64_t add_section(struct v7 *v, uint16_t id, const void *data, size_t len)
{
	int is_packed = strcmp(v->codec, "none") != 0;
	uint64_t offset = v->out.len, size;

	add_number(&v->out, id, 2);
	add_number(&v->out, (uint64_t)is_packed, 2);
	add_number(&v->out, 0, 4); /* no description */
	add_number(&v->out, 0, 8); /* size, put in later */
	if (is_packed)
		add_packed(v, data, len);
	else
		zwb_buf_add(&v->out, data, len);
	size = v->out.len - offset - 16;
	memcpy(v->out.data + offset + 8, &size, sizeof(size));
	return offset;
}

/* The parts from the page header to the table of tasks; their places go into options. */
static void add_head_sections(struct v7 *v, struct zwb_buf *options)
{
	static const uint16_t ids[] = { 16, 17, 18, 21 };

	for (size_t i = 0; i < ZWB_ARRAY_LEN(ids); i++) {
		size_t begin = v->at;
		uint64_t nr;

		switch (ids[i]) {
		case 16: /* two names with texts */
			for (int k = 0; k < 2; k++) {
				v->at += strlen((const char *)v->from + v->at) + 1;
				v->at += v6_number(v, 8);
			}
			break;
		case 17:
			for (nr = v6_number(v, 4); nr; nr--)
				v->at += v6_number(v, 8);
			break;
		case 18:
			for (nr = v6_number(v, 4); nr; nr--) {
				v->at += strlen((const char *)v->from + v->at) + 1;
				for (uint64_t k = v6_number(v, 4); k; k--)
					v->at += v6_number(v, 8);
			}
			break;
		default:
			v->at += v6_number(v, 4); /* symbols and printk formats are left out */
			v->at += v6_number(v, 4);
			begin = v->at;
			v->at += v6_number(v, 8);
		}
		add_number(options, ids[i], 2);
		add_number(options, 8, 4);
		add_number(options, add_section(v, ids[i], v->from + begin, v->at - begin), 8);
	}
}

/* Pages of one CPU, two to a chunk. Return: what trace-cmd calls their size. */
static uint64_t add_cpu(struct v7 *v, uint64_t offset, uint64_t size)
{
	uint64_t begin;

	while (v->out.len % BUILD_PAGE_BYTES)
		add_number(&v->out, 0, 1);
	begin = v->out.len;
	if (strcmp(v->codec, "none") == 0) {
		zwb_buf_add(&v->out, v->from + offset, size);
		return size;
	}
	add_number(&v->out, (size / BUILD_PAGE_BYTES + 1) / 2, 4);
	for (uint64_t done = 0; done < size; done += 2 * BUILD_PAGE_BYTES)
		add_packed(v, v->from + offset + done,
			size - done < 2 * BUILD_PAGE_BYTES ? size - done : 2 * BUILD_PAGE_BYTES);
	return v->out.len - begin - 4;
}

/* The pages of all CPUs once more as a buffer called @name; its description goes into @options. */
static void add_buffer(
	struct v7 *v, const char *name, uint32_t nr_cpus, size_t table, struct zwb_buf *options)
{
	struct zwb_buf option = { 0 };
	uint64_t section = v->out.len, size;

	add_number(&v->out, 3, 2);
	add_number(&v->out, strcmp(v->codec, "none") != 0, 2);
	add_number(&v->out, 0, 4); /* no description */
	add_number(&v->out, 0, 8); /* size, put in later */
	add_number(&option, section, 8);
	zwb_buf_add(&option, name, strlen(name) + 1);
	zwb_buf_add(&option, "mono", 5);
	add_number(&option, BUILD_PAGE_BYTES, 4);
	add_number(&option, nr_cpus, 4);
	v->at = table;
	for (uint32_t i = 0; i < nr_cpus; i++) {
		uint64_t offset = v6_number(v, 8), cpu_size = v6_number(v, 8);
		uint64_t begin = (v->out.len + BUILD_PAGE_BYTES - 1) / BUILD_PAGE_BYTES;

		add_number(&option, i, 4);
		add_number(&option, begin * BUILD_PAGE_BYTES, 8);
		add_number(&option, add_cpu(v, offset, cpu_size), 8);
	}
	size = v->out.len - section - 16;
	memcpy(v->out.data + section + 8, &size, sizeof(size));
	add_number(options, 3, 2);
	add_number(options, option.len, 4);
	zwb_buf_add(options, option.data, option.len);
	zwb_buf_release(&option);
}

/* A list of options; @next is where the next one is. Return: where that number stands. */
static size_t add_options(struct v7 *v, struct zwb_buf *options, uint64_t next)
{
	add_number(options, 0, 2);
	add_number(options, 8, 4);
	add_number(options, next, 8);
	add_number(&v->out, 0, 2 + 2 + 4);
	add_number(&v->out, options->len, 8);
	zwb_buf_add(&v->out, options->data, options->len);
	zwb_buf_release(options);
	return v->out.len - 8;
}

/* The options of version 6 have the same form. Return: the number of CPUs. */
static uint32_t add_v6_options(struct v7 *v, struct zwb_buf *options)
{
	uint32_t nr_cpus = (uint32_t)v6_number(v, 4);
	size_t begin = v->at += 10, end;

	for (end = begin; v6_number(v, 2); end = v->at)
		v->at += v6_number(v, 4);
	zwb_buf_add(options, v->from + begin, end - begin);
	add_number(options, 8, 2);
	add_number(options, 4, 4);
	add_number(options, nr_cpus, 4);
	v->at += 10;
	return nr_cpus;
}

void build_v7(const char *from, const char *to, const char *codec, const char *instance)
{
	struct zwb_buf options = { 0 };
	size_t size, first, place, table;
	struct v7 v = { .codec = codec };
	uint32_t nr_cpus;
	uint64_t offset;

	v.from = build_slurp(from, &size);
	v.at = 18; /* behind the page size */
	zwb_buf_add(&v.out, v.from, 10);
	zwb_buf_addf(&v.out, "7%c", 0);
	zwb_buf_add(&v.out, v.from + 12, 6);
	zwb_buf_addf(&v.out, "%s%c1%c", codec, 0, 0);
	place = v.out.len;
	add_number(&v.out, 0, 8);
	add_head_sections(&v, &options);
	nr_cpus = add_v6_options(&v, &options);
	table = v.at;
	offset = v.out.len;
	memcpy(v.out.data + place, &offset, sizeof(offset));
	first = add_options(&v, &options, 0);
	add_buffer(&v, "", nr_cpus, table, &options);
	if (instance)
		add_buffer(&v, instance, nr_cpus, table, &options);
	offset = v.out.len;
	memcpy(v.out.data + first, &offset, sizeof(offset));
	add_options(&v, &options, 0);
	build_spill(to, v.out.data, v.out.len);
	zwb_buf_release(&v.out);
	free(v.from);
}

/* ---- files and streams ---- */

unsigned char *build_slurp(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char *data;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	data = malloc(*size + 1);
	assert_non_null(data);
	assert_int_equal(read(fd, data, *size), *size);
	close(fd);
	return data;
}

void build_spill(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
}

struct build_result build_read(const char *path, const char *instance)
{
	const struct zwb_tracedat_opts opts = { .instance = instance };
	struct build_result r = { 0 };
	const struct zwb_event *events;
	size_t nr;

	r.status = zwb_tracedat_open(path, &opts, &r.stream, &r.err);
	while (!r.status) {
		r.status = zwb_stream_next(r.stream, &events, &nr, &r.err);
		if (r.status || !nr)
			break;
		r.events = realloc(r.events, (r.nr + nr) * sizeof(*events));
		assert_non_null(r.events);
		memcpy(r.events + r.nr, events, nr * sizeof(*events));
		r.nr += nr;
	}
	return r;
}

void build_result_release(struct build_result *r)
{
	zwb_stream_close(r->stream);
	free(r->events);
	*r = (struct build_result){ 0 };
}

long build_loss(const struct build_result *r, enum zwb_loss_kind kind)
{
	const struct zwb_meta *meta = r->stream->meta;
	long nr = -1;

	for (size_t i = 0; i < meta->nr_losses; i++) {
		if (meta->losses[i].kind == kind)
			nr = (nr < 0 ? 0 : nr) + (long)meta->losses[i].nr;
	}
	return nr;
}
