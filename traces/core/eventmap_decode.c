/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event maps compiled against the formats of one recording, and the decoding of events. */
#include "eventmap_priv.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWP_TYPE_SHIFT 58 /* include/linux/swapops.h, 64-bit kernels */
#define DEV_MINOR_BITS 20 /* include/linux/kdev_t.h */
#define CGROUPS_MAX    16384u /* more ids than that are not cgroups */
#define DEVICES_MAX    4096u
#define INDEX_START    64u /* places; a power of two */

static const char *const target_names[ZWB_TARGET_NR] = {
#define ZWB_X(sym, name, doc) name,
	ZWB_TARGETS(ZWB_X)
#undef ZWB_X
};

/* ---- compiling ---- */

static const struct tep_format_field *find_field(const struct tep_event *event, const char *name)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (strcmp(f->name, name) == 0)
			return f;
	}
	for (const struct tep_format_field *f = event->format.common_fields; f; f = f->next) {
		if (strcmp(f->name, name) == 0)
			return f;
	}
	return NULL;
}

/* Bytes of the field are inside an event whose offsets fit 16 bits. */
static int field_is_sane(const struct tep_format_field *f)
{
	return f->offset >= 0 && f->size > 0 && f->offset < UINT16_MAX && f->size < UINT16_MAX;
}

static int field_is_number(const struct tep_format_field *f)
{
	if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC))
		return 0;
	return field_is_sane(f) && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static void note_extent(struct zwb_decoder *d, const struct tep_format_field *f)
{
	uint32_t end = (uint32_t)f->offset + (uint32_t)f->size;

	if (end > d->min_bytes)
		d->min_bytes = end;
}

static int bind_field(
	struct zwb_decoder *d, const struct tep_format_field *f, struct zwb_operand *to)
{
	if (!f || !field_is_number(f))
		return 0;
	*to = (struct zwb_operand){
		.offset = (uint16_t)f->offset,
		.size = (uint8_t)f->size,
		.is_signed = (f->flags & TEP_FIELD_IS_SIGNED) != 0,
	};
	note_extent(d, f);
	return 1;
}

/* Return: 1 when the recording has what @term says. */
static int bind_term(struct zwb_decoder *d, const struct tep_event *event,
	const struct map_term *term, struct zwb_operand *to)
{
	if (term->field[0])
		return bind_field(d, find_field(event, term->field), to);
	*to = (struct zwb_operand){ .number = term->number,
		.is_unknown = (uint8_t)term->is_unknown };
	return 1;
}

static int bind_op(struct zwb_decoder *d, const struct tep_event *event,
	const struct map_source *src, struct zwb_pick *pick)
{
	const struct tep_format_field *f = find_field(event, src->a.field);

	if (src->op != SOURCE_LOAD || !f || !field_is_sane(f))
		return 0;
	if (f->flags & TEP_FIELD_IS_DYNAMIC)
		return 0;
	pick->op = SOURCE_OP;
	pick->a.offset = (uint16_t)f->offset;
	pick->a.size = (uint8_t)(f->size < 16 ? f->size : 16);
	note_extent(d, f);
	return 1;
}

static int bind_source(struct zwb_decoder *d, const struct tep_event *event, enum zwb_target target,
	const struct map_source *src, struct zwb_pick *pick)
{
	*pick = (struct zwb_pick){
		.target = (uint8_t)target,
		.op = (uint8_t)src->op,
		.bit = (int8_t)src->bit,
		.nr_cases = (uint8_t)src->nr_cases,
		.cases = src->cases,
	};
	if (target == ZWB_TARGET_OP)
		return bind_op(d, event, src, pick);
	return bind_term(d, event, &src->a, &pick->a) && bind_term(d, event, &src->b, &pick->b) &&
	       bind_term(d, event, &src->c, &pick->c);
}

static void bind_assign(
	struct zwb_decoder *d, const struct tep_event *event, const struct map_assign *assign)
{
	struct zwb_decoder trial;

	for (size_t i = 0; i < assign->nr_sources; i++) {
		/* a source that turns out to be unusable must leave no trace */
		trial = *d;
		if (bind_source(&trial, event, assign->target, &assign->sources[i],
			    &trial.picks[d->nr_picks])) {
			*d = trial;
			d->nr_picks++;
			return;
		}
	}
	if (!assign->is_optional)
		d->missing |= 1u << assign->target;
}

