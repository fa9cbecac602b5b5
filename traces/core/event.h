/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event record: one thing the kernel did, in a form that no longer depends on the kernel. */
#ifndef ZWB_EVENT_H
#define ZWB_EVENT_H

#include <stdint.h>

/*
 * A recording of any kernel and any set of probes becomes one stream of these records, ordered by
 * (ts_ns, cpu, order on that CPU). Events called *_BEGIN and *_END are the entry and the return of
 * one kernel function on one task; they nest. What a field means depends on the kind and is said in
 * ZWB_EVENT_KINDS. A field that the recording lacks holds 0 (cgroup: ZWB_CGROUP_UNKNOWN; val of an
 * END event: ZWB_VAL_UNKNOWN) and is counted as unknown in the metadata.
 *
 * Slots are offsets inside their swap area; the swap type (which area) is in dev for slot events.
 * Sectors are 512 bytes, absolute on the whole disk. Pages have the page size of the metadata.
 */
struct zwb_event {
	uint64_t ts_ns; /* from the start of the trace; absolute start in the metadata */
	uint64_t addr; /* slot, sector, or what the kind says */
	int32_t tid; /* task that was running; 0 is the idle task */
	uint32_t cgroup; /* index into the cgroup table of the metadata */
	uint32_t len; /* count, bytes or sectors: see the kind */
	int32_t val; /* result or flag: see the kind; saturated to 32 bits */
	uint16_t cpu;
	uint16_t dev; /* block events: index into the device table; slot events: swap type */
	uint8_t kind; /* enum zwb_event_kind */
	uint8_t flags; /* block events: ZWB_OP_*; WALK_*: enum zwb_walk_kind */
	uint16_t pad; /* 0 */
};

#define ZWB_CGROUP_UNKNOWN 0u
#define ZWB_VAL_UNKNOWN	   INT32_MIN

/*
 * X(symbol, stored name, meaning of the fields beside ts_ns, cpu, tid)
 * The order is part of the store's format: append only.
 */
#define ZWB_EVENT_KINDS(X)                                                                         \
	X(NONE, "none", "not an event")                                                            \
	X(STORE_BEGIN, "store_begin", "addr slot, len pages, cgroup of the folio")                 \
	X(STORE_END, "store_end", "addr slot, val 1 stored 0 rejected")                            \
	X(LOAD_BEGIN, "load_begin", "addr slot, cgroup of the folio")                              \
	X(LOAD_END, "load_end", "addr slot, val 1 hit 0 miss -1 error")                            \
	X(INVALIDATE, "invalidate", "addr slot")                                                   \
	X(ENTRY_FREE, "entry_free", "addr slot, len compressed bytes, val referenced")             \
	X(COMPRESS, "compress", "len bytes asked from the allocator")                              \
	X(WALK_BEGIN, "walk_begin", "flags walk kind, len entries asked for, cgroup of the list")  \
	X(WALK_END, "walk_end", "flags walk kind, val return value")                               \
	X(VISIT_BEGIN, "visit_begin", "addr slot, len compressed bytes, val referenced")           \
	X(VISIT_END, "visit_end", "val enum zwb_visit_result")                                     \
	X(WRITEBACK_BEGIN, "writeback_begin", "addr slot, len compressed bytes")                   \
	X(WRITEBACK_END, "writeback_end", "addr slot, val 0 or negative errno")                    \
	X(WORKER_BEGIN, "worker_begin", "shrink_worker starts")                                    \
	X(WORKER_END, "worker_end", "shrink_worker ends")                                          \
	X(SHRINK_COUNT, "shrink_count", "val freeable entries, cgroup")                            \
	X(SWAPOUT, "swapout", "addr slot: a folio enters swap_writeout() / swap_writepage()")      \
	X(SWAP_WRITE, "swap_write", "addr slot, len pages, cgroup: folio goes to the swap device") \
	X(SWAP_WRITE_SUBMIT, "swap_write_submit", "len folios in the bio, addr first slot")        \
	X(SWAP_WRITE_DONE, "swap_write_done", "addr first slot, len folios")                       \
	X(SWAP_READ, "swap_read", "addr slot: swap_read_folio()")                                  \
	X(SWAP_READ_SUBMIT, "swap_read_submit", "len folios in the bio, addr first slot")          \
	X(SWAP_READ_DONE, "swap_read_done", "addr first slot, len folios")                         \
	X(RECLAIM_BEGIN, "reclaim_begin", "memcg reclaim: len pages wanted, cgroup")               \
	X(RECLAIM_END, "reclaim_end", "memcg reclaim: val pages reclaimed")                        \
	X(DIRECT_RECLAIM_BEGIN, "direct_reclaim_begin", "global direct reclaim")                   \
	X(DIRECT_RECLAIM_END, "direct_reclaim_end", "val pages reclaimed")                         \
	X(SHRINK_SLAB_BEGIN, "shrink_slab_begin", "val priority, len freeable, addr total scan")   \
	X(SHRINK_SLAB_END, "shrink_slab_end", "val freed, len scanned (saturated)")                \
	X(SHRINK_INACTIVE, "shrink_inactive", "len scanned, val reclaimed")                        \
	X(KSWAPD_WAKE, "kswapd_wake", "")                                                          \
	X(KSWAPD_SLEEP, "kswapd_sleep", "")                                                        \
	X(BIO_CGROUP, "bio_cgroup", "addr sector, len bytes, cgroup charged, val opf flags")       \
	X(BIO_QUEUE, "bio_queue", "addr sector, len sectors, dev, flags op")                       \
	X(BIO_REMAP, "bio_remap", "addr sector, len sectors, dev, flags op")                       \
	X(BIO_SPLIT, "bio_split", "addr sector, len sectors kept, dev, flags op")                  \
	X(BIO_BACKMERGE, "bio_backmerge", "addr sector, len sectors, dev, flags op")               \
	X(BIO_FRONTMERGE, "bio_frontmerge", "addr sector, len sectors, dev, flags op")             \
	X(BIO_COMPLETE, "bio_complete", "addr sector, len sectors, dev, flags op, val error")      \
	X(RQ_GET, "rq_get", "addr sector, len sectors, dev, flags op")                             \
	X(RQ_INSERT, "rq_insert", "addr sector, len sectors, dev, flags op")                       \
	X(RQ_ISSUE, "rq_issue", "addr sector, len sectors, dev, flags op")                         \
	X(RQ_COMPLETE, "rq_complete", "addr sector, len sectors, dev, flags op, val error")        \
	X(RQ_MERGE, "rq_merge", "addr sector, len sectors, dev, flags op")                         \
	X(RQ_REQUEUE, "rq_requeue", "addr sector, len sectors, dev, flags op")                     \
	X(PLUG, "plug", "block_plug: first request entered an empty plug")                         \
	X(UNPLUG, "unplug", "block_unplug: len requests flushed")                                  \
	X(PLUG_START, "plug_start", "val 1 outer 0 nested ZWB_VAL_UNKNOWN")                        \
	X(PLUG_FINISH, "plug_finish", "len requests in it, val 1 outer 0 nested ZWB_VAL_UNKNOWN")  \
	X(PLUG_FLUSH, "plug_flush", "val 1 from schedule 0 not, len requests")                     \
	X(SCHED_SWITCH, "sched_switch", "tid previous, addr next tid, val previous state")         \
	X(SCHED_WAKING, "sched_waking", "addr woken tid, len target CPU")                          \
	X(SCHED_WAKEUP, "sched_wakeup", "addr woken tid, len target CPU")                          \
	X(SWAP_FAULT_BEGIN, "swap_fault_begin", "do_swap_page(): addr user address")               \
	X(SWAP_FAULT_END, "swap_fault_end", "val vm_fault_t")                                      \
	X(WORK_QUEUED, "work_queued", "writeback handed to a kworker: len entries, cgroup")        \
	X(DROPBEHIND_QUEUED, "dropbehind_queued", "addr slot")                                     \
	X(DROPBEHIND_FREE, "dropbehind_free", "addr slot, val 1 synchronous")                      \
	X(ROTATE, "rotate", "folio_rotate_reclaimable(): addr slot")                               \
	X(WRITEBACK_DONE, "writeback_done", "folio_end_writeback(): addr slot")

