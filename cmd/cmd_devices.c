/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb devices: the device models there are. */
#include "catalogue.h"
#include "cmd.h"
#include "device_ops.h"

static int devices_entry(size_t i, struct zwb_catalogue_entry *e)
{
	const struct zwb_device_ops *ops = zwb_device_table[i];

	if (!ops)
		return 0;
	*e = (struct zwb_catalogue_entry){ ops->name, ops->summary, ops->params, { 0 } };
	return 1;
}

int zwb_cmd_devices(int argc, char **argv)
{
	const struct zwb_catalogue c = { .what = "DEVICE",
		.page = "zwb-devices",
		.title = "device models of zwb and their parameters",
		.entry = devices_entry };

	return zwb_catalogue_run(&c, argc, argv);
}
