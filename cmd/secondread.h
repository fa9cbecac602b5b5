/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second opinion on a trace.dat: libtracecmd counts its events as well. */
#ifndef ZWB_SECONDREAD_H
#define ZWB_SECONDREAD_H

#include "err.h"
#include "meta.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Our reader walks the pages of a recording itself. libtracecmd, which trace-cmd and KernelShark
 * read with, is asked for its own count of every event. It may crash on damaged files and skips
 * what it does not understand without a word, so it works in a child process, with a bound on its
 * CPU time, and its word is compared, not taken.
 */

struct zwb_second_row {
	char name[96]; /* "zlab/zstore" */
	uint64_t nr_ours, nr_theirs;
};

struct zwb_second {
	uint64_t nr_events; /* that libtracecmd read */
	size_t nr_names; /* of events that either side has */
	struct zwb_second_row *rows; /* events whose counts differ */
	size_t nr_rows;
};

/**
 * zwb_second_read() - let libtracecmd count the events of a recording and compare.
 * @path: a trace.dat.
 * @meta: of our stream over it, which has ended.
 * @second: filled; to be released by zwb_second_release().
 * Return: ZWB_OK, also when counts differ; ZWB_EDATA when libtracecmd refuses the file or dies on
 * it; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_second_read(const char *path, const struct zwb_meta *meta, struct zwb_second *second,
	struct zwb_err *err);
void zwb_second_release(struct zwb_second *second);

#endif
