/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of pressure on which a flight recorder saves. */
#ifndef ZWB_TRIGGER_H
#define ZWB_TRIGGER_H

#include "err.h"

#include <stdint.h>

enum zwb_pressure { ZWB_PRESSURE_MEMORY, ZWB_PRESSURE_IO, ZWB_PRESSURE_CPU, ZWB_PRESSURE_NR };

/*
 * [CGROUP:]RESOURCE.KIND>PERCENT% for TIME: "memory.full>10% for 2s", "io.some>2.5% for 500ms",
 * "/w0:memory.full>40% for 1s". RESOURCE is memory, io or cpu, KIND some or full, TIME 500ms to 10s
 * (the kernel's limits). It is met when tasks were stalled for PERCENT of any stretch of TIME.
 */
struct zwb_trigger {
	char *cgroup; /* NULL: the whole machine */
	enum zwb_pressure resource;
	int is_full;
	uint64_t stall_us;
	uint64_t window_us;
};

/** zwb_trigger_parse() - Return: ZWB_OK; ZWB_EUSAGE; ZWB_ENOMEM. */
int zwb_trigger_parse(const char *text, struct zwb_trigger *trigger, struct zwb_err *err);

void zwb_trigger_release(struct zwb_trigger *trigger);

/**
 * zwb_trigger_arm() - ask the kernel for it.
 * @root: in front of every path: "" is the host itself.
 * @fd: set; poll() says POLLPRI when the condition is met, at most once in window_us, and POLLERR
 * when the cgroup is gone. Closing it disarms.
 * Return: ZWB_OK; ZWB_EUSAGE when there is no such cgroup; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_trigger_arm(
	const struct zwb_trigger *trigger, const char *root, int *fd, struct zwb_err *err);

/*
 * Which of the times that a condition is met is worth a save: the first, then none until it was
 * quiet for a while. A long stall is one event and not one a window. All zeros but for the time.
 */
struct zwb_trigger_gate {
	uint64_t cool_down_ns;
	uint64_t last_ns; /* condition met, or saved */
	int has_last;
};

/** zwb_trigger_pass() - a condition is met at @now_ns. Return: whether to save. */
int zwb_trigger_pass(struct zwb_trigger_gate *gate, uint64_t now_ns);

/** zwb_trigger_saved() - a save, for whatever reason, has ended at @now_ns. */
void zwb_trigger_saved(struct zwb_trigger_gate *gate, uint64_t now_ns);

#endif
