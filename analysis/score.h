/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well one list of bios or requests gives back another. */
#ifndef ZWB_SCORE_H
#define ZWB_SCORE_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Two lists are compared as multisets of (sector, length): what is in both counts as exact, and the
 * exact share is |A and B| / max(|A|, |B|). What one side lacks and what the other has too much are
 * both misses; nothing is matched by being near. Order is looked at inside groups, because only the
 * requests of one plug flush have an order that the rules promise.
 */

struct zwb_score_item {
	uint64_t sector;
	uint64_t ts_ns;
	uint32_t nr_sectors;
	uint32_t cgroup; /* index; 0 unknown */
	uint64_t group; /* flush it was part of; 0: none, no order promised */
};

/* In the order in which they were seen. */
struct zwb_score_list {
	struct zwb_score_item *items;
	size_t nr, room;
	int no_memory;
};

/** zwb_score_add() - append; without memory the list is marked and comparing it fails. */
void zwb_score_add(struct zwb_score_list *list, const struct zwb_score_item *item);
void zwb_score_release(struct zwb_score_list *list);

struct zwb_score {
	uint64_t nr_model, nr_truth;
	uint64_t nr_exact; /* |A and B| */
	uint64_t nr_pairs; /* neighbours in one group of the model, both exact */
	uint64_t nr_pairs_in_order; /* of them in the same order in the truth */
};

#define ZWB_SCORE_ALL UINT32_MAX

/**
 * zwb_score_compare() - compare two lists.
 * @cgroup: only items of this cgroup on either side; ZWB_SCORE_ALL: all, whatever their cgroup.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_score_compare(const struct zwb_score_list *model, const struct zwb_score_list *truth,
	uint32_t cgroup, struct zwb_score *score, struct zwb_err *err);

/**
 * zwb_score_misses() - call @miss for every item that only one list has, by sector.
 * @is_model: 1: only in the model, 0: only in the truth.
 * Return: ZWB_OK; ZWB_ENOMEM.
 */
int zwb_score_misses(const struct zwb_score_list *model, const struct zwb_score_list *truth,
	void (*miss)(void *arg, const struct zwb_score_item *item, int is_model), void *arg,
	struct zwb_err *err);

/** zwb_score_exact() - exact share, 0..1; 1 when both lists are empty. */
double zwb_score_exact(const struct zwb_score *score);

/** zwb_score_deviation() - (model - truth) / truth; infinite when only the truth is empty. */
double zwb_score_deviation(const struct zwb_score *score);

#endif
