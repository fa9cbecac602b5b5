/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of swap IO since boot, as the kernel counts them whether it is traced or not. */
#ifndef ZWB_HOST_TOTALS_H
#define ZWB_HOST_TOTALS_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct zwb_host;

enum zwb_total {
	/* Pages that zswap wrote back: vmstat zswpwb, before 6.8 debugfs zswap. */
	ZWB_TOTAL_WRITTEN_BACK,
	/* Pages written to swap devices, those included: vmstat pswpout. */
	ZWB_TOTAL_SWAPPED_OUT,
	/* Objects that shrinkers looked at, zswap's among them: vmstat slabs_scanned. */
	ZWB_TOTAL_SCANNED,
	/*
	 * Write bios of all cgroups but the root, for the disks of swap areas: io.stat of those
	 * that are directly below the root. The root's own io.stat counts requests.
	 */
	ZWB_TOTAL_WRITE_BIOS,
	/* Write requests done by the devices that swap areas are on: diskstats. */
	ZWB_TOTAL_WRITE_REQUESTS,
	ZWB_TOTAL_NR
};

struct zwb_totals {
	uint64_t count[ZWB_TOTAL_NR];
	bool is_known[ZWB_TOTAL_NR];
};

/**
 * zwb_host_totals() - read them.
 * @host: swap areas that were there when it was opened count.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_host_totals(const struct zwb_host *host, struct zwb_totals *totals, struct zwb_err *err);

/** zwb_totals_rise() - make @to, read later than @from, what was added between them. */
void zwb_totals_rise(struct zwb_totals *to, const struct zwb_totals *from);

#endif
