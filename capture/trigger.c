/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of pressure on which a flight recorder saves: Documentation/accounting/psi.rst. */
#include "trigger.h"

#include "cgroup.h"
#include "parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_MIN_US 500000u /* kernel/sched/psi.c, WINDOW_MIN_US */
#define WINDOW_MAX_US 10000000u
#define NS_PER_US     1000u
#define TIME_MAX_NS   (UINT64_MAX / 2) /* in whatever unit: refused for what it is */

static const char *const resources[] = { "memory", "io", "cpu", NULL };

static void skip_blanks(char **at)
{
	*at += strspn(*at, " \t");
}

/* End a text at @end, or where the blanks in front of that begin. */
static void trim(char *text, char *end)
{
	while (end > text && strchr(" \t", end[-1]))
		end--;
	*end = '\0';
}

/* Cut off what is in front of @end, without blanks around it, and go behind it. NULL: no @end. */
static char *take_until(char **at, const char *end)
{
	char *from, *to = strstr(*at, end);

	if (!to)
		return NULL;
	skip_blanks(at);
	from = *at;
	*at = to + strlen(end);
	trim(from, to > from ? to : from);
	return from;
}

/* "500ms", "2s", "1.5 s". */
static int parse_time(char *text, uint64_t *us, struct zwb_err *err)
{
	char *end = text + strlen(text);
	uint64_t ns = 0;
	int is_ms, ret;

	trim(text, end);
	end = text + strlen(text);
	if (end == text || end[-1] != 's')
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" is no time like 2s or 500ms", text);
	is_ms = end - text > 1 && end[-2] == 'm';
	trim(text, end - 1 - is_ms);
	ret = zwb_parse_seconds(text, 0, TIME_MAX_NS, &ns, err);
	*us = ns / NS_PER_US / (is_ms ? 1000 : 1);
	if (!ret && (*us < WINDOW_MIN_US || *us > WINDOW_MAX_US))
		ret = zwb_err_set(err, ZWB_EUSAGE, 0,
			"the time must be from 500ms to 10s: the kernel measures no other");
	return ret;
}

static int parse_condition(char *at, struct zwb_trigger *t, struct zwb_err *err)
{
	char *resource = take_until(&at, ".");
	char *kind = resource ? take_until(&at, ">") : NULL;
	char *percent = kind ? take_until(&at, "%") : NULL;
	double share;
	int index, ret;

	skip_blanks(&at);
	if (!percent || strncmp(at, "for", 3) != 0 || !strchr(" \t", at[3]) || !at[3])
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"it is not of the form RESOURCE.KIND>PERCENT%% for TIME");
	at += 3;
	skip_blanks(&at);
	ret = zwb_parse_choice(resource, resources, &index, err);
	if (ret)
		return ret;
	t->resource = (enum zwb_pressure)index;
	t->is_full = strcmp(kind, "full") == 0;
	if (!t->is_full && strcmp(kind, "some") != 0)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" is neither some nor full", kind);
	ret = zwb_parse_double(percent, 0, 100, &share, err);
	if (!ret)
		ret = parse_time(at, &t->window_us, err);
	if (ret)
		return ret;
	t->stall_us = (uint64_t)(share / 100 * (double)t->window_us + 0.5);
	if (t->stall_us == 0)
		ret = zwb_err_set(
			err, ZWB_EUSAGE, 0, "%s %% of the time is less than 1 us", percent);
	return ret;
}

int zwb_trigger_parse(const char *text, struct zwb_trigger *t, struct zwb_err *err)
{
	char *copy = strdup(text);
	char *colon, *at = copy;
	int ret = ZWB_OK;

	*t = (struct zwb_trigger){ 0 };
	if (!copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a trigger");
	colon = strrchr(copy, ':');
	if (colon) {
		*colon = '\0';
		at = colon + 1;
		t->cgroup = strdup(copy);
		if (!t->cgroup)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a trigger");
		else if (!copy[0])
			ret = zwb_err_set(
				err, ZWB_EUSAGE, 0, "there is no cgroup in front of \":\"");
	}
	if (!ret)
		ret = parse_condition(at, t, err);
	if (ret) {
		zwb_err_prefix(err, "\"%s\"", text);
		zwb_trigger_release(t);
	}
	free(copy);
	return ret;
}

void zwb_trigger_release(struct zwb_trigger *t)
{
	free(t->cgroup);
	*t = (struct zwb_trigger){ 0 };
}

/* Return: the pressure file; NULL with @err filled. */
static char *trigger_path(const struct zwb_trigger *t, const char *root, struct zwb_err *err)
{
	struct zwb_cgroup cgroup = { 0 };
	char *path;
	int len;

	if (t->cgroup) {
		if (zwb_cgroup_find(root, t->cgroup, &cgroup, err))
			return NULL;
		len = asprintf(&path, "%s/%s.pressure", cgroup.dir, resources[t->resource]);
	} else {
		len = asprintf(&path, "%s/proc/pressure/%s", root, resources[t->resource]);
	}
	zwb_cgroup_release(&cgroup);
	if (len >= 0)
		return path;
	zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a path");
	return NULL;
}

int zwb_trigger_arm(const struct zwb_trigger *t, const char *root, int *fd, struct zwb_err *err)
{
	struct zwb_err failed = { 0 };
	char *path = trigger_path(t, root, &failed);
	char text[64];
	int ret = ZWB_OK;

	*fd = -1;
	if (!path) {
		if (err)
			*err = failed;
		return failed.status;
	}
	snprintf(text, sizeof(text), "%s %llu %llu", t->is_full ? "full" : "some",
		(unsigned long long)t->stall_us, (unsigned long long)t->window_us);
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 && (errno == ENOENT || errno == EOPNOTSUPP))
		ret = zwb_err_set(err, ZWB_EENV, errno,
			"%s: this kernel does not measure pressure; boot it with psi=1", path);
	else if (*fd < 0)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	else if (write(*fd, text, strlen(text) + 1) < 0)
		ret = zwb_err_set(
			err, ZWB_EENV, errno, "%s does not take the trigger \"%s\"", path, text);
	if (ret && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	free(path);
	return ret;
}

int zwb_trigger_pass(struct zwb_trigger_gate *gate, uint64_t now_ns)
{
	int is_quiet = !gate->has_last || now_ns - gate->last_ns >= gate->cool_down_ns;

	gate->last_ns = now_ns;
	gate->has_last = 1;
	return is_quiet;
}

void zwb_trigger_saved(struct zwb_trigger_gate *gate, uint64_t now_ns)
{
	gate->last_ns = now_ns;
	gate->has_last = 1;
}
