/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One capture, from the first probe to the whole file. */
#ifndef ZWB_CAPTURE_RUN_H
#define ZWB_CAPTURE_RUN_H

#include "err.h"
#include "marker.h"
#include "options.h"
#include "plan.h"
#include "recorder.h"
#include "session.h"

#include <signal.h>
#include <stdint.h>

struct zwb_capture_result;

/* Somebody who wants to know what a capture costs. */
struct zwb_capture_watch {
	void *arg;
	int (*work)(void *arg); /* what is recorded when there is no command; NULL: as always */
	const sigset_t *signals; /* that the command is to have blocked */
	/* Right before the command may run, and right after it has ended. */
	int (*begin)(void *arg, struct zwb_err *err);
	int (*end)(void *arg, struct zwb_err *err);
	/* Facts for the end of the file, whose size @result does not know yet. */
	int (*put_facts)(void *arg, const struct zwb_capture_result *result,
		struct zwb_markers *markers, struct zwb_err *err);
};

struct zwb_capture_args {
	const char *output;
	int force, quiet, clean, measure;
	int anonymise;
	const char *secret; /* file with the phrase that names are hidden by; NULL: at random */
	uint64_t nr_pairs; /* of runs, to measure; 0: as many as usual */
	int level; /* enum zwb_level */
	uint64_t duration_ns; /* 0: until a signal or the end of the command */
	uint64_t interval_ns; /* of counters */
	uint64_t buffer_bytes; /* of one CPU; 0: by level and memory */
	const char *cgroup; /* NULL: all */
	uint64_t pid; /* 0: all */
	uint64_t flight_bytes; /* of one CPU's ring; 0: record all the time */
	struct zwb_strings triggers;
	uint64_t cool_down_ns; /* quiet time after which a trigger saves again */
	uint64_t max_saves; /* 0: no end */
	const struct zwb_capture_watch *watch; /* NULL: nobody; not with a flight recorder */
};

/* What came of it. */
struct zwb_capture_result {
	struct zwb_session_totals totals;
	struct zwb_recorder_stats recorder;
	uint64_t page_bytes;
	uint64_t buffer_bytes; /* of one CPU */
	uint64_t elapsed_ns;
	uint64_t file_bytes;
	uint64_t nr_erased; /* events that --anonymise did not understand */
	uint64_t nr_saves, nr_failed_saves; /* of the flight recorder */
	int has_command;
	int command_has_ended;
	int command_status; /* as of waitpid() */
	uint64_t command_cpu_ns; /* that it took */
};

/**
 * zwb_capture_run() - record.
 * @command: argv[0], for messages.
 * @argv: the command to record, ends with NULL; argv[0] NULL: none.
 * @result: filled, as far as it came.
 * Return: ZWB_OK; ZWB_EUSAGE; ZWB_EENV; ZWB_ENOMEM. Whatever happens, the kernel is left as it was.
 */
int zwb_capture_run(const char *command, const struct zwb_capture_args *args, char *const *argv,
	struct zwb_capture_result *result, struct zwb_err *err);

/** zwb_capture_print() - a summary on stderr, and warnings about losses. */
void zwb_capture_print(const char *command, const struct zwb_capture_args *args,
	const struct zwb_capture_result *result);

#endif
