/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the trace.dat reader with recordings that are not as they should be. */
#include "zwb_test.h"

#include "tracedat_damage.h"

#include "tracedat.h"
#include "tracedat_build.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR_FLIPS 1000

static void check(const struct build_result *r)
{
	if (r->status)
		fail_msg("%s", r->err.text);
}

/* ---- what is not a recording ---- */

static void expect_open(const char *path, int status, const char *text)
{
	struct zwb_stream *s = NULL;
	struct zwb_err err = { 0 };

	assert_int_equal(zwb_tracedat_open(path, NULL, &s, &err), status);
	assert_null(s);
	if (!strstr(err.text, text))
		fail_msg("\"%s\" is not in \"%s\"", text, err.text);
}

static void tracedat__says_what_is_wrong_with_a_file(void **state)
{
	struct build_place *p = *state;

	expect_open(p->path, ZWB_EENV, "cannot be opened");
	expect_open(p->dir, ZWB_EENV, "is a directory");
	expect_open("/dev/null", ZWB_EENV, "is not a regular file");
	build_spill(p->path, "", 0);
	expect_open(p->path, ZWB_EDATA, "is empty");
	build_spill(p->path, "\x89HDF\r\n\x1a\n and more", 17);
	expect_open(p->path, ZWB_EKIND, "is not a trace.dat file");
	build_spill(p->path, "\x17\x08\x44trac", 7);
	expect_open(p->path, ZWB_EDATA, "ends too early");
	assert_false(zwb_tracedat_is(p->path));
	assert_false(zwb_tracedat_is(p->dir));
}

/* One byte of a good file changed. */
static void expect_spoilt(
	struct build_place *p, size_t offset, unsigned char byte, int status, const char *text)
{
	size_t size;
	unsigned char *data = build_slurp(p->path, &size);

	data[offset] = byte;
	build_spill(p->other, data, size);
	free(data);
	expect_open(p->other, status, text);
}

static void tracedat__says_what_is_wrong_with_a_header(void **state)
{
	struct build_place *p = *state;
	struct build b;

	build_begin(&b, p->path, 1);
	build_stores(&b, 0, 10, BUILD_START_NS, 10);
	build_end(&b);
	assert_true(zwb_tracedat_is(p->path));
	expect_spoilt(p, 0, 0x16, ZWB_EDATA, "its first bytes are damaged");
	expect_spoilt(p, 10, '5', ZWB_EDATA, "neither 6 nor 7");
	expect_spoilt(p, 12, 1, ZWB_EDATA, "big-endian");
	expect_spoilt(p, 13, 5, ZWB_EDATA, "size of a long");
	expect_spoilt(p, 14, 1, ZWB_EDATA, "page size");
	expect_spoilt(p, 18, 'H', ZWB_EDATA, "header_page");
}

/* Replace all of @from by @to, of the same length. */
static void replace(const char *path, const char *from, const char *to)
{
	size_t size, len = strlen(from), nr = 0;
	unsigned char *data = build_slurp(path, &size);

	assert_int_equal(len, strlen(to));
	for (size_t i = 0; i + len <= size; i++) {
		if (memcmp(data + i, from, len) == 0) {
			memcpy(data + i, to, len);
			nr++;
		}
	}
	assert_true(nr > 0);
	build_spill(path, data, size);
	free(data);
}

static void tracedat__wants_formats_that_make_sense(void **state)
{
	static const struct {
		const char *from, *to, *text;
	} cases[] = {
		{ "\tfield:u64 slot;", "\tfiemd:u64 slot;", "is damaged" },
		{ "cgid;\toffset:24;", "cgid;\toffset:20;", "zlab/zstore is damaged" },
		{ "\toffset:16;\tsize:8;\tsigned:0;\n\tfield:u64 cgid",
			"\toffset:16;\tsize:9;\tsigned:0;\n\tfield:u64 cgid",
			"zlab/zstore is damaged" },
		{ "ID: 501", "ID: 500", "have the same id" },
		{ "ID: 501", "ID: 5O1", "without name or id" },
		{ "name: zstore_ret", "nome: zstore_ret", "without name or id" },
		{ "commit;\toffset:8", "commit;\toffset:9", NULL },
	};
	struct build_place *p = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct build b;

		build_begin(&b, p->path, 1);
		build_stores(&b, 0, 10, BUILD_START_NS, 10);
		build_end(&b);
		replace(p->path, cases[i].from, cases[i].to);
		expect_open(p->path, ZWB_EDATA, cases[i].text ? cases[i].text : "ring-buffer page");
	}
}

