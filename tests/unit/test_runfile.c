/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h5: what is written is in the tables, twice the same run is twice the same bytes. */
#include "zwb_test.h"

#include "h5table.h"
#include "runfile.h"
#include "runschema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	char dir[64];
	char path[96];
	char other[96];
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	snprintf(p->dir, sizeof(p->dir), "/tmp/zwb-runfile-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->path, sizeof(p->path), "%s/run.h5", p->dir);
	snprintf(p->other, sizeof(p->other), "%s/other.h5", p->dir);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	unlink(p->path);
	unlink(p->other);
	assert_int_equal(rmdir(p->dir), 0); /* no temporary file is left behind */
	free(p);
	return 0;
}

static void add_trace(struct zwb_run *run, const char *digest, const char *cgroup)
{
	struct zwb_meta *meta = zwb_meta_create();
	const struct zwb_loss loss = { .cpu = 3,
		.kind = ZWB_LOSS_TRUNCATED,
		.nr = 1,
		.nr_is_known = 1,
		.first_ns = 5,
		.last_ns = 9 };

	assert_non_null(meta);
	assert_int_equal(zwb_meta_set(&meta->digest, digest, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_cgroup(meta, 7, cgroup, NULL), 1);
	assert_int_equal(zwb_meta_loss(meta, &loss, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(meta, "store.cgroup", 4, NULL), ZWB_OK);
	assert_true(zwb_run_add_trace(run, meta, "unbatched", NULL) >= 0);
	zwb_meta_free(meta);
}

static void add_arm(struct zwb_run *run, size_t trace, const char *policy, double bios)
{
	const struct zwb_run_arm_info info = { .trace = trace, .seed = 11, .policy = policy };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);
	struct zwb_hist h;

	assert_non_null(arm);
	zwb_hist_init(&h);
	zwb_hist_record(&h, 100);
	zwb_hist_record(&h, 100);
	zwb_hist_record(&h, 5000000);
	assert_int_equal(
		zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, ZWB_RUN_TOTAL, 'E', bios, NULL),
		ZWB_OK);
	assert_int_equal(zwb_run_arm_metric(arm, ZWB_METRIC_WRITE_BIOS, 1, 'M', 2, NULL), ZWB_OK);
	assert_int_equal(
		zwb_run_arm_hist(arm, ZWB_METRIC_SWAPIN_LATENCY, 1, 'M', &h, NULL), ZWB_OK);
	assert_int_equal(zwb_run_arm_note(arm, "not fitted", NULL), ZWB_OK);
	assert_true(zwb_run_add_arm(run, arm, NULL) >= 0);
}

static struct zwb_run *sample(void)
{
	struct zwb_run *run = zwb_run_create("--seeds 1", "0.1.0");

	assert_non_null(run);
	add_trace(run, "aa", "/w0");
	add_trace(run, "bb", "/a name, with \"quotes\" and \xff");
	add_arm(run, 0, "unbatched", 10);
	add_arm(run, 1, "batched,plug=none", 0.5);
	assert_int_equal(zwb_run_add_note(run, "times are open loop", NULL), ZWB_OK);
	return run;
}

/* Opens a table whole; the caller closes both. */
static struct zwb_h5table *open_table(struct zwb_h5file *file, enum zwb_run_table table)
{
	const struct zwb_run_schema *schema = zwb_run_schema(table);
	struct zwb_h5table *t;

	assert_int_equal(
		zwb_h5_table_open(file, schema->path, schema->cols, schema->nr_cols, &t, NULL),
		ZWB_OK);
	return t;
}

static struct zwb_h5file *write_and_open(const struct zwb_run *run, const char *path)
{
	struct zwb_h5file *file;

