/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that machine formats use for what a comparison says; they never change. */
#ifndef ZWB_NAMES_H
#define ZWB_NAMES_H

#include "compare.h"

const char *zwb_better_name(enum zwb_better better);
const char *zwb_center_name(enum zwb_center center);
const char *zwb_pairing_name(enum zwb_cmp_pairing pairing);
const char *zwb_verdict_name(enum zwb_cmp_verdict verdict);
const char *zwb_drift_name(enum zwb_cmp_drift drift);
/** zwb_interval_name() - the kind of interval, where there is one. */
const char *zwb_interval_name(const struct zwb_cmp_sure *sure);
/** zwb_test_name() - what p comes from, where there is one. */
const char *zwb_test_name(const struct zwb_cmp_sure *sure);
/** zwb_agrees_name() - of zwb_cmp_cell.published_agrees. */
const char *zwb_agrees_name(int agrees);

#endif
