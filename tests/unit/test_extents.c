/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a file lies, beside what filefrag says about it. */
#include "zwb_test.h"

#include "extents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB	 (1u << 20)
#define FILEFRAG "/usr/sbin/filefrag"

struct place {
	char path[40];
};

static int setup(void **state)
{
	struct place *p = test_calloc(1, sizeof(*p));
	int fd;

	snprintf(p->path, sizeof(p->path), "/tmp/zwb-extents-XXXXXX");
	fd = mkstemp(p->path);
	if (fd < 0)
		return -1;
	close(fd);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	int ret = unlink(p->path);

	test_free(p);
	return ret;
}

/* Write @len bytes at @offset, and have the file system choose their place. */
static void put(const char *path, long offset, size_t len)
{
	char *data = test_malloc(len);
	FILE *f = fopen(path, "r+");

	assert_non_null(f);
	memset(data, 'x', len);
	assert_int_equal(fseek(f, offset, SEEK_SET), 0);
	assert_int_equal(fwrite(data, len, 1, f), 1);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(fsync(fileno(f)), 0);
	assert_int_equal(fclose(f), 0);
	test_free(data);
}

/* Skips the test where the file system does not say. */
static void find(const char *path, struct zwb_file_extents *found)
{
	assert_int_equal(zwb_extents_of(path, found, NULL), ZWB_OK);
	if (found->nr)
		return;
	print_message("%s: %s\n", path, found->why_not);
	skip();
}

static void extents__cover_the_file(void **state)
{
	const struct place *p = *state;
	struct zwb_file_extents found;
	uint64_t end = 0;

	put(p->path, 0, 3 * MIB);
	find(p->path, &found);
	assert_null(found.why_not);
	for (size_t i = 0; i < found.nr; i++) {
		assert_int_equal(found.extents[i].file_byte, end);
		end += found.extents[i].nr_bytes;
	}
	assert_true(end >= 3 * MIB);
	zwb_extents_release(&found);
}

/* What filefrag says about @path, in sectors; @pid has to be waited for. */
static FILE *run_filefrag(const char *path, pid_t *pid)
{
	int fds[2];
	FILE *f;

	assert_int_equal(pipe(fds), 0);
	*pid = fork();
	if (*pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		execl(FILEFRAG, "filefrag", "-b512", "-v", path, NULL);
		_exit(127);
	}
	close(fds[1]);
	assert_true(*pid > 0);
	f = fdopen(fds[0], "r");
	assert_non_null(f);
	return f;
}

/* The numbers of "   0:        0..     767:     163840..    164607:    768: last,eof". */
static size_t numbers_of(const char *line, uint64_t numbers[6])
{
	size_t nr = 0;
	char *end;

	for (; nr < 6; nr++) {
		numbers[nr] = strtoull(line, &end, 10);
		if (end == line || (*end != ':' && *end != '.'))
			break;
		line = end + strspn(end, ":.");
	}
	return nr;
}

static void extents__are_those_of_filefrag(void **state)
{
	const struct place *p = *state;
	struct zwb_file_extents found;
	uint64_t numbers[6];
	char line[256];
	int status = -1;
	size_t nr = 0;
	pid_t pid;
	FILE *f;

	if (access(FILEFRAG, X_OK) != 0) {
		print_message("no filefrag\n");
		skip();
	}
	put(p->path, 0, 3 * MIB);
	find(p->path, &found);
	f = run_filefrag(p->path, &pid);
	while (fgets(line, sizeof(line), f)) {
		if (numbers_of(line, numbers) != 6)
			continue;
		assert_true(nr < found.nr);
		assert_int_equal(found.extents[nr].file_byte, numbers[1] * 512);
		assert_int_equal(found.extents[nr].device_byte, numbers[3] * 512);
		assert_int_equal(found.extents[nr].nr_bytes, numbers[5] * 512);
		nr++;
	}
	fclose(f);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(nr, found.nr);
	zwb_extents_release(&found);
}

static void extents__of_a_file_with_a_hole_are_none(void **state)
{
	const struct place *p = *state;
	struct zwb_file_extents found;

	put(p->path, 4 * MIB, MIB);
	assert_int_equal(zwb_extents_of(p->path, &found, NULL), ZWB_OK);
	assert_int_equal(found.nr, 0);
	assert_non_null(found.why_not);
	assert_int_equal(truncate(p->path, 0), 0);
	assert_int_equal(zwb_extents_of(p->path, &found, NULL), ZWB_OK);
	assert_int_equal(found.nr, 0);
	assert_non_null(found.why_not);
}

static void extents__of_what_is_no_file_are_none(void **state)
{
	struct zwb_file_extents found;

	(void)state;
	assert_int_equal(zwb_extents_of("/nowhere/at/all", &found, NULL), ZWB_OK);
	assert_string_equal(found.why_not, "it cannot be opened");
	assert_int_equal(zwb_extents_of("/dev/null", &found, NULL), ZWB_OK);
	assert_string_equal(found.why_not, "it is no regular file");
	assert_int_equal(found.nr, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(extents__cover_the_file),
		TEST(extents__are_those_of_filefrag),
		TEST(extents__of_a_file_with_a_hole_are_none),
		cmocka_unit_test(extents__of_what_is_no_file_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
