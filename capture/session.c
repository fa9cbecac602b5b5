/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's side of a capture: its events, and the buffers that they are recorded into. */
#include "session.h"

#include "parse.h"
#include "session_clean.h"
#include "session_priv.h"
#include "session_tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_PERCENT "50" /* full, before the reader is woken */
#define CPUS_MAX       65535

static int set_file(struct zwb_session *s, const char *file, const char *text, struct zwb_err *err)
{
	if (tracefs_instance_file_write(s->instance, file, text) >= 0)
		return ZWB_OK;
	return zwb_err_set(err, ZWB_EENV, errno,
		"tracefs instances/" ZWB_SESSION_NAME "/%s does not take \"%s\"", file, text);
}

static int set_number(struct zwb_session *s, const char *file, uint64_t number, struct zwb_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return set_file(s, file, text, err);
}

static int set_buffers(
	struct zwb_session *s, const struct zwb_session_config *config, struct zwb_err *err)
{
	int ret = set_number(s, "buffer_size_kb", (config->buffer_bytes + 1023) / 1024, err);

	if (ret)
		zwb_err_prefix(err, "ring buffers of %llu KiB a CPU; a smaller --buffer may help",
			(unsigned long long)(config->buffer_bytes / 1024));
	/* Kernels before 5.0 wake the reader for every event; they lack much else. */
	if (!ret && tracefs_file_exists(s->instance, "buffer_percent"))
		ret = set_file(s, "buffer_percent", BUFFER_PERCENT, err);
	return ret;
}

/* The threads that a process has; those that they make follow by event-fork. */
static int set_pid(struct zwb_session *s, uint64_t pid, struct zwb_err *err)
{
	struct zwb_buf tids = { 0 };
	int ret = zwb_session_threads("/proc", pid, &tids, err);

	zwb_buf_add(&tids, "", 1);
	if (!ret)
		ret = zwb_buf_check(&tids, err);
	if (!ret)
		ret = set_file(s, "options/event-fork", "1", err);
	if (!ret)
		ret = set_file(s, "set_event_pid", (const char *)tids.data, err);
	zwb_buf_release(&tids);
	return ret;
}

static int set_up(
	struct zwb_session *s, const struct zwb_session_config *config, struct zwb_err *err)
{
	int ret = set_file(s, "tracing_on", "0", err);

	if (!ret)
		ret = set_file(s, "trace_clock", "mono", err);
	if (!ret) /* losses are then marked in the pages */
		ret = set_file(s, "options/overwrite", "1", err);
	if (!ret)
		ret = set_buffers(s, config, err);
	if (!ret && config->pid)
		ret = set_pid(s, config->pid, err);
	return ret;
}

/* The ring buffer's unit: a page, or since 6.8 what the instance says. */
static void find_page_bytes(struct zwb_session *s)
{
	long long kb = 0;

	if (tracefs_instance_file_read_number(s->instance, "buffer_subbuf_size_kb", &kb) == 0 &&
		kb > 0)
		s->page_bytes = (uint32_t)kb * 1024;
	else
		s->page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
}

static int find_print_id(struct zwb_session *s, struct zwb_err *err)
{
	static const char file[] = "events/ftrace/print/id";
	long long id;

	if (tracefs_instance_file_read_number(NULL, file, &id) != 0 || id < 0 || id > UINT16_MAX)
		return zwb_err_set(err, ZWB_EENV, errno, "tracefs %s: cannot read", file);
	s->print_id = (uint16_t)id;
	return ZWB_OK;
}

/* One more than the highest number under per_cpu. */
static uint32_t count_cpus(struct zwb_session *s)
{
	char *path = tracefs_instance_get_file(s->instance, "per_cpu");
	DIR *dir = path ? opendir(path) : NULL;
	uint32_t nr = 0;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		uint64_t cpu;

		if (strncmp(entry->d_name, "cpu", 3) == 0 &&
			zwb_parse_u64(entry->d_name + 3, nr, CPUS_MAX - 1, &cpu, NULL) == ZWB_OK)
			nr = (uint32_t)cpu + 1;
	}
	if (dir)
		closedir(dir);
	tracefs_put_tracing_file(path);
	return nr;
}

