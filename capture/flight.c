/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flight recorder: the last seconds before something happened. */
#include "flight.h"

#include "clock.h"

#include "buf.h"
#include "marker.h"
#include "recorder.h"
#include "recorder_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_SAMPLES 64u /* kept in memory, some tens of KiB each */

struct zwb_flight {
	struct zwb_flight_config config;
	uint32_t page_bytes;
	uint64_t nr_files; /* number of the last name */
	struct zwb_markers *markers; /* make the pages of samples */
	struct zwb_buf samples[NR_SAMPLES]; /* a ring: pages of one sample each */
	uint64_t nr_samples; /* that were ever taken */
};

static int put_sample_page(void *arg, const void *page, struct zwb_err *err)
{
	struct zwb_flight *f = arg;
	struct zwb_buf *sample = &f->samples[f->nr_samples % NR_SAMPLES];

	zwb_buf_add(sample, page, f->page_bytes);
	return zwb_buf_check(sample, err);
}

int zwb_flight_open(
	struct zwb_flight **flight, const struct zwb_flight_config *config, struct zwb_err *err)
{
	struct zwb_flight *f = calloc(1, sizeof(*f));
	struct zwb_markers_config markers = { .put_page = put_sample_page, .arg = f };
	int ret;

	if (!f)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a flight recorder");
	f->config = *config;
	f->page_bytes = zwb_session_page_bytes(config->session);
	markers.page_bytes = f->page_bytes;
	markers.print_id = zwb_session_print_id(config->session);
	ret = zwb_markers_open(&f->markers, &markers, err);
	if (ret) {
		zwb_flight_close(f);
		return ret;
	}
	*flight = f;
	return ZWB_OK;
}

int zwb_flight_sample(struct zwb_flight *f, struct zwb_err *err)
{
	int ret;

	zwb_buf_release(&f->samples[f->nr_samples % NR_SAMPLES]);
	ret = zwb_host_sample(f->config.host, ZWB_PHASE_SAMPLE, f->markers, err);
	if (!ret)
		ret = zwb_markers_flush(f->markers, err);
	f->nr_samples++;
	return ret;
}

static int put_samples(const struct zwb_flight *f, struct zwb_recording *rec, struct zwb_err *err)
{
	uint64_t first = f->nr_samples > NR_SAMPLES ? f->nr_samples - NR_SAMPLES : 0;
	int ret = ZWB_OK;

	for (uint64_t i = first; i < f->nr_samples && !ret; i++) {
		const struct zwb_buf *sample = &f->samples[i % NR_SAMPLES];

		ret = zwb_datwriter_pages(rec->writer, rec->marker_cpu, sample->data,
			sample->len / f->page_bytes, err);
	}
	return ret;
}

static int put_host(const struct zwb_flight *f, struct zwb_recording *rec, const char *why,
	uint64_t from_ns, struct zwb_err *err)
{
	const char *colon = strrchr(why, ':'); /* the cgroup stands in front of it */
	struct zwb_buf text = { 0 };
	int ret;

	zwb_buf_addf(&text, "trigger: %s\n", f->config.anon && colon ? colon + 1 : why);
	if (from_ns)
		zwb_buf_addf(&text, "complete_from_ns: %llu\n", (unsigned long long)from_ns);
	zwb_buf_add(&text, f->config.facts->data, f->config.facts->len);
	ret = zwb_recording_put(rec, ZWB_PHASE_START, &text, err);
	if (!ret)
		ret = zwb_host_facts(f->config.host, ZWB_PHASE_START, rec->markers, err);
	if (!ret)
		ret = zwb_host_sample(f->config.host, ZWB_PHASE_END, rec->markers, err);
	zwb_buf_release(&text);
	return ret;
}

/* Everything that is in the buffers now, while nothing is added. */
static int drain(const struct zwb_flight *f, struct zwb_recording *rec,
	struct zwb_flight_saved *saved, struct zwb_err *err)
{
	struct zwb_session *session = f->config.session;
	const struct zwb_recorder_config config = {
		.fds = zwb_session_fds(session),
		.nr_cpus = zwb_session_nr_cpus(session),
		.buffer_bytes = f->config.buffer_bytes,
		.writer = rec->writer,
	};
	struct zwb_recorder_window window;
	uint64_t start_ns = zwb_clock_ns(CLOCK_MONOTONIC);
	int ret = zwb_session_switch(session, 0, err);
	int switched;

	if (ret)
		return ret;
	ret = zwb_recorder_drain(&config, &window, err);
	saved->nr_pages = window.nr_pages;
	saved->from_ns = window.from_ns;
	switched = zwb_session_switch(session, 1, ret ? NULL : err);
	saved->off_ns = zwb_clock_ns(CLOCK_MONOTONIC) - start_ns;
	return ret ? ret : switched;
}

static int save(
	struct zwb_flight *f, const char *why, struct zwb_flight_saved *saved, struct zwb_err *err)
{
	const struct zwb_recording_config config = { .path = saved->path, .anon = f->config.anon };
	struct zwb_recording rec;
	int ret = zwb_recording_open(&rec, &config, f->config.session, err);

	if (ret)
		return ret;
	ret = drain(f, &rec, saved, err);
	if (!ret)
		ret = put_samples(f, &rec, err);
	if (!ret)
		ret = put_host(f, &rec, why, saved->from_ns, err);
	if (!ret)
		ret = zwb_recording_finish(&rec, err);
	zwb_recording_abort(&rec);
	return ret;
}

/* The first name that is free; NULL: no memory. */
static char *next_path(struct zwb_flight *f)
{
	char *path = NULL;

	do {
		free(path);
		path = zwb_flight_path(f->config.path, ++f->nr_files);
	} while (path && access(path, F_OK) == 0);
	return path;
}

int zwb_flight_save(
	struct zwb_flight *f, const char *why, struct zwb_flight_saved *saved, struct zwb_err *err)
{
	int ret;

	*saved = (struct zwb_flight_saved){ .path = next_path(f) };
	if (!saved->path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the name of a file");
	ret = save(f, why, saved, err);
	if (ret) {
		free(saved->path);
		saved->path = NULL;
	}
	return ret;
}

void zwb_flight_close(struct zwb_flight *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < NR_SAMPLES; i++)
		zwb_buf_release(&f->samples[i]);
	zwb_markers_close(f->markers);
	free(f);
}

char *zwb_flight_path(const char *path, uint64_t n)
{
	static const char end[] = ".dat";
	size_t len = strlen(path);
	char *name;

	if (len > sizeof(end) - 1 && strcmp(path + len - (sizeof(end) - 1), end) == 0)
		len -= sizeof(end) - 1;
	if (asprintf(&name, "%.*s.%llu%s", (int)len, path, (unsigned long long)n, end) < 0)
		return NULL;
	return name;
}
