/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrappers that the linker puts in front of the allocation functions. */
#include "alloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

/* The names are the linker's. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t nr, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
int __real_vasprintf(char **text, const char *fmt, va_list ap);
FILE *__real_open_memstream(char **text, size_t *len);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
int __wrap_asprintf(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
FILE *__wrap_open_memstream(char **text, size_t *len);

static long allocations_left = -1;

void fault_alloc_after(long nr)
{
	allocations_left = nr;
}

FILE *fault_alloc_stream(char **text, size_t *len)
{
	return __real_open_memstream(text, len);
}

static int fails(void)
{
	if (allocations_left < 0)
		return 0;
	if (allocations_left > 0) {
		allocations_left--;
		return 0;
	}
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return fails() ? NULL : __real_calloc(nr, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

int __wrap_vasprintf(char **text, const char *fmt, va_list ap)
{
	if (!fails())
		return __real_vasprintf(text, fmt, ap);
	*text = (char *)1; /* what it is after a failure is not defined */
	return -1;
}

int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = __wrap_vasprintf(text, fmt, ap);
	va_end(ap);
	return len;
}

FILE *__wrap_open_memstream(char **text, size_t *len)
{
	return fails() ? NULL : __real_open_memstream(text, len);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
