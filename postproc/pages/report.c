/*
 * postproc/pages/report.c - a page about a node: its lines and their figures.  Every
 * figure is the value of a metric.
 */
#include "postproc/pages/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* A metric of a list that the user gave.  Its line stands behind that of another metric, if the
 * list says so (`after`) and the page has that one; else at the end of the page. */
struct own_metric {
	const struct metric *metric, *behind;   /* behind: or NULL */
	bool placed;            /* it has its line */
};

/* The lines so far. */
struct lines_found {
	const struct metrics *metrics;
	struct report_line *line;
	unsigned n, room;
};

static int
report_add_line(struct lines_found *p, const struct report_line *l)
{
	if (!array_room(&p->line, p->n, &p->room, sizeof *p->line))
		return -ENOMEM;
	p->line[p->n++] = *l;
	return 0;
}

static int
add_own(struct lines_found *p, struct own_metric *own)
{
	own->placed = true;
	return report_add_line(p, &(struct report_line){ .own = true,
	    .title = own->metric->name, .metric = own->metric->name,
	    .decimals = DECIMALS_BY_SIZE, .above = -INFINITY });
}

static bool
report_is_shown(const struct node_view *v, const char *metric)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->line[i].kind == VIEW_ROW &&
		    strcmp(v->line[i].metric, metric) == 0)
			return true;
	return false;
}

/* Finds the metrics of the user's lists that need a line of their own: those that the
 * view does not show. */
static unsigned
find_own(const struct lines_found *p, const struct node_view *v,
    struct own_metric *own)
{
	const struct metric *behind = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < p->metrics->n; i++) {
		const struct metric *m = metrics_at(p->metrics, i);
		bool mine = m->own && !m->hidden &&
		    !report_is_shown(v, m->name);

		if (!mine || !m->placed)
			behind = m;
		if (mine)
			own[n++] = (struct own_metric){ m, m->placed ? behind : NULL,
			    false };
	}
	return n;
}

/* Adds a row or a heading of the view, and below it the user's own metrics that
 * stand behind its metric. */
static int
add_view_line(struct lines_found *p, const struct view_line *x,
    struct own_metric *own, unsigned nown)
{
	bool heading = x->kind == VIEW_HEADING;
	int rc;

	if (x->kind != VIEW_ROW && !heading)
		return 0;
	rc = report_add_line(p, &(struct report_line){ .title = heading ? NULL :
	    x->title, .metric = heading ? x->title : x->metric,
	    .decimals = x->decimals, .rare = x->rare, .more = x->more,
	    .above = x->above, .without = x->without });
	for (unsigned k = 0; rc == 0 && !heading && k < nown; k++)
		if (own[k].behind != NULL &&
		    strcmp(own[k].behind->name, x->metric) == 0)
			rc = add_own(p, &own[k]);
	return rc;
}

/* Adds all rows of the view; then, by file, the user's own metrics that stand behind
 * none of these. */
static int
report_add_lines(struct lines_found *p, const struct node_view *v,
    struct own_metric *own, unsigned nown)
{
	const char *file = "";
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < v->n; i++)
		rc = add_view_line(p, &v->line[i], own, nown);
	for (unsigned k = 0; rc == 0 && k < nown; k++) {
		if (own[k].placed)
			continue;
		if (strcmp(own[k].metric->file, file) != 0) {
			file = own[k].metric->file;
			rc = report_add_line(p, &(struct report_line){
			    .metric = file });
		}
		if (rc == 0)
			rc = add_own(p, &own[k]);
	}
	return rc;
}

int
report_lines(const struct metrics *metrics, const struct node_view *view,
    struct report_line **line, unsigned *n)
{
	struct lines_found found = { .metrics = metrics };
	struct own_metric *own = calloc(metrics->n + 1, sizeof *own);
	int rc = own == NULL ? -ENOMEM : report_add_lines(&found, view, own,
	    find_own(&found, view, own));

	free(own);
	*line = found.line;
	*n = found.n;
	return rc;
}

bool
page_bind(struct page *p, const char *name, unsigned *out)
{
	const struct metric *m = metrics_find(&p->metrics, name);
	struct diag why;
	int rc;

	if (m == NULL)
		return false;
	for (*out = 0; *out < p->gather.binding.nbound; ++*out)
		if (p->gather.binding.bound[*out].metric == m)
			return p->gather.binding.bound[*out].nmissing == 0;
	if ((rc = binding_add(&p->gather.binding, m, out, &why)) == -ENOMEM)
		p->rc = rc;
	return rc == 0 &&
	    p->gather.binding.bound[*out].nmissing == 0;
}

