/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording that can be handed on: nothing of the names is left in it. */
#include "filter.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct zwb_event recorded[] = {
	{ .ts_ns = 1, .tid = 7, .kind = ZWB_EV_SWAP_FAULT_BEGIN, .addr = 0x7f0012345000 },
	{ .ts_ns = 2, .tid = 7, .kind = ZWB_EV_LOAD_BEGIN, .addr = 77, .cgroup = 1 },
	{ .ts_ns = 3, .tid = 7, .kind = ZWB_EV_BIO_QUEUE, .addr = 4096, .len = 8 },
};

struct one_block {
	struct zwb_stream stream;
	int status; /* at the end */
	int is_read;
};

static int one_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct one_block *one = (struct one_block *)stream;

	*events = recorded;
	*nr_events = one->is_read ? 0 : ZWB_ARRAY_LEN(recorded);
	if (one->is_read && one->status)
		return zwb_err_set(err, one->status, 0, "cut off");
	one->is_read = 1;
	return ZWB_OK;
}

static void one_close(struct zwb_stream *stream)
{
	zwb_meta_free(stream->meta);
	free(stream);
}

static const struct zwb_stream_ops one_ops = { .next = one_next, .close = one_close };

static struct zwb_stream *make(int status)
{
	static const struct zwb_swap file = { .path = "/srv/acme/swapfile", .kind = "file" };
	static const struct zwb_swap disk = { .path = "/dev/vda2", .kind = "partition" };
	struct one_block *one = calloc(1, sizeof(*one));
	struct zwb_meta *m = zwb_meta_create();

	assert_non_null(one);
	assert_non_null(m);
	assert_int_equal(zwb_meta_cgroup(m, 42, "/acme/web", NULL), 1);
	assert_int_equal(zwb_meta_cgroup(m, UINT64_C(0xffff888012345678), NULL, NULL), 2);
	zwb_meta_task(m, 7, "acmed", NULL);
	zwb_meta_task(m, 8, "kswapd0", NULL);
	zwb_meta_device(m, 254, 0, "vda", NULL);
	zwb_meta_swap(m, &file, NULL);
	zwb_meta_swap(m, &disk, NULL);
	zwb_meta_fact(m, "host", "kernel", "Linux acme-db1 7.3.4", NULL);
	zwb_meta_fact(m, "host", "cpus", "2", NULL);
	zwb_meta_fact(m, "notes", "line 1", "acme", NULL);
	zwb_meta_fact(m, "zswap", "compressor", "zstd", NULL);
	zwb_meta_fact(m, "cgroup /acme/web", "memory.max", "max", NULL);
	zwb_meta_fact(m, "cgroup /acme/web end", "memory.max", "4096", NULL);
	zwb_meta_fact(m, "disk vda", "dm_name", "acme-swap", NULL);
	zwb_meta_fact(m, "disk vda", "number", "254:0", NULL);
	zwb_meta_fact(m, "cut", "cgroup", "/acme", NULL);
	zwb_meta_counter(m, 5, "cgroup /acme/web io.stat", "254:0 wios", 12, NULL);
	zwb_meta_counter(m, 5, "vmstat", "zswpwb", 3, NULL);
	zwb_meta_set(&m->source, "/data/acme/trace.dat", NULL);
	one->stream = (struct zwb_stream){ &one_ops, m };
	one->status = status;
	return &one->stream;
}

static struct zwb_stream *hidden(int status)
{
	static const struct zwb_anon anon = { { 1, 2 } };
	struct zwb_stream *s = NULL;

	assert_int_equal(zwb_stream_anonymise(make(status), &anon, &s, NULL), ZWB_OK);
	return s;
}

/* Reads to the end; the status there. */
static int drain(struct zwb_stream *s, struct zwb_event *first)
{
	const struct zwb_event *events;
	struct zwb_err err = { 0 };
	size_t nr;
	int ret = zwb_stream_next(s, &events, &nr, &err);

	assert_int_equal(ret, ZWB_OK);
	assert_int_equal(nr, ZWB_ARRAY_LEN(recorded));
	memcpy(first, events, sizeof(recorded));
	return zwb_stream_next(s, &events, &nr, &err);
}

static void has_no(const char *text)
{
	assert_null(strstr(text, "acme"));
	assert_null(strstr(text, "web"));
}

