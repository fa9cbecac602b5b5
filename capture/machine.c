/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether this machine, as it is set up now, has anything to record. */
#include "machine.h"

#include "grow.h"
#include "hostfile.h"
#include "readfile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_LOW_MEMORY_KIB 65536ull

struct machine_place {
	const char *root;
	const char *tracing; /* NULL: not known */
};

/*
 * Looks at one thing and fills @check in. Return: false when there is nothing to be said about it.
 */
typedef bool (*machine_fn)(const struct machine_place *place, struct zwb_check *check);

static bool machine_read(
	const struct machine_place *place, const char *path, char value[HOSTFILE_LINE])
{
	char full[HOSTFILE_PATH];

	return hostfile_path(full, place->root, "%s", path) && hostfile_value(full, value);
}

static bool machine_read_tracing(
	const struct machine_place *place, const char *name, char value[HOSTFILE_LINE])
{
	char full[HOSTFILE_PATH];

	return place->tracing && hostfile_path(full, place->tracing, "/%s", name) &&
	       hostfile_value(full, value);
}

static bool machine_is_on(const char *value)
{
	return value[0] == 'Y' || value[0] == 'y' || value[0] == '1';
}

static void machine_say(struct zwb_check *check, enum zwb_check_state state, const char *advice)
{
	check->state = state;
	check->advice = advice;
}

/* The word in brackets: "none" of "[none] mq-deadline". */
static void machine_chosen(const char *value, struct zwb_buf *out)
{
	const char *begin = strchr(value, '[');
	size_t len;

	begin = begin ? begin + 1 : value;
	len = strcspn(begin, "] ");
	zwb_buf_add(out, begin, len);
}

/* ---- zswap and swap ---- */

static bool check_zswap(const struct machine_place *place, struct zwb_check *check)
{
	static const char *const names[] = { "compressor", "zpool", "max_pool_percent",
		"accept_threshold_percent", "shrinker_enabled" };
	char value[HOSTFILE_LINE], path[HOSTFILE_PATH];

	if (!machine_read(place, "/sys/module/zswap/parameters/enabled", value)) {
		zwb_buf_addf(&check->value, "not there");
		machine_say(check, ZWB_CHECK_WARNING,
			"this kernel has no zswap: there is nothing to record");
		return true;
	}
	zwb_buf_addf(&check->value, "enabled %s", value);
	if (!machine_is_on(value))
		machine_say(check, ZWB_CHECK_WARNING,
			"zswap is off, nothing is stored in it: echo Y > "
			"/sys/module/zswap/parameters/enabled");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/sys/module/zswap/parameters/%s", names[i]);
		if (machine_read(place, path, value))
			zwb_buf_addf(&check->value, ", %s %s", names[i], value);
	}
	return true;
}

static bool check_shrinker(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (!machine_read(place, "/sys/module/zswap/parameters/shrinker_enabled", value) ||
		machine_is_on(value))
		return false;
	zwb_buf_addf(&check->value, "off");
	machine_say(check, ZWB_CHECK_NOTE,
		"pages are written back only when the pool or a zswap.max is full");
	return true;
}

/* The lines of /proc/swaps, which hostfile_value() has joined by "; ", but the first. */
static bool machine_next_swap(char **rest, char path[HOSTFILE_PATH])
{
	char *line;

	while ((line = strsep(rest, ";"))) {
		line += strspn(line, " ");
		if (line[0] == '/') {
			snprintf(path, HOSTFILE_PATH, "%.*s", (int)strcspn(line, " \t"), line);
			return true;
		}
	}
	return false;
}

