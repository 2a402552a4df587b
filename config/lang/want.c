/*
 * config/lang/want.c - what is to be counted: each once, and what cannot be together.
 */
#include "config/lang/want.h"

#include "config/lists/eventlist.h"
#include "regs/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
config_init(struct config *cfg, const struct model *model)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->model = model;
	cfg->arena = arena_new();
	cfg->set = malloc(sizeof(*cfg->set));
	if (cfg->arena == NULL || cfg->set == NULL) {
		config_fini(cfg);
		return -ENOMEM;
	}
	cfg->set[0] = "";
	cfg->nset = 1;
	return 0;
}

void
config_fini(struct config *cfg)
{
	if (cfg == NULL)
		return;
	free(cfg->want);
	free(cfg->set);
	eventlist_free(cfg->list);
	arena_free(cfg->arena);
	memset(cfg, 0, sizeof(*cfg));
}

/* Can one box be in both? */
static bool
meet(const struct want *a, const struct want *b)
{
	return a->type == b->type &&
	    (a->pkg == ALL_PKG || b->pkg == ALL_PKG || a->pkg == b->pkg) &&
	    a->first <= b->last && b->first <= a->last;
}

/* What is read, or fixed, counts once, however many files ask for it. */
static bool
asked_before(const struct want *a, const struct want *b)
{
	if (a->kind != b->kind || (a->name == NULL) != (b->name == NULL) ||
	    (a->name != NULL && strcmp(a->name, b->name) != 0))
		return false;
	return a->kind == WANT_READ || (a->kind == WANT_FIXED &&
	    a->type == b->type && a->pkg == b->pkg && a->first == b->first &&
	    a->last == b->last);
}

/* Can one box of one set be in both? */
static bool
overlap(const struct want *a, const struct want *b)
{
	return a->set == b->set && meet(a, b);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool
want_same_column(const struct want *a, const struct want *b)
{
	if (a->kind != b->kind || !meet(a, b) || !same_text(a->name, b->name))
		return false;
	if (a->kind == WANT_PERF && !same_text(a->perf->pmu, b->perf->pmu))
		return false;
	return same_text(a->sum != NULL ? a->sum->label : NULL,
	    b->sum != NULL ? b->sum->label : NULL);
}

/* Is one of them to be alone, and is not?  What no set has is in all.  The
 * kernel counts a group at a time. */
static bool
crowded(const struct config *cfg, const struct want *a, const struct want *b)
{
	return a->kind == WANT_EVENT && b->kind == WANT_EVENT &&
	    (a->alone || b->alone) && meet(a, b) && (cfg->perf ?
	    a->together != 0 && a->together == b->together :
	    a->set == b->set || a->set == 0 || b->set == 0);
}

/* An event's default gives way to the filter that was asked for. */
static void
give_way(struct want *event, const struct want *filter)
{
	unsigned weak = event->weak & filter->filters;

	if (event->kind != WANT_EVENT || filter->kind != WANT_FILTER ||
	    !overlap(event, filter))
		return;
	event->filters &= ~weak;
	event->weak &= ~weak;
}

int
config_add(struct config *cfg, const struct want *want, struct diag *why)
{
	struct want add = *want, *more;

	for (unsigned i = 0; i < cfg->nwant; i++) {
		struct want *w = &cfg->want[i];

		if (asked_before(w, want)) {
			w->optional = w->optional && want->optional;
			return 0;
		}
		give_way(w, &add);
		give_way(&add, w);
		if ((want->kind == WANT_EVENT || want->kind == WANT_PERF) &&
		    w->set == want->set && want_same_column(w, want))
			return diag_at(why, want->file, want->line, "%s of %s "
			    "is counted already (%s:%u); give one of them "
			    "another name%s", want->name, want->type != NULL ?
			    want->type->name : want->perf->pmu != NULL ?
			    want->perf->pmu : "the kernel", w->file, w->line,
			    want->kind == WANT_EVENT ? "" :
			    want->perf->pmu != NULL ? " (name=TEXT)" :
			    ", such as @2 behind it");
	}
	if ((more = array_grow(cfg->want, cfg->nwant, &cfg->want_room,
	    sizeof(*more))) == NULL)
		return -ENOMEM;
	cfg->want = more;
	more[cfg->nwant++] = add;
	return 0;
}

int
config_alone(const struct config *cfg, struct diag *why)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct want *a = &cfg->want[i];
			const struct want *b = &cfg->want[k];

			if (crowded(cfg, a, b))
				return diag_at(why, a->file, a->line, "%s "
				    "cannot be counted beside %s (%s:%u): its "
				    "list has %s alone on the counters "
				    "(TakenAlone); put them in two %s",
				    a->name, b->name, b->file, b->line,
				    a->alone ? a->name : b->name, cfg->perf ?
				    "words" : "`set`s");
		}
	return 0;
}
