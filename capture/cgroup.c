/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cgroups that a person names. */
#include "cgroup.h"

#include "grow.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cgroup_nomem(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for cgroups");
}

static int exists(const char *path, const char *file)
{
	char *full;
	int ret;

	if (asprintf(&full, "%s/%s", path, file) < 0)
		return 0;
	ret = access(full, F_OK) == 0;
	free(full);
	return ret;
}

/* Where the unified hierarchy is mounted. Return: NULL: nowhere, or no memory. */
static char *find_mount(const char *root)
{
	static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path;

		if (asprintf(&path, "%s%s", root, places[i]) < 0)
			return NULL;
		if (exists(path, "cgroup.controllers"))
			return path;
		free(path);
	}
	return NULL;
}

int zwb_cgroup_find(
	const char *root, const char *name, struct zwb_cgroup *cgroup, struct zwb_err *err)
{
	char *mount = find_mount(root);
	size_t len = mount ? strlen(mount) : 0;
	const char *path = name;
	int ret = ZWB_OK;

	*cgroup = (struct zwb_cgroup){ 0 };
	if (!mount)
		return zwb_err_set(err, ZWB_EENV, 0,
			"cgroup %s: no cgroup2 file system is mounted at /sys/fs/cgroup", name);
	if (strncmp(name, mount, len) == 0 && (name[len] == '/' || name[len] == '\0'))
		path += len;
	path += strspn(path, "/");
	if (asprintf(&cgroup->dir, "%s/%s", mount, path) < 0) {
		cgroup->dir = NULL;
		ret = cgroup_nomem(err);
	} else {
		/* ".." or a file of the cgroup would be something else */
		if (strstr(cgroup->dir, "..") || !exists(cgroup->dir, "cgroup.procs"))
			ret = zwb_err_set(err, ZWB_EUSAGE, 0, "there is no cgroup \"%s\"", name);
		cgroup->path = cgroup->dir + len;
		len = strlen(cgroup->dir);
		while (cgroup->dir + len - 1 > cgroup->path && cgroup->dir[len - 1] == '/')
			cgroup->dir[--len] = '\0';
	}
	free(mount);
	if (ret)
		zwb_cgroup_release(cgroup);
	return ret;
}

void zwb_cgroup_release(struct zwb_cgroup *cgroup)
{
	free(cgroup->dir);
	*cgroup = (struct zwb_cgroup){ 0 };
}

static int add_id(uint64_t **ids, size_t *nr, uint64_t id, struct zwb_err *err)
{
	if (*nr == ZWB_CGROUP_IDS_MAX)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"there are more than %u cgroups below it; no filter can name all of them",
			ZWB_CGROUP_IDS_MAX);
	if (!ZWB_GROW(*ids, *nr))
		return cgroup_nomem(err);
	(*ids)[(*nr)++] = id;
	return ZWB_OK;
}

int zwb_cgroup_ids(const struct zwb_cgroup *cgroup, uint64_t **ids, size_t *nr, struct zwb_err *err)
{
	char *const dirs[] = { cgroup->dir, NULL };
	FTS *tree = fts_open(dirs, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	int ret = ZWB_OK;
	FTSENT *entry;

	*ids = NULL;
	*nr = 0;
	if (!tree)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", cgroup->dir);
	while (!ret && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D)
			ret = add_id(ids, nr, entry->fts_statp->st_ino, err);
	}
	fts_close(tree);
	if (!ret && *nr == 0)
		ret = zwb_err_set(err, ZWB_EENV, 0, "%s: cannot read", cgroup->dir);
	if (ret) {
		zwb_err_prefix(err, "cgroup %s", cgroup->path);
		free(*ids);
		*ids = NULL;
	}
	return ret;
}
