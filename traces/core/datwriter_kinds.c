/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How each kind of record is written as an event of a trace.dat. */
#include "datwriter_kinds.h"

#define PLUG_ADDRESS 1u /* stands for the address of the plug in hand; any other is another plug */

#define FIELDS(...) ((const struct zwb_dat_field[]){ __VA_ARGS__, { 0 } })
#define ENTRY(name, ...)                                                                           \
	{                                                                                          \
		"zwb", name, ZWB_DAT_ENTRY_PROBE, NULL, FIELDS(__VA_ARGS__)                        \
	}
#define RETURN(name, ...)                                                                          \
	{                                                                                          \
		"zwb", name, ZWB_DAT_RETURN_PROBE, NULL, FIELDS(__VA_ARGS__)                       \
	}
#define BARE_ENTRY(name)                                                                           \
	{                                                                                          \
		"zwb", name, ZWB_DAT_ENTRY_PROBE, NULL, &no_field                                  \
	}
#define BARE_RETURN(name)                                                                          \
	{                                                                                          \
		"zwb", name, ZWB_DAT_RETURN_PROBE, NULL, &no_field                                 \
	}
#define POINT(system, name, print, ...)                                                            \
	{                                                                                          \
		system, name, ZWB_DAT_TRACEPOINT, print, FIELDS(__VA_ARGS__)                       \
	}
#define BLOCK(name, print, fields)                                                                 \
	{                                                                                          \
		"block", name, ZWB_DAT_TRACEPOINT, print, fields                                   \
	}
#define WALK_BEGIN(kind) [ZWB_EV_NR + 2 * (kind)]
#define WALK_END(kind)	 [ZWB_EV_NR + 2 * (kind) + 1]

#define U8(name, source)                                                                           \
	{                                                                                          \
		"u8", name, 1, 0, 0, source, 0                                                     \
	}
#define U16(name, source)                                                                          \
	{                                                                                          \
		"u16", name, 2, 0, 0, source, 0                                                    \
	}
#define U32(name, source)                                                                          \
	{                                                                                          \
		"u32", name, 4, 0, 0, source, 0                                                    \
	}
#define U64(name, source)                                                                          \
	{                                                                                          \
		"u64", name, 8, 0, 0, source, 0                                                    \
	}
#define S32(name, source)                                                                          \
	{                                                                                          \
		"s32", name, 4, 0, 1, source, 0                                                    \
	}
#define S64(name, source)                                                                          \
	{                                                                                          \
		"s64", name, 8, 0, 1, source, 0                                                    \
	}
#define INT(name, source)                                                                          \
	{                                                                                          \
		"int", name, 4, 0, 1, source, 0                                                    \
	}
#define UINT(name, source)                                                                         \
	{                                                                                          \
		"unsigned int", name, 4, 0, 0, source, 0                                           \
	}
#define LONG(name, source)                                                                         \
	{                                                                                          \
		"long", name, 8, 0, 1, source, 0                                                   \
	}
#define ULONG(name, source)                                                                        \
	{                                                                                          \
		"unsigned long", name, 8, 0, 0, source, 0                                          \
	}
#define PID(name, source)                                                                          \
	{                                                                                          \
		"pid_t", name, 4, 0, 1, source, 0                                                  \
	}
#define COMM(name, source)                                                                         \
	{                                                                                          \
		"char", name, 1, 16, 0, source, 0                                                  \
	}
#define SECTOR(name, source)                                                                       \
	{                                                                                          \
		"sector_t", name, 8, 0, 0, source, 0                                               \
	}
#define FIXED_INT(name, number)                                                                    \
	{                                                                                          \
		"int", name, 4, 0, 1, ZWB_DAT_CONST, number                                        \
	}

#define SLOT   U64("slot", ZWB_DAT_SLOT)
#define CGROUP U64("cgid", ZWB_DAT_CGROUP_ID)
#define FOLIO  SLOT, U8("head", ZWB_DAT_FOLIO_HEAD), U32("nr", ZWB_DAT_LEN), CGROUP
#define OBJECT SLOT, U32("len", ZWB_DAT_LEN), U8("ref", ZWB_DAT_VAL)
#define SWAP_IO                                                                                    \
	U64("sio", ZWB_DAT_SIO), S32("nr", ZWB_DAT_LEN), S32("len", ZWB_DAT_BYTES_OF_PAGES), SLOT
#define PLUG                                                                                       \
	{                                                                                          \
		"u64", "plug", 8, 0, 0, ZWB_DAT_CONST, PLUG_ADDRESS                                \
	}
#define DEVICE                                                                                     \
	{                                                                                          \
		"dev_t", "dev", 4, 0, 0, ZWB_DAT_DEVICE, 0                                         \
	}
