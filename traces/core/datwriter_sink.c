/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a stream of records as a trace.dat. */
#include "datwriter_sink.h"

#include "datwriter.h"
#include "datwriter_kinds.h"
#include "datwriter_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SINK_PAGE_BYTES	  4096u
#define SINK_NR_PAGES	  16u /* collected before they are written */
#define SINK_SECTOR_BYTES 512u
#define SINK_TYPE_SHIFT	  58 /* of the swap type in a swp_entry */
#define SINK_SIO	  0x1000u /* a swap IO's address: anything but 0 */
#define SINK_COMM_BYTES	  sizeof(((struct zwb_task *)NULL)->comm)

struct sink_cpu {
	unsigned char *pages; /* NULL until the first event */
	size_t nr_full;
	struct zwb_datpage page; /* the one behind the full ones */
};

struct zwb_datsink {
	struct zwb_datwriter *writer;
	const struct zwb_meta *meta;
	struct sink_cpu *cpus;
	uint32_t nr_cpus;
	const char *last_comm; /* answer to the last question for a task's name */
	int32_t last_tid;
	size_t nr_tasks; /* when that was */
	struct zwb_dat_layout layouts[ZWB_DAT_NR_SCHEMAS];
};

static int sink_put_formats(struct zwb_datsink *s, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (unsigned int i = 0; i < ZWB_DAT_NR_SCHEMAS && !ret; i++) {
		const struct zwb_dat_schema *schema = &zwb_dat_schemas[i];
		struct zwb_buf text = { 0 };

		if (!schema->name)
			continue;
		zwb_dat_layout(schema, &s->layouts[i]);
		zwb_dat_format(schema, ZWB_DAT_FIRST_ID + i, &text);
		ret = zwb_buf_check(&text, err);
		if (!ret)
			ret = zwb_datwriter_format(
				s->writer, schema->system, text.data, text.len, err);
		zwb_buf_release(&text);
	}
	return ret;
}

static int sink_put_options(struct zwb_datsink *s, struct zwb_err *err)
{
	struct zwb_buf uname = { 0 };
	int ret;

	zwb_buf_addf(
		&uname, "Linux zwb %s unknown", s->meta->kernel[0] ? s->meta->kernel : "unknown");
	zwb_buf_add(&uname, "", 1);
	ret = zwb_buf_check(&uname, err);
	if (!ret)
		ret = zwb_datwriter_option(
			s->writer, ZWB_DAT_OPTION_UNAME, (const char *)uname.data, err);
	if (!ret)
		ret = zwb_datwriter_option(
			s->writer, ZWB_DAT_OPTION_VERSION, "zwb " ZWB_VERSION, err);
	zwb_buf_release(&uname);
	return ret;
}

int zwb_datsink_open(struct zwb_datsink **sink, const char *path, int force,
	const struct zwb_meta *meta, struct zwb_err *err)
{
	const struct zwb_datwriter_config config = {
		.nr_cpus = meta->nr_cpus,
		.page_bytes = SINK_PAGE_BYTES,
		.clock = meta->clock[0] ? meta->clock : "mono",
	};
	struct zwb_datsink *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a trace.dat writer");
	s->meta = meta;
	s->nr_cpus = meta->nr_cpus;
	s->cpus = calloc(s->nr_cpus ? s->nr_cpus : 1, sizeof(*s->cpus));
	ret = s->cpus ? ZWB_OK
		      : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %u CPUs", s->nr_cpus);
	if (!ret)
		ret = zwb_datwriter_open(&s->writer, path, force, &config, err);
	if (!ret)
		ret = sink_put_formats(s, err);
	if (!ret)
		ret = sink_put_options(s, err);
	if (ret) {
		zwb_datsink_abort(s);
		return ret;
	}
	*sink = s;
	return ZWB_OK;
}

static const char *sink_find_comm(const struct zwb_datsink *s, int32_t tid)
{
	if (tid == 0)
		return "swapper";
	for (size_t i = 0; i < s->meta->nr_tasks; i++) {
		if (s->meta->tasks[i].tid == tid)
			return s->meta->tasks[i].comm;
	}
	return "<...>";
}

static void sink_put_comm(struct zwb_datsink *s, int32_t tid, unsigned char *at)
{
	if (!s->last_comm || s->last_tid != tid || s->nr_tasks != s->meta->nr_tasks) {
		s->last_comm = sink_find_comm(s, tid);
		s->last_tid = tid;
		s->nr_tasks = s->meta->nr_tasks;
	}
	memset(at, 0, SINK_COMM_BYTES);
	memcpy(at, s->last_comm, strnlen(s->last_comm, SINK_COMM_BYTES - 1));
}

