/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets share. Where it is cheap each input is tried twice, to the same end. */
#ifndef FUZZ_UTIL_H
#define FUZZ_UTIL_H

#include "stream.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_HASH_START 0xcbf29ce484222325u

/** fuzz_hash() - go on hashing with @len bytes. */
uint64_t fuzz_hash(uint64_t hash, const void *data, size_t len);

/** fuzz_drain() - read the stream to its end or failure and close it: a hash of all it said. */
uint64_t fuzz_drain(struct zwb_stream *stream);

/* Not a file in memory: HDF5 asks for the real path. */
struct fuzz_file {
	int fd;
	char path[32];
};

/** fuzz_file_write() - put @size bytes into a new file; ends the process when it cannot. */
void fuzz_file_write(struct fuzz_file *file, const void *data, size_t size);
void fuzz_file_close(struct fuzz_file *file);

/** fuzz_same() - end the process unless both are the same. */
void fuzz_same(uint64_t first, uint64_t second);

#endif
