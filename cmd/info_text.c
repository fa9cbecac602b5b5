/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "zwb info" for people. */
#include "common.h"
#include "hostcount.h"
#include "info.h"

#include <inttypes.h>
#include <string.h>

#define MAX_CGROUP_FACTS 64u
#define MAX_LISTED	 16u /* rows of long lists; --format json has them all */

static void put_line(FILE *out, const char *name, const char *value)
{
	if (value[0] == '\0')
		return;
	fprintf(out, "%-12s ", name);
	zwb_put_text(out, value);
	putc('\n', out);
}

static void put_more(FILE *out, size_t nr)
{
	if (nr > MAX_LISTED)
		fprintf(out, "  and %zu more, see --format json\n", nr - MAX_LISTED);
}

static void put_head(FILE *out, const struct zwb_info *info)
{
	const struct zwb_meta *m = info->meta;

	put_line(out, "file", info->path);
	put_line(out, "kind", info->kind);
	if (strcmp(info->kind, "store") == 0)
		put_line(out, "source", m->source);
	put_line(out, "sha256", m->digest);
	put_line(out, "kernel", m->kernel);
	put_line(out, "event map", m->event_map);
	fprintf(out, "%-12s %s, ", "clock", m->clock[0] ? m->clock : "unknown");
	fputs("starts at ", out);
	zwb_print_ns(out, m->start_ns);
	fputs(" s\n", out);
	fprintf(out, "%-12s ", "span");
	zwb_print_ns(out, info->summary.first_ns);
	fputs(" to ", out);
	zwb_print_ns(out, info->summary.last_ns);
	fputs(" s\n", out);
	fprintf(out, "%-12s %u CPUs, pages of %u bytes", "machine", m->nr_cpus, m->page_bytes);
	if (m->hz)
		fprintf(out, ", HZ %u", m->hz);
	putc('\n', out);
	put_line(out, "scheduler", m->scheduler);
	fprintf(out, "%-12s %" PRIu64 "\n", "events", info->summary.nr_events);
	fprintf(out, "%-12s %" PRIu64 "\n", "lost", zwb_meta_lost_events(m));
	if (info->stopped)
		put_line(out, "ends early", info->stopped);
}

static void put_kinds(FILE *out, const struct zwb_summary *s)
{
	fputs("\nevents by kind\n", out);
	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		if (s->by_kind[kind])
			fprintf(out, "  %-22s %10" PRIu64 "\n", zwb_event_kind_name(kind),
				s->by_kind[kind]);
	}
}

static void put_walks(FILE *out, const struct zwb_summary *s)
{
	const char *separator = "";

	if (s->nr_walks == 0)
		return;
	fprintf(out, "\nLRU walks\n  %" PRIu64 " walks: ", s->nr_walks);
	for (unsigned int kind = 0; kind < 5; kind++) {
		if (s->walks[kind] == 0)
			continue;
		fprintf(out, "%s%" PRIu64 " %s", separator, s->walks[kind],
			zwb_walk_kind_name(kind));
		separator = ", ";
	}
	fprintf(out, "\n  %" PRIu64 " entries visited, %" PRIu64 " written back\n", s->nr_visits,
		s->nr_written);
	fprintf(out, "  %.1f %% of the walks overlap another on the same list\n",
		100.0 * (double)s->nr_overlapping / (double)s->nr_walks);
}

static void put_losses(FILE *out, const struct zwb_meta *m)
{
	if (m->nr_losses == 0)
		return;
	fputs("\nlosses\n", out);
	zwb_print_losses(out, m, 2);
}

static void put_unknowns(FILE *out, const struct zwb_meta *m)
{
	if (m->nr_unknowns)
		fputs("\nunknown\n", out);
	for (size_t i = 0; i < m->nr_unknowns; i++) {
		fputs("  ", out);
		zwb_put_text(out, m->unknowns[i].what);
		fprintf(out, " (%" PRIu64 ")\n", m->unknowns[i].nr);
	}
	for (size_t i = 0, nr = 0; i < m->nr_tallies; i++) {
		if (m->tallies[i].kind >= 0 || m->tallies[i].nr == 0)
			continue;
		if (nr++ == 0)
			fputs("\nevents that the event map leaves out\n", out);
		fputs("  ", out);
		zwb_put_text(out, m->tallies[i].name);
		fprintf(out, " (%" PRIu64 ")\n", m->tallies[i].nr);
	}
}

