/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What "zwb doctor" found, and the forms it is printed in. */
#ifndef ZWB_DOCTOR_H
#define ZWB_DOCTOR_H

#include "kernel.h"
#include "machine.h"
#include "plan.h"

#include <stdio.h>

#define ZWB_DOCTOR_SCHEMA_VERSION 1

struct zwb_doctor {
	const struct zwb_kernel *kernel;
	struct zwb_plan plan;
	struct zwb_machine machine;
	enum zwb_level level;
	int show_definitions; /* text only; JSON has them always */
	struct zwb_err obstacle; /* why nothing at all can be recorded; status ZWB_OK: it can */
};

/** zwb_doctor_verdict() - "possible", "incomplete" or "impossible". */
const char *zwb_doctor_verdict(const struct zwb_doctor *doctor);

void zwb_doctor_text(FILE *out, const struct zwb_doctor *doctor);

/** zwb_doctor_json() - Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_doctor_json(FILE *out, const struct zwb_doctor *doctor, struct zwb_err *err);

#endif
