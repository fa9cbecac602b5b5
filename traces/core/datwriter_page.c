/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes ring-buffer pages out of events, as the kernel would (kernel/trace/ring_buffer.c, v6.x). */
#include "datwriter_page.h"

#include <string.h>

#define PAGE_HEADER_BYTES  (8 + sizeof(long))
#define PAGE_MISSED_EVENTS (~0ul << 31) /* (1 << 31) is an int there: all bits above, too */
#define PAGE_MISSED_STORED (1ul << 30)
#define EVENT_ALIGN	   4u
#define EVENT_TYPE_BITS	   5
#define EVENT_DELTA_BITS   27
#define EVENT_DELTA_MASK   ((1u << EVENT_DELTA_BITS) - 1)
#define EVENT_SHORT_MAX	   (28u * EVENT_ALIGN) /* longest payload whose length fits the type */
#define EVENT_TIME_EXTEND  30u
#define EVENT_TIME_STAMP   31u
#define EVENT_HEADER_BYTES 4u
#define RECORD_TIME_BYTES  8u

_Static_assert(sizeof(struct zwb_dat_common) == 8, "as the kernel's struct trace_entry");

/* The bit field { type_len:5, time_delta:27 }, which the ABI lays out by byte order. */
static uint32_t page_event_word(uint32_t type_len, uint32_t delta)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return type_len | delta << EVENT_TYPE_BITS;
#else
	return type_len << EVENT_DELTA_BITS | delta;
#endif
}

static void page_put32(struct zwb_datpage *p, uint32_t value)
{
	memcpy(p->data + p->used, &value, sizeof(value));
	p->used += sizeof(value);
}

void zwb_datpage_init(struct zwb_datpage *p, void *memory, size_t page_bytes)
{
	*p = (struct zwb_datpage){
		.data = memory,
		.page_bytes = page_bytes,
		.used = PAGE_HEADER_BYTES,
	};
}

int zwb_datpage_is_empty(const struct zwb_datpage *p)
{
	return p->used == PAGE_HEADER_BYTES;
}

/* A record that carries 59 bits of time: a difference or an absolute stamp. */
static void page_put_time(struct zwb_datpage *p, uint32_t type, uint64_t time_ns)
{
	page_put32(p, page_event_word(type, (uint32_t)time_ns & EVENT_DELTA_MASK));
	page_put32(p, (uint32_t)(time_ns >> EVENT_DELTA_BITS));
}

void *zwb_datpage_reserve(struct zwb_datpage *p, uint64_t ts_ns, size_t len)
{
	size_t padded = (len + EVENT_ALIGN - 1) & ~(size_t)(EVENT_ALIGN - 1);
	size_t header = EVENT_HEADER_BYTES + (padded > EVENT_SHORT_MAX ? EVENT_ALIGN : 0);
	int is_first = zwb_datpage_is_empty(p);
	int is_back = !is_first && ts_ns < p->last_ns;
	uint64_t delta = is_first || is_back ? 0 : ts_ns - p->last_ns;
	int is_far = delta > EVENT_DELTA_MASK;
	size_t time_bytes = is_far || is_back ? RECORD_TIME_BYTES : 0;
	void *payload;

	if (len > p->page_bytes || time_bytes + header + padded > p->page_bytes - p->used)
		return NULL;
	if (is_first)
		memcpy(p->data, &ts_ns, sizeof(ts_ns));
	if (is_back)
		page_put_time(p, EVENT_TIME_STAMP, ts_ns);
	else if (is_far)
		page_put_time(p, EVENT_TIME_EXTEND, delta);
	if (is_far)
		delta = 0;
	p->last_ns = ts_ns;
	if (padded > EVENT_SHORT_MAX) {
		page_put32(p, page_event_word(0, (uint32_t)delta));
		page_put32(p, (uint32_t)(padded + EVENT_ALIGN)); /* counts its own word */
	} else {
		page_put32(p, page_event_word((uint32_t)(padded / EVENT_ALIGN), (uint32_t)delta));
	}
	payload = p->data + p->used;
	if (padded > len)
		memset(p->data + p->used + len, 0, padded - len);
	p->used += padded;
	return payload;
}

void zwb_datpage_missed(struct zwb_datpage *p, uint64_t nr)
{
	p->events_are_missed = 1;
	p->missed = nr;
}

/* ring_buffer_read_page(): the number follows the events when there is room for it. */
void zwb_datpage_close(struct zwb_datpage *p)
{
	unsigned long commit = p->used - PAGE_HEADER_BYTES;
	unsigned long missed = (unsigned long)p->missed;

	if (zwb_datpage_is_empty(p))
		memset(p->data, 0, sizeof(uint64_t));
	if (p->events_are_missed) {
		commit |= PAGE_MISSED_EVENTS;
		if (p->missed != ZWB_DATPAGE_MISSED_UNKNOWN &&
			p->page_bytes - p->used >= sizeof(missed)) {
			commit |= PAGE_MISSED_STORED;
			memcpy(p->data + p->used, &missed, sizeof(missed));
			p->used += sizeof(missed);
		}
	}
	memcpy(p->data + sizeof(uint64_t), &commit, sizeof(commit));
	memset(p->data + p->used, 0, p->page_bytes - p->used);
}
