/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What traces/FORMAT.md says about our files is what is written, in both directions. */
#include "zwb_test.h"

#include "event.h"
#include "h5store.h"
#include "h5table.h"
#include "run.h"
#include "runfile.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINES 256

/* The lines about one kind of file: "/table | column | type | units | meaning". */
struct lines {
	char *items[MAX_LINES];
	size_t nr;
};

static void add_line(struct lines *l, const char *table, const char *rest)
{
	assert_true(l->nr < MAX_LINES);
	assert_true(asprintf(&l->items[l->nr++], "%s %s", table, rest) > 0);
}

static void release_lines(struct lines *l)
{
	while (l->nr)
		free(l->items[--l->nr]);
}

/*
 * Takes the table rows of @section, each with the path of the heading above it. The kinds of events
 * are a table in the document only.
 */
static void read_document(struct lines *l, const char *section)
{
	FILE *in = fopen(ZWB_SOURCE_DIR "/traces/FORMAT.md", "r");
	char line[4096], table[64] = "";
	int inside = 0;

	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "## ", 3) == 0)
			inside = strcmp(line + 3, section) == 0;
		else if (inside && strncmp(line, "### `", 5) == 0)
			snprintf(table, sizeof(table), "%.*s", (int)strcspn(line + 5, "`"),
				line + 5);
		else if (inside && strncmp(line, "### ", 4) == 0)
			snprintf(table, sizeof(table), "%.60s", line + 4);
		else if (inside && strncmp(line, "| `", 3) == 0)
			add_line(l, table, line);
	}
	fclose(in);
}

static const char *type_name(hid_t type)
{
	static const char *const integers[2][4] = { { "uint8", "uint16", "uint32", "uint64" },
		{ "int8", "int16", "int32", "int64" } };

	if (H5Tget_class(type) == H5T_STRING)
		return "string";
	if (H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 8)
		return "float64";
	for (size_t i = 0; H5Tget_class(type) == H5T_INTEGER && i < 4; i++) {
		if (H5Tget_size(type) == (size_t)1 << i)
			return integers[H5Tget_sign(type) == H5T_SGN_2][i];
	}
	fail_msg("a type that FORMAT.md has no name for");
	return NULL;
}

/* An attribute of a dataset, "" if it has none; caller frees. */
static char *attribute(struct zwb_h5file *file, const char *path, const char *name)
{
	char *value = NULL;

	if (zwb_h5_has_attr(file, path, name))
		assert_int_equal(zwb_h5_get_str(file, path, name, &value, NULL), ZWB_OK);
	else
		value = strdup("");
	assert_non_null(value);
	return value;
}

/* "0 overrun, 1 bad_page" from "overrun bad_page". */
static void print_meanings(FILE *out, const char *meanings)
{
	for (int i = 0; *meanings; i++) {
		int len = (int)strcspn(meanings, " ");

		fprintf(out, "%s%d %.*s", i ? ", " : ": ", i, len, meanings);
		meanings += len;
		meanings += strspn(meanings, " ");
	}
}

struct visit {
	struct zwb_h5file *file;
	hid_t raw;
	struct lines *lines;
};

static int visit_node(const struct zwb_h5node *node, void *arg, struct zwb_err *err)
{
	struct visit *v = arg;
	const char *column = strrchr(node->path, '/') + 1;
	char table[64], *units, *long_name, *meanings, *line = NULL;
	size_t len;
	FILE *out;
	hid_t dset, type;

	(void)err;
	if (node->kind != ZWB_H5_COLUMN)
		return ZWB_OK;
	snprintf(table, sizeof(table), "%.*s", (int)(column - 1 - node->path), node->path);
	units = attribute(v->file, node->path, "units");
	long_name = attribute(v->file, node->path, "long_name");
	meanings = attribute(v->file, node->path, "flag_meanings");
	dset = H5Dopen2(v->raw, node->path, H5P_DEFAULT);
	type = H5Dget_type(dset);
	out = open_memstream(&line, &len);
	fprintf(out, "| `%s` | %s | %s%s| %s", column, type_name(type), units, units[0] ? " " : "",
		long_name);
	print_meanings(out, meanings);
	fputs(" |", out);
	fclose(out);
	add_line(v->lines, table, line);
	free(units);
	free(long_name);
	free(meanings);
	free(line);
	H5Tclose(type);
	H5Dclose(dset);
	return ZWB_OK;
}

