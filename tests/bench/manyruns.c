/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * manyruns DIRECTORY N: N run files, each of a recording of its own under two policies, in which
 * every metric was measured: what a report over a fleet reads.
 */
#include "run.h"
#include "runfile.h"

#include <stdio.h>
#include <stdlib.h>

#define NR_SAMPLES 2000

/* Numbers that differ between recordings and policies, the same in every run. */
static uint32_t noise(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static int fill_metric(struct zwb_run_arm *arm, enum zwb_metric metric, uint32_t *state)
{
	struct zwb_hist h;
	int ret;

	if (zwb_metric_def(metric)->kind != ZWB_KIND_HIST)
		return zwb_run_arm_metric(arm, metric, ZWB_RUN_TOTAL, ZWB_CLASS_MODEL,
			10000 + noise(state) % 1000, NULL);
	zwb_hist_init(&h);
	for (int i = 0; i < NR_SAMPLES; i++)
		zwb_hist_record(&h, 1000 + (uint64_t)noise(state) * noise(state) % 10000000);
	ret = zwb_run_arm_hist(arm, metric, ZWB_RUN_TOTAL, ZWB_CLASS_MODEL, &h, NULL);
	zwb_hist_release(&h);
	return ret;
}

static int add_arm(struct zwb_run *run, const char *policy, uint32_t *state)
{
	const struct zwb_run_arm_info info = { .policy = policy,
		.policy_params = policy,
		.device = "linear",
		.trigger = "recorded",
		.loop = "open",
		.scheduler = "none" };
	struct zwb_run_arm *arm = zwb_run_arm_create(&info);
	int ret = arm ? ZWB_OK : ZWB_ENOMEM;

	for (unsigned int m = 0; !ret && m < ZWB_METRIC_NR; m++)
		ret = fill_metric(arm, (enum zwb_metric)m, state);
	return ret ? ret : zwb_run_add_arm(run, arm, NULL);
}

static int write_run(const char *directory, uint32_t number)
{
	struct zwb_run *run = zwb_run_create("bench", "0");
	struct zwb_meta *meta = zwb_meta_create();
	char path[4096], digest[32];
	uint32_t state = number;
	int ret;

	snprintf(path, sizeof(path), "%s/%05u.h5", directory, number);
	snprintf(digest, sizeof(digest), "%u", number);
	ret = run && meta ? zwb_meta_set(&meta->digest, digest, NULL) : ZWB_ENOMEM;
	if (!ret)
		ret = zwb_run_add_trace(run, meta, "", NULL);
	if (ret >= 0)
		ret = add_arm(run, "unbatched", &state);
	if (ret >= 0)
		ret = add_arm(run, "plugged", &state);
	if (ret >= 0)
		ret = zwb_runfile_write(run, path, 1, NULL);
	zwb_meta_free(meta);
	zwb_run_free(run);
	return ret;
}

int main(int argc, char **argv)
{
	unsigned long nr = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (nr == 0 || nr > 100000) {
		fputs("usage: manyruns DIRECTORY N\n", stderr);
		return EXIT_FAILURE;
	}
	for (uint32_t i = 0; i < nr; i++) {
		if (write_run(argv[1], i) < 0) {
			fprintf(stderr, "manyruns: cannot write run %u\n", i);
			return EXIT_FAILURE;
		}
	}
	return EXIT_SUCCESS;
}
