/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and lists out of text that a person typed: options and parameters. */
#ifndef ZWB_PARSE_H
#define ZWB_PARSE_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A number is taken whole or not at all: no leading space, no trailing letters, no sign where the
 * type has none, no silent wrap. The error text quotes the input and says what was expected; the
 * caller puts the name of the option or parameter in front (zwb_err_prefix()). Ranges are
 * inclusive at both ends. All return ZWB_OK or ZWB_EUSAGE, and leave *@value alone on failure.
 */

/** zwb_parse_u64() - decimal, or hexadecimal with 0x. */
int zwb_parse_u64(
	const char *text, uint64_t min, uint64_t max, uint64_t *value, struct zwb_err *err);

/** zwb_parse_seconds() - seconds with up to nine decimals ("2", "0.25") to nanoseconds. */
int zwb_parse_seconds(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *value_ns,
	struct zwb_err *err);

/** zwb_parse_bytes() - a whole number of bytes with an optional suffix K, M, G or T (1024s). */
int zwb_parse_bytes(const char *text, uint64_t min_bytes, uint64_t max_bytes, uint64_t *value_bytes,
	struct zwb_err *err);

/** zwb_parse_double() - a finite decimal fraction, exponent allowed. */
int zwb_parse_double(const char *text, double min, double max, double *value, struct zwb_err *err);

/** zwb_parse_choice() - index of @text in the NULL-terminated @choices. */
int zwb_parse_choice(const char *text, const char *const *choices, int *index, struct zwb_err *err);

/** zwb_parse_flag() - yes, on, true, 1 or no, off, false, 0. */
int zwb_parse_flag(const char *text, int *value, struct zwb_err *err);

/**
 * zwb_parse_pair() - cut the next item off a "NAME=VALUE,NAME=VALUE" list, in place.
 * @list: in: rest of the list, modified; out: what follows, NULL after the last item.
 * @name: set to the item's name; never empty.
 * @value: set to the text behind "=", NULL for an item without "=".
 * Return: ZWB_OK, or ZWB_EUSAGE for an empty item or name.
 *
 * A list that is one item long, or a plain list of words, is read by the same call.
 */
int zwb_parse_pair(char **list, char **name, char **value, struct zwb_err *err);

/**
 * zwb_open_text() - open a file that a person named, for reading.
 * @f: set; closed by the caller with fclose().
 * Return: ZWB_OK; ZWB_EENV when it cannot be opened or is a directory; ZWB_EKIND when it is no
 * regular file (a pipe could keep us waiting, a device has no end).
 */
int zwb_open_text(const char *path, FILE **f, struct zwb_err *err);

#endif
