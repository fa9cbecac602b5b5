/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading files under /proc and /sys, or under a tree that looks like them. */
#ifndef ZWB_HOSTFILE_H
#define ZWB_HOSTFILE_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

#define HOSTFILE_LINE 4096u /* longest value */
#define HOSTFILE_PATH 4096u

/**
 * hostfile_path() - @root and what @fmt says.
 * Return: false when it is too long.
 */
bool hostfile_path(char path[HOSTFILE_PATH], const char *root, const char *fmt, ...)
	ZWB_PRINTF(3, 4);

/** hostfile_open() - a regular file for reading; -1 when there is none that may be read. */
int hostfile_open(const char *path);

/**
 * hostfile_read() - append the whole content of @fd, from its begin, to @text.
 * Return: false when it cannot be read, or when memory is out (then also text->failed).
 */
bool hostfile_read(int fd, struct zwb_buf *text);

/**
 * hostfile_value() - the content of a small file on one line: several lines are joined by "; ",
 * blanks at both ends are left out.
 * Return: false when it cannot be read or is empty.
 */
bool hostfile_value(const char *path, char value[HOSTFILE_LINE]);

/**
 * hostfile_escape() - @name without line ends: those and backslashes become octal, as in
 * /proc/mounts.
 */
void hostfile_escape(const char *name, char *to, size_t room);

/** hostfile_unescape() - octal escapes in @name become what they stand for, in place. */
void hostfile_unescape(char *name);

#endif
