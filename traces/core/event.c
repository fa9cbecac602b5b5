/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the event kinds. */
#include "event.h"

#include <string.h>

_Static_assert(sizeof(struct zwb_event) == 40, "an event record is 40 bytes");

static const char *const event_names[ZWB_EV_NR] = {
#define ZWB_X(sym, name, doc) name,
	ZWB_EVENT_KINDS(ZWB_X)
#undef ZWB_X
};

static const char *const event_docs[ZWB_EV_NR] = {
#define ZWB_X(sym, name, doc) doc,
	ZWB_EVENT_KINDS(ZWB_X)
#undef ZWB_X
};

const char *zwb_event_kind_name(unsigned int kind)
{
	return kind < ZWB_EV_NR ? event_names[kind] : "invalid";
}

int zwb_event_kind_by_name(const char *name)
{
	for (int i = 0; i < ZWB_EV_NR; i++) {
		if (strcmp(event_names[i], name) == 0)
			return i;
	}
	return -1;
}

const char *zwb_event_kind_doc(unsigned int kind)
{
	return kind < ZWB_EV_NR ? event_docs[kind] : "";
}

int zwb_event_kind_is_block(unsigned int kind)
{
	return kind >= ZWB_EV_BIO_QUEUE && kind <= ZWB_EV_RQ_REQUEUE;
}
