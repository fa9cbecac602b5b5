/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows to packed chunks, in threads. Rows pass through a ring: the owner fills and submits them, a
 * thread packs whichever comes next, the owner takes them back in the order it submitted them, so
 * that what is written does not depend on which thread was fast. Only the owner talks to HDF5.
 */
#include "h5table_priv.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RING_AHEAD 2 /* rows waiting or done beside those being packed and being filled */

_Static_assert(
	__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "chunks are written as they lie in memory");

struct pack_worker {
	struct h5_packer *p;
	pthread_t thread;
	int started;
	struct libdeflate_compressor *deflate;
	uint8_t *planes; /* one column, shuffled */
};

struct h5_packer {
	struct h5_pack_spec spec;
	struct h5_rows *ring;
	size_t nr_ring;
	struct pack_worker *workers; /* without threads one, used by the owner */
	int nr_workers;

	pthread_mutex_t lock;
	pthread_cond_t submitted;
	pthread_cond_t packed;
	/* how many rows passed each point; the ring index is the remainder */
	uint64_t nr_submitted, nr_begun, nr_taken;
	int stop;
};

void h5_shuffle(uint8_t *planes, const void *values, size_t nr, size_t bytes)
{
	const uint8_t *in = values;

	for (size_t b = 0; b < bytes; b++) {
		uint8_t *plane = planes + b * nr;

		if (bytes == 8) {
			for (size_t i = 0; i < nr; i++)
				plane[i] = (uint8_t)(((const uint64_t *)values)[i] >> 8 * b);
		} else {
			for (size_t i = 0; i < nr; i++)
				plane[i] = in[i * bytes + b];
		}
	}
}

/* Deflate's filter is the last of the pipeline: its bit in the mask follows shuffle's. */
static void pack_column(struct pack_worker *w, struct h5_rows *rows, size_t col)
{
	const struct h5_pack_spec *spec = &w->p->spec;
	size_t bytes = spec->chunk_rows * spec->bytes[col];
	const void *plain = rows->cols[col];
	size_t nr;

	if (spec->shuffle[col]) {
		h5_shuffle(w->planes, plain, spec->chunk_rows, spec->bytes[col]);
		plain = w->planes;
	}
	nr = libdeflate_zlib_compress(w->deflate, plain, bytes, rows->packed[col], bytes);
	rows->filter_mask[col] = 0;
	if (nr == 0) { /* it would grow */
		memcpy(rows->packed[col], plain, bytes);
		rows->filter_mask[col] = spec->shuffle[col] ? 2 : 1;
		nr = bytes;
	}
	rows->packed_bytes[col] = nr;
}

