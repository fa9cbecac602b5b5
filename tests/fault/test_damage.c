/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damaged recordings: cut at every 1 % of their length, and with one bit flipped. The copies are
 * read by a process of their own, in bounded memory and time. Usage: test_damage [FLIPS]
 */
#include "zwb_test.h"

#include "small_trace.h"
#include "tracedat.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SANITIZER_FACTOR 16 /* shadow memory, and freed blocks that are kept for a while */
#else
#define SANITIZER_FACTOR 1
#endif

#define NR_EVENTS	 3000
#define SECONDS		 20
#define MEMORY_KIB	 (64 * 1024 * SANITIZER_FACTOR)
#define DEFAULT_NR_FLIPS 100

struct outcome {
	int status;
	uint64_t nr_lost;
	uint64_t nr_events;
};

/* A recording, and what became of the damaged copies of it; shared with the process that reads. */
struct trial {
	unsigned char *data;
	size_t size;
	unsigned int nr;
	long memory_kib; /* the most that reading them took */
	struct outcome *outcomes; /* of the whole recording first, then of nr copies */
	volatile unsigned int *at; /* the one that is being read */
};

/* Damage @data of @t for copy @i, or undo it; returns the size. */
typedef size_t damage_fn(struct trial *t, unsigned int i, const void *arg);

static unsigned int nr_flips = DEFAULT_NR_FLIPS;

static void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

static void read_all(const char *path, struct outcome *out)
{
	const struct zwb_event *events;
	struct zwb_stream *s;
	size_t nr;

	out->status = zwb_tracedat_open(path, NULL, &s, NULL);
	if (out->status)
		return;
	for (;;) {
		out->status = zwb_stream_next(s, &events, &nr, NULL);
		if (out->status || nr == 0)
			break;
		out->nr_events += nr;
	}
	out->nr_lost = zwb_meta_lost_events(s->meta);
	zwb_stream_close(s);
}

static void read_copy(const unsigned char *data, size_t size, struct outcome *out)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	char path[32];

	alarm(SECONDS); /* starts again for each copy */
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		_exit(1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_all(path, out);
	close(fd);
}

static void run_trial(struct trial *t, damage_fn *damage, const void *arg)
{
	struct rusage usage;
	int status;
	pid_t child;

	t->outcomes = share((t->nr + 1) * sizeof(*t->outcomes));
	t->at = share(sizeof(*t->at));
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL); /* cmocka's handler would go on with the next test */
		signal(SIGABRT, SIG_DFL);
		read_copy(t->data, t->size, &t->outcomes[0]);
		for (unsigned int i = 0; i < t->nr; i++) {
			*t->at = i;
			read_copy(t->data, damage(t, i, arg), &t->outcomes[i + 1]);
			damage(t, i, arg);
		}
		_exit(0);
	}
	assert_int_equal(wait4(child, &status, 0, &usage), child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg(
			"copy %u: the reader died: wait status 0x%x", *t->at, (unsigned int)status);
	t->memory_kib = usage.ru_maxrss;
}

static void end_trial(struct trial *t)
{
	munmap(t->outcomes, (t->nr + 1) * sizeof(*t->outcomes));
	munmap((void *)t->at, sizeof(*t->at));
	free(t->data);
}

static int is_reported(const struct outcome *o)
{
	return o->status != ZWB_OK || o->nr_lost > 0;
}

/* What damage may lead to: an error that says so, or the rest of the events. */
static void assert_civil(const struct trial *t)
{
	assert_int_equal(t->outcomes[0].status, ZWB_OK);
	assert_int_equal(t->outcomes[0].nr_lost, 0);
	assert_in_range(t->memory_kib, 0, MEMORY_KIB);
	for (unsigned int i = 1; i <= t->nr; i++) {
		const struct outcome *o = &t->outcomes[i];

		if (o->status != ZWB_OK && o->status != ZWB_EDATA && o->status != ZWB_EKIND)
			fail_msg("copy %u: status %d", i - 1, o->status);
	}
}

static size_t cut(struct trial *t, unsigned int percent, const void *arg)
{
	(void)arg;
	return t->size * percent / 100;
}

