/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing byte buffer. */
#include "buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUF_FIRST_ROOM 256

static int buf_reserve(struct zwb_buf *buf, size_t more)
{
	size_t room = buf->room ? buf->room : BUF_FIRST_ROOM;
	unsigned char *bigger;

	if (buf->failed)
		return 0;
	if (more <= buf->room - buf->len)
		return 1;
	buf->failed = 1;
	if (more > SIZE_MAX / 2 - buf->len)
		return 0;
	while (room < buf->len + more)
		room *= 2;
	bigger = realloc(buf->data, room);
	if (!bigger)
		return 0;
	buf->data = bigger;
	buf->room = room;
	buf->failed = 0;
	return 1;
}

void zwb_buf_add(struct zwb_buf *buf, const void *data, size_t len)
{
	if (len == 0 || !buf_reserve(buf, len))
		return;
	memcpy(buf->data + buf->len, data, len);
	buf->len += len;
}

void zwb_buf_addf(struct zwb_buf *buf, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0) {
		buf->failed = 1;
		return;
	}
	if (!buf_reserve(buf, (size_t)len + 1)) /* the NUL lies past the end */
		return;
	va_start(ap, fmt);
	vsnprintf((char *)buf->data + buf->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	buf->len += (size_t)len;
}

int zwb_buf_check(const struct zwb_buf *buf, struct zwb_err *err)
{
	if (buf->failed)
		return zwb_err_set(err, ZWB_ENOMEM, 0,
			"no memory for a buffer of more than %zu bytes", buf->len);
	return ZWB_OK;
}

void zwb_buf_release(struct zwb_buf *buf)
{
	free(buf->data);
	*buf = (struct zwb_buf){ 0 };
}
