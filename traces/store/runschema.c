/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of run.h5 as h5table wants them. */
#include "runschema.h"

#include "meta.h"

static const char *const loss_kinds[] = {
#define ZWB_X(sym, name, doc) name,
	ZWB_LOSS_KINDS(ZWB_X)
#undef ZWB_X
};

/* In the order of enum zwb_metric_kind and enum zwb_better. */
static const char *const metric_kinds[] = { "count", "value", "hist" };
static const char *const better[] = { "lower", "neither", "higher" };

#define NAMED(names)                                                                               \
	.type = ZWB_H5_U8, .flags = (names), .nr_flags = sizeof(names) / sizeof((names)[0])

#define TYPE_U8		 .type = ZWB_H5_U8
#define TYPE_U16	 .type = ZWB_H5_U16
#define TYPE_U32	 .type = ZWB_H5_U32
#define TYPE_U64	 .type = ZWB_H5_U64
#define TYPE_F64	 .type = ZWB_H5_F64
#define TYPE_STR	 .type = ZWB_H5_STR
#define TYPE_LOSS_KIND	 NAMED(loss_kinds)
#define TYPE_METRIC_KIND NAMED(metric_kinds)
#define TYPE_BETTER	 NAMED(better)

#define ZWB_COL(table, col, col_name, col_type, unit, meaning)                                     \
	{ .name = (col_name), .units = (unit), .long_name = (meaning), TYPE_##col_type },
#define ZWB_X(table, path, meaning)                                                                \
	static const struct zwb_h5col cols_##table[] = { ZWB_RUN_##table##_COLS(ZWB_COL) };        \
	_Static_assert((int)ZWB_RUN_##table##_NR <= ZWB_RUN_MAX_COLS, "rows are larger than "      \
								      "that");
ZWB_RUN_TABLES(ZWB_X)
#undef ZWB_X
#undef ZWB_COL

const struct zwb_run_schema *zwb_run_schema(enum zwb_run_table table)
{
	static const struct zwb_run_schema schemas[ZWB_RUN_TABLE_NR] = {
#define ZWB_X(table, table_path, meaning)                                                          \
	{ .path = (table_path),                                                                    \
		.long_name = (meaning),                                                            \
		.cols = cols_##table,                                                              \
		.nr_cols = ZWB_RUN_##table##_NR },
		ZWB_RUN_TABLES(ZWB_X)
#undef ZWB_X
	};

	return &schemas[table];
}
