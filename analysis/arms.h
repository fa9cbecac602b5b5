/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two arms: what the difference between two policies is computed from. */
#ifndef ZWB_ARMS_H
#define ZWB_ARMS_H

#include <stddef.h>

/*
 * One value a recording (or measured run), all of them finite. Arms over the same recordings are
 * paired: base[i] and other[i] are of one recording, and what recordings have in common cancels.
 * docs/statistics.md says where each estimator comes from and how its choice was tested.
 */
struct zwb_arms {
	const double *base;
	size_t nr_base;
	const double *other;
	size_t nr_other; /* nr_base when paired */
	int paired;
};

/* What stands for an arm. */
enum zwb_center {
	ZWB_CENTER_MEAN,
	ZWB_CENTER_MEDIAN,
	ZWB_CENTER_TRIMMED, /* mean without the lowest and the highest fifth */
};

/* An interval of other / base; both NAN: there is none. */
struct zwb_interval {
	double low, high;
};

#define ZWB_CONFIDENCE 0.95

#endif
