/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "eventmap_priv.h"
#include "stored_kernel.h"
#include "want.h"
#include "zwb_test.h"

static const char *const kernels[] = { "6.1.176", "6.12.117", "6.16.12", "6.18.15", "7.2.12",
	"7.3.4" };
static const char *const kernels_with_zswap[] = { "6.1.176", "6.12.117", "7.2.12", "7.3.4" };

static void make(const struct zwb_kernel *k, enum zwb_level level, struct zwb_plan *plan)
{
	const struct zwb_plan_wish wish = { .level = level };
	struct zwb_err err = { 0 };

	if (zwb_plan_make(k, &wish, plan, &err))
		fail_msg("%s", err.text);
}

static const struct zwb_probe *probe(const struct zwb_plan *plan, const char *event)
{
	for (size_t i = 0; i < plan->nr_probes; i++) {
		if (strcmp(plan->probes[i].event, event) == 0)
			return &plan->probes[i];
	}
	return NULL;
}

static bool has_tracepoint(const struct zwb_plan *plan, const char *event)
{
	for (size_t i = 0; i < plan->nr_tracepoints; i++) {
		if (strcmp(plan->tracepoints[i].event, event) == 0)
			return true;
	}
	return false;
}

static const struct zwb_finding *finding(const struct zwb_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->nr_findings; i++) {
		if (strcmp(plan->findings[i].name, name) == 0)
			return &plan->findings[i];
	}
	fail_msg("no finding %s", name);
	return NULL;
}

/* "NAME=FETCH" of a definition. */
static bool defines(const char *definition, const char *field)
{
	const char *at = strstr(definition, field);
	size_t len = strlen(field);

	return at && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\0');
}

/* ---- the choice ---- */

/* A field as its kernel took it when it was tried by hand, in offsets (last definition). */
struct accepted_case {
	const char *kernel, *event, *function, *field;
};