static void put_cgroups(FILE *out, const struct zwb_meta *m)
{
	fputs("\ncgroups\n", out);
	for (size_t i = 1; i < m->nr_cgroups && i <= MAX_LISTED; i++) {
		fprintf(out, "  %" PRIu64 " ", m->cgroups[i].id);
		zwb_put_text(out, m->cgroups[i].path[0] ? m->cgroups[i].path : "(path not known)");
		putc('\n', out);
	}
	put_more(out, m->nr_cgroups - 1);
}

static const char *device_name(const struct zwb_meta *m, uint32_t dev, char *buf, size_t room)
{
	if (dev >= m->nr_devices)
		return "?";
	if (m->devices[dev].name[0])
		return m->devices[dev].name;
	snprintf(buf, room, "%u:%u", m->devices[dev].major, m->devices[dev].minor);
	return buf;
}

static void put_extents(FILE *out, const struct zwb_meta *m, uint32_t swap_type)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_extents; i++) {
		const struct zwb_extent *e = &m->extents[i];

		if (e->swap_type != swap_type || nr++ >= MAX_LISTED)
			continue;
		fprintf(out, "    slots %" PRIu64 " to %" PRIu64 " at sector %" PRIu64 "\n",
			e->first_slot, e->first_slot + e->nr_slots - 1, e->first_sector);
	}
	put_more(out, nr);
}

static void put_swaps(FILE *out, const struct zwb_meta *m)
{
	static const char *const how[] = { "asynchronous", "synchronous" };
	const char *source = zwb_meta_fact_get(m, "geometry", "source");
	char buf[32];

	fputs("\nswap areas\n", out);
	for (size_t i = 0; i < m->nr_swaps; i++) {
		const struct zwb_swap *s = &m->swaps[i];

		fprintf(out, "  %u ", s->swap_type);
		zwb_put_text(out, s->path[0] ? s->path : "(path not known)");
		fprintf(out, " (%s) on ", s->kind);
		zwb_put_text(out, device_name(m, s->dev, buf, sizeof(buf)));
		if (s->nr_slots)
			fprintf(out, ", %" PRIu64 " slots", s->nr_slots);
		fprintf(out, ", %s\n",
			s->synchronous < 0 ? "synchronous or not: unknown" : how[s->synchronous]);
		put_extents(out, m, s->swap_type);
	}
	if (source) {
		fputs("  geometry from: ", out);
		zwb_put_text(out, source);
		putc('\n', out);
	}
}

/* Is @f about what @section names, at the begin or at the end of the recording? */
static int is_about(const struct zwb_fact *f, const char *section)
{
	size_t len = strlen(section);

	return strncmp(f->section, section, len) == 0 &&
	       (f->section[len] == '\0' || strcmp(f->section + len, " end") == 0);
}

/* The facts that decide how a replay behaves. */
static int is_parameter(const struct zwb_fact *f)
{
	static const char *const sections[] = { "zswap", "vm", "iocost", "iosched", "cut" };
	static const char *const queue[] = { "max_sectors_kb", "max_segments", "nr_requests",
		"nr_hw_queues", "nomerges", "rotational", "wbt_lat_usec" };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (is_about(f, sections[i]))
			return 1;
	}
	for (size_t i = 0; is_about(f, "queue") && i < sizeof(queue) / sizeof(queue[0]); i++) {
		if (strcmp(f->key, queue[i]) == 0)
			return 1;
	}
	return 0;
}

static void put_fact(FILE *out, const struct zwb_fact *f)
{
	fputs("  ", out);
	zwb_put_text(out, f->section);
	putc(' ', out);
	zwb_put_text(out, f->key);
	fputs(" = ", out);
	zwb_put_text(out, f->value);
	putc('\n', out);
}

static void put_parameters(FILE *out, const struct zwb_meta *m)
{
	size_t nr = 0, nr_of_cgroups = 0;

	for (size_t i = 0; i < m->nr_facts; i++) {
		const struct zwb_fact *f = &m->facts[i];
		int is_of_cgroup = strncmp(f->section, "cgroup ", 7) == 0;

		if (!is_of_cgroup && !is_parameter(f))
			continue;
		if (nr++ == 0)
			fputs("\nparameters\n", out);
		nr_of_cgroups += (size_t)is_of_cgroup;
		if (!is_of_cgroup || nr_of_cgroups <= MAX_CGROUP_FACTS)
			put_fact(out, f);
	}
	if (nr_of_cgroups > MAX_CGROUP_FACTS)
		fprintf(out, "  and %zu more of cgroups, see --format json\n",
			nr_of_cgroups - MAX_CGROUP_FACTS);
}

