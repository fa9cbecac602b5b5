/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads comma-separated values whose first line names the columns. */
#ifndef ZWB_CSVREAD_H
#define ZWB_CSVREAD_H

#include "err.h"

#include <stddef.h>

/*
 * Quoted cells are understood (RFC 4180), line breaks inside them are not. Empty lines are skipped.
 * Errors name the file and the line.
 */
struct zwb_csv;

#define ZWB_CSV_NO_COLUMN   (-1)
#define ZWB_CSV_MAX_COLUMNS 1024u

/**
 * zwb_csv_open() - open a file and read its first line.
 * Return: ZWB_OK; ZWB_EENV; ZWB_EKIND if it is empty or has too many columns; ZWB_ENOMEM.
 */
int zwb_csv_open(const char *path, struct zwb_csv **out, struct zwb_err *err);
void zwb_csv_close(struct zwb_csv *csv);

size_t zwb_csv_nr_columns(const struct zwb_csv *csv);
/** zwb_csv_name() - of column @i, below the number of columns; valid until closed. */
const char *zwb_csv_name(const struct zwb_csv *csv, size_t i);
/** zwb_csv_find() - the first column called @name, or ZWB_CSV_NO_COLUMN. */
int zwb_csv_find(const struct zwb_csv *csv, const char *name);

/**
 * zwb_csv_next() - the next line.
 * Return: 1; 0 after the last one; ZWB_EDATA for another number of cells than the first line has;
 * ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_csv_next(struct zwb_csv *csv, struct zwb_err *err);

/** zwb_csv_line() - number of the present line, from 1. */
unsigned long zwb_csv_line(const struct zwb_csv *csv);
/** zwb_csv_cell() - a cell of the present line; "" for ZWB_CSV_NO_COLUMN. */
const char *zwb_csv_cell(const struct zwb_csv *csv, int column);

/**
 * zwb_csv_number() - the number in a cell; *@value stays as it is where there is none.
 * Return: ZWB_OK; ZWB_EDATA if something else stands there.
 */
int zwb_csv_number(const struct zwb_csv *csv, int column, double *value, struct zwb_err *err);

#endif
