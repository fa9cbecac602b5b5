/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was written as a trace.dat is read back, record by record, by the reader of recordings. */
#include "zwb_test.h"

#include "datwriter_kinds.h"
#include "datwriter_sink.h"
#include "h5store.h"
#include "synth.h"
#include "tracedat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_NS 5000000000ull

struct place {
	char dir[32];
	char dat[48];
	char h5[48];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-datsink-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->dat, sizeof(p->dat), "%s/a.dat", p->dir);
	snprintf(p->h5, sizeof(p->h5), "%s/a.h5", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	int ret;

	unlink(p->dat);
	unlink(p->h5);
	ret = rmdir(p->dir);
	free(p);
	return ret;
}

/* One event after the other, whatever the batches are. */
struct cursor {
	struct zwb_stream *stream;
	const struct zwb_event *events;
	size_t at, nr;
};

static const struct zwb_event *next(struct cursor *c)
{
	if (c->at == c->nr) {
		c->at = 0;
		assert_int_equal(zwb_stream_next(c->stream, &c->events, &c->nr, NULL), ZWB_OK);
		if (c->nr == 0)
			return NULL;
	}
	return &c->events[c->at++];
}

static uint64_t cgroup_id(const struct cursor *c, const struct zwb_event *ev)
{
	return c->stream->meta->cgroups[ev->cgroup].id;
}

/* Indices into tables may differ between the streams, what they stand for may not. */
static void assert_same_event(const struct cursor *a, const struct zwb_event *x,
	const struct cursor *b, const struct zwb_event *y)
{
	struct zwb_event one = *x, two = *y;

	assert_int_equal(cgroup_id(a, x), cgroup_id(b, y));
	one.cgroup = two.cgroup = 0;
	if (zwb_event_kind_is_block(x->kind)) {
		assert_int_equal(a->stream->meta->devices[x->dev].major,
			b->stream->meta->devices[y->dev].major);
		assert_int_equal(a->stream->meta->devices[x->dev].minor,
			b->stream->meta->devices[y->dev].minor);
		one.dev = two.dev = 0;
	}
	if (memcmp(&one, &two, sizeof(one)) != 0)
		print_error("a record of kind %s is not read as it was written\n",
			zwb_event_kind_name(x->kind));
	assert_memory_equal(&one, &two, sizeof(one));
}

static size_t assert_same_streams(struct zwb_stream *a, struct zwb_stream *b)
{
	struct cursor one = { .stream = a }, two = { .stream = b };
	size_t nr = 0;

	for (;; nr++) {
		const struct zwb_event *x = next(&one), *y = next(&two);

		if (!x || !y) {
			assert_null(x);
			assert_null(y);
			return nr;
		}
		assert_same_event(&one, x, &two, y);
	}
}

static void assert_nothing_lost(const struct zwb_meta *meta)
{
	for (size_t i = 0; i < meta->nr_losses; i++)
		assert_true(meta->losses[i].kind == ZWB_LOSS_UNPAIRED_BEGIN ||
			    meta->losses[i].kind == ZWB_LOSS_UNPAIRED_END);
	assert_int_equal(meta->nr_unknowns, 0);
	for (size_t i = 0; i < meta->nr_tallies; i++)
		assert_in_range(meta->tallies[i].kind, 1, ZWB_EV_NR - 1);
}

static struct zwb_stream *open_dat(const char *path)
{
	struct zwb_stream *s = NULL;
	struct zwb_err err = { 0 };

