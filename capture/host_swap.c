/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The swap areas of a host, and where they lie. */
#include "extents.h"
#include "grow.h"
#include "host_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * The last two parts of where a link under /sys leads to: "vda" and "vda1" of
 * "../../devices/pci0000:00/0000:00:04.0/virtio1/block/vda/vda1".
 */
static bool last_two(const char *link, char parent[HOST_NAME], char name[HOST_NAME])
{
	char target[HOSTFILE_PATH], *slash;
	ssize_t len = readlink(link, target, sizeof(target) - 1);

	if (len <= 0)
		return false;
	target[len] = '\0';
	slash = strrchr(target, '/');
	if (!slash)
		return false;
	*slash = '\0';
	snprintf(name, HOST_NAME, "%.*s", (int)HOST_NAME - 1, slash + 1);
	slash = strrchr(target, '/');
	snprintf(parent, HOST_NAME, "%.*s", (int)HOST_NAME - 1, slash ? slash + 1 : target);
	return name[0] != '\0';
}

/* "254:0" of device @name. Return: false: there is no such device. */
static bool device_number(const struct zwb_host *host, const char *name, char number[24])
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE];

	if (!hostfile_path(path, host->root, "/sys/class/block/%s/dev", name) ||
		!hostfile_value(path, value) || !strchr(value, ':'))
		return false;
	snprintf(number, 24, "%.23s", value);
	return true;
}

/* The disk of the area's device: its parent if it is a partition, else itself. */
static void find_disk(const struct zwb_host *host, struct host_swap *swap)
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE], parent[HOST_NAME], name[HOST_NAME];

	snprintf(swap->disk, sizeof(swap->disk), "%s", swap->device);
	if (hostfile_path(path, host->root, "/sys/class/block/%s/partition", swap->device) &&
		hostfile_value(path, value) &&
		hostfile_path(path, host->root, "/sys/class/block/%s", swap->device) &&
		last_two(path, parent, name))
		snprintf(swap->disk, sizeof(swap->disk), "%s", parent);
	if (!device_number(host, swap->disk, swap->disk_number))
		swap->disk_number[0] = '\0';
}

/*
 * The device of an area, or of the file system that it is a file of. Some file systems (btrfs) have
 * numbers that are no device.
 */
static void find_device(const struct zwb_host *host, struct host_swap *swap)
{
	char path[HOSTFILE_PATH], parent[HOST_NAME], number[24];
	struct stat st;
	dev_t dev;

	if (hostfile_path(path, host->root, "%s", swap->path) && stat(path, &st) == 0) {
		dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
		if (hostfile_path(
			    path, host->root, "/sys/dev/block/%u:%u", major(dev), minor(dev)) &&
			last_two(path, parent, swap->device)) {
			find_disk(host, swap);
			return;
		}
	}
	if (strncmp(swap->path, "/dev/", 5) != 0 || strcmp(swap->kind, "partition") != 0)
		return;
	/* no such node here, but a name: /sys has "!" where names have "/" */
	snprintf(swap->device, sizeof(swap->device), "%.*s", (int)HOST_NAME - 1, swap->path + 5);
	for (char *at = swap->device; *at; at++)
		*at = *at == '/' ? '!' : *at;
	if (device_number(host, swap->device, number))
		find_disk(host, swap);
	else
		swap->device[0] = '\0';
}

bool host_is_swap_device(const struct zwb_host *host, const char *name, size_t len)
{
	for (size_t i = 0; i < host->nr_swaps; i++) {
		const struct host_swap *swap = &host->swaps[i];

		if ((strlen(swap->device) == len && memcmp(swap->device, name, len) == 0) ||
			(strlen(swap->disk) == len && memcmp(swap->disk, name, len) == 0))
			return len > 0;
	}
	return false;
}