	assert_int_equal(zwb_runfile_write(run, path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_open(path, &file, NULL), ZWB_OK);
	return file;
}

static void runfile__says_what_it_is(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample();
	struct zwb_h5file *file = write_and_open(run, p->path);
	char *text;
	uint64_t version;

	assert_int_equal(zwb_h5_get_str(file, "/", "format", &text, NULL), ZWB_OK);
	assert_string_equal(text, "zwb run");
	free(text);
	assert_int_equal(zwb_h5_get_u64(file, "/", "schema_version", &version, NULL), ZWB_OK);
	assert_int_equal(version, ZWB_RUN_SCHEMA_VERSION);
	assert_int_equal(zwb_h5_get_str(file, "/", "command", &text, NULL), ZWB_OK);
	assert_string_equal(text, "--seeds 1");
	free(text);
	zwb_h5_close(file);
	zwb_run_free(run);
}

static void runfile__rows_point_to_their_trace_and_arm(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample();
	struct zwb_h5file *file = write_and_open(run, p->path);
	struct zwb_h5cell c[ZWB_RUN_MAX_COLS];
	struct zwb_h5table *t = open_table(file, ZWB_RUN_TABLE_CGROUPS);

	/* two traces with "unknown" and one cgroup each */
	assert_int_equal(zwb_h5_table_rows(t), 4);
	assert_int_equal(zwb_h5_table_get(t, 3, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_CGROUPS_TRACE].u, 1);
	assert_int_equal(c[ZWB_RUN_CGROUPS_CGROUP].u, 1);
	assert_int_equal(c[ZWB_RUN_CGROUPS_ID].u, 7);
	assert_string_equal(c[ZWB_RUN_CGROUPS_PATH].s, "/a name, with \"quotes\" and \xff");
	zwb_h5_table_close(t, NULL);

	t = open_table(file, ZWB_RUN_TABLE_METRICS);
	assert_int_equal(zwb_h5_table_rows(t), 4);
	assert_int_equal(zwb_h5_table_get(t, 3, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_METRICS_ARM].u, 1);
	assert_int_equal(c[ZWB_RUN_METRICS_CGROUP].u, UINT32_MAX);
	assert_int_equal(c[ZWB_RUN_METRICS_METRIC].u, ZWB_METRIC_WRITE_BIOS);
	assert_string_equal(c[ZWB_RUN_METRICS_CLASS].s, "E");
	assert_true(c[ZWB_RUN_METRICS_VALUE].f == 0.5);
	zwb_h5_table_close(t, NULL);

	t = open_table(file, ZWB_RUN_TABLE_LOSSES);
	assert_int_equal(zwb_h5_table_rows(t), 2);
	assert_int_equal(zwb_h5_table_get(t, 1, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_LOSSES_TRACE].u, 1);
	assert_int_equal(c[ZWB_RUN_LOSSES_KIND].u, ZWB_LOSS_TRUNCATED);
	assert_int_equal(c[ZWB_RUN_LOSSES_LAST].u, 9);
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(file);
	zwb_run_free(run);
}

/* 100, 100 and 5,000,000 ns in each of two histograms: two buckets each. */
static void runfile__histogram_buckets_follow_their_histogram(void **state)
{
	static const uint64_t expected[][3] = { { 0, 100, 2 }, { 0, 0, 1 }, { 1, 100, 2 },
		{ 1, 0, 1 } };
	const struct place *p = *state;
	struct zwb_run *run = sample();
	struct zwb_h5file *file = write_and_open(run, p->path);
	struct zwb_h5cell c[ZWB_RUN_MAX_COLS];
	struct zwb_h5table *t = open_table(file, ZWB_RUN_TABLE_HISTS);

	assert_int_equal(zwb_h5_table_rows(t), 2);
	assert_int_equal(zwb_h5_table_get(t, 1, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_HISTS_ARM].u, 1);
	assert_int_equal(c[ZWB_RUN_HISTS_SUM].u, 5000200);
	assert_int_equal(c[ZWB_RUN_HISTS_MIN].u, 100);
	assert_int_equal(c[ZWB_RUN_HISTS_MAX].u, 5000000);
	zwb_h5_table_close(t, NULL);
	t = open_table(file, ZWB_RUN_TABLE_HIST_BUCKETS);
	assert_int_equal(zwb_h5_table_rows(t), ZWB_ARRAY_LEN(expected));
	for (size_t i = 0; i < ZWB_ARRAY_LEN(expected); i++) {
		uint64_t bucket = expected[i][1] ? expected[i][1] : zwb_hist_bucket_of(5000000);

		assert_int_equal(zwb_h5_table_get(t, i, c, NULL), ZWB_OK);
		assert_int_equal(c[ZWB_RUN_HIST_BUCKETS_HIST].u, expected[i][0]);
		assert_int_equal(c[ZWB_RUN_HIST_BUCKETS_BUCKET].u, bucket);
		assert_int_equal(c[ZWB_RUN_HIST_BUCKETS_COUNT].u, expected[i][2]);
	}
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(file);
	zwb_run_free(run);
}

static void runfile__notes_of_the_run_and_of_arms_are_kept_apart(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample();
	struct zwb_h5file *file = write_and_open(run, p->path);
	struct zwb_h5cell c[ZWB_RUN_MAX_COLS];
	struct zwb_h5table *t = open_table(file, ZWB_RUN_TABLE_NOTES);

	assert_int_equal(zwb_h5_table_rows(t), 3);
	assert_int_equal(zwb_h5_table_get(t, 0, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_NOTES_ARM].u, ZWB_RUN_NO_ROW);
	assert_string_equal(c[ZWB_RUN_NOTES_TEXT].s, "times are open loop");
	assert_int_equal(zwb_h5_table_get(t, 2, c, NULL), ZWB_OK);
	assert_int_equal(c[ZWB_RUN_NOTES_ARM].u, 1);
	assert_string_equal(c[ZWB_RUN_NOTES_TEXT].s, "not fitted");
	zwb_h5_table_close(t, NULL);
	zwb_h5_close(file);
	zwb_run_free(run);
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

static void runfile__same_run_is_same_bytes(void **state)
{
	const struct place *p = *state;
	struct zwb_run *a = sample(), *b = sample();
	char *bytes_a, *bytes_b;
	size_t len_a, len_b;

	assert_int_equal(zwb_runfile_write(a, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_runfile_write(b, p->other, 0, NULL), ZWB_OK);
	bytes_a = slurp(p->path, &len_a);
	bytes_b = slurp(p->other, &len_b);
	assert_int_equal(len_a, len_b);
	assert_memory_equal(bytes_a, bytes_b, len_a);
	free(bytes_a);
	free(bytes_b);
	zwb_run_free(a);
	zwb_run_free(b);
}

static void runfile__empty_run_has_all_tables(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = zwb_run_create("", "");
	struct zwb_h5file *file = write_and_open(run, p->path);

	for (unsigned int i = 0; i < ZWB_RUN_TABLE_NR; i++) {
		struct zwb_h5table *t = open_table(file, (enum zwb_run_table)i);
		uint64_t expected = i == ZWB_RUN_TABLE_METRIC_DEFS ? ZWB_METRIC_NR : 0;

		assert_int_equal(zwb_h5_table_rows(t), expected);
		zwb_h5_table_close(t, NULL);
	}
	zwb_h5_close(file);
	zwb_run_free(run);
}

static void runfile__keeps_what_is_there_unless_forced(void **state)
{
	const struct place *p = *state;
	struct zwb_run *run = sample();

	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_OK);
	assert_int_equal(zwb_runfile_write(run, p->path, 0, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_runfile_write(run, p->path, 1, NULL), ZWB_OK);
	zwb_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runfile__says_what_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runfile__rows_point_to_their_trace_and_arm, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runfile__histogram_buckets_follow_their_histogram, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runfile__notes_of_the_run_and_of_arms_are_kept_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(runfile__same_run_is_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(runfile__empty_run_has_all_tables, setup, teardown),
		cmocka_unit_test_setup_teardown(
			runfile__keeps_what_is_there_unless_forced, setup, teardown),
	};

	return cmocka_run_group_tests_name("runfile", tests, NULL, NULL);
}
