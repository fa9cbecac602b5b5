/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a session is recorded into: pages of its CPUs, and what the host is. */
#include "recorder_file.h"

#include <time.h>

static int put_page(void *arg, const void *page, struct zwb_err *err)
{
	struct zwb_recording *rec = arg;

	return zwb_datwriter_pages(rec->writer, rec->marker_cpu, page, 1, err);
}

static int recording_begin(
	struct zwb_recording *rec, const struct zwb_recording_config *config, struct zwb_err *err)
{
	const struct zwb_datwriter_config writer = {
		.nr_cpus = rec->marker_cpu + 1,
		.page_bytes = zwb_session_page_bytes(rec->session),
		.clock = "mono",
		.has_partial = config->has_partial,
		.anon = config->anon,
	};
	const struct zwb_markers_config markers = {
		.page_bytes = writer.page_bytes,
		.print_id = zwb_session_print_id(rec->session),
		.put_page = put_page,
		.arg = rec,
	};
	int ret = zwb_datwriter_open(&rec->writer, config->path, config->force, &writer, err);

	if (!ret)
		ret = zwb_session_describe(rec->session, rec->writer, err);
	if (!ret)
		ret = zwb_markers_open(&rec->markers, &markers, err);
	if (!ret) /* from here on a partial file is worth something */
		ret = zwb_datwriter_flush(rec->writer, err);
	return ret;
}

int zwb_recording_open(struct zwb_recording *rec, const struct zwb_recording_config *config,
	const struct zwb_session *session, struct zwb_err *err)
{
	int ret;

	*rec = (struct zwb_recording){ .marker_cpu = zwb_session_nr_cpus(session),
		.session = session,
		.has_all = config->has_all };
	ret = recording_begin(rec, config, err);
	if (ret)
		zwb_recording_abort(rec);
	return ret;
}

int zwb_recording_put(struct zwb_recording *rec, enum zwb_phase phase, const struct zwb_buf *text,
	struct zwb_err *err)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return zwb_markers_add(rec->markers,
		(uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec, phase, "facts capture",
		text, err);
}

static void recording_release(struct zwb_recording *rec)
{
	zwb_markers_close(rec->markers);
	*rec = (struct zwb_recording){ 0 };
}

int zwb_recording_finish(struct zwb_recording *rec, struct zwb_err *err)
{
	struct zwb_err failed = { 0 };
	int ret = zwb_session_describe_end(rec->session, rec->writer, rec->has_all, &failed);
	int finished;

	if (!ret)
		ret = zwb_markers_flush(rec->markers, &failed);
	/* Without those the file is still worth having. */
	finished = zwb_datwriter_finish(rec->writer, err);
	recording_release(rec);
	if (!finished && ret && err)
		*err = failed;
	return finished ? finished : ret;
}

void zwb_recording_abort(struct zwb_recording *rec)
{
	zwb_datwriter_abort(rec->writer);
	recording_release(rec);
}
