/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream of events in time order, with its metadata, whatever it is read from. */
#ifndef ZWB_STREAM_H
#define ZWB_STREAM_H

#include "err.h"
#include "event.h"
#include "meta.h"

#include <stddef.h>

struct zwb_stream;

struct zwb_stream_ops {
	/*
	 * next: point *events at up to some thousand records, valid until the next call, and set
	 * *nr_events; 0 means the end. A damaged part that can be skipped is skipped and noted as
	 * a loss; a negative status means that nothing more can be read.
	 */
	int (*next)(struct zwb_stream *s, const struct zwb_event **events, size_t *nr_events,
		struct zwb_err *err);
	void (*close)(struct zwb_stream *s);
	/* left: how much input is not read yet, in any unit, for progress; NULL: not known. */
	uint64_t (*left)(const struct zwb_stream *s);
};

/* Embedded as first member by implementations. */
struct zwb_stream {
	const struct zwb_stream_ops *ops;
	struct zwb_meta *meta; /* owned by the stream; losses and tallies are final at its end */
};

static inline int zwb_stream_next(struct zwb_stream *s, const struct zwb_event **events,
	size_t *nr_events, struct zwb_err *err)
{
	return s->ops->next(s, events, nr_events, err);
}

/** zwb_stream_left() - input that is not read yet: goes down to 0; 0 all the time: not known. */
static inline uint64_t zwb_stream_left(const struct zwb_stream *s)
{
	return s->ops->left ? s->ops->left(s) : 0;
}

/** zwb_stream_close() - release the stream and its metadata; NULL allowed. */
static inline void zwb_stream_close(struct zwb_stream *s)
{
	if (s)
		s->ops->close(s);
}

#endif
