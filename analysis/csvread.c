/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads comma-separated values. */
#include "csvread.h"

#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct zwb_csv {
	char *path;
	FILE *file;
	char *header, *line; /* cells point into these */
	size_t line_size;
	unsigned long line_nr;
	char *names[ZWB_CSV_MAX_COLUMNS];
	char *cells[ZWB_CSV_MAX_COLUMNS];
	size_t nr_columns;
};

/* Cut the next cell off @line, in place, quotes removed; NULL after the last. */
static char *cut_cell(char **line)
{
	char *cell = *line, *from, *to;

	if (!cell)
		return NULL;
	if (*cell != '"') {
		*line = strchr(cell, ',');
		if (*line)
			*(*line)++ = '\0';
		return cell;
	}
	for (from = to = cell + 1; *from && (*from != '"' || from[1] == '"'); from++) {
		if (*from == '"')
			from++;
		*to++ = *from;
	}
	if (*from == '"')
		from++;
	*to = '\0';
	*line = *from == ',' ? from + 1 : NULL;
	return cell + 1;
}

/* Cells of a line; more than there may be count as one too many. */
static size_t cut_line(char *line, char **cells)
{
	char *cell;
	size_t nr = 0;

	while ((cell = cut_cell(&line))) {
		if (nr == ZWB_CSV_MAX_COLUMNS)
			return nr + 1;
		cells[nr++] = cell;
	}
	return nr;
}

/* Reads the next line that is not empty. Return: 1, 0 at the end, ZWB_EENV. */
static int read_line(struct zwb_csv *csv, struct zwb_err *err)
{
	errno = 0;
	while (getline(&csv->line, &csv->line_size, csv->file) >= 0) {
		csv->line_nr++;
		csv->line[strcspn(csv->line, "\r\n")] = '\0';
		if (csv->line[0])
			return 1;
	}
	if (feof(csv->file))
		return 0;
	return zwb_err_set(
		err, errno == ENOMEM ? ZWB_ENOMEM : ZWB_EENV, errno, "%s: cannot read", csv->path);
}

static int read_header(struct zwb_csv *csv, struct zwb_err *err)
{
	int ret = read_line(csv, err);

	if (ret < 0)
		return ret;
	if (ret == 0)
		return zwb_err_set(err, ZWB_EKIND, 0, "%s: empty", csv->path);
	csv->header = csv->line;
	csv->line = NULL;
	csv->line_size = 0;
	csv->nr_columns = cut_line(csv->header, csv->names);
	if (csv->nr_columns > ZWB_CSV_MAX_COLUMNS)
		return zwb_err_set(err, ZWB_EKIND, 0, "%s: more than %u columns", csv->path,
			ZWB_CSV_MAX_COLUMNS);
	return ZWB_OK;
}

int zwb_csv_open(const char *path, struct zwb_csv **out, struct zwb_err *err)
{
	struct zwb_csv *csv = calloc(1, sizeof(*csv));
	int ret;

	*out = NULL;
	if (!csv)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for it", path);
	csv->path = strdup(path);
	if (csv->path)
		ret = zwb_open_text(path, &csv->file, err);
	else
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for it", path);
	if (!ret)
		ret = read_header(csv, err);
	if (ret) {
		zwb_csv_close(csv);
		return ret;
	}
	*out = csv;
	return ZWB_OK;
}

void zwb_csv_close(struct zwb_csv *csv)
{
	if (!csv)
		return;
	if (csv->file)
		fclose(csv->file);
	free(csv->path);
	free(csv->header);
	free(csv->line);
	free(csv);
}

size_t zwb_csv_nr_columns(const struct zwb_csv *csv)
{
	return csv->nr_columns;
}

const char *zwb_csv_name(const struct zwb_csv *csv, size_t i)
{
	return csv->names[i];
}

int zwb_csv_find(const struct zwb_csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->nr_columns; i++) {
		if (strcmp(csv->names[i], name) == 0)
			return (int)i;
	}
	return ZWB_CSV_NO_COLUMN;
}

int zwb_csv_next(struct zwb_csv *csv, struct zwb_err *err)
{
	int ret = read_line(csv, err);
	size_t nr;

	if (ret <= 0)
		return ret;
	nr = cut_line(csv->line, csv->cells);
	if (nr != csv->nr_columns)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%s, line %lu: %zu cells where the first line has %zu", csv->path,
			csv->line_nr, nr, csv->nr_columns);
	return 1;
}

unsigned long zwb_csv_line(const struct zwb_csv *csv)
{
	return csv->line_nr;
}

const char *zwb_csv_cell(const struct zwb_csv *csv, int column)
{
	return column < 0 ? "" : csv->cells[column];
}

int zwb_csv_number(const struct zwb_csv *csv, int column, double *value, struct zwb_err *err)
{
	const char *cell = zwb_csv_cell(csv, column);

	if (cell[0] == '\0')
		return ZWB_OK;
	if (zwb_parse_double(cell, -HUGE_VAL, HUGE_VAL, value, err)) {
		zwb_err_prefix(err, "%s, line %lu: column %s", csv->path, csv->line_nr,
			csv->names[column]);
		if (err)
			err->status = ZWB_EDATA;
		return ZWB_EDATA;
	}
	return ZWB_OK;
}
