/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building JSON out of values of any origin. */
#include "jsonout.h"

#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *zwb_json_text(const char *s)
{
	char *safe;
	json_t *value;

	if (!s)
		return json_null();
	safe = zwb_text_utf8(s);
	value = safe ? json_string(safe) : NULL;
	free(safe);
	return value;
}

json_t *zwb_json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *zwb_json_whole(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

json_t *zwb_json_append(json_t *array, json_t *item)
{
	if (!array || !item || json_array_append_new(array, item) != 0) {
		if (!array)
			json_decref(item);
		json_decref(array);
		return NULL;
	}
	return array;
}

json_t *zwb_json_set(json_t *object, const char *key, json_t *value)
{
	char *safe = zwb_text_utf8(key);

	if (!object || !safe || !value || json_object_set_new(object, safe, value) != 0) {
		if (!object || !safe)
			json_decref(value);
		json_decref(object);
		object = NULL;
	}
	free(safe);
	return object;
}
