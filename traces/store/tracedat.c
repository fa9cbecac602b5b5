/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trace.dat reader: CPUs merged by time, events decoded into blocks.
 *
 * The container is read by our own code, and libtraceevent parses the event formats (only those
 * that the event map wants, and without their print formats). libtracecmd is not used for reading,
 * but as the second opinion in the tests: of 1,000 copies of a recording with one bit flipped in
 * the headers, tracecmd_open_head() (1.3.1) opened 999 without a word and crashed on one; it also
 * prints, drops damaged pages unseen, and takes quadratic time on version 7.
 */
#include "tracedat_priv.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS 4096u

struct tracedat {
	struct zwb_stream base;
	char *path;
	struct dat_head head;
	struct zwb_eventmap *map;
	struct zwb_decode_tables tables;
	struct dat_losses *losses;
	struct dat_pairing *pairing;
	struct dat_cpu *cpus; /* by number; buffers with the same CPU in the order of the file */
	size_t nr_cpus;
	struct dat_cpu **heap; /* those with an event in hand; by time, then by place in cpus */
	size_t nr_heap;
	struct dat_cpu *marker; /* not in the heap: texts about the host; NULL: none, or read */
	int has_markers;
	struct zwb_event *block;
	uint64_t last; /* time of the last event, recording's clock */
	int has_all_buffers; /* all that the file has are read */
	int has_ended;
};

/* ---- merging ---- */

static inline int is_earlier(const struct dat_cpu *a, const struct dat_cpu *b)
{
	return a->ts < b->ts || (a->ts == b->ts && a < b);
}

static void heap_down(struct tracedat *t, size_t i)
{
	struct dat_cpu *c = t->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= t->nr_heap)
			break;
		if (child + 1 < t->nr_heap && is_earlier(t->heap[child + 1], t->heap[child]))
			child++;
		if (!is_earlier(t->heap[child], c))
			break;
		t->heap[i] = t->heap[child];
		i = child;
	}
	t->heap[i] = c;
}

/* The CPU whose event comes right after those of the first one; NULL when it is alone. */
static const struct dat_cpu *heap_second(const struct tracedat *t)
{
	if (t->nr_heap < 2)
		return NULL;
	if (t->nr_heap > 2 && is_earlier(t->heap[2], t->heap[1]))
		return t->heap[2];
	return t->heap[1];
}

/* Events of a fixed length are padded to 8 bytes at most: longer ones have swallowed others. */
static inline int fits_format(const struct dat_format *f, uint32_t bytes)
{
	if (bytes < f->bytes)
		return 0;
	return f->is_variable || f->nr_locators || bytes <= ((f->bytes + 7u) & ~7u);
}

/* The format of the event in hand of @c; NULL when it has none, or another length than that. */
static inline struct dat_format *format_of(const struct tracedat *t, const struct dat_cpu *c)
{
	struct dat_format *f;
	uint16_t id, index;

	if (c->data_bytes < sizeof(id))
		return NULL;
	memcpy(&id, c->data, sizeof(id)); /* common_type has always been the first field */
	index = t->head.by_id[id];
	if (index == DAT_NO_FORMAT)
		return NULL;
	f = &t->head.formats[index];
	return f->decoder && !fits_format(f, c->data_bytes) ? NULL : f;
}

/* Decode the event in hand of @c into @ev. Return: 1, or 0 when it makes no record. */
static inline int take_event(struct tracedat *t, const struct dat_cpu *c, struct zwb_event *ev)
{
	struct dat_format *f = format_of(t, c);

	t->last = c->ts;
	if (!f) {
		dat_losses_put_event(t->losses, c->cpu, ZWB_LOSS_BAD_EVENT, c->ts, c->ts);
		return 0;
	}
	f->nr++;
	if (!f->decoder)
		return 0;
	zwb_decode(f->decoder, &t->tables, c->data, ev);
	ev->ts_ns = c->ts - t->base.meta->start_ns;
	ev->cpu = (uint16_t)c->cpu;
	dat_pairing_event(t->pairing, ev, c->ts);
	return 1;
}

