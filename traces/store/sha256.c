/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256, by nettle. */
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES (256u << 10)

static void to_hex(struct sha256_ctx *ctx, char hex[ZWB_SHA256_HEX])
{
	unsigned char digest[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

int zwb_sha256_file(const char *path, char hex[ZWB_SHA256_HEX], struct zwb_err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	unsigned char *buffer = malloc(BUFFER_BYTES);
	struct sha256_ctx ctx;
	ssize_t got = 1;
	int ret = ZWB_OK;

	if (fd < 0)
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	else if (!buffer)
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
	sha256_init(&ctx);
	while (!ret && got > 0) {
		got = read(fd, buffer, BUFFER_BYTES);
		if (got < 0)
			ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", path);
		else
			sha256_update(&ctx, (size_t)got, buffer);
	}
	if (!ret)
		to_hex(&ctx, hex);
	if (fd >= 0)
		close(fd);
	free(buffer);
	return ret;
}

void zwb_sha256(const void *data, size_t len, char hex[ZWB_SHA256_HEX])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, len, data);
	to_hex(&ctx, hex);
}
