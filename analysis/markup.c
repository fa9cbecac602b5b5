/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping for HTML and SVG. */
#include "markup.h"

#include "text.h"

#include <stdlib.h>

int zwb_markup_text(FILE *out, const char *text, struct zwb_err *err)
{
	char *safe = zwb_text_utf8(text);

	if (!safe)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	for (const char *c = safe; *c; c++) {
		switch (*c) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*c, out);
		}
	}
	free(safe);
	return ZWB_OK;
}
