/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream without names: see zwb_stream_anonymise(). */
#include "filter.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_KERNEL_ADDRESS (UINT64_C(1) << 63)
#define ARRAY_LEN(a)	     (sizeof(a) / sizeof((a)[0]))

struct anon_stream {
	struct zwb_stream stream; /* its metadata are the input's */
	struct zwb_stream *input;
	struct zwb_anon anon;
	bool is_done; /* the tables are changed */
	struct zwb_event *block;
	size_t block_room;
};

/* Replaces *@field by what is in @text, which it empties. */
static int take_text(char **field, struct zwb_buf *text, struct zwb_err *err)
{
	int ret;

	zwb_buf_add(text, "", 1);
	ret = zwb_buf_check(text, err);
	if (!ret)
		ret = zwb_meta_set(field, (const char *)text->data, err);
	zwb_buf_release(text);
	return ret;
}

static int hide_path(const struct zwb_anon *anon, char **path, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };

	zwb_anon_path(anon, *path, &text);
	return take_text(path, &text, err);
}

/*
 * "cgroup /w0 io.stat" of a counter, whose path ends at the last blank; "cgroup /w0" of a fact, or
 * "cgroup /w0 end" for what it was at the end.
 */
static int hide_cgroup(const struct zwb_anon *anon, char **name, bool is_fact, struct zwb_err *err)
{
	static const char prefix[] = "cgroup /";
	struct zwb_buf text = { 0 };
	const char *rest;
	char *path;

	if (strncmp(*name, prefix, strlen(prefix)) != 0)
		return ZWB_OK;
	path = strdup(*name + strlen(prefix) - 1);
	if (!path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide a cgroup");
	rest = strrchr(path, ' ');
	if (is_fact && rest && strcmp(rest, " end") != 0)
		rest = NULL;
	if (rest)
		path[rest - path] = '\0';
	zwb_buf_addf(&text, "cgroup ");
	zwb_anon_path(anon, path, &text);
	if (rest)
		zwb_buf_addf(&text, " %s", rest + 1);
	free(path);
	return take_text(name, &text, err);
}

/* -- facts -- */

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/*
 * Whether a fact says nothing about who uses the host, once cgroups are hidden. Behind the name of
 * a section may stand that of a disk, or "end".
 */
static int is_harmless(const struct zwb_fact *fact)
{
	static const char *const sections[] = { "cgroup", "zswap", "vm", "queue", "disk", "iosched",
		"iocost", "config", "geometry", "partition", "probe", "synth", "cut", "capture",
		"overhead" };
	static const char *const host[] = { "cpus", "nodes", "psi", "lru_gen", "thp", "clocksource",
		"hw queues", "MemTotal", "SwapTotal", "cpu_model", "cpus_online", "cpus_possible",
		"nodes_online", "preempt", "lru_gen_min_ttl_ms", "transparent_hugepage",
		"thp_shmem", "memory", "swap", "page_bytes", "hz", "cgroup_hierarchy" };
	static const char *const telling[] = { "command", "dm_name", "backing_dev" };
	char section[32];

	snprintf(section, sizeof(section), "%.*s", (int)strcspn(fact->section, " "), fact->section);
	if (strcmp(section, "host") == 0)
		return is_one_of(fact->key, host, ARRAY_LEN(host));
	return is_one_of(section, sections, ARRAY_LEN(sections)) &&
	       !is_one_of(fact->key, telling, ARRAY_LEN(telling));
}

static int hide_fact(const struct zwb_anon *anon, struct zwb_fact *fact, struct zwb_err *err)
{
	if (strcmp(fact->section, "cut") == 0 && strcmp(fact->key, "cgroup") == 0)
		return hide_path(anon, &fact->value, err);
	return hide_cgroup(anon, &fact->section, true, err);
}

static int hide_facts(struct zwb_meta *m, const struct zwb_anon *anon, struct zwb_err *err)
{
	size_t nr_dropped = zwb_meta_keep_facts(m, is_harmless);
	char number[32];

	for (size_t i = 0; i < m->nr_facts; i++) {
		int ret = hide_fact(anon, &m->facts[i], err);

		if (ret)
			return ret;
	}
	snprintf(number, sizeof(number), "%zu", nr_dropped);
	return zwb_meta_fact(m, "anonymise", "dropped", number, err);
}

/* -- the other tables -- */

static int hide_swap(const struct zwb_anon *anon, struct zwb_swap *swap, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };
	int ret;

	zwb_anon_swap(anon, swap->path, &text);
	zwb_buf_add(&text, "", 1);
	ret = zwb_buf_check(&text, err);
	if (!ret)
		snprintf(swap->path, sizeof(swap->path), "%s", (const char *)text.data);
	zwb_buf_release(&text);
	return ret;
}

