/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trace.dat reader: formats compiled once, CPUs merged by time, events decoded into blocks.
 *
 * The container is read by our own code and libtraceevent parses the event formats (only those that
 * the event map wants, and without their print formats). libtracecmd is not used for reading, but as
 * the second opinion in the tests: of 1,000 recordings with one bit flipped in the headers, its
 * tracecmd_open_head() (1.3.1) opened 999 without a word and crashed on one, and later it would
 * print to stdout, leave out damaged pages unseen, and take quadratic time on version 7.
 */
#include "tracedat_priv.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS  4096u
#define WINDOWS_BYTES (16u << 20) /* of all CPUs together */
#define WINDOW_MAX    (256u << 10)
#define GAP_ROWS_MAX  1024u /* single gaps; more of them are summed up per CPU */
#define NO_FORMAT     UINT16_MAX
#define NR_IDS	      65536u

struct gap_sum {
	struct dat_gap gap; /* nr 0: none */
	int is_used;
};

struct gap_row {
	unsigned int cpu;
	enum zwb_loss_kind kind;
	struct dat_gap gap;
};

struct tracedat {
	struct zwb_stream base;
	struct dat_gap_sink sink;
	char *path;
	struct dat_head head;
	struct zwb_eventmap *map;
	struct zwb_decode_tables tables;
	struct dat_pairing *pairing;
	uint16_t *by_id; /* event id to index of head.formats */
	struct dat_cpu *cpus;
	size_t nr_cpus;
	struct dat_cpu **heap; /* of those with an event in hand; by time, then by place in cpus */
	size_t nr_heap;
	struct zwb_event *block;
	uint64_t last_abs; /* time of the last event, recording's clock */

	struct gap_row *rows; /* not yet in the metadata */
	size_t nr_rows, nr_rows_ever;
	struct gap_sum *sums; /* [cpu][kind] */
	size_t nr_sum_cpus;
	int sink_status;
	int has_ended;
};

/* ---- losses ---- */

static void sum_add(struct gap_sum *sum, const struct dat_gap *gap)
{
	if (!sum->is_used) {
		sum->gap = *gap;
		sum->is_used = 1;
		return;
	}
	sum->gap.nr += gap->nr;
	sum->gap.nr_is_known &= gap->nr_is_known;
	sum->gap.has_first &= gap->has_first;
	sum->gap.has_last &= gap->has_last;
	if (gap->first < sum->gap.first)
		sum->gap.first = gap->first;
	if (gap->last > sum->gap.last)
		sum->gap.last = gap->last;
}

static int kind_is_single(enum zwb_loss_kind kind)
{
	return kind == ZWB_LOSS_OVERRUN || kind == ZWB_LOSS_BAD_PAGE || kind == ZWB_LOSS_TRUNCATED;
}

static void sink_put(struct dat_gap_sink *sink, unsigned int cpu, enum zwb_loss_kind kind,
	const struct dat_gap *gap)
{
	struct tracedat *t = (struct tracedat *)((char *)sink - offsetof(struct tracedat, sink));
	void *bigger;

	if (!kind_is_single(kind) || t->nr_rows_ever == GAP_ROWS_MAX) {
		sum_add(&t->sums[cpu * ZWB_LOSS_NR + kind], gap);
		return;
	}
	bigger = realloc(t->rows, (t->nr_rows + 1) * sizeof(*t->rows));
	if (!bigger) {
		t->sink_status = ZWB_ENOMEM;
		return;
	}
	t->rows = bigger;
	t->rows[t->nr_rows++] = (struct gap_row){ .cpu = cpu, .kind = kind, .gap = *gap };
	t->nr_rows_ever++;
}

static uint64_t since_start(const struct tracedat *t, uint64_t abs_ts)
{
	return abs_ts > t->base.meta->start_ns ? abs_ts - t->base.meta->start_ns : 0;
}

static int loss_write(struct tracedat *t, unsigned int cpu, enum zwb_loss_kind kind,
	const struct dat_gap *gap, struct zwb_err *err)
{
	struct zwb_loss loss = {
		.cpu = (uint16_t)cpu,
		.kind = (uint8_t)kind,
		.nr = gap->nr,
		.nr_is_known = gap->nr_is_known,
		.first_ns = gap->has_first ? since_start(t, gap->first) : 0,
		.last_ns = since_start(t, gap->has_last ? gap->last : t->last_abs + 1),
	};

	return zwb_meta_loss(t->base.meta, &loss, err);
}

