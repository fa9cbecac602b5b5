/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs out of CSV: figures worked by hand. */
#include "measured.h"
#include "zwb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_text(const char *text, struct zwb_measured **m, struct zwb_err *err)
{
	char path[] = "/tmp/zwb-measured-XXXXXX";
	int fd = mkstemp(path);
	int ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ret = zwb_measured_read(path, m, err);
	unlink(path);
	return ret;
}

/*
 * K1: 500 bios of 1000 pages and 1200 of 2000: 500 and 600 per 1,000 pages, mean 550, sample
 * standard deviation sqrt(2 * 50^2 / 1) = 70.71. Requests: 400 and 500. The traced and the bad run
 * do not count, the other workload and kernel neither.
 */
static void measured__ratios_are_per_thousand_pages(void **state)
{
	static const char text[] = "kernel,workload,bad,trace,pswpout,nrswpout,w_ios\n"
				   "K1,churn,0,0,1000,500,400\n"
				   "K1,churn,0,1,1000,900,900\n"
				   "K1,churn,1,0,1000,900,900\n"
				   "K1,other,0,0,1000,900,900\n"
				   "K0,churn,0,0,1000,1000,1000\n"
				   "\n"
				   "K1,churn,0,0,2000,1200,1000\n";
	struct zwb_measured_ratios r;
	struct zwb_measured *m;
	struct zwb_err err = { 0 };

	(void)state;
	assert_int_equal(read_text(text, &m, &err), ZWB_OK);
	assert_int_equal(zwb_measured_ratios(m, "K1", "churn", &r, &err), ZWB_OK);
	assert_int_equal(r.bios.n, 2);
	assert_true(fabs(r.bios.mean - 550) < 1e-9);
	assert_true(fabs(r.bios.sd - 70.710678118654755) < 1e-9);
	assert_true(fabs(r.requests.mean - 450) < 1e-9);
	assert_int_equal(zwb_measured_ratios(m, "K1", NULL, &r, &err), ZWB_OK);
	assert_int_equal(r.bios.n, 3);
	assert_int_equal(zwb_measured_ratios(m, "K9", "churn", &r, &err), ZWB_OK);
	assert_int_equal(r.bios.n, 0);
	assert_string_equal(zwb_measured_workload(m, 0), "churn");
	assert_string_equal(zwb_measured_workload(m, 1), "other");
	assert_null(zwb_measured_workload(m, 2));
	zwb_measured_free(m);
}

/* The swap partition's own counter wins over the disk's; a missing one is not measured. */
static void measured__the_swap_area_counts_before_the_disk(void **state)
{
	static const char text[] = "workload,kernel,pswpout,w_ios,swap_w_ios\r\n"
				   "\"a,\"\"b\",K0,1000,900,300\r\n"
				   "\"a,\"\"b\",K1,1000,900,\r\n";
	struct zwb_measured_ratios r;
	struct zwb_measured *m;
	struct zwb_err err = { 0 };

	(void)state;
	assert_int_equal(read_text(text, &m, &err), ZWB_OK);
	assert_int_equal(zwb_measured_ratios(m, "K0", "a,\"b", &r, &err), ZWB_OK);
	assert_true(fabs(r.requests.mean - 300) < 1e-9);
	assert_int_equal(r.bios.n, 0);
	assert_int_equal(zwb_measured_ratios(m, "K1", "a,\"b", &r, &err), ZWB_OK);
	assert_true(fabs(r.requests.mean - 900) < 1e-9);
	zwb_measured_free(m);
}

static void measured__refuses_what_it_cannot_read(void **state)
{
	static const struct {
		const char *text;
		int status;
		const char *says;
	} rows[] = {
		{ "", ZWB_EKIND, "empty" },
		{ "a,b,c\n1,2,3\n", ZWB_EKIND, "pswpout" },
		{ "kernel,workload,pswpout\nK0,churn\n", ZWB_EDATA, "line 2" },
		{ "kernel,workload,pswpout\nK0,churn,1,2\n", ZWB_EDATA, "line 2" },
		{ "kernel,workload,pswpout\nK0,churn,many\n", ZWB_EDATA, "pswpout" },
		{ "kernel,workload,pswpout\nK0,churn,nan\n", ZWB_EDATA, "pswpout" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		struct zwb_measured *m;
		struct zwb_err err = { 0 };

		assert_int_equal(read_text(rows[i].text, &m, &err), rows[i].status);
		assert_non_null(strstr(err.text, rows[i].says));
		assert_null(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured__ratios_are_per_thousand_pages),
		cmocka_unit_test(measured__the_swap_area_counts_before_the_disk),
		cmocka_unit_test(measured__refuses_what_it_cannot_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
