/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding policies and devices, and reading their parameters. */
#include "select.h"

#include "parse.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SELECT_TEXT_MAX 1024

enum { KNOB_CTX, KNOB_PLUG, KNOB_CLASS };

static const char *const ctx_words[] = { "entry", "walk", NULL };
static const char *const plug_words[] = { "none", "walk", NULL };
static const char *const class_words[] = { "swap", "background", NULL };

static const struct zwb_param knob_params[] = {
	[KNOB_CTX] = { .name = "ctx",
		.words = ctx_words,
		.help = "swap IO context of each entry, or of the whole walk" },
	[KNOB_PLUG] = { .name = "plug", .words = plug_words, .help = "block plug around the walk" },
	[KNOB_CLASS] = { .name = "class",
		.words = class_words,
		.help = "write class: REQ_SWAP, or REQ_SWAP with REQ_BACKGROUND, which merges with "
			"its "
			"like only" },
	{ 0 },
};

const struct zwb_param *zwb_policy_knob_params(void)
{
	return knob_params;
}

int64_t zwb_policy_knob_default(const struct zwb_policy_ops *ops, size_t index)
{
	switch (index) {
	case KNOB_CTX:
		return ops->knobs.ctx;
	case KNOB_PLUG:
		return ops->knobs.plug;
	default:
		return ops->knobs.write_class;
	}
}

static const struct zwb_param no_params[] = { { 0 } };

static size_t params_length(const struct zwb_param *params)
{
	size_t nr = 0;

	while (params[nr].name)
		nr++;
	return nr;
}

static void params_defaults(const struct zwb_param *params, int64_t *values)
{
	for (size_t i = 0; i < params_length(params); i++)
		values[i] = params[i].def;
}

static int param_parse(
	const struct zwb_param *p, const char *text, int64_t *value, struct zwb_err *err)
{
	char *end;
	long long number;
	int index, ret;

	if (!text)
		return zwb_err_set(
			err, ZWB_EUSAGE, 0, "parameter %s needs a value: %s=...", p->name, p->name);
	if (p->words) {
		ret = zwb_parse_choice(text, p->words, &index, err);
		if (ret) {
			zwb_err_prefix(err, "parameter %s", p->name);
			return ret;
		}
		*value = index;
		return ZWB_OK;
	}
	number = strtoll(text, &end, 10);
	if (end == text || *end || number < p->min || number > p->max)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"parameter %s: \"%s\" is not a whole number from %" PRId64 " to %" PRId64,
			p->name, text, p->min, p->max);
	*value = number;
	return ZWB_OK;
}

/* A parameter of either table; NULL when neither has it. */
static const struct zwb_param *param_find(
	const struct zwb_param *params, const char *name, size_t *index)
{
	for (size_t i = 0; i < params_length(params); i++) {
		if (strcmp(params[i].name, name) == 0) {
			*index = i;
			return &params[i];
		}
	}
	return NULL;
}

/* Parameters in two tables, their values in two arrays. */
struct param_set {
	const struct zwb_param *params[2];
	int64_t *values[2];
};

static int param_set_unknown(const struct param_set *set, const char *name, struct zwb_err *err)
{
	char names[256] = "";

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < params_length(set->params[side]); i++) {
			size_t len = strlen(names);

			snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
				set->params[side][i].name);
		}
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "no parameter \"%s\"; there is %s", name, names);
}

static int param_set_parse(const struct param_set *set, char *list, struct zwb_err *err)
{
	while (list) {
		const struct zwb_param *p = NULL;
		char *name, *value;
		size_t index = 0;
		int side, ret;

		ret = zwb_parse_pair(&list, &name, &value, err);
		if (ret)
			return ret;
		for (side = 0; side < 2; side++) {
			p = param_find(set->params[side], name, &index);
			if (p)
				break;
		}
		if (!p)
			return param_set_unknown(set, name, err);
		ret = param_parse(p, value, &set->values[side][index], err);
		if (ret)
			return ret;
	}
	return ZWB_OK;
}

static char *param_set_print(const struct param_set *set, const char *name)
{
	char text[SELECT_TEXT_MAX];
	size_t len = 0;

	len += (size_t)snprintf(text, sizeof(text), "%s", name);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < params_length(set->params[side]); i++) {
			const struct zwb_param *p = &set->params[side][i];
			int64_t v = set->values[side][i];

			if (len >= sizeof(text))
				break;
			if (p->words)
				len += (size_t)snprintf(text + len, sizeof(text) - len, ",%s=%s",
					p->name, p->words[v]);
			else
				len += (size_t)snprintf(
					text + len, sizeof(text) - len, ",%s=%" PRId64, p->name, v);
		}
	}
	return strdup(text);
}

/* Name and list out of a copy of the user's text. */
static int select_split(const char *text, char *copy, char **list, struct zwb_err *err)
{
	size_t len = strlen(text);
	char *comma;

	if (len == 0 || len >= SELECT_TEXT_MAX)
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"a name is needed, with at most %d characters", SELECT_TEXT_MAX - 1);
	memcpy(copy, text, len + 1);
	comma = strchr(copy, ',');
	*list = NULL;
	if (comma) {
		*comma = '\0';
		*list = comma + 1;
	}
	return ZWB_OK;
}

