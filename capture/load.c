/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that keeps zswap busy: page faults in a cgroup that has too little memory for them. */
#include "load.h"

#include "cgroup.h"
#include "hostfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME	     "zwb-overhead-"
#define REMOVE_TRIES 500
#define TRY_NS	     10000000

struct zwb_load {
	char *dir;
	uint64_t seed;
	uint64_t nr_touches;
};

static int load_nomem(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for a load");
}

/* ---- its cgroup ---- */

static int write_file(const char *dir, const char *file, const char *text, struct zwb_err *err)
{
	char path[HOSTFILE_PATH];
	ssize_t len = (ssize_t)strlen(text), done = -1;
	int fd = hostfile_path(path, dir, "/%s", file) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	int failed;

	if (fd >= 0)
		done = write(fd, text, (size_t)len);
	failed = errno;
	if (fd >= 0)
		close(fd);
	if (done == len)
		return ZWB_OK;
	return zwb_err_set(err, ZWB_EENV, failed, "%s/%s: cannot write", dir, file);
}

/* Who has been killed is gone a little later. */
static int remove_dir(const char *dir, struct zwb_err *err)
{
	const struct timespec pause = { .tv_nsec = TRY_NS };

	for (int i = 0; rmdir(dir) != 0; i++) {
		if (errno == ENOENT)
			break;
		if (errno != EBUSY || i == REMOVE_TRIES)
			return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot remove", dir);
		nanosleep(&pause, NULL);
	}
	return ZWB_OK;
}

/* Is it the name of a cgroup whose maker is no more? */
static int is_left_over(const struct dirent *d)
{
	const char *number = d->d_name + strlen(NAME);
	char *end;
	long pid;

	if (strncmp(d->d_name, NAME, strlen(NAME)) != 0)
		return 0;
	pid = strtol(number, &end, 10);
	if (end == number || *end || pid <= 0 || pid > INT_MAX)
		return 0;
	return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

int zwb_load_clean(const char *root, size_t *nr, struct zwb_err *err)
{
	struct zwb_cgroup top;
	struct dirent **entries;
	char path[HOSTFILE_PATH];
	int ret = ZWB_OK, nr_entries;

	if (nr)
		*nr = 0;
	if (zwb_cgroup_find(root, "", &top, NULL))
		return ZWB_OK;
	nr_entries = scandir(top.dir, &entries, is_left_over, alphasort);
	for (int i = 0; i < nr_entries; i++) {
		if (!ret && hostfile_path(path, top.dir, "/%s", entries[i]->d_name)) {
			ret = remove_dir(path, err);
			if (!ret && nr)
				++*nr;
		}
		free(entries[i]);
	}
	if (nr_entries >= 0)
		free(entries);
	zwb_cgroup_release(&top);
	return ret;
}

static int check_host(const char *root, const struct zwb_cgroup *top, struct zwb_err *err)
{
	char path[HOSTFILE_PATH], value[HOSTFILE_LINE], *save = NULL;

	if (!hostfile_path(path, root, "/proc/swaps") || !hostfile_value(path, value) ||
		!strchr(value, ';'))
		return zwb_err_set(err, ZWB_EENV, 0, "there is no swap area to be kept busy");
	if (!hostfile_path(path, top->dir, "/cgroup.subtree_control") ||
		!hostfile_value(path, value))
		value[0] = '\0';
	for (char *word = strtok_r(value, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (strcmp(word, "memory") == 0)
			return ZWB_OK;
	}
	return zwb_err_set(err, ZWB_EENV, 0,
		"%s/cgroup.subtree_control has no memory controller, which the built-in load "
		"needs; "
		"give a COMMAND that swaps instead",
		top->dir);
}

static int make_cgroup(struct zwb_load *load, const struct zwb_cgroup *top, struct zwb_err *err)
{
	char text[24];
	int ret;

	if (asprintf(&load->dir, "%s/" NAME "%d", top->dir, (int)getpid()) < 0) {
		load->dir = NULL;
		return load_nomem(err);
	}
	if (mkdir(load->dir, 0755) != 0) {
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot make", load->dir);
		free(load->dir);
		load->dir = NULL;
		return ret;
	}
	snprintf(text, sizeof(text), "%llu", ZWB_LOAD_MEMORY_BYTES);
	ret = write_file(load->dir, "memory.max", text, err);
	/* Kernels before 5.19 have no such limit. */
	snprintf(text, sizeof(text), "%llu", ZWB_LOAD_ZSWAP_BYTES);
	(void)write_file(load->dir, "memory.zswap.max", text, NULL);
	return ret;
}

int zwb_load_open(struct zwb_load **opened, const char *root, uint64_t seed, struct zwb_err *err)
{
	struct zwb_load *load = calloc(1, sizeof(*load));
	struct zwb_cgroup top = { 0 };
	int ret;

	if (!load)
		return load_nomem(err);
	load->seed = seed;
	ret = zwb_cgroup_find(root, "/", &top, err);
	if (!ret)
		ret = check_host(root, &top, err);
	if (!ret)
		ret = zwb_load_clean(root, NULL, err);
	if (!ret)
		ret = make_cgroup(load, &top, err);
	zwb_cgroup_release(&top);
	if (ret)
		zwb_load_close(load, NULL);
	else
		*opened = load;
	return ret;
}

int zwb_load_close(struct zwb_load *load, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (!load)
		return ZWB_OK;
	if (load->dir) {
		(void)write_file(load->dir, "cgroup.kill", "1", NULL);
		ret = remove_dir(load->dir, err);
	}
	free(load->dir);
	free(load);
	return ret;
}

/* ---- the work ---- */

void zwb_load_set_touches(struct zwb_load *load, uint64_t nr_touches)
{
	load->nr_touches = nr_touches;
}

uint64_t zwb_load_touches(const struct zwb_load *load)
{
	return load->nr_touches;
}

/* splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014. */
static uint64_t load_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

int zwb_load_work(struct zwb_load *load)
{
	const size_t nr_words = ZWB_LOAD_TOUCH_BYTES / sizeof(uint64_t);
	const size_t in_page = (size_t)sysconf(_SC_PAGESIZE) / sizeof(uint64_t) - 1;
	uint64_t random = load->seed, *words;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (write_file(load->dir, "cgroup.procs", "0", NULL))
		return 1;
	words = mmap(NULL, ZWB_LOAD_TOUCH_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		return 1;
	/* A huge page would be one fault instead of hundreds. */
	(void)madvise(words, ZWB_LOAD_TOUCH_BYTES, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < nr_words; i++) {
		if ((i & in_page) <= in_page / 2)
			words[i] = load_random(&random);
	}
	for (uint64_t i = 0; i < load->nr_touches; i++)
		words[load_random(&random) % nr_words | in_page] = i;
	munmap(words, ZWB_LOAD_TOUCH_BYTES);
	return 0;
}
