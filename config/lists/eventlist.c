/*
 * config/lists/eventlist.c - Intel's published event lists, by name.
 */
#include "config/lists/eventlist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/lists/json.h"
#include "config/lists/intel_event.h"
#include "config/lists/mapfile.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "regs/array.h"

struct eventlist {
	struct arena *arena;            /* events, and all that they point to */
	struct listed_event **event;
	unsigned n, room;
	const char *unsure;             /* a file that no mapfile names; NULL */
	struct used *used;
};

const struct used *
eventlist_used(const struct eventlist *list)
{
	return list != NULL ? list->used : NULL;
}

const char *
eventlist_unsure(const struct eventlist *list)
{
	return list != NULL ? list->unsure : NULL;
}

void
eventlist_free(struct eventlist *list)
{
	if (list == NULL)
		return;
	arena_free(list->arena);
	free(list->event);
	free(list);
}

static struct eventlist *
eventlist_new(void)
{
	struct eventlist *list = calloc(1, sizeof(*list));

	if (list != NULL && (list->arena = arena_new()) == NULL) {
		free(list);
		return NULL;
	}
	return list;
}

static int
add_event(struct eventlist *list, const struct model *model, const char *file,
    const struct json *json, struct diag *why)
{
	struct listed_event *ev = arena_alloc(list->arena, sizeof(*ev));
	void *more = array_grow(list->event, list->n, &list->room,
	    sizeof(*list->event));
	int rc;

	if (more != NULL)
		list->event = more;
	if (more == NULL || ev == NULL)
		return -ENOMEM;
	if (json->kind != JSON_OBJECT)
		return diag_at(why, file, json->line, "%s where an event (an "
		    "object) should be", json_kind_name(json->kind));
	if ((rc = intel_event_read(list->arena, model, file, json, ev, why)) < 0)
		return rc;
	list->event[list->n++] = ev;
	return 0;
}

/* list = "[" events "]" | "{" "Header": ..., "Events": "[" events "]" "}" */
static int
add_events(struct eventlist *list, const struct model *model, const char *file,
    const struct json *root, struct diag *why)
{
	const struct json *events = root;
	int rc;

	if (root->kind == JSON_OBJECT)
		events = json_get(root, "Events");
	if (events == NULL || events->kind != JSON_ARRAY ||
	    events->child == NULL)
		return diag_at(why, file, root->line, "no event list: it "
		    "should be an object with an array \"Events\", or an array "
		    "of events, as in Intel's perfmon repository");
	for (const struct json *j = events->child; j != NULL; j = j->next)
		if ((rc = add_event(list, model, file, j, why)) < 0)
			return rc;
	return 0;
}

int
eventlist_parse(struct eventlist **list, const struct model *model,
    const char *file, const char *text, size_t size, struct diag *why)
{
	struct arena *arena = arena_new();
	const struct json *root;
	int rc = arena != NULL ? 0 : -ENOMEM;

	if (*list == NULL && (*list = eventlist_new()) == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		rc = json_parse(arena, file, text, size, &root, why);
	if (rc == 0)
		rc = add_events(*list, model, file, root, why);
	arena_free(arena);
	return rc == -ENOMEM ? diag_set(why, rc, "%s: out of memory", file) :
	    rc;
}

int
eventlist_load(struct eventlist **list, const struct model *model,
    const struct cpu_id *cpu, const char *file, struct diag *why)
{
	size_t size;
	char *text;
	int rc = text_load(file, NULL, &text, &size, why), unsure;

	if (rc < 0)
		return rc;
	unsure = mapfile_check(model, cpu, file, why);
	rc = unsure < 0 ? unsure : eventlist_parse(list, model, file, text,
	    size, why);
	if (rc == 0)
		rc = used_add(&(*list)->used, (*list)->arena, file, text, size);
	free(text);
	if (rc == -ENOMEM)
		return diag_set(why, rc, "%s: out of memory", file);
	if (rc == 0 && unsure > 0 && (*list)->unsure == NULL &&
	    ((*list)->unsure = arena_strndup((*list)->arena, file,
	    strlen(file))) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", file);
	return rc;
}

/* The name without "UNC_M_" and the like. */
static const char *
short_name(const char *name)
{
	const char *end;

	if (strncasecmp(name, "UNC_", 4) != 0 ||
	    (end = strchr(name + 4, '_')) == NULL)
		return name;
	return end + 1;
}

/* The whole name before a short one, today's name before an old one. */
static unsigned
match(const struct listed_event *ev, const char *name)
{
	unsigned rank = ev->deprecated ? 1 : 2;

	if (strcasecmp(ev->name, name) == 0)
		return 2 + rank;
	return strcasecmp(short_name(ev->name), name) == 0 ? rank : 0;
}

static const struct listed_event *
find(const struct eventlist *list, const struct box_type *type, bool any,
    const char *name)
{
	const struct listed_event *found = NULL;
	unsigned best = 0;

	for (unsigned i = 0; list != NULL && i < list->n; i++) {
		const struct listed_event *ev = list->event[i];
		unsigned rank = any || ev->type == type ? match(ev, name) : 0;

		if (rank > best) {
			best = rank;
			found = ev;
		}
	}
	return found;
}

const struct listed_event *
eventlist_find_in(const struct eventlist *list, const struct box_type *type,
    const char *name)
{
	return find(list, type, false, name);
}

const struct listed_event *
eventlist_find(const struct eventlist *list, const char *name)
{
	return find(list, NULL, true, name);
}

const struct listed_event *
eventlist_at(const struct eventlist *list, unsigned n)
{
	return list != NULL && n < list->n ? list->event[n] : NULL;
}

const char *
eventlist_near(const struct eventlist *list, const struct box_type *type,
    const char *name)
{
	struct near near;

	near_init(&near, name);
	for (unsigned i = 0; list != NULL && i < list->n; i++) {
		const struct listed_event *ev = list->event[i];

		if (type != NULL && ev->type != type)
			continue;
		near_try(&near, ev->name);
		if (short_name(ev->name) != ev->name)
			near_try(&near, short_name(ev->name));
	}
	return near.name;
}
