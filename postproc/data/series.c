/*
 * postproc/data/series.c - the columns of a dump by family and event.
 */
#include "postproc/data/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

void
series_fini(struct seriesset *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		free(set->series[i].unit);
	free(set->series);
	free(set->of_kind);
	*set = (struct seriesset){ 0 };
}

/* Two indices of a column are package and box; what a single one is, the family says. */
static enum level
level_of(const struct column_id *id)
{
	enum family_of of = id->family->of;

	if (id->nindex != 1)
		return id->nindex == 0 ? LEVEL_NODE : LEVEL_BOX;
	return of == OF_LPROC || of == OF_CORE ? LEVEL_LPROC :
	    of == OF_PKG ? LEVEL_PACKAGE : LEVEL_NODE;
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

/* The series of a column's family and event, made if it is new.  Columns of them with
 * another number of indices have a series of their own.  NULL: out of memory. */
static struct series *
find_or_make(struct seriesset *set, const struct column *c,
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
	if (!array_room(&set->series, set->n, &set->room, sizeof *set->series))
		return NULL;
	x = &set->series[set->n++];
	*x = (struct series){ .family = c->id.family, .event = c->id.event,
	    .level = level, .cls = c->cls, .counter = class_is_counter(c->cls),
	    .kind = c->kind };
	set->of_kind[c->kind] = set->n;
	return x;
}

bool
series_counts(const struct series *s, const char *box)
{
	const struct family *f = s->family;

	return f->type != NULL && strcmp(f->type->name, box) == 0 &&
	    f->part == PART_COUNTS && f->sum == SUM_NONE;
}

int
series_add(struct seriesset *set, uint32_t column, const struct column *c)
{
	struct series *x;
	const struct column_id *id = &c->id;
	enum level level = level_of(id);
	uint32_t unit = level == LEVEL_NODE ? 0 : id->index[0];

	if (id->nindex > 2 || unit > 65535 || id->index[1] > 65535)
		return 0;
	if ((x = find_or_make(set, c, level)) == NULL)
		return -ENOMEM;
	if (!array_room(&x->unit, x->n, &x->room, sizeof *x->unit))
		return -ENOMEM;
	x->unit[x->n++] = (struct series_unit){ column, unit,
	    level == LEVEL_BOX ? id->index[1] : 0 };
	if (column >= set->columns)
		set->columns = column + 1;
	if (level == LEVEL_LPROC && unit >= set->nlproc)
		set->nlproc = unit + 1;
	if ((level == LEVEL_BOX || level == LEVEL_PACKAGE) && unit >= set->npkg)
		set->npkg = unit + 1;
	return 0;
}
