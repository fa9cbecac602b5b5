/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of a writeback policy. Installed: a policy outside this tree needs nothing else. */
#ifndef ZWB_POLICY_OPS_H
#define ZWB_POLICY_OPS_H

#include "param.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A policy decides what becomes of the entries that an LRU walk writes back: when they enter a swap
 * IO context (mm/page_io.c struct swap_io_ctx), in which order, and when the context is submitted.
 * The engine does the rest: slot to sector, the append rule of the context, plug, merges, device.
 *
 * For every walk of the recording, in the order of time, the engine calls
 *
 *	walk_begin(w)          the walk starts; w->priv is zeroed
 *	page(w, p)             the entry at p->slot is in the swap cache and wants to be written;
 *	                       called where the kernel calls __swap_writepage()
 *	walk_end(w)            the walk is over. What it left unsubmitted the engine submits, as the
 *	                       kernel's owner of the context does.
 *
 * A callback that is NULL does what the knobs say: page() appends, and with ctx=entry submits at
 * once; walk_end() submits. Walks nest and interleave between tasks; a walk is only ever seen by
 * one thread. Callbacks cannot fail and must not keep pointers to @w or @p.
 *
 * With plug=walk the engine starts a plug before walk_begin() and finishes it after walk_end(); as
 * in the kernel that is without effect where the task holds an outer plug already.
 */

#define ZWB_POLICY_ABI 1u

enum zwb_ctx_scope { ZWB_CTX_ENTRY, ZWB_CTX_WALK };
enum zwb_plug_scope { ZWB_PLUG_NONE, ZWB_PLUG_WALK };
/* SWAP: REQ_SWAP, issued as root. BACKGROUND: with REQ_BACKGROUND, a merge class of its own. */
enum zwb_write_class { ZWB_WRITE_SWAP, ZWB_WRITE_BACKGROUND };

struct zwb_knobs {
	enum zwb_ctx_scope ctx;
	enum zwb_plug_scope plug;
	enum zwb_write_class write_class;
};

/* One entry on its way to the swap device. */
struct zwb_page {
	uint64_t slot; /* offset in its swap area */
	uint64_t ts_ns; /* when the recording wrote it */
	uint32_t nr_pages;
	uint32_t cgroup; /* index of the owner's cgroup */
	uint32_t swap_type;
};

struct zwb_policy_host;

/* One LRU walk, as the policy sees it. */
struct zwb_walk {
	const struct zwb_policy_host *host;
	const int64_t *params; /* values of ops->params, in its order */
	void *priv; /* ops->walk_bytes bytes of the policy's own */
	uint64_t begin_ns; /* when the walk began */
	uint32_t cgroup; /* of the list that is walked; 0 unknown */
	uint32_t kind; /* enum zwb_walk_kind of the trace */
};

/* What the engine offers; call through the functions below. */
struct zwb_policy_host {
	void (*append)(struct zwb_walk *w, const struct zwb_page *p);
	void (*submit)(struct zwb_walk *w);
	void (*collect)(struct zwb_walk *w, const struct zwb_page *p);
	struct zwb_page *(*collected)(struct zwb_walk *w, size_t *nr_pages);
};

/**
 * zwb_walk_append() - put a page into the walk's context: it joins the bio that is being built when
 * its first sector follows the bio's last, on the same device, for the same cgroup and up to 32
 * folios; otherwise that bio is submitted and a new one begun.
 */
static inline void zwb_walk_append(struct zwb_walk *w, const struct zwb_page *p)
{
	w->host->append(w, p);
}

/** zwb_walk_submit() - submit the bio that is being built, if there is one. */
static inline void zwb_walk_submit(struct zwb_walk *w)
{
	w->host->submit(w);
}

/** zwb_walk_collect() - keep a copy of a page for later; the array is emptied by collected(). */
static inline void zwb_walk_collect(struct zwb_walk *w, const struct zwb_page *p)
{
	w->host->collect(w, p);
}

/**
 * zwb_walk_collected() - the pages kept so far, for the policy to reorder; the next collect()
 * starts a new array in the same memory.
 */
static inline struct zwb_page *zwb_walk_collected(struct zwb_walk *w, size_t *nr_pages)
{
	return w->host->collected(w, nr_pages);
}

struct zwb_policy_ops {
	/* given by the author */
	uint32_t abi; /* ZWB_POLICY_ABI */
	const char *name;
	const char *summary; /* one line */
	struct zwb_knobs knobs; /* defaults; every policy takes ctx=, plug= and class= */
	const struct zwb_param *params; /* of its own, or NULL */
	size_t walk_bytes; /* private bytes of one open walk, at most 4096 */
	void (*walk_begin)(struct zwb_walk *w);
	void (*page)(struct zwb_walk *w, const struct zwb_page *p);
	void (*walk_end)(struct zwb_walk *w);
};

/* Name of the symbol that "--policy ./mine.so" looks for. */
#define ZWB_POLICY_SYMBOL "zwb_policy_plugin"

/*
 * ZWB_POLICY_EXPORT(NAME) ends a policy's file. Inside this tree it is empty and the build makes
 * the table; a shared object is compiled with -DZWB_POLICY_SHARED.
 */
#ifdef ZWB_POLICY_SHARED
#define ZWB_POLICY_EXPORT(name)                                                                    \
	extern const struct zwb_policy_ops *const zwb_policy_plugin;                               \
	__attribute__((visibility("default")))                                                     \
	const struct zwb_policy_ops *const zwb_policy_plugin = &zwb_policy_##name
#else
#define ZWB_POLICY_EXPORT(name) _Static_assert(1, "")

/* What is built in, by name, NULL at the end; made by the build from policies/. */
extern const struct zwb_policy_ops *const zwb_policy_table[];
#endif

#endif