static void tracedat__refuses_a_recording_of_other_things(void **state)
{
	struct build_place *p = *state;
	struct build b;

	build_begin(&b, p->path, 1);
	build_stores(&b, 0, 10, BUILD_START_NS, 10);
	build_end(&b);
	replace(p->path, "zlab", "blaz");
	replace(p->path, "block\0", "black\0");
	expect_open(p->path, ZWB_EKIND, "has no zswap events");
}

static void tracedat__names_what_a_recording_lacks_as_a_whole(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;
	size_t i;

	build_begin(&b, p->path, 1);
	build_put(&b, BUILD_START_NS, 1, BUILD_SWPREAD, (uint64_t)1);
	build_page(&b, 0);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.stream->meta->nr_unknowns, 2);
	for (i = 0; i < 2; i++)
		assert_int_equal(r.stream->meta->unknowns[i].nr, 1);
	assert_string_equal(r.stream->meta->unknowns[0].what, "zswap events");
	assert_string_equal(r.stream->meta->unknowns[1].what, "block events");
	build_result_release(&r);
}

/* ---- losses ---- */

static void tracedat__tells_overruns_with_their_place_and_number(void **state)
{
	struct build_place *p = *state;
	const struct zwb_loss *l;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 2);
	build_stores(&b, 1, 10, BUILD_START_NS, 10);
	zwb_datpage_missed(&b.builder, 17);
	build_stores(&b, 1, 10, BUILD_START_NS + 1000, 10);
	zwb_datpage_missed(&b.builder, ZWB_DATPAGE_MISSED_UNKNOWN);
	build_stores(&b, 1, 10, BUILD_START_NS + 2000, 10);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 30);
	l = r.stream->meta->losses;
	assert_int_equal(l[0].kind, ZWB_LOSS_OVERRUN);
	assert_int_equal(l[0].cpu, 1);
	assert_int_equal(l[0].nr, 17);
	assert_true(l[0].nr_is_known);
	assert_int_equal(l[0].first_ns, 90);
	assert_int_equal(l[0].last_ns, 1000);
	assert_int_equal(l[1].kind, ZWB_LOSS_OVERRUN);
	assert_false(l[1].nr_is_known);
	assert_int_equal(l[1].first_ns, 1090);
	assert_int_equal(l[1].last_ns, 2000);
	assert_int_equal(zwb_meta_lost_events(r.stream->meta), 18);
	build_result_release(&r);
}

static void tracedat__believes_the_statistics_of_the_kernel(void **state)
{
	static const char stats[] = "CPU: 1\nentries: 0\noverrun: 5\ncommit overrun: 0\n"
				    "dropped events: 3\nread events: 30\n";
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 2);
	assert_int_equal(
		zwb_datwriter_option(b.writer, ZWB_DAT_OPTION_CPUSTAT, stats, NULL), ZWB_OK);
	build_stores(&b, 1, 10, BUILD_START_NS, 10);
	zwb_datpage_missed(&b.builder, 2);
	build_stores(&b, 1, 10, BUILD_START_NS + 1000, 10);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	/* 2 at their place, the other 6 somewhere */
	assert_int_equal(build_loss(&r, ZWB_LOSS_OVERRUN), 8);
	build_result_release(&r);

	/* a page without room for the number of events before it tells only that there were some */
	build_begin(&b, p->path, 2);
	assert_int_equal(
		zwb_datwriter_option(b.writer, ZWB_DAT_OPTION_CPUSTAT, stats, NULL), ZWB_OK);
	zwb_datpage_missed(&b.builder, ZWB_DATPAGE_MISSED_UNKNOWN);
	build_stores(&b, 1, 10, BUILD_START_NS, 10);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(build_loss(&r, ZWB_LOSS_OVERRUN), 8);
	build_result_release(&r);
}

static void tracedat__skips_a_bad_page_and_tells_it(void **state)
{
	static const struct {
		size_t offset; /* in the page */
		unsigned char byte;
		size_t nr_events; /* read from the page */
	} cases[] = {
		{ 8, 0xff, 10 }, /* the last event is followed by nonsense */
		{ 9, 0x20, 0 }, /* more bytes used than the page has */
		{ 11, 0x20, 0 }, /* a flag that does not exist */
		{ 15, 0x01, 0 },
		{ 16 + 9 * 36, 28, 9 }, /* the last event is longer than the page */
	};
	struct build_place *p = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct build_result r;
		struct build b;

		build_begin(&b, p->path, 1);
		build_stores(&b, 0, 10, BUILD_START_NS, 10);
		for (int k = 0; k < 10; k++)
			build_put(&b, BUILD_START_NS + 1000, 77, BUILD_ZSTORE, (uint64_t)1,
				(uint64_t)42);
		build_close(&b);
		b.page[cases[i].offset] = cases[i].byte;
		assert_int_equal(zwb_datwriter_pages(b.writer, 0, b.page, 1, NULL), ZWB_OK);
		zwb_datpage_init(&b.builder, b.page, sizeof(b.page));
		build_stores(&b, 0, 10, BUILD_START_NS + 2000, 10);
		build_end(&b);
		r = build_read(p->path, NULL);
		check(&r);
		assert_int_equal(build_loss(&r, ZWB_LOSS_BAD_PAGE), 1);
		assert_int_equal(r.stream->meta->losses[0].last_ns, 2000);
		assert_int_equal(r.nr, 20 + cases[i].nr_events);
		build_result_release(&r);
	}
}

