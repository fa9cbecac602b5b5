/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input is the plan of a sweep. */
#include "fuzz_util.h"

#include "sweep_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some cells of a plan: each is where its indices say. */
static void check_cells(const struct zwb_sweep_plan *plan)
{
	if (plan->nr_cells == 0 || plan->nr_cells > ZWB_SWEEP_MAX_CELLS)
		abort();
	for (size_t cell = 0; cell < plan->nr_cells; cell += 1 + plan->nr_cells / 16) {
		size_t index[ZWB_SWEEP_NR];

		zwb_sweep_plan_cell(plan, cell, index);
		for (int i = 0; i < ZWB_SWEEP_NR; i++) {
			if (index[i] >= plan->axes[i].nr_values)
				abort();
		}
		if (zwb_sweep_plan_number(plan, index) != cell)
			abort();
	}
}

static uint64_t read_once(const uint8_t *data, size_t size)
{
	uint64_t hash = FUZZ_HASH_START;
	struct zwb_sweep_plan plan;
	struct zwb_err err = { 0 };
	FILE *in = fmemopen((void *)data, size, "r");
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!in || !out)
		abort();
	if (zwb_sweep_plan_read(in, "plan", &plan, &err) == ZWB_OK) {
		check_cells(&plan);
		zwb_sweep_plan_print(out, &plan);
	} else if (!err.text[0]) {
		abort();
	}
	zwb_sweep_plan_release(&plan);
	fclose(in);
	if (fclose(out) != 0)
		abort();
	hash = fuzz_hash(hash, text, len);
	free(text);
	return fuzz_hash(hash, err.text, strlen(err.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		fuzz_same(read_once(data, size), read_once(data, size));
	return 0;
}