/* Rows whose end is not known yet wait for the end of the recording. */
static int losses_flush(struct tracedat *t, int at_end, struct zwb_err *err)
{
	size_t kept = 0;
	int ret = ZWB_OK;

	if (t->sink_status)
		return zwb_err_set(err, t->sink_status, 0, "no memory for losses");
	for (size_t i = 0; i < t->nr_rows && !ret; i++) {
		if (t->rows[i].gap.has_last || at_end)
			ret = loss_write(t, t->rows[i].cpu, t->rows[i].kind, &t->rows[i].gap, err);
		else
			t->rows[kept++] = t->rows[i];
	}
	t->nr_rows = kept;
	for (size_t i = 0; at_end && i < t->nr_sum_cpus * ZWB_LOSS_NR && !ret; i++) {
		if (t->sums[i].is_used)
			ret = loss_write(t, (unsigned int)(i / ZWB_LOSS_NR),
				(enum zwb_loss_kind)(i % ZWB_LOSS_NR), &t->sums[i].gap, err);
	}
	return ret;
}

/* ---- formats ---- */

static int has_group(const char *group, void *arg)
{
	const struct dat_head *h = arg;

	for (size_t i = 0; i < h->nr_formats; i++) {
		if (strcmp(h->formats[i].system, group) == 0)
			return 1;
	}
	return 0;
}

static int has_event(const char *system, const char *name, void *arg)
{
	const struct dat_head *h = arg;

	for (size_t i = 0; i < h->nr_formats; i++) {
		if (strcmp(h->formats[i].name, name) == 0 &&
			(strcmp(system, "*") == 0 || strcmp(h->formats[i].system, system) == 0))
			return 1;
	}
	return 0;
}

/*
 * Print formats are C expressions that nothing here needs; parsing them is where libtraceevent
 * takes its time and where damaged text hurts it.
 */
static const struct tep_event *parse_format(struct tep_handle *tep, const struct dat_format *f)
{
	static const char print[] = "print fmt: \"\"\n";
	const char *end = strstr(f->text, "print fmt:");
	size_t len = end ? (size_t)(end - f->text) : strlen(f->text);
	char *text = malloc(len + sizeof(print));
	int ret;

	if (!text)
		return NULL;
	memcpy(text, f->text, len);
	memcpy(text + len, print, sizeof(print));
	ret = tep_parse_event(tep, text, len + sizeof(print) - 1, f->system);
	free(text);
	return ret ? NULL : tep_find_event_by_name(tep, f->system, f->name);
}

static int compile_format(
	struct tracedat *t, struct tep_handle *tep, struct dat_format *f, struct zwb_err *err)
{
	struct zwb_recorded recorded = { .has_event = has_event, .arg = &t->head };
	const struct tep_event *event = parse_format(tep, f);

	if (!event)
		return zwb_err_set(err, ZWB_EDATA, 0, "%s: the format of event %s/%s is damaged",
			t->head.file.path, f->system, f->name);
	f->decoder = malloc(sizeof(*f->decoder));
	if (!f->decoder)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for decoders");
	if (!zwb_eventmap_compile(t->map, event, &recorded, f->decoder)) {
		free(f->decoder);
		f->decoder = NULL;
	}
	return ZWB_OK;
}

static int compile_formats(struct tracedat *t, struct zwb_err *err)
{
	struct tep_handle *tep = tep_alloc();
	size_t nr_mapped = 0;
	int ret = ZWB_OK;

	if (!tep)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event formats");
	tep_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i < t->head.nr_formats && !ret; i++) {
		struct dat_format *f = &t->head.formats[i];

		if (t->by_id[f->id] == NO_FORMAT)
			t->by_id[f->id] = (uint16_t)i;
		if (zwb_eventmap_wants(t->map, f->system, f->name))
			ret = compile_format(t, tep, f, err);
		nr_mapped += f->decoder != NULL;
		free(f->text);
		f->text = NULL;
	}
	tep_free(tep);
	if (!ret && nr_mapped == 0)
		ret = zwb_err_set(err, ZWB_EKIND, 0,
			"%s: has no zswap events, and no other event that the event map \"%s\" "
			"knows",
			t->head.file.path, zwb_eventmap_name(t->map));
	return ret;
}

static int choose_map(struct tracedat *t, const char *path, struct zwb_err *err)
{
	int ret;

	if (path)
		ret = zwb_eventmap_load(path, &t->map, err);
	else
		ret = zwb_eventmap_choose(has_group, &t->head, &t->map, err);
	return ret ? ret : zwb_meta_set(&t->base.meta->event_map, zwb_eventmap_name(t->map), err);
}

/* ---- metadata ---- */

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
	if (!ret && h->tasks)
		ret = meta_tasks(meta, h->tasks, err);
	free(h->tasks);
	h->tasks = NULL;
	return ret;
}

