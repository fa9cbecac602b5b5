/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a session share. */
#ifndef ZWB_SESSION_PRIV_H
#define ZWB_SESSION_PRIV_H

#include "session.h"

#include <tracefs.h>

struct session_event {
	char *system;
	char *event;
};

struct zwb_session {
	struct tracefs_instance *instance;
	int lock_fd;
	int on_fd; /* tracing_on */
	int *fds; /* trace_pipe_raw by CPU */
	uint32_t nr_cpus;
	uint32_t page_bytes;
	uint16_t print_id;
	struct session_event *events; /* enabled */
	size_t nr_events;
	struct zwb_refusal *refusals;
	size_t nr_refusals;
};

/* Make the probes and enable all events of @plan. Refused ones are noted. */
int session_add_events(struct zwb_session *s, const struct zwb_plan *plan, struct zwb_err *err);
void session_free_events(struct zwb_session *s);

#endif
