/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event formats of a recording: libtraceevent parses them, the event map makes decoders of them. */
#include "tepformat.h"
#include "tracedat_priv.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int dat_formats_choose(
	struct dat_head *h, const char *path, struct zwb_eventmap **map, struct zwb_err *err)
{
	if (path)
		return zwb_eventmap_load(path, map, err);
	return zwb_eventmap_choose(has_group, h, map, err);
}

/* A number behind @key; @at is moved behind it. */
static int line_number(const char **at, const char *key, unsigned long *number)
{
	size_t len = strlen(key);
	char *end;

	if (strncmp(*at, key, len) != 0 || (*at)[len] < '0' || (*at)[len] > '9')
		return 0;
	*number = strtoul(*at + len, &end, 10);
	*at = end;
	return 1;
}

/* "\tfield:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;\n", behind which @at is moved. */
static int line_is_field(const char **at, unsigned long *offset, unsigned long *size)
{
	static const char key[] = "\tfield:";
	unsigned long is_signed;

	if (strncmp(*at, key, sizeof(key) - 1) != 0)
		return 0;
	for (*at += sizeof(key) - 1; **at >= ' ' && **at <= '~' && **at != ';';)
		++*at;
	if (!line_number(at, ";\toffset:", offset) || !line_number(at, ";\tsize:", size) ||
		!line_number(at, ";\tsigned:", &is_signed) || strncmp(*at, ";\n", 2) != 0)
		return 0;
	*at += 2;
	return is_signed <= 1;
}

/*
 * Damage that can be seen without a checksum: the kernel writes one field a line, in the order of
 * their places, and leaves no more room between them than alignment needs.
 */
static int format_is_regular(const char *text)
{
	static const char begin[] = "\nformat:\n";
	unsigned long end = 0, offset, size;
	const char *at = strstr(text, begin);

	if (!at)
		return 0;
	for (at += sizeof(begin) - 1; strncmp(at, "print fmt:", 10) != 0;) {
		if (*at == '\n') {
			at++;
			continue;
		}
		if (!line_is_field(&at, &offset, &size) || offset < end || offset - end >= 8)
			return 0;
		end = offset + size;
	}
	return end > 0;
}

static int format_is_damaged(
	const struct dat_head *h, const struct dat_format *f, struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_EDATA, 0, "%s: the format of event %s/%s is damaged",
		h->file.path, f->system, f->name);
}

static int compile_format(struct dat_head *h, const struct zwb_eventmap *map,
	struct tep_handle *tep, struct dat_format *f, struct zwb_err *err)
{
	struct zwb_recorded recorded = { .has_event = has_event, .arg = h };
	const struct tep_event *event;
	int ret;

	if (!format_is_regular(f->text))
		return format_is_damaged(h, f, err);
	ret = zwb_tepformat_parse(tep, f->system, f->text, &event, err);
	if (ret == ZWB_EDATA)
		return format_is_damaged(h, f, err);
	if (ret)
		return ret;
	f->decoder = malloc(sizeof(*f->decoder));
	if (!f->decoder)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for decoders");
	if (!zwb_eventmap_compile(map, event, &recorded, f->decoder)) {
		free(f->decoder);
		f->decoder = NULL;
	}
	return ZWB_OK;
}

int dat_formats_compile(struct dat_head *h, const struct zwb_eventmap *map, struct zwb_err *err)
{
	struct tep_handle *tep = tep_alloc();
	size_t nr_mapped = 0;
	int ret = ZWB_OK;

	if (!tep)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event formats");
	tep_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i < h->nr_formats && !ret; i++) {
		struct dat_format *f = &h->formats[i];

		if (zwb_eventmap_wants(map, f->system, f->name))
			ret = compile_format(h, map, tep, f, err);
		nr_mapped += f->decoder != NULL;
		free(f->text);
		f->text = NULL;
	}
	tep_free(tep);
	if (!ret && nr_mapped == 0)
		ret = zwb_err_set(err, ZWB_EKIND, 0,
			"%s: has no zswap events, nor any other that the event map \"%s\" knows",
			h->file.path, zwb_eventmap_name(map));
	return ret;
}

/* Whole groups of events that a replay cannot do without. */
static int tally_absences(const struct dat_head *h, struct zwb_meta *meta, struct zwb_err *err)
{
	int has_zswap = 0, has_block = 0, ret = ZWB_OK;

	for (size_t i = 0; i < h->nr_formats; i++) {
		const struct dat_format *f = &h->formats[i];

		if (!f->nr || !f->decoder)
			continue;
		if (f->decoder->blank.kind <= ZWB_EV_SHRINK_COUNT)
			has_zswap = 1;
		if (zwb_event_kind_is_block(f->decoder->blank.kind))
			has_block = 1;
	}
	if (!has_zswap)
		ret = zwb_meta_unknown(meta, "zswap events", meta->nr_events, err);
	if (!ret && !has_block)
		ret = zwb_meta_unknown(meta, "block events", meta->nr_events, err);
	return ret;
}

int dat_formats_tally(const struct dat_head *h, struct zwb_meta *meta, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (h->nr_markers)
		ret = zwb_meta_tally(meta, "ftrace/print", ZWB_EV_NONE, h->nr_markers, err);
	for (size_t i = 0; i < h->nr_formats && !ret; i++) {
		const struct dat_format *f = &h->formats[i];
		int kind = f->decoder ? f->decoder->blank.kind : -1;
		char name[320];

		if (!f->nr)
			continue;
		snprintf(name, sizeof(name), "%s/%s", f->system, f->name);
		ret = zwb_meta_tally(meta, name, kind, f->nr, err);
		if (!ret && f->decoder)
			ret = zwb_decoder_unknowns(f->decoder, f->nr, meta, err);
	}
	return ret ? ret : tally_absences(h, meta, err);
}
