/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a trace.dat file: bounded reads, cursors, decompression. */
#include "tracedat_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

int dat_file_open(struct dat_file *f, const char *path, struct zwb_err *err)
{
	struct stat st;

	f->path = path;
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot be opened", path);
	if (fstat(f->fd, &st) < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot be examined", path);
	if (S_ISDIR(st.st_mode))
		return zwb_err_set(
			err, ZWB_EENV, 0, "%s: is a directory; name the trace.dat in it", path);
	if (!S_ISREG(st.st_mode))
		return zwb_err_set(err, ZWB_EENV, 0, "%s: is not a regular file", path);
	f->size = (uint64_t)st.st_size;
	return ZWB_OK;
}

void dat_file_close(struct dat_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

int dat_file_read(
	const struct dat_file *f, uint64_t offset, void *to, size_t len, struct zwb_err *err)
{
	unsigned char *p = to;

	if (offset > f->size || len > f->size - offset)
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%s: %zu bytes wanted at offset %llu, the file ends at %llu: cut short?",
			f->path, len, (unsigned long long)offset, (unsigned long long)f->size);
	while (len) {
		ssize_t n = pread(f->fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return zwb_err_set(err, ZWB_EENV, errno, "%s: reading at offset %llu",
				f->path, (unsigned long long)offset);
		if (n == 0)
			return zwb_err_set(
				err, ZWB_EDATA, 0, "%s: became shorter while it was read", f->path);
		p += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return ZWB_OK;
}

void dat_fail(struct dat_cursor *c, const char *why)
{
	if (c->status)
		return;
	c->status = zwb_err_set(c->err, ZWB_EDATA, 0, "%s: %s at offset %llu%s: %s", c->file->path,
		c->what, (unsigned long long)c->pos, c->mem ? " of the section" : "", why);
}

void dat_read(struct dat_cursor *c, void *to, size_t len)
{
	if (!c->status && (c->pos > c->end || len > c->end - c->pos))
		dat_fail(c, "ends too early");
	if (!c->status && !c->mem)
		c->status = dat_file_read(c->file, c->pos, to, len, c->err);
	else if (!c->status)
		memcpy(to, c->mem + c->pos, len);
	if (c->status)
		memset(to, 0, len);
	else
		c->pos += len;
}

void dat_skip(struct dat_cursor *c, uint64_t len)
{
	if (!c->status && (c->pos > c->end || len > c->end - c->pos))
		dat_fail(c, "ends too early");
	if (!c->status)
		c->pos += len;
}

uint8_t dat_u8(struct dat_cursor *c)
{
	uint8_t v;

	dat_read(c, &v, sizeof(v));
	return v;
}

uint16_t dat_u16(struct dat_cursor *c)
{
	uint16_t v;

	dat_read(c, &v, sizeof(v));
	return v;
}

uint32_t dat_u32(struct dat_cursor *c)
{
	uint32_t v;

	dat_read(c, &v, sizeof(v));
	return v;
}

uint64_t dat_u64(struct dat_cursor *c)
{
	uint64_t v;

	dat_read(c, &v, sizeof(v));
	return v;
}

void dat_nomem(struct dat_cursor *c)
{
	if (!c->status)
		c->status = zwb_err_set(
			c->err, ZWB_ENOMEM, 0, "%s: no memory for %s", c->file->path, c->what);
}

char *dat_text(struct dat_cursor *c, uint64_t len, size_t max)
{
	char *text;

	if (!c->status && (c->pos > c->end || len > c->end - c->pos))
		dat_fail(c, "ends too early");
	if (!c->status && len > max)
		dat_fail(c, "too long to be true");
	if (c->status)
		return NULL;
	text = malloc((size_t)len + 1);
	if (!text) {
		dat_nomem(c);
		return NULL;
	}
	dat_read(c, text, (size_t)len);
	text[len] = '\0';
	if (c->status) {
		free(text);
		return NULL;
	}
	return text;
}

void dat_string(struct dat_cursor *c, char *to, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		to[i] = (char)dat_u8(c);
		if (!to[i])
			return;
	}
	to[size - 1] = '\0';
	dat_fail(c, "a name does not end");
}

int dat_unpacker_init(struct dat_unpacker *u, enum dat_codec codec, struct zwb_err *err)
{
	u->codec = codec;
	if (codec == DAT_ZSTD)
		u->context = ZSTD_createDCtx();
	if (codec == DAT_ZLIB)
		u->context = libdeflate_alloc_decompressor();
	if (codec != DAT_PLAIN && !u->context)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a decompressor");
	return ZWB_OK;
}

void dat_unpacker_release(struct dat_unpacker *u)
{
	if (u->codec == DAT_ZSTD)
		ZSTD_freeDCtx(u->context);
	if (u->codec == DAT_ZLIB && u->context)
		libdeflate_free_decompressor(u->context);
	u->context = NULL;
}

int dat_unpack(
	const struct dat_unpacker *u, const void *from, size_t from_len, void *to, size_t to_len)
{
	size_t got;

	switch (u->codec) {
	case DAT_ZSTD:
		got = ZSTD_decompressDCtx(u->context, to, to_len, from, from_len);
		return ZSTD_isError(got) || got != to_len ? -1 : 0;
	case DAT_ZLIB:
		return libdeflate_zlib_decompress(u->context, from, from_len, to, to_len, NULL) ==
				       LIBDEFLATE_SUCCESS
			       ? 0
			       : -1;
	default:
		return -1;
	}
}
