/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for rounds of jobs. */
#include "crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct zwb_crew {
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	zwb_crew_job run;
	void *arg;
	size_t nr_jobs, next_job, nr_done;
	bool is_stopping;
	int status;
	size_t failed_job;
	struct zwb_err err;
	unsigned int nr_helpers;
	pthread_t helpers[];
};

/* Take and run one job; false when none is left. Called and returns with the lock held. */
static bool crew_work(struct zwb_crew *crew)
{
	struct zwb_err err = { 0 };
	size_t job;
	int ret;

	if (crew->next_job >= crew->nr_jobs)
		return false;
	job = crew->next_job++;
	pthread_mutex_unlock(&crew->lock);
	ret = crew->run(crew->arg, job, &err);
	pthread_mutex_lock(&crew->lock);
	if (ret && (crew->status == ZWB_OK || job < crew->failed_job)) {
		crew->status = ret;
		crew->failed_job = job;
		crew->err = err;
	}
	if (++crew->nr_done == crew->nr_jobs)
		pthread_cond_broadcast(&crew->done);
	return true;
}

static void *crew_helper(void *arg)
{
	struct zwb_crew *crew = arg;

	pthread_mutex_lock(&crew->lock);
	while (!crew->is_stopping) {
		if (!crew_work(crew))
			pthread_cond_wait(&crew->begun, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

int zwb_crew_create(unsigned int nr_threads, size_t nr_jobs, zwb_crew_job run, void *arg,
	struct zwb_crew **out, struct zwb_err *err)
{
	unsigned int nr_helpers = nr_threads > 1 ? nr_threads - 1 : 0;
	struct zwb_crew *crew;
	int ret;

	*out = NULL;
	if (nr_helpers > nr_jobs)
		nr_helpers = (unsigned int)nr_jobs;
	crew = calloc(1, sizeof(*crew) + nr_helpers * sizeof(crew->helpers[0]));
	if (!crew)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for threads");
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begun, NULL);
	pthread_cond_init(&crew->done, NULL);
	crew->run = run;
	crew->arg = arg;
	crew->nr_jobs = crew->next_job = crew->nr_done = nr_jobs;
	while (crew->nr_helpers < nr_helpers) {
		ret = pthread_create(&crew->helpers[crew->nr_helpers], NULL, crew_helper, crew);
		if (ret) {
			zwb_crew_free(crew);
			return zwb_err_set(err, ZWB_EENV, ret, "cannot start a thread");
		}
		crew->nr_helpers++;
	}
	*out = crew;
	return ZWB_OK;
}

void zwb_crew_free(struct zwb_crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->is_stopping = true;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	for (unsigned int i = 0; i < crew->nr_helpers; i++)
		pthread_join(crew->helpers[i], NULL);
	pthread_cond_destroy(&crew->begun);
	pthread_cond_destroy(&crew->done);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}

void zwb_crew_start(struct zwb_crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->next_job = crew->nr_done = 0;
	crew->status = ZWB_OK;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
}

int zwb_crew_finish(struct zwb_crew *crew, struct zwb_err *err)
{
	int status;

	pthread_mutex_lock(&crew->lock);
	while (crew_work(crew))
		;
	while (crew->nr_done < crew->nr_jobs)
		pthread_cond_wait(&crew->done, &crew->lock);
	status = crew->status;
	if (status && err)
		*err = crew->err;
	pthread_mutex_unlock(&crew->lock);
	return status;
}
