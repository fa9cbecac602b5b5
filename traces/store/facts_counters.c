/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of files under /proc and /sys as counters. */
#include "facts_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Documentation/admin-guide/iostats.rst */
static const char *const disk_fields[] = { "reads_completed", "reads_merged", "sectors_read",
	"ms_reading", "writes_completed", "writes_merged", "sectors_written", "ms_writing",
	"in_flight", "io_ms", "io_weighted_ms", "discards_completed", "discards_merged",
	"sectors_discarded", "ms_discarding", "flushes_completed", "ms_flushing" };

#define NR_DISK_FIELDS (sizeof(disk_fields) / sizeof(disk_fields[0]))

/* proc_stat(5) */
static const char *const cpu_fields[] = { "user", "nice", "system", "idle", "iowait", "irq",
	"softirq", "steal", "guest", "guest_nice" };

#define NR_CPU_FIELDS (sizeof(cpu_fields) / sizeof(cpu_fields[0]))

static const struct {
	const char *name;
	enum facts_form form;
} forms[] = {
	{ "vmstat", FACTS_KEY_VALUE },
	{ "meminfo", FACTS_KEY_VALUE },
	{ "memory.stat", FACTS_KEY_VALUE },
	{ "memory.events", FACTS_KEY_VALUE },
	{ "memory.swap.events", FACTS_KEY_VALUE },
	{ "cpu.stat", FACTS_KEY_VALUE },
	{ "io.weight", FACTS_KEY_VALUE },
	{ "zswapdbg", FACTS_KEY_VALUE },
	{ "memory.current", FACTS_SINGLE },
	{ "memory.swap.current", FACTS_SINGLE },
	{ "memory.zswap.current", FACTS_SINGLE },
	{ "io.stat", FACTS_KEYED },
	{ "io.pressure", FACTS_PRESSURE },
	{ "memory.pressure", FACTS_PRESSURE },
	{ "cpu.pressure", FACTS_PRESSURE },
	{ "diskstats", FACTS_DISKSTATS },
	{ "blkstat", FACTS_BLKSTAT },
	{ "inflight", FACTS_INFLIGHT },
	{ "uptime", FACTS_UPTIME },
};

enum facts_form facts_form_of(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(forms[i].name, name) == 0)
			return forms[i].form;
	}
	return FACTS_NO_FORM;
}

size_t facts_words(char *line, char **words, size_t max)
{
	char *save = NULL;
	size_t nr = 0;

	for (char *w = strtok_r(line, " \t", &save); w && nr < max;
		w = strtok_r(NULL, " \t", &save))
		words[nr++] = w;
	return nr;
}

bool facts_u64(const char *text, uint64_t *value)
{
	uint64_t v = 0;

	if (*text == '\0')
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (unsigned int)(*text - '0'), &v))
			return false;
	}
	if (*text != '\0')
		return false;
	*value = v;
	return true;
}

bool facts_take(const char **at, const char *literal)
{
	for (; *literal; literal++) {
		if (*literal == ' ') {
			*at += strspn(*at, " \t");
			continue;
		}
		if (**at != *literal)
			return false;
		++*at;
	}
	return true;
}

bool facts_take_u64(const char **at, uint64_t *value)
{
	char digits[24];
	size_t len;

	*at += strspn(*at, " \t");
	len = strspn(*at, "0123456789");
	if (len >= sizeof(digits))
		return false;
	memcpy(digits, *at, len);
	digits[len] = '\0';
	*at += len;
	return facts_u64(digits, value);
}

bool facts_take_word(const char **at, char *word, size_t room)
{
	size_t len;

	*at += strspn(*at, " \t");
	len = strcspn(*at, " \t");
	snprintf(word, room, "%.*s", (int)len, *at);
	*at += len;
	return len > 0;
}

/* Counters of the kernel are unsigned and wrap; above INT64_MAX they are kept as they lie. */
static bool parse_value(const char *text, int64_t *value)
{
	uint64_t u;
	bool is_negative = text[0] == '-';

	if (!facts_u64(text + is_negative, &u))
		return false;
	*value = is_negative ? -(int64_t)u : (int64_t)u;
	return true;
}

