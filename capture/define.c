/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that define one dynamic event, best first. */
#include "define.h"

#include "grow.h"
#include "want.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE_FIELDS_MAX 8
#define DEFINE_NAME	  32
#define DEFINE_TEXT	  256

/*
 * Tasks that can be inside a function at once and still be seen to return, where there is a limit.
 * The default, a few times the number of CPUs, is too small for functions that sleep.
 */
#define DEFINE_MAX_ACTIVE 512

struct define_field {
	char name[DEFINE_NAME];
	struct zwb_fetch fetch;
};

struct definition {
	const struct zwb_define *want;
	struct define_field fields[DEFINE_FIELDS_MAX];
	size_t nr_fields;
};

int zwb_define_lack(struct zwb_finding *finding, const struct zwb_lack *lack, struct zwb_err *err)
{
	struct zwb_lack own = { strdup(lack->what), strdup(lack->why), lack->costs };

	if (!own.what || !own.why || !ZWB_GROW(finding->lacks, finding->nr_lacks)) {
		free(own.what);
		free(own.why);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to plan the capture");
	}
	finding->lacks[finding->nr_lacks++] = own;
	return ZWB_OK;
}

/* What a field that cannot be had costs a replay. */
static const char *define_cost(const char *field)
{
	for (const struct want_field *f = zwb_want_fields; f->name; f++) {
		if (strcmp(f->name, field) == 0)
			return f->costs;
	}
	return NULL;
}

/* One field: "!NAME=CHOICES". A field that is there already is not wanted twice. */
static int define_field(struct definition *d, const struct zwb_fetch_scope *scope, char *text,
	struct zwb_finding *finding, struct zwb_err *err)
{
	bool is_needed = text[0] == '!';
	struct define_field *f = &d->fields[d->nr_fields];
	char *name = text + is_needed;
	char *choices = strchr(name, '=');
	int ret;

	if (!choices || d->nr_fields == DEFINE_FIELDS_MAX)
		return zwb_err_set(err, ZWB_EKIND, 0, "bad field %s", text);
	*choices++ = '\0';
	snprintf(f->name, sizeof(f->name), "%s", name);
	ret = zwb_fetch_make(scope, choices, &f->fetch, err);
	if (!ret) {
		d->nr_fields++;
		return ZWB_OK;
	}
	if (ret == ZWB_EKIND && !is_needed)
		ret = zwb_define_lack(finding,
			&(struct zwb_lack){ f->name, f->fetch.why, define_cost(f->name) }, err);
	else if (ret == ZWB_EKIND)
		zwb_err_prefix(err, "%s", f->name);
	zwb_fetch_release(&f->fetch);
	f->fetch = (struct zwb_fetch){ 0 };
	return ret;
}

static int define_fields(struct definition *d, const struct zwb_fetch_scope *scope,
	const char *fields, struct zwb_finding *finding, struct zwb_err *err)
{
	char *copy = strdup(fields);
	char *rest = copy;
	char *text;
	int ret = ZWB_OK;

	if (!copy)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to plan the capture");
	while (!ret && (text = strsep(&rest, " "))) {
		if (text[0] != '\0')
			ret = define_field(d, scope, text, finding, err);
	}
	free(copy);
	return ret;
}

/* "f:zwb/zstore zswap_store", without the fields. */
static void define_head(const struct zwb_kernel *kernel, const struct zwb_define *want,
	enum zwb_method method, struct zwb_buf *line)
{
	bool is_kprobe = method == ZWB_METHOD_KPROBE;

	if (!want->at_return) {
		zwb_buf_addf(
			line, "%c:zwb/%s %s", is_kprobe ? 'p' : 'f', want->event, want->function);
		return;
	}
	zwb_buf_addf(line, "%c", is_kprobe ? 'r' : 'f');
	if (is_kprobe || kernel->can.fprobe_max_active)
		zwb_buf_addf(line, "%d", DEFINE_MAX_ACTIVE);
	zwb_buf_addf(
		line, ":zwb/%s_ret %s%s", want->event, want->function, is_kprobe ? "" : "%return");
}

static bool define_uses_names(const struct definition *d)
{
	for (size_t i = 0; i < d->nr_fields; i++) {
		if (d->fields[i].fetch.by_name.len)
			return true;
	}
	return false;
}

static int define_line(const struct zwb_kernel *kernel, const struct definition *d,
	enum zwb_method method, struct zwb_probe *probe, struct zwb_err *err)
{
	struct zwb_buf line = { 0 };

	define_head(kernel, d->want, method, &line);
	for (size_t i = 0; i < d->nr_fields; i++) {
		const struct zwb_fetch *f = &d->fields[i].fetch;
		bool by_name = method == ZWB_METHOD_FPROBE_BTF && f->by_name.len;

		zwb_buf_addf(&line, " %s=%s", d->fields[i].name,
			(const char *)(by_name ? f->by_name.data : f->by_offset.data));
	}
	zwb_buf_add(&line, "", 1);
	if (zwb_buf_check(&line, err) || !ZWB_GROW(probe->definitions, probe->nr_definitions)) {
		zwb_buf_release(&line);
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to plan the capture");
	}
	probe->definitions[probe->nr_definitions++] = (char *)line.data;
	return ZWB_OK;
}

static int define_lines(const struct zwb_kernel *kernel, const struct definition *d,
	struct zwb_probe *probe, struct zwb_finding *finding, struct zwb_err *err)
{
	const bool has_method[] = {
		[ZWB_METHOD_FPROBE_BTF] = kernel->can.fprobe && define_uses_names(d),
		[ZWB_METHOD_FPROBE] = kernel->can.fprobe,
		[ZWB_METHOD_KPROBE] = kernel->can.kprobe,
	};
	int ret = ZWB_OK;

	for (int m = ZWB_METHOD_FPROBE_BTF; !ret && m <= ZWB_METHOD_KPROBE; m++) {
		if (!has_method[m])
			continue;
		if (finding->method == ZWB_METHOD_NONE)
			finding->method = (enum zwb_method)m;
		ret = define_line(kernel, d, (enum zwb_method)m, probe, err);
	}
	if (!ret && probe->nr_definitions == 0)
		ret = zwb_err_set(err, ZWB_EKIND, 0,
			kernel->is_known ? "this kernel has no dynamic probes"
					 : "what its tracefs takes cannot be read");
	return ret;
}

int zwb_define_make(const struct zwb_kernel *kernel, struct zwb_type proto,
	const struct zwb_define *define, struct zwb_probe *probe, struct zwb_finding *finding,
	struct zwb_err *err)
{
	const struct zwb_fetch_scope scope = { kernel, proto, define->at_return };
	struct definition d = { .want = define };
	struct zwb_buf event = { 0 };
	int ret = define_fields(&d, &scope, define->fields, finding, err);

	if (!ret && define->more_fields)
		ret = define_fields(&d, &scope, define->more_fields, finding, err);
	if (!ret) {
		zwb_buf_addf(&event, "%s%s", define->event, define->at_return ? "_ret" : "");
		zwb_buf_add(&event, "", 1);
		ret = zwb_buf_check(&event, err);
		probe->event = (char *)event.data;
	}
	if (!ret)
		ret = define_lines(kernel, &d, probe, finding, err);
	for (size_t i = 0; i < d.nr_fields; i++)
		zwb_fetch_release(&d.fields[i].fetch);
	return ret;
}
