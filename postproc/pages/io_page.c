/*
 * postproc/pages/io_page.c - reads a dump for pages about its I/O.
 */
#include "postproc/pages/io_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number that the head has of a device; -1: it has none, or a negative one. */
static int
device_int(const struct reader *r, enum head_key key, unsigned i)
{
	return (int)head_number(r, key, AT(i), -1);
}

/* The port of a device: devices on the same part share one; a device whose part is not
 * known has its own. */
static struct io_port *
port_for(struct io_port *port, unsigned *n, int pkg, int stack, int part)
{
	for (unsigned i = 0; part >= 0 && i < *n; i++)
		if (port[i].pkg == pkg && port[i].stack == stack &&
		    port[i].part == part)
			return &port[i];
	port[*n] = (struct io_port){ .pkg = pkg, .stack = stack,
	    .part = part };
	return &port[(*n)++];
}

/* A port gets the link of its first device. */
static void
load_device(struct io_port *x, const struct reader *r, unsigned i)
{
	struct head_at at = AT(i);

	snprintf(x->name, sizeof x->name, "%s",
	    head_text(r, HEAD_IO_DEVICE_NAME, at, ""));
	x->driver = head_text(r, HEAD_IO_DEVICE_DRIVER, at, "");
	x->missing = head_text(r, HEAD_IO_DEVICE_MISSING, at, "");
	x->node = device_int(r, HEAD_IO_DEVICE_NODE, i);
	x->gt_s = head_number(r, HEAD_IO_DEVICE_MAX_LINK_SPEED, at, 0);
	x->width = head_number(r, HEAD_IO_DEVICE_MAX_LINK_WIDTH, at, 0);
	x->gt_s_now = head_number(r, HEAD_IO_DEVICE_LINK_SPEED, at, 0);
	x->width_now = head_number(r, HEAD_IO_DEVICE_LINK_WIDTH, at, 0);
}

