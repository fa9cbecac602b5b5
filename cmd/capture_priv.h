/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a capture share. */
#ifndef ZWB_CAPTURE_PRIV_H
#define ZWB_CAPTURE_PRIV_H

#include "anon.h"
#include "buf.h"
#include "capture_child.h"
#include "capture_run.h"
#include "cgroup.h"
#include "flight.h"
#include "host.h"
#include "recorder_file.h"
#include "trigger.h"

#include <poll.h>
#include <signal.h>

/* Either file and recorder are used, or flight and what follows. */
struct capture {
	const char *command;
	const struct zwb_capture_args *args;
	struct zwb_capture_result *result;
	struct zwb_session *session;
	struct zwb_host *host;
	struct zwb_child child;
	sigset_t old_signals;
	int signal_fd;
	int is_over;
	struct zwb_cgroup cgroup; /* args->cgroup */
	uint64_t *cgroup_ids;
	size_t nr_cgroup_ids;

	struct zwb_anon anon; /* with args->anonymise */
	struct zwb_buf facts; /* of the capture, known from the start */

	struct zwb_recording file;
	struct zwb_recorder *recorder;

	struct zwb_flight *flight;
	struct pollfd *triggers; /* as args->triggers */
	struct zwb_trigger_gate gate;
};

/*
 * Give up for good what recording does not need: what is left is CAP_DAC_OVERRIDE. The command has
 * been forked before and keeps all. Return: ZWB_OK; ZWB_EENV.
 */
int capture_drop_privileges(struct zwb_err *err);

/* NULL: names are not hidden. */
const struct zwb_anon *capture_anon(const struct capture *c);

/* What it was asked for and what was refused, into c->facts. Return: ZWB_OK; ZWB_ENOMEM. */
int capture_facts_begin(struct capture *c, struct zwb_err *err);

/* What it did, into the file. Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM. */
int capture_facts_end(struct capture *c, struct zwb_err *err);

/* Return of the following: ZWB_OK; ZWB_EUSAGE; ZWB_EENV; ZWB_ENOMEM. */

/* Read the triggers and ask the kernel for them; before anything is changed there. */
int capture_flight_arm(struct capture *c, struct zwb_err *err);

int capture_flight_open(struct capture *c, struct zwb_err *err);

/* Save; a failure is reported and counted, and the recording goes on. */
void capture_flight_save(struct capture *c, const char *why);

/* After poll(). */
void capture_flight_check(struct capture *c);

void capture_flight_close(struct capture *c);

#endif
