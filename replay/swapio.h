/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The swap IO context, and where a slot lies on the disk. */
#ifndef ZWB_SWAPIO_H
#define ZWB_SWAPIO_H

#include "blk.h"
#include "err.h"
#include "meta.h"

#include <stddef.h>

/*
 * mm/page_io.c swap_add_folio() / swap_write_submit(), include/linux/swap_ops.h struct swap_io_ctx,
 * 7.3.4: a context builds one bio. A folio joins it when its first sector is the bio's next, on the
 * same device and, for writes, when both folios belong to the same cgroup of the io controller; the
 * bio is submitted when a folio does not join, when it holds 32 folios, or by its owner.
 */

#define ZWB_SWAP_MAX_FOLIOS 32u /* SWAP_CLUSTER_MAX */

struct zwb_swap_ctx {
	struct zwb_bio bio; /* what is being built; nothing while nr_folios is 0 */
	uint32_t nr_folios;
};

/** zwb_swap_ctx_joins() - true when @folio may be added to the bio that is being built. */
bool zwb_swap_ctx_joins(const struct zwb_swap_ctx *ctx, const struct zwb_bio *folio);

/** zwb_swap_ctx_add() - add @folio, which starts a bio or joins one; true when it is full now. */
bool zwb_swap_ctx_add(struct zwb_swap_ctx *ctx, const struct zwb_bio *folio);

/* Slots of all swap areas on their disks; made once from the metadata. */
struct zwb_geometry;

/** zwb_geometry_create() - Return: ZWB_OK, ZWB_ENOMEM, ZWB_EDATA when extents overlap or wrap. */
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

/** zwb_geometry_slot() - the reverse: is @sector of disk @dev inside a swap area, and which slot? */
bool zwb_geometry_slot(const struct zwb_geometry *g, uint16_t dev, uint64_t sector,
	uint32_t *swap_type, uint64_t *slot);

/** zwb_geometry_slot_sectors() - sectors of one slot: the page size. */
uint32_t zwb_geometry_slot_sectors(const struct zwb_geometry *g);

/** zwb_geometry_nr_slots() - slots of the largest area; 0 when nothing is known. */
uint64_t zwb_geometry_nr_slots(const struct zwb_geometry *g);

#endif
