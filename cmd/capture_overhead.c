/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zwb capture --measure-overhead. */
#include "capture_overhead.h"

#include "clock.h"

#include "capture_child.h"
#include "common.h"
#include "host.h"
#include "load.h"
#include "overhead.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD_SEED     1
#define FIRST_TOUCHES 20000 /* of the run that shows how fast the machine is */
#define MAX_TOUCHES   (UINT64_C(1) << 40)

struct overhead {
	const char *command;
	struct zwb_capture_args args; /* of the runs with capture */
	char *const *argv;
	size_t nr_pairs;
	sigset_t signals, old_signals;
	struct zwb_host *host;
	struct zwb_load *load; /* NULL: there is a command */
	struct zwb_capture_watch watch;
	struct zwb_overhead_run *runs; /* without, with, without ... */

	/* of the run that goes on */
	size_t place; /* in runs */
	int is_last;
	uint64_t start_ns;
	struct zwb_totals start;
	struct zwb_overhead_run run;

	/* of those with capture */
	uint64_t traced_ns, nr_events, nr_lost, nr_bytes;
};

/* ---- one run ---- */

static int work(void *arg)
{
	const struct overhead *o = arg;

	return zwb_load_work(o->load);
}

static int begin(void *arg, struct zwb_err *err)
{
	struct overhead *o = arg;
	int ret = zwb_host_totals(o->host, &o->start, err);

	o->start_ns = zwb_clock_ns(CLOCK_MONOTONIC);
	return ret;
}

static int end(void *arg, struct zwb_err *err)
{
	struct overhead *o = arg;
	int ret;

	o->run.elapsed_ns = zwb_clock_ns(CLOCK_MONOTONIC) - o->start_ns;
	ret = zwb_host_totals(o->host, &o->run.totals, err);
	zwb_totals_rise(&o->run.totals, &o->start);
	return ret;
}

static void put_events(const struct overhead *o, struct zwb_buf *text)
{
	double seconds = (double)o->traced_ns / 1e9;

	zwb_buf_addf(text, "events_per_s: %.0f\nbytes_per_s: %.0f\nlost: %" PRIu64 "\n",
		(double)o->nr_events / seconds, (double)o->nr_bytes / seconds, o->nr_lost);
}

static void put_load(const struct overhead *o, struct zwb_buf *text)
{
	if (!o->load) {
		zwb_buf_addf(text, "load: command\n");
		return;
	}
	zwb_buf_addf(text,
		"load: built-in, %llu MiB of memory for %llu MiB, %" PRIu64 " touches, seed %d\n",
		ZWB_LOAD_MEMORY_BYTES >> 20, ZWB_LOAD_TOUCH_BYTES >> 20, zwb_load_touches(o->load),
		LOAD_SEED);
}

static void count_traced(struct overhead *o, const struct zwb_capture_result *result)
{
	o->run.cpu_ns = result->command_cpu_ns;
	o->runs[o->place] = o->run;
	o->traced_ns += o->run.elapsed_ns;
	o->nr_events += result->totals.nr_read;
	o->nr_lost += result->totals.nr_lost;
	o->nr_bytes += result->recorder.nr_pages * result->page_bytes;
}

/* The last run's file gets the figures, its own among them, before it is whole. */
static int put_facts(void *arg, const struct zwb_capture_result *result,
	struct zwb_markers *markers, struct zwb_err *err)
{
	struct overhead *o = arg;
	struct zwb_buf text = { 0 };
	int ret;

	count_traced(o, result);
	if (!o->is_last)
		return ZWB_OK;
	zwb_buf_addf(&text, "events: %s\npairs: %zu\n",
		zwb_level_name((enum zwb_level)o->args.level), o->nr_pairs);
	put_load(o, &text);
	put_events(o, &text);
	zwb_overhead_put(o->runs, o->nr_pairs, &text);
	ret = zwb_markers_add(markers, zwb_clock_ns(CLOCK_MONOTONIC), ZWB_PHASE_END,
		"facts overhead", &text, err);
	zwb_buf_release(&text);
	return ret;
}

