/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes and tracepoints of a session: made, filtered, enabled. */
#include "grow.h"
#include "session_clean.h"
#include "session_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int events_nomem(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the list of events");
}

/*
 * What the kernel has written into an error log, if it is not what was there before: a string like
 * "[ 12.5] trace_fprobe: error: Invalid type", then the command and a mark below it.
 */
static char *log_news(struct tracefs_instance *instance, const char *before, int failed)
{
	char *now = tracefs_error_last(instance);
	char *why = now && (!before || strcmp(now, before) != 0) ? strstr(now, "error: ") : NULL;
	char *text;

	if (why) {
		why += strlen("error: ");
		text = strndup(why, strcspn(why, "\n"));
	} else {
		text = strdup(strerror(failed));
	}
	free(now);
	return text;
}

/* Takes @why. */
static int note_refusal(struct zwb_session *s, const char *system, const char *event, char *why,
	struct zwb_err *err)
{
	struct zwb_refusal refusal = { .why = why };

	if (asprintf(&refusal.event, "%s/%s", system, event) < 0)
		refusal.event = NULL;
	if (!refusal.event || !why || !ZWB_GROW(s->refusals, s->nr_refusals)) {
		free(refusal.event);
		free(why);
		return events_nomem(err);
	}
	s->refusals[s->nr_refusals++] = refusal;
	return ZWB_OK;
}

static int note_event(
	struct zwb_session *s, const char *system, const char *event, struct zwb_err *err)
{
	struct session_event *e;

	if (!ZWB_GROW(s->events, s->nr_events))
		return events_nomem(err);
	e = &s->events[s->nr_events++];
	*e = (struct session_event){ .system = strdup(system), .event = strdup(event) };
	return e->system && e->event ? ZWB_OK : events_nomem(err);
}

/* Return: 1 when it is there, 0 when it was refused. */
static int define(
	struct zwb_session *s, const char *event, const char *definition, struct zwb_err *err)
{
	char *before = tracefs_error_last(NULL);
	int ret = 1;

	if (tracefs_instance_file_append(NULL, "dynamic_events", definition) < 0)
		ret = note_refusal(s, ZWB_SESSION_NAME, event, log_news(NULL, before, errno), err);
	free(before);
	return ret;
}

/* Filter and enable, in the instance only; then note it. */
static int enable(struct zwb_session *s, const char *system, const char *event, const char *filter,
	struct zwb_err *err)
{
	char *before = tracefs_error_last(s->instance);
	int failed = 0;
	int ret;

	if (filter && tracefs_event_file_write(s->instance, system, event, "filter", filter) < 0)
		failed = errno;
	else if (tracefs_event_enable(s->instance, system, event) != 0)
		failed = errno;
	if (failed)
		ret = note_refusal(s, system, event, log_news(s->instance, before, failed), err);
	else
		ret = note_event(s, system, event, err);
	free(before);
	return ret;
}

static int add_probe(struct zwb_session *s, const struct zwb_probe *probe, struct zwb_err *err)
{
	size_t first = s->nr_refusals;
	int ret = 0;

	for (size_t i = 0; i < probe->nr_definitions && ret == 0; i++)
		ret = define(s, probe->event, probe->definitions[i], err);
	if (ret <= 0)
		return ret;
	for (size_t i = first; i < s->nr_refusals; i++)
		s->refusals[i].is_replaced = 1;
	return enable(s, ZWB_SESSION_NAME, probe->event, probe->filter, err);
}

int session_add_events(struct zwb_session *s, const struct zwb_plan *plan, struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; i < plan->nr_probes && !ret; i++)
		ret = add_probe(s, &plan->probes[i], err);
	for (size_t i = 0; i < plan->nr_tracepoints && !ret; i++)
		ret = enable(s, plan->tracepoints[i].system, plan->tracepoints[i].event,
			plan->tracepoints[i].filter, err);
	if (!ret && s->nr_events == 0)
		ret = zwb_err_set(err, ZWB_EENV, 0,
			"the kernel took none of the events%s%s; zwb doctor says what is missing",
			s->nr_refusals ? ", the first because of: " : "",
			s->nr_refusals ? s->refusals[0].why : "");
	return ret;
}

void session_free_events(struct zwb_session *s)
{
	for (size_t i = 0; i < s->nr_events; i++) {
		free(s->events[i].system);
		free(s->events[i].event);
	}
	for (size_t i = 0; i < s->nr_refusals; i++) {
		free(s->refusals[i].event);
		free(s->refusals[i].why);
	}
	free(s->events);
	free(s->refusals);
}
