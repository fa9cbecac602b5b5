/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture costs: runs of the same work without and with it, compared in pairs. */
#include "overhead.h"

#include <math.h>

#define INSIDE	     0.95
#define NS_PER_S     1e9
#define PER_PAGES    1000
#define HALVINGS     60 /* of an angle: more than a double has bits */
#define HALF_A_CYCLE 1.57079632679489661923 /* pi / 2 */

const char *zwb_overhead_name(enum zwb_overhead_metric metric)
{
	static const char *const names[ZWB_OVERHEAD_NR] = {
		[ZWB_OVERHEAD_SECONDS] = "seconds",
		[ZWB_OVERHEAD_CPU_SECONDS] = "cpu_seconds",
		[ZWB_OVERHEAD_WRITTEN_BACK] = "written_back_pages",
		[ZWB_OVERHEAD_SWAPPED_OUT] = "swapped_out_pages",
		[ZWB_OVERHEAD_BIOS] = "write_bios_per_1000_pages",
		[ZWB_OVERHEAD_REQUESTS] = "write_requests_per_1000_pages",
		[ZWB_OVERHEAD_SCANNED] = "scanned_objects_per_1000_pages",
	};

	return metric < ZWB_OVERHEAD_NR ? names[metric] : "invalid";
}

static double total_of(const struct zwb_overhead_run *run, enum zwb_total total)
{
	return run->totals.is_known[total] ? (double)run->totals.count[total] : (double)NAN;
}

double zwb_overhead_value(const struct zwb_overhead_run *run, enum zwb_overhead_metric metric)
{
	static const enum zwb_total totals[ZWB_OVERHEAD_NR] = {
		[ZWB_OVERHEAD_WRITTEN_BACK] = ZWB_TOTAL_WRITTEN_BACK,
		[ZWB_OVERHEAD_SWAPPED_OUT] = ZWB_TOTAL_SWAPPED_OUT,
		[ZWB_OVERHEAD_BIOS] = ZWB_TOTAL_WRITE_BIOS,
		[ZWB_OVERHEAD_REQUESTS] = ZWB_TOTAL_WRITE_REQUESTS,
		[ZWB_OVERHEAD_SCANNED] = ZWB_TOTAL_SCANNED,
	};
	double pages;

	if (metric == ZWB_OVERHEAD_SECONDS)
		return (double)run->elapsed_ns / NS_PER_S;
	if (metric == ZWB_OVERHEAD_CPU_SECONDS)
		return (double)run->cpu_ns / NS_PER_S;
	if (metric == ZWB_OVERHEAD_WRITTEN_BACK || metric == ZWB_OVERHEAD_SWAPPED_OUT)
		return total_of(run, totals[metric]);
	pages = total_of(run, ZWB_TOTAL_SWAPPED_OUT);
	return pages > 0 ? total_of(run, totals[metric]) * PER_PAGES / pages : (double)NAN;
}

/*
 * The probability of -t to t where t is sqrt(freedom) * tan(angle): a finite sum for whole degrees
 * of freedom, Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
 */
static double student_inside(double angle, unsigned int freedom)
{
	double cosine = cos(angle), term = freedom % 2 ? cosine : 1, sum = 0;

	for (unsigned int i = freedom % 2 ? 3 : 2; i <= freedom; i += 2) {
		sum += term;
		term *= cosine * cosine * (i - 1) / i;
	}
	sum *= sin(angle);
	return freedom % 2 ? (angle + sum) / HALF_A_CYCLE : sum;
}

double zwb_student_quantile(double inside, unsigned int freedom)
{
	double low = 0, high = HALF_A_CYCLE;

	for (int i = 0; i < HALVINGS; i++) {
		double angle = (low + high) / 2;

		if (student_inside(angle, freedom) < inside)
			low = angle;
		else
			high = angle;
	}
	return sqrt(freedom) * tan(low);
}

/* The first two are columns of a row, and places of a pair. */
enum column { WITHOUT, WITH, LOG_RATIO };

static double value_of(
	const struct zwb_overhead_run *pair, enum zwb_overhead_metric metric, enum column column)
{
	double without = zwb_overhead_value(&pair[WITHOUT], metric);
	double with = zwb_overhead_value(&pair[WITH], metric);

	if (column == LOG_RATIO)
		return without > 0 && with > 0 ? log(with / without) : (double)NAN;
	return column == WITH ? with : without;
}

static double mean_of(const struct zwb_overhead_run *runs, size_t nr_pairs,
	enum zwb_overhead_metric metric, enum column column)
{
	double sum = 0;

	for (size_t i = 0; i < nr_pairs; i++)
		sum += value_of(&runs[2 * i], metric, column);
	return sum / (double)nr_pairs;
}

static double deviation_of(const struct zwb_overhead_run *runs, size_t nr_pairs,
	enum zwb_overhead_metric metric, enum column column)
{
	double mean = mean_of(runs, nr_pairs, metric, column), squares = 0;

	for (size_t i = 0; i < nr_pairs; i++) {
		double off = value_of(&runs[2 * i], metric, column) - mean;

		squares += off * off;
	}
	return nr_pairs > 1 ? sqrt(squares / (double)(nr_pairs - 1)) : (double)NAN;
}

void zwb_overhead_compare(const struct zwb_overhead_run *runs, size_t nr_pairs,
	enum zwb_overhead_metric metric, struct zwb_overhead_row *row)
{
	double ratio = mean_of(runs, nr_pairs, metric, LOG_RATIO), half = (double)NAN;

	for (enum column i = WITHOUT; i <= WITH; i++) {
		row->mean[i] = mean_of(runs, nr_pairs, metric, i);
		row->sd[i] = deviation_of(runs, nr_pairs, metric, i);
	}
	if (nr_pairs > 1)
		half = deviation_of(runs, nr_pairs, metric, LOG_RATIO) / sqrt((double)nr_pairs) *
		       zwb_student_quantile(INSIDE, (unsigned int)nr_pairs - 1);
	row->change = expm1(ratio);
	row->low = expm1(ratio - half);
	row->high = expm1(ratio + half);
}

/* "seconds without: mean 5.2 sd 0.1 runs 5.1 5.3" */
static void put_column(const struct zwb_overhead_run *runs, size_t nr_pairs,
	enum zwb_overhead_metric metric, const struct zwb_overhead_row *row, enum column column,
	struct zwb_buf *text)
{
	zwb_buf_addf(text, "%s %s: mean %.6g sd %.6g runs", zwb_overhead_name(metric),
		column == WITH ? "with" : "without", row->mean[column], row->sd[column]);
	for (size_t i = 0; i < nr_pairs; i++)
		zwb_buf_addf(text, " %.6g", value_of(&runs[2 * i], metric, column));
	zwb_buf_addf(text, "\n");
}

void zwb_overhead_put(const struct zwb_overhead_run *runs, size_t nr_pairs, struct zwb_buf *text)
{
	struct zwb_overhead_row row;

	for (enum zwb_overhead_metric i = 0; i < ZWB_OVERHEAD_NR; i++) {
		zwb_overhead_compare(runs, nr_pairs, i, &row);
		if (isnan(row.mean[WITHOUT]) || isnan(row.mean[WITH]))
			continue;
		put_column(runs, nr_pairs, i, &row, WITHOUT, text);
		put_column(runs, nr_pairs, i, &row, WITH, text);
		if (!isnan(row.change) && !isnan(row.low))
			zwb_buf_addf(text, "%s change: %+.2f %% from %+.2f to %+.2f\n",
				zwb_overhead_name(i), row.change * 100, row.low * 100,
				row.high * 100);
	}
}
