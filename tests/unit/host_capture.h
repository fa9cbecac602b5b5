/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of the made-up host. */
#ifndef HOST_CAPTURE_H
#define HOST_CAPTURE_H

#include "host_tree.h"

#include "host.h"
#include "stream.h"
#include "tracedat_build.h"

/* A capture of the made-up host in the making. */
struct capture {
	const struct host_tree *tree;
	struct build b;
	struct zwb_host *host;
	struct zwb_markers *markers;
	char path[64];
};

/** capture_begin() - a recording of two CPUs and of markers; @cgroup and @max as for the host. */
void capture_begin(struct capture *c, const struct host_tree *t, const char *cgroup, size_t max);
void capture_facts(struct capture *c, enum zwb_phase phase);
void capture_sample(struct capture *c, enum zwb_phase phase);
/** capture_end() - put some events into it, of now, and finish the file. */
void capture_end(struct capture *c);
/** capture_reopen() - the finished file, with what is known about the host. */
struct zwb_stream *capture_reopen(const struct capture *c);

uint64_t capture_now_ns(void);

#endif
