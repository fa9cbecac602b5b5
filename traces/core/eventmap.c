/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser of event maps; the language is described at the head of traces/maps/zlab.map. */
#include "eventmap_priv.h"
#include "grow.h"
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAP_FILE_MAX	  (1u << 20)
#define MAP_INCLUDE_DEPTH 4
#define MAP_LINE_MAX	  1024

static const char *const target_names[ZWB_TARGET_NR] = {
#define ZWB_X(sym, name, doc) name,
	ZWB_TARGETS(ZWB_X)
#undef ZWB_X
};

static const char *const walk_names[] = {
	[ZWB_WALK_UNKNOWN] = "unknown",
	[ZWB_WALK_MEMCG] = "memcg",
	[ZWB_WALK_SHRINKER] = "shrinker",
	[ZWB_WALK_KWORKER] = "kworker",
	[ZWB_WALK_ZPOOL] = "zpool",
};

/* Where the parser is, for errors. */
struct map_place {
	struct zwb_eventmap *map;
	const char *name;
	unsigned int line;
	int depth;
	struct zwb_err *err;
};

static int map_fail(const struct map_place *at, const char *what, const char *word)
{
	return zwb_err_set(at->err, ZWB_EUSAGE, 0, "event map %s:%u: %s \"%s\"", at->name, at->line,
		what, word);
}

static int map_nomem(const struct map_place *at)
{
	return zwb_err_set(at->err, ZWB_ENOMEM, 0, "no memory for event map %s", at->name);
}

static int map_word(const struct map_place *at, char *to, const char *from, size_t len)
{
	if (len == 0 || len >= EVENTMAP_WORD_MAX)
		return map_fail(at, "a name of 1 to 63 characters is wanted, not", from);
	memcpy(to, from, len);
	to[len] = '\0';
	return ZWB_OK;
}

static int map_is_name(const char *s)
{
	if (*s >= '0' && *s <= '9')
		return 0;
	for (; *s; s++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *s))
			return 0;
	}
	return 1;
}

static int map_number(const char *s, int64_t *number)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(s, &end, 0);
	if (end == s || *end || errno)
		return 0;
	*number = n;
	return 1;
}

/* number, "unknown", or the name of a field */
static int map_term(const struct map_place *at, const char *s, struct map_term *term)
{
	*term = (struct map_term){ 0 };
	if (map_number(s, &term->number))
		return ZWB_OK;
	if (strcmp(s, "unknown") == 0) {
		term->is_unknown = 1;
		return ZWB_OK;
	}
	if (!map_is_name(s))
		return map_fail(at, "neither a number nor the name of a field:", s);
	return map_word(at, term->field, s, strlen(s));
}

/* "0:1", "<:4" (negative), "*:0" (anything) */
static int map_case(const struct map_place *at, char *s, struct zwb_case *c)
{
	char *colon = strchr(s, ':');

	if (!colon)
		return map_fail(at, "a case is VALUE:RESULT, not", s);
	*colon = '\0';
	*c = (struct zwb_case){ .match = CASE_NUMBER };
	if (strcmp(s, "<") == 0)
		c->match = CASE_NEGATIVE;
	else if (strcmp(s, "*") == 0)
		c->match = CASE_ANY;
	else if (!map_number(s, &c->number))
		return map_fail(at, "a case is a number, < or *, not", s);
	if (!map_number(colon + 1, &c->result))
		return map_fail(at, "the result of a case is a number, not", colon + 1);
	return ZWB_OK;
}

/* FIELD{CASE,CASE...}; @brace points at the brace */
static int map_cases(const struct map_place *at, char *s, char *brace, struct map_source *src)
{
	char *save = NULL, *end = strchr(brace, '}');
	int ret;

	if (!end || end[1])
		return map_fail(at, "cases end with }:", s);
	*brace = '\0';
	*end = '\0';
	src->op = SOURCE_CASES;
	for (char *c = strtok_r(brace + 1, ",", &save); c; c = strtok_r(NULL, ",", &save)) {
		if (src->nr_cases == EVENTMAP_CASES_MAX)
			return map_fail(at, "more than 8 cases for", s);
		ret = map_case(at, c, &src->cases[src->nr_cases++]);
		if (ret)
			return ret;
	}
	return map_term(at, s, &src->a);
}

