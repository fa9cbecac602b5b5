/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the kernel's ring-buffer pages into a file, as they fill up. */
#include "recorder.h"

#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BATCH_BYTES (256u << 10) /* written at once */
/* Of the second word of a page: kernel/trace/ring_buffer.c. */
#define COMMIT_MASK    ((1u << 27) - 1) /* bytes of events */
#define COMMIT_STORED  (1ul << 30) /* behind the events is how many are missing */
#define COMMIT_MISSING (1ul << 31)
#define NS_PER_MS      1000000u

/* Reads the buffers of all CPUs; the thread's, or the drain's. */
struct reader {
	struct zwb_recorder_config config;
	struct zwb_recorder_stats stats;
	size_t page_bytes;
	unsigned char *batch;
	struct pollfd *polls; /* by CPU, then the stop_fd */
};

struct zwb_recorder {
	struct reader reader;
	pthread_t thread;
	int stop_fd; /* written to by stop() */
	int failed_fd; /* written to by the thread */
	int ret;
	struct zwb_err err;
};

static void reader_release(struct reader *r)
{
	free(r->batch);
	free(r->polls);
	*r = (struct reader){ 0 };
}

static int reader_init(
	struct reader *r, const struct zwb_recorder_config *config, struct zwb_err *err)
{
	*r = (struct reader){ .config = *config };
	r->page_bytes = zwb_datwriter_page_bytes(config->writer);
	r->batch = malloc(BATCH_BYTES);
	r->polls = calloc((size_t)config->nr_cpus + 1, sizeof(*r->polls));
	if (!r->batch || !r->polls) {
		reader_release(r);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the recorder");
	}
	for (uint32_t i = 0; i < config->nr_cpus; i++)
		r->polls[i] = (struct pollfd){ .fd = config->fds[i], .events = POLLIN };
	return ZWB_OK;
}

/*
 * Return: 1 with a page, 0 when there is none, ZWB_EENV. A page that is being written to is handed
 * out with the events that it has so far.
 */
static int read_page(struct reader *r, uint32_t cpu, unsigned char *page, struct zwb_err *err)
{
	ssize_t got;

	do {
		got = read(r->config.fds[cpu], page, r->page_bytes);
	} while (got < 0 && errno == EINTR);
	if (got == (ssize_t)r->page_bytes)
		return 1;
	if (got == 0 || (got < 0 && errno == EAGAIN))
		return 0;
	return zwb_err_set(err, ZWB_EENV, got < 0 ? errno : EIO,
		"the ring buffer of CPU %u cannot be read", cpu);
}

/* A page that is less than half full is the one that the kernel is writing. */
static int page_is_last(const struct reader *r, const unsigned char *page)
{
	unsigned long commit;

	memcpy(&commit, page + sizeof(uint64_t), sizeof(commit));
	return (commit & COMMIT_MASK) < r->page_bytes / 2;
}

/*
 * Read one CPU until the page that is being written; to go on would be to chase the kernel event by
 * event, each in a page of its own. @to_the_end: nothing is being written, read all there is.
 */
static int read_cpu(struct reader *r, uint32_t cpu, int to_the_end, struct zwb_err *err)
{
	size_t batch_pages = BATCH_BYTES / r->page_bytes;
	uint64_t left = r->config.buffer_bytes / r->page_bytes + 1; /* others want their turn */
	int ret = 1;

	while (ret == 1 && (left || to_the_end)) {
		size_t nr = 0;

		while (nr < batch_pages && ret == 1) {
			unsigned char *page = r->batch + nr * r->page_bytes;

			ret = read_page(r, cpu, page, err);
			if (ret != 1)
				break;
			nr++;
			if (!to_the_end && page_is_last(r, page))
				ret = 0;
		}
		if (nr && ret >= 0 && zwb_datwriter_pages(r->config.writer, cpu, r->batch, nr, err))
			return ZWB_EENV;
		r->stats.nr_pages += nr;
		left -= left < nr ? left : nr;
	}
	return ret < 0 ? ret : ZWB_OK;
}

