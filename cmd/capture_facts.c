/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture writes down about itself. */
#include "capture_priv.h"

#include <inttypes.h>

int capture_facts_begin(struct capture *c, struct zwb_err *err)
{
	size_t nr;
	const struct zwb_refusal *refusals = zwb_session_refusals(c->session, &nr);
	struct zwb_buf *text = &c->facts;

	zwb_buf_addf(text, "version: zwb %s\n", ZWB_VERSION);
	zwb_buf_addf(text, "events: %s\n", zwb_level_name((enum zwb_level)c->args->level));
	zwb_buf_addf(text, "event_kinds: %zu\n", zwb_session_nr_events(c->session));
	zwb_buf_addf(text, "mode: %s\n", c->args->flight_bytes ? "flight recorder" : "continuous");
	zwb_buf_addf(text, "buffer_bytes: %" PRIu64 "\n", c->result->buffer_bytes);
	zwb_buf_addf(text, "interval_ns: %" PRIu64 "\n", c->args->interval_ns);
	if (c->args->pid)
		zwb_buf_addf(text, "only_pid: %" PRIu64 "\n", c->args->pid);
	for (size_t i = 0; i < c->nr_cgroup_ids; i++)
		zwb_buf_addf(text, "only_cgroup_id: %" PRIu64 "\n", c->cgroup_ids[i]);
	for (size_t i = 0; i < nr; i++)
		zwb_buf_addf(text, "%s: %s: %s\n", refusals[i].is_replaced ? "replaced" : "refused",
			refusals[i].event, refusals[i].why);
	return zwb_buf_check(text, err);
}

static void put_losses(const struct capture *c, struct zwb_buf *text)
{
	for (uint32_t cpu = 0; cpu < zwb_session_nr_cpus(c->session); cpu++) {
		struct zwb_cpu_stats stats = { 0 };

		if (zwb_session_stats(c->session, cpu, &stats, NULL, NULL) == ZWB_OK &&
			stats.nr_lost)
			zwb_buf_addf(text, "lost_cpu%u: %" PRIu64 "\n", cpu, stats.nr_lost);
	}
}

int capture_facts_end(struct capture *c, struct zwb_err *err)
{
	const struct zwb_capture_result *r = c->result;
	uint64_t bytes = r->recorder.nr_pages * r->page_bytes;
	double seconds = (double)r->elapsed_ns / 1e9;
	double rate = seconds > 0 ? 1 / seconds : 0;
	struct zwb_buf text = { 0 };
	int ret;

	zwb_buf_addf(&text, "recorded_events: %" PRIu64 "\n", r->totals.nr_read);
	zwb_buf_addf(&text, "lost_events: %" PRIu64 "\n", r->totals.nr_lost);
	put_losses(c, &text);
	zwb_buf_addf(&text, "elapsed_ns: %" PRIu64 "\n", r->elapsed_ns);
	zwb_buf_addf(&text, "events_per_s: %.0f\n", (double)r->totals.nr_read * rate);
	zwb_buf_addf(&text, "ring_bytes: %" PRIu64 "\n", bytes);
	zwb_buf_addf(&text, "ring_bytes_per_s: %.0f\n", (double)bytes * rate);
	zwb_buf_addf(&text, "longest_between_reads_ns: %" PRIu64 "\n", r->recorder.max_gap_ns);
	ret = zwb_recording_put(&c->file, ZWB_PHASE_END, &text, err);
	zwb_buf_release(&text);
	return ret;
}
