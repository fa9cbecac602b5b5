/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts and counters of the host inside a trace.dat: texts in print events. */
#ifndef ZWB_MARKER_H
#define ZWB_MARKER_H

#include "buf.h"
#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A recording has the ring buffer of one CPU more than the machine: the last one holds nothing but
 * "ftrace/print" events, made here, whose texts are what the recorder knows about the host. They
 * are read before all other events, whatever their time. traces/FORMAT.md says which sections
 * there are and how their lines look.
 *
 *	zwb1 start facts zswap\n
 *	max_pool_percent: 20\n
 *
 * is the text of an event: heading, then lines. A section that is longer than an event goes on, at
 * the begin of a line, in the next event, whose heading begins with "zwb1+".
 */
#define ZWB_MARKER_BEGIN "zwb1 " /* of the heading; the number is the version of the form */
#define ZWB_MARKER_MORE	 "zwb1+ "

enum zwb_phase { ZWB_PHASE_START, ZWB_PHASE_SAMPLE, ZWB_PHASE_END };

/** zwb_phase_name() - "start", "sample" or "end". */
const char *zwb_phase_name(enum zwb_phase phase);

struct zwb_markers_config {
	uint32_t page_bytes; /* of the ring buffer: a power of two, 4096 to 65536 */
	uint16_t print_id; /* what the format of ftrace/print in the same file says */
	/* Takes one page of the marker CPU. */
	int (*put_page)(void *arg, const void *page, struct zwb_err *err);
	void *arg;
};

/* Makes the pages of the marker CPU. */
struct zwb_markers;

/** zwb_markers_open() - Return: ZWB_OK; ZWB_EUSAGE for an impossible page size; ZWB_ENOMEM. */
int zwb_markers_open(
	struct zwb_markers **markers, const struct zwb_markers_config *config, struct zwb_err *err);

/**
 * zwb_markers_add() - write one section.
 * @ts_ns: in the clock of the recording, not less than at the last call.
 * @section: "facts capture", "counters vmstat" ...; without line ends, less than 512 bytes.
 * @text: lines, each with its end. Lines that are longer than an event are cut.
 * Return: ZWB_OK; ZWB_EUSAGE for an impossible @section; ZWB_ENOMEM, also when an add to @text
 * failed; what put_page() returned.
 */
int zwb_markers_add(struct zwb_markers *m, uint64_t ts_ns, enum zwb_phase phase,
	const char *section, const struct zwb_buf *text, struct zwb_err *err);

/**
 * zwb_markers_flush() - hand over the page that is being filled, if it has an event.
 * At the end, and wherever what was added must not be lost.
 */
int zwb_markers_flush(struct zwb_markers *m, struct zwb_err *err);

/** zwb_markers_close() - free @m; what was not flushed is gone. NULL allowed. */
void zwb_markers_close(struct zwb_markers *m);

/** zwb_marker_format() - append a "format" text of ftrace/print, for files without the kernel's. */
void zwb_marker_format(unsigned int print_id, struct zwb_buf *text);

#endif
