/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap geometry from the events of a recording. */
#include "facts.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As left by zwb_facts_load() when there is nothing beside the recording. */
static struct zwb_meta *guessed(void)
{
	struct zwb_meta *m = zwb_meta_create();

	assert_non_null(m);
	assert_int_equal(zwb_facts_load(m, "nowhere/trace.dat", NULL, NULL), ZWB_OK);
	assert_int_equal(m->swaps[0].geometry_known, 0);
	return m;
}

static const struct zwb_unknown *find_unknown(const struct zwb_meta *m, const char *what)
{
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		if (strcmp(m->unknowns[i].what, what) == 0)
			return &m->unknowns[i];
	}
	return NULL;
}

static void assert_source(const struct zwb_meta *m, const char *want)
{
	assert_string_equal(zwb_meta_fact_get(m, "geometry", "source"), want);
}

struct probe {
	struct zwb_stream stream;
	const struct zwb_event *events;
	size_t nr;
};

static int probe_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct probe *p = (struct probe *)stream;

	(void)err;
	*events = p->events;
	*nr_events = p->nr;
	p->nr = 0;
	return ZWB_OK;
}

static const struct zwb_stream_ops probe_ops = { .next = probe_next };

enum { NR_WRITES = 40 };

/* Writes of @run slots a bio, at @start plus the slot; every @odd th bio lies elsewhere. */
static size_t make_writes(
	struct zwb_event *events, uint64_t start, unsigned int run, unsigned int odd)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < NR_WRITES; i++) {
		uint64_t slot = 100 + (uint64_t)i * 50;

		for (unsigned int s = 0; s < run; s++)
			events[nr++] = (struct zwb_event){
				.kind = ZWB_EV_SWAP_WRITE, .tid = 7, .addr = slot + s
			};
		/* a bio of somebody else in between */
		events[nr++] = (struct zwb_event){ .kind = ZWB_EV_BIO_QUEUE,
			.tid = 8,
			.addr = i,
			.len = 8,
			.flags = ZWB_OP_WRITE };
		events[nr++] = (struct zwb_event){ .kind = ZWB_EV_BIO_QUEUE,
			.tid = 7,
			.addr = odd && i % odd == 0 ? 5000000 + i * 8 : start + slot * 8,
			.len = 8 * run,
			.flags = ZWB_OP_WRITE };
		events[nr++] = (struct zwb_event){ .kind = ZWB_EV_RQ_ISSUE, .tid = 7 };
	}
	return nr;
}

static void learn(struct zwb_meta *m, uint64_t start, unsigned int run, unsigned int odd)
{
	struct zwb_event *events = calloc(NR_WRITES * ((size_t)run + 3), sizeof(*events));
	struct probe p = { .stream = { .ops = &probe_ops, .meta = zwb_meta_create() },
		.events = events,
		.nr = make_writes(events, start, run, odd) };

	assert_int_equal(zwb_meta_device(p.stream.meta, 254, 0, NULL, NULL), 0);
	assert_int_equal(zwb_facts_learn(m, &p.stream, NULL), ZWB_OK);
	zwb_meta_free(p.stream.meta);
	free(events);
}

static void learn__a_guessed_geometry_is_replaced_by_what_the_recording_shows(void **state)
{
	struct zwb_meta *m = guessed();

	(void)state;
	learn(m, 2048, 1, 0);
	assert_int_equal(m->swaps[0].geometry_known, 1);
	assert_int_equal(m->extents[0].first_sector, 2048);
	/* the highest slot is that of the last write */
	assert_int_equal(m->extents[0].nr_slots, 100 + (NR_WRITES - 1) * 50 + 1);
	assert_int_equal(m->swaps[0].synchronous, 0);
	assert_int_equal(m->nr_devices, 1);
	assert_int_equal(m->devices[m->swaps[0].dev].major, 254);
	assert_null(find_unknown(m, "swap.geometry"));
	assert_source(m, "learned: 40 of 40 writes of the recording lie so");
	zwb_meta_free(m);
}

static void learn__bios_of_many_pages_teach_the_same(void **state)
{
	struct zwb_meta *m = guessed();

	(void)state;
	learn(m, 2048, 20, 8);
	assert_int_equal(m->extents[0].first_sector, 2048);
	assert_source(m, "learned: 35 of 40 writes of the recording lie so");
	zwb_meta_free(m);
}

static void learn__without_agreement_the_guess_stays(void **state)
{
	struct zwb_meta *m = guessed();

	(void)state;
	learn(m, 2048, 1, 3);
	assert_int_equal(m->swaps[0].geometry_known, 0);
	assert_int_equal(m->extents[0].first_sector, 0);
	assert_non_null(find_unknown(m, "swap.geometry"));
	zwb_meta_free(m);
}

static void learn__what_the_host_said_is_not_learned_anew(void **state)
{
	struct zwb_meta *m = guessed();

	(void)state;
	m->swaps[0].geometry_known = 1;
	learn(m, 2048, 1, 0);
	assert_int_equal(m->extents[0].first_sector, 0);
	zwb_meta_free(m);
}

int main(void)
{
#define T(name) cmocka_unit_test(learn__##name)
	const struct CMUnitTest tests[] = {
		T(a_guessed_geometry_is_replaced_by_what_the_recording_shows),
		T(bios_of_many_pages_teach_the_same),
		T(without_agreement_the_guess_stays),
		T(what_the_host_said_is_not_learned_anew),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