#define RWBS                                                                                       \
	{                                                                                          \
		"char", "rwbs", 1, 10, 0, ZWB_DAT_OP, 0                                            \
	}
#define IOPRIO                                                                                     \
	{                                                                                          \
		"unsigned short", "ioprio", 2, 0, 0, ZWB_DAT_CONST, 0                              \
	}
#define SPAN DEVICE, SECTOR("sector", ZWB_DAT_ADDR), UINT("nr_sector", ZWB_DAT_LEN)
#define SCHED_WAKE                                                                                 \
	COMM("comm", ZWB_DAT_ADDR_COMM), PID("pid", ZWB_DAT_ADDR), FIXED_INT("prio", 120),         \
		INT("target_cpu", ZWB_DAT_LEN)

static const struct zwb_dat_field no_field;

static const struct zwb_dat_field bio_fields[] = { SPAN, RWBS, COMM("comm", ZWB_DAT_COMM), { 0 } };
static const struct zwb_dat_field rq_fields[] = { SPAN, UINT("bytes", ZWB_DAT_BYTES_OF_SECTORS),
	IOPRIO, RWBS, COMM("comm", ZWB_DAT_COMM), { 0 } };
static const struct zwb_dat_field done_fields[] = { SPAN, INT("error", ZWB_DAT_VAL), IOPRIO, RWBS,
	{ 0 } };
static const struct zwb_dat_field split_fields[] = { DEVICE, SECTOR("sector", ZWB_DAT_ADDR),
	SECTOR("new_sector", ZWB_DAT_END_SECTOR), RWBS, COMM("comm", ZWB_DAT_COMM), { 0 } };
static const struct zwb_dat_field remap_fields[] = { SPAN, RWBS, { 0 } };
static const struct zwb_dat_field plug_fields[] = { COMM("comm", ZWB_DAT_COMM), { 0 } };
static const struct zwb_dat_field unplug_fields[] = { INT("nr_rq", ZWB_DAT_LEN),
	COMM("comm", ZWB_DAT_COMM), { 0 } };

/* As the kernel prints them, so that tools show a written event as they show a recorded one. */
#define PRINT_HEAD                                                                                 \
	"((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) & ((1U << 20) - 1))), "  \
	"REC->rwbs, "
#define PRINT_SPAN "(unsigned long long)REC->sector, REC->nr_sector"

static const char print_bio[] = "\"%d,%d %s %llu + %u [%s]\", " PRINT_HEAD PRINT_SPAN ", REC->comm";
static const char print_remap[] = "\"%d,%d %s %llu + %u\", " PRINT_HEAD PRINT_SPAN;
static const char print_split[] =
	"\"%d,%d %s %llu / %llu [%s]\", " PRINT_HEAD
	"(unsigned long long)REC->sector, (unsigned long long)REC->new_sector, REC->comm";
static const char print_rq[] =
	"\"%d,%d %s %u () %llu + %u [%s]\", " PRINT_HEAD "REC->bytes, " PRINT_SPAN ", REC->comm";
static const char print_rq_done[] =
	"\"%d,%d %s () %llu + %u [%d]\", " PRINT_HEAD PRINT_SPAN ", REC->error";
static const char print_bio_done[] =
	"\"%d,%d %s %llu + %u [%d]\", " PRINT_HEAD PRINT_SPAN ", REC->error";
static const char print_plug[] = "\"[%s]\", REC->comm";
static const char print_unplug[] = "\"[%s] %d\", REC->comm, REC->nr_rq";

