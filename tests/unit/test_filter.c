/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams made of streams: merged, cut, of one cgroup. */
#include "filter.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream over an array, @step events at a time; its metadata may grow as it is read. */
struct array_stream {
	struct zwb_stream stream;
	const struct zwb_event *events;
	size_t nr, at, step;
	uint64_t late_cgroup; /* id that becomes row 2 when the second block is read */
};

static int array_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct array_stream *as = (struct array_stream *)stream;
	size_t nr = as->nr - as->at < as->step ? as->nr - as->at : as->step;

	(void)err;
	if (as->at && as->late_cgroup)
		assert_true(zwb_meta_cgroup(as->stream.meta, as->late_cgroup, "", NULL) > 0);
	*events = as->events + as->at;
	*nr_events = nr;
	as->at += nr;
	return ZWB_OK;
}

static void array_close(struct zwb_stream *stream)
{
	zwb_meta_free(stream->meta);
	free(stream);
}

static const struct zwb_stream_ops array_ops = { .next = array_next, .close = array_close };

static struct zwb_stream *make(
	const struct zwb_event *events, size_t nr, size_t step, uint64_t start_ns)
{
	struct array_stream *as = calloc(1, sizeof(*as));

	assert_non_null(as);
	as->stream.ops = &array_ops;
	as->stream.meta = zwb_meta_create();
	as->events = events;
	as->nr = nr;
	as->step = step;
	zwb_meta_set(&as->stream.meta->clock, "mono", NULL);
	as->stream.meta->start_ns = start_ns;
	return &as->stream;
}

/* All events of @s as "addr addr ...". */
static void read_addrs(struct zwb_stream *s, char *text, size_t room)
{
	const struct zwb_event *events;
	size_t nr, len = 0;

	text[0] = '\0';
	do {
		assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
		for (size_t i = 0; i < nr; i++)
			len += (size_t)snprintf(text + len, room - len, "%d@%d ",
				(int)events[i].addr, (int)events[i].ts_ns);
	} while (nr);
}

static void filter__merged_events_are_in_order_of_absolute_time(void **state)
{
	static const struct zwb_event a[] = {
		{ .ts_ns = 0, .addr = 1, .cpu = 1 },
		{ .ts_ns = 10, .addr = 2, .cpu = 1 },
		{ .ts_ns = 30, .addr = 3, .cpu = 1 },
	};
	static const struct zwb_event b[] = {
		{ .ts_ns = 5, .addr = 4, .cpu = 0 }, /* the same moment as 2, on a lower CPU */
		{ .ts_ns = 25, .addr = 5, .cpu = 1 }, /* the same moment and CPU as 3 */
		{ .ts_ns = 26, .addr = 6, .cpu = 0 },
	};
	struct zwb_stream *inputs[] = { make(b, 3, 1, 105), make(a, 3, 2, 100) };
	struct zwb_stream *s;
	char text[256];

	(void)state;
	assert_int_equal(zwb_stream_merge(inputs, 2, 0, UINT64_MAX, &s, NULL), ZWB_OK);
	assert_int_equal(s->meta->start_ns, 100);
	read_addrs(s, text, sizeof(text));
	assert_string_equal(text, "1@0 4@10 2@10 3@30 5@30 6@31 ");
	zwb_stream_close(s);
}

static void filter__a_cut_is_half_open_and_starts_time_anew(void **state)
{
	static const struct zwb_event a[] = { { .ts_ns = 9, .addr = 1 }, { .ts_ns = 10, .addr = 2 },
		{ .ts_ns = 19, .addr = 3 }, { .ts_ns = 20, .addr = 4 } };
	struct zwb_stream *inputs[] = { make(a, 4, 3, 1000) };
	struct zwb_stream *s;
	char text[256];

	(void)state;
	assert_int_equal(zwb_stream_merge(inputs, 1, 10, 20, &s, NULL), ZWB_OK);
	assert_int_equal(s->meta->start_ns, 1010);
	assert_string_equal(zwb_meta_fact_get(s->meta, "cut", "from_ns"), "10");
	assert_string_equal(zwb_meta_fact_get(s->meta, "cut", "to_ns"), "20");
	read_addrs(s, text, sizeof(text));
	assert_string_equal(text, "2@0 3@9 ");
	zwb_stream_close(s);
}

