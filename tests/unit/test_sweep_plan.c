/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: what lines stand for, and what is refused. */
#include "zwb_test.h"

#include "sweep_plan.h"

#include <stdlib.h>
#include <string.h>

static int read_plan(const char *text, struct zwb_sweep_plan *plan, struct zwb_err *err)
{
	FILE *in = fmemopen((char *)text, strlen(text), "r");
	int ret;

	assert_non_null(in);
	ret = zwb_sweep_plan_read(in, "plan", plan, err);
	fclose(in);
	return ret;
}

/* The values of one axis with blanks between; caller frees. */
static char *axis_text(const struct zwb_sweep_plan *plan, enum zwb_sweep_axis axis)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	for (size_t i = 0; i < plan->axes[axis].nr_values; i++)
		fprintf(out, "%s%s", i ? " " : "", plan->axes[axis].values[i].text);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void sweep_plan__braces_stand_for_one_value_after_the_other(void **state)
{
	static const struct {
		const char *value, *expected;
	} rows[] = {
		{ "a", "a" },
		{ "{a,b}", "a b" },
		{ "{a}", "a" },
		{ "x{1,2}y", "x1y x2y" },
		{ "{a,b}{1,2,3}", "a1 a2 a3 b1 b2 b3" },
		{ "n={9..11}", "n=9 n=10 n=11" },
		{ "{7..7}", "7" },
		{ "{a..b}", "a..b" },
		{ "{1..}", "1.." },
		{ "sorted,max={1,2},plug={none,walk}",
			"sorted,max=1,plug=none sorted,max=1,plug=walk sorted,max=2,plug=none "
			"sorted,max=2,plug=walk" },
		{ "\\{a\\}", "{a}" },
		{ "a\\#b", "a#b" },
		{ "a#b", "a#b" },
		{ "a # b", "a" },
		{ "a\t#{", "a" },
		{ "a\\", "a\\" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zwb_sweep_plan plan;
		struct zwb_err err = { 0 };
		char line[256], *text;

		snprintf(line, sizeof(line), "  trace \t %s  \r\n\n# policy x\n", rows[i].value);
		if (read_plan(line, &plan, &err))
			fail_msg("%s: %s", rows[i].value, err.text);
		text = axis_text(&plan, ZWB_SWEEP_TRACE);
		assert_string_equal(text, rows[i].expected);
		free(text);
		zwb_sweep_plan_release(&plan);
	}
}

static void sweep_plan__an_axis_without_a_line_has_its_default(void **state)
{
	struct zwb_sweep_plan plan;
	char *policies;

	(void)state;
	assert_int_equal(read_plan("trace a", &plan, NULL), ZWB_OK);
	policies = axis_text(&plan, ZWB_SWEEP_POLICY);
	assert_string_equal(policies, "unbatched batched plugged");
	free(policies);
	assert_int_equal(plan.nr_cells, 3);
	assert_int_equal(plan.axes[ZWB_SWEEP_POLICY].values[0].line, 0);
	zwb_sweep_plan_release(&plan);
}

static void sweep_plan__cells_and_places_on_the_axes_are_one_to_one(void **state)
{
	struct zwb_sweep_plan plan;
	size_t last[ZWB_SWEEP_NR] = { 0 };

	(void)state;
	assert_int_equal(
		read_plan("trace {a,b}\npolicy {p,q,r}\ndevice {d,e}\nseed {1..4}\n", &plan, NULL),
		ZWB_OK);
	assert_int_equal(plan.nr_cells, 48);
	for (size_t cell = 0; cell < plan.nr_cells; cell++) {
		size_t index[ZWB_SWEEP_NR];

		zwb_sweep_plan_cell(&plan, cell, index);
		assert_int_equal(zwb_sweep_plan_number(&plan, index), cell);
		/* the trace varies slowest, the seed fastest */
		assert_int_equal(index[ZWB_SWEEP_TRACE], cell / 24);
		assert_int_equal(index[ZWB_SWEEP_SEED], cell % 4);
		assert_true(cell == 0 || memcmp(index, last, sizeof(last)) != 0);
		memcpy(last, index, sizeof(last));
	}
	zwb_sweep_plan_release(&plan);
}

static void sweep_plan__equal_plans_print_alike(void **state)
{
	static const char *const texts[] = {
		"trace a\ntrace b\npolicy p\nseed 1\n",
		"# other words\nseed {1..1}\n\tpolicy   p   # this one\ntrace {a,b}",
	};
	char *printed[2] = { NULL, NULL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct zwb_sweep_plan plan;
		size_t len;
		FILE *out = open_memstream(&printed[i], &len);

		assert_non_null(out);
		assert_int_equal(read_plan(texts[i], &plan, NULL), ZWB_OK);
		zwb_sweep_plan_print(out, &plan);
		assert_int_equal(fclose(out), 0);
		zwb_sweep_plan_release(&plan);
	}
	assert_string_equal(printed[0], printed[1]);
	assert_non_null(strstr(printed[0], "trace a\ntrace b\n"));
	free(printed[0]);
	free(printed[1]);
}

static void sweep_plan__errors_name_the_line(void **state)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "\ntrace a\nnonsense\n", "plan: line 3: no keyword \"nonsense\"" },
		{ "trace a\ntracex b\n", "plan: line 2: no keyword \"tracex\"" },
		{ "trace\n", "plan: line 1: trace without a value" },
		{ "trace {a", "plan: line 1: \"{\" without \"}\"" },
		{ "trace a}", "plan: line 1: \"}\" without \"{\"" },
		{ "trace {{a}}", "plan: line 1: \"{\" without \"}\"" },
		{ "trace {}", "plan: line 1: nothing before or after a comma" },
		{ "trace {a,,b}", "plan: line 1: nothing before or after a comma" },
		{ "trace {5..4}", "plan: line 1: {5..4} counts down" },
		{ "trace {0..99999999}", "plan: line 1: more than 10000 values" },
		{ "trace {1..1000}{1..1000}", "plan: line 1: more than 10000 values" },
		{ "trace {1..9999}\ntrace {a,b}", "plan: line 2: more than 10000 values" },
		{ "trace {1..10000}\nseed {1..11}", "plan: more than 100000 cells" },
		{ "trace a\ntrace b\ntrace a\n", "plan: line 3: trace a is there already" },
		{ "policy a\n", "plan: no trace in it" },
		{ "", "plan: no trace in it" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zwb_sweep_plan plan = { 0 };
		struct zwb_err err = { 0 };
		FILE *in = tmpfile(); /* fmemopen() has no empty files */

		assert_non_null(in);
		fputs(rows[i].text, in);
		rewind(in);
		assert_int_equal(zwb_sweep_plan_read(in, "plan", &plan, &err), ZWB_EUSAGE);
		if (strncmp(err.text, rows[i].expected, strlen(rows[i].expected)) != 0)
			fail_msg("%s: %s", rows[i].text, err.text);
		fclose(in);
		zwb_sweep_plan_release(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweep_plan__braces_stand_for_one_value_after_the_other),
		cmocka_unit_test(sweep_plan__an_axis_without_a_line_has_its_default),
		cmocka_unit_test(sweep_plan__cells_and_places_on_the_axes_are_one_to_one),
		cmocka_unit_test(sweep_plan__equal_plans_print_alike),
		cmocka_unit_test(sweep_plan__errors_name_the_line),
	};

	return cmocka_run_group_tests_name("sweep_plan", tests, NULL, NULL);
}