static int hide_cgroups(struct zwb_meta *m, const struct zwb_anon *anon, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = ZWB_CGROUP_UNKNOWN + 1; !ret && i < m->nr_cgroups; i++) {
		uint64_t *id = &m->cgroups[i].id;

		if (*id >= FIRST_KERNEL_ADDRESS)
			*id = zwb_anon_hash(anon, id, sizeof(*id)) | FIRST_KERNEL_ADDRESS;
		ret = hide_path(anon, &m->cgroups[i].path, err);
	}
	return ret;
}

static int hide_tables(struct zwb_meta *m, const struct zwb_anon *anon, struct zwb_err *err)
{
	int ret = hide_cgroups(m, anon, err);

	for (size_t i = 0; i < m->nr_tasks; i++)
		zwb_anon_comm(anon, m->tasks[i].comm);
	for (size_t i = 0; !ret && i < m->nr_counters; i++)
		ret = hide_cgroup(anon, &m->counters[i].source, false, err);
	for (size_t i = 0; !ret && i < m->nr_swaps; i++)
		ret = hide_swap(anon, &m->swaps[i], err);
	if (!ret)
		ret = hide_facts(m, anon, err);
	if (!ret)
		ret = zwb_meta_set(&m->source, "anonymised", err);
	return ret;
}

/* -- the stream -- */

static int make_room(struct anon_stream *as, size_t nr, struct zwb_err *err)
{
	struct zwb_event *bigger;

	if (nr <= as->block_room)
		return ZWB_OK;
	bigger = realloc(as->block, nr * sizeof(*bigger));
	if (!bigger)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for events");
	as->block = bigger;
	as->block_room = nr;
	return ZWB_OK;
}

static void hide_address(struct zwb_event *ev)
{
	if (ev->kind == ZWB_EV_SWAP_FAULT_BEGIN || ev->kind == ZWB_EV_SWAP_FAULT_END)
		ev->addr = 0;
}

/* A damaged input ends here too, and what was read of it is kept by some. */
static int finish(struct anon_stream *as, int ret, struct zwb_err *err)
{
	int failed = ZWB_OK;

	if (!as->is_done)
		failed = hide_tables(as->stream.meta, &as->anon, ret ? NULL : err);
	as->is_done = true;
	return failed ? failed : ret;
}

static int anon_next(struct zwb_stream *stream, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct anon_stream *as = (struct anon_stream *)stream;
	const struct zwb_event *in;
	size_t nr;
	int ret = zwb_stream_next(as->input, &in, &nr, err);

	if (ret || nr == 0) {
		*nr_events = 0;
		return finish(as, ret, err);
	}
	ret = make_room(as, nr, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < nr; i++) {
		as->block[i] = in[i];
		hide_address(&as->block[i]);
	}
	*events = as->block;
	*nr_events = nr;
	return ZWB_OK;
}

static void anon_close(struct zwb_stream *stream)
{
	struct anon_stream *as = (struct anon_stream *)stream;

	zwb_stream_close(as->input);
	free(as->block);
	free(as);
}

static uint64_t anon_left(const struct zwb_stream *stream)
{
	return zwb_stream_left(((const struct anon_stream *)stream)->input);
}

static const struct zwb_stream_ops anon_ops = {
	.next = anon_next,
	.close = anon_close,
	.left = anon_left,
};

int zwb_stream_anonymise(struct zwb_stream *input, const struct zwb_anon *anon,
	struct zwb_stream **out, struct zwb_err *err)
{
	struct anon_stream *as = calloc(1, sizeof(*as));

	if (!as) {
		zwb_stream_close(input);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	}
	as->stream.ops = &anon_ops;
	as->stream.meta = input->meta;
	as->input = input;
	as->anon = *anon;
	*out = &as->stream;
	return ZWB_OK;
}
