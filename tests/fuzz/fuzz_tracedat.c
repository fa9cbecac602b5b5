/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input is a trace.dat. */
#include "fuzz_util.h"

#include "facts.h"
#include "tracedat.h"

static uint64_t read_once(const char *path)
{
	struct zwb_stream *stream;
	int ret = zwb_tracedat_open(path, NULL, &stream, NULL);

	if (ret)
		return fuzz_hash(FUZZ_HASH_START, &ret, sizeof(ret));
	if (zwb_tracedat_has_markers(stream)) {
		ret = zwb_facts_load_markers(stream, NULL);
		if (ret) {
			zwb_stream_close(stream);
			return fuzz_hash(FUZZ_HASH_START, &ret, sizeof(ret));
		}
	}
	return fuzz_drain(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file;

	fuzz_file_write(&file, data, size);
	fuzz_same(read_once(file.path), read_once(file.path));
	fuzz_file_close(&file);
	return 0;
}
