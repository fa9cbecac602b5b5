/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error object: what went wrong, where, and what to do about it. */
#ifndef ZWB_ERR_H
#define ZWB_ERR_H

/*
 * Every fallible function of the libraries returns ZWB_OK or a negative status and, when the caller
 * gave one, fills a struct zwb_err. The text is set once where the failure is seen, with the names
 * and numbers involved; each layer above adds its context in front. Libraries never print.
 */

#define ZWB_PRINTF(fmt_index, args_index) __attribute__((format(printf, fmt_index, args_index)))

enum zwb_status {
	ZWB_OK = 0,
	ZWB_EUSAGE = -1, /* the caller asked for something that makes no sense: exit 2 */
	ZWB_EKIND = -2, /* the file is whole, but not of a kind this call can use: exit 2 */
	ZWB_EDATA = -3, /* input damaged, or events lost beyond what was allowed: exit 3 */
	ZWB_EENV = -4, /* the system refused: permission, space, missing file or feature: exit 4 */
	ZWB_ENOMEM = -5, /* no memory: exit 4 */
};

enum zwb_exit_code {
	ZWB_EXIT_OK = 0,
	ZWB_EXIT_NO = 1, /* done, and the answer is no */
	ZWB_EXIT_USAGE = 2,
	ZWB_EXIT_DATA = 3,
	ZWB_EXIT_ENV = 4,
};

#define ZWB_ERR_TEXT 512

struct zwb_err {
	int status; /* enum zwb_status */
	int sys_errno; /* errno behind it, 0 when there is none */
	char text[ZWB_ERR_TEXT];
};

/**
 * zwb_err_set() - record a failure at its origin.
 * @err: filled; may be NULL.
 * @status: negative enum zwb_status.
 * @sys_errno: errno value, or 0; when not 0 its description is appended to the text.
 * Return: @status, so that callers can write "return zwb_err_set(...)".
 */
int zwb_err_set(struct zwb_err *err, int status, int sys_errno, const char *fmt, ...)
	ZWB_PRINTF(4, 5);

#ifdef __clang_analyzer__
/* It sees one file at a time, and would take the call for one that may return ZWB_OK. */
#define zwb_err_set(err, status, ...) (zwb_err_set(err, status, __VA_ARGS__), (status))
#endif

/** zwb_err_prefix() - put context in front of the text ("CONTEXT: TEXT"); @err may be NULL. */
void zwb_err_prefix(struct zwb_err *err, const char *fmt, ...) ZWB_PRINTF(2, 3);

/** zwb_status_exit_code() - the process exit code that stands for @status. */
enum zwb_exit_code zwb_status_exit_code(int status);

#endif
