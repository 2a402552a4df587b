/*
 * postproc/pages/soc_report.c - the report's table of the SoC counters of an Atom C2000.
 *
 * There is a row for each memory channel, module and fabric, and a column for each
 * figure that some of them have, which depends on the groups that were counted.  The
 * view config/page/node-slm.view has the rows and columns.  The name of a figure's
 * metric is the row's, followed by the column's suffix.
 */
#include "postproc/pages/report.h"

#include <string.h>

#define SHOWN 9                 /* columns that fit into 100 characters */
#define MOST 24                 /* rows, and columns, of the view, at most */

/* The table of a dump.  bound[row][column]: number of the bound metric; -1: the dump does
 * not have it. */
struct grid {
	const struct view_line *row[MOST], *column[MOST];
	unsigned nrow, ncolumn;
	int bound[MOST][MOST];
	bool has_row[MOST], has_column[MOST];
	bool any;
};

static int
bind_cell(struct page *p, const struct view_line *row,
    const struct view_line *column)
{
	char name[64];
	unsigned m;

	snprintf(name, sizeof name, "%s%s", row->metric, column->metric);
	return page_bind(p, name, &m) ? (int)m : -1;
}

bool
soc_is(const struct reader *r)
{
	const struct model *m = model_named(head_text(r, HEAD_MODEL, ALONE,
	    ""));

	return m != NULL && m->soc != NULL;
}

const char *
soc_lprocs(const struct gather *g, unsigned n, char *buf, size_t size)
{
	const struct topology *t = &g->topo;
	double last = -1, module;
	size_t used = 0;
	int at = -1;

	buf[0] = '\0';
	for (uint32_t i = 0; i < t->nlproc; i++) {
		module = head_number(g->reader, HEAD_LPROC_MODULE,
		    AT(t->lproc_at[i]), -1);
		if (module < 0)
			continue;
		at += module != last;
		last = module;
		if (at == (int)n && used < size)
			used += (size_t)snprintf(buf + used, size - used,
			    "%s%u", used > 0 ? " " : " lprocs ",
			    t->lproc_at[i]);
	}
	return buf;
}

/* Finds the view's lines of a kind, MOST at most.  Returns how many there are. */
static unsigned
take_lines(const struct page *p, enum view_kind kind,
    const struct view_line *of[MOST])
{
	const struct view_line *x = NULL;
	unsigned n = 0;

	while (n < MOST && (x = view_next(&p->view, kind, x)) != NULL)
		of[n++] = x;
	return n;
}

/* Finds which figures of the table the dump has. */
static struct grid
soc_report_look(struct page *p)
{
	struct grid g = { .any = false };

	g.nrow = take_lines(p, VIEW_GRID_ROW, g.row);
	g.ncolumn = take_lines(p, VIEW_GRID_COLUMN, g.column);
	for (unsigned r = 0; r < g.nrow; r++)
		for (unsigned c = 0; c < g.ncolumn; c++) {
			bool there = (g.bound[r][c] = bind_cell(p, g.row[r],
			    g.column[c])) >= 0;

			g.has_row[r] |= there;
			g.has_column[c] |= there;
			g.any |= there;
		}
	return g;
}

/* Leaves out the columns that the view marks `spare`, if more than SHOWN have a figure.
 * Returns whether it did. */
static bool
drop_columns(struct grid *g)
{
	unsigned n = 0;

	for (unsigned c = 0; c < g->ncolumn; c++)
		n += g->has_column[c];
	for (unsigned c = 0; n > SHOWN && c < g->ncolumn; c++)
		g->has_column[c] &= !g->column[c]->spare;
	return n > SHOWN;
}

static void
put_titles(const struct grid *g, FILE *f)
{
	fprintf(f, "\n%-18s", "SoC counters");
	for (unsigned c = 0; c < g->ncolumn; c++)
		if (g->has_column[c])
			fprintf(f, " %8s", g->column[c]->title);
	fprintf(f, "\n%-18s", "");
	for (unsigned c = 0; c < g->ncolumn; c++)
		if (g->has_column[c])
			fprintf(f, " %8s", g->column[c]->unit);
	fputc('\n', f);
}

