/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot on a script that never touches a disk. */
#include "plot.h"

#include "outfile.h"
#include "picture.h"
#include "plotscript.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends_in(const char *path, const char *end)
{
	size_t len = strlen(path), len_end = strlen(end);

	return len > len_end && strcmp(path + len - len_end, end) == 0;
}

static int plot_terminal(const char *path, enum zwb_plot_terminal *terminal, struct zwb_err *err)
{
	if (ends_in(path, ".svg"))
		*terminal = ZWB_PLOT_SVG;
	else if (ends_in(path, ".png"))
		*terminal = ZWB_PLOT_PNG;
	else
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"--plot %s: the name ends in .svg or .png, which says what to draw", path);
	return ZWB_OK;
}

static int plot_find(const struct zwb_pictures *pictures, const char *name,
	const struct zwb_picture **picture, struct zwb_err *err)
{
	char names[256] = "";

	*picture = pictures->nr ? &pictures->items[0] : NULL;
	if (!*picture)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"nothing to draw: a single policy, and nothing with a distribution");
	if (!name)
		return ZWB_OK;
	*picture = zwb_picture_find(pictures, name);
	for (size_t i = 0; i < pictures->nr; i++) {
		size_t len = strlen(names);

		snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "",
			pictures->items[i].name);
	}
	if (!*picture)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "no picture \"%.100s\"; there is %s", name, names);
	return ZWB_OK;
}

/* A script in a nameless file, to be read from its begin. Return: its descriptor, or a status. */
static int plot_script(
	const struct zwb_picture *picture, enum zwb_plot_terminal terminal, struct zwb_err *err)
{
	int fd = memfd_create("zwb-plot", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd), ret;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out) {
		ret = zwb_err_set(err, ZWB_EENV, errno, "no file for the picture");
		goto out_close;
	}
	ret = zwb_plot_write(out, picture, terminal, err);
	errno = 0;
	if ((ferror(out) | fclose(out)) && !ret)
		ret = zwb_err_set(err, ZWB_EENV, errno, "no room for the picture");
	copy = -1;
	if (!ret && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
out_close:
	if (copy >= 0)
		close(copy);
	if (fd >= 0)
		close(fd);
	return ret ? ret : zwb_err_set(err, ZWB_EENV, errno, "no file for the picture");
}

static int plot_run(int script, int output, struct zwb_err *err)
{
	char *const argv[] = { (char *)"gnuplot", (char *)"-d", (char *)"-", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status, ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return zwb_err_set(err, ZWB_ENOMEM, ret, "cannot start gnuplot");
	ret = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!ret)
		ret = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return zwb_err_set(err, ZWB_EENV, ret,
			"cannot start gnuplot; it draws what --plot asks for (Debian: "
			"gnuplot-nox), "
			"--format html draws without it");
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return zwb_err_set(err, ZWB_EENV, errno, "gnuplot");
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return zwb_err_set(err, ZWB_EENV, 0, "gnuplot failed; what it says is above");
	return ZWB_OK;
}

static int plot_draw(const struct zwb_plot_request *request, const struct zwb_picture *picture,
	enum zwb_plot_terminal terminal, struct zwb_err *err)
{
	struct zwb_outfile file;
	int script, ret = zwb_outfile_open(&file, request->path, request->force, err);

	if (ret)
		return ret;
	script = plot_script(picture, terminal, err);
	ret = script < 0 ? script : plot_run(script, file.fd, err);
	if (script >= 0)
		close(script);
	/* a full disk is something that gnuplot does not look at */
	if (!ret && lseek(file.fd, 0, SEEK_END) == 0)
		ret = zwb_err_set(err, ZWB_EENV, 0, "%s: gnuplot wrote nothing", request->path);
	if (!ret)
		return zwb_outfile_commit(&file, err);
	zwb_outfile_abort(&file);
	return ret;
}

int zwb_plot(const struct zwb_plot_request *request, const struct zwb_run *const *runs,
	size_t nr_runs, const struct zwb_compare_options *options, struct zwb_err *err)
{
	const struct zwb_picture *picture;
	struct zwb_pictures pictures = { 0 };
	struct zwb_comparison *cmp = NULL;
	enum zwb_plot_terminal terminal;
	int ret = plot_terminal(request->path, &terminal, err);

	if (!ret)
		ret = zwb_compare(runs, nr_runs, options, &cmp, err);
	if (!ret)
		ret = zwb_pictures_of(cmp, &pictures, err);
	if (!ret)
		ret = plot_find(&pictures, request->picture, &picture, err);
	if (!ret)
		ret = plot_draw(request, picture, terminal, err);
	zwb_pictures_release(&pictures);
	zwb_comparison_free(cmp);
	return ret;
}
