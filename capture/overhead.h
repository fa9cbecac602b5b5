/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture costs: runs of the same work without and with it, compared in pairs. */
#ifndef ZWB_OVERHEAD_H
#define ZWB_OVERHEAD_H

#include "buf.h"
#include "host_totals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run of the work. */
struct zwb_overhead_run {
	uint64_t elapsed_ns;
	uint64_t cpu_ns; /* that the task that did it took, in the kernel, too */
	struct zwb_totals totals; /* how far they rose */
};

/* What is compared. None of it comes from the recording, which only half of the runs have. */
enum zwb_overhead_metric {
	ZWB_OVERHEAD_SECONDS,
	ZWB_OVERHEAD_CPU_SECONDS,
	ZWB_OVERHEAD_WRITTEN_BACK, /* pages */
	ZWB_OVERHEAD_SWAPPED_OUT, /* pages written to swap devices, those written back included */
	ZWB_OVERHEAD_BIOS, /* per 1,000 of those pages, and so the following */
	ZWB_OVERHEAD_REQUESTS,
	ZWB_OVERHEAD_SCANNED, /* objects, by all shrinkers */
	ZWB_OVERHEAD_NR
};

/** zwb_overhead_name() - "write_requests_per_1000_pages". */
const char *zwb_overhead_name(enum zwb_overhead_metric metric);

/**
 * zwb_overhead_value() - of one run.
 * Return: NAN when the host does not count it, or no page was written.
 */
double zwb_overhead_value(const struct zwb_overhead_run *run, enum zwb_overhead_metric metric);

/* NAN: not known. */
struct zwb_overhead_row {
	double mean[2], sd[2]; /* without, with */
	double change, low, high; /* with over without - 1, and its 95 % interval */
};

/**
 * zwb_overhead_compare() - one metric of all pairs: Student's t on the logarithms of the ratios.
 * @runs: of the pair i, without at 2 * i and with at 2 * i + 1.
 */
void zwb_overhead_compare(const struct zwb_overhead_run *runs, size_t nr_pairs,
	enum zwb_overhead_metric metric, struct zwb_overhead_row *row);

/**
 * zwb_overhead_put() - append "KEY: VALUE" lines, as traces/FORMAT.md has them, about the metrics
 * that are known.
 */
void zwb_overhead_put(const struct zwb_overhead_run *runs, size_t nr_pairs, struct zwb_buf *text);

/**
 * zwb_student_quantile() - of Student's t distribution.
 * @inside: the probability of -t to t: 0.95 for a 95 % interval; above 0, below 1.
 * @freedom: degrees of it, at least 1.
 * Return: t.
 */
double zwb_student_quantile(double inside, unsigned int freedom);

#endif
