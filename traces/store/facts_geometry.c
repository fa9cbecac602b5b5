/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the slots of the swap areas lie on the disk. */
#include "facts_priv.h"

#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 512u

struct facts_part *facts_part(struct facts *fx, const char *name)
{
	struct facts_part *part;

	for (size_t i = 0; i < fx->nr_parts; i++) {
		if (strncmp(fx->parts[i].name, name, sizeof(part->name) - 1) == 0)
			return &fx->parts[i];
	}
	if (fx->nr_parts == FACTS_MAX_PARTS) {
		fx->nr_lost++;
		return NULL;
	}
	part = &fx->parts[fx->nr_parts++];
	snprintf(part->name, sizeof(part->name), "%.31s", name);
	return part;
}

void facts_number_part(struct facts *fx, const char *name, uint64_t major, uint64_t minor)
{
	struct facts_part *part = facts_part(fx, name);

	if (!part || major > UINT32_MAX || minor > UINT32_MAX)
		return;
	part->major = (uint32_t)major;
	part->minor = (uint32_t)minor;
	part->has_number = true;
}

void facts_swap_disk(struct facts *fx, const char *name, uint64_t major, uint64_t minor)
{
	snprintf(fx->swap_disk, sizeof(fx->swap_disk), "%.31s", name);
	facts_number_part(fx, fx->swap_disk, major, minor);
}

/* "/dev/vda  partition  2097148  0  -1" of /proc/swaps, where KiB do not count the header. */
bool facts_swaps_line(struct facts *fx, const char *line)
{
	struct facts_swap_row row = { 0 };

	if (strncmp(line, "Filename\t", 9) == 0)
		return true;
	if (line[0] != '/' || !facts_take_word(&line, row.path, sizeof(row.path)) ||
		!facts_take_word(&line, row.kind, sizeof(row.kind)) ||
		!facts_take_u64(&line, &row.size_kib) ||
		(strcmp(row.kind, "partition") != 0 && strcmp(row.kind, "file") != 0))
		return false;
	for (size_t i = 0; i < fx->nr_swaps; i++) {
		if (strcmp(fx->swaps[i].path, row.path) == 0)
			return true;
	}
	if (fx->nr_swaps < FACTS_MAX_SWAPS)
		fx->swaps[fx->nr_swaps++] = row;
	else
		fx->nr_lost++;
	return true;
}

/* " 254        1    1047552 vda1" of /proc/partitions */
static bool partition_number(struct facts *fx, const char *line)
{
	uint64_t major, minor, nr_blocks;
	char name[32];

	if (line[0] != ' ' || !facts_take_u64(&line, &major) || !facts_take_u64(&line, &minor) ||
		!facts_take_u64(&line, &nr_blocks) || !facts_take_word(&line, name, sizeof(name)) ||
		line[strspn(line, " ")] != '\0')
		return false;
	facts_number_part(fx, name, major, minor);
	return true;
}

/* "  vda1 start=2048 size=2095104 sectors" */
static bool partition_start(struct facts *fx, const char *line)
{
	const char *at = line;
	struct facts_part *part;
	uint64_t start;
	char name[32];

	if (line[0] != ' ' || !facts_take_word(&at, name, sizeof(name)) ||
		!facts_take(&at, " start=") || !facts_take_u64(&at, &start))
		return false;
	part = facts_part(fx, name);
	if (part) {
		part->start_sector = start;
		part->has_start = true;
	}
	facts_add_new(fx, "partition", name, strstr(line, "start="));
	return true;
}

void facts_add_extent(struct facts *fx, struct facts_extents *to, struct facts_extent extent)
{
	if (to->nr == FACTS_MAX_EXTENTS || !ZWB_GROW(to->rows, to->nr))
		fx->nr_lost++;
	else
		to->rows[to->nr++] = extent;
}

/* "   0:        0..    6143:      34816..     40959:   6144:" of filefrag -v */
static bool file_extent(struct facts *fx, const char *line)
{
	static const char *const marks[] = { " :", " ..", " :", " ..", " :", " :" };
	uint64_t numbers[6];

	if (line[0] != ' ')
		return false;
	for (size_t i = 0; i < 6; i++) {
		if (!facts_take_u64(&line, &numbers[i]) || !facts_take(&line, marks[i]))
			return false;
	}
	facts_add_extent(fx, &fx->extents,
		(struct facts_extent){ .first_block = numbers[3], .nr_blocks = numbers[5] });
	return true;
}