/* What the recorder says about itself. */
static void put_section(FILE *out, const struct zwb_meta *m, const char *section)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_facts; i++) {
		if (!is_about(&m->facts[i], section))
			continue;
		if (nr++ == 0)
			fprintf(out, "\n%s\n", section);
		fputs("  ", out);
		zwb_put_text(out, m->facts[i].key);
		fputs(" = ", out);
		zwb_put_text(out, m->facts[i].value);
		putc('\n', out);
	}
}

/* How much of it came while the recording ran. */
static void put_samples(FILE *out, const struct zwb_meta *m)
{
	uint64_t first_ns = UINT64_MAX, last_ns = 0;
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_counters; i++) {
		uint64_t ts_ns = m->counters[i].ts_ns;

		if (ts_ns >= ZWB_COUNTER_AFTER)
			continue;
		first_ns = ts_ns < first_ns ? ts_ns : first_ns;
		last_ns = ts_ns > last_ns ? ts_ns : last_ns;
		nr++;
	}
	if (nr == 0)
		return;
	fprintf(out, "\nsamples of the host\n  %zu values from ", nr);
	zwb_print_ns(out, first_ns);
	fputs(" to ", out);
	zwb_print_ns(out, last_ns);
	fputs(" s\n", out);
}

static void put_counters(FILE *out, const struct zwb_meta *m)
{
	static const struct {
		const char *source, *key;
	} shown[] = {
		{ "vmstat", "zswpout" },
		{ "vmstat", "zswpin" },
		{ "vmstat", "zswpwb" },
		{ "vmstat", "pswpout" },
		{ "vmstat", "pswpin" },
		{ "vmstat", "pgrotated" },
		{ "disk", "reads_completed" },
		{ "disk", "writes_completed" },
		{ "disk", "writes_merged" },
	};
	int is_first = 1;

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const char *source = shown[i].source;
		int64_t delta;
		int is_known = strcmp(source, "disk") == 0
				       ? zwb_hostcount_disk(m, shown[i].key, &source, &delta)
				       : zwb_meta_counter_delta(m, source, shown[i].key, &delta);

		if (!is_known)
			continue;
		if (is_first)
			fputs("\ncounters of the host, after minus before\n", out);
		is_first = 0;
		fputs("  ", out);
		zwb_put_text(out, source);
		fprintf(out, " %s %" PRId64 "\n", shown[i].key, delta);
	}
	put_samples(out, m);
}

static void put_run(FILE *out, const struct zwb_info *info)
{
	const struct zwb_run *run = info->run;

	put_line(out, "file", info->path);
	put_line(out, "kind", info->kind);
	put_line(out, "zwb version", run->version);
	put_line(out, "command", run->command);
	fputs("\ntables\n", out);
	for (size_t i = 0; i < info->nr_tables; i++)
		fprintf(out, "  %-16s %10" PRIu64 " rows\n", info->tables[i].path,
			info->tables[i].nr_rows);
	fputs("\nrecordings\n", out);
	for (size_t i = 0; i < run->nr_traces; i++) {
		const struct zwb_run_trace *t = &run->traces[i];

		fputs("  ", out);
		zwb_put_text(out, t->source);
		fprintf(out, ": %" PRIu64 " events, kernel ", t->nr_events);
		zwb_put_text(out, t->kernel);
		fputs(", sha256 ", out);
		zwb_put_text(out, t->digest);
		putc('\n', out);
	}
	fputs("\narms\n", out);
	for (size_t i = 0; i < run->nr_arms; i++) {
		const struct zwb_run_arm_info *a = &run->arms[i]->info;

		fprintf(out, "  recording %zu, ", a->trace + 1);
		zwb_put_text(out, a->policy);
		fputs(", device ", out);
		zwb_put_text(out, a->device);
		fprintf(out, ", seed %" PRIu64 ": %zu values, %zu histograms\n", a->seed,
			run->arms[i]->nr_metrics, run->arms[i]->nr_hists);
	}
	for (size_t i = 0; i < run->nr_notes; i++)
		put_line(out, "note", run->notes[i]);
}

void zwb_info_text(FILE *out, const struct zwb_info *info)
{
	if (info->run) {
		put_run(out, info);
		return;
	}
	put_head(out, info);
	put_kinds(out, &info->summary);
	put_walks(out, &info->summary);
	put_losses(out, info->meta);
	put_section(out, info->meta, "capture");
	put_section(out, info->meta, "overhead");
	put_unknowns(out, info->meta);
	put_cgroups(out, info->meta);
	put_swaps(out, info->meta);
	put_parameters(out, info->meta);
	put_counters(out, info->meta);
}
