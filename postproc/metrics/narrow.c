/*
 * postproc/metrics/narrow.c - does not read the columns of a dump that nobody asked for.
 *
 * Which columns are needed is known when metrics are bound; by then the first
 * samples were read.  So the file is opened again, by a reader that knows all of its
 * columns from the start, the needed ones first, and gives these alone.
 */
#include "postproc/metrics/gather_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "postproc/data/doubt.h"

/* The columns that are needed. */
struct needed {
	bool *column;           /* [n] of the reader's */
	unsigned n;
	bool lprocs;            /* columns of lprocs by which others are judged */
	bool programmed;        /* all other columns of lprocs */
	const struct box_type **type;   /* all columns of these types of boxes */
	unsigned ntype, type_room;
};

static bool
narrow_of_lproc(const struct column *c)
{
	return c->id.family->of == OF_LPROC || c->id.family->of == OF_CORE;
}

static bool
narrow_has_type(const struct needed *d, const struct box_type *type)
{
	for (unsigned i = 0; i < d->ntype; i++)
		if (d->type[i] == type)
			return true;
	return false;
}

/* Adds the columns that a needed column is judged by: the counters of the same unit.  For an
 * L3 these are also its lprocs' counters.  What counts by itself in an lproc is judged by
 * that one's clocks and instructions, a programmed counter by all of its counters. */
static int
need_unit(struct needed *d, const struct column *c)
{
	const struct box_type *type = c->id.family->type;

	if (narrow_of_lproc(c)) {
		d->lprocs = true;
		d->programmed |= !c->id.family->fixed &&
		    c->id.family->scalar == NULL;
		return 0;
	}
	if (type == NULL || narrow_has_type(d, type))
		return 0;
	d->lprocs |= type->scope == SCOPE_CCX;
	if (!array_room(&d->type, d->ntype, &d->type_room, sizeof *d->type))
		return -ENOMEM;
	d->type[d->ntype++] = type;
	return 0;
}

static int
need_inputs(struct needed *d, const struct binding *b)
{
	int rc = 0;

	for (uint32_t i = 0; i < b->ninput; i++) {
		const struct input *in = &b->input[i];

		if (in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t k = 0; rc == 0 && k < input_ncolumn(b, in); k++) {
			d->column[in->column[k]] = true;
			rc = need_unit(d, read_column(b->reader,
			    in->column[k]));
		}
	}
	return rc;
}

/* May a column be left unread?  Only counters of lprocs and boxes are, as only these are
 * many. */
static bool
narrow_can_go(const struct needed *d, const struct column *c)
{
	const struct box_type *type = c->id.family->type;

	if (c->cls == CLASS_TSC || c->cls == CLASS_WALL)
		return false;
	if (narrow_of_lproc(c))
		return !d->lprocs || (!d->programmed && !c->id.family->fixed &&
		    !class_is_clock(c->cls) && bounds_role(c) == 0);
	return type != NULL && !narrow_has_type(d, type);
}

/* Returns how many columns are needed, or -ENOMEM. */
static int
find_needed(struct needed *d, const struct gather *g)
{
	int n = 0, rc = need_inputs(d, &g->binding);

	for (unsigned c = 0; rc == 0 && c < d->n; c++) {
		d->column[c] |= !narrow_can_go(d, read_column(g->reader, c));
		n += d->column[c];
	}
	return rc < 0 ? rc : n;
}

/* The names of all columns, those that are needed (`shown`) first, as one block of
 * memory; NULL: out of memory. */
static struct shown_columns *
narrow_columns(const struct needed *d, const struct reader *r, unsigned shown)
{
	size_t head = sizeof(struct shown_columns) + d->n * sizeof(char *);
	size_t size = head;
	struct shown_columns *columns;
	const char **name;
	char *text;
	unsigned n = 0;

	for (unsigned c = 0; c < d->n; c++)
		size += strlen(read_column(r, c)->name) + 1;
	if ((columns = malloc(size)) == NULL)
		return NULL;
	name = (const char **)(columns + 1);
	text = (char *)columns + head;
	for (int needed = 1; needed >= 0; needed--)
		for (unsigned c = 0; c < d->n; c++)
			if (d->column[c] == (needed == 1)) {
				name[n++] = text;
				text = stpcpy(text, read_column(r, c)->name) + 1;
			}
	*columns = (struct shown_columns){ name, d->n, shown };
	return columns;
}

