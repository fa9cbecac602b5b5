/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU of markers: texts about the host inside a recording (traces/FORMAT.md). */
#include "marker.h"
#include "tracedat_build.h"
#include "tracefile.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRINT_ID   5
#define MARKER_CPU 2
#define NR_STORES  3
#define STEP_NS	   10

/* A recording of two CPUs and one of markers. */
static void begin(struct build *b, const char *path)
{
	struct zwb_buf format = { 0 };

	build_begin(b, path, MARKER_CPU + 1);
	zwb_marker_format(PRINT_ID, &format);
	assert_int_equal(
		zwb_datwriter_format(b->writer, "ftrace", format.data, format.len, NULL), ZWB_OK);
	zwb_buf_release(&format);
	build_stores(b, 0, NR_STORES, BUILD_START_NS, STEP_NS);
}

/* A print event of any text into the page in hand. */
static void put_print(struct build *b, uint64_t ts_ns, const char *text, size_t len)
{
	struct {
		struct zwb_dat_common common;
		unsigned long ip;
	} head = { .common.type = PRINT_ID };
	unsigned char *to = zwb_datpage_reserve(&b->builder, ts_ns, sizeof(head) + len + 1);

	assert_non_null(to);
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), text, len);
	to[sizeof(head) + len] = '\0';
}

static void put_text(struct build *b, uint64_t ts_ns, const char *text)
{
	put_print(b, ts_ns, text, strlen(text));
}

/* A recording with one marker event per text, all of time @ts_ns. */
static void make(const char *path, uint64_t ts_ns, const char *const *texts, size_t nr)
{
	struct build b;

	begin(&b, path);
	for (size_t i = 0; i < nr; i++)
		put_text(&b, ts_ns, texts[i]);
	build_page(&b, MARKER_CPU);
	build_end(&b);
}

static struct zwb_stream *open_with(const char *path, const char *facts)
{
	const struct zwb_trace_opts opts = { .facts_path = facts };
	struct zwb_stream *s = NULL;
	struct zwb_err err;

	if (zwb_trace_open(path, &opts, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

static struct zwb_stream *open_one(const char *path, uint64_t ts_ns, const char *text)
{
	make(path, ts_ns, &text, 1);
	return open_with(path, NULL);
}

static size_t drain(struct zwb_stream *s)
{
	const struct zwb_event *events;
	size_t nr, all = 0;

	do {
		assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
		all += nr;
	} while (nr);
	return all;
}

static uint64_t nr_tallied(const struct zwb_meta *m, const char *name, int kind)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < m->nr_tallies; i++) {
		if (strcmp(m->tallies[i].name, name) == 0 && m->tallies[i].kind == kind)
			nr += m->tallies[i].nr;
	}
	return nr;
}

static uint64_t nr_unknown(const struct zwb_meta *m, const char *what)
{
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		if (strcmp(m->unknowns[i].what, what) == 0)
			return m->unknowns[i].nr;
	}
	return 0;
}

static void assert_fact(
	const struct zwb_meta *m, const char *section, const char *key, const char *value)
{
	const char *got = zwb_meta_fact_get(m, section, key);

	if (!got)
		fail_msg("no fact \"%s\" \"%s\"", section, key);
	else
		assert_string_equal(got, value);
}

/* ---- the CPU ---- */

static void marker__its_cpu_is_none_of_the_machine(void **state)
{
	struct build_place *p = *state;
	/* from before the recording began */
	struct zwb_stream *s = open_one(p->path, 1, "zwb1 start facts zswap\nenabled: Y\n");

	assert_int_equal(s->meta->nr_cpus, 2);
	assert_int_equal(s->meta->start_ns, BUILD_START_NS);
	assert_int_equal(drain(s), NR_STORES);
	assert_int_equal(s->meta->end_ns, (NR_STORES - 1) * STEP_NS);
	assert_int_equal(zwb_meta_lost_events(s->meta), 0);
	assert_int_equal(nr_tallied(s->meta, "ftrace/print", ZWB_EV_NONE), 1);
	assert_int_equal(nr_tallied(s->meta, "ftrace/print", -1), 0);
	zwb_stream_close(s);
}

static void marker__events_are_counted_when_nobody_reads_them(void **state)
{
	const char *const texts[] = { "zwb1 start facts a\nb: c\n", "zwb1 end facts a\nb: c\n" };
	struct build_place *p = *state;
	struct build_result r;

	make(p->path, BUILD_START_NS, texts, 2);
	r = build_read(p->path, NULL);
	assert_int_equal(r.status, ZWB_OK);
	assert_int_equal(r.nr, NR_STORES);
	assert_int_equal(r.stream->meta->nr_facts, 0);
	assert_int_equal(nr_tallied(r.stream->meta, "ftrace/print", ZWB_EV_NONE), 2);
	build_result_release(&r);
}

