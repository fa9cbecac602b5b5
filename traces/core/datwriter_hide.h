/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace.dat writer with an anonymiser does to each part of the file. */
#ifndef ZWB_DATWRITER_HIDE_H
#define ZWB_DATWRITER_HIDE_H

#include "anon.h"

#include <stdint.h>

struct zwb_dathide;

/** zwb_dathide_create() - @anon is copied. Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_dathide_create(struct zwb_dathide **hide, const struct zwb_anon *anon, size_t page_bytes,
	struct zwb_err *err);

/**
 * zwb_dathide_format() - learn an event. Those of "ftrace" are left as they are: in a recording of
 * ours they are the markers, which are made without names.
 */
int zwb_dathide_format(struct zwb_dathide *hide, const char *system, const void *text, size_t len,
	struct zwb_err *err);

/** zwb_dathide_cmdlines() - append whole lines of saved_cmdlines, tasks renamed, to @out. */
void zwb_dathide_cmdlines(
	const struct zwb_dathide *hide, const char *text, size_t len, struct zwb_buf *out);

/** zwb_dathide_uname() - append "Linux HOST RELEASE MACHINE" with another host's name to @out. */
void zwb_dathide_uname(const struct zwb_dathide *hide, const char *text, struct zwb_buf *out);

/**
 * zwb_dathide_pages() - a changed copy of pages; several threads may ask for one.
 * @copy: set; the caller frees it.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_dathide_pages(struct zwb_dathide *hide, const void *pages, size_t nr_pages, void **copy,
	struct zwb_err *err);

/** zwb_dathide_nr_erased() - events that were not understood, and are unreadable now. */
uint64_t zwb_dathide_nr_erased(struct zwb_dathide *hide);

/** zwb_dathide_free() - NULL allowed. */
void zwb_dathide_free(struct zwb_dathide *hide);

#endif
