/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the system's clocks. */
#ifndef ZWB_CLOCK_H
#define ZWB_CLOCK_H

#include <stdint.h>
#include <time.h>

/** zwb_clock_ns() - now, by @clock. CLOCK_MONOTONIC is the clock of our recordings. */
static inline uint64_t zwb_clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

#endif
