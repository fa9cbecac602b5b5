/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every policy x every promise. */
#include "lane_fixture.h"
#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTRACT_SEEDS 20

/* A small generator of our own: the same recordings everywhere. */
static uint32_t random_below(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

/*
 * A recording at random: three tasks whose walks nest and interleave, pages in runs up and down,
 * second chances, blocks, outer plugs, direct swap-outs.
 */
static void write_recording(struct fixture *f, uint64_t seed)
{
	unsigned int depth[3] = { 0 };
	uint64_t state = seed;
	uint64_t slot = 1000;

	while (f->nr_events < FIXTURE_MAX - 64) {
		uint32_t task = random_below(&state, 3);

		f->tid = 100 + (int32_t)task;
		f->cgroup = 1 + random_below(&state, 8) / 7;
		switch (random_below(&state, 12)) {
		case 0:
			if (depth[task] < 3) {
				fixture_walk_begin(f);
				depth[task]++;
			}
			break;
		case 1:
			if (depth[task]) {
				fixture_walk_end(f);
				depth[task]--;
			}
			break;
		case 2:
			fixture_event(f, ZWB_EV_SCHED_SWITCH, 7, 2);
			break;
		case 3:
			fixture_event(f, ZWB_EV_PLUG, 0, 0);
			break;
		case 4:
			fixture_event(f, ZWB_EV_UNPLUG, 0, 0);
			break;
		case 5:
			fixture_event(f, ZWB_EV_SWAP_WRITE, slot++, 0);
			break;
		case 6:
			slot = 1 + random_below(&state, 60000);
			break;
		case 7:
			fixture_rotate(f, slot);
			break;
		default:
			if (depth[task])
				fixture_write(f, slot += random_below(&state, 3));
			break;
		}
	}
}

/* How often each slot was handed over, in the recording and by the lane's bios or requests. */
static void count_recorded(const struct fixture *f, unsigned int *slots)
{
	for (size_t i = 0; i < f->nr_events; i++) {
		if (f->events[i].kind == ZWB_EV_SWAP_WRITE)
			slots[f->events[i].addr]++;
	}
}

static void count_replayed(const struct fixture_rq *rows, size_t nr, unsigned int *slots)
{
	for (size_t i = 0; i < nr; i++) {
		for (uint32_t k = 0; k < rows[i].nr_sectors / 8; k++)
			slots[rows[i].sector / 8 + k]++;
	}
}

static void policies__write_every_page_exactly_once(const char *policy)
{
	for (uint64_t seed = 1; seed <= CONTRACT_SEEDS; seed++) {
		unsigned int *recorded = calloc(3 * 65536, sizeof(*recorded));
		struct fixture *f = fixture_create();

		assert_non_null(recorded);
		write_recording(f, seed);
		fixture_run(f, policy, "unbatched");
		count_recorded(f, recorded);
		count_replayed(f->bios, f->nr_bios, recorded + 65536);
		count_replayed(f->rqs, f->nr_rqs, recorded + 2 * 65536);
		assert_memory_equal(recorded, recorded + 65536, 65536 * sizeof(*recorded));
		assert_memory_equal(recorded, recorded + 2 * 65536, 65536 * sizeof(*recorded));
		fixture_free(f);
		free(recorded);
	}
}

static void policies__are_deterministic(const char *policy)
{
	struct fixture *a = fixture_create(), *b = fixture_create();

	write_recording(a, 7);
	write_recording(b, 7);
	fixture_run(a, policy, "unbatched");
	fixture_run(b, policy, "unbatched");
	assert_int_equal(a->nr_rqs, b->nr_rqs);
	assert_memory_equal(a->rqs, b->rqs, sizeof(a->rqs));
	assert_memory_equal(a->bios, b->bios, sizeof(a->bios));
	fixture_free(a);
	fixture_free(b);
}

static void policies__survive_an_empty_recording(const char *policy)
{
	struct fixture *f = fixture_create();

	fixture_run(f, policy, "unbatched");
	assert_int_equal(f->nr_bios, 0);
	assert_int_equal(f->nr_rqs, 0);
	WALK(f, 10);
	f->nr_events = 2; /* cut in the middle of a visit */
	fixture_run(f, policy, "unbatched");
	assert_int_equal(f->nr_bios, 0);
	fixture_free(f);
}

/* A recording that ends inside a walk: what the policy holds is submitted all the same. */
static void policies__leave_nothing_behind(const char *policy)
{
	struct fixture *f = fixture_create();
	uint32_t nr_sectors = 0;

	WALK(f, 12, 10, 11);
	f->nr_events--; /* the walk's end is missing */
	fixture_run(f, policy, "unbatched");
	for (size_t i = 0; i < f->nr_rqs; i++)
		nr_sectors += f->rqs[i].nr_sectors;
	assert_int_equal(nr_sectors, 3 * 8);
	fixture_free(f);
}

/* Fewer bios than pages, fewer requests than bios, never the other way round. */
static void policies__only_ever_join(const char *policy)
{
	struct fixture *f = fixture_create();
	struct zwb_lane_counts c;

	write_recording(f, 3);
	fixture_run(f, policy, "unbatched");
	c = zwb_lane_counts(f->lane, UINT32_MAX);
	assert_true(c.write_bios <= c.wb_pages + c.direct_pages);
	assert_true(c.write_rqs <= c.write_bios);
	assert_int_equal(c.write_bios, c.write_rqs + c.back_merges + c.front_merges);
	fixture_free(f);
}

static void (*const promises[])(const char *policy) = {
	policies__write_every_page_exactly_once,
	policies__are_deterministic,
	policies__survive_an_empty_recording,
	policies__leave_nothing_behind,
	policies__only_ever_join,
};

static void policies__keep_every_promise(void **state)
{
	static const char *const variants[] = { "", ",ctx=entry", ",plug=walk",
		",plug=none,ctx=walk", ",class=background" };
	char name[256];

	(void)state;
	for (size_t p = 0; zwb_policy_table[p]; p++) {
		for (size_t v = 0; v < ZWB_ARRAY_LEN(variants); v++) {
			snprintf(
				name, sizeof(name), "%s%s", zwb_policy_table[p]->name, variants[v]);
			for (size_t i = 0; i < ZWB_ARRAY_LEN(promises); i++)
				promises[i](name);
		}
	}
}

static void policies__built_outside_keep_every_promise(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(promises); i++) {
		promises[i](SHARED_POLICY);
		promises[i](SHARED_POLICY ",max_pages=4");
	}
}

