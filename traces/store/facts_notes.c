/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notes.txt: what a recorder wrote down about the host, one thing a line. */
#include "facts_priv.h"

#include <stdio.h>
#include <string.h>

struct notes {
	struct facts *fx;
	unsigned int line;
	bool in_probes; /* after "dynamic_events:" the probes come again */
};

/* "KEY=VALUE KEY=VALUE": the last value goes on to the end of the line. */
static void add_assignments(struct facts *fx, const char *section, char *text)
{
	char *at = text, *equals, *end, *next;

	while ((equals = strchr(at, '=')) != NULL) {
		*equals = '\0';
		end = equals + 1 + strcspn(equals + 1, " ");
		next = end + strspn(end, " ");
		if (*next && strchr(next, '=')) {
			*end = '\0';
			facts_add_new(fx, section, at, equals + 1);
			at = next;
			continue;
		}
		facts_add_new(fx, section, at, equals + 1);
		return;
	}
}

void facts_iocost(struct facts *fx, const char *what, const char *text)
{
	text += strspn(text, " ");
	facts_add_new(fx, "iocost", what, text);
	if (strcmp(what, "qos") == 0)
		facts_add_new(fx, "iocost", "enabled", strstr(text, "enable=1") ? "1" : "0");
}

/* "OK   f:zlab/zstore zswap_store ..." */
void facts_probe(struct facts *fx, char *line)
{
	char value[FACTS_LINE], *name;
	size_t status = strcspn(line, " "), len;

	name = line + status + strspn(line + status, " ");
	len = strcspn(name, " ");
	if (len == 0 || len >= FACTS_NAME) {
		fx->nr_lost++;
		return;
	}
	snprintf(value, sizeof(value), "%.*s%.*s", (int)status, line,
		(int)(FACTS_LINE - 1 - status), name + len);
	name[len] = '\0';
	facts_add(fx, "probe", name, value);
}

/* The value behind @name in "... NAME=VALUE ..." as a fact about the queue, if there is none. */
static void add_queue_fact(struct facts *fx, const char *line, const char *name)
{
	char mark[FACTS_NAME], value[FACTS_NAME];
	const char *at;

	snprintf(mark, sizeof(mark), " %s=", name);
	at = strstr(line, mark);
	if (!at || zwb_meta_fact_get(fx->m, "queue", name))
		return;
	at += strlen(mark);
	snprintf(value, sizeof(value), "%.*s", (int)(strcspn(at, " ") % FACTS_NAME), at);
	if (value[0])
		facts_add(fx, "queue", name, value);
}

/* "swapdev: vda 254:0 rotational=1 sched=[none] mq-deadline  nr_requests=256 wc=write back" */
static bool note_swapdev(struct notes *n, char *line)
{
	const char *at = line, *end;
	uint64_t major, minor;
	char name[32];

	if (!facts_take(&at, "swapdev:") || !facts_take_word(&at, name, sizeof(name)) ||
		!facts_take_u64(&at, &major) || !facts_take(&at, ":") ||
		!facts_take_u64(&at, &minor))
		return false;
	facts_swap_disk(n->fx, name, major, minor);
	add_queue_fact(n->fx, line, "rotational");
	add_queue_fact(n->fx, line, "nr_requests");
	add_queue_fact(n->fx, line, "max_sectors_kb");
	end = strstr(line, " wc=");
	if (end && !zwb_meta_fact_get(n->fx->m, "queue", "write_cache"))
		facts_add(n->fx, "queue", "write_cache", end + 4);
	end = strstr(line, "sched=");
	if (end && strchr(end, '[') && !zwb_meta_fact_get(n->fx->m, "queue", "scheduler"))
		facts_scheduler(n->fx, end + 6);
	return true;
}

