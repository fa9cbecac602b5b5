/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load on a made-up host, where files of a new cgroup do not come by themselves. */
#include "zwb_test.h"

#include "load.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_ROOM 256

struct tree {
	char root[32];
};

/* NULL: a folder. */
static void put(const struct tree *t, const char *path, const char *text)
{
	char full[PATH_ROOM];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", t->root, path);
	if (!text) {
		assert_int_equal(mkdir(full, 0700), 0);
		return;
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int is_there(const struct tree *t, const char *name)
{
	char full[PATH_ROOM];

	snprintf(full, sizeof(full), "%s/sys/fs/cgroup/%s", t->root, name);
	return access(full, F_OK) == 0;
}

static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		return -1;
	snprintf(t->root, sizeof(t->root), "/tmp/zwb-load-XXXXXX");
	if (!mkdtemp(t->root))
		return -1;
	put(t, "/proc", NULL);
	put(t, "/proc/swaps", "Filename Type Size Used Priority\n/dev/x partition 1000 0 -2\n");
	put(t, "/sys", NULL);
	put(t, "/sys/fs", NULL);
	put(t, "/sys/fs/cgroup", NULL);
	put(t, "/sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
	put(t, "/sys/fs/cgroup/cgroup.procs", "");
	put(t, "/sys/fs/cgroup/cgroup.subtree_control", "cpu memory\n");
	*state = t;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int teardown(void **state)
{
	struct tree *t = *state;
	int ret = nftw(t->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(t);
	return ret;
}

/* Return: of a process that is no more. */
static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void assert_refused(const struct tree *t, const char *why)
{
	struct zwb_load *load = NULL;
	struct zwb_err err = { 0 };

	assert_int_equal(zwb_load_open(&load, t->root, 1, &err), ZWB_EENV);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
	assert_null(load);
}

static void load__needs_the_memory_controller(void **state)
{
	put(*state, "/sys/fs/cgroup/cgroup.subtree_control", "cpu memory_x\n");
	assert_refused(*state, "give a COMMAND");
}

static void load__needs_swap(void **state)
{
	put(*state, "/proc/swaps", "Filename Type Size Used Priority\n");
	assert_refused(*state, "no swap area");
}

static void load__that_cannot_be_leaves_no_cgroup(void **state)
{
	char name[64];

	snprintf(name, sizeof(name), "zwb-overhead-%d", (int)getpid());
	assert_refused(*state, "memory.max");
	assert_false(is_there(*state, name));
}

static void load__cleaning_removes_those_of_the_dead_only(void **state)
{
	struct tree *t = *state;
	char dead[64], path[128], own[64];
	size_t nr;

	snprintf(dead, sizeof(dead), "zwb-overhead-%d", (int)dead_pid());
	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s", dead);
	put(t, path, NULL);
	snprintf(own, sizeof(own), "zwb-overhead-%d", (int)getpid());
	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s", own);
	put(t, path, NULL);
	put(t, "/sys/fs/cgroup/zwb-overhead-", NULL);
	put(t, "/sys/fs/cgroup/zwb-overhead-2147483647x", NULL);
	put(t, "/sys/fs/cgroup/other", NULL);
	assert_int_equal(zwb_load_clean(t->root, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 1);
	assert_false(is_there(t, dead));
	assert_true(is_there(t, own));
	assert_true(is_there(t, "zwb-overhead-"));
	assert_true(is_there(t, "zwb-overhead-2147483647x"));
	assert_true(is_there(t, "other"));
}

static void load__cleaning_finds_nothing_without_cgroups(void **state)
{
	size_t nr = 7;

	(void)state;
	assert_int_equal(zwb_load_clean("/nowhere", &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(load__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(needs_the_memory_controller),
		TEST(needs_swap),
		TEST(that_cannot_be_leaves_no_cgroup),
		TEST(cleaning_removes_those_of_the_dead_only),
		TEST(cleaning_finds_nothing_without_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
