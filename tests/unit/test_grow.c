/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "grow.h"

#include "zwb_test.h"

#include <stdlib.h>

static void grow__keeps_the_elements(void **state)
{
	uint64_t *items = NULL;

	(void)state;
	for (size_t nr = 0; nr < 1000; nr++) {
		if (!ZWB_GROW(items, nr)) {
			fail();
			return;
		}
		items[nr] = nr * nr;
	}
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(items[i], i * i);
	free(items);
}

static void grow__moves_only_at_powers_of_two(void **state)
{
	char *items = NULL, *before;
	size_t nr_moves_allowed = 0;

	(void)state;
	for (size_t nr = 0; nr < 1000; nr++) {
		before = items;
		if (!ZWB_GROW(items, nr)) {
			fail();
			return;
		}
		if ((nr & (nr - 1)) != 0)
			assert_ptr_equal(items, before);
		else
			nr_moves_allowed++;
		items[nr] = 0;
	}
	assert_int_equal(nr_moves_allowed, 11); /* 0, 1, 2, 4 ... 512 */
	free(items);
}

static void grow__refuses_sizes_that_wrap(void **state)
{
	static const size_t huge = SIZE_MAX / 2 + 1; /* a power of two */
	uint64_t one = 7, *items = &one;

	(void)state;
	assert_false(ZWB_GROW(items, huge));
	assert_ptr_equal(items, &one);
	assert_int_equal(one, 7);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(grow__keeps_the_elements),
		cmocka_unit_test(grow__moves_only_at_powers_of_two),
		cmocka_unit_test(grow__refuses_sizes_that_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
