/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic traces: a stream out of the synthetic machine. */
#include "synth_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYNTH_BATCH	   4096u
#define SYNTH_FIRST_CGROUP 100u /* inode number of the first cgroup */
#define SYNTH_DISK_MAJOR   254u
#define SYNTH_PATH_BYTES   32

static const struct synth_profile *const synth_profiles[] = {
	&synth_profile_zipf,
	NULL,
};

struct synth_stream {
	struct zwb_stream stream;
	struct synth_machine machine;
	uint64_t nr_left;
	size_t nr_ready; /* events in batch that were not yet handed out */
	struct zwb_event batch[SYNTH_BATCH];
};

void zwb_synth_defaults(struct zwb_synth_params *params)
{
	*params = (struct zwb_synth_params){
		.profile = synth_profiles[0]->name,
		.nr_events = 1000000,
		.seed = 1,
		.nr_cpus = 2,
		.nr_tasks = 4,
		.nr_cgroups = 2,
		.nr_pages = 65536,
		.nr_slots = 131072,
		.skew_percent = 90,
	};
}

const char *zwb_synth_profile_name(size_t index)
{
	return index < sizeof(synth_profiles) / sizeof(synth_profiles[0]) - 1
		       ? synth_profiles[index]->name
		       : NULL;
}

const char *zwb_synth_profile_summary(size_t index)
{
	return zwb_synth_profile_name(index) ? synth_profiles[index]->summary : NULL;
}

static const struct synth_profile *synth_find_profile(const char *name)
{
	for (size_t i = 0; synth_profiles[i]; i++) {
		if (strcmp(synth_profiles[i]->name, name) == 0)
			return synth_profiles[i];
	}
	return NULL;
}

static int synth_check(const struct zwb_synth_params *p, struct zwb_err *err)
{
	if (!synth_find_profile(p->profile))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "there is no profile \"%s\"", p->profile);
	if (p->seed < 1 || p->seed > UINT32_MAX)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "seed %" PRIu64 " is not between 1 and %u",
			p->seed, UINT32_MAX);
	if (p->nr_cpus < 1 || p->nr_cpus > ZWB_SYNTH_MAX_CPUS)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%u CPUs; 1 to %u are possible", p->nr_cpus,
			ZWB_SYNTH_MAX_CPUS);
	if (p->nr_cgroups < 1 || p->nr_tasks < p->nr_cgroups || p->nr_tasks > ZWB_SYNTH_MAX_TASKS)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%u tasks in %u cgroups; up to %u tasks, and one or more a cgroup, are "
			"possible",
			p->nr_tasks, p->nr_cgroups, ZWB_SYNTH_MAX_TASKS);
	if (p->nr_slots > ZWB_SYNTH_MAX_SLOTS)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%" PRIu64 " slots; at most %llu are possible", p->nr_slots,
			ZWB_SYNTH_MAX_SLOTS);
	if (p->nr_pages >= p->nr_slots || p->nr_pages / p->nr_tasks < ZWB_SYNTH_MIN_TASK_PAGES)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%" PRIu64 " pages for %u tasks and %" PRIu64
			" slots; %u a task or more, and fewer "
			"than slots, are needed",
			p->nr_pages, p->nr_tasks, p->nr_slots, ZWB_SYNTH_MIN_TASK_PAGES);
	if (p->skew_percent > ZWB_SYNTH_MAX_SKEW)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "skew %u %%; at most %u %% is possible",
			p->skew_percent, ZWB_SYNTH_MAX_SKEW);
	return ZWB_OK;
}

static int synth_put_fact(
	struct zwb_meta *meta, const char *key, uint64_t value, struct zwb_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return zwb_meta_fact(meta, "synth", key, text, err);
}

static int synth_put_facts(
	struct zwb_meta *meta, const struct zwb_synth_params *p, struct zwb_err *err)
{
	const struct {
		const char *key;
		uint64_t value;
	} facts[] = {
		{ "events", p->nr_events },
		{ "seed", p->seed },
		{ "cpus", p->nr_cpus },
		{ "tasks", p->nr_tasks },
		{ "cgroups", p->nr_cgroups },
		{ "pages", p->nr_pages },
		{ "slots", p->nr_slots },
		{ "skew_percent", p->skew_percent },
	};
	int ret = zwb_meta_fact(meta, "synth", "profile", p->profile, err);

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]) && !ret; i++)
		ret = synth_put_fact(meta, facts[i].key, facts[i].value, err);
	return ret;
}

static int synth_put_names(
	struct zwb_meta *meta, const struct synth_machine *m, struct zwb_err *err)
{
	char name[SYNTH_PATH_BYTES];
	int ret = ZWB_OK;

