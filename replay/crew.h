/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A crew of threads that runs a numbered list of jobs again and again. */
#ifndef ZWB_CREW_H
#define ZWB_CREW_H

#include "err.h"

#include <stddef.h>

/*
 * start() lets the crew begin jobs 0..nr-1 and returns at once; finish() helps with what is left
 * and returns when all are done. Each job runs on exactly one thread; jobs must not depend on each
 * other. The first error, by job number, is what finish() returns, so that it does not depend on
 * timing.
 */
struct zwb_crew;

typedef int (*zwb_crew_job)(void *arg, size_t job, struct zwb_err *err);

/** zwb_crew_create() - @nr_threads counts the caller; 1 makes no thread. */
int zwb_crew_create(unsigned int nr_threads, size_t nr_jobs, zwb_crew_job run, void *arg,
	struct zwb_crew **out, struct zwb_err *err);
void zwb_crew_free(struct zwb_crew *crew);
void zwb_crew_start(struct zwb_crew *crew);
int zwb_crew_finish(struct zwb_crew *crew, struct zwb_err *err);

#endif
