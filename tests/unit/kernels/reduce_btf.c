/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the type fixtures of the tests: of a kernel's BTF, a few functions and the members of a few
 * structures, every offset and size as it was. Not needed to run the tests. See make.sh.
 *
 *	reduce_btf KEEP BTF OUT
 *	reduce_btf KEEP MODULE_BTF OUT BTF REDUCED_BTF
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 1024
#define BUSY	   (-1) /* a type that is being copied: it refers to itself */

struct reducer {
	const struct btf *from;
	struct btf *to;
	int *copies; /* [id in from] id in to; 0 none yet */
	char **keep; /* lines "struct NAME MEMBER...", cut at blanks by words() */
	size_t nr_keep;
};

static int copy(struct reducer *r, __u32 id);

static __attribute__((noreturn)) void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

static const char *name_of(const struct reducer *r, __u32 offset)
{
	return btf__name_by_offset(r->from, offset);
}

/* The line that is about @name, behind it; NULL: nothing of it is kept. */
static const char *kept(const struct reducer *r, const char *kind, const char *name)
{
	for (size_t i = 0; i < r->nr_keep; i++) {
		const char *line = r->keep[i];
		size_t k = strlen(kind), n = strlen(name);

		if (n && strncmp(line, kind, k) == 0 && strncmp(line + k + 1, name, n) == 0 &&
			(line[k + 1 + n] == ' ' || line[k + 1 + n] == '\0'))
			return line + k + 1 + n;
	}
	return NULL;
}

static int is_word_of(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; n && at && (at = strstr(at, word)); at++) {
		if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\0'))
			return 1;
	}
	return 0;
}

static const struct btf_type *bare(const struct reducer *r, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(r->from, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t)))
		t = btf__type_by_id(r->from, t->type);
	return t;
}

/* Is the member, or something inside of it when it has no name, one of @members? */
static int is_wanted(const struct reducer *r, const struct btf_member *m, const char *members)
{
	const struct btf_type *t;

	if (name_of(r, m->name_off)[0] != '\0')
		return is_word_of(members, name_of(r, m->name_off));
	t = bare(r, m->type);
	for (int i = 0; t && btf_is_composite(t) && i < btf_vlen(t); i++) {
		if (is_wanted(r, &btf_members(t)[i], members))
			return 1;
	}
	return 0;
}

/* @members NULL: none, the structure is an opaque one. */
static int copy_struct(struct reducer *r, const struct btf_type *t, const char *members)
{
	const char *name = name_of(r, t->name_off);
	int nr = members ? btf_vlen(t) : 0;
	int *types = calloc((size_t)nr + 1, sizeof(*types));
	int id;

	if (!types)
		die("no memory");
	for (int i = 0; i < nr; i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const struct btf_type *inner = bare(r, m->type);

		if (!is_wanted(r, m, members))
			continue;
		/* What is wanted of a nameless one depends on where it is: it is never shared. */
		types[i] = name_of(r, m->name_off)[0] == '\0' ? copy_struct(r, inner, members)
							      : copy(r, m->type);
	}
	id = btf_is_struct(t) ? btf__add_struct(r->to, name, t->size)
			      : btf__add_union(r->to, name, t->size);
	for (int i = 0; i < nr; i++) {
		if (types[i] && btf__add_field(r->to, name_of(r, btf_members(t)[i].name_off),
					types[i], btf_member_bit_offset(t, (__u32)i),
					btf_member_bitfield_size(t, (__u32)i)))
			die("%s: cannot add a member", name);
	}
	free(types);
	return id;
}

static int copy_enum(struct reducer *r, const struct btf_type *t)
{
	const char *name = name_of(r, t->name_off);
	const char *members = kept(r, "enum", name);
	int id = btf__add_enum(r->to, name, t->size);

	for (int i = 0; members && i < btf_vlen(t); i++) {
		const struct btf_enum *e = &btf_enum(t)[i];

		if (is_word_of(members, name_of(r, e->name_off)))
			btf__add_enum_value(r->to, name_of(r, e->name_off), e->val);
	}
	return id;
}

static int copy_proto(struct reducer *r, const struct btf_type *t)
{
	int nr = btf_vlen(t);
	int *types = calloc((size_t)nr + 1, sizeof(*types));
	int id, result = copy(r, t->type);

	if (!types)
		die("no memory");
	for (int i = 0; i < nr; i++)
		types[i] = copy(r, btf_params(t)[i].type);
	id = btf__add_func_proto(r->to, result);
	for (int i = 0; i < nr; i++)
		btf__add_func_param(r->to, name_of(r, btf_params(t)[i].name_off), types[i]);
	free(types);
	return id;
}

