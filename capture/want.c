/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a capture wants to record, and from where. Kernels: 6.1 has frontswap and zpool, 6.6 neither
 * frontswap nor a shrinker (from its source, not tried), 6.8 the shrinker and an LRU list of
 * zswap's own, 7.3 swap IO contexts; static functions come and go with the compiler's inlining.
 */
#include "want.h"

#define CGROUP(css) "cgid=" css "cgroup->kn->id"

/*
 * Whom a page of the LRU lists is charged to. Its memcg_data pointed to the memory cgroup until the
 * root cgroup got an object cgroup of its own, struct obj_cgroup.is_root, so that LRU pages too
 * could be charged to one; since then to that.
 */
#define PAGE_CGROUP(page)                                                                          \
	"cgid=[obj_cgroup.is_root](obj_cgroup)(" page "->memcg_data)->memcg->css.cgroup->kn->id"   \
	"|(mem_cgroup)(" page "->memcg_data)->css.cgroup->kn->id"

/* The number of pages means something in a folio of several only. */
#define FOLIO_PAGES                                                                                \
	"head=folio->flags.f:PG_head|folio->flags:PG_head "                                        \
	"nr=folio->_nr_pages|folio->_folio_nr_pages"

const struct want zwb_wants[] = {
	/* ---- minimal ---- */
	{
		.name = "walks",
		.gives = "LRU walks of the shrink worker and of store limits: which pages share "
			 "a context, a plug",
		.costs = "pages are taken for written one by one: bios and requests of every "
			 "policy but the recorded one are wrong",
		.level = ZWB_LEVEL_MINIMAL,
		.is_needed = true,
		.places = {
			{ .event = "zshrink_memcg", .function = "shrink_memcg",
				.fields = CGROUP("memcg->css."), .ret = "ret=$retval" },
			/* 6.1: the worker evicts through zpool */
			{ .event = "zpshrink", .function = "zpool_shrink",
				.fields = "pages=pages", .ret = "ret=$retval" },
			/* 6.6 */
			{ .event = "zpshrink", .function = "zswap_reclaim_entry", .fields = "",
				.ret = "ret=$retval" },
		},
	},
	{
		.name = "shrinker walks",
		.gives = "LRU walks of the dynamic shrinker, with their budget",
		.costs = "as for the other walks, for what the shrinker writes back",
		.absence = "zswap has no shrinker before 6.8",
		.level = ZWB_LEVEL_MINIMAL,
		.places = {
			{ .event = "zscan", .function = "zswap_shrinker_scan",
				.fields = "nr=sc->nr_to_scan " CGROUP("sc->memcg->css."),
				.ret = "ret=$retval" },
		},
	},
	{
		.name = "visits",
		.gives = "entries that a walk visited and what became of each",
		.costs = "writebacks cannot be told from direct swap-outs, nor the recorded "
			 "policy be found",
		.level = ZWB_LEVEL_MINIMAL,
		.is_needed = true,
		.places = {
			{ .event = "zcb", .function = "shrink_memcg_cb",
				.fields = "!slot=(zswap_entry,lru)item->swpentry.val "
					  "len=(zswap_entry,lru)item->length "
					  "ref=(zswap_entry,lru)item->referenced",
				.ret = "!ret=$retval" },
			/* 6.6 */
			{ .event = "zevict", .function = "zswap_writeback_entry",
				.fields = "!slot=entry->swpentry.val len=entry->length",
				.ret = "!ret=$retval" },
			/* 6.1: zbud's handle is the address of the entry's header */
			{ .event = "zevict", .function = "zswap_writeback_entry",
				.fields = "!slot=(zswap_header)handle->swpentry.val",
				.ret = "!ret=$retval" },
		},
	},
	{
		.name = "swap writes",
		.gives = "pages that go to the swap device, written back or swapped out directly",
		.costs = "direct swap-outs are missing, and with them bios and requests",
		.level = ZWB_LEVEL_MINIMAL,
		.is_needed = true,
		.places = {
			{ .event = "swpwrite", .function = "__swap_writepage",
				.fields = "!slot=folio->swap.val " FOLIO_PAGES
					  " " PAGE_CGROUP("folio") },
			{ .event = "swpwrite", .function = "__swap_writepage",
				.fields = "!slot=page->private head=page->flags:PG_head "
					  PAGE_CGROUP("page") },
		},
	},
	{
		.name = "bios",
		.gives = "bios as the block layer got them: swap-ins and other IO in the plugs",
		.costs = "read bios and requests disappear; the recorded policy and the swap "
			 "area cannot be checked",
		.level = ZWB_LEVEL_MINIMAL,
		.is_needed = true,
		.places = { { .tracepoints = "block/block_bio_queue" } },
	},
	{
		.name = "plugs",
		.gives = "whether a plug was in force",
		.costs = "requests fall from class E to M",
		.level = ZWB_LEVEL_MINIMAL,
		.is_needed = true,
		.places = { { .tracepoints = "block/block_plug block/block_unplug" } },
	},
	{
		.name = "requests issued",
		.gives = "requests as they went to the device, to validate against",
		.costs = "zwb validate cannot compare requests",
		.level = ZWB_LEVEL_MINIMAL,
		.places = { { .tracepoints = "block/block_rq_issue" } },
	},
	{
		.name = "memcg reclaim",
		.gives = "reclaim of a cgroup: what is swapped out together, and for whom",
		.costs = "bios of direct swap-outs are split or joined at the wrong places",
		.level = ZWB_LEVEL_MINIMAL,
		.places = {
			{ .event = "memreclaim", .function = "try_to_free_mem_cgroup_pages",
				.fields = "nr=nr_pages " CGROUP("memcg->css."),
				.ret = "ret=$retval", .level = ZWB_LEVEL_STANDARD },
			{ .tracepoints = "vmscan/mm_vmscan_memcg_reclaim_begin "
					 "vmscan/mm_vmscan_memcg_reclaim_end" },
		},
	},
	{
		.name = "direct reclaim",
		.gives = "reclaim for want of memory in the machine",
		.costs = "bios of direct swap-outs are split or joined at the wrong places",
		.level = ZWB_LEVEL_MINIMAL,
		.places = { { .tracepoints = "vmscan/mm_vmscan_direct_reclaim_begin "
					     "vmscan/mm_vmscan_direct_reclaim_end" } },
	},
	{
		.name = "reclaim batches",
		.gives = "the end of each batch of pages that reclaim swaps out",
		.costs = "bios of direct swap-outs are split or joined at the wrong places",
		.level = ZWB_LEVEL_MINIMAL,
		.places = { { .tracepoints = "vmscan/mm_vmscan_lru_shrink_inactive" } },
	},
	/* ---- standard ---- */
	{
		.name = "stores",
		.gives = "pages that enter zswap: its size over time",
		.costs = "zswap pool and zswap stored disappear",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "zstore", .function = "zswap_store",
				.fields = "!slot=folio->swap.val " FOLIO_PAGES
					  " " PAGE_CGROUP("folio"),
				.ret = "!ret=$retval", .is_per_cgroup = true },
			{ .event = "zstore", .function = "zswap_frontswap_store",
				.fields = "type=type !slot=offset " PAGE_CGROUP("page"),
				.ret = "!ret=$retval", .is_per_cgroup = true },
		},
	},
	{
		.name = "loads",
		.gives = "swap-ins, and whether zswap had the page",
		.costs = "pages read, and the check of read bios, disappear",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "zload", .function = "zswap_load",
				.fields = "!slot=folio->swap.val " PAGE_CGROUP("folio"),
				.ret = "!ret=$retval", .is_per_cgroup = true },
			{ .event = "zload", .function = "zswap_frontswap_load",
				.fields = "type=type !slot=offset " PAGE_CGROUP("page"),
				.ret = "!ret=$retval", .is_per_cgroup = true },
		},
	},
	{
		.name = "invalidations",
		.gives = "slots that were freed: what leaves zswap without having been read",
		.costs = "zswap pool and zswap stored are too high by an unknown part",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "zinval",
				.function = "zswap_invalidate",
				.fields = "!slot=swp.val" },
			/* 6.6 */
			{ .event = "zinval",
				.function = "zswap_invalidate",
				.fields = "type=type !slot=offset" },
			{ .event = "zinval", .function = "zswap_frontswap_invalidate_page",
				.fields = "type=type !slot=offset" },
		},
	},
	{
		.name = "entries freed",
		.gives = "entries that left zswap, with their compressed length",
		.costs = "compressed lengths come from the allocator alone",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "zentry_free", .function = "zswap_entry_free",
				.fields = "!slot=entry->swpentry.val len=entry->length "
					  "ref=entry->referenced" },
			{ .event = "zentry_free", .function = "zswap_free_entry",
				.fields = "!slot=entry->swpentry.val|entry->offset "
					  "len=entry->length" },
		},
	},
	{
		.name = "compressed lengths",
		.gives = "bytes that a stored page takes",
		.costs = "zswap pool in bytes disappears",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			/* before zs_malloc(), which zram calls, too */
			{ .event = "zsmalloc", .function = "zpool_malloc", .fields = "!size=size" },
			{ .event = "zsmalloc", .function = "zs_malloc", .fields = "!size=size" },
		},
	},
	{
		.name = "shrink worker",
		.gives = "runs of the global shrink worker",
		.costs = "shrink_worker wakeups disappear",
		.level = ZWB_LEVEL_STANDARD,
		.places = { { .event = "zworker", .function = "shrink_worker", .fields = "",
			.ret = "" } },
	},
	{
		.name = "swap reads",
		.gives = "swap-ins that zswap was asked for or not",
		.costs = "on 6.1, swap-ins of slots that zswap never held are missing from pages "
			 "read",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "swpread", .function = "swap_read_folio",
				.fields = "!slot=folio->swap.val|page->private" },
			{ .event = "swpread", .function = "swap_readpage",
				.fields = "!slot=page->private" },
		},
	},
	{
		.name = "read contexts",
		.gives = "the end of each readahead window",
		.costs = "blind validation of read bios infers it from completions",
		.absence = "kernels before 7.3 send a bio a page",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			{ .event = "swprdsubmit", .function = "swap_read_submit",
				.fields = "sio=ctx->sio nr=ctx->sio->nr_bvecs "
					  "slot=ctx->sio->bvecs[0].bv_page->private" },
		},
	},
	{
		.name = "who pays for a bio",
		.gives = "the cgroup that a bio is charged to",
		.costs = "swap-ins and other IO have no known cgroup; they may join any request",
		.level = ZWB_LEVEL_STANDARD,
		.places = {
			/* once a bio, when all about it is settled */
			{ .event = "biosub", .function = "submit_bio_noacct_nocheck",
				.fields = "!sector=bio->bi_iter.bi_sector "
					  "bytes=bio->bi_iter.bi_size opf=bio->bi_opf "
					  CGROUP("bio->bi_blkg->blkcg->css.") },
			/* twice a bio: first for the task, at sector 0 */
			{ .event = "blkassoc", .function = "bio_associate_blkg_from_css",
				.fields = "!sector=bio->bi_iter.bi_sector opf=bio->bi_opf "
					  CGROUP("css->") },
		},
	},
	{
		.name = "life of bios and requests",
		.gives = "merges, scheduler queues, completions",
		.costs = "device latencies cannot be fitted, nor merges by a scheduler be checked",
		.level = ZWB_LEVEL_STANDARD,
		.places = { { .tracepoints = "block/block_rq_complete block/block_getrq "
					     "block/block_bio_backmerge block/block_bio_frontmerge "
					     "block/block_rq_insert block/block_rq_merge "
					     "block/block_rq_requeue block/block_split" } },
	},
	{
		.name = "kswapd",
		.gives = "when background reclaim runs",
		.costs = "nothing that is reported yet",
		.level = ZWB_LEVEL_STANDARD,
		.places = { { .tracepoints = "vmscan/mm_vmscan_kswapd_wake "
					     "vmscan/mm_vmscan_kswapd_sleep" } },
	},
	{
		.name = "iocost",
		.gives = "what the IO cost controller decides: vrate, shares, debts forgiven",
		.costs = "iocost metrics rest on the model alone",
		.absence = "the kernel is built without CONFIG_BLK_CGROUP_IOCOST",
		.level = ZWB_LEVEL_STANDARD,
		.places = { { .tracepoints = "iocost/iocost_ioc_vrate_adj "
					     "iocost/iocost_iocg_activate iocost/iocost_iocg_idle "
					     "iocost/iocost_iocg_forgive_debt "
					     "iocost/iocost_inuse_adjust "
					     "iocost/iocost_inuse_transfer "
					     "iocost/iocost_inuse_shortage" } },
	},
	/* ---- full ---- */
	{
		.name = "task switches",
		.gives = "when tasks block and kblockd runs: flushes of plugs, waits",
		.costs = "that a task blocked is inferred from block_unplug; pressure disappears",
		.level = ZWB_LEVEL_FULL,
		.places = { { .tracepoints = "sched/sched_switch sched/sched_waking "
					     "sched/sched_wakeup" } },
	},
	{
		.name = "swap faults",
		.gives = "how long tasks wait for a swap-in",
		.costs = "swapin latency is the device's alone",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "swpfault", .function = "do_swap_page",
				.fields = "!addr=vmf->address", .ret = "ret=$retval" },
		},
	},
	{
		.name = "plug begins",
		.gives = "plugs from their begin, also those that stay empty",
		.costs = "outer plugs are inferred from block_plug and block_unplug",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "plugstart", .function = "blk_start_plug",
				.fields = "cur=(task_struct)$current->plug" },
		},
	},
	{
		.name = "plug ends",
		.gives = "the end of every plug",
		.costs = "outer plugs are inferred from block_plug and block_unplug",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "plugfinish", .function = "blk_finish_plug",
				.fields = "!plug=plug n=plug->rq_count "
					  "cur=(task_struct)$current->plug" },
		},
	},
	{
		.name = "plug flushes",
		.gives = "which plugs were flushed because their task blocked",
		.costs = "it is inferred from block_unplug",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "plugflush", .function = "__blk_flush_plug",
				.fields = "!from=from_schedule n=plug->rq_count" },
		},
	},
	{
		.name = "shrinker counts",
		.gives = "what the shrinker offered each time it was asked",
		.costs = "nothing that is reported yet",
		.absence = "zswap has no shrinker before 6.8",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "zcount", .function = "zswap_shrinker_count",
				.ret = "!ret=$retval " CGROUP("sc->memcg->css.") },
		},
	},
	{
		.name = "slab shrinking",
		.gives = "passes over all shrinkers, zswap's among them",
		.costs = "nothing that is reported yet",
		.level = ZWB_LEVEL_FULL,
		.places = { { .tracepoints = "vmscan/mm_shrink_slab_start "
					     "vmscan/mm_shrink_slab_end" } },
	},
	{
		.name = "swap-outs",
		.gives = "folios that reclaim hands to swap, before zswap is asked",
		.costs = "nothing that is reported yet",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "swpout", .function = "swap_writeout",
				.fields = "!slot=folio->swap.val" },
			{ .event = "swpout", .function = "swap_writepage",
				.fields = "!slot=page->private" },
		},
	},
	{
		.name = "write contexts",
		.gives = "bios of swap writes when they are submitted",
		.costs = "nothing that is reported yet",
		.absence = "kernels before 7.3 send a bio a page",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "swpsubmit", .function = "swap_write_submit",
				.fields = "sio=ctx->sio nr=ctx->sio->nr_bvecs "
					  "slot=ctx->sio->bvecs[0].bv_page->private" },
		},
	},
	{
		.name = "swap writes done",
		.gives = "when the pages of a swap write were released",
		.costs = "nothing that is reported yet",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "swpwrend", .function = "end_swap_bio_write",
				.fields = "!slot=(swap_iocb,bio)bio->bvecs[0].bv_page->private "
					  "nr=(swap_iocb,bio)bio->nr_bvecs" },
			{ .event = "swpwrend", .function = "end_swap_bio_write",
				.fields = "!slot=bio->bi_io_vec->bv_page->private" },
		},
	},
	{
		.name = "swap reads done",
		.gives = "when the pages of a swap-in became usable",
		.costs = "nothing that is reported yet",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "swprdend", .function = "swap_bio_read_end_io",
				.fields = "!slot=(swap_iocb,bio)bio->bvecs[0].bv_page->private "
					  "nr=(swap_iocb,bio)bio->nr_bvecs" },
			{ .event = "swprdend", .function = "end_swap_bio_read",
				.fields = "!slot=bio->bi_io_vec->bv_page->private" },
		},
	},
	{
		.name = "rotations",
		.gives = "pages that completion moved to the end of the LRU list",
		.costs = "pgrotated is known from vmstat alone",
		.level = ZWB_LEVEL_FULL,
		.places = {
			{ .event = "rotate", .function = "folio_rotate_reclaimable",
				.fields = "!slot=folio->swap.val|folio->private" },
		},
	},
	{ .name = NULL },
};

const struct want_field zwb_want_fields[] = {
	{ "cgid", "values by cgroup disappear, and bios of different cgroups are taken to merge" },
	{ "head", "every folio counts as one page" },
	{ "nr", "how much was asked for is not known; folios of several pages count as one" },
	{ "len", "compressed lengths come from the allocator alone" },
	{ "ref", "second chances are told by what a visit returned alone" },
	{ "type", "all slots are taken for those of the first swap area" },
	{ "bytes", "the length of a bio comes from block_bio_queue alone" },
	{ "opf", "flags of bios are known from block_bio_queue alone" },
	{ "sio", "submissions of nothing cannot be told from others" },
	{ "slot", "contexts are told by their time alone" },
	{ "pages", "how much was asked for is not known" },
	{ "n", "how full a plug was is not known" },
	{ "cur", "nested plugs are told from outer ones by counting" },
	{ NULL, NULL },
};
