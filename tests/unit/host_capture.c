/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of the made-up host. */
#include "host_capture.h"

#include "tracefile.h"

#include <stdio.h>
#include <time.h>

#define PRINT_ID   5
#define MARKER_CPU 2 /* behind two of the machine */

static int put_page(void *arg, const void *page, struct zwb_err *err)
{
	struct capture *c = arg;

	return zwb_datwriter_pages(c->b.writer, MARKER_CPU, page, 1, err);
}

uint64_t capture_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void capture_begin(struct capture *c, const struct host_tree *t, const char *cgroup, size_t max)
{
	const struct zwb_host_config host = {
		.root = t->root, .cgroup = cgroup, .nr_cgroups_max = max
	};
	const struct zwb_markers_config markers = {
		.page_bytes = BUILD_PAGE_BYTES, .print_id = PRINT_ID, .put_page = put_page, .arg = c
	};
	struct zwb_buf format = { 0 };

	*c = (struct capture){ .tree = t };
	snprintf(c->path, sizeof(c->path), "%s/trace.dat", t->root);
	build_begin(&c->b, c->path, MARKER_CPU + 1);
	zwb_marker_format(PRINT_ID, &format);
	assert_int_equal(
		zwb_datwriter_format(c->b.writer, "ftrace", format.data, format.len, NULL), ZWB_OK);
	zwb_buf_release(&format);
	assert_int_equal(zwb_markers_open(&c->markers, &markers, NULL), ZWB_OK);
	assert_int_equal(zwb_host_open(&c->host, &host, NULL), ZWB_OK);
}

void capture_facts(struct capture *c, enum zwb_phase phase)
{
	assert_int_equal(zwb_host_facts(c->host, phase, c->markers, NULL), ZWB_OK);
}

void capture_sample(struct capture *c, enum zwb_phase phase)
{
	assert_int_equal(zwb_host_sample(c->host, phase, c->markers, NULL), ZWB_OK);
}

void capture_end(struct capture *c)
{
	assert_int_equal(zwb_markers_flush(c->markers, NULL), ZWB_OK);
	zwb_markers_close(c->markers);
	zwb_host_close(c->host);
	build_stores(&c->b, 0, 3, capture_now_ns(), 10);
	build_end(&c->b);
}

struct zwb_stream *capture_reopen(const struct capture *c)
{
	struct zwb_stream *s;
	struct zwb_err err;

	if (zwb_trace_open(c->path, NULL, &s, &err))
		fail_msg("%s", err.text);
	return s;
}
