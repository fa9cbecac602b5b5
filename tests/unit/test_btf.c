/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "btf.h"

#include "zwb_test.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNELS ZWB_SOURCE_DIR "/tests/unit/kernels/"
#define PATH	512

static struct zwb_btf *load(const char *name)
{
	char dir[PATH];
	struct zwb_btf *btf = NULL;
	struct zwb_err err = { 0 };

	snprintf(dir, sizeof(dir), KERNELS "%s/btf", name);
	if (zwb_btf_load(dir, &btf, &err))
		fail_msg("%s", err.text);
	return btf;
}

/* Offsets in bytes as capture on these kernels was tried with. */
struct offset_case {
	const char *kernel, *of, *member;
	uint32_t offset_bytes;
};

static void btf__finds_members_where_kernels_have_them(void **state)
{
	static const struct offset_case cases[] = {
		{ "6.1.176", "cgroup", "kn", 248 },
		{ "6.12.117", "cgroup", "kn", 256 },
		{ "6.18.15", "cgroup", "kn", 256 },
		{ "7.2.12", "cgroup", "kn", 296 },
		{ "7.3.4", "cgroup", "kn", 296 },
		{ "6.1.176", "kernfs_node", "id", 104 },
		{ "6.12.117", "kernfs_node", "id", 96 },
		{ "7.3.4", "kernfs_node", "id", 96 },
		{ "6.1.176", "bio", "bi_iter", 32 }, /* which begins with bi_sector */
		{ "6.18.15", "bio", "bi_iter", 32 },
		{ "7.2.12", "bio", "bi_iter", 40 },
		{ "7.3.4", "bio", "bi_iter", 40 },
		{ "6.18.15", "bio", "bi_blkg", 72 },
		{ "7.3.4", "bio", "bi_blkg", 80 },
		{ "6.1.176", "zswap_entry", "offset", 24 },
		{ "6.1.176", "zswap_entry", "length", 36 },
		{ "6.1.176", "zswap_header", "swpentry", 0 },
		{ "6.12.117", "zswap_entry", "length", 8 },
		{ "6.12.117", "zswap_entry", "referenced", 12 },
		{ "7.3.4", "zswap_entry", "objcg", 32 },
		{ "7.3.4", "zswap_entry", "lru", 40 },
		/* of nameless structures inside of nameless unions */
		{ "6.12.117", "folio", "swap", 40 },
		{ "7.3.4", "folio", "memcg_data", 56 },
		{ "6.1.176", "page", "private", 40 },
		{ "7.3.4", "swap_iocb", "bio", 0 },
		{ "7.3.4", "swap_iocb", "nr_bvecs", 648 },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(cases); i++) {
		const struct offset_case *c = &cases[i];
		struct zwb_btf *btf = load(c->kernel);
		struct zwb_type proto, type;
		struct zwb_member m;

		assert_true(zwb_btf_function(btf, "", "blk_start_plug", &proto));
		assert_true(zwb_btf_struct(proto, c->of, &type));
		if (!zwb_btf_member(type, c->member, &m))
			fail_msg("%s: no %s.%s", c->kernel, c->of, c->member);
		if (m.bit_offset != 8 * c->offset_bytes || m.bits != 0)
			fail_msg("%s: %s.%s at bit %u", c->kernel, c->of, c->member, m.bit_offset);
		zwb_btf_free(btf);
	}
}

static void btf__knows_what_is_not_there(void **state)
{
	struct zwb_btf *btf = load("7.3.4");
	struct zwb_type proto, type;
	struct zwb_param param;
	struct zwb_member m;
	int64_t value;

	(void)state;
	assert_false(zwb_btf_function(btf, "", "zswap_frontswap_store", &proto));
	assert_false(zwb_btf_function(btf, "", "folio", &proto));
	assert_false(zwb_btf_function(btf, "zsmalloc", "zs_malloc", &proto));
	assert_true(zwb_btf_function(btf, "", "zswap_store", &proto));
	assert_false(zwb_btf_param(proto, "page", &param));
	assert_false(zwb_btf_struct(proto, "zswap_header", &type));
	assert_true(zwb_btf_struct(proto, "zswap_entry", &type));
	assert_false(zwb_btf_member(type, "offset", &m));
	assert_false(zwb_btf_member(type, "", &m));
	assert_false(zwb_btf_enumerator(proto, "PG_none", &value));
	zwb_btf_free(btf);
}

static void btf__tells_prototypes(void **state)
{
	struct zwb_btf *btf = load("7.3.4");
	struct zwb_type proto;
	struct zwb_param param;
	int64_t value;

	(void)state;
	assert_true(zwb_btf_function(btf, "", "__swap_writepage", &proto));
	assert_true(zwb_btf_param(proto, "folio", &param));
	assert_int_equal(param.number, 2);
	assert_int_equal(zwb_btf_info(param.type).kind, ZWB_TYPE_POINTER);
	assert_string_equal(zwb_btf_info(zwb_btf_info(param.type).inner).name, "folio");
	assert_int_equal(zwb_btf_info(zwb_btf_result(proto)).kind, ZWB_TYPE_VOID);
	assert_true(zwb_btf_function(btf, "", "zswap_store", &proto));
	assert_int_equal(zwb_btf_info(zwb_btf_result(proto)).bytes, 1);
	assert_true(zwb_btf_enumerator(proto, "PG_head", &value));
	assert_int_equal(value, 6);
	zwb_btf_free(btf);
}

