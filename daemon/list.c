/*
 * daemon/list.c - --list: what there is; --print: a built-in text.
 */
#include "daemon/list.h"

#include "config/choices.h"
#include "config/lang/events.h"
#include "config/lang/soc_groups.h"
#include "config/texts.h"
#include "daemon/list_tables.h"
#include "regs/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
print_register(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	fprintf(ctx, "%s\t%u\t%s\t%s\t%s\n", box, inst, role, space, address);
}

static void
list_models(FILE *out)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		fprintf(out, "%s\t%s\n", (*m)->name, (*m)->title);
}

static void
list_texts(FILE *out)
{
	for (const struct text *t = texts; t->name != NULL; t++)
		fprintf(out, "@%.*s\t%s\n", text_base(t), t->name,
		    text_kind(t));
}

/* A type of box, and what a configuration may say of it. */
static void
print_box(FILE *out, const struct box_type *b, unsigned instances)
{
	char fields[256] = "", filters[128] = "";

	if (b->field != NULL)
		choices_fields(b, fields, sizeof(fields));
	if (b->filter[0].name != NULL)
		choices_filters(b, filters, sizeof(filters));
	fprintf(out, "%s\t%u\t%u counters\t%u bits\t%s\t%s\n", b->name, instances,
	    b->counters, b->bits, fields, filters);
}

/* The boxes of a model, or of a node with what is absent and why. */
static void
print_boxes(FILE *out, const struct model *m, const struct node *node)
{
	if (node != NULL) {
		for (unsigned i = 0; i < node->inv.n; i++) {
			const struct unit *u = &node->inv.unit[i];

			fprintf(out, "%s\t%u\t%u\t%s\t%s\n", u->type->name, u->pkg,
			    u->inst, u->present ? "present" : "absent",
			    !u->present ? u->reason : u->source != NULL ?
			    u->source : "");
		}
		list_tables(out, &node->inv, m);
		return;
	}
	print_box(out, m->core, 1);
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		print_box(out, b, b->instances);
}

/* The names that the model's own table has. */
static bool
list_own_events(FILE *out, const struct box_type *type)
{
	const struct event_name *e = type != NULL ? type->event : NULL;

	for (; e != NULL && e->name != NULL; e++) {
		char umask[24] = "";

		if (e->umask != 0)
			snprintf(umask, sizeof(umask), ",umask=0x%x", e->umask);
		fprintf(out, "%s\t%s\t0x%" PRIx64 "%s\t%s%s\n", type->name,
		    e->name, e->event, umask, e->misleads != NULL ?
		    "not offered: " : "", e->misleads != NULL ? e->misleads :
		    "");
	}
	return e != NULL;
}

/* The groups of a message bus's counters: what each counts, in their order. */
static int
list_groups(FILE *out, const struct model *m, struct config *cfg,
    struct diag *why)
{
	int rc;

	if (m == NULL || m->soc == NULL)
		return 0;
	if ((rc = config_groups(cfg, why)) < 0)
		return rc;
	for (unsigned i = 0; i < cfg->groups->n; i++) {
		const struct soc_group *g = &cfg->groups->group[i];

		fprintf(out, "SOC\t%s\t%u counters\t", g->name, g->nevent);
		for (unsigned k = 0; k < g->nevent; k++)
			fprintf(out, "%s%s", k > 0 ? " " : "", g->event[k]);
		fputc('\n', out);
	}
	return 1;
}

static int
list_events(FILE *out, const struct model *m, struct node *node,
    struct diag *why)
{
	bool own = m != NULL && list_own_events(out, m->core);
	const struct listed_event *e;
	int groups = list_groups(out, m, &node->config, why);

	if (groups < 0)
		return groups;
	own |= groups > 0;
	for (const struct box_type *b = m != NULL ? m->box : NULL;
	    b != NULL && b->name != NULL; b++)
		own |= list_own_events(out, b);
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
			fprintf(out, "%s\t%s\t%s\t%s\n", e->pmu, e->name, e->terms,
			    e->brief);
		else if (e->type != NULL && e->fixed >= 0)
			fprintf(out, "%s\t%s\tfixed\t%s\n", e->type->name, e->name,
			    e->brief);
		else if (e->type != NULL)
			fprintf(out, "%s\t%s\t0x%" PRIx64 "\t%s\n", e->type->name,
			    e->name, e->ctl, e->brief);
	}
	return 0;
}

static void
list_columns(FILE *out, const struct plan *plan)
{
	char name[MAX_NAME];

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		column_text(&plan->column[i].id, "", name, sizeof(name));
		fprintf(out, "%s\t%u bits%s\n", name, plan->column[i].bits,
		    plan->column[i].id.family->raw ? "\tthe user's own" : "");
	}
}

static void
list_registers(FILE *out, const struct model *m, const struct node *node)
{
	model_walk(m, print_register, out);
	list_laid_registers(out, m, node != NULL ? &node->inv : NULL);
}

int
list_print(FILE *out, const char *name, struct diag *why)
{
	const struct text *t = text_named(name, NULL);

	if (t == NULL)
		return text_none(name, NULL, why);
	fwrite(t->data, 1, (size_t)(t->end - t->data), out);
	return 0;
}

int
list_what(FILE *out, const char *what, const struct model *m, struct node *node,
    struct diag *why)
{
	if (strcmp(what, "models") == 0)
		list_models(out);
	else if (strcmp(what, "texts") == 0)
		list_texts(out);
	else if (strcmp(what, "options") == 0)
		options_print(out);
	else if (strcmp(what, "registers") == 0)
		list_registers(out, m, node);
	else if (strcmp(what, "boxes") == 0)
		print_boxes(out, m, node);
	else if (strcmp(what, "events") == 0)
		return list_events(out, m, node, why);
	else
		list_columns(out, &node->plan);
	return 0;
}