/* "File size of /swapfile is 262144000 (64000 blocks of 4096 bytes)" */
static bool file_size(struct facts *fx, const char *line)
{
	uint64_t bytes, nr_blocks, block_bytes;
	char path[FACTS_NAME];

	if (!facts_take(&line, "File size of ") || !facts_take_word(&line, path, sizeof(path)) ||
		!facts_take(&line, " is ") || !facts_take_u64(&line, &bytes) ||
		!facts_take(&line, " (") || !facts_take_u64(&line, &nr_blocks) ||
		!facts_take(&line, " blocks of ") || !facts_take_u64(&line, &block_bytes))
		return false;
	fx->extents.block_bytes = block_bytes;
	return true;
}

/* The mount that the swap file is in: "/dev/vda /mnt ext4 rw,relatime 0 0" */
static bool mount_device(struct facts *fx, const char *line)
{
	char device[32], path[FACTS_NAME], type[16];

	if (!facts_take(&line, "/dev/") || !facts_take_word(&line, device, sizeof(device)) ||
		!facts_take_word(&line, path, sizeof(path)) || path[0] != '/' ||
		!facts_take_word(&line, type, sizeof(type)) || !facts_take(&line, " rw") ||
		!strstr(line, " 0 0"))
		return false;
	snprintf(fx->fs_dev, sizeof(fx->fs_dev), "%s", device);
	return true;
}

bool facts_geometry_line(struct facts *fx, const char *line)
{
	return partition_number(fx, line) || partition_start(fx, line) || file_extent(fx, line) ||
	       file_size(fx, line) || mount_device(fx, line);
}

/* First sector of a disk or partition. Return: false when it is not known. */
static bool start_of(struct facts *fx, const char *name, uint64_t *sector)
{
	const struct facts_part *part = facts_part(fx, name);

	*sector = 0;
	if (part && part->has_start) {
		*sector = part->start_sector;
		return true;
	}
	return fx->swap_disk[0] && strcmp(name, fx->swap_disk) == 0;
}

int facts_is_synchronous(const char *disk)
{
	static const char *const names[] = { "ram", "zram", "pmem" };

	if (disk[0] == '\0')
		return -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(disk, names[i], strlen(names[i])) == 0)
			return 1;
	}
	return 0;
}

static void put_extent(struct facts *fx, const struct zwb_extent *extent)
{
	if (!fx->status && extent->nr_slots)
		fx->status = zwb_meta_extent(fx->m, extent, fx->err);
}

/*
 * mm/swapfile.c generic_swapfile_activate(), fs/iomap/swapfile.c: slots are numbered through the
 * whole pages of the extents, in the order of the file.
 */
static bool put_file_extents(struct facts *fx, const struct zwb_swap *swap,
	const struct facts_extents *extents, uint64_t start)
{
	uint64_t page = fx->m->page_bytes, next_slot = 0;

	if (extents->nr == 0 || extents->block_bytes == 0 || extents->block_bytes > page)
		return false;
	for (size_t i = 0; i < extents->nr && next_slot < swap->nr_slots; i++) {
		const struct facts_extent *e = &extents->rows[i];
		struct zwb_extent extent = { .swap_type = swap->swap_type };
		uint64_t from, to;

		if (__builtin_mul_overflow(e->first_block, extents->block_bytes, &from) ||
			__builtin_mul_overflow(e->nr_blocks, extents->block_bytes, &to) ||
			__builtin_add_overflow(from, to, &to) || to > INT64_MAX)
			return false;
		from = (from + page - 1) / page;
		to = to / page;
		if (from >= to)
			continue;
		extent.first_slot = next_slot;
		extent.nr_slots = to - from;
		if (extent.nr_slots > swap->nr_slots - next_slot)
			extent.nr_slots = swap->nr_slots - next_slot;
		extent.first_sector = start + from * (page / SECTOR_BYTES);
		put_extent(fx, &extent);
		next_slot += extent.nr_slots;
	}
	return next_slot == swap->nr_slots;
}

static bool put_whole_extent(struct facts *fx, const struct zwb_swap *swap, uint64_t start)
{
	const struct zwb_extent extent = {
		.swap_type = swap->swap_type, .nr_slots = swap->nr_slots, .first_sector = start
	};

	put_extent(fx, &extent);
	return swap->nr_slots > 0;
}

/* Extents of an area as far as the texts say. Return: false: they do not say enough. */
static bool put_extents(
	struct facts *fx, const struct zwb_swap *swap, const struct facts_swap_row *row)
{
	bool is_file = strcmp(row->kind, "file") == 0;
	uint64_t start = row->start_sector;

