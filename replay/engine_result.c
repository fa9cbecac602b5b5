/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the counters of lanes to the arms of a run, each value with its class. */
#include "engine_priv.h"

#include <stdio.h>
#include <string.h>

/* Share of walks with an unknown plug from which counts are no longer exact (design: 1 %). */
#define UNKNOWN_PLUG_LIMIT 0.01

struct result {
	struct zwb_run_arm *arm;
	struct zwb_err *err;
	int ret;
	char request_class, bio_class;
	bool knows_reads; /* loads were recorded, that say which pages were read */
};

static void result_metric(
	struct result *r, enum zwb_metric metric, uint32_t cgroup, char class, double value)
{
	if (!r->ret)
		r->ret = zwb_run_arm_metric(r->arm, metric, cgroup, class, value, r->err);
}

static void result_note(struct result *r, const char *text)
{
	if (!r->ret)
		r->ret = zwb_run_arm_note(r->arm, text, r->err);
}

static void result_counts(
	struct result *r, const struct zwb_lane_counts *c, uint32_t cgroup, bool has_requests)
{
	const char class = r->bio_class;

	result_metric(r, ZWB_METRIC_ZSWPWB, cgroup, class, (double)c->wb_pages);
	result_metric(r, ZWB_METRIC_PAGES_WRITTEN, cgroup, class,
		(double)(c->wb_pages + c->direct_pages));
	result_metric(r, ZWB_METRIC_WRITE_BIOS, cgroup, class, (double)c->write_bios);
	if (r->knows_reads)
		result_metric(r, ZWB_METRIC_PAGES_READ, cgroup, class, (double)c->read_pages);
	result_metric(r, ZWB_METRIC_READ_BIOS, cgroup, class, (double)c->read_bios);
	result_metric(r, ZWB_METRIC_WALKS, cgroup, class, (double)c->walks);
	result_metric(
		r, ZWB_METRIC_WALKS_PLUG_UNKNOWN, cgroup, class, (double)c->walks_plug_unknown);
	if (!has_requests)
		return;
	result_metric(r, ZWB_METRIC_WRITE_REQUESTS, cgroup, r->request_class, (double)c->write_rqs);
	result_metric(r, ZWB_METRIC_READ_REQUESTS, cgroup, r->request_class, (double)c->read_rqs);
}

/* A metric over time. @is_gauge: its mean in each interval, else its sum. */
static void result_series(struct result *r, enum zwb_metric metric, char class,
	const struct zwb_timeline *t, int is_gauge, uint64_t end_ns)
{
	double values[ZWB_TIMELINE_INTERVALS];
	const struct zwb_run_series series = { .cgroup = ZWB_RUN_TOTAL,
		.metric = metric,
		.cls = class,
		.interval_ns = t->interval_ns,
		.values = values,
		.nr_values = zwb_timeline_used(t, end_ns) };

	if (r->ret || series.nr_values == 0)
		return;
	for (size_t i = 0; i < series.nr_values; i++)
		values[i] = is_gauge ? zwb_timeline_mean(t, i, end_ns) : t->amounts[i];
	r->ret = zwb_run_arm_series(r->arm, &series, r->err);
}

/* How large the write requests were, and when there were how many. */
static void result_writes(struct result *r, struct zwb_lane *lane, uint64_t end_ns)
{
	struct zwb_hist *sizes = zwb_lane_write_size(lane);
	struct zwb_timeline *requests = zwb_lane_write_requests(lane);

	if (!r->ret && sizes->count)
		r->ret = zwb_run_arm_hist(r->arm, ZWB_METRIC_REQUEST_SIZE, ZWB_RUN_TOTAL,
			r->request_class, sizes, r->err);
	/* the intervals of all policies are to be the same */
	zwb_timeline_extend(requests, end_ns);
	result_series(r, ZWB_METRIC_WRITE_REQUESTS, r->request_class, requests, false, end_ns);
}

