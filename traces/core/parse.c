/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and lists out of text that a person typed. */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_SECOND	  UINT64_C(1000000000)
#define SECOND_DECIMALS	  9
#define MAX_QUOTED_CHOICE 200

/* The digits at @text as a number; *@end behind them. Nothing but digits is ever skipped. */
static int parse_digits(const char *text, const char **end, uint64_t *value)
{
	int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	const char *digits = base == 16 ? text + 2 : text;
	char *stop;

	if (!(base == 16 ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
		return -1;
	errno = 0;
	*value = strtoull(digits, &stop, base);
	*end = stop;
	return errno ? -1 : 0;
}

int zwb_parse_u64(
	const char *text, uint64_t min, uint64_t max, uint64_t *value, struct zwb_err *err)
{
	const char *end;
	uint64_t v;

	if (parse_digits(text, &end, &v) < 0 || *end)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" is not a whole number", text);
	if (v < min || v > max)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s is out of range, %" PRIu64 " to %" PRIu64, text, min, max);
	*value = v;
	return ZWB_OK;
}

/* The decimals behind the point as nanoseconds; -1 for none or more than nine. */
static int parse_decimals(const char *text, uint64_t *ns)
{
	uint64_t v = 0;
	int nr_digits = 0;

	for (; isdigit((unsigned char)text[nr_digits]); nr_digits++) {
		if (nr_digits == SECOND_DECIMALS)
			return -1;
		v = v * 10 + (uint64_t)(text[nr_digits] - '0');
	}
	if (!nr_digits || text[nr_digits])
		return -1;
	for (; nr_digits < SECOND_DECIMALS; nr_digits++)
		v *= 10;
	*ns = v;
	return 0;
}

int zwb_parse_seconds(
	const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *value_ns, struct zwb_err *err)
{
	const char *end = text;
	uint64_t seconds, ns = 0;

	if (!isdigit((unsigned char)text[0]) || parse_digits(text, &end, &seconds) < 0 ||
		(*end == '.' ? parse_decimals(end + 1, &ns) < 0 : *end != '\0'))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"\"%s\" is not a number of seconds (such as 2 or 0.25)", text);
	if (__builtin_mul_overflow(seconds, NS_PER_SECOND, &seconds) ||
		__builtin_add_overflow(seconds, ns, &ns) || ns < min_ns || ns > max_ns)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "%s is out of range, %.9g to %.9g seconds",
			text, (double)min_ns / (double)NS_PER_SECOND,
			(double)max_ns / (double)NS_PER_SECOND);
	*value_ns = ns;
	return ZWB_OK;
}

int zwb_parse_bytes(const char *text, uint64_t min_bytes, uint64_t max_bytes, uint64_t *value_bytes,
	struct zwb_err *err)
{
	static const char suffixes[] = "KMGTkmgt";
	const char *end, *suffix;
	unsigned int shift = 0;
	uint64_t v;

	if (parse_digits(text, &end, &v) < 0)
		goto not_a_size;
	if (*end) {
		suffix = strchr(suffixes, *end);
		if (!suffix || end[1])
			goto not_a_size;
		shift = 10 * ((unsigned int)(suffix - suffixes) % 4 + 1);
	}
	if (v > UINT64_MAX >> shift || v << shift < min_bytes || v << shift > max_bytes)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"%s is out of range, %" PRIu64 " to %" PRIu64 " bytes", text, min_bytes,
			max_bytes);
	*value_bytes = v << shift;
	return ZWB_OK;

not_a_size:
	return zwb_err_set(err, ZWB_EUSAGE, 0,
		"\"%s\" is not a size in bytes (such as 4096, 64K or 2M)", text);
}

int zwb_parse_double(const char *text, double min, double max, double *value, struct zwb_err *err)
{
	char *end;
	double v;

	errno = 0;
	v = strtod(text, &end);
	if (end == text || *end || isspace((unsigned char)text[0]) || errno || !isfinite(v))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" is not a number", text);
	if (v < min || v > max)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "%s is out of range, %g to %g", text, min, max);
	*value = v;
	return ZWB_OK;
}

int zwb_parse_choice(const char *text, const char *const *choices, int *index, struct zwb_err *err)
{
	char known[MAX_QUOTED_CHOICE] = "";
	size_t len = 0;

	for (int i = 0; choices[i]; i++) {
		if (strcmp(text, choices[i]) == 0) {
			*index = i;
			return ZWB_OK;
		}
		if (len < sizeof(known))
			len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s",
				i ? ", " : "", choices[i]);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%s\" is not one of %s", text, known);
}

int zwb_parse_flag(const char *text, int *value, struct zwb_err *err)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false", "true", "0", "1",
		NULL };
	int index;

	if (zwb_parse_choice(text, words, &index, err) < 0)
		return ZWB_EUSAGE;
	*value = index & 1;
	return ZWB_OK;
}

int zwb_parse_pair(char **list, char **name, char **value, struct zwb_err *err)
{
	char *item = *list;
	char *rest = strchr(item, ',');
	char *equals;

	if (rest)
		*rest++ = '\0';
	equals = strchr(item, '=');
	if (equals)
		*equals++ = '\0';
	if (!*item)
		return zwb_err_set(err, ZWB_EUSAGE, 0, "the list has an item without a name");
	*list = rest;
	*name = item;
	*value = equals;
	return ZWB_OK;
}

int zwb_open_text(const char *path, FILE **f, struct zwb_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st)) {
		int ret = zwb_err_set(err, ZWB_EENV, errno, "%s: cannot open", path);

		if (fd >= 0)
			close(fd);
		return ret;
	}
	if (S_ISDIR(st.st_mode)) {
		close(fd);
		return zwb_err_set(err, ZWB_EENV, EISDIR, "%s: cannot read", path);
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return zwb_err_set(err, ZWB_EKIND, 0, "%s: not a regular file", path);
	}
	*f = fdopen(fd, "r");
	if (*f)
		return ZWB_OK;
	close(fd);
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to read %s", path);
}
