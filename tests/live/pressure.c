/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pressure PATTERN MIB TOUCHES THREADS SEED: touches more memory than its cgroup has, for the live
 * tests. Pages compress to very different sizes, and each carries what it should hold, checked at
 * every touch: exit 1 means that memory came back wrong. Patterns:
 *   zipf    few blocks of eight pages are touched often, most seldom
 *   phases  a window of a third of the memory, which moves on and sometimes jumps back
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE_BYTES	  4096
#define PAGE_WORDS	  (PAGE_BYTES / sizeof(uint64_t))
#define BLOCK_PAGES	  8
#define MAX_THREADS	  16
#define NR_PHASES	  9
#define FILL_PAGES_PER_MS 8
#define WRITE_PERCENT	  25

struct load {
	uint64_t *memory;
	size_t nr_pages;
	uint64_t seed;
	uint64_t nr_touches; /* by each thread */
};

struct worker {
	const struct load *load;
	void (*pattern)(struct worker *worker);
	uint64_t random;
	uint64_t nr_touches, nr_wrong;
	pthread_t thread;
};

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint32_t draw(struct worker *worker, uint32_t below)
{
	worker->random = mix(worker->random);
	return (uint32_t)((worker->random >> 32) * below >> 32);
}

/* How much of a page is noise; the rest is text. One page in ten is all the same word. */
static size_t noise_words(const struct load *load, size_t page)
{
	static const size_t bytes[] = { 0, 200, 200, 800, 800, 800, 1600, 1600, 2600, PAGE_BYTES };

	return bytes[mix(load->seed ^ page) % (sizeof(bytes) / sizeof(bytes[0]))] /
	       sizeof(uint64_t);
}

/* The first word of a page is what touch() expects there. */
static void fill(const struct load *load, size_t page)
{
	uint64_t *words = load->memory + page * PAGE_WORDS;
	size_t nr_noise = noise_words(load, page);
	uint64_t word = mix(page);

	if (!nr_noise) {
		for (size_t i = 0; i < PAGE_WORDS; i++)
			words[i] = word;
		return;
	}
	for (size_t i = 0; i < nr_noise; i++)
		words[i] = word = i ? mix(word + load->seed) : word;
	for (size_t i = nr_noise; i < PAGE_WORDS; i++)
		words[i] = i % 2 ? 0x2065687420666f20u : 0x646e612065687420u;
}

/* A cgroup that fills up within a second or two is out of memory before its first page is out. */
static void fill_all(const struct load *load)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };

	for (size_t page = 0; page < load->nr_pages; page++) {
		fill(load, page);
		if (page % FILL_PAGES_PER_MS == 0)
			nanosleep(&pause, NULL);
	}
}

static void touch(struct worker *worker, size_t page)
{
	volatile uint64_t *words = worker->load->memory + page * PAGE_WORDS;

	worker->nr_touches++;
	worker->nr_wrong += words[0] != mix(page);
	/* Dirty again, with the same contents: what swap holds of it is worth nothing now. */
	if (draw(worker, 100) < WRITE_PERCENT)
		words[PAGE_WORDS - 1] = words[PAGE_WORDS - 1];
}

/* One octave of ranks is as likely as the next, so that rank r is drawn about as often as 1/r. */
static void zipf(struct worker *worker)
{
	const struct load *load = worker->load;
	size_t nr_blocks = load->nr_pages / BLOCK_PAGES;
	uint32_t nr_octaves = 1;

	while (nr_blocks >> nr_octaves)
		nr_octaves++;
	while (worker->nr_touches < load->nr_touches) {
		uint32_t first = (uint32_t)1 << draw(worker, nr_octaves);
		uint64_t rank = first - 1 + draw(worker, first);
		size_t block = (rank * 2654435761u + load->seed) % nr_blocks;
		uint32_t nr_pages = draw(worker, BLOCK_PAGES) + 1;

		for (size_t i = 0; i < nr_pages; i++)
			touch(worker, block * BLOCK_PAGES + i);
	}
}

static void phases(struct worker *worker)
{
	const struct load *load = worker->load;
	size_t window = load->nr_pages / 3, step = load->nr_pages / 6;

	for (size_t phase = 0, moves = 0; phase < NR_PHASES; phase++) {
		size_t base = (phase % 3 == 2 ? phase / 3 : moves++) * step;
		uint64_t end = load->nr_touches / NR_PHASES * (phase + 1);

		for (size_t i = 0; i < window && worker->nr_touches < end; i++)
			touch(worker, (base + i) % load->nr_pages);
		while (worker->nr_touches < end)
			touch(worker, (base + draw(worker, (uint32_t)window)) % load->nr_pages);
	}
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	worker->pattern(worker);
	return NULL;
}

static int run(const struct load *load, void (*pattern)(struct worker *), size_t nr_workers)
{
	struct worker workers[MAX_THREADS] = { 0 };
	uint64_t nr_touches = 0, nr_wrong = 0;

	for (size_t i = 0; i < nr_workers; i++) {
		workers[i].load = load;
		workers[i].pattern = pattern;
		workers[i].random = mix(load->seed + i);
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
			fputs("pressure: no thread\n", stderr);
			exit(4);
		}
	}
	for (size_t i = 0; i < nr_workers; i++) {
		pthread_join(workers[i].thread, NULL);
		nr_touches += workers[i].nr_touches;
		nr_wrong += workers[i].nr_wrong;
	}
	printf("touches %llu\nwrong %llu\n", (unsigned long long)nr_touches,
		(unsigned long long)nr_wrong);
	return nr_wrong != 0;
}

int main(int argc, char **argv)
{
	struct load load = { 0 };
	void (*pattern)(struct worker *);
	unsigned long nr_workers;

	if (argc != 6 || (strcmp(argv[1], "zipf") != 0 && strcmp(argv[1], "phases") != 0)) {
		fputs("Usage: pressure zipf|phases MIB TOUCHES THREADS SEED\n", stderr);
		return 2;
	}
	pattern = strcmp(argv[1], "zipf") == 0 ? zipf : phases;
	load.nr_pages = strtoul(argv[2], NULL, 10) * (1048576 / PAGE_BYTES);
	load.nr_touches = strtoull(argv[3], NULL, 10);
	nr_workers = strtoul(argv[4], NULL, 10);
	load.seed = strtoull(argv[5], NULL, 10);
	if (load.nr_pages == 0 || load.nr_pages > UINT32_MAX || nr_workers == 0 ||
		nr_workers > MAX_THREADS) {
		fputs("pressure: no memory to touch or too much, or not 1 to 16 threads\n", stderr);
		return 2;
	}
	load.memory = mmap(NULL, load.nr_pages * PAGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (load.memory == MAP_FAILED) {
		perror("pressure: mmap");
		return 4;
	}
	fill_all(&load);
	return run(&load, pattern, nr_workers);
}
