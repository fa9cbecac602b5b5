/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that define one dynamic event, best first. */
#ifndef ZWB_DEFINE_H
#define ZWB_DEFINE_H

#include "fetch.h"
#include "plan.h"

/* An event to define. */
struct zwb_define {
	const char *event; /* "zcb"; that of a return ends in "_ret" on its own */
	const char *function;
	const char *fields; /* see want.h */
	const char *more_fields; /* likewise, behind them; NULL: none */
	bool at_return;
};

/**
 * zwb_define_make() - build the definitions of one event.
 * @proto:  of the function.
 * @probe:  all zeros; filled; released by the caller, also after a failure.
 * @finding: gets its method, that of the first definition, unless it has one, and the fields that
 *           cannot be had.
 * Return: ZWB_OK; ZWB_EKIND when a field is missing without which the event is of no use;
 * ZWB_ENOMEM.
 */
int zwb_define_make(const struct zwb_kernel *kernel, struct zwb_type proto,
	const struct zwb_define *define, struct zwb_probe *probe, struct zwb_finding *finding,
	struct zwb_err *err);

/**
 * zwb_define_lack() - note that something cannot be had.
 * @lack: copied, but for its costs.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_define_lack(struct zwb_finding *finding, const struct zwb_lack *lack, struct zwb_err *err);

#endif
