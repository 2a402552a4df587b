/*
 * postproc/live/live_views.c - makes the tables of each view.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/live/live_page.h"
#include "postproc/pages/report.h"

#define COLUMNS 8               /* of a table, at most */

static const struct {
	const char *name, *title;
} views[LIVE_VIEWS] = {
	[LIVE_PACKAGES] = { "package", "packages" },
	[LIVE_NUMA] = { "numa", "NUMA nodes" },
	[LIVE_CORES] = { "core", "cores" },
	[LIVE_LPROCS] = { "lproc", "lprocs" },
	[LIVE_DEVICES] = { "device", "devices" },
};

const char *
live_view_name(enum live_view v)
{
	return views[v].name;
}

const char *
live_view_title(enum live_view v)
{
	return views[v].title;
}

enum live_view
live_view_find(const char *name)
{
	unsigned v = 0;

	while (v < LIVE_VIEWS && strcmp(views[v].name, name) != 0)
		v++;
	return (enum live_view)v;
}

static bool
bind(struct live_page *p, const char *name, unsigned *bound)
{
	struct binding *b = &p->follow.gather.binding;
	const struct metric *m = metrics_find(&p->follow.metrics, name);
	struct diag why;

	if (m == NULL)
		return false;
	for (*bound = 0; *bound < b->nbound; ++*bound)
		if (b->bound[*bound].metric == m)
			return b->bound[*bound].nmissing == 0;
	return binding_add(b, m, bound, &why) == 0 &&
	    b->bound[*bound].nmissing == 0;
}

