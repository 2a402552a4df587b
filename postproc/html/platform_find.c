/*
 * postproc/html/platform_find.c - which parts the drawing of a node has, and their
 * figures and timelines.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/parts.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/report.h"

#define MOST_PARTS 200          /* of a kind in a package */
#define MOST_DEVICES 24         /* of a package */

/*
 * ---- I/O stacks and their devices: two parts each, into the package and out of it.
 *
 * The number of a stack is the sum of its free-running port counters; where the dump has
 * none, the reads and writes of its devices.
 */

static const char *const ways[2] = { "in", "out" };

/* The metric of one way (in, out): of a port, or (devices) of what devices read or
 * write. */
static const char *
way_metric(const struct view_line *kind, unsigned way,
    bool devices)
{
	for (unsigned i = 0; i < kind->nitem; i++)
		if (kind->item[i].with == devices && way-- == 0)
			return kind->item[i].metric;
	return "";
}

/* Finds the figures of one way of a stack, or of one of its ports; port -1: of all. */
static void
take_way(struct platform *d, struct node_part *x, const char *name,
    unsigned stack, int port, unsigned way)
{
	const char *of_port = way_metric(x->kind, way, false);
	char where[64], metric[64];

	for (int p = port < 0 ? 0 : port; p < PART_LINES && (port < 0 ||
	    p == port); p++) {
		snprintf(where, sizeof where, "%u/%s_port%d", x->pkg, name, p);
		x->nnumber += platform_ref(d, of_port, SCOPE_OF_BOX,
		    where, &x->number[x->nnumber]);
	}
	snprintf(where, sizeof where, "%u/%u", x->pkg, stack);
	snprintf(metric, sizeof metric, "%s",
	    way_metric(x->kind, way, true));
	if (port >= 0)
		snprintf(metric, sizeof metric, "%s_part%d",
		    way_metric(x->kind, way, true), port);
	if (x->nnumber == 0)
		x->nnumber += platform_ref(d, metric, SCOPE_OF_BOX, where,
		    &x->number[0]);
	if (x->nnumber == 0)
		snprintf(x->missing, sizeof x->missing, "neither %s nor %s is "
		    "counted of it", of_port, metric);
	if (port >= PART_LINES)
		snprintf(x->missing, sizeof x->missing, "the part of the stack "
		    "that it is on is not known");
}

static int
add_ways(struct platform *d, const struct view_line *kind, unsigned pkg,
    unsigned stack, int port, const char *label)
{
	char name[40];

	io_stack_name(&d->page->gather, pkg, stack, name, sizeof name);
	for (unsigned i = 0; i < 2; i++) {
		struct node_part *x = platform_add(d, kind, pkg);

		if (x == NULL)
			return -ENOMEM;
		snprintf(x->label, sizeof x->label, "%s", i == 0 ? label : "");
		snprintf(x->what, sizeof x->what, "%s of package %u, %s%s%s",
		    name, pkg, ways[i], label[0] == ' ' ? ":" : "",
		    label[0] == ' ' ? label : "");
		for (char *c = x->what; (c = strchr(c, '\n')) != NULL;)
			*c = ' ';
		take_way(d, x, name, stack, port, i);
	}
	return 0;
}

static int
add_device_part(struct platform *d, const struct view_line *kind,
    const struct io_port *port)
{
	char label[64];

	snprintf(label, sizeof label, " %.*s%s%.49s", (int)strcspn(
	    port->addresses, " "), port->addresses, port->name[0] != '\0' ?
	    " " : "", port->name);
	return add_ways(d, kind, (unsigned)port->pkg, (unsigned)port->stack,
	    port->part >= 0 ? port->part : PART_LINES, label);
}

