/*
 * postproc/series.c - the columns of a dump, gathered by family and event.
 */
#include "postproc/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
series_fini(struct seriesset *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		free(set->series[i].unit);
	free(set->series);
	*set = (struct seriesset){ 0 };
}

/* One index alone is an lproc, a package or a port: by the family's name. */
static enum level
level_of_one(const char *family)
{
	static const struct { const char *head; enum level level; } by_name[] = {
		{ "core_", LEVEL_LPROC }, { "aperf", LEVEL_LPROC },
		{ "mperf", LEVEL_LPROC }, { "pperf", LEVEL_LPROC },
		{ "thread_", LEVEL_LPROC }, { "sw_", LEVEL_LPROC },
		{ "ib_", LEVEL_NODE }, { "opa_", LEVEL_NODE },
		{ "net_", LEVEL_NODE }, { "walltime", LEVEL_NODE },
	};

	for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
		if (strncmp(family, by_name[i].head,
		    strlen(by_name[i].head)) == 0)
			return by_name[i].level;
	return LEVEL_PACKAGE;
}

static uint32_t
hash_of(const struct read_column *c)
{
	uint32_t h = 5381;

	for (const char *p = c->family; *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	for (const char *p = c->event ? c->event : ""; *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	return h;
}

static bool
same(const struct series *x, const struct read_column *c, enum level level)
{
	return x->level == level && strcmp(x->family, c->family) == 0 &&
	    (x->event == NULL) == (c->event == NULL) &&
	    (x->event == NULL || strcmp(x->event, c->event) == 0);
}

static struct series *
find_or_make(struct seriesset *set, const struct read_column *c,
    enum level level)
{
	uint32_t h = hash_of(c), *head = &set->bucket[h % 256];
	struct series *x;

	for (uint32_t i = *head; i != 0; i = set->series[i - 1].next)
		if (set->series[i - 1].hash == h &&
		    same(&set->series[i - 1], c, level))
			return &set->series[i - 1];
	if (set->n == set->room) {
		uint32_t room = set->room ? set->room * 2 : 64;

		x = realloc(set->series, room * sizeof *x);
		if (x == NULL)
			return NULL;
		set->series = x;
		set->room = room;
	}
	x = &set->series[set->n];
	*x = (struct series){ .family = c->family, .event = c->event,
	    .level = level, .counter = class_is_counter(c->cls), .hash = h, .next = *head };
	*head = ++set->n;
	return x;
}

int
series_add(struct seriesset *set, uint32_t column, const struct read_column *c)
{
	struct series *x;
	enum level level = c->nindex == 0 ? LEVEL_NODE :
	    c->nindex == 2 ? LEVEL_BOX : level_of_one(c->family);
	uint32_t unit = level == LEVEL_NODE ? 0 : c->index[0];

	if (c->nindex > 2 || unit > 65535 || c->index[1] > 65535)
		return 0;
	if ((x = find_or_make(set, c, level)) == NULL)
		return -ENOMEM;
	if (x->n == x->room) {
		uint32_t room = x->room ? x->room * 2 : 4;
		struct series_unit *u = realloc(x->unit, room * sizeof *u);

		if (u == NULL)
			return -ENOMEM;
		x->unit = u;
		x->room = room;
	}
	x->unit[x->n++] = (struct series_unit){ column, unit,
	    level == LEVEL_BOX ? c->index[1] : 0 };
	if (column >= set->columns)
		set->columns = column + 1;
	if (level == LEVEL_LPROC && unit >= set->nlproc)
		set->nlproc = unit + 1;
	if ((level == LEVEL_BOX || level == LEVEL_PACKAGE) && unit >= set->npkg)
		set->npkg = unit + 1;
	return 0;
}
