/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a table in a mail. */
#include "mail.h"

#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void zwb_mail_put(struct zwb_mail_line *l, const char *fmt, ...)
{
	size_t room = sizeof(l->text) - (size_t)l->len;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(l->text + l->len, room, fmt, ap);
	va_end(ap);
	if (len > 0)
		l->len += len < ZWB_MAIL_WIDTH - l->len ? len : ZWB_MAIL_WIDTH - l->len;
}

void zwb_mail_end(struct zwb_mail_line *l, FILE *out)
{
	while (l->len > 0 && l->text[l->len - 1] == ' ')
		l->len--;
	fprintf(out, "%.*s\n", l->len, l->text);
	l->len = 0;
}

/* 1 if @name has @word between its spaces. */
static int has_word(const char *name, const char *word)
{
	size_t len = strlen(word);

	while (*name) {
		size_t here = strcspn(name, " ");

		if (here == len && memcmp(name, word, len) == 0)
			return 1;
		name += here;
		name += strspn(name, " ");
	}
	return 0;
}

char *zwb_mail_label(const struct zwb_cmp_row *row)
{
	int plain = row->unit[0] == '\0' || strcmp(row->unit, "count") == 0 ||
		    strcmp(row->unit, "ratio") == 0 || has_word(row->name, row->unit);
	char *raw = plain ? strdup(row->name) : zwb_text_printf("%s (%s)", row->name, row->unit);
	char *safe = raw ? zwb_text_ascii(raw) : NULL;

	free(raw);
	return safe;
}

int zwb_mail_piece(const char *label, int width)
{
	int len = (int)strlen(label);

	if (len <= width)
		return len;
	for (int i = width; i > 0; i--) {
		if (label[i] == ' ')
			return i;
	}
	return width;
}

void zwb_mail_rest(struct zwb_mail_line *l, FILE *out, const char *rest, int width)
{
	int len;

	for (; *rest; rest += len) {
		rest += strspn(rest, " ");
		len = zwb_mail_piece(rest, width - 2);
		zwb_mail_put(l, "  %.*s", len, rest);
		zwb_mail_end(l, out);
	}
}

int zwb_mail_text(FILE *out, const char *first, int indent, char *text, struct zwb_err *err)
{
	char *safe = text ? zwb_text_ascii(text) : NULL;

	free(text);
	if (!safe)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for the report");
	if (safe[0])
		zwb_text_wrap(out, ZWB_MAIL_WIDTH, first, indent, safe);
	free(safe);
	return ZWB_OK;
}
