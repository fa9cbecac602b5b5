/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The swap IO context. */
#ifndef ZWB_SWAPIO_H
#define ZWB_SWAPIO_H

#include "blk.h"

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

#endif
