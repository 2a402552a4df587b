/*
 * postproc/pages/io_view.c - the figures of the I/O report, and what is wrong with
 * them.
 */
#include "postproc/pages/io_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* Fewer events than this are no base for a ratio. */
#define TOO_FEW 1000

struct figure
io_view_value(struct io_view *v, const char *metric, struct io_at at)
{
	char buf[40];
	struct figure f;

	if (at.stack >= 0 && io_l3_metric(metric))
		return io_unit_l3(&v->page, metric, at.pkg, at.stack).figure;
	f = io_figure(&v->page, io_stack_metric(&v->page, metric,
	    at.pkg, at.stack, buf, sizeof buf), at.pkg, at.stack);

	if (strcmp(metric, "dram_utilisation") == 0 && v->dram_max > 0) {
		double by = 1e11 / v->dram_max * (at.pkg < 0 ? 1 :
		    v->page.gather.topo.npkg);

		f = io_figure(&v->page, "dram_bandwidth", at.pkg, -1);
		f.value *= by;
		f.error *= by;
		f.wrong = f.outside = f.value > 100;
	}
	return f;
}

static void
io_view_place_name(const struct io_view *v, struct io_at at, bool brief,
    char *buf, size_t size)
{
	char name[40] = "";

	if (at.stack >= 0)
		io_stack_name(&v->page.gather, (unsigned)at.pkg, (unsigned)at.stack,
		    name, sizeof name);
	if (at.pkg < 0)
		snprintf(buf, size, "node");
	else if (brief)
		snprintf(buf, size, at.stack >= 0 ? "%d/%s" : "package %d",
		    at.pkg, name);
	else
		snprintf(buf, size, at.stack >= 0 ? "package %d %s" :
		    "package %d", at.pkg, name);
}

static void
io_view_widen(double *range, double v, bool first)
{
	if (first || v < range[0])
		range[0] = v;
	if (first || v > range[1])
		range[1] = v;
}

static void
add_doubt(struct io_doubt *d, const struct io_doubt *one, const char *brief)
{
	size_t used = strlen(d->where), room = sizeof d->where - 5;
	bool first = d->n++ == 0, full = d->left_out;

	io_view_widen(d->value, one->value[0], first);
	io_view_widen(d->num, one->num[0], first);
	io_view_widen(d->den, one->den[0], first);
	d->left_out = full || used + strlen(brief) + 2 >= room;
	if (!full)
		snprintf(d->where + used, sizeof d->where - used, "%s%s",
		    used > 0 ? ", " : "", d->left_out ? "..." : brief);
}

/* Adds a doubt to those of the same metric, reason and scope. */
static void
take_doubt(struct io_view *v, const struct io_doubt *one, struct io_at at)
{
	char brief[64];
	unsigned i = 0;

	while (i < v->ndoubt && (v->doubt[i].metric != one->metric ||
	    v->doubt[i].few != one->few || v->doubt[i].scope != one->scope))
		i++;
	if (i == MAX_DOUBTS)
		return;
	if (i == v->ndoubt) {
		v->doubt[v->ndoubt++] = *one;
		v->doubt[i].n = 0;
	}
	io_view_place_name(v, at, true, brief, sizeof brief);
	add_doubt(&v->doubt[i], one, brief);
}

/* Writes the least and greatest value of a doubt: "17", or "17 to 49". */
static const char *
range_text(const double *range, int digits, char *buf, size_t size)
{
	char hi[20];

	snprintf(buf, size, "%.*g", digits, range[0]);
	snprintf(hi, sizeof hi, "%.*g", digits, range[1]);
	if (strcmp(buf, hi) != 0)
		snprintf(buf + strlen(buf), size - strlen(buf), " to %s", hi);
	return buf;
}

void
io_doubt_text(const struct io_doubt *d, char *buf, size_t size)
{
	char value[40], num[40], den[40], where[80];
	const char *const *unit = d->unit;

	snprintf(where, sizeof where, "%s", d->first);
	if (d->n > 1)
		snprintf(where, sizeof where, "%u %s", d->n, d->scope ==
		    SCOPE_OF_BOX ? "stacks" : "packages");
	snprintf(buf, size, "%s of %s is %s, %s: %s %s%s%s, %s %s%s%s",
	    d->metric, where, range_text(d->value, 4, value,
	    sizeof value), d->few ? "by too few events" : "which cannot be",
	    d->ratio->metric, range_text(d->num, 6, num, sizeof num),
	    unit[0][0] != '\0' ? " " : "", unit[0], d->ratio->other,
	    range_text(d->den, 6, den, sizeof den),
	    unit[1][0] != '\0' ? " " : "", unit[1]);
}

