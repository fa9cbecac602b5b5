/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One capture, from the first probe to the whole file. */
#include "capture_run.h"

#include "clock.h"

#include "capture_priv.h"
#include "common.h"
#include "kernel.h"
#include "outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S       1000000000ull
#define NS_PER_MS      1000000ull
#define FLUSH_NS       NS_PER_S
#define BUFFER_MIN     (512ull << 10)
#define BUFFER_PART_OF 32u /* of the machine's memory, for the buffers of all CPUs */

enum { SIGNALS, RECORDER, FIRST_TRIGGER }; /* what is polled */

/*
 * Events are some 50 bytes. A CPU that records 100,000 a second fills what is left of a half full
 * buffer of 16 MiB in 1.7 seconds: as long may the reader be kept from reading.
 */
static uint64_t default_buffer_bytes(int level)
{
	static const uint64_t by_level[ZWB_LEVEL_NR] = { 4ull << 20, 16ull << 20, 32ull << 20 };
	long pages = sysconf(_SC_PHYS_PAGES);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes = by_level[level];
	uint64_t limit = UINT64_MAX;

	if (pages > 0 && cpus > 0)
		limit = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) / BUFFER_PART_OF /
			(uint64_t)cpus;
	if (bytes > limit)
		bytes = limit;
	return bytes < BUFFER_MIN ? BUFFER_MIN : bytes;
}

/* Signals are read from a descriptor from here on, so that none is missed. */
static int open_signals(struct capture *c, struct zwb_err *err)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	if (c->args->flight_bytes)
		sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, &c->old_signals);
	c->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signal_fd < 0 ? zwb_err_set(err, ZWB_EENV, errno, "signalfd") : ZWB_OK;
}

/* The events that this kernel has, in a session. */
static int open_session(struct capture *c, struct zwb_err *err)
{
	struct zwb_plan_wish wish = { .level = (enum zwb_level)c->args->level,
		.cgroup_ids = c->cgroup_ids,
		.nr_cgroup_ids = c->nr_cgroup_ids };
	struct zwb_session_config config = { .pid = c->args->pid };
	struct zwb_kernel *kernel;
	struct zwb_plan plan = { 0 };
	int ret = zwb_kernel_load(NULL, &kernel, err);

	if (ret)
		return ret;
	if (c->args->flight_bytes)
		c->result->buffer_bytes = c->args->flight_bytes;
	else if (c->args->buffer_bytes)
		c->result->buffer_bytes = c->args->buffer_bytes;
	else
		c->result->buffer_bytes = default_buffer_bytes(c->args->level);
	config.buffer_bytes = c->result->buffer_bytes;
	config.plan = &plan;
	ret = zwb_kernel_check(kernel, err);
	if (!ret)
		ret = zwb_plan_make(kernel, &wish, &plan, err);
	if (!ret && plan.nr_missing)
		ret = zwb_err_set(err, ZWB_EENV, 0,
			"%zu things that every replay needs cannot be recorded on this "
			"kernel; \"zwb doctor\" names them",
			plan.nr_missing);
	if (!ret)
		ret = zwb_session_open(&c->session, &config, err);
	zwb_plan_release(&plan);
	zwb_kernel_free(kernel);
	return ret;
}

static int open_cgroup(struct capture *c, struct zwb_err *err)
{
	int ret = zwb_cgroup_find("", c->args->cgroup, &c->cgroup, err);

	if (!ret)
		ret = zwb_cgroup_ids(&c->cgroup, &c->cgroup_ids, &c->nr_cgroup_ids, err);
	return ret;
}

static void warn_of_refusals(struct capture *c)
{
	size_t nr;
	const struct zwb_refusal *refusals = zwb_session_refusals(c->session, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (!refusals[i].is_replaced)
			zwb_print_warning(c->command, "%s is not recorded: %s", refusals[i].event,
				refusals[i].why);
	}
}

const struct zwb_anon *capture_anon(const struct capture *c)
{
	return c->args->anonymise ? &c->anon : NULL;
}

/* Counters are taken as close to the events as can be: last before them, first after them. */
static int put_host(struct capture *c, enum zwb_phase phase, struct zwb_err *err)
{
	int ret = ZWB_OK;

	if (phase == ZWB_PHASE_START)
		ret = zwb_host_facts(c->host, phase, c->file.markers, err);
	if (!ret)
		ret = zwb_host_sample(c->host, phase, c->file.markers, err);
	if (!ret && phase == ZWB_PHASE_END)
		ret = zwb_host_facts(c->host, phase, c->file.markers, err);
	if (!ret)
		ret = zwb_markers_flush(c->file.markers, err);
	return ret;
}

static int fork_child(struct capture *c, char *const *argv, struct zwb_err *err)
{
	const struct zwb_capture_watch *watch = c->args->watch;
	struct zwb_child_job job = { .argv = argv };

	if (watch) {
		job.work = watch->work;
		job.arg = watch->arg;
	}
	return zwb_child_fork(&c->child, &job, watch ? watch->signals : &c->old_signals, err);
}

