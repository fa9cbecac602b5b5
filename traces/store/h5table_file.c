/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files, groups and the translation of HDF5's errors. */
#include "h5table_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 16 /* of groups; hard links can form rings */
#define MAX_NAME  255

/*
 * After a file could not be closed for want of space, HDF5 (1.10.8) crashes when it cleans up at
 * the end of the process. What it would clean up is closed by then, or lost anyway.
 */
void h5_quiet(void)
{
	H5dont_atexit();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

struct h5_reason {
	char text[160];
	int sys_errno;
};

static herr_t h5_innermost(unsigned n, const H5E_error2_t *e, void *arg)
{
	struct h5_reason *reason = arg;
	const char *number;

	(void)n;
	if (!e->desc)
		return 0;
	if (reason->text[0] == '\0')
		snprintf(reason->text, sizeof(reason->text), "%s", e->desc);
	number = strstr(e->desc, "errno = ");
	if (number && !reason->sys_errno)
		reason->sys_errno = (int)strtol(number + strlen("errno = "), NULL, 10);
	return 0;
}

int h5_fail(struct zwb_err *err, const struct zwb_h5file *f, const char *object, const char *doing)
{
	struct h5_reason reason = { .text = "" };
	int status = ZWB_EDATA;

	H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, h5_innermost, &reason);
	if (f->writing || reason.sys_errno)
		status = ZWB_EENV;
	if (reason.sys_errno)
		return zwb_err_set(
			err, status, reason.sys_errno, "%s: %s %s", f->path, doing, object);
	return zwb_err_set(err, status, 0, "%s: %s %s (HDF5: %s)", f->path, doing, object,
		reason.text[0] ? reason.text : "no reason given");
}

int h5_bad(struct zwb_err *err, const struct zwb_h5file *f, const char *object, const char *what)
{
	return zwb_err_set(err, ZWB_EDATA, 0, "%s: %s: %s", f->path, object, what);
}

hid_t h5_plist(hid_t class)
{
	hid_t plist = H5Pcreate(class);

	if (plist >= 0 && H5Pset_obj_track_times(plist, 0) < 0) {
		H5Pclose(plist);
		plist = H5I_INVALID_HID;
	}
	return plist;
}

/* One format version, no lock files in the way, and everything closed with the file. */
static hid_t h5_access(void)
{
	hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);

	if (fapl < 0)
		return fapl;
	if (H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0 ||
		H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) < 0 ||
		H5Pset_file_locking(fapl, 0, 1) < 0) {
		H5Pclose(fapl);
		return H5I_INVALID_HID;
	}
	return fapl;
}

static struct zwb_h5file *h5_file_new(const char *path, int writing, struct zwb_err *err)
{
	struct zwb_h5file *f = calloc(1, sizeof(*f));

	if (f)
		f->path = strdup(path);
	if (!f || !f->path) {
		free(f);
		zwb_err_set(err, ZWB_ENOMEM, 0, "%s: no memory", path);
		return NULL;
	}
	f->id = H5I_INVALID_HID;
	f->writing = writing;
	return f;
}

static void h5_file_free(struct zwb_h5file *f)
{
	free(f->path);
	free(f);
}

int zwb_h5_create(const char *path, int force, struct zwb_h5file **out, struct zwb_err *err)
{
	struct zwb_h5file *f = h5_file_new(path, 1, err);
	hid_t fapl, fcpl;
	int ret;

	if (!f)
		return ZWB_ENOMEM;
	h5_quiet();
	ret = zwb_outfile_open(&f->out, path, force, err);
	if (ret) {
		h5_file_free(f);
		return ret;
	}
	zwb_outfile_close_fd(&f->out);
	fapl = h5_access();
	fcpl = h5_plist(H5P_FILE_CREATE);
	if (fapl >= 0 && fcpl >= 0)
		f->id = H5Fcreate(f->out.temp, H5F_ACC_TRUNC, fcpl, fapl);
	if (f->id < 0)
		ret = h5_fail(err, f, "as HDF5", "cannot create");
	H5Pclose(fcpl);
	H5Pclose(fapl);
	if (ret) {
		zwb_h5_close(f);
		return ret;
	}
	*out = f;
	return ZWB_OK;
}

