/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what is wanted of a function's arguments to what the kernel's probe parser takes. */
#include "fetch.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FETCH_WORD   64
#define FETCH_DEREFS 16 /* the kernel's limit is 16 steps of fetching */
#define FETCH_NESTED 8

/* An expression so far: "+offset(+offset(base))", the innermost first. */
struct fetch_value {
	char base[FETCH_WORD]; /* "$arg1" */
	int64_t offset_bits[FETCH_DEREFS];
	unsigned int nr_derefs; /* 0: it is in a register */
	struct zwb_type type;
	uint32_t bits; /* of a bit field; 0: not one */
	struct zwb_type cast; /* struct that it points to, whatever its type */
	bool is_cast;
	int64_t bias_bits; /* of that struct's begin from what it points to */
	bool has_name_form; /* the kernel would take it as it is written */
};

struct fetch_parser {
	const struct zwb_fetch_scope *scope;
	const char *at;
	char *why;
	unsigned int depth;
};

static bool fetch_fail(struct fetch_parser *p, const char *fmt, ...) ZWB_PRINTF(2, 3);

static bool fetch_fail(struct fetch_parser *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->why, ZWB_FETCH_WHY, fmt, ap);
	va_end(ap);
	return false;
}

static bool fetch_syntax(struct fetch_parser *p)
{
	return fetch_fail(p, "bad expression at \"%.40s\"", p->at);
}

static bool fetch_take(struct fetch_parser *p, const char *text)
{
	if (strncmp(p->at, text, strlen(text)) != 0)
		return false;
	p->at += strlen(text);
	return true;
}

static bool fetch_word(struct fetch_parser *p, char word[FETCH_WORD])
{
	size_t len = 0;

	while (isalnum((unsigned char)p->at[len]) || p->at[len] == '_')
		len++;
	if (len == 0 || len >= FETCH_WORD)
		return fetch_syntax(p);
	memcpy(word, p->at, len);
	word[len] = '\0';
	p->at += len;
	return true;
}

static bool fetch_struct(struct fetch_parser *p, struct zwb_type *out)
{
	char name[FETCH_WORD];

	if (!fetch_word(p, name))
		return false;
	if (!zwb_btf_struct(p->scope->proto, name, out))
		return fetch_fail(p, "there is no struct %s", name);
	return true;
}

static bool fetch_member_of(struct fetch_parser *p, struct zwb_type type, struct zwb_member *m)
{
	const char *type_name = zwb_btf_info(type).name;
	char name[FETCH_WORD];

	if (!fetch_word(p, name))
		return false;
	if (!zwb_btf_member(type, name, m))
		return fetch_fail(p, "struct %.30s has no member %.30s",
			type_name[0] ? type_name : "(anonymous)", name);
	return true;
}

/* ---- operands ---- */

static bool fetch_argument(struct fetch_parser *p, struct fetch_value *v)
{
	struct zwb_param param;
	char name[FETCH_WORD];

	if (!fetch_word(p, name))
		return false;
	if (!zwb_btf_param(p->scope->proto, name, &param))
		return fetch_fail(p, "it has no argument %.40s", name);
	if (param.number == 0)
		return fetch_fail(p, "argument %.30s follows a structure passed by value", name);
	if (p->scope->at_return && !p->scope->kernel->can.entry_args_at_return)
		return fetch_fail(p, "this kernel cannot read arguments when a function returns");
	v->type = param.type;
	snprintf(v->base, sizeof(v->base), "$arg%u", param.number);
	return true;
}

static bool fetch_dollar(struct fetch_parser *p, struct fetch_value *v)
{
	char name[FETCH_WORD];

	if (!fetch_word(p, name))
		return false;
	snprintf(v->base, sizeof(v->base), "$%.40s", name);
	if (strcmp(name, "retval") == 0) {
		v->type = zwb_btf_result(p->scope->proto);
		if (zwb_btf_info(v->type).kind == ZWB_TYPE_VOID)
			return fetch_fail(p, "it returns nothing");
		return true;
	}
	if (strcmp(name, "current") != 0)
		return fetch_syntax(p);
	if (!p->scope->kernel->can.current_task)
		return fetch_fail(p, "this kernel's probes cannot read the current task");
	v->type = (struct zwb_type){ p->scope->proto.btf, 0 };
	return true;
}

static bool fetch_expr(struct fetch_parser *p, struct fetch_value *v);