/* What is behind a pointer to something that is not kept, or is being copied, is opaque. */
static int copy_pointer(struct reducer *r, const struct btf_type *t)
{
	const struct btf_type *inner = bare(r, t->type);
	const char *name = inner ? name_of(r, inner->name_off) : "";

	if (!inner || btf_is_func_proto(inner))
		return btf__add_ptr(r->to, 0);
	if (btf_is_composite(inner) && !kept(r, "struct", name))
		return btf__add_ptr(r->to, btf__add_fwd(r->to, name, BTF_FWD_STRUCT));
	return btf__add_ptr(r->to, copy(r, t->type));
}

static int copy_new(struct reducer *r, const struct btf_type *t)
{
	const char *name = name_of(r, t->name_off);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return btf__add_int(r->to, name, t->size, btf_int_encoding(t));
	case BTF_KIND_PTR:
		return copy_pointer(r, t);
	case BTF_KIND_ARRAY:
		return btf__add_array(r->to, copy(r, btf_array(t)->index_type),
			copy(r, btf_array(t)->type), btf_array(t)->nelems);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		/* A nameless one is the body of a typedef: swp_entry_t, pte_t. */
		return copy_struct(r, t, name[0] ? kept(r, "struct", name) : " val f counter");
	case BTF_KIND_ENUM:
		return copy_enum(r, t);
	case BTF_KIND_FWD:
		return btf__add_fwd(r->to, name, BTF_FWD_STRUCT);
	case BTF_KIND_TYPEDEF:
		return btf__add_typedef(r->to, name, copy(r, t->type));
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return copy(r, t->type);
	case BTF_KIND_FUNC:
		return btf__add_func(r->to, name, BTF_FUNC_STATIC, copy(r, t->type));
	case BTF_KIND_FUNC_PROTO:
		return copy_proto(r, t);
	default:
		die("%s: a kind of type (%d) that is not copied", name, btf_kind(t));
		return 0;
	}
}

static int copy(struct reducer *r, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(r->from, id);

	if (id == 0 || !t)
		return 0;
	if (r->copies[id] == BUSY)
		die("%s refers to itself: keep less of it", name_of(r, t->name_off));
	if (r->copies[id] == 0) {
		r->copies[id] = BUSY;
		r->copies[id] = copy_new(r, t);
	}
	if (r->copies[id] < 0)
		die("%s: %s", name_of(r, t->name_off), strerror(-r->copies[id]));
	return r->copies[id];
}

static void read_keep(struct reducer *r, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[LINE_BYTES];

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || line[0] == '\0')
			continue;
		r->keep = realloc(r->keep, (r->nr_keep + 1) * sizeof(*r->keep));
		if (!r->keep || !(r->keep[r->nr_keep++] = strdup(line)))
			die("no memory");
	}
	fclose(f);
}

static void write_out(const struct reducer *r, const char *path)
{
	FILE *f = fopen(path, "wb");
	__u32 size;
	const void *data = btf__raw_data(r->to, &size);

	if (!f || !data || fwrite(data, 1, size, f) != size || fclose(f) != 0)
		die("%s: cannot write", path);
}

/* Return: the first type of what is to be reduced. */
static __u32 open_types(struct reducer *r, int argc, char **argv)
{
	struct btf *base = NULL, *reduced = NULL;

	if (argc == 6) {
		base = btf__parse(argv[4], NULL);
		reduced = btf__parse(argv[5], NULL);
		if (!base || !reduced)
			die("%s, %s: %s", argv[4], argv[5], strerror(errno));
	}
	r->from = base ? btf__parse_split(argv[2], base) : btf__parse(argv[2], NULL);
	r->to = reduced ? btf__new_empty_split(reduced) : btf__new_empty();
	if (!r->from || !r->to)
		die("%s: %s", argv[2], strerror(errno));
	return base ? btf__type_cnt(base) : 1;
}

int main(int argc, char **argv)
{
	struct reducer r = { 0 };
	__u32 first, nr;

	if (argc != 4 && argc != 6)
		die("usage: reduce_btf KEEP BTF OUT, or KEEP MODULE_BTF OUT BTF REDUCED_BTF");
	read_keep(&r, argv[1]);
	first = open_types(&r, argc, argv);
	nr = btf__type_cnt(r.from);
	r.copies = calloc(nr, sizeof(*r.copies));
	if (!r.copies)
		die("no memory");
	for (__u32 id = first; id < nr; id++) {
		const struct btf_type *t = btf__type_by_id(r.from, id);
		const char *name = name_of(&r, t->name_off);

		if ((btf_is_func(t) && kept(&r, "func", name)) ||
			(btf_is_struct(t) && kept(&r, "struct", name)) ||
			(btf_is_enum(t) && kept(&r, "enum", name)))
			copy(&r, id);
	}
	write_out(&r, argv[3]);
	for (size_t i = 0; i < r.nr_keep; i++)
		free(r.keep[i]);
	free(r.keep);
	free(r.copies);
	return EXIT_SUCCESS; /* which frees the types */
}
