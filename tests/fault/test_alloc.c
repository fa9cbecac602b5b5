/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No memory: for every N, the N-th allocation of our code fails, once or from then on, until an
 * operation gets through without reaching it. Each failure is reported as such and leaves nothing.
 * The allocations are those of the libraries under test; HDF5 and others allocate for themselves.
 * Usage: test_alloc [STRIDE], which tries only every so many N.
 */
#include "zwb_test.h"

#include "small_trace.h"

#include "datwriter_sink.h"
#include "eventmap.h"
#include "h5store.h"
#include "synth.h"
#include "tracedat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_EVENTS 3000
#define MAX_N	  100000 /* more allocations than any operation here makes */

static long stride = 1;

/* ---- allocation, as the linker's --wrap gives it to the libraries ---- */

static long nr_allocations; /* since armed */
static long fail_at; /* 0: never */
static int fail_on; /* all later ones fail as well */

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t nr, size_t size);
char *__real_strdup(const char *text);
int __real_vasprintf(char **out, const char *fmt, va_list ap);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t nr, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_asprintf(char **out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fails(void)
{
	nr_allocations++;
	if (fail_at == 0 || nr_allocations < fail_at)
		return 0;
	if (nr_allocations > fail_at && !fail_on)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(old, nr, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int len;

	if (fails())
		return -1;
	va_start(ap, fmt);
	len = vasprintf(out, fmt, ap);
	va_end(ap);
	return len;
}

/* ---- operations: each returns a status, and has released everything ---- */

struct place {
	char dir[32];
	char dat[48]; /* a recording */
	char h5[48]; /* a store */
	char out[48]; /* what an operation writes */
};

static int drain(struct zwb_stream *s, struct zwb_err *err)
{
	const struct zwb_event *events;
	size_t nr;
	int ret;

	do {
		ret = zwb_stream_next(s, &events, &nr, err);
	} while (!ret && nr > 0);
	zwb_stream_close(s);
	return ret;
}

static int read_dat(const struct place *p, struct zwb_err *err)
{
	struct zwb_stream *s;
	int ret = zwb_tracedat_open(p->dat, NULL, &s, err);

	return ret ? ret : drain(s, err);
}

static int read_v7(const struct place *p, struct zwb_err *err)
{
	struct zwb_stream *s;
	int ret = zwb_tracedat_open(ZWB_SOURCE_DIR "/tests/fault/data/v7-zstd.dat", NULL, &s, err);

	(void)p;
	return ret ? ret : drain(s, err);
}

static int read_h5(const struct place *p, struct zwb_err *err)
{
	struct zwb_stream *s;
	int ret = zwb_store_open(p->h5, &s, err);

	return ret ? ret : drain(s, err);
}

static int open_synth(struct zwb_stream **s, struct zwb_err *err)
{
	struct zwb_synth_params params;

	zwb_synth_defaults(&params);
	params.nr_events = NR_EVENTS;
	params.nr_pages = 4096;
	params.nr_slots = 5000;
	return zwb_synth_open(&params, s, err);
}

static int run_synth(const struct place *p, struct zwb_err *err)
{
	struct zwb_stream *s;
	int ret = open_synth(&s, err);

	(void)p;
	return ret ? ret : drain(s, err);
}

static int write_dat(const struct place *p, struct zwb_err *err)
{
	const struct zwb_event *events;
	struct zwb_datsink *sink;
	struct zwb_stream *s;
	size_t nr = 0;
	int ret = open_synth(&s, err);

	if (ret)
		return ret;
	ret = zwb_datsink_open(&sink, p->out, 0, s->meta, err);
	if (ret)
		goto out_close;
	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (!ret)
			ret = zwb_datsink_add(sink, events, nr, err);
	} while (!ret && nr > 0);
	if (ret)
		zwb_datsink_abort(sink);
	else
		ret = zwb_datsink_finish(sink, err);

out_close:
	zwb_stream_close(s);
	return ret;
}

static int write_h5_with(const struct place *p, int nr_threads, struct zwb_err *err)
{
	const struct zwb_store_opts opts = { .nr_threads = nr_threads };
	const struct zwb_event *events;
	struct zwb_store *store;
	struct zwb_stream *s;
	size_t nr = 0;
	int ret = open_synth(&s, err);

	if (ret)
		return ret;
	ret = zwb_store_create(p->out, &opts, &store, err);
	if (ret)
		goto out_close;
	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (!ret)
			ret = zwb_store_append(store, events, nr, err);
	} while (!ret && nr > 0);
	if (ret)
		zwb_store_abort(store);
	else
		ret = zwb_store_commit(store, s->meta, err);

out_close:
	zwb_stream_close(s);
	return ret;
}

