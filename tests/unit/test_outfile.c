/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "outfile.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A fresh directory and the name of the output in it. */
struct place {
	char dir[32];
	char path[64];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-outfile-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->path, sizeof(p->path), "%s/out", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	unlink(p->path);
	rmdir(p->path);
	int ret = rmdir(p->dir); /* fails when a test left a file behind */
	free(p);
	return ret;
}

static int nr_files(const struct place *p)
{
	DIR *dir = opendir(p->dir);
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr - 2;
}

static void assert_content(const struct place *p, const char *want)
{
	char got[32] = "";
	int fd = open(p->path, O_RDONLY);

	assert_true(fd >= 0);
	assert_true(read(fd, got, sizeof(got) - 1) >= 0);
	close(fd);
	assert_string_equal(got, want);
}

static void write_whole(const struct place *p, const char *text, int force)
{
	struct zwb_outfile out;

	assert_int_equal(zwb_outfile_open(&out, p->path, force, NULL), ZWB_OK);
	assert_int_equal(write(out.fd, text, strlen(text)), strlen(text));
	assert_int_equal(zwb_outfile_commit(&out, NULL), ZWB_OK);
}

static void outfile__has_no_final_name_before_commit(void **state)
{
	struct place *p = *state;
	struct zwb_outfile out;

	assert_int_equal(zwb_outfile_open(&out, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(write(out.fd, "half", 4), 4);
	assert_int_equal(access(p->path, F_OK), -1);
	assert_int_equal(nr_files(p), 1);
	zwb_outfile_abort(&out);
	assert_int_equal(nr_files(p), 0);
	zwb_outfile_abort(&out);
}

static void outfile__commits_what_was_written_with_the_umask_s_mode(void **state)
{
	struct place *p = *state;
	mode_t mask = umask(027);
	struct stat st;

	write_whole(p, "whole", 0);
	umask(mask);
	assert_content(p, "whole");
	assert_int_equal(nr_files(p), 1);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void outfile__refuses_an_existing_file_without_force(void **state)
{
	struct place *p = *state;
	struct zwb_outfile out;
	struct zwb_err err;

	write_whole(p, "old", 0);
	assert_int_equal(zwb_outfile_open(&out, p->path, 0, &err), ZWB_EUSAGE);
	assert_non_null(strstr(err.text, p->path));
	assert_content(p, "old");
	write_whole(p, "new", 1);
	assert_content(p, "new");
}

static void outfile__refuses_a_file_made_meanwhile_without_force(void **state)
{
	struct place *p = *state;
	struct zwb_outfile out;

	assert_int_equal(zwb_outfile_open(&out, p->path, 0, NULL), ZWB_OK);
	write_whole(p, "other", 0);
	assert_int_equal(zwb_outfile_commit(&out, NULL), ZWB_EUSAGE);
	assert_content(p, "other");
	assert_int_equal(nr_files(p), 1);
}

static void outfile__refuses_a_directory_even_with_force(void **state)
{
	struct place *p = *state;
	struct zwb_outfile out;

	assert_int_equal(mkdir(p->path, 0777), 0);
	assert_int_equal(zwb_outfile_open(&out, p->path, 1, NULL), ZWB_EUSAGE);
	assert_int_equal(nr_files(p), 1);
}

static void outfile__reports_a_directory_that_is_not_there(void **state)
{
	char path[PATH_MAX];
	struct place *p = *state;
	struct zwb_outfile out;

	snprintf(path, sizeof(path), "%s/no/out", p->dir);
	assert_int_equal(zwb_outfile_open(&out, path, 0, NULL), ZWB_EENV);
	assert_int_equal(zwb_outfile_open(&out, path, 1, NULL), ZWB_EENV);
}

static void outfile__writes_devices_in_place(void **state)
{
	struct zwb_outfile out;
	struct stat st;

	(void)state;
	assert_int_equal(zwb_outfile_open(&out, "/dev/null", 0, NULL), ZWB_OK);
	assert_int_equal(write(out.fd, "x", 1), 1);
	assert_int_equal(zwb_outfile_commit(&out, NULL), ZWB_OK);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void outfile__commits_a_file_written_by_name(void **state)
{
	struct place *p = *state;
	struct zwb_outfile out;
	FILE *f;

	assert_int_equal(zwb_outfile_open(&out, p->path, 0, NULL), ZWB_OK);
	zwb_outfile_close_fd(&out);
	f = fopen(out.temp, "w");
	assert_non_null(f);
	fputs("by name", f);
	fclose(f);
	assert_int_equal(zwb_outfile_commit(&out, NULL), ZWB_OK);
	assert_content(p, "by name");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(outfile__has_no_final_name_before_commit),
		TEST(outfile__commits_what_was_written_with_the_umask_s_mode),
		TEST(outfile__refuses_an_existing_file_without_force),
		TEST(outfile__refuses_a_file_made_meanwhile_without_force),
		TEST(outfile__refuses_a_directory_even_with_force),
		TEST(outfile__reports_a_directory_that_is_not_there),
		TEST(outfile__writes_devices_in_place),
		TEST(outfile__commits_a_file_written_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