static void marker__a_print_event_of_others_is_unknown(void **state)
{
	struct build_place *p = *state;
	struct zwb_stream *s;
	struct build b;

	begin(&b, p->path);
	put_text(&b, BUILD_START_NS, "zwb1 start facts x\na: b\n");
	build_page(&b, 1); /* not the last CPU that has events */
	put_text(&b, BUILD_START_NS + 1, "hello\n");
	build_page(&b, MARKER_CPU);
	build_end(&b);
	s = open_with(p->path, NULL);
	assert_int_equal(s->meta->nr_cpus, 3);
	assert_int_equal(drain(s), NR_STORES);
	assert_int_equal(nr_tallied(s->meta, "ftrace/print", -1), 2);
	assert_null(zwb_meta_fact_get(s->meta, "x", "a"));
	zwb_stream_close(s);
}

static void marker__what_is_none_is_a_damaged_event(void **state)
{
	struct build_place *p = *state;
	struct zwb_stream *s;
	struct build b;

	begin(&b, p->path);
	put_text(&b, BUILD_START_NS, "zwb1 start facts x\na: b\n");
	put_text(&b, BUILD_START_NS, "hello\n");
	build_put(&b, BUILD_START_NS, 1, BUILD_ZSTORE, (uint64_t)1, (uint64_t)1);
	build_page(&b, MARKER_CPU);
	build_end(&b);
	s = open_with(p->path, NULL);
	assert_fact(s->meta, "x", "a", "b");
	assert_int_equal(drain(s), NR_STORES);
	assert_int_equal(zwb_meta_lost_events(s->meta), 2);
	assert_int_equal(s->meta->losses[s->meta->nr_losses - 1].cpu, MARKER_CPU);
	zwb_stream_close(s);
}

static void marker__a_damaged_page_leaves_the_others(void **state)
{
	struct build_place *p = *state;
	struct zwb_stream *s;
	struct build b;

	begin(&b, p->path);
	put_text(&b, BUILD_START_NS, "zwb1 start facts x\na: b\n");
	build_page(&b, MARKER_CPU);
	put_text(&b, BUILD_START_NS, "zwb1 start facts x\nc: d\n");
	build_close(&b);
	memset(b.page + 8, 0xff, 8); /* more in use than a page has */
	b.builder.data = NULL;
	build_page(&b, MARKER_CPU);
	put_text(&b, BUILD_START_NS, "zwb1 start facts x\ne: f\n");
	build_page(&b, MARKER_CPU);
	build_end(&b);
	s = open_with(p->path, NULL);
	assert_fact(s->meta, "x", "a", "b");
	assert_fact(s->meta, "x", "e", "f");
	assert_null(zwb_meta_fact_get(s->meta, "x", "c"));
	assert_int_equal(drain(s), NR_STORES);
	assert_int_equal(zwb_meta_lost_events(s->meta), 1);
	zwb_stream_close(s);
}

/* ---- where facts are taken from ---- */

static void marker__texts_beside_the_recording_are_not_read(void **state)
{
	static const char beside[] = "## zparams\nenabled N\ncompressor lzo\n";
	const char *const text = "zwb1 start facts zswap\nenabled: Y\n";
	struct build_place *p = *state;
	struct zwb_stream *s;
	char path[96];

	snprintf(path, sizeof(path), "%s/trace.counters.txt", p->dir);
	build_spill(path, beside, sizeof(beside) - 1);
	s = open_one(p->path, 1, text);
	assert_fact(s->meta, "zswap", "enabled", "Y");
	assert_null(zwb_meta_fact_get(s->meta, "zswap", "compressor"));
	zwb_stream_close(s);
	s = open_with(p->path, path); /* unless they are given */
	assert_fact(s->meta, "zswap", "enabled", "N");
	assert_fact(s->meta, "zswap", "compressor", "lzo");
	assert_int_equal(drain(s), NR_STORES);
	zwb_stream_close(s);
	unlink(path);
}

/* ---- texts ---- */