static void plan__finds_what_was_found_by_hand(void **state)
{
	static const struct accepted_case cases[] = {
		{ "6.1.176", "zstore", "zswap_frontswap_store", "type=$arg1:u32" },
		{ "6.1.176", "zstore", "zswap_frontswap_store", "slot=$arg2:u64" },
		{ "6.1.176", "zstore", "zswap_frontswap_store",
			"cgid=+104(+248(+0(+56($arg3)))):u64" },
		{ "6.1.176", "zload", "zswap_frontswap_load", "slot=$arg2:u64" },
		{ "6.1.176", "zinval", "zswap_frontswap_invalidate_page", "slot=$arg2:u64" },
		{ "6.1.176", "zentry_free", "zswap_free_entry", "slot=+24($arg1):u64" },
		{ "6.1.176", "zentry_free", "zswap_free_entry", "len=+36($arg1):u32" },
		{ "6.1.176", "zevict", "zswap_writeback_entry", "slot=+0($arg2):u64" },
		{ "6.1.176", "zpshrink", "zpool_shrink", "pages=$arg2:u32" },
		{ "6.1.176", "swpwrite", "__swap_writepage", "slot=+40($arg1):u64" },
		{ "6.1.176", "swpwrite", "__swap_writepage",
			"cgid=+104(+248(+0(+56($arg1)))):u64" },
		{ "6.1.176", "swpread", "swap_readpage", "slot=+40($arg1):u64" },
		{ "6.1.176", "memreclaim", "try_to_free_mem_cgroup_pages",
			"cgid=+104(+248(+0($arg1))):u64" },
		{ "6.12.117", "zcb", "shrink_memcg_cb", "slot=-40($arg1):u64" },
		{ "6.12.117", "zcb", "shrink_memcg_cb", "len=-32($arg1):u32" },
		{ "6.12.117", "zcb", "shrink_memcg_cb", "ref=-28($arg1):u8" },
		{ "6.12.117", "zstore", "zswap_store", "cgid=+96(+256(+0(+56($arg1)))):u64" },
		{ "6.12.117", "zinval", "zswap_invalidate", "slot=$arg1:u64" },
		{ "6.12.117", "swpwrite", "__swap_writepage", "slot=+40($arg1):u64" },
		{ "7.2.12", "zcb", "shrink_memcg_cb", "slot=-40($arg1):u64" },
		{ "7.2.12", "zstore", "zswap_store", "slot=+40($arg1):u64" },
		{ "7.2.12", "zstore", "zswap_store", "cgid=+96(+296(+0(+16(+56($arg1))))):u64" },
		{ "7.2.12", "swpout", "swap_writeout", "slot=+40($arg1):u64" },
		{ "7.2.12", "zshrink_memcg", "shrink_memcg", "cgid=+96(+296(+0($arg1))):u64" },
		{ "7.2.12", "zscan", "zswap_shrinker_scan", "nr=+8($arg2):u64" },
		{ "7.3.4", "swpwrite", "__swap_writepage",
			"cgid=+96(+296(+0(+16(+56($arg2))))):u64" },
		{ "7.3.4", "swpout", "swap_writeout", "slot=+40($arg2):u64" },
		{ "7.3.4", "zsmalloc", "zs_malloc", "size=$arg2:u64" },
		{ "7.3.4", "swpsubmit", "swap_write_submit", "nr=+648(+0($arg1)):s32" },
		{ "7.3.4", "swpsubmit", "swap_write_submit", "slot=+40(+136(+0($arg1))):u64" },
		{ "7.3.4", "swprdend", "swap_bio_read_end_io", "nr=+648($arg1):s32" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		const struct accepted_case *c = &cases[i];
		struct zwb_kernel *k = stored_kernel(c->kernel);
		struct zwb_plan plan;
		const struct zwb_probe *p;
		char function[64];

		make(k, ZWB_LEVEL_FULL, &plan);
		p = probe(&plan, c->event);
		if (!p)
			fail_msg("%s: no %s", c->kernel, c->event);
		snprintf(function, sizeof(function), " %s ", c->function);
		if (!strstr(p->definitions[p->nr_definitions - 1], function) ||
			!defines(p->definitions[p->nr_definitions - 1], c->field))
			fail_msg("%s: %s", c->kernel, p->definitions[p->nr_definitions - 1]);
		zwb_plan_release(&plan);
		zwb_kernel_free(k);
	}
}

static void plan__prefers_names_to_offsets_and_fprobes_to_kprobes(void **state)
{
	static const struct {
		const char *kernel;
		enum zwb_method visits, walks;
		size_t nr_definitions; /* of zshrink_memcg or zpshrink */
	} cases[] = {
		{ "6.1.176", ZWB_METHOD_KPROBE, ZWB_METHOD_KPROBE, 1 },
		{ "6.12.117", ZWB_METHOD_FPROBE, ZWB_METHOD_FPROBE_BTF, 3 },
		{ "7.2.12", ZWB_METHOD_FPROBE, ZWB_METHOD_FPROBE_BTF, 3 },
		{ "7.3.4", ZWB_METHOD_FPROBE_BTF, ZWB_METHOD_FPROBE_BTF, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct zwb_kernel *k = stored_kernel(cases[i].kernel);
		const struct zwb_finding *walks;
		const struct zwb_probe *p;
		struct zwb_plan plan;

		make(k, ZWB_LEVEL_MINIMAL, &plan);
		walks = finding(&plan, "walks");
		assert_int_equal(finding(&plan, "visits")->method, cases[i].visits);
		assert_int_equal(walks->method, cases[i].walks);
		p = &plan.probes[walks->first_probe];
		assert_int_equal(p->nr_definitions, cases[i].nr_definitions);
		assert_int_equal(p->definitions[p->nr_definitions - 1][0], 'p');
		assert_int_equal(
			p->definitions[0][0], cases[i].walks == ZWB_METHOD_KPROBE ? 'p' : 'f');
		zwb_plan_release(&plan);
		zwb_kernel_free(k);
	}
}

/* The same kernel, built without one thing or the other. */
static void plan__does_with_less(void **state)
{
	struct zwb_kernel *k = stored_kernel("7.3.4");
	struct zwb_plan plan;

	(void)state;
	k->can.typecast = false;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_string_equal(probe(&plan, "zcb")->definitions[0],
		"f:zwb/zcb shrink_memcg_cb slot=-40($arg1):u64 len=-32($arg1):u32 "
		"ref=-28($arg1):u8");
	zwb_plan_release(&plan);
	k->can.btf_args = false;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_string_equal(probe(&plan, "zshrink_memcg")->definitions[0],
		"f:zwb/zshrink_memcg shrink_memcg cgid=+96(+296(+0($arg1))):u64");
	zwb_plan_release(&plan);
	k->can.fprobe = false;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_string_equal(probe(&plan, "zshrink_memcg_ret")->definitions[0],
		"r512:zwb/zshrink_memcg_ret shrink_memcg ret=$retval:s32");
	assert_int_equal(probe(&plan, "zshrink_memcg_ret")->nr_definitions, 1);
	zwb_plan_release(&plan);
	k->can.kprobe = false;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_int_equal(plan.nr_probes, 0);
	assert_int_equal(plan.nr_missing, 3);
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
}

static void plan__takes_the_next_best_function(void **state)
{
	struct zwb_kernel *k =
		stored_kernel_without("6.12.117", "available_filter_functions", "shrink_memcg_cb");
	struct zwb_plan plan;

	(void)state;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_string_equal(finding(&plan, "visits")->function, "zswap_writeback_entry");
	assert_non_null(probe(&plan, "zevict"));
	assert_non_null(probe(&plan, "zevict_ret"));
	assert_null(probe(&plan, "zcb"));
	assert_int_equal(plan.nr_missing, 0);
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
}

static void plan__says_why_something_is_missing(void **state)
{
	struct zwb_kernel *k =
		stored_kernel_without("7.3.4", "available_filter_functions", "shrink_memcg_cb");
	const struct zwb_finding *f;
	struct zwb_plan plan;

	(void)state;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	f = finding(&plan, "visits");
	assert_int_equal(f->method, ZWB_METHOD_NONE);
	assert_int_equal(plan.nr_missing, 1);
	assert_int_equal(f->nr_lacks, 2);
	assert_string_equal(f->lacks[0].what, "shrink_memcg_cb()");
	assert_string_equal(f->lacks[0].why, "the kernel does not let it be probed");
	assert_string_equal(f->lacks[1].what, "zswap_writeback_entry()");
	assert_non_null(strstr(f->lacks[1].why, "inlined"));
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
	k = stored_kernel("7.2.12");
	make(k, ZWB_LEVEL_FULL, &plan);
	f = finding(&plan, "plug begins");
	assert_int_equal(f->nr_lacks, 1);
	assert_string_equal(f->lacks[0].what, "cur");
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
}

static void plan__loses_nothing_that_a_kernel_never_did(void **state)
{
	struct zwb_kernel *k = stored_kernel("6.1.176");
	struct zwb_plan plan;

	(void)state;
	make(k, ZWB_LEVEL_STANDARD, &plan);
	assert_non_null(finding(&plan, "shrinker walks")->absence);
	assert_non_null(finding(&plan, "read contexts")->absence);
	assert_null(finding(&plan, "walks")->absence);
	assert_int_equal(plan.nr_missing, 0);
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
}

/* ---- levels and filters ---- */

static void plan__levels_hold_those_before_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kernels_with_zswap); i++) {
		struct zwb_kernel *k = stored_kernel(kernels_with_zswap[i]);
		struct zwb_plan plans[ZWB_LEVEL_NR];

		for (int level = 0; level < ZWB_LEVEL_NR; level++)
			make(k, (enum zwb_level)level, &plans[level]);
		for (int level = 1; level < ZWB_LEVEL_NR; level++) {
			const struct zwb_plan *less = &plans[level - 1];

			assert_true(plans[level].nr_findings > less->nr_findings);
			for (size_t p = 0; p < less->nr_probes; p++)
				assert_non_null(probe(&plans[level], less->probes[p].event));
		}
		for (int level = 0; level < ZWB_LEVEL_NR; level++)
			zwb_plan_release(&plans[level]);
		zwb_kernel_free(k);
	}
}

