/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the trace.dat reader, shared by tracedat*.c only. */
#ifndef ZWB_TRACEDAT_PRIV_H
#define ZWB_TRACEDAT_PRIV_H

#include "eventmap.h"
#include "tracedat.h"

#define DAT_MAGIC	"\x17\x08\x44tracing"
#define DAT_MAGIC_BYTES 10
/* the number of chunks before a packed region, which trace-cmd leaves out of the region's size */
#define DAT_CHUNK_COUNT_BYTES 4u
#define DAT_CPUS_MAX	      65536u /* cpu is 16 bits in a record */

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
/** dat_text() - @len (at most @max) bytes as a new string; NULL, with status set, if it cannot. */
char *dat_text(struct dat_cursor *c, uint64_t len, size_t max);
/** dat_string() - NUL-terminated string of less than @size bytes into @to. */
void dat_string(struct dat_cursor *c, char *to, size_t size);
/** dat_fail() - mark @c failed with ZWB_EDATA, unless it already is. */
void dat_fail(struct dat_cursor *c, const char *why);
/** dat_nomem() - mark @c failed with ZWB_ENOMEM, unless it already is. */
void dat_nomem(struct dat_cursor *c);

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

/* ---- what stands before the events (tracedat_head.c, tracedat_v6.c, tracedat_v7.c) ---- */

#define DAT_LOCATORS_MAX 4

struct dat_format {
	char *system, *name;
	char *text; /* format file; NULL once it is compiled */
	uint16_t id;
	uint16_t bytes; /* of an event, without what its locators point to */
	uint16_t locators[DAT_LOCATORS_MAX]; /* offsets of 32-bit fields: length, offset of data */
	uint16_t nr_locators;
	int is_variable; /* events can be longer or shorter than all that says */
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

/* What the recorder's kernel said about a CPU when the recording ended. */
struct dat_cpustat {
	uint32_t cpu;
	uint64_t nr_lost; /* overrun and dropped */
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
	/* time = clock * mult >> shift, when mult is not 0 */
	uint32_t tsc_mult, tsc_shift;
	char clock[32];
	char release[128];
	char *tasks; /* saved_cmdlines */
	struct dat_format *formats;
	size_t nr_formats;
	uint16_t *by_id; /* event id to index of formats, or DAT_NO_FORMAT */
	struct dat_buffer *buffers;
	size_t nr_buffers;
	struct dat_cpustat *cpustats;
	size_t nr_cpustats;
	int is_unfinished; /* ZWB_DAT_UNFINISHED */
	uint64_t nr_markers; /* seen */
	int is_cut; /* the file ends before its buffers are described; they were searched for */
	uint64_t nr_stray_pages; /* of no CPU, or of two */
};

#define DAT_NO_FORMAT UINT16_MAX

int dat_head_read(struct dat_head *h, const char *path, struct zwb_err *err);
void dat_head_release(struct dat_head *h);

/* Version 6 from behind the page size, version 7 from behind the name of the compression. */
int dat_v6_read(struct dat_head *h, struct dat_cursor *c);
int dat_v7_read(struct dat_head *h, struct dat_cursor *c);

enum dat_option { /* also ids of the sections that an option points to */
	DAT_OPT_DONE = 0,
	DAT_OPT_CPUSTAT = 2,
	DAT_OPT_BUFFER = 3,
	DAT_OPT_TRACECLOCK = 4,
	DAT_OPT_UNAME = 5,
	DAT_OPT_CPUCOUNT = 8,
	DAT_OPT_VERSION = 9,
	DAT_OPT_TSC2NSEC = 14,
	DAT_OPT_HEADER_INFO = 16,
	DAT_OPT_FTRACE_EVENTS = 17,
	DAT_OPT_EVENT_FORMATS = 18,
	DAT_OPT_CMDLINES = 21,
};

/* Parts that both versions have; each reads from @c and leaves a failure there. */
void dat_head_header_info(struct dat_head *h, struct dat_cursor *c);
void dat_head_ftrace_events(struct dat_head *h, struct dat_cursor *c);
void dat_head_event_formats(struct dat_head *h, struct dat_cursor *c);
void dat_head_cmdlines(struct dat_head *h, struct dat_cursor *c);
void dat_head_cpus(struct dat_head *h, struct dat_cursor *c);
/** dat_head_option() - an option that both versions have; @c ends with it. Others are left. */
void dat_head_option(struct dat_head *h, struct dat_cursor *c, uint16_t id);
/** dat_head_add_buffer() - a new, empty buffer; NULL when @c has failed or memory is out. */
struct dat_buffer *dat_head_add_buffer(struct dat_head *h, struct dat_cursor *c);
/** dat_head_regions() - table of @nr regions, with the CPU in front of each or in order. */
void dat_head_regions(struct dat_buffer *b, struct dat_cursor *c, uint32_t nr, int has_cpu);
/**
 * dat_head_check_layout() - look for pages that no CPU claims, or that two do: an offset or a size
 * is wrong then. Regions follow each other on page borders, the last one ends at @end.
 */
void dat_head_check_layout(
	struct dat_head *h, struct dat_cursor *c, const struct dat_buffer *b, uint64_t end);
int dat_page_bytes_are_sane(uint32_t n);

/* ---- losses (tracedat_loss.c) ---- */

/* A stretch of time in which something was lost; times of the recording's clock. */
struct dat_gap {
	uint64_t nr;
	uint64_t first, last; /* half-open */
	int nr_is_known, has_first, has_last;
};

struct dat_losses;

struct dat_losses *dat_losses_create(size_t nr_cpus);
void dat_losses_free(struct dat_losses *l);
/** dat_losses_put() - take note; a gap without last ends with the recording. */
void dat_losses_put(
	struct dat_losses *l, unsigned int cpu, enum zwb_loss_kind kind, const struct dat_gap *gap);
/** dat_losses_put_event() - put one occurrence that is known from @first until after @last. */
void dat_losses_put_event(struct dat_losses *l, unsigned int cpu, enum zwb_loss_kind kind,
	uint64_t first, uint64_t last);
/**
 * dat_losses_write() - move what is known by now into the metadata.
 * @last: time of the last event so far.
 * @at_end: also what was summed up, and what ends with the recording.
 */
int dat_losses_write(struct dat_losses *l, struct zwb_meta *meta, uint64_t last, int at_end,
	struct zwb_err *err);
/** dat_losses_overrun() - events of @cpu put as overrun, as far as their number is known. */
uint64_t dat_losses_overrun(const struct dat_losses *l, unsigned int cpu);

/* ---- the events of one CPU of one buffer (tracedat_cpu.c) ---- */

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
	int is_restored; /* headers of zeros in this page make sense as events */
	struct dat_gap bad; /* not yet put into the losses */
	enum zwb_loss_kind bad_kind;
	int bad_is_open;