static void tracedat__tells_events_that_it_cannot_read(void **state)
{
	struct zwb_dat_common common = { .type = BUILD_FIRST_ID + BUILD_NR_EVENTS };
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	build_put(&b, BUILD_START_NS, 77, BUILD_ZSTORE, (uint64_t)1, (uint64_t)42);
	/* of a type without format */
	memcpy(zwb_datpage_reserve(&b.builder, BUILD_START_NS + 10, 16), &common, sizeof(common));
	/* shorter than its format */
	common.type = BUILD_FIRST_ID + BUILD_ZSTORE;
	memcpy(zwb_datpage_reserve(&b.builder, BUILD_START_NS + 20, 16), &common, sizeof(common));
	build_put(&b, BUILD_START_NS + 30, 77, BUILD_ZSTORE, (uint64_t)1, (uint64_t)42);
	build_page(&b, 0);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 2);
	assert_int_equal(build_loss(&r, ZWB_LOSS_BAD_EVENT), 2);
	build_result_release(&r);
}

static void tracedat__keeps_time_order_when_the_clock_goes_back(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	build_stores(&b, 0, 10, BUILD_START_NS + 1000, 10);
	build_stores(&b, 0, 10, BUILD_START_NS, 10);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 20);
	assert_int_equal(build_loss(&r, ZWB_LOSS_DISORDER), 10);
	for (size_t i = 1; i < r.nr; i++)
		assert_true(r.events[i].ts_ns >= r.events[i - 1].ts_ns);
	build_result_release(&r);
}

/*
 * As in recordings of v7.3: header of the second of three events overwritten. A page of stores is a
 * page header of 16 bytes, then events of 4 + 32 bytes.
 */
static void tracedat__finds_events_with_overwritten_headers(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	for (uint64_t i = 1; i <= 3; i++)
		build_put(&b, BUILD_START_NS + i * 100, 77, BUILD_ZSTORE, i, (uint64_t)42);
	build_close(&b);
	memset(b.page + 16 + 36, 0, 4);
	assert_int_equal(zwb_datwriter_pages(b.writer, 0, b.page, 1, NULL), ZWB_OK);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 3);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(r.events[i].addr, i + 1);
	assert_int_equal(r.events[1].ts_ns, 0);
	assert_int_equal(build_loss(&r, ZWB_LOSS_RESTORED), 1);
	assert_int_equal(build_loss(&r, ZWB_LOSS_BAD_PAGE), -1);
	assert_int_equal(zwb_meta_lost_events(r.stream->meta), 0);
	build_result_release(&r);
}

/* The same, but what follows the zeros does not lead to the end of the page. */
static void tracedat__restores_nothing_that_makes_no_sense(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	for (uint64_t i = 1; i <= 3; i++)
		build_put(&b, BUILD_START_NS + i * 100, 77, BUILD_ZSTORE, i, (uint64_t)42);
	build_close(&b);
	memset(b.page + 16 + 36, 0, 4);
	b.page[16 + 72] = 28; /* the third event: 112 bytes */
	assert_int_equal(zwb_datwriter_pages(b.writer, 0, b.page, 1, NULL), ZWB_OK);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 1);
	assert_int_equal(build_loss(&r, ZWB_LOSS_BAD_PAGE), 1);
	assert_int_equal(build_loss(&r, ZWB_LOSS_RESTORED), -1);
	build_result_release(&r);
}

/* ---- any damage ---- */

/* Two CPUs, a dozen pages: 50 KB as version 6. */
static void build_small(const char *path)
{
	struct build b;

	build_begin(&b, path, 2);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		for (uint64_t page = 0; page < 6; page++)
			build_stores(&b, cpu, 100, BUILD_START_NS + page * 10000 + cpu, 10);
	}
	build_end(&b);
}

