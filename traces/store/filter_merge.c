/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging streams, and cutting by time. */
#include "filter.h"
#include "sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS 8192u

struct merge_input {
	struct zwb_stream *stream;
	const struct zwb_event *events; /* its block, and how far it is used */
	size_t nr, at;
	uint64_t shift_ns; /* its start after that of the earliest input */
	uint32_t *cgroups; /* its rows of the tables to ours */
	size_t nr_cgroups;
	uint16_t *devices;
	size_t nr_devices;
	size_t nr_tasks; /* rows taken over */
	int has_ended;
};

struct merge_stream {
	struct zwb_stream stream;
	struct merge_input *inputs;
	size_t nr_inputs;
	uint64_t from_ns, to_ns; /* from the start of the earliest input */
	struct zwb_event *block;
	int has_ended;
};

/* -- tables: rows of an input become rows of ours, also those that come while it is read -- */

static int map_cgroups(struct merge_stream *ms, struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	uint32_t *bigger = realloc(in->cgroups, m->nr_cgroups * sizeof(*bigger));

	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to merge recordings");
	in->cgroups = bigger;
	for (; in->nr_cgroups < m->nr_cgroups; in->nr_cgroups++) {
		const struct zwb_cgroup *row = &m->cgroups[in->nr_cgroups];
		int index = zwb_meta_cgroup(ms->stream.meta, row->id, row->path, err);

		if (index < 0)
			return index;
		in->cgroups[in->nr_cgroups] = (uint32_t)index;
	}
	return ZWB_OK;
}

static int map_devices(struct merge_stream *ms, struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	uint16_t *bigger = realloc(in->devices, (m->nr_devices + 1) * sizeof(*bigger));

	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to merge recordings");
	in->devices = bigger;
	for (; in->nr_devices < m->nr_devices; in->nr_devices++) {
		const struct zwb_device *row = &m->devices[in->nr_devices];
		int index =
			zwb_meta_device(ms->stream.meta, row->major, row->minor, row->name, err);

		if (index < 0)
			return index;
		in->devices[in->nr_devices] = (uint16_t)index;
	}
	return ZWB_OK;
}

static int has_task(const struct zwb_meta *m, int32_t tid)
{
	for (size_t i = 0; i < m->nr_tasks; i++) {
		if (m->tasks[i].tid == tid)
			return 1;
	}
	return 0;
}

static int map_tasks(struct merge_stream *ms, struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	int ret = ZWB_OK;

	for (; !ret && in->nr_tasks < m->nr_tasks; in->nr_tasks++) {
		const struct zwb_task *row = &m->tasks[in->nr_tasks];

		if (ms->nr_inputs == 1 || !has_task(ms->stream.meta, row->tid))
			ret = zwb_meta_task(ms->stream.meta, row->tid, row->comm, err);
	}
	return ret;
}

static int map_tables(struct merge_stream *ms, struct merge_input *in, struct zwb_err *err)
{
	int ret = map_cgroups(ms, in, err);

	if (!ret)
		ret = map_devices(ms, in, err);
	return ret ? ret : map_tasks(ms, in, err);
}

/* -- metadata at the start -- */

static int is_cut(const struct merge_stream *ms)
{
	return ms->from_ns > 0 || ms->to_ns != UINT64_MAX;
}

/* Move a time of @in into the cut. Return: 0 when it is outside. */
static int cut_time(const struct merge_stream *ms, const struct merge_input *in, uint64_t *ts_ns)
{
	uint64_t shifted;

	if (__builtin_add_overflow(*ts_ns, in->shift_ns, &shifted) || shifted < ms->from_ns ||
		shifted >= ms->to_ns)
		return 0;
	*ts_ns = shifted - ms->from_ns;
	return 1;
}

static int add_counters(struct merge_stream *ms, const struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	int ret = ZWB_OK, nr_left_out = 0;

	for (size_t i = 0; !ret && i < m->nr_counters; i++) {
		const struct zwb_counter *c = &m->counters[i];
		uint64_t ts_ns = c->ts_ns;
		int is_kept;

		if (ts_ns == ZWB_COUNTER_BEFORE)
			is_kept = !is_cut(ms) && in == &ms->inputs[0];
		else if (ts_ns == ZWB_COUNTER_AFTER)
			is_kept = !is_cut(ms) && in == &ms->inputs[ms->nr_inputs - 1];
		else
			is_kept = cut_time(ms, in, &ts_ns);
		if (is_kept)
			ret = zwb_meta_counter(
				ms->stream.meta, ts_ns, c->source, c->key, c->value, err);
		else
			nr_left_out += c->ts_ns >= ZWB_COUNTER_AFTER && is_cut(ms);
	}
	if (!ret && nr_left_out)
		ret = zwb_meta_unknown(ms->stream.meta, "counters", 1, err);
	return ret;
}

