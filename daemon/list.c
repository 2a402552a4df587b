/*
 * daemon/list.c - --list and --dry-run: what there is, and what would be done.
 */
#include "daemon/list.h"

#include "config/encode.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "regs/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_register(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	(void)ctx;
	printf("%s\t%u\t%s\t%s\t%s\n", box, inst, role, space, address);
}

static void
list_models(void)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		printf("%s\t%s\n", (*m)->name, (*m)->title);
}

/* A type of box, and what a configuration may say of it. */
static void
print_box(const struct box_type *b, unsigned instances)
{
	char fields[256] = "", filters[128] = "";

	if (b->field != NULL)
		list_fields(b, fields, sizeof(fields));
	if (b->filter[0].name != NULL)
		list_filters(b, filters, sizeof(filters));
	printf("%s\t%u\t%u counters\t%u bits\t%s\t%s\n", b->name, instances,
	    b->counters, b->bits, fields, filters);
}

/* The boxes of a model, or of a node with what is absent and why. */
static void
print_boxes(const struct model *m, const struct node *node)
{
	if (node != NULL) {
		for (unsigned i = 0; i < node->inv.n; i++) {
			const struct unit *u = &node->inv.unit[i];

			printf("%s\t%u\t%u\t%s\t%s\n", u->type->name, u->pkg,
			    u->inst, u->present ? "present" : "absent",
			    u->reason);
		}
		return;
	}
	print_box(m->core, 1);
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		print_box(b, b->instances);
}

/* The names that the model's own table has. */
static bool
list_own_events(const struct box_type *type)
{
	const struct event_name *e = type != NULL ? type->event : NULL;

	for (; e != NULL && e->name != NULL; e++)
		printf("%s\t%s\t0x%" PRIx64 "\t%s%s\n", type->name, e->name,
		    e->event, e->misleads != NULL ? "not offered: " : "",
		    e->misleads != NULL ? e->misleads : "");
	return e != NULL;
}

static int
list_events(const struct model *m, const struct node *node, struct diag *why)
{
	bool own = m != NULL && list_own_events(m->core);
	const struct listed_event *e;

	for (const struct box_type *b = m != NULL ? m->box : NULL;
	    b != NULL && b->name != NULL; b++)
		own |= list_own_events(b);
	if (own && node->config.list == NULL)
		return 0;
	if (node->config.list == NULL)
		return diag_set(why, -EINVAL, "--list events: name an event "
		    "list with --event-list FILE.json");
	for (unsigned i = 0; (e = eventlist_at(node->config.list, i)) != NULL;
	    i++) {
		if (e->deprecated)
			continue;
		if (e->type == NULL && e->terms != NULL)
			printf("%s\t%s\t%s\t%s\n", e->pmu, e->name, e->terms,
			    e->brief);
		else if (e->type != NULL && e->fixed >= 0)
			printf("%s\t%s\tfixed\t%s\n", e->type->name, e->name,
			    e->brief);
		else if (e->type != NULL)
			printf("%s\t%s\t0x%" PRIx64 "\t%s\n", e->type->name,
			    e->name, e->ctl, e->brief);
	}
	return 0;
}

int
list_what(const char *what, const struct model *m, struct node *node,
    struct diag *why)
{
	if (strcmp(what, "models") == 0)
		list_models();
	else if (strcmp(what, "registers") == 0)
		model_walk(m, print_register, NULL);
	else if (strcmp(what, "boxes") == 0)
		print_boxes(m, node);
	else if (strcmp(what, "events") == 0)
		return list_events(m, node, why);
	else
		for (unsigned i = 0; i < node->plan.ncolumn; i++)
			printf("%s\t%u bits\n", node->plan.column[i].name,
			    node->plan.column[i].bits);
	return 0;
}

/* "event=0x4 umask=0x3": the fields of a control value that are not 0. */
static void
print_fields(const struct field *f, uint64_t value)
{
	for (; f->name != NULL; f++) {
		uint64_t v = value >> f->lo & field_max(f);

		if (v != 0)
			printf(" %s=0x%" PRIx64, f->name, v);
	}
}

