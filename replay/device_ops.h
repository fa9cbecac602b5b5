/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of a device model. */
#ifndef ZWB_DEVICE_OPS_H
#define ZWB_DEVICE_OPS_H

#include "param.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A device model says when a request that is issued now will complete. Requests are issued in the
 * order of virtual time; the model keeps its queue in its private state. It knows nothing of
 * policies, cgroups or plugs.
 */

struct zwb_dev_rq {
	uint64_t sector;
	uint32_t nr_sectors;
	uint32_t nr_pages;
	int is_write;
};

struct zwb_device_ops {
	const char *name;
	const char *summary; /* one line */
	const struct zwb_param *params;
	size_t state_bytes;
	/*
	 * init: @state is zeroed; @params are values in the table's order, in range. The same seed
	 * gives the same noise.
	 */
	void (*init)(void *state, const int64_t *params, uint64_t seed);
	/* issue: returns the completion time, > @now_ns. @now_ns never goes back. */
	uint64_t (*issue)(void *state, uint64_t now_ns, const struct zwb_dev_rq *rq);
};

/* What is built in, by name, NULL at the end; made by the build from devices/. */
extern const struct zwb_device_ops *const zwb_device_table[];

#endif
