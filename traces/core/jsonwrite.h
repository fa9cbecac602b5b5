/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON, written piece by piece into a buffer. */
#ifndef ZWB_JSONWRITE_H
#define ZWB_JSONWRITE_H

#include "buf.h"

#include <stdbool.h>

/*
 * For what has to do without a JSON library. The caller nests begins and ends and names each value
 * inside an object; commas and line ends are made here. Lack of memory shows in the buffer
 * (zwb_buf_check()). Text may be any bytes: what is not UTF-8 becomes U+FFFD.
 */

#define ZWB_JSON_DEPTH_MAX 16

struct zwb_jsonwrite {
	struct zwb_buf *out; /* borrowed */
	unsigned int depth; /* open objects and arrays, at most ZWB_JSON_DEPTH_MAX */
	bool has_values[ZWB_JSON_DEPTH_MAX + 1]; /* of the open ones: a comma is due */
};

/** zwb_jsonwrite_init() - begin a text in @out. */
void zwb_jsonwrite_init(struct zwb_jsonwrite *json, struct zwb_buf *out);

/** zwb_jsonwrite_finish() - end the text's last line; nothing is open. */
void zwb_jsonwrite_finish(struct zwb_jsonwrite *json);

/* @name: NULL for values of an array, and for the whole. */

/** zwb_jsonwrite_object() - "{"; ended by zwb_jsonwrite_end(). */
void zwb_jsonwrite_object(struct zwb_jsonwrite *json, const char *name);
/** zwb_jsonwrite_array() - "["; ended by zwb_jsonwrite_end_array(). */
void zwb_jsonwrite_array(struct zwb_jsonwrite *json, const char *name);
void zwb_jsonwrite_end(struct zwb_jsonwrite *json);
void zwb_jsonwrite_end_array(struct zwb_jsonwrite *json);

/** zwb_jsonwrite_text() - a string; @text NULL: null. */
void zwb_jsonwrite_text(struct zwb_jsonwrite *json, const char *name, const char *text);
void zwb_jsonwrite_number(struct zwb_jsonwrite *json, const char *name, long long number);
void zwb_jsonwrite_bool(struct zwb_jsonwrite *json, const char *name, bool value);

#endif
