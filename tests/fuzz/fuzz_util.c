/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t fuzz_hash(uint64_t hash, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u; /* FNV-1a */
	return hash;
}

static uint64_t hash_meta(uint64_t hash, const struct zwb_meta *meta)
{
	const uint64_t numbers[] = { meta->start_ns, meta->end_ns, meta->nr_events, meta->nr_cpus,
		meta->nr_cgroups, meta->nr_tasks, meta->nr_devices, meta->nr_losses,
		meta->nr_tallies, meta->nr_unknowns, zwb_meta_lost_events(meta) };

	return fuzz_hash(hash, numbers, sizeof(numbers));
}

uint64_t fuzz_drain(struct zwb_stream *stream)
{
	uint64_t hash = FUZZ_HASH_START;
	const struct zwb_event *events;
	size_t nr;
	int ret;

	do {
		ret = zwb_stream_next(stream, &events, &nr, NULL);
		hash = fuzz_hash(hash, &ret, sizeof(ret));
		if (ret == ZWB_OK)
			hash = fuzz_hash(hash, events, nr * sizeof(*events));
	} while (ret == ZWB_OK && nr > 0);
	hash = hash_meta(hash, stream->meta);
	zwb_stream_close(stream);
	return hash;
}

void fuzz_file_write(struct fuzz_file *file, const void *data, size_t size)
{
	snprintf(file->path, sizeof(file->path), "/tmp/zwb-fuzz-XXXXXX");
	file->fd = mkstemp(file->path);
	if (file->fd < 0 || write(file->fd, data, size) != (ssize_t)size)
		abort();
}

void fuzz_file_close(struct fuzz_file *file)
{
	unlink(file->path);
	close(file->fd);
}

void fuzz_same(uint64_t first, uint64_t second)
{
	if (first == second)
		return;
	fprintf(stderr, "the same input led to different results\n");
	abort();
}
