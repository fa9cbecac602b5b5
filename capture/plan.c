/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture will record on this kernel, and how. */
#include "plan.h"

#include "btf.h"
#include "buf.h"
#include "define.h"
#include "grow.h"
#include "kernel.h"
#include "symbols.h"
#include "want.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_NAME   64
#define PLAN_WHY    160
#define PLAN_MODULE 64

/* The field by which events are cut to one cgroup. */
#define PLAN_CGROUP_FIELD "cgid"

struct planner {
	const struct zwb_kernel *kernel;
	const struct zwb_plan_wish *wish;
	struct zwb_plan *plan;
	struct zwb_err *err;
};

static int plan_no_memory(struct zwb_err *err)
{
	return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to plan the capture");
}

static int plan_lack(struct planner *p, struct zwb_finding *f, const char *what, const char *why)
{
	char own_what[PLAN_WHY], own_why[PLAN_WHY];

	snprintf(own_what, sizeof(own_what), "%s", what);
	snprintf(own_why, sizeof(own_why), "%s", why);
	return zwb_define_lack(f, &(struct zwb_lack){ own_what, own_why, NULL }, p->err);
}

/* ---- tracepoints ---- */

static int plan_tracepoint(struct planner *p, const char *name, struct zwb_finding *f)
{
	const char *event = strchr(name, '/') + 1;
	struct zwb_tracepoint t = { .event = strdup(event),
		.system = strndup(name, (size_t)(event - name - 1)) };
	struct zwb_plan *plan = p->plan;
	int ret = ZWB_OK;

	if (!t.event || !t.system) {
		ret = plan_no_memory(p->err);
	} else if (!zwb_kernel_has_event(p->kernel, t.system, t.event)) {
		ret = plan_lack(p, f, name,
			p->kernel->is_known ? "this kernel has no such tracepoint"
					    : "which tracepoints there are cannot be read");
	} else if (!ZWB_GROW(plan->tracepoints, plan->nr_tracepoints)) {
		ret = plan_no_memory(p->err);
	} else {
		plan->tracepoints[plan->nr_tracepoints++] = t;
		f->nr_tracepoints++;
		f->method = ZWB_METHOD_TRACEPOINT;
		return ZWB_OK;
	}
	free(t.event);
	free(t.system);
	return ret;
}

/* Return: ZWB_OK when one of them is there, ZWB_EKIND, ZWB_ENOMEM. */
static int plan_tracepoints(
	struct planner *p, const struct want_place *place, struct zwb_finding *f)
{
	char *copy = strdup(place->tracepoints);
	char *rest = copy;
	char *name;
	int ret = copy ? ZWB_OK : plan_no_memory(p->err);

	f->first_tracepoint = p->plan->nr_tracepoints;
	while (!ret && (name = strsep(&rest, " ")))
		ret = plan_tracepoint(p, name, f);
	free(copy);
	return !ret && f->nr_tracepoints == 0 ? ZWB_EKIND : ret;
}

/* ---- probes ---- */

static void release_probe(struct zwb_probe *probe)
{
	for (size_t i = 0; i < probe->nr_definitions; i++)
		free(probe->definitions[i]);
	free(probe->definitions);
	free(probe->event);
	free(probe->filter);
}

static const char *plan_reach_text(enum zwb_reach reach)
{
	switch (reach) {
	case ZWB_REACH_NO_SUCH:
		return "no such function: this kernel never had it, or its compiler inlined it";
	case ZWB_REACH_RENAMED:
		return "the compiler changed it (.isra, .constprop): its arguments are not known";
	case ZWB_REACH_AMBIGUOUS:
		return "several functions have this name";
	case ZWB_REACH_BLOCKED:
		return "the kernel does not let it be probed";
	case ZWB_REACH_OK:
		break;
	}
	return "its prototype is not in the kernel's BTF";
}

static bool plan_has_field(const char *fields, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = strstr(fields, name); at; at = strstr(at + 1, name)) {
		if (at[len] == '=' && (at == fields || at[-1] == ' ' || at[-1] == '!'))
			return true;
	}
	return false;
}

