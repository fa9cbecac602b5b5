/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an event looks like in a trace.dat: fields, their places, and the text that says so. */
#include "datwriter_schema.h"

#include <assert.h>
#include <string.h>

#define SCHEMA_COMMON_BYTES 8u

static const struct zwb_dat_field schema_common[] = {
	{ "unsigned short", "common_type", 2, 0, 0, 0, 0 },
	{ "unsigned char", "common_flags", 1, 0, 0, 0, 0 },
	{ "unsigned char", "common_preempt_count", 1, 0, 0, 0, 0 },
	{ "int", "common_pid", 4, 0, 1, 0, 0 },
	{ 0 },
};

static const struct zwb_dat_field schema_entry[] = {
	{ "unsigned long", "__probe_ip", sizeof(long), 0, 0, 0, 0 },
	{ 0 },
};

static const struct zwb_dat_field schema_return[] = {
	{ "unsigned long", "__probe_func", sizeof(long), 0, 0, 0, 0 },
	{ "unsigned long", "__probe_ret_ip", sizeof(long), 0, 0, 0, 0 },
	{ 0 },
};

static const struct zwb_dat_field *schema_addresses(const struct zwb_dat_schema *schema)
{
	switch (schema->shape) {
	case ZWB_DAT_ENTRY_PROBE:
		return schema_entry;
	case ZWB_DAT_RETURN_PROBE:
		return schema_return;
	default:
		return NULL;
	}
}

static size_t schema_field_bytes(const struct zwb_dat_field *f)
{
	return (size_t)f->size * (f->nr ? f->nr : 1);
}

void zwb_dat_layout(const struct zwb_dat_schema *schema, struct zwb_dat_layout *layout)
{
	const struct zwb_dat_field *address = schema_addresses(schema);
	size_t at = SCHEMA_COMMON_BYTES;

	*layout = (struct zwb_dat_layout){ 0 };
	for (; address && address->name; address++)
		at += address->size;
	for (const struct zwb_dat_field *f = schema->fields; f->name; f++) {
		assert(layout->nr_fields < ZWB_DAT_FIELDS_MAX);
		if (schema->shape == ZWB_DAT_TRACEPOINT)
			at = (at + f->size - 1) / f->size * f->size;
		layout->offsets[layout->nr_fields++] = (uint16_t)at;
		at += schema_field_bytes(f);
	}
	layout->bytes = at;
}

static void schema_put_field(struct zwb_buf *text, const struct zwb_dat_field *f, size_t offset)
{
	zwb_buf_addf(text, "\tfield:%s %s", f->type, f->name);
	if (f->nr)
		zwb_buf_addf(text, "[%u]", f->nr);
	zwb_buf_addf(text, ";\toffset:%zu;\tsize:%zu;\tsigned:%u;\n", offset, schema_field_bytes(f),
		f->is_signed);
}

/* Returns the offset behind the last of @fields. */
static size_t schema_put_fixed(
	struct zwb_buf *text, const struct zwb_dat_field *fields, size_t offset)
{
	for (; fields && fields->name; fields++) {
		schema_put_field(text, fields, offset);
		offset += schema_field_bytes(fields);
	}
	return offset;
}

static const char *schema_conversion(const struct zwb_dat_field *f)
{
	if (f->nr && f->size == 1)
		return "%s";
	if (f->size == 8)
		return f->is_signed ? "%Ld" : "%Lu";
	return f->is_signed ? "%d" : "%u";
}

static void schema_put_print(struct zwb_buf *text, const struct zwb_dat_schema *schema)
{
	static const char *const address_text[] = {
		[ZWB_DAT_TRACEPOINT] = "",
		[ZWB_DAT_ENTRY_PROBE] = "(%lx) ",
		[ZWB_DAT_RETURN_PROBE] = "(%lx <- %lx) ",
	};
	const struct zwb_dat_field *address = schema_addresses(schema);
	const char *space = "";

	zwb_buf_addf(text, "\nprint fmt: ");
	if (schema->print) {
		zwb_buf_addf(text, "%s\n", schema->print);
		return;
	}
	zwb_buf_addf(text, "\"%s", address_text[schema->shape]);
	for (const struct zwb_dat_field *f = schema->fields; f->name; f++) {
		zwb_buf_addf(text, "%s%s=%s", space, f->name, schema_conversion(f));
		space = " ";
	}
	zwb_buf_addf(text, "\"");
	for (; address && address->name; address++)
		zwb_buf_addf(text, ", REC->%s", address->name);
	for (const struct zwb_dat_field *f = schema->fields; f->name; f++)
		zwb_buf_addf(text, ", REC->%s", f->name);
	zwb_buf_addf(text, "\n");
}

void zwb_dat_format(const struct zwb_dat_schema *schema, unsigned int id, struct zwb_buf *text)
{
	struct zwb_dat_layout layout;
	size_t offset;

	zwb_dat_layout(schema, &layout);
	zwb_buf_addf(text, "name: %s\nID: %u\nformat:\n", schema->name, id);
	offset = schema_put_fixed(text, schema_common, 0);
	zwb_buf_addf(text, "\n");
	schema_put_fixed(text, schema_addresses(schema), offset);
	for (size_t i = 0; i < layout.nr_fields; i++)
		schema_put_field(text, &schema->fields[i], layout.offsets[i]);
	schema_put_print(text, schema);
}