/* clang-format off */
const struct zwb_dat_schema zwb_dat_schemas[ZWB_DAT_NR_SCHEMAS] = {
	[ZWB_EV_STORE_BEGIN] = ENTRY("zstore", FOLIO),
	[ZWB_EV_STORE_END] = RETURN("zstore_ret", U8("ret", ZWB_DAT_VAL), SLOT),
	[ZWB_EV_LOAD_BEGIN] = ENTRY("zload", SLOT, CGROUP),
	[ZWB_EV_LOAD_END] = RETURN("zload_ret", S32("ret", ZWB_DAT_LOAD_RESULT), SLOT),
	[ZWB_EV_INVALIDATE] = ENTRY("zinval", SLOT),
	[ZWB_EV_ENTRY_FREE] = ENTRY("zentry_free", OBJECT),
	[ZWB_EV_COMPRESS] = ENTRY("zsmalloc", U64("size", ZWB_DAT_LEN)),
	[ZWB_EV_VISIT_BEGIN] = ENTRY("zcb", OBJECT),
	[ZWB_EV_VISIT_END] = RETURN("zcb_ret", S32("ret", ZWB_DAT_VAL)),
	[ZWB_EV_WRITEBACK_BEGIN] = ENTRY("zwb", SLOT, U32("len", ZWB_DAT_LEN)),
	[ZWB_EV_WRITEBACK_END] = RETURN("zwb_ret", S32("ret", ZWB_DAT_VAL), SLOT),
	[ZWB_EV_WORKER_BEGIN] = BARE_ENTRY("zworker"),
	[ZWB_EV_WORKER_END] = BARE_RETURN("zworker_ret"),
	[ZWB_EV_SHRINK_COUNT] = RETURN("zcount_ret", S64("ret", ZWB_DAT_VAL), CGROUP),
	[ZWB_EV_SWAPOUT] = ENTRY("swpout", SLOT),
	[ZWB_EV_SWAP_WRITE] = ENTRY("swpwrite", FOLIO),
	[ZWB_EV_SWAP_WRITE_SUBMIT] = ENTRY("swpsubmit", SWAP_IO),
	[ZWB_EV_SWAP_WRITE_DONE] = ENTRY("swpwrend", SWAP_IO),
	[ZWB_EV_SWAP_READ] = ENTRY("swpread", SLOT),
	[ZWB_EV_SWAP_READ_SUBMIT] = ENTRY("swprdsubmit", SWAP_IO),
	[ZWB_EV_SWAP_READ_DONE] = ENTRY("swprdend", SWAP_IO),
	[ZWB_EV_RECLAIM_BEGIN] = ENTRY("memreclaim", CGROUP, U64("nr", ZWB_DAT_LEN)),
	[ZWB_EV_RECLAIM_END] = RETURN("memreclaim_ret", U64("ret", ZWB_DAT_VAL)),
	[ZWB_EV_DIRECT_RECLAIM_BEGIN] = POINT("vmscan", "mm_vmscan_direct_reclaim_begin", NULL,
		FIXED_INT("order", 0)),
	[ZWB_EV_DIRECT_RECLAIM_END] = POINT("vmscan", "mm_vmscan_direct_reclaim_end", NULL,
		ULONG("nr_reclaimed", ZWB_DAT_VAL)),
	[ZWB_EV_SHRINK_SLAB_BEGIN] = POINT("vmscan", "mm_shrink_slab_start", NULL,
		ULONG("cache_items", ZWB_DAT_LEN), ULONG("total_scan", ZWB_DAT_ADDR),
		INT("priority", ZWB_DAT_VAL)),
	[ZWB_EV_SHRINK_SLAB_END] = POINT("vmscan", "mm_shrink_slab_end", NULL,
		LONG("total_scan", ZWB_DAT_LEN), INT("retval", ZWB_DAT_VAL)),
	[ZWB_EV_SHRINK_INACTIVE] = POINT("vmscan", "mm_vmscan_lru_shrink_inactive", NULL,
		FIXED_INT("nid", 0), ULONG("nr_scanned", ZWB_DAT_LEN),
		ULONG("nr_reclaimed", ZWB_DAT_VAL)),
	[ZWB_EV_KSWAPD_WAKE] = POINT("vmscan", "mm_vmscan_kswapd_wake", NULL,
		FIXED_INT("nid", 0), FIXED_INT("order", 0)),
	[ZWB_EV_KSWAPD_SLEEP] = POINT("vmscan", "mm_vmscan_kswapd_sleep", NULL,
		FIXED_INT("nid", 0)),
	[ZWB_EV_BIO_CGROUP] = ENTRY("biosub", U64("sector", ZWB_DAT_ADDR),
		U32("bytes", ZWB_DAT_LEN), U32("opf", ZWB_DAT_VAL), CGROUP),
	[ZWB_EV_BIO_QUEUE] = BLOCK("block_bio_queue", print_bio, bio_fields),
	[ZWB_EV_BIO_REMAP] = BLOCK("block_bio_remap", print_remap, remap_fields),
	[ZWB_EV_BIO_SPLIT] = BLOCK("block_split", print_split, split_fields),
	[ZWB_EV_BIO_BACKMERGE] = BLOCK("block_bio_backmerge", print_bio, bio_fields),
	[ZWB_EV_BIO_FRONTMERGE] = BLOCK("block_bio_frontmerge", print_bio, bio_fields),
	[ZWB_EV_BIO_COMPLETE] = BLOCK("block_bio_complete", print_bio_done, done_fields),
	[ZWB_EV_RQ_GET] = BLOCK("block_getrq", print_bio, bio_fields),
	[ZWB_EV_RQ_INSERT] = BLOCK("block_rq_insert", print_rq, rq_fields),
	[ZWB_EV_RQ_ISSUE] = BLOCK("block_rq_issue", print_rq, rq_fields),
	[ZWB_EV_RQ_COMPLETE] = BLOCK("block_rq_complete", print_rq_done, done_fields),
	[ZWB_EV_RQ_MERGE] = BLOCK("block_rq_merge", print_rq, rq_fields),
	[ZWB_EV_RQ_REQUEUE] = BLOCK("block_rq_requeue", print_rq_done, done_fields),
	[ZWB_EV_PLUG] = BLOCK("block_plug", print_plug, plug_fields),
	[ZWB_EV_UNPLUG] = BLOCK("block_unplug", print_unplug, unplug_fields),
	[ZWB_EV_PLUG_START] = ENTRY("plugstart", PLUG, U64("cur", ZWB_DAT_OUTER_PLUG)),
	[ZWB_EV_PLUG_FINISH] = ENTRY("plugfinish", PLUG, U16("n", ZWB_DAT_LEN),
		{ "u64", "cur", 8, 0, 0, ZWB_DAT_SAME_PLUG, PLUG_ADDRESS }),
	[ZWB_EV_PLUG_FLUSH] = ENTRY("plugflush", PLUG, U8("from", ZWB_DAT_VAL),
		U16("n", ZWB_DAT_LEN)),
	[ZWB_EV_SCHED_SWITCH] = POINT("sched", "sched_switch", NULL,
		COMM("prev_comm", ZWB_DAT_COMM), PID("prev_pid", ZWB_DAT_TID),
		FIXED_INT("prev_prio", 120), LONG("prev_state", ZWB_DAT_VAL),
		COMM("next_comm", ZWB_DAT_ADDR_COMM), PID("next_pid", ZWB_DAT_ADDR),
		FIXED_INT("next_prio", 120)),
	[ZWB_EV_SCHED_WAKING] = POINT("sched", "sched_waking", NULL, SCHED_WAKE),
	[ZWB_EV_SCHED_WAKEUP] = POINT("sched", "sched_wakeup", NULL, SCHED_WAKE),
	[ZWB_EV_SWAP_FAULT_BEGIN] = ENTRY("swpfault", U64("addr", ZWB_DAT_ADDR)),
	[ZWB_EV_SWAP_FAULT_END] = RETURN("swpfault_ret", U32("ret", ZWB_DAT_VAL)),
	[ZWB_EV_WORK_QUEUED] = ENTRY("zqueue", CGROUP, U64("nr", ZWB_DAT_LEN)),
	[ZWB_EV_DROPBEHIND_QUEUED] = ENTRY("zdbq", SLOT),
	[ZWB_EV_DROPBEHIND_FREE] = ENTRY("zdb", SLOT, U8("sync", ZWB_DAT_VAL)),
	[ZWB_EV_ROTATE] = ENTRY("rotate", SLOT),
	[ZWB_EV_WRITEBACK_DONE] = ENTRY("wbend", SLOT),

	WALK_BEGIN(ZWB_WALK_MEMCG) = ENTRY("zshrink_memcg", CGROUP, U64("nr", ZWB_DAT_LEN)),
	WALK_END(ZWB_WALK_MEMCG) = RETURN("zshrink_memcg_ret", S32("ret", ZWB_DAT_VAL)),
	WALK_BEGIN(ZWB_WALK_SHRINKER) = ENTRY("zscan", U64("nr", ZWB_DAT_LEN), CGROUP),
	WALK_END(ZWB_WALK_SHRINKER) = RETURN("zscan_ret", S64("ret", ZWB_DAT_VAL)),
	WALK_BEGIN(ZWB_WALK_KWORKER) = ENTRY("zwalk", CGROUP, U64("nr", ZWB_DAT_LEN)),
	WALK_END(ZWB_WALK_KWORKER) = RETURN("zwalk_ret", S64("ret", ZWB_DAT_VAL)),
	WALK_BEGIN(ZWB_WALK_ZPOOL) = ENTRY("zpshrink", U32("pages", ZWB_DAT_LEN)),
	WALK_END(ZWB_WALK_ZPOOL) = RETURN("zpshrink_ret", S32("ret", ZWB_DAT_VAL)),
};
/* clang-format on */

int zwb_dat_schema_of(const struct zwb_event *ev)
{
	unsigned int index = ev->kind;

	if (ev->kind == ZWB_EV_WALK_BEGIN || ev->kind == ZWB_EV_WALK_END) {
		if (ev->flags > ZWB_WALK_ZPOOL)
			return -1;
		index = ZWB_EV_NR + 2u * ev->flags + (ev->kind == ZWB_EV_WALK_END);
	}
	if (ev->kind >= ZWB_EV_NR || !zwb_dat_schemas[index].name)
		return -1;
	return (int)index;
}
