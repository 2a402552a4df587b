/*
 * daemon/instead/list.c - --list: what there is; --print: a built-in text.
 */
#include "daemon/instead/instead.h"

#include "config/lang/events.h"
#include "config/lang/site.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "regs/walk.h"
#include "topology/devices.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- a node's discovery tables */

/* Does the model have a box for this entry?  Links whose tables are known to be wrong
 * are found by the model's own list. */
static bool
has_place(const struct model *m, const struct discovered *d)
{
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->presence == PRESENT_TABLE ? b->table.number == d->type &&
		    (b->devid != NULL || d->id < b->instances) :
		    b->table.number != 0 && b->table.number == d->type)
			return true;
	return false;
}

/* Is a box of that type and id in an earlier table of the same package?  For Granite
 * Rapids no source says whether ids count within a package or within a die. */
static bool
listed_before(const struct inventory *inv, unsigned n,
    const struct discovered *d)
{
	for (unsigned i = 0; i < n; i++) {
		const struct discovery_site *s = &inv->found.site[i];

		for (unsigned k = 0; s->pkg == inv->found.site[n].pkg &&
		    k < s->table.n; k++)
			if (s->table.unit[k].type == d->type &&
			    s->table.unit[k].id == d->id)
				return true;
	}
	return false;
}

static void
list_tables_row(FILE *out, const struct discovery_site *s, unsigned n,
    const char *state)
{
	fprintf(out, "TABLE\t%d\t%u\t%s\t%04x:%02x:%02x.%x: ", s->pkg, n, state,
	    s->at.seg & 0xffff, s->at.bus, s->at.dev, s->at.fn);
}

static void
list_table(FILE *out, const struct inventory *inv, unsigned n,
    const struct model *m)
{
	const struct discovery_site *s = &inv->found.site[n];
	const struct discovery_table *t = &s->table;

	if (s->no_table[0] != '\0') {
		list_tables_row(out, s, n, "absent");
		fprintf(out, "%s\n", s->no_table);
		return;
	}
	list_tables_row(out, s, n, "present");
	fprintf(out, "%u boxes, at 0x%" PRIx64 "%s%s%s\n", t->n, s->address,
	    s->note[0] != '\0' ? "; " : "", s->note, s->pkg < 0 ?
	    "; of which package is not known: not used" : "");
	for (unsigned i = 0; i < t->nleft; i++) {
		list_tables_row(out, s, n, "left out");
		fprintf(out, "entry %u", t->left[i].first);
		if (t->left[i].last != t->left[i].first)
			fprintf(out, " to %u", t->left[i].last);
		fprintf(out, ": %s\n", t->left[i].why);
	}
	for (unsigned i = 0; i < t->n; i++) {
		bool again = listed_before(inv, n, &t->unit[i]);

		if (has_place(m, &t->unit[i]) && !again)
			continue;
		list_tables_row(out, s, n, "not used");
		fprintf(out, "entry %u: type %u id %u%s\n", t->unit[i].entry,
		    t->unit[i].type, t->unit[i].id, again ? ": an earlier table "
		    "of this package has one, too" : "");
	}
}

void
list_table_words(FILE *out, const struct inventory *inv)
{
	for (unsigned i = 0; i < inv->found.n; i++) {
		const struct discovery_site *s = &inv->found.site[i];
		uint64_t word[3];
		size_t at;

		for (unsigned k = 0; discovery_words(s, k, word, &at); k++) {
			if ((word[0] | word[1] | word[2]) == 0)
				continue;
			list_tables_row(out, s, i, "words");
			fprintf(out, "mmio 0x%" PRIx64 " words 0x%" PRIx64 " 0x%"
			    PRIx64 " 0x%" PRIx64 "\n", s->address + at, word[0],
			    word[1], word[2]);
		}
	}
}

static void
laid_row(FILE *out, const struct unit *u, const char *role, int n, uint32_t reg)
{
	struct reg_addr addr = unit_addr(u, reg, 4);
	char number[16] = "", text[64];

	if (n >= 0)
		snprintf(number, sizeof(number), "%d", n);
	fprintf(out, "%s\t%u\t%s%s\tpackage %u\t%s\n", u->type->name, u->inst,
	    role, number, u->pkg, reg_addr_text(&addr, text, sizeof(text)));
}

/* The registers of a unit, where only a discovery table says where they are. */
static void
list_laid(FILE *out, const struct unit *u)
{
	laid_row(out, u, "boxctl", -1, u->type->box_ctl);
	for (int n = 0; n < u->counters; n++)
		laid_row(out, u, "ctl", n, u->ctl + (unsigned)n * u->ctl_step);
	for (int n = 0; n < u->counters; n++)
		laid_row(out, u, "ctr", n, u->ctr + (unsigned)n * u->ctr_step);
}

static void
list_laid_registers(FILE *out, const struct model *m,
    const struct inventory *inv)
{
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->table.laid && inv == NULL)
			fprintf(out, "%s\t0\tboxctl\ttable\tas the discovery "
			    "table of a node says\n", b->name);
	for (unsigned i = 0; inv != NULL && i < inv->n; i++)
		if (inv->unit[i].type->table.laid && inv->unit[i].present)
			list_laid(out, &inv->unit[i]);
}

/* ---- devices and their root ports */

