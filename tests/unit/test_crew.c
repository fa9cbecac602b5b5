/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of jobs on one to four threads. */
#include "crew.h"
#include "zwb_test.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define MAX_JOBS 16

/* What the jobs of a test do, and what became of them. */
struct work {
	atomic_uint nr_runs[MAX_JOBS];
	int status[MAX_JOBS]; /* that a job returns */
	atomic_uint nr_arrived; /* jobs that wait for each other */
	unsigned int nr_needed;
};

static int run(void *arg, size_t job, struct zwb_err *err)
{
	struct work *w = arg;

	atomic_fetch_add(&w->nr_runs[job], 1);
	return w->status[job] ? zwb_err_set(err, w->status[job], 0, "job %zu failed", job) : ZWB_OK;
}

static struct zwb_crew *create(
	unsigned int nr_threads, size_t nr_jobs, zwb_crew_job job, struct work *w)
{
	struct zwb_crew *crew;

	assert_int_equal(zwb_crew_create(nr_threads, nr_jobs, job, w, &crew, NULL), ZWB_OK);
	return crew;
}

static void crew__every_job_runs_once_a_round(void **state)
{
	static const size_t nr_jobs[] = { 0, 1, 2, 7, MAX_JOBS };
	const unsigned int nr_rounds = 200;

	(void)state;
	for (unsigned int nr_threads = 0; nr_threads <= 4; nr_threads++) {
		for (size_t n = 0; n < ZWB_ARRAY_LEN(nr_jobs); n++) {
			struct work w = { .nr_needed = 0 };
			struct zwb_crew *crew = create(nr_threads, nr_jobs[n], run, &w);

			for (unsigned int round = 0; round < nr_rounds; round++) {
				zwb_crew_start(crew);
				assert_int_equal(zwb_crew_finish(crew, NULL), ZWB_OK);
				for (size_t job = 0; job < nr_jobs[n]; job++)
					assert_int_equal(atomic_load(&w.nr_runs[job]), round + 1);
			}
			zwb_crew_free(crew);
			for (size_t job = 0; job < MAX_JOBS; job++)
				assert_int_equal(atomic_load(&w.nr_runs[job]),
					job < nr_jobs[n] ? nr_rounds : 0);
		}
	}
}

/* Jobs 5, 2 and 9 fail: the error is that of job 2, whoever was first; all others still run. */
static void crew__the_error_is_that_of_the_lowest_job(void **state)
{
	(void)state;
	for (unsigned int nr_threads = 1; nr_threads <= 4; nr_threads++) {
		struct work w = { .status = { [5] = ZWB_EDATA, [2] = ZWB_ENOMEM, [9] = ZWB_EENV } };
		struct zwb_crew *crew = create(nr_threads, 12, run, &w);

		for (unsigned int round = 1; round <= 50; round++) {
			struct zwb_err err = { 0 };

			zwb_crew_start(crew);
			assert_int_equal(zwb_crew_finish(crew, &err), ZWB_ENOMEM);
			assert_int_equal(err.status, ZWB_ENOMEM);
			assert_string_equal(err.text, "job 2 failed");
			assert_int_equal(atomic_load(&w.nr_runs[11]), round);
		}
		/* an error is that of its round */
		memset(w.status, 0, sizeof(w.status));
		zwb_crew_start(crew);
		assert_int_equal(zwb_crew_finish(crew, NULL), ZWB_OK);
		zwb_crew_free(crew);
	}
}

static void nap(void)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
}

/* Done only when as many jobs run at the same time as there are threads, or after 10 s. */
static int meet(void *arg, size_t job, struct zwb_err *err)
{
	struct work *w = arg;

	atomic_fetch_add(&w->nr_arrived, 1);
	for (int i = 0; i < 10000; i++) {
		if (atomic_load(&w->nr_arrived) >= w->nr_needed)
			return run(arg, job, err);
		nap();
	}
	return zwb_err_set(err, ZWB_EENV, 0, "job %zu is alone", job);
}

static void crew__as_many_jobs_run_at_once_as_there_are_threads(void **state)
{
	(void)state;
	for (unsigned int nr_threads = 1; nr_threads <= 4; nr_threads++) {
		struct work w = { .nr_needed = nr_threads };
		struct zwb_crew *crew = create(nr_threads, nr_threads, meet, &w);

		zwb_crew_start(crew);
		assert_int_equal(zwb_crew_finish(crew, NULL), ZWB_OK);
		zwb_crew_free(crew);
	}
}

/* With a helper the round is under way before anybody waits for its end. */
static void crew__starting_does_not_wait(void **state)
{
	struct work w = { .nr_needed = 0 };
	struct zwb_crew *crew = create(2, 1, run, &w);

	(void)state;
	zwb_crew_start(crew);
	for (int i = 0; i < 10000 && atomic_load(&w.nr_runs[0]) == 0; i++)
		nap();
	assert_int_equal(atomic_load(&w.nr_runs[0]), 1);
	assert_int_equal(zwb_crew_finish(crew, NULL), ZWB_OK);
	zwb_crew_free(crew);
}

/* A crew that is never used, one whose round nobody waited for, and none. */
static void crew__can_be_dismissed_at_any_time(void **state)
{
	struct work w = { .nr_needed = 0 };
	struct zwb_crew *crew = create(3, 4, run, &w);

	(void)state;
	zwb_crew_free(crew);
	crew = create(3, 4, run, &w);
	assert_int_equal(zwb_crew_finish(crew, NULL), ZWB_OK); /* no round, no job */
	assert_int_equal(atomic_load(&w.nr_runs[0]), 0);
	zwb_crew_start(crew);
	zwb_crew_free(crew);
	zwb_crew_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crew__every_job_runs_once_a_round),
		cmocka_unit_test(crew__the_error_is_that_of_the_lowest_job),
		cmocka_unit_test(crew__as_many_jobs_run_at_once_as_there_are_threads),
		cmocka_unit_test(crew__starting_does_not_wait),
		cmocka_unit_test(crew__can_be_dismissed_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
