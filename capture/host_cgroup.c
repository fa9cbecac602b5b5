/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of control groups: names for their numbers, limits, weights. */
#include "grow.h"
#include "host_priv.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Is the unified hierarchy at @at? Then that is where cgroups are looked for. */
static int try_root(struct zwb_host *host, const char *at, struct zwb_err *err)
{
	char path[HOSTFILE_PATH];
	struct stat st;

	if (host->cgroup_root || !hostfile_path(path, host->root, "%s/cgroup.controllers", at) ||
		stat(path, &st) != 0 || !hostfile_path(path, host->root, "%s", at))
		return ZWB_OK;
	host->cgroup_root = strdup(path);
	return host->cgroup_root ? ZWB_OK : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a path");
}

/* Is @path @top or below it? */
static bool is_below(const char *path, const char *top)
{
	size_t len = strlen(top);

	return strcmp(top, "/") == 0 ||
	       (strncmp(path, top, len) == 0 && (path[len] == '/' || path[len] == '\0'));
}

/* Counted are the wanted ones, and those above them, whose limits are theirs too. */
static bool is_wanted(const struct zwb_host *host, const char *path)
{
	return !host->cgroup || is_below(path, host->cgroup) || is_below(host->cgroup, path);
}

static bool is_known(const struct zwb_host *host, uint64_t id, const char *path)
{
	for (size_t i = 0; i < host->nr_cgroups; i++) {
		if (host->cgroups[i].id == id && strcmp(host->cgroups[i].path, path) == 0)
			return true;
	}
	return false;
}

/* @path is taken over, or freed. */
static int add_cgroup(struct zwb_host *host, char *path, struct zwb_err *err)
{
	char full[HOSTFILE_PATH];
	struct host_cgroup *cg;
	struct stat st;

	if (!hostfile_path(full, host->cgroup_root, "%s", path) || stat(full, &st) != 0 ||
		is_known(host, st.st_ino, path)) {
		free(path);
		return ZWB_OK;
	}
	if (host->nr_cgroups == HOST_CGROUPS_MAX) {
		host->has_more_cgroups = true;
		free(path);
		return ZWB_OK;
	}
	if (!ZWB_GROW(host->cgroups, host->nr_cgroups)) {
		free(path);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for cgroups");
	}
	cg = &host->cgroups[host->nr_cgroups++];
	*cg = (struct host_cgroup){ .id = st.st_ino, .path = path, .is_new = true };
	cg->is_counted = is_wanted(host, path) && host->nr_counted < host->nr_counted_max;
	host->nr_counted += cg->is_counted;
	return ZWB_OK;
}

static int is_folder(const struct dirent *d)
{
	return d->d_type == DT_DIR && d->d_name[0] != '.';
}

/* The groups right below @parent, by name. */
static int add_children(struct zwb_host *host, const char *parent, struct zwb_err *err)
{
	const char *slash = strcmp(parent, "/") == 0 ? "" : "/";
	char full[HOSTFILE_PATH], *path;
	struct dirent **entries;
	int ret = ZWB_OK, nr;

	if (!hostfile_path(full, host->cgroup_root, "%s", parent))
		return ZWB_OK;
	nr = scandir(full, &entries, is_folder, alphasort);
	for (int i = 0; i < nr; i++) {
		if (!ret && asprintf(&path, "%s%s%s", parent, slash, entries[i]->d_name) < 0)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for cgroups");
		else if (!ret)
			ret = add_cgroup(host, path, err);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return ret;
}

int host_find_cgroups(struct zwb_host *host, struct zwb_err *err)
{
	int ret = try_root(host, "/sys/fs/cgroup", err);
	char *top;

	if (!ret)
		ret = try_root(host, "/sys/fs/cgroup/unified", err);
	if (ret || !host->cgroup_root)
		return ret;
	top = strdup("/");
	ret = top ? add_cgroup(host, top, err)
		  : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for cgroups");
	/* the list grows while it is walked: level by level */
	for (size_t i = 0; !ret && i < host->nr_cgroups; i++)
		ret = add_children(host, host->cgroups[i].path, err);
	return ret;
}

void host_forget_cgroups(struct zwb_host *host)
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < host->nr_cgroups; i++) {
		struct host_cgroup cg = host->cgroups[i];
		char full[HOSTFILE_PATH];
		struct stat st;

		if (hostfile_path(full, host->cgroup_root, "%s", cg.path) && stat(full, &st) == 0 &&
			st.st_ino == cg.id) {
			host->cgroups[nr_kept++] = cg;
			continue;
		}
		host_close_counters_of(host, cg.id);
		host->nr_counted -= cg.is_counted;
		free(cg.path);
	}
	host->nr_cgroups = nr_kept;
	host->has_more_cgroups = false;
}

/* ---- writing ---- */

static void put_limits(struct host_out *out, const struct host_cgroup *cg)
{
	static const char *const names[] = { "memory.max", "memory.high", "memory.low",
		"memory.min", "memory.swap.max", "memory.swap.high", "memory.zswap.max",
		"memory.zswap.writeback", "io.weight", "io.bfq.weight", "io.max", "io.latency",
		"io.prio.class", "cpu.weight", "cpu.max" };
	char path[HOSTFILE_PATH], name[HOST_CGROUP_NAME], section[HOST_SECTION];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char value[HOSTFILE_LINE];

		if (hostfile_path(path, out->host->cgroup_root, "%s/%s", cg->path, names[i]) &&
			hostfile_value(path, value))
			host_line(out, names[i], value);
	}
	host_cgroup_name(out->host, cg->path, name, sizeof(name));
	snprintf(section, sizeof(section), "facts cgroup %s", name);
	host_put(out, section);
}

static void put_number(struct host_out *out, const char *key, size_t nr)
{
	zwb_buf_addf(&out->text, "%s: %zu\n", key, nr);
}

void host_put_cgroups(struct host_out *out)
{
	struct zwb_host *host = out->host;
	char name[HOSTFILE_PATH];

	for (size_t i = 0; i < host->nr_cgroups; i++) {
		if (!host->cgroups[i].is_new)
			continue;
		host_cgroup_name(host, host->cgroups[i].path, name, sizeof(name));
		zwb_buf_addf(&out->text, "%" PRIu64 " %s\n", host->cgroups[i].id, name);
		host->cgroups[i].is_new = false;
	}
	host_put(out, "cgroups");
	if (host->cgroup_root) {
		put_number(out, "cgroups", host->nr_cgroups);
		put_number(out, "cgroups_without_counters", host->nr_cgroups - host->nr_counted);
		host_line(out, "more_cgroups_than_listed", host->has_more_cgroups ? "yes" : "");
		host_put(out, "facts capture");
	}
	for (size_t i = 0; i < host->nr_cgroups; i++) {
		if (host->cgroups[i].is_counted)
			put_limits(out, &host->cgroups[i]);
	}
}
