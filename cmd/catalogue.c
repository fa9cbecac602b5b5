/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printing a catalogue as text, JSON or the source of its manual page. */
#include "catalogue.h"

#include "common.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#define CATALOGUE_SCHEMA_VERSION 1

static const char *const format_words[] = { "text", "json", "pod", NULL };
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_POD };

struct catalogue_args {
	int format;
};

static const struct zwb_option options[] = {
	ZWB_OPTION("format", 0, "FORMAT", "form of the list", choice, struct catalogue_args, format,
		.choices = format_words),
	{ 0 },
};

/* "0 to 300 %", "entry or walk". */
static void print_range(const struct zwb_param *p)
{
	if (!p->words) {
		printf("%" PRId64 " to %" PRId64 "%s%s", p->min, p->max, p->unit[0] ? " " : "",
			p->unit);
		return;
	}
	for (size_t i = 0; p->words[i]; i++)
		printf("%s%s", i ? " or " : "", p->words[i]);
}

static void print_default(const struct zwb_param *p, int64_t value)
{
	if (p->words)
		fputs(p->words[value], stdout);
	else
		printf("%" PRId64, value);
}

static void print_text_param(const struct zwb_param *p, int64_t value)
{
	printf("    %s=", p->name);
	print_default(p, value);
	printf("\n        %s (", p->help);
	print_range(p);
	puts(")");
}

static void print_text(const struct zwb_catalogue *c)
{
	struct zwb_catalogue_entry entry;

	for (size_t i = 0; c->entry(i, &entry); i++) {
		const struct zwb_catalogue_entry *e = &entry;

		printf("%s%s\n    %s\n", i ? "\n" : "", e->name, e->summary);
		for (size_t k = 0; c->shared && c->shared[k].name; k++)
			print_text_param(&c->shared[k], e->shared_defaults[k]);
		for (size_t k = 0; e->params && e->params[k].name; k++)
			print_text_param(&e->params[k], e->params[k].def);
	}
}

static void print_pod_param(const struct zwb_param *p, const int64_t *value)
{
	printf("=item B<%s>=", p->name);
	print_range(p);
	printf("\n\n%s.", p->help);
	if (value) {
		fputs(" Default: ", stdout);
		print_default(p, *value);
		putchar('.');
	}
	puts("\n");
}

static void print_pod(const struct zwb_catalogue *c)
{
	struct zwb_catalogue_entry entry;

	printf("=head1 NAME\n\n%s - %s\n\n=head1 DESCRIPTION\n\n", c->page, c->title);
	printf("Made by C<zwb %s --format pod> from the tables of the program.\n\n",
		c->page + sizeof("zwb-") - 1);
	if (c->shared) {
		printf("=head1 PARAMETERS OF EVERY %s\n\n=over 4\n\n", c->what);
		for (size_t k = 0; c->shared[k].name; k++)
			print_pod_param(&c->shared[k], NULL);
		puts("=back\n");
	}
	for (size_t i = 0; c->entry(i, &entry); i++) {
		const struct zwb_catalogue_entry *e = &entry;

		printf("=head1 %s\n\n%s.\n\n=over 4\n\n", e->name, e->summary);
		for (size_t k = 0; c->shared && c->shared[k].name; k++)
			print_pod_param(&c->shared[k], &e->shared_defaults[k]);
		for (size_t k = 0; e->params && e->params[k].name; k++)
			print_pod_param(&e->params[k], &e->params[k].def);
		puts("=back\n");
	}
	puts("=head1 SEE ALSO\n\nL<zwb(1)>, L<zwb-replay(1)>");
}

static json_t *json_param(const struct zwb_param *p, int64_t value)
{
	json_t *o = json_pack("{s:s, s:s}", "name", p->name, "help", p->help);

	if (p->words) {
		json_t *words = json_array();

		for (size_t i = 0; p->words[i]; i++)
			json_array_append_new(words, json_string(p->words[i]));
		json_object_set_new(o, "words", words);
		json_object_set_new(o, "default", json_string(p->words[value]));
	} else {
		json_object_set_new(o, "unit", json_string(p->unit));
		json_object_set_new(o, "min", json_integer(p->min));
		json_object_set_new(o, "max", json_integer(p->max));
		json_object_set_new(o, "default", json_integer(value));
	}
	return o;
}

static void print_json(const struct zwb_catalogue *c)
{
	struct zwb_catalogue_entry entry;
	json_t *list = json_array();
	json_t *root = json_pack(
		"{s:s, s:i}", "format", c->page, "schema_version", CATALOGUE_SCHEMA_VERSION);

	for (size_t i = 0; c->entry(i, &entry); i++) {
		const struct zwb_catalogue_entry *e = &entry;
		json_t *params = json_array();

		for (size_t k = 0; c->shared && c->shared[k].name; k++)
			json_array_append_new(
				params, json_param(&c->shared[k], e->shared_defaults[k]));
		for (size_t k = 0; e->params && e->params[k].name; k++)
			json_array_append_new(params, json_param(&e->params[k], e->params[k].def));
		json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", e->name, "summary",
						    e->summary, "params", params));
	}
	json_object_set_new(root, "entries", list);
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
}

int zwb_catalogue_run(const struct zwb_catalogue *c, int argc, char **argv)
{
	const struct zwb_usage usage = { .synopsis = "[OPTION...]",
		.text = "Lists what there is, with parameters, units and defaults.\n",
		.options = options };
	struct catalogue_args args = { 0 };
	struct zwb_operands operands;
	int ret = zwb_options_parse(&usage, argc, argv, &args, &operands);

	if (ret != ZWB_OPTIONS_RUN)
		return ret;
	if (args.format == FORMAT_JSON)
		print_json(c);
	else if (args.format == FORMAT_POD)
		print_pod(c);
	else
		print_text(c);
	return ZWB_EXIT_OK;
}
