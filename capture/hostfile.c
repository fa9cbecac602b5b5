/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading files under /proc and /sys, or under a tree that looks like them. */
#include "hostfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOSTFILE_MAX_BYTES (8u << 20)

bool hostfile_path(char path[HOSTFILE_PATH], const char *root, const char *fmt, ...)
{
	size_t len = strnlen(root, HOSTFILE_PATH);
	va_list args;
	int added;

	if (len == HOSTFILE_PATH)
		return false;
	memcpy(path, root, len);
	va_start(args, fmt);
	added = vsnprintf(path + len, HOSTFILE_PATH - len, fmt, args);
	va_end(args);
	return added >= 0 && (size_t)added < HOSTFILE_PATH - len;
}

int hostfile_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool hostfile_read(int fd, struct zwb_buf *text)
{
	char piece[16384];
	off_t at = 0;
	ssize_t got;

	do {
		got = pread(fd, piece, sizeof(piece), at);
		if (got > 0) {
			zwb_buf_add(text, piece, (size_t)got);
			at += got;
		}
	} while ((got > 0 && at < (off_t)HOSTFILE_MAX_BYTES) || (got < 0 && errno == EINTR));
	return got >= 0 && !text->failed;
}

/* @len without the blanks and separators at the end. */
static size_t trimmed(const char *value, size_t len)
{
	while (len && (value[len - 1] == ' ' || value[len - 1] == ';'))
		len--;
	return len;
}

bool hostfile_value(const char *path, char value[HOSTFILE_LINE])
{
	int fd = hostfile_open(path);
	struct zwb_buf text = { 0 };
	size_t len = 0;
	bool is_read;

	if (fd < 0)
		return false;
	is_read = hostfile_read(fd, &text);
	close(fd);
	for (size_t i = 0; is_read && i < text.len && len < HOSTFILE_LINE - 3; i++) {
		unsigned char c = text.data[i];

		if (c == '\n') {
			len = trimmed(value, len);
			memcpy(value + len, "; ", 2);
			len += len ? 2 : 0;
		} else if (c > ' ') {
			value[len++] = (char)c;
		} else if (len) {
			value[len++] = ' ';
		}
	}
	zwb_buf_release(&text);
	len = trimmed(value, len);
	value[len] = '\0';
	return len > 0;
}

void hostfile_escape(const char *name, char *to, size_t room)
{
	size_t len = 0;

	for (; *name && len + 5 <= room; name++) {
		if ((unsigned char)*name < ' ' || *name == '\\')
			len += (size_t)snprintf(
				to + len, room - len, "\\%03o", (unsigned int)(unsigned char)*name);
		else
			to[len++] = *name;
	}
	to[len] = '\0';
}

static bool is_octal(const char *digits)
{
	return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
	       digits[2] >= '0' && digits[2] <= '7';
}

void hostfile_unescape(char *name)
{
	char *to = name;

	while (*name) {
		if (*name == '\\' && is_octal(name + 1)) {
			*to++ = (char)((name[1] - '0') << 6 | (name[2] - '0') << 3 |
				       (name[3] - '0'));
			name += 4;
		} else {
			*to++ = *name++;
		}
	}
	*to = '\0';
}
