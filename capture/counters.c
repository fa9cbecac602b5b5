/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of the host: which files, and which of their lines. */
#include "clock.h"
#include "grow.h"
#include "host_priv.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ZSWAP_FOLDER "/sys/kernel/debug/zswap"
#define NO_FILE	     (-1) /* opened when it is needed */
#define GONE	     (-2)

/* Lines of a sample, by their first word. */
static const char *const vmstat_keys[] = { "nr_free_pages", "nr_zspages", "nr_anon_pages",
	"nr_file_pages", "nr_writeback", "nr_swapcached", "nr_vmscan_write",
	"nr_vmscan_immediate_reclaim", "pswpin", "pswpout", "zswpin", "zswpout", "zswpwb",
	"swap_ra", "swap_ra_hit", "pgrotated", "pgmajfault", "pgscan_kswapd", "pgscan_direct",
	"pgscan_khugepaged", "pgscan_proactive", "pgsteal_kswapd", "pgsteal_direct",
	"pgsteal_khugepaged", "pgsteal_proactive", "pageoutrun", "allocstall_dma32",
	"allocstall_normal", "allocstall_movable", "workingset_refault_anon",
	"workingset_activate_anon", "oom_kill", NULL };

static const char *const meminfo_keys[] = { "MemFree", "MemAvailable", "SwapCached", "SwapFree",
	"Zswap", "Zswapped", NULL };

static const char *const stat_keys[] = { "cpu", "ctxt", "processes", "procs_blocked", NULL };

static const char *const memory_stat_keys[] = { "anon", "file", "zswap", "zswapped", "swapcached",
	"pgscan", "pgsteal", "pgscan_kswapd", "pgscan_direct", "pgsteal_kswapd", "pgsteal_direct",
	"pgscan_proactive", "pgsteal_proactive", "pgfault", "pgmajfault", "pswpin", "pswpout",
	"zswpin", "zswpout", "zswpwb", "workingset_refault_anon", "workingset_activate_anon",
	NULL };

static const char *const *const keys_of[HOST_NR_FILTERS] = {
	[HOST_VMSTAT] = vmstat_keys,
	[HOST_MEMINFO] = meminfo_keys,
	[HOST_STAT] = stat_keys,
	[HOST_MEMORY_STAT] = memory_stat_keys,
};

static const struct {
	const char *name, *path;
	enum host_filter filter;
} system_files[] = {
	{ "vmstat", "/proc/vmstat", HOST_VMSTAT },
	{ "diskstats", "/proc/diskstats", HOST_DISKSTATS },
	{ "pressure memory", "/proc/pressure/memory", HOST_ALL },
	{ "pressure io", "/proc/pressure/io", HOST_ALL },
	{ "pressure cpu", "/proc/pressure/cpu", HOST_ALL },
	{ "meminfo", "/proc/meminfo", HOST_MEMINFO },
	{ "stat", "/proc/stat", HOST_STAT },
};

static const struct {
	const char *name;
	enum host_filter filter;
} cgroup_files[] = {
	{ "memory.stat", HOST_MEMORY_STAT },
	{ "io.stat", HOST_IO_STAT },
	{ "memory.pressure", HOST_ALL },
	{ "io.pressure", HOST_ALL },
	{ "memory.swap.current", HOST_ALL },
	{ "memory.zswap.current", HOST_ALL },
	{ "memory.current", HOST_NEVER },
	{ "memory.events", HOST_NEVER },
	{ "memory.swap.events", HOST_NEVER },
	{ "cpu.pressure", HOST_NEVER },
	{ "cpu.stat", HOST_NEVER },
};

#define NR_SYSTEM_FILES (sizeof(system_files) / sizeof(system_files[0]))
#define NR_CGROUP_FILES (sizeof(cgroup_files) / sizeof(cgroup_files[0]))

/* ---- the list of files ---- */

