/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How each kind of record is written as an event of a trace.dat. */
#ifndef ZWB_DATWRITER_KINDS_H
#define ZWB_DATWRITER_KINDS_H

#include "datwriter_schema.h"
#include "event.h"

/*
 * Probes have the names, fields and return values that our capture records on a 7.x kernel, in
 * group "zwb"; tracepoints those of the kernel. So a written file is read by the same event map as
 * a recorded one, and what is read is what was written.
 */

/* What goes into a field. "number" is that of struct zwb_dat_field. */
enum zwb_dat_source {
	ZWB_DAT_CONST, /* number */
	ZWB_DAT_ADDR,
	ZWB_DAT_LEN,
	ZWB_DAT_VAL,
	ZWB_DAT_TID,
	ZWB_DAT_SLOT, /* swp_entry: offset, swap type from bit 58 on */
	ZWB_DAT_CGROUP_ID,
	ZWB_DAT_DEVICE, /* kernel dev_t */
	ZWB_DAT_OP, /* rwbs letters */
	ZWB_DAT_COMM, /* of the task */
	ZWB_DAT_ADDR_COMM, /* of the task whose id is in addr */
	ZWB_DAT_END_SECTOR, /* addr + len */
	ZWB_DAT_BYTES_OF_SECTORS, /* len * 512 */
	ZWB_DAT_BYTES_OF_PAGES, /* len pages */
	ZWB_DAT_SIO, /* address of a swap IO; 0 when it has no pages */
	ZWB_DAT_FOLIO_HEAD, /* 1 when len is more than one page */
	ZWB_DAT_LOAD_RESULT, /* 0 hit, -ENOENT miss, -EIO error */
	ZWB_DAT_OUTER_PLUG, /* current->plug before a plug starts: 0 for the outer one */
	ZWB_DAT_SAME_PLUG, /* current->plug when a plug finishes: number for the outer one */
	ZWB_DAT_NR_SOURCES
};

/*
 * By kind of event; behind those, the two ends of each kind of walk. Kinds that no probe and no
 * tracepoint stands for have a NULL name. The type of an event is its index plus ZWB_DAT_FIRST_ID.
 */
#define ZWB_DAT_NR_SCHEMAS (ZWB_EV_NR + 2 * (ZWB_WALK_ZPOOL + 1))
#define ZWB_DAT_FIRST_ID   1000 /* beyond the numbers of the kernel's own events */

extern const struct zwb_dat_schema zwb_dat_schemas[ZWB_DAT_NR_SCHEMAS];

/** zwb_dat_schema_of() - index of the schema for @ev, or -1 when there is none. */
int zwb_dat_schema_of(const struct zwb_event *ev);

#endif
