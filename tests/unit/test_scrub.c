/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and addresses out of ring-buffer pages. */
#include "datwriter_page.h"
#include "scrub.h"
#include "zwb_test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE	4096
#define IN_PAGE __attribute__((packed, aligned(4))) /* as events lie in one */

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* Places as in v7.3's events/sched/sched_switch/format, without the fields between. */
static const char sched_switch[] = "name: sched_switch\nID: 310\nformat:\n" COMMON
				   "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
				   "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
				   "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
				   "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
				   "\nprint fmt: \"prev_comm=%s\", REC->prev_comm\n";

struct switch_event {
	struct zwb_dat_common common;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
} IN_PAGE;

static const char fault[] = "name: swpfault\nID: 1500\nformat:\n" COMMON
			    "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
			    "\tfield:u64 addr;\toffset:16;\tsize:8;\tsigned:0;\n"
			    "\tfield:u64 folio;\toffset:24;\tsize:8;\tsigned:0;\n"
			    "\tfield:u64 slot;\toffset:32;\tsize:8;\tsigned:0;\n"
			    "\tfield:s64 ret;\toffset:40;\tsize:8;\tsigned:1;\n"
			    "\nprint fmt: \"\"\n";

struct fault_event {
	struct zwb_dat_common common;
	uint64_t probe_ip, addr, folio, slot;
	int64_t ret;
} IN_PAGE;

/* As v7.3's events/block/block_bio_queue and cgroup/cgroup_mkdir have them. */
static const char texts[] = "name: texts\nID: 77\nformat:\n" COMMON
			    "\tfield:char rwbs[10];\toffset:8;\tsize:10;\tsigned:0;\n"
			    "\tfield:char comm[16];\toffset:18;\tsize:16;\tsigned:0;\n"
			    "\tfield:__data_loc char[] path;\toffset:36;\tsize:4;\tsigned:0;\n"
			    "\tfield:__data_loc char[] cmd;\toffset:40;\tsize:4;\tsigned:0;\n"
			    "\nprint fmt: \"\"\n";

struct texts_event {
	struct zwb_dat_common common;
	char rwbs[10], comm[16], pad[2];
	uint32_t path, cmd;
	char text[96];
} IN_PAGE;

static const struct zwb_anon anon = { { 3, 4 } };

static struct zwb_scrub *make(void)
{
	struct zwb_scrub *s;

	assert_int_equal(zwb_scrub_create(&s, &anon, PAGE, NULL), ZWB_OK);
	assert_int_equal(zwb_scrub_format(s, "sched", sched_switch, NULL), ZWB_OK);
	assert_int_equal(zwb_scrub_format(s, "zwb", fault, NULL), ZWB_OK);
	assert_int_equal(zwb_scrub_format(s, "test", texts, NULL), ZWB_OK);
	return s;
}

/* A page with one event; where the event is in it. */
static void *one_event(unsigned char page[PAGE], const void *event, size_t len)
{
	struct zwb_datpage p;
	void *at;

	memset(page, 0, PAGE);
	zwb_datpage_init(&p, page, PAGE);
	at = zwb_datpage_reserve(&p, 1000, len);
	assert_non_null(at);
	memcpy(at, event, len);
	zwb_datpage_close(&p);
	return at;
}

static size_t scrub(unsigned char page[PAGE])
{
	struct zwb_scrub *s = make();
	size_t nr = zwb_scrub_pages(s, page, 1);

	zwb_scrub_free(s);
	return nr;
}

static int page_has(const unsigned char page[PAGE], const char *text)
{
	return memmem(page, PAGE, text, strlen(text)) != NULL;
}

static void scrub__task_names_are_those_of_the_anonymiser(void **state)
{
	struct switch_event ev = { .common = { .type = 310, .pid = 7 },
		.prev_comm = "acmed",
		.prev_pid = 7,
		.prev_prio = 120,
		.prev_state = -1 };
	char expected[16] = "acmed";
	unsigned char page[PAGE];
	const struct switch_event *at = one_event(page, &ev, sizeof(ev));

	(void)state;
	zwb_anon_comm(&anon, expected);
	assert_int_equal(scrub(page), 0);
	assert_false(page_has(page, "acme"));
	assert_memory_equal(at->prev_comm, expected, 16);
	assert_int_equal(at->prev_pid, 7);
	assert_int_equal(at->prev_prio, 120);
	assert_int_equal(at->prev_state, -1);
}

static void scrub__addresses_go_and_objects_stay_apart(void **state)
{
	struct fault_event ev = { .common = { .type = 1500 },
		.probe_ip = UINT64_C(0xffffffff81234567),
		.addr = 0x7f0012345000,
		.folio = UINT64_C(0xffffea0000012340),
		.slot = UINT64_C(0x0400000000000123),
		.ret = -12 };
	unsigned char page[PAGE], again[PAGE];
	struct fault_event *at = one_event(page, &ev, sizeof(ev)), *other;

	(void)state;
	assert_int_equal(scrub(page), 0);
	assert_int_equal(at->probe_ip, 0);
	assert_int_equal(at->addr, 0);
	assert_int_not_equal(at->folio, ev.folio);
	assert_true(at->folio >= UINT64_C(1) << 63);
	assert_int_equal(at->slot, ev.slot);
	assert_int_equal(at->ret, -12);
	other = one_event(again, &ev, sizeof(ev));
	assert_int_equal(scrub(again), 0);
	assert_int_equal(other->folio, at->folio);
	ev.folio += 64;
	other = one_event(again, &ev, sizeof(ev));
	assert_int_equal(scrub(again), 0);
	assert_int_not_equal(other->folio, at->folio);
}