/* "/dev/vda1 partition 1047548 0 -2"; blanks in names are escaped. */
static int add_swap(struct zwb_host *host, char *line, struct zwb_err *err)
{
	char *save = NULL;
	char *path = strtok_r(line, " \t", &save), *kind = strtok_r(NULL, " \t", &save);
	char *size = strtok_r(NULL, " \t", &save), *used = strtok_r(NULL, " \t", &save);
	char *priority = strtok_r(NULL, " \t", &save);
	struct host_swap *swap;

	if (!priority || path[0] != '/' || host->nr_swaps == HOST_SWAPS_MAX)
		return ZWB_OK;
	(void)used; /* that is a counter */
	hostfile_unescape(path);
	for (size_t i = 0; i < host->nr_swaps; i++) {
		if (strcmp(host->swaps[i].path, path) == 0)
			return ZWB_OK;
	}
	if (!ZWB_GROW(host->swaps, host->nr_swaps))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for swap areas");
	swap = &host->swaps[host->nr_swaps++];
	*swap = (struct host_swap){ .is_new = true };
	snprintf(swap->path, sizeof(swap->path), "%s", path);
	snprintf(swap->kind, sizeof(swap->kind), "%.15s", kind);
	snprintf(swap->size_kib, sizeof(swap->size_kib), "%.23s", size);
	snprintf(swap->priority, sizeof(swap->priority), "%.23s", priority);
	find_device(host, swap);
	return ZWB_OK;
}

int host_find_swaps(struct zwb_host *host, struct zwb_err *err)
{
	char path[HOSTFILE_PATH], *save = NULL;
	struct zwb_buf text = { 0 };
	int fd = hostfile_path(path, host->root, "/proc/swaps") ? hostfile_open(path) : -1;
	int ret = ZWB_OK;

	if (fd < 0)
		return ZWB_OK;
	if (!hostfile_read(fd, &text))
		text.len = 0;
	close(fd);
	zwb_buf_add(&text, "", 1);
	ret = zwb_buf_check(&text, err);
	if (!ret) {
		for (char *line = strtok_r((char *)text.data, "\n", &save); line && !ret;
			line = strtok_r(NULL, "\n", &save))
			ret = add_swap(host, line, err);
	}
	zwb_buf_release(&text);
	return ret;
}

/* ---- writing ---- */

static void put_extents(struct host_out *out, const struct host_swap *swap, size_t type)
{
	struct zwb_file_extents found = { 0 };
	char path[HOSTFILE_PATH], section[HOST_SECTION];

	if (!hostfile_path(path, out->host->root, "%s", swap->path))
		return;
	if (swap->device[0] == '\0')
		found.why_not = "its file system is on no device of its own";
	else
		out->status = zwb_extents_of(path, &found, out->err);
	if (out->status)
		return;
	if (found.why_not)
		host_line(out, "why", found.why_not);
	for (size_t i = 0; i < found.nr; i++)
		zwb_buf_addf(&out->text, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			found.extents[i].file_byte, found.extents[i].device_byte,
			found.extents[i].nr_bytes);
	zwb_extents_release(&found);
	snprintf(section, sizeof(section), "extents %zu", type);
	host_put(out, section);
}

static void put_swap(struct host_out *out, struct host_swap *swap, size_t type)
{
	char section[HOST_SECTION], path[HOSTFILE_LINE];

	host_swap_name(out->host, swap->path, path, sizeof(path));
	host_line(out, "path", path);
	host_line(out, "kind", swap->kind);
	host_line(out, "size_kib", swap->size_kib);
	host_line(out, "priority", swap->priority);
	host_line(out, "device", swap->device);
	host_line(out, "disk", swap->disk);
	host_line(out, "disk_number", swap->disk_number);
	if (strcmp(swap->device, swap->disk) != 0)
		host_file_line(out, "first_sector", "/sys/class/block/%s/start", swap->device);
	else if (swap->device[0])
		host_line(out, "first_sector", "0");
	snprintf(section, sizeof(section), "swap %zu", type);
	host_put(out, section);
	if (strcmp(swap->kind, "file") == 0)
		put_extents(out, swap, type);
	swap->is_new = false;
}

void host_put_swaps(struct host_out *out)
{
	for (size_t i = 0; i < out->host->nr_swaps && !out->status; i++) {
		if (out->host->swaps[i].is_new)
			put_swap(out, &out->host->swaps[i], i);
	}
}