static void marker__sections_go_on_in_the_next_event(void **state)
{
	static const char *const texts[] = {
		"zwb1 start swap 0\npath: /file\nkind: file\nsize_kib: 12\ndisk: vdb\n",
		"zwb1+ start swap 0\ndisk_number: 254:16\ndevice: vdb1\nfirst_sector: 100\n",
		"zwb1 start extents 0\n0 8192 4096\n4096 40960 4096\n",
		"zwb1+ start extents 0\n8192 81920 8192\n",
	};
	/* 12 KiB and the header are 4 slots of 4 KiB; a sector more is 512 bytes */
	static const struct zwb_extent want[] = { { 0, 0, 1, 116 }, { 0, 1, 1, 180 },
		{ 0, 2, 2, 260 } };
	struct build_place *p = *state;
	struct zwb_stream *s;
	const struct zwb_meta *m;

	make(p->path, 1, texts, ZWB_ARRAY_LEN(texts));
	s = open_with(p->path, NULL);
	m = s->meta;
	assert_int_equal(nr_unknown(m, "facts.lines"), 0);
	assert_int_equal(m->nr_swaps, 1);
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_string_equal(m->devices[m->swaps[0].dev].name, "vdb");
	assert_int_equal(m->nr_extents, ZWB_ARRAY_LEN(want));
	for (size_t i = 0; i < ZWB_ARRAY_LEN(want); i++) {
		assert_int_equal(m->extents[i].first_slot, want[i].first_slot);
		assert_int_equal(m->extents[i].nr_slots, want[i].nr_slots);
		assert_int_equal(m->extents[i].first_sector, want[i].first_sector);
	}
	zwb_stream_close(s);
}

/* One area of two is known: the other one is not guessed on top of it. */
static void marker__two_areas_are_not_guessed(void **state)
{
	static const char *const texts[] = {
		"zwb1 start swap 0\npath: /dev/a\nkind: partition\nsize_kib: 12\n",
		"zwb1 start swap 1\npath: /dev/b\nkind: partition\nsize_kib: 12\ndisk: b\n"
		"disk_number: 8:16\nfirst_sector: 0\n",
	};
	struct build_place *p = *state;
	struct zwb_stream *s;

	make(p->path, 1, texts, ZWB_ARRAY_LEN(texts));
	s = open_with(p->path, NULL);
	assert_int_equal(s->meta->nr_swaps, 2);
	assert_int_equal(s->meta->swaps[0].geometry_known, 0);
	assert_int_equal(s->meta->swaps[1].geometry_known, 1);
	assert_int_equal(s->meta->nr_extents, 1);
	assert_int_equal(s->meta->extents[0].swap_type, 1);
	assert_int_equal(nr_unknown(s->meta, "swap.geometry"), 1);
	zwb_stream_close(s);
}

static void marker__samples_have_the_time_of_their_event(void **state)
{
	static const char text[] = "zwb1 sample counters cgroup /a b memory.stat\nanon 7\n";
	struct build_place *p = *state;
	struct zwb_stream *s = open_one(p->path, BUILD_START_NS + 15, text);

	assert_int_equal(s->meta->nr_counters, 1);
	assert_int_equal(s->meta->counters[0].ts_ns, 15);
	assert_int_equal(s->meta->counters[0].value, 7);
	assert_string_equal(s->meta->counters[0].source, "cgroup /a b memory.stat");
	zwb_stream_close(s);
	s = open_one(p->path, BUILD_START_NS - 1, text); /* has no time in the recording */
	assert_int_equal(s->meta->nr_counters, 0);
	zwb_stream_close(s);
}

static void marker__long_names_of_cgroups_stay_whole(void **state)
{
	static const char pod[] =
		"/kubepods.slice/kubepods-burstable.slice/"
		"kubepods-burstable-pod0a1b2c3d_1111_2222_3333_444455556666.slice/"
		"cri-containerd-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		".scope";
	struct build_place *p = *state;
	char text[512], name[512];
	struct zwb_stream *s;

	snprintf(text, sizeof(text), "zwb1 end counters cgroup %s io.stat\n8:0 wios=5\n", pod);
	snprintf(name, sizeof(name), "cgroup %s io.stat", pod);
	s = open_one(p->path, 1, text);
	assert_int_equal(s->meta->nr_counters, 1);
	assert_string_equal(s->meta->counters[0].source, name);
	assert_string_equal(s->meta->counters[0].key, "8:0 wios");
	zwb_stream_close(s);
}

