/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of policies and devices, made from their tables. */
#ifndef ZWB_CATALOGUE_H
#define ZWB_CATALOGUE_H

#include "param.h"

#include <stddef.h>
#include <stdint.h>

/* One thing that a user can name. */
struct zwb_catalogue_entry {
	const char *name;
	const char *summary;
	const struct zwb_param *params; /* of its own, or NULL */
	int64_t shared_defaults[ZWB_PARAM_MAX]; /* of the parameters that all entries take */
};

struct zwb_catalogue {
	const char *what; /* "policy" */
	const char *page; /* name of the manual page: "zwb-policies" */
	const char *title; /* what the page says about itself */
	const struct zwb_param *shared; /* parameters that every entry takes, or NULL */
	/* fill @e with the @i-th entry; 0 behind the last one */
	int (*entry)(size_t i, struct zwb_catalogue_entry *e);
};

/**
 * zwb_catalogue_run() - the whole of a command that lists a catalogue.
 * Return: the exit code.
 */
int zwb_catalogue_run(const struct zwb_catalogue *c, int argc, char **argv);

#endif