static int plan_filter(const struct planner *p, struct zwb_probe *probe)
{
	struct zwb_buf text = { 0 };
	int ret;

	for (size_t i = 0; i < p->wish->nr_cgroup_ids; i++)
		zwb_buf_addf(&text, "%s" PLAN_CGROUP_FIELD " == %llu", i ? " || " : "",
			(unsigned long long)p->wish->cgroup_ids[i]);
	zwb_buf_add(&text, "", 1);
	ret = zwb_buf_check(&text, p->err);
	if (ret)
		zwb_buf_release(&text);
	probe->filter = (char *)text.data;
	return ret;
}

/* The definition of one event, appended to the plan. */
static int plan_probe(struct planner *p, struct zwb_type proto, const struct zwb_define *define,
	bool is_cut, struct zwb_finding *f)
{
	struct zwb_plan *plan = p->plan;
	struct zwb_probe probe = { 0 };
	int ret = zwb_define_make(p->kernel, proto, define, &probe, f, p->err);

	if (!ret && is_cut)
		ret = plan_filter(p, &probe);
	if (!ret && !ZWB_GROW(plan->probes, plan->nr_probes))
		ret = plan_no_memory(p->err);
	if (ret) {
		release_probe(&probe);
		return ret;
	}
	plan->probes[plan->nr_probes++] = probe;
	f->nr_probes++;
	return ZWB_OK;
}

/*
 * The field that names the cgroup, for a return that has to be cut as its entry is. NULL: entry and
 * return cannot both be cut.
 */
static const char *plan_cgroup_field(const struct planner *p, const struct want_place *place)
{
	if (!place->is_per_cgroup || p->wish->nr_cgroup_ids == 0 ||
		!p->kernel->can.entry_args_at_return)
		return NULL;
	return plan_has_field(place->fields, PLAN_CGROUP_FIELD)
		       ? strstr(place->fields, PLAN_CGROUP_FIELD "=")
		       : NULL;
}

static int plan_function(struct planner *p, const struct want_place *place, struct zwb_type proto,
	struct zwb_finding *f)
{
	const char *cut_by = plan_cgroup_field(p, place);
	const struct zwb_define entry = {
		.event = place->event, .function = place->function, .fields = place->fields
	};
	const struct zwb_define exit = { .event = place->event,
		.function = place->function,
		.fields = place->ret,
		.more_fields = cut_by,
		.at_return = true };
	int ret = ZWB_OK;

	f->first_probe = p->plan->nr_probes;
	if (place->fields)
		ret = plan_probe(p, proto, &entry, cut_by != NULL, f);
	if (!ret && place->ret)
		ret = plan_probe(p, proto, &exit, cut_by != NULL, f);
	if (!ret)
		f->function = place->function;
	return ret;
}

/* Undo what a place that turned out to be of no use has left. */
static void plan_drop(struct planner *p, struct zwb_finding *f)
{
	while (f->nr_probes) {
		release_probe(&p->plan->probes[--p->plan->nr_probes]);
		f->nr_probes--;
	}
	for (size_t i = 0; i < f->nr_lacks; i++) {
		free(f->lacks[i].what);
		free(f->lacks[i].why);
	}
	free(f->lacks);
	f->lacks = NULL;
	f->nr_lacks = 0;
	f->method = ZWB_METHOD_NONE;
}

/* Return: ZWB_OK; ZWB_EKIND with the reason in @why; ZWB_ENOMEM. */
static int plan_place(struct planner *p, const struct want_place *place, struct zwb_finding *f,
	char why[PLAN_WHY], bool *exists)
{
	enum zwb_reach reach = zwb_kernel_reach(p->kernel, place->function);
	char module[PLAN_MODULE];
	struct zwb_type proto;
	int ret;

	*exists = reach != ZWB_REACH_NO_SUCH;
	snprintf(why, PLAN_WHY, "%s", plan_reach_text(reach));
	zwb_symbols_module(p->kernel->symbols, place->function, module, sizeof(module));
	if (reach != ZWB_REACH_OK || !p->kernel->btf ||
		!zwb_btf_function(p->kernel->btf, module, place->function, &proto))
		return ZWB_EKIND;
	ret = plan_function(p, place, proto, f);
	if (ret == ZWB_EKIND) {
		snprintf(why, PLAN_WHY, "%.150s", p->err->text);
		plan_drop(p, f);
	}
	return ret;
}