/* Lines that mean nothing are counted, and there is one in each of these. */
static void marker__senseless_texts_do_no_harm(void **state)
{
	static const char *const texts[] = {
		"zwb2 start facts x\na: b\n",
		"zwb1",
		"zwb1 ",
		"zwb1 start",
		"zwb1+ later facts x\na: b\n",
		"zwb1 start facts x\nno value\n",
		"zwb1 start facts x\n: b\n",
		"zwb1 start nonsense\na\n",
		"zwb1 start counters\na 1\n",
		"zwb1 start counters unheard-of\na 1\n",
		"zwb1 start counters cgroup \na 1\n",
		"zwb1 start counters cgroup /a\na 1\n",
		"zwb1 start counters vmstat\nalone\n",
		"zwb1 start counters vmstat\na 99999999999999999999999\n",
		"zwb1 start swap -1\npath: /x\n",
		"zwb1 start swap 4294967296\npath: /x\n",
		"zwb1 start swap 32\npath: /x\n",
		"zwb1 start swap 0\npath /x\n",
		"zwb1 start extents 99999999\n0 0 4096\n",
		"zwb1 start extents 0\n0 1\n",
		"zwb1 start cgroups\n/a 5\n",
		"zwb1 start cgroups\n5/a\n",
	};
	struct build_place *p = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(texts); i++) {
		struct zwb_stream *s = open_one(p->path, 1, texts[i]);

		if (nr_unknown(s->meta, "facts.lines") != 1)
			fail_msg("\"%s\": not counted", texts[i]);
		assert_int_equal(drain(s), NR_STORES);
		zwb_stream_close(s);
	}
}

/* Numbers that lie beyond every disk: the geometry is not known. */
static void marker__impossible_places_are_not_believed(void **state)
{
	static const char area[] =
		"zwb1 start swap 0\npath: /x\nkind: file\nsize_kib: 4\ndisk: b\n";
	static const char *const rest[] = {
		"first_sector: 99999999999999999999\n",
		"first_sector: 36028797018963968\n",
		"first_sector: 0\n",
	};
	static const char *const extents[] = {
		"zwb1 start extents 0\n0 0 8192\n",
		"zwb1 start extents 0\n0 0 8192\n",
		"zwb1 start extents 0\n0 18446744073709551615 8192\n",
	};
	struct build_place *p = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(rest); i++) {
		const char *texts[2];
		struct zwb_stream *s;
		char text[256];

		snprintf(text, sizeof(text), "%s%s", area, rest[i]);
		texts[0] = text;
		texts[1] = extents[i];
		make(p->path, 1, texts, 2);
		s = open_with(p->path, NULL);
		assert_int_equal(s->meta->nr_swaps, 1);
		assert_int_equal(s->meta->swaps[0].geometry_known, 0);
		zwb_stream_close(s);
	}
}

/* Any bytes behind a heading that makes sense. */
static void marker__any_bytes_do_no_harm(void **state)
{
	static const char *const headings[] = { "facts x", "facts queue", "counters vmstat",
		"counters diskstats", "counters cgroup /a io.stat", "counters pressure io",
		"counters stat", "swap 0", "extents 0", "cgroups" };
	static const char letters[] = "0123456789 :/=.\n\n\t\\abk-\xff\x80\x01";
	struct build_place *p = *state;
	unsigned int random = 12345;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(headings) * 20; i++) {
		struct zwb_stream *s;
		char text[600];
		size_t len = (size_t)snprintf(text, sizeof(text), "zwb1 start %s\n",
			headings[i % ZWB_ARRAY_LEN(headings)]);

		while (len < sizeof(text) - 1) {
			random = random * 1103515245u + 12345u;
			text[len++] = letters[(random >> 16) % (sizeof(letters) - 1)];
		}
		text[len] = '\0';
		s = open_one(p->path, 1, text);
		assert_int_equal(drain(s), NR_STORES);
		assert_int_equal(zwb_meta_lost_events(s->meta), 0);
		zwb_stream_close(s);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, build_place_make, build_place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(marker__its_cpu_is_none_of_the_machine),
		TEST(marker__events_are_counted_when_nobody_reads_them),
		TEST(marker__a_print_event_of_others_is_unknown),
		TEST(marker__what_is_none_is_a_damaged_event),
		TEST(marker__a_damaged_page_leaves_the_others),
		TEST(marker__texts_beside_the_recording_are_not_read),
		TEST(marker__sections_go_on_in_the_next_event),
		TEST(marker__two_areas_are_not_guessed),
		TEST(marker__samples_have_the_time_of_their_event),
		TEST(marker__long_names_of_cgroups_stay_whole),
		TEST(marker__senseless_texts_do_no_harm),
		TEST(marker__impossible_places_are_not_believed),
		TEST(marker__any_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
