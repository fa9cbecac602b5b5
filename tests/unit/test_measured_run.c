/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs beside replays: what columns mean, and what is refused. */
#include "measured_run.h"
#include "run_builder.h"
#include "text_file.h"

static int read_text(
	const char *text, const char *workload, struct zwb_run **run, struct zwb_err *err)
{
	char path[] = TEXT_FILE_TEMPLATE;
	int ret;

	write_text_file(path, text);
	ret = zwb_measured_run(path, workload, "0.1.0", run, err);
	unlink(path);
	return ret;
}

static struct zwb_run *read_ok(const char *text, const char *workload)
{
	struct zwb_err err = { 0 };
	struct zwb_run *run;

	if (read_text(text, workload, &run, &err))
		fail_msg("%s", err.text);
	return run;
}

static const char results[] = "kernel,workload,bad,trace,zswpwb,nrswpout,w_ios,swap_w_ios,"
			      "io_cost.indebt,build time (s),seed,cosmic rays\n"
			      "K0,churn,0,0,1000,1000,900,800,2000000,61.5,7,1\n"
			      "K0,churn,0,0,1100,1100,950,850,2200000,62.5,7,2\n"
			      "K0,churn,0,1,9999,9999,9999,9999,9999,99,7,3\n"
			      "K0,other,0,0,5,5,5,5,5,5,7,4\n"
			      "K1,churn,0,0,1000,500,450,400,,60,7,5\n"
			      "K1,churn,1,0,9999,9999,9999,9999,9999,99,7,6\n"
			      "K1,churn,0,0,1200,600,550,500,1000000,59,7,7\n";

