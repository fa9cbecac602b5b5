/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading plans. */
#include "sweep_plan.h"

#include "grow.h"
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

static const struct {
	const char *keyword;
	const char *fallback;
} axes[ZWB_SWEEP_NR] = {
#define ZWB_X(sym, keyword_, fallback_) { .keyword = (keyword_), .fallback = (fallback_) },
	ZWB_SWEEP_AXES(ZWB_X)
#undef ZWB_X
};

/* Where the reader is; for messages. */
struct plan_line {
	const char *name;
	unsigned int line;
};

/* Texts that grow by pieces: what a value with braces stands for. */
struct texts {
	char **items;
	size_t nr;
};

const char *zwb_sweep_keyword(enum zwb_sweep_axis axis)
{
	return axes[axis].keyword;
}

static int plan_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the plan");
}

static int plan_too_many(struct zwb_err *err)
{
	return zwb_err_set(
		err, ZWB_EUSAGE, 0, "more than %zu values", (size_t)ZWB_SWEEP_MAX_VALUES);
}

static void texts_release(struct texts *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->items[i]);
	free(t->items);
	*t = (struct texts){ 0 };
}

/* Appends @begin followed by @len bytes of @end. */
static int texts_add(
	struct texts *t, const char *begin, const char *end, size_t len, struct zwb_err *err)
{
	if (t->nr == ZWB_SWEEP_MAX_VALUES)
		return plan_too_many(err);
	if (!ZWB_GROW(t->items, t->nr) ||
		asprintf(&t->items[t->nr], "%s%.*s", begin, (int)len, end) < 0)
		return plan_no_memory(err);
	t->nr++;
	return ZWB_OK;
}

/* Every one of @t followed by every one of @more. */
static int texts_multiply(struct texts *t, const struct texts *more, struct zwb_err *err)
{
	struct texts product = { 0 };
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < t->nr; i++) {
		for (size_t k = 0; !ret && k < more->nr; k++)
			ret = texts_add(
				&product, t->items[i], more->items[k], strlen(more->items[k]), err);
	}
	texts_release(t);
	*t = product;
	return ret;
}

/* "3..7": the numbers from 3 to 7. Return: 1 if it was that, 0 if not, or a status. */
static int expand_range(const char *text, size_t len, struct texts *t, struct zwb_err *err)
{
	const char *dots = memmem(text, len, "..", 2);
	char from[24], to[24], number[24];
	uint64_t first, last;
	size_t at = dots ? (size_t)(dots - text) : 0;
	int ret = ZWB_OK;

	if (!dots || at >= sizeof(from) || len - at - 2 >= sizeof(to))
		return 0;
	snprintf(from, sizeof(from), "%.*s", (int)at, text);
	snprintf(to, sizeof(to), "%.*s", (int)(len - at - 2), dots + 2);
	if (zwb_parse_u64(from, 0, INT64_MAX, &first, NULL) ||
		zwb_parse_u64(to, 0, INT64_MAX, &last, NULL))
		return 0;
	if (last < first)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "{%s..%s} counts down", from, to);
	if (last - first >= ZWB_SWEEP_MAX_VALUES)
		return plan_too_many(err);
	for (uint64_t i = first; !ret && i <= last; i++) {
		snprintf(number, sizeof(number), "%" PRIu64, i);
		ret = texts_add(t, number, "", 0, err);
	}
	return ret ? ret : 1;
}

/* What stands between braces, @len bytes of it: a range, or pieces between commas. */
static int expand_braces(const char *text, size_t len, struct texts *t, struct zwb_err *err)
{
	int ret = expand_range(text, len, t, err);

	if (ret)
		return ret < 0 ? ret : ZWB_OK;
	for (size_t begin = 0, end; !ret && begin <= len; begin = end + 1) {
		const char *comma = memchr(text + begin, ',', len - begin);

		end = comma ? (size_t)(comma - text) : len;
		if (end == begin)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"nothing before or after a comma in "
				"braces");
		ret = texts_add(t, "", text + begin, end - begin, err);
	}
	return ret;
}

/* A piece of a value, up to the next brace; backslashes go. Return: its length in @text. */
static size_t plain_piece(const char *text, char *piece)
{
	size_t len = 0, at = 0;

	while (text[at] && text[at] != '{' && text[at] != '}') {
		if (text[at] == '\\' && text[at + 1])
			at++;
		piece[len++] = text[at++];
	}
	piece[len] = '\0';
	return at;
}