static int add_swaps(struct merge_stream *ms, const struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < m->nr_swaps; i++) {
		struct zwb_swap swap = m->swaps[i];

		swap.dev = swap.dev < in->nr_devices ? in->devices[swap.dev] : 0;
		ret = zwb_meta_swap(ms->stream.meta, &swap, err);
	}
	for (size_t i = 0; !ret && i < m->nr_extents; i++)
		ret = zwb_meta_extent(ms->stream.meta, &m->extents[i], err);
	return ret;
}

static int add_facts(struct merge_stream *ms, const struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < m->nr_facts; i++)
		ret = zwb_meta_fact(ms->stream.meta, m->facts[i].section, m->facts[i].key,
			m->facts[i].value, err);
	return ret;
}

/* A cut is noted as a fact, in the time of the recording. */
static int note_cut(struct merge_stream *ms, struct zwb_err *err)
{
	const char *const keys[2] = { "from_ns", "to_ns" };
	const uint64_t times[2] = { ms->from_ns, ms->to_ns };
	char text[24];
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < 2; i++) {
		if (times[i] == 0 || times[i] == UINT64_MAX)
			continue;
		snprintf(text, sizeof(text), "%llu", (unsigned long long)times[i]);
		ret = zwb_meta_fact(ms->stream.meta, "cut", keys[i], text, err);
	}
	return ret;
}

static int set_sources(struct merge_stream *ms, struct zwb_err *err)
{
	size_t source_len = 1, digest_len = 1;
	char *source, *digests, digest[ZWB_SHA256_HEX];
	int ret;

	for (size_t i = 0; i < ms->nr_inputs; i++) {
		source_len += strlen(ms->inputs[i].stream->meta->source) + 1;
		digest_len += strlen(ms->inputs[i].stream->meta->digest) + 1;
	}
	source = calloc(1, source_len);
	digests = calloc(1, digest_len);
	for (size_t i = 0, s = 0, d = 0; source && digests && i < ms->nr_inputs; i++) {
		const struct zwb_meta *m = ms->inputs[i].stream->meta;

		s += (size_t)snprintf(source + s, source_len - s, "%s%s", i ? "," : "", m->source);
		d += (size_t)snprintf(
			digests + d, digest_len - d, "%s%s", i ? "\n" : "", m->digest);
	}
	if (source && digests) {
		zwb_sha256(digests, strlen(digests), digest);
		ret = zwb_meta_set(&ms->stream.meta->source, source, err);
		if (!ret)
			ret = zwb_meta_set(&ms->stream.meta->digest,
				ms->nr_inputs == 1 ? digests : digest, err);
	} else {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to merge recordings");
	}
	free(source);
	free(digests);
	return ret;
}

static int set_fields(struct merge_stream *ms, struct zwb_err *err)
{
	const struct zwb_meta *first = ms->inputs[0].stream->meta;
	struct zwb_meta *m = ms->stream.meta;
	int ret = zwb_meta_set(&m->kernel, first->kernel, err);

	if (!ret)
		ret = zwb_meta_set(&m->clock, first->clock, err);
	if (!ret)
		ret = zwb_meta_set(&m->event_map, first->event_map, err);
	if (!ret)
		ret = zwb_meta_set(&m->scheduler, first->scheduler, err);
	m->page_bytes = first->page_bytes;
	m->hz = first->hz;
	m->start_ns = first->start_ns;
	for (size_t i = 0; i < ms->nr_inputs; i++) {
		const struct zwb_meta *in = ms->inputs[i].stream->meta;

		if (in->nr_cpus > m->nr_cpus)
			m->nr_cpus = in->nr_cpus;
		if (in->start_ns < m->start_ns)
			m->start_ns = in->start_ns;
	}
	for (size_t i = 0; i < ms->nr_inputs; i++)
		ms->inputs[i].shift_ns = ms->inputs[i].stream->meta->start_ns - m->start_ns;
	if (!ret && __builtin_add_overflow(m->start_ns, ms->from_ns, &m->start_ns))
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "the cut begins at the end of time");
	return ret ? ret : set_sources(ms, err);
}