int zwb_h5_flush(struct zwb_h5file *f, struct zwb_err *err)
{
	h5_quiet();
	if (H5Fflush(f->id, H5F_SCOPE_LOCAL) < 0)
		return h5_fail(err, f, "the file", "cannot write");
	return ZWB_OK;
}

int zwb_h5_commit(struct zwb_h5file *f, struct zwb_err *err)
{
	int ret = zwb_h5_flush(f, err);
	hid_t id = f->id;

	if (ret) {
		zwb_h5_close(f);
		return ret;
	}
	f->id = H5I_INVALID_HID;
	if (H5Fclose(id) < 0) {
		ret = h5_fail(err, f, "the file", "cannot close");
		zwb_outfile_abort(&f->out);
	} else {
		ret = zwb_outfile_commit(&f->out, err);
	}
	h5_file_free(f);
	return ret;
}

int zwb_h5_is_hdf5(const char *path)
{
	struct stat st;

	h5_quiet();
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && H5Fis_hdf5(path) > 0;
}

/* Things that are wrong before HDF5 has a say, with a clearer text than it would give. */
static int h5_check_readable(const char *path, struct zwb_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return zwb_err_set(err, ZWB_EKIND, 0, "%s: not a regular file", path);
	}
	close(fd);
	if (H5Fis_hdf5(path) <= 0)
		return zwb_err_set(err, ZWB_EKIND, 0, "%s: not an HDF5 file", path);
	return ZWB_OK;
}

int zwb_h5_open(const char *path, struct zwb_h5file **out, struct zwb_err *err)
{
	struct zwb_h5file *f;
	hid_t fapl;
	int ret;

	h5_quiet();
	ret = h5_check_readable(path, err);
	if (ret)
		return ret;
	f = h5_file_new(path, 0, err);
	if (!f)
		return ZWB_ENOMEM;
	fapl = h5_access();
	if (fapl >= 0)
		f->id = H5Fopen(path, H5F_ACC_RDONLY, fapl);
	if (f->id < 0) {
		ret = h5_fail(err, f, "it; it is damaged, make it anew", "cannot open");
		h5_file_free(f);
	} else {
		*out = f;
	}
	H5Pclose(fapl);
	return ret;
}

void zwb_h5_close(struct zwb_h5file *f)
{
	if (!f)
		return;
	h5_quiet();
	if (f->id >= 0)
		H5Fclose(f->id);
	zwb_outfile_abort(&f->out);
	h5_file_free(f);
}

const char *zwb_h5_path(const struct zwb_h5file *f)
{
	return f->path;
}

static int h5_group_one(struct zwb_h5file *f, const char *path, struct zwb_err *err)
{
	hid_t gcpl, group;
	int ret = ZWB_OK;

	if (zwb_h5_has(f, path))
		return ZWB_OK;
	gcpl = h5_plist(H5P_GROUP_CREATE);
	group = H5Gcreate2(f->id, path, H5P_DEFAULT, gcpl, H5P_DEFAULT);
	if (group < 0)
		ret = h5_fail(err, f, path, "cannot create group");
	else
		H5Gclose(group);
	H5Pclose(gcpl);
	return ret;
}

int zwb_h5_group(struct zwb_h5file *f, const char *path, struct zwb_err *err)
{
	char part[MAX_NAME + 1];
	const char *slash = path;
	int ret = ZWB_OK;

	h5_quiet();
	if (path[0] != '/' || strlen(path) > MAX_NAME)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s: not a name for a group", path);
	if (path[1] == '\0')
		return ZWB_OK;
	while (!ret && slash) {
		slash = strchr(slash + 1, '/');
		snprintf(part, sizeof(part), "%.*s", slash ? (int)(slash - path) : MAX_NAME, path);
		ret = h5_group_one(f, part, err);
	}
	return ret;
}