static void filter__an_empty_span_is_refused(void **state)
{
	struct zwb_stream *inputs[] = { make(NULL, 0, 1, 0) };
	struct zwb_stream *s;

	(void)state;
	assert_int_equal(zwb_stream_merge(inputs, 1, 20, 20, &s, NULL), ZWB_EUSAGE);
}

static void filter__recordings_of_different_clocks_do_not_merge(void **state)
{
	struct zwb_stream *inputs[] = { make(NULL, 0, 1, 0), make(NULL, 0, 1, 0) };
	struct zwb_stream *s;
	struct zwb_err err = { 0 };

	(void)state;
	zwb_meta_set(&inputs[1]->meta->clock, "local", NULL);
	assert_int_equal(zwb_stream_merge(inputs, 2, 0, UINT64_MAX, &s, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, "clocks differ"));
}

static void filter__tables_are_merged_and_indices_follow(void **state)
{
	static const struct zwb_event a[] = {
		{ .ts_ns = 0, .kind = ZWB_EV_BIO_QUEUE, .cgroup = 1, .dev = 0 },
		{ .ts_ns = 4, .kind = ZWB_EV_STORE_BEGIN, .cgroup = 2, .dev = 9 },
	};
	static const struct zwb_event b[] = {
		{ .ts_ns = 1, .kind = ZWB_EV_BIO_QUEUE, .cgroup = 1, .dev = 1 },
	};
	struct zwb_stream *inputs[] = { make(a, 2, 1, 0), make(b, 1, 1, 0) };
	const struct zwb_event *events;
	const struct zwb_meta *m;
	struct zwb_stream *s;
	size_t nr;

	(void)state;
	zwb_meta_cgroup(inputs[0]->meta, 28, "/w0", NULL);
	((struct array_stream *)inputs[0])->late_cgroup = 99;
	zwb_meta_device(inputs[0]->meta, 254, 0, "vda", NULL);
	zwb_meta_task(inputs[0]->meta, 7, "one", NULL);
	zwb_meta_cgroup(inputs[1]->meta, 77, "/w1", NULL);
	zwb_meta_device(inputs[1]->meta, 8, 0, "sda", NULL);
	zwb_meta_device(inputs[1]->meta, 254, 0, NULL, NULL);
	zwb_meta_task(inputs[1]->meta, 7, "one", NULL);
	zwb_meta_task(inputs[1]->meta, 8, "two", NULL);
	assert_int_equal(zwb_stream_merge(inputs, 2, 0, UINT64_MAX, &s, NULL), ZWB_OK);
	m = s->meta;
	assert_int_equal(m->nr_tasks, 2);
	assert_int_equal(m->nr_devices, 2);
	assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 3);
	assert_string_equal(m->cgroups[events[0].cgroup].path, "/w0");
	assert_string_equal(m->cgroups[events[1].cgroup].path, "/w1");
	assert_int_equal(m->cgroups[events[2].cgroup].id, 99);
	assert_string_equal(m->devices[events[0].dev].name, "vda");
	assert_string_equal(m->devices[events[1].dev].name, "vda");
	assert_int_equal(events[2].dev, 9); /* a swap type is no row of the devices */
	zwb_stream_close(s);
}

static void add_counters(struct zwb_meta *m, int64_t before, int64_t after)
{
	zwb_meta_counter(m, ZWB_COUNTER_BEFORE, "vmstat", "zswpwb", before, NULL);
	zwb_meta_counter(m, 50, "vmstat", "zswpwb", before + 1, NULL);
	zwb_meta_counter(m, ZWB_COUNTER_AFTER, "vmstat", "zswpwb", after, NULL);
}

