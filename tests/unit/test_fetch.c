/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch.h"

#include "stored_kernel.h"
#include "zwb_test.h"

#include <string.h>

/* What a field of a function's becomes on a stored kernel. */
struct fetch_case {
	const char *function, *choices;
	const char *by_name, *by_offset; /* NULL: not that way */
	const char *why; /* of a failure */
};

static void check_text(const struct fetch_case *c, const struct zwb_buf *got, const char *expected)
{
	const char *text = got->data ? (const char *)got->data : "";

	if (strcmp(text, expected ? expected : "") != 0)
		fail_msg("%s %s: \"%s\"", c->function, c->choices, text);
}

static void check(struct zwb_kernel *kernel, bool at_return, const struct fetch_case *c)
{
	struct zwb_fetch_scope scope = { .kernel = kernel, .at_return = at_return };
	struct zwb_fetch fetch = { 0 };
	int ret;

	assert_true(zwb_btf_function(kernel->btf, "", c->function, &scope.proto));
	ret = zwb_fetch_make(&scope, c->choices, &fetch, NULL);
	assert_int_equal(ret, c->why ? ZWB_EKIND : ZWB_OK);
	check_text(c, &fetch.by_name, c->by_name);
	check_text(c, &fetch.by_offset, c->by_offset);
	if (strcmp(fetch.why, c->why ? c->why : "") != 0)
		fail_msg("%s %s: %s", c->function, c->choices, fetch.why);
	zwb_fetch_release(&fetch);
}

static void check_all(
	const char *name, bool at_return, const struct fetch_case *cases, size_t nr_cases)
{
	struct zwb_kernel *kernel = stored_kernel(name);

	for (size_t i = 0; i < nr_cases; i++)
		check(kernel, at_return, &cases[i]);
	zwb_kernel_free(kernel);
}

/* Offsets: from definitions that kernel 7.3.4 took and that gave sensible values. */
static void fetch__walks_pointers_members_and_casts(void **state)
{
	static const struct fetch_case cases[] = {
		{ "zswap_store", "folio->swap.val", "folio->swap.val:u64", "+40($arg1):u64", NULL },
		{ "shrink_memcg", "memcg->css.cgroup->kn->id", "memcg->css.cgroup->kn->id:u64",
			"+96(+296(+0($arg1))):u64", NULL },
		{ "shrink_memcg_cb", "(zswap_entry,lru)item->length",
			"(zswap_entry,lru)item->length:u32", "-32($arg1):u32", NULL },
		{ "shrink_memcg_cb", "(zswap_entry,lru)item->referenced",
			"(zswap_entry,lru)item->referenced:u8", "-28($arg1):u8", NULL },
		{ "zswap_store", "(obj_cgroup)(folio->memcg_data)->memcg->css.cgroup->kn->id",
			"(obj_cgroup)(folio->memcg_data)->memcg->css.cgroup->kn->id:u64",
			"+96(+296(+0(+16(+56($arg1))))):u64", NULL },
		{ "blk_start_plug", "(task_struct)$current->plug",
			"(task_struct)$current->plug:x64", "+3800($current):x64", NULL },
		{ "blk_start_plug", "plug", "plug:x64", "$arg1:x64", NULL },
		{ "zs_malloc", "size", "size:u64", "$arg2:u64", NULL },
	};

	(void)state;
	check_all("7.3.4", false, cases, ZWB_ARRAY_LEN(cases));
}

static void fetch__lowers_what_no_kernel_takes(void **state)
{
	static const struct fetch_case cases[] = {
		/* a structure in a register, the first of an array, a bit by its name */
		{ "zswap_invalidate", "swp.val", NULL, "$arg1:u64", NULL },
		{ "swap_write_submit", "ctx->sio->bvecs[0].bv_page->private", NULL,
			"+40(+136(+0($arg1))):u64", NULL },
		{ "zswap_store", "folio->flags.f:PG_head", "folio->flags.f:b1@6/64",
			"+0($arg1):b1@6/64", NULL },
	};

	(void)state;
	check_all("7.3.4", false, cases, ZWB_ARRAY_LEN(cases));
}

static void fetch__takes_bit_fields_out_of_their_container(void **state)
{
	struct zwb_kernel *kernel = stored_kernel("7.3.4");
	struct zwb_fetch_scope scope = { .kernel = kernel };
	struct zwb_fetch fetch = { 0 };
	struct zwb_type task;
	struct zwb_member m;
	char expected[64];

	(void)state;
	assert_true(zwb_btf_function(kernel->btf, "", "blk_start_plug", &scope.proto));
	assert_true(zwb_btf_struct(scope.proto, "task_struct", &task));
	assert_true(zwb_btf_member(task, "in_iowait", &m));
	assert_int_equal(m.bits, 1);
	assert_int_equal(zwb_btf_info(m.type).bytes, 4);
	assert_int_equal(
		zwb_fetch_make(&scope, "(task_struct)$current->in_iowait", &fetch, NULL), ZWB_OK);
	snprintf(expected, sizeof(expected), "+%u($current):b1@%u/32", m.bit_offset / 32 * 4,
		m.bit_offset % 32);
	assert_string_equal((const char *)fetch.by_offset.data, expected);
	assert_int_equal(fetch.by_name.len, 0);
	zwb_fetch_release(&fetch);
	zwb_kernel_free(kernel);
}

