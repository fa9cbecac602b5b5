/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256, by nettle. */
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (256u << 10)
#define SPARSE_BYTES 4096

static void to_hex(struct sha256_ctx *ctx, char hex[ZWB_SHA256_HEX])
{
	unsigned char digest[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static int read_block(
	const char *path, int fd, off_t at, unsigned char *buffer, size_t *len, struct zwb_err *err)
{
	ssize_t got;

	do {
		got = pread(fd, buffer, BUFFER_BYTES, at);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", path);
	*len = (size_t)got;
	return ZWB_OK;
}

static void add_blocks_with_data(struct sha256_ctx *ctx, const unsigned char *data, size_t len)
{
	static const unsigned char zeros[SPARSE_BYTES];

	for (size_t at = 0; at < len; at += SPARSE_BYTES) {
		size_t bytes = len - at < SPARSE_BYTES ? len - at : SPARSE_BYTES;

		if (memcmp(data + at, zeros, bytes) != 0)
			sha256_update(ctx, bytes, data + at);
	}
}

/* Behind the hole that begins at @at, if there is one, but not within a block. */
static off_t skip_hole(int fd, off_t at)
{
	off_t data = lseek(fd, at, SEEK_DATA);

	if (data < 0 && errno == ENXIO) /* a hole up to the end */
		data = lseek(fd, 0, SEEK_END);
	return data > at ? data - data % SPARSE_BYTES : at;
}

static int digest_file(
	const char *path, int is_sparse, char hex[ZWB_SHA256_HEX], struct zwb_err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	unsigned char *buffer = malloc(BUFFER_BYTES);
	struct sha256_ctx ctx;
	size_t len = 1;
	int ret = ZWB_OK;

	if (fd < 0)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	else if (!buffer)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	sha256_init(&ctx);
	for (off_t at = 0; !ret && len > 0; at += (off_t)len) {
		if (is_sparse)
			at = skip_hole(fd, at);
		ret = read_block(path, fd, at, buffer, &len, err);
		if (!ret && is_sparse)
			add_blocks_with_data(&ctx, buffer, len);
		else if (!ret)
			sha256_update(&ctx, len, buffer);
	}
	if (!ret)
		to_hex(&ctx, hex);
	if (fd >= 0)
		close(fd);
	free(buffer);
	return ret;
}

int zwb_sha256_file(const char *path, char hex[ZWB_SHA256_HEX], struct zwb_err *err)
{
	return digest_file(path, 0, hex, err);
}

int zwb_sha256_sparse(const char *path, char hex[ZWB_SHA256_HEX], struct zwb_err *err)
{
	return digest_file(path, 1, hex, err);
}

void zwb_sha256(const void *data, size_t len, char hex[ZWB_SHA256_HEX])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, len, data);
	to_hex(&ctx, hex);
}