static int write_h5(const struct place *p, struct zwb_err *err)
{
	return write_h5_with(p, 0, err);
}

static int parse_map(const struct place *p, struct zwb_err *err)
{
	struct zwb_eventmap *map;
	int ret = zwb_eventmap_builtin("zlab", &map, err);

	(void)p;
	if (!ret)
		zwb_eventmap_free(map);
	return ret;
}

/* ---- the tests ---- */

typedef int operation_fn(const struct place *p, struct zwb_err *err);

/* An output is there exactly when the operation said that all is well. */
static void check_output(const struct place *p, int status)
{
	if (status == ZWB_OK)
		unlink(p->out);
	else
		assert_int_equal(access(p->out, F_OK), -1);
}

static void fail_every(operation_fn *operation, const struct place *p, int from_then_on)
{
	long n;

	for (n = 1; n < MAX_N; n += stride) {
		struct zwb_err err = { 0 };
		int status;

		nr_allocations = 0;
		fail_on = from_then_on;
		fail_at = n;
		status = operation(p, &err);
		fail_at = 0;
		check_output(p, status);
		if (nr_allocations < n) {
			assert_int_equal(status, ZWB_OK);
			break;
		}
		if (status != ZWB_ENOMEM)
			fail_msg("allocation %ld failed, and the status is %d (%s)", n, status,
				err.text);
		assert_true(err.text[0] != '\0');
	}
	assert_in_range(n, 2, MAX_N - 1);
}

#define ALLOC_TEST(name, operation)                                                                \
	static void name(void **state)                                                             \
	{                                                                                          \
		fail_every(operation, *state, 0);                                                  \
		fail_every(operation, *state, 1);                                                  \
	}

ALLOC_TEST(alloc__every_failure_is_survived_by_the_reader, read_dat)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_reader_of_version_7, read_v7)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_store_s_reader, read_h5)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_store_s_writer, write_h5)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_trace_dat_writer, write_dat)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_synthetic_machine, run_synth)
ALLOC_TEST(alloc__every_failure_is_survived_by_the_event_map_parser, parse_map)

static int setup(void **state)
{
	static struct place p = { .dir = "/tmp/zwb-alloc-XXXXXX" };

	if (!mkdtemp(p.dir))
		return -1;
	snprintf(p.dat, sizeof(p.dat), "%s/in.dat", p.dir);
	snprintf(p.h5, sizeof(p.h5), "%s/in.h5", p.dir);
	snprintf(p.out, sizeof(p.out), "%s/out", p.dir);
	small_trace_write(p.dat, NR_EVENTS);
	if (write_h5(&p, NULL) || rename(p.out, p.h5))
		return -1;
	*state = &p;
	return 0;
}

/* Temporary files that were left behind keep the folder from going away. */
static int teardown(void **state)
{
	const struct place *p = *state;

	unlink(p->dat);
	unlink(p->h5);
	return rmdir(p->dir);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_reader),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_reader_of_version_7),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_store_s_reader),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_store_s_writer),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_trace_dat_writer),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_synthetic_machine),
		cmocka_unit_test(alloc__every_failure_is_survived_by_the_event_map_parser),
	};

	if (argc > 1)
		stride = strtol(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, setup, teardown);
}
