/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a sweep: every cell in exactly one, whoever deals them. */
#include "zwb_test.h"

#include "sweep_part.h"

#include <stdlib.h>
#include <string.h>

static void sweep_part__every_cell_is_in_one_part(void **state)
{
	static const size_t cells[] = { 1, 2, 7, 100, 99999, 100000 };
	static const uint64_t parts[] = { 1, 2, 3, 8, 101, ZWB_SWEEP_MAX_PARTS };

	(void)state;
	for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
			size_t next = 0, least = SIZE_MAX, most = 0;

			for (uint64_t k = 1; k <= parts[p]; k++) {
				const struct zwb_sweep_part part = { .k = k, .n = parts[p] };
				size_t begin, end;

				zwb_sweep_part_cells(&part, cells[c], &begin, &end);
				assert_int_equal(begin, next);
				assert_true(end >= begin);
				least = end - begin < least ? end - begin : least;
				most = end - begin > most ? end - begin : most;
				next = end;
			}
			assert_int_equal(next, cells[c]);
			assert_true(most - least <= 1);
		}
	}
}

static void sweep_part__is_read_from_text(void **state)
{
	static const char *const wrong[] = { "", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2",
		"1/2/3", "a/b", "1 / 2", "1/100001", "00000000000000000000000000000001/2" };
	struct zwb_sweep_part part;

	(void)state;
	assert_int_equal(zwb_sweep_part_parse("3/12", &part, NULL), ZWB_OK);
	assert_int_equal(part.k, 3);
	assert_int_equal(part.n, 12);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct zwb_err err = { 0 };

		if (zwb_sweep_part_parse(wrong[i], &part, &err) != ZWB_EUSAGE || !err.text[0])
			fail_msg("\"%s\" is taken", wrong[i]);
	}
}

/* -- environments -- */

static char *none(const char *name)
{
	(void)name;
	return NULL;
}

static char *open_mpi(const char *name)
{
	if (strcmp(name, "OMPI_COMM_WORLD_RANK") == 0)
		return (char *)"1";
	return strcmp(name, "OMPI_COMM_WORLD_SIZE") == 0 ? (char *)"4" : NULL;
}

static char *mpich(const char *name)
{
	if (strcmp(name, "PMI_RANK") == 0)
		return (char *)"0";
	return strcmp(name, "PMI_SIZE") == 0 ? (char *)"2" : NULL;
}

static char *rank_only(const char *name)
{
	return strcmp(name, "OMPI_COMM_WORLD_RANK") == 0 ? (char *)"1" : NULL;
}

static char *rank_past_size(const char *name)
{
	return strncmp(name, "PMI_", 4) == 0 ? (char *)"2" : NULL;
}

static char *no_number(const char *name)
{
	(void)name;
	return (char *)"two";
}

static void sweep_part__is_that_of_the_launcher(void **state)
{
	static const struct {
		char *(*get)(const char *name);
		int status;
		uint64_t k, n;
	} rows[] = {
		{ none, ZWB_OK, 1, 1 },
		{ open_mpi, ZWB_OK, 2, 4 },
		{ mpich, ZWB_OK, 1, 2 },
		{ rank_only, ZWB_OK, 1, 1 },
		{ rank_past_size, ZWB_EUSAGE, 0, 0 },
		{ no_number, ZWB_EUSAGE, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zwb_sweep_part part;

		assert_int_equal(zwb_sweep_part_launched(rows[i].get, &part, NULL), rows[i].status);
		if (rows[i].status)
			continue;
		assert_int_equal(part.k, rows[i].k);
		assert_int_equal(part.n, rows[i].n);
	}
}

static void sweep_part__names_sort_as_the_parts_do(void **state)
{
	static const struct {
		struct zwb_sweep_part part;
		const char *path, *expected;
	} rows[] = {
		{ { 1, 1 }, "a/sweep.h5", "a/sweep.h5" },
		{ { 1, 2 }, "sweep.h5", "sweep.1-of-2.h5" },
		{ { 3, 12 }, "a.b/sweep.h5", "a.b/sweep.03-of-12.h5" },
		{ { 12, 12 }, "a.b/sweep", "a.b/sweep.12-of-12" },
		{ { 2, 100 }, ".hidden", ".hidden.002-of-100" },
		{ { 2, 3 }, "dir/.h5", "dir/.h5.2-of-3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *path = zwb_sweep_part_path(&rows[i].part, rows[i].path);

		assert_non_null(path);
		assert_string_equal(path, rows[i].expected);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweep_part__every_cell_is_in_one_part),
		cmocka_unit_test(sweep_part__is_read_from_text),
		cmocka_unit_test(sweep_part__is_that_of_the_launcher),
		cmocka_unit_test(sweep_part__names_sort_as_the_parts_do),
	};

	return cmocka_run_group_tests_name("sweep_part", tests, NULL, NULL);
}
