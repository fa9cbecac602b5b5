/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of the marker CPU are read back by libtraceevent's kbuffer, as tools would read them. */
#include "zwb_test.h"

#include "datwriter_page.h"
#include "marker.h"

#include <kbuffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096u
#define PRINT_ID   5u
#define TEXT_AT	   (sizeof(struct zwb_dat_common) + sizeof(long))
#define MAX_PAGES  16u

struct sink {
	unsigned char pages[MAX_PAGES][PAGE_BYTES];
	size_t nr;
	size_t nr_max; /* then it fails */
};

static int put_page(void *arg, const void *page, struct zwb_err *err)
{
	struct sink *s = arg;

	if (s->nr == s->nr_max)
		return zwb_err_set(err, ZWB_EENV, 0, "full");
	memcpy(s->pages[s->nr++], page, PAGE_BYTES);
	return ZWB_OK;
}

static int setup(void **state)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (s)
		s->nr_max = MAX_PAGES;
	*state = s;
	return s ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static struct zwb_markers *open_markers(struct sink *s)
{
	const struct zwb_markers_config config = {
		.page_bytes = PAGE_BYTES, .print_id = PRINT_ID, .put_page = put_page, .arg = s
	};
	struct zwb_markers *m = NULL;

	assert_int_equal(zwb_markers_open(&m, &config, NULL), ZWB_OK);
	return m;
}

static int add_text(struct zwb_markers *m, uint64_t ts_ns, enum zwb_phase phase,
	const char *section, const char *text, struct zwb_err *err)
{
	struct zwb_buf buf = { 0 };
	int ret;

	zwb_buf_add(&buf, text, strlen(text));
	ret = zwb_markers_add(m, ts_ns, phase, section, &buf, err);
	zwb_buf_release(&buf);
	return ret;
}

static void add(struct zwb_markers *m, uint64_t ts_ns, const char *section, const char *text)
{
	assert_int_equal(add_text(m, ts_ns, ZWB_PHASE_START, section, text, NULL), ZWB_OK);
}

/* The texts of all events one behind the other, each with its time in front when @with_time. */
static char *read_texts(const struct sink *s, int with_time)
{
	struct kbuffer *kb = kbuffer_alloc(
		sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4, KBUFFER_ENDIAN_LITTLE);
	char *all = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&all, &len);

	for (size_t i = 0; i < s->nr; i++) {
		unsigned long long ts;
		const unsigned char *event;
		unsigned char page[PAGE_BYTES];

		memcpy(page, s->pages[i], PAGE_BYTES);
		assert_int_equal(kbuffer_load_subbuffer(kb, page), 0);
		for (; (event = kbuffer_read_event(kb, &ts)) != NULL;
			kbuffer_next_event(kb, NULL)) {
			uint16_t id;

			memcpy(&id, event, sizeof(id));
			assert_int_equal(id, PRINT_ID);
			if (with_time)
				fprintf(f, "%llu ", ts);
			fputs((const char *)event + TEXT_AT, f);
		}
	}
	fclose(f);
	kbuffer_free(kb);
	return all;
}

static void assert_texts(const struct sink *s, int with_time, const char *want)
{
	char *texts = read_texts(s, with_time);

	assert_string_equal(texts, want);
	free(texts);
}

static void marker__is_a_heading_and_its_lines(void **state)
{
	struct sink *s = *state;
	struct zwb_markers *m = open_markers(s);

	add(m, 1000, "facts zswap", "enabled: Y\ncompressor: zstd\n");
	assert_int_equal(add_text(m, 5000000000, ZWB_PHASE_SAMPLE, "counters cgroup /a b vmstat",
				 "pgscan 1\n", NULL),
		ZWB_OK);
	assert_int_equal(add_text(m, 5000000001, ZWB_PHASE_END, "facts none", "", NULL), ZWB_OK);
	assert_int_equal(s->nr, 0); /* all in the page that is being filled */
	assert_int_equal(zwb_markers_flush(m, NULL), ZWB_OK);
	assert_int_equal(zwb_markers_flush(m, NULL), ZWB_OK); /* nothing left */
	zwb_markers_close(m);
	assert_int_equal(s->nr, 1);
	assert_texts(s, 1,
		"1000 zwb1 start facts zswap\nenabled: Y\ncompressor: zstd\n"
		"5000000000 zwb1 sample counters cgroup /a b vmstat\npgscan 1\n"
		"5000000001 zwb1 end facts none\n");
}

