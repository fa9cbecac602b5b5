/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of an event, by libtraceevent. */
#include "tepformat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int zwb_tepformat_parse(struct tep_handle *tep, const char *system, const char *text,
	const struct tep_event **event, struct zwb_err *err)
{
	static const char print[] = "print fmt: \"\"\n";
	const char *end = strstr(text, "print fmt:");
	size_t len = end ? (size_t)(end - text) : strlen(text);
	char name[256];
	char *fields;
	int ret;

	/* libtraceevent calls a text without a name a lack of memory */
	if (sscanf(text, "name: %255s", name) != 1)
		return zwb_err_set(
			err, ZWB_EDATA, 0, "a format of group %s has no name of an event", system);
	fields = malloc(len + sizeof(print));
	if (!fields)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event formats");
	memcpy(fields, text, len);
	memcpy(fields + len, print, sizeof(print));
	ret = tep_parse_event(tep, fields, len + sizeof(print) - 1, system);
	free(fields);
	if (ret == TEP_ERRNO__MEM_ALLOC_FAILED)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event formats");
	*event = ret ? NULL : tep_find_event_by_name(tep, system, name);
	return *event ? ZWB_OK
		      : zwb_err_set(err, ZWB_EDATA, 0, "the format of event %s/%s is damaged",
				system, name);
}
