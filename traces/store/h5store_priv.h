/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writer and the reader of the store share. */
#ifndef ZWB_H5STORE_PRIV_H
#define ZWB_H5STORE_PRIV_H

#include "h5store.h"
#include "h5table.h"

/* The columns of /events, in this order. */
enum store_event_col {
	STORE_TS_NS,
	STORE_ADDR,
	STORE_TID,
	STORE_CGROUP,
	STORE_LEN,
	STORE_VAL,
	STORE_CPU,
	STORE_DEV,
	STORE_KIND,
	STORE_FLAGS,
	STORE_NR_EVENT_COLS
};

#define STORE_EVENTS "/events"

/* @cols: STORE_NR_EVENT_COLS columns, filled; they borrow @kind_names. */
void store_event_cols(struct zwb_h5col *cols, const char *kind_names[ZWB_EV_NR]);

/* All tables but /events, and the attributes of the root. */
int store_write_meta(struct zwb_h5file *f, const struct zwb_meta *meta, struct zwb_err *err);
int store_read_tables(struct zwb_h5file *f, struct zwb_meta *meta, struct zwb_err *err);
int store_read_attrs(struct zwb_h5file *f, struct zwb_meta *meta, struct zwb_err *err);

#endif