static void filter__counters_are_those_around_the_whole(void **state)
{
	static const struct zwb_event ev = { 0 };
	struct zwb_stream *inputs[] = { make(&ev, 1, 1, 1000), make(&ev, 1, 1, 0) };
	struct zwb_stream *s;
	int64_t delta = 0;

	(void)state;
	add_counters(inputs[0]->meta, 20, 29); /* the later one */
	add_counters(inputs[1]->meta, 3, 10);
	assert_int_equal(zwb_stream_merge(inputs, 2, 0, UINT64_MAX, &s, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_counter_delta(s->meta, "vmstat", "zswpwb", &delta), 1);
	assert_int_equal(delta, 29 - 3);
	assert_int_equal(s->meta->nr_counters, 4);
	assert_int_equal(s->meta->counters[2].ts_ns, 1050);
	zwb_stream_close(s);
}

static void filter__a_cut_leaves_out_what_it_no_longer_covers(void **state)
{
	static const struct zwb_event a[] = { { .ts_ns = 10 }, { .ts_ns = 60 }, { .ts_ns = 200 } };
	const struct zwb_loss losses[] = {
		{ .kind = ZWB_LOSS_OVERRUN, .nr = 1, .first_ns = 0, .last_ns = 5 },
		{ .kind = ZWB_LOSS_OVERRUN, .nr = 2, .first_ns = 30, .last_ns = 70 },
		{ .kind = ZWB_LOSS_OVERRUN, .nr = 3, .first_ns = 150, .last_ns = 160 },
	};
	struct zwb_stream *inputs[] = { make(a, 3, 1, 0) };
	struct zwb_stream *s;
	char text[64];
	int64_t delta;

	(void)state;
	add_counters(inputs[0]->meta, 3, 10);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(losses); i++)
		zwb_meta_loss(inputs[0]->meta, &losses[i], NULL);
	assert_int_equal(zwb_stream_merge(inputs, 1, 40, 100, &s, NULL), ZWB_OK);
	read_addrs(s, text, sizeof(text));
	assert_string_equal(text, "0@20 ");
	assert_int_equal(zwb_meta_counter_delta(s->meta, "vmstat", "zswpwb", &delta), 0);
	assert_int_equal(s->meta->nr_counters, 1);
	assert_int_equal(s->meta->counters[0].ts_ns, 10);
	assert_string_equal(s->meta->unknowns[0].what, "counters");
	assert_int_equal(s->meta->nr_losses, 1);
	assert_int_equal(s->meta->losses[0].nr, 2);
	assert_int_equal(s->meta->losses[0].first_ns, 0);
	assert_int_equal(s->meta->losses[0].last_ns, 30);
	zwb_stream_close(s);
}

/* -- of one cgroup: rows 1 "/a", 2 "/a/x", 3 "/b" -- */

#define EV(kind_, addr_, ...)                                                                      \
	{                                                                                          \
		.kind = ZWB_EV_##kind_, .addr = addr_, __VA_ARGS__                                 \
	}

static void assert_kept(const struct zwb_event *events, size_t nr, const char *want)
{
	struct zwb_stream *s = make(events, nr, 2, 0);
	char text[256];

	zwb_meta_cgroup(s->meta, 10, "/a", NULL);
	zwb_meta_cgroup(s->meta, 11, "/a/x", NULL);
	zwb_meta_cgroup(s->meta, 12, "/b", NULL);
	assert_int_equal(zwb_stream_of_cgroup(s, "/a", &s, NULL), ZWB_OK);
	read_addrs(s, text, sizeof(text));
	assert_string_equal(text, want);
	zwb_stream_close(s);
}

static void filter__operations_of_other_cgroups_are_left_out_whole(void **state)
{
	static const struct zwb_event events[] = {
		EV(STORE_BEGIN, 1, .cgroup = 1),
		EV(COMPRESS, 2),
		EV(STORE_END, 3),
		EV(STORE_BEGIN, 4, .cgroup = 3),
		EV(COMPRESS, 5),
		EV(STORE_END, 6),
		EV(STORE_BEGIN, 7, .cgroup = 2), /* below the selected one */
		EV(STORE_END, 8),
		EV(STORE_BEGIN, 9), /* of nobody known */
		EV(STORE_END, 10),
	};

	(void)state;
	assert_kept(events, ZWB_ARRAY_LEN(events), "1@0 2@0 3@0 7@0 8@0 9@0 10@0 ");
}

static void filter__an_operation_inside_another_speaks_for_itself(void **state)
{
	static const struct zwb_event events[] = {
		EV(RECLAIM_BEGIN, 1, .cgroup = 1),
		EV(WALK_BEGIN, 2, .cgroup = 3),
		EV(VISIT_BEGIN, 3), /* inside the walk */
		EV(VISIT_END, 4),
		EV(WALK_END, 5),
		EV(VISIT_BEGIN, 6), /* inside the reclaim again */
		EV(VISIT_END, 7),
		EV(RECLAIM_END, 8),
	};

	(void)state;
	assert_kept(events, ZWB_ARRAY_LEN(events), "1@0 6@0 7@0 8@0 ");
}

