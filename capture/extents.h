/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the blocks of a file lie on its device. */
#ifndef ZWB_EXTENTS_H
#define ZWB_EXTENTS_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

struct zwb_file_extent {
	uint64_t file_byte; /* where in the file */
	uint64_t device_byte; /* where on the device that the file system is on */
	uint64_t nr_bytes;
};

struct zwb_file_extents {
	struct zwb_file_extent *extents; /* in the order of the file */
	size_t nr;
	const char *why_not; /* when nr is 0: what is in the way; static text */
};

#define ZWB_FILE_EXTENTS_MAX 65536u

/**
 * zwb_extents_of() - ask the file system where @path lies (FIEMAP).
 * Return: ZWB_OK, also when it does not say: then there are none, and why_not says why; ZWB_ENOMEM.
 *
 * Data that are not on the device as they are in the file (compressed, inline, not allocated yet)
 * have no place, and neither has a file with a hole: no swap area can be on either.
 */
int zwb_extents_of(const char *path, struct zwb_file_extents *found, struct zwb_err *err);

/** zwb_extents_release() - free and clear. */
void zwb_extents_release(struct zwb_file_extents *found);

#endif
