/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural validation by the part of JSON Schema (draft 7) that our schemas use. */
#ifndef ZWB_JSON_SCHEMA_H
#define ZWB_JSON_SCHEMA_H

#include "zwb_test.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/*
 * Known: type, enum, const, required, properties, additionalProperties false, items, and $ref to a
 * definition beside a description. Any other word in a schema fails the test: nothing is passed
 * over in silence.
 */
struct json_schema {
	json_t *root;
	char error[256]; /* the first thing that is wrong, "" if nothing is */
};

static inline int schema_has_type(const char *type, const json_t *value)
{
	return (strcmp(type, "object") == 0 && json_is_object(value)) ||
	       (strcmp(type, "array") == 0 && json_is_array(value)) ||
	       (strcmp(type, "string") == 0 && json_is_string(value)) ||
	       (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
	       (strcmp(type, "null") == 0 && json_is_null(value)) ||
	       (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
	       (strcmp(type, "number") == 0 && json_is_number(value));
}

static inline int schema_is_one_of(
	const json_t *list, const json_t *value, int (*is)(const json_t *, const json_t *))
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (is(json_array_get(list, i), value))
			return 1;
	}
	return 0;
}

static inline int schema_type_is(const json_t *type, const json_t *value)
{
	return schema_has_type(json_string_value(type), value);
}

static inline int schema_is_equal(const json_t *a, const json_t *b)
{
	return json_equal(a, b);
}

static inline void schema_fail(struct json_schema *s, const char *where, const char *what)
{
	if (!s->error[0])
		snprintf(s->error, sizeof(s->error), "%.120s: %.100s", where, what);
}

static inline void schema_check_words(const json_t *schema)
{
	static const char *const known[] = { "description", "title", "$schema", "definitions",
		"type", "enum", "const", "required", "properties", "additionalProperties", "items",
		"$ref" };
	const char *word;
	json_t *value;

	json_object_foreach((json_t *)schema, word, value)
	{
		size_t i = 0;

		while (i < ZWB_ARRAY_LEN(known) && strcmp(word, known[i]) != 0)
			i++;
		if (i == ZWB_ARRAY_LEN(known))
			fail_msg("the test does not know \"%s\"", word);
	}
}

static inline void schema_validate(
	struct json_schema *s, const json_t *schema, const json_t *value, const char *where);

static inline void schema_validate_members(
	struct json_schema *s, const json_t *schema, const json_t *value, const char *where)
{
	const json_t *required = json_object_get(schema, "required");
	const json_t *properties = json_object_get(schema, "properties");
	const char *key;
	json_t *member;

	for (size_t i = 0; i < json_array_size(required); i++) {
		key = json_string_value(json_array_get(required, i));
		if (!json_object_get(value, key))
			schema_fail(s, where, key);
	}
	json_object_foreach((json_t *)value, key, member)
	{
		const json_t *property = json_object_get(properties, key);

		if (property)
			schema_validate(s, property, member, key);
		else if (json_is_false(json_object_get(schema, "additionalProperties")))
			schema_fail(s, key, "not in the schema");
	}
}

static inline void schema_validate(
	struct json_schema *s, const json_t *schema, const json_t *value, const char *where)
{
	const char *ref = json_string_value(json_object_get(schema, "$ref"));
	const json_t *type = json_object_get(schema, "type");
	const json_t *items = json_object_get(schema, "items");
	const json_t *wanted = json_object_get(schema, "const");
	const json_t *choices = json_object_get(schema, "enum");

	schema_check_words(schema);
	if (ref) {
		const json_t *definitions = json_object_get(s->root, "definitions");
		const char *name = strrchr(ref, '/');

		assert_non_null(name);
		assert_non_null(json_object_get(definitions, name + 1));
		schema_validate(s, json_object_get(definitions, name + 1), value, where);
		return;
	}
	if (json_is_string(type) && !schema_type_is(type, value))
		schema_fail(s, where, "of the wrong type");
	if (json_is_array(type) && !schema_is_one_of(type, value, schema_type_is))
		schema_fail(s, where, "of none of the types");
	if (wanted && !json_equal(wanted, value))
		schema_fail(s, where, "not the constant");
	if (choices && !schema_is_one_of(choices, value, schema_is_equal))
		schema_fail(s, where, "none of the choices");
	if (json_is_object(value))
		schema_validate_members(s, schema, value, where);
	for (size_t i = 0; items && i < json_array_size(value); i++)
		schema_validate(s, items, json_array_get(value, i), where);
}

#endif