/* "12.34" as 1234; only numbers with exactly two decimals. */
static bool parse_hundredths(const char *text, int64_t *value)
{
	const char *dot = strchr(text, '.');
	char digits[24];
	uint64_t u;

	if (!dot || strlen(dot) != 3 || (size_t)(dot - text) > sizeof(digits) - 3)
		return false;
	snprintf(digits, sizeof(digits), "%.*s%s", (int)(dot - text), text, dot + 1);
	if (!facts_u64(digits, &u) || u > INT64_MAX)
		return false;
	*value = (int64_t)u;
	return true;
}

/* "12.345678901" as nanoseconds. */
static bool parse_seconds(const char *text, uint64_t *ns)
{
	const char *dot = strchr(text, '.');
	char whole[24], part[10] = "000000000";
	uint64_t s, fraction = 0;

	snprintf(whole, sizeof(whole), "%.*s", dot ? (int)(dot - text) : 20, text);
	if (dot) {
		size_t len = strnlen(dot + 1, 9);

		memcpy(part, dot + 1, len);
		if (!facts_u64(part, &fraction))
			return false;
	}
	if (!facts_u64(whole, &s) || s > UINT64_MAX / 1000000000 - 1)
		return false;
	*ns = s * 1000000000 + fraction;
	return true;
}

bool facts_sample_time(struct facts *fx, const char *seconds, uint64_t *ts_ns)
{
	uint64_t ns;

	if (strcmp(fx->m->clock, "mono") != 0 || !parse_seconds(seconds, &ns) ||
		ns < fx->m->start_ns)
		return false;
	*ts_ns = ns - fx->m->start_ns;
	return true;
}

/* A value of any form under @key. */
static void count_text(
	struct facts *fx, const struct facts_file *file, const char *key, const char *text)
{
	char longer[FACTS_NAME * 2];
	int64_t value;

	if (parse_value(text, &value)) {
		facts_count(fx, file->ts_ns, file->source, key, value);
	} else if (parse_hundredths(text, &value)) {
		snprintf(longer, sizeof(longer), "%s_x100", key);
		facts_count(fx, file->ts_ns, file->source, longer, value);
	} else {
		fx->nr_lost++;
	}
}

static void count_key_value(struct facts *fx, const struct facts_file *file, char *line)
{
	char *words[3];
	size_t nr = facts_words(line, words, 3);

	if (nr < 2) {
		fx->nr_lost++;
		return;
	}
	words[0][strcspn(words[0], ":")] = '\0';
	count_text(fx, file, words[0], words[1]);
}

/* "NAME KEY=VALUE ...", keys become "NAME KEY"; @only: the one key that is wanted, or NULL. */
static void count_keyed(
	struct facts *fx, const struct facts_file *file, char *line, const char *only)
{
	char *words[64], key[FACTS_NAME * 2], *value;
	size_t nr = facts_words(line, words, 64);

	for (size_t i = 1; i < nr; i++) {
		value = strchr(words[i], '=');
		if (!value) {
			fx->nr_lost++;
			continue;
		}
		*value++ = '\0';
		if (only && strcmp(words[i], only) != 0)
			continue;
		snprintf(key, sizeof(key), "%s %s", words[0], words[i]);
		count_text(fx, file, key, value);
	}
}

static void count_fields(struct facts *fx, const struct facts_file *file, char **words, size_t nr,
	const char *const *fields)
{
	for (size_t i = 0; i < nr; i++)
		count_text(fx, file, fields[i], words[i]);
}

static void count_diskstats(struct facts *fx, const struct facts_file *file, char *line)
{
	struct facts_file disk = *file;
	char *words[3 + NR_DISK_FIELDS];
	size_t nr = facts_words(line, words, 3 + NR_DISK_FIELDS);
	uint64_t major, minor;

	if (nr < 4 || !facts_u64(words[0], &major) || !facts_u64(words[1], &minor)) {
		fx->nr_lost++;
		return;
	}
	facts_number_part(fx, words[2], major, minor);
	snprintf(disk.source, sizeof(disk.source), "disk %.31s", words[2]);
	count_fields(fx, &disk, words + 3, nr - 3, disk_fields);
}