/* "key NNNN\n" are 9 bytes: 900 of them need two events and a bit of 4 KiB. */
static void marker__longer_than_an_event_goes_on_at_a_line(void **state)
{
	static const char begin[] = "zwb1 start counters x\n", more[] = "zwb1+ start counters x\n";
	struct sink *s = *state;
	struct zwb_markers *m = open_markers(s);
	char text[900 * 9 + 1], *all, *at;
	unsigned int nr_headings = 0, next = 0;

	for (unsigned int i = 0; i < 900; i++)
		snprintf(text + (size_t)i * 9, 10, "key %04u\n", i);
	add(m, 1, "counters x", text);
	assert_int_equal(zwb_markers_flush(m, NULL), ZWB_OK);
	zwb_markers_close(m);
	assert_int_equal(s->nr, 3);
	all = read_texts(s, 0);
	for (at = all; *at;) {
		const char *heading = nr_headings ? more : begin;

		if (strncmp(at, heading, strlen(heading)) == 0) {
			nr_headings++;
			at += strlen(heading);
			continue;
		}
		assert_memory_equal(at, text + (size_t)next * 9, 9);
		next++;
		at += 9;
	}
	assert_int_equal(nr_headings, 3);
	assert_int_equal(next, 900);
	free(all);
}

static void marker__cuts_a_line_that_no_event_holds(void **state)
{
	struct sink *s = *state;
	struct zwb_markers *m = open_markers(s);
	char text[6000], *all, *second;

	memset(text, 'a', 5996);
	memcpy(text + 5996, "\nb\n", 4);
	add(m, 1, "facts x", text);
	assert_int_equal(zwb_markers_flush(m, NULL), ZWB_OK);
	zwb_markers_close(m);
	all = read_texts(s, 0);
	second = strstr(all, ZWB_MARKER_MORE);
	assert_non_null(second);
	assert_string_equal(second, "zwb1+ start facts x\nb\n");
	assert_in_range(second - all, PAGE_BYTES - 64, PAGE_BYTES);
	free(all);
}

static void marker__fills_a_page_to_its_last_bytes(void **state)
{
	struct sink *s = *state;

	for (size_t len = PAGE_BYTES - 96; len < PAGE_BYTES; len++) {
		struct zwb_markers *m = open_markers(s);
		char text[PAGE_BYTES + 1], *all;

		s->nr = 0;
		memset(text, 'a', len);
		text[len] = '\0';
		add(m, 1, "facts x", text);
		assert_int_equal(zwb_markers_flush(m, NULL), ZWB_OK);
		zwb_markers_close(m);
		all = read_texts(s, 0);
		assert_int_equal(s->nr, 1);
		assert_in_range(strlen(all), len < PAGE_BYTES - 80 ? len : PAGE_BYTES - 80,
			PAGE_BYTES - 40);
		free(all);
	}
}

static void marker__refuses_a_heading_of_two_lines(void **state)
{
	struct zwb_markers *m = open_markers(*state);
	char name[513];
	struct zwb_err err;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(add_text(m, 1, ZWB_PHASE_START, "a\nb", "", &err), ZWB_EUSAGE);
	assert_int_equal(add_text(m, 1, ZWB_PHASE_START, name, "", &err), ZWB_EUSAGE);
	zwb_markers_close(m);
}

static void marker__hands_on_what_its_taker_says(void **state)
{
	struct sink *s = *state;
	struct zwb_markers *m = open_markers(s);
	char text[3001];
	struct zwb_err err;

	s->nr_max = 0;
	memset(text, 'a', 3000);
	text[3000] = '\0';
	add(m, 1, "facts x", text);
	assert_int_equal(add_text(m, 1, ZWB_PHASE_START, "facts y", text, &err), ZWB_EENV);
	assert_string_equal(err.text, "full");
	zwb_markers_close(m);
}

static void marker__refuses_pages_that_no_ring_buffer_has(void **state)
{
	static const uint32_t sizes[] = { 0, 2048, 4095, 4097, 131072 };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(sizes); i++) {
		const struct zwb_markers_config config = { .page_bytes = sizes[i],
			.put_page = put_page };
		struct zwb_markers *m;

		assert_int_equal(zwb_markers_open(&m, &config, NULL), ZWB_EUSAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			marker__is_a_heading_and_its_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(
			marker__longer_than_an_event_goes_on_at_a_line, setup, teardown),
		cmocka_unit_test_setup_teardown(
			marker__cuts_a_line_that_no_event_holds, setup, teardown),
		cmocka_unit_test_setup_teardown(
			marker__fills_a_page_to_its_last_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(
			marker__refuses_a_heading_of_two_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(
			marker__hands_on_what_its_taker_says, setup, teardown),
		cmocka_unit_test(marker__refuses_pages_that_no_ring_buffer_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
