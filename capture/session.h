/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's side of a capture: its events, and the buffers that they are recorded into. */
#ifndef ZWB_SESSION_H
#define ZWB_SESSION_H

#include "datwriter.h"
#include "err.h"
#include "plan.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A session makes the probes of a plan, and an instance of the tracer of its own with a ring buffer
 * a CPU, in which the probes and tracepoints of the plan are enabled. Nothing of the rest of
 * tracefs is changed, and closing the session removes everything again. It begins switched off.
 */
struct zwb_session;

struct zwb_session_config {
	const struct zwb_plan *plan; /* borrowed for the call */
	uint64_t buffer_bytes; /* of one CPU's ring buffer */
	uint64_t pid; /* record this process and what it forks only; 0: all */
};

/* A definition or a filter that the kernel would not take. */
struct zwb_refusal {
	char *event; /* "zwb/zstore" */
	char *why; /* what the kernel said */
	int is_replaced; /* another definition of the same event was taken */
};

/**
 * zwb_session_open() - set everything up. What an earlier capture has left behind is removed first.
 * @session: set; closed by the caller.
 * Return: ZWB_OK, also when some events were refused; ZWB_EENV when another capture runs, none of
 * the events can be recorded, or there is no memory for the buffers; ZWB_EUSAGE when there is no
 * process config->pid; ZWB_ENOMEM. After a failure everything is as it was.
 */
int zwb_session_open(
	struct zwb_session **session, const struct zwb_session_config *config, struct zwb_err *err);

/** zwb_session_switch() - record, or stop recording. Return: ZWB_OK; ZWB_EENV. */
int zwb_session_switch(struct zwb_session *s, int is_on, struct zwb_err *err);

/**
 * zwb_session_close() - stop and remove everything; frees @s, also on failure. NULL allowed.
 * Return: ZWB_OK; ZWB_EENV when something could not be removed.
 */
int zwb_session_close(struct zwb_session *s, struct zwb_err *err);

/** zwb_session_nr_cpus() - ring buffers, those of CPUs that are offline included. */
uint32_t zwb_session_nr_cpus(const struct zwb_session *s);

/** zwb_session_page_bytes() - of the ring buffers. */
uint32_t zwb_session_page_bytes(const struct zwb_session *s);

/** zwb_session_fds() - for reading whole pages, by CPU; -1: none. Reading does not wait. */
const int *zwb_session_fds(const struct zwb_session *s);

/** zwb_session_nr_events() - events that are being recorded. */
size_t zwb_session_nr_events(const struct zwb_session *s);

/** zwb_session_refusals() - @nr of them, valid until close(). */
const struct zwb_refusal *zwb_session_refusals(const struct zwb_session *s, size_t *nr);

/* What became of the events of one CPU's ring buffer since the session was opened. */
struct zwb_cpu_stats {
	uint64_t nr_read;
	uint64_t nr_lost; /* overwritten before they were read, or not written */
};

/**
 * zwb_session_stats() - of one CPU.
 * @text: when not NULL, set to the kernel's own text, which the caller frees.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_session_stats(const struct zwb_session *s, uint32_t cpu, struct zwb_cpu_stats *stats,
	char **text, struct zwb_err *err);

/* The same of all CPUs together. */
struct zwb_session_totals {
	uint64_t nr_read, nr_lost;
	uint64_t max_lost; /* by one CPU */
	uint32_t max_lost_cpu;
};

/** zwb_session_totals() - Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM. */
int zwb_session_totals(
	const struct zwb_session *s, struct zwb_session_totals *totals, struct zwb_err *err);

/** zwb_cpu_stats_parse() - out of the text of a stats file; what is not there is 0. */
void zwb_cpu_stats_parse(const char *text, struct zwb_cpu_stats *stats);

/** zwb_session_print_id() - the number of the event ftrace/print. */
uint16_t zwb_session_print_id(const struct zwb_session *s);

/**
 * zwb_session_describe() - put what the pages mean into a file: the formats of the events and of
 * ftrace/print, the page header, the machine.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_session_describe(const struct zwb_session *s, struct zwb_datwriter *w, struct zwb_err *err);

/**
 * zwb_session_describe_end() - put what is known at the end only into a file: names of tasks, and
 * @has_all, when the file is all that was recorded, the statistics of the CPUs.
 * Return: as zwb_session_describe().
 */
int zwb_session_describe_end(
	const struct zwb_session *s, struct zwb_datwriter *w, int has_all, struct zwb_err *err);

#endif