static void check_cuts(const char *path)
{
	struct trial t = { .nr = 100 };

	t.data = small_file_read(path, &t.size);
	run_trial(&t, cut, NULL);
	assert_civil(&t);
	for (unsigned int percent = 0; percent < t.nr; percent++) {
		const struct outcome *o = &t.outcomes[percent + 1];

		if (!is_reported(o))
			fail_msg("%s cut to %u %% of its length is read as if it were whole", path,
				percent);
		assert_true(o->nr_events <= t.outcomes[0].nr_events);
	}
	end_trial(&t);
}

/* SplitMix64. */
static uint64_t mix(uint64_t seed)
{
	uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static int is_structure(unsigned char bit)
{
	return bit == SMALL_SHAPE || bit == SMALL_COMMIT || bit == SMALL_LENGTH;
}

/* The bit for a seed: any, or with an odd seed and known bits one of the structure. */
static size_t choose_bit(const struct trial *t, unsigned int seed, const unsigned char *bits)
{
	size_t bit = mix(seed) % (t->size * 8);

	while (bits && seed % 2 && !is_structure(bits[bit]))
		bit = (bit + 1) % (t->size * 8);
	return bit;
}

static size_t flip(struct trial *t, unsigned int seed, const void *bits)
{
	size_t bit = choose_bit(t, seed, bits);

	t->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
	return t->size;
}

static unsigned int nr_reported(const struct trial *t)
{
	unsigned int nr = 0;

	for (unsigned int i = 1; i <= t->nr; i++)
		nr += (unsigned int)is_reported(&t->outcomes[i]);
	return nr;
}

static void damage__any_cut_of_version_6_is_reported(void **state)
{
	check_cuts(*state);
}

static void damage__any_cut_of_version_7_is_reported(void **state)
{
	(void)state;
	check_cuts(ZWB_SOURCE_DIR "/tests/fault/data/v7-zstd.dat");
}

/*
 * A flip in the structure is reported, or costs nothing: a CPU more that has no data, an option by
 * another number, "the number of lost events is stored" where none were lost. Anywhere else it may
 * pass, since the file has no checksums.
 */
static void damage__a_flipped_bit_of_the_structure_loses_nothing_unseen(void **state)
{
	struct trial t = { .nr = nr_flips };
	unsigned char *bits;

	t.data = small_file_read(*state, &t.size);
	bits = small_trace_map(t.data, t.size);
	run_trial(&t, flip, bits);
	assert_civil(&t);
	for (unsigned int seed = 0; seed < t.nr; seed++) {
		const struct outcome *o = &t.outcomes[seed + 1];
		size_t bit = choose_bit(&t, seed, bits);

		if (is_structure(bits[bit]) && !is_reported(o) &&
			o->nr_events != t.outcomes[0].nr_events)
			fail_msg("seed %u: bit %zu of byte %zu flipped, events lost unseen", seed,
				bit % 8, bit / 8);
	}
	assert_true(nr_reported(&t) >= t.nr / 3); /* nearly all of the odd seeds, and some more */
	free(bits);
	end_trial(&t);
}

static void damage__a_flipped_bit_of_version_7_is_survived(void **state)
{
	struct trial t = { .nr = nr_flips };

	(void)state;
	t.data = small_file_read(ZWB_SOURCE_DIR "/tests/fault/data/v7-zstd.dat", &t.size);
	run_trial(&t, flip, NULL);
	assert_civil(&t);
	assert_true(nr_reported(&t) >= t.nr / 3);
	end_trial(&t);
}

static int setup(void **state)
{
	static char path[] = "/tmp/zwb-damage-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return -1;
	close(fd);
	small_trace_write(path, NR_EVENTS);
	*state = path;
	return 0;
}

static int teardown(void **state)
{
	return unlink(*state);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage__any_cut_of_version_6_is_reported),
		cmocka_unit_test(damage__any_cut_of_version_7_is_reported),
		cmocka_unit_test(damage__a_flipped_bit_of_the_structure_loses_nothing_unseen),
		cmocka_unit_test(damage__a_flipped_bit_of_version_7_is_survived),
	};

	if (argc > 1)
		nr_flips = (unsigned int)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, setup, teardown);
}