/* blk_fill_rwbs() */
static void sink_put_op(uint8_t flags, unsigned char *at, size_t room)
{
	unsigned char text[8];
	size_t len = 0;

	if (flags & ZWB_OP_FLUSH)
		text[len++] = 'F';
	if (flags & ZWB_OP_WRITE)
		text[len++] = 'W';
	else if (flags & ZWB_OP_DISCARD)
		text[len++] = 'D';
	else if (flags & ZWB_OP_OTHER)
		text[len++] = 'N';
	else if (!(flags & ZWB_OP_FLUSH))
		text[len++] = 'R';
	if (flags & ZWB_OP_FUA)
		text[len++] = 'F';
	if (flags & ZWB_OP_RAHEAD)
		text[len++] = 'A';
	if (flags & ZWB_OP_SYNC)
		text[len++] = 'S';
	if (flags & ZWB_OP_META)
		text[len++] = 'M';
	memset(at, 0, room);
	memcpy(at, text, len);
}

static int sink_load_result(int32_t val)
{
	if (val == 1)
		return 0;
	return val == 0 ? -ENOENT : -EIO;
}

static uint64_t sink_device(const struct zwb_meta *meta, uint16_t dev)
{
	return (uint64_t)meta->devices[dev].major << 20 | meta->devices[dev].minor;
}

static uint64_t sink_number(
	const struct zwb_datsink *s, const struct zwb_event *ev, const struct zwb_dat_field *f)
{
	switch ((enum zwb_dat_source)f->source) {
	case ZWB_DAT_ADDR:
		return ev->addr;
	case ZWB_DAT_LEN:
		return ev->len;
	case ZWB_DAT_VAL:
		return (uint64_t)(int64_t)ev->val;
	case ZWB_DAT_TID:
		return (uint64_t)(int64_t)ev->tid;
	case ZWB_DAT_SLOT:
		return ev->addr | (uint64_t)ev->dev << SINK_TYPE_SHIFT;
	case ZWB_DAT_CGROUP_ID:
		return s->meta->cgroups[ev->cgroup].id;
	case ZWB_DAT_DEVICE:
		return sink_device(s->meta, ev->dev);
	case ZWB_DAT_END_SECTOR:
		return ev->addr + ev->len;
	case ZWB_DAT_BYTES_OF_SECTORS:
		return (uint64_t)ev->len * SINK_SECTOR_BYTES;
	case ZWB_DAT_BYTES_OF_PAGES:
		return (uint64_t)ev->len * s->meta->page_bytes;
	case ZWB_DAT_SIO:
		return ev->len ? SINK_SIO : 0;
	case ZWB_DAT_FOLIO_HEAD:
		return ev->len > 1;
	case ZWB_DAT_LOAD_RESULT:
		return (uint64_t)(int64_t)sink_load_result(ev->val);
	case ZWB_DAT_OUTER_PLUG:
		return ev->val ? 0 : 1;
	case ZWB_DAT_SAME_PLUG:
		return ev->val ? f->number : 0;
	default:
		return f->number;
	}
}

static void sink_put_number(unsigned char *at, size_t size, uint64_t number)
{
	const uint32_t n32 = (uint32_t)number;
	const uint16_t n16 = (uint16_t)number;

	if (size == sizeof(number))
		memcpy(at, &number, sizeof(number));
	else if (size == sizeof(n32))
		memcpy(at, &n32, sizeof(n32));
	else if (size == sizeof(n16))
		memcpy(at, &n16, sizeof(n16));
	else
		*at = (unsigned char)number;
}

static void sink_pack(struct zwb_datsink *s, const struct zwb_event *ev, unsigned int index,
	unsigned char *payload)
{
	const struct zwb_dat_layout *layout = &s->layouts[index];
	const struct zwb_dat_common common = {
		.type = (uint16_t)(ZWB_DAT_FIRST_ID + index),
		.pid = ev->tid,
	};

	memset(payload, 0, layout->bytes); /* probe addresses and gaps */
	memcpy(payload, &common, sizeof(common));
	for (size_t i = 0; i < layout->nr_fields; i++) {
		const struct zwb_dat_field *f = &zwb_dat_schemas[index].fields[i];
		unsigned char *at = payload + layout->offsets[i];

		if (f->source == ZWB_DAT_COMM)
			sink_put_comm(s, ev->tid, at);
		else if (f->source == ZWB_DAT_ADDR_COMM)
			sink_put_comm(s, (int32_t)ev->addr, at);
		else if (f->source == ZWB_DAT_OP)
			sink_put_op(ev->flags, at, f->nr);
		else
			sink_put_number(at, f->size, sink_number(s, ev, f));
	}
}

