/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As batched, and the walk holds a block plug from its begin to its end, so that bios may also join
 * the newest request of the plug (the "plug" series on top of "batch").
 */
#include "policy_ops.h"

extern const struct zwb_policy_ops zwb_policy_plugged;

const struct zwb_policy_ops zwb_policy_plugged = {
	.abi = ZWB_POLICY_ABI,
	.name = "plugged",
	.summary = "batched, with a block plug around the walk",
	.knobs = { .ctx = ZWB_CTX_WALK, .plug = ZWB_PLUG_WALK, .write_class = ZWB_WRITE_SWAP },
};

ZWB_POLICY_EXPORT(plugged);
