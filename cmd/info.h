/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What "zwb info" found in a file, and the two forms of saying it. */
#ifndef ZWB_INFO_H
#define ZWB_INFO_H

#include "err.h"
#include "h5table.h"
#include "meta.h"
#include "run.h"
#include "summary.h"

#include <stdio.h>

#define ZWB_INFO_SCHEMA_VERSION 1

/* A table of a run file. */
struct zwb_info_table {
	char path[64];
	uint64_t nr_rows;
};

struct zwb_info {
	const char *path; /* as given */
	const char *kind; /* "trace.dat", "store", "run" */
	/* recordings and stores */
	const struct zwb_meta *meta; /* NULL for a run */
	struct zwb_summary summary;
	const char *stopped; /* why the events end early, or NULL */
	/* run files */
	const struct zwb_run *run;
	struct zwb_info_table *tables;
	size_t nr_tables;
};

/** zwb_info_text() - for people. */
void zwb_info_text(FILE *out, const struct zwb_info *info);

/** zwb_info_json() - for programs: one object. Return: ZWB_OK or ZWB_ENOMEM. */
int zwb_info_json(FILE *out, const struct zwb_info *info, struct zwb_err *err);

#endif