static int sink_write_pages(struct zwb_datsink *s, uint32_t cpu, struct zwb_err *err)
{
	struct sink_cpu *c = &s->cpus[cpu];
	size_t nr = c->nr_full;

	c->nr_full = 0;
	return nr ? zwb_datwriter_pages(s->writer, cpu, c->pages, nr, err) : ZWB_OK;
}

/* Begin an empty page, behind those that are full. */
static int sink_next_page(struct zwb_datsink *s, uint32_t cpu, struct zwb_err *err)
{
	struct sink_cpu *c = &s->cpus[cpu];
	int ret = ZWB_OK;

	if (!c->pages) {
		c->pages = malloc((size_t)SINK_NR_PAGES * SINK_PAGE_BYTES);
		if (!c->pages)
			return zwb_err_set(
				err, ZWB_ENOMEM, 0, "no memory for the pages of CPU %u", cpu);
	} else {
		zwb_datpage_close(&c->page);
		c->nr_full++;
		if (c->nr_full == SINK_NR_PAGES)
			ret = sink_write_pages(s, cpu, err);
	}
	zwb_datpage_init(&c->page, c->pages + c->nr_full * SINK_PAGE_BYTES, SINK_PAGE_BYTES);
	return ret;
}

static int sink_check(const struct zwb_datsink *s, const struct zwb_event *ev, struct zwb_err *err)
{
	if (zwb_dat_schema_of(ev) < 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"a %s event of walk kind %u at %" PRIu64
			" ns cannot be put into a trace.dat",
			zwb_event_kind_name(ev->kind), ev->flags, ev->ts_ns);
	if (ev->cpu >= s->nr_cpus || ev->cgroup >= s->meta->nr_cgroups)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"event at %" PRIu64 " ns: CPU %u or cgroup %u is not in the metadata",
			ev->ts_ns, ev->cpu, ev->cgroup);
	if (zwb_event_kind_is_block(ev->kind) && ev->dev >= s->meta->nr_devices)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"event at %" PRIu64 " ns: device %u is not in the metadata", ev->ts_ns,
			ev->dev);
	return ZWB_OK;
}

int zwb_datsink_add(
	struct zwb_datsink *s, const struct zwb_event *events, size_t nr, struct zwb_err *err)
{
	for (size_t i = 0; i < nr; i++) {
		const struct zwb_event *ev = &events[i];
		uint64_t ts_ns = s->meta->start_ns + ev->ts_ns;
		unsigned char *payload = NULL;
		unsigned int index;
		int ret = sink_check(s, ev, err);

		if (ret)
			return ret;
		index = (unsigned int)zwb_dat_schema_of(ev);
		if (s->cpus[ev->cpu].pages)
			payload = zwb_datpage_reserve(
				&s->cpus[ev->cpu].page, ts_ns, s->layouts[index].bytes);
		if (!payload) {
			ret = sink_next_page(s, ev->cpu, err);
			if (ret)
				return ret;
			payload = zwb_datpage_reserve(
				&s->cpus[ev->cpu].page, ts_ns, s->layouts[index].bytes);
		}
		sink_pack(s, ev, index, payload);
	}
	return ZWB_OK;
}

/* saved_cmdlines. */
static int sink_put_tasks(struct zwb_datsink *s, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };
	int ret;

	for (size_t i = 0; i < s->meta->nr_tasks; i++)
		zwb_buf_addf(&text, "%d %s\n", s->meta->tasks[i].tid, s->meta->tasks[i].comm);
	ret = zwb_buf_check(&text, err);
	if (!ret)
		ret = zwb_datwriter_text(s->writer, ZWB_DAT_CMDLINES, text.data, text.len, err);
	zwb_buf_release(&text);
	return ret;
}

int zwb_datsink_finish(struct zwb_datsink *s, struct zwb_err *err)
{
	struct zwb_datwriter *writer = s->writer;
	int ret = ZWB_OK;

	for (uint32_t cpu = 0; cpu < s->nr_cpus && !ret; cpu++) {
		if (!s->cpus[cpu].pages)
			continue;
		if (!zwb_datpage_is_empty(&s->cpus[cpu].page))
			ret = sink_next_page(s, cpu, err);
		if (!ret)
			ret = sink_write_pages(s, cpu, err);
	}
	if (!ret)
		ret = sink_put_tasks(s, err);
	if (!ret) {
		s->writer = NULL;
		ret = zwb_datwriter_finish(writer, err);
	}
	zwb_datsink_abort(s);
	return ret;
}

void zwb_datsink_abort(struct zwb_datsink *s)
{
	if (!s)
		return;
	for (uint32_t cpu = 0; s->cpus && cpu < s->nr_cpus; cpu++)
		free(s->cpus[cpu].pages);
	free(s->cpus);
	zwb_datwriter_abort(s->writer);
	free(s);
}
