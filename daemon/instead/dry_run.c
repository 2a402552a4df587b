/*
 * daemon/instead/dry_run.c - --dry-run: every register that would be written and read.
 */
#include "daemon/instead/instead.h"

#include "daemon/node/announce.h"
#include "daemon/node/program.h"
#include "daemon/plan/plan.h"
#include "regs/perf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "event=0x4 umask=0x3": the fields of a control value that are not 0. */
static void
print_fields(FILE *out, const struct field *list, uint64_t value)
{
	for (const struct field *f = list; f->name != NULL; f++) {
		uint64_t v = field_get(f, value);

		if (v != 0 && field_named(list, f->name) == f)
			fprintf(out, " %s=0x%" PRIx64, f->name, v);
	}
}

/* The event that a control value counts in a set; NULL when none does. */
static const char *
event_of(const struct plan *plan, const struct plan_write *w, unsigned set,
    uint64_t ctl)
{
	struct column_id box = plan_write_id(w);

	for (unsigned i = 0; i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];

		box.family = c->id.family;
		if (c->set == set && c->ctl == ctl && c->id.event != NULL &&
		    c->id.family->type == w->type && column_in(&c->id, &box))
			return c->id.event;
	}
	return NULL;
}

/* The control values that each event set writes. */
static void
print_sets(FILE *out, const struct plan *plan)
{
	char text[128];

	for (unsigned i = 0; i < plan->sets.nrot; i++) {
		const struct plan_write *w =
		    &plan->write[plan->sets.rot[i].write];
		const char *event;

		for (unsigned set = 1; w->type != NULL && set < plan->sets.n;
		    set++) {
			uint64_t v =
			    plan->sets.value[plan->sets.rot[i].value + set];

			fprintf(out, "set   %s: %s: 0x%" PRIx64 " ",
			    plan->sets.name[set],
			    plan_write_text(w, text, sizeof(text)), v);
			if ((event = event_of(plan, w, set, v)) != NULL)
				fprintf(out, "[\"%s\"]", event);
			if (strncmp(w->role, "ctl", 3) == 0)
				print_fields(out, w->type->field, v);
			putc('\n', out);
		}
	}
	for (unsigned i = 0; i < plan->sets.nshared; i++)
		fprintf(out, "read  %s\n", reg_addr_text(
		    &plan->sets.shared[i].addr, text, sizeof(text)));
}

static void
print_steps(FILE *out, const char *when, const struct reg_step *s, unsigned n)
{
	char text[128];

	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%s %s: 0x%08" PRIx64 "\n", when, reg_addr_text(
		    &s[i].addr, text, sizeof(text)), s[i].value);
}

/* Each write to the message bus, in order. */
static void
dry_run_print_soc(FILE *out, const struct plan *plan)
{
	const struct soc_plan *soc = plan->soc;

	for (unsigned i = 0; soc != NULL && i < soc->n; i++) {
		fprintf(out, "group %s%s%s\n", soc->turn[i].group->name,
		    soc->turn[i].set != 0 ? ", set " : "",
		    plan->sets.name[soc->turn[i].set]);
		print_steps(out, "start", soc->turn[i].start, soc->turn[i].nstart);
		print_steps(out, "latch", soc->turn[i].sample,
		    soc->turn[i].nsample);
	}
	if (soc != NULL)
		print_steps(out, "rest ", soc->stop, soc->nstop);
}

/* What the kernel would be asked to count, as perf writes it. */
static void
print_opened(FILE *out, const struct node *node)
{
	char pmu[64] = "", name[MAX_NAME];

	for (unsigned i = 0; i < node->plan.nopened; i++) {
		const struct plan_opened *o = &node->plan.opened[i];

		if (i == 0 || o->attr.type != o[-1].attr.type)
			perf_type_name(node->acc, o->attr.type, pmu,
			    sizeof(pmu));
		fprintf(out, "count cpu %u group %u: %s/config=0x%" PRIx64, o->cpu,
		    o->group, pmu, o->attr.config[0]);
		for (unsigned k = 1; k < 3; k++)
			if (o->attr.config[k] != 0)
				fprintf(out, ",config%u=0x%" PRIx64, k,
				    o->attr.config[k]);
		column_text(&o->id, "", name, sizeof(name));
		fprintf(out, "/%s%s %s\n", o->attr.no_user ? " exclude_user" : "",
		    o->attr.no_kernel ? " exclude_kernel" : "", name);
	}
}

void
dry_run_print(FILE *out, const struct node *node)
{
	const struct plan *plan = &node->plan;
	char text[128], words[512];

	fprintf(out, "# writes: %s\n", announce_text(node, words,
	    sizeof(words)));
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		fprintf(out, "%s %s: 0x%" PRIx64 " -> 0x%" PRIx64,
		    w->new == w->old ? "keep " : "write",
		    plan_write_text(w, text, sizeof(text)), w->old, w->new);
		if (w->name != NULL && w->type != NULL) {
			fprintf(out, " %s", w->name);
			if (strncmp(w->role, "ctl", 3) == 0)
				print_fields(out, w->type->field, w->new);
		}
		putc('\n', out);
	}
	print_sets(out, plan);
	for (unsigned i = 0; i < plan->stops.n; i++)
		fprintf(out, "reset %s: -> 0x0 before it stops at 2^%u\n",
		    reg_addr_text(&plan->stops.counter[i].addr, text,
		    sizeof(text)),
		    plan->stops.counter[i].bits);
	dry_run_print_soc(out, plan);
	print_opened(out, node);
	for (unsigned i = 0; i < plan->nread; i++)
		if (plan->read[i].space != REG_PERF)
			fprintf(out, "read  %s\n", reg_addr_text(&plan->read[i],
			    text, sizeof(text)));
}
