/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows each other in a page of the kernel's ring buffer: the rarer items. */
#include "datpage_item.h"

#include <stddef.h>

int zwb_page_item_long(
	const unsigned char *pos, const unsigned char *end, struct zwb_page_item *item)
{
	const unsigned char *data = pos + 4;
	uint32_t header, type, delta, word;

	memcpy(&header, pos, sizeof(header));
	type = zwb_page_item_type(header);
	delta = zwb_page_item_delta(header);
	if (type == ZWB_PAGE_PADDING && delta == 0) { /* nothing behind it in this page */
		*item = (struct zwb_page_item){ .next = end };
		return 0;
	}
	if (end - data < 4)
		return -1;
	memcpy(&word, data, sizeof(word));
	*item = (struct zwb_page_item){ .next = data + 4, .time = delta };
	if (type == ZWB_PAGE_EXTEND || type == ZWB_PAGE_STAMP) {
		item->time += (uint64_t)word << ZWB_PAGE_TIME_BITS;
		item->is_stamp = type == ZWB_PAGE_STAMP;
		return 0;
	}
	/* the word is a length that counts itself */
	if (word < 4 || word > (size_t)(end - data) || word > UINT32_MAX - 3 ||
		((word + 3) & ~3u) > (size_t)(end - data))
		return header ? -1 : -2;
	item->next = data + ((word + 3) & ~3u);
	if (type != ZWB_PAGE_PADDING) {
		item->data = data + 4;
		item->data_bytes = (uint32_t)(item->next - item->data);
	}
	return 0;
}
