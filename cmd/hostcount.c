/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's own counts of swap IO, whichever of its counters have them. */
#include "hostcount.h"

#include <stdio.h>
#include <string.h>

/* @source when it is there on both sides, as the metadata have it. */
static int disk_delta(const struct zwb_meta *m, const char *name, const char *field,
	const char **source, int64_t *value)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "disk %.48s", name);
	if (!zwb_meta_counter_delta(m, wanted, field, value))
		return 0;
	for (size_t i = 0; i < m->nr_counters; i++) {
		if (strcmp(m->counters[i].source, wanted) == 0) {
			*source = m->counters[i].source;
			return 1;
		}
	}
	return 0;
}

int zwb_hostcount_disk(
	const struct zwb_meta *m, const char *field, const char **source, int64_t *value)
{
	static const char dev[] = "/dev/";
	const struct zwb_swap *swap = m->swaps;

	if (m->nr_swaps && strncmp(swap->path, dev, strlen(dev)) == 0 &&
		disk_delta(m, swap->path + strlen(dev), field, source, value))
		return 1;
	if (m->nr_swaps && swap->dev < m->nr_devices &&
		disk_delta(m, m->devices[swap->dev].name, field, source, value))
		return 1;
	return disk_delta(m, "swap", field, source, value); /* of a recorder that did not name it */
}

/* Is this the io.stat of a cgroup right below the root? */
static int is_top_cgroup(const char *source)
{
	static const char begin[] = "cgroup ", end[] = " io.stat";
	size_t len = strlen(source);
	const char *name = source + strlen(begin);

	if (len <= strlen(begin) + strlen(end) || strncmp(source, begin, strlen(begin)) != 0 ||
		strcmp(source + len - strlen(end), end) != 0)
		return 0;
	len -= strlen(begin) + strlen(end);
	return memchr(name + 1, '/', len - 1) == NULL && (len > 1 || name[0] != '/');
}

int zwb_hostcount_cgroups(const struct zwb_meta *m, const char *field, int64_t *value)
{
	int has_before = 0, has_after = 0;
	int64_t sum = 0;
	char key[64];

	if (m->nr_swaps == 0 || m->swaps[0].dev >= m->nr_devices)
		return 0;
	snprintf(key, sizeof(key), "%u:%u %.32s", m->devices[m->swaps[0].dev].major,
		m->devices[m->swaps[0].dev].minor, field);
	for (size_t i = 0; i < m->nr_counters; i++) {
		const struct zwb_counter *c = &m->counters[i];

		has_before |= c->ts_ns == ZWB_COUNTER_BEFORE;
		if (c->ts_ns < ZWB_COUNTER_AFTER || strcmp(c->key, key) != 0 ||
			!is_top_cgroup(c->source))
			continue;
		if (c->ts_ns == ZWB_COUNTER_BEFORE) {
			sum -= c->value;
		} else {
			sum += c->value;
			has_after = 1;
		}
	}
	*value = sum;
	return has_before && has_after;
}
