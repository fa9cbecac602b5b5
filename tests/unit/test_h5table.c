/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in HDF5: what is written is read, stock HDF5 reads it too, hostile files are refused. */
#include "h5table.h"
#include "zwb_test.h"

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const colours[] = { "red", "green", "blue" };

static const struct zwb_h5col all_types[] = {
	{ .name = "a", .type = ZWB_H5_U8, .flags = colours, .nr_flags = 3 },
	{ .name = "b", .type = ZWB_H5_U16 },
	{ .name = "c", .type = ZWB_H5_U32 },
	{ .name = "d", .type = ZWB_H5_U64, .units = "ns", .long_name = "a time" },
	{ .name = "e", .type = ZWB_H5_I32 },
	{ .name = "f", .type = ZWB_H5_I64 },
	{ .name = "g", .type = ZWB_H5_F64, .units = "ratio" },
	{ .name = "h", .type = ZWB_H5_STR, .width = 12 },
};

#define NR_COLS	   (sizeof(all_types) / sizeof(all_types[0]))
#define CHUNK_ROWS UINT64_C(1000)

struct fixture {
	char dir[32];
	char path[64];
	char other[64];
};

static int setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	snprintf(fx->dir, sizeof(fx->dir), "/tmp/zwb-h5-XXXXXX");
	assert_non_null(mkdtemp(fx->dir));
	snprintf(fx->path, sizeof(fx->path), "%s/t.h5", fx->dir);
	snprintf(fx->other, sizeof(fx->other), "%s/u.h5", fx->dir);
	*state = fx;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fx = *state;

	unlink(fx->path);
	unlink(fx->other);
	assert_int_equal(rmdir(fx->dir), 0); /* also: no temporary file was left */
	free(fx);
	return 0;
}

/* Row @i: numbers that use all their bytes, text of every length up to the width. */
static void row_of(uint64_t i, struct zwb_h5cell *cells, char *text)
{
	uint64_t mix = (i + 1) * 0x9e3779b97f4a7c15ull;

	cells[0].u = i % 3;
	cells[1].u = mix & 0xffff;
	cells[2].u = mix & 0xffffffff;
	cells[3].u = mix;
	cells[4].i = (int32_t)(uint32_t)(mix >> 32);
	cells[5].i = (int64_t)mix;
	cells[6].f = (double)i / 7;
	memset(text, 'a' + (int)(i % 26), 12);
	text[i % 13] = '\0';
	cells[7].s = text;
}