static int final_tallies(struct tracedat *t, struct zwb_err *err)
{
	struct zwb_meta *meta = t->base.meta;
	int ret = ZWB_OK;

	for (size_t i = 0; i < t->head.nr_formats && !ret; i++) {
		const struct dat_format *f = &t->head.formats[i];
		char name[320];

		if (!f->nr)
			continue;
		snprintf(name, sizeof(name), "%s/%s", f->system, f->name);
		ret = zwb_meta_tally(
			meta, name, f->decoder ? f->decoder->blank.kind : -1, f->nr, err);
		if (!ret && f->decoder)
			ret = zwb_decoder_unknowns(f->decoder, f->nr, meta, err);
	}
	return ret;
}

/* Whole groups of events that a replay cannot do without. */
static int final_absences(struct tracedat *t, struct zwb_err *err)
{
	int has_zswap = 0, has_block = 0, ret = ZWB_OK;

	for (size_t i = 0; i < t->head.nr_formats; i++) {
		const struct dat_format *f = &t->head.formats[i];

		if (!f->nr || !f->decoder)
			continue;
		if (f->decoder->blank.kind <= ZWB_EV_SHRINK_COUNT)
			has_zswap = 1;
		if (zwb_event_kind_is_block(f->decoder->blank.kind))
			has_block = 1;
	}
	if (!has_zswap)
		ret = zwb_meta_unknown(t->base.meta, "zswap events", t->base.meta->nr_events, err);
	if (!ret && !has_block)
		ret = zwb_meta_unknown(t->base.meta, "block events", t->base.meta->nr_events, err);
	return ret;
}

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

static void bad_event(struct tracedat *t, const struct dat_cpu *c)
{
	struct dat_gap gap = { .nr = 1,
		.nr_is_known = 1,
		.first = c->ts,
		.has_first = 1,
		.last = c->ts + 1,
		.has_last = 1 };

	sink_put(&t->sink, c->cpu, ZWB_LOSS_BAD_EVENT, &gap);
}

