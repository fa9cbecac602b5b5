/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pages of a session mean, for the file that they go into. */
#include "buf.h"
#include "session_priv.h"
#include "session_tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* A file of the top level, which is only read. */
static int read_top(const char *file, char **text, size_t *len, struct zwb_err *err)
{
	int size = 0;

	*text = tracefs_instance_file_read(NULL, file, &size);
	*len = (size_t)size;
	return *text ? ZWB_OK : zwb_err_set(err, ZWB_EENV, errno, "tracefs %s: cannot read", file);
}

static int put_top(
	struct zwb_datwriter *w, enum zwb_dat_text part, const char *file, struct zwb_err *err)
{
	char *text;
	size_t len;
	int ret = read_top(file, &text, &len, err);

	if (!ret)
		ret = zwb_datwriter_text(w, part, text, len, err);
	free(text);
	return ret;
}

static int put_format(
	struct zwb_datwriter *w, const char *system, const char *event, struct zwb_err *err)
{
	char *file = NULL, *text = NULL;
	size_t len;
	int ret;

	if (asprintf(&file, "events/%s/%s/format", system, event) < 0)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the name of a file");
	ret = read_top(file, &text, &len, err);
	if (!ret)
		ret = zwb_datwriter_format(w, system, text, len, err);
	free(text);
	free(file);
	return ret;
}

static int put_machine(struct zwb_datwriter *w, struct zwb_err *err)
{
	char text[sizeof(struct utsname) + 8];
	struct utsname u;
	int ret;

	if (uname(&u) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "uname");
	snprintf(text, sizeof(text), "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	ret = zwb_datwriter_option(w, ZWB_DAT_OPTION_UNAME, text, err);
	if (!ret)
		ret = zwb_datwriter_option(w, ZWB_DAT_OPTION_VERSION, "zwb " ZWB_VERSION, err);
	return ret;
}

/* The number that follows @key. Return: whether there is one. */
static int number_after(const char *text, const char *key, uint64_t *number)
{
	const char *at = strstr(text, key);
	char *end;

	if (!at)
		return 0;
	at += strlen(key);
	if (*at < '0' || *at > '9')
		return 0;
	errno = 0;
	*number = strtoull(at, &end, 10);
	return errno == 0;
}

/* That of the top buffer: right for ours unless their pages are of different sizes (since 6.8). */
static int put_header_page(
	const struct zwb_session *s, struct zwb_datwriter *w, struct zwb_err *err)
{
	static const char data_field[] = "char data;\toffset:";
	uint64_t offset = 0, size = 0;
	char *text, *at;
	size_t len;
	int ret = read_top("events/header_page", &text, &len, err);

	if (ret)
		return ret;
	at = strstr(text, data_field);
	if (at && number_after(at, data_field, &offset) && number_after(at, "size:", &size) &&
		offset + size == s->page_bytes)
		ret = zwb_datwriter_text(w, ZWB_DAT_HEADER_PAGE, text, len, err);
	free(text);
	return ret;
}

int zwb_session_describe(const struct zwb_session *s, struct zwb_datwriter *w, struct zwb_err *err)
{
	int ret = put_header_page(s, w, err);

	if (!ret)
		ret = put_top(w, ZWB_DAT_HEADER_EVENT, "events/header_event", err);
	if (!ret)
		ret = put_format(w, "ftrace", "print", err);
	for (size_t i = 0; i < s->nr_events && !ret; i++)
		ret = put_format(w, s->events[i].system, s->events[i].event, err);
	if (!ret)
		ret = put_machine(w, err);
	return ret;
}

void zwb_cpu_stats_parse(const char *text, struct zwb_cpu_stats *stats)
{
	static const struct {
		const char *name;
		int is_lost;
	} lines[] = {
		{ "\noverrun: ", 1 },
		{ "\ncommit overrun: ", 1 },
		{ "\ndropped events: ", 1 },
		{ "\nread events: ", 0 },
	};

	*stats = (struct zwb_cpu_stats){ 0 };
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		uint64_t nr;

		if (!number_after(text, lines[i].name, &nr))
			continue;
		if (lines[i].is_lost)
			stats->nr_lost += nr;
		else
			stats->nr_read = nr;
	}
}

int zwb_session_stats(const struct zwb_session *s, uint32_t cpu, struct zwb_cpu_stats *stats,
	char **text, struct zwb_err *err)
{
	char file[48];
	char *read;

	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	read = tracefs_instance_file_read(s->instance, file, NULL);
	if (!read)
		return zwb_err_set(err, ZWB_EENV, errno, "tracefs %s: cannot read", file);
	zwb_cpu_stats_parse(read, stats);
	if (text)
		*text = read;
	else
		free(read);
	return ZWB_OK;
}

int zwb_session_totals(
	const struct zwb_session *s, struct zwb_session_totals *totals, struct zwb_err *err)
{
	*totals = (struct zwb_session_totals){ 0 };
	for (uint32_t cpu = 0; cpu < s->nr_cpus; cpu++) {
		struct zwb_cpu_stats stats;
		int ret;

		if (s->fds[cpu] < 0)
			continue;
		ret = zwb_session_stats(s, cpu, &stats, NULL, err);
		if (ret)
			return ret;
		totals->nr_read += stats.nr_read;
		totals->nr_lost += stats.nr_lost;
		if (stats.nr_lost > totals->max_lost) {
			totals->max_lost = stats.nr_lost;
			totals->max_lost_cpu = cpu;
		}
	}
	return ZWB_OK;
}

static int put_stats(
	const struct zwb_session *s, struct zwb_datwriter *w, uint32_t cpu, struct zwb_err *err)
{
	struct zwb_cpu_stats stats;
	char *text = NULL, *option = NULL;
	int ret = zwb_session_stats(s, cpu, &stats, &text, err);

	if (ret)
		return ret;
	if (asprintf(&option, "CPU: %u\n%s", cpu, text) < 0) {
		option = NULL;
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the statistics of a CPU");
	} else {
		ret = zwb_datwriter_option(w, ZWB_DAT_OPTION_CPUSTAT, option, err);
	}
	free(option);
	free(text);
	return ret;
}

static int put_tasks(struct zwb_datwriter *w, struct zwb_err *err)
{
	char *saved = tracefs_instance_file_read(NULL, "saved_cmdlines", NULL);
	struct zwb_buf text = { 0 };
	int ret = zwb_session_tasks("/proc", saved, &text, err);

	if (!ret)
		ret = zwb_datwriter_text(w, ZWB_DAT_CMDLINES, text.data, text.len, err);
	zwb_buf_release(&text);
	free(saved);
	return ret;
}

int zwb_session_describe_end(
	const struct zwb_session *s, struct zwb_datwriter *w, int has_all, struct zwb_err *err)
{
	int ret = put_tasks(w, err);

	for (uint32_t cpu = 0; has_all && cpu < s->nr_cpus && !ret; cpu++) {
		if (s->fds[cpu] >= 0)
			ret = put_stats(s, w, cpu, err);
	}
	return ret;
}
