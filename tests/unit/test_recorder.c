/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ring buffers are stood in for by packet sockets: a read() takes one page, and there is no more to
 * wait for than what was put in.
 */
#include "zwb_test.h"

#include "datwriter_kinds.h"
#include "datwriter_page.h"
#include "recorder.h"
#include "tracedat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define NR_CPUS	   3
#define EVENT_ID   1000
#define FULL_PAGE  120 /* events of a page that counts as full */

struct machine {
	char dir[32];
	char path[48];
	char partial[56];
	struct zwb_datwriter *writer;
	int fds[NR_CPUS]; /* the recorder's; CPU 1 is not there */
	int kernel[NR_CPUS]; /* the other ends */
	struct zwb_recorder_config config;
};

static int setup(void **state)
{
	const struct zwb_datwriter_config config = {
		.nr_cpus = NR_CPUS, .page_bytes = PAGE_BYTES, .clock = "mono", .has_partial = 1
	};
	const struct zwb_dat_schema *schema = &zwb_dat_schemas[ZWB_EV_INVALIDATE];
	struct machine *m = calloc(1, sizeof(*m));
	struct zwb_buf text = { 0 };

	snprintf(m->dir, sizeof(m->dir), "/tmp/zwb-recorder-XXXXXX");
	if (!mkdtemp(m->dir))
		return -1;
	snprintf(m->path, sizeof(m->path), "%s/a.dat", m->dir);
	snprintf(m->partial, sizeof(m->partial), "%s/a.dat.partial", m->dir);
	if (zwb_datwriter_open(&m->writer, m->path, 0, &config, NULL))
		return -1;
	zwb_dat_format(schema, EVENT_ID, &text);
	zwb_datwriter_format(m->writer, schema->system, text.data, text.len, NULL);
	zwb_buf_release(&text);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		int pair[2] = { -1, -1 };

		if (cpu != 1 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair))
			return -1;
		m->fds[cpu] = pair[0];
		m->kernel[cpu] = pair[1];
	}
	m->config = (struct zwb_recorder_config){ .fds = m->fds,
		.nr_cpus = NR_CPUS,
		.buffer_bytes = 1 << 20,
		.flush_ns = 20000000,
		.writer = m->writer };
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;
	int ret;

	zwb_datwriter_abort(m->writer);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		if (m->fds[cpu] >= 0)
			close(m->fds[cpu]);
		if (m->kernel[cpu] >= 0)
			close(m->kernel[cpu]);
	}
	unlink(m->path);
	unlink(m->partial);
	ret = rmdir(m->dir);
	free(m);
	return ret;
}

/* Put a page of @nr events into a CPU's buffer. Return: 0 when the buffer is full. */
static int put(struct machine *m, int cpu, uint64_t ts_ns, int nr, int is_marked)
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
	if (is_marked)
		zwb_datpage_missed(&page, 12345);
	zwb_datpage_close(&page);
	if (send(m->kernel[cpu], memory, sizeof(memory), 0) == (ssize_t)sizeof(memory))
		return 1;
	assert_int_equal(errno, EAGAIN);
	return 0;
}

static int put_page(struct machine *m, int cpu, uint64_t ts_ns, int nr)
{
	return put(m, cpu, ts_ns, nr, 0);
}

/* The first of a buffer that was overwritten. */
static void put_marked_page(struct machine *m, int cpu, uint64_t ts_ns, int nr)
{
	assert_true(put(m, cpu, ts_ns, nr, 1));
}

static size_t count_events(const char *path)
{
	const struct zwb_event *events;
	struct zwb_stream *stream;
	size_t total = 0, nr;

	if (zwb_tracedat_open(path, NULL, &stream, NULL))
		return 0;
	do {
		assert_int_equal(zwb_stream_next(stream, &events, &nr, NULL), ZWB_OK);
		total += nr;
	} while (nr > 0);
	assert_int_equal(stream->meta->nr_losses, 0);
	zwb_stream_close(stream);
	return total;
}

static size_t finish(struct machine *m)
{
	assert_int_equal(zwb_datwriter_finish(m->writer, NULL), ZWB_OK);
	m->writer = NULL;
	return count_events(m->path);
}