/* What can be wrong with what was asked for; before anything is changed. */
static int check_wish(struct capture *c, struct zwb_err *err)
{
	struct zwb_outfile out;
	int ret = ZWB_OK;

	if (!c->args->flight_bytes) {
		ret = zwb_outfile_open(&out, c->args->output, c->args->force, err);
		if (!ret)
			zwb_outfile_abort(&out);
	}
	if (!ret && c->args->anonymise)
		ret = zwb_anon_open(&c->anon, c->args->secret, err);
	if (!ret && c->args->cgroup)
		ret = open_cgroup(c, err);
	return ret ? ret : capture_flight_arm(c, err);
}

/*
 * A recorder that is swapped out would record itself. Where that is not permitted it may be: under
 * a limit, to lock what is to come would make allocations fail.
 */
static void stay_in_memory(void)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &unlimited) == 0)
		(void)mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

static int open_file(struct capture *c, struct zwb_err *err)
{
	const struct zwb_recording_config config = {
		.path = c->args->output,
		.force = c->args->force,
		.has_partial = 1,
		.has_all = 1,
		.anon = capture_anon(c),
	};
	int ret = zwb_recording_open(&c->file, &config, c->session, err);

	if (!ret)
		ret = zwb_recording_put(&c->file, ZWB_PHASE_START, &c->facts, err);
	return ret ? ret : put_host(c, ZWB_PHASE_START, err);
}

/* Everything that can fail, with nothing recorded yet. */
static int prepare(struct capture *c, char *const *argv, struct zwb_err *err)
{
	struct zwb_host_config host = { .anon = capture_anon(c) };
	int ret = check_wish(c, err);

	if (!ret)
		ret = open_signals(c, err);
	if (!ret && c->result->has_command)
		ret = fork_child(c, argv, err);
	host.cgroup = c->cgroup.path;
	if (!ret)
		ret = zwb_host_open(&c->host, &host, err);
	if (!ret)
		ret = open_session(c, err);
	if (ret)
		return ret;
	warn_of_refusals(c);
	c->result->page_bytes = zwb_session_page_bytes(c->session);
	ret = capture_facts_begin(c, err);
	if (ret)
		return ret;
	stay_in_memory();
	ret = c->args->flight_bytes ? capture_flight_open(c, err) : open_file(c, err);
	/* Who watches will want another capture, with all that takes. */
	return ret || c->args->watch ? ret : capture_drop_privileges(err);
}

static int begin(struct capture *c, struct zwb_err *err)
{
	const struct zwb_recorder_config config = {
		.fds = zwb_session_fds(c->session),
		.nr_cpus = zwb_session_nr_cpus(c->session),
		.buffer_bytes = c->result->buffer_bytes,
		.flush_ns = FLUSH_NS,
		.writer = c->file.writer,
	};
	int ret = c->flight ? ZWB_OK : zwb_recorder_start(&c->recorder, &config, err);

	if (!ret)
		ret = zwb_session_switch(c->session, 1, err);
	if (!ret && c->args->watch)
		ret = c->args->watch->begin(c->args->watch->arg, err);
	if (!ret && c->child.pid)
		ret = zwb_child_go(&c->child, err);
	return ret;
}

