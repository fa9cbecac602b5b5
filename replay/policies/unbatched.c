/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One swap IO context an entry, submitted at once: stock 7.3.4, mm/zswap.c
 * zswap_writeback_entry(). Every page is a bio of its own.
 */
#include "policy_ops.h"

extern const struct zwb_policy_ops zwb_policy_unbatched;

const struct zwb_policy_ops zwb_policy_unbatched = {
	.abi = ZWB_POLICY_ABI,
	.name = "unbatched",
	.summary = "one bio an entry, submitted at once (stock 7.3)",
	.knobs = { .ctx = ZWB_CTX_ENTRY, .plug = ZWB_PLUG_NONE, .write_class = ZWB_WRITE_SWAP },
};

ZWB_POLICY_EXPORT(unbatched);
