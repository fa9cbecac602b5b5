/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files of procfs, sysfs and tracefs, whole. */
#include "readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define READFILE_PIECE_BYTES 65536
#define READFILE_MAX_BYTES   (64u << 20) /* several times the longest list there is */

int zwb_read_file(const char *path, struct zwb_buf *buf, struct zwb_err *err)
{
	char piece[READFILE_PIECE_BYTES];
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int sys_errno = fd < 0 ? errno : 0;
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && buf->len < READFILE_MAX_BYTES) {
		got = read(fd, piece, sizeof(piece));
		if (got > 0)
			zwb_buf_add(buf, piece, (size_t)got);
		else if (got < 0)
			sys_errno = errno;
	}
	if (fd >= 0)
		close(fd);
	if (sys_errno)
		return zwb_err_set(err, ZWB_EENV, sys_errno, "%s", path);
	zwb_buf_add(buf, "", 1);
	if (zwb_buf_check(buf, err))
		return ZWB_ENOMEM;
	buf->len--;
	return ZWB_OK;
}