static int open_pipes(struct zwb_session *s, struct zwb_err *err)
{
	uint32_t nr = count_cpus(s);

	if (nr == 0)
		return zwb_err_set(err, ZWB_EENV, 0, "tracefs has no buffers of CPUs");
	s->fds = calloc(nr, sizeof(*s->fds));
	if (!s->fds)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %u CPUs", nr);
	for (; s->nr_cpus < nr; s->nr_cpus++) {
		char file[48];

		snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", s->nr_cpus);
		s->fds[s->nr_cpus] = tracefs_instance_file_open(
			s->instance, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (s->fds[s->nr_cpus] < 0 && errno != ENOENT)
			return zwb_err_set(err, ZWB_EENV, errno, "tracefs %s: cannot open", file);
	}
	return ZWB_OK;
}

static int session_build(
	struct zwb_session *s, const struct zwb_session_config *config, struct zwb_err *err)
{
	int ret = zwb_session_lock(&s->lock_fd, err);

	if (!ret)
		ret = zwb_session_clean(NULL, err);
	if (ret)
		return ret;
	s->instance = tracefs_instance_create(ZWB_SESSION_NAME);
	if (!s->instance)
		return zwb_err_set(err, ZWB_EENV, errno, "cannot make a tracefs instance");
	ret = set_up(s, config, err);
	if (!ret)
		ret = session_add_events(s, config->plan, err);
	if (ret)
		return ret;
	find_page_bytes(s);
	ret = find_print_id(s, err);
	if (ret)
		return ret;
	s->on_fd = tracefs_instance_file_open(s->instance, "tracing_on", O_RDWR | O_CLOEXEC);
	if (s->on_fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "tracefs tracing_on: cannot open");
	return open_pipes(s, err);
}

int zwb_session_open(
	struct zwb_session **session, const struct zwb_session_config *config, struct zwb_err *err)
{
	struct zwb_session *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a capture");
	s->lock_fd = -1;
	s->on_fd = -1;
	ret = session_build(s, config, err);
	if (ret) {
		zwb_session_close(s, NULL);
		return ret;
	}
	*session = s;
	return ZWB_OK;
}

int zwb_session_switch(struct zwb_session *s, int is_on, struct zwb_err *err)
{
	if ((is_on ? tracefs_trace_on_fd(s->on_fd) : tracefs_trace_off_fd(s->on_fd)) == 0)
		return ZWB_OK;
	return zwb_err_set(err, ZWB_EENV, errno, "tracefs tracing_on: cannot write");
}

/* The instance cannot be removed while a file of it is open. */
static void close_files(struct zwb_session *s)
{
	for (uint32_t i = 0; i < s->nr_cpus; i++) {
		if (s->fds[i] >= 0)
			close(s->fds[i]);
	}
	if (s->on_fd >= 0)
		close(s->on_fd);
	free(s->fds);
}

int zwb_session_close(struct zwb_session *s, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (!s)
		return ZWB_OK;
	if (s->on_fd >= 0)
		(void)zwb_session_switch(s, 0, NULL);
	close_files(s);
	tracefs_instance_free(s->instance);
	if (s->lock_fd >= 0) {
		ret = zwb_session_clean(NULL, err);
		close(s->lock_fd);
	}
	session_free_events(s);
	free(s);
	return ret;
}

uint32_t zwb_session_nr_cpus(const struct zwb_session *s)
{
	return s->nr_cpus;
}

uint32_t zwb_session_page_bytes(const struct zwb_session *s)
{
	return s->page_bytes;
}

uint16_t zwb_session_print_id(const struct zwb_session *s)
{
	return s->print_id;
}

const int *zwb_session_fds(const struct zwb_session *s)
{
	return s->fds;
}

size_t zwb_session_nr_events(const struct zwb_session *s)
{
	return s->nr_events;
}

const struct zwb_refusal *zwb_session_refusals(const struct zwb_session *s, size_t *nr)
{
	*nr = s->nr_refusals;
	return s->refusals;
}
