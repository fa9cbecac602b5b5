/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts about the host that stand in the recording: traces/FORMAT.md. */
#include "facts_priv.h"
#include "marker.h"
#include "tracedat.h"

#include <stdio.h>
#include <string.h>

/* "KEY: VALUE", of which @line becomes the key. Return: the value; NULL: no such line. */
static char *marker_value(char *line)
{
	char *colon = strstr(line, ": ");

	if (!colon || colon == line)
		return NULL;
	*colon = '\0';
	return colon + 2;
}

/* -- "facts NAME" -- */

/* Facts that the metadata have a place of their own for. */
static void marker_known_fact(
	struct facts *fx, const char *section, const char *key, const char *value)
{
	bool is_host = strcmp(section, "host") == 0;
	uint64_t hz;

	if (((is_host && strcmp(key, "hz") == 0) ||
		    (strcmp(section, "config") == 0 && strcmp(key, "CONFIG_HZ") == 0)) &&
		facts_u64(value, &hz) && hz <= 1000000)
		fx->m->hz = (uint32_t)hz;
	if (is_host && strcmp(key, "kernel") == 0 && fx->m->kernel[0] == '\0' && !fx->status)
		fx->status = zwb_meta_set(&fx->m->kernel, value, fx->err);
}

static void marker_facts(struct facts *fx, struct facts_text text, const char *section)
{
	char line[FACTS_LINE], *value;

	while (facts_line(fx, &text, line)) {
		value = marker_value(line);
		if (!value) {
			fx->nr_lost++;
		} else if (strcmp(section, "queue") == 0 && strcmp(line, "scheduler") == 0) {
			facts_scheduler(fx, value);
		} else {
			facts_add_new(fx, section, line, value);
			marker_known_fact(fx, section, line, value);
		}
	}
}

/* -- "counters vmstat", "counters cgroup /w0 memory.stat" -- */

static struct facts_file marker_file(char *name, uint64_t ts_ns)
{
	static const char cgroup[] = "cgroup ", pressure[] = "pressure ";
	struct facts_file file;
	char *last = strrchr(name, ' ');

	if (strncmp(name, cgroup, strlen(cgroup)) == 0 && last >= name + strlen(cgroup)) {
		*last = '\0';
		return facts_file_of(name + strlen(cgroup), last + 1, ts_ns);
	}
	file = facts_file_of(NULL, name, ts_ns);
	if (strncmp(name, pressure, strlen(pressure)) == 0)
		file.form = FACTS_PRESSURE;
	else if (strcmp(name, "stat") == 0)
		file.form = FACTS_PROC_STAT;
	else if (strcmp(name, "zswap") == 0)
		file.form = FACTS_KEY_VALUE;
	return file;
}

static void marker_counters(struct facts *fx, struct facts_text text, char *name, uint64_t ts_ns)
{
	struct facts_file file = marker_file(name, ts_ns);
	char line[FACTS_LINE];

	while (facts_line(fx, &text, line))
		facts_counter_line(fx, &file, line);
}

/* -- "swap TYPE", "extents TYPE" -- */

static struct facts_swap_row *marker_area(struct facts *fx, const char *type)
{
	uint64_t nr;

	if (!facts_u64(type, &nr) || nr >= FACTS_MAX_SWAPS) {
		fx->nr_lost++;
		return NULL;
	}
	while (fx->nr_swaps <= nr)
		fx->swaps[fx->nr_swaps++].is_whole = true;
	return &fx->swaps[nr];
}

/* What is said first counts: areas do not change while they are in use. */
static void marker_area_fact(
	struct facts *fx, struct facts_swap_row *area, const char *key, const char *value)
{
	uint64_t major, minor;
	const char *at = value;

	if (strcmp(key, "path") == 0 && !area->path[0])
		snprintf(area->path, sizeof(area->path), "%.63s", value);
	else if (strcmp(key, "kind") == 0 && !area->kind[0])
		snprintf(area->kind, sizeof(area->kind), "%.15s", value);
	else if (strcmp(key, "size_kib") == 0 && !area->size_kib)
		facts_u64(value, &area->size_kib);
	else if (strcmp(key, "disk") == 0 && !area->disk[0])
		snprintf(area->disk, sizeof(area->disk), "%.31s", value);
	else if (strcmp(key, "first_sector") == 0 && !area->has_start)
		area->has_start = facts_u64(value, &area->start_sector) &&
				  area->start_sector < FACTS_SECTORS_MAX;
	else if (strcmp(key, "disk_number") == 0 && area->disk[0] && facts_take_u64(&at, &major) &&
		 facts_take(&at, ":") && facts_take_u64(&at, &minor))
		facts_number_part(fx, area->disk, major, minor);
}