static bool check_swap(const struct machine_place *place, struct zwb_check *check)
{
	char swaps[HOSTFILE_LINE], path[HOSTFILE_PATH];
	char *rest = swaps;
	size_t nr = 0;

	if (!machine_read(place, "/proc/swaps", swaps))
		swaps[0] = '\0';
	for (; machine_next_swap(&rest, path); nr++)
		zwb_buf_addf(&check->value, "%s%s", nr ? ", " : "", path);
	if (nr)
		return true;
	zwb_buf_addf(&check->value, "none");
	machine_say(check, ZWB_CHECK_WARNING,
		"there is no swap area: nothing is swapped, and zswap stores nothing");
	return true;
}

static bool check_scheduler(const struct machine_place *place, struct zwb_check *check)
{
	char swaps[HOSTFILE_LINE], path[HOSTFILE_PATH], value[HOSTFILE_LINE];
	char queue[2 * HOSTFILE_PATH];
	char *rest = swaps;

	if (!machine_read(place, "/proc/swaps", swaps))
		return false;
	while (machine_next_swap(&rest, path)) {
		/* Of the disk that a partition is on; a swap file has neither. */
		snprintf(queue, sizeof(queue), "/sys/class/block/%s/queue/scheduler",
			strrchr(path, '/') + 1);
		if (!machine_read(place, queue, value)) {
			snprintf(queue, sizeof(queue), "/sys/class/block/%s/../queue/scheduler",
				strrchr(path, '/') + 1);
			if (!machine_read(place, queue, value))
				continue;
		}
		machine_chosen(value, &check->value);
		zwb_buf_addf(&check->value, " for %s", path);
		if (!strstr(value, "[none]"))
			machine_say(check, ZWB_CHECK_NOTE,
				"requests of a replay fall from class E to M: merges by an IO "
				"scheduler are not modelled");
		return true;
	}
	return false;
}

/* ---- what else is recorded ---- */

static bool check_iocost(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (!machine_read(place, "/sys/module/blk_cgroup/parameters/blkcg_debug_stats", value))
		return false;
	zwb_buf_addf(&check->value, "%s", machine_is_on(value) ? "on" : "off");
	if (!machine_is_on(value))
		machine_say(check, ZWB_CHECK_NOTE,
			"io.stat lacks cost.wait, cost.indebt and cost.indelay: echo Y > "
			"/sys/module/blk_cgroup/parameters/blkcg_debug_stats");
	return true;
}

static bool check_cgroups(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (machine_read(place, "/sys/fs/cgroup/cgroup.controllers", value)) {
		zwb_buf_addf(&check->value, "%s", value);
		return true;
	}
	zwb_buf_addf(&check->value, "no unified hierarchy");
	machine_say(check, ZWB_CHECK_NOTE,
		"cgroups are known by number only, and their counters are missing");
	return true;
}

static bool check_pressure(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (machine_read(place, "/proc/pressure/memory", value)) {
		zwb_buf_addf(&check->value, "measured");
		return true;
	}
	zwb_buf_addf(&check->value, "not measured");
	machine_say(check, ZWB_CHECK_NOTE,
		"pressure is missing from the counters, and cannot trigger a capture: boot with "
		"psi=1");
	return true;
}

static bool check_memory(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];
	unsigned long long kib;
	char *at, *end;

	if (!machine_read(place, "/proc/meminfo", value))
		return false;
	at = strstr(value, "MemAvailable:");
	if (!at)
		return false;
	at += strlen("MemAvailable:");
	kib = strtoull(at, &end, 10);
	if (end == at)
		return false;
	zwb_buf_addf(&check->value, "%llu MiB available", kib / 1024);
	if (kib < MACHINE_LOW_MEMORY_KIB)
		machine_say(check, ZWB_CHECK_NOTE,
			"buffers take up to a 32nd of the memory: choose a small --buffer");
	return true;
}

/* ---- the tracer ---- */

static bool check_clock(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (!machine_read_tracing(place, "trace_clock", value))
		return false;
	if (strstr(value, "mono ") || strstr(value, "[mono]")) {
		zwb_buf_addf(&check->value, "mono");
		return true;
	}
	zwb_buf_addf(&check->value, "%s", value);
	machine_say(check, ZWB_CHECK_BAD, "the tracer has no clock \"mono\"");
	return true;
}

