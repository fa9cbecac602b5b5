/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the blocks of a file lie on its device. */
#include "extents.h"

#include "grow.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH 512u
/* where the data are is not known, or not all there is to know */
#define UNUSABLE                                                                                   \
	(FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |                  \
		FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_NOT_ALIGNED |                         \
		FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL)

static int add_extent(
	struct zwb_file_extents *found, const struct fiemap_extent *e, struct zwb_err *err)
{
	if (e->fe_flags & UNUSABLE) {
		found->why_not = "data that have no place of their own on the device";
		return ZWB_OK;
	}
	if (found->nr == ZWB_FILE_EXTENTS_MAX) {
		found->why_not = "too many extents";
		return ZWB_OK;
	}
	if (!ZWB_GROW(found->extents, found->nr))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the extents of a file");
	found->extents[found->nr++] = (struct zwb_file_extent){
		.file_byte = e->fe_logical, .device_byte = e->fe_physical, .nr_bytes = e->fe_length
	};
	return ZWB_OK;
}

/* Extents from @from on. *@from moves behind them, and to UINT64_MAX behind the last one. */
static int read_batch(int fd, struct fiemap *map, uint64_t *from, struct zwb_file_extents *found,
	struct zwb_err *err)
{
	int ret = ZWB_OK;

	memset(map, 0, sizeof(*map));
	map->fm_start = *from;
	map->fm_length = FIEMAP_MAX_OFFSET - *from;
	map->fm_extent_count = BATCH;
	*from = UINT64_MAX;
	if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
		found->why_not = "the file system does not say (FIEMAP)";
		return ZWB_OK;
	}
	for (uint32_t i = 0; i < map->fm_mapped_extents && !ret && !found->why_not; i++) {
		const struct fiemap_extent *e = &map->fm_extents[i];

		ret = add_extent(found, e, err);
		*from = e->fe_flags & FIEMAP_EXTENT_LAST ? UINT64_MAX
							 : e->fe_logical + e->fe_length;
	}
	return ret;
}

/* No extent at all, or a gap before the end at @size. */
static int has_hole(const struct zwb_file_extents *found, uint64_t size)
{
	uint64_t end = 0;

	for (size_t i = 0; i < found->nr; i++) {
		if (found->extents[i].file_byte != end)
			return 1;
		end += found->extents[i].nr_bytes;
	}
	return end < size || found->nr == 0;
}

static int read_extents(int fd, struct zwb_file_extents *found, struct zwb_err *err)
{
	struct fiemap *map = malloc(sizeof(*map) + BATCH * sizeof(map->fm_extents[0]));
	uint64_t from = 0;
	struct stat st;
	int ret = ZWB_OK;

	if (!map)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the extents of a file");
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		found->why_not = "it is no regular file";
	while (!ret && !found->why_not && from != UINT64_MAX)
		ret = read_batch(fd, map, &from, found, err);
	if (!ret && !found->why_not && has_hole(found, (uint64_t)st.st_size))
		found->why_not = "it has a hole";
	free(map);
	return ret;
}

int zwb_extents_of(const char *path, struct zwb_file_extents *found, struct zwb_err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const char *why_not;
	int ret = ZWB_OK;

	*found = (struct zwb_file_extents){ 0 };
	if (fd < 0) {
		found->why_not = "it cannot be opened";
		return ZWB_OK;
	}
	ret = read_extents(fd, found, err);
	close(fd);
	why_not = found->why_not;
	if (ret || why_not) {
		zwb_extents_release(found);
		found->why_not = why_not;
	}
	return ret;
}

void zwb_extents_release(struct zwb_file_extents *found)
{
	free(found->extents);
	*found = (struct zwb_file_extents){ 0 };
}
