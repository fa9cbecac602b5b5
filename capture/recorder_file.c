/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a session is recorded into: pages of its CPUs, and what the host is. */
#include "recorder_file.h"

#include <stdlib.h>
#include <string.h>

static int put_page(void *arg, const void *page, struct zwb_err *err)
{
	struct zwb_recording *rec = arg;

	return zwb_datwriter_pages(rec->writer, rec->marker_cpu, page, 1, err);
}

static int recording_begin(
	struct zwb_recording *rec, const struct zwb_recording_config *config, struct zwb_err *err)
{
	const struct zwb_session *session = config->session;
	const struct zwb_datwriter_config writer = {
		.nr_cpus = rec->marker_cpu + 1,
		.page_bytes = zwb_session_page_bytes(session),
		.clock = "mono",
		.has_partial = config->has_partial,
		.anon = config->anon,
	};
	const struct zwb_markers_config markers = {
		.page_bytes = writer.page_bytes,
		.print_id = zwb_session_print_id(session),
		.put_page = put_page,
		.arg = rec,
	};
	int ret = zwb_datwriter_open(&rec->writer, rec->path, config->force, &writer, err);

	if (!ret)
		ret = zwb_session_describe(session, rec->writer, err);
	if (!ret)
		ret = zwb_markers_open(&rec->markers, &markers, err);
	if (!ret) /* from here on a partial file is worth something */
		ret = zwb_datwriter_flush(rec->writer, err);
	return ret;
}

int zwb_recording_open(
	struct zwb_recording *rec, const struct zwb_recording_config *config, struct zwb_err *err)
{
	int ret;

	*rec = (struct zwb_recording){ .marker_cpu = zwb_session_nr_cpus(config->session) };
	rec->path = strdup(config->path);
	if (!rec->path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for its name", config->path);
	ret = recording_begin(rec, config, err);
	if (ret)
		zwb_recording_abort(rec);
	return ret;
}

static void recording_release(struct zwb_recording *rec)
{
	zwb_markers_close(rec->markers);
	free(rec->path);
	*rec = (struct zwb_recording){ 0 };
}

int zwb_recording_finish(struct zwb_recording *rec, const struct zwb_session *session,
	struct zwb_cpu_stats *total, struct zwb_err *err)
{
	struct zwb_err failed = { 0 };
	int ret = zwb_session_describe_end(session, rec->writer, total, &failed);
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
