/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture will record on this kernel, and how. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

static void release_probe(struct zwb_probe *probe)
{
	for (size_t i = 0; i < probe->nr_definitions; i++)
		free(probe->definitions[i]);
	free(probe->definitions);
	free(probe->event);
	free(probe->filter);
}

void zwb_plan_release(struct zwb_plan *plan)
{
	for (size_t i = 0; i < plan->nr_probes; i++)
		release_probe(&plan->probes[i]);
	for (size_t i = 0; i < plan->nr_tracepoints; i++) {
		free(plan->tracepoints[i].system);
		free(plan->tracepoints[i].event);
		free(plan->tracepoints[i].filter);
	}
	free(plan->probes);
	free(plan->tracepoints);
	memset(plan, 0, sizeof(*plan));
}
