/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka, with the headers that it wants in front, in the order that it wants. */
#ifndef ZWB_TEST_H
#define ZWB_TEST_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#ifdef __clang_analyzer__
/* It cannot know that this does not return. */
#include <stdlib.h>
#undef fail_msg
#define fail_msg(...) abort()
#endif

#define ZWB_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
