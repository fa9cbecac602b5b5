/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the comparison share. */
#ifndef ZWB_COMPARE_PRIV_H
#define ZWB_COMPARE_PRIV_H

#include "compare.h"

/* One replay and its place. */
struct cmp_arm {
	const struct zwb_run *run;
	const struct zwb_run_arm *arm;
	const struct zwb_run_trace *trace;
	uint32_t column;
	uint32_t recording;
	uint32_t section; /* of the grouping, unless that is by cgroup */
	uint32_t file; /* index of run */
	size_t order; /* in the runs as given */
};

/* One cgroup of one trace. */
struct cmp_cgroup {
	char *name; /* the path; with the id where that is needed to tell them apart */
	const struct zwb_run_trace *trace;
	uint32_t local; /* index in the trace */
	uint32_t group; /* the same for all of this name */
};

/* Something that a row can show. */
enum cmp_item_type { CMP_SCALAR, CMP_RATIO, CMP_PERCENTILE };

struct cmp_item {
	enum cmp_item_type type;
	char *name;
	uint32_t metric; /* SCALAR and PERCENTILE: index into defs; RATIO: of the numerator */
	uint32_t below; /* RATIO: of the denominator */
	double scale; /* RATIO and PERCENTILE */
	uint32_t ppm; /* PERCENTILE */
	const char *unit;
	const char *definition;
	enum zwb_metric_kind kind;
	enum zwb_better better;
};

struct cmp_priv {
	struct cmp_arm *arms; /* by column, recording, section, seed */
	size_t nr_arms;
	size_t *first; /* of arms: [column * nr_recordings + recording], and the end */
	size_t nr_repeated; /* arms left out because they are there twice */
	char **sections; /* names */
	size_t nr_sections;
	char **kept; /* other strings that rows point to */
	size_t nr_kept;

	struct zwb_metric_def *defs; /* of all runs; the built-in ones first; strings borrowed */
	size_t nr_defs;
	struct cmp_item *items;
	size_t nr_items;
	const struct cmp_item **selected;
	size_t nr_selected;

	struct cmp_cgroup *cgroups; /* by group, then trace */
	size_t nr_cgroups;
	size_t *first_cgroup; /* [group], and the end */
	size_t nr_groups;
};

/* What rows are about: a group of cmp_priv.cgroups or the total, of all arms or of one section. */
#define CMP_TOTAL SIZE_MAX
#define CMP_ALL	  UINT32_MAX
struct cmp_where {
	size_t cgroup;
	uint32_t section;
};

static inline int cmp_is_in(const struct cmp_arm *arm, const struct cmp_where *where)
{
	return where->section == CMP_ALL || where->section == arm->section;
}

/* The arms of one column and recording: half-open range of cmp_priv.arms. */
static inline void cmp_slice(const struct zwb_comparison *cmp, size_t column, size_t recording,
	size_t *begin, size_t *end)
{
	const struct cmp_priv *p = cmp->priv;
	size_t at = column * cmp->nr_recordings + recording;

	*begin = p->first[at];
	*end = p->first[at + 1];
}

/* ZWB_ENOMEM with the text of all comparisons. */
int cmp_no_memory(struct zwb_err *err);

/* Zeroed room for @nr elements, for none as well; NULL without memory. */
void *cmp_alloc(size_t nr, size_t size);

/*
 * Number equal items alike, in the order of first appearance.
 * @items: pointers handed to @compare, which works as for qsort().
 * @group: filled, one an item.
 * Return: ZWB_OK and *@nr_groups, or ZWB_ENOMEM.
 */
int cmp_group(const void *const *items, size_t nr, int (*compare)(const void *, const void *),
	uint32_t *group, size_t *nr_groups, struct zwb_err *err);

/* Fill columns, recordings, arms, first and sections. */
int cmp_collect(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, struct zwb_err *err);

/*
 * Name settings of replays: the policy as typed, and every other field in which those of the same
 * policy differ. @labels: filled with strings that the caller frees.
 */
int cmp_label_infos(const struct zwb_run_arm_info *const *infos, size_t nr,
	enum zwb_group_by group_by, char **labels, struct zwb_err *err);

/* qsort() order of settings of replays, without those that do not count under @group_by. */
int cmp_compare_infos(const struct zwb_run_arm_info *a, const struct zwb_run_arm_info *b,
	enum zwb_group_by group_by);

/* Fill cgroups and first_cgroup. */
int cmp_collect_cgroups(struct zwb_comparison *cmp, struct zwb_err *err);

/* Index of @group in @trace, or ZWB_RUN_TOTAL - 1 if it is not there. */
#define CMP_NO_CGROUP (ZWB_RUN_TOTAL - 1)
uint32_t cmp_local_cgroup(
	const struct cmp_priv *p, const struct zwb_run_trace *trace, size_t group);

/* Fill defs and items from the runs of the arms, and selected from a list of names or NULL. */
int cmp_catalogue(struct zwb_comparison *cmp, const struct zwb_run *const *runs, size_t nr_runs,
	const char *metrics, struct zwb_err *err);

/* Index of a metric of cmp_priv.defs in @run, or UINT32_MAX. */
uint32_t cmp_metric_in(const struct cmp_priv *p, const struct zwb_run *run, uint32_t metric);

/* Histograms merged for one metric and cgroup, kept for the next percentile. */
struct cmp_merged {
	uint32_t metric;
	struct cmp_where where;
	struct zwb_hist **hists; /* [column * (nr_recordings + 1) + recording], last: all */
	char *cls; /* [column] */
};

/*
 * Fill the cells of one row. Return: 1 if any of them was measured, 0 if none, ZWB_ENOMEM.
 * @merged: zeroed before the first row, see cmp_merged_release().
 */
int cmp_fill_row(struct zwb_comparison *cmp, const struct cmp_item *item,
	const struct cmp_where *where, struct cmp_merged *merged, struct zwb_cmp_row *row,
	struct zwb_err *err);
/*
 * What a row says about differences.
 * @units: one value a column and recording, whose mean (or other center) is the cell's value; NAN
 * where nothing was measured.
 */
int cmp_judge_row(const struct zwb_comparison *cmp, struct zwb_cmp_row *row, const double *units,
	struct zwb_err *err);

/* Correct p over the rows [begin, end), which are of one group, and give the verdicts. */
int cmp_judge_table(struct zwb_comparison *cmp, size_t begin, size_t end, struct zwb_err *err);

void cmp_merged_release(const struct zwb_comparison *cmp, struct cmp_merged *merged);

#endif
