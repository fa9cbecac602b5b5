/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about a recording beside its events: tables that travel with the stream. */
#ifndef ZWB_META_H
#define ZWB_META_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Every table is a growing array owned by the metadata; add functions copy their strings. Index 0
 * of cgroups is always {0, "unknown"}. Losses and tallies are final only when the stream has ended.
 */

struct zwb_cgroup {
	uint64_t id; /* cgroup inode number, or a pointer value when only that was recorded */
	char *path; /* "/w0"; "" when not known */
};

struct zwb_task {
	int32_t tid;
	char comm[16]; /* NUL-terminated */
};

struct zwb_device {
	uint32_t major, minor;
	char name[32]; /* "vda"; "" when not known */
};

/* How events, or the sense of them, got lost. */
#define ZWB_LOSS_KINDS(X)                                                                          \
	X(OVERRUN, "overrun", "the ring buffer dropped events before they were read")              \
	X(BAD_PAGE, "bad_page", "a page whose content is not a ring-buffer page")                  \
	X(TRUNCATED, "truncated", "the file ends before the data that it announces")               \
	X(BAD_EVENT, "bad_event", "an event shorter than its format, or of a format without id")   \
	X(UNPAIRED_BEGIN, "unpaired_begin", "entry without return")                                \
	X(UNPAIRED_END, "unpaired_end", "return without entry")                                    \
	X(DISORDER, "disorder", "time went backwards on one CPU")                                  \
	X(RESTORED, "restored", "event with an overwritten header, found again; its time is early")

enum zwb_loss_kind {
#define ZWB_X(sym, name, doc) ZWB_LOSS_##sym,
	ZWB_LOSS_KINDS(ZWB_X)
#undef ZWB_X
		ZWB_LOSS_NR
};

struct zwb_loss {
	uint16_t cpu;
	uint8_t kind; /* enum zwb_loss_kind */
	int nr_is_known; /* 0: the recording says that events are missing, not how many */
	uint64_t nr; /* events lost (overrun), else occurrences */
	uint64_t first_ns; /* time span in which it happened, half-open, from trace start */
	uint64_t last_ns;
};

/* How often an event of the recording was seen, and what it became. */
struct zwb_tally {
	char *name; /* "zlab/zstore" */
	int kind; /* enum zwb_event_kind, or -1: the event map does not know it */
	uint64_t nr;
};

/* A piece of information the event map wanted and the recording does not have. */
struct zwb_unknown {
	char *what; /* "swap_write.cgroup" */
	uint64_t nr; /* events it is missing from */
};

/* One line of the host's facts: "zswap" "max_pool_percent" "20". */
struct zwb_fact {
	char *section;
	char *key;
	char *value;
};

/* One counter of the host. ts_ns: ZWB_COUNTER_BEFORE, ZWB_COUNTER_AFTER, or time of a sample. */
#define ZWB_COUNTER_BEFORE UINT64_MAX
#define ZWB_COUNTER_AFTER  (UINT64_MAX - 1)

struct zwb_counter {
	uint64_t ts_ns;
	char *source; /* "vmstat", "disk vda", "cgroup /w0 io.stat", "zswap" ... */
	char *key; /* "zswpwb", "write_requests", "254:0 wios" ... */
	int64_t value;
};

/* Where a swap area's slots lie on the disk. Slot 0 is the header. */
struct zwb_extent {
	uint32_t swap_type;
	uint64_t first_slot;
	uint64_t nr_slots;
	uint64_t first_sector; /* absolute on the whole disk */
};

struct zwb_swap {
	uint32_t swap_type;
	char path[64]; /* "/dev/vda" */
	char kind[16]; /* "partition" or "file" */
	uint64_t nr_slots; /* size in pages, header included; 0 not known */
	uint32_t dev; /* index into devices (the whole disk); 0 when there is no device yet */
	int synchronous; /* 1: completes in the caller (zram, brd, pmem); -1 unknown */
	int geometry_known; /* 0: the extents below are a guess */
};