static struct live_table *
add_table(struct live_page *p, enum live_view view, const char *title,
    unsigned rows, unsigned columns)
{
	struct live_table *t = arena_alloc(p->arena, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->view = view;
	t->ncolumn = columns;
	snprintf(t->title, sizeof(t->title), "%s", title);
	t->row = arena_alloc(p->arena, (rows + 1) * sizeof(*t->row));
	t->row_decimals = arena_alloc(p->arena, (rows + 1) * sizeof(int));
	t->column = arena_alloc(p->arena, (columns + 1) * sizeof(*t->column));
	if (t->row == NULL || t->row_decimals == NULL || t->column == NULL)
		return NULL;
	*p->end = t;
	p->end = &t->next;
	return t;
}

/* Adds a row without cells. */
static struct live_row *
add_row(struct live_page *p, struct live_table *t)
{
	struct live_row *r = &t->row[t->nrow];

	r->cell = arena_alloc(p->arena, (t->ncolumn + 1) * sizeof(*r->cell));
	if (r->cell == NULL)
		return NULL;
	t->nrow++;
	return r;
}

static bool
add_cell(struct live_page *p, struct live_cell **at, unsigned bound,
    const struct window *w)
{
	struct live_cell *c = *at = arena_alloc(p->arena, sizeof(*c));

	if (c == NULL)
		return false;
	c->bound = bound;
	c->window = *w;
	c->turns = gather_rotates(&p->follow.gather, bound) > 0;
	/* if every set has turns in each interval, one interval has all events */
	c->several = gather_rotates(&p->follow.gather, bound) > 1 &&
	    !gather_between(&p->follow.gather);
	c->now.value = c->minute.value = NAN;
	for (unsigned i = 0; i < LIVE_PAST; i++)
		c->past[i] = NAN;
	return true;
}

/* ---- tables with a row for each metric, as in the report --------------- */

/* Adds a row: a metric of the node and of each package or NUMA node. */
static bool
live_views_add_line(struct live_page *p, struct live_table *t,
    enum scope places, const struct report_line *l)
{
	const struct binding *b = &p->follow.gather.binding;
	struct live_row *r;
	struct window w;
	unsigned bound;

	if ((l->without != NULL && bind(p, l->without, &bound)) ||
	    !bind(p, l->metric, &bound))
		return true;
	t->row_decimals[t->nrow] = l->decimals;
	if ((r = add_row(p, t)) == NULL)
		return false;
	snprintf(r->name, sizeof(r->name), "%s", l->title);
	r->unit = b->bound[bound].metric->unit;
	for (unsigned c = 0; c < t->ncolumn; c++) {
		enum scope s = c == 0 ? SCOPE_OF_NODE : places;
		unsigned k = c == 0 ? 0 : c - 1;

		if (k < binding_windows(b, bound, s) &&
		    binding_window(b, bound, s, k, &w) &&
		    !add_cell(p, &r->cell[c], bound, &w))
			return false;
	}
	return true;
}

/* How many units a scope has, by the metric that has most. */
static unsigned
count_places(struct live_page *p, enum scope scope,
    const struct report_line *line, unsigned n)
{
	unsigned most = 0, bound, windows;

	for (unsigned i = 0; i < n; i++) {
		if (line[i].title == NULL || !bind(p, line[i].metric, &bound))
			continue;
		windows = binding_windows(&p->follow.gather.binding, bound,
		    scope);
		most = windows > most ? windows : most;
	}
	return most;
}

static bool
live_views_add_lines(struct live_page *p, enum live_view view,
    enum scope places, const struct report_line *line, unsigned n)
{
	unsigned np = count_places(p, places, line, n);
	struct live_table *t = NULL;

	/* with one package, or one NUMA node, the node's column is enough */
	np = np < 2 ? 0 : np;
	if (np == 0 && view == LIVE_NUMA)
		return true;
	for (unsigned i = 0; i < n; i++) {
		if (line[i].title != NULL && t != NULL) {
			if (!live_views_add_line(p, t, places, &line[i]))
				return false;
			continue;
		}
		t = add_table(p, view, line[i].metric, n, 1 + np);
		if (t == NULL)
			return false;
		t->by_metric = true;
		strcpy(t->column[0].heading, "node");
		for (unsigned k = 1; k <= np; k++)
			snprintf(t->column[k].heading,
			    sizeof(t->column[k].heading), "%s %u",
			    view == LIVE_NUMA ? "numa" : "pkg", k - 1);
	}
	return true;
}

static int
metric_tables(struct live_page *p, const struct node_view *view)
{
	struct report_line *line = NULL;
	unsigned n = 0;
	int rc = report_lines(&p->follow.metrics, view, &line, &n);

	if (rc == 0 && (p->views >> LIVE_PACKAGES & 1) != 0 &&
	    !live_views_add_lines(p, LIVE_PACKAGES, SCOPE_OF_PACKAGE, line, n))
		rc = -ENOMEM;
	if (rc == 0 && (p->views >> LIVE_NUMA & 1) != 0 &&
	    !live_views_add_lines(p, LIVE_NUMA, SCOPE_OF_NUMA, line, n))
		rc = -ENOMEM;
	free(line);
	return rc;
}

/* ---- tables with a row for each core, channel or port ------------------ */

/* Adds row r: the r-th window of each metric. */
static bool
add_place(struct live_page *p, struct live_table *t, enum scope scope,
    const unsigned *bound, unsigned r)
{
	const struct binding *b = &p->follow.gather.binding;
	struct live_row *row = NULL;
	char name[sizeof(row->name)];
	struct window w;

	for (unsigned c = 0; c < t->ncolumn; c++) {
		if (r >= binding_windows(b, bound[c], scope) ||
		    !binding_window(b, bound[c], scope, r, &w))
			continue;
		window_name(b, &w, name, sizeof(name));
		if (row == NULL) {
			if ((row = add_row(p, t)) == NULL)
				return false;
			strcpy(row->name, name);
		}
		if (strcmp(row->name, name) == 0 &&
		    !add_cell(p, &row->cell[c], bound[c], &w))
			return false;
	}
	return true;
}

/* Adds a table whose rows are the units of the first metric that the CPU has. */
static bool
add_places(struct live_page *p, enum live_view view, const struct view_line *x)
{
	const struct binding *b = &p->follow.gather.binding;
	unsigned bound[COLUMNS], n = 0, rows = 0;
	struct live_column column[COLUMNS];
	struct live_table *t;

	for (unsigned i = 0; i < x->nitem && n < COLUMNS; i++) {
		unsigned windows;

		if (!bind(p, x->item[i].metric, &bound[n]) || (windows =
		    binding_windows(b, bound[n], x->scope)) == 0)
			continue;
		rows = n == 0 ? windows : rows;
		snprintf(column[n].heading, sizeof(column[n].heading), "%s",
		    x->item[i].title);
		column[n++].decimals = x->item[i].decimals;
	}
	if (n == 0)
		return true;
	if ((t = add_table(p, view, x->title, rows, n)) == NULL)
		return false;
	memcpy(t->column, column, n * sizeof(*column));
	for (unsigned r = 0; r < rows; r++)
		if (!add_place(p, t, x->scope, bound, r))
			return false;
	return true;
}

static int
tables_of(struct live_page *p, const struct node_view *v)
{
	const struct view_line *x = NULL;
	int rc = metric_tables(p, v);

	while (rc == 0 && (x = view_next(v, VIEW_TABLE, x)) != NULL) {
		enum live_view view = live_view_find(x->place);

		if (view < LIVE_VIEWS && (p->views >> view & 1) != 0 &&
		    !add_places(p, view, x))
			rc = -ENOMEM;
	}
	return rc;
}

int
live_tables(struct live_page *p, struct diag *why)
{
	const char *name = p->follow.ask.view;
	struct node_view view;
	int rc = node_view_load(&view, name != NULL ? name : "@node",
	    model_named(head_text(p->follow.gather.reader, HEAD_MODEL, ALONE,
	    "")), why);

	if (rc == 0)
		rc = tables_of(p, &view);
	node_view_fini(&view);
	return rc == -ENOMEM ? diag_set(why, rc, "out of memory") : rc;
}
