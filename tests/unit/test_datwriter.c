/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file around the pages. That tools read it is tested in cli.tracecmd and unit.synth. */
#include "zwb_test.h"

#include "datwriter.h"
#include "datwriter_sink.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define NR_CPUS	   3

struct place {
	char dir[32];
	char path[48];
	char other[48];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-datwriter-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->path, sizeof(p->path), "%s/a.dat", p->dir);
	snprintf(p->other, sizeof(p->other), "%s/b.dat", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	int ret;

	unlink(p->path);
	unlink(p->other);
	ret = rmdir(p->dir); /* fails when a test left a file behind */
	free(p);
	return ret;
}

static struct zwb_datwriter *open_writer(const char *path)
{
	const struct zwb_datwriter_config config = { NR_CPUS, PAGE_BYTES, "mono", 0, NULL };
	struct zwb_datwriter *w = NULL;

	assert_int_equal(zwb_datwriter_open(&w, path, 0, &config, NULL), ZWB_OK);
	return w;
}

static unsigned char *slurp(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	unsigned char *data;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	data = malloc(*size);
	assert_int_equal(read(fd, data, *size), *size);
	close(fd);
	return data;
}

/* Reads a file part by part, in the order of trace-cmd.dat.v6(5). */
struct walker {
	const unsigned char *data;
	size_t size, at;
};

static const unsigned char *take(struct walker *w, size_t len)
{
	const unsigned char *from = w->data + w->at;

	assert_true(len <= w->size - w->at);
	w->at += len;
	return from;
}

static uint64_t take_number(struct walker *w, size_t len)
{
	uint64_t number = 0;

	memcpy(&number, take(w, len), len);
	return number;
}

static void expect(struct walker *w, const char *bytes, size_t len)
{
	assert_memory_equal(take(w, len), bytes, len);
}

static void expect_sized(struct walker *w, size_t width, const char *text)
{
	assert_int_equal(take_number(w, width), strlen(text));
	expect(w, text, strlen(text));
}

static void put_page(struct zwb_datwriter *w, uint32_t cpu, int fill, size_t nr)
{
	unsigned char pages[3 * PAGE_BYTES];

	memset(pages, fill, sizeof(pages));
	assert_int_equal(zwb_datwriter_pages(w, cpu, pages, nr, NULL), ZWB_OK);
}

