/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses met while reading, on their way into the metadata. */
#include "grow.h"
#include "tracedat_priv.h"

#include <stdlib.h>

#define ROWS_MAX 1024u /* single gaps; more of them are summed up per CPU */

struct loss_sum {
	struct dat_gap gap;
	int is_used;
};

struct loss_row {
	unsigned int cpu;
	enum zwb_loss_kind kind;
	struct dat_gap gap;
};

struct dat_losses {
	struct loss_row *rows; /* not yet in the metadata */
	size_t nr_rows;
	size_t nr_rows_ever;
	struct loss_sum *sums; /* [cpu][kind] */
	uint64_t *overruns; /* [cpu] */
	size_t nr_cpus;
	int status;
};

struct dat_losses *dat_losses_create(size_t nr_cpus)
{
	struct dat_losses *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->nr_cpus = nr_cpus;
	l->sums = calloc(nr_cpus * ZWB_LOSS_NR, sizeof(*l->sums));
	l->overruns = calloc(nr_cpus, sizeof(*l->overruns));
	if (!l->sums || !l->overruns) {
		dat_losses_free(l);
		return NULL;
	}
	return l;
}

void dat_losses_free(struct dat_losses *l)
{
	if (!l)
		return;
	free(l->rows);
	free(l->sums);
	free(l->overruns);
	free(l);
}

static void sum_add(struct loss_sum *sum, const struct dat_gap *gap)
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

/* Kinds whose place in time matters get a row each, unless there are very many. */
static int kind_is_single(enum zwb_loss_kind kind)
{
	return kind == ZWB_LOSS_OVERRUN || kind == ZWB_LOSS_BAD_PAGE || kind == ZWB_LOSS_TRUNCATED;
}

void dat_losses_put(
	struct dat_losses *l, unsigned int cpu, enum zwb_loss_kind kind, const struct dat_gap *gap)
{
	if (kind == ZWB_LOSS_OVERRUN)
		l->overruns[cpu] += gap->nr;
	if (!kind_is_single(kind) || l->nr_rows_ever == ROWS_MAX) {
		sum_add(&l->sums[cpu * ZWB_LOSS_NR + kind], gap);
		return;
	}
	if (!ZWB_GROW(l->rows, l->nr_rows)) {
		l->status = ZWB_ENOMEM;
		return;
	}
	l->rows[l->nr_rows++] = (struct loss_row){ .cpu = cpu, .kind = kind, .gap = *gap };
	l->nr_rows_ever++;
}

void dat_losses_put_event(struct dat_losses *l, unsigned int cpu, enum zwb_loss_kind kind,
	uint64_t first, uint64_t last)
{
	struct dat_gap gap = {
		.nr = 1,
		.nr_is_known = 1,
		.first = first,
		.has_first = 1,
		.last = last + 1,
		.has_last = 1,
	};

	dat_losses_put(l, cpu, kind, &gap);
}

uint64_t dat_losses_overrun(const struct dat_losses *l, unsigned int cpu)
{
	return l->overruns[cpu];
}

static uint64_t since(uint64_t start, uint64_t ts)
{
	return ts > start ? ts - start : 0;
}

static int loss_write(struct zwb_meta *meta, unsigned int cpu, enum zwb_loss_kind kind,
	const struct dat_gap *gap, uint64_t last, struct zwb_err *err)
{
	struct zwb_loss loss = {
		.cpu = (uint16_t)cpu,
		.kind = (uint8_t)kind,
		.nr = gap->nr,
		.nr_is_known = gap->nr_is_known,
		.first_ns = gap->has_first ? since(meta->start_ns, gap->first) : 0,
		.last_ns = since(meta->start_ns, gap->has_last ? gap->last : last + 1),
	};

	return zwb_meta_loss(meta, &loss, err);
}

int dat_losses_write(
	struct dat_losses *l, struct zwb_meta *meta, uint64_t last, int at_end, struct zwb_err *err)
{
	size_t nr_kept = 0;
	int ret = ZWB_OK;

	if (l->status)
		return zwb_err_set(err, l->status, 0, "no memory for losses");
	for (size_t i = 0; i < l->nr_rows && !ret; i++) {
		const struct loss_row *row = &l->rows[i];

		if (row->gap.has_last || at_end)
			ret = loss_write(meta, row->cpu, row->kind, &row->gap, last, err);
		else
			l->rows[nr_kept++] = *row;
	}
	l->nr_rows = nr_kept;
	for (size_t i = 0; at_end && i < l->nr_cpus * ZWB_LOSS_NR && !ret; i++) {
		if (l->sums[i].is_used)
			ret = loss_write(meta, (unsigned int)(i / ZWB_LOSS_NR),
				(enum zwb_loss_kind)(i % ZWB_LOSS_NR), &l->sums[i].gap, last, err);
	}
	return ret;
}
