/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Format texts are parsed by libtraceevent, which parses those of the kernel. */
#include "zwb_test.h"

#include "datwriter_kinds.h"

#include <event-parse.h>
#include <string.h>

static struct tep_event *parse(struct tep_handle *tep, const struct zwb_dat_schema *schema)
{
	struct tep_event *event = NULL;
	struct zwb_buf text = { 0 };

	zwb_dat_format(schema, 1234, &text);
	assert_int_equal(zwb_buf_check(&text, NULL), ZWB_OK);
	assert_int_equal(tep_parse_format(tep, &event, (char *)text.data, text.len, schema->system),
		TEP_ERRNO__SUCCESS);
	assert_non_null(event);
	assert_int_equal((unsigned int)event->flags & TEP_EVENT_FL_FAILED, 0);
	zwb_buf_release(&text);
	return event;
}

static void schema__parses_with_its_fields_where_the_layout_says(void **state)
{
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < ZWB_DAT_NR_SCHEMAS; i++) {
		const struct zwb_dat_schema *schema = &zwb_dat_schemas[i];
		struct tep_handle *tep = tep_alloc();
		struct zwb_dat_layout layout;
		struct tep_event *event;

		tep_set_long_size(tep, sizeof(long));
		if (!schema->name) {
			tep_free(tep);
			continue;
		}
		event = parse(tep, schema);
		assert_string_equal(event->name, schema->name);
		assert_int_equal(event->id, 1234);
		zwb_dat_layout(schema, &layout);
		for (size_t j = 0; j < layout.nr_fields; j++) {
			const struct zwb_dat_field *f = &schema->fields[j];
			struct tep_format_field *field = tep_find_field(event, f->name);

			assert_non_null(field);
			assert_int_equal(field->offset, layout.offsets[j]);
			assert_int_equal(field->size, f->size * (f->nr ? f->nr : 1));
			assert_int_equal((field->flags & TEP_FIELD_IS_ARRAY) != 0, f->nr > 0);
			assert_int_equal((field->flags & TEP_FIELD_IS_SIGNED) != 0, f->is_signed);
			assert_in_range(field->offset + field->size, 9, layout.bytes);
		}
		nr++;
		tep_free(event->tep);
	}
	assert_in_range(nr, ZWB_EV_NR - 3 + 8, ZWB_EV_NR - 3 + 8);
}

/* Offsets worked out from format files of a 7.3.4 kernel: block_rq_complete, zcb, zcb_ret. */
static void schema__lays_fields_out_as_the_kernel_does(void **state)
{
	const struct {
		unsigned int kind;
		const char *field;
		int offset;
	} cases[] = {
		{ ZWB_EV_RQ_COMPLETE, "dev", 8 },
		{ ZWB_EV_RQ_COMPLETE, "sector", 16 },
		{ ZWB_EV_RQ_COMPLETE, "nr_sector", 24 },
		{ ZWB_EV_RQ_COMPLETE, "error", 28 },
		{ ZWB_EV_RQ_COMPLETE, "ioprio", 32 },
		{ ZWB_EV_RQ_COMPLETE, "rwbs", 34 },
		{ ZWB_EV_VISIT_BEGIN, "__probe_ip", 8 },
		{ ZWB_EV_VISIT_BEGIN, "slot", 16 },
		{ ZWB_EV_VISIT_BEGIN, "len", 24 },
		{ ZWB_EV_VISIT_BEGIN, "ref", 28 },
		{ ZWB_EV_VISIT_END, "__probe_ret_ip", 16 },
		{ ZWB_EV_VISIT_END, "ret", 24 },
		{ ZWB_EV_WRITEBACK_END, "slot", 28 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tep_handle *tep = tep_alloc();
		struct tep_event *event;

		tep_set_long_size(tep, 8);
		event = parse(tep, &zwb_dat_schemas[cases[i].kind]);
		assert_int_equal(tep_find_field(event, cases[i].field)->offset, cases[i].offset);
		tep_free(tep);
	}
}

static void schema__exists_for_every_kind_of_event_and_known_walk(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < 256; kind++) {
		struct zwb_event ev = { .kind = (uint8_t)kind };

		if (kind == ZWB_EV_WALK_BEGIN || kind == ZWB_EV_WALK_END)
			continue;
		assert_int_equal(zwb_dat_schema_of(&ev) >= 0, kind > 0 && kind < ZWB_EV_NR);
	}
	for (unsigned int walk = 0; walk < 256; walk++) {
		struct zwb_event begin = { .kind = ZWB_EV_WALK_BEGIN, .flags = (uint8_t)walk };
		struct zwb_event end = { .kind = ZWB_EV_WALK_END, .flags = (uint8_t)walk };
		int is_known = walk > ZWB_WALK_UNKNOWN && walk <= ZWB_WALK_ZPOOL;

		assert_int_equal(zwb_dat_schema_of(&begin) >= 0, is_known);
		assert_int_equal(zwb_dat_schema_of(&end) >= 0, is_known);
		if (is_known)
			assert_int_not_equal(zwb_dat_schema_of(&begin), zwb_dat_schema_of(&end));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema__parses_with_its_fields_where_the_layout_says),
		cmocka_unit_test(schema__lays_fields_out_as_the_kernel_does),
		cmocka_unit_test(schema__exists_for_every_kind_of_event_and_known_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