int
io_ports(const struct reader *r, struct io_port **port, unsigned *nport)
{
	double n = head_number(r, HEAD_IO_DEVICES, ALONE, 0);

	*nport = 0;
	n = n > 0 && n < IO_DEVICES ? n : n > 0 ? IO_DEVICES : 0;
	if ((*port = calloc((unsigned)n + 1, sizeof **port)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < (unsigned)n; i++) {
		struct io_port *x = port_for(*port, nport,
		    device_int(r, HEAD_IO_DEVICE_PACKAGE, i),
		    device_int(r, HEAD_IO_DEVICE_STACK, i),
		    device_int(r, HEAD_IO_DEVICE_PART, i));
		const char *at = head_text(r, HEAD_IO_DEVICE_ADDRESS, AT(i),
		    "");
		size_t used = strlen(x->addresses);

		/* leave out segment 0, the usual one */
		at += strncmp(at, "0000:", 5) == 0 ? 5 : 0;
		snprintf(x->addresses + used, sizeof x->addresses - used,
		    "%s%s", used > 0 ? " " : "", at);
		if (x->ndevice++ > 0)
			continue;
		load_device(x, r, i);
	}
	return 0;
}

int
io_page_load(struct io_page *p, const char *path,
    const struct gather_ask *asked, struct diag *why)
{
	struct gather_ask ask = *asked;

	ask.io = true;
	*p = (struct io_page){ .nport = 0 };
	return gather_load(&p->gather, &p->metrics, path, &ask, why);
}

/* Reads the view, and finds its table of payload. */
static int
load_view(struct io_page *p, const char *name, struct diag *why)
{
	const struct view_line *x = NULL;
	int rc = node_view_load(&p->view, name, model_named(head_text(
	    p->gather.reader, HEAD_MODEL, ALONE, "")), why);

	while (rc == 0 && p->nway == 0 && (x = view_next(&p->view, VIEW_TABLE,
	    x)) != NULL)
		if (strcmp(x->place, "payload") == 0) {
			p->way = x->item;
			p->nway = x->nitem < IO_WAYS ? x->nitem : IO_WAYS;
		}
	return rc;
}

int
io_page_open(struct io_page *p, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = io_page_load(p, path, ask, why);

	if (rc < 0 || (rc = load_view(p, ask->view != NULL ? ask->view : "@io",
	    why)) < 0)
		return rc;
	/* status bits are looked at in every sample */
	for (unsigned i = 0; i < p->metrics.n; i++)
		if ((rc = io_bind(p, metrics_at(&p->metrics, i)->name)) < 0)
			return rc;
	if ((rc = gather_all(&p->gather, why)) < 0)
		return rc;
	if (intervals_samples(p->gather.intervals) < 2)
		return diag_set(why, -ENODATA, isnan(read_number(p->gather.reader,
		    "tally_summary", NAN)) ? "%s: no two samples (with -s: in "
		    "its range)" :
		    "%s: a summary of dumps, which has no samples: tally merge "
		    "reads it", path);
	if ((rc = io_ports(p->gather.reader, &p->port, &p->nport)) < 0)
		return rc;
	p->sums = *gather_sums(&p->gather);
	return 0;
}

void
io_page_close(struct io_page *p)
{
	free(p->port);
	p->port = NULL;
	node_view_fini(&p->view);
	gather_unload(&p->gather, &p->metrics);
}

int
io_bind(struct io_page *p, const char *name)
{
	const struct metric *m = metrics_find(&p->metrics, name);
	struct binding *b = &p->gather.binding;
	struct diag why;
	unsigned n;
	int rc;

	if (m == NULL)
		return -ENOENT;
	for (n = 0; n < b->nbound; n++)
		if (b->bound[n].metric == m)
			return (int)n;
	return (rc = binding_add(b, m, &n, &why)) < 0 ? rc : (int)n;
}

struct figure
io_figure(struct io_page *p, const char *name, int pkg, int stack)
{
	const struct topology *t = &p->gather.topo;
	struct figure none = { .value = NAN, .ran = 1 };
	struct window w = { .scope = SCOPE_OF_NODE, .hi = t->nlproc,
	    .pkg_hi = t->npkg, .thread = -1 };
	int m = io_bind(p, name);

	if (m < 0)
		return none;
	none.value = na(NA_NO_UNIT, 0);
	none.metric = p->gather.binding.bound[m].metric;
	if (pkg >= (int)t->npkg)
		return none;
	if (pkg >= 0) {
		w.scope = SCOPE_OF_PACKAGE;
		w.lo = t->pkg_first[pkg];
		w.hi = t->pkg_first[pkg + 1];
		w.pkg_lo = (unsigned)pkg;
		w.pkg_hi = (unsigned)pkg + 1;
	}
	if (pkg >= 0 && stack >= 0) {
		w.scope = SCOPE_OF_BOX;
		w.in_box = true;
		w.box = (unsigned)stack;
	}
	if (p->gather.binding.bound[m].metric->scope != w.scope &&
	    !scope_widens(p->gather.binding.bound[m].metric->scope,
	    (enum scope)w.scope))
		return none;
	return binding_eval(&p->gather.binding, (unsigned)m, &w, &p->sums);
}

const char *
io_missing(struct io_page *p, const char *name)
{
	int m = io_bind(p, name);

	if (m < 0 && metrics_withheld(&p->metrics, name) != NULL)
		return metrics_withheld(&p->metrics, name);
	if (m < 0)
		return "not a metric of this CPU";
	return p->gather.binding.bound[m].nmissing > 0 ?
	    p->gather.binding.bound[m].missing[0] : NULL;
}

const char *
io_stack_name(const struct gather *g, unsigned pkg, unsigned stack,
    char *buf, size_t size)
{
	const char *name = head_text(g->reader, HEAD_IO_STACK_NAME,
	    AT(pkg, stack), NULL);

	if (name != NULL)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "stack %u", stack);
	return buf;
}

