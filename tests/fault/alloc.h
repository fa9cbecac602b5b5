/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations that fail when a test wants them to. */
#ifndef ZWB_FAULT_ALLOC_H
#define ZWB_FAULT_ALLOC_H

#include <stdio.h>

/* The linker sends the calls of our own code here; libraries allocate as ever. */

/** fault_alloc_after() - let @nr allocations succeed and all later ones fail; -1: none fails. */
void fault_alloc_after(long nr);

/** fault_alloc_stream() - open_memstream() that does not fail. */
FILE *fault_alloc_stream(char **text, size_t *len);

#endif