static int read_all(struct reader *r, int to_the_end, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (uint32_t i = 0; i < r->config.nr_cpus && !ret; i++) {
		if (r->config.fds[i] >= 0)
			ret = read_cpu(r, i, to_the_end, err);
	}
	return ret;
}

/* Those that poll() found half full. */
static int read_ready(struct reader *r, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (uint32_t i = 0; i < r->config.nr_cpus && !ret; i++) {
		if (r->polls[i].revents & (POLLERR | POLLNVAL))
			r->polls[i].fd = -1; /* offline: looked at with every flush */
		else if (r->polls[i].revents)
			ret = read_cpu(r, i, 0, err);
	}
	return ret;
}

/* Return: ZWB_OK when asked to stop, or what failed. */
static int run(struct zwb_recorder *rec, struct zwb_err *err)
{
	struct reader *r = &rec->reader;
	nfds_t nr_polls = (nfds_t)r->config.nr_cpus + 1;
	uint64_t looked_ns = zwb_clock_ns(CLOCK_MONOTONIC);
	uint64_t flush_ns = looked_ns + r->config.flush_ns;
	int ret = ZWB_OK;

	while (!ret) {
		uint64_t now = zwb_clock_ns(CLOCK_MONOTONIC);
		int wait_ms = now < flush_ns ? (int)((flush_ns - now) / NS_PER_MS) + 1 : 0;

		if (poll(r->polls, nr_polls, wait_ms) < 0) {
			if (errno != EINTR)
				return zwb_err_set(err, ZWB_EENV, errno, "poll");
			continue;
		}
		if (r->polls[r->config.nr_cpus].revents)
			return read_all(r, 1, err);
		now = zwb_clock_ns(CLOCK_MONOTONIC);
		if (now - looked_ns > r->stats.max_gap_ns)
			r->stats.max_gap_ns = now - looked_ns;
		looked_ns = now;
		if (now < flush_ns) {
			ret = read_ready(r, err);
			continue;
		}
		ret = read_all(r, 0, err);
		if (!ret)
			ret = zwb_datwriter_flush(r->config.writer, err);
		flush_ns = now + r->config.flush_ns;
	}
	return ret;
}

static void *recorder_thread(void *arg)
{
	struct zwb_recorder *rec = arg;

	rec->ret = run(rec, &rec->err);
	if (rec->ret)
		(void)eventfd_write(rec->failed_fd, 1);
	return NULL;
}

static void recorder_free(struct zwb_recorder *rec)
{
	if (rec->stop_fd >= 0)
		close(rec->stop_fd);
	if (rec->failed_fd >= 0)
		close(rec->failed_fd);
	reader_release(&rec->reader);
	free(rec);
}

static int recorder_init(
	struct zwb_recorder *rec, const struct zwb_recorder_config *config, struct zwb_err *err)
{
	int ret = reader_init(&rec->reader, config, err);
	int failed;

	if (ret)
		return ret;
	rec->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rec->failed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (rec->stop_fd < 0 || rec->failed_fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "eventfd");
	rec->reader.polls[config->nr_cpus] =
		(struct pollfd){ .fd = rec->stop_fd, .events = POLLIN };
	failed = pthread_create(&rec->thread, NULL, recorder_thread, rec);
	return failed ? zwb_err_set(err, ZWB_EENV, failed, "cannot start a thread") : ZWB_OK;
}

int zwb_recorder_start(struct zwb_recorder **recorder, const struct zwb_recorder_config *config,
	struct zwb_err *err)
{
	struct zwb_recorder *rec = calloc(1, sizeof(*rec));
	int ret;

	if (!rec)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the recorder");
	rec->stop_fd = -1;
	rec->failed_fd = -1;
	ret = recorder_init(rec, config, err);
	if (ret) {
		recorder_free(rec);
		return ret;
	}
	*recorder = rec;
	return ZWB_OK;
}

int zwb_recorder_fd(const struct zwb_recorder *rec)
{
	return rec->failed_fd;
}

int zwb_recorder_stop(
	struct zwb_recorder *rec, struct zwb_recorder_stats *stats, struct zwb_err *err)
{
	int ret;

