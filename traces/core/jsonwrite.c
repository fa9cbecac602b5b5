/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON, written piece by piece into a buffer. */
#include "jsonwrite.h"

#include <assert.h>
#include <string.h>

void zwb_jsonwrite_init(struct zwb_jsonwrite *json, struct zwb_buf *out)
{
	*json = (struct zwb_jsonwrite){ .out = out };
}

void zwb_jsonwrite_finish(struct zwb_jsonwrite *json)
{
	assert(json->depth == 0);
	zwb_buf_add(json->out, "\n", 1);
}

static void json_line(struct zwb_jsonwrite *json)
{
	zwb_buf_add(json->out, "\n", 1);
	for (unsigned int i = 0; i < json->depth; i++)
		zwb_buf_add(json->out, "  ", 2);
}

/* Length of the UTF-8 sequence that @s begins with; 0: it is none (also overlong, surrogates). */
static size_t utf8_length(const unsigned char *s)
{
	size_t len;

	if (s[0] < 0x80)
		return 1;
	len = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
		(s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

static void json_string(struct zwb_buf *out, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
	const unsigned char *at = (const unsigned char *)text;

	zwb_buf_add(out, "\"", 1);
	while (*at) {
		size_t len = utf8_length(at);

		if (len == 0)
			zwb_buf_add(out, replacement, sizeof(replacement) - 1);
		else if (*at == '"' || *at == '\\')
			zwb_buf_addf(out, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			zwb_buf_addf(out, "\\u%04x", *at);
		else
			zwb_buf_add(out, at, len);
		at += len ? len : 1;
	}
	zwb_buf_add(out, "\"", 1);
}

/* All that goes before a value. */
static void json_begin(struct zwb_jsonwrite *json, const char *name)
{
	if (json->has_values[json->depth])
		zwb_buf_add(json->out, ",", 1);
	json->has_values[json->depth] = true;
	if (json->depth)
		json_line(json);
	if (name) {
		json_string(json->out, name);
		zwb_buf_add(json->out, ": ", 2);
	}
}

static void json_open(struct zwb_jsonwrite *json, const char *name, const char *bracket)
{
	assert(json->depth < ZWB_JSON_DEPTH_MAX);
	json_begin(json, name);
	zwb_buf_add(json->out, bracket, 1);
	json->has_values[++json->depth] = false;
}

static void json_close(struct zwb_jsonwrite *json, const char *bracket)
{
	assert(json->depth > 0);
	json->depth--;
	if (json->has_values[json->depth + 1])
		json_line(json);
	zwb_buf_add(json->out, bracket, 1);
}

void zwb_jsonwrite_object(struct zwb_jsonwrite *json, const char *name)
{
	json_open(json, name, "{");
}

void zwb_jsonwrite_array(struct zwb_jsonwrite *json, const char *name)
{
	json_open(json, name, "[");
}

void zwb_jsonwrite_end(struct zwb_jsonwrite *json)
{
	json_close(json, "}");
}

void zwb_jsonwrite_end_array(struct zwb_jsonwrite *json)
{
	json_close(json, "]");
}

void zwb_jsonwrite_text(struct zwb_jsonwrite *json, const char *name, const char *text)
{
	json_begin(json, name);
	if (text)
		json_string(json->out, text);
	else
		zwb_buf_add(json->out, "null", 4);
}

void zwb_jsonwrite_number(struct zwb_jsonwrite *json, const char *name, long long number)
{
	json_begin(json, name);
	zwb_buf_addf(json->out, "%lld", number);
}

void zwb_jsonwrite_bool(struct zwb_jsonwrite *json, const char *name, bool value)
{
	json_begin(json, name);
	zwb_buf_addf(json->out, "%s", value ? "true" : "false");
}