/* Is it PCIe, not CBDMA or MCP?  A stack without a name is taken as PCIe. */
static bool
io_stack_pcie(const struct io_page *p, int pkg, int stack)
{
	return pkg < 0 || stack < 0 || stack_is_called(p->gather.reader,
	    "PCIe*", (uint32_t)pkg, (uint32_t)stack);
}

const char *
io_stack_metric(const struct io_page *p, const char *pcie, int pkg, int stack,
    char *buf, size_t size)
{
	if (strncmp(pcie, "pcie_", 5) != 0 || io_stack_pcie(p, pkg, stack))
		return pcie;
	snprintf(buf, size, "stack_%s", pcie + 5);
	return buf;
}

unsigned
io_stacks(const struct gather *g)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < g->series.n; i++) {
		const struct series *s = &g->series.series[i];

		if (!series_counts(s, "IIO") && !series_counts(s, "IRP"))
			continue;
		for (uint32_t u = 0; u < s->n; u++)
			if (s->unit[u].box >= n && s->unit[u].box < IO_STACKS)
				n = s->unit[u].box + 1;
	}
	for (unsigned s = n; s < IO_STACKS; s++)
		if (head_text(g->reader, HEAD_IO_STACK_NAME, AT(0, s),
		    NULL) != NULL)
			n = s + 1;
	return n;
}

const struct io_port *
io_port_at(const struct io_page *p, int pkg, int stack, int part)
{
	for (unsigned i = 0; i < p->nport; i++)
		if (p->port[i].pkg == pkg && p->port[i].stack == stack &&
		    p->port[i].part == part)
			return &p->port[i];
	return NULL;
}

/* The figure of a part of a stack: of "pcie_in_read" and part 3 that of pcie_in_read_part3. */
static struct figure
io_part(struct io_page *p, const char *name, int pkg, int stack, int part)
{
	static const struct figure nowhere = { .value = NAN, .ran = 1,
	    .missing = "the part of the stack that it is on" };
	char full[64];

	if (part >= IO_PARTS)
		return nowhere;
	snprintf(full, sizeof full, "%s_part%d", name, part);
	return io_figure(p, full, pkg, stack);
}

/* Adds a figure and its caveats to a sum.  The errors are added, too, which is the most
 * that the error of the sum can be.  A figure without a value is counted as left out. */
static void
add_figure(struct figure *sum, const struct figure *f)
{
	if (isnan(f->value)) {
		uint32_t left_out = sum->left_out + 1;

		/* the sum has no value yet: take the figure with its reason */
		if (isnan(sum->value))
			*sum = *f;
		sum->left_out = left_out;
		return;
	}
	sum->error = isnan(sum->value) ? f->error : sum->error + f->error;
	sum->value = isnan(sum->value) ? f->value : sum->value + f->value;
	sum->left_out += f->left_out;
	sum->wrong |= f->wrong;
	sum->outside |= f->outside;
	sum->ran = f->ran < sum->ran ? f->ran : sum->ran;
	sum->apart |= f->apart;
	if (f->of > 0) {
		sum->have = f->have;
		sum->of = f->of;
		sum->domain = f->domain;
	}
}

/*
 * The utilisation of a link is defined as in the I/O recipe (reference 12.1): the payload
 * of all ways in % of what both directions of the link can carry, speed x width each. 
 * Payload does not include headers and encoding, so it never reaches 100.
 */
struct io_flow
io_flow(struct io_page *p, const struct io_port *port, int pkg, int stack,
    int part)
{
	static const struct figure none = { .value = NAN, .ran = 1 };
	struct io_flow f = { .total = none, .link = none };

	f.link.missing = "the link's speed and width";
	for (unsigned i = 0; i < p->nway; i++) {
		f.of[i] = io_part(p, p->way[i].metric, pkg, stack, part);
		add_figure(&f.total, &f.of[i]);
	}
	if (isnan(f.total.value)) {
		f.total.left_out = 0;
		return f;
	}
	if (port != NULL && port->gt_s > 0 && port->width > 0) {
		double all = port->gt_s * port->width * 2;

		f.link = f.total;
		f.link.value = 100 * f.total.value * 8 / all;
		f.link.error = 100 * f.total.error * 8 / all;
		f.link.outside |= f.link.value > 100;
		f.link.wrong |= f.link.outside;
	}
	return f;
}