/* A file that is not there is not listed. @key: what stands in front of a content without keys. */
static int add_file(struct zwb_host *host, const char *section, const char *key, const char *path,
	enum host_filter filter, struct zwb_err *err)
{
	struct host_file file = { .filter = filter, .fd = hostfile_open(path) };

	if (file.fd < 0)
		return ZWB_OK;
	file.section = strdup(section);
	file.key = strdup(key);
	file.path = strdup(path);
	if (!file.section || !file.key || !file.path || !ZWB_GROW(host->files, host->nr_files)) {
		close(file.fd);
		free(file.section);
		free(file.key);
		free(file.path);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the files of counters");
	}
	if (filter == HOST_NEVER) {
		close(file.fd);
		file.fd = NO_FILE;
	}
	host->files[host->nr_files++] = file;
	return ZWB_OK;
}

static int add_system_files(struct zwb_host *host, struct zwb_err *err)
{
	char path[HOSTFILE_PATH], section[HOST_SECTION];
	int ret = ZWB_OK;

	for (size_t i = 0; i < NR_SYSTEM_FILES && !ret; i++) {
		snprintf(section, sizeof(section), "counters %s", system_files[i].name);
		if (hostfile_path(path, host->root, "%s", system_files[i].path))
			ret = add_file(host, section, "", path, system_files[i].filter, err);
	}
	return ret;
}

static int is_listed(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int add_zswap_files(struct zwb_host *host, struct zwb_err *err)
{
	char folder[HOSTFILE_PATH], path[HOSTFILE_PATH];
	struct dirent **entries;
	int ret = ZWB_OK, nr;

	if (!hostfile_path(folder, host->root, ZSWAP_FOLDER))
		return ZWB_OK;
	nr = scandir(folder, &entries, is_listed, alphasort);
	for (int i = 0; i < nr; i++) {
		if (!ret && hostfile_path(path, folder, "/%s", entries[i]->d_name))
			ret = add_file(
				host, "counters zswap", entries[i]->d_name, path, HOST_ALL, err);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return ret;
}

static int add_cgroup_files(
	struct zwb_host *host, const struct host_cgroup *cg, struct zwb_err *err)
{
	char path[HOSTFILE_PATH], name[HOST_CGROUP_NAME], section[HOST_SECTION];
	size_t first = host->nr_files;
	int ret = ZWB_OK;

	host_cgroup_name(host, cg->path, name, sizeof(name));
	for (size_t i = 0; i < NR_CGROUP_FILES && !ret; i++) {
		snprintf(section, sizeof(section), "counters cgroup %s %s", name,
			cgroup_files[i].name);
		if (hostfile_path(path, host->cgroup_root, "%s/%s", cg->path, cgroup_files[i].name))
			ret = add_file(host, section, "", path, cgroup_files[i].filter, err);
	}
	for (; first < host->nr_files; first++)
		host->files[first].cgroup = cg->id;
	return ret;
}

int host_open_counters(struct zwb_host *host, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (host->nr_files == 0)
		ret = add_system_files(host, err);
	if (!ret && !host->has_system_files)
		ret = add_zswap_files(host, err);
	host->has_system_files = true;
	for (size_t i = 0; i < host->nr_cgroups && !ret; i++) {
		struct host_cgroup *cg = &host->cgroups[i];

		if (!cg->is_counted || cg->has_files)
			continue;
		ret = add_cgroup_files(host, cg, err);
		cg->has_files = true;
	}
	return ret;
}

static void release_file(struct host_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->section);
	free(file->key);
	free(file->path);
}

void host_close_counters(struct zwb_host *host)
{
	for (size_t i = 0; i < host->nr_files; i++)
		release_file(&host->files[i]);
	free(host->files);
}

void host_close_counters_of(struct zwb_host *host, uint64_t cgroup)
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < host->nr_files; i++) {
		if (host->files[i].cgroup == cgroup)
			release_file(&host->files[i]);
		else
			host->files[nr_kept++] = host->files[i];
	}
	host->nr_files = nr_kept;
}

/* ---- reading them ---- */