static void write_rows(const char *path, uint64_t nr, int nr_threads)
{
	struct zwb_h5spec spec = { .path = "/deep/table",
		.long_name = "all types",
		.cols = all_types,
		.nr_cols = NR_COLS,
		.chunk_rows = CHUNK_ROWS,
		.nr_threads = nr_threads };
	struct zwb_h5cell cells[NR_COLS];
	struct zwb_h5table *t;
	struct zwb_h5file *f;
	char text[13] = "";

	assert_int_equal(zwb_h5_create(path, 1, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_create(f, &spec, &t, NULL), ZWB_OK);
	for (uint64_t i = 0; i < nr; i++) {
		row_of(i, cells, text);
		assert_int_equal(zwb_h5_table_put(t, cells, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_h5_table_close(t, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(f, NULL), ZWB_OK);
}

static void check_rows(const char *path, uint64_t nr)
{
	struct zwb_h5cell got[NR_COLS], want[NR_COLS];
	struct zwb_h5table *t;
	struct zwb_h5file *f;
	char text[13] = "";

	assert_int_equal(zwb_h5_open(path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_open(f, "/deep/table", all_types, NR_COLS, &t, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_rows(t), nr);
	for (uint64_t i = 0; i < nr; i++) {
		row_of(i, want, text);
		assert_int_equal(zwb_h5_table_get(t, i, got, NULL), ZWB_OK);
		for (size_t c = 0; c < NR_COLS - 1; c++)
			assert_int_equal(got[c].u, want[c].u);
		assert_string_equal(got[7].s, want[7].s);
	}
	assert_int_equal(zwb_h5_table_get(t, nr, got, NULL), ZWB_EUSAGE);
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(f);
}

static void h5table__rows_come_back_at_every_chunk_border(void **state)
{
	static const uint64_t lengths[] = { 0, 1, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1,
		3 * CHUNK_ROWS, 7 * CHUNK_ROWS + 13 };
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		for (int nr_threads = 0; nr_threads <= 2; nr_threads++) {
			write_rows(fx->path, lengths[i], nr_threads);
			check_rows(fx->path, lengths[i]);
		}
	}
}

static char *slurp(const char *path, size_t *size)
{
	FILE *in = fopen(path, "r");
	char *text;

	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	*size = (size_t)ftell(in);
	rewind(in);
	text = malloc(*size);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *size, in), *size);
	fclose(in);
	return text;
}

static void h5table__files_are_identical_whatever_the_threads_and_the_time(void **state)
{
	struct fixture *fx = *state;
	size_t size_a, size_b;
	char *a, *b;

	write_rows(fx->path, 25 * CHUNK_ROWS + 3, 0);
	sleep(1); /* HDF5 would record seconds */
	write_rows(fx->other, 25 * CHUNK_ROWS + 3, 2);
	a = slurp(fx->path, &size_a);
	b = slurp(fx->other, &size_b);
	assert_int_equal(size_a, size_b);
	assert_memory_equal(a, b, size_a);
	free(a);
	free(b);
}

static void h5table__stock_hdf5_reads_the_same_values(void **state)
{
	enum { NR = 2 * CHUNK_ROWS + 17 };
	struct fixture *fx = *state;
	uint64_t *values = calloc(NR, sizeof(*values));
	struct zwb_h5cell want[NR_COLS];
	char text[13] = "";
	hid_t file, dset;

	write_rows(fx->path, NR, 1);
	file = H5Fopen(fx->path, H5F_ACC_RDONLY, H5P_DEFAULT);
	dset = H5Dopen2(file, "/deep/table/d", H5P_DEFAULT);
	assert_true(H5Dread(dset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
	for (uint64_t i = 0; i < NR; i++) {
		row_of(i, want, text);
		assert_int_equal(values[i], want[3].u);
	}
	assert_true(H5Aexists(dset, "units") > 0);
	assert_true(H5Aexists(dset, "long_name") > 0);
	H5Dclose(dset);
	H5Fclose(file);
	free(values);
}

static void h5table__single_columns_are_read_across_chunks(void **state)
{
	enum { FIRST = CHUNK_ROWS - 5, NR = 2 * CHUNK_ROWS };
	struct fixture *fx = *state;
	uint32_t *values = calloc(NR, sizeof(*values));
	struct zwb_h5cell want[NR_COLS];
	struct zwb_h5table *t;
	struct zwb_h5file *f;
	char text[13] = "";

	write_rows(fx->path, 4 * CHUNK_ROWS, 0);
	assert_int_equal(zwb_h5_open(fx->path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_open(f, "/deep/table", all_types, NR_COLS, &t, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_read(t, 2, FIRST, NR, values, NULL), ZWB_OK);
	for (uint64_t i = 0; i < NR; i++) {
		row_of(FIRST + i, want, text);
		assert_int_equal(values[i], want[2].u);
	}
	assert_int_equal(zwb_h5_table_read(t, 2, 4 * CHUNK_ROWS - 1, 2, values, NULL), ZWB_EUSAGE);
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(f);
	free(values);
}

struct seen_flags {
	int nr;
	char text[64];
};

static void see_flag(int64_t value, const char *name, void *arg)
{
	struct seen_flags *seen = arg;

	snprintf(seen->text + strlen(seen->text), sizeof(seen->text) - strlen(seen->text), "%d=%s ",
		(int)value, name);
	seen->nr++;
}

static void h5table__flags_name_the_values_of_a_column(void **state)
{
	struct fixture *fx = *state;
	struct seen_flags seen = { 0 };
	struct zwb_h5table *t;
	struct zwb_h5file *f;

	write_rows(fx->path, 3, 0);
	assert_int_equal(zwb_h5_open(fx->path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_open(f, "/deep/table", all_types, NR_COLS, &t, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_table_flags(t, 0, see_flag, &seen, NULL), ZWB_OK);
	assert_string_equal(seen.text, "0=red 1=green 2=blue ");
	assert_int_equal(zwb_h5_table_flags(t, 1, see_flag, &seen, NULL), ZWB_OK);
	assert_int_equal(seen.nr, 3);
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(f);
}

static void h5table__attributes_come_back(void **state)
{
	struct fixture *fx = *state;
	struct zwb_h5file *f;
	uint64_t u = 0;
	double d = 0;
	char *s = NULL;

	assert_int_equal(zwb_h5_create(fx->path, 0, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_group(f, "/x/y", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_u64(f, "/", "u", 1, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_u64(f, "/", "u", UINT64_MAX, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_f64(f, "/x/y", "d", 0.125, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(f, "/x", "s", "caf\xc3\xa9", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(f, "/x", "empty", "", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_open(fx->path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_get_u64(f, "/", "u", &u, NULL), ZWB_OK);
	assert_int_equal(u, UINT64_MAX);
	assert_int_equal(zwb_h5_get_f64(f, "/x/y", "d", &d, NULL), ZWB_OK);
	assert_true(d == 0.125);
	assert_int_equal(zwb_h5_get_str(f, "/x", "s", &s, NULL), ZWB_OK);
	assert_string_equal(s, "caf\xc3\xa9");
	free(s);
	assert_int_equal(zwb_h5_get_str(f, "/x", "empty", &s, NULL), ZWB_OK);
	assert_string_equal(s, "");
	free(s);
	assert_int_equal(zwb_h5_get_u64(f, "/x", "s", &u, NULL), ZWB_EDATA);
	assert_int_equal(zwb_h5_get_u64(f, "/x", "none", &u, NULL), ZWB_EDATA);
	assert_int_equal(zwb_h5_has_attr(f, "/x", "s"), 1);
	assert_int_equal(zwb_h5_has_attr(f, "/nowhere/x", "s"), 0);
	zwb_h5_close(f);
}

#define VISIT_TEXT 512

static int list_node(const struct zwb_h5node *node, void *arg, struct zwb_err *err)
{
	char *text = arg;

	(void)err;
	snprintf(text + strlen(text), VISIT_TEXT - strlen(text), "%s:%d ", node->path,
		(int)node->nr_rows);
	return ZWB_OK;
}

static void h5table__visit_names_groups_and_columns(void **state)
{
	struct fixture *fx = *state;
	struct zwb_h5file *f;
	char text[VISIT_TEXT] = "";

	write_rows(fx->path, 5, 0);
	assert_int_equal(zwb_h5_open(fx->path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_visit(f, list_node, text, NULL), ZWB_OK);
	assert_string_equal(text,
		"/deep:0 /deep/table:0 /deep/table/a:5 /deep/table/b:5 /deep/table/c:5 "
		"/deep/table/d:5 /deep/table/e:5 /deep/table/f:5 /deep/table/g:5 "
		"/deep/table/h:5 ");
	zwb_h5_close(f);
}

static void h5table__a_file_has_its_name_only_when_committed(void **state)
{
	struct fixture *fx = *state;
	struct zwb_h5file *f;
	struct stat st;

	assert_int_equal(zwb_h5_create(fx->path, 0, &f, NULL), ZWB_OK);
	assert_int_not_equal(stat(fx->path, &st), 0);
	zwb_h5_close(f);
	assert_int_not_equal(stat(fx->path, &st), 0);
	write_rows(fx->path, 1, 0);
	assert_int_equal(zwb_h5_create(fx->path, 0, &f, NULL), ZWB_EUSAGE);
	check_rows(fx->path, 1);
}

static void h5table__a_full_disk_is_an_error(void **state)
{
	struct zwb_h5spec spec = { .path = "/t", .cols = &all_types[3], .nr_cols = 1 };
	struct zwb_err err = { 0 };
	struct zwb_h5table *t = NULL;
	struct zwb_h5file *f;
	int ret;

	(void)state;
	ret = zwb_h5_create("/dev/full", 0, &f, &err);
	if (!ret) {
		ret = zwb_h5_table_create(f, &spec, &t, &err);
		if (!ret)
			ret = zwb_h5_table_close(t, &err);
		if (!ret)
			ret = zwb_h5_commit(f, &err);
		else
			zwb_h5_close(f);
	}
	assert_int_equal(ret, ZWB_EENV);
	assert_non_null(strstr(err.text, "/dev/full"));
	assert_non_null(strstr(err.text, "No space left"));
}

static void h5table__what_is_not_hdf5_is_of_the_wrong_kind(void **state)
{
	struct fixture *fx = *state;
	struct zwb_err err = { 0 };
	struct zwb_h5file *f;
	int fd = open(fx->path, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(zwb_h5_open(fx->path, &f, &err), ZWB_EKIND);
	assert_int_equal(write(fd, "not at all", 10), 10);
	close(fd);
	assert_int_equal(zwb_h5_open(fx->path, &f, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, fx->path));
	assert_int_equal(zwb_h5_open(fx->dir, &f, &err), ZWB_EKIND);
	assert_int_equal(zwb_h5_open("/nonexistent/x.h5", &f, &err), ZWB_EENV);
}

/* -- hostile files, made with HDF5 itself -- */

/* What is wrong with the column "x" beside a sound column "y" of 10 rows. */
struct hostile {
	const char *what;
	void (*make)(hid_t file, hid_t group);
	const char *text; /* in the error */
};

static void put_column(hid_t group, const char *name, hid_t type, int nr_dims, hsize_t nr)
{
	hsize_t dims[2] = { nr, 2 };
	hid_t space = H5Screate_simple(nr_dims, dims, NULL);
	hid_t dset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	char zeros[4096] = { 0 };

	assert_true(dset >= 0);
	if (H5Tget_size(type) * nr * (nr_dims == 2 ? 2 : 1) <= sizeof(zeros))
		assert_true(H5Dwrite(dset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
	H5Dclose(dset);
	H5Sclose(space);
}

static void make_chunked(hid_t group, hsize_t nr, hsize_t chunk, const void *raw, size_t raw_bytes)
{
	hsize_t unlimited = H5S_UNLIMITED, zero = 0;
	hid_t space = H5Screate_simple(1, &nr, &unlimited);
	hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	hid_t dset;

	H5Pset_chunk(dcpl, 1, &chunk);
	H5Pset_shuffle(dcpl);
	H5Pset_deflate(dcpl, 1);
	dset = H5Dcreate2(group, "x", H5T_STD_U32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
	assert_true(dset >= 0);
	if (raw)
		assert_true(H5Dwrite_chunk(dset, H5P_DEFAULT, 0, &zero, raw_bytes, raw) >= 0);
	H5Dclose(dset);
	H5Pclose(dcpl);
	H5Sclose(space);
}

static void make_nothing(hid_t file, hid_t group)
{
	(void)file;
	(void)group;
}

static void make_text(hid_t file, hid_t group)
{
	(void)file;
	put_column(group, "x", H5T_C_S1, 1, 10);
}

static void make_float(hid_t file, hid_t group)
{
	(void)file;
	put_column(group, "x", H5T_IEEE_F64LE, 1, 10);
}

static void make_short(hid_t file, hid_t group)
{
	(void)file;
	put_column(group, "x", H5T_STD_U32LE, 1, 9);
}

static void make_matrix(hid_t file, hid_t group)
{
	(void)file;
	put_column(group, "x", H5T_STD_U32LE, 2, 10);
}

static void make_group(hid_t file, hid_t group)
{
	(void)file;
	H5Gclose(H5Gcreate2(group, "x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static void make_external(hid_t file, hid_t group)
{
	(void)file;
	H5Lcreate_external("/etc/passwd", "/", group, "x", H5P_DEFAULT, H5P_DEFAULT);
}

static void make_hollow(hid_t file, hid_t group)
{
	(void)file;
	make_chunked(group, 10, 10, NULL, 0);
}

static void make_huge_chunk(hid_t file, hid_t group)
{
	(void)file;
	make_chunked(group, 10, 1u << 28, NULL, 0);
}

static void make_garbage_chunk(hid_t file, hid_t group)
{
	(void)file;
	make_chunked(group, 10, 10, "garbage that is no zlib stream", 30);
}

static void make_bloated_chunk(hid_t file, hid_t group)
{
	static const char bloat[60000]; /* HDF5 keeps two bytes for the size of such a chunk */

	(void)file;
	make_chunked(group, 10, 10, bloat, sizeof(bloat));
}

static const struct hostile hostiles[] = {
	{ "column missing", make_nothing, "missing" },
	{ "text for numbers", make_text, "numbers" },
	{ "fractions for whole numbers", make_float, "numbers" },
	{ "another length", make_short, "length" },
	{ "two dimensions", make_matrix, "not a list" },
	{ "a group", make_group, "not a dataset" },
	{ "a link to another file", make_external, "link" },
	{ "rows without data", make_hollow, "longer than its data" },
	{ "a chunk that fills the memory", make_huge_chunk, "too long" },
	{ "a chunk that does not unpack", make_garbage_chunk, "does not unpack" },
	{ "a chunk larger than its rows", make_bloated_chunk, "impossible size" },
};

static int read_xy(const char *path, struct zwb_err *err)
{
	static const struct zwb_h5col cols[] = {
		{ .name = "y", .type = ZWB_H5_U32 },
		{ .name = "x", .type = ZWB_H5_U32 },
	};
	const void *blocks[2];
	struct zwb_h5table *t;
	struct zwb_h5file *f;
	size_t nr;
	int ret = zwb_h5_open(path, &f, err);

	assert_int_equal(ret, ZWB_OK);
	ret = zwb_h5_table_open(f, "/t", cols, 2, &t, err);
	if (!ret) {
		ret = zwb_h5_table_block(t, 0, blocks, &nr, err);
		zwb_h5_table_close(t, NULL);
	}
	zwb_h5_close(f);
	return ret;
}

static void h5table__hostile_columns_are_refused(void **state)
{
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(hostiles) / sizeof(hostiles[0]); i++) {
		hid_t file = H5Fcreate(fx->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
		hid_t group = H5Gcreate2(file, "/t", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		struct zwb_err err = { 0 };

		put_column(group, "y", H5T_STD_U32LE, 1, 10);
		hostiles[i].make(file, group);
		H5Gclose(group);
		H5Fclose(file);
		if (read_xy(fx->path, &err) != ZWB_EDATA || !strstr(err.text, hostiles[i].text))
			fail_msg("%s: %d %s", hostiles[i].what, err.status, err.text);
		assert_non_null(strstr(err.text, fx->path));
	}
}

static void h5table__foreign_layouts_and_widths_are_converted(void **state)
{
	struct fixture *fx = *state;
	hid_t file = H5Fcreate(fx->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t group = H5Gcreate2(file, "/t", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	put_column(group, "y", H5T_STD_I64BE, 1, 10);
	put_column(group, "x", H5T_STD_U8LE, 1, 10);
	H5Gclose(group);
	H5Fclose(file);
	assert_int_equal(read_xy(fx->path, NULL), ZWB_OK);
}

static void h5table__a_flipped_bit_never_crashes(void **state)
{
	struct fixture *fx = *state;
	struct zwb_h5cell cells[NR_COLS];
	size_t size;
	char *text;

	write_rows(fx->other, 50, 0);
	text = slurp(fx->other, &size);
	for (size_t bit = 3; bit < size * 8; bit += 499) {
		FILE *out = fopen(fx->path, "w");
		struct zwb_h5table *t;
		struct zwb_h5file *f;

		text[bit / 8] = (char)(text[bit / 8] ^ (1 << bit % 8));
		assert_int_equal(fwrite(text, 1, size, out), size);
		fclose(out);
		text[bit / 8] = (char)(text[bit / 8] ^ (1 << bit % 8));
		if (zwb_h5_open(fx->path, &f, NULL))
			continue;
		if (!zwb_h5_table_open(f, "/deep/table", all_types, NR_COLS, &t, NULL)) {
			for (uint64_t i = 0; i < zwb_h5_table_rows(t) && i < 100; i++)
				zwb_h5_table_get(t, i, cells, NULL);
			zwb_h5_table_close(t, NULL);
		}
		zwb_h5_close(f);
	}
	free(text);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(h5table__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(rows_come_back_at_every_chunk_border),
		T(files_are_identical_whatever_the_threads_and_the_time),
		T(stock_hdf5_reads_the_same_values),
		T(single_columns_are_read_across_chunks),
		T(flags_name_the_values_of_a_column),
		T(attributes_come_back),
		T(visit_names_groups_and_columns),
		T(a_file_has_its_name_only_when_committed),
		T(a_full_disk_is_an_error),
		T(what_is_not_hdf5_is_of_the_wrong_kind),
		T(hostile_columns_are_refused),
		T(foreign_layouts_and_widths_are_converted),
		T(a_flipped_bit_never_crashes),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