static int start(struct merge_stream *ms, struct zwb_err *err)
{
	int ret = set_fields(ms, err);

	for (size_t i = 0; !ret && i < ms->nr_inputs; i++) {
		struct merge_input *in = &ms->inputs[i];

		ret = map_tables(ms, in, err);
		if (!ret)
			ret = add_counters(ms, in, err);
		if (!ret && ms->stream.meta->nr_swaps == 0)
			ret = add_swaps(ms, in, err);
		if (!ret && ms->stream.meta->nr_facts == 0)
			ret = add_facts(ms, in, err);
	}
	return ret ? ret : note_cut(ms, err);
}

/* -- metadata at the end -- */

static int add_losses(struct merge_stream *ms, const struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < m->nr_losses; i++) {
		struct zwb_loss loss = m->losses[i];

		loss.first_ns += in->shift_ns;
		loss.last_ns += in->shift_ns;
		if (loss.first_ns >= ms->to_ns || loss.last_ns < ms->from_ns)
			continue;
		loss.first_ns -= loss.first_ns < ms->from_ns ? loss.first_ns : ms->from_ns;
		if (loss.last_ns > ms->to_ns)
			loss.last_ns = ms->to_ns;
		loss.last_ns -= ms->from_ns;
		ret = zwb_meta_loss(ms->stream.meta, &loss, err);
	}
	return ret;
}

static int add_tallies(struct merge_stream *ms, const struct merge_input *in, struct zwb_err *err)
{
	const struct zwb_meta *m = in->stream->meta;
	struct zwb_meta *ours = ms->stream.meta;
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < m->nr_tallies; i++) {
		const struct zwb_tally *row = &m->tallies[i];
		size_t at = 0;

		while (at < ours->nr_tallies && (strcmp(ours->tallies[at].name, row->name) != 0 ||
							ours->tallies[at].kind != row->kind))
			at++;
		if (at < ours->nr_tallies)
			ours->tallies[at].nr += row->nr;
		else
			ret = zwb_meta_tally(ours, row->name, row->kind, row->nr, err);
	}
	for (size_t i = 0; !ret && i < m->nr_unknowns; i++)
		ret = zwb_meta_unknown(ours, m->unknowns[i].what, m->unknowns[i].nr, err);
	return ret;
}

/* An input that is left at the end of the cut knows what was lost up to there. */
static int finish(struct merge_stream *ms, struct zwb_err *err)
{
	int ret = ZWB_OK;

	ms->has_ended = 1;
	for (size_t i = 0; !ret && i < ms->nr_inputs; i++) {
		ret = map_tables(ms, &ms->inputs[i], err);
		if (!ret)
			ret = add_losses(ms, &ms->inputs[i], err);
		if (!ret)
			ret = add_tallies(ms, &ms->inputs[i], err);
	}
	return ret;
}

/* -- events -- */

/* Has @in an event? It is at events[at]. */
static int fill(struct merge_input *in, struct zwb_err *err)
{
	int ret;

	if (in->at < in->nr || in->has_ended)
		return ZWB_OK;
	in->at = 0;
	ret = zwb_stream_next(in->stream, &in->events, &in->nr, err);
	if (ret)
		in->nr = 0;
	in->has_ended = !ret && in->nr == 0;
	return ret;
}

static uint64_t time_of(const struct merge_input *in)
{
	return in->events[in->at].ts_ns + in->shift_ns;
}

/* The input whose event comes next, or NULL. */
static int pick(struct merge_stream *ms, struct merge_input **out, struct zwb_err *err)
{
	struct merge_input *best = NULL;

	for (size_t i = 0; i < ms->nr_inputs; i++) {
		struct merge_input *in = &ms->inputs[i];
		int ret = fill(in, err);

		if (ret)
			return ret;
		if (in->has_ended)
			continue;
		if (!best || time_of(in) < time_of(best) ||
			(time_of(in) == time_of(best) &&
				in->events[in->at].cpu < best->events[best->at].cpu))
			best = in;
	}
	*out = best;
	return ZWB_OK;
}

static int take(
	struct merge_stream *ms, struct merge_input *in, struct zwb_event *to, struct zwb_err *err)
{
	const struct zwb_event *ev = &in->events[in->at];
	int is_block = zwb_event_kind_is_block(ev->kind); /* else dev is a swap type */
	int ret;

	if (ev->cgroup >= in->nr_cgroups || (is_block && ev->dev >= in->nr_devices)) {
		ret = map_tables(ms, in, err);
		if (ret)
			return ret;
	}
	*to = *ev;
	to->ts_ns = time_of(in) - ms->from_ns;
	if (ev->cgroup < in->nr_cgroups)
		to->cgroup = in->cgroups[ev->cgroup];
	if (is_block && ev->dev < in->nr_devices)
		to->dev = in->devices[ev->dev];
	in->at++;
	return ZWB_OK;
}

