/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zwb_test.h"

#include "flight.h"
#include "remove_tree.h"
#include "trigger.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define S 1000000000ull

static void trigger__takes_conditions_as_a_person_writes_them(void **state)
{
	static const struct {
		const char *text;
		const char *cgroup;
		enum zwb_pressure resource;
		int is_full;
		uint64_t stall_us, window_us;
	} cases[] = {
		{ "memory.full>10% for 2s", NULL, ZWB_PRESSURE_MEMORY, 1, 200000, 2000000 },
		{ "io.some>5% for 500ms", NULL, ZWB_PRESSURE_IO, 0, 25000, 500000 },
		{ "cpu.some>100% for 10s", NULL, ZWB_PRESSURE_CPU, 0, 10000000, 10000000 },
		{ "io.some>2.5% for 1.5s", NULL, ZWB_PRESSURE_IO, 0, 37500, 1500000 },
		{ "  io . some > 5 %  for\t1 s ", NULL, ZWB_PRESSURE_IO, 0, 50000, 1000000 },
		{ "memory.some>10%for 10000ms", NULL, ZWB_PRESSURE_MEMORY, 0, 1000000, 10000000 },
		{ "/w0:memory.full>40% for 1s", "/w0", ZWB_PRESSURE_MEMORY, 1, 400000, 1000000 },
		{ "/a:b.slice:io.full>1% for 1s", "/a:b.slice", ZWB_PRESSURE_IO, 1, 10000,
			1000000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_trigger t;

		assert_int_equal(zwb_trigger_parse(cases[i].text, &t, NULL), ZWB_OK);
		assert_int_equal(t.resource, cases[i].resource);
		assert_int_equal(t.is_full, cases[i].is_full);
		assert_int_equal(t.stall_us, cases[i].stall_us);
		assert_int_equal(t.window_us, cases[i].window_us);
		assert_int_equal(t.cgroup == NULL, cases[i].cgroup == NULL);
		if (t.cgroup)
			assert_string_equal(t.cgroup, cases[i].cgroup);
		zwb_trigger_release(&t);
	}
}

static void trigger__refuses_everything_else(void **state)
{
	static const char *const cases[] = {
		"",
		" ",
		":",
		".",
		".>% for ",
		"memory",
		"memory.full",
		"memory.full>10",
		"memory.full>10%",
		"memory.full>10% for",
		"memory.full>10% for ",
		"memory.full>10% for s",
		"memory.full>10% for ms",
		"memory.full>10% for 2",
		"memory.full>10% for 2m",
		"memory.full>10% for 2s\n",
		"memory.full>10% for 2s and more",
		"memory.full>10% 2s",
		"memory.full>10% forever 2s",
		"memory.full>10 for 2s%",
		"memory.full>% for 2s",
		"memory.full>ten% for 2s",
		"memory.full>-1% for 2s",
		"memory.full>101% for 2s",
		"memory.full>nan% for 2s",
		"memory.full>inf% for 2s",
		"memory.full>0% for 2s",
		"memory.full>0.00001% for 2s",
		"memory.full>10% for 499ms",
		"memory.full>10% for 10001ms",
		"memory.full>10% for -2s",
		"memory.full>10% for 18446744073709551616s",
		"memory.full>10% for 9223372036854775807ms",
		"memory.half>10% for 2s",
		"Memory.full>10% for 2s",
		"swap.full>10% for 2s",
		"memory full>10% for 2s",
		"memory.full<10% for 2s",
		"memory.full>=10% for 2s",
		":memory.full>10% for 2s",
		"memory.full>10% for 2s:",
		"%s%n.full>10% for 2s",
	};
	char long_text[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_trigger t;
		struct zwb_err err = { 0 };

		if (zwb_trigger_parse(cases[i], &t, &err) != ZWB_EUSAGE)
			fail_msg("\"%s\" was taken", cases[i]);
		assert_true(strlen(err.text) > 10);
		assert_null(t.cgroup);
	}
	memset(long_text, 'm', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	assert_int_equal(
		zwb_trigger_parse(long_text, &(struct zwb_trigger){ 0 }, NULL), ZWB_EUSAGE);
}

struct host {
	char root[32];
	char file[96];
};

static int setup(void **state)
{
	static const char *const dirs[] = { "/proc", "/proc/pressure", "/sys", "/sys/fs",
		"/sys/fs/cgroup", "/sys/fs/cgroup/w0" };
	static const char *const files[] = { "/sys/fs/cgroup/cgroup.controllers",
		"/sys/fs/cgroup/w0/cgroup.procs", "/sys/fs/cgroup/w0/memory.pressure",
		"/proc/pressure/memory" };
	struct host *h = calloc(1, sizeof(*h));

	snprintf(h->root, sizeof(h->root), "/tmp/zwb-trigger-XXXXXX");
	if (!mkdtemp(h->root))
		return -1;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(h->file, sizeof(h->file), "%s%s", h->root, dirs[i]);
		mkdir(h->file, 0700);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(h->file, sizeof(h->file), "%s%s", h->root, files[i]);
		close(open(h->file, O_CREAT | O_WRONLY, 0600));
	}
	*state = h;
	return 0;
}

static int teardown(void **state)
{
	struct host *h = *state;
	int ret;

	ret = remove_tree(h->root);
	free(h);
	return ret;
}

static void expect_armed(struct host *h, const char *text, const char *file, const char *want)
{
	struct zwb_trigger t;
	char got[64];
	ssize_t len;
	int fd;

	assert_int_equal(zwb_trigger_parse(text, &t, NULL), ZWB_OK);
	assert_int_equal(zwb_trigger_arm(&t, h->root, &fd, NULL), ZWB_OK);
	close(fd);
	snprintf(h->file, sizeof(h->file), "%s%s", h->root, file);
	fd = open(h->file, O_RDONLY);
	len = read(fd, got, sizeof(got));
	close(fd);
	assert_int_equal(len, strlen(want) + 1); /* the kernel cuts off the last byte */
	assert_memory_equal(got, want, (size_t)len);
	zwb_trigger_release(&t);
}

static void trigger__is_written_to_the_pressure_file(void **state)
{
	struct host *h = *state;

	expect_armed(h, "memory.full>10% for 2s", "/proc/pressure/memory", "full 200000 2000000");
	expect_armed(h, "/w0:memory.some>1% for 1s", "/sys/fs/cgroup/w0/memory.pressure",
		"some 10000 1000000");
	expect_armed(h, "w0/:memory.full>1% for 1s", "/sys/fs/cgroup/w0/memory.pressure",
		"full 10000 1000000");
}

static void trigger__says_what_is_missing(void **state)
{
	static const struct {
		const char *text;
		int status;
		const char *says;
	} cases[] = {
		{ "io.some>1% for 1s", ZWB_EENV, "psi=1" },
		{ "/w1:memory.some>1% for 1s", ZWB_EUSAGE, "/w1" },
		{ "/../../../proc:memory.some>1% for 1s", ZWB_EUSAGE, "no cgroup" },
		{ "/w0/memory.pressure:io.some>1% for 1s", ZWB_EUSAGE, "no cgroup" },
	};
	struct host *h = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zwb_err err = { 0 };
		struct zwb_trigger t;
		int fd;

		assert_int_equal(zwb_trigger_parse(cases[i].text, &t, NULL), ZWB_OK);
		assert_int_equal(zwb_trigger_arm(&t, h->root, &fd, &err), cases[i].status);
		assert_non_null(strstr(err.text, cases[i].says));
		assert_int_equal(fd, -1);
		zwb_trigger_release(&t);
	}
}

