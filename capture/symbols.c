/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names that a kernel offers. */
#include "symbols.h"

#include "readfile.h"

#include <stdlib.h>
#include <string.h>

/* Compilers' suffixes of clones that still are the whole function, its arguments apart. */
static const char *const clone_suffixes[] = { ".isra.", ".constprop.", ".llvm." };

struct zwb_symbols {
	struct zwb_buf kallsyms, functions, events; /* data NULL: not readable */
};

static int symbols_read(const char *path, struct zwb_buf *buf, struct zwb_err *err)
{
	int ret = zwb_read_file(path, buf, err);

	if (ret)
		zwb_buf_release(buf);
	return ret == ZWB_EENV ? ZWB_OK : ret;
}

int zwb_symbols_load(
	const struct zwb_symbol_files *files, struct zwb_symbols **out, struct zwb_err *err)
{
	struct zwb_symbols *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the kernel's symbols");
	ret = symbols_read(files->kallsyms, &s->kallsyms, err);
	if (!ret)
		ret = symbols_read(files->functions, &s->functions, err);
	if (!ret)
		ret = symbols_read(files->events, &s->events, err);
	if (ret)
		zwb_symbols_free(s);
	else
		*out = s;
	return ret;
}

void zwb_symbols_free(struct zwb_symbols *symbols)
{
	if (!symbols)
		return;
	zwb_buf_release(&symbols->kallsyms);
	zwb_buf_release(&symbols->functions);
	zwb_buf_release(&symbols->events);
	free(symbols);
}

bool zwb_symbols_has_functions(const struct zwb_symbols *symbols)
{
	return symbols->functions.len > 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

/*
 * The next @name in @text from @at on that begins a word; what follows it may be anything. NULL: no
 * more.
 */
static const char *find_word(const struct zwb_buf *text, const char *name, const char *at)
{
	const char *begin = (const char *)text->data;

	if (!begin || name[0] == '\0')
		return NULL;
	for (at = strstr(at ? at : begin, name); at; at = strstr(at + 1, name)) {
		if (at == begin || is_blank(at[-1]))
			return at;
	}
	return NULL;
}

static const char *find_whole_word(const struct zwb_buf *text, const char *name, const char *at)
{
	size_t len = strlen(name);

	do
		at = find_word(text, name, at ? at + 1 : NULL);
	while (at && !is_blank(at[len]));
	return at;
}

bool zwb_symbols_is_known(const struct zwb_symbols *symbols, const char *name)
{
	return find_whole_word(&symbols->kallsyms, name, NULL) ||
	       find_whole_word(&symbols->functions, name, NULL);
}

bool zwb_symbols_is_renamed(const struct zwb_symbols *symbols, const char *name)
{
	const size_t nr_suffixes = sizeof(clone_suffixes) / sizeof(clone_suffixes[0]);
	const size_t len = strlen(name);
	const char *at = NULL;

	while ((at = find_word(&symbols->kallsyms, name, at ? at + 1 : NULL))) {
		for (size_t i = 0; i < nr_suffixes; i++) {
			if (strncmp(at + len, clone_suffixes[i], strlen(clone_suffixes[i])) == 0)
				return true;
		}
	}
	return false;
}

unsigned int zwb_symbols_probeable(const struct zwb_symbols *symbols, const char *name)
{
	const char *at = NULL;
	unsigned int nr = 0;

	while ((at = find_whole_word(&symbols->functions, name, at)))
		nr++;
	return nr;
}

void zwb_symbols_module(
	const struct zwb_symbols *symbols, const char *name, char *module, size_t size)
{
	const char *at = find_whole_word(&symbols->functions, name, NULL);
	size_t len;

	module[0] = '\0';
	if (!at)
		at = find_whole_word(&symbols->kallsyms, name, NULL);
	if (!at)
		return;
	at += strlen(name);
	at += strspn(at, " \t");
	if (*at != '[')
		return;
	len = strcspn(++at, "]\n");
	if (at[len] != ']' || len >= size)
		return;
	memcpy(module, at, len);
	module[len] = '\0';
}

bool zwb_symbols_has_event(const struct zwb_symbols *symbols, const char *system, const char *event)
{
	const size_t len = strlen(system);
	const char *at = NULL;

	while ((at = find_word(&symbols->events, system, at ? at + 1 : NULL))) {
		if (at[len] == ':' && strncmp(at + len + 1, event, strlen(event)) == 0 &&
			is_blank(at[len + 1 + strlen(event)]))
			return true;
	}
	return false;
}
