/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of many CPUs on their way into a trace.dat: one sparse file. */
#ifndef ZWB_DATWRITER_SPOOL_H
#define ZWB_DATWRITER_SPOOL_H

#include "err.h"
#include "outfile.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The file is cut into parts of equal length, as long as the file system allows, with holes where
 * nothing was written: the first for a head, the next one for CPU 0 and so on. It is nameless, or
 * stands beside the output as OUTPUT.partial.
 *
 * CPUs are independent: append() may run in several threads at once for different CPUs, and
 * beside bytes().
 */
struct zwb_datspool {
	int fd; /* -1: not open */
	char *path; /* NULL when it is nameless */
	uint64_t part_bytes;
	uint32_t nr_cpus;
	_Atomic uint64_t *bytes; /* written, by CPU */
};

/**
 * zwb_datspool_open() - make the file.
 * @out: the output that the data is for; names the file and the errors.
 * @is_named: OUTPUT.partial instead of a nameless file. Not for outputs that are written in place.
 * Return: ZWB_OK; ZWB_EUSAGE when OUTPUT.partial exists and @out is not forced; ZWB_EENV;
 * ZWB_ENOMEM. Nothing is to be closed after a failure.
 */
int zwb_datspool_open(struct zwb_datspool *s, const struct zwb_outfile *out, int is_named,
	uint32_t nr_cpus, struct zwb_err *err);

/** zwb_datspool_append() - append to the part of @cpu. Return: ZWB_OK; ZWB_EENV. */
int zwb_datspool_append(struct zwb_datspool *s, const struct zwb_outfile *out, uint32_t cpu,
	const void *data, size_t len, struct zwb_err *err);

/** zwb_datspool_put_head() - write into the head's part, at @offset. Return: ZWB_OK; ZWB_EENV. */
int zwb_datspool_put_head(struct zwb_datspool *s, const struct zwb_outfile *out, uint64_t offset,
	const void *data, size_t len, struct zwb_err *err);

/**
 * zwb_datspool_copy() - append the part of @cpu to the output.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_datspool_copy(
	struct zwb_datspool *s, const struct zwb_outfile *out, uint32_t cpu, struct zwb_err *err);

/** zwb_datspool_offset() - where the part of @cpu begins. */
uint64_t zwb_datspool_offset(const struct zwb_datspool *s, uint32_t cpu);

/** zwb_datspool_close() - close and free; @is_kept leaves a file that has a name. */
void zwb_datspool_close(struct zwb_datspool *s, int is_kept);

#endif
