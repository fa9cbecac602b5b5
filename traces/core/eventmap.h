/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event maps: which recorded event becomes which record, and where its fields come from. */
#ifndef ZWB_EVENTMAP_H
#define ZWB_EVENTMAP_H

#include "err.h"
#include "event.h"
#include "meta.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Kernels and probes differ in what they call things and in what they return. A map is a text file
 * that says this once (its language is described at the head of traces/maps/zlab.map); it is parsed
 * here, and compiled against the event formats of one recording into decoders, so that reading an
 * event is a copy of a prepared record and a handful of loads.
 *
 * Maps under traces/maps are built in. One that names a `group` is chosen for recordings that have
 * events of that group; others serve to be included.
 */

struct tep_event;
struct zwb_eventmap;

/* What a source fills in. The name is the one used in maps and in the table of unknowns. */
#define ZWB_TARGETS(X)                                                                             \
	X(SLOT, "slot", "swp_entry value or plain offset: addr is the low 58 bits, dev the rest")  \
	X(AREA, "area", "swap type, when the slot does not hold it")                               \
	X(ADDR, "addr", "as it is")                                                                \
	X(DEVICE, "device", "kernel dev_t, becomes an index into the device table")                \
	X(OP, "op", "rwbs letters, become ZWB_OP_* flags")                                         \
	X(WALK, "walk", "number of a walk kind")                                                   \
	X(CGROUP, "cgroup", "inode number or pointer, becomes an index into the cgroup table")     \
	X(LEN, "len", "count, saturated to 32 bits")                                               \
	X(VAL, "val", "result, saturated to 32 bits")                                              \
	X(TID, "tid", "task, when it is not the one that was running")

enum zwb_target {
#define ZWB_X(sym, name, doc) ZWB_TARGET_##sym,
	ZWB_TARGETS(ZWB_X)
#undef ZWB_X
		ZWB_TARGET_NR
};

/**
 * zwb_eventmap_parse() - read a map.
 * @text: the map, @len bytes, need not be NUL-terminated.
 * @name: what to call it in errors and in the metadata.
 * Return: ZWB_OK and *@out, freed by the caller; ZWB_EUSAGE with "NAME:LINE: what is wrong".
 */
int zwb_eventmap_parse(const char *text, size_t len, const char *name, struct zwb_eventmap **out,
	struct zwb_err *err);

/** zwb_eventmap_load() - zwb_eventmap_parse() of a file; ZWB_EENV when it cannot be read. */
int zwb_eventmap_load(const char *path, struct zwb_eventmap **out, struct zwb_err *err);

/** zwb_eventmap_builtin() - the built-in map called @name; ZWB_EUSAGE when there is none. */
int zwb_eventmap_builtin(const char *name, struct zwb_eventmap **out, struct zwb_err *err);

/**
 * zwb_eventmap_choose() - the built-in map for a recording.
 * @has_group: asked once for the group of each map; non-zero when the recording has it.
 * @arg: passed on to @has_group.
 * The map "kernel" (tracepoints only) is taken when no group is there.
 */
int zwb_eventmap_choose(int (*has_group)(const char *group, void *arg), void *arg,
	struct zwb_eventmap **out, struct zwb_err *err);

/** zwb_eventmap_free() - NULL allowed. */
void zwb_eventmap_free(struct zwb_eventmap *map);

const char *zwb_eventmap_name(const struct zwb_eventmap *map);

/** zwb_eventmap_wants() - non-zero when some rule is about this event. */
int zwb_eventmap_wants(const struct zwb_eventmap *map, const char *system, const char *name);

/* ---- reading events ---- */

struct zwb_case;

/* A number: from the event, constant, or not known. */
struct zwb_operand {
	int64_t number;
	uint16_t offset;
	uint8_t size; /* 1, 2, 4, 8: from the event; 0: @number */
	uint8_t is_signed;
	uint8_t is_unknown;
};

struct zwb_pick {
	uint8_t target; /* enum zwb_target */
	uint8_t op; /* enum source_op of eventmap_priv.h */
	int8_t bit; /* of a condition; -1: the whole value */
	uint8_t nr_cases;
	struct zwb_operand a, b, c;
	const struct zwb_case *cases; /* borrowed from the map */
};

#define ZWB_PICKS_MAX 12

/* How to read one kind of recorded event. */
struct zwb_decoder {
	struct zwb_event blank; /* kind and defaults; picks fill in the rest */
	uint32_t min_bytes; /* an event shorter than this is damaged */
	uint32_t missing; /* bit set of targets that the recording has no field for */
	uint16_t nr_picks;
	struct zwb_operand pid;
	struct zwb_pick picks[ZWB_PICKS_MAX];
	uint64_t nr_unknown[ZWB_TARGET_NR]; /* events whose target could not be told */
};

/* What the compiler may ask about the recording beside the event at hand. */
struct zwb_recorded {
	/* non-zero when there is an event called @name; @system "*" is any */
	int (*has_event)(const char *system, const char *name, void *arg);
	void *arg;
};

/**
 * zwb_eventmap_compile() - make the decoder of one recorded event.
 * @map: borrowed, has to outlive the decoder.
 * @event: parsed format.
 * Return: 1 and *@out; 0 when no rule of the map applies to the event.
 */
int zwb_eventmap_compile(const struct zwb_eventmap *map, const struct tep_event *event,
	const struct zwb_recorded *recorded, struct zwb_decoder *out);

/* From 64-bit ids to indexes of a metadata table. */
struct zwb_index {
	uint64_t *keys; /* 0: free */
	uint32_t *values;
	size_t nr, nr_places; /* places: a power of two */
};

/* Tables that decoding fills, shared by the decoders of a recording. */
struct zwb_decode_tables {
	struct zwb_meta *meta; /* borrowed */
	struct zwb_index cgroups, devices;
	int status; /* ZWB_ENOMEM once a row could not be added; decoding itself cannot fail */
};

int zwb_decode_tables_init(struct zwb_decode_tables *t, struct zwb_meta *meta, struct zwb_err *err);
void zwb_decode_tables_release(struct zwb_decode_tables *t);

/**
 * zwb_decode() - turn the bytes of one event into a record; ts_ns and cpu are left 0.
 * @data: the event from its common fields on, at least min_bytes of the decoder.
 */
void zwb_decode(struct zwb_decoder *d, struct zwb_decode_tables *t, const unsigned char *data,
	struct zwb_event *ev);

/** zwb_decoder_unknowns() - add what @d could not tell in @nr events to the metadata. */
int zwb_decoder_unknowns(
	const struct zwb_decoder *d, uint64_t nr, struct zwb_meta *meta, struct zwb_err *err);

/** zwb_op_flags() - ZWB_OP_* of rwbs letters (blk_fill_rwbs()), at most @size of them. */
uint8_t zwb_op_flags(const char *rwbs, size_t size);

#endif
