/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of the machine formats. */
#include "names.h"

const char *zwb_better_name(enum zwb_better better)
{
	static const char *const names[] = { "lower", "neither", "higher" };

	return names[better];
}

const char *zwb_center_name(enum zwb_center center)
{
	static const char *const names[] = { "mean", "median", "trimmed" };

	return names[center];
}

const char *zwb_pairing_name(enum zwb_cmp_pairing pairing)
{
	static const char *const names[] = { "none", "paired", "unpaired" };

	return names[pairing];
}

const char *zwb_verdict_name(enum zwb_cmp_verdict verdict)
{
	static const char *const names[] = { "none", "same", "not_shown", "hinted", "shown" };

	return names[verdict];
}

const char *zwb_drift_name(enum zwb_cmp_drift drift)
{
	static const char *const names[] = { "none", "recordings", "seeds" };

	return names[drift];
}

const char *zwb_interval_name(const struct zwb_cmp_sure *sure)
{
	return sure->is_bootstrap ? "bca" : "fieller";
}

const char *zwb_test_name(const struct zwb_cmp_sure *sure)
{
	if (sure->is_permutation)
		return "permutation";
	return sure->pairing == ZWB_PAIRED ? "paired_t" : "welch";
}

const char *zwb_agrees_name(int agrees)
{
	return agrees > 0 ? "to_the_digit" : agrees == 0 ? "within_rounding" : "no";
}
