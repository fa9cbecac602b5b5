/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks, scheduler and event queues of the synthetic machine. */
#include "synth_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_FIRST_TID     1000
#define MACHINE_FIRST_CGROUP  1 /* index in the metadata; 0 is "unknown" */
#define MACHINE_START_NS      1000000000ull
#define MACHINE_SLICE_NS      4000000ull
#define MACHINE_EVENT_NS      1700u /* longest time from one event to the next */
#define MACHINE_WAKE_NS	      3000u
#define MACHINE_RANDOM_BITS   16u
#define MACHINE_STATE_SLEEPS  2 /* TASK_UNINTERRUPTIBLE */
#define MACHINE_RESIDENT_PART 0.40 /* of a cgroup's pages that may be in memory ... */
#define MACHINE_STORED_PART   0.08 /* ... and in zswap */

/* ---- time ---- */

static uint64_t machine_align(const struct synth_machine *m, uint64_t ns, uint32_t source)
{
	return ns + (source + m->nr_sources - ns % m->nr_sources) % m->nr_sources;
}

uint32_t synth_random(struct synth_machine *m, uint32_t below)
{
	uint32_t bits;

	if (m->nr_bits == 0) {
		m->bits = gsl_rng_get(m->rng);
		m->nr_bits = 32;
	}
	bits = (uint32_t)m->bits & ((1u << MACHINE_RANDOM_BITS) - 1);
	m->bits >>= MACHINE_RANDOM_BITS;
	m->nr_bits -= MACHINE_RANDOM_BITS;
	return bits * below >> MACHINE_RANDOM_BITS;
}

void synth_spend(struct synth_machine *m, const struct synth_task *t, uint32_t ns)
{
	m->cpus[t->cpu].clock_ns += (uint64_t)(ns / m->nr_sources + 1) * m->nr_sources;
}

static struct zwb_event *machine_emit(
	struct synth_machine *m, uint32_t cpu, int32_t tid, enum zwb_event_kind kind)
{
	struct synth_queue *q = &m->queues[cpu];
	struct synth_cpu *c = &m->cpus[cpu];
	struct zwb_event *ev = &q->events[q->nr++];

	assert(q->nr <= SYNTH_QUEUE_MAX);
	if (q->nr == 1)
		m->heads_ns[cpu] = c->clock_ns;
	*ev = (struct zwb_event){
		.ts_ns = c->clock_ns,
		.tid = tid,
		.cpu = (uint16_t)cpu,
		.kind = (uint8_t)kind,
	};
	c->clock_ns +=
		(uint64_t)m->nr_sources * (1 + synth_random(m, MACHINE_EVENT_NS) / m->nr_sources);
	return ev;
}

struct zwb_event *synth_emit(
	struct synth_machine *m, const struct synth_task *t, enum zwb_event_kind kind)
{
	return machine_emit(m, t->cpu, t->tid, kind);
}

void synth_take_slot(struct synth_machine *m, const struct synth_task *t, uint32_t slot)
{
	struct synth_cpu *mine = &m->cpus[t->cpu];

	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		const struct synth_cpu *c = &m->cpus[i];

		if (c != mine && c->busy_slot == slot && c->clock_ns > mine->clock_ns)
			mine->clock_ns = machine_align(m, c->clock_ns, t->cpu);
	}
	mine->busy_slot = slot;
}

/* ---- scheduler ---- */

void synth_sleep(struct synth_machine *m, struct synth_task *t)
{
	t->is_asleep = 1;
	m->cpus[t->cpu].nr_asleep++;
}

static int machine_is_idle(const struct synth_cpu *c)
{
	return c->nr_asleep == c->nr_tasks;
}

void synth_wake(struct synth_machine *m, struct synth_task *t, uint64_t now_ns)
{
	struct synth_cpu *c = &m->cpus[t->cpu];

	if (machine_is_idle(c) && c->clock_ns < now_ns + MACHINE_WAKE_NS)
		c->clock_ns = machine_align(m, now_ns + MACHINE_WAKE_NS, t->cpu);
	t->is_asleep = 0;
	t->is_throttled = 0;
	c->nr_asleep--;
}

/* The task after @last that can run on the CPU, @last itself being asked last; or SYNTH_NONE. */
static uint32_t machine_pick(const struct synth_machine *m, uint32_t cpu, uint32_t last)
{
	uint32_t next = last;

	assert(m->tasks);
	if (machine_is_idle(&m->cpus[cpu]))
		return SYNTH_NONE;
	do {
		next += m->nr_cpus;
		if (next >= m->nr_tasks)
			next = cpu;
	} while (m->tasks[next].is_asleep);
	return next;
}

