/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 of files, by which recordings are told apart. */
#ifndef ZWB_SHA256_H
#define ZWB_SHA256_H

#include "err.h"

#include <stddef.h>

#define ZWB_SHA256_HEX 65 /* digits and NUL */

/** zwb_sha256_file() - digest of a whole file in lower-case hex. Return: ZWB_OK or ZWB_EENV. */
int zwb_sha256_file(const char *path, char hex[ZWB_SHA256_HEX], struct zwb_err *err);

/**
 * zwb_sha256_sparse() - digest of the blocks of 4096 bytes that are not all zeros; for files that
 * are mostly holes. It is the same whether the holes are there or not.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_sha256_sparse(const char *path, char hex[ZWB_SHA256_HEX], struct zwb_err *err);

/** zwb_sha256() - digest of @len bytes. */
void zwb_sha256(const void *data, size_t len, char hex[ZWB_SHA256_HEX]);

#endif
