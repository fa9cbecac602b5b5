/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages are read back by libtraceevent's kbuffer, which reads those of the kernel. */
#include "zwb_test.h"

#include "datwriter_page.h"

#include <kbuffer.h>
#include <string.h>

#define PAGE_BYTES 4096
#define START_NS   1000000000ull
#define NR_EVENTS  64
#define EXTEND_NS  (1ull << 27) /* the first difference that needs a record of its own */

static unsigned char page[PAGE_BYTES];

struct put {
	uint64_t ts_ns;
	size_t len;
};

static struct kbuffer *load(void)
{
	struct kbuffer *kb = kbuffer_alloc(
		sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4, KBUFFER_ENDIAN_LITTLE);

	assert_non_null(kb);
	assert_int_equal(kbuffer_load_subbuffer(kb, page), 0);
	return kb;
}

static void put_all(struct zwb_datpage *p, const struct put *puts, size_t nr)
{
	zwb_datpage_init(p, page, sizeof(page));
	for (size_t i = 0; i < nr; i++) {
		unsigned char *payload = zwb_datpage_reserve(p, puts[i].ts_ns, puts[i].len);

		assert_non_null(payload);
		memset(payload, (int)i + 1, puts[i].len);
	}
	zwb_datpage_close(p);
}

static void assert_reads_back(const struct put *puts, size_t nr)
{
	struct kbuffer *kb = load();

	for (size_t i = 0; i < nr; i++) {
		unsigned long long ts;
		const unsigned char *payload = kbuffer_read_event(kb, &ts);

		assert_non_null(payload);
		assert_int_equal(ts, puts[i].ts_ns);
		assert_in_range(kbuffer_event_size(kb), puts[i].len, puts[i].len + 3);
		for (size_t j = 0; j < puts[i].len; j++)
			assert_int_equal(payload[j], i + 1);
		kbuffer_next_event(kb, NULL);
	}
	assert_null(kbuffer_read_event(kb, NULL));
	kbuffer_free(kb);
}

static void datpage__reads_back_every_payload_length(void **state)
{
	struct put puts[NR_EVENTS];
	struct zwb_datpage p;

	(void)state;
	/* 1 to 190 bytes: around 112, where the length no longer fits the type */
	for (size_t i = 0; i < 20; i++)
		puts[i] = (struct put){ START_NS + i, 1 + 10 * i };
	put_all(&p, puts, 20);
	assert_reads_back(puts, 20);
	for (size_t i = 0; i < 10; i++)
		puts[i] = (struct put){ START_NS + i, 108 + i };
	put_all(&p, puts, 10);
	assert_reads_back(puts, 10);
}

static void datpage__reads_back_every_size_of_time_step(void **state)
{
	const struct put puts[] = {
		{ START_NS, 8 },
		{ START_NS, 8 },
		{ START_NS + EXTEND_NS - 1, 8 },
		{ START_NS + 2 * EXTEND_NS - 1, 8 },
		{ START_NS + 2 * EXTEND_NS, 8 },
		{ START_NS + (1ull << 40), 8 },
		{ START_NS + (1ull << 57), 8 },
		{ START_NS + 5, 8 }, /* time went back */
		{ START_NS + 6, 8 },
		{ 1, 8 },
		{ 2, 8 },
	};
	struct zwb_datpage p;

	(void)state;
	put_all(&p, puts, sizeof(puts) / sizeof(puts[0]));
	assert_reads_back(puts, sizeof(puts) / sizeof(puts[0]));
}

static void datpage__is_full_before_it_overflows(void **state)
{
	unsigned char guarded[256 + 16];
	struct zwb_datpage p;

	(void)state;
	for (size_t len = 1; len < 256; len++) {
		size_t nr = 0;

		memset(guarded, 0xa5, sizeof(guarded));
		zwb_datpage_init(&p, guarded, 256);
		for (void *at; (at = zwb_datpage_reserve(&p, START_NS * nr, len)); nr++)
			memset(at, 0, len);
		zwb_datpage_missed(&p, 7);
		zwb_datpage_close(&p);
		/* the 240 bytes behind the header; a step of 1 s costs 8 bytes more each time */
		assert_int_equal(nr > 0, 4 + (len + 3) / 4 * 4 + (len > 112 ? 4 : 0) <= 240);
		for (size_t i = 256; i < sizeof(guarded); i++)
			assert_int_equal(guarded[i], 0xa5);
	}
}

static void datpage__refuses_a_payload_that_no_page_holds(void **state)
{
	struct zwb_datpage p;

	(void)state;
	zwb_datpage_init(&p, page, sizeof(page));
	assert_null(zwb_datpage_reserve(&p, START_NS, PAGE_BYTES));
	assert_null(zwb_datpage_reserve(&p, START_NS, SIZE_MAX - 1));
	assert_true(zwb_datpage_is_empty(&p));
	assert_non_null(zwb_datpage_reserve(&p, START_NS, 8));
	assert_false(zwb_datpage_is_empty(&p));
}

static void datpage__tells_how_many_events_were_missed(void **state)
{
	const struct put one = { START_NS, 8 };
	const struct {
		uint64_t missed;
		int want;
	} cases[] = { { 1, 1 }, { 123456, 123456 }, { ZWB_DATPAGE_MISSED_UNKNOWN, -1 } };
	struct zwb_datpage p;
	struct kbuffer *kb;

	(void)state;
	put_all(&p, &one, 1);
	kb = load();
	assert_int_equal(kbuffer_missed_events(kb), 0);
	kbuffer_free(kb);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		zwb_datpage_init(&p, page, sizeof(page));
		memset(zwb_datpage_reserve(&p, START_NS, 8), 1, 8);
		zwb_datpage_missed(&p, cases[i].missed);
		zwb_datpage_close(&p);
		assert_reads_back(&one, 1);
		kb = load();
		assert_int_equal(kbuffer_missed_events(kb), cases[i].want);
		kbuffer_free(kb);
	}
}

static void datpage__without_events_reads_as_empty(void **state)
{
	struct zwb_datpage p;

	(void)state;
	memset(page, 0xff, sizeof(page));
	put_all(&p, NULL, 0);
	assert_reads_back(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(datpage__reads_back_every_payload_length),
		cmocka_unit_test(datpage__reads_back_every_size_of_time_step),
		cmocka_unit_test(datpage__is_full_before_it_overflows),
		cmocka_unit_test(datpage__refuses_a_payload_that_no_page_holds),
		cmocka_unit_test(datpage__tells_how_many_events_were_missed),
		cmocka_unit_test(datpage__without_events_reads_as_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
