/*
 * postproc/data/series.c - the columns of a dump, gathered by family and event.
 */
#include "postproc/data/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "regs/array.h"

void
series_fini(struct seriesset *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		free(set->series[i].unit);
	free(set->series);
	free(set->of_kind);
	*set = (struct seriesset){ 0 };
}

/* One index alone is an lproc, a package or a port: by the family's name. */
static enum level
level_of_one(const char *family)
{
	static const struct { const char *head; enum level level; } by_name[] = {
		{ "core_", LEVEL_LPROC }, { "aperf", LEVEL_LPROC },
		{ "mperf", LEVEL_LPROC }, { "pperf", LEVEL_LPROC },
		{ "lproc_", LEVEL_LPROC }, { "thread_", LEVEL_LPROC },
		{ "sw_", LEVEL_LPROC }, { "software_", LEVEL_LPROC },
		{ "module_", LEVEL_LPROC }, { "lproc_", LEVEL_LPROC },
		{ "ib_", LEVEL_NODE }, { "opa_", LEVEL_NODE },
		{ "net_", LEVEL_NODE }, { "walltime", LEVEL_NODE },
	};

	for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
		if (strncmp(family, by_name[i].head,
		    strlen(by_name[i].head)) == 0)
			return by_name[i].level;
	return LEVEL_PACKAGE;
}

static int
room_for_kind(struct seriesset *set, uint32_t kind)
{
	uint32_t room = kind * 2 + 64, *p;

	if (kind < set->kinds)
		return 0;
	if (kind > 1u << 24 ||
	    (p = realloc(set->of_kind, room * sizeof *p)) == NULL)
		return -ENOMEM;
	memset(p + set->kinds, 0, (room - set->kinds) * sizeof *p);
	set->of_kind = p;
	set->kinds = room;
	return 0;
}

/* The series of a family and event; of those with different numbers of
 * indices, each has its own. */
static struct series *
find_or_make(struct seriesset *set, const struct read_column *c,
    enum level level)
{
	struct series *x;
	uint32_t last;

	if (room_for_kind(set, c->kind) < 0)
		return NULL;
	last = set->of_kind[c->kind];
	if (last != 0 && set->series[last - 1].level == level)
		return &set->series[last - 1];
	for (uint32_t i = 0; last != 0 && i < set->n; i++)
		if (set->series[i].kind == c->kind &&
		    set->series[i].level == level)
			return &set->series[i];
	x = array_grow(set->series, set->n, &set->room, sizeof *x);
	if (x == NULL)
		return NULL;
	set->series = x;
	x = &set->series[set->n++];
	*x = (struct series){ .family = c->family, .event = c->event,
	    .level = level, .counter = class_is_counter(c->cls),
	    .kind = c->kind };
	set->of_kind[c->kind] = set->n;
	return x;
}

int
series_add(struct seriesset *set, uint32_t column, const struct read_column *c)
{
	struct series *x;
	struct series_unit *u;
	enum level level = c->nindex == 0 ? LEVEL_NODE :
	    c->nindex == 2 ? LEVEL_BOX : level_of_one(c->family);
	uint32_t unit = level == LEVEL_NODE ? 0 : c->index[0];

	if (c->nindex > 2 || unit > 65535 || c->index[1] > 65535)
		return 0;
	if ((x = find_or_make(set, c, level)) == NULL)
		return -ENOMEM;
	if ((u = array_grow(x->unit, x->n, &x->room, sizeof *u)) == NULL)
		return -ENOMEM;
	x->unit = u;
	u[x->n++] = (struct series_unit){ column, unit,
	    level == LEVEL_BOX ? c->index[1] : 0 };
	if (column >= set->columns)
		set->columns = column + 1;
	if (level == LEVEL_LPROC && unit >= set->nlproc)
		set->nlproc = unit + 1;
	if ((level == LEVEL_BOX || level == LEVEL_PACKAGE) && unit >= set->npkg)
		set->npkg = unit + 1;
	return 0;
}
