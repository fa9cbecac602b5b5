/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of a kernel, from its BTF. */
#include "btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BTF_ANONYMOUS_DEPTH 16 /* structs in structs in structs; the kernel has less than ten */
#define BTF_TYPEDEF_DEPTH   64
#define BTF_REGISTER_BYTES  8u
#define BTF_MODULES_MAX	    8 /* the functions that are wanted lie in one or two */
#define BTF_NAME	    64
#define BTF_PATH	    4096

struct btf_module {
	char name[BTF_NAME];
	struct btf *btf; /* NULL: it has none that can be read */
};

struct zwb_btf {
	char dir[BTF_PATH];
	struct btf *kernel;
	struct btf_module modules[BTF_MODULES_MAX];
	size_t nr_modules;
};

/* ---- files ---- */

static struct btf *btf_open(const char *dir, const char *name, struct btf *base)
{
	char path[BTF_PATH + BTF_NAME];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return base ? btf__parse_split(path, base) : btf__parse(path, NULL);
}

int zwb_btf_load(const char *dir, struct zwb_btf **out, struct zwb_err *err)
{
	struct zwb_btf *btf;
	int sys_errno;

	if (strlen(dir) >= BTF_PATH)
		return zwb_err_set(err, ZWB_EENV, 0, "%.64s...: the name is too long", dir);
	btf = calloc(1, sizeof(*btf));
	if (!btf)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the kernel's types");
	memcpy(btf->dir, dir, strlen(dir) + 1);
	libbpf_set_print(NULL);
	errno = 0;
	btf->kernel = btf_open(dir, "vmlinux", NULL);
	if (btf->kernel && btf__endianness(btf->kernel) == BTF_LITTLE_ENDIAN &&
		btf__pointer_size(btf->kernel) != 4) {
		*out = btf;
		return ZWB_OK;
	}
	sys_errno = btf->kernel ? 0 : errno;
	zwb_btf_free(btf);
	return zwb_err_set(err, sys_errno == ENOMEM ? ZWB_ENOMEM : ZWB_EENV, sys_errno,
		"%s/vmlinux: no type information (BTF) that can be used", dir);
}

void zwb_btf_free(struct zwb_btf *btf)
{
	if (!btf)
		return;
	for (size_t i = 0; i < btf->nr_modules; i++)
		btf__free(btf->modules[i].btf);
	btf__free(btf->kernel);
	free(btf);
}

static const struct btf *btf_of_module(struct zwb_btf *btf, const char *name)
{
	struct btf_module *module = &btf->modules[btf->nr_modules];

	if (name[0] == '\0')
		return btf->kernel;
	for (size_t i = 0; i < btf->nr_modules; i++) {
		if (strcmp(btf->modules[i].name, name) == 0)
			return btf->modules[i].btf;
	}
	if (btf->nr_modules == BTF_MODULES_MAX || strlen(name) >= BTF_NAME)
		return NULL;
	memcpy(module->name, name, strlen(name) + 1);
	module->btf = btf_open(btf->dir, name, btf->kernel);
	btf->nr_modules++;
	return module->btf;
}

/* ---- types ---- */

/* Behind typedefs and qualifiers; NULL: void, or a reference to nowhere or round in circles. */
static const struct btf_type *btf_bare(const struct btf *btf, uint32_t id, uint32_t *bare_id)
{
	for (int depth = 0; id && depth < BTF_TYPEDEF_DEPTH; depth++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (!t)
			return NULL;
		if (!btf_is_mod(t) && !btf_is_typedef(t)) {
			*bare_id = id;
			return t;
		}
		id = t->type;
	}
	return NULL;
}

static const char *btf_text(const struct btf *btf, uint32_t offset)
{
	const char *text = btf__name_by_offset(btf, offset);

	return text ? text : "";
}

bool zwb_btf_function(
	struct zwb_btf *btf, const char *module, const char *name, struct zwb_type *proto)
{
	const struct btf *in = btf_of_module(btf, module);
	const struct btf_type *t;
	uint32_t id;
	int found;

	if (!in)
		return false;
	found = btf__find_by_name_kind(in, name, BTF_KIND_FUNC);
	if (found <= 0)
		return false;
	t = btf__type_by_id(in, (uint32_t)found);
	t = t ? btf_bare(in, t->type, &id) : NULL;
	if (!t || !btf_is_func_proto(t))
		return false;
	*proto = (struct zwb_type){ in, id };
	return true;
}