/* Decode the event in hand of @c into @ev. Return: 1, or 0 when it makes no record. */
static inline int take_event(struct tracedat *t, const struct dat_cpu *c, struct zwb_event *ev)
{
	struct dat_format *f;
	uint16_t id, index;

	t->last_abs = c->ts;
	if (c->data_bytes < sizeof(id)) {
		bad_event(t, c);
		return 0;
	}
	memcpy(&id, c->data, sizeof(id)); /* common_type: first since v2.6.31 */
	index = t->by_id[id];
	if (index == NO_FORMAT) {
		bad_event(t, c);
		return 0;
	}
	f = &t->head.formats[index];
	if (f->decoder && c->data_bytes < f->decoder->min_bytes) {
		bad_event(t, c);
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

static int finish(struct tracedat *t, struct zwb_err *err)
{
	struct zwb_meta *meta = t->base.meta;
	int ret;

	t->has_ended = 1;
	meta->end_ns = since_start(t, t->last_abs);
	dat_pairing_end(t->pairing);
	for (size_t i = 0; i < t->nr_cpus; i++)
		dat_cpu_flush(&t->cpus[i]);
	ret = losses_flush(t, 1, err);
	if (!ret)
		ret = final_tallies(t, err);
	if (!ret)
		ret = final_absences(t, err);
	return ret;
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
	if (ret)
		return ret;
	t->base.meta->nr_events += nr;
	*nr_events = nr;
	return nr ? losses_flush(t, 0, err) : finish(t, err);
}

static void tracedat_close(struct zwb_stream *s)
{
	struct tracedat *t = (struct tracedat *)s;

	for (size_t i = 0; i < t->nr_cpus; i++)
		dat_cpu_close(&t->cpus[i]);
	free(t->cpus);
	free(t->heap);
	free(t->block);
	free(t->by_id);
	free(t->rows);
	free(t->sums);
	dat_pairing_free(t->pairing);
	zwb_decode_tables_release(&t->tables);
	zwb_eventmap_free(t->map);
	dat_head_release(&t->head);
	zwb_meta_free(t->base.meta);
	free(t->path);
	free(t);
}

/* ---- opening ---- */

static const struct zwb_stream_ops tracedat_ops = {
	.next = tracedat_next,
	.close = tracedat_close,
};

static int buffer_is_wanted(const struct dat_buffer *b, const char *instance)
{
	return !instance || strcmp(b->name, instance) == 0;
}

static int open_buffer(
	struct tracedat *t, const struct dat_buffer *b, size_t window_bytes, struct zwb_err *err)
{
	for (size_t i = 0; i < b->nr_regions; i++) {
		int ret = dat_cpu_open(&t->cpus[t->nr_cpus++], &t->head, b, &b->regions[i],
			window_bytes, &t->sink, err);

		if (ret)
			return ret;
	}
	return ZWB_OK;
}

static int by_cpu(const void *a, const void *b)
{
	const struct dat_cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int open_cpus(struct tracedat *t, const char *instance, struct zwb_err *err)
{
	size_t nr = 0, window, nr_wanted = 0;
	unsigned int max_cpu = 0;
	int ret = ZWB_OK;

	for (size_t i = 0; i < t->head.nr_buffers; i++) {
		const struct dat_buffer *b = &t->head.buffers[i];

		nr_wanted += (size_t)buffer_is_wanted(b, instance);
		nr += b->nr_regions;
		for (size_t k = 0; k < b->nr_regions; k++) {
			if (b->regions[k].cpu > max_cpu)
				max_cpu = b->regions[k].cpu;
		}
	}
	if (!nr_wanted)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: has no buffer instance called \"%s\"",
			t->head.file.path, instance);
	if (!nr)
		return zwb_err_set(err, ZWB_EDATA, 0, "%s: recorded on 0 CPUs", t->head.file.path);
	t->nr_sum_cpus = max_cpu + 1;
	t->sums = calloc(t->nr_sum_cpus * ZWB_LOSS_NR, sizeof(*t->sums));
	t->cpus = calloc(nr, sizeof(*t->cpus));
	t->heap = calloc(nr, sizeof(struct dat_cpu *));
	if (!t->sums || !t->cpus || !t->heap)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %zu CPUs", nr);
	window = WINDOWS_BYTES / nr < WINDOW_MAX ? WINDOWS_BYTES / nr : WINDOW_MAX;
	for (size_t i = 0; i < t->head.nr_buffers && !ret; i++) {
		if (buffer_is_wanted(&t->head.buffers[i], instance))
			ret = open_buffer(t, &t->head.buffers[i], window, err);
	}
	return ret;
}

/* First events of all CPUs into the heap; the earliest is the start of the recording. */
static int prime(struct tracedat *t, struct zwb_err *err)
{
	/* same CPU of several buffers: mergesort, so that buffers stay in the file's order */
	qsort(t->cpus, t->nr_cpus, sizeof(*t->cpus), by_cpu);
	for (size_t i = 0; i < t->nr_cpus; i++) {
		int ret = dat_cpu_next(&t->cpus[i], err);

		if (ret < 0)
			return ret;
		if (ret > 0)
			t->heap[t->nr_heap++] = &t->cpus[i];
	}
	for (size_t i = t->nr_heap / 2; i-- > 0;)
		heap_down(t, i);
	if (t->nr_heap) {
		t->base.meta->start_ns = t->heap[0]->ts;
		t->last_abs = t->heap[0]->ts;
	}
	return ZWB_OK;
}

static int allocate(struct tracedat *t, const char *path, struct zwb_err *err)
{
	t->path = strdup(path);
	t->base.meta = zwb_meta_create();
	t->pairing = dat_pairing_create(&t->sink);
	t->block = malloc(BLOCK_EVENTS * sizeof(*t->block));
	t->by_id = malloc(NR_IDS * sizeof(*t->by_id));
	if (!t->path || !t->base.meta || !t->pairing || !t->block || !t->by_id)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for reading a trace");
	for (size_t i = 0; i < NR_IDS; i++)
		t->by_id[i] = NO_FORMAT;
	return zwb_decode_tables_init(&t->tables, t->base.meta, err);
}

int zwb_tracedat_open(const char *path, const struct zwb_tracedat_opts *opts,
	struct zwb_stream **out, struct zwb_err *err)
{
	static const struct zwb_tracedat_opts defaults;
	struct tracedat *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for reading a trace");
	if (!opts)
		opts = &defaults;
	t->base.ops = &tracedat_ops;
	t->sink.put = sink_put;
	t->head.file.fd = -1;
	ret = allocate(t, path, err);
	if (!ret)
		ret = dat_head_read(&t->head, t->path, err);
	if (!ret)
		ret = choose_map(t, opts->event_map_path, err);
	if (!ret)
		ret = compile_formats(t, err);
	if (!ret)
		ret = fill_meta(t, err);
	if (!ret)
		ret = open_cpus(t, opts->instance, err);
	if (!ret)
		ret = prime(t, err);
	if (ret) {
		tracedat_close(&t->base);
		return ret;
	}
	*out = &t->base;
	return ZWB_OK;
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
