/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thread ids to values: many of them, and what becomes of those that are no longer needed. */
#include "tasktab.h"
#include "zwb_test.h"

#include <stdlib.h>
#include <string.h>

#define MANY 20000

/* Kept for a task. */
struct value {
	int32_t tid;
	bool is_needed;
};

static bool may_go(void *value, void *arg)
{
	unsigned int *nr_asked = arg;

	if (nr_asked)
		++*nr_asked;
	return !((struct value *)value)->is_needed;
}

static struct value *make(struct zwb_tasktab *t, int32_t tid, unsigned int *nr_asked)
{
	const struct zwb_tasktab_values values = { sizeof(struct value), may_go, nr_asked };
	void *v;

	assert_int_equal(zwb_tasktab_make(t, tid, &values, &v, NULL), ZWB_OK);
	assert_non_null(v);
	assert_int_equal(((struct value *)v)->tid, 0);
	assert_false(((struct value *)v)->is_needed);
	((struct value *)v)->tid = tid;
	return v;
}

/* Ids in no order, negative ones among them; the factor is odd, so none comes twice. */
static int32_t tid_of(uint32_t i)
{
	return (int32_t)(i * UINT32_C(7919) * 65537);
}

static void tasktab__an_empty_table_has_nothing(void **state)
{
	struct zwb_tasktab t = { 0 };
	void **sorted = zwb_tasktab_sorted(&t);

	(void)state;
	assert_null(zwb_tasktab_find(&t, 0));
	assert_null(zwb_tasktab_find(&t, -1));
	assert_non_null(sorted);
	free(sorted);
	zwb_tasktab_release(&t, NULL);
	zwb_tasktab_release(&t, free);
}

static void tasktab__every_thread_id_is_a_key(void **state)
{
	static const int32_t tids[] = { 0, 1, -1, 63, 64, INT32_MAX, INT32_MIN, 4194304, -4194304 };
	struct zwb_tasktab t = { 0 };
	int values[ZWB_ARRAY_LEN(tids)];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(tids); i++) {
		assert_null(zwb_tasktab_find(&t, tids[i]));
		assert_int_equal(zwb_tasktab_add(&t, tids[i], &values[i], NULL), ZWB_OK);
	}
	for (size_t i = 0; i < ZWB_ARRAY_LEN(tids); i++)
		assert_ptr_equal(zwb_tasktab_find(&t, tids[i]), &values[i]);
	assert_null(zwb_tasktab_find(&t, 2));
	assert_int_equal(t.nr, ZWB_ARRAY_LEN(tids));
	zwb_tasktab_release(&t, NULL);
	assert_int_equal(t.nr, 0);
	assert_null(zwb_tasktab_find(&t, 0));
}

static int compare(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Values stay where they are while the table grows, and come out in the order of the ids. */
static void tasktab__thousands_of_tasks(void **state)
{
	struct value **values = calloc(MANY, sizeof(struct value *));
	int32_t *tids = calloc(MANY, sizeof(*tids));
	struct zwb_tasktab t = { 0 };
	void **sorted;

	(void)state;
	assert_non_null(values);
	assert_non_null(tids);
	for (uint32_t i = 0; i < MANY; i++) {
		tids[i] = tid_of(i);
		values[i] = make(&t, tids[i], NULL);
		values[i]->is_needed = true;
	}
	assert_int_equal(t.nr, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_ptr_equal(zwb_tasktab_find(&t, tids[i]), values[i]);
	for (uint32_t i = MANY; i < 2 * MANY; i++)
		assert_null(zwb_tasktab_find(&t, tid_of(i)));
	qsort(tids, MANY, sizeof(*tids), compare);
	assert_true(tids[0] < 0 && tids[MANY - 1] > 0);
	sorted = zwb_tasktab_sorted(&t);
	assert_non_null(sorted);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(((struct value *)sorted[i])->tid, tids[i]);
	free(sorted);
	free(tids);
	free(values);
	zwb_tasktab_release(&t, free);
}

/*
 * A million tasks, of which every 1000th is needed: the table never holds more than twice what is
 * needed, or the 2^14 from which on it looks.
 */
static void tasktab__what_is_not_needed_goes(void **state)
{
	const size_t most = 2 * 1000 > ZWB_TASKTAB_FIRST_LOOK ? 2 * 1000 : ZWB_TASKTAB_FIRST_LOOK;
	struct zwb_tasktab t = { 0 };
	unsigned int nr_asked = 0;

	(void)state;
	for (uint32_t i = 0; i < 1000000; i++) {
		make(&t, tid_of(i), &nr_asked)->is_needed = i % 1000 == 0;
		assert_true(t.nr <= most);
	}
	for (uint32_t i = 0; i < 1000000; i += 1000)
		assert_int_equal(((struct value *)zwb_tasktab_find(&t, tid_of(i)))->tid, tid_of(i));
	/* looking is not what takes the time: about once a value */
	assert_true(nr_asked < 2 * 1000000);
	zwb_tasktab_release(&t, free);
}

/* 2^15 values may have to stay; the look that finds more of them fails, and loses none. */
static void tasktab__too_many_that_must_stay_are_an_error(void **state)
{
	const struct zwb_tasktab_values values = { sizeof(struct value), may_go, NULL };
	struct zwb_err err = { 0 };
	struct zwb_tasktab t = { 0 };
	int ret = ZWB_OK;
	uint32_t i;

	(void)state;
	for (i = 0; !ret && i < 1000000; i++) {
		void *v;

		ret = zwb_tasktab_make(&t, tid_of(i), &values, &v, &err);
		if (!ret) {
			((struct value *)v)->is_needed = true;
			((struct value *)v)->tid = tid_of(i);
		} else {
			assert_null(v);
		}
	}
	assert_int_equal(ret, ZWB_EDATA);
	assert_non_null(strstr(err.text, "damaged"));
	assert_true(t.nr > ZWB_TASKTAB_MAX_STAY && t.nr <= 2 * ZWB_TASKTAB_MAX_STAY);
	assert_int_equal(t.nr, i - 1);
	assert_int_equal(((struct value *)zwb_tasktab_find(&t, tid_of(0)))->tid, tid_of(0));
	zwb_tasktab_release(&t, free);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasktab__an_empty_table_has_nothing),
		cmocka_unit_test(tasktab__every_thread_id_is_a_key),
		cmocka_unit_test(tasktab__thousands_of_tasks),
		cmocka_unit_test(tasktab__what_is_not_needed_goes),
		cmocka_unit_test(tasktab__too_many_that_must_stay_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
