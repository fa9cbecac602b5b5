/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dealing cells to processes that know nothing of each other. */
#include "sweep_part.h"

#include "parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int zwb_sweep_part_parse(const char *text, struct zwb_sweep_part *part, struct zwb_err *err)
{
	const char *slash = strchr(text, '/');
	char k[24];
	int ret;

	if (!slash || (size_t)(slash - text) >= sizeof(k))
		return zwb_err_set(err, ZWB_EUSAGE, 0, "\"%.40s\" is not K/N, such as 1/8", text);
	snprintf(k, sizeof(k), "%.*s", (int)(slash - text), text);
	ret = zwb_parse_u64(slash + 1, 1, ZWB_SWEEP_MAX_PARTS, &part->n, err);
	return ret ? ret : zwb_parse_u64(k, 1, part->n, &part->k, err);
}

int zwb_sweep_part_launched(
	char *(*get)(const char *name), struct zwb_sweep_part *part, struct zwb_err *err)
{
	static const char *const names[][2] = {
		{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
		{ "PMI_RANK", "PMI_SIZE" },
	};
	const char *rank, *size;
	size_t i = 0;
	int ret;

	*part = (struct zwb_sweep_part){ .k = 1, .n = 1 };
	while (i < sizeof(names) / sizeof(names[0]) && !(get(names[i][0]) && get(names[i][1])))
		i++;
	if (i == sizeof(names) / sizeof(names[0]))
		return ZWB_OK;
	rank = get(names[i][0]);
	size = get(names[i][1]);
	ret = zwb_parse_u64(size, 1, ZWB_SWEEP_MAX_PARTS, &part->n, err);
	if (ret) {
		zwb_err_prefix(err, "environment variable %s", names[i][1]);
		return ret;
	}
	ret = zwb_parse_u64(rank, 0, part->n - 1, &part->k, err);
	if (ret) {
		zwb_err_prefix(err, "environment variable %s", names[i][0]);
		return ret;
	}
	part->k++;
	return ZWB_OK;
}

void zwb_sweep_part_cells(
	const struct zwb_sweep_part *part, size_t nr_cells, size_t *begin, size_t *end)
{
	*begin = (size_t)((part->k - 1) * nr_cells / part->n);
	*end = (size_t)(part->k * nr_cells / part->n);
}

char *zwb_sweep_part_path(const struct zwb_sweep_part *part, const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = strlen(path);
	char n[24], *text;

	if (part->n == 1)
		return strdup(path);
	/* the ending is behind a dot in the name, which does not begin it */
	if (dot && dot > (slash ? slash + 1 : path))
		stem = (size_t)(dot - path);
	snprintf(n, sizeof(n), "%" PRIu64, part->n);
	if (asprintf(&text, "%.*s.%0*" PRIu64 "-of-%s%s", (int)stem, path, (int)strlen(n), part->k,
		    n, path + stem) < 0)
		return NULL;
	return text;
}