static bool fetch_operand(struct fetch_parser *p, struct fetch_value *v)
{
	if (fetch_take(p, "("))
		return fetch_expr(p, v) && (fetch_take(p, ")") || fetch_syntax(p));
	return fetch_take(p, "$") ? fetch_dollar(p, v) : fetch_argument(p, v);
}

/* "(STRUCT)" or "(STRUCT,MEMBER)" is ahead, and something behind it that can be cast. */
static bool fetch_is_cast(const char *at)
{
	if (*at++ != '(')
		return false;
	while (isalnum((unsigned char)*at) || *at == '_' || *at == ',')
		at++;
	return at[0] == ')' && (isalpha((unsigned char)at[1]) || strchr("_$(", at[1])) && at[1];
}

static bool fetch_cast(struct fetch_parser *p, struct fetch_value *v)
{
	struct zwb_member member = { 0 };
	struct zwb_type type;

	p->at++;
	if (!fetch_struct(p, &type))
		return false;
	if (fetch_take(p, ",") && !fetch_member_of(p, type, &member))
		return false;
	if (!fetch_take(p, ")"))
		return fetch_syntax(p);
	if (!fetch_operand(p, v))
		return false;
	v->is_cast = true;
	v->cast = type;
	v->bias_bits = -(int64_t)member.bit_offset;
	v->has_name_form &= p->scope->kernel->can.typecast;
	return true;
}

/* ---- steps ---- */

static bool fetch_arrow(struct fetch_parser *p, struct fetch_value *v)
{
	struct zwb_type_info pointer = zwb_btf_info(v->type);
	struct zwb_type pointee = v->is_cast ? v->cast : pointer.inner;
	struct zwb_member m;

	if (!v->is_cast && pointer.kind != ZWB_TYPE_POINTER)
		return fetch_fail(p, "what is before \"->%.30s\" is no pointer", p->at);
	if (!fetch_member_of(p, pointee, &m))
		return false;
	if (v->nr_derefs == FETCH_DEREFS)
		return fetch_fail(p, "too many steps");
	v->offset_bits[v->nr_derefs++] = (int64_t)m.bit_offset + v->bias_bits;
	v->bias_bits = 0;
	v->is_cast = false;
	v->type = m.type;
	v->bits = m.bits;
	return true;
}

static bool fetch_dot(struct fetch_parser *p, struct fetch_value *v)
{
	struct zwb_member m;

	if (v->is_cast || !fetch_member_of(p, v->type, &m))
		return v->is_cast ? fetch_syntax(p) : false;
	if (v->nr_derefs) {
		v->offset_bits[v->nr_derefs - 1] += m.bit_offset;
	} else {
		/* A structure in a register: only one that is nothing but this member. */
		if (m.bits || zwb_btf_info(m.type).bytes != zwb_btf_info(v->type).bytes)
			return fetch_fail(p, "a part of a structure passed by value");
		v->has_name_form = false;
	}
	v->type = m.type;
	v->bits = m.bits;
	return true;
}

static bool fetch_first(struct fetch_parser *p, struct fetch_value *v)
{
	struct zwb_type_info array = zwb_btf_info(v->type);

	if (array.kind != ZWB_TYPE_ARRAY || v->nr_derefs == 0)
		return fetch_fail(p, "what is before \"[0]\" is no array");
	v->type = array.inner;
	v->has_name_form = false;
	return true;
}

static bool fetch_expr(struct fetch_parser *p, struct fetch_value *v)
{
	bool is_good;

	if (p->depth++ == FETCH_NESTED)
		return fetch_fail(p, "nested too deep");
	is_good = fetch_is_cast(p->at) ? fetch_cast(p, v) : fetch_operand(p, v);
	while (is_good) {
		if (fetch_take(p, "->"))
			is_good = fetch_arrow(p, v);
		else if (fetch_take(p, "."))
			is_good = fetch_dot(p, v);
		else if (fetch_take(p, "[0]"))
			is_good = fetch_first(p, v);
		else
			break;
	}
	p->depth--;
	return is_good;
}

/* ---- result ---- */

