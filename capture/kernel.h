/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel is and what it can record: its BTF, its symbols, its trace events. */
#ifndef ZWB_KERNEL_H
#define ZWB_KERNEL_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Loading looks and changes nothing: it mounts no tracefs and creates no event. What cannot be read
 * is left out, so that as much as possible can be said about a kernel without privileges;
 * zwb_kernel_check() says whether what is there is enough to record.
 */

/* What the parser of this kernel's dynamic events takes; read from tracefs' README. */
struct zwb_probe_abilities {
	bool kprobe; /* "p:" and "r:" */
	bool fprobe; /* "f:" and "f:... SYMBOL%return" */
	bool btf_args; /* folio->swap.val */
	bool typecast; /* (zswap_entry,lru)item->length */
	bool current_task; /* $current */
	bool entry_args_at_return; /* $argN beside $retval */
	bool fprobe_max_active; /* "f512:": return probes see only so many tasks at once */
};

/* How a function can be probed. */
enum zwb_reach {
	ZWB_REACH_OK,
	ZWB_REACH_NO_SUCH, /* no such symbol: this kernel never had it, or it is inlined */
	ZWB_REACH_RENAMED, /* only with a suffix (.isra.0, .constprop.0): arguments may differ */
	ZWB_REACH_AMBIGUOUS, /* several functions have this name */
	ZWB_REACH_BLOCKED, /* exists, and must not be probed */
};

struct zwb_btf;
struct zwb_symbols;

struct zwb_kernel {
	char *release; /* "7.3.4+deb13-cloud-amd64"; "" not known */
	char *tracing; /* where tracefs is; NULL: not mounted, or a stored kernel */
	bool is_stored; /* read from files, not the running system */
	bool may_trace; /* root, or tracefs may be written otherwise */
	bool has_zswap; /* built in */
	bool is_known; /* tracefs could be read: @can holds */
	struct zwb_probe_abilities can;
	struct zwb_btf *btf; /* NULL: the kernel has none */
	struct zwb_symbols *symbols; /* never NULL */
};

/**
 * zwb_kernel_load() - look at a kernel.
 * @dir: NULL: the running one. Else a directory with files copied from a machine: release
 *       (uname -r), btf/vmlinux and btf/MODULE (/sys/kernel/btf), kallsyms, and from tracefs
 *       README, available_filter_functions, available_events. Each may be missing.
 * @out: freed by zwb_kernel_free().
 * Return: ZWB_OK; ZWB_ENOMEM; ZWB_EENV when @dir is no directory.
 */
int zwb_kernel_load(const char *dir, struct zwb_kernel **out, struct zwb_err *err);

/** zwb_kernel_free() - NULL allowed. */
void zwb_kernel_free(struct zwb_kernel *kernel);

/**
 * zwb_kernel_check() - can anything be recorded here at all?
 * Return: ZWB_OK, or ZWB_EENV with what is missing and what to do: no tracefs, not root, no dynamic
 * probes, no BTF, no zswap.
 */
int zwb_kernel_check(const struct zwb_kernel *kernel, struct zwb_err *err);

/** zwb_kernel_reach() - can @function be probed? */
enum zwb_reach zwb_kernel_reach(const struct zwb_kernel *kernel, const char *function);

/** zwb_kernel_has_event() - is there a tracepoint event @system/@event? */
bool zwb_kernel_has_event(const struct zwb_kernel *kernel, const char *system, const char *event);

#endif
