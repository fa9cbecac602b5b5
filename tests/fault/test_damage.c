/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damaged recordings: cut at every 1 % of their length, and with one bit flipped. Each copy is read
 * by a process of its own, in bounded memory and time. Usage: test_damage [FLIPS]
 */
#include "zwb_test.h"

#include "small_trace.h"
#include "tracedat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_EVENTS	 3000
#define SECONDS		 20
#define MEMORY_KIB	 (64 * 1024) /* more than reading the undamaged file takes */
#define DEFAULT_NR_FLIPS 100

struct outcome {
	int status;
	uint64_t nr_lost;
	uint64_t nr_events;
	long memory_kib;
};

static unsigned int nr_flips = DEFAULT_NR_FLIPS;

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

/* The same limits with sanitizers as without, except where those need more themselves. */
static void limit_child(void)
{
	const struct rlimit cpu = { SECONDS, SECONDS };

	setrlimit(RLIMIT_CPU, &cpu);
	alarm(2 * SECONDS);
}

static struct outcome try(const unsigned char *data, size_t size)
{
	struct outcome *shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct outcome out;
	struct rusage usage;
	char path[32];
	int status;
	pid_t child;

	assert_true(shared != MAP_FAILED);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		limit_child();
		read_all(path, shared);
		_exit(0);
	}
	assert_int_equal(wait4(child, &status, 0, &usage), child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("the reader died: wait status 0x%x", (unsigned int)status);
	out = *shared;
	out.memory_kib = usage.ru_maxrss;
	munmap(shared, sizeof(*shared));
	close(fd);
	return out;
}

static int is_reported(const struct outcome *o)
{
	return o->status != ZWB_OK || o->nr_lost > 0;
}

/* What damage may lead to: an error that says so, or the rest of the events. */
static void assert_civil(const struct outcome *o, const struct outcome *whole)
{
	assert_true(o->status == ZWB_OK || o->status == ZWB_EDATA || o->status == ZWB_EKIND);
	assert_in_range(o->memory_kib, 0, whole->memory_kib + MEMORY_KIB);
}

static void check_cuts(const char *path)
{
	size_t size;
	unsigned char *data = small_file_read(path, &size);
	struct outcome whole = try(data, size);

	assert_int_equal(whole.status, ZWB_OK);
	assert_int_equal(whole.nr_lost, 0);
	for (size_t percent = 0; percent < 100; percent++) {
		struct outcome cut = try(data, size * percent / 100);

		assert_civil(&cut, &whole);
		if (!is_reported(&cut))
			fail_msg("%s cut to %zu %% of its length is read as if it were whole", path,
				percent);
		assert_true(cut.nr_events <= whole.nr_events);
	}
	free(data);
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

/* The bit for a seed: any, or with an odd seed one of the structure. */
static size_t choose_bit(const unsigned char *bits, size_t nr_bits, uint64_t seed)
{
	size_t bit = mix(seed) % nr_bits;

	while (seed % 2 && !is_structure(bits[bit]))
		bit = (bit + 1) % nr_bits;
	return bit;
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
	size_t size;
	unsigned char *data = small_file_read(*state, &size);
	unsigned char *bits = small_trace_map(data, size);
	struct outcome whole = try(data, size);
	unsigned int nr_reported = 0;

	for (unsigned int seed = 0; seed < nr_flips; seed++) {
		size_t bit = choose_bit(bits, size * 8, seed);
		unsigned char mask = (unsigned char)(1u << bit % 8);
		struct outcome flipped;

		data[bit / 8] ^= mask;
		flipped = try(data, size);
		data[bit / 8] ^= mask;
		assert_civil(&flipped, &whole);
		nr_reported += (unsigned int)is_reported(&flipped);
		if (is_structure(bits[bit]) && !is_reported(&flipped) &&
			flipped.nr_events != whole.nr_events)
			fail_msg("seed %u: bit %zu of byte %zu flipped, %lu events lost unseen",
				seed, bit % 8, bit / 8, whole.nr_events - flipped.nr_events);
	}
	assert_true(nr_reported >= nr_flips / 3); /* the odd seeds at least, nearly all of them */
	free(bits);
	free(data);
}

static void damage__a_flipped_bit_of_version_7_is_survived(void **state)
{
	size_t size;
	unsigned char *data =
		small_file_read(ZWB_SOURCE_DIR "/tests/fault/data/v7-zstd.dat", &size);
	struct outcome whole = try(data, size);
	unsigned int nr_reported = 0;

	(void)state;
	for (unsigned int seed = 0; seed < nr_flips; seed++) {
		size_t bit = mix(seed) % (size * 8);
		unsigned char mask = (unsigned char)(1u << bit % 8);
		struct outcome flipped;

		data[bit / 8] ^= mask;
		flipped = try(data, size);
		data[bit / 8] ^= mask;
		assert_civil(&flipped, &whole);
		nr_reported += (unsigned int)is_reported(&flipped);
	}
	assert_true(nr_reported >= nr_flips / 3);
	free(data);
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