/* The budget of the minimal level: what costs more needs a reason, and this test a new number. */
static void plan__minimal_is_small(void **state)
{
	struct zwb_kernel *k = stored_kernel("7.3.4");
	struct zwb_plan plan;

	(void)state;
	make(k, ZWB_LEVEL_MINIMAL, &plan);
	assert_int_equal(plan.nr_probes, 7);
	assert_int_equal(plan.nr_tracepoints, 9);
	assert_null(probe(&plan, "zstore"));
	assert_null(probe(&plan, "memreclaim"));
	assert_true(has_tracepoint(&plan, "mm_vmscan_memcg_reclaim_begin"));
	assert_false(has_tracepoint(&plan, "sched_switch"));
	zwb_plan_release(&plan);
	make(k, ZWB_LEVEL_STANDARD, &plan);
	assert_non_null(probe(&plan, "memreclaim"));
	assert_false(has_tracepoint(&plan, "mm_vmscan_memcg_reclaim_begin"));
	assert_false(has_tracepoint(&plan, "sched_switch"));
	zwb_plan_release(&plan);
	zwb_kernel_free(k);
}

static void plan__cuts_entry_and_return_to_one_cgroup_or_neither(void **state)
{
	static const uint64_t ids[] = { 42, UINT64_C(1) << 40 };
	static const char filter[] = "cgid == 42 || cgid == 1099511627776";
	const struct zwb_plan_wish wish = { ZWB_LEVEL_STANDARD, ids, 2 };

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kernels_with_zswap); i++) {
		struct zwb_kernel *k = stored_kernel(kernels_with_zswap[i]);
		const struct zwb_probe *entry, *exit;
		struct zwb_plan plan;

		assert_int_equal(zwb_plan_make(k, &wish, &plan, NULL), ZWB_OK);
		entry = probe(&plan, "zstore");
		exit = probe(&plan, "zstore_ret");
		if (k->can.entry_args_at_return) {
			assert_string_equal(entry->filter, filter);
			assert_string_equal(exit->filter, filter);
			assert_non_null(strstr(exit->definitions[0], " cgid="));
		} else {
			assert_null(entry->filter);
			assert_null(exit->filter);
		}
		assert_null(probe(&plan, "swpwrite")->filter);
		assert_null(probe(&plan, i ? "zcb" : "zevict")->filter);
		zwb_plan_release(&plan);
		zwb_kernel_free(k);
	}
}