/* The copy built against the installed header does what the one in the tree does. */
static void policies__built_outside_equal_their_twin(void **state)
{
	struct fixture *a = fixture_create(), *b = fixture_create();

	(void)state;
	write_recording(a, 5);
	write_recording(b, 5);
	fixture_run(a, "sorted", "unbatched");
	fixture_run(b, SHARED_POLICY, "unbatched");
	assert_memory_equal(a->rqs, b->rqs, sizeof(a->rqs));
	assert_int_equal(a->nr_rqs, b->nr_rqs);
	fixture_free(a);
	fixture_free(b);
}

static void policies__refuse_what_they_do_not_know(void **state)
{
	static const char *const wrong[] = { "nosuch", "", ",", "plugged,", "plugged,=1",
		"plugged,ctx", "plugged,ctx=both", "plugged,color=red", "sorted,max_pages=-1",
		"sorted,max_pages=1e3", "sorted,max_pages=9999999999999999999" };
	struct zwb_policy policy;
	struct zwb_err err;

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(wrong); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(zwb_policy_select(wrong[i], &policy, &err), ZWB_EUSAGE);
		assert_true(err.text[0] != '\0');
		assert_null(policy.ops);
	}
	assert_int_equal(zwb_policy_select("./no-such-file.so", &policy, &err), ZWB_EENV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies__keep_every_promise),
		cmocka_unit_test(policies__built_outside_keep_every_promise),
		cmocka_unit_test(policies__built_outside_equal_their_twin),
		cmocka_unit_test(policies__refuse_what_they_do_not_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
