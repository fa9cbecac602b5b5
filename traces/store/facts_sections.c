/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are files of /proc and /sys one after the other, each under a heading. */
#include "facts_priv.h"

#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

struct facts_file facts_file_of(const char *cgroup, const char *name, uint64_t ts_ns)
{
	struct facts_file file = { .form = facts_form_of(name), .key = "value", .ts_ns = ts_ns };

	if (cgroup)
		snprintf(file.source, sizeof(file.source), "cgroup %.470s %.24s", cgroup, name);
	else if (ends_with(name, ".pressure"))
		snprintf(file.source, sizeof(file.source), "pressure %.*s",
			(int)(strlen(name) - strlen(".pressure")), name);
	else if (strcmp(name, "zswapdbg") == 0)
		snprintf(file.source, sizeof(file.source), "zswap");
	else
		snprintf(file.source, sizeof(file.source), "%.63s", name);
	return file;
}

/* -- counters-before.txt and counters-after.txt: "## cgroup w0 memory.stat" -- */

/* What a heading announces; modifies it. "## uptime 19.30" has its content in the heading. */
static struct facts_file counters_heading(struct facts *fx, char *heading, uint64_t when)
{
	struct facts_file file = facts_file_of(NULL, "", when);
	char cgroup[FACTS_NAME + 1], *words[3];
	size_t nr;

	if (strcmp(heading, "zswap debugfs") == 0) {
		file.form = FACTS_PATH_VALUE;
		snprintf(file.source, sizeof(file.source), "zswap");
		return file;
	}
	nr = facts_words(heading, words, 3);
	if (nr == 3 && strcmp(words[0], "cgroup") == 0) {
		snprintf(
			cgroup, sizeof(cgroup), "%s%.62s", words[1][0] == '/' ? "" : "/", words[1]);
		return facts_file_of(cgroup, words[2], when);
	}
	if (nr == 1 && strncmp(words[0], "/sys/block/", 11) == 0)
		return facts_file_of(NULL, "blkstat", when);
	if (nr == 0)
		return file;
	file = facts_file_of(NULL, words[0], when);
	if (nr == 2 && file.form == FACTS_UPTIME)
		facts_counter_line(fx, &file, words[1]);
	return file;
}

/* "## pressure" is the files of memory and of io, one after the other. */
static void pressure_line(struct facts *fx, char *line, unsigned int *nr_some, uint64_t when)
{
	struct facts_file file = { .form = FACTS_PRESSURE, .ts_ns = when };

	if (strncmp(line, "some ", 5) == 0)
		++*nr_some;
	snprintf(file.source, sizeof(file.source), "pressure %s", *nr_some < 2 ? "memory" : "io");
	facts_counter_line(fx, &file, line);
}

void facts_read_counters(struct facts *fx, struct facts_text text, uint64_t when)
{
	struct facts_file file = { .form = FACTS_NO_FORM };
	unsigned int nr_some = 0;
	char line[FACTS_LINE];

	while (facts_line(fx, &text, line)) {
		if (strncmp(line, "## ", 3) == 0)
			file = counters_heading(fx, line + 3, when);
		else if (strcmp(file.source, "pressure") == 0)
			pressure_line(fx, line, &nr_some, when);
		else if (strcmp(file.source, "swaps") == 0)
			facts_swaps_line(fx, line);
		else
			facts_counter_line(fx, &file, line);
	}
}

/* -- series.txt: "@ mono=S.NS" starts a sample, "# /proc/vmstat" a file in it -- */

static struct facts_file series_heading(const char *path, uint64_t ts_ns)
{
	const char *name = base_name(path);
	struct facts_file file = facts_file_of(NULL, name, ts_ns);
	char cgroup[FACTS_NAME];

	if (strncmp(path, "/proc/pressure/", 15) == 0) {
		file.form = FACTS_PRESSURE;
		snprintf(file.source, sizeof(file.source), "pressure %.32s", name);
	} else if (strcmp(path, "/proc/stat") == 0) {
		file.form = FACTS_PROC_STAT;
	} else if (strncmp(path, "/sys/block/", 11) == 0) {
		file.form = strcmp(name, "stat") == 0 ? FACTS_BLKSTAT : FACTS_INFLIGHT;
		snprintf(file.source, sizeof(file.source), "%s %.*s",
			strcmp(name, "stat") == 0 ? "disk" : "inflight",
			(int)strcspn(path + 11, "/"), path + 11);
	} else if (strncmp(path, "/sys/kernel/debug/zswap/", 24) == 0) {
		file.form = FACTS_SINGLE;
		snprintf(file.source, sizeof(file.source), "zswap");
		snprintf(file.key, sizeof(file.key), "%.48s", name);
	} else if (strncmp(path, "/proc/", 6) != 0) {
		snprintf(cgroup, sizeof(cgroup), "%.*s", (int)(name - path - 1), path);
		file = facts_file_of(cgroup[0] ? cgroup : "/", name, ts_ns);
	}
	return file;
}

void facts_read_series(struct facts *fx, struct facts_text text)
{
	struct facts_file file = { .form = FACTS_NO_FORM };
	bool in_trace = false;
	uint64_t ts_ns = 0;
	char line[FACTS_LINE];

	while (facts_line(fx, &text, line)) {
		if (strncmp(line, "@ mono=", 7) == 0) {
			line[7 + strcspn(line + 7, " ")] = '\0';
			in_trace = facts_sample_time(fx, line + 7, &ts_ns);
		} else if (!in_trace) {
			continue;
		} else if (strncmp(line, "# ", 2) == 0) {
			file = series_heading(line + 2, ts_ns);
		} else {
			facts_counter_line(fx, &file, line);
		}
	}
}

/* -- NAME.counters.txt: "## memory.stat 0", "## w.io.stat 1", "## zparams" -- */

