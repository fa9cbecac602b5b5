/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which reader a file needs, and what goes on top of it. */
#include "tracefile.h"

#include "facts.h"
#include "filter.h"
#include "h5store.h"
#include "h5table.h"
#include "sha256.h"
#include "tracedat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A stream over a trace.dat knows nothing about its host yet. */
static int open_dat(const char *path, const struct zwb_trace_opts *opts, struct zwb_stream **out,
	struct zwb_err *err)
{
	const struct zwb_tracedat_opts dat = { .event_map_path = opts->event_map_path,
		.instance = opts->instance };

	return zwb_tracedat_open(path, &dat, out, err);
}

/* The recording is read once more when nothing else says where the swap area lies. */
static int learn_geometry(const char *path, const struct zwb_trace_opts *opts, struct zwb_meta *m,
	struct zwb_err *err)
{
	struct zwb_stream *probe;
	int ret;

	if (m->nr_swaps != 1 || m->swaps[0].geometry_known || opts->geometry_later)
		return ZWB_OK;
	ret = open_dat(path, opts, &probe, err);
	if (ret)
		return ret;
	ret = zwb_facts_learn(m, probe, err);
	zwb_stream_close(probe);
	return ret == ZWB_EDATA ? ZWB_OK : ret; /* whoever reads the events will hear of it */
}

static int open_recording(const char *path, const struct zwb_trace_opts *opts,
	struct zwb_stream **out, struct zwb_err *err)
{
	char digest[ZWB_SHA256_HEX];
	struct zwb_stream *s;
	int ret = open_dat(path, opts, &s, err);

	if (ret)
		return ret;
	ret = zwb_tracedat_is_unfinished(s) ? zwb_sha256_sparse(path, digest, err)
					    : zwb_sha256_file(path, digest, err);
	if (!ret)
		ret = zwb_meta_set(&s->meta->digest, digest, err);
	if (!ret && !opts->facts_path && zwb_tracedat_has_markers(s))
		ret = zwb_facts_load_markers(s, err);
	else if (!ret)
		ret = zwb_facts_load(s->meta, path, opts->facts_path, err);
	if (!ret)
		ret = learn_geometry(path, opts, s->meta, err);
	if (ret)
		zwb_stream_close(s);
	else
		*out = s;
	return ret;
}

/* What facts of the host there were, other ones take their place. */
static void forget_host(struct zwb_meta *m)
{
	for (size_t i = 0; i < m->nr_facts; i++) {
		free(m->facts[i].section);
		free(m->facts[i].key);
		free(m->facts[i].value);
	}
	for (size_t i = 0; i < m->nr_counters; i++) {
		free(m->counters[i].source);
		free(m->counters[i].key);
	}
	m->nr_facts = 0;
	m->nr_counters = 0;
	m->nr_swaps = 0;
	m->nr_extents = 0;
}

static int open_store(const char *path, const struct zwb_trace_opts *opts, struct zwb_stream **out,
	struct zwb_err *err)
{
	struct zwb_stream *s;
	int ret;

	if (opts->event_map_path || opts->instance)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s: a store; event maps and instances are for trace.dat files", path);
	ret = zwb_store_open(path, &s, err);
	if (ret)
		return ret;
	if (s->meta->digest[0] == '\0') {
		char digest[ZWB_SHA256_HEX];

		ret = zwb_sha256_file(path, digest, err);
		if (!ret)
			ret = zwb_meta_set(&s->meta->digest, digest, err);
	}
	if (!ret && opts->facts_path) {
		forget_host(s->meta);
		ret = zwb_facts_load(s->meta, path, opts->facts_path, err);
	}
	if (ret)
		zwb_stream_close(s);
	else
		*out = s;
	return ret;
}

static int open_any(const char *path, const struct zwb_trace_opts *opts, struct zwb_stream **out,
	struct zwb_err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	if (S_ISREG(st.st_mode) && access(path, R_OK) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	if (zwb_h5_is_hdf5(path))
		return open_store(path, opts, out, err);
	if (zwb_tracedat_is(path))
		return open_recording(path, opts, out, err);
	if (S_ISDIR(st.st_mode))
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: a directory; give the trace.dat or the store in it", path);
	return zwb_err_set(
		err, ZWB_EKIND, 0, "%s: neither a trace.dat of trace-cmd nor a store of zwb", path);
}

int zwb_trace_open_all(const char *const *paths, size_t nr_paths, const struct zwb_trace_opts *opts,
	struct zwb_stream **out, struct zwb_err *err)
{
	const struct zwb_trace_opts whole = { 0 };
	struct zwb_stream **inputs;
	struct zwb_stream *s = NULL;
	uint64_t to_ns;
	size_t nr = 0;
	int ret = ZWB_OK;

	if (!opts)
		opts = &whole;
	to_ns = opts->to_ns ? opts->to_ns : UINT64_MAX;
	inputs = calloc(nr_paths ? nr_paths : 1, sizeof(struct zwb_stream *));
	if (!inputs)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %zu recordings", nr_paths);
	for (; !ret && nr < nr_paths; nr += !ret)
		ret = open_any(paths[nr], opts, &inputs[nr], err);
	if (ret) {
		while (nr)
			zwb_stream_close(inputs[--nr]);
	} else if (nr == 1 && opts->from_ns == 0 && to_ns == UINT64_MAX) {
		s = inputs[0];
	} else {
		ret = zwb_stream_merge(inputs, nr, opts->from_ns, to_ns, &s, err);
	}
	free(inputs);
	if (!ret && opts->cgroup)
		ret = zwb_stream_of_cgroup(s, opts->cgroup, &s, err);
	if (!ret)
		*out = s;
	return ret;
}

int zwb_trace_open(const char *path, const struct zwb_trace_opts *opts, struct zwb_stream **out,
	struct zwb_err *err)
{
	return zwb_trace_open_all(&path, 1, opts, out, err);
}