/* /sys/block/NAME/stat is the row of diskstats again: used only where that is missing. */
static void keep_blkstat(struct facts *fx, const struct facts_file *file, char *line)
{
	char *words[NR_DISK_FIELDS];
	size_t nr = facts_words(line, words, NR_DISK_FIELDS);
	size_t side = file->ts_ns == ZWB_COUNTER_AFTER;

	if (file->ts_ns < ZWB_COUNTER_AFTER) {
		count_fields(fx, file, words, nr, disk_fields);
		return;
	}
	_Static_assert(NR_DISK_FIELDS <= sizeof(fx->blkstat[0]) / sizeof(fx->blkstat[0][0]),
		"a field more in diskstats");
	fx->nr_blkstat[side] = 0;
	for (size_t i = 0; i < nr && facts_u64(words[i], &fx->blkstat[side][i]); i++)
		fx->nr_blkstat[side] = i + 1;
}

static void count_path_value(struct facts *fx, const struct facts_file *file, char *line)
{
	char *colon = strrchr(line, ':');
	char *slash;

	if (!colon) {
		fx->nr_lost++;
		return;
	}
	*colon = '\0';
	slash = strrchr(line, '/');
	count_text(fx, file, slash ? slash + 1 : line, colon + 1);
}

static void count_proc_stat(struct facts *fx, const struct facts_file *file, char *line)
{
	char *words[1 + NR_CPU_FIELDS], key[FACTS_NAME];
	size_t nr = facts_words(line, words, 1 + NR_CPU_FIELDS);

	if (nr == 2) {
		count_text(fx, file, words[0], words[1]);
		return;
	}
	for (size_t i = 1; i < nr && strncmp(words[0], "cpu", 3) == 0; i++) {
		snprintf(key, sizeof(key), "%.16s %s", words[0], cpu_fields[i - 1]);
		count_text(fx, file, key, words[i]);
	}
}

static void count_uptime(struct facts *fx, const struct facts_file *file, char *line)
{
	char *words[1];
	uint64_t ns;

	if (facts_words(line, words, 1) == 1 && parse_seconds(words[0], &ns) && ns <= INT64_MAX)
		facts_count(fx, file->ts_ns, file->source, "ns", (int64_t)ns);
	else
		fx->nr_lost++;
}

static void count_samples(struct facts *fx, const struct facts_file *file, char *line)
{
	struct facts_file sample = *file;
	char *words[16], key[FACTS_NAME];
	size_t nr = facts_words(line, words, 16);

	if (nr < 2 || !facts_sample_time(fx, words[0], &sample.ts_ns))
		return;
	for (size_t i = 1; i < nr; i++) {
		snprintf(key, sizeof(key), "column %zu", i);
		count_text(fx, &sample, key, words[i]);
	}
}

void facts_counter_line(struct facts *fx, const struct facts_file *file, char *line)
{
	static const char *const inflight[] = { "reads", "writes" };
	char *words[2];

	switch (file->form) {
	case FACTS_KEY_VALUE:
		count_key_value(fx, file, line);
		break;
	case FACTS_KEYED:
		count_keyed(fx, file, line, NULL);
		break;
	case FACTS_PRESSURE:
		count_keyed(fx, file, line, "total");
		break;
	case FACTS_DISKSTATS:
		count_diskstats(fx, file, line);
		break;
	case FACTS_BLKSTAT:
		keep_blkstat(fx, file, line);
		break;
	case FACTS_INFLIGHT:
		count_fields(fx, file, words, facts_words(line, words, 2), inflight);
		break;
	case FACTS_SINGLE:
		if (facts_words(line, words, 1) == 1)
			count_text(fx, file, file->key, words[0]);
		break;
	case FACTS_PATH_VALUE:
		count_path_value(fx, file, line);
		break;
	case FACTS_PROC_STAT:
		count_proc_stat(fx, file, line);
		break;
	case FACTS_UPTIME:
		count_uptime(fx, file, line);
		break;
	case FACTS_SAMPLES:
		count_samples(fx, file, line);
		break;
	case FACTS_NO_FORM:
		fx->nr_lost++;
		break;
	}
}

void facts_put_blkstat(struct facts *fx)
{
	const uint64_t when[2] = { ZWB_COUNTER_BEFORE, ZWB_COUNTER_AFTER };
	char source[FACTS_NAME];
	int64_t known;

	snprintf(source, sizeof(source), "disk %s", fx->swap_disk[0] ? fx->swap_disk : "swap");
	if (zwb_meta_counter_delta(fx->m, source, disk_fields[0], &known))
		return;
	for (size_t side = 0; side < 2; side++) {
		for (size_t i = 0; i < fx->nr_blkstat[side]; i++)
			facts_count(fx, when[side], source, disk_fields[i],
				(int64_t)fx->blkstat[side][i]);
	}
}