static void filter__tasks_do_not_mix(void **state)
{
	static const struct zwb_event events[] = {
		EV(WALK_BEGIN, 1, .cgroup = 3, .tid = 1),
		EV(WALK_BEGIN, 2, .cgroup = 1, .tid = 2),
		EV(VISIT_BEGIN, 3, .tid = 1),
		EV(VISIT_BEGIN, 4, .tid = 2),
		EV(WALK_END, 5, .tid = 1),
		EV(VISIT_BEGIN, 6, .tid = 1),
	};

	(void)state;
	assert_kept(events, ZWB_ARRAY_LEN(events), "2@0 4@0 6@0 ");
}

static void filter__block_io_and_scheduling_are_shared(void **state)
{
	static const struct zwb_event events[] = {
		EV(WALK_BEGIN, 1, .cgroup = 3),
		EV(BIO_QUEUE, 2),
		EV(RQ_ISSUE, 3),
		EV(PLUG_START, 4),
		EV(SCHED_SWITCH, 5),
		EV(SWAP_WRITE, 6),
		EV(WALK_END, 7),
	};

	(void)state;
	assert_kept(events, ZWB_ARRAY_LEN(events), "2@0 3@0 4@0 5@0 ");
}

static void filter__slots_of_other_cgroups_are_left_out(void **state)
{
	static const struct zwb_event events[] = {
		EV(STORE_BEGIN, 100, .cgroup = 3),
		EV(STORE_END, 100),
		EV(STORE_BEGIN, 200, .cgroup = 1),
		EV(STORE_END, 200),
		EV(INVALIDATE, 100),
		EV(INVALIDATE, 200),
		EV(INVALIDATE, 300), /* stored before the recording began */
		EV(INVALIDATE, 100, .dev = 1), /* the same slot of another area */
		EV(STORE_BEGIN, 100, .cgroup = 1), /* used again */
		EV(STORE_END, 100),
		EV(INVALIDATE, 100),
	};

	(void)state;
	assert_kept(
		events, ZWB_ARRAY_LEN(events), "200@0 200@0 200@0 300@0 100@0 100@0 100@0 100@0 ");
}

static void filter__a_cgroup_is_found_by_its_id_too(void **state)
{
	static const struct zwb_event events[] = { EV(STORE_BEGIN, 1, .cgroup = 1),
		EV(STORE_BEGIN, 2, .cgroup = 2, .tid = 2) };
	struct zwb_stream *s = make(events, 2, 2, 0);
	char text[64];

	(void)state;
	zwb_meta_cgroup(s->meta, 10, "", NULL);
	zwb_meta_cgroup(s->meta, 11, "", NULL);
	assert_int_equal(zwb_stream_of_cgroup(s, "11", &s, NULL), ZWB_OK);
	assert_string_equal(zwb_meta_fact_get(s->meta, "cut", "cgroup"), "11");
	read_addrs(s, text, sizeof(text));
	assert_string_equal(text, "2@0 ");
	zwb_stream_close(s);
}

static void filter__a_path_that_no_cgroup_has_is_refused(void **state)
{
	static const char *const wrong[] = { "/b", "/aa", "x", "" };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(wrong); i++) {
		struct zwb_stream *s = make(NULL, 0, 1, 0);

		zwb_meta_cgroup(s->meta, 10, "/a", NULL);
		assert_int_equal(zwb_stream_of_cgroup(s, wrong[i], &s, NULL), ZWB_EUSAGE);
	}
}

int main(void)
{
#define T(name) cmocka_unit_test(filter__##name)
	const struct CMUnitTest tests[] = {
		T(merged_events_are_in_order_of_absolute_time),
		T(a_cut_is_half_open_and_starts_time_anew),
		T(an_empty_span_is_refused),
		T(recordings_of_different_clocks_do_not_merge),
		T(tables_are_merged_and_indices_follow),
		T(counters_are_those_around_the_whole),
		T(a_cut_leaves_out_what_it_no_longer_covers),
		T(operations_of_other_cgroups_are_left_out_whole),
		T(an_operation_inside_another_speaks_for_itself),
		T(tasks_do_not_mix),
		T(block_io_and_scheduling_are_shared),
		T(slots_of_other_cgroups_are_left_out),
		T(a_cgroup_is_found_by_its_id_too),
		T(a_path_that_no_cgroup_has_is_refused),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
