/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences about how sure differences are. */
#include "describe.h"
#include "signif.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *direction(const struct zwb_cmp_cell *cell)
{
	return cell->delta_percent > 0 ? "higher" : cell->delta_percent < 0 ? "lower" : "equal";
}

void zwb_describe_p(char *buf, double p)
{
	if (isnan(p))
		buf[0] = '\0';
	else if (p < 0.001)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "<.001");
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*f", p < 0.1 ? 3 : 2, p);
}

/* A size in percent with two digits, rounded up: what could be shown must not be said too small. */
static void put_size(char *buf, double percent)
{
	double unit = pow(10, floor(log10(percent)) - 1);
	double size = percent > 0 ? ceil(percent / unit - 1e-9) * unit : 0;

	if (size >= 10 && size < 1e6)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.0f", size);
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.2g", size);
}

static char *not_shown(const struct zwb_cmp_sure *s)
{
	char size[ZWB_TEXT_NUM_SIZE];

	if (!isfinite(s->detectable_percent))
		return zwb_text_printf("no difference shown");
	put_size(size, s->detectable_percent);
	if (s->n_needed > s->n)
		return zwb_text_printf(
			"no difference shown; n=%zu could only show >= %s %%, one as large "
			"as this takes n=%" PRIu64,
			s->n, size, s->n_needed);
	return zwb_text_printf("no difference shown; n=%zu could only show >= %s %%", s->n, size);
}

char *zwb_describe_verdict(const struct zwb_cmp_cell *cell)
{
	const struct zwb_cmp_sure *s = &cell->sure;
	char p[ZWB_TEXT_NUM_SIZE];

	zwb_describe_p(p, s->p_holm);
	switch (s->verdict) {
	case ZWB_VERDICT_SAME:
		return zwb_text_printf("the same in every recording");
	case ZWB_VERDICT_SHOWN:
		return zwb_text_printf("%s", direction(cell));
	case ZWB_VERDICT_HINTED:
		if (s->p_holm < ZWB_ALPHA && isfinite(s->p_exact)) {
			zwb_describe_p(p, s->p_exact);
			return zwb_text_printf(
				"probably %s, but by permutation p is %s", direction(cell), p);
		}
		return zwb_text_printf("probably %s, but p is %s among %zu tests", direction(cell),
			p, s->nr_tests);
	case ZWB_VERDICT_NOT_SHOWN:
		return not_shown(s);
	case ZWB_VERDICT_NONE:
		break;
	}
	if (s->pairing == ZWB_PAIRING_NONE)
		return zwb_text_printf("%s", "");
	return zwb_text_printf("n=%zu: nothing can be said about chance", s->n);
}

void zwb_describe_verdict_short(char *buf, const struct zwb_cmp_cell *cell)
{
	const struct zwb_cmp_sure *s = &cell->sure;
	char size[ZWB_TEXT_NUM_SIZE];

	buf[0] = '\0';
	switch (s->verdict) {
	case ZWB_VERDICT_SAME:
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "the same");
		break;
	case ZWB_VERDICT_SHOWN:
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%s", direction(cell));
		break;
	case ZWB_VERDICT_HINTED:
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "probably %s", direction(cell));
		break;
	case ZWB_VERDICT_NOT_SHOWN:
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "none shown");
		if (s->detectable_percent < 9999) {
			put_size(size, s->detectable_percent);
			snprintf(buf, ZWB_TEXT_NUM_SIZE, "none shown (>= %.8s %%)", size);
		}
		break;
	case ZWB_VERDICT_NONE:
		break;
	}
}

/* What occurs among the cells. */
struct methods {
	int fieller, bca, permutation, exact, t, welch, not_shown, hinted;
	size_t nr_tests; /* most in one group */
};

static void add_methods(struct methods *m, const struct zwb_cmp_sure *s)
{
	m->fieller |= isfinite(s->low_percent) && !s->is_bootstrap;
	m->bca |= isfinite(s->low_percent) && s->is_bootstrap;
	m->not_shown |= s->verdict == ZWB_VERDICT_NOT_SHOWN && isfinite(s->detectable_percent);
	m->hinted |= s->verdict == ZWB_VERDICT_HINTED;
	if (isnan(s->p))
		return;
	m->permutation |= s->is_permutation;
	m->exact |= isfinite(s->p_exact);
	m->t |= !s->is_permutation && s->pairing == ZWB_PAIRED;
	m->welch |= !s->is_permutation && s->pairing == ZWB_UNPAIRED;
	m->nr_tests = s->nr_tests > m->nr_tests ? s->nr_tests : m->nr_tests;
}

