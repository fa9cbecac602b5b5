/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap extents in the order of slots and in the order of sectors. */
#include "geometry.h"

#include <stdlib.h>

#define SECTOR_BYTES   512u
#define MAX_PAGE_BYTES (1u << 20) /* four times the largest of Linux; keeps sums in 32 bits */

struct geometry_extent {
	uint64_t first_slot, nr_slots;
	uint64_t first_sector, nr_sectors;
	uint32_t swap_type;
	uint16_t dev;
};

/* The same extents in two orders. */
struct zwb_geometry {
	size_t nr;
	uint64_t nr_slots;
	uint32_t slot_sectors;
	struct geometry_extent *by_slot;
	struct geometry_extent *by_sector;
};

static int geometry_compare_slot(const void *a, const void *b)
{
	const struct geometry_extent *x = a, *y = b;

	if (x->swap_type != y->swap_type)
		return x->swap_type < y->swap_type ? -1 : 1;
	return (x->first_slot > y->first_slot) - (x->first_slot < y->first_slot);
}

static int geometry_compare_sector(const void *a, const void *b)
{
	const struct geometry_extent *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->first_sector > y->first_sector) - (x->first_sector < y->first_sector);
}

static int geometry_check(const struct zwb_geometry *g, struct zwb_err *err)
{
	for (size_t i = 1; i < g->nr; i++) {
		const struct geometry_extent *a = &g->by_slot[i - 1], *b = &g->by_slot[i];

		if (a->swap_type == b->swap_type && a->first_slot + a->nr_slots > b->first_slot)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"swap geometry: two extents hold slot %llu; check the facts file",
				(unsigned long long)b->first_slot);
		a = &g->by_sector[i - 1];
		b = &g->by_sector[i];
		if (a->dev == b->dev && a->first_sector + a->nr_sectors > b->first_sector)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"swap geometry: two extents hold sector %llu; check the facts file",
				(unsigned long long)b->first_sector);
	}
	return ZWB_OK;
}

/* The disk of a swap area, by its index. */
static int geometry_disk(
	const struct zwb_meta *meta, uint32_t swap_type, uint16_t *dev, struct zwb_err *err)
{
	for (size_t i = 0; i < meta->nr_swaps; i++) {
		const struct zwb_swap *swap = &meta->swaps[i];

		if (swap->swap_type != swap_type)
			continue;
		if (swap->dev > UINT16_MAX)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"swap geometry: area %u lies on device %u, which events cannot "
				"name",
				swap_type, swap->dev);
		*dev = (uint16_t)swap->dev;
		return ZWB_OK;
	}
	return zwb_err_set(err, ZWB_EDATA, 0,
		"swap geometry: an extent of area %u, which is not in the list of swap areas",
		swap_type);
}

static int geometry_fill(struct zwb_geometry *g, const struct zwb_meta *meta, struct zwb_err *err)
{
	for (size_t i = 0; i < meta->nr_extents; i++) {
		const struct zwb_extent *e = &meta->extents[i];
		struct geometry_extent *x = &g->by_slot[g->nr];
		int ret;

		*x = (struct geometry_extent){ .first_slot = e->first_slot,
			.nr_slots = e->nr_slots,
			.first_sector = e->first_sector,
			.swap_type = e->swap_type };
		ret = geometry_disk(meta, e->swap_type, &x->dev, err);
		if (ret)
			return ret;
		if (__builtin_mul_overflow(e->nr_slots, g->slot_sectors, &x->nr_sectors) ||
			e->first_sector + x->nr_sectors < e->first_sector ||
			e->first_slot + e->nr_slots < e->first_slot)
			return zwb_err_set(err, ZWB_EDATA, 0,
				"swap geometry: the extent at slot %llu is too long",
				(unsigned long long)e->first_slot);
		if (e->nr_slots == 0)
			continue;
		g->nr++;
		if (e->first_slot + e->nr_slots > g->nr_slots)
			g->nr_slots = e->first_slot + e->nr_slots;
	}
	return ZWB_OK;
}

int zwb_geometry_create(const struct zwb_meta *meta, struct zwb_geometry **out, struct zwb_err *err)
{
	struct zwb_geometry *g = calloc(1, sizeof(*g));
	size_t room = meta->nr_extents ? meta->nr_extents : 1;
	int ret;

	*out = NULL;
	if (!g)
		goto no_memory;
	g->by_slot = calloc(room, sizeof(*g->by_slot));
	g->by_sector = calloc(room, sizeof(*g->by_sector));
	if (!g->by_slot || !g->by_sector)
		goto no_memory;
	g->slot_sectors = meta->page_bytes / SECTOR_BYTES;
	if (meta->page_bytes < SECTOR_BYTES || meta->page_bytes > MAX_PAGE_BYTES ||
		(meta->page_bytes & (meta->page_bytes - 1))) {
		ret = zwb_err_set(err, ZWB_EDATA, 0, "swap geometry: a page of %u bytes cannot be",
			meta->page_bytes);
		goto out_free;
	}
	ret = geometry_fill(g, meta, err);
	if (ret)
		goto out_free;
	for (size_t i = 0; i < g->nr; i++)
		g->by_sector[i] = g->by_slot[i];
	if (g->nr) {
		qsort(g->by_slot, g->nr, sizeof(*g->by_slot), geometry_compare_slot);
		qsort(g->by_sector, g->nr, sizeof(*g->by_sector), geometry_compare_sector);
	}
	ret = geometry_check(g, err);
	if (ret)
		goto out_free;
	*out = g;
	return ZWB_OK;
no_memory:
	ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the swap geometry");
out_free:
	zwb_geometry_free(g);
	return ret;
}

void zwb_geometry_free(struct zwb_geometry *g)
{
	if (!g)
		return;
	free(g->by_slot);
	free(g->by_sector);
	free(g);
}

bool zwb_geometry_sector(const struct zwb_geometry *g, uint32_t swap_type, uint64_t slot,
	uint64_t *sector, uint16_t *dev)
{
	size_t lo = 0, hi = g->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct geometry_extent *x = &g->by_slot[mid];

		if (swap_type < x->swap_type || (swap_type == x->swap_type && slot < x->first_slot))
			hi = mid;
		else if (swap_type > x->swap_type || slot - x->first_slot >= x->nr_slots)
			lo = mid + 1;
		else {
			*sector = x->first_sector + (slot - x->first_slot) * g->slot_sectors;
			*dev = x->dev;
			return true;
		}
	}
	return false;
}

bool zwb_geometry_slot(const struct zwb_geometry *g, uint16_t dev, uint64_t sector,
	uint32_t *swap_type, uint64_t *slot)
{
	size_t lo = 0, hi = g->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct geometry_extent *x = &g->by_sector[mid];

		if (dev < x->dev || (dev == x->dev && sector < x->first_sector))
			hi = mid;
		else if (dev > x->dev || sector - x->first_sector >= x->nr_sectors)
			lo = mid + 1;
		else {
			*swap_type = x->swap_type;
			*slot = x->first_slot + (sector - x->first_sector) / g->slot_sectors;
			return true;
		}
	}
	return false;
}

uint64_t zwb_geometry_nr_slots(const struct zwb_geometry *g)
{
	return g->nr_slots;
}

uint32_t zwb_geometry_slot_sectors(const struct zwb_geometry *g)
{
	return g->slot_sectors;
}