/* Take events of the first CPU for as long as it is first. */
static int take_run(struct tracedat *t, size_t *nr, struct zwb_err *err)
{
	const struct dat_cpu *second = heap_second(t);
	struct dat_cpu *c = t->heap[0];
	int ret;

	do {
		*nr += (size_t)take_event(t, c, &t->block[*nr]);
		ret = dat_cpu_next(c, err);
		if (ret < 0)
			return ret;
	} while (ret > 0 && *nr < BLOCK_EVENTS && (!second || is_earlier(c, second)));
	if (ret == 0)
		t->heap[0] = t->heap[--t->nr_heap];
	if (t->nr_heap)
		heap_down(t, 0);
	return ZWB_OK;
}

/* Losses that show in the header: data not described, events lost that no page tells of. */
static void put_head_losses(struct tracedat *t)
{
	struct dat_gap stray = { .nr = t->head.nr_stray_pages };

	if (stray.nr)
		dat_losses_put(t->losses, 0, ZWB_LOSS_BAD_PAGE, &stray);
	if (t->head.is_cut)
		dat_losses_put_event(t->losses, 0, ZWB_LOSS_TRUNCATED, t->last, t->last);
	for (size_t i = 0; i < t->head.nr_cpustats && t->has_all_buffers; i++) {
		const struct dat_cpustat *stat = &t->head.cpustats[i];
		uint64_t told = dat_losses_overrun(t->losses, stat->cpu);
		struct dat_gap gap = { .nr = stat->nr_lost - told, .nr_is_known = 1 };

		if (stat->nr_lost > told)
			dat_losses_put(t->losses, stat->cpu, ZWB_LOSS_OVERRUN, &gap);
	}
}

/* The CPU of markers to its end; @see may be NULL. */
static int read_markers(struct tracedat *t,
	void (*see)(void *arg, uint64_t ts_ns, const char *text, size_t len), void *arg,
	struct zwb_err *err)
{
	uint64_t start = t->base.meta->start_ns;
	struct dat_cpu *c = t->marker;
	int ret = c ? 1 : 0;

	while (ret > 0) {
		size_t len;
		const char *text = dat_cpu_marker(c, &len);

		if (!text)
			dat_losses_put_event(t->losses, c->cpu, ZWB_LOSS_BAD_EVENT, c->ts, c->ts);
		else if (see)
			see(arg, c->ts < start ? ZWB_TRACEDAT_EARLIER : c->ts - start, text, len);
		t->head.nr_markers += text != NULL;
		ret = dat_cpu_next(c, err);
	}
	t->marker = NULL;
	return ret;
}

static int finish(struct tracedat *t, struct zwb_err *err)
{
	struct zwb_meta *meta = t->base.meta;
	int ret = read_markers(t, NULL, NULL, err);

	if (ret)
		return ret;
	t->has_ended = 1;
	meta->end_ns = t->last - meta->start_ns;
	for (size_t i = 0; i < t->nr_cpus; i++)
		dat_cpu_flush(&t->cpus[i]);
	dat_pairing_end(t->pairing);
	put_head_losses(t);
	ret = dat_losses_write(t->losses, meta, t->last, 1, err);
	return ret ? ret : dat_formats_tally(&t->head, meta, err);
}

static int tracedat_next(struct zwb_stream *s, const struct zwb_event **events, size_t *nr_events,
	struct zwb_err *err)
{
	struct tracedat *t = (struct tracedat *)s;
	size_t nr = 0;
	int ret = ZWB_OK;

	*events = t->block;
	*nr_events = 0;
	if (t->has_ended)
		return ZWB_OK;
	while (t->nr_heap && nr < BLOCK_EVENTS && !ret)
		ret = take_run(t, &nr, err);
	if (!ret && (t->tables.status || dat_pairing_status(t->pairing)))
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for what it holds", t->path);
	if (ret)
		return ret;
	t->base.meta->nr_events += nr;
	*nr_events = nr;
	return nr ? dat_losses_write(t->losses, t->base.meta, t->last, 0, err) : finish(t, err);
}

static void tracedat_close(struct zwb_stream *s)
{
	struct tracedat *t = (struct tracedat *)s;

	for (size_t i = 0; i < t->nr_cpus; i++)
		dat_cpu_close(&t->cpus[i]);
	free(t->cpus);
	free(t->heap);
	free(t->block);
	dat_pairing_free(t->pairing);
	dat_losses_free(t->losses);
	zwb_decode_tables_release(&t->tables);
	zwb_eventmap_free(t->map);
	dat_head_release(&t->head);
	zwb_meta_free(t->base.meta);
	free(t->path);
	free(t);
}

