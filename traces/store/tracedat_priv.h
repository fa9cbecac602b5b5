/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the trace.dat reader, shared by tracedat*.c only. */
#ifndef ZWB_TRACEDAT_PRIV_H
#define ZWB_TRACEDAT_PRIV_H

#include "eventmap.h"
#include "tracedat.h"

#define DAT_MAGIC	"\x17\x08\x44tracing"
#define DAT_MAGIC_BYTES 10

/* ---- the file, and reading positions in it (tracedat_file.c) ---- */

struct dat_file {
	int fd;
	uint64_t size;
	const char *path; /* borrowed, for errors */
};

int dat_file_open(struct dat_file *f, const char *path, struct zwb_err *err);
void dat_file_close(struct dat_file *f);

/** dat_file_read() - all @len bytes at @offset, or ZWB_EDATA past the end, or ZWB_EENV. */
int dat_file_read(
	const struct dat_file *f, uint64_t offset, void *to, size_t len, struct zwb_err *err);

/*
 * A reading position in the file or in memory. The first failure sticks: later reads give zeros,
 * and status tells. So a run of fields is read first and judged once.
 */
struct dat_cursor {
	const struct dat_file *file;
	const unsigned char *mem; /* NULL: positions are those of the file */
	uint64_t pos, end;
	const char *what; /* part of the file being read, for errors */
	int status;
	struct zwb_err *err;
};

void dat_read(struct dat_cursor *c, void *to, size_t len);
void dat_skip(struct dat_cursor *c, uint64_t len);
uint8_t dat_u8(struct dat_cursor *c);
uint16_t dat_u16(struct dat_cursor *c);
uint32_t dat_u32(struct dat_cursor *c);
uint64_t dat_u64(struct dat_cursor *c);
/** dat_text() - @len bytes as a new NUL-terminated string; NULL (status set) when it cannot be. */
char *dat_text(struct dat_cursor *c, uint64_t len);
/** dat_string() - NUL-terminated string of less than @size bytes into @to. */
void dat_string(struct dat_cursor *c, char *to, size_t size);
/** dat_fail() - mark @c failed with ZWB_EDATA, unless it already is. */
void dat_fail(struct dat_cursor *c, const char *why);

/* ---- compression (tracedat_file.c) ---- */

enum dat_codec { DAT_PLAIN, DAT_ZLIB, DAT_ZSTD };

/* Context of the decompressors; made once per file. */
struct dat_unpacker {
	enum dat_codec codec;
	void *context;
};

int dat_unpacker_init(struct dat_unpacker *u, enum dat_codec codec, struct zwb_err *err);
void dat_unpacker_release(struct dat_unpacker *u);
/** dat_unpack() - @from into exactly @to_len bytes. Return: 0, or -1 when it is damaged. */
int dat_unpack(
	const struct dat_unpacker *u, const void *from, size_t from_len, void *to, size_t to_len);

/* ---- what stands before the events (tracedat_head.c) ---- */

struct dat_format {
	char *system, *name;
	char *text; /* format file; NULL once it is compiled */
	uint16_t id;
	uint64_t nr; /* events seen */
	struct zwb_decoder *decoder; /* NULL: the map does not know it */
};

struct dat_region {
	uint32_t cpu;
	uint64_t offset, size; /* as the file says: may lie behind its end */
};

struct dat_buffer {
	char name[256];
	uint32_t page_bytes;
	int is_packed;
	struct dat_region *regions;
	size_t nr_regions;
};

struct dat_head {
	struct dat_file file;
	struct dat_unpacker unpacker;
	unsigned int version;
	uint32_t page_bytes;
	uint32_t nr_cpus;
	int has_cpus; /* nr_cpus was in the file */
	/* shape of a ring-buffer page, from header_page */
	uint32_t commit_offset, commit_bytes, data_offset;
	/* time = (clock * mult >> shift), when mult is not 0 */
	uint32_t tsc_mult, tsc_shift;
	char clock[32];
	char release[128];
	char *tasks; /* saved_cmdlines */
	struct dat_format *formats;
	size_t nr_formats;
	struct dat_buffer *buffers;
	size_t nr_buffers;
	int is_cut; /* the file ends before its buffers are described */
};

int dat_head_read(struct dat_head *h, const char *path, struct zwb_err *err);
void dat_head_release(struct dat_head *h);

/* ---- the events of one CPU of one buffer (tracedat_cpu.c) ---- */

/* A stretch of time in which something was lost; times of the recording's clock. */
struct dat_gap {
	uint64_t nr;
	uint64_t first, last;
	int nr_is_known, has_first, has_last;
};

/* Where gaps go: the reader turns them into losses of the metadata. */
struct dat_gap_sink {
	void (*put)(struct dat_gap_sink *sink, unsigned int cpu, enum zwb_loss_kind kind,
		const struct dat_gap *gap);
};

struct dat_cpu {
	/* the event in hand */
	uint64_t ts;
	const unsigned char *data;
	uint32_t data_bytes;

	unsigned int cpu;
	/* inside the page */
	const unsigned char *pos, *end;
	uint64_t page_ts; /* running clock, before conversion */
	int has_last; /* ts is that of an event */
	struct dat_gap bad; /* not yet put into the sink */
	enum zwb_loss_kind bad_kind;
	int bad_is_open;

	/* inside the region */
	const struct dat_head *head;
	struct dat_gap_sink *sink;
	uint32_t page_bytes;
	int is_packed;
	int is_cut; /* the region goes on behind the end of the file */
	uint64_t file_pos, file_end;
	uint32_t chunks_left;
	unsigned char *window; /* pages in memory */
	size_t window_size, window_bytes, window_pos;
};

/** dat_cpu_time() - the recording's time in ns of a reading of its clock. */
uint64_t dat_cpu_time(const struct dat_head *head, uint64_t clock);

/**
 * dat_cpu_open() - get ready to read a region; dat_cpu_next() gets the first event.
 * @window_bytes: how much of an unpacked region to read at once; at least a page.
 */
int dat_cpu_open(struct dat_cpu *c, const struct dat_head *head, const struct dat_buffer *buffer,
	const struct dat_region *region, size_t window_bytes, struct dat_gap_sink *sink,
	struct zwb_err *err);
void dat_cpu_close(struct dat_cpu *c);
/** dat_cpu_flush() - put a gap that is still open into the sink; at the end. */
void dat_cpu_flush(struct dat_cpu *c);

/** dat_cpu_next() - Return: 1 with the event in hand, 0 at the end, negative status. */
int dat_cpu_next(struct dat_cpu *c, struct zwb_err *err);

/* ---- entry and return probes (tracedat_pair.c) ---- */

struct dat_pairing;

struct dat_pairing *dat_pairing_create(struct dat_gap_sink *sink);
void dat_pairing_free(struct dat_pairing *p);
/**
 * dat_pairing_event() - see one event in time order.
 * The slot of a STORE_END, LOAD_END or WRITEBACK_END that has none is taken from its entry.
 * @abs_ts: time of the event on the recording's clock.
 */
void dat_pairing_event(struct dat_pairing *p, struct zwb_event *ev, uint64_t abs_ts);
/** dat_pairing_end() - report what is still open. */
void dat_pairing_end(struct dat_pairing *p);

#endif