static int policy_check(const struct zwb_policy_ops *ops, const char *path, struct zwb_err *err)
{
	if (!ops || ops->abi != ZWB_POLICY_ABI)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: made for version %u of the policy interface, this zwb has %u; rebuild "
			"it "
			"against the installed header",
			path, ops ? ops->abi : 0, ZWB_POLICY_ABI);
	if (!ops->name || !ops->summary || ops->walk_bytes > 4096 ||
		(ops->params && params_length(ops->params) > ZWB_PARAM_MAX))
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: the policy lacks a name or summary, or asks for too much", path);
	return ZWB_OK;
}

static int policy_load(const char *path, struct zwb_policy *policy, struct zwb_err *err)
{
	const struct zwb_policy_ops *const *symbol;
	FILE *f;
	int ret;

	/* dlopen() would wait for the writer of a pipe. */
	ret = zwb_open_text(path, &f, err);
	if (ret) {
		zwb_err_prefix(err, "cannot load the policy");
		return ret;
	}
	fclose(f);
	policy->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!policy->library)
		return zwb_err_set(err, ZWB_EENV, 0, "cannot load the policy: %s", dlerror());
	symbol = dlsym(policy->library, ZWB_POLICY_SYMBOL);
	if (!symbol)
		return zwb_err_set(err, ZWB_EKIND, 0,
			"%s: no symbol " ZWB_POLICY_SYMBOL
			"; end the file with ZWB_POLICY_EXPORT() and "
			"compile with -DZWB_POLICY_SHARED",
			path);
	ret = policy_check(*symbol, path, err);
	if (ret)
		return ret;
	policy->ops = *symbol;
	return ZWB_OK;
}

static int policy_find(const char *name, struct zwb_policy *policy, struct zwb_err *err)
{
	char names[256] = "";

	if (strchr(name, '/'))
		return policy_load(name, policy, err);
	for (size_t i = 0; zwb_policy_table[i]; i++) {
		size_t len = strlen(names);

		if (strcmp(zwb_policy_table[i]->name, name) == 0) {
			policy->ops = zwb_policy_table[i];
			return ZWB_OK;
		}
		snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
			zwb_policy_table[i]->name);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0,
		"no policy \"%s\"; there is %s, and ./FILE.so for one of your own", name, names);
}

int zwb_policy_select(const char *text, struct zwb_policy *policy, struct zwb_err *err)
{
	char copy[SELECT_TEXT_MAX];
	int64_t knobs[3];
	struct param_set set = { { knob_params, no_params }, { knobs, policy->params } };
	char *list;
	int ret;

	*policy = (struct zwb_policy){ 0 };
	ret = select_split(text, copy, &list, err);
	if (!ret)
		ret = policy_find(copy, policy, err);
	if (ret)
		goto out_release;
	for (size_t i = 0; i < 3; i++)
		knobs[i] = zwb_policy_knob_default(policy->ops, i);
	if (policy->ops->params)
		set.params[1] = policy->ops->params;
	params_defaults(set.params[1], policy->params);
	ret = param_set_parse(&set, list, err);
	if (ret) {
		zwb_err_prefix(err, "policy %s", copy);
		goto out_release;
	}
	policy->knobs.ctx = (enum zwb_ctx_scope)knobs[KNOB_CTX];
	policy->knobs.plug = (enum zwb_plug_scope)knobs[KNOB_PLUG];
	policy->knobs.write_class = (enum zwb_write_class)knobs[KNOB_CLASS];
	policy->label = strdup(text);
	policy->normal = param_set_print(&set, policy->ops->name);
	if (policy->label && policy->normal)
		return ZWB_OK;
	ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for policy %s", copy);
out_release:
	zwb_policy_release(policy);
	return ret;
}

void zwb_policy_release(struct zwb_policy *policy)
{
	free(policy->label);
	free(policy->normal);
	if (policy->library)
		dlclose(policy->library);
	*policy = (struct zwb_policy){ 0 };
}

static int device_find(const char *name, struct zwb_device_model *device, struct zwb_err *err)
{
	char names[256] = "";

	for (size_t i = 0; zwb_device_table[i]; i++) {
		size_t len = strlen(names);

		if (strcmp(zwb_device_table[i]->name, name) == 0) {
			device->ops = zwb_device_table[i];
			return ZWB_OK;
		}
		snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
			zwb_device_table[i]->name);
	}
	return zwb_err_set(err, ZWB_EUSAGE, 0, "no device \"%s\"; there is %s", name, names);
}

int zwb_device_select(const char *text, struct zwb_device_model *device, struct zwb_err *err)
{
	char copy[SELECT_TEXT_MAX];
	struct param_set set = { { no_params, no_params }, { device->params, device->params } };
	char *list;
	int ret;

	*device = (struct zwb_device_model){ 0 };
	ret = select_split(text, copy, &list, err);
	if (!ret)
		ret = device_find(copy, device, err);
	if (ret)
		return ret;
	if (device->ops->params)
		set.params[0] = device->ops->params;
	params_defaults(set.params[0], device->params);
	ret = param_set_parse(&set, list, err);
	if (ret) {
		zwb_err_prefix(err, "device %s", copy);
		return ret;
	}
	device->label = strdup(text);
	device->normal = param_set_print(&set, device->ops->name);
	if (device->label && device->normal)
		return ZWB_OK;
	zwb_device_release(device);
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for device %s", copy);
}

void zwb_device_release(struct zwb_device_model *device)
{
	free(device->label);
	free(device->normal);
	*device = (struct zwb_device_model){ 0 };
}