static void
soc_report_put_row(struct page *p, const struct grid *g, unsigned r, FILE *f)
{
	bool marked = true;             /* the column before this one */

	fprintf(f, "  %-17s", g->row[r]->title);
	for (unsigned c = 0; c < g->ncolumn; c++) {
		if (!g->has_column[c])
			continue;
		fputs(marked ? "" : " ", f);
		marked = false;
		if (g->bound[r][c] < 0)
			fprintf(f, "%8s", "-");
		else
			marked = page_put(p, f, page_figure(p,
			    (unsigned)g->bound[r][c], SCOPE_OF_NODE, 0), 8,
			    g->column[c]->decimals);
	}
	fputc('\n', f);
}

/* Writes the clocks and the self-refresh, with the DRAM clock as configured if the view
 * names it.  any: the table was written above, with its heading.  Returns whether
 * anything was written, there or here. */
static bool
put_clocks(struct page *p, FILE *f, bool any)
{
	const struct view_line *x = NULL;
	unsigned m, base;

	while ((x = view_next(&p->view, VIEW_CLOCK, x)) != NULL) {
		if (!page_bind(p, x->metric, &m))
			continue;
		fprintf(f, "%s  %-26s", any ? "" : "\nSoC counters\n", x->title);
		any = true;
		if (!page_put(p, f, page_figure(p, m, SCOPE_OF_NODE, 0), 8,
		    x->decimals))
			fputc(' ', f);
		fputs(p->gather.binding.bound[m].metric->unit, f);
		if (x->other != NULL && page_bind(p, x->other, &base))
			fprintf(f, ", of a DRAM clock of %.0f MHz as configured",
			    page_figure(p, base, SCOPE_OF_NODE, 0).value);
		fputc('\n', f);
	}
	return any;
}

/* Writes from which source it is known which event each counter counts (the muxes). */
static void
put_source(const struct reader *r, FILE *f)
{
	const char *muxes = head_text(r, HEAD_SOC_MUX_SOURCE, ALONE, "");
	const char *source = head_text(r, HEAD_SOC_SITE_SOURCE, ALONE, "");

	if (muxes[0] != '\0')
		fprintf(f, "  muxes: %s%s%s\n", muxes, source[0] != '\0' ?
		    ": " : "", source);
}

/* Writes what columns mean, and why a row that is 0 may be 0. */
static void
put_remarks(struct page *p, const struct grid *g, FILE *f)
{
	unsigned m;

	for (unsigned c = 0; c < g->ncolumn; c++)
		if (g->has_column[c] && g->column[c]->note[0] != '\0')
			fprintf(f, "  %s\n", g->column[c]->note);
	for (unsigned r = 0; r < g->nrow; r++)
		if (g->row[r]->note[0] != '\0' &&
		    page_bind(p, g->row[r]->metric, &m) &&
		    page_figure(p, m, SCOPE_OF_NODE, 0).value == 0)
			fprintf(f, "  %s\n", g->row[r]->note);
}

void
soc_print(struct page *p, FILE *f)
{
	struct grid g = soc_report_look(p);
	bool dropped = drop_columns(&g);

	if (g.any)
		put_titles(&g, f);
	for (unsigned r = 0; g.any && r < g.nrow; r++)
		if (g.has_row[r])
			soc_report_put_row(p, &g, r, f);
	if (!put_clocks(p, f, g.any))
		return;
	if (g.any)
		put_remarks(p, &g, f);
	if (dropped)
		fputs("  tally metrics has requests of 32 and of 64 bytes apart from one another\n", f);
	put_source(p->gather.reader, f);
}

static void
add_rows(struct page *p, struct out *out, unsigned m)
{
	const struct metric *metric = p->gather.binding.bound[m].metric;
	char title[120];

	snprintf(title, sizeof title, "SoC: %s", metric->text);
	report_rows(out, p, title, m, metric->note);
}

void
soc_rows(struct page *p, struct out *out)
{
	const struct view_line *x = NULL;
	struct grid g = soc_report_look(p);
	unsigned m;

	for (unsigned r = 0; r < g.nrow; r++)
		for (unsigned c = 0; c < g.ncolumn; c++)
			if (g.bound[r][c] >= 0)
				add_rows(p, out, (unsigned)g.bound[r][c]);
	while ((x = view_next(&p->view, VIEW_CLOCK, x)) != NULL)
		if (page_bind(p, x->metric, &m))
			add_rows(p, out, m);
}