static int needs_are_met(const struct map_rule *rule, const struct tep_event *event,
	const struct zwb_recorded *recorded)
{
	for (size_t i = 0; i < rule->nr_needs; i++) {
		const struct map_need *need = &rule->needs[i];
		const struct tep_format_field *f;

		if (need->is_absent_event) {
			if (recorded->has_event(need->system, need->name, recorded->arg))
				return 0;
			continue;
		}
		f = find_field(event, need->name);
		if (!f || (need->size && f->size != need->size))
			return 0;
	}
	return 1;
}

/* END events whose result is not recorded say so; so do plugs whose nesting is not. */
static int blank_val(enum zwb_event_kind kind)
{
	const char *name = zwb_event_kind_name(kind);
	size_t len = strlen(name);

	if (kind == ZWB_EV_PLUG_START || kind == ZWB_EV_PLUG_FINISH)
		return ZWB_VAL_UNKNOWN;
	return len > 4 && strcmp(name + len - 4, "_end") == 0 ? ZWB_VAL_UNKNOWN : 0;
}

int zwb_eventmap_compile(const struct zwb_eventmap *map, const struct tep_event *event,
	const struct zwb_recorded *recorded, struct zwb_decoder *out)
{
	const struct map_rule *rule = NULL;

	for (size_t i = 0; i < map->nr_rules && !rule; i++) {
		if (strcmp(map->rules[i].name, event->name) == 0 &&
			strcmp(map->rules[i].system, event->system) == 0 &&
			needs_are_met(&map->rules[i], event, recorded))
			rule = &map->rules[i];
	}
	if (!rule)
		return 0;
	*out = (struct zwb_decoder){ 0 };
	out->blank.kind = (uint8_t)rule->kind;
	out->blank.val = blank_val(rule->kind);
	if (!bind_field(out, find_field(event, "common_pid"), &out->pid))
		out->missing |= 1u << ZWB_TARGET_TID;
	for (size_t i = 0; i < rule->nr_assigns; i++)
		bind_assign(out, event, &rule->assigns[i]);
	return 1;
}

/* ---- indexes ---- */