static int
platform_stacks(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	const struct gather *g = &d->page->gather;
	unsigned n = io_stacks(g), nport, ndevice = 0;
	struct io_port *port;
	char name[40];
	int rc = io_ports(g->reader, &port, &nport);

	for (unsigned s = 0; rc == 0 && s < n; s++) {
		const struct head_at at = { .name = { kind->unit },
			.n = { pkg, s } };

		if (s > 0 && head_text(g->reader, HEAD_IO_STACK_NAME, AT(0, 0),
		    NULL) != NULL && head_text(g->reader, HEAD_IO_STACK_NAME,
		    AT(pkg, s), NULL) == NULL)
			continue;
		if (head_constant(g->reader, HEAD_UNIT_ABSENT, at) != NULL)
			continue;
		io_stack_name(g, pkg, s, name, sizeof name);
		rc = add_ways(d, kind, pkg, s, -1, name);
		for (unsigned i = 0; rc == 0 && i < nport; i++) {
			if (port[i].pkg != (int)pkg || port[i].stack != (int)s)
				continue;
			if (ndevice++ < MOST_DEVICES)
				rc = add_device_part(d, kind,
				    &port[i]);
			else
				d->undrawn++;
		}
	}
	free(port);
	return rc;
}

/* ---- other parts --------------------------------------------------------------- */

/* Finds the number of a part, and its other figures, at the unit called `where`. */
static bool
take_refs(struct platform *d, struct node_part *x, const char *metric,
    enum scope scope, const char *where)
{
	const struct view_line *k = x->kind;
	unsigned at = x->number[0].n;

	if (!platform_ref(d, metric, scope, where, &x->number[0]))
		return false;
	x->nnumber = 1;
	x->load.n = at;
	x->loaded = platform_ref(d, k->other, scope, where, &x->load);
	for (unsigned i = 0; i < k->nitem && x->nmore < PART_MORE; i++) {
		x->more[x->nmore].n = at;
		x->nmore += k->item[i].with &&
		    strcmp(k->item[i].metric, metric) != 0 &&
		    platform_ref(d, k->item[i].metric, scope, where,
		    &x->more[x->nmore]);
	}
	return true;
}

/* Writes "Core 0/3, lprocs 3 51". */
static void
name_core(const struct platform *d, struct node_part *x, const struct window *w,
    const char *where)
{
	const struct topology *t = &d->page->gather.topo;
	int n = snprintf(x->what, sizeof x->what, "Core %s, lproc%s", where,
	    w->hi - w->lo > 1 ? "s" : "");

	for (uint32_t r = w->lo; r < w->hi && n < (int)sizeof x->what - 12; r++)
		n += snprintf(x->what + n, sizeof x->what - (size_t)n, " %u",
		    t->lproc_at[r]);
}

/* The name of a metric's boxes: that of the model's table, where it has one (AMD's memory
 * channels are UMCs), else that of the view. */
static const char *
box_name(const struct platform *d, const struct view_line *kind,
    unsigned bound)
{
	const struct binding *b = &d->page->gather.binding;
	int in = b->bound[bound].box_input;
	const struct box_type *type = in < 0 ? NULL :
	    b->domain[b->input[in].domain].type;

	return type != NULL && type->space != REG_PERF ? type->name :
	    kind->unit;
}

/* Writes the names of a part, in the drawing and on hover; unit: the name of boxes. */
static void
name_part(const struct platform *d, struct node_part *x, const struct window *w,
    enum scope scope, const char *where, const char *unit)
{
	const struct view_line *k = x->kind;
	const char *own = strchr(where, '/');
	bool labelled = k->label[0] != '\0';

	own = own != NULL ? own + 1 : where;
	if (scope == SCOPE_OF_CORE)
		name_core(d, x, w, where);
	else if (scope == SCOPE_OF_BOX)
		snprintf(x->what, sizeof x->what, "%s %s of package %u",
		    unit, own, x->pkg);
	else if (scope == SCOPE_OF_DIE || scope == SCOPE_OF_NUMA)
		snprintf(x->what, sizeof x->what, "All of %s %s", scope ==
		    SCOPE_OF_DIE ? "die" : "NUMA node", where);
	else
		snprintf(x->what, sizeof x->what, "Package %u%s%s", x->pkg,
		    labelled ? ": " : "", k->label);
	if (labelled && scope == SCOPE_OF_BOX)
		snprintf(x->label, sizeof x->label, "%s %s", d->freerun ?
		    unit : k->label, own);
	else if (labelled)
		snprintf(x->label, sizeof x->label, "%s", k->label);
	else if (scope != k->scope)
		snprintf(x->label, sizeof x->label, "all");
}

/*
 * Adds a part for each unit of a package that has the metric at a scope.  Returns how
 * many; -ENOMEM.  Returns 0 where some unit has no timeline, so that the caller tries a
 * wider scope; packages and the node are added without one.
 */
