/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsed event maps: shared by the parser (eventmap.c) and the compiler (eventmap_decode.c). */
#ifndef ZWB_EVENTMAP_PRIV_H
#define ZWB_EVENTMAP_PRIV_H

#include "eventmap.h"

#define EVENTMAP_WORD_MAX  64 /* characters of a field, system or event name, NUL included */
#define EVENTMAP_CASES_MAX 8
#define EVENTMAP_NEEDS_MAX 4

enum source_op {
	SOURCE_LOAD, /* a */
	SOURCE_DIFF, /* a - b */
	SOURCE_EQUAL, /* a == b */
	SOURCE_IF, /* a (or one bit of it) ? b : c */
	SOURCE_CASES, /* a looked up in cases */
	SOURCE_OP, /* a: rwbs letters; only the compiler makes it */
};

enum case_match { CASE_NUMBER, CASE_NEGATIVE, CASE_ANY };

struct zwb_case {
	enum case_match match;
	int64_t number;
	int64_t result;
};

/* A field by name, a number (field ""), or not known. */
struct map_term {
	char field[EVENTMAP_WORD_MAX];
	int64_t number;
	int is_unknown;
};

/* One way to tell a target; usable when the recording has all its fields. */
struct map_source {
	enum source_op op;
	int bit;
	struct map_term a, b, c;
	struct zwb_case cases[EVENTMAP_CASES_MAX];
	size_t nr_cases;
};

struct map_assign {
	enum zwb_target target;
	int is_optional;
	struct map_source *sources; /* in order of preference */
	size_t nr_sources;
};

/* A condition for a rule: a field (of a size, 0 any), or an event that must not be recorded. */
struct map_need {
	int is_absent_event;
	char system[EVENTMAP_WORD_MAX];
	char name[EVENTMAP_WORD_MAX];
	int size;
};

struct map_rule {
	char system[EVENTMAP_WORD_MAX];
	char name[EVENTMAP_WORD_MAX];
	struct map_need needs[EVENTMAP_NEEDS_MAX];
	size_t nr_needs;
	enum zwb_event_kind kind;
	struct map_assign *assigns;
	size_t nr_assigns;
};

struct zwb_eventmap {
	char *name;
	char group[EVENTMAP_WORD_MAX];
	struct map_rule *rules;
	size_t nr_rules;
};

/* The texts under traces/maps, made into a table by the build; ends with a NULL name. */
struct eventmap_text {
	const char *name;
	const char *text;
};

extern const struct eventmap_text zwb_eventmap_texts[];

#endif