/* Are these exactly the metrics that come with the programs? */
static bool
is_as_built_in(const struct metrics *m, const struct gather_ask *ask)
{
	bool own = false;

	for (unsigned i = 0; i < m->n; i++)
		own |= m->metric[i].own;
	return !own && ask->nmetrics == 0 && !ask->only_lists && !ask->io &&
	    ask->events == NULL;
}

int
page_begin(struct page *p, const char *path, const struct gather_ask *ask,
    struct diag *why)
{
	const struct metric *m;
	int rc = gather_load(&p->gather, &p->metrics, path, ask, why);

	if (rc < 0 || (rc = node_view_load(&p->view, ask->view != NULL ?
	    ask->view : "@node", model_named(head_text(p->gather.reader,
	    HEAD_MODEL, ALONE, "")), why)) < 0 || (rc = report_lines(
	    &p->metrics, &p->view, &p->line, &p->nline)) < 0)
		return rc;
	p->as_built_in = is_as_built_in(&p->metrics, ask);
	for (unsigned i = 0; i < p->nline; i++) {
		struct report_line *l = &p->line[i];

		if (l->title == NULL ||
		    (m = metrics_find(&p->metrics, l->metric)) == NULL)
			continue;
		if ((rc = binding_add(&p->gather.binding, m, &l->bound,
		    why)) < 0)
			return rc;
		l->have = true;
	}
	/* bits are only looked at if they are bound before samples are read: bind
	 * those of limit reasons, which the head of the page shows */
	for (unsigned i = 0; i < p->metrics.n; i++)
		if (strncmp(metrics_at(&p->metrics, i)->name, "limit_", 6) == 0) {
			unsigned b;

			page_bind(p, metrics_at(&p->metrics, i)->name, &b);
		}
	return p->rc;
}

/* Does the dump have the metric without which alone the line is shown? */
static bool
is_superseded(struct page *p, const struct report_line *l)
{
	unsigned bound;

	return l->without != NULL && page_bind(p, l->without, &bound);
}

/* Finds out, after the dump was read, whether a line has figures.  It has none if the node does
 * not count this energy. */
static void
report_look_at(struct page *p, struct report_line *l)
{
	l->have = l->have && p->gather.binding.bound[l->bound].nmissing == 0;
	l->uncounted = l->have && na_why(page_figure(p, l->bound, SCOPE_OF_NODE,
	    0).value, NULL) == NA_UNCOUNTED;
	l->have &= !l->uncounted;
}

void
page_end(struct page *p)
{
	unsigned n = 0;

	p->sums = gather_sums(&p->gather);
	for (unsigned i = 0; i < p->nline; i++) {
		struct report_line *l = &p->line[i];

		report_look_at(p, l);
		if (!is_superseded(p, l))
			p->line[n++] = *l;
	}
	p->nline = n;
}

int
page_open(struct page *p, const char *path, const struct gather_ask *ask,
    struct diag *why)
{
	int rc = page_begin(p, path, ask, why);

	if (rc < 0 || (rc = gather_all(&p->gather, why)) < 0)
		return rc;
	page_end(p);
	return 0;
}

int
page_hold(struct page *p)
{
	int rc = held_take(&p->held, &p->gather, p->as_built_in ? &p->metrics :
	    NULL);

	p->sums = gather_sums(&p->gather);
	p->doubtful = p->held.pairs.doubtful;
	return rc;
}

void
page_close(struct page *p)
{
	held_fini(&p->held);
	free(p->line);
	free(p->kept);
	p->line = NULL;
	p->kept = NULL;
	node_view_fini(&p->view);
	gather_unload(&p->gather, &p->metrics);
}

/* Marks a figure `wrong` where its columns are doubtful. */
static struct figure
judged(struct page *p, unsigned b, const struct window *w, struct figure f)
{
	f.wrong |= p->doubtful != NULL && !isnan(f.value) &&
	    binding_doubtful(&p->gather.binding, b, w, p->doubtful);
	p->wrong |= f.wrong;
	return f;
}

struct figure
page_eval(struct page *p, unsigned b, const struct window *w)
{
	return judged(p, b, w, binding_eval(&p->gather.binding, b, w, p->sums));
}