/* The pool is that of the recording, whatever the policy. */
static void result_pool(struct result *r, const struct zwb_engine *e)
{
	const struct zwb_slot_counts *c = zwb_slots_counts(e->pool.slots);
	double span_ns = e->end_ns ? (double)e->end_ns : 1.0;

	if (c->stores == 0)
		return;
	result_metric(r, ZWB_METRIC_STORED_MEAN, ZWB_RUN_TOTAL, ZWB_CLASS_EXACT,
		(double)c->entry_ns / span_ns);
	result_metric(r, ZWB_METRIC_STORED_MAX, ZWB_RUN_TOTAL, ZWB_CLASS_EXACT,
		(double)c->pool_max_entries);
	result_series(r, ZWB_METRIC_STORED_MEAN, ZWB_CLASS_EXACT, zwb_slots_entries(e->pool.slots),
		true, e->end_ns);
	if (c->lengths == 0) {
		result_note(r,
			"zswap pool bytes are unknown: the recording lacks compressed lengths "
			"at the store");
		return;
	}
	result_metric(r, ZWB_METRIC_POOL_MEAN, ZWB_RUN_TOTAL, ZWB_CLASS_EXACT,
		(double)c->byte_ns / span_ns);
	result_metric(
		r, ZWB_METRIC_POOL_MAX, ZWB_RUN_TOTAL, ZWB_CLASS_EXACT, (double)c->pool_max_bytes);
	result_series(r, ZWB_METRIC_POOL_MEAN, ZWB_CLASS_EXACT, zwb_slots_bytes(e->pool.slots),
		true, e->end_ns);
}

static void result_latencies(
	struct result *r, struct zwb_lane *lane, const struct zwb_device_model *device)
{
	struct zwb_hist *reads = zwb_lane_latency(lane, 0);
	struct zwb_hist *writes = zwb_lane_latency(lane, 1);

	if (!device)
		return;
	if (!r->ret && reads->count)
		r->ret = zwb_run_arm_hist(r->arm, ZWB_METRIC_SWAPIN_LATENCY, ZWB_RUN_TOTAL,
			ZWB_CLASS_MODEL, reads, r->err);
	if (!r->ret && writes->count)
		r->ret = zwb_run_arm_hist(r->arm, ZWB_METRIC_WRITEBACK_LATENCY, ZWB_RUN_TOTAL,
			ZWB_CLASS_MODEL, writes, r->err);
	result_note(r, "latencies come from a device model that was not fitted to this device");
}

/* A count that is not 0, and what it counts. */
struct result_count {
	uint64_t nr;
	const char *text;
};

static void result_count_notes(struct result *r, const struct result_count *rows, size_t nr_rows)
{
	char text[160];

	for (size_t i = 0; i < nr_rows; i++) {
		if (!rows[i].nr)
			continue;
		snprintf(text, sizeof(text), "%llu %s", (unsigned long long)rows[i].nr,
			rows[i].text);
		result_note(r, text);
	}
}

static void result_doubts(struct result *r, const struct zwb_lane *lane)
{
	const struct zwb_lane_doubts d = zwb_lane_doubts(lane);
	const struct result_count rows[] = {
		{ d.slots_outside, "pages lie in no extent of the swap area and were left out" },
		{ d.owner_from_walk, "pages took their cgroup from the list that was walked" },
		{ d.owner_unknown, "pages have no known cgroup; they may join any bio or request" },
		{ d.pages_without_walk,
			"pages were written back outside any recorded walk, a bio each" },
		{ d.missed_unplugs, "plugs ended without a block_unplug in the recording" },
		{ d.lost_frames, "calls were nested too deep to follow" },
		{ d.not_collected, "pages were written early: the policy kept too many" },
	};

	result_count_notes(r, rows, sizeof(rows) / sizeof(rows[0]));
}

static void result_pool_doubts(struct result *r, const struct zwb_engine *e)
{
	const struct zwb_slot_counts *c = zwb_slots_counts(e->pool.slots);
	const struct result_count rows[] = {
		{ c->preexisting, "zswap entries were in the pool before the recording began" },
		{ c->surprises, "events contradict what their slot held (calls that overlap)" },
		{ c->outside, "zswap events are of slots past the end of the swap area" },
	};

	result_count_notes(r, rows, sizeof(rows) / sizeof(rows[0]));
}

static void result_model(struct result *r, bool bios_too, const char *why)
{
	r->request_class = ZWB_CLASS_MODEL;
	if (bios_too)
		r->bio_class = ZWB_CLASS_MODEL;
	result_note(r, why);
}