static void btf__reads_modules_beside_the_kernel(void **state)
{
	struct zwb_btf *btf = load("6.18.15");
	struct zwb_type proto;
	struct zwb_param param;

	(void)state;
	assert_false(zwb_btf_function(btf, "", "zs_malloc", &proto));
	assert_false(zwb_btf_function(btf, "no_such_module", "zs_malloc", &proto));
	assert_true(zwb_btf_function(btf, "zsmalloc", "zs_malloc", &proto));
	assert_true(zwb_btf_param(proto, "size", &param));
	assert_int_equal(param.number, 2);
	assert_int_equal(zwb_btf_info(param.type).bytes, 8);
	zwb_btf_free(btf);
}

/* A folder with @size bytes of @data for the kernel's types. */
static int load_bytes(const void *data, size_t size, struct zwb_btf **btf, struct zwb_err *err)
{
	char dir[] = "/tmp/zwb-btf-XXXXXX";
	char path[PATH];
	FILE *f;
	int ret;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/vmlinux", dir);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	ret = zwb_btf_load(dir, btf, err);
	unlink(path);
	rmdir(dir);
	return ret;
}

static void btf__refuses_what_is_no_type_information(void **state)
{
	static const char text[4096] = "not BTF";
	struct zwb_err err = { 0 };
	struct zwb_btf *btf = NULL;

	(void)state;
	assert_int_equal(zwb_btf_load("/no/such/folder", &btf, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, "/no/such/folder/vmlinux"));
	assert_int_equal(load_bytes(text, sizeof(text), &btf, &err), ZWB_EENV);
	assert_int_equal(load_bytes(text, 0, &btf, &err), ZWB_EENV);
	assert_null(btf);
}

/* Any prefix of a good file, and any byte of it changed: an answer, and no crash. */
static void btf__survives_damage(void **state)
{
	static const char *const members[] = { "swap", "flags", "private" };
	unsigned char data[8192];
	FILE *f = fopen(KERNELS "7.3.4/btf/vmlinux", "rb");
	size_t size;

	(void)state;
	assert_non_null(f);
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	assert_in_range(size, 1000, sizeof(data) - 1);
	for (size_t i = 0; i < size; i += 7) {
		struct zwb_btf *btf = NULL;
		struct zwb_type proto, type;
		struct zwb_member m;
		struct zwb_param param;

		data[i] ^= 0x3c;
		if (load_bytes(data, i % 2 ? size : size - i % 500, &btf, NULL) == ZWB_OK &&
			zwb_btf_function(btf, "", "__swap_writepage", &proto)) {
			zwb_btf_param(proto, "folio", &param);
			zwb_btf_info(zwb_btf_result(proto));
			for (size_t k = 0; k < ZWB_ARRAY_LEN(members); k++) {
				if (zwb_btf_struct(proto, "folio", &type) &&
					zwb_btf_member(type, members[k], &m))
					zwb_btf_info(m.type);
			}
		}
		zwb_btf_free(btf);
		data[i] ^= 0x3c;
	}
}

/* typedef a -> b -> a; a struct that holds itself, nameless. */
static void btf__ends_on_types_that_go_round(void **state)
{
	struct btf *made = btf__new_empty();
	struct zwb_btf *btf = NULL;
	struct zwb_type proto, type;
	struct zwb_member m;
	const void *data;
	uint32_t size;

	(void)state;
	assert_non_null(made);
	assert_int_equal(btf__add_typedef(made, "a", 2), 1);
	assert_int_equal(btf__add_typedef(made, "b", 1), 2);
	assert_int_equal(btf__add_struct(made, "s", 8), 3);
	assert_int_equal(btf__add_field(made, "", 3, 0, 0), 0);
	assert_int_equal(btf__add_field(made, "x", 1, 0, 0), 0);
	assert_int_equal(btf__add_func_proto(made, 1), 4);
	assert_int_equal(btf__add_func(made, "f", BTF_FUNC_STATIC, 4), 5);
	data = btf__raw_data(made, &size);
	assert_non_null(data);
	assert_int_equal(load_bytes(data, size, &btf, NULL), ZWB_OK);
	btf__free(made);
	assert_true(zwb_btf_function(btf, "", "f", &proto));
	assert_int_equal(zwb_btf_info(zwb_btf_result(proto)).kind, ZWB_TYPE_VOID);
	assert_true(zwb_btf_struct(proto, "s", &type));
	assert_false(zwb_btf_member(type, "y", &m));
	assert_true(zwb_btf_member(type, "x", &m));
	zwb_btf_free(btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(btf__finds_members_where_kernels_have_them),
		cmocka_unit_test(btf__knows_what_is_not_there),
		cmocka_unit_test(btf__tells_prototypes),
		cmocka_unit_test(btf__reads_modules_beside_the_kernel),
		cmocka_unit_test(btf__refuses_what_is_no_type_information),
		cmocka_unit_test(btf__survives_damage),
		cmocka_unit_test(btf__ends_on_types_that_go_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