/* ---- opening ---- */

static uint64_t tracedat_left(const struct zwb_stream *s)
{
	const struct tracedat *t = (const struct tracedat *)s;
	uint64_t left = 0;

	for (size_t i = 0; i < t->nr_cpus; i++)
		left += t->cpus[i].file_end - t->cpus[i].file_pos;
	return left;
}

static const struct zwb_stream_ops tracedat_ops = {
	.next = tracedat_next,
	.close = tracedat_close,
	.left = tracedat_left,
};

/* saved_cmdlines: "TID COMM" lines */
static int meta_tasks(struct zwb_meta *meta, char *text, struct zwb_err *err)
{
	char *save = NULL;
	int ret = ZWB_OK;

	for (char *line = strtok_r(text, "\n", &save); line && !ret;
		line = strtok_r(NULL, "\n", &save)) {
		char *comm;
		long tid = strtol(line, &comm, 10);

		if (comm == line || *comm != ' ' || tid < 0 || tid > INT32_MAX)
			continue;
		ret = zwb_meta_task(meta, (int32_t)tid, comm + 1, err);
	}
	return ret;
}

static int fill_meta(struct tracedat *t, struct zwb_err *err)
{
	struct zwb_meta *meta = t->base.meta;
	struct dat_head *h = &t->head;
	int ret;

	meta->page_bytes = h->page_bytes;
	meta->nr_cpus = h->nr_cpus;
	for (size_t i = 0; i < h->nr_buffers; i++) {
		if (meta->nr_cpus < h->buffers[i].nr_regions)
			meta->nr_cpus = (uint32_t)h->buffers[i].nr_regions;
	}
	ret = zwb_meta_set(&meta->source, h->file.path, err);
	if (!ret)
		ret = zwb_meta_set(&meta->kernel, h->release, err);
	if (!ret)
		ret = zwb_meta_set(&meta->clock, h->clock, err);
	if (!ret)
		ret = zwb_meta_set(&meta->event_map, zwb_eventmap_name(t->map), err);
	if (!ret && h->tasks)
		ret = meta_tasks(meta, h->tasks, err);
	free(h->tasks);
	h->tasks = NULL;
	return ret;
}

static int buffer_is_wanted(const struct dat_buffer *b, const char *instance)
{
	return !instance || strcmp(b->name, instance) == 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct dat_cpu *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	/* no two regions of one CPU begin at one place, unless the file lies */
	return x->file_pos < y->file_pos ? -1 : x->file_pos > y->file_pos;
}

/* How many regions there are to read, and one more than the largest CPU number. */
static int count_cpus(const struct tracedat *t, const char *instance, size_t *nr_regions,
	size_t *nr_cpus, struct zwb_err *err)
{
	size_t nr_wanted = 0;

	*nr_regions = 0;
	*nr_cpus = t->head.nr_cpus;
	for (size_t i = 0; i < t->head.nr_buffers; i++) {
		const struct dat_buffer *b = &t->head.buffers[i];

		nr_wanted += (size_t)buffer_is_wanted(b, instance);
		*nr_regions += b->nr_regions;
		for (size_t k = 0; k < b->nr_regions; k++) {
			if (b->regions[k].cpu >= *nr_cpus)
				*nr_cpus = b->regions[k].cpu + 1;
		}
	}
	for (size_t i = 0; i < t->head.nr_cpustats; i++) {
		if (t->head.cpustats[i].cpu >= *nr_cpus)
			*nr_cpus = t->head.cpustats[i].cpu + 1;
	}
	if (!nr_wanted)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: has no buffer instance called \"%s\"",
			t->head.file.path, instance);
	if (!*nr_regions)
		return zwb_err_set(err, ZWB_EDATA, 0, "%s: recorded on 0 CPUs", t->head.file.path);
	return ZWB_OK;
}