struct zwb_meta {
	char *source; /* path as given */
	char *digest; /* SHA-256 of the source, hex; "" until computed */
	char *kernel; /* release: "7.3.4+deb13-cloud-amd64"; "" unknown */
	char *clock; /* "mono" */
	char *event_map; /* name of the map used */
	char *scheduler; /* of the swap device: "none"; "" unknown */
	uint64_t start_ns; /* absolute time of ts_ns 0 in that clock */
	uint64_t end_ns; /* ts_ns of the last event (0 until the stream ended) */
	uint64_t nr_events; /* records in the stream (0 until it ended, or from the store) */
	uint32_t page_bytes;
	uint32_t nr_cpus;
	uint32_t hz; /* 0 unknown */

	struct zwb_cgroup *cgroups;
	size_t nr_cgroups;
	struct zwb_task *tasks;
	size_t nr_tasks;
	struct zwb_device *devices;
	size_t nr_devices;
	struct zwb_loss *losses;
	size_t nr_losses;
	struct zwb_tally *tallies;
	size_t nr_tallies;
	struct zwb_unknown *unknowns;
	size_t nr_unknowns;
	struct zwb_fact *facts;
	size_t nr_facts;
	struct zwb_counter *counters;
	size_t nr_counters;
	struct zwb_swap *swaps;
	size_t nr_swaps;
	struct zwb_extent *extents;
	size_t nr_extents;
};

/** zwb_meta_create() - empty metadata (cgroup 0 exists); NULL when there is no memory. */
struct zwb_meta *zwb_meta_create(void);
void zwb_meta_free(struct zwb_meta *meta);

/**
 * The add functions append or update a row. Return: ZWB_OK or ZWB_ENOMEM; those that say so return
 * the row's index, or a negative status.
 */
int zwb_meta_set(char **field, const char *value, struct zwb_err *err);
/** zwb_meta_cgroup() - index of the cgroup with @id, added when new; @path may be NULL. */
int zwb_meta_cgroup(struct zwb_meta *m, uint64_t id, const char *path, struct zwb_err *err);
/** zwb_meta_device() - index of device @major:@minor, added when new; @name may be NULL. */
int zwb_meta_device(
	struct zwb_meta *m, uint32_t major, uint32_t minor, const char *name, struct zwb_err *err);
int zwb_meta_task(struct zwb_meta *m, int32_t tid, const char *comm, struct zwb_err *err);
int zwb_meta_loss(struct zwb_meta *m, const struct zwb_loss *loss, struct zwb_err *err);
int zwb_meta_tally(
	struct zwb_meta *m, const char *name, int kind, uint64_t nr, struct zwb_err *err);
int zwb_meta_unknown(struct zwb_meta *m, const char *what, uint64_t nr, struct zwb_err *err);
int zwb_meta_fact(struct zwb_meta *m, const char *section, const char *key, const char *value,
	struct zwb_err *err);
int zwb_meta_counter(struct zwb_meta *m, uint64_t ts_ns, const char *source, const char *key,
	int64_t value, struct zwb_err *err);
int zwb_meta_swap(struct zwb_meta *m, const struct zwb_swap *swap, struct zwb_err *err);
int zwb_meta_extent(struct zwb_meta *m, const struct zwb_extent *extent, struct zwb_err *err);

/** zwb_meta_keep_facts() - drop the facts that @is_kept says 0 of. Return: how many. */
size_t zwb_meta_keep_facts(struct zwb_meta *m, int (*is_kept)(const struct zwb_fact *fact));

/** zwb_meta_fact_get() - value of a fact, or NULL. */
const char *zwb_meta_fact_get(const struct zwb_meta *m, const char *section, const char *key);

/**
 * zwb_meta_counter_delta() - after minus before of one counter.
 * Return: 1 and *@delta, or 0 when either side is missing.
 */
int zwb_meta_counter_delta(
	const struct zwb_meta *m, const char *source, const char *key, int64_t *delta);

/** zwb_meta_lost_events() - events that are known or suspected to be missing; not the
 * unpaired and the restored ones. */
uint64_t zwb_meta_lost_events(const struct zwb_meta *m);

const char *zwb_loss_kind_name(unsigned int kind);

/** zwb_loss_is_missing() - 1 if a loss of @kind means that events are not in the stream. */
int zwb_loss_is_missing(unsigned int kind);

#endif
