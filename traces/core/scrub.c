/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes names and addresses out of ring-buffer pages: see scrub.h. */
#include "scrub.h"

#include "datpage_item.h"
#include "datwriter_page.h"
#include "grow.h"
#include "tepformat.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(a)  (sizeof(a) / sizeof((a)[0]))
#define NR_IDS	      65536u
#define COMM_BYTES    16
#define PAGE_HEADER   (8 + sizeof(long)) /* time stamp and commit */
#define COMMIT_MASK   ((1u << 27) - 1)
#define COMMIT_STORED (1ul << 30) /* the number of missing events follows the data */
#define MAX_ERRNO     4095 /* the kernel's, linux/err.h */
#define FIRST_KERNEL  (UINT64_C(1) << 63)

/* What is done to a field. */
enum act {
	ACT_COMM, /* name of a task */
	ACT_ERASE, /* zeros */
	ACT_POINTER, /* hashed when it is a kernel address */
	ACT_PATH, /* text elsewhere in the event, hashed by component */
	ACT_ERASE_TEXT, /* text elsewhere in the event, zeros */
};

struct rule {
	uint16_t id; /* of the event */
	uint16_t offset;
	uint16_t size;
	uint8_t act;
	bool is_relative; /* to the end of the field, see __rel_loc */
};

struct zwb_scrub {
	struct zwb_anon anon;
	size_t page_bytes;
	struct rule *rules; /* those of an event side by side */
	size_t nr_rules;
	/* by id: first rule and how many; an event that was not learned has is_known 0 */
	struct {
		uint32_t first;
		uint16_t nr;
		uint16_t is_known;
	} events[NR_IDS];
};

int zwb_scrub_create(struct zwb_scrub **scrub, const struct zwb_anon *anon, size_t page_bytes,
	struct zwb_err *err)
{
	struct zwb_scrub *s = calloc(1, sizeof(*s));

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	s->anon = *anon;
	s->page_bytes = page_bytes;
	*scrub = s;
	return ZWB_OK;
}

void zwb_scrub_free(struct zwb_scrub *scrub)
{
	if (scrub)
		free(scrub->rules);
	free(scrub);
}

/* -- learning -- */

static bool is_named(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool ends_in_comm(const char *name)
{
	size_t len = strlen(name);

	return len >= 4 && strcmp(name + len - 4, "comm") == 0;
}

/* Return: an enum act, or -1 for a field that stays. */
static int choose(const struct tep_format_field *field)
{
	static const char *const addresses[] = { "addr", "address", "ip", "caller", "__probe_ip",
		"__probe_func", "__probe_ret_ip" };
	static const char *const paths[] = { "path", "cgroup" };
	static const char *const kept[] = { "rwbs", "devname" };
	const char *name = field->name;

	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		if (is_named(name, paths, ARRAY_LEN(paths)))
			return ACT_PATH;
		return is_named(name, kept, ARRAY_LEN(kept)) ? -1 : ACT_ERASE_TEXT;
	}
	if (field->flags & TEP_FIELD_IS_ARRAY) {
		if (ends_in_comm(name) && field->size == COMM_BYTES)
			return ACT_COMM;
		return is_named(name, kept, ARRAY_LEN(kept)) ? -1 : ACT_ERASE;
	}
	if (is_named(name, addresses, ARRAY_LEN(addresses)))
		return ACT_ERASE;
	return field->size == 8 && !(field->flags & TEP_FIELD_IS_SIGNED) ? ACT_POINTER : -1;
}

static int add_rules(struct zwb_scrub *s, const struct tep_event *event, struct zwb_err *err)
{
	size_t first = s->nr_rules;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		int act = choose(f);

		if (act < 0 || f->offset < 0 || f->size <= 0 || f->offset + f->size > UINT16_MAX)
			continue;
		if (!ZWB_GROW(s->rules, s->nr_rules))
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
		s->rules[s->nr_rules++] = (struct rule){ .id = (uint16_t)event->id,
			.offset = (uint16_t)f->offset,
			.size = (uint16_t)f->size,
			.act = (uint8_t)act,
			.is_relative = (f->flags & TEP_FIELD_IS_RELATIVE) != 0 };
	}
	s->events[event->id].first = (uint32_t)first;
	s->events[event->id].nr = (uint16_t)(s->nr_rules - first);
	s->events[event->id].is_known = 1;
	return ZWB_OK;
}

static int learn(struct zwb_scrub *scrub, const char *system, const char *text, bool is_trusted,
	struct zwb_err *err)
{
	struct tep_handle *tep = tep_alloc();
	const struct tep_event *event;
	int ret;

	if (!tep)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	tep_set_loglevel(TEP_LOG_NONE);
	ret = zwb_tepformat_parse(tep, system, text, &event, err);
	if (!ret && (event->id < 0 || (unsigned int)event->id >= NR_IDS))
		ret = zwb_err_set(err, ZWB_EDATA, 0, "event %s/%s: no event has the ID %d", system,
			event->name, event->id);
	if (!ret && is_trusted)
		scrub->events[event->id].is_known = 1;
	else if (!ret)
		ret = add_rules(scrub, event, err);
	tep_free(tep);
	return ret;
}