/*
 * Is a stack's figure that of its package? If so, note says between which
 * bounds the stack's own figure is.
 */
static bool
of_package(struct io_view *v, const char *metric, struct io_at at, char *note,
    size_t size)
{
	struct io_l3 x;

	if (at.stack < 0 || !io_l3_metric(metric))
		return false;
	x = io_unit_l3(&v->page, metric, at.pkg, at.stack);
	if (isnan(x.figure.value) || x.share > 0.995)
		return false;
	snprintf(note, size, "of package %d, of whose requests %.1f %% are of "
	    "this stack: its own is %.2f to %.2f", at.pkg, 100 * x.share, x.lo,
	    x.hi);
	v->of_package = true;
	return true;
}

/* The ratio of the view that a metric belongs to; NULL: none.  name: the metric's name in
 * the view, whose address tells doubts apart. */
static const struct view_line *
ratio_of(const struct io_view *v, const char *metric, const char **name)
{
	const struct view_line *x = NULL;

	while ((x = view_next(&v->page.view, VIEW_RATIO, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++)
			if (strcmp(x->item[i].metric, metric) == 0) {
				*name = x->item[i].metric;
				return x;
			}
	return NULL;
}

/* The unit of a metric; "": it has none. */
static const char *
io_view_unit(const struct io_view *v, const char *metric)
{
	const struct metric *m = metrics_find(&v->page.metrics, metric);

	return m != NULL ? m->unit : "";
}

/* Is a figure doubtful?  Returns '?' (too few events), '!' (outside its range) or ' '.  A
 * figure of the L3 is judged by its package, also for a stack. */
static char
doubtful(struct io_view *v, const char *metric, struct figure f,
    struct io_at at, struct io_doubt *one)
{
	const char *name;
	const struct view_line *r = ratio_of(v, metric, &name);
	double den;
	bool few;

	if (isnan(f.value) || r == NULL)
		return ' ';
	if (io_l3_metric(metric))
		at.stack = -1;
	den = io_figure(&v->page, r->other, at.pkg, at.stack).value;
	few = !(den * v->page.sums.seconds >= TOO_FEW);
	if (!few && !f.wrong)
		return ' ';
	*one = (struct io_doubt){ .ratio = r, .metric = name, .n = 1,
	    .scope = at.stack >= 0 ? SCOPE_OF_BOX : at.pkg >= 0 ?
	    SCOPE_OF_PACKAGE : SCOPE_OF_NODE, .few = few };
	one->value[0] = one->value[1] = f.value;
	one->num[0] = one->num[1] = io_figure(&v->page, r->metric, at.pkg,
	    at.stack).value;
	one->den[0] = one->den[1] = den;
	one->unit[0] = io_view_unit(v, r->metric);
	one->unit[1] = io_view_unit(v, r->other);
	io_view_place_name(v, at, false, one->first, sizeof one->first);
	return few ? '?' : '!';
}

char
io_view_flag(struct io_view *v, const char *metric, struct figure f,
    struct io_at at, char *note, size_t size)
{
	struct io_doubt one;
	char flag = doubtful(v, metric, f, at, &one);

	note[0] = '\0';
	if (flag != ' ') {
		io_doubt_text(&one, note, size);
		return flag;
	}
	if (!isnan(f.value) && of_package(v, metric, at, note, size))
		return '~';
	v->incomplete |= !isnan(f.value) && figure_lacks(&f);
	return figure_mark(&f);
}

char
io_view_doubt(struct io_view *v, const char *metric, struct figure f,
    struct io_at at)
{
	struct io_doubt one;
	char note[200];

	/* an L3 figure of a stack is its package's, which has been reported */
	if (!(at.stack >= 0 && io_l3_metric(metric)) &&
	    doubtful(v, metric, f, at, &one) != ' ')
		take_doubt(v, &one, at);
	return io_view_flag(v, metric, f, at, note, sizeof note);
}

static int
by_traffic(const void *a, const void *b)
{
	const struct flow_line *x = a, *y = b;
	double s = isnan(x->flow.total.value) ? -1 : x->flow.total.value;
	double t = isnan(y->flow.total.value) ? -1 : y->flow.total.value;

	if (s != t)
		return s > t ? -1 : 1;
	if (x->pkg != y->pkg)
		return x->pkg - y->pkg;
	return x->stack != y->stack ? x->stack - y->stack : x->part - y->part;
}

static int
find_lines(struct io_view *v)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);

	v->line = calloc(v->page.nport + (size_t)npkg * stacks * IO_PARTS + 1,
	    sizeof v->line[0]);
	if (v->line == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < v->page.nport; i++) {
		const struct io_port *x = &v->page.port[i];

		v->line[v->nline++] = (struct flow_line){ x, x->pkg, x->stack,
		    x->part, io_flow(&v->page, x, x->pkg, x->stack,
		    x->stack >= 0 && x->part >= 0 ? x->part : IO_PARTS) };
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (int q = 0; q < IO_PARTS; q++) {
				struct flow_line l = { .pkg = (int)k,
				    .stack = (int)s, .part = q };

				if (io_port_at(&v->page, (int)k, (int)s, q))
					continue;
				l.flow = io_flow(&v->page, NULL, (int)k, (int)s,
				    q);
				if (l.flow.total.value > 0)
					v->line[v->nline++] = l;
			}
	qsort(v->line, v->nline, sizeof v->line[0], by_traffic);
	return 0;
}

const struct view_line *
io_view_row(const struct io_view *v, const struct view_line *x)
{
	do
		x = view_next(&v->page.view, VIEW_ROW, x);
	while (x != NULL && (!v->stacks || x->rare) &&
	    metrics_find(&v->page.metrics, x->metric) == NULL);
	return x;
}

/* Does the CPU have any metric of I/O?  Those of DRAM and of links between packages,
 * which the view shows, too, do not count. */
static bool
io_view_known(const struct io_view *v)
{
	const struct view_line *x = NULL;

	while ((x = view_next(&v->page.view, VIEW_ROW, x)) != NULL)
		if (strncmp(x->metric, "dram", 4) != 0 &&
		    strncmp(x->metric, "upi", 3) != 0 &&
		    strncmp(x->metric, "xgmi", 4) != 0 &&
		    metrics_find(&v->page.metrics, x->metric))
			return true;
	return false;
}

/* Says that there are no metrics of I/O, and which commands have other figures. */
static int
say_instead(const char *path, struct diag *why)
{
	return diag_set(why, -ENOENT, "%s: no metrics of I/O are known for this "
	    "CPU; what there is of it is in tally report and tally metrics",
	    path);
}

/* The table of stacks that a line of the view describes; IO_TABLES: none. */
static enum io_table
io_table_of(const struct view_line *x)
{
	static const char *const place[] = { "payload", "l3", "latency" };
	unsigned i = 0;

	while (i < IO_TABLES && strcmp(x->place, place[i]) != 0)
		i++;
	return (enum io_table)i;
}

/* Lists the columns of all tables of stacks, table by table. */
static int
io_view_find_columns(struct io_view *v)
{
	const struct view_line *x = NULL;
	unsigned room = 0;

	while ((x = view_next(&v->page.view, VIEW_TABLE, x)) != NULL)
		for (unsigned i = 0; io_table_of(x) < IO_TABLES &&
		    i < x->nitem; i++) {
			if (!array_room(&v->column, v->ncolumn, &room,
			    sizeof *v->column))
				return -ENOMEM;
			v->stacks |= metrics_find(&v->page.metrics,
			    x->item[i].metric) != NULL;
			v->column[v->ncolumn++] = (struct io_column){
			    .table = io_table_of(x), .head = x->item[i].title,
			    .unit = x->item[i].unit,
			    .metric = x->item[i].metric,
			    .decimals = x->item[i].decimals };
		}
	return 0;
}

int
io_view_open(struct io_view *v, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = io_page_open(&v->page, path, ask, why);

	if (rc < 0)
		return rc;
	if (!io_view_known(v))
		return say_instead(path, why);
	return (rc = io_view_find_columns(v)) < 0 ? rc : find_lines(v);
}

void
io_view_close(struct io_view *v)
{
	io_page_close(&v->page);
	free(v->column);
	v->column = NULL;
	free(v->line);
	v->line = NULL;
}

void
io_view_place(const struct io_view *v, const struct flow_line *l, char *buf,
    size_t size)
{
	char name[40];

	if (l->stack < 0 && l->part >= 0 && l->pkg >= 0)
		snprintf(buf, size, "root port %d of package %d", l->part, l->pkg);
	else if (l->stack < 0)
		snprintf(buf, size, "no stack known");
	else if (l->part < 0)
		snprintf(buf, size, "%d/%s", l->pkg, io_stack_name(&v->page.gather,
		    (unsigned)l->pkg, (unsigned)l->stack, name, sizeof name));
	else
		snprintf(buf, size, "%d/%s part %d", l->pkg,
		    io_stack_name(&v->page.gather, (unsigned)l->pkg,
		    (unsigned)l->stack, name, sizeof name), l->part);
}