static bool
same_columns(const struct binding *a, const struct input *x,
    const struct binding *b, const struct input *y)
{
	uint32_t n = x->kind == INPUT_COLUMNS ? input_ncolumn(a, x) : 0;

	if (x->kind != y->kind || x->level != y->level ||
	    x->domain != y->domain || (x->kind == INPUT_COLUMNS &&
	    input_ncolumn(b, y) != n))
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (strcmp(read_column(a->reader, x->column[k])->name,
		    read_column(b->reader, y->column[k])->name) != 0)
			return false;
	return true;
}

/* Are the same metrics bound to the same columns of the same units?  A name that two
 * events answered to may be that of one alone now. */
static bool
bound_alike(const struct binding *a, const struct binding *b)
{
	if (a->nbound != b->nbound || a->nop != b->nop ||
	    a->ninput != b->ninput || a->ndomain != b->ndomain ||
	    a->nwatch != b->nwatch)
		return false;
	for (unsigned i = 0; i < a->nbound; i++)
		if (a->bound[i].nmissing != b->bound[i].nmissing)
			return false;
	for (uint32_t i = 0; i < a->ninput; i++)
		if (!same_columns(a, &a->input[i], b, &b->input[i]))
			return false;
	for (uint32_t i = 0; i < a->ndomain; i++)
		if (a->domain[i].nunit != b->domain[i].nunit ||
		    memcmp(a->domain[i].there, b->domain[i].there,
		    a->domain[i].nunit) != 0)
			return false;
	return true;
}

/* Opens the file of `had` again, and binds what was bound there. */
static int
open_narrow(struct gather *g, struct gather *had, const struct gather_ask *ask,
    const struct shown_columns *columns, struct diag *why)
{
	struct select select = ask->select;
	int rc;

	select.columns = columns;
	if ((rc = gather_open(g, had->path, had->binding.metrics, ask->topology,
	    &select, why)) < 0)
		return rc;
	/* columns that are not read may tell of more lprocs and packages */
	topology_fini(&g->topo);
	g->topo = had->topo;
	had->topo = (struct topology){ 0 };
	return binding_again(&g->binding, &had->binding, why);
}

/* Takes over `columns`. */
static int
narrow_to(struct gather *g, const struct gather_ask *ask,
    struct shown_columns *columns, struct diag *why)
{
	struct gather had = *g;
	struct diag again;
	int rc = open_narrow(g, &had, ask, columns, &again);

	if (rc == 0 && bound_alike(&had.binding, &g->binding)) {
		gather_close(&had);
		g->p->columns = columns;
		return 0;
	}
	if (had.topo.rank_of == NULL) {
		had.topo = g->topo;
		g->topo = (struct topology){ 0 };
	}
	gather_close(g);
	free(columns);
	*g = had;
	return rc == -ENOMEM ? diag_set(why, rc, "out of memory") : 0;
}

/* Can the file be read again, and are all figures sure to be the same then? */
static bool
narrow_may(const struct gather *g, uint64_t least)
{
	uint64_t size = read_size(g->reader);

	return size > 0 && size >= least && g->p->pending &&
	    !g->p->turns.any && !slow_any(g->reader) &&
	    read_columns(g->reader) == g->ncol;
}

/* Do the columns that need not be read have at least so many bytes in the file? */
static bool
narrow_pays(const struct gather *g, unsigned needed, uint64_t least)
{
	return needed < g->ncol && read_size(g->reader) / g->ncol *
	    (g->ncol - needed) >= least;
}

int
gather_narrow(struct gather *g, const struct gather_ask *ask, uint64_t least,
    struct diag *why)
{
	struct needed d = { .n = g->ncol };
	int n, rc;

	if (!narrow_may(g, least))
		return 0;
	if ((d.column = calloc(d.n + 1, sizeof *d.column)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = n = find_needed(&d, g);
	if (n >= 0 && narrow_pays(g, (unsigned)n, least)) {
		struct shown_columns *columns = narrow_columns(&d, g->reader,
		    (unsigned)n);

		rc = columns == NULL ? -ENOMEM : narrow_to(g, ask, columns,
		    why);
	}
	free(d.column);
	free(d.type);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 0;
}
