/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the texts beside a recording, and the rows they become. */
#include "facts_priv.h"
#include "tracedat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TEXT_BYTES (64u << 20)

bool facts_line(struct facts *fx, struct facts_text *text, char line[FACTS_LINE])
{
	const char *end;
	size_t len;

	if (text->at >= text->end)
		return false;
	end = memchr(text->at, '\n', (size_t)(text->end - text->at));
	if (!end)
		end = text->end;
	len = (size_t)(end - text->at);
	if (len >= FACTS_LINE) {
		fx->nr_lost++;
		len = FACTS_LINE - 1;
	}
	memcpy(line, text->at, len);
	line[len] = '\0'; /* a NUL inside ends the line early, which is good enough for text */
	while (len && line[len - 1] == '\r')
		line[--len] = '\0';
	text->at = end + 1;
	text->line++;
	return true;
}

void facts_add(struct facts *fx, const char *section, const char *key, const char *value)
{
	if (fx->m->nr_facts >= ZWB_FACTS_MAX_FACTS)
		fx->nr_lost++;
	else if (!fx->status)
		fx->status = zwb_meta_fact(fx->m, section, key, value, fx->err);
}

void facts_add_new(struct facts *fx, const char *section, const char *key, const char *value)
{
	char end[FACTS_SOURCE];
	const char *old = zwb_meta_fact_get(fx->m, section, key);

	if (!old) {
		facts_add(fx, section, key, value);
		return;
	}
	snprintf(end, sizeof(end), "%s end", section);
	if (strcmp(old, value) != 0 && !zwb_meta_fact_get(fx->m, end, key))
		facts_add(fx, end, key, value);
}

void facts_count(
	struct facts *fx, uint64_t ts_ns, const char *source, const char *key, int64_t value)
{
	bool is_sample = ts_ns < ZWB_COUNTER_AFTER;

	if (fx->m->nr_counters >= (is_sample ? ZWB_FACTS_MAX_SAMPLES : ZWB_FACTS_MAX_COUNTERS))
		fx->nr_lost++;
	else if (!fx->status)
		fx->status = zwb_meta_counter(fx->m, ts_ns, source, key, value, fx->err);
}

void facts_cgroup(struct facts *fx, uint64_t id, const char *path)
{
	int index;

	if (fx->status)
		return;
	index = zwb_meta_cgroup(fx->m, id, path, fx->err);
	if (index < 0)
		fx->status = index;
}

void facts_scheduler(struct facts *fx, const char *text)
{
	char name[FACTS_NAME];
	const char *open = strchr(text, '[');

	if (open)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(open + 1, "]"), open + 1);
	else
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " \t"), text);
	if (name[0] == '\0')
		return;
	facts_add_new(fx, "queue", "scheduler", name);
	if (fx->m->scheduler[0] == '\0' && !fx->status)
		fx->status = zwb_meta_set(&fx->m->scheduler, name, fx->err);
}

/* A text file of a sane size; the caller frees @text->at, kept in *@memory. */
static int read_text(const char *path, char **memory, struct facts_text *text, struct zwb_err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	size_t done = 0;
	ssize_t got = 1;

	*memory = NULL;
	if (fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_TEXT_BYTES) {
		close(fd);
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: not a regular file of at most %u MiB",
			path, MAX_TEXT_BYTES >> 20);
	}
	*memory = malloc((size_t)st.st_size + 1);
	while (*memory && done < (size_t)st.st_size && got > 0) {
		got = read(fd, *memory + done, (size_t)st.st_size - done);
		done += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	if (!*memory)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	if (got < 0) {
		free(*memory);
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", path);
	}
	*text = (struct facts_text){ .at = *memory, .end = *memory + done };
	return ZWB_OK;
}

static void read_before(struct facts *fx, struct facts_text text)
{
	facts_read_counters(fx, text, ZWB_COUNTER_BEFORE);
}

static void read_after(struct facts *fx, struct facts_text text)
{
	facts_read_counters(fx, text, ZWB_COUNTER_AFTER);
}

static const struct {
	const char *name;
	void (*read)(struct facts *fx, struct facts_text text);
} folder_files[] = {
	{ "notes.txt", facts_read_notes },
	{ "counters-before.txt", read_before },
	{ "counters-after.txt", read_after },
	{ "series.txt", facts_read_series },
};

