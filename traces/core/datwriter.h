/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes trace.dat files, version 6: trace-cmd.dat.v6(5). */
#ifndef ZWB_DATWRITER_H
#define ZWB_DATWRITER_H

#include "anon.h"
#include "err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The file begins with everything that describes the recording and ends with the pages of the
 * kernel's ring buffer, all of one CPU after all of the CPU before. What describes the recording
 * (names of tasks, statistics) is complete only when the recording is over, and the CPUs fill up
 * side by side. So the descriptions are collected in memory, the pages go to a sparse file beside
 * the output, and finish() puts the parts together: memory does not grow with the recording, the
 * disk holds it twice for a moment.
 *
 * The sparse file is nameless, or with has_partial called OUTPUT.partial. Then each flush() makes
 * it a trace.dat of its own, up to there: what is left of a recorder that was killed.
 *
 * Pages are written as they are; zwb_datpage_*() makes pages from events, the kernel from its own.
 * Numbers are in the byte order of this machine and "long" has the size it has here. After a
 * failure the only thing left to do with a writer is to abort it.
 */
struct zwb_datwriter;

struct zwb_datwriter_config {
	uint32_t nr_cpus; /* 1 to 65536; each has an entry in the file, with pages or without */
	uint32_t page_bytes; /* of the ring buffer: a power of two, 4096 to 65536 */
	const char *clock; /* what the time stamps are: "mono", "local" ... */
	int has_partial; /* not where the output is written in place: a device, a pipe */
	/*
	 * Names and addresses are hidden by this before anything is written (scrub.h); NULL: not.
	 * Formats come before the pages then, names of tasks in whole lines, and symbols and
	 * printk formats are left out. Copied.
	 */
	const struct zwb_anon *anon;
};

/* The text parts of the file, by the tracefs file that they are copies of. */
enum zwb_dat_text {
	ZWB_DAT_HEADER_PAGE, /* events/header_page; one for page_bytes is made when none is given */
	ZWB_DAT_HEADER_EVENT, /* events/header_event; made when none is given */
	ZWB_DAT_KALLSYMS, /* /proc/kallsyms */
	ZWB_DAT_PRINTK, /* printk_formats */
	ZWB_DAT_CMDLINES, /* saved_cmdlines: "PID COMM" a line */
	ZWB_DAT_NR_TEXTS
};

/* Options that are texts. The clock is written by open(). */
enum zwb_dat_option {
	ZWB_DAT_OPTION_CPUSTAT = 2, /* the stats file of one CPU; one option per CPU, in order */
	ZWB_DAT_OPTION_TRACECLOCK = 4, /* "[mono]" */
	ZWB_DAT_OPTION_UNAME = 5, /* "Linux HOST RELEASE MACHINE" */
	ZWB_DAT_OPTION_VERSION = 9, /* of the program that recorded */
};

/*
 * A version that flush() gives a partial file beside the others. It says that between the CPUs'
 * regions there are holes, and perhaps pages that came after the flush.
 */
#define ZWB_DAT_UNFINISHED "unfinished"

/**
 * zwb_datwriter_open() - start a trace.dat.
 * @writer: set to the new writer.
 * @path: file to write; it appears when finish() succeeds (struct zwb_outfile).
 * @force: replace an existing file.
 * @config: borrowed for the call.
 * Return: ZWB_OK; ZWB_EUSAGE for an impossible @config or an existing file, be it the partial one;
 * ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_datwriter_open(struct zwb_datwriter **writer, const char *path, int force,
	const struct zwb_datwriter_config *config, struct zwb_err *err);

/** zwb_datwriter_text() - append to one of the text parts. Return: ZWB_OK or ZWB_ENOMEM. */
int zwb_datwriter_text(struct zwb_datwriter *w, enum zwb_dat_text part, const void *text,
	size_t len, struct zwb_err *err);

/**
 * zwb_datwriter_format() - add the format of one event.
 * @system: its group, the folder under tracefs events/; "ftrace" for those of the tracer itself.
 * @text: what the event's "format" file says.
 * Return: ZWB_OK; ZWB_ENOMEM; with an anonymiser ZWB_EDATA when @text is no format.
 */
int zwb_datwriter_format(struct zwb_datwriter *w, const char *system, const void *text, size_t len,
	struct zwb_err *err);

/** zwb_datwriter_option() - add an option. Return: ZWB_OK or ZWB_ENOMEM. */
int zwb_datwriter_option(
	struct zwb_datwriter *w, enum zwb_dat_option option, const char *text, struct zwb_err *err);

/**
 * zwb_datwriter_pages() - append ring-buffer pages of one CPU. Several threads may do so, each for
 * CPUs of its own, and beside flush().
 * @cpu: less than nr_cpus.
 * @pages: @nr_pages of page_bytes each.
 * Return: ZWB_OK; ZWB_EENV when they cannot be written.
 */
int zwb_datwriter_pages(struct zwb_datwriter *w, uint32_t cpu, const void *pages, size_t nr_pages,
	struct zwb_err *err);

/**
 * zwb_datwriter_flush() - make the partial file whole up to here; nothing without one. Texts,
 * formats and options that are added after the first flush are in the finished file only.
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_datwriter_flush(struct zwb_datwriter *w, struct zwb_err *err);

/**
 * zwb_datwriter_finish() - put the file together under its name. The writer is freed, and on
 * failure nothing is left behind but the partial file, flushed if possible.
 * Return: ZWB_OK; ZWB_EENV; ZWB_EUSAGE if the name was taken meanwhile; ZWB_ENOMEM.
 */
int zwb_datwriter_finish(struct zwb_datwriter *w, struct zwb_err *err);

/** zwb_datwriter_abort() - give up: free the writer and leave no file; NULL allowed. */
void zwb_datwriter_abort(struct zwb_datwriter *w);

/**
 * zwb_datwriter_nr_erased() - events that the anonymiser could not understand and made unreadable;
 * 0 without one.
 */
uint64_t zwb_datwriter_nr_erased(const struct zwb_datwriter *w);

/** zwb_datwriter_page_bytes() - as configured. */
uint32_t zwb_datwriter_page_bytes(const struct zwb_datwriter *w);

/** zwb_datwriter_nr_cpus() - as configured. */
uint32_t zwb_datwriter_nr_cpus(const struct zwb_datwriter *w);

#endif
