/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that reveal nothing. */
#include "anon.h"
#include "zwb_test.h"

#include <stdint.h>
#include <string.h>

/* Key 00 01 ... 0f as the reference implementation of SipHash reads it. */
static const struct zwb_anon reference = { { UINT64_C(0x0706050403020100),
	UINT64_C(0x0f0e0d0c0b0a0908) } };

/*
 * The message is 00 01 02 ...; 15 bytes is the worked example in appendix A of the SipHash paper,
 * the others are of vectors.h in the authors' reference implementation.
 */
static void anon__hash_is_siphash_2_4(void **state)
{
	static const struct {
		size_t len;
		uint64_t hash;
	} vectors[] = {
		{ 0, UINT64_C(0x726fdb47dd0e0e31) },
		{ 1, UINT64_C(0x74f839c593dc67fd) },
		{ 2, UINT64_C(0x0d6c8009d9a94f5a) },
		{ 8, UINT64_C(0x93f5f5799a932462) },
		{ 15, UINT64_C(0xa129ca6149be45e5) },
	};
	unsigned char message[16];

	(void)state;
	for (size_t i = 0; i < sizeof(message); i++)
		message[i] = (unsigned char)i;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(vectors); i++)
		assert_int_equal(
			zwb_anon_hash(&reference, message, vectors[i].len), vectors[i].hash);
}

static void anon__a_random_key_differs_each_time_and_a_phrase_does_not(void **state)
{
	struct zwb_anon a, b, c;

	(void)state;
	assert_int_equal(zwb_anon_init(&a, NULL, NULL), ZWB_OK);
	assert_int_equal(zwb_anon_init(&b, NULL, NULL), ZWB_OK);
	assert_memory_not_equal(&a, &b, sizeof(a));
	assert_int_equal(zwb_anon_init(&a, "correct horse", NULL), ZWB_OK);
	assert_int_equal(zwb_anon_init(&b, "correct horse", NULL), ZWB_OK);
	assert_int_equal(zwb_anon_init(&c, "correct horsf", NULL), ZWB_OK);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_memory_not_equal(&a, &c, sizeof(a));
	assert_true(a.key[0] != a.key[1]);
	assert_int_equal(zwb_anon_init(&a, "", NULL), ZWB_EUSAGE);
}

static void anon__a_comm_is_hidden_whole_and_alike(void **state)
{
	char a[16] = "postgres", b[16] = "postgres", full[16];

	(void)state;
	for (size_t i = 0; i < sizeof(full); i++)
		full[i] = (char)('a' + i); /* as the kernel may leave it: not terminated */
	zwb_anon_comm(&reference, a);
	zwb_anon_comm(&reference, b);
	zwb_anon_comm(&reference, full);
	assert_string_equal(a, b);
	assert_int_equal(strlen(a), 13);
	assert_int_equal(a[0], 'x');
	assert_int_equal(strspn(a + 1, "0123456789abcdef"), 12);
	assert_int_equal(strnlen(full, 16), 13);
	assert_string_not_equal(a, full);
}

static void anon__kernel_threads_keep_their_names(void **state)
{
	static const char *const kept[] = { "kworker/0:1H", "kworker/u8:3", "kswapd0", "swapper/1",
		"<idle>", "ksoftirqd/11" };
	static const char *const hidden[] = { "kworker/0:1-acme", "kswapd-acme", "kswapd",
		"swapper/", "kthreadd2" };
	char comm[16];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(kept); i++) {
		memset(comm, 0, sizeof(comm));
		memcpy(comm, kept[i], strnlen(kept[i], 15));
		zwb_anon_comm(&reference, comm);
		assert_string_equal(comm, kept[i]);
	}
	for (size_t i = 0; i < ZWB_ARRAY_LEN(hidden); i++) {
		memset(comm, 0, sizeof(comm));
		memcpy(comm, hidden[i], strnlen(hidden[i], 15));
		zwb_anon_comm(&reference, comm);
		assert_int_equal(comm[0], 'x');
	}
}

static void path_is(const char *path, const char *shape)
{
	struct zwb_buf out = { 0 };

	zwb_anon_path(&reference, path, &out);
	zwb_buf_add(&out, "", 1);
	assert_int_equal(out.len, strlen(shape) + 1);
	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == '/' || shape[i] == 'x')
			assert_int_equal(out.data[i], shape[i]);
	}
	zwb_buf_release(&out);
}

static void anon__a_path_keeps_its_folders_and_loses_their_names(void **state)
{
	struct zwb_buf a = { 0 }, b = { 0 };

	(void)state;
	path_is("", "");
	path_is("/", "/");
	path_is("/system.slice", "/x............");
	path_is("//a/", "//x............/");
	zwb_anon_path(&reference, "/tenant/web", &a);
	zwb_anon_path(&reference, "/tenant/db", &b);
	assert_memory_equal(a.data, b.data, strlen("/x............/"));
	assert_int_equal(a.len, b.len);
	assert_memory_not_equal(a.data, b.data, a.len);
	zwb_buf_release(&a);
	zwb_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anon__hash_is_siphash_2_4),
		cmocka_unit_test(anon__a_random_key_differs_each_time_and_a_phrase_does_not),
		cmocka_unit_test(anon__a_comm_is_hidden_whole_and_alike),
		cmocka_unit_test(anon__kernel_threads_keep_their_names),
		cmocka_unit_test(anon__a_path_keeps_its_folders_and_loses_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
