/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of a recording whose writer was killed. */
#include "zwb_test.h"

#include "datwriter.h"
#include "datwriter_kinds.h"
#include "datwriter_page.h"
#include "tracedat.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define NR_CPUS	   3
#define EVENT_ID   1000

struct place {
	char dir[32];
	char path[48];
	char partial[56];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-partial-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->path, sizeof(p->path), "%s/a.dat", p->dir);
	snprintf(p->partial, sizeof(p->partial), "%s/a.dat.partial", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	int ret;

	unlink(p->path);
	unlink(p->partial);
	ret = rmdir(p->dir); /* fails when there is another file */
	free(p);
	return ret;
}

static struct zwb_datwriter *begin(const char *path)
{
	const struct zwb_datwriter_config config = {
		.nr_cpus = NR_CPUS, .page_bytes = PAGE_BYTES, .clock = "mono", .has_partial = 1
	};
	const struct zwb_dat_schema *schema = &zwb_dat_schemas[ZWB_EV_INVALIDATE];
	struct zwb_datwriter *w = NULL;
	struct zwb_buf text = { 0 };

	assert_int_equal(zwb_datwriter_open(&w, path, 0, &config, NULL), ZWB_OK);
	zwb_dat_format(schema, EVENT_ID, &text);
	assert_int_equal(
		zwb_datwriter_format(w, schema->system, text.data, text.len, NULL), ZWB_OK);
	zwb_buf_release(&text);
	return w;
}

/* A page of @nr events. */
static void put_events(struct zwb_datwriter *w, uint32_t cpu, uint64_t ts_ns, int nr)
{
	const struct zwb_dat_common common = { .type = EVENT_ID, .pid = 7 };
	_Alignas(8) unsigned char memory[PAGE_BYTES];
	struct zwb_dat_layout layout;
	struct zwb_datpage page;

	zwb_dat_layout(&zwb_dat_schemas[ZWB_EV_INVALIDATE], &layout);
	zwb_datpage_init(&page, memory, sizeof(memory));
	for (int i = 0; i < nr; i++) {
		unsigned char *payload =
			zwb_datpage_reserve(&page, ts_ns + (uint64_t)i, layout.bytes);

		assert_non_null(payload);
		memset(payload, 0, layout.bytes);
		memcpy(payload, &common, sizeof(common));
	}
	zwb_datpage_close(&page);
	assert_int_equal(zwb_datwriter_pages(w, cpu, memory, 1, NULL), ZWB_OK);
}

/* Return: events in a recording; it must be without a loss. */
static size_t count_events(const char *path)
{
	const struct zwb_event *events;
	struct zwb_stream *stream;
	size_t total = 0, nr;

	assert_int_equal(zwb_tracedat_open(path, NULL, &stream, NULL), ZWB_OK);
	do {
		assert_int_equal(zwb_stream_next(stream, &events, &nr, NULL), ZWB_OK);
		total += nr;
	} while (nr > 0);
	assert_int_equal(stream->meta->nr_losses, 0);
	zwb_stream_close(stream);
	return total;
}

static size_t nr_files(const char *dir)
{
	DIR *d = opendir(dir);
	size_t nr = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		nr += e->d_name[0] != '.';
	closedir(d);
	return nr;
}

static void record_and_die(const char *path)
{
	struct zwb_datwriter *w = begin(path);

	put_events(w, 0, 1000, 10);
	put_events(w, 2, 2000, 20);
	zwb_datwriter_flush(w, NULL);
	put_events(w, 0, 3000, 5);
	zwb_datwriter_flush(w, NULL);
	put_events(w, 1, 4000, 100); /* not flushed */
	raise(SIGKILL);
}

static void partial__of_a_killed_writer_is_read_up_to_the_last_flush(void **state)
{
	struct place *p = *state;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		record_and_die(p->path);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(access(p->path, F_OK), -1);
	assert_int_equal(nr_files(p->dir), 1);
	assert_int_equal(count_events(p->partial), 35);
}