/* Let another task run, the idle task when there is none. */
static void machine_switch(struct synth_machine *m, uint32_t cpu)
{
	struct synth_cpu *c = &m->cpus[cpu];
	const struct synth_task *prev = c->running == SYNTH_NONE ? NULL : &m->tasks[c->running];
	uint32_t next = machine_pick(m, cpu, prev ? prev->index : cpu);
	struct zwb_event *ev;

	if (next == c->running)
		return;
	ev = machine_emit(m, cpu, prev ? prev->tid : 0, ZWB_EV_SCHED_SWITCH);
	ev->addr = next == SYNTH_NONE ? 0 : (uint64_t)m->tasks[next].tid;
	ev->val = prev && prev->is_asleep ? MACHINE_STATE_SLEEPS : 0;
	c->running = next;
	c->slice_end_ns = c->clock_ns + MACHINE_SLICE_NS;
}

static void machine_step(struct synth_machine *m, uint32_t cpu)
{
	static synth_step_fn *const steps[SYNTH_NR_PHASES] = {
		[SYNTH_READ] = synth_step_read,
		[SYNTH_READ_SUBMIT] = synth_step_read_submit,
		[SYNTH_READ_DONE] = synth_step_read_done,
		[SYNTH_WRITE] = synth_step_write,
		[SYNTH_DISCARD] = synth_step_discard,
		[SYNTH_RECLAIM] = synth_step_reclaim,
		[SYNTH_EVICT] = synth_step_evict,
		[SYNTH_STORE_END] = synth_step_store_end,
		[SYNTH_EVICT_END] = synth_step_evict_end,
		[SYNTH_SHRINK_SLAB] = synth_step_shrink_slab,
		[SYNTH_SHRINK_SLAB_END] = synth_step_shrink_slab_end,
		[SYNTH_RECLAIM_END] = synth_step_reclaim_end,
		[SYNTH_VISIT] = synth_step_visit,
		[SYNTH_WALK_END] = synth_step_walk_end,
	};
	struct synth_cpu *c = &m->cpus[cpu];
	struct synth_task *t;

	c->busy_slot = SYNTH_NONE;
	m->queues[cpu].at = m->queues[cpu].nr = 0;
	if (c->running == SYNTH_NONE || c->clock_ns >= c->slice_end_ns) {
		machine_switch(m, cpu);
		c->slice_end_ns = c->clock_ns + MACHINE_SLICE_NS;
	}
	t = &m->tasks[c->running];
	if (!synth_disk_throttle(m, t)) {
		if (t->phase == SYNTH_RUN)
			m->profile->act(m->profile_state, m, t);
		else
			steps[t->phase](m, t);
	}
	if (t->is_asleep)
		machine_switch(m, cpu);
}

/* ---- merging ---- */

/* The source whose first event is earliest, and when the next earliest is. */
static uint32_t machine_first(const struct synth_machine *m, uint64_t *next_ns)
{
	uint64_t first_ns = SYNTH_NEVER;
	uint32_t first = 0;

	*next_ns = SYNTH_NEVER;
	for (uint32_t i = 0; i < m->nr_sources; i++) {
		if (m->heads_ns[i] < first_ns) {
			*next_ns = first_ns;
			first_ns = m->heads_ns[i];
			first = i;
		} else if (m->heads_ns[i] < *next_ns) {
			*next_ns = m->heads_ns[i];
		}
	}
	return first;
}

/* Take events of one source before @until_ns. Returns how many. */
static size_t machine_take(struct synth_machine *m, uint32_t source, uint64_t until_ns,
	struct zwb_event *out, size_t room)
{
	struct synth_queue *q = &m->queues[source];
	size_t nr = 0;

	while (nr < room && q->at < q->nr && q->events[q->at].ts_ns < until_ns) {
		struct zwb_event *ev = &out[nr++];

		*ev = q->events[q->at++];
		if (source == m->nr_cpus)
			ev->tid = m->shown_tid[ev->cpu];
		else if (ev->kind == ZWB_EV_SCHED_SWITCH)
			m->shown_tid[source] = (int32_t)ev->addr;
	}
	m->heads_ns[source] = q->at < q->nr ? q->events[q->at].ts_ns : SYNTH_NEVER;
	if (q->at == q->nr)
		q->at = q->nr = 0;
	return nr;
}

/* Put all events before @until_ns in order into @out, as far as there is room. */
static size_t machine_merge(
	struct synth_machine *m, uint64_t until_ns, struct zwb_event *out, size_t room)
{
	size_t nr = 0;

	for (;;) {
		uint64_t next_ns;
		uint32_t source = machine_first(m, &next_ns);

		if (m->heads_ns[source] >= until_ns || nr == room)
			return nr;
		if (next_ns > until_ns)
			next_ns = until_ns;
		nr += machine_take(m, source, next_ns, out + nr, room - nr);
	}
}

