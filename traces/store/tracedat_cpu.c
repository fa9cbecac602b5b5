/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walking the ring-buffer pages of one CPU. The format is that of kernel/trace/ring_buffer.c
 * (include/linux/ring_buffer.h, struct buffer_data_page), v6.1 to v7.3: a page has a time, a commit
 * word (bytes used, and whether events are missing before it), then events of a 32-bit header
 * (5 bits of type or length, 27 bits of time since the last) and their data.
 */
#include "tracedat_priv.h"

#include "datpage_item.h"

#include <stdlib.h>
#include <string.h>

#define WINDOWS_BYTES	(16u << 20) /* of all CPUs together */
#define WINDOW_MAX	(256u << 10)
#define COMMIT_MASK	((1u << 27) - 1)
#define COMMIT_STORED	(1ull << 30) /* the number of missing events follows the data */
#define COMMIT_MISSING	(1ull << 31)
#define CHUNK_MIN_MAX	(1u << 20) /* taken, whatever the page size */
#define CHUNK_PAGES	64u /* trace-cmd puts 10 pages into a chunk */
#define CLEAN_PER_DIRTY 4u

#define STAMP_MISSES (0xf8ull << 56) /* bits that an absolute stamp does not hold */

/* A part that cannot be read. Neighbouring ones are one gap, which ends with the next event. */
static void cpu_bad(struct dat_cpu *c, enum zwb_loss_kind kind, uint64_t nr)
{
	if (c->bad_is_open && c->bad_kind != kind)
		dat_cpu_flush(c);
	if (!c->bad_is_open)
		c->bad = (struct dat_gap){ .first = c->ts, .has_first = c->has_last };
	c->bad.nr += nr;
	c->bad_kind = kind;
	c->bad_is_open = 1;
}

void dat_cpu_flush(struct dat_cpu *c)
{
	if (c->bad_is_open)
		dat_losses_put(c->losses, c->cpu, c->bad_kind, &c->bad);
	c->bad_is_open = 0;
}

/* How much of a plain region to read at once. */
static size_t window_bytes(const struct dat_head *head, uint32_t page_bytes)
{
	size_t nr = 1, bytes;

	for (size_t i = 0; i < head->nr_buffers; i++)
		nr += head->buffers[i].nr_regions;
	bytes = WINDOWS_BYTES / nr < WINDOW_MAX ? WINDOWS_BYTES / nr : WINDOW_MAX;
	bytes -= bytes % page_bytes;
	return bytes < page_bytes ? page_bytes : bytes;
}

/* A packed region begins with the number of its chunks. */
static int open_packed(struct dat_cpu *c, struct zwb_err *err)
{
	struct dat_cursor at = {
		.file = &c->head->file,
		.pos = c->file_pos,
		.end = c->file_end,
		.what = "a buffer",
		.err = err,
	};

	c->chunks_left = dat_u32(&at);
	c->file_pos = at.status ? c->file_end : at.pos;
	return at.status == ZWB_EENV ? at.status : ZWB_OK;
}

int dat_cpu_open(struct dat_cpu *c, const struct dat_head *head, const struct dat_buffer *buffer,
	const struct dat_region *region, struct dat_losses *losses, struct zwb_err *err)
{
	uint64_t bytes = region->size + (buffer->is_packed ? DAT_CHUNK_COUNT_BYTES : 0);
	uint64_t file_bytes = head->file.size;

	*c = (struct dat_cpu){
		.cpu = region->cpu,
		.head = head,
		.losses = losses,
		.page_bytes = buffer->page_bytes,
		.is_packed = buffer->is_packed,
	};
	if (region->size == 0)
		return ZWB_OK;
	c->file_pos = region->offset < file_bytes ? region->offset : file_bytes;
	c->file_end = bytes < file_bytes - c->file_pos ? c->file_pos + bytes : file_bytes;
	c->is_cut = region->offset > file_bytes || bytes > file_bytes - region->offset;
	if (c->is_packed)
		return open_packed(c, err);
	c->window_size = window_bytes(head, c->page_bytes);
	c->window = malloc(c->window_size);
	return c->window ? ZWB_OK : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for pages");
}

void dat_cpu_close(struct dat_cpu *c)
{
	free(c->window);
	c->window = NULL;
}