/* ---- against the event map, and against real kernels ---- */

/* Recorded on purpose for what is not read yet; EVENT or EVENT.FIELD. */
static const char *const ignored[] = { "iocost_ioc_vrate_adj", "iocost_iocg_activate",
	"iocost_iocg_idle", "iocost_iocg_forgive_debt", "iocost_inuse_adjust",
	"iocost_inuse_transfer", "iocost_inuse_shortage",
	/* who a return was for: its filter needs it */
	"zstore_ret.cgid", "zload_ret.cgid" };

static bool is_ignored(const char *event, const char *field)
{
	char name[2 * EVENTMAP_WORD_MAX];

	snprintf(name, sizeof(name), field ? "%s.%s" : "%s", event, field);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(ignored); i++) {
		if (strcmp(ignored[i], name) == 0)
			return true;
	}
	return false;
}

static bool source_uses(const struct map_source *s, const char *field)
{
	return strcmp(s->a.field, field) == 0 || strcmp(s->b.field, field) == 0 ||
	       strcmp(s->c.field, field) == 0;
}

static bool rule_uses(const struct map_rule *r, const char *field)
{
	for (size_t i = 0; i < r->nr_needs; i++) {
		if (strcmp(r->needs[i].name, field) == 0)
			return true;
	}
	for (size_t i = 0; i < r->nr_assigns; i++) {
		for (size_t k = 0; k < r->assigns[i].nr_sources; k++) {
			if (source_uses(&r->assigns[i].sources[k], field))
				return true;
		}
	}
	return false;
}