static size_t index_place(const struct zwb_index *x, uint64_t key)
{
	size_t mask = x->nr_places - 1;
	size_t place = (size_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & mask;

	while (x->keys[place] && x->keys[place] != key)
		place = (place + 1) & mask;
	return place;
}

static int index_init(struct zwb_index *x, size_t nr_places)
{
	uint64_t *keys = calloc(nr_places, sizeof(*keys));
	uint32_t *values = calloc(nr_places, sizeof(*values));

	if (!keys || !values) {
		free(keys);
		free(values);
		return 0;
	}
	*x = (struct zwb_index){ .keys = keys, .values = values, .nr_places = nr_places };
	return 1;
}

static void index_release(struct zwb_index *x)
{
	free(x->keys);
	free(x->values);
	*x = (struct zwb_index){ 0 };
}

static void index_put(struct zwb_index *x, uint64_t key, uint32_t value)
{
	size_t place = index_place(x, key);

	x->keys[place] = key;
	x->values[place] = value;
	x->nr++;
}

/* At most half of the places are taken: probing stays short and always ends. */
static int index_add(struct zwb_index *x, uint64_t key, uint32_t value)
{
	struct zwb_index bigger;

	if (2 * (x->nr + 1) > x->nr_places) {
		if (!index_init(&bigger, 2 * x->nr_places))
			return 0;
		for (size_t i = 0; i < x->nr_places; i++) {
			if (x->keys[i])
				index_put(&bigger, x->keys[i], x->values[i]);
		}
		index_put(&bigger, key, value);
		index_release(x);
		*x = bigger;
	} else {
		index_put(x, key, value);
	}
	return 1;
}

int zwb_decode_tables_init(struct zwb_decode_tables *t, struct zwb_meta *meta, struct zwb_err *err)
{
	*t = (struct zwb_decode_tables){ .meta = meta };
	if (!index_init(&t->cgroups, INDEX_START) || !index_init(&t->devices, INDEX_START)) {
		zwb_decode_tables_release(t);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for decoding tables");
	}
	return ZWB_OK;
}

void zwb_decode_tables_release(struct zwb_decode_tables *t)
{
	index_release(&t->cgroups);
	index_release(&t->devices);
	*t = (struct zwb_decode_tables){ 0 };
}

/* Return: index, or -1 when the table is full, or when memory is out (status). */
static int64_t cgroup_index(struct zwb_decode_tables *t, uint64_t id)
{
	size_t place = index_place(&t->cgroups, id);
	int added;

	if (t->cgroups.keys[place])
		return t->cgroups.values[place];
	if (t->cgroups.nr == CGROUPS_MAX)
		return -1;
	added = zwb_meta_cgroup(t->meta, id, NULL, NULL);
	if (added >= 0 && index_add(&t->cgroups, id, (uint32_t)added))
		return added;
	t->status = ZWB_ENOMEM;
	return -1;
}

static int64_t device_index(struct zwb_decode_tables *t, uint32_t dev)
{
	uint64_t key = (uint64_t)dev + 1; /* key 0 is a free place */
	size_t place = index_place(&t->devices, key);
	int added;

	if (t->devices.keys[place])
		return t->devices.values[place];
	if (t->devices.nr == DEVICES_MAX)
		return -1;
	added = zwb_meta_device(
		t->meta, dev >> DEV_MINOR_BITS, dev & ((1u << DEV_MINOR_BITS) - 1), NULL, NULL);
	if (added >= 0 && index_add(&t->devices, key, (uint32_t)added))
		return added;
	t->status = ZWB_ENOMEM;
	return -1;
}

/* ---- decoding ---- */

static uint8_t op_letter(char letter)
{
	switch (letter) {
	case 'F':
		return ZWB_OP_FUA;
	case 'A':
		return ZWB_OP_RAHEAD;
	case 'S':
		return ZWB_OP_SYNC;
	case 'M':
		return ZWB_OP_META;
	default:
		return ZWB_OP_OTHER;
	}
}

uint8_t zwb_op_flags(const char *rwbs, size_t size)
{
	size_t len = strnlen(rwbs, size), i = 0;
	uint8_t flags = 0;

	if (len == 0)
		return ZWB_OP_OTHER;
	/* F before an operation is a preflush, alone it is the operation */
	if (rwbs[0] == 'F' && len > 1 && strchr("WRDNF", rwbs[1])) {
		flags |= ZWB_OP_FLUSH;
		i++;
	}
	switch (rwbs[i++]) {
	case 'R':
		break;
	case 'W':
		flags |= ZWB_OP_WRITE;
		break;
	case 'D':
		flags |= ZWB_OP_DISCARD;
		if (i < len && rwbs[i] == 'E') /* secure erase */
			i++;
		break;
	case 'F':
		flags |= ZWB_OP_FLUSH;
		break;
	default:
		flags |= ZWB_OP_OTHER;
	}
	for (; i < len; i++)
		flags |= op_letter(rwbs[i]);
	return flags;
}

static inline int64_t load(const struct zwb_operand *o, const unsigned char *data)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} v;

	switch (o->size) {
	case 0:
		return o->number;
	case 1:
		memcpy(&v.u8, data + o->offset, 1);
		return o->is_signed ? (int64_t)(int8_t)v.u8 : (int64_t)v.u8;
	case 2:
		memcpy(&v.u16, data + o->offset, 2);
		return o->is_signed ? (int64_t)(int16_t)v.u16 : (int64_t)v.u16;
	case 4:
		memcpy(&v.u32, data + o->offset, 4);
		return o->is_signed ? (int64_t)(int32_t)v.u32 : (int64_t)v.u32;
	default:
		memcpy(&v.u64, data + o->offset, 8);
		return (int64_t)v.u64;
	}
}

static int64_t choose_case(const struct zwb_pick *p, int64_t number, int *is_unknown)
{
	for (size_t i = 0; i < p->nr_cases; i++) {
		const struct zwb_case *c = &p->cases[i];

		if (c->match == CASE_ANY || (c->match == CASE_NEGATIVE && number < 0) ||
			(c->match == CASE_NUMBER && c->number == number))
			return c->result;
	}
	*is_unknown = 1;
	return 0;
}