/* CONDITION?THEN:ELSE, condition FIELD or FIELD.BIT; @mark points at the question mark */
static int map_if(const struct map_place *at, char *s, char *mark, struct map_source *src)
{
	char *colon = strchr(mark, ':'), *dot;
	int64_t bit;
	int ret;

	if (!colon)
		return map_fail(at, "a condition is IF?THEN:ELSE, not", s);
	*mark = '\0';
	*colon = '\0';
	src->op = SOURCE_IF;
	dot = strchr(s, '.');
	if (dot) {
		*dot = '\0';
		if (!map_number(dot + 1, &bit) || bit < 0 || bit > 63)
			return map_fail(at, "a bit is a number from 0 to 63, not", dot + 1);
		src->bit = (int)bit;
	}
	ret = map_term(at, s, &src->a);
	if (!ret)
		ret = map_term(at, mark + 1, &src->b);
	if (!ret)
		ret = map_term(at, colon + 1, &src->c);
	return ret;
}

static int map_pair(const struct map_place *at, char *s, char *sign, size_t sign_len,
	enum source_op op, struct map_source *src)
{
	int ret;

	*sign = '\0';
	src->op = op;
	ret = map_term(at, s, &src->a);
	if (!ret)
		ret = map_term(at, sign + sign_len, &src->b);
	return ret;
}

static int map_source(const struct map_place *at, char *s, struct map_source *src)
{
	char *sign;

	*src = (struct map_source){ .op = SOURCE_LOAD, .bit = -1 };
	sign = strchr(s, '{');
	if (sign)
		return map_cases(at, s, sign, src);
	sign = strchr(s, '?');
	if (sign)
		return map_if(at, s, sign, src);
	sign = strstr(s, "==");
	if (sign)
		return map_pair(at, s, sign, 2, SOURCE_EQUAL, src);
	sign = s[0] ? strchr(s + 1, '-') : NULL;
	if (sign)
		return map_pair(at, s, sign, 1, SOURCE_DIFF, src);
	return map_term(at, s, &src->a);
}

static int map_walk(const struct map_place *at, const char *s, struct map_source *src)
{
	*src = (struct map_source){ .op = SOURCE_LOAD, .bit = -1 };
	for (size_t i = 0; i < sizeof(walk_names) / sizeof(walk_names[0]); i++) {
		if (strcmp(walk_names[i], s) == 0) {
			src->a.number = (int64_t)i;
			return ZWB_OK;
		}
	}
	return map_fail(at, "no kind of walk is called", s);
}

static int map_target(const char *name)
{
	for (int i = 0; i < ZWB_TARGET_NR; i++) {
		if (strcmp(target_names[i], name) == 0)
			return i;
	}
	return -1;
}

/* TARGET=SOURCE|SOURCE... or TARGET?=... */
static int map_assign(const struct map_place *at, char *s, struct map_rule *rule)
{
	char *equals = strchr(s, '='), *save = NULL;
	struct map_assign *assign;
	int target, ret;

	if (!equals)
		return map_fail(at, "TARGET=SOURCE is wanted, not", s);
	if (!ZWB_GROW(rule->assigns, rule->nr_assigns))
		return map_nomem(at);
	assign = &rule->assigns[rule->nr_assigns++];
	*assign = (struct map_assign){ 0 };
	*equals = '\0';
	if (equals > s && equals[-1] == '?') {
		assign->is_optional = 1;
		equals[-1] = '\0';
	}
	target = map_target(s);
	if (target < 0)
		return map_fail(at, "no target is called", s);
	if (rule->nr_assigns > ZWB_PICKS_MAX)
		return map_fail(at, "too many targets at", s);
	assign->target = (enum zwb_target)target;
	for (char *w = strtok_r(equals + 1, "|", &save); w; w = strtok_r(NULL, "|", &save)) {
		if (!ZWB_GROW(assign->sources, assign->nr_sources))
			return map_nomem(at);
		if (target == ZWB_TARGET_WALK)
			ret = map_walk(at, w, &assign->sources[assign->nr_sources]);
		else
			ret = map_source(at, w, &assign->sources[assign->nr_sources]);
		if (ret)
			return ret;
		assign->nr_sources++;
	}
	return assign->nr_sources ? ZWB_OK : map_fail(at, "no source for", s);
}

