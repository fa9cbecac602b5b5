/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace.dat without names: nothing of them in any part of the file. */
#include "datwriter.h"
#include "datwriter_page.h"
#include "zwb_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char waking[] = "name: sched_waking\nID: 311\nformat:\n" COMMON
			     "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			     "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			     "\nprint fmt: \"comm=%s\", REC->comm\n";

static const char print[] = "name: print\nID: 5\nformat:\n" COMMON
			    "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
			    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
			    "\nprint fmt: \"%s\", REC->buf\n";

struct waking_event {
	struct zwb_dat_common common;
	char comm[16];
	int32_t pid;
};

struct print_event {
	struct zwb_dat_common common;
	uint64_t ip;
	char buf[48];
};

static const struct zwb_anon anon = { { 5, 6 } };

static void put(struct zwb_datwriter *w, uint32_t cpu, const void *event, size_t len)
{
	unsigned char memory[PAGE];
	struct zwb_datpage p;
	void *at;

	memset(memory, 0, sizeof(memory));
	zwb_datpage_init(&p, memory, sizeof(memory));
	at = zwb_datpage_reserve(&p, 1000, len);
	assert_non_null(at);
	memcpy(at, event, len);
	zwb_datpage_close(&p);
	assert_int_equal(zwb_datwriter_pages(w, cpu, memory, 1, NULL), ZWB_OK);
}

/* A recording of CPU 0, with markers in CPU 1. */
static struct zwb_datwriter *make(const char *path, const struct zwb_anon *how)
{
	const struct zwb_datwriter_config config = { 2, PAGE, "mono", 1, how };
	static const char tasks[] = "1 acme-init\n77 kswapd0\n";
	struct waking_event event = {
		.common = { .type = 311, .pid = 1 }, .comm = "acmed", .pid = 42
	};
	struct print_event marker = { .common = { .type = 5 }, .buf = "zwb1 start a fact" };
	struct zwb_datwriter *w = NULL;

	assert_int_equal(zwb_datwriter_open(&w, path, 0, &config, NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "sched", waking, strlen(waking), NULL), ZWB_OK);
	assert_int_equal(zwb_datwriter_format(w, "ftrace", print, strlen(print), NULL), ZWB_OK);
	assert_int_equal(
		zwb_datwriter_text(w, ZWB_DAT_CMDLINES, tasks, strlen(tasks), NULL), ZWB_OK);
	assert_int_equal(
		zwb_datwriter_text(w, ZWB_DAT_KALLSYMS, "ff00 T acme_mod\n", 16, NULL), ZWB_OK);
	assert_int_equal(
		zwb_datwriter_option(w, ZWB_DAT_OPTION_UNAME, "Linux acme-db1 7.3.4 x86_64", NULL),
		ZWB_OK);
	put(w, 0, &event, sizeof(event));
	put(w, 1, &marker, sizeof(marker));
	return w;
}

static unsigned char *slurp(const char *path, size_t *len)
{
	unsigned char *bytes;
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	*len = (size_t)st.st_size;
	bytes = malloc(*len + 1);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, *len), *len);
	close(fd);
	return bytes;
}

static int has(const unsigned char *bytes, size_t len, const char *text)
{
	return memmem(bytes, len, text, strlen(text)) != NULL;
}

static void hide__no_part_of_the_file_has_a_name(void **state)
{
	char dir[] = "/tmp/zwb-hide-XXXXXX", path[64], comm[16] = "acmed";
	unsigned char *bytes;
	size_t len;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.dat", dir);
	assert_int_equal(zwb_datwriter_finish(make(path, &anon), NULL), ZWB_OK);
	bytes = slurp(path, &len);
	assert_false(has(bytes, len, "acme"));
	zwb_anon_comm(&anon, comm);
	assert_true(has(bytes, len, comm));
	assert_true(has(bytes, len, "77 kswapd0\n"));
	assert_true(has(bytes, len, "7.3.4 x86_64"));
	assert_true(has(bytes, len, "zwb1 start a fact"));
	free(bytes);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

/* What the test above looks for would be there. */
static void hide__without_an_anonymiser_nothing_is_changed(void **state)
{
	char dir[] = "/tmp/zwb-hide-XXXXXX", path[64];
	struct zwb_datwriter *w;
	unsigned char *bytes;
	size_t len;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.dat", dir);
	w = make(path, NULL);
	assert_int_equal(zwb_datwriter_nr_erased(w), 0);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	bytes = slurp(path, &len);
	assert_true(has(bytes, len, "1 acme-init\n"));
	assert_true(has(bytes, len, "acmed"));
	assert_true(has(bytes, len, "acme-db1"));
	assert_true(has(bytes, len, "acme_mod"));
	free(bytes);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

static void hide__the_partial_file_has_no_names_either(void **state)
{
	char dir[] = "/tmp/zwb-hide-XXXXXX", path[64], partial[80];
	struct zwb_datwriter *w;
	unsigned char bytes[3 * PAGE];
	ssize_t len;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.dat", dir);
	snprintf(partial, sizeof(partial), "%s.partial", path);
	w = make(path, &anon);
	assert_int_equal(zwb_datwriter_flush(w, NULL), ZWB_OK);
	fd = open(partial, O_RDONLY); /* huge, with holes: its begin is enough */
	assert_true(fd >= 0);
	len = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_true(len > 0);
	assert_true(has(bytes, (size_t)len, "tracing"));
	assert_false(has(bytes, (size_t)len, "acme"));
	zwb_datwriter_abort(w);
	assert_int_equal(rmdir(dir), 0);
}

static void hide__events_without_a_format_are_counted(void **state)
{
	struct waking_event event = { .common = { .type = 999 }, .comm = "acmed" };
	char dir[] = "/tmp/zwb-hide-XXXXXX", path[64];
	struct zwb_datwriter *w;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.dat", dir);
	w = make(path, &anon);
	put(w, 0, &event, sizeof(event));
	assert_int_equal(zwb_datwriter_nr_erased(w), 1);
	assert_int_equal(zwb_datwriter_format(w, "sched", "no format", 9, NULL), ZWB_EDATA);
	zwb_datwriter_abort(w);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hide__no_part_of_the_file_has_a_name),
		cmocka_unit_test(hide__without_an_anonymiser_nothing_is_changed),
		cmocka_unit_test(hide__the_partial_file_has_no_names_either),
		cmocka_unit_test(hide__events_without_a_format_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
