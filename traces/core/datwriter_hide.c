/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace.dat writer with an anonymiser does to each part of the file. */
#include "datwriter_hide.h"

#include "scrub.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define COMM_BYTES 16

struct zwb_dathide {
	struct zwb_anon anon;
	struct zwb_scrub *scrub;
	size_t page_bytes;
	atomic_uint_fast64_t nr_erased;
};

int zwb_dathide_create(struct zwb_dathide **hide, const struct zwb_anon *anon, size_t page_bytes,
	struct zwb_err *err)
{
	struct zwb_dathide *h = calloc(1, sizeof(*h));
	int ret;

	if (!h)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	h->anon = *anon;
	h->page_bytes = page_bytes;
	ret = zwb_scrub_create(&h->scrub, anon, page_bytes, err);
	if (ret)
		free(h);
	else
		*hide = h;
	return ret;
}

void zwb_dathide_free(struct zwb_dathide *hide)
{
	if (hide)
		zwb_scrub_free(hide->scrub);
	free(hide);
}

int zwb_dathide_format(struct zwb_dathide *hide, const char *system, const void *text, size_t len,
	struct zwb_err *err)
{
	char *copy;
	int ret;

	copy = strndup(text, len);
	if (!copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	if (strcmp(system, "ftrace") == 0)
		ret = zwb_scrub_trust(hide->scrub, system, copy, err);
	else
		ret = zwb_scrub_format(hide->scrub, system, copy, err);
	free(copy);
	return ret;
}

void zwb_dathide_cmdlines(
	const struct zwb_dathide *hide, const char *text, size_t len, struct zwb_buf *out)
{
	const char *end = text + len;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;
		const char *blank = memchr(text, ' ', (size_t)(line_end - text));
		char comm[COMM_BYTES + 1] = "";

		if (blank) {
			size_t bytes = (size_t)(line_end - blank - 1);

			memcpy(comm, blank + 1, bytes < COMM_BYTES ? bytes : COMM_BYTES);
			zwb_anon_comm(&hide->anon, comm);
			zwb_buf_add(out, text, (size_t)(blank + 1 - text));
			zwb_buf_addf(out, "%s\n", comm);
		}
		text = newline ? newline + 1 : end;
	}
}

void zwb_dathide_uname(const struct zwb_dathide *hide, const char *text, struct zwb_buf *out)
{
	size_t name = strcspn(text, " ");
	const char *host = text + name + strspn(text + name, " ");
	size_t len = strcspn(host, " ");

	zwb_buf_add(out, text, (size_t)(host - text));
	zwb_buf_addf(
		out, "x%012llx", (unsigned long long)zwb_anon_hash(&hide->anon, host, len) >> 16);
	zwb_buf_add(out, host + len, strlen(host + len));
}

int zwb_dathide_pages(struct zwb_dathide *hide, const void *pages, size_t nr_pages, void **copy,
	struct zwb_err *err)
{
	*copy = malloc(nr_pages * hide->page_bytes);
	if (!*copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to hide names");
	memcpy(*copy, pages, nr_pages * hide->page_bytes);
	atomic_fetch_add(&hide->nr_erased, zwb_scrub_pages(hide->scrub, *copy, nr_pages));
	return ZWB_OK;
}

uint64_t zwb_dathide_nr_erased(struct zwb_dathide *hide)
{
	return atomic_load(&hide->nr_erased);
}