static int map_split_event(const struct map_place *at, char *s, char *system, char *name)
{
	char *slash = strchr(s, '/');
	int ret;

	if (!slash)
		return map_fail(at, "an event is SYSTEM/NAME, not", s);
	ret = map_word(at, system, s, (size_t)(slash - s));
	if (!ret)
		ret = map_word(at, name, slash + 1, strlen(slash + 1));
	return ret;
}

/* FIELD, FIELD:BYTES, or !SYSTEM/EVENT */
static int map_need(const struct map_place *at, char *s, struct map_rule *rule)
{
	struct map_need *need;
	int64_t size;
	char *colon;

	if (rule->nr_needs == EVENTMAP_NEEDS_MAX)
		return map_fail(at, "more than 4 conditions at", s);
	need = &rule->needs[rule->nr_needs++];
	if (s[0] == '!') {
		need->is_absent_event = 1;
		return map_split_event(at, s + 1, need->system, need->name);
	}
	colon = strchr(s, ':');
	if (colon) {
		*colon = '\0';
		if (!map_number(colon + 1, &size) || size < 1 || size > 8)
			return map_fail(at, "a size is 1 to 8 bytes, not", colon + 1);
		need->size = (int)size;
	}
	return map_word(at, need->name, s, strlen(s));
}

/* SYSTEM/NAME[NEED,NEED...] */
static int map_event(const struct map_place *at, char *s, struct map_rule *rule)
{
	char *bracket = strchr(s, '['), *end, *save = NULL;
	int ret;

	if (bracket) {
		end = strchr(bracket, ']');
		if (!end || end[1])
			return map_fail(at, "conditions end with ]:", s);
		*bracket = '\0';
		*end = '\0';
		for (char *w = strtok_r(bracket + 1, ",", &save); w;
			w = strtok_r(NULL, ",", &save)) {
			ret = map_need(at, w, rule);
			if (ret)
				return ret;
		}
	}
	return map_split_event(at, s, rule->system, rule->name);
}

static int map_rule(const struct map_place *at, char *event, char **save)
{
	struct zwb_eventmap *map = at->map;
	struct map_rule *rule;
	int ret, kind;
	char *word;

	if (!ZWB_GROW(map->rules, map->nr_rules))
		return map_nomem(at);
	rule = &map->rules[map->nr_rules++];
	*rule = (struct map_rule){ 0 };
	ret = map_event(at, event, rule);
	if (ret)
		return ret;
	word = strtok_r(NULL, " \t", save);
	if (!word)
		return map_fail(at, "no kind for", event);
	kind = zwb_event_kind_by_name(word);
	if (kind <= ZWB_EV_NONE)
		return map_fail(at, "no kind of event is called", word);
	rule->kind = (enum zwb_event_kind)kind;
	while ((word = strtok_r(NULL, " \t", save))) {
		ret = map_assign(at, word, rule);
		if (ret)
			return ret;
	}
	return ZWB_OK;
}

static int map_text(struct map_place *at, const char *text, size_t len);

static int map_include(const struct map_place *at, const char *name)
{
	struct map_place inner = *at;

	if (at->depth == MAP_INCLUDE_DEPTH)
		return map_fail(at, "maps include each other too deep at", name);
	for (const struct eventmap_text *t = zwb_eventmap_texts; t->name; t++) {
		if (strcmp(t->name, name) == 0) {
			inner.name = t->name;
			inner.depth++;
			return map_text(&inner, t->text, strlen(t->text));
		}
	}
	return map_fail(at, "no built-in map is called", name);
}

static int map_line(const struct map_place *at, char *line)
{
	char *hash = strchr(line, '#'), *save = NULL, *word, *arg;

	if (hash)
		*hash = '\0';
	word = strtok_r(line, " \t\r", &save);
	if (!word)
		return ZWB_OK;
	if (strchr(word, '/'))
		return map_rule(at, word, &save);
	arg = strtok_r(NULL, " \t\r", &save);
	if (!arg)
		return map_fail(at, "a line is a rule, or group NAME, or include NAME, not", word);
	if (strcmp(word, "include") == 0)
		return map_include(at, arg);
	if (strcmp(word, "group") != 0)
		return map_fail(at, "no directive is called", word);
	/* the group of an included map is its own business */
	return at->depth ? ZWB_OK : map_word(at, at->map->group, arg, strlen(arg));
}

