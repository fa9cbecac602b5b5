/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading run.h5: everything comes back, and nothing that is wrong in a file is believed. */
#include "run_builder.h"

#include "h5table.h"
#include "runfile.h"
#include "runread.h"
#include "runschema.h"

#include <sys/stat.h>
#include <unistd.h>

struct place {
	char dir[64];
	char path[96];
	char again[96];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-runread-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->path, sizeof(p->path), "%s/run.h5", p->dir);
	snprintf(p->again, sizeof(p->again), "%s/again.h5", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	unlink(p->path);
	unlink(p->again);
	assert_int_equal(rmdir(p->dir), 0);
	free(p);
	return 0;
}

static struct zwb_run *sample(void)
{
	const struct zwb_metric_def strange = { "walk length", "pages", "mean", ZWB_KIND_VALUE,
		ZWB_BETTER_HIGHER };
	const struct zwb_loss loss = { .cpu = 9,
		.kind = ZWB_LOSS_DISORDER,
		.nr = 4,
		.nr_is_known = 1,
		.first_ns = 1,
		.last_ns = 2 };
	double values[] = { 0.5, NAN, 7 };
	const struct zwb_run_series series = { .cgroup = ZWB_RUN_TOTAL,
		.metric = ZWB_METRIC_NR,
		.cls = 'M',
		.interval_ns = 1000,
		.values = values,
		.nr_values = 3 };
	const struct zwb_run_series of_cgroup = {
		.cgroup = 1, .metric = ZWB_METRIC_WRITE_BIOS, .cls = 'E', .interval_ns = UINT64_MAX
	};
	struct zwb_run *run = build_run();
	struct zwb_meta *meta = zwb_meta_create();

	assert_int_equal(zwb_run_add_def(run, &strange, NULL), ZWB_METRIC_NR);
	build_trace(run, "one");
	assert_int_equal(zwb_meta_loss(meta, &loss, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "store.len", 6, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 3, "/\xff\n", NULL), 1);
	assert_int_equal(zwb_run_add_trace(run, meta, "plugged", NULL), 1);
	zwb_meta_free(meta);
	for (uint64_t i = 0; i < 4; i++) {
		struct zwb_run_arm *arm = build_arm(i % 2, i < 2 ? "x" : "y,k=v", i);
		struct zwb_hist h;

		zwb_hist_init(&h);
		for (uint64_t v = 1; v < UINT64_MAX / 7; v *= 7)
			zwb_hist_record(&h, v + i);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 0.1 * (double)i);
		build_value(arm, ZWB_METRIC_WRITE_BIOS, 1, 1e300);
		build_value(arm, ZWB_METRIC_NR, ZWB_RUN_TOTAL, 12);
		assert_int_equal(
			zwb_run_arm_hist(arm, ZWB_METRIC_STALL_LATENCY, 1, 'F', &h, NULL), ZWB_OK);
		assert_int_equal(zwb_run_arm_series(arm, &series, NULL), ZWB_OK);
		if (i == 2)
			assert_int_equal(zwb_run_arm_series(arm, &of_cgroup, NULL), ZWB_OK);
		assert_int_equal(zwb_run_arm_note(arm, "assumed", NULL), ZWB_OK);
		build_add(run, arm);
	}
	assert_int_equal(zwb_run_add_note(run, "of the run", NULL), ZWB_OK);
	return run;
}

static char *slurp(const char *path, size_t *len)
{
	struct stat st;
	FILE *in = fopen(path, "rb");
	char *bytes;

	assert_non_null(in);
	assert_int_equal(fstat(fileno(in), &st), 0);
	*len = (size_t)st.st_size;
	bytes = malloc(*len);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *len, in), *len);
	fclose(in);
	return bytes;
}

