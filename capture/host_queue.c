/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disks of the swap areas: queue limits, scheduler, iocost. */
#include "host_priv.h"

#include <stdio.h>
#include <string.h>

#define MAX_HW_QUEUES	     1024u
#define MAX_LISTED_HW_QUEUES 64u

/* "mq-deadline" of "none [mq-deadline] kyber", or the only word. */
static void put_scheduler(struct host_out *out, const char *disk)
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE], *open, *name = value;

	if (!hostfile_path(path, out->host->root, "/sys/class/block/%s/queue/scheduler", disk) ||
		!hostfile_value(path, value))
		return;
	open = strchr(value, '[');
	if (open)
		name = open + 1;
	name[strcspn(name, "] ")] = '\0';
	host_line(out, "scheduler", name);
}

/* "mq/0: nr_tags=256 nr_reserved_tags=0 cpus=0, 1" */
static void put_hw_queues(struct host_out *out, const char *disk)
{
	static const char *const names[] = { "nr_tags", "nr_reserved_tags", "cpu_list" };
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE];
	unsigned int nr = 0;
	bool is_there = true;

	for (; is_there && nr < MAX_HW_QUEUES; nr += is_there) {
		is_there = hostfile_path(path, out->host->root, "/sys/class/block/%s/mq/%u/nr_tags",
				   disk, nr) &&
			   hostfile_value(path, value);
		if (!is_there || nr >= MAX_LISTED_HW_QUEUES)
			continue;
		zwb_buf_addf(&out->text, "mq/%u:", nr);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (hostfile_path(path, out->host->root, "/sys/class/block/%s/mq/%u/%s",
				    disk, nr, names[i]) &&
				hostfile_value(path, value))
				zwb_buf_addf(&out->text, " %s=%s", names[i], value);
		}
		zwb_buf_addf(&out->text, "\n");
	}
	if (nr)
		zwb_buf_addf(&out->text, "nr_hw_queues: %u\n", nr);
}

static void put_queue(struct host_out *out, const char *disk, const char *suffix)
{
	static const char *const names[] = { "max_sectors_kb", "max_hw_sectors_kb", "max_segments",
		"max_segment_size", "nr_requests", "nomerges", "rq_affinity", "read_ahead_kb",
		"rotational", "write_cache", "fua", "logical_block_size", "physical_block_size",
		"minimum_io_size", "optimal_io_size", "chunk_sectors", "discard_granularity",
		"discard_max_bytes", "wbt_lat_usec", "io_poll", "stable_writes", "zoned" };
	char section[HOST_SECTION];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		host_file_line(out, names[i], "/sys/class/block/%s/queue/%s", disk, names[i]);
	put_scheduler(out, disk);
	put_hw_queues(out, disk);
	snprintf(section, sizeof(section), "facts queue%s", suffix);
	host_put(out, section);
	host_folder_lines(out, "/sys/class/block/%s/queue/iosched", disk);
	snprintf(section, sizeof(section), "facts iosched%s", suffix);
	host_put(out, section);
}

/* The line of @disk in io.cost.qos and io.cost.model: "254:0 enable=1 ctrl=user ...". */
static void put_iocost_line(struct host_out *out, const char *name, const char *number)
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE], *save = NULL;
	size_t len = strlen(number);
	bool is_enabled = false;

	if (!hostfile_path(path, out->host->cgroup_root, "/io.cost.%s", name))
		return;
	if (!hostfile_value(path, value))
		value[0] = '\0';
	for (char *line = strtok_r(value, ";", &save); line; line = strtok_r(NULL, ";", &save)) {
		line += strspn(line, " ");
		if (strncmp(line, number, len) != 0 || line[len] != ' ')
			continue;
		host_line(out, name, line);
		is_enabled = strstr(line, "enable=1") != NULL;
	}
	if (strcmp(name, "qos") == 0)
		host_line(out, "enabled", is_enabled ? "1" : "0");
}

static void put_iocost(struct host_out *out, const char *number, const char *suffix)
{
	char section[HOST_SECTION];

	if (!out->host->cgroup_root || !number[0])
		return;
	put_iocost_line(out, "qos", number);
	put_iocost_line(out, "model", number);
	host_file_line(
		out, "blkcg_debug_stats", "/sys/module/blk_cgroup/parameters/blkcg_debug_stats");
	snprintf(section, sizeof(section), "facts iocost%s", suffix);
	host_put(out, section);
}

static void put_disk(struct host_out *out, const char *disk, const char *number)
{
	char section[HOST_SECTION];

	host_line(out, "number", number);
	host_file_line(out, "size_sectors", "/sys/class/block/%s/size", disk);
	host_file_line(out, "model", "/sys/class/block/%s/device/model", disk);
	host_file_line(out, "md_level", "/sys/class/block/%s/md/level", disk);
	host_file_line(out, "comp_algorithm", "/sys/class/block/%s/comp_algorithm", disk);
	host_file_line(out, "disksize", "/sys/class/block/%s/disksize", disk);
	if (!out->host->is_anonymous) {
		host_file_line(out, "dm_name", "/sys/class/block/%s/dm/name", disk);
		host_file_line(out, "backing_dev", "/sys/class/block/%s/backing_dev", disk);
	}
	snprintf(section, sizeof(section), "facts disk %s", disk);
	host_put(out, section);
}

void host_put_queues(struct host_out *out)
{
	const struct zwb_host *host = out->host;
	size_t nr = 0;

	for (size_t i = 0; i < host->nr_swaps; i++) {
		const char *disk = host->swaps[i].disk;
		char suffix[HOST_NAME + 1] = "";
		bool is_done = disk[0] == '\0';

		for (size_t k = 0; k < i; k++)
			is_done |= strcmp(host->swaps[k].disk, disk) == 0;
		if (is_done)
			continue;
		/* the sections without a name are those of the disk of the first area */
		if (nr++)
			snprintf(suffix, sizeof(suffix), " %.*s", (int)HOST_NAME - 1, disk);
		put_disk(out, disk, host->swaps[i].disk_number);
		put_queue(out, disk, suffix);
		put_iocost(out, host->swaps[i].disk_number, suffix);
	}
}
