/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells on disk, safe against being killed. */
#include "sweep_keep.h"

#include "runfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of what we write there: cells-NUMBER.h5, and .tmp-... behind it while it is not whole. */
#define KEEP_PREFIX "cells-"
#define KEEP_SUFFIX ".h5"

static int keep_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the kept cells");
}

static int is_ours(const char *name)
{
	return strncmp(name, KEEP_PREFIX, strlen(KEEP_PREFIX)) == 0;
}

static int is_whole(const char *name)
{
	size_t len = strlen(name), suffix = strlen(KEEP_SUFFIX);

	return len > suffix && strcmp(name + len - suffix, KEEP_SUFFIX) == 0;
}

static int only_ours(const struct dirent *entry)
{
	return is_ours(entry->d_name);
}

static int keep_lock(struct zwb_sweep_keep *keep, struct zwb_err *err)
{
	if (mkdir(keep->path, 0777) != 0 && errno != EEXIST)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot create", keep->path);
	keep->fd = open(keep->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (keep->fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s", keep->path);
	/* file systems that lock no folders go without */
	if (flock(keep->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return zwb_err_set(err, ZWB_EENV, 0,
			"%s: another zwb sweep is at it; wait for it, or choose another --output",
			keep->path);
	return ZWB_OK;
}

/* Takes over one file, or removes it when it cannot be used. */
static int keep_take(struct zwb_sweep_keep *keep, const char *name, int force,
	struct zwb_sweep_cells *cells, size_t *nr_damaged, struct zwb_err *err)
{
	char *path;
	int ret;

	if (!is_whole(name)) {
		unlinkat(keep->fd, name, 0);
		return ZWB_OK;
	}
	if (asprintf(&path, "%s/%s", keep->path, name) < 0)
		return keep_no_memory(err);
	ret = zwb_sweep_cells_add(cells, path, err);
	free(path);
	if (ret == ZWB_EUSAGE && !force) {
		zwb_err_prefix(err, "--force throws away what was kept");
		return ret;
	}
	if (ret == ZWB_EDATA || ret == ZWB_EKIND || ret == ZWB_EUSAGE) {
		*nr_damaged += ret != ZWB_EUSAGE;
		unlinkat(keep->fd, name, 0);
		return ZWB_OK;
	}
	return ret;
}

int zwb_sweep_keep_open(struct zwb_sweep_keep *keep, const char *output, int force,
	struct zwb_sweep_cells *cells, size_t *nr_damaged, struct zwb_err *err)
{
	struct dirent **names;
	int nr, ret;

	*nr_damaged = 0;
	*keep = (struct zwb_sweep_keep){ .fd = -1 };
	if (asprintf(&keep->path, "%s.cells", output) < 0) {
		keep->path = NULL;
		return keep_no_memory(err);
	}
	ret = keep_lock(keep, err);
	if (ret) {
		zwb_sweep_keep_close(keep);
		return ret;
	}
	nr = scandir(keep->path, &names, only_ours, alphasort);
	if (nr < 0) {
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s", keep->path);
		zwb_sweep_keep_close(keep);
		return ret;
	}
	for (int i = 0; i < nr; i++) {
		if (!ret)
			ret = keep_take(keep, names[i]->d_name, force, cells, nr_damaged, err);
		free(names[i]);
	}
	free(names);
	if (ret)
		zwb_sweep_keep_close(keep);
	return ret;
}

int zwb_sweep_keep_write(const struct zwb_sweep_keep *keep, const struct zwb_run *run, size_t cell,
	struct zwb_sweep_cells *cells, struct zwb_err *err)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/" KEEP_PREFIX "%06zu" KEEP_SUFFIX, keep->path, cell + 1) < 0)
		return keep_no_memory(err);
	ret = zwb_runfile_write(run, path, 1, err);
	if (!ret)
		ret = zwb_sweep_cells_note(cells, run, path, err);
	free(path);
	return ret;
}

void zwb_sweep_keep_remove(struct zwb_sweep_keep *keep)
{
	struct dirent **names;
	int nr = scandir(keep->path, &names, only_ours, alphasort);

	for (int i = 0; i < nr; i++) {
		unlinkat(keep->fd, names[i]->d_name, 0);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	rmdir(keep->path);
	zwb_sweep_keep_close(keep);
}

void zwb_sweep_keep_close(struct zwb_sweep_keep *keep)
{
	if (!keep->path)
		return;
	if (keep->fd >= 0)
		close(keep->fd);
	free(keep->path);
	*keep = (struct zwb_sweep_keep){ .fd = -1 };
}