/* ---- an I/O unit: its share of figures of its package, and its counts --- */

bool
io_l3_metric(const char *metric)
{
	return strncmp(metric, "io_l3_", 6) == 0;
}

struct io_l3
io_unit_l3(struct io_page *p, const char *metric, int pkg, int stack)
{
	const char *of = strstr(metric, "read") ? "io_reads" : "io_writes";
	bool hit = strstr(metric, "_hit") != NULL;
	struct io_l3 x = { .figure = io_figure(p, metric, pkg, -1) };
	struct figure own = io_figure(p, of, pkg, stack);
	double miss = (hit ? 100 - x.figure.value : x.figure.value) / 100;

	x.share = own.value / io_figure(p, of, pkg, -1).value;
	if (!(x.share > 0)) {
		own.value = own.value == 0 ? (double)NAN : own.value;
		own.metric = x.figure.metric;
		x.figure = own;
		return x;
	}
	/* the bounds: all requests of the package's other units missed, or none did */
	x.lo = 100 * fmax(0, (miss - (1 - x.share)) / x.share);
	x.hi = 100 * fmin(1, miss / x.share);
	if (hit) {
		double most = 100 - x.lo;

		x.lo = 100 - x.hi;
		x.hi = most;
	}
	return x;
}

const char *
io_unit_event(const struct series *s, const char **event)
{
	static const char *const box[][2] = { { "IIO", "iio" },
		{ "IRP", "irp" }, { "M2PCIe", "m2pcie" } };
	const char *family;

	for (size_t i = 0; i < 3 && s->event != NULL; i++)
		if (series_counts(s, box[i][0])) {
			*event = event_plain(s->event, &family);
			return box[i][1];
		}
	return NULL;
}

/* The standard error of a column's scaled count, as for a figure: by what the count would be
 * without each batch of turns (where there are few units, by what turns miss in one), and by
 * chance. */
static double
count_error(const struct sums *s, uint32_t c, double value)
{
	double chance = batches_chance(s->value[c], s->share[c]);
	double pace = 0, less[BATCHES], error = 0;

	if (s->turns == NULL)           /* scaled only as intervals are left out */
		return NAN;
	if (s->batches->unit < STEPS_LEAST)
		pace = s->turns->between ? value * batches_off(s->batches) :
		    (double)NAN;
	for (unsigned i = 0; s->without != NULL &&
	    i < batches_count(s->batches); i++)
		less[i] = s->without[i].value[c] / s->without[i].share[c];
	if (s->without != NULL)
		error = batches_error(s->batches, value, less);
	return s->without != NULL && s->batches->unit >= STEPS_LEAST ?
	    batches_add_chance(s->batches, error, chance) :
	    sqrt(error * error + pace * pace + chance * chance);
}

struct figure
io_unit_count(const struct io_page *p, const struct series *s, int pkg,
    int stack)
{
	const struct sums *sums = &p->sums;
	struct figure f = { .value = NAN, .ran = 1 };

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t c = s->unit[i].column;

		if (s->unit[i].unit != (uint32_t)pkg ||
		    s->unit[i].box != (uint32_t)stack || c >= sums->ncol)
			continue;
		f.ran = sums->share != NULL ? sums->share[c] : 1;
		f.value = f.ran > 0 ? sums->value[c] / f.ran : (double)NAN;
		f.no_turn = f.ran > 0 ? TURN_NONE : TURN_SET;
		if (figure_is_estimate(&f) && !isnan(f.value))
			f.error = count_error(sums, c, f.value);
		return f;
	}
	return f;
}