static int visit_attr(const char *name, void *arg, struct zwb_err *err)
{
	struct visit *v = arg;
	char *text;
	hid_t attr = H5Aopen(v->raw, name, H5P_DEFAULT), type = H5Aget_type(attr);

	(void)err;
	assert_true(asprintf(&text, "| `%s` | %s |", name, type_name(type)) > 0);
	add_line(v->lines, "/", text);
	free(text);
	H5Tclose(type);
	H5Aclose(attr);
	return ZWB_OK;
}

static void write_run(const char *path)
{
	struct zwb_run *run = zwb_run_create("", "0.1.0");

	assert_non_null(run);
	assert_int_equal(zwb_runfile_write(run, path, 0, NULL), ZWB_OK);
	zwb_run_free(run);
}

static void write_store(const char *path)
{
	struct zwb_meta *m = zwb_meta_create();
	struct zwb_store *s;

	assert_non_null(m);
	assert_int_equal(zwb_store_create(path, NULL, &s, NULL), ZWB_OK);
	assert_int_equal(zwb_store_commit(s, m, NULL), ZWB_OK);
	zwb_meta_free(m);
}

/*
 * Everything that @write puts into a file, as lines of the document. HDF5 does not open a file in
 * two ways at once, so there are two of them.
 */
static void read_file(struct lines *l, void (*write)(const char *path))
{
	char dir[] = "/tmp/zwb-fileformat-XXXXXX", path[64], twin[64];
	struct visit v = { .lines = l };

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.h5", dir);
	snprintf(twin, sizeof(twin), "%s/twin.h5", dir);
	write(path);
	write(twin);
	assert_int_equal(zwb_h5_open(path, &v.file, NULL), ZWB_OK);
	v.raw = H5Fopen(twin, H5F_ACC_RDONLY, H5P_DEFAULT);
	assert_true(v.raw >= 0);
	assert_int_equal(zwb_h5_visit_attrs(v.file, "/", visit_attr, &v, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_visit(v.file, visit_node, &v, NULL), ZWB_OK);
	H5Fclose(v.raw);
	zwb_h5_close(v.file);
	unlink(path);
	unlink(twin);
	rmdir(dir);
}

/* 1 if @l has @line; of an attribute, whose meaning is only in the document, the beginning. */
static int has_line(const struct lines *l, const char *line, int beginning)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (beginning ? strncmp(l->items[i], line, strlen(line)) == 0
			      : strcmp(l->items[i], line) == 0)
			return 1;
	}
	return 0;
}

static void assert_documented(struct lines *file, const char *section)
{
	struct lines document = { .nr = 0 };

	read_document(&document, section);
	for (size_t i = 0; i < file->nr; i++) {
		if (!has_line(&document, file->items[i], strncmp(file->items[i], "/ ", 2) == 0))
			fail_msg("traces/FORMAT.md lacks: %s", file->items[i]);
	}
	/* as many: so the document has no line that the file has not */
	assert_int_equal(document.nr, file->nr);
	release_lines(&document);
	release_lines(file);
}

static void fileformat__the_document_names_all_of_a_run_and_nothing_else(void **state)
{
	struct lines file = { .nr = 0 };

	(void)state;
	read_file(&file, write_run);
	assert_documented(&file, "run.h5");
}

static void fileformat__the_document_names_all_of_a_store_and_nothing_else(void **state)
{
	struct lines file = { .nr = 0 };

	(void)state;
	read_file(&file, write_store);
	for (unsigned int kind = 0; kind < ZWB_EV_NR; kind++) {
		char *row;

		assert_true(asprintf(&row, "| `%s` | %s |", zwb_event_kind_name(kind),
				    zwb_event_kind_doc(kind)) > 0);
		add_line(&file, "Kinds of events", row);
		free(row);
	}
	assert_documented(&file, "trace.h5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fileformat__the_document_names_all_of_a_run_and_nothing_else),
		cmocka_unit_test(fileformat__the_document_names_all_of_a_store_and_nothing_else),
	};

	return cmocka_run_group_tests_name("fileformat", tests, NULL, NULL);
}