/* One step of expand(): what @text begins with. Return: its length, or a status. */
static long expand_piece(const char *text, char *piece, struct texts *more, struct zwb_err *err)
{
	size_t len;
	int ret;

	if (*text == '}')
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"}\" without \"{\"");
	if (*text != '{') {
		len = plain_piece(text, piece);
		ret = texts_add(more, piece, "", 0, err);
		return ret ? ret : (long)len;
	}
	len = strcspn(text + 1, "{}");
	if (text[1 + len] != '}')
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "\"{\" without \"}\"; braces do not go into braces");
	ret = expand_braces(text + 1, len, more, err);
	return ret ? ret : (long)len + 2;
}

/* All that a value stands for. */
static int expand(const char *text, struct texts *t, struct zwb_err *err)
{
	char *piece = malloc(strlen(text) + 1);
	int ret = piece ? texts_add(t, "", "", 0, err) : plan_no_memory(err);

	while (!ret && *text) {
		struct texts more = { 0 };
		long len = expand_piece(text, piece, &more, err);

		ret = len < 0 ? (int)len : texts_multiply(t, &more, err);
		texts_release(&more);
		text += len < 0 ? 0 : len;
	}
	free(piece);
	return ret;
}

/* Adds the values of one line to its axis. */
static int add_values(struct zwb_sweep_plan *plan, enum zwb_sweep_axis axis, const char *value,
	unsigned int line, struct zwb_err *err)
{
	struct texts t = { 0 };
	int ret = expand(value, &t, err);

	for (size_t i = 0; !ret && i < t.nr; i++) {
		if (plan->axes[axis].nr_values == ZWB_SWEEP_MAX_VALUES)
			ret = plan_too_many(err);
		else if (!ZWB_GROW(plan->axes[axis].values, plan->axes[axis].nr_values))
			ret = plan_no_memory(err);
		if (ret)
			break;
		plan->axes[axis].values[plan->axes[axis].nr_values++] =
			(struct zwb_sweep_value){ .text = t.items[i], .line = line };
		t.items[i] = NULL;
	}
	texts_release(&t);
	return ret;
}

/* Ends @text before a comment and before blanks at its end. */
static void cut_comment(char *text)
{
	size_t len;

	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '#' && (i == 0 || strchr(BLANKS, text[i - 1])))
			text[i] = '\0';
	}
	len = strlen(text);
	while (len && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
}

static int unknown_keyword(const char *text, size_t len, struct zwb_err *err)
{
	char names[128] = "";

	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		size_t used = strlen(names);

		snprintf(
			names + used, sizeof(names) - used, "%s%s", i ? ", " : "", axes[i].keyword);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "no keyword \"%.*s\"; a line begins with one of %s",
		len > 40 ? 40 : (int)len, text, names);
}

static int read_line(
	struct zwb_sweep_plan *plan, char *text, unsigned int line, struct zwb_err *err)
{
	size_t len;
	int axis = 0;

	cut_comment(text);
	text += strspn(text, BLANKS);
	if (!*text)
		return ZWB_OK;
	len = strcspn(text, BLANKS);
	while (axis < ZWB_SWEEP_NR &&
		(strlen(axes[axis].keyword) != len || memcmp(axes[axis].keyword, text, len) != 0))
		axis++;
	if (axis == ZWB_SWEEP_NR)
		return unknown_keyword(text, len, err);
	text += len;
	text += strspn(text, BLANKS);
	if (!*text)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s without a value", axes[axis].keyword);
	if (strlen(text) > ZWB_SWEEP_MAX_TEXT)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "a value of more than %zu bytes", ZWB_SWEEP_MAX_TEXT);
	return add_values(plan, (enum zwb_sweep_axis)axis, text, line, err);
}

static int read_lines(
	FILE *in, struct plan_line *at, struct zwb_sweep_plan *plan, struct zwb_err *err)
{
	char *text = NULL;
	size_t room = 0, nr_bytes = 0;
	ssize_t len;
	int ret = ZWB_OK;

	errno = 0;
	while (!ret && (len = getline(&text, &room, in)) >= 0) {
		at->line++;
		nr_bytes += (size_t)len;
		if (nr_bytes > ZWB_SWEEP_MAX_BYTES)
			ret = zwb_err_set(err, ZWB_EUSAGE, 0, "the plan is longer than %zu bytes",
				ZWB_SWEEP_MAX_BYTES);
		else if (strlen(text) != (size_t)len)
			ret = zwb_err_set(err, ZWB_EUSAGE, 0, "a zero byte: this is no plan");
		else
			ret = read_line(plan, text, at->line, err);
	}
	free(text);
	if (!ret && ferror(in))
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", at->name);
	if (ret == ZWB_EUSAGE)
		zwb_err_prefix(err, "%s: line %u", at->name, at->line);
	return ret;
}

