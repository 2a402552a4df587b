/*
 * postproc/out/long_order.c - in which order the columns of a dump are gone
 * through.
 */
#include "postproc/out/long_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A column, as it is sorted. */
struct column_place {
	unsigned column;
	uint32_t kind;          /* the reader's, of its family and event */
	const struct column_id *id;
};

static int
words_order(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

/* Compares indices; the second one descends where the first is odd. */
static int
index_order(const struct column_id *a, const struct column_id *b)
{
	bool down = false;

	for (unsigned i = 0; i < a->nindex; i++) {
		if (a->index[i] != b->index[i])
			return (a->index[i] < b->index[i]) != down ? -1 : 1;
		down ^= a->index[i] & 1;
	}
	return 0;
}

static bool
long_order_alike(const struct column_place *x, const struct column_place *y)
{
	return x->kind == y->kind && x->id->nindex == y->id->nindex &&
	    words_order(x->id->lprocs, y->id->lprocs) == 0 &&
	    words_order(x->id->odd, y->id->odd) == 0;
}

static int
long_order_by_place(const void *a, const void *b)
{
	const struct column_place *x = a, *y = b;
	int by;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->id->nindex != y->id->nindex)
		return x->id->nindex < y->id->nindex ? -1 : 1;
	if ((by = words_order(x->id->lprocs, y->id->lprocs)) != 0 ||
	    (by = words_order(x->id->odd, y->id->odd)) != 0 ||
	    (by = index_order(x->id, y->id)) != 0)
		return by;
	return x->column < y->column ? -1 : 1;
}

static void
long_order_take(struct long_order *o, const struct column_place *p, unsigned n)
{
	o->n = n;
	for (unsigned i = n; i-- > 0;)
		o->same[i] = i + 1 < n && long_order_alike(&p[i], &p[i + 1]) ?
		    o->same[i + 1] + 1 : 1;
	for (unsigned at = 0; at < n; at += o->same[at])
		for (unsigned i = at, k = at + o->same[at]; k-- > at; i++) {
			o->up.column[i] = p[i].column;
			o->down.column[i] = p[k].column;
			for (unsigned d = 0; d < MAX_INDEX; d++) {
				o->up.index[d][i] = p[i].id->index[d];
				o->down.index[d][i] = p[k].id->index[d];
			}
		}
}

static bool
way_room(struct long_way *w, unsigned n)
{
	bool room = (w->column = calloc(n, sizeof(*w->column))) != NULL;

	for (unsigned d = 0; d < MAX_INDEX; d++) {
		w->index[d] = calloc(n, sizeof(*w->index[d]));
		room = room && w->index[d] != NULL;
	}
	return room;
}

static void
way_fini(struct long_way *w)
{
	free(w->column);
	for (unsigned d = 0; d < MAX_INDEX; d++)
		free(w->index[d]);
}

int
long_order_load(struct long_order *o, const struct reader *r, unsigned n)
{
	struct column_place *p;

	if (n == o->n)
		return 0;
	long_order_fini(o);
	p = calloc(n, sizeof(*p));
	o->same = calloc(n, sizeof(*o->same));
	if (p == NULL || o->same == NULL || !way_room(&o->up, n) ||
	    !way_room(&o->down, n)) {
		free(p);
		return -ENOMEM;
	}
	for (unsigned c = 0; c < n; c++) {
		const struct column *col = read_column(r, c);

		p[c] = (struct column_place){ c, col->kind, &col->id };
	}
	qsort(p, n, sizeof(*p), long_order_by_place);
	long_order_take(o, p, n);
	free(p);
	return 0;
}

void
long_order_fini(struct long_order *o)
{
	way_fini(&o->up);
	way_fini(&o->down);
	free(o->same);
	*o = (struct long_order){ .n = 0 };
}
