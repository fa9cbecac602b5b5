/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies and devices by name: "sorted,max_pages=64", "./mine.so", "linear,depth=32". */
#ifndef ZWB_SELECT_H
#define ZWB_SELECT_H

#include "device_ops.h"
#include "err.h"
#include "lane.h"
#include "policy_ops.h"

#include <stddef.h>

/** zwb_policy_knob_params() - the parameters that every policy takes beside its own. */
const struct zwb_param *zwb_policy_knob_params(void);

/** zwb_policy_knob_default() - the value of knob parameter @index that @ops begins with. */
int64_t zwb_policy_knob_default(const struct zwb_policy_ops *ops, size_t index);

/**
 * zwb_policy_select() - the policy that @text names.
 * @text: NAME[,KEY=VALUE]...; a NAME with a slash is a shared object (see policy_ops.h).
 * @policy: filled; to be released by zwb_policy_release().
 * Return: ZWB_OK; ZWB_EUSAGE for an unknown name or parameter, or a value out of range (the text
 * names what there is); ZWB_EENV when a shared object cannot be loaded; ZWB_EKIND when it is not a
 * policy or made for another version of the interface; ZWB_ENOMEM.
 */
int zwb_policy_select(const char *text, struct zwb_policy *policy, struct zwb_err *err);
void zwb_policy_release(struct zwb_policy *policy);

/** zwb_device_select() - likewise for a device model; there are no shared objects. */
int zwb_device_select(const char *text, struct zwb_device_model *device, struct zwb_err *err);
void zwb_device_release(struct zwb_device_model *device);

#endif
