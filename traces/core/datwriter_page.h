/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes ring-buffer pages out of events, as the kernel would (kernel/trace/ring_buffer.c). */
#ifndef ZWB_DATWRITER_PAGE_H
#define ZWB_DATWRITER_PAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A page is a 64-bit time stamp, a commit word (bytes of events, and flags), and events. An event
 * is a 32-bit word with its length and the time since the event before (27 bits, ns), and its
 * payload, padded to 4 bytes. A longer time gets a record of its own, and a time that went back an
 * absolute one. A payload begins with struct zwb_dat_common.
 *
 * The builder works in memory of the caller and allocates nothing:
 * init(), then reserve() and fill in what it returns until it returns NULL, then close().
 */
struct zwb_datpage {
	unsigned char *data; /* page_bytes; borrowed */
	size_t page_bytes;
	size_t used; /* page header included */
	uint64_t last_ns; /* time of the last event */
	uint64_t missed; /* events said to be lost before this page */
	int events_are_missed;
};

/* What every event of every group begins with. */
struct zwb_dat_common {
	uint16_t type; /* the ID of its format */
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

#define ZWB_DATPAGE_MISSED_UNKNOWN UINT64_MAX /* events were lost; the kernel cannot say how many */

/**
 * zwb_datpage_init() - begin an empty page.
 * @memory: @page_bytes, at least 64; borrowed until close().
 */
void zwb_datpage_init(struct zwb_datpage *p, void *memory, size_t page_bytes);

/**
 * zwb_datpage_reserve() - add an event.
 * @ts_ns: less than 2^59.
 * @len: bytes of payload, more than 0.
 * Return: where the payload goes (4-byte aligned), or NULL when the page has no room for it. An
 * event that is longer than an empty page has room for never fits.
 */
void *zwb_datpage_reserve(struct zwb_datpage *p, uint64_t ts_ns, size_t len);

/** zwb_datpage_missed() - say that @nr events before this page were lost. */
void zwb_datpage_missed(struct zwb_datpage *p, uint64_t nr);

/** zwb_datpage_is_empty() - true until an event was added. */
int zwb_datpage_is_empty(const struct zwb_datpage *p);

/** zwb_datpage_close() - write the page header and zero what is left. */
void zwb_datpage_close(struct zwb_datpage *p);

#endif