static void *pack_thread(void *arg)
{
	struct pack_worker *w = arg;
	struct h5_packer *p = w->p;
	struct h5_rows *rows;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->stop && p->nr_begun == p->nr_submitted)
			pthread_cond_wait(&p->submitted, &p->lock);
		if (p->stop)
			break;
		rows = &p->ring[p->nr_begun++ % p->nr_ring];
		pthread_mutex_unlock(&p->lock);
		for (size_t c = 0; c < p->spec.nr_cols; c++)
			pack_column(w, rows, c);
		pthread_mutex_lock(&p->lock);
		rows->done = 1;
		pthread_cond_signal(&p->packed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static int rows_init(struct h5_rows *rows, const struct h5_pack_spec *spec)
{
	for (size_t c = 0; c < spec->nr_cols; c++) {
		rows->cols[c] = calloc(spec->chunk_rows, spec->bytes[c]);
		rows->packed[c] = malloc(spec->chunk_rows * spec->bytes[c]);
		if (!rows->cols[c] || !rows->packed[c])
			return -1;
	}
	return 0;
}

static void rows_release(struct h5_rows *rows, size_t nr_cols)
{
	for (size_t c = 0; c < nr_cols; c++) {
		free(rows->cols[c]);
		free(rows->packed[c]);
	}
}

static int packer_alloc(struct h5_packer *p)
{
	const struct h5_pack_spec *spec = &p->spec;
	size_t widest = 1;

	p->ring = calloc(p->nr_ring, sizeof(*p->ring));
	p->workers = calloc((size_t)p->nr_workers, sizeof(*p->workers));
	if (!p->ring || !p->workers)
		return -1;
	for (size_t c = 0; c < spec->nr_cols; c++) {
		if (spec->bytes[c] > widest)
			widest = spec->bytes[c];
	}
	for (size_t i = 0; i < p->nr_ring; i++) {
		if (rows_init(&p->ring[i], spec))
			return -1;
	}
	for (int i = 0; i < p->nr_workers; i++) {
		p->workers[i].p = p;
		p->workers[i].deflate = libdeflate_alloc_compressor(spec->level);
		p->workers[i].planes = malloc(spec->chunk_rows * widest);
		if (!p->workers[i].deflate || !p->workers[i].planes)
			return -1;
	}
	return 0;
}

int h5_packer_create(const struct h5_pack_spec *spec, struct h5_packer **out, struct zwb_err *err)
{
	struct h5_packer *p = calloc(1, sizeof(*p));
	int failed = 0;

	if (!p)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to pack chunks");
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->submitted, NULL);
	pthread_cond_init(&p->packed, NULL);
	p->spec = *spec;
	p->nr_workers = spec->nr_threads ? spec->nr_threads : 1;
	p->nr_ring = spec->nr_threads ? (size_t)spec->nr_threads + 1 + RING_AHEAD : 1;
	if (packer_alloc(p)) {
		h5_packer_free(p);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to pack chunks");
	}
	for (int i = 0; !failed && i < spec->nr_threads; i++) {
		failed = pthread_create(&p->workers[i].thread, NULL, pack_thread, &p->workers[i]);
		p->workers[i].started = !failed;
	}
	if (failed) {
		h5_packer_free(p);
		return zwb_err_set(err, ZWB_EENV, failed, "cannot start a thread to pack chunks");
	}
	*out = p;
	return ZWB_OK;
}

void h5_packer_free(struct h5_packer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = 1;
	pthread_cond_broadcast(&p->submitted);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; p->workers && i < p->nr_workers; i++) {
		if (p->workers[i].started)
			pthread_join(p->workers[i].thread, NULL);
		libdeflate_free_compressor(p->workers[i].deflate);
		free(p->workers[i].planes);
	}
	for (size_t i = 0; p->ring && i < p->nr_ring; i++)
		rows_release(&p->ring[i], p->spec.nr_cols);
	pthread_cond_destroy(&p->packed);
	pthread_cond_destroy(&p->submitted);
	pthread_mutex_destroy(&p->lock);
	free(p->workers);
	free(p->ring);
	free(p);
}

struct h5_rows *h5_packer_fill(struct h5_packer *p)
{
	if (p->nr_submitted - p->nr_taken == p->nr_ring)
		return NULL;
	return &p->ring[p->nr_submitted % p->nr_ring];
}

void h5_packer_submit(struct h5_packer *p)
{
	struct h5_rows *rows = &p->ring[p->nr_submitted % p->nr_ring];

	for (size_t c = 0; c < p->spec.nr_cols; c++) {
		size_t used = rows->nr_rows * p->spec.bytes[c];

		memset((char *)rows->cols[c] + used, 0,
			p->spec.chunk_rows * p->spec.bytes[c] - used);
	}
	if (p->spec.nr_threads == 0) {
		for (size_t c = 0; c < p->spec.nr_cols; c++)
			pack_column(&p->workers[0], rows, c);
		rows->done = 1;
		p->nr_submitted++;
		return;
	}
	pthread_mutex_lock(&p->lock);
	rows->done = 0;
	p->nr_submitted++;
	pthread_cond_signal(&p->submitted);
	pthread_mutex_unlock(&p->lock);
}

struct h5_rows *h5_packer_take(struct h5_packer *p, int wait)
{
	struct h5_rows *rows = &p->ring[p->nr_taken % p->nr_ring];
	int done;

	if (p->nr_taken == p->nr_submitted)
		return NULL;
	pthread_mutex_lock(&p->lock);
	while (wait && !rows->done)
		pthread_cond_wait(&p->packed, &p->lock);
	done = rows->done;
	pthread_mutex_unlock(&p->lock);
	return done ? rows : NULL;
}

void h5_packer_release(struct h5_packer *p)
{
	struct h5_rows *rows = &p->ring[p->nr_taken % p->nr_ring];

	rows->nr_rows = 0;
	rows->done = 0;
	p->nr_taken++;
}