static void measured_run__columns_become_metrics(void **state)
{
	struct zwb_run *run = read_ok(results, "churn");
	struct zwb_comparison *cmp = compare(run, &(struct zwb_compare_options){ 0 });
	const struct zwb_cmp_row *row;

	(void)state;
	assert_int_equal(cmp->nr_columns, 2);
	assert_string_equal(cmp->columns[0].label, "K0");
	assert_true(zwb_cmp_is_measured(&cmp->columns[0]));
	row = find_row(cmp, "zswpwb", NULL);
	assert_int_equal(row->cls, 'R');
	assert_value(row->cells[0].value, 1050);
	assert_int_equal(row->cells[0].n, 2);
	assert_value(row->cells[1].value, 1100);
	assert_value(find_row(cmp, "write bios", NULL)->cells[1].value, 550);
	/* the swap area's own counter, not the disk's; only one of them */
	assert_value(find_row(cmp, "write requests", NULL)->cells[0].value, 825);
	/* microseconds */
	assert_value(find_row(cmp, "iocost debt", NULL)->cells[0].value, 2.1);
	assert_int_equal(find_row(cmp, "iocost debt", NULL)->cells[1].n, 1);
	row = find_row(cmp, "build time", NULL);
	assert_string_equal(row->unit, "s");
	assert_value(row->cells[0].value, 62);
	assert_value(row->cells[1].delta_percent, 100 * (59.5 - 62) / 62);
	/* runs of different kernels have nothing in common */
	assert_int_equal(row->cells[1].sure.pairing, ZWB_UNPAIRED);
	assert_int_equal(cmp->nr_notes, 2);
	assert_non_null(strstr(cmp->notes[0], "2 runs left out"));
	assert_non_null(strstr(cmp->notes[1], "2 columns not used"));
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

static void measured_run__setups_are_arms_of_their_own(void **state)
{
	struct zwb_run *run = read_ok(results, NULL);
	struct zwb_comparison *cmp = compare(run, &(struct zwb_compare_options){ 0 });

	(void)state;
	assert_int_equal(cmp->nr_columns, 3);
	assert_string_equal(cmp->columns[0].label, "K0 workload=churn");
	assert_string_equal(cmp->columns[1].label, "K0 workload=other");
	assert_string_equal(cmp->columns[2].label, "K1");
	zwb_comparison_free(cmp);
	zwb_run_free(run);
}

/* A replay and measured runs: a difference, but no pairs, and n of the smaller side. */
static void measured_run__stand_beside_replays(void **state)
{
	static const char text[] = "arm,write bios\nreal,100\nreal,110\nreal,120\nreal,110\n";
	struct zwb_run *measured = read_ok(text, NULL), *replayed = build_run();
	const struct zwb_run *runs[] = { measured, replayed };
	struct zwb_comparison *cmp;
	const struct zwb_cmp_row *row;

	(void)state;
	for (size_t t = 0; t < 4; t++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", t);
		build_trace(replayed, name);
		build_total(replayed, t, "x", ZWB_METRIC_WRITE_BIOS, 54 + (double)(t % 2));
		build_total(replayed, t, "y", ZWB_METRIC_WRITE_BIOS, 110 + (double)(t % 3));
	}
	assert_int_equal(
		zwb_compare(runs, 2, &(struct zwb_compare_options){ 0 }, &cmp, NULL), ZWB_OK);
	row = find_row(cmp, "write bios", NULL);
	assert_string_equal(cmp->columns[0].label, "real");
	assert_int_equal(row->cls, 'E'); /* as sure as the least sure of them */
	assert_value(row->cells[1].delta_percent, 100 * (54.5 / 110 - 1));
	assert_int_equal(row->cells[1].sure.pairing, ZWB_UNPAIRED);
	assert_int_equal(row->cells[1].sure.verdict, ZWB_VERDICT_SHOWN);
	assert_int_equal(row->cells[2].sure.verdict, ZWB_VERDICT_NOT_SHOWN);
	assert_int_equal(cmp->nr_notes, 0); /* every replay is over every recording */
	zwb_comparison_free(cmp);
	zwb_run_free(measured);
	zwb_run_free(replayed);
}

static void measured_run__refuses_what_it_cannot_read(void **state)
{
	static const struct {
		const char *text, *workload;
		int status;
		const char *says;
	} rows[] = {
		{ "", NULL, ZWB_EKIND, "empty" },
		{ "\n\n", NULL, ZWB_EKIND, "empty" },
		{ "zswpwb\n1\n", NULL, ZWB_EKIND, "column kernel or arm" },
		{ "kernel,a,b\nK0,1,2\n", NULL, ZWB_EKIND, "no column is a metric" },
		{ "kernel,swapin latency\nK0,1\n", NULL, ZWB_EKIND, "no column is a metric" },
		{ "kernel,zswpwb\nK0\n", NULL, ZWB_EDATA, "line 2: 1 cells" },
		{ "kernel,zswpwb\n\nK0,1\nK0,1,2\n", NULL, ZWB_EDATA, "line 4: 3 cells" },
		{ "kernel,zswpwb\nK0,many\n", NULL, ZWB_EDATA, "column zswpwb" },
		{ "kernel,zswpwb,bad\nK0,1,no\n", NULL, ZWB_EDATA, "column bad" },
		{ "kernel,zswpwb,workload\nK0,1,a\nK0,1,ab\nK0,1,a\n", "c", ZWB_EUSAGE,
			"there is a, ab" },
		{ "kernel,\"a,b (s)\"\nK0,1\n", NULL, ZWB_EDATA, "comma" },
		{ "kernel,zswpwb (kg)\nK0,1\n", NULL, ZWB_EDATA, "zswpwb" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_err err = { 0 };
		struct zwb_run *run;

		if (read_text(rows[i].text, rows[i].workload, &run, &err) != rows[i].status ||
			err.status != rows[i].status || !strstr(err.text, rows[i].says))
			fail_msg("row %zu: %d %s", i, err.status, err.text);
		assert_null(run);
	}
}

static void measured_run__takes_any_text(void **state)
{
	static const char *const texts[] = {
		"kernel,zswpwb\n\"K\"\"0\x1b[2J\",1\n", "kernel,zswpwb\n,1\n", /* no name */
		"kernel,zswpwb\r\nK0,\r\n", /* nothing measured */
		"kernel,(s), (s),x (,x (),x ),zswpwb\nK0,1,2,3,4,5,6\n",
		"kernel,zswpwb\n\"K0,1\n", /* a quote that does not end: one cell */
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(texts); i++) {
		struct zwb_run *run;
		int ret = read_text(texts[i], NULL, &run, NULL);

		assert_true(ret == ZWB_OK || ret == ZWB_EDATA);
		zwb_run_free(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_run__columns_become_metrics),
		cmocka_unit_test(measured_run__setups_are_arms_of_their_own),
		cmocka_unit_test(measured_run__stand_beside_replays),
		cmocka_unit_test(measured_run__refuses_what_it_cannot_read),
		cmocka_unit_test(measured_run__takes_any_text),
	};

	return cmocka_run_group_tests_name("measured_run", tests, NULL, NULL);
}