enum zwb_event_kind {
#define ZWB_X(sym, name, doc) ZWB_EV_##sym,
	ZWB_EVENT_KINDS(ZWB_X)
#undef ZWB_X
		ZWB_EV_NR
};

/* What a walk was: who called the LRU walk (flags of WALK_*). */
enum zwb_walk_kind {
	ZWB_WALK_UNKNOWN,
	ZWB_WALK_MEMCG, /* shrink_memcg(): worker or store limit */
	ZWB_WALK_SHRINKER, /* zswap_shrinker_scan() */
	ZWB_WALK_KWORKER, /* a per-lruvec writeback worker */
	ZWB_WALK_ZPOOL, /* zpool_shrink() of kernels before 6.8 */
};

/* Result of one visit: enum lru_status of the kernel, by meaning. */
enum zwb_visit_result {
	ZWB_VISIT_REMOVED = 0,
	ZWB_VISIT_WRITTEN = 1, /* LRU_REMOVED_RETRY */
	ZWB_VISIT_ROTATED = 2, /* second chance */
	ZWB_VISIT_SKIPPED = 3,
	ZWB_VISIT_FAILED = 4, /* LRU_RETRY */
	ZWB_VISIT_STOPPED = 5,
};

/* flags of block events, from the rwbs letters (blk_fill_rwbs()) */
#define ZWB_OP_WRITE   0x01u /* else read, unless DISCARD or FLUSH alone */
#define ZWB_OP_SYNC    0x02u
#define ZWB_OP_RAHEAD  0x04u
#define ZWB_OP_FUA     0x08u
#define ZWB_OP_FLUSH   0x10u /* preflush */
#define ZWB_OP_META    0x20u
#define ZWB_OP_DISCARD 0x40u
#define ZWB_OP_OTHER   0x80u /* driver commands and letters this version does not know */

/** zwb_event_kind_name() - stored name of @kind, "invalid" outside the enum. */
const char *zwb_event_kind_name(unsigned int kind);

/** zwb_event_kind_by_name() - the kind called @name, or -1. */
int zwb_event_kind_by_name(const char *name);

/** zwb_event_kind_doc() - what the fields of @kind mean, one line. */
const char *zwb_event_kind_doc(unsigned int kind);

/** zwb_event_kind_is_block() - true when dev, flags and the sector fields are those of block IO. */
int zwb_event_kind_is_block(unsigned int kind);

#endif
