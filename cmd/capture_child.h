/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that "zwb capture -- COMMAND" records. */
#ifndef ZWB_CAPTURE_CHILD_H
#define ZWB_CAPTURE_CHILD_H

#include "err.h"

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/* What the process does when it may. */
struct zwb_child_job {
	char *const *argv; /* a program and its arguments, ends with NULL */
	int (*work)(void *arg); /* or this, unless it is NULL; its exit status */
	void *arg;
};

/* Forked early, so that a failure costs nothing, and held back until the recording is on. */
struct zwb_child {
	pid_t pid; /* 0: none */
	int go_fd; /* writing to it lets it run */
	int exec_fd; /* tells why it could not be executed */
	int has_ended;
	int status; /* as of waitpid(), when it has ended */
	uint64_t cpu_ns; /* that it took, with those that it waited for */
	const char *name; /* borrowed */
};

/**
 * zwb_child_fork() - make the process that waits.
 * @job: borrowed for the call, its strings as long as @child.
 * @signals: the signal mask that the command is to have.
 * Return: ZWB_OK; ZWB_EENV.
 */
int zwb_child_fork(struct zwb_child *child, const struct zwb_child_job *job,
	const sigset_t *signals, struct zwb_err *err);

/** zwb_child_go() - let it run. Return: ZWB_OK; ZWB_EENV when the command cannot be executed. */
int zwb_child_go(struct zwb_child *child, struct zwb_err *err);

/** zwb_child_check() - after SIGCHLD: has it ended? */
int zwb_child_check(struct zwb_child *child);

/** zwb_child_release() - a command that does not run yet never will; others are left alone. */
void zwb_child_release(struct zwb_child *child);

#endif
