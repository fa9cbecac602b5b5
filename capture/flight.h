/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flight recorder: the last seconds before something happened. */
#ifndef ZWB_FLIGHT_H
#define ZWB_FLIGHT_H

#include "anon.h"
#include "buf.h"
#include "err.h"
#include "host.h"
#include "session.h"

#include <stdint.h>

/*
 * Nobody reads the ring buffers while nothing happens: the kernel overwrites the oldest events.
 * save() stops the session for as long as it takes to read what the buffers hold, and lets it go
 * on. The last samples of the counters are kept in memory and go into the same
 * file.
 */
struct zwb_flight;

struct zwb_flight_config {
	struct zwb_session *session; /* these two are borrowed until close() */
	struct zwb_host *host;
	/* "x.dat" makes x.1.dat, x.2.dat ..., those that exist left out; borrowed until close() */
	const char *path;
	uint64_t buffer_bytes; /* of one CPU's ring buffer */
	const struct zwb_anon *anon; /* hides names; NULL: not; borrowed until close() */
	const struct zwb_buf *facts; /* about the capture, "KEY: VALUE" a line; likewise */
};

/** zwb_flight_open() - Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_flight_open(
	struct zwb_flight **flight, const struct zwb_flight_config *config, struct zwb_err *err);

/** zwb_flight_sample() - take a sample of the counters. Return: as zwb_host_sample(). */
int zwb_flight_sample(struct zwb_flight *f, struct zwb_err *err);

struct zwb_flight_saved {
	char *path; /* freed by the caller */
	uint64_t nr_pages; /* of events */
	uint64_t from_ns; /* CLOCK_MONOTONIC; all CPUs have all events from here on; 0: all of it */
	uint64_t off_ns; /* how long nothing was recorded */
};

/**
 * zwb_flight_save() - write the next file.
 * @why: "signal", or the trigger; put into the file.
 * @saved: filled on success.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM. The session goes on in any case.
 */
int zwb_flight_save(
	struct zwb_flight *f, const char *why, struct zwb_flight_saved *saved, struct zwb_err *err);

/** zwb_flight_close() - NULL allowed. */
void zwb_flight_close(struct zwb_flight *f);

/** zwb_flight_path() - name of file @n; freed by the caller; NULL: no memory. */
char *zwb_flight_path(const char *path, uint64_t n);

#endif
