/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An output file that appears under its name only when it is whole. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTFILE_MODE  0666
#define OUTFILE_TRIES 100 /* names tried beside those left by a process of the same id */

static void outfile_release(struct zwb_outfile *out)
{
	if (out->temp != out->path)
		free(out->temp);
	free(out->path);
	*out = (struct zwb_outfile){ .fd = -1 };
}

int zwb_outfile_is_in_place(const struct zwb_outfile *out)
{
	return out->temp == out->path;
}

/* Not mkostemp(): it makes the file private, whatever the umask says. */
static int outfile_open_temp(struct zwb_outfile *out, struct zwb_err *err)
{
	for (int i = 0; i < OUTFILE_TRIES; i++) {
		if (asprintf(&out->temp, "%s.tmp-%ld-%d", out->path, (long)getpid(), i) < 0) {
			out->temp = NULL;
			return zwb_err_set(
				err, ZWB_ENOMEM, 0, "%s: no memory for its name", out->path);
		}
		out->fd = open(out->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, OUTFILE_MODE);
		if (out->fd >= 0)
			return ZWB_OK;
		if (errno != EEXIST)
			break;
		free(out->temp);
		out->temp = NULL;
	}
	return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot create", out->path);
}

int zwb_outfile_open(struct zwb_outfile *out, const char *path, int force, struct zwb_err *err)
{
	struct stat st;
	int ret;

	*out = (struct zwb_outfile){ .fd = -1, .force = force };
	out->path = strdup(path);
	if (!out->path)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for its name", path);
	if (stat(path, &st) != 0) {
		ret = outfile_open_temp(out, err);
	} else if (S_ISDIR(st.st_mode)) {
		ret = zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s is a directory; the output needs a file name", path);
	} else if (!S_ISREG(st.st_mode)) {
		out->temp = out->path;
		out->fd = open(path, O_RDWR | O_CLOEXEC);
		ret = out->fd < 0 ? zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path)
				  : ZWB_OK;
	} else if (!force) {
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "%s exists; --force replaces it", path);
	} else {
		ret = outfile_open_temp(out, err);
	}
	if (ret)
		outfile_release(out);
	return ret;
}

void zwb_outfile_close_fd(struct zwb_outfile *out)
{
	if (out->fd >= 0)
		close(out->fd);
	out->fd = -1;
}

void zwb_outfile_suspend(struct zwb_outfile *out)
{
	if (!out->temp || zwb_outfile_is_in_place(out))
		return;
	zwb_outfile_close_fd(out);
	unlink(out->temp);
	free(out->temp);
	out->temp = NULL;
}

int zwb_outfile_resume(struct zwb_outfile *out, struct zwb_err *err)
{
	return out->temp ? ZWB_OK : outfile_open_temp(out, err);
}

int zwb_outfile_spool(const struct zwb_outfile *out, struct zwb_err *err)
{
	const char *slash = strrchr(out->path, '/');
	const char *dir = getenv("TMPDIR");
	char *name;
	int len, fd;

	if (zwb_outfile_is_in_place(out))
		len = asprintf(&name, "%s/zwb-XXXXXX", dir ? dir : P_tmpdir);
	else
		len = asprintf(&name, "%.*szwb-XXXXXX", slash ? (int)(slash - out->path) + 1 : 0,
			out->path);
	if (len < 0)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory for its name", out->path);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0) {
		fd = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot create a temporary file (%s)",
			out->path, name);
	} else {
		unlink(name);
	}
	free(name);
	return fd;
}

int zwb_outfile_write(
	const struct zwb_outfile *out, int fd, const void *data, size_t len, struct zwb_err *err)
{
	const char *at = data;

	while (len > 0) {
		ssize_t done = write(fd, at, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot write", out->path);
		at += done;
		len -= (size_t)done;
	}
	return ZWB_OK;
}

/* Everything on the disk, or an errno. A device or pipe cannot be synced, and need not be. */
static int outfile_flush(struct zwb_outfile *out)
{
	int fd = out->fd;
	int failed = 0;

	out->fd = -1;
	if (fd < 0)
		fd = open(out->temp, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		failed = errno;
	if (close(fd) != 0 && !failed)
		failed = errno;
	return failed;
}

int zwb_outfile_commit(struct zwb_outfile *out, struct zwb_err *err)
{
	unsigned int flags = out->force ? 0 : RENAME_NOREPLACE;
	int failed = outfile_flush(out);
	int ret = ZWB_OK;

	if (failed) {
		ret = zwb_err_set(err, ZWB_EENV, failed, "%s: cannot write", out->path);
	} else if (!zwb_outfile_is_in_place(out)) {
		failed = renameat2(AT_FDCWD, out->temp, AT_FDCWD, out->path, flags) ? errno : 0;
		if (failed == EINVAL && flags) /* a file system without RENAME_NOREPLACE */
			failed = rename(out->temp, out->path) ? errno : 0;
		if (failed == EEXIST)
			ret = zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s was made by someone else meanwhile; --force replaces it",
				out->path);
		else if (failed)
			ret = zwb_err_set(
				err, ZWB_EENV, failed, "%s: cannot rename to it", out->path);
	}
	if (ret) {
		zwb_outfile_abort(out);
		return ret;
	}
	outfile_release(out);
	return ZWB_OK;
}

void zwb_outfile_abort(struct zwb_outfile *out)
{
	if (!out->path)
		return;
	zwb_outfile_suspend(out);
	zwb_outfile_close_fd(out);
	outfile_release(out);
}
