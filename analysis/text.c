/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping, wrapping and numbers of the reports. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -- escaping -- */

#define ESCAPED_LEN 4 /* \xNN */

static char *put_escaped(char *to, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	*to++ = '\\';
	*to++ = 'x';
	*to++ = digits[byte >> 4];
	*to++ = digits[byte & 15];
	return to;
}

char *zwb_text_ascii(const char *s)
{
	size_t len = strlen(s);
	char *text = malloc(len * ESCAPED_LEN + 1), *to = text;

	if (!text)
		return NULL;
	for (; *s; s++) {
		if (*s >= ' ' && *s <= '~')
			*to++ = *s;
		else
			to = put_escaped(to, (unsigned char)*s);
	}
	*to = '\0';
	return text;
}

/*
 * Length of the UTF-8 sequence at @s, 0 if it is none: RFC 3629, no overlong forms, surrogates or
 * values above U+10FFFF. The NUL at the end of a string fails as a continuation byte.
 */
static size_t utf8_decode(const unsigned char *s, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len;

	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	*code = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3fu);
	}
	if (*code < smallest[len] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return len;
}

/* C0, DEL, C1, line separators, and marks that change the direction of what follows. */
static int is_harmful(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

char *zwb_text_utf8(const char *s)
{
	char *text = malloc(strlen(s) * ESCAPED_LEN + 1), *to = text;

	if (!text)
		return NULL;
	while (*s) {
		uint32_t code = 0;
		size_t len = utf8_decode((const unsigned char *)s, &code);
		int keep = len && !is_harmful(code);

		for (size_t i = 0; i < (len ? len : 1); i++) {
			if (keep)
				*to++ = s[i];
			else
				to = put_escaped(to, (unsigned char)s[i]);
		}
		s += len ? len : 1;
	}
	*to = '\0';
	return text;
}

char *zwb_text_printf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	return len < 0 ? NULL : text;
}

/* -- lines -- */

/* How much of a word that does not fit goes on the line: up to a comma, else what fits. */
static int word_piece(const char *word, int room)
{
	for (int i = room; i > 0; i--) {
		if (word[i - 1] == ',')
			return i;
	}
	return room > 1 ? room : 1;
}

void zwb_text_wrap(FILE *out, int width, const char *first, int indent, const char *text)
{
	int column = fprintf(out, "%s", first);
	int at_start = 1;

	while (*text) {
		int word = (int)strcspn(text, " ");
		int room = width - column - !at_start;

		if (word > room && !at_start) {
			column = fprintf(out, "\n%*s", indent, "") - 1;
			at_start = 1;
			continue;
		}
		if (word > room)
			word = word_piece(text, room);
		column += fprintf(out, "%s%.*s", at_start ? "" : " ", word, text);
		at_start = 0;
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* -- numbers -- */

#define FULL_BELOW 1e10 /* whole numbers from here on are abbreviated */
#define MAX_DIGITS 9 /* before and after the point together */

/* Digits before the decimal point, at least 1. */
static int int_digits(double value)
{
	return value < 10 ? 1 : (int)floor(log10(value)) + 1;
}

/* Decimals that show @digits significant digits of @value, which is not 0. */
static int decimals_for(double value, int digits)
{
	int decimals = digits - 1 - (int)floor(log10(value));

	return decimals > 0 ? decimals : 0;
}

/* Decimals in which a value and its spread are printed. */
static int pair_decimals(double value, double spread)
{
	int decimals, room = MAX_DIGITS - int_digits(fabs(value));

	if (isfinite(spread) && spread > 0)
		decimals = decimals_for(spread, 2);
	else if (value == rint(value))
		decimals = 0;
	else
		decimals = decimals_for(fabs(value), 4);
	if (decimals > room)
		decimals = room;
	return decimals > 0 ? decimals : 0;
}

/* 1 if the exponent takes three digits, also after rounding. */
static int is_long_exponent(double size)
{
	return size >= 9.5e99 || size < 1e-99;
}

void zwb_text_value(char *buf, double value, double spread)
{
	double size = fabs(value);

	if (!isfinite(value))
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "n/a");
	else if (size >= FULL_BELOW || (size > 0 && size < 1e-4))
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*e", is_long_exponent(size) ? 3 : 4, value);
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*f", pair_decimals(value, spread), value);
}

void zwb_text_spread(char *buf, double value, double spread)
{
	int decimals = isfinite(value) ? pair_decimals(value, spread) : 0;

	/* so small beside the value, or so large, that the decimals of the value do not show it */
	if (!isfinite(spread))
		buf[0] = '\0';
	else if (spread == 0)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "0");
	else if (spread >= 1e6 || decimals > 5 || spread < 0.95 * pow(10, -decimals))
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*e", is_long_exponent(spread) ? 0 : 1, spread);
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*f", decimals, spread);
}

void zwb_text_percent(char *buf, double percent)
{
	double size = fabs(percent);

	if (!isfinite(percent))
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "n/a");
	else if (size == 0)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "0.0%%");
	else if (size < 0.05)
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%+.1g%%", percent);
	else if (size >= 99999.95)
		snprintf(
			buf, ZWB_TEXT_NUM_SIZE, "%+.*e%%", is_long_exponent(size) ? 0 : 1, percent);
	else
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%+.1f%%", percent);
}

void zwb_text_exact(char *buf, double value)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, ZWB_TEXT_NUM_SIZE, "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
}