static bool has_key(const char *const *keys, const char *word, size_t len)
{
	for (; *keys; keys++) {
		if (strlen(*keys) == len && memcmp(*keys, word, len) == 0)
			return true;
	}
	return false;
}

/* The word number @nr of a line. */
static const char *word_of(const char *line, const char *end, unsigned int nr, size_t *len)
{
	const char *at = line, *begin;

	for (;; nr--) {
		while (at < end && *at == ' ')
			at++;
		begin = at;
		while (at < end && *at != ' ' && *at != ':')
			at++;
		if (nr == 0)
			break;
		while (at < end && *at != ' ')
			at++;
	}
	*len = (size_t)(at - begin);
	return begin;
}

static bool is_of_swap_disk(const struct zwb_host *host, const char *line, const char *end)
{
	for (size_t i = 0; i < host->nr_swaps; i++) {
		const char *number = host->swaps[i].disk_number;
		size_t len = strlen(number);

		if (len && (size_t)(end - line) > len && memcmp(line, number, len) == 0 &&
			line[len] == ' ')
			return true;
	}
	return false;
}

static bool line_is_wanted(const struct zwb_host *host, enum host_filter filter, bool is_sample,
	const char *line, const char *end)
{
	const char *word;
	size_t len;

	if (filter == HOST_DISKSTATS) {
		word = word_of(line, end, 2, &len);
		return host_is_swap_device(host, word, len);
	}
	if (filter == HOST_ALL || (!is_sample && filter != HOST_STAT))
		return true;
	if (filter == HOST_IO_STAT)
		return is_of_swap_disk(host, line, end);
	word = word_of(line, end, 0, &len);
	return keys_of[filter] && has_key(keys_of[filter], word, len);
}

static void keep_wanted(const struct zwb_host *host, const struct host_file *file, bool is_sample,
	const struct zwb_buf *from, struct zwb_buf *to)
{
	const char *line = (const char *)from->data, *all_end = line + from->len, *end;

	for (; line < all_end; line = end) {
		end = memchr(line, '\n', (size_t)(all_end - line));
		end = end ? end + 1 : all_end;
		if (!line_is_wanted(host, file->filter, is_sample, line, end))
			continue;
		if (file->key[0])
			zwb_buf_addf(to, "%s ", file->key);
		zwb_buf_add(to, line, (size_t)(end - line));
	}
}

/* FNV-1a: what a sample says is compared with what the last one said. */
static uint64_t hash_of(const struct zwb_buf *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < text->len; i++)
		hash = (hash ^ text->data[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static bool read_file(struct host_file *file, struct zwb_buf *text)
{
	int fd = file->fd == NO_FILE ? hostfile_open(file->path) : file->fd;
	bool is_read;

	if (fd < 0)
		return false;
	is_read = hostfile_read(fd, text);
	if (file->fd == NO_FILE || !is_read)
		close(fd);
	if (!is_read)
		file->fd = GONE; /* the cgroup is no more */
	return is_read;
}

static void put_counters(struct host_out *out, struct host_file *file, struct zwb_buf *whole)
{
	bool is_sample = out->phase == ZWB_PHASE_SAMPLE;
	uint64_t hash;

	if ((is_sample && file->filter == HOST_NEVER) || out->status)
		return;
	whole->len = 0;
	out->ts_ns = zwb_clock_ns(CLOCK_MONOTONIC);
	if (!read_file(file, whole)) {
		if (whole->failed)
			out->status = zwb_buf_check(whole, out->err);
		return;
	}
	keep_wanted(out->host, file, is_sample, whole, &out->text);
	hash = hash_of(&out->text);
	if (is_sample && hash == file->last)
		out->text.len = 0;
	else
		host_put(out, file->section);
	if (is_sample)
		file->last = hash;
}

void host_put_counters(struct host_out *out, size_t from, size_t to)
{
	struct zwb_buf whole = { 0 };

	for (size_t i = from; i < to && i < out->host->nr_files; i++)
		put_counters(out, &out->host->files[i], &whole);
	zwb_buf_release(&whole);
}