static void nothing_is_left(const struct zwb_meta *m)
{
	has_no(m->source);
	for (size_t i = 0; i < m->nr_cgroups; i++)
		has_no(m->cgroups[i].path);
	for (size_t i = 0; i < m->nr_tasks; i++)
		has_no(m->tasks[i].comm);
	for (size_t i = 0; i < m->nr_swaps; i++)
		has_no(m->swaps[i].path);
	for (size_t i = 0; i < m->nr_counters; i++)
		has_no(m->counters[i].source);
	for (size_t i = 0; i < m->nr_facts; i++) {
		has_no(m->facts[i].section);
		has_no(m->facts[i].value);
	}
}

static void anon_stream__no_name_is_left_in_any_table(void **state)
{
	struct zwb_event events[ZWB_ARRAY_LEN(recorded)];
	struct zwb_stream *s = hidden(ZWB_OK);

	(void)state;
	assert_int_equal(drain(s, events), ZWB_OK);
	nothing_is_left(s->meta);
	zwb_stream_close(s);
}

static void anon_stream__a_damaged_recording_is_hidden_too(void **state)
{
	struct zwb_event events[ZWB_ARRAY_LEN(recorded)];
	struct zwb_stream *s = hidden(ZWB_EDATA);

	(void)state;
	assert_int_equal(drain(s, events), ZWB_EDATA);
	nothing_is_left(s->meta);
	zwb_stream_close(s);
}

static void anon_stream__only_user_addresses_are_taken_from_events(void **state)
{
	struct zwb_event events[ZWB_ARRAY_LEN(recorded)];
	struct zwb_stream *s = hidden(ZWB_OK);

	(void)state;
	drain(s, events);
	assert_int_equal(events[0].addr, 0);
	assert_int_equal(events[1].addr, 77);
	assert_int_equal(events[2].addr, 4096);
	zwb_stream_close(s);
}

static void anon_stream__what_names_nobody_stays(void **state)
{
	struct zwb_event events[ZWB_ARRAY_LEN(recorded)];
	struct zwb_stream *s = hidden(ZWB_OK);
	const struct zwb_meta *m = s->meta;

	(void)state;
	drain(s, events);
	assert_string_equal(m->tasks[1].comm, "kswapd0");
	assert_string_equal(m->swaps[1].path, "/dev/vda2");
	assert_string_equal(m->devices[0].name, "vda");
	assert_string_equal(zwb_meta_fact_get(m, "zswap", "compressor"), "zstd");
	assert_string_equal(zwb_meta_fact_get(m, "host", "cpus"), "2");
	assert_null(zwb_meta_fact_get(m, "host", "kernel"));
	assert_string_equal(zwb_meta_fact_get(m, "anonymise", "dropped"), "3");
	assert_string_equal(zwb_meta_fact_get(m, "disk vda", "number"), "254:0");
	assert_int_equal(m->cgroups[1].id, 42);
	zwb_stream_close(s);
}

static void anon_stream__tables_still_agree_on_a_cgroup(void **state)
{
	struct zwb_event events[ZWB_ARRAY_LEN(recorded)];
	struct zwb_stream *s = hidden(ZWB_OK);
	const struct zwb_meta *m = s->meta;
	char name[64];

	(void)state;
	drain(s, events);
	snprintf(name, sizeof(name), "cgroup %s", m->cgroups[1].path);
	assert_string_equal(zwb_meta_fact_get(m, name, "memory.max"), "max");
	snprintf(name, sizeof(name), "cgroup %s end", m->cgroups[1].path);
	assert_string_equal(zwb_meta_fact_get(m, name, "memory.max"), "4096");
	snprintf(name, sizeof(name), "cgroup %s io.stat", m->cgroups[1].path);
	assert_string_equal(m->counters[0].source, name);
	assert_true(m->cgroups[2].id >= UINT64_C(1) << 63);
	assert_int_not_equal(m->cgroups[2].id, UINT64_C(0xffff888012345678));
	zwb_stream_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anon_stream__no_name_is_left_in_any_table),
		cmocka_unit_test(anon_stream__a_damaged_recording_is_hidden_too),
		cmocka_unit_test(anon_stream__only_user_addresses_are_taken_from_events),
		cmocka_unit_test(anon_stream__what_names_nobody_stays),
		cmocka_unit_test(anon_stream__tables_still_agree_on_a_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