static inline int64_t evaluate(const struct zwb_pick *p, const unsigned char *data, int *is_unknown)
{
	int64_t a;
	const struct zwb_operand *chosen;

	if (p->op == SOURCE_OP)
		return zwb_op_flags((const char *)data + p->a.offset, p->a.size);
	a = load(&p->a, data);
	switch (p->op) {
	case SOURCE_DIFF:
		return (int64_t)((uint64_t)a - (uint64_t)load(&p->b, data));
	case SOURCE_EQUAL:
		return a == load(&p->b, data);
	case SOURCE_IF:
		if (p->bit >= 0)
			a = (int64_t)(((uint64_t)a >> p->bit) & 1);
		chosen = a ? &p->b : &p->c;
		*is_unknown = chosen->is_unknown;
		return load(chosen, data);
	case SOURCE_CASES:
		return choose_case(p, a, is_unknown);
	default:
		*is_unknown = p->a.is_unknown;
		return a;
	}
}

static inline int32_t saturate_s32(int64_t v)
{
	if (v > INT32_MAX)
		return INT32_MAX;
	return v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

static inline uint32_t saturate_u32(int64_t v)
{
	return (uint64_t)v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* Return: 0, or 1 when the value says that it is not known. */
static inline int put(
	struct zwb_decode_tables *t, struct zwb_event *ev, enum zwb_target target, int64_t v)
{
	int64_t found;

	switch (target) {
	case ZWB_TARGET_SLOT:
		ev->addr = (uint64_t)v & ((1ull << SWP_TYPE_SHIFT) - 1);
		ev->dev = (uint16_t)((uint64_t)v >> SWP_TYPE_SHIFT);
		return 0;
	case ZWB_TARGET_AREA:
		ev->dev = (uint16_t)v;
		return 0;
	case ZWB_TARGET_ADDR:
		ev->addr = (uint64_t)v;
		return 0;
	case ZWB_TARGET_DEVICE:
		found = device_index(t, (uint32_t)v);
		ev->dev = found < 0 ? 0 : (uint16_t)found;
		return found < 0;
	case ZWB_TARGET_CGROUP:
		found = v ? cgroup_index(t, (uint64_t)v) : -1;
		ev->cgroup = found < 0 ? ZWB_CGROUP_UNKNOWN : (uint32_t)found;
		return found < 0;
	case ZWB_TARGET_OP:
	case ZWB_TARGET_WALK:
		ev->flags = (uint8_t)v;
		return 0;
	case ZWB_TARGET_LEN:
		ev->len = saturate_u32(v);
		return 0;
	case ZWB_TARGET_VAL:
		ev->val = saturate_s32(v);
		return 0;
	case ZWB_TARGET_TID:
		ev->tid = (int32_t)v;
		return 0;
	default:
		return 0;
	}
}

void zwb_decode(struct zwb_decoder *d, struct zwb_decode_tables *t, const unsigned char *data,
	struct zwb_event *ev)
{
	*ev = d->blank;
	ev->tid = (int32_t)load(&d->pid, data);
	for (unsigned int i = 0; i < d->nr_picks; i++) {
		const struct zwb_pick *p = &d->picks[i];
		int is_unknown = 0;
		int64_t v = evaluate(p, data, &is_unknown);

		if (is_unknown || put(t, ev, (enum zwb_target)p->target, v))
			d->nr_unknown[p->target]++;
	}
}

int zwb_decoder_unknowns(
	const struct zwb_decoder *d, uint64_t nr, struct zwb_meta *meta, struct zwb_err *err)
{
	char what[EVENTMAP_WORD_MAX];
	int ret = ZWB_OK;

	for (int i = 0; i < ZWB_TARGET_NR && !ret; i++) {
		uint64_t unknown = d->missing & (1u << i) ? nr : d->nr_unknown[i];

		if (!unknown)
			continue;
		snprintf(what, sizeof(what), "%s.%s", zwb_event_kind_name(d->blank.kind),
			target_names[i]);
		ret = zwb_meta_unknown(meta, what, unknown, err);
	}
	return ret;
}