/* "/sys/module/zswap/parameters/compressor:lzo", ".../queue/iosched/fifo_batch:16" */
static bool note_path(struct notes *n, char *line)
{
	const char *section = NULL;
	char *colon = strrchr(line, ':'), *name;

	if (line[0] != '/' || !colon)
		return false;
	if (strncmp(line, "/sys/module/zswap/parameters/", 29) == 0)
		section = "zswap";
	else if (strstr(line, "/queue/iosched/"))
		section = "iosched";
	if (!section)
		return false;
	*colon = '\0';
	name = strrchr(line, '/') + 1;
	facts_add_new(n->fx, section, name, colon + 1);
	return true;
}

/* "cgroup /w0 inode=28 memory.max=134217728", "cgroup ids: / = 1" */
static bool note_cgroup(struct notes *n, char *line)
{
	char path[FACTS_NAME], section[FACTS_NAME + 8];
	const char *at = line;
	uint64_t id;

	if (facts_take(&at, "cgroup ids:") && facts_take_word(&at, path, sizeof(path)) &&
		facts_take(&at, " = ") && facts_take_u64(&at, &id)) {
		facts_cgroup(n->fx, id, path);
		return true;
	}
	at = line;
	if (!facts_take(&at, "cgroup /") || !facts_take_word(&at, path + 1, sizeof(path) - 1) ||
		!facts_take(&at, " inode=") || !facts_take_u64(&at, &id))
		return false;
	path[0] = '/';
	facts_cgroup(n->fx, id, path);
	snprintf(section, sizeof(section), "cgroup %s", path);
	add_assignments(n->fx, section, line + (at - line) + strspn(at, " "));
	return true;
}

/* "workload pid 447 in cgroup /w0" */
static bool note_workload(struct notes *n, char *line)
{
	char path[FACTS_NAME], key[FACTS_NAME];
	const char *at = line;
	uint64_t pid;

	if (!facts_take(&at, "workload pid ") || !facts_take_u64(&at, &pid) ||
		!facts_take(&at, " in cgroup ") || !facts_take_word(&at, path, sizeof(path)))
		return false;
	snprintf(key, sizeof(key), "pid %llu", (unsigned long long)pid);
	facts_add(n->fx, "workload", key, path);
	return true;
}

/* "CONFIG_HZ=250", "# CONFIG_PREEMPT is not set" */
static bool note_config(struct notes *n, char *line)
{
	char *equals = strchr(line, '=');
	char *blank;
	uint64_t hz;

	if (strncmp(line, "# CONFIG_", 9) == 0 && strstr(line, " is not set")) {
		blank = strchr(line + 2, ' ');
		*blank = '\0';
		facts_add_new(n->fx, "config", line + 2, "n");
		return true;
	}
	if (strncmp(line, "CONFIG_", 7) != 0 || !equals)
		return false;
	*equals = '\0';
	facts_add_new(n->fx, "config", line, equals + 1);
	if (strcmp(line, "CONFIG_HZ") == 0 && facts_u64(equals + 1, &hz) && hz <= 1000000)
		n->fx->m->hz = (uint32_t)hz;
	return true;
}

/* "queue/max_sectors_kb: 4096", "hw queues: 0 1 ", "  /sys/block/vda/mq/0 nr_tags=256" */
static bool note_queue(struct notes *n, char *line)
{
	char number[16], *words[256], *at;

	if (strncmp(line, "queue/", 6) == 0 && (at = strchr(line, ':')) != NULL) {
		*at++ = '\0';
		at += strspn(at, " ");
		if (strcmp(line + 6, "scheduler") == 0)
			facts_scheduler(n->fx, at);
		else
			facts_add_new(n->fx, "queue", line + 6, at);
		return true;
	}
	if (strncmp(line, "hw queues:", 10) == 0) {
		snprintf(number, sizeof(number), "%zu", facts_words(line + 10, words, 256));
		facts_add_new(n->fx, "queue", "nr_hw_queues", number);
		return true;
	}
	at = strstr(line, "/mq/");
	if (strncmp(line, "  /sys/block/", 13) != 0 || !at)
		return false;
	line = at + 1;
	line[strcspn(line, " ")] = '\0';
	facts_add_new(n->fx, "queue", line, line + strlen(line) + 1);
	return true;
}

