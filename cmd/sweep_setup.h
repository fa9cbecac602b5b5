/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan with all of its names looked up, and what its arms are called in run files. */
#ifndef ZWB_SWEEP_SETUP_H
#define ZWB_SWEEP_SETUP_H

#include "engine.h"
#include "err.h"
#include "run.h"
#include "sweep_plan.h"

#include <stddef.h>
#include <stdint.h>

/* What a run file has in the place of a value of the plan. */
struct zwb_sweep_key {
	const char *text;
	size_t index; /* on the axis */
};

struct zwb_sweep_setup {
	struct zwb_sweep_plan plan;
	char **paths; /* of the traces; relative ones begin at the folder of the plan */
	struct zwb_policy *policies;
	struct zwb_device_model *devices;
	uint64_t *seeds;
	char **seed_texts;
	struct zwb_sweep_key *keys[ZWB_SWEEP_NR]; /* sorted by text */
	char *command; /* what runs of this sweep say they are the result of */
};

/**
 * zwb_sweep_setup_open() - read a plan and look its names up.
 * @path: of the plan.
 * @options: those that change the result, as text; part of the command.
 * @setup: filled; to be released also after a failure.
 * Return: ZWB_OK; ZWB_EUSAGE, with the line; ZWB_EENV when the plan or one of its traces cannot be
 * read; what the selection of policies and devices returns.
 */
int zwb_sweep_setup_open(
	const char *path, const char *options, struct zwb_sweep_setup *setup, struct zwb_err *err);
void zwb_sweep_setup_release(struct zwb_sweep_setup *setup);

/** zwb_sweep_setup_lane() - how cell @cell is to be replayed. */
struct zwb_replay_lane zwb_sweep_setup_lane(const struct zwb_sweep_setup *setup, size_t cell);

/**
 * zwb_sweep_setup_find() - the cell that an arm is of.
 * @trace: that of the arm.
 * Return: 1 and *@cell, or 0 if the plan has no such cell.
 */
int zwb_sweep_setup_find(const struct zwb_sweep_setup *setup, const struct zwb_run_trace *trace,
	const struct zwb_run_arm_info *info, size_t *cell);

#endif