/* @field NULL: is there a rule at all? */
static bool map_uses(
	const struct zwb_eventmap *map, const char *system, const char *event, const char *field)
{
	for (size_t i = 0; i < map->nr_rules; i++) {
		const struct map_rule *r = &map->rules[i];

		if (strcmp(r->system, system) == 0 && strcmp(r->name, event) == 0 &&
			(!field || rule_uses(r, field)))
			return true;
	}
	return false;
}

/* Every " NAME=" of a definition. */
static void check_fields(const struct zwb_eventmap *map, const struct zwb_probe *p)
{
	char *copy = strdup(p->definitions[0]);
	char *rest = copy;
	char *word;

	assert_non_null(copy);
	strsep(&rest, " ");
	strsep(&rest, " ");
	while ((word = strsep(&rest, " "))) {
		word[strcspn(word, "=")] = '\0';
		if (!map_uses(map, "zwb", p->event, word) && !is_ignored(p->event, word))
			fail_msg("zwb.map does not use %s.%s", p->event, word);
	}
	free(copy);
}

static void plan__records_nothing_that_the_map_does_not_use(void **state)
{
	struct zwb_eventmap *map = NULL;

	(void)state;
	assert_int_equal(zwb_eventmap_builtin("zwb", &map, NULL), ZWB_OK);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kernels); i++) {
		const uint64_t id = 1;
		const struct zwb_plan_wish wish = { ZWB_LEVEL_FULL, &id, 1 };
		struct zwb_kernel *k = stored_kernel(kernels[i]);
		struct zwb_plan plan;

		assert_int_equal(zwb_plan_make(k, &wish, &plan, NULL), ZWB_OK);
		for (size_t p = 0; p < plan.nr_probes; p++) {
			if (!map_uses(map, "zwb", plan.probes[p].event, NULL))
				fail_msg("zwb.map has no rule for %s", plan.probes[p].event);
			check_fields(map, &plan.probes[p]);
		}
		for (size_t t = 0; t < plan.nr_tracepoints; t++) {
			const struct zwb_tracepoint *tp = &plan.tracepoints[t];

			if (!map_uses(map, tp->system, tp->event, NULL) &&
				!is_ignored(tp->event, NULL))
				fail_msg("zwb.map has no rule for %s", tp->event);
		}
		zwb_plan_release(&plan);
		zwb_kernel_free(k);
	}
	zwb_eventmap_free(map);
}

/* The definitions that the kernel itself took, in a guest: one a line. */
static char *read_accepted(const char *kernel)
{
	char path[STORED_PATH];
	char *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(path, sizeof(path), STORED_KERNELS "%s/accepted", kernel);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(text);
	text[0] = '\n';
	assert_in_range(fread(text + 1, 1, (1 << 16) - 3, f), 1, (1 << 16) - 4);
	fclose(f);
	return text;
}

static void check_accepted(const struct zwb_plan *plan, const char *kernel, const char *accepted)
{
	char line[STORED_PATH];

	for (size_t p = 0; p < plan->nr_probes; p++) {
		for (size_t d = 0; d < plan->probes[p].nr_definitions; d++) {
			snprintf(line, sizeof(line), "\n%s\n", plan->probes[p].definitions[d]);
			if (!strstr(accepted, line))
				fail_msg("not tried on %s: %s", kernel, line);
		}
	}
}

