/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture says about itself when it is over. */
#include "capture_run.h"
#include "common.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define BUFFER_SANE (4ull << 30)

static void print_bytes(FILE *out, double bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
	size_t unit = 0;

	for (; bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		bytes /= 1024;
	fprintf(out, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static void print_command(const char *command, const struct zwb_capture_result *r)
{
	if (!r->has_command)
		return;
	if (!r->command_has_ended)
		fprintf(stderr, "%s: the command goes on running\n", command);
	else if (WIFSIGNALED(r->command_status))
		fprintf(stderr, "%s: the command was killed by signal %d (%s)\n", command,
			WTERMSIG(r->command_status), strsignal(WTERMSIG(r->command_status)));
	else
		fprintf(stderr, "%s: the command ended with status %d\n", command,
			WEXITSTATUS(r->command_status));
}

/*
 * With room for everything that its worst CPU lost, at the size that events had on average, a
 * buffer would have overflowed at no time: more than enough.
 */
static uint64_t better_buffer(const struct zwb_capture_result *r)
{
	uint64_t read_bytes = r->recorder.nr_pages * r->page_bytes;
	double event_bytes =
		r->totals.nr_read ? (double)read_bytes / (double)r->totals.nr_read : 64;
	double want = (double)r->buffer_bytes + (double)r->totals.max_lost * event_bytes;
	uint64_t bytes = r->buffer_bytes;

	while ((double)bytes < want && bytes < BUFFER_SANE)
		bytes *= 2;
	return bytes;
}

static void warn_of_losses(const char *command, const struct zwb_capture_result *r)
{
	uint64_t bytes = better_buffer(r);

	if (!r->totals.nr_lost)
		return;
	zwb_print_warning(command,
		"%" PRIu64 " events were lost, %" PRIu64 " of them by one CPU, with buffers of "
		"%" PRIu64 "K; --buffer %" PRIu64 "M or fewer --events avoid that. The buffers "
		"were not looked at for %.2f s once",
		r->totals.nr_lost, r->totals.max_lost, r->buffer_bytes >> 10,
		(bytes + (1 << 20) - 1) >> 20, (double)r->recorder.max_gap_ns / 1e9);
}

void zwb_capture_print(const char *command, const struct zwb_capture_args *args,
	const struct zwb_capture_result *r)
{
	double seconds = (double)r->elapsed_ns / 1e9;
	double rate = seconds > 0 ? 1 / seconds : 0;

	if (!args->flight_bytes)
		warn_of_losses(command, r);
	if (r->nr_erased)
		zwb_print_warning(command,
			"%" PRIu64 " events or parts of pages could not be understood, and were "
			"made unreadable for --anonymise",
			r->nr_erased);
	if (args->quiet)
		return;
	print_command(command, r);
	if (args->flight_bytes) {
		fprintf(stderr, "%s: %" PRIu64 " files saved in %.0f s\n", command, r->nr_saves,
			seconds);
		return;
	}
	fprintf(stderr, "%s: ", command);
	zwb_put_text(stderr, args->output);
	fprintf(stderr, ": %" PRIu64 " events in %.2f s (%.0f/s), %" PRIu64 " lost, ",
		r->totals.nr_read, seconds, (double)r->totals.nr_read * rate, r->totals.nr_lost);
	print_bytes(stderr, (double)r->file_bytes);
	fputs(" (", stderr);
	print_bytes(stderr, (double)r->file_bytes * rate);
	fputs("/s)\n", stderr);
}
