/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb doctor: what a capture would record here, before anything is changed. */
#include "cmd.h"
#include "common.h"
#include "doctor.h"
#include "options.h"

#include <string.h>

static const char *const level_words[] = { "minimal", "standard", "full", NULL };
static const char *const format_words[] = { "text", "json", NULL };

enum { FORMAT_TEXT, FORMAT_JSON };

struct doctor_args {
	const char *kernel;
	int level, format, definitions;
};

static const struct zwb_option options[] = {
	ZWB_OPTION("events", 0, "LEVEL", "judge a capture of these events (standard)", choice,
		struct doctor_args, level, .choices = level_words),
	ZWB_OPTION("definitions", 0, NULL,
		"print the lines that define each event, and those tried when one is refused", flag,
		struct doctor_args, definitions),
	ZWB_OPTION("kernel", 0, "DIR",
		"judge the kernel that the files in DIR were copied from, not the running one",
		string, struct doctor_args, kernel),
	ZWB_OPTION("format", 0, "FORMAT", "form of the report; text by default", choice,
		struct doctor_args, format, .choices = format_words),
	{ 0 },
};

static const struct zwb_usage usage = {
	.synopsis = "[OPTION...]",
	.text = "Says what zwb capture can record on this machine, how, what is missing, and\n"
		"what that costs a replay. Changes nothing. Exit 1 when something is missing\n"
		"that every replay needs, 4 when nothing can be recorded.\n",
	.options = options,
	.min_operands = 0,
	.max_operands = 0,
};

const char *zwb_doctor_verdict(const struct zwb_doctor *d)
{
	if (d->obstacle.status)
		return "impossible";
	return d->plan.nr_missing ? "incomplete" : "possible";
}

/* A machine that refuses is an obstacle as a kernel that cannot. */
static void find_obstacle(struct zwb_doctor *d)
{
	if (zwb_kernel_check(d->kernel, &d->obstacle))
		return;
	for (size_t i = 0; i < d->machine.nr_checks; i++) {
		const struct zwb_check *c = &d->machine.checks[i];

		if (c->state != ZWB_CHECK_BAD)
			continue;
		zwb_err_set(&d->obstacle, ZWB_EENV, 0, "%s: %s", c->name, c->advice);
		return;
	}
}

static int examine(struct zwb_doctor *d, struct zwb_err *err)
{
	const struct zwb_plan_wish wish = { .level = d->level };
	int ret = zwb_plan_make(d->kernel, &wish, &d->plan, err);

	if (!ret && !d->kernel->is_stored)
		ret = zwb_machine_look("", d->kernel->tracing, &d->machine, err);
	if (!ret)
		find_obstacle(d);
	return ret;
}

static int print(const struct zwb_doctor *d, int format, struct zwb_err *err)
{
	if (format == FORMAT_JSON)
		return zwb_doctor_json(stdout, d, err);
	zwb_doctor_text(stdout, d);
	return ZWB_OK;
}

int zwb_cmd_doctor(int argc, char **argv)
{
	struct doctor_args args = { .level = ZWB_LEVEL_STANDARD };
	struct zwb_doctor doctor = { 0 };
	struct zwb_kernel *kernel = NULL;
	struct zwb_operands operands;
	struct zwb_err err = { 0 };
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	doctor.level = (enum zwb_level)args.level;
	doctor.show_definitions = args.definitions;
	ret = zwb_kernel_load(args.kernel, &kernel, &err);
	doctor.kernel = kernel;
	if (!ret)
		ret = examine(&doctor, &err);
	if (!ret)
		ret = print(&doctor, args.format, &err);
	if (ret)
		ret = zwb_print_error(argv[0], &err);
	else if (doctor.obstacle.status)
		ret = zwb_print_error(argv[0], &doctor.obstacle);
	else
		ret = doctor.plan.nr_missing ? ZWB_EXIT_NO : ZWB_EXIT_OK;
	zwb_machine_release(&doctor.machine);
	zwb_plan_release(&doctor.plan);
	zwb_kernel_free(kernel);
	return ret;
}
