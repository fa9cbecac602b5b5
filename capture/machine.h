/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether this machine, as it is set up now, has anything to record, and what it will be worth. */
#ifndef ZWB_MACHINE_H
#define ZWB_MACHINE_H

#include "buf.h"
#include "err.h"

#include <stddef.h>

/* Only files are read, nothing is changed. */

enum zwb_check_state {
	ZWB_CHECK_GOOD,
	ZWB_CHECK_NOTE, /* something will be missing or less sure */
	ZWB_CHECK_WARNING, /* as it is, there is nothing to record */
	ZWB_CHECK_BAD, /* the kernel will refuse to record */
};

struct zwb_check {
	const char *name; /* "zswap" */
	struct zwb_buf value; /* what was found; NUL-terminated */
	enum zwb_check_state state;
	const char *advice; /* what it means and what to do; NULL when good */
};

struct zwb_machine {
	struct zwb_check *checks;
	size_t nr_checks;
};

/**
 * zwb_machine_look() - look at the machine.
 * @root:    in front of every path but tracefs': "" is the machine itself.
 * @tracing: where tracefs is; NULL: not known, what depends on it is left out.
 * @machine: filled; released by the caller, also after a failure.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_machine_look(
	const char *root, const char *tracing, struct zwb_machine *machine, struct zwb_err *err);

void zwb_machine_release(struct zwb_machine *machine);

/** zwb_machine_worst() - the worst state of all checks. */
enum zwb_check_state zwb_machine_worst(const struct zwb_machine *machine);

/** zwb_check_state_name() - "good", "note", "warning", "bad". */
const char *zwb_check_state_name(enum zwb_check_state state);

#endif