/*
 * The kernel zeroes what it does not use of a page that it hands out (ring_buffer_read_page()), but
 * not of one that a reader has mapped. So something behind the events means that the commit word is
 * too small when nearly all other pages end in zeros, and nothing when they do not.
 */
static void page_tail(struct dat_cpu *c, const unsigned char *tail, size_t len)
{
	if (len == 0)
		return;
	if (tail[0] == 0 && memcmp(tail, tail + 1, len - 1) == 0)
		c->nr_clean_tails++;
	else
		c->nr_dirty_tails++;
}

/* Nothing more can be read of the region. */
static int cpu_finish(struct dat_cpu *c)
{
	if (c->nr_dirty_tails && c->nr_dirty_tails < c->nr_clean_tails / CLEAN_PER_DIRTY)
		cpu_bad(c, ZWB_LOSS_BAD_PAGE, c->nr_dirty_tails);
	c->nr_dirty_tails = 0;
	if (c->is_cut)
		cpu_bad(c, ZWB_LOSS_TRUNCATED, 1);
	else if (c->chunks_left || c->file_end - c->file_pos > DAT_CHUNK_COUNT_BYTES)
		cpu_bad(c, ZWB_LOSS_BAD_PAGE, 1);
	c->is_cut = 0;
	c->chunks_left = 0;
	c->file_pos = c->file_end;
	return 0;
}

static int window_grow(struct dat_cpu *c, size_t size, struct zwb_err *err)
{
	unsigned char *bigger;

	if (size <= c->window_size)
		return ZWB_OK;
	bigger = realloc(c->window, size);
	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a chunk of %zu bytes", size);
	c->window = bigger;
	c->window_size = size;
	return ZWB_OK;
}

/* Return: 1 with the next chunk in the window (empty when it is damaged), 0 at the end. */
static int chunk_next(struct dat_cpu *c, struct zwb_err *err)
{
	struct dat_cursor at = { .file = &c->head->file,
		.pos = c->file_pos,
		.end = c->file_end,
		.what = "a chunk",
		.err = err };
	uint32_t max = CHUNK_PAGES * c->page_bytes;
	uint32_t packed, unpacked;
	unsigned char *from;
	int ret;

	if (!c->chunks_left || c->file_end - c->file_pos < 8)
		return cpu_finish(c);
	packed = dat_u32(&at);
	unpacked = dat_u32(&at);
	if (at.status)
		return at.status;
	if (max < CHUNK_MIN_MAX)
		max = CHUNK_MIN_MAX;
	/* without sane sizes there is no telling where the next chunk is */
	if (unpacked == 0 || unpacked > max || packed == 0 || packed > 2 * max ||
		packed > c->file_end - at.pos)
		return cpu_finish(c);
	ret = window_grow(c, (size_t)unpacked + packed, err);
	if (ret)
		return ret;
	from = c->window + unpacked;
	dat_read(&at, from, packed);
	c->window_pos = 0;
	c->window_bytes = unpacked;
	if (!at.status && dat_unpack(&c->head->unpacker, from, packed, c->window, unpacked)) {
		cpu_bad(c, ZWB_LOSS_BAD_PAGE, (unpacked + c->page_bytes - 1) / c->page_bytes);
		c->window_bytes = 0;
	}
	c->file_pos = at.pos;
	c->chunks_left--;
	return at.status ? at.status : 1;
}

/* Return: 1 with more pages in the window, 0 at the end of the region. */
static int window_next(struct dat_cpu *c, struct zwb_err *err)
{
	size_t len = c->window_size;
	int ret;

	if (c->is_packed)
		return chunk_next(c, err);
	if (c->file_pos == c->file_end)
		return cpu_finish(c);
	if (len > c->file_end - c->file_pos)
		len = (size_t)(c->file_end - c->file_pos);
	ret = dat_file_read(&c->head->file, c->file_pos, c->window, len, err);
	if (ret)
		return ret;
	c->file_pos += len;
	c->window_pos = 0;
	c->window_bytes = len;
	return 1;
}

