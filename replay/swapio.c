/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Append rule of the swap IO context. */
#include "swapio.h"

#include "event.h"

bool zwb_swap_ctx_joins(const struct zwb_swap_ctx *ctx, const struct zwb_bio *folio)
{
	const struct zwb_bio *bio = &ctx->bio;

	if (ctx->nr_folios == 0 || ctx->nr_folios >= ZWB_SWAP_MAX_FOLIOS)
		return false;
	if (bio->dev != folio->dev || bio->sector + bio->nr_sectors != folio->sector)
		return false;
	/* swap_can_merge(): reads are charged to the task, only writes look at the owner. */
	return !(folio->op & ZWB_OP_WRITE) || bio->cgroup == folio->cgroup;
}

bool zwb_swap_ctx_add(struct zwb_swap_ctx *ctx, const struct zwb_bio *folio)
{
	if (ctx->nr_folios == 0) {
		ctx->bio = *folio;
	} else {
		ctx->bio.nr_sectors += folio->nr_sectors;
		ctx->bio.nr_segments += folio->nr_segments;
	}
	ctx->nr_folios++;
	return ctx->nr_folios >= ZWB_SWAP_MAX_FOLIOS;
}
