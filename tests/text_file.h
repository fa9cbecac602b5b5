/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file with a given text, for readers that want a path. */
#ifndef ZWB_TEXT_FILE_H
#define ZWB_TEXT_FILE_H

#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_FILE_TEMPLATE "/tmp/zwb-test-XXXXXX"

/* @path: holds TEXT_FILE_TEMPLATE; the caller unlinks it. */
static inline void write_text_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
}

#endif
