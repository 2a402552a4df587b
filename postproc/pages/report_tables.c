/*
 * postproc/pages/report_tables.c - two tables of the report: the dies or NUMA nodes that
 * are parts of packages, and the busiest lprocs.  The view names their metrics
 * (config/page/README, `table parts` and `table busiest`).
 */
#include "postproc/pages/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_LPROCS 2          /* of the busiest, and of the idlest */
#define BUSY_COLUMNS 8          /* metrics of their table, at most */

/* ---- dies and NUMA nodes ------------------------------------------------------- */

/* Metrics that need uncore boxes have no figure for a part of a package: no source says
 * which of the package's CHAs and memory channels are the part's own. */

/* All dies, or all NUMA nodes. */
static const struct regions *
regions(const struct page *p, enum scope scope)
{
	const struct topology *t = &p->gather.topo;

	return scope == SCOPE_OF_DIE ? &t->die : &t->numa;
}

bool
regions_parted(const struct regions *s)
{
	bool parted = false;

	for (uint32_t i = 0; i < s->n; i++)
		parted |= !s->region[i].whole;
	return parted;
}

/* Writes the line of one die or NUMA node: name, packages, lprocs and its metrics. */
static void
put_region(struct page *p, FILE *f, const struct view_line *x, uint32_t n)
{
	const struct region *r = &regions(p, x->scope)->region[n];
	const struct window w = { .scope = (uint8_t)x->scope,
	    .pkg_lo = r->pkg_lo, .in = n };
	bool marked = true;             /* the figure before this one */
	char id[32];

	window_name(&p->gather.binding, &w, id, sizeof id);
	fprintf(f, "  %-5s package%s %u", id, r->pkg_hi - r->pkg_lo > 1 ? "s" :
	    "", r->pkg_lo);
	if (r->pkg_hi - r->pkg_lo > 1)
		fprintf(f, " to %u", r->pkg_hi - 1);
	fprintf(f, "%6u lprocs ", r->n);
	for (unsigned i = 0; i < x->nitem; i++) {
		unsigned m;

		if (!page_bind(p, x->item[i].metric, &m))
			continue;
		fputs(marked ? "" : " ", f);
		marked = page_put(p, f, page_figure(p, m, x->scope, n), 11,
		    x->item[i].decimals);
	}
	fputc('\n', f);
}

/* The next table of dies or NUMA nodes behind `x` that are parts of packages. */
static const struct view_line *
next_table(const struct page *p, const struct view_line *x)
{
	while ((x = view_next(&p->view, VIEW_TABLE, x)) != NULL)
		if (strcmp(x->place, "parts") == 0 &&
		    (x->scope == SCOPE_OF_DIE || x->scope == SCOPE_OF_NUMA) &&
		    regions_parted(regions(p, x->scope)))
			return x;
	return NULL;
}

void
regions_print(struct page *p, FILE *f)
{
	const struct view_line *x = NULL;
	unsigned m;

	while ((x = next_table(p, x)) != NULL) {
		fprintf(f, "\n%-30s", x->title);
		for (unsigned i = 0; i < x->nitem; i++)
			if (page_bind(p, x->item[i].metric, &m))
				fprintf(f, "%12s", p->gather.binding.bound[m]
				    .metric->unit);
		fputc('\n', f);
		for (uint32_t n = 0; n < regions(p, x->scope)->n; n++)
			put_region(p, f, x, n);
		fprintf(f, "  (parts of packages: which boxes and memory "
		    "channels are whose is not known)\n");
	}
}