static int map_text(struct map_place *at, const char *text, size_t len)
{
	const char *end = text + len;
	char line[MAP_LINE_MAX];
	int ret = ZWB_OK;

	for (at->line = 1; text < end && !ret; at->line++) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((eol ? eol : end) - text);

		if (n >= sizeof(line) || memchr(text, '\0', n))
			return zwb_err_set(at->err, ZWB_EUSAGE, 0,
				"event map %s:%u: not a line of text of at most %zu characters",
				at->name, at->line, sizeof(line) - 1);
		memcpy(line, text, n);
		line[n] = '\0';
		ret = map_line(at, line);
		text += n + 1;
	}
	return ret;
}

int zwb_eventmap_parse(const char *text, size_t len, const char *name, struct zwb_eventmap **out,
	struct zwb_err *err)
{
	struct zwb_eventmap *map = calloc(1, sizeof(*map));
	struct map_place at = { .map = map, .name = name, .err = err };
	int ret;

	if (!map || !(map->name = strdup(name))) {
		zwb_eventmap_free(map);
		return map_nomem(&at);
	}
	ret = map_text(&at, text, len);
	if (ret) {
		zwb_eventmap_free(map);
		return ret;
	}
	*out = map;
	return ZWB_OK;
}

int zwb_eventmap_load(const char *path, struct zwb_eventmap **out, struct zwb_err *err)
{
	char *text = NULL;
	size_t len;
	FILE *f;
	int ret;

	ret = zwb_open_text(path, &f, err);
	if (ret) {
		zwb_err_prefix(err, "event map");
		return ret;
	}
	text = malloc(MAP_FILE_MAX + 1);
	if (!text) {
		ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for event map %s", path);
		goto out;
	}
	len = fread(text, 1, MAP_FILE_MAX + 1, f);
	if (ferror(f))
		ret = zwb_err_set(err, ZWB_EENV, errno, "event map %s", path);
	else if (len > MAP_FILE_MAX)
		ret = zwb_err_set(err, ZWB_EUSAGE, 0, "event map %s is larger than %u bytes", path,
			MAP_FILE_MAX);
	else
		ret = zwb_eventmap_parse(text, len, path, out, err);
out:
	free(text);
	fclose(f);
	return ret;
}

int zwb_eventmap_builtin(const char *name, struct zwb_eventmap **out, struct zwb_err *err)
{
	for (const struct eventmap_text *t = zwb_eventmap_texts; t->name; t++) {
		if (strcmp(t->name, name) == 0)
			return zwb_eventmap_parse(t->text, strlen(t->text), name, out, err);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "no built-in event map is called %s", name);
}

int zwb_eventmap_choose(int (*has_group)(const char *group, void *arg), void *arg,
	struct zwb_eventmap **out, struct zwb_err *err)
{
	struct zwb_eventmap *map;
	int ret;

	for (const struct eventmap_text *t = zwb_eventmap_texts; t->name; t++) {
		ret = zwb_eventmap_parse(t->text, strlen(t->text), t->name, &map, err);
		if (ret)
			return ret;
		if (map->group[0] && has_group(map->group, arg)) {
			*out = map;
			return ZWB_OK;
		}
		zwb_eventmap_free(map);
	}
	return zwb_eventmap_builtin("kernel", out, err);
}

void zwb_eventmap_free(struct zwb_eventmap *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->nr_rules; i++) {
		for (size_t k = 0; k < map->rules[i].nr_assigns; k++)
			free(map->rules[i].assigns[k].sources);
		free(map->rules[i].assigns);
	}
	free(map->rules);
	free(map->name);
	free(map);
}

const char *zwb_eventmap_name(const struct zwb_eventmap *map)
{
	return map->name;
}

int zwb_eventmap_wants(const struct zwb_eventmap *map, const char *system, const char *name)
{
	for (size_t i = 0; i < map->nr_rules; i++) {
		if (strcmp(map->rules[i].name, name) == 0 &&
			strcmp(map->rules[i].system, system) == 0)
			return 1;
	}
	return 0;
}