/* The type behind the colon; every definition has it, so that all give the same record. */
static bool fetch_type(struct fetch_parser *p, struct fetch_value *v, char type[FETCH_WORD])
{
	struct zwb_type_info info = zwb_btf_info(v->type);
	char name[FETCH_WORD];
	int64_t bit;

	if (info.bytes != 1 && info.bytes != 2 && info.bytes != 4 && info.bytes != 8)
		return fetch_fail(p, "it is neither a number nor a pointer");
	if (fetch_take(p, ":")) {
		if (!fetch_word(p, name))
			return false;
		if (!zwb_btf_enumerator(p->scope->proto, name, &bit) || bit < 0 ||
			bit >= 8 * (int64_t)info.bytes)
			return fetch_fail(p, "there is no %.40s", name);
		snprintf(type, FETCH_WORD, "b1@%d/%u", (int)bit, 8 * info.bytes);
		return true;
	}
	if (v->bits) {
		int64_t *offset = &v->offset_bits[v->nr_derefs - 1];
		int64_t container = 8 * (int64_t)info.bytes;
		int64_t bit_in = (*offset % container + container) % container;

		snprintf(type, FETCH_WORD, "b%u@%d/%u", v->bits, (int)bit_in, 8 * info.bytes);
		*offset -= bit_in;
		v->has_name_form = false;
		return true;
	}
	if (info.kind == ZWB_TYPE_POINTER)
		snprintf(type, FETCH_WORD, "x64");
	else if (info.kind == ZWB_TYPE_NUMBER)
		snprintf(type, FETCH_WORD, "%c%u", info.is_signed ? 's' : 'u', 8 * info.bytes);
	else
		return fetch_fail(p, "it is neither a number nor a pointer");
	return true;
}

static void fetch_write(const struct fetch_value *v, const char *type, struct zwb_buf *out)
{
	for (unsigned int i = v->nr_derefs; i-- > 0;)
		zwb_buf_addf(out, "%+lld(", (long long)(v->offset_bits[i] / 8));
	zwb_buf_add(out, v->base, strlen(v->base));
	for (unsigned int i = 0; i < v->nr_derefs; i++)
		zwb_buf_add(out, ")", 1);
	zwb_buf_addf(out, ":%s", type);
	zwb_buf_add(out, "", 1);
}

/* "[STRUCT.MEMBER]" in front of a choice. */
static bool fetch_guard(struct fetch_parser *p)
{
	struct zwb_type type;
	struct zwb_member m;

	if (!fetch_take(p, "["))
		return true;
	if (!fetch_struct(p, &type))
		return false;
	if (!fetch_take(p, "."))
		return fetch_syntax(p);
	return fetch_member_of(p, type, &m) && (fetch_take(p, "]") || fetch_syntax(p));
}

static bool fetch_choice(struct fetch_parser *p, struct zwb_fetch *out)
{
	struct fetch_value v = { .has_name_form = p->scope->kernel->can.btf_args };
	char type[FETCH_WORD];
	const char *begin, *end;

	if (!fetch_guard(p))
		return false;
	begin = p->at;
	if (!fetch_expr(p, &v))
		return false;
	end = p->at;
	if (!fetch_type(p, &v, type))
		return false;
	if (*p->at != '\0' && *p->at != '|')
		return fetch_syntax(p);
	if (v.has_name_form) {
		zwb_buf_add(&out->by_name, begin, (size_t)(end - begin));
		zwb_buf_addf(&out->by_name, ":%s", type);
		zwb_buf_add(&out->by_name, "", 1);
	}
	fetch_write(&v, type, &out->by_offset);
	if (out->by_name.len && !out->by_offset.failed &&
		strcmp((char *)out->by_name.data, (char *)out->by_offset.data) == 0)
		zwb_buf_release(&out->by_name);
	return true;
}

int zwb_fetch_make(const struct zwb_fetch_scope *scope, const char *choices, struct zwb_fetch *out,
	struct zwb_err *err)
{
	struct fetch_parser p = { .scope = scope, .why = out->why };

	for (const char *next = choices; next;) {
		p.at = next;
		p.depth = 0;
		if (fetch_choice(&p, out)) {
			out->why[0] = '\0';
			return zwb_buf_check(&out->by_name, err) ||
					       zwb_buf_check(&out->by_offset, err)
				       ? ZWB_ENOMEM
				       : ZWB_OK;
		}
		next = strchr(next, '|');
		next = next ? next + 1 : NULL;
	}
	return zwb_err_set(err, ZWB_EKIND, 0, "%s", out->why);
}

void zwb_fetch_release(struct zwb_fetch *fetch)
{
	zwb_buf_release(&fetch->by_name);
	zwb_buf_release(&fetch->by_offset);
}