static void recorder__moves_all_pages_of_all_cpus(void **state)
{
	struct machine *m = *state;
	struct zwb_recorder_stats stats;
	struct zwb_recorder *r;
	size_t put = 0;

	assert_int_equal(zwb_recorder_start(&r, &m->config, NULL), ZWB_OK);
	for (uint64_t i = 0; i < 500; i++) {
		while (!put_page(m, i % 2 ? 2 : 0, 1000 * i, FULL_PAGE))
			usleep(1000);
		put += FULL_PAGE;
	}
	assert_int_equal(zwb_recorder_stop(r, &stats, NULL), ZWB_OK);
	assert_int_equal(stats.nr_pages, 500);
	assert_int_equal(finish(m), put);
}

static void recorder__flushes_at_intervals(void **state)
{
	struct machine *m = *state;
	struct zwb_recorder *r;
	size_t seen = 0;

	assert_int_equal(zwb_recorder_start(&r, &m->config, NULL), ZWB_OK);
	put_page(m, 2, 1000, 5);
	for (int i = 0; i < 500 && seen != 5; i++) {
		usleep(10000);
		seen = count_events(m->partial);
	}
	assert_int_equal(seen, 5);
	assert_int_equal(zwb_recorder_stop(r, NULL, NULL), ZWB_OK);
}

static void recorder__says_when_it_cannot_write(void **state)
{
	struct machine *m = *state;
	struct zwb_err err = { 0 };
	struct zwb_recorder *r;
	struct pollfd poll_fd;

	zwb_datwriter_abort(m->writer);
	m->writer = NULL;
	/* a device is written at finish(), so let it be the reading that fails */
	close(m->fds[0]);
	m->fds[0] = open(m->dir, O_RDONLY | O_DIRECTORY);
	assert_int_equal(
		zwb_datwriter_open(&m->writer, m->path, 0,
			&(struct zwb_datwriter_config){ NR_CPUS, PAGE_BYTES, "mono", 1, NULL },
			NULL),
		ZWB_OK);
	m->config.writer = m->writer;
	assert_int_equal(zwb_recorder_start(&r, &m->config, NULL), ZWB_OK);
	poll_fd = (struct pollfd){ .fd = zwb_recorder_fd(r), .events = POLLIN };
	assert_int_equal(poll(&poll_fd, 1, 5000), 1);
	assert_int_equal(zwb_recorder_stop(r, NULL, &err), ZWB_EENV);
	assert_int_equal(err.sys_errno, EISDIR);
	assert_non_null(strstr(err.text, "CPU 0"));
}

/* What was overwritten is no loss, and what only the idle CPU still has is not worth having. */
static void recorder__drains_the_time_that_all_cpus_have(void **state)
{
	struct machine *m = *state;
	struct zwb_recorder_window window;

	put_page(m, 0, 1000, 10);
	put_page(m, 0, 2000, 20);
	put_page(m, 0, 5000, 40); /* goes on when CPU 2 begins */
	put_page(m, 0, 9000, FULL_PAGE);
	put_page(m, 2, 500, 9); /* the reader's page, which is not overwritten */
	put_marked_page(m, 2, 6000, FULL_PAGE);
	put_page(m, 2, 7000, FULL_PAGE);
	put_page(m, 2, 8000, 7);
	assert_int_equal(zwb_recorder_drain(&m->config, &window, NULL), ZWB_OK);
	assert_int_equal(window.from_ns, 6000);
	assert_int_equal(window.nr_pages, 5);
	assert_int_equal(finish(m), 40 + 3 * FULL_PAGE + 7);
}

static void recorder__drains_everything_that_was_not_overwritten(void **state)
{
	struct machine *m = *state;
	struct zwb_recorder_window window;

	put_page(m, 0, 1000, 3);
	put_page(m, 0, 2000, FULL_PAGE);
	put_page(m, 2, 3000, 1);
	assert_int_equal(zwb_recorder_drain(&m->config, &window, NULL), ZWB_OK);
	assert_int_equal(window.from_ns, 0);
	assert_int_equal(window.nr_pages, 3);
	assert_int_equal(finish(m), FULL_PAGE + 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(recorder__moves_all_pages_of_all_cpus),
		TEST(recorder__flushes_at_intervals),
		TEST(recorder__says_when_it_cannot_write),
		TEST(recorder__drains_the_time_that_all_cpus_have),
		TEST(recorder__drains_everything_that_was_not_overwritten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
