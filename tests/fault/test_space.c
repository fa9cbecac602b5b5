/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No space: every writer reports a file that may not grow any further, wherever that happens, and a
 * full device; and it leaves neither a file under the final name nor a temporary one. Each attempt
 * is a process of its own, so that what HDF5 does at its end is part of the test.
 */
#include "zwb_test.h"

#include "datwriter_sink.h"
#include "h5store.h"
#include "run.h"
#include "runfile.h"
#include "synth.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_EVENTS 15000
#define NR_STEPS  16

typedef int writer_fn(const char *path, struct zwb_err *err);

static struct zwb_stream *open_synth(void)
{
	struct zwb_synth_params params;
	struct zwb_stream *s;

	zwb_synth_defaults(&params);
	params.nr_events = NR_EVENTS;
	params.nr_pages = 4096;
	params.nr_slots = 5000;
	return zwb_synth_open(&params, &s, NULL) ? NULL : s;
}

static int write_dat(const char *path, struct zwb_err *err)
{
	struct zwb_stream *s = open_synth();
	const struct zwb_event *events;
	struct zwb_datsink *sink;
	size_t nr = 0;
	int ret = zwb_datsink_open(&sink, path, 0, s->meta, err);

	if (ret)
		goto out_close;
	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (!ret)
			ret = zwb_datsink_add(sink, events, nr, err);
	} while (!ret && nr > 0);
	if (ret)
		zwb_datsink_abort(sink);
	else
		ret = zwb_datsink_finish(sink, err);

out_close:
	zwb_stream_close(s);
	return ret;
}

static int write_store(const char *path, struct zwb_err *err)
{
	struct zwb_stream *s = open_synth();
	const struct zwb_event *events;
	struct zwb_store *store;
	size_t nr = 0;
	int ret = zwb_store_create(path, NULL, &store, err);

	if (ret)
		goto out_close;
	do {
		ret = zwb_stream_next(s, &events, &nr, err);
		if (!ret)
			ret = zwb_store_append(store, events, nr, err);
	} while (!ret && nr > 0);
	if (ret)
		zwb_store_abort(store);
	else
		ret = zwb_store_commit(store, s->meta, err);

out_close:
	zwb_stream_close(s);
	return ret;
}

static int write_run(const char *path, struct zwb_err *err)
{
	const struct zwb_run_arm_info info = {
		.seed = 1,
		.policy = "batched",
		.policy_params = "",
		.device = "linear",
		.trigger = "recorded",
		.loop = "open",
		.scheduler = "none",
	};
	struct zwb_run *run = zwb_run_create("replay", "0");
	struct zwb_stream *s = open_synth();
	struct zwb_run_arm *arm;
	int ret = zwb_run_add_trace(run, s->meta, "unbatched", err);

	for (int i = 0; i < 20 && ret >= 0; i++) {
		arm = zwb_run_arm_create(&info);
		ret = zwb_run_arm_metric(arm, ZWB_METRIC_ZSWPWB, ZWB_RUN_TOTAL, 'E', i, err);
		if (ret >= 0)
			ret = zwb_run_add_arm(run, arm, err);
	}
	if (ret >= 0)
		ret = zwb_runfile_write(run, path, 0, err);
	zwb_stream_close(s);
	zwb_run_free(run);
	return ret;
}

/* Runs the writer where files may grow to @limit; the status comes back, positive. */
static int write_within(writer_fn *writer, const char *path, rlim_t limit)
{
	const struct rlimit size = { limit, limit };
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct zwb_err err = { 0 };
		int ret;

		signal(SIGSEGV, SIG_DFL); /* cmocka's handler would go on with the next test */
		signal(SIGABRT, SIG_DFL);
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &size);
		alarm(60);
		ret = writer(path, &err);
		if (ret && !strstr(err.text, path))
			ret = -100; /* the message does not say which file */
		exit(-ret);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFEXITED(status))
		fail_msg("limit %lu: the writer died: wait status 0x%x", (unsigned long)limit,
			(unsigned int)status);
	return WEXITSTATUS(status);
}

struct place {
	char dir[32];
	char path[48];
};

static int nr_files(const struct place *p)
{
	DIR *dir = opendir(p->dir);
	int nr = 0;

	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr - 2; /* . and .. */
}

static off_t whole_size(writer_fn *writer, const struct place *p)
{
	struct stat st;

	assert_int_equal(write_within(writer, p->path, RLIM_INFINITY), 0);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(unlink(p->path), 0);
	assert_int_equal(nr_files(p), 0);
	return st.st_size;
}

static void assert_refused(writer_fn *writer, const struct place *p, off_t limit)
{
	assert_int_equal(write_within(writer, p->path, (rlim_t)limit), -ZWB_EENV);
	if (nr_files(p) != 0)
		fail_msg("limit %ld: a file was left behind", (long)limit);
}

static void check_writer(writer_fn *writer, const struct place *p)
{
	off_t size = whole_size(writer, p);

	for (off_t step = 0; step < NR_STEPS; step++)
		assert_refused(writer, p, size * step / NR_STEPS);
	assert_refused(writer, p, 1);
	assert_refused(writer, p, size - 1);
	assert_int_equal(write_within(writer, "/dev/full", RLIM_INFINITY), -ZWB_EENV);
	assert_int_equal(nr_files(p), 0);
}

static void space__the_trace_dat_writer_reports_that_there_is_none(void **state)
{
	check_writer(write_dat, *state);
}

static void space__the_store_reports_that_there_is_none(void **state)
{
	check_writer(write_store, *state);
}

static void space__the_run_file_reports_that_there_is_none(void **state)
{
	check_writer(write_run, *state);
}

static int setup(void **state)
{
	static struct place p;

	snprintf(p.dir, sizeof(p.dir), "/tmp/zwb-space-XXXXXX");
	if (!mkdtemp(p.dir))
		return -1;
	snprintf(p.path, sizeof(p.path), "%s/out", p.dir);
	*state = &p;
	return 0;
}

static int teardown(void **state)
{
	const struct place *p = *state;

	return rmdir(p->dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(space__the_trace_dat_writer_reports_that_there_is_none),
		TEST(space__the_store_reports_that_there_is_none),
		TEST(space__the_run_file_reports_that_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