int zwb_scrub_format(
	struct zwb_scrub *scrub, const char *system, const char *text, struct zwb_err *err)
{
	return learn(scrub, system, text, false, err);
}

int zwb_scrub_trust(
	struct zwb_scrub *scrub, const char *system, const char *text, struct zwb_err *err)
{
	return learn(scrub, system, text, true, err);
}

/* -- changing -- */

static void hide_pointer(const struct zwb_anon *anon, unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	if (value < FIRST_KERNEL || value >= UINT64_MAX - MAX_ERRNO)
		return;
	value = zwb_anon_hash(anon, &value, sizeof(value)) | FIRST_KERNEL;
	value &= ~UINT64_C(0x1000000000000000); /* never an error value */
	memcpy(at, &value, sizeof(value));
}

/* The path, if all of it fits where the old one was; else nothing. */
static void hide_path(const struct zwb_anon *anon, unsigned char *text, size_t len)
{
	struct zwb_buf path = { 0 };
	char *old = strndup((const char *)text, len);

	if (old)
		zwb_anon_path(anon, old, &path);
	memset(text, 0, len);
	if (old && !path.failed && path.len < len)
		memcpy(text, path.data, path.len);
	zwb_buf_release(&path);
	free(old);
}

static void hide_text(const struct zwb_anon *anon, const struct rule *rule, unsigned char *event,
	size_t event_bytes)
{
	uint32_t locator;
	size_t at, len;

	if (rule->size != sizeof(locator))
		return;
	memcpy(&locator, event + rule->offset, sizeof(locator));
	at = (locator & 0xffff) + (rule->is_relative ? rule->offset + sizeof(locator) : 0);
	len = locator >> 16;
	if (at > event_bytes)
		return;
	if (len > event_bytes - at)
		len = event_bytes - at;
	if (rule->act == ACT_PATH)
		hide_path(anon, event + at, len);
	else
		memset(event + at, 0, len);
}

static void apply(const struct zwb_anon *anon, const struct rule *rule, unsigned char *event,
	size_t event_bytes)
{
	unsigned char *at = event + rule->offset;

	if ((size_t)rule->offset + rule->size > event_bytes) {
		if (rule->offset < event_bytes)
			memset(at, 0, event_bytes - rule->offset);
		return;
	}
	switch ((enum act)rule->act) {
	case ACT_COMM:
		zwb_anon_comm(anon, (char *)at);
		break;
	case ACT_ERASE:
		memset(at, 0, rule->size);
		break;
	case ACT_POINTER:
		hide_pointer(anon, at);
		break;
	case ACT_PATH:
	case ACT_ERASE_TEXT:
		hide_text(anon, rule, event, event_bytes);
		break;
	}
}

/* Return: 1 for an event that nothing is known about; only its kind, task and time stay. */
static size_t scrub_event(struct zwb_scrub *s, unsigned char *event, size_t bytes)
{
	uint16_t id;

	memcpy(&id, event, sizeof(id));
	if (!s->events[id].is_known) {
		if (bytes > sizeof(struct zwb_dat_common))
			memset(event + sizeof(struct zwb_dat_common), 0,
				bytes - sizeof(struct zwb_dat_common));
		return 1;
	}
	for (size_t i = 0; i < s->events[id].nr; i++)
		apply(&s->anon, &s->rules[s->events[id].first + i], event, bytes);
	return 0;
}

/* Padding without a length: nothing follows in the page. */
static void end_page(unsigned char *from, unsigned char *end)
{
	uint32_t word = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
				? (uint32_t)ZWB_PAGE_PADDING << ZWB_PAGE_TIME_BITS
				: (uint32_t)ZWB_PAGE_PADDING;

	memset(from, 0, (size_t)(end - from));
	if (end - from >= (ptrdiff_t)sizeof(word))
		memcpy(from, &word, sizeof(word));
}

static size_t scrub_page(struct zwb_scrub *s, unsigned char *page)
{
	unsigned char *pos = page + PAGE_HEADER, *end, *tail;
	struct zwb_page_item item;
	unsigned long commit;
	size_t nr_lost = 0;

	memcpy(&commit, page + 8, sizeof(commit));
	if ((commit & COMMIT_MASK) > s->page_bytes - PAGE_HEADER) {
		memset(page, 0, s->page_bytes);
		return 1;
	}
	end = pos + (commit & COMMIT_MASK);
	tail = end;
	if ((commit & COMMIT_STORED) && s->page_bytes - (size_t)(end - page) >= sizeof(long))
		tail += sizeof(long);
	memset(tail, 0, s->page_bytes - (size_t)(tail - page));
	while (pos != end) {
		if (zwb_page_item_parse(pos, end, &item)) {
			end_page(pos, end);
			return nr_lost + 1;
		}
		if (item.data_bytes)
			nr_lost += scrub_event(s, page + (item.data - page), item.data_bytes);
		pos = page + (item.next - page);
	}
	return nr_lost;
}

size_t zwb_scrub_pages(struct zwb_scrub *scrub, void *pages, size_t nr_pages)
{
	unsigned char *page = pages;
	size_t nr_lost = 0;

	for (size_t i = 0; i < nr_pages; i++)
		nr_lost += scrub_page(scrub, page + i * scrub->page_bytes);
	return nr_lost;
}