bool zwb_btf_param(struct zwb_type proto, const char *name, struct zwb_param *out)
{
	const struct btf_type *t = btf__type_by_id(proto.btf, proto.id);
	const struct btf_param *params = btf_params(t);
	bool is_numbered = true;

	for (unsigned int i = 0; i < btf_vlen(t); i++) {
		struct zwb_type type = { proto.btf, params[i].type };

		/* What does not fit a register takes two, or none: those behind it move. */
		if (zwb_btf_info(type).bytes > BTF_REGISTER_BYTES)
			is_numbered = false;
		if (strcmp(btf_text(proto.btf, params[i].name_off), name) == 0) {
			*out = (struct zwb_param){ type, is_numbered ? i + 1 : 0 };
			return true;
		}
	}
	return false;
}

struct zwb_type zwb_btf_result(struct zwb_type proto)
{
	return (struct zwb_type){ proto.btf, btf__type_by_id(proto.btf, proto.id)->type };
}

bool zwb_btf_struct(struct zwb_type scope, const char *name, struct zwb_type *out)
{
	int id = btf__find_by_name_kind(scope.btf, name, BTF_KIND_STRUCT);

	if (id <= 0)
		return false;
	*out = (struct zwb_type){ scope.btf, (uint32_t)id };
	return true;
}

static bool btf_find_member(
	const struct btf *btf, uint32_t id, const char *name, int depth, struct zwb_member *out)
{
	const struct btf_type *t = btf_bare(btf, id, &id);

	if (!t || !btf_is_composite(t) || depth > BTF_ANONYMOUS_DEPTH)
		return false;
	for (unsigned int i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *m_name = btf_text(btf, m->name_off);

		if (strcmp(m_name, name) == 0) {
			*out = (struct zwb_member){ { btf, m->type }, btf_member_bit_offset(t, i),
				btf_member_bitfield_size(t, i) };
			return true;
		}
		if (m_name[0] == '\0' && btf_find_member(btf, m->type, name, depth + 1, out)) {
			out->bit_offset += btf_member_bit_offset(t, i);
			return true;
		}
	}
	return false;
}

bool zwb_btf_member(struct zwb_type type, const char *name, struct zwb_member *out)
{
	return name[0] != '\0' && btf_find_member(type.btf, type.id, name, 0, out);
}

bool zwb_btf_enumerator(struct zwb_type scope, const char *name, int64_t *value)
{
	for (uint32_t id = 1; id < btf__type_cnt(scope.btf); id++) {
		const struct btf_type *t = btf__type_by_id(scope.btf, id);

		if (!t || !btf_is_enum(t))
			continue;
		for (unsigned int i = 0; i < btf_vlen(t); i++) {
			const struct btf_enum *e = &btf_enum(t)[i];

			if (strcmp(btf_text(scope.btf, e->name_off), name) == 0) {
				*value = e->val;
				return true;
			}
		}
	}
	return false;
}

struct zwb_type_info zwb_btf_info(struct zwb_type type)
{
	struct zwb_type_info info = { .kind = ZWB_TYPE_VOID, .name = "" };
	const struct btf_type *t = btf_bare(type.btf, type.id, &type.id);
	long long bytes;

	if (!t)
		return info;
	bytes = btf__resolve_size(type.btf, type.id);
	info.bytes = bytes > 0 && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
	info.kind = ZWB_TYPE_OTHER;
	if (btf_is_int(t)) {
		info.kind = ZWB_TYPE_NUMBER;
		info.is_signed = (btf_int_encoding(t) & BTF_INT_SIGNED) != 0;
	} else if (btf_is_any_enum(t)) {
		/* As the kernel takes them. */
		info.kind = ZWB_TYPE_NUMBER;
		info.is_signed = true;
	} else if (btf_is_ptr(t)) {
		info.kind = ZWB_TYPE_POINTER;
		info.bytes = BTF_REGISTER_BYTES;
		info.inner = (struct zwb_type){ type.btf, t->type };
	} else if (btf_is_array(t)) {
		info.kind = ZWB_TYPE_ARRAY;
		info.inner = (struct zwb_type){ type.btf, btf_array(t)->type };
	} else if (btf_is_composite(t)) {
		info.kind = ZWB_TYPE_STRUCT;
		info.name = btf_text(type.btf, t->name_off);
	}
	return info;
}