static int
platform_find_add_units(struct platform *d, const struct view_line *kind,
    unsigned pkg, unsigned bound, enum scope scope)
{
	const struct binding *b = &d->page->gather.binding;
	unsigned n = binding_windows(b, bound, scope), first = d->n;
	struct window w;
	char where[40];

	for (unsigned i = 0; i < n; i++) {
		struct node_part *x;

		if (!binding_window(b, bound, scope, i, &w) || (scope !=
		    SCOPE_OF_NODE && (w.pkg_lo != pkg || w.pkg_hi != pkg + 1)))
			continue;
		if ((x = platform_add(d, kind, pkg)) == NULL)
			return -ENOMEM;
		window_name(b, &w, where, sizeof where);
		name_part(d, x, &w, scope, where, box_name(d, kind, bound));
		x->number[0].n = i;
		if (!take_refs(d, x, b->bound[bound].metric->name, scope,
		    where) || d->n - first > MOST_PARTS ||
		    (x->number[0].line == NULL && scope < SCOPE_OF_PACKAGE)) {
			d->n = first;
			return 0;
		}
	}
	return (int)(d->n - first);
}

/* Is a metric of free-running counters?  Those of DRAM belong to a controller, which has
 * several channels. */
static bool
is_freerun(const struct binding *b, unsigned bound)
{
	int in = b->bound[bound].box_input;
	const char *family = in < 0 ? "" :
	    b->domain[b->input[in].domain].family;

	for (uint32_t i = 0; i < b->series->n; i++)
		if (strcmp(b->series->series[i].family->name, family) == 0)
			return b->series->series[i].family->freerun != NULL;
	return false;
}

/* How many units of a kind a package has, where none was counted. */
static unsigned
count_there(const struct platform *d, const struct view_line *kind,
    unsigned pkg)
{
	const struct gather *g = &d->page->gather;
	unsigned n = 0;

	if (kind->scope == SCOPE_OF_CORE)
		return g->topo.pkg_core[pkg + 1] - g->topo.pkg_core[pkg];
	if (kind->unit[0] == '\0')
		return 1;
	for (unsigned i = 0; i < MOST_PARTS; i++) {
		struct head_at at = { .name = { kind->unit }, .n = { pkg, i } };

		n += head_constant(g->reader, HEAD_UNIT_PRESENT, at) != NULL;
	}
	return n;
}

static int
add_unmeasured(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	const struct topology *t = &d->page->gather.topo;
	unsigned n = count_there(d, kind, pkg);

	for (unsigned i = 0; i < n && i < MOST_PARTS; i++) {
		struct node_part *x = platform_add(d, kind, pkg);
		char where[40];

		if (x == NULL)
			return -ENOMEM;
		snprintf(where, sizeof where, "%u/%d", pkg, kind->scope ==
		    SCOPE_OF_CORE ? t->core_id[t->pkg_core[pkg] + i] : (int)i);
		if (kind->scope == SCOPE_OF_CORE)
			snprintf(x->what, sizeof x->what, "Core %s", where);
		else
			name_part(d, x, NULL, kind->scope, where, kind->unit);
		platform_why(d, kind, x->missing, sizeof x->missing);
	}
	return 0;
}

/* Does the CPU's list have some metric of a statement? */
static bool
has_metric(const struct platform *d, const struct view_line *kind)
{
	for (unsigned i = 0; i < kind->nitem && !kind->item[i].with; i++)
		if (metrics_find(&d->page->metrics, kind->item[i].metric) !=
		    NULL)
			return true;
	return false;
}

/* Adds the parts of a statement of the view.  Where there are too many cores for each to
 * have a timeline, it adds their dies, NUMA nodes or the package instead. */
