/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the words of a plan to traces, policies, devices and seeds. */
#include "sweep_setup.h"

#include "parse.h"
#include "select.h"
#include "sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int setup_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the sweep");
}

/* Puts the line of a value in front of what is wrong with it. */
static int setup_blame(const struct zwb_sweep_setup *setup, const char *path,
	enum zwb_sweep_axis axis, size_t i, struct zwb_err *err)
{
	unsigned int line = setup->plan.axes[axis].values[i].line;

	if (line)
		zwb_err_prefix(err, "%s: line %u", path, line);
	return err ? err->status : ZWB_EUSAGE;
}

/* -- one axis after the other -- */

/* Hours of work should not end at a name that was mistyped. */
static int setup_trace(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	const char *text = setup->plan.axes[ZWB_SWEEP_TRACE].values[i].text;
	const char *slash = strrchr(plan_path, '/');
	int folder = slash && text[0] != '/' ? (int)(slash - plan_path) + 1 : 0;

	if (asprintf(&setup->paths[i], "%.*s%s", folder, plan_path, text) < 0) {
		setup->paths[i] = NULL;
		return setup_no_memory(err);
	}
	if (access(setup->paths[i], R_OK) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "%s", setup->paths[i]);
	return ZWB_OK;
}

static int setup_seed(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	int ret = zwb_parse_u64(setup->plan.axes[ZWB_SWEEP_SEED].values[i].text, 0, UINT32_MAX,
		&setup->seeds[i], err);

	(void)plan_path;
	if (ret) {
		zwb_err_prefix(err, "seed");
		return ret;
	}
	if (asprintf(&setup->seed_texts[i], "%llu", (unsigned long long)setup->seeds[i]) < 0) {
		setup->seed_texts[i] = NULL;
		return setup_no_memory(err);
	}
	return ZWB_OK;
}

static int setup_device(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	(void)plan_path;
	return zwb_device_select(
		setup->plan.axes[ZWB_SWEEP_DEVICE].values[i].text, &setup->devices[i], err);
}

static int setup_policy(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	(void)plan_path;
	return zwb_policy_select(
		setup->plan.axes[ZWB_SWEEP_POLICY].values[i].text, &setup->policies[i], err);
}

/* The engine knows no other yet. */
static int setup_trigger(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	static const char *const words[] = { "recorded", NULL };
	int index;

	(void)plan_path;
	return zwb_parse_choice(
		setup->plan.axes[ZWB_SWEEP_TRIGGER].values[i].text, words, &index, err);
}

static int setup_loop(
	struct zwb_sweep_setup *setup, const char *plan_path, size_t i, struct zwb_err *err)
{
	static const char *const words[] = { "open", NULL };
	int index;

	(void)plan_path;
	return zwb_parse_choice(
		setup->plan.axes[ZWB_SWEEP_LOOP].values[i].text, words, &index, err);
}

static int setup_look_up(struct zwb_sweep_setup *setup, const char *plan_path, struct zwb_err *err)
{
	static int (*const look_up[ZWB_SWEEP_NR])(struct zwb_sweep_setup * setup,
		const char *plan_path, size_t i, struct zwb_err *err) = {
		[ZWB_SWEEP_TRACE] = setup_trace,
		[ZWB_SWEEP_TRIGGER] = setup_trigger,
		[ZWB_SWEEP_LOOP] = setup_loop,
		[ZWB_SWEEP_DEVICE] = setup_device,
		[ZWB_SWEEP_POLICY] = setup_policy,
		[ZWB_SWEEP_SEED] = setup_seed,
	};

	for (int axis = 0; axis < ZWB_SWEEP_NR; axis++) {
		for (size_t i = 0; i < setup->plan.axes[axis].nr_values; i++) {
			if (look_up[axis](setup, plan_path, i, err))
				return setup_blame(
					setup, plan_path, (enum zwb_sweep_axis)axis, i, err);
		}
	}
	return ZWB_OK;
}

/* -- what arms are called -- */

static const char *setup_key(
	const struct zwb_sweep_setup *setup, enum zwb_sweep_axis axis, size_t i)
{
	switch (axis) {
	case ZWB_SWEEP_DEVICE:
		return setup->devices[i].normal;
	case ZWB_SWEEP_SEED:
		return setup->seed_texts[i];
	default:
		return setup->plan.axes[axis].values[i].text;
	}
}

static int compare_keys(const void *x, const void *y)
{
	const struct zwb_sweep_key *a = x, *b = y;

	return strcmp(a->text, b->text);
}

static int setup_keys(struct zwb_sweep_setup *setup, const char *plan_path,
	enum zwb_sweep_axis axis, struct zwb_err *err)
{
	size_t nr = setup->plan.axes[axis].nr_values;
	struct zwb_sweep_key *keys = setup->keys[axis];

	for (size_t i = 0; i < nr; i++)
		keys[i] = (struct zwb_sweep_key){ setup_key(setup, axis, i), i };
	qsort(keys, nr, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < nr; i++) {
		if (compare_keys(&keys[i - 1], &keys[i]) == 0)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"%s: \"%.80s\" and \"%.80s\" are the same %s, %.160s", plan_path,
				setup->plan.axes[axis].values[keys[i - 1].index].text,
				setup->plan.axes[axis].values[keys[i].index].text,
				zwb_sweep_keyword(axis), keys[i].text);
	}
	return ZWB_OK;
}