/* What the words in the table mean. */
static void put_words(FILE *out, const struct methods *m)
{
	if (m->exact)
		fputs(" exact: permutation test, uncorrected.", out);
	if (m->hinted)
		fputs(" Probably: the interval leaves out 0, but corrected p is not below 0.05, or "
		      "permutations disagree.",
			out);
	if (m->not_shown)
		fputs(" None shown (>= X %): n could only show a change of X % or more, in 80 % of "
		      "cases.",
			out);
}

void zwb_describe_published(char *buf, const struct zwb_cmp_cell *cell)
{
	const struct zwb_cmp_sure *s = &cell->sure;

	buf[0] = '\0';
	if (isnan(cell->delta_percent) || isnan(s->detectable_n3_percent))
		return;
	if (fabs(cell->delta_percent) >= s->detectable_n3_percent)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "n=3 shows it");
	else if (fabs(cell->delta_percent) >= s->detectable_n5_percent)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "n=5 shows it");
	else if (s->n_needed)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "takes n=%" PRIu64, s->n_needed);
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "no n shows it");
}

static char *describe_published_method(void)
{
	return zwb_text_printf(
		"Printed changes: = follow from the printed means to the digit, ~ within the "
		"rounding "
		"of these, ! do not. n=3, n=5: smallest change that so many runs of either arm "
		"show "
		"in 80 %% of cases, by Welch's t test at 5 %%, with deviations as published.");
}

char *zwb_describe_method(const struct zwb_comparison *cmp)
{
	struct methods m = { 0 };
	char *text = NULL;
	size_t len;
	FILE *out;

	if (cmp->nr_recordings == 0)
		return describe_published_method();
	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	for (size_t i = 0; i < cmp->nr_rows * cmp->nr_columns; i++)
		add_methods(&m, &cmp->rows[i / cmp->nr_columns].cells[i % cmp->nr_columns].sure);
	if (m.fieller || m.bca)
		fprintf(out, "Intervals: 95 %%, %s. ",
			m.fieller && m.bca ? "Fieller; BCa bootstrap from n = 8 on"
			: m.bca		   ? "BCa bootstrap"
					   : "Fieller");
	if (m.nr_tests)
		fprintf(out, "Holm: p of %s, corrected for %zu test%s.",
			m.permutation	 ? "a permutation test"
			: m.t && m.welch ? "a t test (paired, or Welch's)"
			: m.t		 ? "a paired t test"
					 : "Welch's t test",
			m.nr_tests, m.nr_tests == 1 ? "" : "s");
	put_words(out, &m);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

char *zwb_describe_drift(const struct zwb_comparison *cmp)
{
	const struct zwb_cmp_row *worst = NULL;
	char percent[ZWB_TEXT_NUM_SIZE];
	size_t nr = 0;

	for (size_t i = 0; i < cmp->nr_rows; i++) {
		const struct zwb_cmp_cell *cell = &cmp->rows[i].cells[0];

		if (cell->drift == ZWB_DRIFT_NONE)
			continue;
		nr++;
		if (!worst || fabs(cell->drift_percent) > fabs(worst->cells[0].drift_percent))
			worst = &cmp->rows[i];
	}
	if (!worst)
		return zwb_text_printf("%s", "");
	zwb_text_percent(percent, worst->cells[0].drift_percent);
	return zwb_text_printf(
		"A/A: second half of the %s of %s against the first: at most %s (%s%s%s), in "
		"%zu rows.",
		worst->cells[0].drift == ZWB_DRIFT_SEEDS ? "seeds"
		: zwb_cmp_is_measured(&cmp->columns[0])	 ? "runs"
							 : "recordings",
		cmp->columns[0].label, percent, worst->group ? worst->group : "",
		worst->group ? ", " : "", worst->name, nr);
}

char *zwb_describe_oddity(const struct zwb_cmp_cell *cell)
{
	char outliers[64] = "", groups[96] = "";

	if (cell->nr_outliers)
		snprintf(outliers, sizeof(outliers), "%zu of %zu far from the others",
			cell->nr_outliers, cell->n);
	if (cell->lower_group)
		snprintf(groups, sizeof(groups), "%stwo groups of %zu and %zu",
			outliers[0] ? ", " : "", cell->lower_group, cell->n - cell->lower_group);
	return zwb_text_printf("%s%s", outliers, groups);
}
