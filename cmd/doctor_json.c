/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "zwb doctor --format json": one object, everything that is known. */
#include "doctor.h"
#include "jsonwrite.h"

static void put_kernel(struct zwb_jsonwrite *json, const struct zwb_kernel *k)
{
	zwb_jsonwrite_object(json, "kernel");
	zwb_jsonwrite_text(json, "release", k->release);
	zwb_jsonwrite_bool(json, "from_files", k->is_stored);
	zwb_jsonwrite_text(json, "tracefs", k->tracing);
	zwb_jsonwrite_bool(json, "tracefs_is_readable", k->is_known);
	zwb_jsonwrite_bool(json, "btf", k->btf != NULL);
	zwb_jsonwrite_bool(json, "zswap", k->has_zswap);
	zwb_jsonwrite_object(json, "probes");
	zwb_jsonwrite_bool(json, "kprobe", k->can.kprobe);
	zwb_jsonwrite_bool(json, "fprobe", k->can.fprobe);
	zwb_jsonwrite_bool(json, "fields_by_name", k->can.btf_args);
	zwb_jsonwrite_bool(json, "typecast", k->can.typecast);
	zwb_jsonwrite_bool(json, "current_task", k->can.current_task);
	zwb_jsonwrite_bool(json, "entry_arguments_at_return", k->can.entry_args_at_return);
	zwb_jsonwrite_end(json);
	zwb_jsonwrite_end(json);
}

static void put_probe(struct zwb_jsonwrite *json, const struct zwb_probe *p)
{
	zwb_jsonwrite_object(json, NULL);
	zwb_jsonwrite_text(json, "event", p->event);
	zwb_jsonwrite_array(json, "definitions");
	for (size_t i = 0; i < p->nr_definitions; i++)
		zwb_jsonwrite_text(json, NULL, p->definitions[i]);
	zwb_jsonwrite_end_array(json);
	zwb_jsonwrite_end(json);
}

static void put_tracepoint(struct zwb_jsonwrite *json, const struct zwb_tracepoint *t)
{
	zwb_jsonwrite_object(json, NULL);
	zwb_jsonwrite_text(json, "system", t->system);
	zwb_jsonwrite_text(json, "event", t->event);
	zwb_jsonwrite_end(json);
}

static void put_finding(
	struct zwb_jsonwrite *json, const struct zwb_plan *plan, const struct zwb_finding *f)
{
	zwb_jsonwrite_object(json, NULL);
	zwb_jsonwrite_text(json, "name", f->name);
	zwb_jsonwrite_text(json, "level", zwb_level_name(f->level));
	zwb_jsonwrite_bool(json, "is_needed", f->is_needed);
	zwb_jsonwrite_text(json, "method", zwb_method_name(f->method));
	zwb_jsonwrite_text(json, "function", f->function);
	zwb_jsonwrite_array(json, "probes");
	for (size_t i = 0; i < f->nr_probes; i++)
		put_probe(json, &plan->probes[f->first_probe + i]);
	zwb_jsonwrite_end_array(json);
	zwb_jsonwrite_array(json, "tracepoints");
	for (size_t i = 0; i < f->nr_tracepoints; i++)
		put_tracepoint(json, &plan->tracepoints[f->first_tracepoint + i]);
	zwb_jsonwrite_end_array(json);
	zwb_jsonwrite_array(json, "missing");
	for (size_t i = 0; i < f->nr_lacks; i++) {
		zwb_jsonwrite_object(json, NULL);
		zwb_jsonwrite_text(json, "what", f->lacks[i].what);
		zwb_jsonwrite_text(json, "why", f->lacks[i].why);
		zwb_jsonwrite_text(json, "costs", f->lacks[i].costs);
		zwb_jsonwrite_end(json);
	}
	zwb_jsonwrite_end_array(json);
	zwb_jsonwrite_text(json, "nothing_to_record", f->absence);
	zwb_jsonwrite_text(json, "gives", f->gives);
	zwb_jsonwrite_text(json, "cost_when_missing", f->costs);
	zwb_jsonwrite_end(json);
}

static void put_machine(struct zwb_jsonwrite *json, const struct zwb_machine *m)
{
	zwb_jsonwrite_array(json, "machine");
	for (size_t i = 0; i < m->nr_checks; i++) {
		const struct zwb_check *c = &m->checks[i];

		zwb_jsonwrite_object(json, NULL);
		zwb_jsonwrite_text(json, "name", c->name);
		zwb_jsonwrite_text(json, "value", (const char *)c->value.data);
		zwb_jsonwrite_text(json, "state", zwb_check_state_name(c->state));
		zwb_jsonwrite_text(json, "advice", c->advice);
		zwb_jsonwrite_end(json);
	}
	zwb_jsonwrite_end_array(json);
}

int zwb_doctor_json(FILE *out, const struct zwb_doctor *d, struct zwb_err *err)
{
	struct zwb_jsonwrite json;
	struct zwb_buf text = { 0 };
	int ret;

	zwb_jsonwrite_init(&json, &text);
	zwb_jsonwrite_object(&json, NULL);
	zwb_jsonwrite_number(&json, "schema_version", ZWB_DOCTOR_SCHEMA_VERSION);
	put_kernel(&json, d->kernel);
	zwb_jsonwrite_text(&json, "events", zwb_level_name(d->level));
	zwb_jsonwrite_text(&json, "verdict", zwb_doctor_verdict(d));
	zwb_jsonwrite_text(&json, "obstacle", d->obstacle.status ? d->obstacle.text : NULL);
	zwb_jsonwrite_array(&json, "findings");
	for (size_t i = 0; i < d->plan.nr_findings; i++)
		put_finding(&json, &d->plan, &d->plan.findings[i]);
	zwb_jsonwrite_end_array(&json);
	put_machine(&json, &d->machine);
	zwb_jsonwrite_end(&json);
	zwb_jsonwrite_finish(&json);
	ret = zwb_buf_check(&text, err);
	if (!ret)
		fwrite(text.data, 1, text.len, out);
	zwb_buf_release(&text);
	return ret;
}