static int merge_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct merge_stream *ms = (struct merge_stream *)stream;
	struct merge_input *in = NULL;
	size_t nr = 0;
	int ret = ZWB_OK;

	*events = ms->block;
	*nr_events = 0;
	while (!ret && !ms->has_ended && nr < BLOCK_EVENTS) {
		ret = pick(ms, &in, err);
		if (ret)
			break;
		if (!in || time_of(in) >= ms->to_ns) {
			ret = finish(ms, err);
		} else if (time_of(in) < ms->from_ns) {
			in->at++;
		} else {
			ret = take(ms, in, &ms->block[nr], err);
			nr += !ret;
		}
	}
	if (ret)
		return ret;
	*nr_events = nr;
	return ZWB_OK;
}

static void merge_close(struct zwb_stream *stream)
{
	struct merge_stream *ms = (struct merge_stream *)stream;

	for (size_t i = 0; i < ms->nr_inputs; i++) {
		zwb_stream_close(ms->inputs[i].stream);
		free(ms->inputs[i].cgroups);
		free(ms->inputs[i].devices);
	}
	zwb_meta_free(ms->stream.meta);
	free(ms->inputs);
	free(ms->block);
	free(ms);
}

static uint64_t merge_left(const struct zwb_stream *stream)
{
	const struct merge_stream *ms = (const struct merge_stream *)stream;
	uint64_t left = 0;

	for (size_t i = 0; i < ms->nr_inputs; i++)
		left += zwb_stream_left(ms->inputs[i].stream);
	return left;
}

static const struct zwb_stream_ops merge_ops = {
	.next = merge_next,
	.close = merge_close,
	.left = merge_left,
};

static int check_inputs(const struct merge_stream *ms, struct zwb_err *err)
{
	const struct zwb_meta *a = ms->inputs[0].stream->meta;

	if (ms->from_ns >= ms->to_ns)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "the cut ends before it begins, or is empty");
	for (size_t i = 1; i < ms->nr_inputs; i++) {
		const struct zwb_meta *b = ms->inputs[i].stream->meta;
		const char *what = NULL;

		if (strcmp(a->clock, b->clock) != 0)
			what = "clocks";
		else if (strcmp(a->kernel, b->kernel) != 0)
			what = "kernels";
		else if (a->page_bytes != b->page_bytes)
			what = "page sizes";
		if (what)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s and %s: cannot be merged, their %s differ", a->source,
				b->source, what);
	}
	return ZWB_OK;
}

/* The earliest first, so that before and after are the ends of the whole. */
static int by_start(const void *a, const void *b)
{
	const struct merge_input *x = a, *y = b;

	return (x->stream->meta->start_ns > y->stream->meta->start_ns) -
	       (x->stream->meta->start_ns < y->stream->meta->start_ns);
}

int zwb_stream_merge(struct zwb_stream **inputs, size_t nr_inputs, uint64_t from_ns, uint64_t to_ns,
	struct zwb_stream **out, struct zwb_err *err)
{
	struct merge_stream *ms = calloc(1, sizeof(*ms));
	struct merge_input *table = calloc(nr_inputs ? nr_inputs : 1, sizeof(*table));
	int ret = ZWB_OK;

	if (!ms || !table || nr_inputs == 0) {
		for (size_t i = 0; i < nr_inputs; i++)
			zwb_stream_close(inputs[i]);
		free(ms);
		free(table);
		return zwb_err_set(err, nr_inputs ? ZWB_ENOMEM : ZWB_EUSAGE, 0,
			nr_inputs ? "no memory to merge recordings" : "no recordings to merge");
	}
	ms->stream.ops = &merge_ops;
	ms->inputs = table;
	ms->nr_inputs = nr_inputs;
	ms->from_ns = from_ns;
	ms->to_ns = to_ns;
	for (size_t i = 0; i < nr_inputs; i++)
		ms->inputs[i].stream = inputs[i];
	qsort(ms->inputs, nr_inputs, sizeof(*ms->inputs), by_start);
	ms->block = malloc(BLOCK_EVENTS * sizeof(*ms->block));
	ms->stream.meta = zwb_meta_create();
	if (!ms->block || !ms->stream.meta)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to merge recordings");
	if (!ret)
		ret = check_inputs(ms, err);
	if (!ret)
		ret = start(ms, err);
	if (ret)
		merge_close(&ms->stream);
	else
		*out = &ms->stream;
	return ret;
}
