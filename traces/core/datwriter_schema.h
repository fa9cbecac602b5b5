/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an event looks like in a trace.dat: fields, their places, and the text that says so. */
#ifndef ZWB_DATWRITER_SCHEMA_H
#define ZWB_DATWRITER_SCHEMA_H

#include "buf.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A schema is a constant table. Fields follow the 8 bytes that all events share; those of a probe
 * lie without gaps behind the address of the probe (one more address for a return), as the kernel
 * puts them (kernel/trace/trace_probe.c), those of a tracepoint on multiples of their size.
 */
struct zwb_dat_field {
	const char *type; /* as the kernel writes it: "u64", "sector_t", "char" */
	const char *name;
	uint8_t size; /* bytes of one element: 1, 2, 4 or 8 */
	uint8_t nr; /* elements of an array; 0: not an array */
	uint8_t is_signed;
	uint8_t source; /* for the caller: what goes into it */
	uint32_t number; /* likewise */
};

enum zwb_dat_shape { ZWB_DAT_TRACEPOINT, ZWB_DAT_ENTRY_PROBE, ZWB_DAT_RETURN_PROBE };

struct zwb_dat_schema {
	const char *system; /* group */
	const char *name;
	enum zwb_dat_shape shape;
	const char *print; /* what follows "print fmt: "; NULL: "NAME=VALUE ..." is made */
	const struct zwb_dat_field *fields; /* ends with a NULL name */
};

#define ZWB_DAT_FIELDS_MAX 16

/* Where a schema's fields lie in an event. */
struct zwb_dat_layout {
	size_t bytes; /* of the whole event */
	size_t nr_fields;
	uint16_t offsets[ZWB_DAT_FIELDS_MAX];
};

/** zwb_dat_layout() - lay out @schema, of at most ZWB_DAT_FIELDS_MAX fields. */
void zwb_dat_layout(const struct zwb_dat_schema *schema, struct zwb_dat_layout *layout);

/**
 * zwb_dat_format() - append the text of the event's "format" file.
 * @id: the number that events of this schema carry as their type.
 */
void zwb_dat_format(const struct zwb_dat_schema *schema, unsigned int id, struct zwb_buf *text);

#endif
