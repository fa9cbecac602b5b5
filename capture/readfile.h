/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files of procfs, sysfs and tracefs, whole. */
#ifndef ZWB_READFILE_H
#define ZWB_READFILE_H

#include "buf.h"

/**
 * zwb_read_file() - append the content of a file whose size the file system does not tell.
 * @buf: gets the content and a NUL, which is not part of its length.
 * Return: ZWB_OK; ZWB_EENV when it cannot be read; ZWB_ENOMEM.
 */
int zwb_read_file(const char *path, struct zwb_buf *buf, struct zwb_err *err);

#endif
