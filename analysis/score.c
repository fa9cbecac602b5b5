/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing lists of bios or requests as multisets. */
#include "score.h"

#include <math.h>
#include <stdlib.h>

void zwb_score_add(struct zwb_score_list *list, const struct zwb_score_item *item)
{
	size_t room = list->room ? 2 * list->room : 1024;
	struct zwb_score_item *bigger;

	if (list->nr == list->room) {
		bigger = realloc(list->items, room * sizeof(*bigger));
		if (!bigger) {
			list->no_memory = 1;
			return;
		}
		list->items = bigger;
		list->room = room;
	}
	list->items[list->nr++] = *item;
}

void zwb_score_release(struct zwb_score_list *list)
{
	free(list->items);
	*list = (struct zwb_score_list){ 0 };
}

struct score_row {
	uint64_t sector;
	uint32_t nr_sectors;
	size_t index; /* in its list: the k-th of equal rows is matched with the k-th */
};

static int score_compare_key(const struct score_row *a, const struct score_row *b)
{
	if (a->sector != b->sector)
		return a->sector < b->sector ? -1 : 1;
	return (a->nr_sectors > b->nr_sectors) - (a->nr_sectors < b->nr_sectors);
}

static int score_compare_row(const void *a, const void *b)
{
	const struct score_row *x = a, *y = b;
	int order = score_compare_key(x, y);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static struct score_row *score_rows(const struct zwb_score_list *list, uint32_t cgroup, size_t *nr)
{
	struct score_row *rows = calloc(list->nr + 1, sizeof(*rows));

	*nr = 0;
	for (size_t i = 0; rows && i < list->nr; i++) {
		const struct zwb_score_item *item = &list->items[i];

		if (cgroup != ZWB_SCORE_ALL && item->cgroup != cgroup)
			continue;
		rows[(*nr)++] = (struct score_row){ item->sector, item->nr_sectors, i };
	}
	if (rows)
		qsort(rows, *nr, sizeof(*rows), score_compare_row);
	return rows;
}

/* Walk both sorted lists; note for each item of the model where its match stands in the truth. */
static uint64_t score_match(const struct score_row *a, size_t nr_a, const struct score_row *b,
	size_t nr_b, size_t *match)
{
	uint64_t nr_exact = 0;
	size_t i = 0, j = 0;

	while (i < nr_a && j < nr_b) {
		int order = score_compare_key(&a[i], &b[j]);

		if (order < 0) {
			i++;
		} else if (order > 0) {
			j++;
		} else {
			match[a[i++].index] = b[j++].index;
			nr_exact++;
		}
	}
	return nr_exact;
}

static void score_order(
	const struct zwb_score_list *model, const size_t *match, struct zwb_score *score)
{
	for (size_t i = 1; i < model->nr; i++) {
		if (model->items[i].group == 0 ||
			model->items[i].group != model->items[i - 1].group)
			continue;
		if (match[i] == SIZE_MAX || match[i - 1] == SIZE_MAX)
			continue;
		score->nr_pairs++;
		score->nr_pairs_in_order += match[i - 1] < match[i];
	}
}

int zwb_score_compare(const struct zwb_score_list *model, const struct zwb_score_list *truth,
	uint32_t cgroup, struct zwb_score *score, struct zwb_err *err)
{
	size_t nr_a, nr_b;
	struct score_row *a = score_rows(model, cgroup, &nr_a);
	struct score_row *b = score_rows(truth, cgroup, &nr_b);
	size_t *match = malloc((model->nr + 1) * sizeof(*match));
	int ret = ZWB_OK;

	*score = (struct zwb_score){ 0 };
	if (!a || !b || !match || model->no_memory || truth->no_memory) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to compare %zu with %zu rows",
			model->nr, truth->nr);
	} else {
		for (size_t i = 0; i < model->nr; i++)
			match[i] = SIZE_MAX;
		score->nr_model = nr_a;
		score->nr_truth = nr_b;
		score->nr_exact = score_match(a, nr_a, b, nr_b, match);
		score_order(model, match, score);
	}
	free(a);
	free(b);
	free(match);
	return ret;
}

int zwb_score_misses(const struct zwb_score_list *model, const struct zwb_score_list *truth,
	void (*miss)(void *arg, const struct zwb_score_item *item, int is_model), void *arg,
	struct zwb_err *err)
{
	size_t nr_a, nr_b, i = 0, j = 0;
	struct score_row *a = score_rows(model, ZWB_SCORE_ALL, &nr_a);
	struct score_row *b = score_rows(truth, ZWB_SCORE_ALL, &nr_b);
	int ret = ZWB_OK;

	if (!a || !b || model->no_memory || truth->no_memory)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to list what differs");
	while (!ret && (i < nr_a || j < nr_b)) {
		int order = i == nr_a ? 1 : j == nr_b ? -1 : score_compare_key(&a[i], &b[j]);

		if (order < 0) {
			miss(arg, &model->items[a[i++].index], 1);
		} else if (order > 0) {
			miss(arg, &truth->items[b[j++].index], 0);
		} else {
			i++;
			j++;
		}
	}
	free(a);
	free(b);
	return ret;
}

double zwb_score_exact(const struct zwb_score *score)
{
	uint64_t most = score->nr_model > score->nr_truth ? score->nr_model : score->nr_truth;

	return most ? (double)score->nr_exact / (double)most : 1.0;
}

double zwb_score_deviation(const struct zwb_score *score)
{
	if (score->nr_truth == 0)
		return score->nr_model ? (double)INFINITY : 0.0;
	return ((double)score->nr_model - (double)score->nr_truth) / (double)score->nr_truth;
}
