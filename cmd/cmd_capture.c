/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb capture: records a running machine. */
#include "capture_overhead.h"
#include "capture_run.h"
#include "cmd.h"
#include "common.h"
#include "load.h"
#include "session_clean.h"

#include <stdio.h>
#include <unistd.h>

#define NS_PER_MS 1000000ull
#define NS_PER_S  1000000000ull

#define LOAD_NS	  (5 * NS_PER_S) /* of a run of the built-in load */
#define PAIRS	  5
#define MAX_PAIRS 1000

static const char *const level_names[] = { "minimal", "standard", "full", NULL };

static const struct zwb_option options[] = {
	ZWB_OPTION("output", 'o', "FILE", "write the recording to FILE (trace.dat)", string,
		struct zwb_capture_args, output),
	ZWB_OPTION("force", 'f', NULL, "replace FILE, and what is left of it as FILE.partial", flag,
		struct zwb_capture_args, force),
	ZWB_OPTION("quiet", 'q', NULL, "print warnings and errors only", flag,
		struct zwb_capture_args, quiet),
	ZWB_OPTION("events", 0, "LEVEL", "how much to record (standard)", choice,
		struct zwb_capture_args, level, .choices = level_names),
	ZWB_OPTION("duration", 'd', "SECONDS", "end the recording after SECONDS", seconds,
		struct zwb_capture_args, duration_ns, .min = NS_PER_MS, .max = UINT64_MAX / 2),
	ZWB_OPTION("cgroup", 0, "PATH", "leave out stores and loads of other cgroups", string,
		struct zwb_capture_args, cgroup),
	ZWB_OPTION("pid", 0, "PID", "record what this process, and those it forks, do themselves",
		u64, struct zwb_capture_args, pid, .min = 1, .max = INT32_MAX),
	ZWB_OPTION("buffer", 0, "SIZE", "ring buffer of each CPU (by LEVEL and memory)", bytes,
		struct zwb_capture_args, buffer_bytes, .min = 64 << 10, .max = 64ull << 30),
	ZWB_OPTION("interval", 0, "SECONDS", "time between two samples of the counters (1)",
		seconds, struct zwb_capture_args, interval_ns, .min = 100 * NS_PER_MS,
		.max = UINT64_MAX / 2),
	ZWB_OPTION("flight-recorder", 0, "SIZE",
		"keep the last events only, SIZE for each CPU, and save them when asked to", bytes,
		struct zwb_capture_args, flight_bytes, .min = 64 << 10, .max = 64ull << 30),
	ZWB_OPTION("trigger", 0, "CONDITION",
		"save on pressure: \"memory.full>10% for 2s\"; may be given again", strings,
		struct zwb_capture_args, triggers),
	ZWB_OPTION("cool-down", 0, "SECONDS",
		"save again only when no trigger was met for so long (30)", seconds,
		struct zwb_capture_args, cool_down_ns, .max = UINT64_MAX / 2),
	ZWB_OPTION("max-saves", 0, "N", "end after N saves", u64, struct zwb_capture_args,
		max_saves, .min = 1, .max = UINT32_MAX),
	ZWB_OPTION("anonymise", 0, NULL,
		"hide names of commands, cgroups, files and the host, and addresses", flag,
		struct zwb_capture_args, anonymise),
	ZWB_OPTION("secret", 0, "FILE",
		"make --anonymise give the same names for all recordings with the phrase in FILE",
		string, struct zwb_capture_args, secret),
	ZWB_OPTION("measure-overhead", 0, NULL,
		"run COMMAND, or a load of swapping, in turns without and with capture", flag,
		struct zwb_capture_args, measure),
	ZWB_OPTION("runs", 0, "N", "of each kind, to measure the overhead (5)", u64,
		struct zwb_capture_args, nr_pairs, .min = 2, .max = MAX_PAIRS),
	ZWB_OPTION("clean", 0, NULL,
		"remove what a killed capture left in the kernel; no recording", flag,
		struct zwb_capture_args, clean),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "[OPTION...] [-- COMMAND [ARGUMENT...]]",
	.text = "Records what zswap and the block layer of this machine do, until COMMAND ends, a\n"
		"time is over or SIGINT. Needs root. Leaves the system as it was.\n",
	.options = options,
	.min_operands = 0,
	.max_operands = -1,
};

