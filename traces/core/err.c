/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error object. */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef zwb_err_set

int zwb_err_set(struct zwb_err *err, int status, int sys_errno, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	if (!err)
		return status;
	err->status = status;
	err->sys_errno = sys_errno;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (sys_errno) {
		len = strlen(err->text);
		snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror(sys_errno));
	}
	return status;
}

void zwb_err_prefix(struct zwb_err *err, const char *fmt, ...)
{
	char context[ZWB_ERR_TEXT];
	char old[ZWB_ERR_TEXT];
	va_list ap;
	size_t len;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(context, sizeof(context), fmt, ap);
	va_end(ap);
	len = strnlen(context, sizeof(context) / 2);
	snprintf(err->text, sizeof(err->text), "%.*s: %.*s", (int)len, context,
		(int)(sizeof(err->text) - len - 3), old);
}

enum zwb_exit_code zwb_status_exit_code(int status)
{
	switch (status) {
	case ZWB_OK:
		return ZWB_EXIT_OK;
	case ZWB_EUSAGE:
	case ZWB_EKIND:
		return ZWB_EXIT_USAGE;
	case ZWB_EDATA:
		return ZWB_EXIT_DATA;
	default:
		return ZWB_EXIT_ENV;
	}
}
