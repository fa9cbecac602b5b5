/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a session is recorded into: pages of its CPUs, and what the host is. */
#ifndef ZWB_RECORDER_FILE_H
#define ZWB_RECORDER_FILE_H

#include "anon.h"
#include "datwriter.h"
#include "err.h"
#include "marker.h"
#include "session.h"

#include <stdint.h>

/* A trace.dat with one CPU more than the machine, for markers (marker.h). */
struct zwb_recording {
	struct zwb_datwriter *writer; /* NULL when nothing is open */
	struct zwb_markers *markers;
	uint32_t marker_cpu;
	const struct zwb_session *session;
	int has_all;
};

struct zwb_recording_config {
	const char *path;
	int force; /* as for zwb_datwriter_open() */
	int has_partial; /* leave path.partial when this process is killed */
	int has_all; /* of what the session recorded, and not a part */
	const struct zwb_anon *anon; /* hides names; NULL: not */
};

/**
 * zwb_recording_open() - begin a file.
 * @rec: filled; to be finished or aborted, and not to be moved.
 * @config: borrowed for the call; @session until it is finished.
 * Return: ZWB_OK; ZWB_EUSAGE for a file that exists; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_recording_open(struct zwb_recording *rec, const struct zwb_recording_config *config,
	const struct zwb_session *session, struct zwb_err *err);

/**
 * zwb_recording_put() - add a section about the capture itself to the markers, now.
 * @text: lines "KEY: VALUE".
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_recording_put(struct zwb_recording *rec, enum zwb_phase phase, const struct zwb_buf *text,
	struct zwb_err *err);

/**
 * zwb_recording_finish() - write what is known at the end, and give the file its name. @rec is
 * closed, also on failure.
 * Return: ZWB_OK; as zwb_datwriter_finish(), which says what becomes of a partial file.
 */
int zwb_recording_finish(struct zwb_recording *rec, struct zwb_err *err);

/** zwb_recording_abort() - give up and leave no file; no-op when nothing is open. */
void zwb_recording_abort(struct zwb_recording *rec);

#endif
