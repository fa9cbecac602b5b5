/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of tasks for a recording. */
#ifndef ZWB_SESSION_TASKS_H
#define ZWB_SESSION_TASKS_H

#include "buf.h"
#include "err.h"

#include <stdint.h>

/**
 * zwb_session_tasks() - append a line "TID COMM" for every task there is, then for those of
 * @saved that are gone.
 * @proc: "/proc".
 * @saved: lines of the same form, as tracefs' saved_cmdlines has them for the last tasks that ran;
 * NULL: none.
 * Return: ZWB_OK, also when @proc cannot be read; ZWB_ENOMEM.
 */
int zwb_session_tasks(
	const char *proc, const char *saved, struct zwb_buf *text, struct zwb_err *err);

/**
 * zwb_session_threads() - append the thread ids of a process, with blanks between them.
 * Return: ZWB_OK; ZWB_EUSAGE when there is no such process; ZWB_ENOMEM.
 */
int zwb_session_threads(const char *proc, uint64_t pid, struct zwb_buf *tids, struct zwb_err *err);

#endif
