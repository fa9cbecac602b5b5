/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb policies: the writeback policies there are. */
#include "catalogue.h"
#include "cmd.h"
#include "common.h"
#include "select.h"

#include <stdlib.h>

int zwb_cmd_policies(int argc, char **argv)
{
	const struct zwb_param *knobs = zwb_policy_knob_params();
	struct zwb_catalogue c = { .what = "POLICY",
		.page = "zwb-policies",
		.title = "writeback policies of zwb and their parameters",
		.shared = knobs };
	struct zwb_catalogue_entry *entries;
	int code;

	while (zwb_policy_table[c.nr_entries])
		c.nr_entries++;
	entries = calloc(c.nr_entries, sizeof(*entries));
	if (!entries) {
		struct zwb_err err;

		zwb_err_set(&err, ZWB_ENOMEM, 0, "no memory for the list");
		return zwb_print_error(argv[0], &err);
	}
	for (size_t i = 0; i < c.nr_entries; i++) {
		const struct zwb_policy_ops *ops = zwb_policy_table[i];

		entries[i] =
			(struct zwb_catalogue_entry){ ops->name, ops->summary, ops->params, { 0 } };
		for (size_t k = 0; knobs[k].name; k++)
			entries[i].shared_defaults[k] = zwb_policy_knob_default(ops, k);
	}
	c.entries = entries;
	code = zwb_catalogue_run(&c, argc, argv);
	free(entries);
	return code;
}