size_t synth_machine_run(struct synth_machine *m, struct zwb_event *out, size_t room)
{
	size_t nr = 0;

	for (;;) {
		uint64_t disk_ns = synth_disk_next_ns(m);
		uint64_t now_ns = SYNTH_NEVER;
		uint32_t cpu = 0;

		for (uint32_t i = 0; i < m->nr_cpus; i++) {
			if (!machine_is_idle(&m->cpus[i]) && m->cpus[i].clock_ns < now_ns) {
				now_ns = m->cpus[i].clock_ns;
				cpu = i;
			}
		}
		nr += machine_merge(m, now_ns < disk_ns ? now_ns : disk_ns, out + nr, room - nr);
		if (nr == room)
			return nr;
		if (disk_ns < now_ns)
			synth_disk_complete(m);
		else
			machine_step(m, cpu);
	}
}

/* ---- set up ---- */

static void machine_place_tasks(struct synth_machine *m)
{
	for (uint32_t i = 0; i < m->nr_tasks; i++) {
		struct synth_task *t = &m->tasks[i];

		t->tid = MACHINE_FIRST_TID + (int32_t)i;
		t->index = i;
		t->cpu = i % m->nr_cpus;
		/* not i % nr_cgroups: with as many cgroups as CPUs each would have one CPU only */
		t->cgroup = &m->cgroups[(uint64_t)i * m->nr_cgroups / m->nr_tasks];
		t->first_page = i * m->nr_task_pages;
		t->cgroup->max_resident += (uint32_t)(m->nr_task_pages * MACHINE_RESIDENT_PART);
		t->cgroup->max_stored += (uint32_t)(m->nr_task_pages * MACHINE_STORED_PART);
		m->cpus[t->cpu].nr_tasks++;
	}
	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		struct synth_cpu *c = &m->cpus[i];

		c->clock_ns = machine_align(m, MACHINE_START_NS, i);
		c->slice_end_ns = c->clock_ns + MACHINE_SLICE_NS;
		c->busy_slot = SYNTH_NONE;
		c->running = c->nr_tasks ? i : SYNTH_NONE;
		m->shown_tid[i] = c->nr_tasks ? m->tasks[i].tid : 0;
	}
}

static void machine_clear_lists(struct synth_machine *m)
{
	for (uint32_t i = 0; i < m->nr_cgroups; i++) {
		struct synth_cgroup *cg = &m->cgroups[i];

		cg->index = MACHINE_FIRST_CGROUP + i;
		cg->has_zswap_max = i % 2;
		cg->resident = cg->lru = (struct synth_list){ SYNTH_NONE, SYNTH_NONE };
	}
	for (uint32_t i = 0; i < m->nr_tasks * m->nr_task_pages; i++)
		m->pages[i].slot = SYNTH_NONE;
	for (uint32_t i = 0; i < m->nr_sources; i++)
		m->heads_ns[i] = SYNTH_NEVER;
}

int synth_machine_init(
	struct synth_machine *m, const struct zwb_synth_params *params, struct zwb_err *err)
{
	int ret;

	m->nr_cpus = params->nr_cpus;
	m->nr_sources = params->nr_cpus + 1;
	m->nr_tasks = params->nr_tasks;
	m->nr_cgroups = params->nr_cgroups;
	m->nr_task_pages = (uint32_t)(params->nr_pages / params->nr_tasks);
	m->rng = gsl_rng_alloc(gsl_rng_taus2);
	m->queues = calloc(m->nr_sources, sizeof(*m->queues));
	m->cgroups = calloc(m->nr_cgroups, sizeof(*m->cgroups));
	m->tasks = calloc(m->nr_tasks, sizeof(*m->tasks));
	m->pages = calloc((size_t)m->nr_tasks * m->nr_task_pages, sizeof(*m->pages));
	if (!m->rng || !m->queues || !m->cgroups || !m->tasks || !m->pages)
		return zwb_err_set(err, ZWB_ENOMEM, 0,
			"no memory for a machine of %u tasks and "
			"%u pages each",
			m->nr_tasks, m->nr_task_pages);
	gsl_rng_set(m->rng, params->seed);
	machine_clear_lists(m);
	machine_place_tasks(m);
	ret = synth_swap_init(&m->swap, (uint32_t)params->nr_slots, err);
	if (!ret)
		ret = synth_disk_init(m, err);
	return ret;
}

void synth_machine_release(struct synth_machine *m)
{
	if (m->rng)
		gsl_rng_free(m->rng);
	synth_swap_release(&m->swap);
	free(m->disk.requests);
	free(m->queues);
	free(m->cgroups);
	free(m->tasks);
	free(m->pages);
}
