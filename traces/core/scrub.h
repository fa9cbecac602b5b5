/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes names and addresses out of ring-buffer pages before they are written to a file. */
#ifndef ZWB_SCRUB_H
#define ZWB_SCRUB_H

#include "anon.h"

/*
 * What is changed is told by the fields of an event's format: task names (char arrays of 16 bytes
 * called comm, or something_comm) become those of zwb_anon_comm(); paths of cgroups (path, cgroup)
 * those of zwb_anon_path() where they fit, else nothing is left of them; all other text goes, but
 * for rwbs and the names of devices. Addresses of user space and of code (addr, address, ip, caller
 * and those of probes) become 0, addresses of kernel objects (other unsigned 64-bit fields) their
 * hash: what was equal still is. Lengths and places of events stay.
 */
struct zwb_scrub;

/**
 * zwb_scrub_create() - pages of this machine's kernel.
 * @anon: copied.
 * @page_bytes: of a page, its header included.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_scrub_create(struct zwb_scrub **scrub, const struct zwb_anon *anon, size_t page_bytes,
	struct zwb_err *err);

/**
 * zwb_scrub_format() - learn an event.
 * @system: its group; @text: its "format" file.
 * Return: ZWB_OK; ZWB_EDATA when the text is no format; ZWB_ENOMEM.
 */
int zwb_scrub_format(
	struct zwb_scrub *scrub, const char *system, const char *text, struct zwb_err *err);

/** zwb_scrub_trust() - learn an event that has no names: it stays as it is. As above. */
int zwb_scrub_trust(
	struct zwb_scrub *scrub, const char *system, const char *text, struct zwb_err *err);

/**
 * zwb_scrub_pages() - change pages in place.
 * Return: events, or parts of pages, that were not understood and have been made unreadable.
 */
size_t zwb_scrub_pages(struct zwb_scrub *scrub, void *pages, size_t nr_pages);

void zwb_scrub_free(struct zwb_scrub *scrub);

#endif