static void trigger__saves_once_in_a_long_stall(void **state)
{
	struct zwb_trigger_gate gate = { .cool_down_ns = 30 * S };

	(void)state;
	assert_true(zwb_trigger_pass(&gate, 100 * S));
	zwb_trigger_saved(&gate, 105 * S);
	for (uint64_t s = 106; s < 300; s += 2)
		assert_false(zwb_trigger_pass(&gate, s * S)); /* the stall goes on */
	assert_false(zwb_trigger_pass(&gate, 327 * S)); /* quiet for 29 s */
	assert_true(zwb_trigger_pass(&gate, 357 * S));
}

static void flight__counts_in_front_of_the_ending(void **state)
{
	static const struct {
		const char *path;
		uint64_t n;
		const char *want;
	} cases[] = {
		{ "trace.dat", 1, "trace.1.dat" },
		{ "/var/x.y/stall", 12, "/var/x.y/stall.12.dat" },
		{ ".dat", 2, ".dat.2.dat" },
		{ "a.dat.b", 3, "a.dat.b.3.dat" },
		{ "", 4, ".4.dat" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *path = zwb_flight_path(cases[i].path, cases[i].n);

		assert_non_null(path);
		assert_string_equal(path, cases[i].want);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trigger__takes_conditions_as_a_person_writes_them),
		cmocka_unit_test(trigger__refuses_everything_else),
		cmocka_unit_test_setup_teardown(
			trigger__is_written_to_the_pressure_file, setup, teardown),
		cmocka_unit_test_setup_teardown(trigger__says_what_is_missing, setup, teardown),
		cmocka_unit_test(trigger__saves_once_in_a_long_stall),
		cmocka_unit_test(flight__counts_in_front_of_the_ending),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
