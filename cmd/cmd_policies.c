/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb policies: the writeback policies there are. */
#include "catalogue.h"
#include "cmd.h"
#include "select.h"

static int policies_entry(size_t i, struct zwb_catalogue_entry *e)
{
	const struct zwb_param *knobs = zwb_policy_knob_params();
	const struct zwb_policy_ops *ops = zwb_policy_table[i];

	if (!ops)
		return 0;
	*e = (struct zwb_catalogue_entry){ ops->name, ops->summary, ops->params, { 0 } };
	for (size_t k = 0; knobs[k].name; k++)
		e->shared_defaults[k] = zwb_policy_knob_default(ops, k);
	return 1;
}

int zwb_cmd_policies(int argc, char **argv)
{
	const struct zwb_catalogue c = { .what = "POLICY",
		.page = "zwb-policies",
		.title = "writeback policies of zwb and their parameters",
		.shared = zwb_policy_knob_params(),
		.entry = policies_entry };

	return zwb_catalogue_run(&c, argc, argv);
}
