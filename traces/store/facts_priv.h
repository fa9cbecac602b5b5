/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of facts share. */
#ifndef ZWB_FACTS_PRIV_H
#define ZWB_FACTS_PRIV_H

#include "facts.h"

#include <stdbool.h>

#define FACTS_LINE	  4096u /* longer lines are cut */
#define FACTS_NAME	  64u
#define FACTS_SOURCE	  512u /* "cgroup PATH memory.stat" */
#define FACTS_SECTORS_MAX (UINT64_C(1) << 54) /* 2^63 bytes: no device is larger */
#define FACTS_MAX_PARTS	  256u
#define FACTS_MAX_SWAPS	  32u
#define FACTS_MAX_EXTENTS 65536u

/* Text in memory, taken line by line. */
struct facts_text {
	const char *at;
	const char *end;
	unsigned int line; /* number of the line last taken */
};

/* A disk or partition. */
struct facts_part {
	char name[32];
	uint32_t major, minor;
	bool has_number; /* major and minor are known */
	bool has_start;
	uint64_t start_sector;
};

/* An extent of a swap file in blocks of its file system. */
struct facts_extent {
	uint64_t first_block;
	uint64_t nr_blocks;
};

struct facts_extents {
	struct facts_extent *rows;
	size_t nr;
	uint64_t block_bytes;
};

struct facts_swap_row {
	char path[FACTS_NAME];
	char kind[16];
	uint64_t size_kib; /* without the header */
	/* of markers only; else there is one swap disk, and one swap file at most */
	bool is_whole; /* what follows is all there is to know */
	char disk[32];
	bool has_start;
	uint64_t start_sector; /* of the device that the area, or its file system, is on */
	struct facts_extents extents;
};

/* Everything gathered while the texts are read; what it means is decided at the end. */
struct facts {
	struct zwb_meta *m;
	struct zwb_err *err;
	int status; /* first failure: no memory */
	uint64_t nr_lost; /* lines cut or left out */

	struct facts_part parts[FACTS_MAX_PARTS];
	size_t nr_parts;
	struct facts_swap_row swaps[FACTS_MAX_SWAPS];
	size_t nr_swaps;
	struct facts_extents extents; /* of the swap file */
	char fs_dev[32]; /* device of that file system: "vda" */
	char swap_disk[32]; /* whole disk of the swap area: "vda" */

	char cgroups[2][FACTS_NAME]; /* of the one-file layout: the workload, and "w." */
	uint64_t blkstat[2][17]; /* of a disk without a name, before and after */
	size_t nr_blkstat[2];
};

void facts_release(struct facts *fx);

/* Next line, without its end, cut to FACTS_LINE. Return: false at the end. */
bool facts_line(struct facts *fx, struct facts_text *text, char line[FACTS_LINE]);

/* Rows of the metadata; failures and overflow are remembered in @fx. */
void facts_add(struct facts *fx, const char *section, const char *key, const char *value);
void facts_add_new(struct facts *fx, const char *section, const char *key, const char *value);
void facts_count(
	struct facts *fx, uint64_t ts_ns, const char *source, const char *key, int64_t value);
void facts_cgroup(struct facts *fx, uint64_t id, const char *path);

/* Words of a line, separated by blanks; modifies @line. Return: how many, at most @max. */
size_t facts_words(char *line, char **words, size_t max);

/* A whole decimal number. */
bool facts_u64(const char *text, uint64_t *value);

/*
 * Scanning along a line. Each moves *@at past what it took; on a mismatch it returns false and *@at
 * is of no more use.
 */
/* @literal, in which a blank stands for any number of blanks. */
bool facts_take(const char **at, const char *literal);
bool facts_take_u64(const char **at, uint64_t *value);
/* Up to the next blank, cut to @room. */
bool facts_take_word(const char **at, char *word, size_t room);

/* The word in brackets of "none [mq-deadline]", or the only word; "" else. */
void facts_scheduler(struct facts *fx, const char *text);

