/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands that read recordings share: opening them, and the captured policy. */
#ifndef ZWB_INPUT_H
#define ZWB_INPUT_H

#include "captured.h"
#include "err.h"
#include "options.h"
#include "stream.h"

/* How recordings are to be read; the options of the same names. */
struct zwb_input {
	const char *facts; /* NULL: found beside the recording */
	const char *event_map; /* NULL: chosen by what the recording contains */
	const char *captured_policy; /* NULL: inferred */
};

/*
 * Rows of an option table for a struct zwb_input that is @member of @args. NOLINTBEGIN: neither can
 * be in parentheses.
 */
#define ZWB_INPUT_OPTIONS(args, member)                                                            \
	ZWB_OPTION("captured-policy", 0, "POLICY",                                                 \
		"policy of the recorded kernel; inferred by default", string, args,                \
		member.captured_policy),                                                           \
		ZWB_OPTION("facts", 0, "PATH",                                                     \
			"host facts: a folder or a counters file; found beside TRACE by default",  \
			string, args, member.facts),                                               \
		ZWB_OPTION("event-map", 0, "FILE", "what the recorded events are called", string,  \
			args, member.event_map)
/* NOLINTEND */

/** zwb_input_open() - a recording or store, with its facts. */
int zwb_input_open(const struct zwb_input *input, const char *path, struct zwb_stream **stream,
	struct zwb_err *err);

/**
 * zwb_input_captured() - which policy the recorded kernel ran: what the user says, else inferred by
 * a first look at the recording.
 */
int zwb_input_captured(const struct zwb_input *input, const char *path,
	struct zwb_captured *captured, struct zwb_err *err);

/** zwb_input_describe_captured() - one line: the policy and how it is known. */
void zwb_input_describe_captured(const struct zwb_captured *captured, char *text, size_t size);

#endif
