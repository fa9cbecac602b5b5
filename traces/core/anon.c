/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that reveal nothing: see anon.h. */
#include "anon.h"

#include "parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define COMM_BYTES 16
#define NAME_BITS  48 /* of the hash that are shown: 12 digits fit a comm */

/* -- SipHash-2-4 -- */

struct sip {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotl(uint64_t x, unsigned int bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotl(s->v1, 13) ^ s->v0;
	s->v0 = rotl(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotl(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotl(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotl(s->v1, 17) ^ s->v2;
	s->v2 = rotl(s->v2, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	sip_round(s);
	s->v0 ^= word;
}

/* Little-endian on every machine, as published. */
static uint64_t load_le(const unsigned char *p, size_t len)
{
	uint64_t word = 0;

	for (size_t i = 0; i < len; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

uint64_t zwb_anon_hash(const struct zwb_anon *anon, const void *data, size_t len)
{
	const unsigned char *p = data;
	const uint64_t k0 = anon->key[0], k1 = anon->key[1];
	struct sip s = { k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
		k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573) };
	size_t left = len;

	for (; left >= 8; left -= 8, p += 8)
		sip_word(&s, load_le(p, 8));
	sip_word(&s, load_le(p, left) | (uint64_t)len << 56);
	s.v2 ^= 0xff;
	for (int i = 0; i < 4; i++)
		sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* -- names -- */

int zwb_anon_init(struct zwb_anon *anon, const char *secret, struct zwb_err *err)
{
	/* Two fixed keys spread a phrase over 128 bits. */
	static const struct zwb_anon spread[2] = { { { 1, 0 } }, { { 2, 0 } } };

	if (secret && !secret[0])
		return zwb_err_set(err, ZWB_EUSAGE, 0, "an empty phrase keeps no secret");
	if (secret) {
		for (int i = 0; i < 2; i++)
			anon->key[i] = zwb_anon_hash(&spread[i], secret, strlen(secret));
		return ZWB_OK;
	}
	if (getrandom(anon->key, sizeof(anon->key), 0) != (ssize_t)sizeof(anon->key))
		return zwb_err_set(err, ZWB_EENV, errno, "no random numbers for a key");
	return ZWB_OK;
}

int zwb_anon_open(struct zwb_anon *anon, const char *path, struct zwb_err *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *f;
	int ret;

	if (!path)
		return zwb_anon_init(anon, NULL, err);
	ret = zwb_open_text(path, &f, err);
	if (ret)
		return ret;
	errno = 0;
	len = getline(&line, &room, f);
	if (len < 0 && !feof(f))
		ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot read", path);
	fclose(f);
	if (len > 0)
		line[strcspn(line, "\n")] = '\0';
	if (!ret) {
		ret = zwb_anon_init(anon, len > 0 ? line : "", err);
		if (ret)
			zwb_err_prefix(err, "%s", path);
	}
	free(line);
	return ret;
}

static void add_name(const struct zwb_anon *anon, const char *name, size_t len, struct zwb_buf *out)
{
	zwb_buf_addf(out, "x%012" PRIx64, zwb_anon_hash(anon, name, len) >> (64 - NAME_BITS));
}

/* Whether @name is @prefix and then digits, ':', '/', 'u', 'H' only: an index, not a name. */
static bool is_indexed(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) == 0 && name[len] &&
	       strspn(name + len, "0123456789:/uH") == strlen(name + len);
}

static bool is_kernel_thread(const char *name)
{
	static const char *const indexed[] = { "swapper/", "kworker/", "kswapd", "ksoftirqd/",
		"migration/", "kcompactd", "cpuhp/", "rcuop/", "rcuog/" };
	static const char *const plain[] = { "<idle>", "<...>", "khugepaged", "ksmd", "kthreadd",
		"oom_reaper", "rcu_preempt", "rcu_sched" };

	for (size_t i = 0; i < sizeof(indexed) / sizeof(indexed[0]); i++) {
		if (is_indexed(name, indexed[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (strcmp(name, plain[i]) == 0)
			return true;
	}
	return false;
}

void zwb_anon_comm(const struct zwb_anon *anon, char comm[16])
{
	char name[COMM_BYTES + 1];
	size_t len = strnlen(comm, COMM_BYTES);

	memcpy(name, comm, len);
	memset(name + len, 0, sizeof(name) - len);
	if (len == 0 || is_kernel_thread(name))
		return;
	memset(comm, 0, COMM_BYTES);
	snprintf(comm, COMM_BYTES, "x%012" PRIx64,
		zwb_anon_hash(anon, name, len) >> (64 - NAME_BITS));
}

void zwb_anon_path(const struct zwb_anon *anon, const char *path, struct zwb_buf *out)
{
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len)
			add_name(anon, path, len, out);
		path += len;
		if (*path == '/') {
			zwb_buf_add(out, "/", 1);
			path++;
		}
	}
}

void zwb_anon_swap(const struct zwb_anon *anon, const char *path, struct zwb_buf *out)
{
	static const char dev[] = "/dev/";

	if (strncmp(path, dev, strlen(dev)) == 0 && !strchr(path + strlen(dev), '/'))
		zwb_buf_add(out, path, strlen(path));
	else
		zwb_anon_path(anon, path, out);
}
