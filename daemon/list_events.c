/*
 * daemon/list_events.c - --list events: names, and what each is counted by.
 */
#include "daemon/list_events.h"

#include "config/lang/events.h"
#include "config/lang/listed.h"
#include "config/lang/soc_groups.h"
#include "config/suggest.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

struct event_listing {
	FILE *out;
	const char *pattern;
	unsigned n;                     /* printed */
	struct near near;               /* of those that were not */
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

/* The names that the model's own table has. */
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

/* The groups of a message bus's counters: what each counts, in their order. */
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

/* As it can stand after the name: a control value and the box's filters; or
 * the terms of the kernel's PMU. */
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
