/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace.dat reader with good recordings; tracedat_damage.c has the others. */
#include "zwb_test.h"

#include "tracedat.h"
#include "tracedat_build.h"
#include "tracedat_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd/trace-cmd.h>

#define SLOT(n)	  ((uint64_t)(n))
#define CGROUP(n) ((uint64_t)(n))

static void check(const struct build_result *r)
{
	if (r->status)
		fail_msg("%s", r->err.text);
}

/* Three CPUs, several pages, events of all kinds, time steps small and large. */
static void build_mixed(const char *path)
{
	struct build b;

	build_begin(&b, path, 3);
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		uint64_t ts = BUILD_START_NS + cpu;

		for (int page = 0; page < 5; page++) {
			for (uint64_t i = 1; i <= 20; i++) {
				int pid = 77 + (int)cpu;

				ts += i * 1000 * (cpu + 1);
				build_put(&b, ts, pid, BUILD_ZSTORE, SLOT(i), CGROUP(42 + cpu));
				build_put(&b, ts, pid, BUILD_ZSTORE_RET, (uint64_t)1);
				build_put(&b, ts + 1, pid, BUILD_OTHER, i);
				build_put(&b, ts + 2, 0, BUILD_ISSUE, (uint64_t)((254u << 20) | 5),
					8 * i, (uint64_t)8, "WS");
			}
			ts += 200000000; /* needs a time extend */
			build_page(&b, cpu);
		}
	}
	build_end(&b);
}

static void tracedat__reads_what_was_recorded(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 2);
	build_put(&b, BUILD_START_NS, 77, BUILD_ZSTORE, SLOT(9) | 1ull << 58, CGROUP(42));
	build_put(&b, BUILD_START_NS + 50, 77, BUILD_ZSTORE_RET, (uint64_t)1);
	build_page(&b, 1);
	build_put(&b, BUILD_START_NS + 20, 5, BUILD_ISSUE, (uint64_t)((254u << 20) | 5),
		(uint64_t)4096, (uint64_t)64, "WS");
	build_put(&b, BUILD_START_NS + 30, 5, BUILD_OTHER, (uint64_t)3);
	build_page(&b, 0);
	build_end(&b);

	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 3);
	assert_int_equal(r.events[0].kind, ZWB_EV_STORE_BEGIN);
	assert_int_equal(r.events[0].ts_ns, 0);
	assert_int_equal(r.events[0].cpu, 1);
	assert_int_equal(r.events[0].tid, 77);
	assert_int_equal(r.events[0].addr, 9);
	assert_int_equal(r.events[0].dev, 1);
	assert_int_equal(r.stream->meta->cgroups[r.events[0].cgroup].id, 42);
	assert_int_equal(r.events[1].kind, ZWB_EV_RQ_ISSUE);
	assert_int_equal(r.events[1].ts_ns, 20);
	assert_int_equal(r.events[1].cpu, 0);
	assert_int_equal(r.events[1].addr, 4096);
	assert_int_equal(r.events[1].len, 64);
	assert_int_equal(r.events[1].flags, ZWB_OP_WRITE | ZWB_OP_SYNC);
	assert_int_equal(r.stream->meta->devices[r.events[1].dev].minor, 5);
	assert_int_equal(r.events[2].kind, ZWB_EV_STORE_END);
	assert_int_equal(r.events[2].ts_ns, 50);
	assert_int_equal(r.events[2].val, 1);
	build_result_release(&r);
}

static void tracedat__fills_the_metadata(void **state)
{
	struct build_place *p = *state;
	const struct zwb_meta *m;
	struct build_result r;

	build_mixed(p->path);
	r = build_read(p->path, NULL);
	check(&r);
	m = r.stream->meta;
	assert_string_equal(m->source, p->path);
	assert_string_equal(m->kernel, "7.3.4-test");
	assert_string_equal(m->clock, "mono");
	assert_string_equal(m->event_map, "zlab");
	assert_int_equal(m->nr_cpus, 3);
	assert_int_equal(m->page_bytes, BUILD_PAGE_BYTES);
	assert_int_equal(m->start_ns, BUILD_START_NS + 1000);
	assert_int_equal(m->nr_events, r.nr);
	assert_int_equal(m->end_ns, r.events[r.nr - 1].ts_ns);
	assert_int_equal(m->nr_losses, 0);
	assert_int_equal(m->nr_tasks, 2);
	assert_int_equal(m->tasks[1].tid, 77);
	assert_string_equal(m->tasks[1].comm, "a b");
	assert_int_equal(m->nr_tallies, 4);
	for (size_t i = 0; i < m->nr_tallies; i++) {
		int is_other = strcmp(m->tallies[i].name, "other/thing") == 0;

		assert_int_equal(m->tallies[i].nr, 3 * 5 * 20);
		assert_int_equal(m->tallies[i].kind == -1, is_other);
	}
	/* these recordings have no flags of the folio, from which the length would follow */
	assert_int_equal(m->nr_unknowns, 1);
	assert_string_equal(m->unknowns[0].what, "store_begin.len");
	assert_int_equal(m->unknowns[0].nr, 3 * 5 * 20);
	build_result_release(&r);
}