/* Whoever changes what is defined has to try it on these kernels first; see kernels/make.sh. */
static void plan__defines_nothing_that_its_kernel_has_not_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kernels_with_zswap); i++) {
		struct zwb_kernel *k = stored_kernel(kernels_with_zswap[i]);
		char *accepted = read_accepted(kernels_with_zswap[i]);

		for (size_t nr_ids = 0; nr_ids < 2; nr_ids++) {
			const uint64_t id = 1;
			const struct zwb_plan_wish wish = { ZWB_LEVEL_FULL, &id, nr_ids };
			struct zwb_plan plan;

			assert_int_equal(zwb_plan_make(k, &wish, &plan, NULL), ZWB_OK);
			assert_in_range(plan.nr_probes, 20, 100);
			check_accepted(&plan, kernels_with_zswap[i], accepted);
			zwb_plan_release(&plan);
		}
		free(accepted);
		zwb_kernel_free(k);
	}
}

/* A slip in the table would look like something that a kernel lacks. */
static void check_slips(const struct zwb_finding *f)
{
	for (size_t i = 0; i < f->nr_lacks; i++) {
		const struct zwb_lack *lack = &f->lacks[i];

		if (strstr(lack->why, "bad "))
			fail_msg("%s: %s", lack->what, lack->why);
		if (f->function && !lack->costs)
			fail_msg("what is lost without %s?", lack->what);
	}
}

/* Every field that may be missing has a row that says what that costs. */
static void check_costs(const char *fields)
{
	char *copy = strdup(fields);
	char *rest = copy;
	char *field;

	assert_non_null(copy);
	while ((field = strsep(&rest, " "))) {
		const struct want_field *f = zwb_want_fields;

		if (field[0] == '!' || field[0] == '\0')
			continue;
		field[strcspn(field, "=")] = '\0';
		while (f->name && strcmp(f->name, field) != 0)
			f++;
		if (!f->name && strcmp(field, "ret") != 0)
			fail_msg("what is lost without %s?", field);
	}
	free(copy);
}

static void plan__table_has_no_slips(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kernels); i++) {
		struct zwb_kernel *k = stored_kernel(kernels[i]);
		struct zwb_plan plan;

		make(k, ZWB_LEVEL_FULL, &plan);
		for (size_t f = 0; f < plan.nr_findings; f++)
			check_slips(&plan.findings[f]);
		zwb_plan_release(&plan);
		zwb_kernel_free(k);
	}
	for (const struct want *w = zwb_wants; w->name; w++) {
		assert_non_null(w->gives);
		assert_non_null(w->costs);
		assert_true(!w->is_needed || w->level == ZWB_LEVEL_MINIMAL);
		for (int i = 0; i < WANT_PLACES_MAX; i++) {
			if (w->places[i].function && w->places[i].fields)
				check_costs(w->places[i].fields);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan__finds_what_was_found_by_hand),
		cmocka_unit_test(plan__prefers_names_to_offsets_and_fprobes_to_kprobes),
		cmocka_unit_test(plan__does_with_less),
		cmocka_unit_test(plan__takes_the_next_best_function),
		cmocka_unit_test(plan__says_why_something_is_missing),
		cmocka_unit_test(plan__loses_nothing_that_a_kernel_never_did),
		cmocka_unit_test(plan__levels_hold_those_before_them),
		cmocka_unit_test(plan__minimal_is_small),
		cmocka_unit_test(plan__cuts_entry_and_return_to_one_cgroup_or_neither),
		cmocka_unit_test(plan__records_nothing_that_the_map_does_not_use),
		cmocka_unit_test(plan__defines_nothing_that_its_kernel_has_not_taken),
		cmocka_unit_test(plan__table_has_no_slips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
