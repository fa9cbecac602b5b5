/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows each other in a page of the kernel's ring buffer. */
#ifndef ZWB_DATPAGE_ITEM_H
#define ZWB_DATPAGE_ITEM_H

#include <stdint.h>
#include <string.h>

/*
 * kernel/trace/ring_buffer.c, v6.1 to v7.3: behind the page header lie items of a 32-bit word (5
 * bits of type or length, 27 bits of time since the last) and their data.
 */
enum {
	ZWB_PAGE_DATA_MAX = 28, /* types 1 to this: words of data */
	ZWB_PAGE_PADDING = 29,
	ZWB_PAGE_EXTEND = 30,
	ZWB_PAGE_STAMP = 31,
};

#define ZWB_PAGE_TIME_BITS 27

/* An event, or a step of time, or nothing (padding). */
struct zwb_page_item {
	const unsigned char *data, *next;
	uint32_t data_bytes; /* 0: no event */
	int is_stamp; /* time is all of it, else it is added */
	uint64_t time;
};

/** zwb_page_item_long() - those that do not carry their length in the header, see below. */
int zwb_page_item_long(
	const unsigned char *pos, const unsigned char *end, struct zwb_page_item *item);

static inline uint32_t zwb_page_item_type(uint32_t header)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? header >> ZWB_PAGE_TIME_BITS : header & 31;
}

static inline uint32_t zwb_page_item_delta(uint32_t header)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? header & ((1u << ZWB_PAGE_TIME_BITS) - 1)
						      : header >> 5;
}

/**
 * zwb_page_item_parse() - the item at @pos, in the byte order of this machine.
 * @end: where the events of the page end.
 * Return: 0, and @item->next is behind it; -1 when it contradicts itself; -2 for a header of zeros
 * with no sense in it, see item_restore() in traces/store.
 */
static inline int zwb_page_item_parse(
	const unsigned char *pos, const unsigned char *end, struct zwb_page_item *item)
{
	uint32_t header, type;

	if (end - pos < 4)
		return -1;
	memcpy(&header, pos, sizeof(header));
	type = zwb_page_item_type(header);
	if (type == 0 || type > ZWB_PAGE_DATA_MAX)
		return zwb_page_item_long(pos, end, item);
	if (4 * (size_t)type > (size_t)(end - pos) - 4)
		return -1;
	*item = (struct zwb_page_item){ .data = pos + 4,
		.next = pos + 4 + 4 * (size_t)type,
		.data_bytes = 4 * type,
		.time = zwb_page_item_delta(header) };
	return 0;
}

#endif