/* "vm: /proc/sys/vm/swappiness:100 /proc/sys/vm/page-cluster:3", "page-cluster: 3" */
static bool note_vm(struct notes *n, char *line)
{
	char *words[32], *colon;
	size_t nr;

	if (strncmp(line, "page-cluster: ", 14) == 0) {
		facts_add_new(n->fx, "vm", "page-cluster", line + 14);
		return true;
	}
	if (strncmp(line, "vm: ", 4) != 0)
		return false;
	nr = facts_words(line + 4, words, 32);
	for (size_t i = 0; i < nr; i++) {
		colon = strrchr(words[i], ':');
		if (!colon)
			continue;
		*colon = '\0';
		facts_add_new(n->fx, "vm",
			strrchr(words[i], '/') ? strrchr(words[i], '/') + 1 : words[i], colon + 1);
	}
	return true;
}

/* "io.cost.qos: 254:0 enable=1 ...", and at the end of the run "end: 254:0 enable=1 ..." */
static bool note_iocost(struct notes *n, char *line)
{
	if (strncmp(line, "io.cost.qos:", 12) == 0)
		facts_iocost(n->fx, "qos", line + 12);
	else if (strncmp(line, "io.cost.model:", 14) == 0)
		facts_iocost(n->fx, "model", line + 14);
	else if (strncmp(line, "end: ", 5) == 0)
		facts_iocost(n->fx, strstr(line, "model=") ? "model" : "qos", line + 5);
	else
		return false;
	return true;
}

static bool note_probe(struct notes *n, char *line)
{
	if (strcmp(line, "dynamic_events:") == 0) {
		n->in_probes = true;
		return true;
	}
	if (strncmp(line, "OK ", 3) == 0 || strncmp(line, "FAIL ", 5) == 0) {
		facts_probe(n->fx, line);
		return true;
	}
	/* "f:zlab/zstore zswap_store ...": said already, by the lines with OK */
	return n->in_probes && strchr("fprt", line[0]) && line[1] == ':';
}

/* "kernel: Linux (none) 7.3.4+deb13 ..." and other "KEY: VALUE" lines, or anything. */
static void note_other(struct notes *n, char *line)
{
	char host[FACTS_NAME], release[FACTS_NAME], key[FACTS_NAME], *colon = strstr(line, ": ");
	const char *at = line;

	if (n->fx->m->kernel[0] == '\0' && !n->fx->status && facts_take(&at, "kernel: Linux ") &&
		facts_take_word(&at, host, sizeof(host)) &&
		facts_take_word(&at, release, sizeof(release)))
		n->fx->status = zwb_meta_set(&n->fx->m->kernel, release, n->fx->err);
	if (colon && colon - line < (ptrdiff_t)FACTS_NAME && line[0] != ' ' && line[0] != '[') {
		*colon = '\0';
		facts_add_new(n->fx, "host", line, colon + 2 + strspn(colon + 2, " "));
	} else if (line[0] && strncmp(line, "## ", 3) != 0) {
		snprintf(key, sizeof(key), "line %u", n->line);
		facts_add(n->fx, "notes", key, line);
	}
}

void facts_read_notes(struct facts *fx, struct facts_text text)
{
	static bool (*const readers[])(struct notes * n, char *line) = { note_probe, note_config,
		note_queue, note_path, note_swapdev, note_cgroup, note_workload, note_vm,
		note_iocost };
	struct notes n = { .fx = fx };
	char line[FACTS_LINE];

	while (facts_line(fx, &text, line)) {
		bool is_taken = facts_geometry_line(fx, line) || facts_swaps_line(fx, line);

		n.line = text.line;
		for (size_t i = 0; !is_taken && i < sizeof(readers) / sizeof(readers[0]); i++)
			is_taken = readers[i](&n, line);
		if (!is_taken)
			note_other(&n, line);
	}
}
