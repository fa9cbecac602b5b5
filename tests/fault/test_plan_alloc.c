/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a kernel's files to a plan, with the Nth allocation failing, for every N. */
#include "stored_kernel.h"
#include "zwb_test.h"

#include "alloc.h"
#include "kernel.h"
#include "machine.h"
#include "plan.h"

static int plan(size_t *nr_probes, struct zwb_err *err)
{
	const uint64_t cgroup_id = 42;
	const struct zwb_plan_wish wish = { ZWB_LEVEL_FULL, &cgroup_id, 1 };
	struct zwb_machine machine = { 0 };
	struct zwb_kernel *kernel = NULL;
	struct zwb_plan plan = { 0 };
	int ret = zwb_kernel_load(STORED_KERNELS "7.3.4", &kernel, err);

	if (!ret)
		ret = zwb_plan_make(kernel, &wish, &plan, err);
	if (!ret)
		ret = zwb_machine_look("", NULL, &machine, err);
	*nr_probes = plan.nr_probes;
	zwb_machine_release(&machine);
	zwb_plan_release(&plan);
	zwb_kernel_free(kernel);
	return ret;
}

/* Leaks and uses of what was not allocated are for the sanitizers and valgrind to see. */
static void plan_alloc__every_failure_ends_in_no_memory(void **state)
{
	size_t whole, nr_probes;
	int ret = ZWB_ENOMEM;
	long nr = 0;

	(void)state;
	assert_int_equal(plan(&whole, NULL), ZWB_OK);
	for (; ret; nr++) {
		struct zwb_err err = { 0 };

		fault_alloc_after(nr);
		ret = plan(&nr_probes, &err);
		fault_alloc_after(-1);
		assert_true(ret == ZWB_OK || ret == ZWB_ENOMEM);
		assert_int_equal(err.status, ret);
	}
	/* Nothing was left out in silence, and the wrappers are in place. */
	assert_int_equal(nr_probes, whole);
	assert_true(nr > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan_alloc__every_failure_ends_in_no_memory),
	};

	return cmocka_run_group_tests_name("plan_alloc", tests, NULL, NULL);
}
