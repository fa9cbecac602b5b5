/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "sha256.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAR ((off_t)1 << 40)

static int setup(void **state)
{
	char *path = strdup("/tmp/zwb-sha256-XXXXXX");

	close(mkstemp(path));
	*state = path;
	return 0;
}

static int teardown(void **state)
{
	int ret = unlink(*state);

	free(*state);
	return ret;
}

static void put(const char *path, off_t at, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY);

	assert_int_equal(pwrite(fd, data, len, at), len);
	close(fd);
}

/* FIPS 180-4, example of one block. */
static void sha256__is_that_of_the_standard(void **state)
{
	static const char want[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	char hex[ZWB_SHA256_HEX];

	put(*state, 0, "abc", 3);
	assert_int_equal(zwb_sha256_file(*state, hex, NULL), ZWB_OK);
	assert_string_equal(hex, want);
	assert_int_equal(zwb_sha256_sparse(*state, hex, NULL), ZWB_OK);
	assert_string_equal(hex, want);
	zwb_sha256("abc", 3, hex);
	assert_string_equal(hex, want);
}

/* A file of 1 TiB is read in no time. */
static void sha256__of_a_sparse_file_is_that_of_its_data(void **state)
{
	char hex[ZWB_SHA256_HEX], other[ZWB_SHA256_HEX];
	unsigned char block[4096];

	memset(block, 7, sizeof(block));
	put(*state, 0, block, sizeof(block));
	put(*state, FAR, block, 100);
	assert_int_equal(zwb_sha256_sparse(*state, hex, NULL), ZWB_OK);
	memset(block, 0, sizeof(block));
	put(*state, 3 * 4096, block, sizeof(block)); /* zeros where there was a hole */
	assert_int_equal(zwb_sha256_sparse(*state, other, NULL), ZWB_OK);
	assert_string_equal(hex, other);
	put(*state, FAR + 5, "x", 1);
	assert_int_equal(zwb_sha256_sparse(*state, other, NULL), ZWB_OK);
	assert_string_not_equal(hex, other);
	assert_int_equal(truncate(*state, 2 * FAR), 0); /* ends in a hole */
	assert_int_equal(zwb_sha256_sparse(*state, hex, NULL), ZWB_OK);
	assert_string_not_equal(hex, "");
}

static void sha256__says_which_file_cannot_be_read(void **state)
{
	char hex[ZWB_SHA256_HEX];
	struct zwb_err err = { 0 };

	(void)state;
	assert_int_equal(zwb_sha256_file("/does/not/exist", hex, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "/does/not/exist"));
	assert_int_equal(zwb_sha256_sparse("/", hex, &err), ZWB_EENV);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sha256__is_that_of_the_standard),
		TEST(sha256__of_a_sparse_file_is_that_of_its_data),
		TEST(sha256__says_which_file_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
