/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that reveal nothing: what a recording gets in place of commands and cgroups. */
#ifndef ZWB_ANON_H
#define ZWB_ANON_H

#include "buf.h"
#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A name becomes "x" and 12 hexadecimal digits of its SipHash-2-4 under a secret key (Aumasson and
 * Bernstein, "SipHash: a fast short-input PRF", 2012). A name has the same replacement wherever the
 * key is the same, so whoever reads the file can still tell tasks and cgroups apart. Without the
 * key nobody can try out names. The key is never written to a file.
 */
struct zwb_anon {
	uint64_t key[2];
};

/**
 * zwb_anon_init() - choose the key.
 * @secret: a phrase that makes names agree between files; NULL: a random key of this run alone.
 * Return: ZWB_OK; ZWB_EUSAGE for an empty phrase; ZWB_EENV when there are no random numbers.
 */
int zwb_anon_init(struct zwb_anon *anon, const char *secret, struct zwb_err *err);

/**
 * zwb_anon_open() - zwb_anon_init() with a phrase that is the first line of a file, so that it is
 * in no list of processes.
 * @path: NULL: a random key.
 * Return: as zwb_anon_init(); ZWB_EENV when the file cannot be read; ZWB_ENOMEM.
 */
int zwb_anon_open(struct zwb_anon *anon, const char *path, struct zwb_err *err);

/** zwb_anon_hash() - SipHash-2-4 of @len bytes. */
uint64_t zwb_anon_hash(const struct zwb_anon *anon, const void *data, size_t len);

/**
 * zwb_anon_comm() - replace the name of a task.
 * @comm: 16 bytes, NUL-terminated when shorter; so is the result.
 * Names of kernel threads stay: they say who does the work (kworker/0:1H, kswapd0), and nothing
 * about the host's users. They are told by their form, which a user's task could imitate.
 */
void zwb_anon_comm(const struct zwb_anon *anon, char comm[16]);

/**
 * zwb_anon_path() - append the replacement of a path: component by component, so that what was
 * below a folder still is. "" and "/" stay. A failed append is left in @out (zwb_buf_check()).
 */
void zwb_anon_path(const struct zwb_anon *anon, const char *path, struct zwb_buf *out);

/** zwb_anon_swap() - the same for a swap area: a device right in /dev names nobody and stays. */
void zwb_anon_swap(const struct zwb_anon *anon, const char *path, struct zwb_buf *out);

#endif