/* -- counters: lines of files under /proc and /sys -- */

/* How the lines of such a file are built. */
enum facts_form {
	FACTS_KEY_VALUE, /* "pgscan 12", "MemFree: 5 kB" */
	FACTS_KEYED, /* "254:0 rbytes=1 wbytes=2" */
	FACTS_PRESSURE, /* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" */
	FACTS_DISKSTATS, /* " 254 0 vda 1 2 3 ..." */
	FACTS_BLKSTAT, /* " 1 2 3 ..." */
	FACTS_INFLIGHT, /* reads and writes */
	FACTS_SINGLE, /* a number */
	FACTS_PATH_VALUE, /* "/sys/kernel/debug/zswap/stored_pages:5" */
	FACTS_PROC_STAT, /* "cpu 1 2 3 ..." */
	FACTS_UPTIME, /* seconds */
	FACTS_SAMPLES, /* seconds, then numbers */
	FACTS_NO_FORM
};

/* A file whose lines are being read. */
struct facts_file {
	enum facts_form form;
	char source[FACTS_SOURCE];
	char key[FACTS_NAME]; /* FACTS_SINGLE */
	uint64_t ts_ns; /* or ZWB_COUNTER_BEFORE, ZWB_COUNTER_AFTER */
};

/* The form of a file called @name ("memory.stat"), FACTS_NO_FORM when it is not known. */
enum facts_form facts_form_of(const char *name);

/* The row of /sys/block/NAME/stat, where diskstats has none. */
void facts_put_blkstat(struct facts *fx);

/* The file @name of @cgroup, or of the whole system when that is NULL. */
struct facts_file facts_file_of(const char *cgroup, const char *name, uint64_t ts_ns);

void facts_counter_line(struct facts *fx, const struct facts_file *file, char *line);

/* Time of a sample, from seconds in the clock of the trace. Return: false: not in the trace. */
bool facts_sample_time(struct facts *fx, const char *seconds, uint64_t *ts_ns);

/* -- the texts -- */

void facts_read_notes(struct facts *fx, struct facts_text text);
void facts_read_counters(struct facts *fx, struct facts_text text, uint64_t when);
void facts_read_series(struct facts *fx, struct facts_text text);
void facts_read_one_file(struct facts *fx, struct facts_text text);

/* One event of the marker CPU; @arg: struct facts. See zwb_tracedat_markers(). */
void facts_marker(void *arg, uint64_t ts_ns, const char *marker, size_t len);

/* Lines that both layouts have. */
void facts_iocost(struct facts *fx, const char *what, const char *text);
void facts_probe(struct facts *fx, char *line);

/* -- geometry -- */

/* Lines of /proc/swaps, /proc/partitions, of mounts and of filefrag. Return: was it one? */
bool facts_swaps_line(struct facts *fx, const char *line);
bool facts_geometry_line(struct facts *fx, const char *line);
/* Add an extent, or count it as lost. */
void facts_add_extent(struct facts *fx, struct facts_extents *to, struct facts_extent extent);
/* The disk or partition called @name, new when not seen before; NULL when there are too many. */
struct facts_part *facts_part(struct facts *fx, const char *name);
/* A disk or partition, and the disk that the swap area is on, have these numbers. */
void facts_number_part(struct facts *fx, const char *name, uint64_t major, uint64_t minor);
void facts_swap_disk(struct facts *fx, const char *name, uint64_t major, uint64_t minor);

/* Does IO to a device of this name end in the caller (SWP_SYNCHRONOUS_IO)? -1: not known. */
int facts_is_synchronous(const char *disk);

/* Swap areas, extents and names of devices into the metadata. */
void facts_put_geometry(struct facts *fx);

/* @type's only extent is a guess: the whole disk. */
int facts_guess(struct zwb_meta *m, struct zwb_swap *swap, struct zwb_err *err);

#endif
