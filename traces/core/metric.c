/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of built-in metrics. */
#include "metric.h"

#include <string.h>

static const char classes[] = "REMF"; /* surest first */

const struct zwb_metric_def *zwb_metric_def(enum zwb_metric metric)
{
	static const struct zwb_metric_def defs[ZWB_METRIC_NR] = {
#define ZWB_X(sym, name, unit, kind, better, definition)                                           \
	{ name, unit, definition, ZWB_KIND_##kind, ZWB_BETTER_##better },
		ZWB_METRICS(ZWB_X)
#undef ZWB_X
	};

	return &defs[metric];
}

int zwb_class_is_valid(char cls)
{
	return cls != '\0' && strchr(classes, cls) != NULL;
}

double zwb_metric_scale(const struct zwb_metric_def *def)
{
	return strcmp(def->unit, "us") == 0 ? 1000 : 1;
}

char zwb_class_worse(char a, char b)
{
	return strchr(classes, a) < strchr(classes, b) ? b : a;
}
