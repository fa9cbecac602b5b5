/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "zwb doctor" for people. */
#include "common.h"
#include "doctor.h"

#include <string.h>

static void put_kernel(FILE *out, const struct zwb_doctor *d)
{
	const struct zwb_kernel *k = d->kernel;

	fputs("kernel   ", out);
	zwb_put_text(out, k->release[0] ? k->release : "unknown");
	fputs(k->is_stored ? " (from files)\nprobes   " : "\nprobes   ", out);
	if (!k->is_known)
		fputs("not known: tracefs cannot be read", out);
	else if (!k->can.kprobe && !k->can.fprobe)
		fputs("none", out);
	else
		fprintf(out, "%s%s%s%s", k->can.fprobe ? "fprobes" : "",
			k->can.fprobe && k->can.kprobe ? ", " : "", k->can.kprobe ? "kprobes" : "",
			k->can.btf_args ? ", fields by name" : "");
	fprintf(out, "\ntypes    %s\nzswap    %s\nevents   %s\n", k->btf ? "BTF" : "none",
		k->has_zswap ? "built in" : "not there", zwb_level_name(d->level));
}

static void put_how(FILE *out, const struct zwb_plan *plan, const struct zwb_finding *f)
{
	if (f->absence) {
		fprintf(out, "nothing to record: %s", f->absence);
	} else if (f->method == ZWB_METHOD_NONE) {
		fputs("MISSING", out);
	} else if (f->function) {
		fprintf(out, "%s(), %s", f->function, zwb_method_name(f->method));
	} else {
		for (size_t i = 0; i < f->nr_tracepoints; i++)
			fprintf(out, "%s%s", i ? ", " : "",
				plan->tracepoints[f->first_tracepoint + i].event);
	}
	putc('\n', out);
}

static void put_lacks(FILE *out, const struct zwb_finding *f)
{
	if (f->absence || (!f->nr_lacks && f->method != ZWB_METHOD_NONE))
		return;
	for (size_t i = 0; i < f->nr_lacks; i++) {
		const struct zwb_lack *lack = &f->lacks[i];

		fprintf(out, "%8s%s %s: %s\n", "",
			f->method == ZWB_METHOD_NONE ? "tried" : "without", lack->what, lack->why);
		if (lack->costs)
			fprintf(out, "%8scost: %s\n", "", lack->costs);
	}
	if (f->method == ZWB_METHOD_NONE)
		fprintf(out, "%8scost: %s\n", "", f->costs);
}

static void put_definitions(FILE *out, const struct zwb_plan *plan, const struct zwb_finding *f)
{
	for (size_t i = 0; i < f->nr_probes; i++) {
		const struct zwb_probe *p = &plan->probes[f->first_probe + i];

		for (size_t k = 0; k < p->nr_definitions; k++)
			fprintf(out, "%8s%s%s\n", "", k ? "or " : "", p->definitions[k]);
	}
}

static void put_machine(FILE *out, const struct zwb_machine *m)
{
	if (m->nr_checks)
		fputs("\nmachine\n", out);
	for (size_t i = 0; i < m->nr_checks; i++) {
		const struct zwb_check *c = &m->checks[i];

		fprintf(out, "  %-18s ", c->name);
		zwb_put_text(out, (const char *)c->value.data);
		putc('\n', out);
		if (c->advice)
			fprintf(out, "%8s%s: %s\n", "", zwb_check_state_name(c->state), c->advice);
	}
}

void zwb_doctor_text(FILE *out, const struct zwb_doctor *d)
{
	put_kernel(out, d);
	fputs("\nwhat is recorded, and how\n", out);
	for (size_t i = 0; i < d->plan.nr_findings; i++) {
		const struct zwb_finding *f = &d->plan.findings[i];

		fprintf(out, "%c %-26s ", f->is_needed ? '*' : ' ', f->name);
		put_how(out, &d->plan, f);
		put_lacks(out, f);
		if (d->show_definitions)
			put_definitions(out, &d->plan, f);
	}
	fputs("  * needed by every replay\n", out);
	put_machine(out, &d->machine);
	fprintf(out, "\nverdict: a capture is %s\n", zwb_doctor_verdict(d));
}