static void spit(const char *path, const char *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

/* Equal files have equal content, and test_runfile.c checks the content of files. */
static void runread__writing_what_was_read_gives_the_same_bytes(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;
	const struct zwb_run_series *s;
	size_t len, len_again;
	char *bytes, *again;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_run_read(p->path, &back, NULL), ZWB_OK);
	assert_int_equal(zwb_runfile_write(back, p->again, 0, NULL), ZWB_OK);
	bytes = slurp(p->path, &len);
	again = slurp(p->again, &len_again);
	assert_int_equal(len, len_again);
	assert_memory_equal(bytes, again, len);
	assert_string_equal(back->arms[3]->info.policy, "y,k=v");
	assert_int_equal(back->arms[3]->info.seed, 3);
	assert_int_equal(back->arms[2]->nr_series, 2);
	assert_int_equal(
		zwb_run_arm_find_series(back->arms[2], ZWB_METRIC_WRITE_BIOS, 1)->interval_ns,
		UINT64_MAX);
	s = zwb_run_arm_find_series(back->arms[3], ZWB_METRIC_NR, ZWB_RUN_TOTAL);
	assert_int_equal(s->interval_ns, 1000);
	assert_int_equal(s->nr_values, 3);
	assert_true(s->values[0] == 0.5 && isnan(s->values[1]) && s->values[2] == 7);
	assert_string_equal(back->traces[1].captured_policy, "plugged");
	free(bytes);
	free(again);
	zwb_run_free(run);
	zwb_run_free(back);
}

static void runread__empty_run_comes_back_empty(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = build_run(), *back;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_run_read(p->path, &back, NULL), ZWB_OK);
	assert_int_equal(back->nr_traces, 0);
	assert_int_equal(back->nr_arms, 0);
	assert_int_equal(back->nr_defs, ZWB_METRIC_NR);
	zwb_run_free(run);
	zwb_run_free(back);
}