static void fetch__uses_no_more_than_the_kernels_parser_takes(void **state)
{
	static const struct fetch_case with_names[] = {
		{ "zswap_store", "folio->swap.val", "folio->swap.val:u64", "+40($arg1):u64", NULL },
		{ "shrink_memcg_cb", "(zswap_entry,lru)item->length", NULL, "-32($arg1):u32",
			NULL },
		{ "blk_start_plug", "(task_struct)$current->plug", NULL, NULL,
			"this kernel's probes cannot read the current task" },
	};
	static const struct fetch_case without[] = {
		{ "zswap_frontswap_store", "offset", NULL, "$arg2:u64", NULL },
		{ "zswap_frontswap_store", "(mem_cgroup)(page->memcg_data)->css.cgroup->kn->id",
			NULL, "+104(+248(+0(+56($arg3)))):u64", NULL },
	};

	(void)state;
	check_all("6.12.117", false, with_names, ZWB_ARRAY_LEN(with_names));
	check_all("6.1.176", false, without, ZWB_ARRAY_LEN(without));
}

static void fetch__takes_the_first_choice_that_can_be_had(void **state)
{
	static const struct fetch_case old[] = {
		{ "zswap_store", "folio->flags.f|folio->flags", "folio->flags:u64", "+0($arg1):u64",
			NULL },
		{ "zswap_store", "[obj_cgroup.is_root]folio->private|folio->swap.val",
			"folio->swap.val:u64", "+40($arg1):u64", NULL },
	};
	static const struct fetch_case new[] = {
		{ "zswap_store", "folio->flags.f|folio->flags", "folio->flags.f:u64",
			"+0($arg1):u64", NULL },
		{ "zswap_store", "[obj_cgroup.is_root]folio->memcg_data|folio->swap.val",
			"folio->memcg_data:u64", "+56($arg1):u64", NULL },
	};

	(void)state;
	check_all("6.12.117", false, old, ZWB_ARRAY_LEN(old));
	check_all("7.3.4", false, new, ZWB_ARRAY_LEN(new));
}

static void fetch__types_a_result_as_its_function_does(void **state)
{
	static const struct fetch_case old[] = {
		{ "zswap_load", "$retval", NULL, "$retval:u8", NULL },
		{ "shrink_memcg_cb", "$retval", NULL, "$retval:s32", NULL },
		{ "zswap_entry_free", "$retval", NULL, NULL, "it returns nothing" },
		{ "zswap_load", "folio->swap.val", "folio->swap.val:u64", "+40($arg1):u64", NULL },
	};
	static const struct fetch_case new[] = {
		{ "zswap_load", "$retval", NULL, "$retval:s32", NULL },
		{ "zswap_shrinker_count", "$retval", NULL, "$retval:u64", NULL },
	};
	static const struct fetch_case oldest[] = {
		{ "zswap_frontswap_load", "offset", NULL, NULL,
			"this kernel cannot read arguments when a function returns" },
	};

	(void)state;
	check_all("6.12.117", true, old, ZWB_ARRAY_LEN(old));
	check_all("7.3.4", true, new, ZWB_ARRAY_LEN(new));
	check_all("6.1.176", true, oldest, ZWB_ARRAY_LEN(oldest));
}

static void fetch__says_what_is_missing(void **state)
{
	static const struct fetch_case cases[] = {
		{ "zswap_store", "page->private", NULL, NULL, "it has no argument page" },
		{ "zswap_store", "folio->_folio_nr_pages", NULL, NULL,
			"struct folio has no member _folio_nr_pages" },
		{ "zswap_store", "(frontswap)folio->x", NULL, NULL,
			"there is no struct frontswap" },
		{ "zswap_store", "folio->memcg_data->css", NULL, NULL,
			"what is before \"->css\" is no pointer" },
		{ "zswap_store", "folio->swap", NULL, NULL,
			"it is neither a number nor a pointer" },
		{ "zswap_store", "folio->flags.f:PG_none", NULL, NULL, "there is no PG_none" },
		{ "zswap_store", "folio->private[0]", NULL, NULL,
			"what is before \"[0]\" is no array" },
	};

	(void)state;
	check_all("7.3.4", false, cases, ZWB_ARRAY_LEN(cases));
}

static void fetch__refuses_what_is_not_an_expression(void **state)
{
	static const char *const texts[] = { "", "->", "folio->", "folio->swap.", "folio-",
		"(folio", "(folio->swap.val", "((((((((((folio))))))))))", "$", "$arg1", "[",
		"[folio]folio", "[obj_cgroup.is_root", "(zswap_entry,)folio->x",
		"folio->swap.val:", "folio->swap.val+1", "folio folio", "(folio)", "(page,)(", "|",
		"(zswap_entry,lru)" };
	struct zwb_kernel *kernel = stored_kernel("7.3.4");
	struct zwb_fetch_scope scope = { .kernel = kernel };

	(void)state;
	assert_true(zwb_btf_function(kernel->btf, "", "zswap_store", &scope.proto));
	for (size_t i = 0; i < ZWB_ARRAY_LEN(texts); i++) {
		struct zwb_fetch fetch = { 0 };
		struct zwb_err err = { 0 };

		/* "(folio)" is an argument in brackets, and the only good one. */
		if (zwb_fetch_make(&scope, texts[i], &fetch, &err) !=
			(strcmp(texts[i], "(folio)") == 0 ? ZWB_OK : ZWB_EKIND))
			fail_msg("\"%s\" was taken", texts[i]);
		zwb_fetch_release(&fetch);
	}
	zwb_kernel_free(kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fetch__walks_pointers_members_and_casts),
		cmocka_unit_test(fetch__lowers_what_no_kernel_takes),
		cmocka_unit_test(fetch__takes_bit_fields_out_of_their_container),
		cmocka_unit_test(fetch__uses_no_more_than_the_kernels_parser_takes),
		cmocka_unit_test(fetch__takes_the_first_choice_that_can_be_had),
		cmocka_unit_test(fetch__types_a_result_as_its_function_does),
		cmocka_unit_test(fetch__says_what_is_missing),
		cmocka_unit_test(fetch__refuses_what_is_not_an_expression),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
