/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts and counters of the host inside a trace.dat: texts in print events. */
#include "marker.h"

#include "datwriter_page.h"

#include <stdlib.h>
#include <string.h>

#define MARKER_HEADING_MAX 540u /* beginning, phase, section and line end */
#define MARKER_SECTION_MAX 512u
/* page header and event header, at their longest */
#define MARKER_PAGE_ROOM(page_bytes) ((page_bytes)-8 - sizeof(long) - 8)

struct zwb_markers {
	struct zwb_markers_config config;
	struct zwb_datpage page;
	size_t text_max; /* bytes of an event's text, its NUL included */
	unsigned char memory[];
};

/* What stands before the text: kernel/trace/trace_entries.h, FTRACE_ENTRY(print). */
struct marker_print {
	struct zwb_dat_common common;
	unsigned long ip;
};

const char *zwb_phase_name(enum zwb_phase phase)
{
	static const char *const names[] = { "start", "sample", "end" };

	return names[phase];
}

int zwb_markers_open(
	struct zwb_markers **markers, const struct zwb_markers_config *config, struct zwb_err *err)
{
	uint32_t n = config->page_bytes;
	struct zwb_markers *m;

	if (n < 4096 || n > 65536 || (n & (n - 1)))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%u is no page size of a ring buffer", n);
	m = calloc(1, sizeof(*m) + n);
	if (!m)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a page of markers");
	m->config = *config;
	m->text_max = MARKER_PAGE_ROOM(n) - sizeof(struct marker_print);
	zwb_datpage_init(&m->page, m->memory, n);
	*markers = m;
	return ZWB_OK;
}

int zwb_markers_flush(struct zwb_markers *m, struct zwb_err *err)
{
	if (zwb_datpage_is_empty(&m->page))
		return ZWB_OK;
	zwb_datpage_close(&m->page);
	zwb_datpage_init(&m->page, m->memory, m->config.page_bytes);
	return m->config.put_page(m->config.arg, m->memory, err);
}

static int marker_put(struct zwb_markers *m, uint64_t ts_ns, const struct zwb_buf *heading,
	const char *text, size_t len, struct zwb_err *err)
{
	const struct marker_print print = { .common.type = m->config.print_id };
	size_t bytes = sizeof(print) + heading->len + len + 1;
	unsigned char *to = zwb_datpage_reserve(&m->page, ts_ns, bytes);
	int ret;

	if (!to) {
		ret = zwb_markers_flush(m, err);
		if (ret)
			return ret;
		to = zwb_datpage_reserve(&m->page, ts_ns, bytes);
	}
	memcpy(to, &print, sizeof(print));
	memcpy(to + sizeof(print), heading->data, heading->len);
	if (len)
		memcpy(to + sizeof(print) + heading->len, text, len);
	to[bytes - 1] = '\0';
	return ZWB_OK;
}

/* How much of @text goes into one event of @room bytes: whole lines, or the begin of one. */
static size_t marker_piece(const char *text, size_t len, size_t room)
{
	const char *end;

	if (len <= room)
		return len;
	end = memrchr(text, '\n', room);
	return end ? (size_t)(end - text) + 1 : room;
}

/* What follows a line that was cut. */
static size_t marker_rest_of_line(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);

	return end ? (size_t)(end - text) + 1 : len;
}

static int marker_put_pieces(struct zwb_markers *m, uint64_t ts_ns, struct zwb_buf *heading,
	const char *text, size_t len, struct zwb_err *err)
{
	size_t room = m->text_max - heading->len - 2; /* and "+" */
	size_t piece = marker_piece(text, len, room);
	int ret = marker_put(m, ts_ns, heading, text, piece, err);
	struct zwb_buf more = { 0 };

	zwb_buf_addf(&more, "%s", ZWB_MARKER_MORE);
	zwb_buf_add(&more, heading->data + strlen(ZWB_MARKER_BEGIN),
		heading->len - strlen(ZWB_MARKER_BEGIN));
	if (!ret)
		ret = zwb_buf_check(&more, err);
	while (!ret && piece < len) {
		text += piece;
		len -= piece;
		if (text[-1] != '\n') {
			piece = marker_rest_of_line(text, len);
			continue;
		}
		piece = marker_piece(text, len, room);
		ret = marker_put(m, ts_ns, &more, text, piece, err);
	}
	zwb_buf_release(&more);
	return ret;
}

int zwb_markers_add(struct zwb_markers *m, uint64_t ts_ns, enum zwb_phase phase,
	const char *section, const struct zwb_buf *text, struct zwb_err *err)
{
	struct zwb_buf heading = { 0 };
	int ret;

	if (strlen(section) >= MARKER_SECTION_MAX || strchr(section, '\n'))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"the name of a section has a line end or is too long: \"%.64s\"", section);
	zwb_buf_addf(&heading, "%s%s %s\n", ZWB_MARKER_BEGIN, zwb_phase_name(phase), section);
	ret = zwb_buf_check(text->failed ? text : &heading, err);
	if (!ret)
		ret = marker_put_pieces(
			m, ts_ns, &heading, (const char *)text->data, text->len, err);
	zwb_buf_release(&heading);
	return ret;
}

void zwb_markers_close(struct zwb_markers *m)
{
	free(m);
}

void zwb_marker_format(unsigned int print_id, struct zwb_buf *text)
{
	zwb_buf_addf(text, "name: print\nID: %u\nformat:\n", print_id);
	zwb_buf_addf(text,
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:unsigned long ip;\toffset:8;\tsize:%zu;\tsigned:0;\n"
		"\tfield:char buf[];\toffset:%zu;\tsize:0;\tsigned:0;\n\n"
		"print fmt: \"%%ps: %%s\", (void *)REC->ip, REC->buf\n",
		sizeof(long), sizeof(struct marker_print));
}