static void scrub__texts_go_and_paths_stay_paths(void **state)
{
	struct texts_event ev = { .common = { .type = 77 }, .rwbs = "WS", .comm = "acmed" };
	const size_t at_text = offsetof(struct texts_event, text);
	unsigned char page[PAGE];
	struct texts_event *at;
	struct zwb_buf expected = { 0 };

	(void)state;
	snprintf(ev.text, sizeof(ev.text), "/acme-with-a-long-name/web-also-a-long-one");
	snprintf(ev.text + 64, sizeof(ev.text) - 64, "acme secret");
	ev.path = (uint32_t)(at_text | 64u << 16);
	ev.cmd = (uint32_t)((at_text + 64) | 12u << 16);
	at = one_event(page, &ev, sizeof(ev));
	assert_int_equal(scrub(page), 0);
	assert_false(page_has(page, "acme"));
	assert_false(page_has(page, "web"));
	assert_string_equal(at->rwbs, "WS");
	zwb_anon_path(&anon, "/acme-with-a-long-name/web-also-a-long-one", &expected);
	assert_memory_equal(at->text, expected.data, expected.len);
	zwb_buf_release(&expected);
}

static void scrub__a_path_that_has_no_room_goes(void **state)
{
	struct texts_event ev = { .common = { .type = 77 }, .rwbs = "R" };
	unsigned char page[PAGE];
	struct texts_event *at;

	(void)state;
	snprintf(ev.text, sizeof(ev.text), "/acme");
	ev.path = (uint32_t)(offsetof(struct texts_event, text) | 6u << 16);
	at = one_event(page, &ev, sizeof(ev));
	assert_int_equal(scrub(page), 0);
	assert_int_equal(at->text[0], 0);
	assert_false(page_has(page, "acme"));
}

static void scrub__texts_that_lie_outside_the_event_do_no_harm(void **state)
{
	struct texts_event ev = { .common = { .type = 77 } };
	unsigned char page[PAGE];

	(void)state;
	ev.path = 0xfffffff0u;
	ev.cmd = 4000u << 16 | (uint32_t)offsetof(struct texts_event, text);
	one_event(page, &ev, sizeof(ev));
	assert_int_equal(scrub(page), 0);
	one_event(page, &ev, 12); /* shorter than its format */
	assert_int_equal(scrub(page), 0);
}

static void scrub__unknown_events_and_stray_bytes_are_emptied(void **state)
{
	struct {
		struct zwb_dat_common common;
		char text[24];
	} IN_PAGE *at, ev = { .common = { .type = 4711, .pid = 9 }, .text = "acme unknown" };
	unsigned char page[PAGE];

	(void)state;
	at = one_event(page, &ev, sizeof(ev));
	snprintf((char *)page + 2000, 100, "acme behind the events");
	assert_int_equal(scrub(page), 1);
	assert_false(page_has(page, "acme"));
	assert_int_equal(at->common.type, 4711);
	assert_int_equal(at->common.pid, 9);
}

static void scrub__a_page_that_makes_no_sense_keeps_nothing(void **state)
{
	struct switch_event ev = { .common = { .type = 310 }, .prev_comm = "acmed" };
	uint32_t nonsense = 0;
	uint64_t commit = 5000;
	unsigned char page[PAGE];
	void *at = one_event(page, &ev, sizeof(ev));

	(void)state;
	memcpy((unsigned char *)at - 4, &nonsense, 4);
	memset(at, 0xff, 4);
	assert_int_equal(scrub(page), 1);
	assert_false(page_has(page, "acme"));
	one_event(page, &ev, sizeof(ev));
	memcpy(page + 8, &commit, sizeof(commit));
	assert_int_equal(scrub(page), 1);
	assert_false(page_has(page, "acme"));
}

static void scrub__a_text_that_is_no_format_is_refused(void **state)
{
	struct zwb_scrub *s = make();
	struct zwb_err err = { 0 };

	(void)state;
	assert_int_equal(zwb_scrub_format(s, "sched", "no format", &err), ZWB_EDATA);
	assert_int_equal(zwb_scrub_format(s, "sched", "", &err), ZWB_EDATA);
	zwb_scrub_free(s);
	zwb_scrub_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scrub__task_names_are_those_of_the_anonymiser),
		cmocka_unit_test(scrub__addresses_go_and_objects_stay_apart),
		cmocka_unit_test(scrub__texts_go_and_paths_stay_paths),
		cmocka_unit_test(scrub__a_path_that_has_no_room_goes),
		cmocka_unit_test(scrub__texts_that_lie_outside_the_event_do_no_harm),
		cmocka_unit_test(scrub__unknown_events_and_stray_bytes_are_emptied),
		cmocka_unit_test(scrub__a_page_that_makes_no_sense_keeps_nothing),
		cmocka_unit_test(scrub__a_text_that_is_no_format_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