	for (uint32_t i = 0; i < m->nr_cgroups && ret >= 0; i++) {
		snprintf(name, sizeof(name), "/synth/%u", i);
		ret = zwb_meta_cgroup(meta, SYNTH_FIRST_CGROUP + i, name, err);
	}
	for (uint32_t i = 0; i < m->nr_tasks && ret >= 0; i++) {
		snprintf(name, sizeof(name), "synth-%u", i);
		ret = zwb_meta_task(meta, m->tasks[i].tid, name, err);
	}
	if (ret >= 0)
		ret = zwb_meta_device(meta, SYNTH_DISK_MAJOR, 0, "vda", err);
	return ret < 0 ? ret : ZWB_OK;
}

static int synth_put_swap(struct zwb_meta *meta, uint32_t nr_slots, struct zwb_err *err)
{
	const struct zwb_swap swap = {
		.path = "/dev/vda",
		.kind = "partition",
		.nr_slots = nr_slots,
		.geometry_known = 1,
	};
	const struct zwb_extent extent = { .nr_slots = nr_slots };
	int ret = zwb_meta_swap(meta, &swap, err);

	return ret ? ret : zwb_meta_extent(meta, &extent, err);
}

static int synth_put_meta(
	struct synth_stream *s, const struct zwb_synth_params *params, struct zwb_err *err)
{
	struct zwb_meta *meta = zwb_meta_create();
	int ret;

	if (!meta)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for metadata");
	s->stream.meta = meta;
	meta->page_bytes = SYNTH_PAGE_BYTES;
	meta->nr_cpus = params->nr_cpus;
	meta->nr_events = params->nr_events;
	ret = zwb_meta_set(&meta->source, "synthetic", err);
	if (!ret)
		ret = zwb_meta_set(&meta->kernel, "synthetic", err);
	if (!ret)
		ret = zwb_meta_set(&meta->clock, "mono", err);
	if (!ret)
		ret = zwb_meta_set(&meta->event_map, "zwb", err);
	if (!ret)
		ret = zwb_meta_set(&meta->scheduler, "none", err);
	if (!ret)
		ret = synth_put_facts(meta, params, err);
	if (!ret)
		ret = synth_put_names(meta, &s->machine, err);
	return ret ? ret : synth_put_swap(meta, (uint32_t)params->nr_slots, err);
}

/* The next events, with times from the first event of all on. */
static void synth_fill(struct synth_stream *s)
{
	struct zwb_meta *meta = s->stream.meta;
	size_t room = s->nr_left < SYNTH_BATCH ? (size_t)s->nr_left : SYNTH_BATCH;

	s->nr_ready = room ? synth_machine_run(&s->machine, s->batch, room) : 0;
	if (s->nr_ready == 0)
		return;
	if (s->nr_left == meta->nr_events)
		meta->start_ns = s->batch[0].ts_ns;
	for (size_t i = 0; i < s->nr_ready; i++)
		s->batch[i].ts_ns -= meta->start_ns;
	s->nr_left -= s->nr_ready;
	meta->end_ns = s->batch[s->nr_ready - 1].ts_ns;
}

static int synth_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct synth_stream *s = (struct synth_stream *)stream;

	(void)err;
	if (s->nr_ready == 0)
		synth_fill(s);
	*events = s->batch;
	*nr_events = s->nr_ready;
	s->nr_ready = 0;
	return ZWB_OK;
}

static void synth_close(struct zwb_stream *stream)
{
	struct synth_stream *s = (struct synth_stream *)stream;

	if (s->machine.profile)
		s->machine.profile->release(s->machine.profile_state);
	synth_machine_release(&s->machine);
	zwb_meta_free(s->stream.meta);
	free(s);
}

static const struct zwb_stream_ops synth_ops = {
	.next = synth_next,
	.close = synth_close,
};

int zwb_synth_open(
	const struct zwb_synth_params *params, struct zwb_stream **out, struct zwb_err *err)
{
	struct synth_stream *s;
	int ret = synth_check(params, err);

	if (ret)
		return ret;
	s = calloc(1, sizeof(*s));
	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a synthetic stream");
	s->stream.ops = &synth_ops;
	s->nr_left = params->nr_events;
	s->machine.profile = synth_find_profile(params->profile);
	ret = synth_machine_init(&s->machine, params, err);
	if (!ret)
		ret = s->machine.profile->init(&s->machine, params, &s->machine.profile_state, err);
	if (!ret)
		ret = synth_put_meta(s, params, err);
	if (ret) {
		synth_close(&s->stream);
		return ret;
	}
	synth_fill(s); /* start_ns is known from now on */
	*out = &s->stream;
	return ZWB_OK;
}
