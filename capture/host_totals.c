/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of swap IO since boot, as the kernel counts them whether it is traced or not. */
#include "host_totals.h"

#include "host_priv.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DISK_NAME   2 /* words of a line of diskstats, from 0 */
#define DISK_WRITES 7

static void add(struct zwb_totals *totals, enum zwb_total total, const char *number)
{
	totals->count[total] += strtoull(number, NULL, 10);
	totals->is_known[total] = true;
}

/* Calls @line for each line, which it may change. A file that is not there has none. */
static int each_line(const char *path,
	void (*line)(const struct zwb_host *host, char *line, struct zwb_totals *totals),
	const struct zwb_host *host, struct zwb_totals *totals, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };
	char *save = NULL;
	int fd = hostfile_open(path), ret;

	if (fd < 0)
		return ZWB_OK;
	if (!hostfile_read(fd, &text) && !text.failed)
		text.len = 0;
	close(fd);
	zwb_buf_add(&text, "", 1);
	ret = zwb_buf_check(&text, err);
	if (!ret) {
		for (char *at = strtok_r((char *)text.data, "\n", &save); at;
			at = strtok_r(NULL, "\n", &save))
			line(host, at, totals);
	}
	zwb_buf_release(&text);
	return ret;
}

static void vmstat_line(const struct zwb_host *host, char *line, struct zwb_totals *totals)
{
	char *value = strchr(line, ' ');

	(void)host;
	if (!value)
		return;
	*value++ = '\0';
	if (strcmp(line, "zswpwb") == 0)
		add(totals, ZWB_TOTAL_WRITTEN_BACK, value);
	else if (strcmp(line, "pswpout") == 0)
		add(totals, ZWB_TOTAL_SWAPPED_OUT, value);
	else if (strcmp(line, "slabs_scanned") == 0)
		add(totals, ZWB_TOTAL_SCANNED, value);
}

static bool has_swap_area(const struct zwb_host *host, const char *device)
{
	for (size_t i = 0; i < host->nr_swaps; i++) {
		if (strcmp(host->swaps[i].device, device) == 0)
			return true;
	}
	return false;
}

static void diskstats_line(const struct zwb_host *host, char *line, struct zwb_totals *totals)
{
	char *save = NULL, *word = strtok_r(line, " ", &save);

	for (int i = 0; word && i < DISK_WRITES; i++) {
		if (i == DISK_NAME && !has_swap_area(host, word))
			return;
		word = strtok_r(NULL, " ", &save);
	}
	if (word)
		add(totals, ZWB_TOTAL_WRITE_REQUESTS, word);
}

/* "254:0 rbytes=0 wbytes=4096 rios=0 wios=1 dbytes=0 dios=0" */
static void io_stat_line(const struct zwb_host *host, char *line, struct zwb_totals *totals)
{
	char *save = NULL, *number = strtok_r(line, " ", &save), *word;
	bool is_of_swap = false;

	for (size_t i = 0; number && i < host->nr_swaps; i++)
		is_of_swap |= strcmp(host->swaps[i].disk_number, number) == 0;
	while (is_of_swap && (word = strtok_r(NULL, " ", &save))) {
		if (strncmp(word, "wios=", 5) == 0)
			add(totals, ZWB_TOTAL_WRITE_BIOS, word + 5);
	}
}

static int add_bios(const struct zwb_host *host, struct zwb_totals *totals, struct zwb_err *err)
{
	DIR *dir = host->cgroup_root ? opendir(host->cgroup_root) : NULL;
	char path[HOSTFILE_PATH];
	struct dirent *entry;
	int ret = ZWB_OK;

	while (dir && !ret && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
			!hostfile_path(path, host->cgroup_root, "/%s/io.stat", entry->d_name) ||
			access(path, R_OK) != 0)
			continue;
		totals->is_known[ZWB_TOTAL_WRITE_BIOS] = true;
		ret = each_line(path, io_stat_line, host, totals, err);
	}
	if (dir)
		closedir(dir);
	return ret;
}

/* Kernels whose vmstat does not count them; a few may be missing, the counter is not atomic. */
static void add_written_back(const struct zwb_host *host, struct zwb_totals *totals)
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE];

	if (hostfile_path(path, host->root, "/sys/kernel/debug/zswap/written_back_pages") &&
		hostfile_value(path, value))
		add(totals, ZWB_TOTAL_WRITTEN_BACK, value);
}

int zwb_host_totals(const struct zwb_host *host, struct zwb_totals *totals, struct zwb_err *err)
{
	char path[HOSTFILE_PATH];
	int ret = ZWB_OK;

	*totals = (struct zwb_totals){ 0 };
	if (hostfile_path(path, host->root, "/proc/vmstat"))
		ret = each_line(path, vmstat_line, host, totals, err);
	if (!ret && hostfile_path(path, host->root, "/proc/diskstats"))
		ret = each_line(path, diskstats_line, host, totals, err);
	if (!ret)
		ret = add_bios(host, totals, err);
	if (!totals->is_known[ZWB_TOTAL_WRITTEN_BACK])
		add_written_back(host, totals);
	return ret;
}

void zwb_totals_rise(struct zwb_totals *to, const struct zwb_totals *from)
{
	for (int i = 0; i < ZWB_TOTAL_NR; i++) {
		to->is_known[i] &= from->is_known[i] && to->count[i] >= from->count[i];
		to->count[i] -= from->count[i];
	}
}
