/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that nothing here may call: each overflows a buffer, keeps hidden state, cannot report
 * an error, or would make two runs differ. Force-included; a call is a -Wdeprecated-declarations
 * error. Declarations and not macros, so that system headers and struct members are left alone.
 */
#ifndef ZWB_BANNED_H
#define ZWB_BANNED_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#define ZWB_BANNED(why) __attribute__((deprecated("banned: " why)))

struct tm;

ZWB_BANNED("overflows; use snprintf") char *strcpy(char *to, const char *from);
ZWB_BANNED("overflows; use snprintf") char *stpcpy(char *to, const char *from);
ZWB_BANNED("overflows; use snprintf") char *strcat(char *to, const char *from);
ZWB_BANNED("miscounts; use snprintf") char *strncat(char *to, const char *from, size_t n);
ZWB_BANNED("overflows; use snprintf") int sprintf(char *to, const char *fmt, ...);
ZWB_BANNED("overflows; use vsnprintf") int vsprintf(char *to, const char *fmt, va_list ap);
ZWB_BANNED("overflows; use fgets") char *gets(char *to);
ZWB_BANNED("hidden state; use strcspn") char *strtok(char *text, const char *separators);
ZWB_BANNED("no errors; use parse.h") int atoi(const char *text);
ZWB_BANNED("no errors; use parse.h") long atol(const char *text);
ZWB_BANNED("no errors; use parse.h") long long atoll(const char *text);
ZWB_BANNED("no errors; use parse.h") double atof(const char *text);
ZWB_BANNED("hidden state") char *ctime(const time_t *t);
ZWB_BANNED("overflows") char *ctime_r(const time_t *t, char *to);
ZWB_BANNED("hidden state") char *asctime(const struct tm *tm);
ZWB_BANNED("overflows") char *asctime_r(const struct tm *tm, char *to);
ZWB_BANNED("hidden state; use gmtime_r") struct tm *gmtime(const time_t *t);
ZWB_BANNED("hidden state; use gmtime_r") struct tm *localtime(const time_t *t);
ZWB_BANNED("race; use mkstemp") char *mktemp(char *name);
ZWB_BANNED("race; use mkstemp") char *tmpnam(char *name);
ZWB_BANNED("hidden state; runs must repeat") int rand(void);
ZWB_BANNED("hidden state; runs must repeat") long random(void);
ZWB_BANNED("hidden state; runs must repeat") double drand48(void);

#undef ZWB_BANNED

#endif