	if (zwb_tracedat_open(path, NULL, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

static struct zwb_stream *open_synth(uint64_t nr_events, uint32_t nr_cpus)
{
	struct zwb_synth_params params;
	struct zwb_stream *s = NULL;

	zwb_synth_defaults(&params);
	params.nr_events = nr_events;
	params.nr_cpus = nr_cpus;
	params.nr_pages = 16384;
	params.nr_slots = 20000;
	assert_int_equal(zwb_synth_open(&params, &s, NULL), ZWB_OK);
	return s;
}

static void write_synth(const struct place *p, uint64_t nr_events, uint32_t nr_cpus)
{
	struct zwb_stream *s = open_synth(nr_events, nr_cpus);
	const struct zwb_event *events;
	struct zwb_datsink *sink;
	struct zwb_store *store;
	size_t nr;

	assert_int_equal(zwb_datsink_open(&sink, p->dat, 0, s->meta, NULL), ZWB_OK);
	assert_int_equal(zwb_store_create(p->h5, NULL, &store, NULL), ZWB_OK);
	while (zwb_stream_next(s, &events, &nr, NULL) == ZWB_OK && nr > 0) {
		assert_int_equal(zwb_datsink_add(sink, events, nr, NULL), ZWB_OK);
		assert_int_equal(zwb_store_append(store, events, nr, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_datsink_finish(sink, NULL), ZWB_OK);
	assert_int_equal(zwb_store_commit(store, s->meta, NULL), ZWB_OK);
	zwb_stream_close(s);
}

static void datsink__reads_back_a_synthetic_trace_as_the_store_does(void **state)
{
	static const uint32_t nr_cpus[] = { 1, 2, 7 };
	struct place *p = *state;

	for (size_t i = 0; i < sizeof(nr_cpus) / sizeof(nr_cpus[0]); i++) {
		struct zwb_stream *dat, *h5, *synth;

		write_synth(p, 100000, nr_cpus[i]);
		synth = open_synth(100000, nr_cpus[i]);
		dat = open_dat(p->dat);
		assert_int_equal(assert_same_streams(synth, dat), 100000);
		assert_nothing_lost(dat->meta);
		assert_int_equal(dat->meta->start_ns, synth->meta->start_ns);
		assert_int_equal(dat->meta->nr_cpus, nr_cpus[i]);
		assert_string_equal(dat->meta->clock, "mono");
		assert_string_equal(dat->meta->kernel, "synthetic");
		zwb_stream_close(dat);
		zwb_stream_close(synth);
		synth = open_synth(100000, nr_cpus[i]);
		assert_int_equal(zwb_store_open(p->h5, &h5, NULL), ZWB_OK);
		assert_int_equal(assert_same_streams(synth, h5), 100000);
		zwb_stream_close(h5);
		zwb_stream_close(synth);
		unlink(p->dat);
		unlink(p->h5);
	}
}

/* The fields that event.h gives a meaning for this kind, with numbers of their own. */
static struct zwb_event sample(unsigned int kind, unsigned int walk)
{
	const char *doc = zwb_event_kind_doc(kind);
	struct zwb_event ev = { .tid = 100, .kind = (uint8_t)kind, .flags = (uint8_t)walk };

	if (strstr(doc, "addr"))
		ev.addr = 12345;
	if (strstr(doc, "slot"))
		ev.dev = 3; /* swap type */
	if (strstr(doc, "cgroup"))
		ev.cgroup = 1;
	if (strstr(doc, "len"))
		ev.len = 24;
	if (strstr(doc, "val"))
		ev.val = 1;
	if (kind == ZWB_EV_WORKER_END)
		ev.val = ZWB_VAL_UNKNOWN; /* an end without a result */
	if (zwb_event_kind_is_block(kind)) {
		ev.flags = ZWB_OP_WRITE | ZWB_OP_SYNC;
		ev.dev = 1;
	}
	return ev;
}

/* A second, where the kind has one: other results and flags. */
static struct zwb_event other_sample(unsigned int kind, unsigned int walk)
{
	struct zwb_event ev = sample(kind, walk);

	if (ev.val == 1)
		ev.val = 0;
	if (ev.len)
		ev.len = 1;
	if (kind == ZWB_EV_WRITEBACK_END || kind == ZWB_EV_BIO_COMPLETE || kind == ZWB_EV_WALK_END)
		ev.val = -17;
	if (kind == ZWB_EV_LOAD_END)
		ev.val = -1;
	if (zwb_event_kind_is_block(kind))
		ev.flags = kind & 1 ? ZWB_OP_FLUSH | ZWB_OP_META : ZWB_OP_RAHEAD;
	return ev;
}

static int is_walk(unsigned int kind)
{
	return kind == ZWB_EV_WALK_BEGIN || kind == ZWB_EV_WALK_END;
}

static size_t all_samples(struct zwb_event *events)
{
	size_t nr = 0;

	for (unsigned int kind = 1; kind < ZWB_EV_NR; kind++) {
		unsigned int first = is_walk(kind) ? ZWB_WALK_MEMCG : 0;
		unsigned int last = is_walk(kind) ? ZWB_WALK_KWORKER : 0;

		for (unsigned int walk = first; walk <= last; walk++) {
			events[nr++] = sample(kind, walk);
			events[nr++] = other_sample(kind, walk);
		}
	}
	for (size_t i = 0; i < nr; i++) {
		events[i].ts_ns = 1000 * i;
		events[i].cpu = i & 1;
	}
	return nr;
}

static struct zwb_meta *sample_meta(void)
{
	struct zwb_meta *meta = zwb_meta_create();

	meta->nr_cpus = 2;
	meta->start_ns = START_NS;
	assert_int_equal(zwb_meta_cgroup(meta, 77, "/a", NULL), 1);
	assert_int_equal(zwb_meta_device(meta, 8, 0, "sda", NULL), 0);
	assert_int_equal(zwb_meta_device(meta, 259, 300, "nvme", NULL), 1);
	assert_int_equal(zwb_meta_task(meta, 100, "sample", NULL), ZWB_OK);
	return meta;
}

static void datsink__reads_back_every_kind_of_event(void **state)
{
	struct zwb_event events[4 * ZWB_EV_NR];
	struct place *p = *state;
	struct zwb_meta *meta = sample_meta();
	struct zwb_stream wanted = { .meta = meta };
	struct cursor one = { .stream = &wanted }, two = { 0 };
	size_t nr = all_samples(events);
	struct zwb_datsink *sink;

	assert_int_equal(zwb_datsink_open(&sink, p->dat, 0, meta, NULL), ZWB_OK);
	assert_int_equal(zwb_datsink_add(sink, events, nr, NULL), ZWB_OK);
	assert_int_equal(zwb_datsink_finish(sink, NULL), ZWB_OK);
	two.stream = open_dat(p->dat);
	for (size_t i = 0; i < nr; i++) {
		const struct zwb_event *ev = next(&two);

		assert_non_null(ev);
		assert_string_equal(
			zwb_event_kind_name(ev->kind), zwb_event_kind_name(events[i].kind));
		assert_same_event(&one, &events[i], &two, ev);
	}
	assert_null(next(&two));
	assert_nothing_lost(two.stream->meta);
	assert_int_equal(two.stream->meta->nr_tasks, 1);
	assert_string_equal(two.stream->meta->tasks[0].comm, "sample");
	zwb_stream_close(two.stream);
	zwb_meta_free(meta);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(datsink__reads_back_a_synthetic_trace_as_the_store_does),
		TEST(datsink__reads_back_every_kind_of_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