/* Equal for equal sweeps, wherever their plans lie and however they are written. */
static int setup_command(struct zwb_sweep_setup *setup, const char *options, struct zwb_err *err)
{
	char *text = NULL, digest[ZWB_SHA256_HEX];
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int ret = ZWB_OK;

	if (!out)
		return setup_no_memory(err);
	zwb_sweep_plan_print(out, &setup->plan);
	if (fclose(out) != 0) {
		free(text);
		return setup_no_memory(err);
	}
	zwb_sha256(text, len, digest);
	if (asprintf(&setup->command, "sweep of %zu cells, plan sha256 %s%s", setup->plan.nr_cells,
		    digest, options) < 0) {
		setup->command = NULL;
		ret = setup_no_memory(err);
	}
	free(text);
	return ret;
}

static int setup_room(struct zwb_sweep_setup *setup, struct zwb_err *err)
{
	const struct zwb_sweep_plan *plan = &setup->plan;
	int whole = 1;

	setup->paths = calloc(plan->axes[ZWB_SWEEP_TRACE].nr_values, sizeof(char *));
	setup->devices = calloc(plan->axes[ZWB_SWEEP_DEVICE].nr_values, sizeof(*setup->devices));
	setup->policies = calloc(plan->axes[ZWB_SWEEP_POLICY].nr_values, sizeof(*setup->policies));
	setup->seeds = calloc(plan->axes[ZWB_SWEEP_SEED].nr_values, sizeof(*setup->seeds));
	setup->seed_texts = calloc(plan->axes[ZWB_SWEEP_SEED].nr_values, sizeof(char *));
	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		setup->keys[i] = calloc(plan->axes[i].nr_values, sizeof(*setup->keys[i]));
		whole &= setup->keys[i] != NULL;
	}
	whole &= setup->paths && setup->devices && setup->policies && setup->seeds &&
		 setup->seed_texts;
	return whole ? ZWB_OK : setup_no_memory(err);
}

int zwb_sweep_setup_open(
	const char *path, const char *options, struct zwb_sweep_setup *setup, struct zwb_err *err)
{
	FILE *in;
	int ret;

	*setup = (struct zwb_sweep_setup){ 0 };
	ret = zwb_open_text(path, &in, err);
	if (ret)
		return ret;
	ret = zwb_sweep_plan_read(in, path, &setup->plan, err);
	fclose(in);
	if (!ret)
		ret = setup_room(setup, err);
	if (!ret)
		ret = setup_look_up(setup, path, err);
	for (int i = 0; !ret && i < ZWB_SWEEP_NR; i++)
		ret = setup_keys(setup, path, (enum zwb_sweep_axis)i, err);
	return ret ? ret : setup_command(setup, options, err);
}

void zwb_sweep_setup_release(struct zwb_sweep_setup *setup)
{
	const struct zwb_sweep_plan *plan = &setup->plan;

	for (size_t i = 0; setup->paths && i < plan->axes[ZWB_SWEEP_TRACE].nr_values; i++)
		free(setup->paths[i]);
	for (size_t i = 0; setup->devices && i < plan->axes[ZWB_SWEEP_DEVICE].nr_values; i++)
		zwb_device_release(&setup->devices[i]);
	for (size_t i = 0; setup->policies && i < plan->axes[ZWB_SWEEP_POLICY].nr_values; i++)
		zwb_policy_release(&setup->policies[i]);
	for (size_t i = 0; setup->seed_texts && i < plan->axes[ZWB_SWEEP_SEED].nr_values; i++)
		free(setup->seed_texts[i]);
	free(setup->paths);
	free(setup->devices);
	free(setup->policies);
	free(setup->seeds);
	free(setup->seed_texts);
	for (int i = 0; i < ZWB_SWEEP_NR; i++)
		free(setup->keys[i]);
	free(setup->command);
	zwb_sweep_plan_release(&setup->plan);
}

struct zwb_replay_lane zwb_sweep_setup_lane(const struct zwb_sweep_setup *setup, size_t cell)
{
	size_t index[ZWB_SWEEP_NR];

	zwb_sweep_plan_cell(&setup->plan, cell, index);
	return (struct zwb_replay_lane){ .policy = &setup->policies[index[ZWB_SWEEP_POLICY]],
		.device = &setup->devices[index[ZWB_SWEEP_DEVICE]],
		.seed = setup->seeds[index[ZWB_SWEEP_SEED]] };
}

int zwb_sweep_setup_find(const struct zwb_sweep_setup *setup, const struct zwb_run_trace *trace,
	const struct zwb_run_arm_info *info, size_t *cell)
{
	char seed[24];
	const char *const texts[ZWB_SWEEP_NR] = {
		[ZWB_SWEEP_TRACE] = trace->source,
		[ZWB_SWEEP_TRIGGER] = info->trigger,
		[ZWB_SWEEP_LOOP] = info->loop,
		[ZWB_SWEEP_DEVICE] = info->device,
		[ZWB_SWEEP_POLICY] = info->policy,
		[ZWB_SWEEP_SEED] = seed,
	};
	size_t index[ZWB_SWEEP_NR];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)info->seed);
	for (int i = 0; i < ZWB_SWEEP_NR; i++) {
		const struct zwb_sweep_key wanted = { .text = texts[i] };
		const struct zwb_sweep_key *key = bsearch(&wanted, setup->keys[i],
			setup->plan.axes[i].nr_values, sizeof(wanted), compare_keys);

		if (!key)
			return 0;
		index[i] = key->index;
	}
	*cell = zwb_sweep_plan_number(&setup->plan, index);
	return 1;
}