static uint64_t page_commit(const struct dat_cpu *c, const unsigned char *page)
{
	uint64_t wide;
	uint32_t narrow;

	if (c->head->commit_bytes == 4) {
		memcpy(&narrow, page + c->head->commit_offset, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, page + c->head->commit_offset, sizeof(wide));
	/* RB_MISSED_EVENTS is an int, (1 << 31): the kernel sets all bits above it as well. */
	if ((wide & COMMIT_MISSING) && wide >> 32 == UINT32_MAX)
		wide &= UINT32_MAX;
	return wide;
}

/* The kernel lost events before this page; it stores how many when there is room. */
static void page_missing(
	struct dat_cpu *c, const unsigned char *page, uint64_t commit, uint32_t room)
{
	struct dat_gap gap = { .first = c->ts, .has_first = c->has_last, .has_last = 1 };
	const unsigned char *at = page + c->head->data_offset + (commit & COMMIT_MASK);
	uint32_t narrow = 0;

	memcpy(&gap.last, page, sizeof(gap.last));
	gap.last = dat_cpu_time(c->head, gap.last);
	if ((commit & COMMIT_STORED) && room >= c->head->commit_bytes) {
		if (c->head->commit_bytes == 8) {
			memcpy(&gap.nr, at, sizeof(gap.nr));
		} else {
			memcpy(&narrow, at, sizeof(narrow));
			gap.nr = narrow;
		}
		gap.nr_is_known = 1;
	}
	dat_losses_put(c->losses, c->cpu, ZWB_LOSS_OVERRUN, &gap);
}

/* Begin the page at the window's position. Return: 1, or 0 when it is none. */
static int page_begin(struct dat_cpu *c)
{
	const unsigned char *page = c->window + c->window_pos;
	size_t len = c->window_bytes - c->window_pos;
	uint32_t used, room, stored;
	uint64_t commit;

	if (len > c->page_bytes)
		len = c->page_bytes;
	c->window_pos += len;
	if (len < c->head->data_offset)
		return 0;
	commit = page_commit(c, page);
	used = (uint32_t)commit & COMMIT_MASK;
	if ((commit & ~(uint64_t)COMMIT_MASK & ~COMMIT_STORED & ~COMMIT_MISSING) ||
		used > len - c->head->data_offset)
		return 0;
	room = (uint32_t)(len - c->head->data_offset) - used;
	if (commit & COMMIT_MISSING)
		page_missing(c, page, commit, room);
	stored =
		commit & COMMIT_STORED && room >= c->head->commit_bytes ? c->head->commit_bytes : 0;
	page_tail(c, page + c->head->data_offset + used + stored, room - stored);
	memcpy(&c->page_ts, page, sizeof(c->page_ts));
	c->is_restored = 0;
	c->pos = page + c->head->data_offset;
	c->end = c->pos + used;
	return 1;
}

uint64_t dat_cpu_time(const struct dat_head *head, uint64_t clock)
{
	if (!head->tsc_mult)
		return clock;
	return (uint64_t)(((unsigned __int128)clock * head->tsc_mult) >> head->tsc_shift);
}

static void event_in_hand(struct dat_cpu *c, const unsigned char *data, uint32_t len)
{
	uint64_t ts = dat_cpu_time(c->head, c->page_ts);

	if (c->has_last && ts < c->ts) {
		struct dat_gap gap = { .nr = 1,
			.nr_is_known = 1,
			.first = ts,
			.has_first = 1,
			.last = c->ts,
			.has_last = 1 };

		dat_losses_put(c->losses, c->cpu, ZWB_LOSS_DISORDER, &gap);
		ts = c->ts;
	}
	if (c->bad_is_open) {
		c->bad.last = ts;
		c->bad.has_last = 1;
		dat_cpu_flush(c);
	}
	c->ts = ts;
	c->has_last = 1;
	c->data = data;
	c->data_bytes = len;
}

/* Bytes of the event at @data by its format; 0 when that does not tell. */
static size_t event_bytes(const struct dat_format *f, const unsigned char *data, size_t room)
{
	size_t bytes = f->bytes;

	if (f->is_variable || bytes > room)
		return 0;
	for (unsigned int i = 0; i < f->nr_locators; i++) {
		uint32_t locator;
		size_t end;

		if (f->locators[i] + sizeof(locator) > f->bytes)
			return 0;
		memcpy(&locator, data + f->locators[i], sizeof(locator));
		end = (size_t)(locator & 0xffff) + (locator >> 16);
		if (end > bytes)
			bytes = end;
	}
	bytes = (bytes + 3) & ~(size_t)3;
	return bytes > room ? 0 : bytes;
}

/*
 * A probe of the kernel can overwrite the header of its neighbour: one that stores a bit field
 * writes 8 bytes where 4 were reserved (v7.3), and when an interrupt recorded an event in between,
 * that event has a header of zeros. The event is whole, and its format says how long it is; the
 * time since the one before is gone.
 */
static int item_restore(const struct dat_cpu *c, const unsigned char *pos, const unsigned char *end,
	struct zwb_page_item *item)
{
	const unsigned char *data = pos + 4;
	uint16_t id, index;
	size_t bytes;

	memcpy(&id, data, sizeof(id));
	index = c->head->by_id[id];
	if (index == DAT_NO_FORMAT)
		return -1;
	bytes = event_bytes(&c->head->formats[index], data, (size_t)(end - data));
	if (bytes < sizeof(id))
		return -1;
	*item = (struct zwb_page_item){
		.data = data, .next = data + bytes, .data_bytes = (uint32_t)bytes
	};
	return 0;
}

/* Whether the page makes sense to its end when headers of zeros from @pos on are restored. */
static int page_is_restorable(const struct dat_cpu *c, const unsigned char *pos)
{
	struct zwb_page_item item;

	while (pos != c->end) {
		int ret = zwb_page_item_parse(pos, c->end, &item);

		if (ret == -2)
			ret = item_restore(c, pos, c->end, &item);
		if (ret)
			return 0;
		pos = item.next;
	}
	return 1;
}

/*
 * One step in the page. Return: 1 with an event in hand, 0 when there was none in this step, -1
 * when the page contradicts itself.
 */
static inline int page_step(struct dat_cpu *c)
{
	struct zwb_page_item item;
	int ret = zwb_page_item_parse(c->pos, c->end, &item);

	if (ret == -2) {
		c->is_restored = c->is_restored || page_is_restorable(c, c->pos);
		ret = c->is_restored ? item_restore(c, c->pos, c->end, &item) : -1;
		if (ret == 0)
			dat_losses_put_event(c->losses, c->cpu, ZWB_LOSS_RESTORED, c->ts, c->ts);
	}
	if (ret)
		return -1;
	if (item.is_stamp)
		c->page_ts = item.time | (c->page_ts & STAMP_MISSES);
	else
		c->page_ts += item.time;
	c->pos = item.next;
	if (!item.data_bytes)
		return 0;
	event_in_hand(c, item.data, item.data_bytes);
	return 1;
}

int dat_cpu_next(struct dat_cpu *c, struct zwb_err *err)
{
	int ret;

	for (;;) {
		while (c->pos != c->end) {
			ret = page_step(c);
			if (ret > 0)
				return 1;
			if (ret < 0) {
				cpu_bad(c, ZWB_LOSS_BAD_PAGE, 1);
				c->pos = c->end;
			}
		}
		while (c->window_pos == c->window_bytes) {
			ret = window_next(c, err);
			if (ret <= 0)
				return ret;
		}
		if (!page_begin(c))
			cpu_bad(c, ZWB_LOSS_BAD_PAGE, 1);
	}
}

/*
 * The text follows the address that printed it, and ends with a NUL. Any version will do: whoever
 * reads the text will see.
 */
const char *dat_cpu_marker(const struct dat_cpu *c, size_t *len)
{
	static const char begin[] = "zwb";
	const struct dat_format *f;
	const char *text;
	uint16_t id, index;

	if (c->data_bytes < sizeof(id))
		return NULL;
	memcpy(&id, c->data, sizeof(id));
	index = c->head->by_id[id];
	if (index == DAT_NO_FORMAT)
		return NULL;
	f = &c->head->formats[index];
	if (strcmp(f->system, "ftrace") != 0 || strcmp(f->name, "print") != 0 ||
		c->data_bytes < f->bytes)
		return NULL;
	text = (const char *)c->data + f->bytes;
	*len = strnlen(text, c->data_bytes - f->bytes);
	if (*len <= strlen(begin) || memcmp(text, begin, strlen(begin)) != 0 ||
		text[strlen(begin)] < '0' || text[strlen(begin)] > '9')
		return NULL;
	return text;
}
