/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A blind replay must not look at what it is to derive. Recorded requests, merges and completions
 * of our own writes are dropped, relabelled or delayed: the blind bios and requests stay the same,
 * byte for byte, while the truth that they are scored against does not.
 */
#include "selfcheck.h"
#include "tracefile.h"
#include "zwb_test.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DELAY 200u

enum mutation { DROP, RELABEL, DELAY };

/* A stream out of an array. */
struct replayed {
	struct zwb_stream stream;
	struct zwb_event *events;
	size_t nr, next;
};

static int replayed_next(
	struct zwb_stream *s, const struct zwb_event **events, size_t *nr, struct zwb_err *err)
{
	struct replayed *r = (struct replayed *)s;
	size_t left = r->nr - r->next;

	(void)err;
	*events = r->events + r->next;
	*nr = left > 1000 ? 1000 : left;
	r->next += *nr;
	return ZWB_OK;
}

static const struct zwb_stream_ops replayed_ops = { .next = replayed_next };

/* What a replay produced, one row after the other. */
struct output {
	struct row {
		uint64_t sector, ts_ns, flush;
		uint32_t nr_sectors, cgroup;
	} * rows;
	size_t nr, room;
};

struct outputs {
	struct output blind, truth;
};

static void add_row(struct output *out, const struct zwb_bio *bio, uint64_t flush)
{
	if (out->nr == out->room) {
		out->room = out->room ? 2 * out->room : 4096;
		out->rows = realloc(out->rows, out->room * sizeof(*out->rows));
		assert_non_null(out->rows);
	}
	memset(&out->rows[out->nr], 0, sizeof(out->rows[0]));
	out->rows[out->nr++] =
		(struct row){ bio->sector, bio->ts_ns, flush, bio->nr_sectors, bio->cgroup };
}

static void on_truth(void *arg, const struct zwb_bio *bio)
{
	add_row(&((struct outputs *)arg)->truth, bio, 0);
}

static void on_blind_bio(void *arg, const struct zwb_bio *bio)
{
	add_row(&((struct outputs *)arg)->blind, bio, UINT64_MAX);
}

static void on_blind_rq(void *arg, const struct zwb_rq *rq, uint64_t flush)
{
	add_row(&((struct outputs *)arg)->blind, &rq->bio, flush);
}

static int is_own_request(const struct zwb_geometry *g, const struct zwb_event *ev)
{
	uint32_t swap_type;
	uint64_t slot;

	if (ev->kind < ZWB_EV_BIO_BACKMERGE || ev->kind > ZWB_EV_RQ_REQUEUE)
		return 0;
	return (ev->flags & ZWB_OP_WRITE) &&
	       zwb_geometry_slot(g, ev->dev, ev->addr, &swap_type, &slot);
}

static void relabel(struct zwb_event *ev, size_t i)
{
	const unsigned int first = ZWB_EV_BIO_BACKMERGE;
	const unsigned int nr = ZWB_EV_RQ_REQUEUE - ZWB_EV_BIO_BACKMERGE + 1;

	ev->kind = (uint8_t)(first + (ev->kind - first + 1 + (unsigned int)(i % 7)) % nr);
	ev->addr += 8 * (i % 5);
	ev->len += 8;
	ev->tid = (int32_t)(i % 3) * 1000;
	ev->cgroup = 0;
}

/* Events that are held back, and when they come out. */
struct delay {
	struct zwb_event events[MAX_DELAY];
	size_t nr;
};

static void release(struct delay *d, struct replayed *to, uint64_t ts_ns)
{
	for (size_t k = 0; k < d->nr; k++) {
		d->events[k].ts_ns = ts_ns;
		to->events[to->nr++] = d->events[k];
	}
	d->nr = 0;
}

