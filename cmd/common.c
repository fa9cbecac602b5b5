/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages and the progress meter. */
#include "common.h"

#include "clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_SECOND	 UINT64_C(1000000000)
#define SHOW_INTERVAL_NS (NS_PER_SECOND / 5)

void zwb_put_text(FILE *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c < 0x20 || *c == 0x7f)
			fprintf(out, "\\x%02x", *c);
		else
			putc(*c, out);
	}
}

int zwb_print_error(const char *command, const struct zwb_err *err)
{
	fprintf(stderr, "%s: ", command);
	zwb_put_text(stderr, err->text);
	putc('\n', stderr);
	return (int)zwb_status_exit_code(err->status);
}

void zwb_print_warning(const char *command, const char *fmt, ...)
{
	char text[sizeof(((struct zwb_err *)0)->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s: warning: ", command);
	zwb_put_text(stderr, text);
	putc('\n', stderr);
}

int zwb_check_output(char *const *inputs, int nr_inputs, const char *output, struct zwb_err *err)
{
	struct stat in, out;

	if (!output || stat(output, &out))
		return ZWB_OK;
	for (int i = 0; i < nr_inputs; i++) {
		if (stat(inputs[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return zwb_err_set(err, ZWB_EUSAGE, 0,
				"the output %s is the input %s, which it would destroy", output,
				inputs[i]);
	}
	return ZWB_OK;
}

void zwb_progress_init(
	struct zwb_progress *p, const char *what, const char *unit, uint64_t total, int quiet)
{
	*p = (struct zwb_progress){
		.what = what,
		.unit = unit,
		.total = total,
		.is_on = !quiet && isatty(STDERR_FILENO),
	};
	if (p->is_on)
		p->start_ns = p->shown_ns = zwb_clock_ns(CLOCK_MONOTONIC);
}

void zwb_progress_update(struct zwb_progress *p, uint64_t done)
{
	uint64_t now;
	double elapsed, rate;

	if (!p->is_on)
		return;
	now = zwb_clock_ns(CLOCK_MONOTONIC);
	if (now - p->shown_ns < SHOW_INTERVAL_NS)
		return;
	p->shown_ns = now;
	elapsed = (double)(now - p->start_ns) / (double)NS_PER_SECOND;
	rate = (double)done / elapsed;
	fprintf(stderr, "\r%s: %" PRIu64 " %s, %.3g/s", p->what, done, p->unit, rate);
	if (p->total && done && done <= p->total)
		fprintf(stderr, ", %.0f %%, %.0f s left", 100.0 * (double)done / (double)p->total,
			(double)(p->total - done) / rate);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void zwb_progress_finish(struct zwb_progress *p)
{
	if (!p->is_on)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->is_on = 0;
}
