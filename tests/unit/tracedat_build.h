/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small recordings made by hand for the tests of the trace.dat reader. */
#ifndef TRACEDAT_BUILD_H
#define TRACEDAT_BUILD_H

#include "datwriter.h"
#include "datwriter_page.h"
#include "stream.h"

#define BUILD_PAGE_BYTES 4096u
#define BUILD_START_NS	 1000000u /* of the first event that a test puts */

/* Events of the recordings. All but the last are known to the map "zlab". */
enum build_event {
	BUILD_ZSTORE, /* slot, cgroup id */
	BUILD_ZSTORE_RET, /* 1 stored */
	BUILD_ZLOAD, /* slot, cgroup id */
	BUILD_ZLOAD_RET, /* int: 0 hit */
	BUILD_SWPREAD, /* slot */
	BUILD_ISSUE, /* dev, sector, sectors, letters of the operation */
	BUILD_OTHER, /* a number */
	BUILD_NR_EVENTS
};

#define BUILD_FIRST_ID 500u

/* A folder for one test, removed with what is in it. */
struct build_place {
	char dir[32];
	char path[64]; /* dir/trace.dat */
	char other[64]; /* dir/other.dat */
};

int build_place_make(void **state);
int build_place_remove(void **state);

/* A version 6 file in the making. */
struct build {
	struct zwb_datwriter *writer;
	unsigned char page[BUILD_PAGE_BYTES];
	struct zwb_datpage builder;
};

void build_begin(struct build *b, const char *path, uint32_t nr_cpus);
/** build_put() - an event into the page in hand, with the values of its fields in order. */
void build_put(struct build *b, uint64_t ts_ns, int pid, enum build_event id, ...);
/** build_close() - finish the page in hand; a test may spoil it before build_page() writes it. */
void build_close(struct build *b);
/** build_page() - write the page in hand, closed or not, and begin the next one. */
void build_page(struct build *b, uint32_t cpu);
void build_end(struct build *b);

/** build_stores() - nr stores of rising slot, @step_ns apart from @ts_ns on, on one CPU. */
void build_stores(struct build *b, uint32_t cpu, int nr, uint64_t ts_ns, uint64_t step_ns);

/**
 * build_v7() - the version 6 file @from as version 7.
 * @codec: "none", "zlib" or "zstd".
 * @instance: NULL, or the name of a second buffer with the same pages.
 */
void build_v7(const char *from, const char *to, const char *codec, const char *instance);

/* ---- files and streams ---- */

unsigned char *build_slurp(const char *path, size_t *size);
void build_spill(const char *path, const void *data, size_t size);

/* All that a stream gave. */
struct build_result {
	int status; /* of the open or of the last next */
	struct zwb_err err;
	struct zwb_event *events;
	size_t nr;
	struct zwb_stream *stream; /* for its metadata; NULL when the open failed */
};

/** build_read() - open and read to the end. */
struct build_result build_read(const char *path, const char *instance);
void build_result_release(struct build_result *r);
/** build_loss() - sum of nr over the losses of @kind; -1 when there is none. */
long build_loss(const struct build_result *r, enum zwb_loss_kind kind);

#endif
