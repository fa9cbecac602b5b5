/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of what a capture knows about its host; shared by host*.c only. */
#ifndef ZWB_HOST_PRIV_H
#define ZWB_HOST_PRIV_H

#include "host.h"
#include "hostfile.h"

#include <stdbool.h>

#define HOST_NAME	 128u /* of a device */
#define HOST_SECTION	 512u
#define HOST_CGROUP_NAME 448u /* longer ones are cut in sections */
#define HOST_CGROUPS_MAX 8192u /* that are given a name */
#define HOST_SWAPS_MAX	 32u /* MAX_SWAPFILES of the kernel is less */

/* Which lines of a file a sample has; at the start and at the end it has all of them. */
enum host_filter {
	HOST_ALL,
	HOST_VMSTAT, /* what changes with swap and reclaim */
	HOST_MEMINFO,
	HOST_MEMORY_STAT,
	HOST_IO_STAT, /* of the disks of swap areas */
	HOST_DISKSTATS, /* likewise, and never any other */
	HOST_STAT, /* sums over all CPUs, and never any other */
	HOST_NEVER, /* not in samples at all */
	HOST_NR_FILTERS
};

/* A file of counters. */
struct host_file {
	char *section; /* "counters vmstat" */
	char *key; /* of a content that is only a number; "" */
	char *path;
	uint64_t cgroup; /* its number; 0: of the system */
	int fd; /* negative: opened when needed, or gone */
	enum host_filter filter;
	uint64_t last; /* hash of what the last sample had of it */
};

struct host_cgroup {
	uint64_t id;
	char *path; /* as it is: "/w0" */
	bool is_counted, has_files;
	bool is_new; /* not told in the facts yet */
};

struct host_swap {
	char path[HOSTFILE_PATH]; /* as it is */
	char kind[16];
	char size_kib[24], priority[24]; /* as /proc/swaps has them */
	char device[HOST_NAME]; /* the area or its file system is on: "vda1"; "" unknown */
	char disk[HOST_NAME]; /* the whole one: "vda" */
	char disk_number[24]; /* "254:0" */
	bool is_new;
};

struct zwb_host {
	char *root; /* "" or the begin of every path */
	char *cgroup_root; /* of the unified hierarchy, behind root; NULL: there is none */
	char *cgroup; /* counted, with those below it; NULL: all */
	size_t nr_counted_max;
	bool is_anonymous;
	struct zwb_anon anon; /* if so */

	struct host_swap *swaps; /* by type */
	size_t nr_swaps;
	struct host_cgroup *cgroups; /* upper levels first */
	size_t nr_cgroups, nr_counted;
	bool has_more_cgroups; /* than HOST_CGROUPS_MAX */
	struct host_file *files;
	size_t nr_files;
	bool has_system_files;
	struct zwb_host_cost cost;
};

/* Sections in the making; failures are remembered. */
struct host_out {
	struct zwb_host *host;
	struct zwb_markers *markers;
	enum zwb_phase phase;
	uint64_t ts_ns; /* of the next section */
	struct zwb_buf text;
	int status;
	struct zwb_err *err;
};

/** host_put() - write the text as @section, unless it is empty, and empty it. */
void host_put(struct host_out *out, const char *section);

/** host_line() - add "KEY: VALUE"; nothing when @value is "". */
void host_line(struct host_out *out, const char *key, const char *value);

/** host_cgroup_name() - what a cgroup is called in sections, on one line. */
void host_cgroup_name(const struct zwb_host *host, const char *path, char *to, size_t room);

/** host_swap_name() - likewise a swap area. */
void host_swap_name(const struct zwb_host *host, const char *path, char *to, size_t room);

/** host_file_line() - add "KEY: CONTENT" of the file that @fmt says, if it is there. */
void host_file_line(struct host_out *out, const char *key, const char *fmt, ...) ZWB_PRINTF(3, 4);

/** host_folder_lines() - add "NAME: CONTENT" of every file of a folder, by name. */
void host_folder_lines(struct host_out *out, const char *fmt, ...) ZWB_PRINTF(2, 3);

/* ---- swap areas and their disks (host_swap.c) ---- */

/** host_find_swaps() - read /proc/swaps; areas that are known stay as they are. */
int host_find_swaps(struct zwb_host *host, struct zwb_err *err);

/** host_is_swap_device() - is @name the device or the disk of a swap area? */
bool host_is_swap_device(const struct zwb_host *host, const char *name, size_t len);

/** host_put_swaps() - sections "swap TYPE" and "extents TYPE" of areas that are new. */
void host_put_swaps(struct host_out *out);

/* ---- queues (host_queue.c) ---- */

/** host_put_queues() - sections about the disks of the swap areas. */
void host_put_queues(struct host_out *out);

/* ---- cgroups (host_cgroup.c) ---- */

/** host_find_cgroups() - look for the hierarchy, then for cgroups that are not known yet. */
int host_find_cgroups(struct zwb_host *host, struct zwb_err *err);

/** host_forget_cgroups() - those that are no more, with their files. */
void host_forget_cgroups(struct zwb_host *host);

/** host_put_cgroups() - sections "cgroups" and "facts cgroup PATH". */
void host_put_cgroups(struct host_out *out);

/* ---- counters (counters.c) ---- */

/** host_open_counters() - files of the system and of cgroups that have none yet. */
int host_open_counters(struct zwb_host *host, struct zwb_err *err);
void host_close_counters(struct zwb_host *host);
/** host_close_counters_of() - only those of one cgroup. */
void host_close_counters_of(struct zwb_host *host, uint64_t cgroup);
/** host_put_counters() - read and write the files from number @from up to before @to. */
void host_put_counters(struct host_out *out, size_t from, size_t to);

#endif
