/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language of event maps, and the decoders that are made of them. */
#include "zwb_test.h"

#include "eventmap.h"

#include <event-parse.h>
#include <stdio.h>
#include <string.h>

/* ---- the parser ---- */

static const struct {
	const char *text;
	const char *error; /* part of it; NULL: the map is good */
} parses[] = {
	{ "", NULL },
	{ "# only a comment\n\n \t\n", NULL },
	{ "group g\ng/e swap_read slot=slot # behind a rule\n", NULL },
	{ "g/e swap_read slot=slot", NULL },
	{ "g/e[a,b:4,!x/y,!*/z] swap_read slot?=a|b-c|d==e|f?1:g|h.6?unknown:1|i{0:1,<:-2,*:3}",
		NULL },
	{ "include kernel\n", NULL },
	{ "nonsense\n", "m:1:" },
	{ "\nfrobnicate it\n", "m:2: no directive is called \"frobnicate\"" },
	{ "g/e\n", "no kind for" },
	{ "g/e no_such_kind\n", "no kind of event is called \"no_such_kind\"" },
	{ "g/e none\n", "no kind of event" },
	{ "/e swap_read\n", "a name of 1 to 63 characters" },
	{ "g/ swap_read\n", "a name of 1 to 63 characters" },
	{ "g/e[a swap_read\n", "conditions end with ]" },
	{ "g/e[a:9] swap_read\n", "a size is 1 to 8 bytes" },
	{ "g/e[a,b,c,d,e] swap_read\n", "more than 4 conditions" },
	{ "g/e[!x] swap_read\n", "an event is SYSTEM/NAME" },
	{ "g/e swap_read slot\n", "TARGET=SOURCE is wanted" },
	{ "g/e swap_read place=slot\n", "no target is called \"place\"" },
	{ "g/e swap_read slot=\n", "no source for" },
	{ "g/e swap_read slot=a+b\n", "neither a number nor the name of a field" },
	{ "g/e swap_read slot=1x\n", "neither a number" },
	{ "g/e swap_read slot=a?1\n", "a condition is IF?THEN:ELSE" },
	{ "g/e swap_read slot=a.64?1:2\n", "a bit is a number from 0 to 63" },
	{ "g/e swap_read val=a{0:1\n", "cases end with }" },
	{ "g/e swap_read val=a{0}\n", "a case is VALUE:RESULT" },
	{ "g/e swap_read val=a{x:1}\n", "a case is a number, < or *" },
	{ "g/e swap_read val=a{1:x}\n", "the result of a case is a number" },
	{ "g/e swap_read val=a{0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1}\n", "more than 8 cases" },
	{ "g/e walk_begin walk=fast\n", "no kind of walk is called \"fast\"" },
	{ "include no_such_map\n", "no built-in map is called \"no_such_map\"" },
};

static void eventmap__parses_the_language_and_names_the_line_of_an_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(parses); i++) {
		const char *text = parses[i].text;
		struct zwb_eventmap *map = NULL;
		struct zwb_err err = { 0 };
		int ret = zwb_eventmap_parse(text, strlen(text), "m", &map, &err);

		if (parses[i].error) {
			assert_int_equal(ret, ZWB_EUSAGE);
			assert_null(map);
			if (!strstr(err.text, parses[i].error))
				fail_msg("\"%s\" is not in \"%s\"", parses[i].error, err.text);
		} else {
			if (ret)
				fail_msg("%s: %s", text, err.text);
			zwb_eventmap_free(map);
		}
	}
}