/* Fill @to with @from, mutated. Return: how many events were touched. */
static size_t mutate(const struct replayed *from, struct replayed *to, enum mutation how,
	const struct zwb_geometry *g)
{
	struct delay delay = { .nr = 0 };
	size_t nr_touched = 0;

	to->nr = 0;
	for (size_t i = 0; i < from->nr; i++) {
		struct zwb_event ev = from->events[i];
		int is_own = is_own_request(g, &ev);

		nr_touched += is_own != 0;
		if (is_own && how == RELABEL)
			relabel(&ev, i);
		if (is_own && how == DELAY)
			delay.events[delay.nr++] = ev;
		else if (!is_own || how != DROP)
			to->events[to->nr++] = ev;
		if (delay.nr == MAX_DELAY || i + 1 == from->nr)
			release(&delay, to, ev.ts_ns);
	}
	return nr_touched;
}

static void run(struct replayed *r, const struct zwb_captured *captured, struct outputs *out)
{
	const struct zwb_selfcheck_sink sink = { .arg = out,
		.truth_bio = on_truth,
		.truth_rq = on_truth,
		.blind = { out, on_blind_bio, on_blind_rq } };
	const struct zwb_selfcheck_setup setup = { .captured = captured, .sink = &sink };
	struct zwb_selfcheck_counts counts;
	struct zwb_err err = { 0 };

	r->next = 0;
	assert_int_equal(zwb_selfcheck_stream(&setup, &r->stream, &counts, &err), ZWB_OK);
	assert_true(counts.nr_writebacks > 100);
}

static void load(const char *path, struct zwb_stream **stream, struct replayed *r)
{
	const struct zwb_event *events;
	struct zwb_err err = { 0 };
	size_t nr;

	assert_int_equal(zwb_trace_open(path, NULL, stream, &err), ZWB_OK);
	*r = (struct replayed){ .stream = { &replayed_ops, (*stream)->meta } };
	for (;;) {
		assert_int_equal(zwb_stream_next(*stream, &events, &nr, &err), ZWB_OK);
		if (nr == 0)
			break;
		r->events = realloc(r->events, (r->nr + nr) * sizeof(*events));
		assert_non_null(r->events);
		memcpy(r->events + r->nr, events, nr * sizeof(*events));
		r->nr += nr;
	}
}

static bool same_rows(const struct output *a, const struct output *b)
{
	if (a->nr != b->nr)
		return false;
	return a->nr == 0 || memcmp(a->rows, b->rows, a->nr * sizeof(a->rows[0])) == 0;
}

static void check(const char *path)
{
	static const enum mutation mutations[] = { DROP, RELABEL, DELAY };
	struct outputs plain = { 0 };
	struct zwb_captured captured;
	struct zwb_geometry *geometry;
	struct zwb_stream *stream;
	struct zwb_err err = { 0 };
	struct replayed r, m;

	load(path, &stream, &r);
	m = r;
	m.events = calloc(r.nr + 1, sizeof(*m.events));
	assert_non_null(m.events);
	assert_int_equal(zwb_geometry_create(stream->meta, &geometry, &err), ZWB_OK);
	assert_int_equal(zwb_captured_infer(&r.stream, geometry, &captured, &err), ZWB_OK);
	run(&r, &captured, &plain);
	assert_true(plain.blind.nr > 200);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(mutations); i++) {
		struct outputs mutated = { 0 };

		assert_true(mutate(&r, &m, mutations[i], geometry) > 200);
		run(&m, &captured, &mutated);
		assert_int_equal(mutated.blind.nr, plain.blind.nr);
		assert_memory_equal(mutated.blind.rows, plain.blind.rows,
			plain.blind.nr * sizeof(plain.blind.rows[0]));
		assert_false(same_rows(&mutated.truth, &plain.truth));
		free(mutated.blind.rows);
		free(mutated.truth.rows);
	}
	free(plain.blind.rows);
	free(plain.truth.rows);
	free(r.events);
	free(m.events);
	zwb_geometry_free(geometry);
	zwb_captured_release(&captured);
	zwb_stream_close(stream);
}

static void blind__does_not_see_requests_of_our_own_writes(void **state)
{
	static const char *const samples[] = { ZWB_SAMPLES };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(samples); i++)
		check(samples[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blind__does_not_see_requests_of_our_own_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