static int check_end(int has_ended, int status, struct zwb_err *err)
{
	if (!has_ended)
		return zwb_err_set(err, ZWB_EENV, 0, "a signal ended the measurement");
	if (WIFSIGNALED(status))
		return zwb_err_set(err, ZWB_EENV, 0,
			"a run was killed by signal %d (%s); is there swap enough?",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		return zwb_err_set(err, ZWB_EENV, 0,
			"a run ended with status %d; only those that succeed can be compared",
			WEXITSTATUS(status));
	return ZWB_OK;
}

/* Return: 1 when the child has ended, 0 when a signal wants us to end. */
static int wait_for(const struct overhead *o, struct zwb_child *child)
{
	while (!zwb_child_check(child)) {
		int signal = sigwaitinfo(&o->signals, NULL);

		if (signal > 0 && signal != SIGCHLD)
			return 0;
	}
	return 1;
}

static int run_without(struct overhead *o, struct zwb_err *err)
{
	const struct zwb_child_job job = { .argv = o->argv, .work = o->watch.work, .arg = o };
	struct zwb_child child;
	int ret = zwb_child_fork(&child, &job, &o->old_signals, err);
	int has_ended = 0;

	if (ret)
		return ret;
	ret = begin(o, err);
	if (!ret)
		ret = zwb_child_go(&child, err);
	if (!ret) {
		has_ended = wait_for(o, &child);
		ret = end(o, err);
	}
	if (!ret)
		ret = check_end(has_ended, child.status, err);
	o->run.cpu_ns = child.cpu_ns;
	o->runs[o->place] = o->run;
	zwb_child_release(&child);
	return ret;
}

static int run_with(struct overhead *o, struct zwb_err *err)
{
	struct zwb_capture_result result;
	struct zwb_err why = { 0 };
	int ret = zwb_capture_run(o->command, &o->args, o->argv, &result, err);

	if (ret)
		return ret;
	ret = check_end(result.command_has_ended, result.command_status, &why);
	if (ret || !o->is_last)
		unlink(o->args.output);
	if (ret && err)
		*err = why;
	return ret;
}

/* ---- all of them ---- */

static void show(const struct overhead *o, size_t nr_done, int is_with)
{
	if (!o->args.quiet)
		fprintf(stderr, "%s: run %zu of %zu, %s capture: %.2f s\n", o->command, nr_done,
			2 * o->nr_pairs, is_with ? "with" : "without",
			(double)o->run.elapsed_ns / 1e9);
}

/* A run that is not counted: it finds empty caches, and shows how fast the machine is. */
static int warm_up(struct overhead *o, struct zwb_err *err)
{
	double touches;
	int ret;

	if (o->load)
		zwb_load_set_touches(o->load, FIRST_TOUCHES);
	ret = run_without(o, err);
	if (ret || !o->load)
		return ret;
	touches = FIRST_TOUCHES * (double)o->args.duration_ns / (double)(o->run.elapsed_ns + 1);
	if (touches < 1)
		touches = 1;
	zwb_load_set_touches(o->load, touches < MAX_TOUCHES ? (uint64_t)touches : MAX_TOUCHES);
	o->args.duration_ns = 0;
	return ZWB_OK;
}

/* Without, with, with, without ...: so that a drift cancels out. The last one is with. */
static int run_all(struct overhead *o, struct zwb_err *err)
{
	int ret = warm_up(o, err);

	for (size_t i = 0; i < 2 * o->nr_pairs && !ret; i++) {
		size_t pair = i / 2;
		size_t is_with = (i + o->nr_pairs - 1 - pair) % 2;

		o->place = 2 * pair + is_with;
		o->is_last = i + 1 == 2 * o->nr_pairs;
		ret = is_with ? run_with(o, err) : run_without(o, err);
		if (!ret)
			show(o, i + 1, (int)is_with);
	}
	return ret;
}

static void print_figures(const struct overhead *o)
{
	struct zwb_overhead_row row;
	double seconds = (double)o->traced_ns / 1e9;

	printf("%-31s%21s%21s   change (95 %%)\n", "", "without (sd)", "with (sd)");
	for (enum zwb_overhead_metric i = 0; i < ZWB_OVERHEAD_NR; i++) {
		zwb_overhead_compare(o->runs, o->nr_pairs, i, &row);
		printf("%-31s", zwb_overhead_name(i));
		if (isnan(row.mean[0]) || isnan(row.mean[1])) {
			printf("%21s%21s\n", "not counted", "not counted");
			continue;
		}
		for (int j = 0; j < 2; j++)
			printf("%12.2f (%6.2f)", row.mean[j], row.sd[j]);
		if (isnan(row.change))
			printf("   -\n");
		else
			printf("   %+.1f %% (%+.1f to %+.1f)\n", row.change * 100, row.low * 100,
				row.high * 100);
	}
	printf("%zu pairs of runs, --events %s: %.0f events/s, %.0f bytes/s, %" PRIu64 " lost\n",
		o->nr_pairs, zwb_level_name((enum zwb_level)o->args.level),
		(double)o->nr_events / seconds, (double)o->nr_bytes / seconds, o->nr_lost);
}

static int prepare(struct overhead *o, struct zwb_err *err)
{
	const struct zwb_host_config config = { 0 };
	int ret;

	if (!o->args.force && access(o->args.output, F_OK) == 0)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "%s exists; --force replaces it", o->args.output);
	o->runs = calloc(o->nr_pairs, 2 * sizeof(*o->runs));
	if (!o->runs)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the figures of runs");
	ret = zwb_host_open(&o->host, &config, err);
	if (!ret && !o->argv[0])
		ret = zwb_load_open(&o->load, "", LOAD_SEED, err);
	return ret;
}

int zwb_capture_overhead(const char *command, const struct zwb_capture_args *args,
	char *const *argv, size_t nr_pairs, struct zwb_err *err)
{
	struct overhead o = {
		.command = command, .args = *args, .argv = argv, .nr_pairs = nr_pairs
	};
	struct zwb_err closing = { 0 };
	int ret, closed;

	sigemptyset(&o.signals);
	sigaddset(&o.signals, SIGINT);
	sigaddset(&o.signals, SIGTERM);
	sigaddset(&o.signals, SIGHUP);
	sigaddset(&o.signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &o.signals, &o.old_signals);
	o.watch = (struct zwb_capture_watch){ .arg = &o,
		.work = argv[0] ? NULL : work,
		.signals = &o.old_signals,
		.begin = begin,
		.end = end,
		.put_facts = put_facts };
	o.args.watch = &o.watch;
	ret = prepare(&o, err);
	if (!ret)
		ret = run_all(&o, err);
	if (!ret)
		print_figures(&o);
	closed = zwb_load_close(o.load, &closing);
	if (closed && !ret)
		*err = closing;
	else if (closed)
		zwb_print_error(command, &closing);
	zwb_host_close(o.host);
	free(o.runs);
	return ret ? ret : closed;
}