static void put_parts(struct zwb_datwriter *w)
{
	assert_int_equal(zwb_datwriter_text(w, ZWB_DAT_HEADER_PAGE, "hp", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_text(w, ZWB_DAT_KALLSYMS, "sy", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_text(w, ZWB_DAT_KALLSYMS, "ms", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_text(w, ZWB_DAT_CMDLINES, "1 init\n", 7, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "one", "f1", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "two", "f2", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "ftrace", "f0", 2, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "one", "f11", 3, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_option(w, ZWB_DAT_OPTION_UNAME, "Linux", NULL), ZWB_OK);
	put_page(w, 2, 0xc2, 2);
	put_page(w, 0, 0xc0, 1);
	put_page(w, 2, 0xd2, 1);
}

static void expect_head(struct walker *f)
{
	expect(f, "\x17\x08\x44tracing6\0\0\x08", 14);
	assert_int_equal(take_number(f, 4), PAGE_BYTES);
	expect(f, "header_page", 12);
	expect_sized(f, 8, "hp");
	expect(f, "header_event", 13);
	take(f, take_number(f, 8));
	assert_int_equal(take_number(f, 4), 1); /* formats of ftrace */
	expect_sized(f, 8, "f0");
	assert_int_equal(take_number(f, 4), 2); /* groups */
	expect(f, "one", 4);
	assert_int_equal(take_number(f, 4), 2);
	expect_sized(f, 8, "f1");
	expect_sized(f, 8, "f11");
	expect(f, "two", 4);
	assert_int_equal(take_number(f, 4), 1);
	expect_sized(f, 8, "f2");
	expect_sized(f, 4, "syms");
	expect_sized(f, 4, "");
	expect_sized(f, 8, "1 init\n");
	assert_int_equal(take_number(f, 4), NR_CPUS);
	expect(f, "options  ", 10);
	assert_int_equal(take_number(f, 2), ZWB_DAT_OPTION_TRACECLOCK);
	assert_int_equal(take_number(f, 4), 8);
	expect(f, "[mono]\n", 8);
	assert_int_equal(take_number(f, 2), ZWB_DAT_OPTION_UNAME);
	assert_int_equal(take_number(f, 4), 6);
	expect(f, "Linux", 6);
	assert_int_equal(take_number(f, 2), 0);
	expect(f, "flyrecord", 10);
}

static void datwriter__writes_every_part_where_the_manual_says(void **state)
{
	const size_t want_pages[NR_CPUS] = { 1, 0, 3 };
	struct place *p = *state;
	struct zwb_datwriter *w = open_writer(p->path);
	struct walker f = { 0 };
	unsigned char *data;

	put_parts(w);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	data = slurp(p->path, &f.size);
	f.data = data;
	expect_head(&f);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		uint64_t offset = take_number(&f, 8);
		uint64_t size = take_number(&f, 8);

		assert_int_equal(offset % PAGE_BYTES, 0);
		assert_int_equal(size, want_pages[cpu] * PAGE_BYTES);
		assert_true(offset + size <= f.size);
		for (uint64_t i = 0; i < size; i++)
			assert_int_equal(
				data[offset + i], i < 2 * PAGE_BYTES ? 0xc0 + cpu : 0xd0 + cpu);
	}
	assert_int_equal(
		f.size, (f.at + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + 4 * PAGE_BYTES);
	free(data);
}

static void datwriter__writes_the_same_bytes_twice(void **state)
{
	struct place *p = *state;
	struct zwb_datwriter *w = open_writer(p->path);
	unsigned char *one, *two;
	size_t size_one, size_two;

	put_parts(w);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	w = open_writer(p->other);
	put_parts(w);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	one = slurp(p->path, &size_one);
	two = slurp(p->other, &size_two);
	assert_int_equal(size_one, size_two);
	assert_memory_equal(one, two, size_one);
	free(one);
	free(two);
}

static void datwriter__leaves_nothing_when_aborted(void **state)
{
	struct place *p = *state;
	struct zwb_datwriter *w = open_writer(p->path);

	put_parts(w);
	zwb_datwriter_abort(w);
	zwb_datwriter_abort(NULL);
	/* teardown's rmdir() is the check */
}

static void datwriter__refuses_impossible_configurations(void **state)
{
	const struct zwb_datwriter_config cases[] = {
		{ 0, 4096, "mono", 0, NULL },
		{ 65537, 4096, "mono", 0, NULL },
		{ 1, 0, "mono", 0, NULL },
		{ 1, 2048, "mono", 0, NULL },
		{ 1, 5000, "mono", 0, NULL },
		{ 1, 131072, "mono", 0, NULL },
	};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_datwriter *w;
		struct zwb_err err = { 0 };

		assert_int_equal(zwb_datwriter_open(&w, p->path, 0, &cases[i], &err), ZWB_EUSAGE);
		assert_true(strlen(err.text) > 10);
	}
}

static void datwriter__refuses_an_existing_file(void **state)
{
	const struct zwb_datwriter_config config = { NR_CPUS, PAGE_BYTES, "mono", 0, NULL };
	struct place *p = *state;
	struct zwb_datwriter *w = open_writer(p->path);

	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_open(&w, p->path, 0, &config, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_datwriter_open(&w, p->path, 1, &config, NULL), ZWB_OK);
	zwb_datwriter_abort(w);
	assert_int_equal(access(p->path, F_OK), 0);
}

static void datwriter__reports_a_full_device(void **state)
{
	const struct zwb_datwriter_config config = { 1, PAGE_BYTES, "mono", 0, NULL };
	struct zwb_datwriter *w;
	struct zwb_err err = { 0 };

	(void)state;
	assert_int_equal(zwb_datwriter_open(&w, "/dev/full", 0, &config, &err), ZWB_OK);
	put_page(w, 0, 1, 1);
	assert_int_equal(zwb_datwriter_finish(w, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "/dev/full"));
	assert_non_null(strstr(err.text, "No space left"));
}

static void datsink__refuses_records_that_it_cannot_carry(void **state)
{
	const struct zwb_event cases[] = {
		{ .kind = ZWB_EV_NONE },
		{ .kind = ZWB_EV_NR },
		{ .kind = ZWB_EV_WALK_BEGIN, .flags = ZWB_WALK_UNKNOWN },
		{ .kind = ZWB_EV_PLUG, .cpu = 2 },
		{ .kind = ZWB_EV_PLUG, .cgroup = 1 },
		{ .kind = ZWB_EV_BIO_QUEUE, .dev = 1 },
	};
	struct place *p = *state;
	struct zwb_meta *meta = zwb_meta_create();

	meta->nr_cpus = 2;
	assert_int_equal(zwb_meta_device(meta, 8, 0, "sda", NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_datsink *sink;
		struct zwb_err err = { 0 };

		assert_int_equal(zwb_datsink_open(&sink, p->path, 0, meta, NULL), ZWB_OK);
		assert_int_equal(zwb_datsink_add(sink, &cases[i], 1, &err), ZWB_EUSAGE);
		assert_true(strlen(err.text) > 10);
		zwb_datsink_abort(sink);
	}
	zwb_meta_free(meta);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(datwriter__writes_every_part_where_the_manual_says),
		TEST(datwriter__writes_the_same_bytes_twice),
		TEST(datwriter__leaves_nothing_when_aborted),
		TEST(datwriter__refuses_impossible_configurations),
		TEST(datwriter__refuses_an_existing_file),
		TEST(datwriter__reports_a_full_device),
		TEST(datsink__refuses_records_that_it_cannot_carry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