static bool check_lockdown(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (!machine_read(place, "/sys/kernel/security/lockdown", value))
		return false;
	machine_chosen(value, &check->value);
	if (strstr(value, "[confidentiality]"))
		machine_say(check, ZWB_CHECK_BAD,
			"kernel lockdown closes tracefs: boot with lockdown=integrity or none");
	return true;
}

static bool check_ftrace(const struct machine_place *place, struct zwb_check *check)
{
	char value[HOSTFILE_LINE];

	if (!machine_read(place, "/proc/sys/kernel/ftrace_enabled", value))
		return false;
	zwb_buf_addf(&check->value, "%s", machine_is_on(value) ? "on" : "off");
	if (!machine_is_on(value))
		machine_say(check, ZWB_CHECK_BAD,
			"probes at function entries are off: sysctl kernel.ftrace_enabled=1");
	return true;
}

static bool check_leftovers(const struct machine_place *place, struct zwb_check *check)
{
	char path[HOSTFILE_PATH];
	struct zwb_buf events = { 0 };
	bool has_ours;

	if (!place->tracing || !hostfile_path(path, place->tracing, "/dynamic_events"))
		return false;
	has_ours = zwb_read_file(path, &events, NULL) == ZWB_OK &&
		   strstr((const char *)events.data, ":zwb/");
	zwb_buf_release(&events);
	if (!has_ours)
		return false;
	zwb_buf_addf(&check->value, "events of the group zwb");
	machine_say(check, ZWB_CHECK_NOTE,
		"a capture is running, or one was killed: zwb capture --clean removes what it "
		"left");
	return true;
}

static const struct {
	const char *name;
	machine_fn look;
} machine_checks[] = {
	{ "zswap", check_zswap },
	{ "zswap shrinker", check_shrinker },
	{ "swap", check_swap },
	{ "IO scheduler", check_scheduler },
	{ "iocost statistics", check_iocost },
	{ "cgroups", check_cgroups },
	{ "pressure", check_pressure },
	{ "memory", check_memory },
	{ "trace clock", check_clock },
	{ "lockdown", check_lockdown },
	{ "ftrace", check_ftrace },
	{ "left behind", check_leftovers },
};

int zwb_machine_look(
	const char *root, const char *tracing, struct zwb_machine *machine, struct zwb_err *err)
{
	const struct machine_place place = { root, tracing };

	memset(machine, 0, sizeof(*machine));
	for (size_t i = 0; i < sizeof(machine_checks) / sizeof(machine_checks[0]); i++) {
		struct zwb_check check = { .name = machine_checks[i].name };

		if (!machine_checks[i].look(&place, &check))
			continue;
		zwb_buf_add(&check.value, "", 1);
		if (zwb_buf_check(&check.value, NULL) ||
			!ZWB_GROW(machine->checks, machine->nr_checks)) {
			zwb_buf_release(&check.value);
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to look at the machine");
		}
		machine->checks[machine->nr_checks++] = check;
	}
	return ZWB_OK;
}

void zwb_machine_release(struct zwb_machine *machine)
{
	for (size_t i = 0; i < machine->nr_checks; i++)
		zwb_buf_release(&machine->checks[i].value);
	free(machine->checks);
	memset(machine, 0, sizeof(*machine));
}

enum zwb_check_state zwb_machine_worst(const struct zwb_machine *machine)
{
	enum zwb_check_state worst = ZWB_CHECK_GOOD;

	for (size_t i = 0; i < machine->nr_checks; i++) {
		if (machine->checks[i].state > worst)
			worst = machine->checks[i].state;
	}
	return worst;
}

const char *zwb_check_state_name(enum zwb_check_state state)
{
	static const char *const names[] = { "good", "note", "warning", "bad" };

	return state <= ZWB_CHECK_BAD ? names[state] : "invalid";
}