static int clean(const char *command, const struct zwb_capture_args *args)
{
	struct zwb_leftovers removed = { 0 };
	struct zwb_err err = { 0 };
	size_t nr_cgroups;
	int fd;
	int ret = zwb_session_lock(&fd, &err);

	if (!ret) {
		ret = zwb_session_clean(&removed, &err);
		close(fd);
	}
	if (!ret)
		ret = zwb_load_clean("", &nr_cgroups, &err);
	if (ret)
		return zwb_print_error(command, &err);
	if (!args->quiet)
		fprintf(stderr, "%s: removed %zu events, %zu buffer instances and %zu cgroups\n",
			command, removed.nr_events, removed.nr_instances, nr_cgroups);
	return ZWB_EXIT_OK;
}

/* As check(). */
static int check_measure(const char *command, const struct zwb_capture_args *args, int nr_operands)
{
	if (!args->measure && args->nr_pairs)
		return zwb_usage_error(command, "--runs needs --measure-overhead");
	if (args->measure && (args->clean || args->flight_bytes || args->pid))
		return zwb_usage_error(command, "--measure-overhead goes with neither --clean nor "
						"--flight-recorder nor --pid");
	if (args->measure && nr_operands && args->duration_ns)
		return zwb_usage_error(command, "--measure-overhead waits for COMMAND to end; "
						"--duration is for the load that "
						"runs without one");
	return ZWB_OPTIONS_RUN;
}

/* Return: ZWB_OPTIONS_RUN, or the exit code of a usage error. */
static int check(const char *command, const struct zwb_capture_args *args, int nr_operands)
{
	if (args->clean && nr_operands)
		return zwb_usage_error(command, "--clean records nothing; no command, please");
	if (args->flight_bytes && args->buffer_bytes)
		return zwb_usage_error(
			command, "the buffer of a flight recorder is the SIZE given to it");
	if (!args->flight_bytes && args->triggers.nr)
		return zwb_usage_error(command, "--trigger needs --flight-recorder");
	if (!args->flight_bytes && args->max_saves)
		return zwb_usage_error(command, "--max-saves needs --flight-recorder");
	if (args->secret && !args->anonymise)
		return zwb_usage_error(command, "--secret goes with --anonymise");
	return check_measure(command, args, nr_operands);
}

static int run(const char *command, const struct zwb_capture_args *args, char *const *argv)
{
	struct zwb_capture_result result;
	struct zwb_err err = { 0 };

	if (zwb_capture_run(command, args, argv, &result, &err))
		return zwb_print_error(command, &err);
	zwb_capture_print(command, args, &result);
	return result.nr_failed_saves ? ZWB_EXIT_ENV : ZWB_EXIT_OK;
}

static int measure(const char *command, struct zwb_capture_args *args, char *const *argv)
{
	struct zwb_err err = { 0 };

	if (!args->nr_pairs)
		args->nr_pairs = PAIRS;
	if (!argv[0] && !args->duration_ns)
		args->duration_ns = LOAD_NS;
	if (zwb_capture_overhead(command, args, argv, (size_t)args->nr_pairs, &err))
		return zwb_print_error(command, &err);
	return ZWB_EXIT_OK;
}

int zwb_cmd_capture(int argc, char **argv)
{
	struct zwb_capture_args args = {
		.output = "trace.dat",
		.level = ZWB_LEVEL_STANDARD,
		.interval_ns = NS_PER_S,
		.cool_down_ns = 30 * NS_PER_S,
	};
	struct zwb_operands operands;
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);

	if (ret == ZWB_OPTIONS_RUN)
		ret = check(argv[0], &args, operands.nr);
	if (ret == ZWB_OPTIONS_RUN && args.measure)
		ret = measure(argv[0], &args, operands.items);
	else if (ret == ZWB_OPTIONS_RUN)
		ret = args.clean ? clean(argv[0], &args) : run(argv[0], &args, operands.items);
	zwb_strings_release(&args.triggers);
	return ret;
}
