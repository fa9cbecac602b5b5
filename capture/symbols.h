/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names that a kernel offers: functions, those that can be probed, trace events. */
#ifndef ZWB_SYMBOLS_H
#define ZWB_SYMBOLS_H

#include "err.h"

#include <stdbool.h>

/*
 * The files are kept as they are and searched for whole words: a few dozen names are looked for in
 * lists of some hundred thousand.
 */

struct zwb_symbols;

/* Where the lists are; each may be missing. */
struct zwb_symbol_files {
	const char *kallsyms; /* "ADDRESS TYPE NAME [MODULE]" */
	const char *functions; /* available_filter_functions: "NAME [MODULE]" */
	const char *events; /* available_events: "SYSTEM:EVENT" */
};

/** zwb_symbols_load() - read the lists that can be read. Return: ZWB_OK; ZWB_ENOMEM. */
int zwb_symbols_load(
	const struct zwb_symbol_files *files, struct zwb_symbols **out, struct zwb_err *err);

/** zwb_symbols_free() - NULL allowed. */
void zwb_symbols_free(struct zwb_symbols *symbols);

/** zwb_symbols_has_functions() - was the list of functions that can be probed readable? */
bool zwb_symbols_has_functions(const struct zwb_symbols *symbols);

/** zwb_symbols_is_known() - is there a symbol @name? */
bool zwb_symbols_is_known(const struct zwb_symbols *symbols, const char *name);

/** zwb_symbols_is_renamed() - is there a symbol @name.SUFFIX that is the function, not a part? */
bool zwb_symbols_is_renamed(const struct zwb_symbols *symbols, const char *name);

/** zwb_symbols_probeable() - how many functions @name can be probed. */
unsigned int zwb_symbols_probeable(const struct zwb_symbols *symbols, const char *name);

/**
 * zwb_symbols_module() - the module that function @name is in; "" when built in or not known.
 * @module: room for the name; what does not fit is treated as not known.
 */
void zwb_symbols_module(
	const struct zwb_symbols *symbols, const char *name, char *module, size_t size);

/** zwb_symbols_has_event() - is there a trace event @system/@event? */
bool zwb_symbols_has_event(
	const struct zwb_symbols *symbols, const char *system, const char *event);

#endif
