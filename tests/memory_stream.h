/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream out of an array, in blocks of any size. */
#ifndef MEMORY_STREAM_H
#define MEMORY_STREAM_H

#include "stream.h"

struct memory_stream {
	struct zwb_stream stream; /* metadata borrowed */
	const struct zwb_event *events;
	size_t nr, next;
	size_t block; /* events at a time, at least 1 */
	int fails_at_end; /* status that comes instead of the end */
};

static int memory_next(
	struct zwb_stream *s, const struct zwb_event **events, size_t *nr, struct zwb_err *err)
{
	struct memory_stream *m = (struct memory_stream *)s;
	size_t left = m->nr - m->next;

	if (left == 0 && m->fails_at_end)
		return zwb_err_set(err, m->fails_at_end, 0, "the stream broke");
	*events = m->events + m->next;
	*nr = left > m->block ? m->block : left;
	m->next += *nr;
	return ZWB_OK;
}

static const struct zwb_stream_ops memory_ops = { .next = memory_next };

static struct memory_stream memory_stream_of(
	struct zwb_meta *meta, const struct zwb_event *events, size_t nr, size_t block)
{
	return (struct memory_stream){
		.stream = { &memory_ops, meta }, .events = events, .nr = nr, .block = block
	};
}

#endif