static void take_signals(struct capture *c)
{
	struct signalfd_siginfo info;

	while (read(c->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			c->is_over |= zwb_child_check(&c->child);
		else if (info.ssi_signo == SIGUSR1)
			capture_flight_save(c, "SIGUSR1");
		else
			c->is_over = 1;
	}
}

static int take_sample(struct capture *c, struct zwb_err *err)
{
	return c->flight ? zwb_flight_sample(c->flight, err) : put_host(c, ZWB_PHASE_SAMPLE, err);
}

static int wait_ms(uint64_t now, uint64_t until)
{
	uint64_t ms = until > now ? (until - now) / NS_PER_MS + 1 : 0;

	return ms > 1000000 ? 1000000 : (int)ms;
}

/* The signals, the recorder's failure, and the triggers. Return: NULL: no memory. */
static struct pollfd *make_polls(const struct capture *c)
{
	size_t nr = c->args->triggers.nr;
	struct pollfd *polls = calloc(FIRST_TRIGGER + nr, sizeof(*polls));

	if (!polls)
		return NULL;
	polls[SIGNALS] = (struct pollfd){ .fd = c->signal_fd, .events = POLLIN };
	polls[RECORDER] = (struct pollfd){ .fd = c->recorder ? zwb_recorder_fd(c->recorder) : -1,
		.events = POLLIN };
	return polls;
}

/* Wait for one of them until a time. Return: as poll(). */
static int wait_for(struct capture *c, struct pollfd *polls, uint64_t now, uint64_t until)
{
	size_t nr = c->args->triggers.nr;
	int ret;

	for (size_t i = 0; i < nr; i++)
		polls[FIRST_TRIGGER + i] = c->triggers[i];
	ret = poll(polls, FIRST_TRIGGER + nr, wait_ms(now, until));
	for (size_t i = 0; i < nr && ret > 0; i++)
		c->triggers[i].revents = polls[FIRST_TRIGGER + i].revents;
	return ret;
}

static int loop(struct capture *c, struct pollfd *polls, struct zwb_err *err)
{
	uint64_t now = zwb_clock_ns(CLOCK_MONOTONIC);
	uint64_t end_ns = c->args->duration_ns ? now + c->args->duration_ns : UINT64_MAX;
	uint64_t sample_ns = now + c->args->interval_ns;
	int ret = ZWB_OK;

	while (!ret && !c->is_over && now < end_ns) {
		if (wait_for(c, polls, now, sample_ns < end_ns ? sample_ns : end_ns) < 0 &&
			errno != EINTR)
			return zwb_err_set(err, ZWB_EENV, errno, "poll");
		take_signals(c);
		capture_flight_check(c);
		if (polls[RECORDER].revents)
			break; /* its stop() says why */
		now = zwb_clock_ns(CLOCK_MONOTONIC);
		if (now >= sample_ns && now < end_ns) {
			ret = take_sample(c, err);
			sample_ns += c->args->interval_ns;
			if (sample_ns < now) /* too slow for the interval */
				sample_ns = now + c->args->interval_ns;
		}
	}
	return ret;
}

static int put_end(struct capture *c, struct zwb_err *err)
{
	const struct zwb_capture_watch *watch = c->args->watch;
	int ret = put_host(c, ZWB_PHASE_END, err);

	if (!ret)
		ret = capture_facts_end(c, err);
	if (!ret && watch)
		ret = watch->put_facts(watch->arg, c->result, c->file.markers, err);
	return ret ? ret : zwb_markers_flush(c->file.markers, err);
}

/* What was recorded becomes a file, also after a failure. */
static int finish(struct capture *c, int failed, struct zwb_err *err)
{
	struct zwb_err more = { 0 };
	struct stat st;
	int ret = zwb_recorder_stop(c->recorder, &c->result->recorder, failed ? NULL : err);

	if (failed)
		ret = failed;
	(void)zwb_session_totals(c->session, &c->result->totals, NULL);
	if (!ret)
		ret = put_end(c, err);
	c->result->nr_erased = zwb_datwriter_nr_erased(c->file.writer);
	if (zwb_recording_finish(&c->file, ret ? &more : err)) {
		if (ret)
			zwb_print_error(c->command, &more);
		zwb_print_warning(c->command,
			"what was recorded is in %s.partial, which zwb import reads",
			c->args->output);
		return ret ? ret : err->status;
	}
	if (ret)
		zwb_print_warning(
			c->command, "what was recorded until then is in %s", c->args->output);
	if (stat(c->args->output, &st) == 0)
		c->result->file_bytes = (uint64_t)st.st_size;
	return ret;
}

static int record(struct capture *c, struct zwb_err *err)
{
	uint64_t start_ns = zwb_clock_ns(CLOCK_MONOTONIC);
	struct pollfd *polls = NULL;
	int ret = begin(c, err);

	if (!ret) {
		polls = make_polls(c);
		ret = polls ? loop(c, polls, err)
			    : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the recorder");
		free(polls);
	} else {
		(void)zwb_session_switch(c->session, 0, NULL);
		zwb_recorder_stop(c->recorder, NULL, NULL);
		return ret;
	}
	c->result->elapsed_ns = zwb_clock_ns(CLOCK_MONOTONIC) - start_ns;
	c->result->command_has_ended = zwb_child_check(&c->child);
	c->result->command_status = c->child.status;
	c->result->command_cpu_ns = c->child.cpu_ns;
	if (!ret && c->args->watch)
		ret = c->args->watch->end(c->args->watch->arg, err);
	(void)zwb_session_switch(c->session, 0, NULL);
	return c->flight ? ret : finish(c, ret, err);
}

int zwb_capture_run(const char *command, const struct zwb_capture_args *args, char *const *argv,
	struct zwb_capture_result *result, struct zwb_err *err)
{
	struct capture c = {
		.command = command,
		.args = args,
		.result = result,
		.child = { .go_fd = -1, .exec_fd = -1 },
		.signal_fd = -1,
	};
	struct zwb_err closing = { 0 };
	int ret, closed;

	*result = (struct zwb_capture_result){ .has_command = argv[0] ||
							      (args->watch && args->watch->work) };
	ret = prepare(&c, argv, err);
	if (!ret)
		ret = record(&c, err);
	zwb_recording_abort(&c.file);
	capture_flight_close(&c);
	zwb_host_close(c.host);
	closed = zwb_session_close(c.session, &closing);
	if (closed && !ret)
		*err = closing;
	else if (closed)
		zwb_print_error(command, &closing);
	zwb_child_release(&c.child);
	zwb_cgroup_release(&c.cgroup);
	free(c.cgroup_ids);
	zwb_buf_release(&c.facts);
	if (c.signal_fd >= 0)
		close(c.signal_fd);
	return ret ? ret : closed;
}
