/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening recordings for the commands. */
#include "input.h"

#include "geometry.h"
#include "tracefile.h"

#include <inttypes.h>
#include <stdio.h>

int zwb_input_open(const struct zwb_input *input, const char *path, struct zwb_stream **stream,
	struct zwb_err *err)
{
	const struct zwb_trace_opts opts = { .facts_path = input->facts,
		.event_map_path = input->event_map };

	return zwb_trace_open(path, &opts, stream, err);
}

int zwb_input_captured(const struct zwb_input *input, const char *path,
	struct zwb_captured *captured, struct zwb_err *err)
{
	struct zwb_geometry *geometry = NULL;
	struct zwb_stream *stream = NULL;
	int ret;

	if (input->captured_policy)
		return zwb_captured_set(input->captured_policy, captured, err);
	ret = zwb_input_open(input, path, &stream, err);
	if (!ret)
		ret = zwb_geometry_create(stream->meta, &geometry, err);
	if (!ret)
		ret = zwb_captured_infer(stream, geometry, captured, err);
	zwb_geometry_free(geometry);
	zwb_stream_close(stream);
	return ret;
}

void zwb_input_describe_captured(const struct zwb_captured *c, char *text, size_t size)
{
	if (c->is_given)
		snprintf(text, size, "%s (given)", c->policy.label);
	else if (!c->is_known)
		snprintf(text, size, "%s (assumed: only %" PRIu64 " pages to judge by)",
			c->policy.label, c->nr_pages);
	else
		snprintf(text, size,
			"%s (inferred: %" PRIu64 " of %" PRIu64
			" pages had a bio of their own, %" PRIu64 " of %" PRIu64
			" walks a plug of their own)",
			c->policy.label, c->nr_own_bios, c->nr_pages, c->nr_own_plugs, c->nr_walks);
}
