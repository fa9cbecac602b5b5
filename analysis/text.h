/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and numbers in a form that is safe to print and says no more than is known. */
#ifndef ZWB_TEXT_H
#define ZWB_TEXT_H

#include "err.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Names of cgroups, files and policies come from outside and may hold any byte. Reports show bytes
 * that a terminal or a parser could trip over as \xNN.
 */

/** zwb_text_ascii() - @s with every byte that is not printable ASCII as \xNN; caller frees. */
char *zwb_text_ascii(const char *s);

/**
 * zwb_text_utf8() - @s as valid UTF-8 without control characters or such that change the direction
 * of writing: those bytes become \xNN. Caller frees.
 */
char *zwb_text_utf8(const char *s);

/** zwb_text_printf() - formatted text; caller frees; NULL without memory. */
char *zwb_text_printf(const char *fmt, ...) ZWB_PRINTF(1, 2);

/**
 * zwb_text_wrap() - print ASCII text in lines of at most @width columns.
 * @first: what the first line starts with.
 * @indent: spaces in front of the others.
 * Breaks at spaces; a word that is longer than a line is cut, after a comma if it has one.
 */
void zwb_text_wrap(FILE *out, int width, const char *first, int indent, const char *text);

/* Longest texts of the next three functions. */
#define ZWB_TEXT_VALUE	  11 /* "-1.2346e+10" */
#define ZWB_TEXT_SPREAD	  7 /* "1.2e-04" */
#define ZWB_TEXT_PERCENT  9 /* "+1.2e+05%" */
#define ZWB_TEXT_NUM_SIZE 32 /* of a buffer for any of them */

/**
 * zwb_text_value() - a number as in a table, at most ZWB_TEXT_VALUE characters.
 * @spread: its standard deviation, NAN if there is none: gives the number of decimals.
 * Whole numbers are printed in full, others with four significant digits; "n/a" for NAN.
 */
void zwb_text_value(char *buf, double value, double spread);

/** zwb_text_spread() - the standard deviation of @value, two digits, never rounded to zero. */
void zwb_text_spread(char *buf, double value, double spread);

/** zwb_text_percent() - a signed change, never rounded to zero; "n/a" for NAN. */
void zwb_text_percent(char *buf, double percent);

/** zwb_text_exact() - the shortest number that reads back as @value, which is finite. */
void zwb_text_exact(char *buf, double value);

#endif
