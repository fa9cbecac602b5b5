/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of many CPUs on their way into a trace.dat: one sparse file. */
#include "datwriter_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPOOL_MODE     0666
#define SPOOL_PART_MAX (1ull << 40) /* days of one busy CPU */
#define SPOOL_PART_MIN (1ull << 16)
#define SPOOL_COPY     (1u << 20)

static int spool_create(struct zwb_datspool *s, const struct zwb_outfile *out, struct zwb_err *err)
{
	int flags = O_RDWR | O_CREAT | O_CLOEXEC | (out->force ? O_TRUNC : O_EXCL);

	if (asprintf(&s->path, "%s.partial", out->path) < 0) {
		s->path = NULL;
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for its name", out->path);
	}
	s->fd = open(s->path, flags, SPOOL_MODE);
	if (s->fd < 0 && errno == EEXIST)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s exists: a recording that was not finished, or still runs; "
			"keep or remove it, or use --force",
			s->path);
	if (s->fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot create", s->path);
	return ZWB_OK;
}

/* The longest parts that the file system, and the limit on file sizes, have room for. */
static int spool_divide(struct zwb_datspool *s, const struct zwb_outfile *out, struct zwb_err *err)
{
	uint64_t nr_parts = 1 + (uint64_t)s->nr_cpus;

	for (uint64_t part = SPOOL_PART_MAX; part >= SPOOL_PART_MIN; part /= 2) {
		if (ftruncate(s->fd, (off_t)(nr_parts * part)) != 0)
			continue;
		s->part_bytes = part;
		if (ftruncate(s->fd, 0) == 0)
			return ZWB_OK;
	}
	return zwb_err_set(err, ZWB_EENV, errno,
		"%s: its temporary file cannot be as long as %u CPUs need", out->path, s->nr_cpus);
}

int zwb_datspool_open(struct zwb_datspool *s, const struct zwb_outfile *out, int is_named,
	uint32_t nr_cpus, struct zwb_err *err)
{
	int ret = ZWB_OK;

	*s = (struct zwb_datspool){ .fd = -1, .nr_cpus = nr_cpus };
	s->bytes = calloc(nr_cpus, sizeof(*s->bytes));
	if (!s->bytes)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for %u CPUs", nr_cpus);
	if (is_named) {
		ret = spool_create(s, out, err);
	} else {
		s->fd = zwb_outfile_spool(out, err);
		if (s->fd < 0)
			ret = s->fd;
	}
	if (!ret)
		ret = spool_divide(s, out, err);
	if (ret) /* a file that was not opened is not ours to remove */
		zwb_datspool_close(s, s->fd < 0);
	return ret;
}

static int spool_write(struct zwb_datspool *s, const struct zwb_outfile *out, uint64_t offset,
	const void *data, size_t len, struct zwb_err *err)
{
	const char *at = data;

	while (len > 0) {
		ssize_t done = pwrite(s->fd, at, len, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot write%s", out->path,
				s->path ? " the part that is recorded so far" : "");
		at += done;
		len -= (size_t)done;
		offset += (uint64_t)done;
	}
	return ZWB_OK;
}

uint64_t zwb_datspool_offset(const struct zwb_datspool *s, uint32_t cpu)
{
	return s->part_bytes * (1 + (uint64_t)cpu);
}

int zwb_datspool_append(struct zwb_datspool *s, const struct zwb_outfile *out, uint32_t cpu,
	const void *data, size_t len, struct zwb_err *err)
{
	uint64_t bytes = s->bytes[cpu];
	int ret;

	if (len > s->part_bytes - bytes)
		return zwb_err_set(err, ZWB_EENV, EFBIG,
			"%s: CPU %u has filled the %llu MiB that its temporary file has for it",
			out->path, cpu, (unsigned long long)(s->part_bytes >> 20));
	ret = spool_write(s, out, zwb_datspool_offset(s, cpu) + bytes, data, len, err);
	if (!ret)
		s->bytes[cpu] = bytes + len;
	return ret;
}

int zwb_datspool_put_head(struct zwb_datspool *s, const struct zwb_outfile *out, uint64_t offset,
	const void *data, size_t len, struct zwb_err *err)
{
	if (offset > s->part_bytes || len > s->part_bytes - offset)
		return zwb_err_set(err, ZWB_EENV, EFBIG,
			"%s: the head does not fit into its temporary file", out->path);
	return spool_write(s, out, offset, data, len, err);
}

static int spool_copy(struct zwb_datspool *s, const struct zwb_outfile *out, uint32_t cpu,
	unsigned char *space, struct zwb_err *err)
{
	uint64_t at = zwb_datspool_offset(s, cpu);
	uint64_t end = at + s->bytes[cpu];

	while (at < end) {
		size_t want = end - at < SPOOL_COPY ? (size_t)(end - at) : SPOOL_COPY;
		ssize_t got = pread(s->fd, space, want, (off_t)at);
		int ret;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return zwb_err_set(err, ZWB_EENV, got < 0 ? errno : EIO,
				"%s: cannot read its temporary file", out->path);
		ret = zwb_outfile_write(out, out->fd, space, (size_t)got, err);
		if (ret)
			return ret;
		at += (uint64_t)got;
	}
	return ZWB_OK;
}

int zwb_datspool_copy(
	struct zwb_datspool *s, const struct zwb_outfile *out, uint32_t cpu, struct zwb_err *err)
{
	unsigned char *space;
	int ret;

	if (s->bytes[cpu] == 0)
		return ZWB_OK;
	space = malloc(SPOOL_COPY);
	if (!space)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to put %s together", out->path);
	ret = spool_copy(s, out, cpu, space, err);
	free(space);
	/* Gives the space back before the next CPU needs it, where nobody could want the copy. */
	if (!ret && !s->path)
		(void)fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)zwb_datspool_offset(s, cpu), (off_t)s->bytes[cpu]);
	return ret;
}

void zwb_datspool_close(struct zwb_datspool *s, int is_kept)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->path && !is_kept)
		unlink(s->path);
	free(s->path);
	free(s->bytes);
	*s = (struct zwb_datspool){ .fd = -1 };
}