static int read_file(struct facts *fx, const char *path,
	void (*reader)(struct facts *fx, struct facts_text text))
{
	struct facts_text text;
	char *memory;
	int ret = read_text(path, &memory, &text, fx->err);

	if (ret)
		return ret;
	reader(fx, text);
	free(memory);
	return fx->status;
}

/* The files of a folder that are there. */
static int read_folder(struct facts *fx, const char *folder, size_t *nr_read)
{
	char *path;
	int ret = ZWB_OK;

	*nr_read = 0;
	for (size_t i = 0; !ret && i < sizeof(folder_files) / sizeof(folder_files[0]); i++) {
		if (asprintf(&path, "%s/%s", folder, folder_files[i].name) < 0)
			return zwb_err_set(fx->err, ZWB_ENOMEM, 0, "%s: no memory", folder);
		if (access(path, F_OK) == 0) {
			ret = read_file(fx, path, folder_files[i].read);
			(*nr_read)++;
		}
		free(path);
	}
	return ret;
}

static int read_given(struct facts *fx, const char *path)
{
	struct stat st;
	size_t nr_read;
	int ret;

	if (stat(path, &st) != 0)
		return zwb_err_set(fx->err, ZWB_EENV, errno, "%s: cannot open", path);
	if (!S_ISDIR(st.st_mode))
		return read_file(fx, path, facts_read_one_file);
	ret = read_folder(fx, path, &nr_read);
	if (!ret && nr_read == 0)
		ret = zwb_err_set(fx->err, ZWB_EUSAGE, 0,
			"%s: has neither notes.txt nor counters-before.txt, counters-after.txt or "
			"series.txt",
			path);
	return ret;
}

/* What lies beside the recording: NAME.counters.txt, else the files of the folder. */
static int read_beside(struct facts *fx, const char *trace_path)
{
	const char *slash = strrchr(trace_path, '/');
	const char *name = slash ? slash + 1 : trace_path;
	const char *dot = strrchr(name, '.');
	size_t stem = dot ? (size_t)(dot - trace_path) : strlen(trace_path);
	size_t nr_read = 0;
	char *path;
	int ret;

	if (asprintf(&path, "%.*s.counters.txt", (int)stem, trace_path) < 0)
		return zwb_err_set(fx->err, ZWB_ENOMEM, 0, "%s: no memory", trace_path);
	if (access(path, F_OK) == 0) {
		ret = read_file(fx, path, facts_read_one_file);
		free(path);
		return ret;
	}
	free(path);
	path = slash ? strndup(trace_path, (size_t)(slash - trace_path) + 1) : strdup(".");
	if (!path)
		return zwb_err_set(fx->err, ZWB_ENOMEM, 0, "%s: no memory", trace_path);
	ret = read_folder(fx, path, &nr_read);
	free(path);
	if (!ret && nr_read == 0)
		ret = zwb_meta_unknown(fx->m, "facts", 1, fx->err);
	return ret;
}

static struct facts *facts_create(struct zwb_meta *m, struct zwb_err *err)
{
	struct facts *fx = calloc(1, sizeof(*fx));

	if (!fx)
		return NULL;
	fx->m = m;
	fx->err = err;
	snprintf(fx->cgroups[0], sizeof(fx->cgroups[0]), "workload");
	snprintf(fx->cgroups[1], sizeof(fx->cgroups[1]), "writer");
	facts_cgroup(fx, 1, "/"); /* the root of the unified hierarchy has no other number */
	return fx;
}

/* What the texts mean together; @fx is freed. */
static int facts_finish(struct facts *fx, int ret)
{
	if (!ret)
		facts_put_geometry(fx);
	if (!ret)
		facts_put_blkstat(fx);
	if (!ret)
		ret = fx->status;
	if (!ret && fx->nr_lost)
		ret = zwb_meta_unknown(fx->m, "facts.lines", fx->nr_lost, fx->err);
	facts_release(fx);
	return ret;
}

int zwb_facts_load(
	struct zwb_meta *m, const char *trace_path, const char *facts_path, struct zwb_err *err)
{
	struct facts *fx = facts_create(m, err);

	if (!fx)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for facts");
	return facts_finish(
		fx, facts_path ? read_given(fx, facts_path) : read_beside(fx, trace_path));
}

int zwb_facts_load_markers(struct zwb_stream *recording, struct zwb_err *err)
{
	struct facts *fx = facts_create(recording->meta, err);

	if (!fx)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for facts");
	return facts_finish(fx, zwb_tracedat_markers(recording, facts_marker, fx, err));
}