static void tracedat__orders_by_time_then_cpu(void **state)
{
	struct build_place *p = *state;
	struct build_result r;

	build_mixed(p->path);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 3 * 5 * 20 * 3);
	for (size_t i = 1; i < r.nr; i++) {
		assert_true(r.events[i].ts_ns >= r.events[i - 1].ts_ns);
		if (r.events[i].ts_ns == r.events[i - 1].ts_ns)
			assert_true(r.events[i].cpu >= r.events[i - 1].cpu);
	}
	build_result_release(&r);
}

/* CPU c has its first event at c, then every 200; CPUs beyond one word of anything. */
static void tracedat__merges_many_cpus(void **state)
{
	struct build_place *p = *state;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 200);
	for (uint32_t cpu = 0; cpu < 200; cpu++)
		build_stores(&b, 199 - cpu, 50, BUILD_START_NS + 199 - cpu, 200);
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 200 * 50);
	for (size_t i = 0; i < r.nr; i++) {
		assert_int_equal(r.events[i].ts_ns, i);
		assert_int_equal(r.events[i].cpu, i % 200);
	}
	build_result_release(&r);
}

static void assert_same_events(const struct build_result *a, const struct build_result *b)
{
	assert_int_equal(a->nr, b->nr);
	assert_memory_equal(a->events, b->events, a->nr * sizeof(*a->events));
}

static void tracedat__reads_version_7_like_version_6(void **state)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	struct build_place *p = *state;
	struct build_result six, seven;

	build_mixed(p->path);
	six = build_read(p->path, NULL);
	check(&six);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(codecs); i++) {
		build_v7(p->path, p->other, codecs[i], NULL);
		seven = build_read(p->other, NULL);
		check(&seven);
		assert_same_events(&six, &seven);
		assert_string_equal(seven.stream->meta->kernel, "7.3.4-test");
		assert_string_equal(seven.stream->meta->clock, "mono");
		assert_int_equal(seven.stream->meta->nr_cpus, 3);
		assert_int_equal(seven.stream->meta->nr_losses, 0);
		build_result_release(&seven);
	}
	build_result_release(&six);
}

static void tracedat__merges_or_chooses_buffer_instances(void **state)
{
	struct build_place *p = *state;
	struct build_result one, other;

	build_mixed(p->path);
	one = build_read(p->path, NULL);
	check(&one);
	build_v7(p->path, p->other, "zstd", "second");
	other = build_read(p->other, "second");
	check(&other);
	assert_same_events(&one, &other);
	build_result_release(&other);
	other = build_read(p->other, "");
	check(&other);
	assert_same_events(&one, &other);
	build_result_release(&other);
	other = build_read(p->other, NULL);
	check(&other);
	assert_int_equal(other.nr, 2 * one.nr);
	build_result_release(&other);
	other = build_read(p->other, "third");
	assert_int_equal(other.status, ZWB_EUSAGE);
	build_result_release(&other);
	build_result_release(&one);
}

/* The second opinion: libtracecmd's order, times and tasks of the events that the map knows. */

struct compare {
	const struct build_result *r;
	size_t at;
};

static int compare_record(
	struct tracecmd_input *handle, struct tep_record *record, int cpu, void *arg)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct compare *c = arg;
	const struct zwb_event *ev = &c->r->events[c->at];

	if (tep_data_type(tep, record) == BUILD_FIRST_ID + BUILD_OTHER)
		return 0;
	assert_true(c->at < c->r->nr);
	assert_int_equal(record->ts, c->r->stream->meta->start_ns + ev->ts_ns);
	assert_int_equal(cpu, ev->cpu);
	assert_int_equal(tep_data_pid(tep, record), ev->tid);
	c->at++;
	return 0;
}

static void tracedat__agrees_with_libtracecmd(void **state)
{
	static const char *const codecs[] = { "none", "zstd" }; /* Debian's has no zlib */
	struct build_place *p = *state;
	struct build_result r;

	build_mixed(p->path);
	r = build_read(p->path, NULL);
	check(&r);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i <= ZWB_ARRAY_LEN(codecs); i++) {
		struct compare c = { .r = &r };
		struct tracecmd_input *handle;

		if (i > 0)
			build_v7(p->path, p->other, codecs[i - 1], NULL);
		handle = tracecmd_open(i ? p->other : p->path, TRACECMD_FL_LOAD_NO_PLUGINS);
		assert_non_null(handle);
		assert_int_equal(tracecmd_iterate_events(handle, NULL, 0, compare_record, &c), 0);
		assert_int_equal(c.at, r.nr);
		tracecmd_close(handle);
	}
	build_result_release(&r);
}