static void marker_swap(
	struct facts *fx, struct facts_text text, const char *section, const char *type)
{
	struct facts_swap_row *area = marker_area(fx, type);
	char line[FACTS_LINE], *value;

	while (area && facts_line(fx, &text, line)) {
		value = marker_value(line);
		if (!value) {
			fx->nr_lost++;
			continue;
		}
		facts_add_new(fx, section, line, value);
		marker_area_fact(fx, area, line, value);
	}
}

/* "0 1048576 4096": byte of the file, byte of the device, bytes; or "why: REASON". */
static void marker_extents(
	struct facts *fx, struct facts_text text, const char *section, const char *type)
{
	struct facts_swap_row *area = marker_area(fx, type);
	uint64_t file_byte, device_byte, nr_bytes;
	char line[FACTS_LINE], *value;
	const char *at;

	while (area && facts_line(fx, &text, line)) {
		at = line;
		if (facts_take_u64(&at, &file_byte) && facts_take_u64(&at, &device_byte) &&
			facts_take_u64(&at, &nr_bytes) && *at == '\0') {
			area->extents.block_bytes = 1;
			facts_add_extent(fx, &area->extents,
				(struct facts_extent){
					.first_block = device_byte, .nr_blocks = nr_bytes });
		} else if ((value = marker_value(line)) != NULL) {
			facts_add_new(fx, section, line, value);
		} else {
			fx->nr_lost++;
		}
	}
}

/* -- "cgroups" -- */

/* "28 /w0" */
static void marker_cgroups(struct facts *fx, struct facts_text text)
{
	char line[FACTS_LINE];
	const char *at;
	uint64_t id;

	while (facts_line(fx, &text, line)) {
		at = line;
		if (facts_take_u64(&at, &id) && at[0] == ' ' && at[1] == '/')
			facts_cgroup(fx, id, at + 1);
		else
			fx->nr_lost++;
	}
}

/* -- the heading -- */

/* "zwb1 start facts zswap". Return: the section; NULL: a text of another version, or damaged. */
static char *marker_heading(char *line, enum zwb_phase *phase)
{
	char *name, *section;

	if (strncmp(line, ZWB_MARKER_BEGIN, strlen(ZWB_MARKER_BEGIN)) != 0 &&
		strncmp(line, ZWB_MARKER_MORE, strlen(ZWB_MARKER_MORE)) != 0)
		return NULL;
	name = strchr(line, ' ') + 1;
	section = strchr(name, ' ');
	if (!section)
		return NULL;
	*section = '\0';
	for (*phase = ZWB_PHASE_START; strcmp(name, zwb_phase_name(*phase)) != 0; ++*phase) {
		if (*phase == ZWB_PHASE_END)
			return NULL;
	}
	return section + 1;
}

static void marker_section(struct facts *fx, struct facts_text text, char *section, uint64_t ts_ns)
{
	static const char facts[] = "facts ", counters[] = "counters ", swap[] = "swap ",
			  extents[] = "extents ";

	if (strncmp(section, facts, strlen(facts)) == 0)
		marker_facts(fx, text, section + strlen(facts));
	else if (strncmp(section, counters, strlen(counters)) == 0)
		marker_counters(fx, text, section + strlen(counters), ts_ns);
	else if (strncmp(section, swap, strlen(swap)) == 0)
		marker_swap(fx, text, section, section + strlen(swap));
	else if (strncmp(section, extents, strlen(extents)) == 0)
		marker_extents(fx, text, section, section + strlen(extents));
	else if (strcmp(section, "cgroups") == 0)
		marker_cgroups(fx, text);
	else
		fx->nr_lost++;
}

void facts_marker(void *arg, uint64_t ts_ns, const char *marker, size_t len)
{
	struct facts_text text = { .at = marker, .end = marker + len };
	char heading[FACTS_LINE], *section = NULL;
	enum zwb_phase phase = ZWB_PHASE_START;
	struct facts *fx = arg;

	if (facts_line(fx, &text, heading))
		section = marker_heading(heading, &phase);
	if (!section) {
		fx->nr_lost++;
		return;
	}
	if (phase == ZWB_PHASE_START)
		ts_ns = ZWB_COUNTER_BEFORE;
	else if (phase == ZWB_PHASE_END)
		ts_ns = ZWB_COUNTER_AFTER;
	else if (ts_ns >= ZWB_COUNTER_AFTER)
		return; /* a sample from before the first event has no time in the recording */
	marker_section(fx, text, section, ts_ns);
}
