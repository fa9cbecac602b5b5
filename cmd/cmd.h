/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands, one cmd_NAME.c each. */
#ifndef ZWB_CMD_H
#define ZWB_CMD_H

/* argv[0] is "zwb NAME"; the return value is the process exit code (enum zwb_exit_code). */
struct zwb_cmd {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary; /* one line for "zwb --help" */
};

/*
 * X(name, summary); adding a command is a row here and a cmd/cmd_NAME.c with zwb_cmd_NAME(). The
 * first ones need neither the store nor the engine, and are all that a ZWB_CAPTURE_ONLY build has.
 */
#define ZWB_CAPTURE_COMMANDS(X)                                                                    \
	X(doctor, "what can be recorded here, and how")                                            \
	X(capture, "record a running machine")

#ifdef ZWB_CAPTURE_ONLY
#define ZWB_COMMANDS(X) ZWB_CAPTURE_COMMANDS(X)
#else
#define ZWB_COMMANDS(X)                                                                            \
	ZWB_CAPTURE_COMMANDS(X)                                                                    \
	X(import, "turn recordings into a store")                                                  \
	X(info, "what is in a recording, a store or a run file")                                   \
	X(replay, "replay recordings through writeback policies")                                  \
	X(validate, "compare a replay of the captured policy with the recording")                  \
	X(sweep, "replay every cell of a plan: traces, policies, devices, seeds")                  \
	X(report, "compare the policies of run files")                                             \
	X(policies, "list the writeback policies")                                                 \
	X(devices, "list the device models")                                                       \
	X(synth, "write a synthetic recording")
#endif

#define ZWB_X(name, summary) int zwb_cmd_##name(int argc, char **argv);
ZWB_COMMANDS(ZWB_X)
#undef ZWB_X

#endif