	if (row->is_whole)
		return row->has_start && (is_file ? put_file_extents(fx, swap, &row->extents, start)
						  : put_whole_extent(fx, swap, start));
	if (is_file)
		return fx->fs_dev[0] && start_of(fx, fx->fs_dev, &start) &&
		       put_file_extents(fx, swap, &fx->extents, start);
	return strncmp(swap->path, "/dev/", 5) == 0 && start_of(fx, swap->path + 5, &start) &&
	       put_whole_extent(fx, swap, start);
}

int facts_guess(struct zwb_meta *m, struct zwb_swap *swap, struct zwb_err *err)
{
	const struct zwb_extent extent = { .swap_type = swap->swap_type,
		.nr_slots = swap->nr_slots ? swap->nr_slots : ZWB_FACTS_GUESSED_SLOTS };
	int ret = zwb_meta_extent(m, &extent, err);

	swap->geometry_known = 0;
	if (!ret)
		ret = zwb_meta_unknown(m, "swap.geometry", 1, err);
	if (!ret)
		ret = zwb_meta_fact(m, "geometry", "source",
			"guess: the swap area begins at sector 0 of the disk", err);
	return ret;
}

/* The row of @disk; when that is not known the first, whichever that will be. */
static uint32_t disk_index(struct facts *fx, const char *disk)
{
	const struct facts_part *part = disk[0] ? facts_part(fx, disk) : NULL;
	int index = 0;

	if (part && part->has_number)
		index = zwb_meta_device(fx->m, part->major, part->minor, part->name, fx->err);
	if (index < 0 && !fx->status)
		fx->status = index;
	return index < 0 ? 0 : (uint32_t)index;
}

/* Names for the numbers that block events have. */
static void put_devices(struct facts *fx)
{
	for (size_t i = 0; i < fx->nr_parts && !fx->status; i++) {
		const struct facts_part *part = &fx->parts[i];
		int index = 0;

		if (part->has_number)
			index = zwb_meta_device(
				fx->m, part->major, part->minor, part->name, fx->err);
		if (index < 0)
			fx->status = index;
	}
}

/* Guesses about several areas would contradict each other. */
static void put_no_geometry(struct facts *fx, struct zwb_swap *swap)
{
	swap->geometry_known = 0;
	if (fx->status)
		return;
	if (fx->nr_swaps <= 1)
		fx->status = facts_guess(fx->m, swap, fx->err);
	else
		fx->status = zwb_meta_unknown(fx->m, "swap.geometry", 1, fx->err);
}

static void put_swap(struct facts *fx, const struct facts_swap_row *row, uint32_t type)
{
	const char *disk = row && row->is_whole ? row->disk : fx->swap_disk;
	size_t nr_extents = fx->m->nr_extents;
	struct zwb_swap swap = { .swap_type = type, .geometry_known = 1 };
	uint64_t bytes;

	swap.dev = disk_index(fx, disk);
	swap.synchronous = facts_is_synchronous(disk);
	snprintf(swap.kind, sizeof(swap.kind), "%s", row ? row->kind : "partition");
	if (row) {
		snprintf(swap.path, sizeof(swap.path), "%s", row->path);
		if (!__builtin_mul_overflow(row->size_kib, UINT64_C(1024), &bytes))
			swap.nr_slots = bytes / fx->m->page_bytes + 1;
	}
	if (!row || !put_extents(fx, &swap, row)) {
		fx->m->nr_extents = nr_extents; /* half a file is no geometry */
		put_no_geometry(fx, &swap);
	} else {
		facts_add(fx, "geometry", "source", "facts of the host");
	}
	if (!fx->status)
		fx->status = zwb_meta_swap(fx->m, &swap, fx->err);
}

void facts_put_geometry(struct facts *fx)
{
	put_devices(fx);
	if (fx->nr_swaps == 0)
		put_swap(fx, NULL, 0);
	for (size_t i = 0; i < fx->nr_swaps; i++) {
		if (!fx->swaps[i].is_whole || fx->swaps[i].path[0])
			put_swap(fx, &fx->swaps[i], (uint32_t)i);
	}
}

void facts_release(struct facts *fx)
{
	for (size_t i = 0; i < FACTS_MAX_SWAPS; i++)
		free(fx->swaps[i].extents.rows);
	free(fx->extents.rows);
	free(fx);
}
