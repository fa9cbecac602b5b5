/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture leaves in the kernel while it runs: whose it is, and how it is removed. */
#include "session_clean.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

#define EVENT_NAME_MAX 64 /* MAX_EVENT_NAME_LEN of the kernel */

static int clean_open_instances(int *fd, struct zwb_err *err)
{
	const char *dir = NULL;
	char *path;
	int ret = ZWB_OK;

	/* Asking for the directory would mount one. */
	if (tracefs_tracing_dir_is_mounted(false, &dir) <= 0)
		return zwb_err_set(err, ZWB_EENV, 0,
			"tracefs is not mounted; \"mount -t tracefs tracefs /sys/kernel/tracing\" "
			"does it");
	path = tracefs_get_tracing_file("instances");
	if (!path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the name of a file");
	*fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd < 0 && (errno == EACCES || errno == EPERM))
		ret = zwb_err_set(err, ZWB_EENV, errno,
			"%s: recording the kernel needs root, or CAP_DAC_OVERRIDE", path);
	else if (*fd < 0)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	tracefs_put_tracing_file(path);
	return ret;
}

int zwb_session_lock(int *fd, struct zwb_err *err)
{
	int ret = clean_open_instances(fd, err);

	if (ret || flock(*fd, LOCK_EX | LOCK_NB) == 0)
		return ret;
	if (errno == EWOULDBLOCK)
		ret = zwb_err_set(err, ZWB_EENV, 0,
			"another zwb capture is running on this machine; only one can at a time");
	else
		ret = zwb_err_set(err, ZWB_EENV, errno, "cannot lock tracefs' instances");
	close(*fd);
	*fd = -1;
	return ret;
}

const char *zwb_session_owns(const char *line, size_t *len)
{
	static const char group[] = ZWB_SESSION_NAME "/";
	const char *end = line + strcspn(line, " \t\n");
	const char *name = memchr(line, ':', (size_t)(end - line));

	if (!name++ || (size_t)(end - name) < sizeof(group) ||
		strncmp(name, group, sizeof(group) - 1) != 0)
		return NULL;
	name += sizeof(group) - 1;
	*len = (size_t)(end - name);
	return *len < EVENT_NAME_MAX ? name : NULL;
}

static int clean_event(const char *name, size_t len, struct zwb_err *err)
{
	char text[EVENT_NAME_MAX + sizeof("-:" ZWB_SESSION_NAME "/")];

	snprintf(text, sizeof(text), "-:%s/%.*s", ZWB_SESSION_NAME, (int)len, name);
	if (tracefs_instance_file_append(NULL, "dynamic_events", text) >= 0)
		return ZWB_OK;
	return zwb_err_set(err, ZWB_EENV, errno,
		"the event %s cannot be removed from tracefs' dynamic_events", text + 2);
}

static int clean_events(struct zwb_leftovers *removed, struct zwb_err *err)
{
	char *all = tracefs_instance_file_read(NULL, "dynamic_events", NULL);
	int ret = ZWB_OK;

	if (!all)
		return ZWB_OK; /* a kernel without dynamic events */
	for (const char *line = all; *line;) {
		size_t len;
		const char *name = zwb_session_owns(line, &len);

		if (name && clean_event(name, len, ret ? NULL : err))
			ret = ZWB_EENV;
		else if (name)
			removed->nr_events++;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	free(all);
	return ret;
}

static int clean_instance(struct zwb_leftovers *removed, struct zwb_err *err)
{
	struct tracefs_instance *instance;
	int ret = ZWB_OK;

	if (!tracefs_instance_exists(ZWB_SESSION_NAME))
		return ZWB_OK;
	instance = tracefs_instance_create(ZWB_SESSION_NAME);
	if (!instance)
		return zwb_err_set(err, ZWB_ENOMEM, errno, "tracefs instance " ZWB_SESSION_NAME);
	if (tracefs_instance_destroy(instance) == 0)
		removed->nr_instances++;
	else
		ret = zwb_err_set(err, ZWB_EENV, errno,
			"the tracefs instance " ZWB_SESSION_NAME " cannot be removed");
	tracefs_instance_free(instance);
	return ret;
}

int zwb_session_clean(struct zwb_leftovers *removed, struct zwb_err *err)
{
	struct zwb_leftovers gone = { 0 };
	int ret = clean_instance(&gone, err); /* first: it holds the events */
	int events_ret = clean_events(&gone, ret ? NULL : err);

	if (removed)
		*removed = gone;
	return ret ? ret : events_ret;
}
