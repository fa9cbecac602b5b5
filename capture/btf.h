/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of a kernel: which arguments a function has, where a member lies. */
#ifndef ZWB_BTF_H
#define ZWB_BTF_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A thin layer over libbpf's reader: the kernel's BTF and, opened when first asked for, that of its
 * modules. Typedefs and qualifiers are looked through everywhere. BTF of another endianness or
 * pointer size is refused.
 */

struct btf;
struct zwb_btf;

/* A type; what it refers to is in the same BTF. */
struct zwb_type {
	const struct btf *btf;
	uint32_t id; /* 0: void */
};

enum zwb_type_kind {
	ZWB_TYPE_VOID,
	ZWB_TYPE_NUMBER, /* integer, bool, char, enum */
	ZWB_TYPE_POINTER,
	ZWB_TYPE_ARRAY,
	ZWB_TYPE_STRUCT, /* or union */
	ZWB_TYPE_OTHER,
};

struct zwb_type_info {
	enum zwb_type_kind kind;
	const char *name; /* of a struct or union; "" has none; borrowed */
	uint32_t bytes;
	bool is_signed;
	struct zwb_type inner; /* what a pointer points to, what an array is of */
};

struct zwb_member {
	struct zwb_type type;
	uint32_t bit_offset; /* from the begin of the struct that was asked */
	uint32_t bits; /* of a bit field; 0: not one */
};

struct zwb_param {
	struct zwb_type type;
	unsigned int number; /* N of $argN, from 1; 0: cannot be named so */
};

/**
 * zwb_btf_load() - open DIR/vmlinux; modules are DIR/MODULE.
 * Return: ZWB_OK; ZWB_EENV when it is missing or cannot be used; ZWB_ENOMEM. Silences the messages
 * that libbpf would print, in the whole process.
 */
int zwb_btf_load(const char *dir, struct zwb_btf **out, struct zwb_err *err);

/** zwb_btf_free() - NULL allowed. */
void zwb_btf_free(struct zwb_btf *btf);

/**
 * zwb_btf_function() - the prototype of a function.
 * @module: "" when it is built in.
 * Return: true and *@proto, to be asked with zwb_btf_param() and zwb_btf_result().
 */
bool zwb_btf_function(
	struct zwb_btf *btf, const char *module, const char *name, struct zwb_type *proto);

/** zwb_btf_param() - the parameter of @proto called @name; false: there is none. */
bool zwb_btf_param(struct zwb_type proto, const char *name, struct zwb_param *out);

/** zwb_btf_result() - what functions of type @proto return. */
struct zwb_type zwb_btf_result(struct zwb_type proto);

/** zwb_btf_struct() - the struct called @name, as @scope's BTF has it; false: there is none. */
bool zwb_btf_struct(struct zwb_type scope, const char *name, struct zwb_type *out);

/** zwb_btf_member() - a member, also of anonymous structs and unions inside; false: none. */
bool zwb_btf_member(struct zwb_type type, const char *name, struct zwb_member *out);

/** zwb_btf_enumerator() - value of an enum constant in @scope's BTF; false: there is none. */
bool zwb_btf_enumerator(struct zwb_type scope, const char *name, int64_t *value);

/** zwb_btf_info() - what a type is. */
struct zwb_type_info zwb_btf_info(struct zwb_type type);

#endif