/* The event that a control value counts in a set; "" when none does. */
static const char *
event_of(const struct plan *plan, const struct plan_write *w, unsigned set,
    uint64_t ctl)
{
	char index[128];

	if (w->pkg < 0)
		snprintf(index, sizeof(index), "%s[%u][", w->type->family,
		    w->inst);
	else if (w->type->single)
		snprintf(index, sizeof(index), "%s[%d][", w->type->family,
		    w->pkg);
	else
		snprintf(index, sizeof(index), "%s[%d][%u][", w->type->family,
		    w->pkg, w->inst);
	for (unsigned i = 0; i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];

		if (c->set == set && c->ctl == ctl &&
		    strncmp(c->column, index, strlen(index)) == 0)
			return strrchr(c->column, '[');
	}
	return "";
}

/* What the sets that take turns write. */
static void
dry_run_sets(const struct plan *plan)
{
	char text[128];

	for (unsigned i = 0; i < plan->nrot; i++) {
		const struct plan_write *w = &plan->write[plan->rot[i].write];

		for (unsigned set = 1; w->type != NULL && set < plan->nset;
		    set++) {
			uint64_t v = plan->rot_value[plan->rot[i].value + set];

			printf("set   %s: %s: 0x%" PRIx64 " %s", plan->set[set],
			    plan_write_text(w, text, sizeof(text)), v,
			    event_of(plan, w, set, v));
			if (strncmp(w->role, "ctl", 3) == 0)
				print_fields(w->type->field, v);
			putchar('\n');
		}
	}
	for (unsigned i = 0; i < plan->nshared; i++)
		printf("read  %s\n", reg_addr_text(&plan->shared[i].addr, text,
		    sizeof(text)));
}

struct pmu_names {
	struct access *acc;
	struct { uint32_t type; char name[64]; } pmu[1024];
	unsigned n;
};

static void
note_pmu(void *ctx, const char *name)
{
	struct pmu_names *names = ctx;
	char path[256];
	int64_t type;

	snprintf(path, sizeof(path), PMU_DIR "/%s/type", name);
	if (names->n == 1024 || access_number(names->acc, path, &type) < 0)
		return;
	names->pmu[names->n].type = (uint32_t)type;
	snprintf(names->pmu[names->n++].name, 64, "%s", name);
}

static const char *
pmu_name(const struct pmu_names *names, uint32_t type)
{
	for (unsigned i = 0; i < names->n; i++)
		if (names->pmu[i].type == type)
			return names->pmu[i].name;
	return type == PERF_HARDWARE ? "hardware" : type == PERF_HW_CACHE ?
	    "cache" : type == PERF_SOFTWARE ? "software" : type == PERF_RAW ?
	    "raw" : "?";
}

/* What the kernel would be asked to count, as perf writes it. */
static void
dry_run_opened(const struct node *node)
{
	const struct plan *plan = &node->plan;
	struct pmu_names *names = calloc(1, sizeof(*names));

	if (names == NULL)
		return;
	names->acc = node->acc;
	access_list(node->acc, PMU_DIR, note_pmu, names);
	for (unsigned i = 0; i < plan->nopened; i++) {
		const struct plan_opened *o = &plan->opened[i];

		printf("count cpu %u group %u: %s/config=0x%" PRIx64, o->cpu,
		    o->group, pmu_name(names, o->attr.type),
		    o->attr.config[0]);
		for (unsigned k = 1; k < 3; k++)
			if (o->attr.config[k] != 0)
				printf(",config%u=0x%" PRIx64, k,
				    o->attr.config[k]);
		printf("/%s%s %s\n", o->attr.no_user ? " exclude_user" : "",
		    o->attr.no_kernel ? " exclude_kernel" : "", o->column);
	}
	free(names);
}

void
list_dry_run(const struct node *node)
{
	const struct plan *plan = &node->plan;
	char text[128];

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		printf("%s %s: 0x%" PRIx64 " -> 0x%" PRIx64,
		    w->new == w->old ? "keep " : "write",
		    plan_write_text(w, text, sizeof(text)), w->old, w->new);
		if (w->name != NULL && w->type != NULL) {
			printf(" %s", w->name);
			if (strncmp(w->role, "ctl", 3) == 0)
				print_fields(w->type->field, w->new);
		}
		putchar('\n');
	}
	dry_run_sets(plan);
	soc_dry_run(plan);
	dry_run_opened(node);
	for (unsigned i = 0; i < plan->nread; i++)
		if (plan->read[i].space != REG_PERF)
			printf("read  %s\n", reg_addr_text(&plan->read[i],
			    text, sizeof(text)));
}