/* Where a figure is kept that several parts of a page show; NULL: no memory. */
static struct kept_figure *
report_kept_at(struct page *p, unsigned b, enum scope scope, unsigned n)
{
	if (p->kept == NULL)
		p->kept = calloc(PAGE_KEPT, sizeof *p->kept);
	return p->kept == NULL ? NULL :
	    &p->kept[(b * 31 + (unsigned)scope * 7 + n) % PAGE_KEPT];
}

struct figure
page_figure(struct page *p, unsigned b, enum scope scope, unsigned n)
{
	const struct binding *binding = &p->gather.binding;
	struct kept_figure *k;
	struct window w;

	if (n >= binding_windows(binding, b, scope) ||
	    !binding_window(binding, b, scope, n, &w))
		return (struct figure){ .value = NAN, .ran = 1,
		    .metric = binding->bound[b].metric };
	if ((k = report_kept_at(p, b, scope, n)) == NULL)
		return page_eval(p, b, &w);
	if (k->sums != p->sums->number || k->bound != b || k->scope != scope ||
	    k->n != n)
		*k = (struct kept_figure){ p->sums->number, b, n, scope,
		    binding_eval(binding, b, &w, p->sums) };
	return judged(p, b, &w, k->figure);
}

char
page_mark(struct page *p, const struct figure *x)
{
	p->incomplete |= !isnan(x->value) && x->of > 0;
	p->lacking |= !isnan(x->value) && x->left_out > 0;
	why_not_take(&p->why_not, &p->gather.binding, x);
	return isnan(x->value) ? ' ' : figure_mark(x);
}

/* Writes a value whose decimals depend on its size. */
static void
put_by_size(FILE *f, double v, int width)
{
	double size = fabs(v);

	if (size != 0 && (size < 0.001 || size >= 1e8))
		fprintf(f, "%*.3g", width, v);
	else
		fprintf(f, "%*.*f", width, size < 1 ? 4 : size < 1000 ? 3 :
		    size < 100000 ? 1 : 0, v);
}

bool
page_put(struct page *p, FILE *f, struct figure x, int width, int decimals)
{
	char mark = page_mark(p, &x);

	if (isnan(x.value))
		fprintf(f, "%*s", width, "n/a");
	else if (decimals == DECIMALS_BY_SIZE)
		put_by_size(f, x.value, width);
	else
		fprintf(f, "%*.*f", width, decimals, x.value);
	if (mark != ' ')
		fputc(mark, f);
	return mark != ' ';
}

bool
figure_shows_error(const struct figure *x, int decimals)
{
	return x->error >= 0.01 * fabs(x->value) && (decimals < 0 ?
	    x->error > 0 : x->error * pow(10, decimals) >= 0.5);
}

const char *
figure_error(const struct figure *x, int decimals, char *buf, size_t size)
{
	if (decimals == DECIMALS_BY_SIZE && x->error < 0.001)
		snprintf(buf, size, "+- %.2g", x->error);
	else
		snprintf(buf, size, "+- %.*f", decimals == DECIMALS_BY_SIZE ?
		    3 : decimals, x->error);
	return buf;
}

void
report_row(struct out *out, const struct page *p, const struct report_row *row)
{
	cell_text(out, p->gather.host);
	cell_text(out, row->title);
	cell_text(out, row->metric);
	cell_text(out, scope_name(row->scope));
	cell_text(out, row->where);
	cell_figure(out, row->value);
	cell_text(out, row->unit);
	cell_u64(out, row->left_out);
	cell_text(out, row->note);
	cell_figure(out, row->error > 0 ? row->error : (double)NAN);
}

void
report_rows_of(struct out *out, struct page *p, const char *title,
    unsigned bound, enum scope scope, const char *remark)
{
	const struct binding *b = &p->gather.binding;
	const struct metric *m = b->bound[bound].metric;

	for (unsigned k = 0; k < binding_windows(b, bound, scope); k++) {
		struct figure f = page_figure(p, bound, scope, k);
		struct window w;
		char where[64], note[300];

		binding_window(b, bound, scope, k, &w);
		window_name(b, &w, where, sizeof where);
		report_row(out, p, &(struct report_row){ .title = title,
		    .metric = m->name, .scope = scope, .where = where,
		    .value = f.value, .unit = m->unit, .left_out = f.left_out,
		    .error = f.error, .note = figure_note(b, &f, remark, note,
		    sizeof note) });
	}
}

void
report_rows(struct out *out, struct page *p, const char *title, unsigned bound,
    const char *remark)
{
	report_rows_of(out, p, title, bound, SCOPE_OF_PACKAGE, remark);
	report_rows_of(out, p, title, bound, SCOPE_OF_NODE, remark);
}
