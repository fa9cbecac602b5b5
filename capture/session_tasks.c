/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of tasks for a recording. */
#include "session_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMM_MAX 64 /* the kernel's are of 15 bytes, those of workers longer */

/* The name of a task, or an empty one when it is gone. */
static void read_comm(int dir_fd, const char *tid, char *comm, size_t size)
{
	char path[NAME_MAX + 8];
	ssize_t len = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/comm", tid);
	fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, comm, size - 1);
		close(fd);
	}
	comm[len > 0 ? len : 0] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
}

static DIR *open_tasks(int proc_fd, const char *pid)
{
	char path[NAME_MAX + 8];
	int fd;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/task", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static void add_process(int proc_fd, const char *pid, struct zwb_buf *text)
{
	DIR *dir = open_tasks(proc_fd, pid);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char comm[COMM_MAX];

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		read_comm(dirfd(dir), entry->d_name, comm, sizeof(comm));
		if (comm[0])
			zwb_buf_addf(text, "%s %s\n", entry->d_name, comm);
	}
	if (dir)
		closedir(dir);
}

/* A thread's directory is found by name, though it is not listed. */
static int is_alive(int proc_fd, const char *line)
{
	char tid[16];

	snprintf(tid, sizeof(tid), "%.*s", (int)strspn(line, "0123456789"), line);
	return tid[0] && faccessat(proc_fd, tid, F_OK, 0) == 0;
}

static void add_gone(int proc_fd, const char *saved, struct zwb_buf *text)
{
	while (*saved) {
		size_t len = strcspn(saved, "\n");

		if (len && !is_alive(proc_fd, saved))
			zwb_buf_addf(text, "%.*s\n", (int)len, saved);
		saved += len;
		saved += *saved == '\n';
	}
}

int zwb_session_tasks(
	const char *proc, const char *saved, struct zwb_buf *text, struct zwb_err *err)
{
	DIR *dir = opendir(proc);
	struct dirent *entry;

	if (!dir)
		return ZWB_OK;
	while ((entry = readdir(dir))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			add_process(dirfd(dir), entry->d_name, text);
	}
	if (saved)
		add_gone(dirfd(dir), saved, text);
	closedir(dir);
	return zwb_buf_check(text, err);
}

int zwb_session_threads(const char *proc, uint64_t pid, struct zwb_buf *tids, struct zwb_err *err)
{
	int proc_fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[24];
	DIR *dir = NULL;
	struct dirent *entry;

	snprintf(name, sizeof(name), "%llu", (unsigned long long)pid);
	if (proc_fd >= 0) {
		dir = open_tasks(proc_fd, name);
		close(proc_fd);
	}
	if (!dir)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "there is no process %s", name);
	while ((entry = readdir(dir))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			zwb_buf_addf(tids, "%s%s", tids->len ? " " : "", entry->d_name);
	}
	closedir(dir);
	return zwb_buf_check(tids, err);
}