/* ---- findings ---- */

struct plan_tried {
	const char *function;
	char why[PLAN_WHY];
};

/* Nothing works: say of every place that was tried why not, each function once. */
static int plan_nothing(
	struct planner *p, struct zwb_finding *f, const struct plan_tried *tried, size_t nr_tried)
{
	char what[PLAN_NAME];
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < nr_tried; i++) {
		if (i && strcmp(tried[i].function, tried[i - 1].function) == 0)
			continue;
		snprintf(what, sizeof(what), "%s()", tried[i].function);
		ret = plan_lack(p, f, what, tried[i].why);
	}
	return ret;
}

static int plan_want(struct planner *p, const struct want *want, struct zwb_finding *f)
{
	struct plan_tried tried[WANT_PLACES_MAX];
	size_t nr_tried = 0;
	bool some_exist = false;

	for (int i = 0; i < WANT_PLACES_MAX; i++) {
		const struct want_place *place = &want->places[i];
		bool exists = false;
		int ret;

		if ((!place->function && !place->tracepoints) || place->level > p->wish->level)
			continue;
		if (place->tracepoints) {
			ret = plan_tracepoints(p, place, f);
		} else {
			tried[nr_tried].function = place->function;
			ret = plan_place(p, place, f, tried[nr_tried++].why, &exists);
		}
		some_exist |= exists;
		if (ret != ZWB_EKIND)
			return ret;
	}
	if (!some_exist && want->absence) {
		f->absence = want->absence;
		return ZWB_OK;
	}
	if (want->is_needed)
		p->plan->nr_missing++;
	return plan_nothing(p, f, tried, nr_tried);
}

int zwb_plan_make(const struct zwb_kernel *kernel, const struct zwb_plan_wish *wish,
	struct zwb_plan *plan, struct zwb_err *err)
{
	struct zwb_err own_err;
	struct planner p = { kernel, wish, plan, err ? err : &own_err };
	int ret = ZWB_OK;

	memset(plan, 0, sizeof(*plan));
	for (const struct want *want = zwb_wants; !ret && want->name; want++) {
		if (want->level > wish->level)
			continue;
		if (!ZWB_GROW(plan->findings, plan->nr_findings))
			return plan_no_memory(err);
		plan->findings[plan->nr_findings++] = (struct zwb_finding){ .name = want->name,
			.gives = want->gives,
			.costs = want->costs,
			.level = want->level,
			.is_needed = want->is_needed };
		ret = plan_want(&p, want, &plan->findings[plan->nr_findings - 1]);
	}
	return ret;
}

void zwb_plan_release(struct zwb_plan *plan)
{
	for (size_t i = 0; i < plan->nr_probes; i++)
		release_probe(&plan->probes[i]);
	for (size_t i = 0; i < plan->nr_tracepoints; i++) {
		free(plan->tracepoints[i].system);
		free(plan->tracepoints[i].event);
		free(plan->tracepoints[i].filter);
	}
	for (size_t i = 0; i < plan->nr_findings; i++) {
		for (size_t k = 0; k < plan->findings[i].nr_lacks; k++) {
			free(plan->findings[i].lacks[k].what);
			free(plan->findings[i].lacks[k].why);
		}
		free(plan->findings[i].lacks);
	}
	free(plan->findings);
	free(plan->probes);
	free(plan->tracepoints);
	memset(plan, 0, sizeof(*plan));
}

const char *zwb_level_name(enum zwb_level level)
{
	static const char *const names[ZWB_LEVEL_NR] = { "minimal", "standard", "full" };

	return level < ZWB_LEVEL_NR ? names[level] : "invalid";
}

const char *zwb_method_name(enum zwb_method method)
{
	switch (method) {
	case ZWB_METHOD_NONE:
		return "none";
	case ZWB_METHOD_TRACEPOINT:
		return "tracepoint";
	case ZWB_METHOD_FPROBE_BTF:
		return "fprobe, fields by name";
	case ZWB_METHOD_FPROBE:
		return "fprobe, computed offsets";
	case ZWB_METHOD_KPROBE:
		return "kprobe, computed offsets";
	}
	return "invalid";
}