int zwb_h5_has(struct zwb_h5file *f, const char *path)
{
	char part[MAX_NAME + 1];
	const char *slash = path;

	h5_quiet();
	if (strcmp(path, "/") == 0)
		return 1;
	if (path[0] != '/' || strlen(path) > MAX_NAME)
		return 0;
	/* H5Lexists() fails, rather than says no, where a group above is missing */
	while (slash) {
		slash = strchr(slash + 1, '/');
		snprintf(part, sizeof(part), "%.*s", slash ? (int)(slash - path) : MAX_NAME, path);
		if (H5Lexists(f->id, part, H5P_DEFAULT) <= 0)
			return 0;
	}
	return 1;
}

int h5_link_is_hard(hid_t group, const char *path)
{
	H5L_info_t info;

	return H5Lget_info(group, path, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

struct h5_walk {
	struct zwb_h5file *f;
	int (*visit)(const struct zwb_h5node *node, void *arg, struct zwb_err *err);
	void *arg;
	struct zwb_err *err;
};

static int h5_visit_column(struct h5_walk *w, hid_t dset, const char *path)
{
	struct zwb_h5node node = { .kind = ZWB_H5_COLUMN, .path = path };
	hid_t space = H5Dget_space(dset);
	hssize_t nr = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;

	if (nr < 0)
		return h5_fail(w->err, w->f, path, "cannot read");
	H5Sclose(space);
	node.nr_rows = (uint64_t)nr;
	return w->visit(&node, w->arg, w->err);
}

static int h5_visit_group(struct h5_walk *w, hid_t group, const char *path, int depth);

static int h5_visit_link(
	struct h5_walk *w, hid_t group, const char *path, const char *name, int depth)
{
	struct zwb_h5node node = { .kind = ZWB_H5_GROUP };
	char *full;
	hid_t object;
	int ret = ZWB_OK;

	if (!h5_link_is_hard(group, name))
		return ZWB_OK;
	if (asprintf(&full, "%s/%s", path, name) < 0)
		return zwb_err_set(w->err, ZWB_ENOMEM, 0, "%s: no memory", w->f->path);
	object = H5Oopen(group, name, H5P_DEFAULT);
	if (object < 0) {
		ret = h5_fail(w->err, w->f, full, "cannot open");
	} else if (H5Iget_type(object) == H5I_DATASET) {
		ret = h5_visit_column(w, object, full);
	} else if (H5Iget_type(object) == H5I_GROUP) {
		node.path = full;
		ret = w->visit(&node, w->arg, w->err);
		if (!ret)
			ret = h5_visit_group(w, object, full, depth + 1);
	}
	if (object >= 0)
		H5Oclose(object);
	free(full);
	return ret;
}

static int h5_visit_group(struct h5_walk *w, hid_t group, const char *path, int depth)
{
	char name[MAX_NAME + 1];
	H5G_info_t info;
	int ret = ZWB_OK;

	if (depth > MAX_DEPTH)
		return h5_bad(w->err, w->f, path, "groups within groups without end");
	if (H5Gget_info(group, &info) < 0)
		return h5_fail(w->err, w->f, path, "cannot read group");
	for (hsize_t i = 0; !ret && i < info.nlinks; i++) {
		if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
			    sizeof(name), H5P_DEFAULT) < 0)
			return h5_fail(w->err, w->f, path, "cannot read group");
		ret = h5_visit_link(w, group, path, name, depth);
	}
	return ret;
}

int zwb_h5_visit(struct zwb_h5file *f,
	int (*visit)(const struct zwb_h5node *node, void *arg, struct zwb_err *err), void *arg,
	struct zwb_err *err)
{
	struct h5_walk w = { .f = f, .visit = visit, .arg = arg, .err = err };
	hid_t root;
	int ret;

	h5_quiet();
	root = H5Gopen2(f->id, "/", H5P_DEFAULT);
	if (root < 0)
		return h5_fail(err, f, "/", "cannot open");
	ret = h5_visit_group(&w, root, "", 0);
	H5Gclose(root);
	return ret;
}