static void runread__other_files_are_of_the_wrong_kind(void **state)
{
	const struct place *p = *state;
	struct zwb_h5file *file;
	struct zwb_run *run;
	struct zwb_err err;

	spit(p->path, "not HDF5", 8);
	assert_int_equal(zwb_run_read(p->path, &run, &err), ZWB_EKIND);
	assert_null(run);
	assert_int_equal(zwb_h5_create(p->path, 1, &file, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(file, NULL), ZWB_OK);
	assert_int_equal(zwb_run_read(p->path, &run, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "not one of zwb"));
	assert_int_equal(zwb_h5_create(p->path, 1, &file, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(file, "/", "format", "zwb trace", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(file, NULL), ZWB_OK);
	assert_int_equal(zwb_run_read(p->path, &run, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "\"zwb trace\""));
	assert_int_equal(zwb_run_read("/nonexistent/run.h5", &run, &err), ZWB_EENV);
}

/* -- files that our writer would not make -- */

/* A cell of one table that is replaced: row 0, column, its new value. */
struct lie {
	const char *what;
	enum zwb_run_table table;
	size_t col;
	struct zwb_h5cell value;
};

/* Copies a table of @from to @to, with the lie if it is about this table. */
static void copy_table(struct zwb_h5file *from, struct zwb_h5file *to, enum zwb_run_table table,
	const struct lie *lie)
{
	const struct zwb_run_schema *schema = zwb_run_schema(table);
	struct zwb_h5col cols[ZWB_RUN_MAX_COLS];
	struct zwb_h5cell cells[ZWB_RUN_MAX_COLS];
	struct zwb_h5spec spec = { .path = schema->path, .cols = cols, .nr_cols = schema->nr_cols };
	struct zwb_h5table *in, *out;

	for (size_t i = 0; i < schema->nr_cols; i++) {
		cols[i] = schema->cols[i];
		cols[i].width = 200;
	}
	assert_int_equal(
		zwb_h5_table_open(from, schema->path, schema->cols, schema->nr_cols, &in, NULL),
		ZWB_OK);
	assert_int_equal(zwb_h5_table_create(to, &spec, &out, NULL), ZWB_OK);
	for (uint64_t row = 0; row < zwb_h5_table_rows(in); row++) {
		assert_int_equal(zwb_h5_table_get(in, row, cells, NULL), ZWB_OK);
		if (lie->table == table && row == 0)
			cells[lie->col] = lie->value;
		assert_int_equal(zwb_h5_table_put(out, cells, NULL), ZWB_OK);
	}
	zwb_h5_table_close(in, NULL);
	assert_int_equal(zwb_h5_table_close(out, NULL), ZWB_OK);
}

static void copy_with(const struct place *p, const struct lie *lie, uint64_t version)
{
	struct zwb_h5file *from, *to;

	assert_int_equal(zwb_h5_open(p->path, &from, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_create(p->again, 1, &to, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(to, "/", "format", ZWB_RUN_FORMAT, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_u64(to, "/", "schema_version", version, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(to, "/", "command", "", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(to, "/", "zwb_version", "9", NULL), ZWB_OK);
	for (unsigned int i = 0; i < ZWB_RUN_TABLE_NR; i++)
		copy_table(from, to, (enum zwb_run_table)i, lie);
	zwb_h5_close(from);
	assert_int_equal(zwb_h5_commit(to, NULL), ZWB_OK);
}

static void runread__rows_that_lead_nowhere_are_damage(void **state)
{
	/* table, column and value that replaces the one of row 0 */
	static const struct lie lies[] = {
		{ "trace of a cgroup", ZWB_RUN_TABLE_CGROUPS, ZWB_RUN_CGROUPS_TRACE,
			{ { .u = 2 } } },
		{ "order of cgroups", ZWB_RUN_TABLE_CGROUPS, ZWB_RUN_CGROUPS_CGROUP,
			{ { .u = 1 } } },
		{ "trace of a loss", ZWB_RUN_TABLE_LOSSES, ZWB_RUN_LOSSES_TRACE, { { .u = 2 } } },
		{ "kind of a loss", ZWB_RUN_TABLE_LOSSES, ZWB_RUN_LOSSES_KIND, { { .u = 200 } } },
		{ "trace of an unknown", ZWB_RUN_TABLE_UNKNOWNS, ZWB_RUN_UNKNOWNS_TRACE,
			{ { .u = UINT32_MAX } } },
		{ "trace of an arm", ZWB_RUN_TABLE_ARMS, ZWB_RUN_ARMS_TRACE, { { .u = 2 } } },
		{ "kind of a metric", ZWB_RUN_TABLE_METRIC_DEFS, ZWB_RUN_METRIC_DEFS_KIND,
			{ { .u = 3 } } },
		{ "unit of a metric", ZWB_RUN_TABLE_METRIC_DEFS, ZWB_RUN_METRIC_DEFS_UNIT,
			{ { .s = "miles" } } },
		{ "arm of a value", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_ARM, { { .u = 4 } } },
		{ "metric of a value", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_METRIC,
			{ { .u = ZWB_METRIC_NR + 1 } } },
		{ "histogram as a value", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_METRIC,
			{ { .u = ZWB_METRIC_STALL_LATENCY } } },
		{ "cgroup of a value", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_CGROUP,
			{ { .u = 3 } } },
		{ "class of a value", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_CLASS,
			{ { .s = "X" } } },
		{ "class missing", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_CLASS, { { .s = "" } } },
		{ "class too long", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_CLASS,
			{ { .s = "EM" } } },
		{ "value twice", ZWB_RUN_TABLE_METRICS, ZWB_RUN_METRICS_CGROUP,
			{ { .u = UINT32_MAX } } },
		{ "arm of a histogram", ZWB_RUN_TABLE_HISTS, ZWB_RUN_HISTS_ARM, { { .u = 4 } } },
		{ "value as a histogram", ZWB_RUN_TABLE_HISTS, ZWB_RUN_HISTS_METRIC,
			{ { .u = ZWB_METRIC_ZSWPWB } } },
		{ "count of a histogram", ZWB_RUN_TABLE_HISTS, ZWB_RUN_HISTS_COUNT,
			{ { .u = 99 } } },
		{ "maximum of a histogram", ZWB_RUN_TABLE_HISTS, ZWB_RUN_HISTS_MAX,
			{ { .u = 5 } } },
		{ "histogram of a bucket", ZWB_RUN_TABLE_HIST_BUCKETS, ZWB_RUN_HIST_BUCKETS_HIST,
			{ { .u = 4 } } },
		{ "number of a bucket", ZWB_RUN_TABLE_HIST_BUCKETS, ZWB_RUN_HIST_BUCKETS_BUCKET,
			{ { .u = ZWB_HIST_BUCKETS } } },
		{ "count of a bucket", ZWB_RUN_TABLE_HIST_BUCKETS, ZWB_RUN_HIST_BUCKETS_COUNT,
			{ { .u = 0 } } },
		{ "arm of a series", ZWB_RUN_TABLE_SERIES, ZWB_RUN_SERIES_ARM, { { .u = 4 } } },
		{ "metric of a series", ZWB_RUN_TABLE_SERIES, ZWB_RUN_SERIES_METRIC,
			{ { .u = ZWB_METRIC_NR + 1 } } },
		{ "histogram as a series", ZWB_RUN_TABLE_SERIES, ZWB_RUN_SERIES_METRIC,
			{ { .u = ZWB_METRIC_STALL_LATENCY } } },
		{ "cgroup of a series", ZWB_RUN_TABLE_SERIES, ZWB_RUN_SERIES_CGROUP,
			{ { .u = 3 } } },
		{ "interval of a series", ZWB_RUN_TABLE_SERIES, ZWB_RUN_SERIES_INTERVAL,
			{ { .u = 0 } } },
		{ "series of a value", ZWB_RUN_TABLE_SERIES_VALUES, ZWB_RUN_SERIES_VALUES_SERIES,
			{ { .u = 5 } } },
		{ "arm of a note", ZWB_RUN_TABLE_NOTES, ZWB_RUN_NOTES_ARM, { { .u = 4 } } },
	};
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;
	struct zwb_err err;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(lies); i++) {
		copy_with(p, &lies[i], ZWB_RUN_SCHEMA_VERSION);
		if (zwb_run_read(p->again, &back, &err) != ZWB_EDATA)
			fail_msg("believed: %s", lies[i].what);
		assert_int_equal(err.status, ZWB_EDATA);
		assert_non_null(strstr(err.text, "again.h5"));
	}
	zwb_run_free(run);
}

static void runread__true_copy_is_read(void **state)
{
	const struct lie none = { .table = ZWB_RUN_TABLE_NR };
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	copy_with(p, &none, ZWB_RUN_SCHEMA_VERSION);
	assert_int_equal(zwb_run_read(p->again, &back, NULL), ZWB_OK);
	assert_int_equal(back->nr_arms, 4);
	zwb_run_free(run);
	zwb_run_free(back);
}

static void runread__newer_schema_is_refused_by_its_version(void **state)
{
	const struct lie none = { .table = ZWB_RUN_TABLE_NR };
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;
	struct zwb_err err;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	copy_with(p, &none, ZWB_RUN_SCHEMA_VERSION + 1);
	assert_int_equal(zwb_run_read(p->again, &back, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "schema version 3"));
	zwb_run_free(run);
}

/* Packed zeroes could ask for any amount; the metric definitions alone are more than 1 KiB. */
static void runread__more_than_it_may_take_is_refused(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;
	struct zwb_err err;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_run_read_within(p->path, 1 << 17, &back, &err), ZWB_EDATA);
	assert_null(back);
	assert_non_null(strstr(err.text, "/hist_buckets row"));
	assert_non_null(strstr(err.text, "more than 128 KiB"));
	assert_int_equal(zwb_run_read_within(p->path, 1 << 20, &back, &err), ZWB_OK);
	zwb_run_free(run);
	zwb_run_free(back);
}

/* Whatever happens to a file, reading it ends with a run or a reason, and with nothing else. */
static void runread__damaged_files_end_in_an_error_or_a_run(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample(), *back;
	uint64_t random = 42;
	size_t len, nr_refused = 0;
	char *bytes;

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	bytes = slurp(p->path, &len);
	for (int i = 0; i < 250; i++) {
		struct zwb_err err = { 0 };
		size_t cut = len, bit;
		int ret;

		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		bit = (size_t)(random >> 20) % (len * 8);
		if (i < 100)
			cut = len * (size_t)i / 100; /* cut at every percent, then a flipped bit */
		else
			bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		spit(p->again, bytes, cut);
		if (i >= 100)
			bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		ret = zwb_run_read(p->again, &back, &err);
		assert_int_equal(err.status, ret);
		assert_true(ret == ZWB_OK || ret == ZWB_EDATA || ret == ZWB_EKIND);
		assert_true((back != NULL) == (ret == ZWB_OK));
		nr_refused += ret != ZWB_OK;
		zwb_run_free(back);
	}
	assert_true(nr_refused >= 100); /* nothing that was cut off passes */
	free(bytes);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			runread__writing_what_was_read_gives_the_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__empty_run_comes_back_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__other_files_are_of_the_wrong_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__rows_that_lead_nowhere_are_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(runread__true_copy_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__newer_schema_is_refused_by_its_version, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__more_than_it_may_take_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runread__damaged_files_end_in_an_error_or_a_run, setup, teardown),
	};

	return cmocka_run_group_tests_name("runread", tests, NULL, NULL);
}
