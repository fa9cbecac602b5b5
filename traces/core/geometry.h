/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a slot of a swap area lies on its disk, and back. */
#ifndef ZWB_GEOMETRY_H
#define ZWB_GEOMETRY_H

#include "err.h"
#include "meta.h"

#include <stdbool.h>
#include <stdint.h>

/* Slots of all swap areas on their disks; made once from the metadata. */
struct zwb_geometry;

/**
 * zwb_geometry_create() - look the extents over and put them in order; empty ones are left out.
 * Return: ZWB_OK; ZWB_ENOMEM; ZWB_EDATA when extents overlap, wrap or belong to no swap area, or
 * when the page size is not a power of two from 512 bytes to 1 MiB.
 */
int zwb_geometry_create(
	const struct zwb_meta *meta, struct zwb_geometry **out, struct zwb_err *err);
void zwb_geometry_free(struct zwb_geometry *g);

/**
 * zwb_geometry_sector() - first sector of @slot.
 * @dev: set to the index of the disk.
 * Return: true; false when no extent holds the slot.
 */
bool zwb_geometry_sector(const struct zwb_geometry *g, uint32_t swap_type, uint64_t slot,
	uint64_t *sector, uint16_t *dev);

/** zwb_geometry_slot() - the reverse: is @sector of disk @dev inside a swap area, which slot? */
bool zwb_geometry_slot(const struct zwb_geometry *g, uint16_t dev, uint64_t sector,
	uint32_t *swap_type, uint64_t *slot);

/** zwb_geometry_slot_sectors() - sectors of one slot: the page size. */
uint32_t zwb_geometry_slot_sectors(const struct zwb_geometry *g);

/** zwb_geometry_nr_slots() - slots of the largest area; 0 when nothing is known. */
uint64_t zwb_geometry_nr_slots(const struct zwb_geometry *g);

#endif
