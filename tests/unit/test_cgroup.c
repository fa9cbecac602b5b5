/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "cgroup.h"
#include "remove_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char root[32];
	char path[256];
};

static void make_dir(struct tree *t, const char *path)
{
	snprintf(t->path, sizeof(t->path), "%s%s", t->root, path);
	assert_int_equal(mkdir(t->path, 0700), 0);
}

static void make_file(struct tree *t, const char *path)
{
	snprintf(t->path, sizeof(t->path), "%s%s", t->root, path);
	close(open(t->path, O_CREAT | O_WRONLY, 0600));
}

static void make_cgroup(struct tree *t, const char *path)
{
	char procs[128];

	make_dir(t, path);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	make_file(t, procs);
}

static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	snprintf(t->root, sizeof(t->root), "/tmp/zwb-cgroup-XXXXXX");
	if (!mkdtemp(t->root))
		return -1;
	make_dir(t, "/sys");
	make_dir(t, "/sys/fs");
	make_cgroup(t, "/sys/fs/cgroup");
	make_file(t, "/sys/fs/cgroup/cgroup.controllers");
	make_cgroup(t, "/sys/fs/cgroup/a");
	make_cgroup(t, "/sys/fs/cgroup/a/b");
	make_cgroup(t, "/sys/fs/cgroup/a/b/c");
	make_cgroup(t, "/sys/fs/cgroup/ab");
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct tree *t = *state;
	int ret;

	ret = remove_tree(t->root);
	free(t);
	return ret;
}

static void cgroup__is_found_however_it_is_named(void **state)
{
	static const struct {
		const char *name;
		const char *path; /* NULL: refused */
	} cases[] = {
		{ "/a/b", "/a/b" },
		{ "a/b", "/a/b" },
		{ "/a/b///", "/a/b" },
		{ "//a", "/a" },
		{ "/", "/" },
		{ "", "/" },
		{ "/nothing", NULL },
		{ "/a/cgroup.procs", NULL },
		{ "/a/../ab", NULL },
	};
	struct tree *t = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_err err = { 0 };
		struct zwb_cgroup cgroup;
		int ret = zwb_cgroup_find(t->root, cases[i].name, &cgroup, &err);

		if (!cases[i].path) {
			assert_int_equal(ret, ZWB_EUSAGE);
			assert_non_null(strstr(err.text, cases[i].name));
			continue;
		}
		assert_int_equal(ret, ZWB_OK);
		assert_string_equal(cgroup.path, cases[i].path);
		zwb_cgroup_release(&cgroup);
	}
	{
		struct zwb_cgroup cgroup;

		snprintf(t->path, sizeof(t->path), "%s/sys/fs/cgroup/a", t->root);
		assert_int_equal(zwb_cgroup_find(t->root, t->path, &cgroup, NULL), ZWB_OK);
		assert_string_equal(cgroup.path, "/a");
		assert_string_equal(cgroup.dir, t->path);
		zwb_cgroup_release(&cgroup);
	}
}

static void cgroup__ids_are_those_of_it_and_of_all_below(void **state)
{
	static const char *const below[] = { "", "/b", "/b/c" };
	struct tree *t = *state;
	struct zwb_cgroup cgroup;
	uint64_t *ids;
	size_t nr;

	assert_int_equal(zwb_cgroup_find(t->root, "/a", &cgroup, NULL), ZWB_OK);
	assert_int_equal(zwb_cgroup_ids(&cgroup, &ids, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 3);
	for (size_t i = 0; i < 3; i++) {
		struct stat st;

		snprintf(t->path, sizeof(t->path), "%s%s", cgroup.dir, below[i]);
		assert_int_equal(stat(t->path, &st), 0);
		assert_int_equal(ids[i], st.st_ino);
	}
	free(ids);
	zwb_cgroup_release(&cgroup);
}

static void cgroup__refuses_more_than_a_filter_can_name(void **state)
{
	struct tree *t = *state;
	struct zwb_err err = { 0 };
	struct zwb_cgroup cgroup;
	uint64_t *ids;
	size_t nr;

	for (unsigned int i = 1; i < ZWB_CGROUP_IDS_MAX; i++) {
		char name[64];

		snprintf(name, sizeof(name), "/sys/fs/cgroup/ab/%u", i);
		make_dir(t, name);
	}
	assert_int_equal(zwb_cgroup_find(t->root, "/ab", &cgroup, NULL), ZWB_OK);
	assert_int_equal(zwb_cgroup_ids(&cgroup, &ids, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, ZWB_CGROUP_IDS_MAX);
	free(ids);
	make_dir(t, "/sys/fs/cgroup/ab/one-more");
	assert_int_equal(zwb_cgroup_ids(&cgroup, &ids, &nr, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, "/ab"));
	assert_null(ids);
	zwb_cgroup_release(&cgroup);
}

static void cgroup__needs_a_unified_hierarchy(void **state)
{
	struct zwb_cgroup cgroup;

	(void)state;
	assert_int_equal(zwb_cgroup_find("/does/not/exist", "/a", &cgroup, NULL), ZWB_EENV);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cgroup__is_found_however_it_is_named),
		TEST(cgroup__ids_are_those_of_it_and_of_all_below),
		TEST(cgroup__refuses_more_than_a_filter_can_name),
		TEST(cgroup__needs_a_unified_hierarchy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