/* ---- pairs ---- */

static void tracedat__keeps_nested_functions_of_a_task_apart(void **state)
{
	struct build_place *p = *state;
	uint64_t ts = BUILD_START_NS;
	struct build_result r;
	struct build b;

	/* task 7: store 1 { load 2 { } store 3 { } }; task 8 between them; one CPU */
	build_begin(&b, p->path, 1);
	build_put(&b, ts++, 7, BUILD_ZSTORE, SLOT(1), CGROUP(1));
	build_put(&b, ts++, 8, BUILD_ZSTORE, SLOT(4), CGROUP(1));
	build_put(&b, ts++, 7, BUILD_ZLOAD, SLOT(2), CGROUP(1));
	build_put(&b, ts++, 7, BUILD_ZLOAD_RET, (uint64_t)-2);
	build_put(&b, ts++, 7, BUILD_ZSTORE, SLOT(3), CGROUP(1));
	build_put(&b, ts++, 8, BUILD_ZSTORE_RET, (uint64_t)0);
	build_put(&b, ts++, 7, BUILD_ZSTORE_RET, (uint64_t)1);
	build_put(&b, ts++, 7, BUILD_ZSTORE_RET, (uint64_t)1);
	build_page(&b, 0);
	build_end(&b);

	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 8);
	assert_int_equal(r.events[3].addr, 2); /* -ENOENT: a miss */
	assert_int_equal(r.events[3].val, 0);
	assert_int_equal(r.events[5].addr, 4);
	assert_int_equal(r.events[5].val, 0);
	assert_int_equal(r.events[6].addr, 3);
	assert_int_equal(r.events[7].addr, 1);
	assert_int_equal(r.stream->meta->nr_losses, 0);
	build_result_release(&r);
}

static void tracedat__counts_entries_and_returns_without_each_other(void **state)
{
	struct build_place *p = *state;
	uint64_t ts = BUILD_START_NS;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	build_put(&b, ts++, 7, BUILD_ZLOAD_RET, (uint64_t)0); /* without entry */
	build_put(&b, ts++, 7, BUILD_ZSTORE, SLOT(1), CGROUP(1));
	build_put(&b, ts++, 7, BUILD_ZLOAD, SLOT(2), CGROUP(1)); /* without return */
	build_put(&b, ts++, 7, BUILD_ZSTORE_RET, (uint64_t)1);
	build_put(&b, ts++, 0, BUILD_ZSTORE, SLOT(1), CGROUP(1)); /* open at the end */
	build_page(&b, 0);
	build_end(&b);

	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(r.nr, 5);
	assert_int_equal(build_loss(&r, ZWB_LOSS_UNPAIRED_END), 1);
	assert_int_equal(build_loss(&r, ZWB_LOSS_UNPAIRED_BEGIN), 2);
	assert_int_equal(r.events[0].addr, 0);
	assert_int_equal(r.events[3].addr, 1);
	assert_int_equal(zwb_meta_lost_events(r.stream->meta), 0);
	build_result_release(&r);
}

/* 3,000 tasks that never return, each deeper than a stack is. */
static void tracedat__bounds_the_stacks_of_tasks(void **state)
{
	struct build_place *p = *state;
	uint64_t ts = BUILD_START_NS;
	long nr_entries = 0;
	struct build_result r;
	struct build b;

	build_begin(&b, p->path, 1);
	for (int task = 1; task <= 3000; task++) {
		for (int i = 0; i < 30; i++) {
			build_put(&b, ts++, task, BUILD_ZLOAD, SLOT(1 + i), CGROUP(1));
			nr_entries++;
		}
		build_page(&b, 0);
	}
	build_end(&b);
	r = build_read(p->path, NULL);
	check(&r);
	assert_int_equal(build_loss(&r, ZWB_LOSS_UNPAIRED_BEGIN), nr_entries);
	build_result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			tracedat__reads_what_was_recorded, build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__fills_the_metadata, build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__orders_by_time_then_cpu, build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__merges_many_cpus, build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(tracedat__reads_version_7_like_version_6,
			build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(tracedat__merges_or_chooses_buffer_instances,
			build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__agrees_with_libtracecmd, build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(tracedat__keeps_nested_functions_of_a_task_apart,
			build_place_make, build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__counts_entries_and_returns_without_each_other, build_place_make,
			build_place_remove),
		cmocka_unit_test_setup_teardown(
			tracedat__bounds_the_stacks_of_tasks, build_place_make, build_place_remove),
	};
	int nr_failed = cmocka_run_group_tests(tests, NULL, NULL);

	return nr_failed + tracedat_damage_run();
}
