/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk owns the swap IO context and submits it once, at its end; in between only a page that
 * does not continue the bio, or a full bio, submits (the "batch" series on top of 7.3).
 */
#include "policy_ops.h"

extern const struct zwb_policy_ops zwb_policy_batched;

const struct zwb_policy_ops zwb_policy_batched = {
	.abi = ZWB_POLICY_ABI,
	.name = "batched",
	.summary = "one context a walk: consecutive slots share a bio",
	.knobs = { .ctx = ZWB_CTX_WALK, .plug = ZWB_PLUG_NONE, .write_class = ZWB_WRITE_SWAP },
};

ZWB_POLICY_EXPORT(batched);
