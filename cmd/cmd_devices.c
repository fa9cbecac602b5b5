/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb devices: the device models there are. */
#include "catalogue.h"
#include "cmd.h"
#include "common.h"
#include "device_ops.h"

#include <stdlib.h>

int zwb_cmd_devices(int argc, char **argv)
{
	struct zwb_catalogue c = { .what = "DEVICE",
		.page = "zwb-devices",
		.title = "device models of zwb and their parameters" };
	struct zwb_catalogue_entry *entries;
	int code;

	while (zwb_device_table[c.nr_entries])
		c.nr_entries++;
	entries = calloc(c.nr_entries, sizeof(*entries));
	if (!entries) {
		struct zwb_err err;

		zwb_err_set(&err, ZWB_ENOMEM, 0, "no memory for the list");
		return zwb_print_error(argv[0], &err);
	}
	for (size_t i = 0; i < c.nr_entries; i++) {
		const struct zwb_device_ops *ops = zwb_device_table[i];

		entries[i] =
			(struct zwb_catalogue_entry){ ops->name, ops->summary, ops->params, { 0 } };
	}
	c.entries = entries;
	code = zwb_catalogue_run(&c, argc, argv);
	free(entries);
	return code;
}
