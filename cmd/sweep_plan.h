/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a sweep: what is to be replayed with what, as a few lines of text. */
#ifndef ZWB_SWEEP_PLAN_H
#define ZWB_SWEEP_PLAN_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A line is a keyword and a value, the rest of the line:
 *
 *	trace  monday.h5
 *	policy sorted,max_pages={16,64},plug={none,walk}
 *	device linear,depth={1..4}
 *	seed   {1..5}
 *
 * Braces stand for one value after the other, as in a shell; a backslash takes the character behind
 * it as it is; "#" at the begin of a line or behind a blank begins a comment. All values of one
 * keyword together are an axis, in the order of the lines. The cells are the product of the axes:
 * every trace with every policy with every device and so on. An axis without a line has its
 * default.
 */

/* From what varies slowest to what varies fastest. X(symbol, keyword, default or NULL) */
#define ZWB_SWEEP_AXES(X)                                                                          \
	X(TRACE, "trace", NULL)                                                                    \
	X(TRIGGER, "trigger", "recorded")                                                          \
	X(LOOP, "loop", "open")                                                                    \
	X(DEVICE, "device", "linear")                                                              \
	X(POLICY, "policy", "{unbatched,batched,plugged}")                                         \
	X(SEED, "seed", "1")

enum zwb_sweep_axis {
#define ZWB_X(sym, keyword, def) ZWB_SWEEP_##sym,
	ZWB_SWEEP_AXES(ZWB_X)
#undef ZWB_X
		ZWB_SWEEP_NR
};

#define ZWB_SWEEP_MAX_BYTES  ((size_t)1 << 20) /* of a plan */
#define ZWB_SWEEP_MAX_TEXT   ((size_t)4096) /* of a value, as written */
#define ZWB_SWEEP_MAX_VALUES ((size_t)10000) /* of an axis */
#define ZWB_SWEEP_MAX_CELLS  ((size_t)100000)

struct zwb_sweep_value {
	char *text;
	unsigned int line; /* of the plan; 0: a default */
};

struct zwb_sweep_plan {
	struct {
		struct zwb_sweep_value *values;
		size_t nr_values;
	} axes[ZWB_SWEEP_NR];
	size_t nr_cells;
};

/**
 * zwb_sweep_plan_read() - read a plan; what its values mean is not looked at.
 * @in: borrowed; read to its end.
 * @name: of the file, for messages.
 * @plan: filled; to be released with zwb_sweep_plan_release(), also after a failure.
 * Return: ZWB_OK; ZWB_EUSAGE with the line that is wrong, also for a value that is there twice and
 * for more than the limits above; ZWB_EENV when reading fails; ZWB_ENOMEM.
 */
int zwb_sweep_plan_read(
	FILE *in, const char *name, struct zwb_sweep_plan *plan, struct zwb_err *err);
void zwb_sweep_plan_release(struct zwb_sweep_plan *plan);

/** zwb_sweep_plan_print() - the plan without comments and braces; equal for equal sweeps. */
void zwb_sweep_plan_print(FILE *out, const struct zwb_sweep_plan *plan);

/** zwb_sweep_plan_cell() - the index on each axis of cell @cell, which is below nr_cells. */
void zwb_sweep_plan_cell(
	const struct zwb_sweep_plan *plan, size_t cell, size_t index[ZWB_SWEEP_NR]);

/** zwb_sweep_plan_number() - the other way round. */
size_t zwb_sweep_plan_number(const struct zwb_sweep_plan *plan, const size_t index[ZWB_SWEEP_NR]);

/** zwb_sweep_keyword() - the word that begins the lines of @axis. */
const char *zwb_sweep_keyword(enum zwb_sweep_axis axis);

#endif