	/* inside the region */
	const struct dat_head *head;
	struct dat_losses *losses;
	uint32_t page_bytes;
	int is_packed;
	int is_cut; /* the region goes on behind the end of the file */
	uint64_t file_pos, file_end;
	uint32_t chunks_left;
	uint64_t nr_clean_tails, nr_dirty_tails; /* pages by what follows their events */
	unsigned char *window; /* pages in memory */
	size_t window_size, window_bytes, window_pos;
};

/** dat_cpu_time() - the recording's time in ns of a reading of its clock. */
uint64_t dat_cpu_time(const struct dat_head *head, uint64_t clock);

/** dat_cpu_open() - get ready to read a region; dat_cpu_next() gets the first event. */
int dat_cpu_open(struct dat_cpu *c, const struct dat_head *head, const struct dat_buffer *buffer,
	const struct dat_region *region, struct dat_losses *losses, struct zwb_err *err);
void dat_cpu_close(struct dat_cpu *c);
/** dat_cpu_flush() - put a gap that is still open into the losses; at the end. */
void dat_cpu_flush(struct dat_cpu *c);

/** dat_cpu_next() - Return: 1 with the event in hand, 0 at the end, negative status. */
int dat_cpu_next(struct dat_cpu *c, struct zwb_err *err);

/**
 * dat_cpu_marker() - the text of the event in hand, if that is a marker (marker.h).
 * Return: its first byte, and *@len, or NULL.
 */
const char *dat_cpu_marker(const struct dat_cpu *c, size_t *len);

/* ---- entry and return probes (tracedat_pair.c) ---- */

struct dat_pairing;

struct dat_pairing *dat_pairing_create(struct dat_losses *losses);
void dat_pairing_free(struct dat_pairing *p);
/**
 * dat_pairing_event() - see one event in time order.
 * The slot of a STORE_END, LOAD_END or WRITEBACK_END that has none is taken from its entry.
 * @abs_ts: time of the event on the recording's clock.
 */
void dat_pairing_event(struct dat_pairing *p, struct zwb_event *ev, uint64_t abs_ts);
/** dat_pairing_status() - ZWB_OK, or ZWB_ENOMEM once memory was out. */
int dat_pairing_status(const struct dat_pairing *p);
/** dat_pairing_end() - report what is still open. */
void dat_pairing_end(struct dat_pairing *p);

/* ---- formats and the event map (tracedat_format.c) ---- */

/** dat_formats_choose() - the map at @path, or the built-in one that fits the recording. */
int dat_formats_choose(
	struct dat_head *h, const char *path, struct zwb_eventmap **map, struct zwb_err *err);
/** dat_formats_compile() - decoders for what @map knows; ZWB_EKIND when that is nothing. */
int dat_formats_compile(struct dat_head *h, const struct zwb_eventmap *map, struct zwb_err *err);
/** dat_formats_tally() - events seen and what they lack, into the metadata; at the end. */
int dat_formats_tally(const struct dat_head *h, struct zwb_meta *meta, struct zwb_err *err);

#endif
