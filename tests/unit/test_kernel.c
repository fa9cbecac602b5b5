/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel.h"

#include "stored_kernel.h"
#include "symbols.h"
#include "zwb_test.h"

struct ability_case {
	const char *kernel;
	bool kprobe, fprobe, btf_args, typecast, current_task, entry_args_at_return, max_active;
};

/* What these kernels took and refused when they were tried. */
static void kernel__knows_what_each_generations_parser_takes(void **state)
{
	static const struct ability_case cases[] = {
		{ "6.1.176", true, false, false, false, false, false, false },
		{ "6.12.117", true, true, true, false, false, true, true },
		{ "7.2.12", true, true, true, false, false, true, false },
		{ "7.3.4", true, true, true, true, true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		const struct ability_case *c = &cases[i];
		struct zwb_kernel *k = stored_kernel(c->kernel);

		if (k->can.kprobe != c->kprobe || k->can.fprobe != c->fprobe ||
			k->can.btf_args != c->btf_args || k->can.typecast != c->typecast ||
			k->can.current_task != c->current_task ||
			k->can.entry_args_at_return != c->entry_args_at_return ||
			k->can.fprobe_max_active != c->max_active)
			fail_msg("%s", c->kernel);
		assert_non_null(strstr(k->release, c->kernel[0] == '6' ? "6.1" : "7."));
		assert_int_equal(zwb_kernel_check(k, NULL), ZWB_OK);
		zwb_kernel_free(k);
	}
}

static void kernel__tells_why_a_function_cannot_be_probed(void **state)
{
	struct zwb_kernel *k = stored_kernel("7.3.4");

	(void)state;
	assert_int_equal(zwb_kernel_reach(k, "zswap_store"), ZWB_REACH_OK);
	assert_int_equal(zwb_kernel_reach(k, "zswap_stor"), ZWB_REACH_NO_SUCH);
	assert_int_equal(zwb_kernel_reach(k, "swap_store"), ZWB_REACH_NO_SUCH);
	assert_int_equal(zwb_kernel_reach(k, "zswap_writeback_entry"), ZWB_REACH_NO_SUCH);
	assert_int_equal(zwb_kernel_reach(k, ""), ZWB_REACH_NO_SUCH);
	zwb_kernel_free(k);
	k = stored_kernel_without("7.3.4", "available_filter_functions", "zswap_store");
	assert_int_equal(zwb_kernel_reach(k, "zswap_store"), ZWB_REACH_BLOCKED);
	zwb_kernel_free(k);
	/* Without the list, as for users who may not see tracefs, every function may do. */
	k = stored_kernel_without("7.3.4", "available_filter_functions", NULL);
	assert_int_equal(zwb_kernel_reach(k, "zswap_store"), ZWB_REACH_OK);
	assert_int_equal(zwb_kernel_reach(k, "zswap_writeback_entry"), ZWB_REACH_NO_SUCH);
	zwb_kernel_free(k);
}

/* Lists written here. */
static struct zwb_symbols *symbols_of(const char *kallsyms, const char *functions)
{
	char path[2][32] = { "/tmp/zwb-symbols-XXXXXX", "/tmp/zwb-symbols-XXXXXX" };
	const char *text[2] = { kallsyms, functions };
	const struct zwb_symbol_files files = { path[0], path[1], "/no/such/file" };
	struct zwb_symbols *symbols = NULL;

	for (int i = 0; i < 2; i++) {
		int fd = mkstemp(path[i]);

		assert_true(fd >= 0);
		assert_int_equal(write(fd, text[i], strlen(text[i])), strlen(text[i]));
		close(fd);
	}
	assert_int_equal(zwb_symbols_load(&files, &symbols, NULL), ZWB_OK);
	unlink(path[0]);
	unlink(path[1]);
	return symbols;
}

static void kernel__tells_clones_and_twins_from_functions(void **state)
{
	struct zwb_symbols *s = symbols_of("0 t twin\n0 t clone.isra.0\n0 t part.part.0\n"
					   "0 t cold.cold\n0 t mod_fn\t[zsmalloc]\n0 t twin\n",
		"twin\ntwin [other]\nmod_fn [zsmalloc]\nlast");
	char module[16];

	(void)state;
	assert_int_equal(zwb_symbols_probeable(s, "twin"), 2);
	assert_int_equal(zwb_symbols_probeable(s, "win"), 0);
	assert_int_equal(zwb_symbols_probeable(s, "last"), 1);
	assert_true(zwb_symbols_is_renamed(s, "clone"));
	assert_false(zwb_symbols_is_known(s, "clone"));
	assert_false(zwb_symbols_is_renamed(s, "part"));
	assert_false(zwb_symbols_is_renamed(s, "cold"));
	assert_false(zwb_symbols_is_renamed(s, "twin"));
	zwb_symbols_module(s, "mod_fn", module, sizeof(module));
	assert_string_equal(module, "zsmalloc");
	zwb_symbols_module(s, "mod_fn", module, 4);
	assert_string_equal(module, "");
	zwb_symbols_module(s, "last", module, sizeof(module));
	assert_string_equal(module, "");
	assert_false(zwb_symbols_has_event(s, "block", "block_plug"));
	zwb_symbols_free(s);
}

static void kernel__knows_its_events(void **state)
{
	struct zwb_kernel *k = stored_kernel("7.3.4");

	(void)state;
	assert_true(zwb_kernel_has_event(k, "block", "block_plug"));
	assert_false(zwb_kernel_has_event(k, "block", "block_plu"));
	assert_false(zwb_kernel_has_event(k, "lock", "block_plug"));
	assert_false(zwb_kernel_has_event(k, "block", "block_plug_"));
	zwb_kernel_free(k);
}

/* What a kernel lacks, and the word that its sentence has to have. */
struct lack_case {
	const char *kernel, *file, *without, *word;
};

static void kernel__says_what_a_kernel_lacks(void **state)
{
	static const struct lack_case cases[] = {
		{ "7.3.4", "README", NULL, "CONFIG_KPROBE_EVENTS" },
		{ "7.3.4", "btf", NULL, "CONFIG_DEBUG_INFO_BTF" },
		{ "7.3.4", "kallsyms", NULL, NULL },
		{ "6.16.12", "release", NULL, "CONFIG_ZSWAP" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		const struct lack_case *c = &cases[i];
		struct zwb_kernel *k = stored_kernel_without(c->kernel, c->file, c->without);
		struct zwb_err err = { 0 };

		assert_int_equal(zwb_kernel_check(k, &err), c->word ? ZWB_EENV : ZWB_OK);
		if (c->word && !strstr(err.text, c->word))
			fail_msg("%s", err.text);
		zwb_kernel_free(k);
	}
}

static void kernel__asks_for_root_and_tracefs_where_it_runs(void **state)
{
	struct zwb_kernel *k = stored_kernel("7.3.4");
	struct zwb_err err = { 0 };

	(void)state;
	k->is_stored = false;
	k->may_trace = false;
	assert_int_equal(zwb_kernel_check(k, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "root"));
	k->may_trace = true;
	assert_int_equal(zwb_kernel_check(k, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "mount -t tracefs"));
	zwb_kernel_free(k);
}

static void kernel__looks_at_the_running_one(void **state)
{
	struct zwb_kernel *k = NULL;
	struct zwb_err err = { 0 };

	(void)state;
	if (zwb_kernel_load(NULL, &k, &err))
		fail_msg("%s", err.text);
	assert_false(k->is_stored);
	assert_string_not_equal(k->release, "");
	zwb_kernel_free(k);
	assert_int_equal(zwb_kernel_load("/no/such/folder", &k, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "/no/such/folder"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel__knows_what_each_generations_parser_takes),
		cmocka_unit_test(kernel__tells_why_a_function_cannot_be_probed),
		cmocka_unit_test(kernel__tells_clones_and_twins_from_functions),
		cmocka_unit_test(kernel__knows_its_events),
		cmocka_unit_test(kernel__says_what_a_kernel_lacks),
		cmocka_unit_test(kernel__asks_for_root_and_tracefs_where_it_runs),
		cmocka_unit_test(kernel__looks_at_the_running_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