static void eventmap__refuses_what_is_not_text(void **state)
{
	struct zwb_eventmap *map = NULL;
	char line[2000];

	(void)state;
	memset(line, 'a', sizeof(line));
	assert_int_equal(zwb_eventmap_parse(line, sizeof(line), "m", &map, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_eventmap_parse("g/e\0x", 5, "m", &map, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_eventmap_load("/no/such/map", &map, NULL), ZWB_EENV);
	assert_int_equal(zwb_eventmap_load("/", &map, NULL), ZWB_EENV);
	assert_null(map);
}

static int is_this_group(const char *group, void *arg)
{
	return strcmp(group, arg) == 0;
}

static void eventmap__is_chosen_by_the_group_in_the_recording(void **state)
{
	static const char *const cases[][2] = {
		{ "zlab", "zlab" },
		{ "zwb", "zwb" },
		{ "of another tool", "kernel" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		struct zwb_eventmap *map;
		char group[32];

		snprintf(group, sizeof(group), "%s", cases[i][0]);
		assert_int_equal(zwb_eventmap_choose(is_this_group, group, &map, NULL), ZWB_OK);
		assert_string_equal(zwb_eventmap_name(map), cases[i][1]);
		assert_true(zwb_eventmap_wants(map, "block", "block_rq_issue"));
		assert_false(zwb_eventmap_wants(map, "block", "no_such_event"));
		zwb_eventmap_free(map);
	}
}

/* ---- decoding ---- */

#define COMMON                                                                                     \
	"name: e\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char format[] = COMMON "\tfield:u64 big;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:s32 ret;\toffset:16;\tsize:4;\tsigned:1;\n"
				    "\tfield:u16 half;\toffset:20;\tsize:2;\tsigned:0;\n"
				    "\tfield:u8 one;\toffset:22;\tsize:1;\tsigned:0;\n"
				    "\tfield:s8 little;\toffset:23;\tsize:1;\tsigned:1;\n"
				    "\tfield:char rwbs[10];\toffset:24;\tsize:10;\tsigned:0;\n"
				    "\tfield:s16 odd;\toffset:34;\tsize:2;\tsigned:1;\n\n"
				    "print fmt: \"\"\n";

struct image {
	uint16_t type;
	uint8_t flags, preempt;
	int32_t pid;
	uint64_t big;
	int32_t ret;
	uint16_t half;
	uint8_t one;
	int8_t little;
	char rwbs[10];
	int16_t odd;
};

_Static_assert(offsetof(struct image, odd) == 34, "the image is the format's");

struct bench {
	struct tep_handle *tep;
	struct zwb_meta *meta;
	struct zwb_decode_tables tables;
	struct zwb_eventmap *map;
	struct zwb_decoder decoder;
};

static int setup(void **state)
{
	struct bench *b = test_calloc(1, sizeof(*b));

	b->tep = tep_alloc();
	b->meta = zwb_meta_create();
	*state = b;
	if (tep_parse_event(b->tep, format, sizeof(format) - 1, "g"))
		return -1;
	return zwb_decode_tables_init(&b->tables, b->meta, NULL);
}

static int teardown(void **state)
{
	struct bench *b = *state;

	zwb_decode_tables_release(&b->tables);
	zwb_eventmap_free(b->map);
	zwb_meta_free(b->meta);
	tep_free(b->tep);
	test_free(b);
	return 0;
}

/* "x/present" is the one other event of the recording. */
static int has_event(const char *system, const char *name, void *arg)
{
	(void)arg;
	return strcmp(name, "present") == 0 &&
	       (strcmp(system, "*") == 0 || strcmp(system, "x") == 0);
}

static int compile(struct bench *b, const char *rules)
{
	struct zwb_recorded recorded = { .has_event = has_event };
	struct zwb_err err = { 0 };

	zwb_eventmap_free(b->map);
	b->map = NULL;
	if (zwb_eventmap_parse(rules, strlen(rules), "m", &b->map, &err))
		fail_msg("%s", err.text);
	return zwb_eventmap_compile(
		b->map, tep_find_event_by_name(b->tep, "g", "e"), &recorded, &b->decoder);
}

static struct zwb_event decode(struct bench *b, const struct image *image)
{
	struct zwb_event ev;

	zwb_decode(&b->decoder, &b->tables, (const unsigned char *)image, &ev);
	return ev;
}

static void eventmap__loads_fields_of_every_size_and_sign(void **state)
{
	static const struct {
		const char *rule;
		int32_t val;
	} cases[] = {
		{ "g/e reclaim_end val=big", INT32_MAX }, /* saturated */
		{ "g/e reclaim_end val=ret", -5 },
		{ "g/e reclaim_end val=half", 65535 },
		{ "g/e reclaim_end val=one", 200 },
		{ "g/e reclaim_end val=little", -100 },
		{ "g/e reclaim_end val=odd", -2 },
		{ "g/e reclaim_end val=-7", -7 },
		{ "g/e reclaim_end val=0x10", 16 },
		{ "g/e reclaim_end val=one-half", 200 - 65535 },
		{ "g/e reclaim_end val=one==half", 0 },
		{ "g/e reclaim_end val=one==one", 1 },
		{ "g/e reclaim_end val=one?11:22", 11 },
		{ "g/e reclaim_end val=one.3?11:22", 11 }, /* 200 is 0b11001000 */
		{ "g/e reclaim_end val=one.4?11:22", 22 },
		{ "g/e reclaim_end val=one.3?odd:22", -2 },
		{ "g/e reclaim_end val=ret{0:1,-5:9,<:3}", 9 },
		{ "g/e reclaim_end val=ret{0:1,<:3,-5:9}", 3 },
		{ "g/e reclaim_end val=half{<:3,*:8}", 8 },
		{ "g/e reclaim_end val=absent|one", 200 },
		{ "g/e reclaim_end val=half|one", 65535 },
		{ "g/e reclaim_end val=one-absent|4", 4 },
	};
	struct image image = { .big = UINT64_MAX / 4,
		.ret = -5,
		.half = 65535,
		.one = 200,
		.little = -100,
		.odd = -2 };
	struct bench *b = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		assert_int_equal(compile(b, cases[i].rule), 1);
		if (decode(b, &image).val != cases[i].val)
			fail_msg("%s gives %d", cases[i].rule, decode(b, &image).val);
		assert_int_equal(b->decoder.missing, 0);
		assert_int_equal(b->decoder.nr_unknown[ZWB_TARGET_VAL], 0);
	}
}

static void eventmap__takes_a_swap_entry_apart(void **state)
{
	struct image image = { .pid = 1234, .big = (3ull << 58) | 77, .one = 5 };
	struct bench *b = *state;
	struct zwb_event ev;

	assert_int_equal(compile(b, "g/e swap_read slot=big len=one"), 1);
	ev = decode(b, &image);
	assert_int_equal(ev.kind, ZWB_EV_SWAP_READ);
	assert_int_equal(ev.tid, 1234);
	assert_int_equal(ev.addr, 77);
	assert_int_equal(ev.dev, 3);
	assert_int_equal(ev.len, 5);
	/* a plain offset, the type beside it */
	image.big = 77;
	assert_int_equal(compile(b, "g/e swap_read slot=big area=one"), 1);
	ev = decode(b, &image);
	assert_int_equal(ev.addr, 77);
	assert_int_equal(ev.dev, 5);
}

static void eventmap__saturates_lengths(void **state)
{
	struct image image = { .big = 1ull << 32 };
	struct bench *b = *state;

	assert_int_equal(compile(b, "g/e compress len=big"), 1);
	assert_int_equal(decode(b, &image).len, UINT32_MAX);
	image.big = UINT32_MAX - 1;
	assert_int_equal(decode(b, &image).len, UINT32_MAX - 1);
}

static void eventmap__makes_indexes_of_cgroups_and_devices(void **state)
{
	struct image image = { .big = 42 };
	struct bench *b = *state;
	uint32_t first, second;
	struct zwb_event ev;

	assert_int_equal(compile(b, "g/e bio_cgroup cgroup=big"), 1);
	first = decode(b, &image).cgroup;
	image.big = 0xffff888012345678;
	second = decode(b, &image).cgroup;
	image.big = 42;
	assert_int_equal(decode(b, &image).cgroup, first);
	assert_int_not_equal(first, second);
	assert_int_equal(b->meta->cgroups[first].id, 42);
	assert_int_equal(b->meta->cgroups[second].id, 0xffff888012345678);

	image.big = (254u << 20) | 3;
	assert_int_equal(compile(b, "g/e bio_queue device=big op=rwbs"), 1);
	memcpy(image.rwbs, "WS", 3);
	ev = decode(b, &image);
	assert_int_equal(b->meta->devices[ev.dev].major, 254);
	assert_int_equal(b->meta->devices[ev.dev].minor, 3);
	assert_int_equal(ev.flags, ZWB_OP_WRITE | ZWB_OP_SYNC);
}

static void eventmap__does_not_grow_without_bound_on_senseless_ids(void **state)
{
	struct bench *b = *state;
	struct image image = { 0 };
	struct zwb_event ev;

	assert_int_equal(compile(b, "g/e bio_cgroup cgroup=big"), 1);
	for (uint64_t i = 1; i <= 20000; i++) {
		image.big = i * 0x123456789abcull;
		ev = decode(b, &image);
	}
	assert_int_equal(ev.cgroup, ZWB_CGROUP_UNKNOWN);
	assert_int_equal(b->meta->nr_cgroups + b->decoder.nr_unknown[ZWB_TARGET_CGROUP], 20001);
}

/* By the missing field for all events, by the value for one. */
static void eventmap__counts_what_is_unknown(void **state)
{
	struct image image = { .big = 0, .half = 1 };
	struct bench *b = *state;

	assert_int_equal(compile(b, "g/e swap_write slot=absent cgroup=big len=half.0?unknown:1 "
				    "val?=absent"),
		1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(decode(b, &image).cgroup, ZWB_CGROUP_UNKNOWN);
		assert_int_equal(decode(b, &image).len, 0);
	}
	image.half = 0;
	image.big = 9;
	assert_int_equal(decode(b, &image).len, 1);
	assert_int_equal(zwb_decoder_unknowns(&b->decoder, 7, b->meta, NULL), ZWB_OK);
	assert_int_equal(b->meta->nr_unknowns, 3);
	assert_string_equal(b->meta->unknowns[0].what, "swap_write.slot");
	assert_int_equal(b->meta->unknowns[0].nr, 7);
	assert_string_equal(b->meta->unknowns[1].what, "swap_write.cgroup");
	assert_int_equal(b->meta->unknowns[1].nr, 6);
	assert_string_equal(b->meta->unknowns[2].what, "swap_write.len");
	assert_int_equal(b->meta->unknowns[2].nr, 6);
}

static void eventmap__marks_results_that_are_not_recorded(void **state)
{
	struct image image = { 0 };
	struct bench *b = *state;

	assert_int_equal(compile(b, "g/e store_end"), 1);
	assert_int_equal(decode(b, &image).val, ZWB_VAL_UNKNOWN);
	assert_int_equal(compile(b, "g/e plug_start"), 1);
	assert_int_equal(decode(b, &image).val, ZWB_VAL_UNKNOWN);
	assert_int_equal(compile(b, "g/e store_begin"), 1);
	assert_int_equal(decode(b, &image).val, 0);
}

static void eventmap__uses_the_first_rule_whose_needs_are_met(void **state)
{
	static const struct {
		const char *rules;
		int kind; /* -1: none */
	} cases[] = {
		{ "g/e[absent] swap_read\ng/e swapout", ZWB_EV_SWAPOUT },
		{ "g/e[one] swap_read\ng/e swapout", ZWB_EV_SWAP_READ },
		{ "g/e[one:1] swap_read\ng/e swapout", ZWB_EV_SWAP_READ },
		{ "g/e[ret:1] swap_read\ng/e[ret:4] swapout", ZWB_EV_SWAPOUT },
		{ "g/e[one,absent] swap_read", -1 },
		{ "g/e[!x/present] swap_read", -1 },
		{ "g/e[!*/present] swap_read", -1 },
		{ "g/e[!y/present] swap_read", ZWB_EV_SWAP_READ },
		{ "g/other swap_read\nh/e swap_read", -1 },
	};
	struct bench *b = *state;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		int is_mapped = compile(b, cases[i].rules);

		assert_int_equal(is_mapped, cases[i].kind >= 0);
		if (is_mapped)
			assert_int_equal(b->decoder.blank.kind, cases[i].kind);
	}
}

/* Letters as blk_fill_rwbs() of kernel/trace/blktrace.c puts them, v6.1 to v7.3. */
static void eventmap__reads_the_letters_of_block_operations(void **state)
{
	static const struct {
		const char *letters;
		unsigned int flags;
	} cases[] = {
		{ "R", 0 },
		{ "W", ZWB_OP_WRITE },
		{ "RA", ZWB_OP_RAHEAD },
		{ "WS", ZWB_OP_WRITE | ZWB_OP_SYNC },
		{ "WSM", ZWB_OP_WRITE | ZWB_OP_SYNC | ZWB_OP_META },
		{ "WFS", ZWB_OP_WRITE | ZWB_OP_FUA | ZWB_OP_SYNC },
		{ "FWFS", ZWB_OP_FLUSH | ZWB_OP_WRITE | ZWB_OP_FUA | ZWB_OP_SYNC },
		{ "FWS", ZWB_OP_FLUSH | ZWB_OP_WRITE | ZWB_OP_SYNC },
		{ "F", ZWB_OP_FLUSH },
		{ "FF", ZWB_OP_FLUSH },
		{ "FS", ZWB_OP_FLUSH | ZWB_OP_SYNC },
		{ "D", ZWB_OP_DISCARD },
		{ "DE", ZWB_OP_DISCARD },
		{ "DS", ZWB_OP_DISCARD | ZWB_OP_SYNC },
		{ "N", ZWB_OP_OTHER },
		{ "WU", ZWB_OP_WRITE | ZWB_OP_OTHER },
		{ "", ZWB_OP_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		char field[10] = { 0 };

		memcpy(field, cases[i].letters, strlen(cases[i].letters));
		if (zwb_op_flags(field, sizeof(field)) != cases[i].flags)
			fail_msg("\"%s\" gives %#x", field, zwb_op_flags(field, sizeof(field)));
	}
	/* no NUL in the field */
	assert_int_equal(zwb_op_flags("WS", 1), ZWB_OP_WRITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eventmap__parses_the_language_and_names_the_line_of_an_error),
		cmocka_unit_test(eventmap__refuses_what_is_not_text),
		cmocka_unit_test(eventmap__is_chosen_by_the_group_in_the_recording),
		cmocka_unit_test_setup_teardown(
			eventmap__loads_fields_of_every_size_and_sign, setup, teardown),
		cmocka_unit_test_setup_teardown(
			eventmap__takes_a_swap_entry_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(eventmap__saturates_lengths, setup, teardown),
		cmocka_unit_test_setup_teardown(
			eventmap__makes_indexes_of_cgroups_and_devices, setup, teardown),
		cmocka_unit_test_setup_teardown(
			eventmap__does_not_grow_without_bound_on_senseless_ids, setup, teardown),
		cmocka_unit_test_setup_teardown(eventmap__counts_what_is_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(
			eventmap__marks_results_that_are_not_recorded, setup, teardown),
		cmocka_unit_test_setup_teardown(
			eventmap__uses_the_first_rule_whose_needs_are_met, setup, teardown),
		cmocka_unit_test(eventmap__reads_the_letters_of_block_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
