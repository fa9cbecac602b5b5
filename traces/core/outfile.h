/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An output file that appears under its name only when it is whole. */
#ifndef ZWB_OUTFILE_H
#define ZWB_OUTFILE_H

#include "err.h"

#include <stddef.h>

/*
 * Regular files are written under a temporary name in the same directory and renamed by commit();
 * abort() removes what was written. Something that exists and is not a regular file (a device, a
 * pipe) is written in place, because replacing it would destroy it.
 */
struct zwb_outfile {
	char *path; /* the name asked for */
	char *temp; /* the name to write to; equals path when written in place */
	int fd; /* open for reading and writing, at the start of an empty file */
	int force;
};

/**
 * zwb_outfile_open() - start an output file.
 * @out: filled; on failure there is nothing to abort.
 * @path: name that the file gets at commit.
 * @force: replace an existing file.
 * Return: ZWB_OK; ZWB_EUSAGE if @path exists and not @force, or is a directory; ZWB_EENV;
 * ZWB_ENOMEM.
 */
int zwb_outfile_open(struct zwb_outfile *out, const char *path, int force, struct zwb_err *err);

/**
 * zwb_outfile_close_fd() - close fd only, for writers that open the temporary name themselves.
 * commit() and abort() work as before.
 */
void zwb_outfile_close_fd(struct zwb_outfile *out);

/**
 * zwb_outfile_suspend() - close and remove the temporary file until resume(), so that a process
 * that is killed meanwhile leaves none. What was written is lost. No-op for what is written in
 * place.
 */
void zwb_outfile_suspend(struct zwb_outfile *out);

/**
 * zwb_outfile_resume() - make a new temporary file; the opposite of suspend().
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_outfile_resume(struct zwb_outfile *out, struct zwb_err *err);

/** zwb_outfile_is_in_place() - something that is no regular file, and not to be replaced by one. */
int zwb_outfile_is_in_place(const struct zwb_outfile *out);

/**
 * zwb_outfile_spool() - a nameless file for data on its way to the output, on the same file system
 * when the output is a regular file. It is gone when closed.
 * Return: its descriptor, for reading and writing; ZWB_EENV or ZWB_ENOMEM (negative).
 */
int zwb_outfile_spool(const struct zwb_outfile *out, struct zwb_err *err);

/**
 * zwb_outfile_write() - write all of @len bytes at the file position of @fd.
 * @out: names the output in the error text; @fd: its fd, or a spool of it.
 * Return: ZWB_OK or ZWB_EENV.
 */
int zwb_outfile_write(
	const struct zwb_outfile *out, int fd, const void *data, size_t len, struct zwb_err *err);

/**
 * zwb_outfile_commit() - flush to the disk, close and rename. On failure the temporary file is
 * removed. The outfile is released in both cases.
 * Return: ZWB_OK; ZWB_EUSAGE if the name was taken meanwhile and not force; ZWB_EENV.
 */
int zwb_outfile_commit(struct zwb_outfile *out, struct zwb_err *err);

/** zwb_outfile_abort() - close, remove the temporary file and release; no-op when not open. */
void zwb_outfile_abort(struct zwb_outfile *out);

#endif