static int
platform_find_add_kind(struct platform *d, const struct view_line *kind,
    unsigned pkg)
{
	static const enum scope wider[] = { SCOPE_OF_DIE, SCOPE_OF_NUMA,
	    SCOPE_OF_PACKAGE };
	enum part_place place = platform_place(kind);
	unsigned m = 0;
	bool have = false;
	int n = 0;

	for (unsigned i = 0; !have && i < kind->nitem && !kind->item[i].with;
	    i++)
		have = page_bind(d->page, kind->item[i].metric, &m);
	d->freerun = have && is_freerun(&d->page->gather.binding, m);
	if (have)
		n = platform_find_add_units(d, kind, pkg, m, kind->scope);
	for (size_t i = 0; have && n == 0 && i < 3; i++)
		if ((wider[i] == SCOPE_OF_PACKAGE ||
		    kind->scope == SCOPE_OF_CORE) && wider[i] != kind->scope)
			n = platform_find_add_units(d, kind, pkg, m, wider[i]);
	if (n == 0 && place != PLACE_TITLE && place != PLACE_SLICES &&
	    (place != PLACE_CACHES || has_metric(d, kind)))
		n = add_unmeasured(d, kind, pkg);
	return n < 0 ? n : 0;
}

/* Adds a module of an Atom C2000, unless it has no lprocs and was not counted: then
 * the CPU does not have it. */
static int
add_module(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	const char *lprocs;
	char words[80];
	unsigned first = d->n;
	int rc = platform_find_add_kind(d, kind, pkg);

	lprocs = soc_lprocs(&d->page->gather, kind->module - 1, words,
	    sizeof words);
	if (rc < 0 || d->n == first)
		return rc;
	if (lprocs[0] == '\0' && d->part[first].nnumber == 0)
		d->n = first;
	else
		snprintf(d->part[first].what, sizeof d->part[first].what,
		    "Module %u,%s", kind->module - 1, lprocs);
	return 0;
}

/* The number of a part in bucket k, or (k is t->n) over all buckets: the sum of its
 * lines. */
static double
sum_of(const struct timeline *t, const struct node_part *x, unsigned k)
{
	double sum = 0;

	for (unsigned i = 0; i < x->nnumber; i++) {
		const struct line *l = x->number[i].line;
		const struct bucket_value *in = l == NULL || k == t->n ? NULL :
		    &l->in[k >> t->cells[l->kept].coarse];
		double v = l == NULL ? (double)NAN : in == NULL ?
		    timeline_mean(t, l) : in->sum / in->weight;

		sum += isfinite(v) ? v : 0;
	}
	return sum;
}

/* Finds the greatest number of a place, of the parts that have no load: in any bucket; of
 * a metric that adds up, over all of them. */
static void
find_most(struct platform *d)
{
	const struct timeline *t = d->timeline;

	for (unsigned i = 0; i < d->n; i++) {
		const struct node_part *x = &d->part[i];
		double *most = &d->most[x->place];
		bool adds = x->nnumber > 0 && metric_adds(part_metric(d,
		    &x->number[0]));

		if (x->loaded)
			continue;
		for (unsigned k = adds ? t->n : 0; k < t->n + adds; k++)
			*most = fmax(*most, sum_of(t, x, k));
	}
}

/* The peak of a DRAM channel or controller, in the unit of its number: its share of the
 * peak that was measured or that the configuration gives; on an Atom C2000 8 bytes, twice
 * per command clock. */
static double
dram_full(struct platform *d)
{
	const struct reader *r = d->page->gather.reader;
	unsigned n = 0;

	d->dram_peak = peak_dram(r, 0, d->page->gather.topo.npkg, 0);
	if (soc_is(r))
		return head_number(r, HEAD_DRAM_BASE_HZ, ALONE, 0) * 16 / 1e6;
	for (unsigned i = 0; i < d->n; i++)
		n += d->part[i].pkg == 0 && d->part[i].place ==
		    PLACE_BESIDE;
	return n == 0 || grace_is(r) ? 0 : d->dram_peak.value / 1e9 / n;
}

int
platform_find(struct platform *d, struct page *page, const struct timeline *t)
{
	const struct view_line *kind = NULL;
	int rc = 0;

	*d = (struct platform){ .page = page, .timeline = t };
	for (unsigned k = 0; k < page->gather.topo.npkg; k++)
		while (rc == 0 && (kind = view_next(&page->view, VIEW_PART,
		    kind)) != NULL)
			rc = platform_place(kind) == PLACE_STACKS ?
			    platform_stacks(d, kind, k) : kind->module > 0 ?
			    add_module(d, kind, k) :
			    platform_find_add_kind(d, kind, k);
	find_most(d);
	d->dram_full = dram_full(d);
	return rc < 0 ? rc : page->rc;
}

void
platform_fini(struct platform *d)
{
	free(d->part);
	*d = (struct platform){ .n = 0 };
}
