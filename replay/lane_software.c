/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The software queues of blk-mq, one a CPU. A plug that is flushed because its task blocks has its
 * requests inserted there (block/blk-mq.c blk_mq_flush_plug_list(), 7.3.4), and kblockd issues them
 * a little later; until then a bio submitted on that CPU may join one of the last 8, newest first
 * (block/blk-merge.c blk_bio_list_merge()).
 *
 * When kblockd runs is not ours to derive: where switches to its workers were recorded they tell,
 * else it runs after ZWB_ASYNC_RUN_NS, the median from insert to issue in the recordings that the
 * model was made with (145 to 260 us, all of them issued by a kblockd worker).
 */
#include "lane_priv.h"

#include <stdlib.h>

#define ZWB_ASYNC_RUN_NS      UINT64_C(200000)
#define ZWB_ASYNC_RUN_MAX_NS  UINT64_C(3000000) /* though a switch was not recorded */
#define ZWB_SOFTWARE_MERGES   8u
#define ZWB_SOFTWARE_MAX_RQS  1024u
#define ZWB_SOFTWARE_MAX_CPUS 4096u

static struct lane_software_queue *software_queue(struct zwb_lane *lane, unsigned int cpu)
{
	struct lane_software_queue *bigger;

	if (cpu < lane->nr_software)
		return &lane->software[cpu];
	if (cpu >= ZWB_SOFTWARE_MAX_CPUS)
		return NULL;
	bigger = realloc(lane->software, (cpu + 1) * sizeof(*bigger));
	if (!bigger) {
		zwb_lane_no_memory(lane, "requests that wait");
		return NULL;
	}
	lane->software = bigger;
	while (lane->nr_software <= cpu)
		lane->software[lane->nr_software++] = (struct lane_software_queue){ 0 };
	return &lane->software[cpu];
}

static bool software_grow(struct zwb_lane *lane, struct lane_software_queue *q)
{
	unsigned int room = q->room ? 2 * q->room : 64;
	struct zwb_rq *rqs;
	uint64_t *flushes;

	if (q->nr < q->room)
		return true;
	if (room > ZWB_SOFTWARE_MAX_RQS)
		return false;
	rqs = realloc(q->rqs, room * sizeof(*rqs));
	if (rqs)
		q->rqs = rqs;
	flushes = realloc(q->flushes, room * sizeof(*flushes));
	if (flushes)
		q->flushes = flushes;
	if (!rqs || !flushes) {
		zwb_lane_no_memory(lane, "requests that wait");
		return false;
	}
	q->room = room;
	return true;
}

bool zwb_lane_software_insert(struct zwb_lane *lane, const struct zwb_rq *rq, uint64_t flush)
{
	struct lane_software_queue *q = software_queue(lane, lane->now_cpu);

	if (!q || !software_grow(lane, q))
		return false;
	if (q->nr == 0)
		q->run_ns = lane->now_ns + (lane->seen[ZWB_EV_SCHED_SWITCH] && lane->setup.kblockd
							   ? ZWB_ASYNC_RUN_MAX_NS
							   : ZWB_ASYNC_RUN_NS);
	q->rqs[q->nr] = *rq;
	q->flushes[q->nr++] = flush;
	if (q->run_ns < lane->next_run_ns)
		lane->next_run_ns = q->run_ns;
	return true;
}

enum zwb_merge zwb_lane_software_merge(struct zwb_lane *lane, const struct zwb_bio *bio)
{
	struct lane_software_queue *q;
	unsigned int oldest;

	if (lane->next_run_ns == UINT64_MAX || lane->now_cpu >= lane->nr_software)
		return ZWB_MERGE_NONE;
	q = &lane->software[lane->now_cpu];
	oldest = q->nr > ZWB_SOFTWARE_MERGES ? q->nr - ZWB_SOFTWARE_MERGES : 0;
	for (unsigned int i = q->nr; i-- > oldest;) {
		enum zwb_merge how;

		if (q->rqs[i].bio.dev != bio->dev)
			continue;
		how = zwb_rq_merge(&q->rqs[i], bio, &lane->setup.limits);
		if (how != ZWB_MERGE_NONE)
			return how;
	}
	return ZWB_MERGE_NONE;
}

void zwb_lane_software_submitter(struct zwb_lane *lane, struct lane_task *t)
{
	if (lane->now_cpu < lane->nr_software)
		lane->software[lane->now_cpu].submitter = t;
}

void zwb_lane_software_forget(struct zwb_lane *lane, const struct lane_task *t)
{
	for (unsigned int i = 0; i < lane->nr_software; i++) {
		if (lane->software[i].submitter == t)
			lane->software[i].submitter = NULL;
	}
}

static void software_rearm(struct zwb_lane *lane)
{
	lane->next_run_ns = UINT64_MAX;
	for (unsigned int i = 0; i < lane->nr_software; i++) {
		if (lane->software[i].nr && lane->software[i].run_ns < lane->next_run_ns)
			lane->next_run_ns = lane->software[i].run_ns;
	}
}

void zwb_lane_software_run(struct zwb_lane *lane, unsigned int cpu)
{
	struct lane_software_queue *q;

	if (cpu >= lane->nr_software || lane->software[cpu].nr == 0)
		return;
	q = &lane->software[cpu];
	/* A submission that is only taken up at its task's next event came before kblockd. */
	if (q->submitter && lane_is_plugged(q->submitter))
		zwb_lane_run_pending(lane, q->submitter);
	q->submitter = NULL;
	for (unsigned int i = 0; i < q->nr; i++)
		zwb_lane_issue(lane, &q->rqs[i], q->flushes[i]);
	q->nr = 0;
	software_rearm(lane);
}

void zwb_lane_software_run_due(struct zwb_lane *lane)
{
	for (unsigned int i = 0; i < lane->nr_software; i++) {
		if (lane->software[i].nr && lane->software[i].run_ns <= lane->now_ns)
			zwb_lane_software_run(lane, i);
	}
}

void zwb_lane_software_release(struct zwb_lane *lane)
{
	for (unsigned int i = 0; i < lane->nr_software; i++) {
		free(lane->software[i].rqs);
		free(lane->software[i].flushes);
	}
	free(lane->software);
}
