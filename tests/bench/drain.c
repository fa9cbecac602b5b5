/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a stream to its end and does nothing with it: drain FILE|synth:EVENTS */
#include "err.h"
#include "h5store.h"
#include "synth.h"
#include "tracedat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_stream(const char *name, struct zwb_stream **stream, struct zwb_err *err)
{
	struct zwb_synth_params params;

	if (strncmp(name, "synth:", 6) == 0) {
		zwb_synth_defaults(&params);
		params.nr_events = strtoull(name + 6, NULL, 10);
		return zwb_synth_open(&params, stream, err);
	}
	if (zwb_tracedat_is(name))
		return zwb_tracedat_open(name, NULL, stream, err);
	return zwb_store_open(name, stream, err);
}

int main(int argc, char **argv)
{
	struct zwb_err err = { 0 };
	const struct zwb_event *events;
	struct zwb_stream *stream;
	uint64_t nr_events = 0;
	size_t nr = 0;
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: drain FILE|synth:EVENTS\n");
		return 2;
	}
	ret = open_stream(argv[1], &stream, &err);
	if (!ret) {
		do {
			ret = zwb_stream_next(stream, &events, &nr, &err);
			nr_events += nr;
		} while (!ret && nr > 0);
		zwb_stream_close(stream);
	}
	if (ret) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("%" PRIu64 "\n", nr_events);
	return 0;
}