static int open_cpus(struct tracedat *t, const char *instance, struct zwb_err *err)
{
	size_t nr_regions, nr_cpus;
	int ret = count_cpus(t, instance, &nr_regions, &nr_cpus, err);

	if (ret)
		return ret;
	t->losses = dat_losses_create(nr_cpus);
	t->pairing = dat_pairing_create(t->losses);
	t->cpus = calloc(nr_regions, sizeof(*t->cpus));
	t->heap = calloc(nr_regions, sizeof(struct dat_cpu *));
	if (!t->losses || !t->pairing || !t->cpus || !t->heap)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %zu CPUs", nr_regions);
	for (size_t i = 0; i < t->head.nr_buffers; i++) {
		const struct dat_buffer *b = &t->head.buffers[i];

		for (size_t k = 0; k < b->nr_regions && buffer_is_wanted(b, instance); k++) {
			ret = dat_cpu_open(&t->cpus[t->nr_cpus++], &t->head, b, &b->regions[k],
				t->losses, err);
			if (ret)
				return ret;
		}
	}
	qsort(t->cpus, t->nr_cpus, sizeof(*t->cpus), by_cpu);
	return ZWB_OK;
}

/*
 * First events of all CPUs into the heap; the earliest is the start of the recording. The last CPU
 * is that of markers if it begins with one.
 */
static int prime(struct tracedat *t, struct zwb_err *err)
{
	uint64_t start = UINT64_MAX;
	size_t len;

	for (size_t i = 0; i < t->nr_cpus; i++) {
		struct dat_cpu *c = &t->cpus[i];
		int ret = dat_cpu_next(c, err);

		if (ret < 0)
			return ret;
		if (ret == 0)
			continue;
		if (i + 1 == t->nr_cpus && dat_cpu_marker(c, &len)) {
			t->marker = c;
			t->has_markers = 1;
			t->base.meta->nr_cpus = c->cpu ? c->cpu : 1;
			continue;
		}
		t->heap[t->nr_heap++] = c;
		if (c->ts < start)
			start = c->ts;
	}
	for (size_t i = t->nr_heap / 2; i-- > 0;)
		heap_down(t, i);
	if (t->nr_heap) {
		t->base.meta->start_ns = start;
		t->last = start;
	}
	return ZWB_OK;
}

static int open_stream(struct tracedat *t, const char *path, const struct zwb_tracedat_opts *opts,
	struct zwb_err *err)
{
	int ret;

	t->path = strdup(path);
	t->base.meta = zwb_meta_create();
	t->block = malloc(BLOCK_EVENTS * sizeof(*t->block));
	if (!t->path || !t->base.meta || !t->block)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for reading a trace");
	ret = dat_head_read(&t->head, t->path, err);
	if (!ret)
		ret = zwb_decode_tables_init(&t->tables, t->base.meta, err);
	if (!ret)
		ret = dat_formats_choose(&t->head, opts->event_map_path, &t->map, err);
	if (!ret)
		ret = dat_formats_compile(&t->head, t->map, err);
	if (!ret)
		ret = fill_meta(t, err);
	if (!ret)
		ret = open_cpus(t, opts->instance, err);
	t->has_all_buffers = !opts->instance || t->head.nr_buffers == 1;
	return ret ? ret : prime(t, err);
}

int zwb_tracedat_open(const char *path, const struct zwb_tracedat_opts *opts,
	struct zwb_stream **out, struct zwb_err *err)
{
	static const struct zwb_tracedat_opts defaults;
	struct tracedat *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for reading a trace");
	t->base.ops = &tracedat_ops;
	t->head.file.fd = -1;
	ret = open_stream(t, path, opts ? opts : &defaults, err);
	if (ret) {
		tracedat_close(&t->base);
		return ret;
	}
	*out = &t->base;
	return ZWB_OK;
}

int zwb_tracedat_has_markers(const struct zwb_stream *s)
{
	return ((const struct tracedat *)s)->has_markers;
}

int zwb_tracedat_markers(struct zwb_stream *s,
	void (*see)(void *arg, uint64_t ts_ns, const char *text, size_t len), void *arg,
	struct zwb_err *err)
{
	return read_markers((struct tracedat *)s, see, arg, err);
}

int zwb_tracedat_is_unfinished(const struct zwb_stream *s)
{
	return ((const struct tracedat *)s)->head.is_unfinished;
}

int zwb_tracedat_is(const char *path)
{
	char begin[DAT_MAGIC_BYTES];
	struct dat_file f;
	int is = 0;

	if (!dat_file_open(&f, path, NULL) && f.size >= sizeof(begin) &&
		!dat_file_read(&f, 0, begin, sizeof(begin), NULL))
		is = memcmp(begin, DAT_MAGIC, sizeof(begin)) == 0;
	dat_file_close(&f);
	return is;
}
