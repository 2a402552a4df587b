/*
 * config/want.c - what is to be counted: each once, and what cannot be together.
 */
#include "config/want.h"

#include "config/eventlist.h"
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

/* Is one of them to be alone, and is not?  What no set has is in all. */
static bool
crowded(const struct want *a, const struct want *b)
{
	return a->kind == WANT_EVENT && b->kind == WANT_EVENT &&
	    (a->alone || b->alone) && meet(a, b) &&
	    (a->set == b->set || a->set == 0 || b->set == 0);
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
		if (want->kind == w->kind && (want->kind == WANT_EVENT ||
		    want->kind == WANT_PERF) &&
		    overlap(w, want) && strcmp(w->name, want->name) == 0)
			return diag_at(why, want->file, want->line, "%s of %s "
			    "is counted already (%s:%u); give one of them "
			    "another name", want->name, want->type != NULL ?
			    want->type->name : "the kernel", w->file, w->line);
		if (crowded(want, w))
			return diag_at(why, want->file, want->line, "%s cannot "
			    "be counted beside %s (%s:%u): its list has %s "
			    "alone on the counters (TakenAlone); put them in "
			    "two `set`s", want->name, w->name, w->file, w->line,
			    want->alone ? want->name : w->name);
	}
	if ((more = array_grow(cfg->want, cfg->nwant, &cfg->want_room,
	    sizeof(*more))) == NULL)
		return -ENOMEM;
	cfg->want = more;
	more[cfg->nwant++] = add;
	return 0;
}