/* Exact needs a whole recording, a known swap area, known plugs, a scheduler that merges none. */
static void result_class(struct result *r, const struct zwb_engine *e, const struct zwb_lane *lane,
	const struct zwb_meta *meta)
{
	const struct zwb_lane_counts total = zwb_lane_counts(lane, UINT32_MAX);
	char text[160];

	r->bio_class = r->request_class = ZWB_CLASS_EXACT;
	if (zwb_meta_lost_events(meta))
		result_model(r, true, "events are lost: counts are too low by an unknown part");
	if (meta->nr_swaps == 0 || !meta->swaps[0].geometry_known)
		result_model(r, true, "where the swap area lies is a guess");
	if ((double)total.walks_plug_unknown > UNKNOWN_PLUG_LIMIT * (double)total.walks)
		result_model(
			r, false, "requests: the plug of more than 1 % of the walks is unknown");
	if ((double)zwb_lane_doubts(lane).missed_unplugs >
		UNKNOWN_PLUG_LIMIT * (double)e->nr_by_kind[ZWB_EV_PLUG])
		result_model(r, false, "requests: more than 1 % of the plugs have no recorded end");
	if (meta->scheduler[0] == '\0') {
		result_model(r, false,
			"the scheduler of the recording is unknown; requests are for none");
	} else if (strcmp(meta->scheduler, "none") != 0) {
		snprintf(text, sizeof(text),
			"recorded under %.40s; requests are for none, merges by the scheduler are "
			"not modelled",
			meta->scheduler);
		result_model(r, false, text);
	}
}

static int result_arm(struct zwb_engine *e, const struct zwb_replay_setup *setup, size_t i,
	const struct zwb_meta *meta, struct result *r)
{
	const struct zwb_policy *policy = setup->lanes[i].policy;
	struct zwb_lane *lane = e->lanes[i];
	struct zwb_lane_counts total = zwb_lane_counts(lane, UINT32_MAX);

	if (zwb_lane_doubts(lane).pages_taken != zwb_lane_doubts(lane).pages_given)
		return zwb_err_set(r->err, ZWB_EKIND, 0,
			"policy %s was given %llu pages to write and submitted %llu; every page "
			"must "
			"be appended once, see policy_ops.h",
			policy->label, (unsigned long long)zwb_lane_doubts(lane).pages_given,
			(unsigned long long)zwb_lane_doubts(lane).pages_taken);
	result_class(r, e, lane, meta);
	r->knows_reads = e->nr_by_kind[ZWB_EV_LOAD_END] ||
			 (e->nr_by_kind[ZWB_EV_SWAP_READ] && zwb_engine_has_frontswap(meta));
	if (!r->knows_reads)
		result_note(r, "pages read are unknown: the recording has no loads");
	result_counts(r, &total, ZWB_RUN_TOTAL, e->limits.has_requests);
	for (uint32_t c = 0; c < zwb_lane_nr_cgroups(lane) && c < meta->nr_cgroups; c++) {
		struct zwb_lane_counts counts = zwb_lane_counts(lane, c);

		if (counts.wb_pages || counts.direct_pages || counts.read_pages ||
			counts.write_bios || counts.read_bios || counts.walks)
			result_counts(r, &counts, c, e->limits.has_requests);
	}
	if (e->limits.has_requests)
		result_writes(r, lane, e->end_ns);
	result_pool(r, e);
	result_latencies(r, lane, setup->lanes[i].device);
	result_doubts(r, lane);
	result_pool_doubts(r, e);
	if (!e->has_swap_ctx && policy->knobs.ctx == ZWB_CTX_WALK)
		result_note(
			r, "the recorded kernel has no swap IO context; this policy assumes one");
	return r->ret;
}

int zwb_engine_results(struct zwb_engine *e, const struct zwb_replay_setup *setup,
	const struct zwb_meta *meta, struct zwb_run *run, struct zwb_err *err)
{
	int trace = zwb_run_add_trace(run, meta, setup->captured->policy.normal, err);

	if (trace < 0)
		return trace;
	for (size_t i = 0; i < e->nr_lanes; i++) {
		const struct zwb_replay_lane *lane = &setup->lanes[i];
		const struct zwb_run_arm_info info = { .trace = (size_t)trace,
			.seed = lane->seed,
			.policy = lane->policy->label,
			.policy_params = lane->policy->normal,
			.device = lane->device ? lane->device->normal : "",
			.trigger = "recorded",
			.loop = "open",
			.scheduler = "none" };
		struct result r = { .arm = zwb_run_arm_create(&info), .err = err };
		int ret;

		if (!r.arm)
			return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the result");
		ret = result_arm(e, setup, i, meta, &r);
		if (!ret)
			ret = zwb_run_add_arm(run, r.arm, err);
		if (ret < 0) {
			zwb_run_arm_free(r.arm);
			return ret;
		}
	}
	return ZWB_OK;
}