/* One number of the table of CPUs, which stands behind its name: offset and size of each. */
static void tracedat__notices_pages_of_no_cpu_and_of_two(void **state)
{
	static const struct {
		size_t place; /* in the table */
		int64_t change;
	} cases[] = {
		{ 8, -4096 }, /* the first CPU ends early */
		{ 24, -4096 }, /* so does the last */
		{ 16, 4096 }, /* the second begins late */
		{ 16, -4096 }, /* or in the first */
	};
	struct build_place *p = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct build_result r;
		unsigned char *data, *table;
		uint64_t number;
		size_t size;

		build_small(p->path);
		data = build_slurp(p->path, &size);
		table = memmem(data, size, "flyrecord", 10);
		assert_non_null(table);
		memcpy(&number, table + 10 + cases[i].place, sizeof(number));
		number += (uint64_t)cases[i].change;
		memcpy(table + 10 + cases[i].place, &number, sizeof(number));
		build_spill(p->path, data, size);
		free(data);
		r = build_read(p->path, NULL);
		check(&r);
		assert_true(build_loss(&r, ZWB_LOSS_BAD_PAGE) >= 1);
		build_result_release(&r);
	}
}

/* Whatever it is, it ends: in an error that says so, or in a stream in order. */
static void expect_survival(const char *path, size_t nr_events)
{
	struct build_result r = build_read(path, NULL);

	if (r.status) {
		assert_true(r.status == ZWB_EDATA || r.status == ZWB_EKIND);
		assert_true(r.err.text[0] != '\0');
	}
	assert_true(r.nr <= 4 * nr_events);
	for (size_t i = 1; i < r.nr; i++)
		assert_true(r.events[i].ts_ns >= r.events[i - 1].ts_ns);
	build_result_release(&r);
}

static void flip_bit(int fd, size_t bit)
{
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, (off_t)(bit / 8)), 1);
	byte ^= (unsigned char)(1u << bit % 8);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)(bit / 8)), 1);
}

static void flip_bits(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	uint64_t random = 1;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	for (int i = 0; i < NR_FLIPS; i++) {
		size_t bit;

		/* the multiplier of Knuth's MMIX generator; the high bits are the good ones */
		random = random * 6364136223846793005ull + 1442695040888963407ull;
		bit = (size_t)((random >> 20) % (8 * (uint64_t)st.st_size));
		flip_bit(fd, bit);
		expect_survival(path, 1200);
		flip_bit(fd, bit);
	}
	close(fd);
}

static void tracedat__survives_any_flipped_bit(void **state)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	struct build_place *p = *state;

	build_small(p->path);
	flip_bits(p->path);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(codecs); i++) {
		build_small(p->path);
		build_v7(p->path, p->path, codecs[i], NULL);
		flip_bits(p->path);
	}
}

/* A file that is cut has lost something, and says so whatever is left of it. */
static void cut_everywhere(struct build_place *p, const char *path, size_t *nr_read)
{
	size_t size;
	unsigned char *data = build_slurp(path, &size);

	*nr_read = 0;
	for (size_t percent = 0; percent < 100; percent++) {
		struct build_result r;

		build_spill(p->other, data, size * percent / 100);
		r = build_read(p->other, NULL);
		if (r.status)
			assert_int_equal(r.status, ZWB_EDATA);
		else
			assert_true(zwb_meta_lost_events(r.stream->meta) > 0);
		*nr_read += r.nr > 0;
		build_result_release(&r);
	}
	free(data);
}

static void tracedat__reads_what_is_left_of_a_cut_file(void **state)
{
	static const char *const codecs[] = { "zlib", "zstd" };
	struct build_place *p = *state;
	size_t nr_read;

	build_small(p->path);
	cut_everywhere(p, p->path, &nr_read);
	assert_in_range(nr_read, 70, 99);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(codecs); i++) {
		build_small(p->path);
		build_v7(p->path, p->path, codecs[i], NULL);
		cut_everywhere(p, p->path, &nr_read);
		assert_in_range(nr_read, 10, 99);
	}
}

int tracedat_damage_run(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, build_place_make, build_place_remove)
	const struct CMUnitTest tests[] = {
		TEST(tracedat__says_what_is_wrong_with_a_file),
		TEST(tracedat__says_what_is_wrong_with_a_header),
		TEST(tracedat__wants_formats_that_make_sense),
		TEST(tracedat__refuses_a_recording_of_other_things),
		TEST(tracedat__names_what_a_recording_lacks_as_a_whole),
		TEST(tracedat__tells_overruns_with_their_place_and_number),
		TEST(tracedat__believes_the_statistics_of_the_kernel),
		TEST(tracedat__skips_a_bad_page_and_tells_it),
		TEST(tracedat__tells_events_that_it_cannot_read),
		TEST(tracedat__keeps_time_order_when_the_clock_goes_back),
		TEST(tracedat__finds_events_with_overwritten_headers),
		TEST(tracedat__restores_nothing_that_makes_no_sense),
		TEST(tracedat__notices_pages_of_no_cpu_and_of_two),
		TEST(tracedat__survives_any_flipped_bit),
		TEST(tracedat__reads_what_is_left_of_a_cut_file),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