static void partial__is_gone_when_the_file_is_whole(void **state)
{
	struct place *p = *state;
	struct zwb_datwriter *w = begin(p->path);

	put_events(w, 0, 1000, 10);
	assert_int_equal(zwb_datwriter_flush(w, NULL), ZWB_OK);
	put_events(w, 2, 2000, 20);
	assert_int_equal(count_events(p->partial), 10);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
	assert_int_equal(nr_files(p->dir), 1);
	assert_int_equal(count_events(p->path), 30);
}

static void partial__is_gone_after_an_abort(void **state)
{
	struct place *p = *state;
	struct zwb_datwriter *w = begin(p->path);

	put_events(w, 0, 1000, 10);
	assert_int_equal(zwb_datwriter_flush(w, NULL), ZWB_OK);
	zwb_datwriter_abort(w);
	assert_int_equal(nr_files(p->dir), 0);
}

/* Also the name that it stands for may be taken meanwhile. */
static void partial__stays_with_all_events_when_the_file_cannot_be_made(void **state)
{
	struct place *p = *state;
	struct zwb_datwriter *w = begin(p->path);

	put_events(w, 0, 1000, 10);
	put_events(w, 1, 1000, 10);
	assert_int_equal(mkdir(p->path, 0700), 0);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_EUSAGE);
	assert_int_equal(rmdir(p->path), 0);
	assert_int_equal(nr_files(p->dir), 1);
	assert_int_equal(count_events(p->partial), 20);
}

static void partial__that_exists_is_not_overwritten(void **state)
{
	const struct zwb_datwriter_config config = {
		.nr_cpus = NR_CPUS, .page_bytes = PAGE_BYTES, .clock = "mono", .has_partial = 1
	};
	struct place *p = *state;
	struct zwb_datwriter *w;
	struct zwb_err err = { 0 };
	FILE *f = fopen(p->partial, "w");

	assert_non_null(f);
	fclose(f);
	assert_int_equal(zwb_datwriter_open(&w, p->path, 0, &config, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, "a.dat.partial"));
	assert_int_equal(access(p->partial, F_OK), 0);
	assert_int_equal(nr_files(p->dir), 1);
	assert_int_equal(zwb_datwriter_open(&w, p->path, 1, &config, NULL), ZWB_OK);
	zwb_datwriter_abort(w);
}

static void partial__is_not_made_for_devices(void **state)
{
	const struct zwb_datwriter_config config = {
		.nr_cpus = 1, .page_bytes = PAGE_BYTES, .clock = "mono", .has_partial = 1
	};
	struct zwb_datwriter *w;

	(void)state;
	assert_int_equal(zwb_datwriter_open(&w, "/dev/null", 0, &config, NULL), ZWB_OK);
	put_events(w, 0, 1000, 10);
	assert_int_equal(zwb_datwriter_flush(w, NULL), ZWB_OK);
	assert_int_equal(access("/dev/null.partial", F_OK), -1);
	assert_int_equal(zwb_datwriter_finish(w, NULL), ZWB_OK);
}

static int write_until_full(const char *path, struct zwb_err *err)
{
	struct zwb_datwriter *w = begin(path);
	unsigned char page[PAGE_BYTES] = { 0 };
	int ret;

	do {
		ret = zwb_datwriter_pages(w, 1, page, 1, err);
	} while (!ret);
	zwb_datwriter_abort(w);
	return ret;
}

/* The parts are cut shorter where files may not be long, and then a CPU's can fill up. */
static void partial__says_when_a_cpu_has_no_room(void **state)
{
	struct place *p = *state;
	const struct rlimit limit = { 1 << 20, RLIM_INFINITY };
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	struct zwb_err err = { 0 };
	int ret;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ret = write_until_full(p->path, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_int_equal(ret, ZWB_EENV);
	assert_non_null(strstr(err.text, "CPU 1"));
	assert_int_equal(nr_files(p->dir), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(partial__of_a_killed_writer_is_read_up_to_the_last_flush),
		TEST(partial__is_gone_when_the_file_is_whole),
		TEST(partial__is_gone_after_an_abort),
		TEST(partial__stays_with_all_events_when_the_file_cannot_be_made),
		TEST(partial__that_exists_is_not_overwritten),
		TEST(partial__is_not_made_for_devices),
		TEST(partial__says_when_a_cpu_has_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
