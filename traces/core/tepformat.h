/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of an event, by libtraceevent. */
#ifndef ZWB_TEPFORMAT_H
#define ZWB_TEPFORMAT_H

#include "err.h"

#include <event-parse.h>

/**
 * zwb_tepformat_parse() - parse an event's "format" file, its fields alone: print formats are C
 * expressions that nothing here needs, and parsing them is where libtraceevent takes its time and
 * where damaged text hurts it.
 * @tep: gets the event.
 * @system: its group.
 * @event: set; lives as long as @tep.
 * Return: ZWB_OK; ZWB_EDATA, without a file name in @err; ZWB_ENOMEM.
 */
int zwb_tepformat_parse(struct tep_handle *tep, const char *system, const char *text,
	const struct tep_event **event, struct zwb_err *err);

#endif