enum one_section {
	ONE_COUNTERS,
	ONE_QUEUE,
	ONE_IOCOST,
	ONE_ZSWAP,
	ONE_CMDLINE,
	ONE_PROBES,
	ONE_SWAPS,
	ONE_CGROUPS,
	ONE_OTHER,
};

static const struct {
	const char *name;
	enum one_section section;
} one_sections[] = {
	{ "queue", ONE_QUEUE },
	{ "iocost.conf", ONE_IOCOST },
	{ "zparams", ONE_ZSWAP },
	{ "cmdline", ONE_CMDLINE },
	{ "probes", ONE_PROBES },
	{ "probes.txt", ONE_PROBES },
	{ "swaps", ONE_SWAPS },
	{ "cgroup_ids", ONE_CGROUPS },
};

/* Files of the whole system; the others are of a cgroup. */
static bool is_of_system(const char *name)
{
	static const char *const names[] = { "vmstat", "meminfo", "diskstats", "blkstat",
		"zswapdbg", "uptime", "inflight" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* "memory.stat 0"; modifies @heading. Return: false: the heading has no side. */
static bool one_counters(struct facts *fx, char *heading, struct facts_file *file)
{
	char *side = strrchr(heading, ' ');
	uint64_t when;

	if (!side || (strcmp(side, " 0") != 0 && strcmp(side, " 1") != 0))
		return false;
	when = side[1] == '0' ? ZWB_COUNTER_BEFORE : ZWB_COUNTER_AFTER;
	*side = '\0';
	if (strncmp(heading, "sys.", 4) == 0)
		*file = facts_file_of(NULL, heading + 4, when);
	else if (strncmp(heading, "w.", 2) == 0)
		*file = facts_file_of(fx->cgroups[1], heading + 2, when);
	else
		*file = facts_file_of(is_of_system(heading) ? NULL : fx->cgroups[0], heading, when);
	return true;
}

static enum one_section one_heading(struct facts *fx, char *heading, struct facts_file *file)
{
	if (one_counters(fx, heading, file))
		return ONE_COUNTERS;
	for (size_t i = 0; i < sizeof(one_sections) / sizeof(one_sections[0]); i++) {
		if (strcmp(heading, one_sections[i].name) == 0)
			return one_sections[i].section;
	}
	if (strcmp(heading, "samples") == 0) {
		*file = (struct facts_file){ .form = FACTS_SAMPLES, .source = "samples" };
		return ONE_COUNTERS;
	}
	snprintf(file->source, sizeof(file->source), "%.63s", heading);
	return ONE_OTHER;
}

/* "     24 /sys/fs/cgroup/build": the first is the workload's, the second that of "w.". */
static void one_cgroup(struct facts *fx, char *line, size_t *nr)
{
	static const char root[] = "/sys/fs/cgroup";
	const char *path;
	char *words[2];
	uint64_t id;

	if (facts_words(line, words, 2) != 2 || !facts_u64(words[0], &id)) {
		fx->nr_lost++;
		return;
	}
	path = words[1];
	if (strncmp(path, root, strlen(root)) == 0)
		path += strlen(root);
	facts_cgroup(fx, id, path[0] ? path : "/");
	if (*nr < 2)
		snprintf(fx->cgroups[(*nr)++], FACTS_NAME, "%.63s", path[0] ? path : "/");
}

/* The section comes late in the file, its names are wanted from the first line on. */
static void one_find_cgroups(struct facts *fx, struct facts_text text)
{
	char line[FACTS_LINE];
	bool is_inside = false;
	size_t nr = 0;

	while (facts_line(fx, &text, line)) {
		if (strncmp(line, "## ", 3) == 0)
			is_inside = strcmp(line + 3, "cgroup_ids") == 0;
		else if (is_inside)
			one_cgroup(fx, line, &nr);
	}
}

static void one_line(struct facts *fx, enum one_section section, const struct facts_file *file,
	char *line, unsigned int nr)
{
	char key[FACTS_NAME];
	size_t len;

	switch (section) {
	case ONE_COUNTERS:
		facts_counter_line(fx, file, line);
		break;
	case ONE_ZSWAP:
		len = strcspn(line, " ");
		snprintf(key, sizeof(key), "%.*s", (int)(len < 63 ? len : 63), line);
		facts_add_new(fx, "zswap", key, line[len] ? line + len + 1 : "");
		break;
	case ONE_IOCOST:
		facts_iocost(fx, strstr(line, "model=") ? "model" : "qos", line);
		break;
	case ONE_CMDLINE:
		facts_add_new(fx, "host", "cmdline", line);
		break;
	case ONE_PROBES:
		facts_probe(fx, line);
		break;
	case ONE_SWAPS:
		facts_swaps_line(fx, line);
		break;
	case ONE_QUEUE:
		if (strchr(line, '[')) {
			facts_scheduler(fx, line);
			break;
		}
		/* fall through */
	case ONE_OTHER:
		snprintf(key, sizeof(key), "line %u", nr);
		facts_add(fx, section == ONE_QUEUE ? "queue" : file->source, key, line);
		break;
	case ONE_CGROUPS:
		break;
	}
}

void facts_read_one_file(struct facts *fx, struct facts_text text)
{
	struct facts_file file = { .form = FACTS_NO_FORM, .source = "notes" };
	enum one_section section = ONE_OTHER;
	unsigned int nr = 0;
	char line[FACTS_LINE];

	one_find_cgroups(fx, text);
	while (facts_line(fx, &text, line)) {
		if (strncmp(line, "## ", 3) == 0) {
			section = one_heading(fx, line + 3, &file);
			nr = 0;
		} else {
			one_line(fx, section, &file, line, ++nr);
		}
	}
}
