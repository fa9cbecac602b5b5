/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing byte buffer. */
#ifndef ZWB_BUF_H
#define ZWB_BUF_H

#include "err.h"

#include <stddef.h>

/*
 * All zeros is a valid empty buffer. data may move at every add; it is not NUL-terminated. A failed
 * add is remembered and turns the following ones into no-ops, so that a whole record can be put
 * together and checked once.
 */
struct zwb_buf {
	unsigned char *data;
	size_t len;
	size_t room;
	int failed;
};

/** zwb_buf_add() - append @len bytes. */
void zwb_buf_add(struct zwb_buf *buf, const void *data, size_t len);

/** zwb_buf_addf() - append formatted text, without its NUL. */
void zwb_buf_addf(struct zwb_buf *buf, const char *fmt, ...) ZWB_PRINTF(2, 3);

/** zwb_buf_check() - ZWB_OK, or ZWB_ENOMEM when an add failed since the buffer was empty. */
int zwb_buf_check(const struct zwb_buf *buf, struct zwb_err *err);

/** zwb_buf_release() - free the content; the buffer is empty afterwards. */
void zwb_buf_release(struct zwb_buf *buf);

#endif
