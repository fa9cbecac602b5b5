/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of policies and devices: described in a table, given as name=value. */
#ifndef ZWB_PARAM_H
#define ZWB_PARAM_H

#include <stdint.h>

/*
 * Self-contained: part of the public interface of policies built outside this tree. Every value is
 * an int64_t; a parameter with words is their index. A table ends with name NULL.
 */
struct zwb_param {
	const char *name;
	const char *unit; /* "ns", "pages"; "" for a plain number, NULL when words are given */
	const char *help; /* one sentence, no full stop */
	int64_t min, max; /* inclusive; not looked at when words are given */
	int64_t def;
	const char *const *words; /* NULL-terminated, or NULL */
};

#define ZWB_PARAM_MAX 16 /* rows of one table */

#endif