void
regions_rows(struct page *p, struct out *out)
{
	const struct view_line *x = NULL;
	unsigned m;

	while ((x = next_table(p, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++)
			if (page_bind(p, x->item[i].metric, &m))
				report_rows_of(out, p, x->item[i].title, m,
				    x->scope, p->gather.binding.bound[m]
				    .metric->note);
}

/* ---- lprocs -------------------------------------------------------------------- */

/* The table of the busiest lprocs: its metrics that are counted. */
struct busiest {
	const struct view_item *item[BUSY_COLUMNS];
	unsigned bound[BUSY_COLUMNS], n;
};

struct busy {
	double value;           /* the table's first metric */
	struct window window;
};

/* For qsort: the busiest lproc first; equal ones in the order of the topology. */
static int
by_busy(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->window.lo < y->window.lo ? -1 : 1;
}

/* Writes the line of one lproc: where it is, and the table's metrics. */
static void
put_lproc(struct page *p, FILE *f, const struct busy *x,
    const struct busiest *t)
{
	const struct topology *topo = &p->gather.topo;
	uint32_t r = x->window.lo;

	fprintf(f, "  lproc %-5u package %u core %-3d thread %u  %6.*f %s",
	    topo->lproc_at[r], x->window.pkg_lo, topo->core_id[
	    topo->core_of[r]], topo->thread[r], t->item[0]->decimals, x->value,
	    t->item[0]->unit);
	for (unsigned i = 1; i < t->n; i++) {
		if (!page_put(p, f, page_eval(p, t->bound[i], &x->window), 9,
		    t->item[i]->decimals))
			fputc(' ', f);
		fputs(t->item[i]->unit, f);
	}
	putc('\n', f);
}

/* Do all lprocs have the same values, within a hundredth? */
static bool
are_alike(struct page *p, const struct busiest *t, const struct busy *busy,
    unsigned n)
{
	for (unsigned k = 0; k < t->n; k++) {
		double least = INFINITY, most = -INFINITY;

		for (unsigned i = 0; i < n; i++) {
			struct figure x = page_eval(p, t->bound[k],
			    &busy[i].window);

			if (isnan(x.value) || figure_mark(&x) != ' ')
				return false;
			least = fmin(least, x.value);
			most = fmax(most, x.value);
		}
		if (most - least > 0.01 * fabs(most))
			return false;
	}
	return true;
}

/* Fills busy[] with the lprocs for which metric u, the table's first, has a value, and
 * sorts them by it.  Returns how many there are. */
static unsigned
find_busy(struct page *p, unsigned u, struct busy *busy)
{
	const struct binding *b = &p->gather.binding;
	unsigned n = 0, max = binding_windows(b, u, SCOPE_OF_LPROC);

	for (unsigned i = 0; i < max; i++) {
		if (!binding_window(b, u, SCOPE_OF_LPROC, i, &busy[n].window))
			continue;
		busy[n].value = page_figure(p, u, SCOPE_OF_LPROC, i).value;
		n += !isnan(busy[n].value);
	}
	qsort(busy, n, sizeof *busy, by_busy);
	return n;
}

/* Writes one line about lprocs that all have the same values: "Lprocs: all 96 are alike
 * in utilisation, frequency and instructions per cycle", as far as these were counted. */
static void
put_alike_lprocs(FILE *f, const struct busiest *t, unsigned n)
{
	fprintf(f, "\nLprocs: all %u are alike in ", n);
	for (unsigned i = 0; i < t->n; i++)
		fprintf(f, "%s%s", i == 0 ? "" : i + 1 == t->n ? " and " :
		    ", ", t->item[i]->title);
	putc('\n', f);
}

/* Finds the view's table of the busiest lprocs, *x, and those of its metrics that were
 * counted.  false: the view has none, or its first metric was not counted. */
static bool
find_busiest(struct page *p, const struct view_line **x, struct busiest *t)
{
	*t = (struct busiest){ .n = 0 };
	*x = NULL;
	do
		*x = view_next(&p->view, VIEW_TABLE, *x);
	while (*x != NULL && strcmp((*x)->place, "busiest") != 0);
	for (unsigned i = 0; *x != NULL && i < (*x)->nitem &&
	    t->n < BUSY_COLUMNS; i++) {
		t->item[t->n] = &(*x)->item[i];
		t->n += page_bind(p, (*x)->item[i].metric, &t->bound[t->n]);
		if (t->n == 0)
			return false;
	}
	return t->n > 0;
}

void
lprocs_print(struct page *p, FILE *f)
{
	const struct view_line *x;
	struct busiest t;
	struct busy *busy;
	unsigned n, max;

	if (!find_busiest(p, &x, &t) || (max = binding_windows(
	    &p->gather.binding, t.bound[0], SCOPE_OF_LPROC)) == 0)
		return;
	if ((busy = calloc(max, sizeof *busy)) == NULL) {
		p->rc = -ENOMEM;
		return;
	}
	n = find_busy(p, t.bound[0], busy);
	if (!p->all && n > 2 * SHOWN_LPROCS && are_alike(p, &t, busy, n)) {
		put_alike_lprocs(f, &t, n);
		free(busy);
		return;
	}
	fprintf(f, "\nBusiest %s\n", x->title);
	for (unsigned i = 0; i < n && i < SHOWN_LPROCS; i++)
		put_lproc(p, f, &busy[i], &t);
	if (n > SHOWN_LPROCS)
		fprintf(f, "Idlest %s\n", x->title);
	for (unsigned i = n > 2 * SHOWN_LPROCS ? n - SHOWN_LPROCS :
	    SHOWN_LPROCS; i < n; i++)
		put_lproc(p, f, &busy[i], &t);
	free(busy);
}
