/*
 * daemon/list.c - --list: what there is; --print: a built-in text.
 */
#include "daemon/list.h"

#include "config/choices.h"
#include "config/texts.h"
#include "daemon/list_events.h"
#include "daemon/list_tables.h"
#include "daemon/root_ports.h"
#include "regs/walk.h"

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
	for (const struct model *const *m = models_any; *m != NULL; m++)
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
		root_ports_list(out, node);
		return;
	}
	print_box(out, m->core, 1);
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		print_box(out, b, b->instances);
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
		return list_events(out, m, &node->config, NULL, why);
	else
		list_columns(out, &node->plan);
	return 0;
}
