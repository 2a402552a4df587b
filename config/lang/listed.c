/*
 * config/lang/listed.c - find an event by name in the event lists.
 */
#include "config/lang/events.h"

#include "config/eventlist.h"

#include <stdio.h>

const struct eventlist *
listed_builtin(struct config *cfg)
{
	if (!cfg->looked_up && cfg->model != NULL) {
		cfg->looked_up = true;
		if (builtin_lists(cfg->model, cfg->cpu, &cfg->builtin) < 0) {
			eventlist_free(cfg->builtin);
			cfg->builtin = NULL;
		}
	}
	return cfg->builtin;
}

/* Finds an event in one list; type NULL: of any box type. */
static const struct listed_event *
listed_pick(const struct eventlist *list, const struct box_type *type,
    const char *name)
{
	return type != NULL ? eventlist_find_in(list, type, name) :
	    eventlist_find(list, name);
}

const struct listed_event *
listed_find(struct config *cfg, const struct box_type *type, const char *name)
{
	const struct listed_event *e = listed_pick(cfg->list, type, name);

	return e != NULL ? e : listed_pick(listed_builtin(cfg), type, name);
}

bool
listed_whole(struct config *cfg, const struct box_type *type, struct word name)
{
	struct word bare = name, whole;
	char text[128];

	word_cut(&bare, '@', &whole);
	snprintf(text, sizeof(text), "%.*s", (int)whole.n, whole.s);
	return whole.n < sizeof(text) && listed_find(cfg, type, text) != NULL;
}

void
listed_near(struct config *cfg, const struct box_type *type, struct near *near)
{
	eventlist_near(cfg->list, type, near);
	eventlist_near(listed_builtin(cfg), type, near);
}