	if (!rec)
		return ZWB_OK;
	(void)eventfd_write(rec->stop_fd, 1);
	pthread_join(rec->thread, NULL);
	ret = rec->ret;
	if (ret && err)
		*err = rec->err;
	if (stats)
		*stats = rec->reader.stats;
	recorder_free(rec);
	return ret;
}

static uint64_t page_ns(const unsigned char *page)
{
	uint64_t ns;

	memcpy(&ns, page, sizeof(ns));
	return ns;
}

/* Take off the mark for events that were lost before a page. Return: whether it had one. */
static int page_unmark(const struct reader *r, unsigned char *page)
{
	const size_t header = sizeof(uint64_t) + sizeof(unsigned long);
	unsigned long commit;
	size_t used;

	memcpy(&commit, page + sizeof(uint64_t), sizeof(commit));
	if (!(commit & COMMIT_MISSING))
		return 0;
	used = header + (commit & COMMIT_MASK);
	if ((commit & COMMIT_STORED) && used + sizeof(commit) <= r->page_bytes)
		memset(page + used, 0, sizeof(commit)); /* their number */
	commit &= COMMIT_MASK;
	memcpy(page + sizeof(uint64_t), &commit, sizeof(commit));
	return 1;
}

/*
 * The first two pages of each CPU, at most: the reader's own page may be left over from long ago,
 * and then the mark is on the next one. What is not there has a time of 0.
 */
static int window_begin(struct reader *r, unsigned char *firsts, struct zwb_recorder_window *window,
	struct zwb_err *err)
{
	for (uint32_t cpu = 0; cpu < r->config.nr_cpus; cpu++) {
		unsigned char *page = firsts + 2 * cpu * r->page_bytes;
		unsigned char *next = page + r->page_bytes;
		int ret = r->config.fds[cpu] >= 0 ? read_page(r, cpu, page, err) : 0;
		int is_marked = ret == 1 && page_unmark(r, page);

		if (ret == 1)
			ret = read_page(r, cpu, next, err);
		if (ret < 0)
			return ret;
		if (ret == 1 && page_unmark(r, next)) {
			memcpy(page, next, r->page_bytes);
			memset(next, 0, r->page_bytes);
			is_marked = 1;
		}
		if (is_marked && page_ns(page) > window->from_ns)
			window->from_ns = page_ns(page);
	}
	return ZWB_OK;
}

/* A page that is followed by another one from before the window ends before it, too. */
static int window_cpu(
	struct reader *r, uint32_t cpu, unsigned char *page, uint64_t from_ns, struct zwb_err *err)
{
	unsigned char *next = page + r->page_bytes;
	int more = page_ns(next) ? 1 : read_page(r, cpu, next, err);
	int ret;

	while (more == 1 && page_ns(next) <= from_ns) {
		memcpy(page, next, r->page_bytes);
		more = read_page(r, cpu, next, err);
	}
	if (more < 0)
		return more;
	ret = zwb_datwriter_pages(r->config.writer, cpu, page, more ? 2 : 1, err);
	r->stats.nr_pages += more ? 2 : 1;
	return ret || !more ? ret : read_cpu(r, cpu, 1, err);
}

int zwb_recorder_drain(const struct zwb_recorder_config *config, struct zwb_recorder_window *window,
	struct zwb_err *err)
{
	struct reader r;
	unsigned char *firsts;
	int ret = reader_init(&r, config, err);

	*window = (struct zwb_recorder_window){ 0 };
	if (ret)
		return ret;
	firsts = calloc(config->nr_cpus, 2 * r.page_bytes);
	ret = firsts ? window_begin(&r, firsts, window, err)
		     : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for pages");
	for (uint32_t cpu = 0; cpu < config->nr_cpus && !ret; cpu++) {
		unsigned char *page = firsts + 2 * cpu * r.page_bytes;

		if (page_ns(page))
			ret = window_cpu(&r, cpu, page, window->from_ns, err);
	}
	window->nr_pages = r.stats.nr_pages;
	free(firsts);
	reader_release(&r);
	return ret;
}