static void
each_root_port(FILE *out, const struct node *node,
    void (*put)(FILE *, const struct io_device *))
{
	struct devices devices;
	struct diag why;

	if (node->topo.model == NULL || node->topo.model->root_ports == 0)
		return;
	if (devices_load(&devices, &node->topo, node->acc, &why) == 0)
		for (unsigned i = 0; i < devices.ndevice; i++)
			if (devices.device[i].part >= 0)
				put(out, &devices.device[i]);
	devices_free(&devices);
}

static void
root_ports_say_one(FILE *out, const struct io_device *d)
{
	fprintf(out, "port     %d of package %d has %s (%s): pcie "
	    "root_port=0x%x counts it\n", d->part, d->pkg, d->name, d->address,
	    1u << d->part);
}

static void
root_ports_row(FILE *out, const struct io_device *d)
{
	fprintf(out, "PORT\t%d\t%d\t%s\t%s\n", d->pkg, d->part, d->address,
	    d->name);
}

void
root_ports_say(FILE *out, const struct node *node)
{
	each_root_port(out, node, root_ports_say_one);
}

/* ---- events */

struct event_listing {
	FILE *out;
	const char *pattern;
	unsigned n;                     /* printed */
	struct near near;               /* of the names that do not match */
};

static bool
list_events_is_asked(struct event_listing *l, const char *name)
{
	bool asked = l->pattern == NULL ||
	    (strpbrk(l->pattern, "*?[") == NULL ?
	    strcasestr(name, l->pattern) != NULL :
	    fnmatch(l->pattern, name, FNM_CASEFOLD) == 0);

	if (!asked)
		near_try(&l->near, name);
	l->n += asked;
	return asked;
}

/* Prints the events of the model's own table. */
static void
list_own(struct event_listing *l, const struct box_type *type)
{
	const struct event_name *e = type != NULL ? type->event : NULL;

	for (; e != NULL && e->name != NULL; e++) {
		char umask[24] = "";

		if (!list_events_is_asked(l, e->name))
			continue;
		if (e->umask != 0)
			snprintf(umask, sizeof(umask), ",umask=0x%x", e->umask);
		fprintf(l->out, "%s\t%s\t0x%" PRIx64 "%s\t%s%s\n", type->name,
		    e->name, e->event, umask, e->misleads != NULL ?
		    "not offered: " : "", e->misleads != NULL ? e->misleads :
		    "");
	}
}

/* Prints the groups of SoC events: what each of its counters counts, in order. */
static int
list_groups(struct event_listing *l, const struct model *m, struct config *cfg,
    struct diag *why)
{
	int rc;

	if (m->soc == NULL)
		return 0;
	if ((rc = config_groups(cfg, why)) < 0)
		return rc;
	for (unsigned i = 0; i < cfg->groups->n; i++) {
		const struct soc_group *g = &cfg->groups->group[i];

		if (!list_events_is_asked(l, g->name))
			continue;
		fprintf(l->out, "SOC\t%s\t%u counters\t", g->name, g->nevent);
		for (unsigned k = 0; k < g->nevent; k++)
			fprintf(l->out, "%s%s", k > 0 ? " " : "", g->event[k]);
		fputc('\n', l->out);
	}
	return 0;
}

/* The encoding as it can stand after the name: a control value and the box's
 * filters, or the terms of the kernel's PMU. */
static void
print_listed(FILE *out, const struct listed_event *e)
{
	fprintf(out, "%s\t%s\t", e->type != NULL ? e->type->name : e->pmu,
	    e->name);
	if (e->type == NULL)
		fprintf(out, "%s", e->terms);
	else if (e->fixed >= 0)
		fprintf(out, "fixed");
	else
		fprintf(out, "0x%" PRIx64, e->ctl);
	for (unsigned f = 0; f < MAX_FILTERS && e->type != NULL; f++)
		if (e->filters & 1u << f)
			fprintf(out, ",%s=0x%" PRIx64, e->type->filter[f].name,
			    e->filter[f]);
	fprintf(out, "\t%s\n", e->brief);
}

static void
list_listed(struct event_listing *l, const struct eventlist *list)
{
	const struct listed_event *e;

	for (unsigned i = 0; (e = eventlist_at(list, i)) != NULL; i++)
		if (!e->deprecated && (e->type != NULL || e->terms != NULL) &&
		    list_events_is_asked(l, e->name))
			print_listed(l->out, e);
}

int
list_events(FILE *out, const struct model *m, struct config *cfg,
    const char *pattern, struct diag *why)
{
	struct event_listing l = { .out = out, .pattern = pattern };
	char words[NEAR_WORDS];
	int rc;

	near_init(&l.near, pattern != NULL ? pattern : "");
	list_own(&l, m->core);
	if ((rc = list_groups(&l, m, cfg, why)) < 0)
		return rc;
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		list_own(&l, b);
	list_listed(&l, cfg->list != NULL ? cfg->list : listed_builtin(cfg));
	if (l.n > 0)
		return 0;
	if (pattern == NULL)
		return diag_set(why, -ENOENT, "--list events: none is built in "
		    "for this CPU; name a list of Intel's with --event-list "
		    "FILE.json");
	return diag_set(why, -ENOENT, "--list events: none of %s is called %s"
	    "%s%s%s", m->title, pattern, l.near.n > 0 ? "; did you mean " : "",
	    near_words(&l.near, words, sizeof(words)), l.near.n > 0 ? "?" :
	    "; without it all are listed");
}

/* ---- the other lists, and which one is asked for */

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

/* A type of box with the fields and filters that a configuration can set. */
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
		for (unsigned i = 0; i < node->inv.found.n; i++)
			list_table(out, &node->inv, i, m);
		each_root_port(out, node, root_ports_row);
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
