/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Version 6 of trace.dat: one part after the other; trace-cmd.dat.v6(5). */
#include "grow.h"
#include "tracedat_priv.h"

#include <stdlib.h>
#include <string.h>

struct v6_instances {
	uint64_t *offsets; /* of the buffer in the same place of dat_head */
	size_t nr;
};

static void v6_instance(struct dat_head *h, struct dat_cursor *c, struct v6_instances *more)
{
	uint64_t offset = dat_u64(c);
	struct dat_buffer *b;
	char name[sizeof(b->name)];

	dat_string(c, name, sizeof(name));
	if (!c->status && !name[0])
		return; /* the top buffer, which is described in its own place */
	b = dat_head_add_buffer(h, c);
	if (!b)
		return;
	memcpy(b->name, name, sizeof(name));
	if (!ZWB_GROW(more->offsets, more->nr)) {
		dat_nomem(c);
		return;
	}
	more->offsets[more->nr++] = offset;
}

static void v6_options(struct dat_head *h, struct dat_cursor *c, struct v6_instances *more)
{
	for (;;) {
		uint16_t id = dat_u16(c);
		struct dat_cursor option;
		uint32_t len;

		if (c->status || id == DAT_OPT_DONE)
			return;
		len = dat_u32(c);
		option = *c;
		dat_skip(c, len);
		if (c->status)
			return;
		option.end = c->pos;
		if (id == DAT_OPT_BUFFER && more)
			v6_instance(h, &option, more);
		else
			dat_head_option(h, &option, id);
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
	dat_head_regions(&h->buffers[buffer], c, h->nr_cpus, 0);
}

/* Instances stand in the options of the top buffer, and are described where those say. */
static void v6_buffers(struct dat_head *h, struct dat_cursor *c)
{
	struct v6_instances more = { 0 };
	uint32_t nr_cpus;

	if (dat_head_add_buffer(h, c))
		v6_buffer(h, c, 0, &more);
	nr_cpus = h->nr_cpus;
	for (size_t i = 0; i < more.nr && !c->status; i++) {
		c->pos = more.offsets[i];
		c->what = "the table of CPUs of an instance";
		v6_buffer(h, c, 1 + i, NULL);
		h->nr_cpus = nr_cpus;
	}
	free(more.offsets);
}

int dat_v6_read(struct dat_head *h, struct dat_cursor *c)
{
	c->what = "the page header";
	dat_head_header_info(h, c);
	c->what = "the event formats";
	dat_head_ftrace_events(h, c);
	dat_head_event_formats(h, c);
	c->what = "the symbol table";
	dat_skip(c, dat_u32(c));
	c->what = "the printk formats";
	dat_skip(c, dat_u32(c));
	c->what = "the table of tasks";
	dat_head_cmdlines(h, c);
	c->what = "the table of CPUs";
	dat_head_cpus(h, c);
	v6_buffers(h, c);
	/* instances have headers of their own between the pages */
	if (!c->status && h->nr_buffers == 1)
		dat_head_check_layout(h, c, &h->buffers[0], c->end);
	return c->status;
}