/* Equal ones in the order of the plan. */
static int compare_values(const void *x, const void *y)
{
	const struct zwb_sweep_value *a = *(const struct zwb_sweep_value *const *)x;
	const struct zwb_sweep_value *b = *(const struct zwb_sweep_value *const *)y;
	int ret = strcmp(a->text, b->text);

	return ret ? ret : (a > b) - (a < b);
}

/* Nothing may be there twice: its cells would count double. */
static int check_axis(const struct zwb_sweep_plan *plan, enum zwb_sweep_axis axis, const char *name,
	struct zwb_err *err)
{
	size_t nr = plan->axes[axis].nr_values;
	const struct zwb_sweep_value **sorted = calloc(nr + 1, sizeof(*sorted));
	int ret = sorted ? ZWB_OK : plan_no_memory(err);

	for (size_t i = 0; !ret && i < nr; i++)
		sorted[i] = &plan->axes[axis].values[i];
	if (!ret)
		qsort((void *)sorted, nr, sizeof(*sorted), compare_values);
	for (size_t i = 1; !ret && i < nr; i++) {
		if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0)
			ret = zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s: line %u: %s %.100s is there already, in line %u", name,
				sorted[i]->line, axes[axis].keyword, sorted[i]->text,
				sorted[i - 1]->line);
	}
	free((void *)sorted);
	return ret;
}

static int finish(struct zwb_sweep_plan *plan, const char *name, struct zwb_err *err)
{
	plan->nr_cells = 1;
	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		enum zwb_sweep_axis axis = (enum zwb_sweep_axis)i;
		int ret = ZWB_OK;

		if (plan->axes[i].nr_values == 0 && !axes[i].fallback)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s: no %s in it: a plan needs \"%s FILE\"", name, axes[i].keyword,
				axes[i].keyword);
		if (plan->axes[i].nr_values == 0)
			ret = add_values(plan, axis, axes[i].fallback, 0, err);
		if (!ret)
			ret = check_axis(plan, axis, name, err);
		if (ret)
			return ret;
		/* both are small enough not to overflow */
		plan->nr_cells *= plan->axes[i].nr_values;
		if (plan->nr_cells > ZWB_SWEEP_MAX_CELLS)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s: more than %zu cells; cut it into several plans", name,
				ZWB_SWEEP_MAX_CELLS);
	}
	return ZWB_OK;
}

int zwb_sweep_plan_read(
	FILE *in, const char *name, struct zwb_sweep_plan *plan, struct zwb_err *err)
{
	struct plan_line at = { .name = name };
	int ret;

	*plan = (struct zwb_sweep_plan){ 0 };
	ret = read_lines(in, &at, plan, err);
	return ret ? ret : finish(plan, name, err);
}

void zwb_sweep_plan_release(struct zwb_sweep_plan *plan)
{
	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		for (size_t k = 0; k < plan->axes[i].nr_values; k++)
			free(plan->axes[i].values[k].text);
		free(plan->axes[i].values);
	}
	*plan = (struct zwb_sweep_plan){ 0 };
}

void zwb_sweep_plan_print(FILE *out, const struct zwb_sweep_plan *plan)
{
	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		for (size_t k = 0; k < plan->axes[i].nr_values; k++)
			fprintf(out, "%s %s\n", axes[i].keyword, plan->axes[i].values[k].text);
	}
}

void zwb_sweep_plan_cell(const struct zwb_sweep_plan *plan, size_t cell, size_t index[ZWB_SWEEP_NR])
{
	for (int i = ZWB_SWEEP_NR - 1; i >= 0; i--) {
		index[i] = cell % plan->axes[i].nr_values;
		cell /= plan->axes[i].nr_values;
	}
}

size_t zwb_sweep_plan_number(const struct zwb_sweep_plan *plan, const size_t index[ZWB_SWEEP_NR])
{
	size_t cell = 0;

	for (int i = 0; i < ZWB_SWEEP_NR; i++)
		cell = cell * plan->axes[i].nr_values + index[i];
	return cell;
}
