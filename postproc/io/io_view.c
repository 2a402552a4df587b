/*
 * postproc/io/io_view.c - the figures of the I/O report, and what is wrong with
 * them.
 */
#include "postproc/io/io_view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Fewer events than this are no base for a ratio. */
#define TOO_FEW 1000

/* A ratio, what is divided by what: both in events a second. */
struct io_ratio {
	const char *metric, *num, *den;
};

static const struct io_ratio ratios[] = {
	{ "io_l3_read_miss", "io_read_misses", "io_reads" },
	{ "io_l3_read_hit", "io_read_misses", "io_reads" },
	{ "io_l3_write_miss", "io_write_misses", "io_writes" },
	{ "io_l3_write_hit", "io_write_misses", "io_writes" },
	{ "io_read_latency", "io_completing", "io_completions" },
	{ "io_read_queue_latency", "io_reads_queued", "io_reads" },
	{ "io_write_latency", "io_writes_pending", "io_writes_owned" },
	{ "io_conflicts", "io_lost", "io_writes_owned" },
	{ "iotlb_hit", "vtd_misses", "vtd_lookups" },
	{ "iotlb_miss", "vtd_misses", "vtd_lookups" },
	{ "iotlb_penalty", "vtd_walking", "vtd_misses" },
	{ "iotlb_accesses", "vtd_miss_reads", "vtd_misses" },
};

const struct io_line io_lines[] = {
	{ "inbound read (device reads memory)", "pcie_in_read", 3 },
	{ "inbound write (device writes memory)", "pcie_in_write", 3 },
	{ "outbound read (CPU reads device)", "pcie_out_read", 3 },
	{ "outbound write (CPU writes device)", "pcie_out_write", 3 },
	{ "PCIe total", "pcie_total", 3 },
	{ "CBDMA and DMI, all four", "cbdma_total", 3 },
	{ "MCP (on package), all four", "mcp_total", 3 },
	{ "inbound reads that hit L3", "io_l3_read_hit", 2 },
	{ "inbound reads that miss L3", "io_l3_read_miss", 2 },
	{ "inbound writes that hit L3", "io_l3_write_hit", 2 },
	{ "inbound writes that miss L3", "io_l3_write_miss", 2 },
	{ "CPU/IO conflicts", "io_conflicts", 2 },
	{ "DRAM read", "dram_read", 3 },
	{ "DRAM write", "dram_write", 3 },
	{ "DRAM utilisation", "dram_utilisation", 1 },
	{ "UPI sent", "upi_out", 3 },
	{ "UPI utilisation", "upi_utilisation", 1 },
};

const size_t io_nline = COUNT(io_lines);

const struct io_column io_columns[] = {
	{ IO_PAYLOAD, "in rd", "GB/s", "pcie_in_read", 3 },
	{ IO_PAYLOAD, "in wr", "GB/s", "pcie_in_write", 3 },
	{ IO_PAYLOAD, "out rd", "GB/s", "pcie_out_read", 3 },
	{ IO_PAYLOAD, "out wr", "GB/s", "pcie_out_write", 3 },
	{ IO_L3, "rd hit", "%", "io_l3_read_hit", 2 },
	{ IO_L3, "rd miss", "%", "io_l3_read_miss", 2 },
	{ IO_L3, "wr hit", "%", "io_l3_write_hit", 2 },
	{ IO_L3, "wr miss", "%", "io_l3_write_miss", 2 },
	{ IO_LATENCY, "rd lat", "ns", "io_read_latency", 0 },
	{ IO_LATENCY, "wr lat", "ns", "io_write_latency", 0 },
	{ IO_LATENCY, "confl", "%", "io_conflicts", 2 },
	{ IO_LATENCY, "VT-d", "M/s", "vtd_rate", 2 },
	{ IO_LATENCY, "TLB hit", "%", "iotlb_hit", 2 },
	{ IO_LATENCY, "TLBmiss", "%", "iotlb_miss", 2 },
	{ IO_LATENCY, "penalty", "ns", "iotlb_penalty", 0 },
	{ IO_LATENCY, "reads", "/miss", "iotlb_accesses", 2 },
};

const size_t io_ncolumn = COUNT(io_columns);

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
		f = io_figure(&v->page, "dram_bandwidth", at.pkg, -1);
		f.value *= 1e11 / v->dram_max * (at.pkg < 0 ? 1 :
		    v->page.gather.topo.npkg);
		f.wrong = f.outside = f.value > 100;
	}
	return f;
}

static void
place_name(const struct io_view *v, struct io_at at, bool brief, char *buf,
    size_t size)
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
widen(double *range, double v, bool first)
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

	widen(d->value, one->value[0], first);
	widen(d->num, one->num[0], first);
	widen(d->den, one->den[0], first);
	d->left_out = full || used + strlen(brief) + 2 >= room;
	if (!full)
		snprintf(d->where + used, sizeof d->where - used, "%s%s",
		    used > 0 ? ", " : "", d->left_out ? "..." : brief);
}

/* With others of its kind. */
static void
take_doubt(struct io_view *v, const struct io_doubt *one, struct io_at at)
{
	char brief[64];
	unsigned i = 0;

	while (i < v->ndoubt && (v->doubt[i].ratio != one->ratio ||
	    v->doubt[i].few != one->few || v->doubt[i].scope != one->scope))
		i++;
	if (i == MAX_DOUBTS)
		return;
	if (i == v->ndoubt) {
		v->doubt[v->ndoubt++] = *one;
		v->doubt[i].n = 0;
	}
	place_name(v, at, true, brief, sizeof brief);
	add_doubt(&v->doubt[i], one, brief);
}

/* "17", "17 to 49" */
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

	snprintf(where, sizeof where, "%s", d->first);
	if (d->n > 1)
		snprintf(where, sizeof where, "%u %s", d->n, d->scope ==
		    SCOPE_OF_BOX ? "stacks" : "packages");
	snprintf(buf, size, "%s of %s is %s, %s: %s %s /s, %s %s /s",
	    d->ratio->metric, where, range_text(d->value, 4, value,
	    sizeof value), d->few ? "by too few events" : "which cannot be",
	    d->ratio->num, range_text(d->num, 6, num,
	    sizeof num), d->ratio->den, range_text(d->den, 6, den, sizeof den));
}

/* Of a stack, what its package has: how far that is its own. */
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

/* '?', '!', or ' ': not at all.  A stack's figure of the L3 is its package's. */
static char
doubtful(struct io_view *v, const char *metric, struct figure f,
    struct io_at at, struct io_doubt *one)
{
	const struct io_ratio *r = ratios;
	double den;
	bool few;

	while (r < ratios + COUNT(ratios) && strcmp(r->metric, metric) != 0)
		r++;
	if (isnan(f.value) || r == ratios + COUNT(ratios))
		return ' ';
	if (io_l3_metric(metric))
		at.stack = -1;
	den = io_figure(&v->page, r->den, at.pkg, at.stack).value;
	few = !(den * v->page.sums.seconds >= TOO_FEW);
	if (!few && !f.wrong)
		return ' ';
	*one = (struct io_doubt){ .ratio = r, .n = 1,
	    .scope = at.stack >= 0 ? SCOPE_OF_BOX : at.pkg >= 0 ?
	    SCOPE_OF_PACKAGE : SCOPE_OF_NODE, .few = few };
	one->value[0] = one->value[1] = f.value;
	one->num[0] = one->num[1] = io_figure(&v->page, r->num, at.pkg,
	    at.stack).value;
	one->den[0] = one->den[1] = den;
	place_name(v, at, false, one->first, sizeof one->first);
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

	/* what is of the package has been told of it */
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

/* Has the CPU's list any figure of ports and stacks?  Lines of DRAM and links are
 * beside those. */
static bool
known(const struct io_view *v)
{
	for (size_t i = 0; i < io_nline; i++)
		if (strncmp(io_lines[i].metric, "dram", 4) != 0 &&
		    strncmp(io_lines[i].metric, "upi", 3) != 0 &&
		    metrics_find(&v->page.metrics, io_lines[i].metric))
			return true;
	return false;
}

/* Where there is none: what there is instead. */
static int
say_instead(const struct io_view *v, const char *path, struct diag *why)
{
	const struct metrics *m = &v->page.metrics;

	if (metrics_find(m, "dma_read") != NULL)
		return diag_set(why, -ENOENT, "%s: this CPU has no counters of "
		    "I/O stacks; what devices read and write in memory its "
		    "data fabric counts (-c @hpc): tally metrics -m 'dma_*'",
		    path);
	return diag_set(why, -ENOENT, "%s: no metrics of I/O stacks are known "
	    "for this CPU; what there is of its I/O is in tally report and "
	    "tally metrics", path);
}

int
io_view_open(struct io_view *v, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = io_page_open(&v->page, path, ask, why);

	if (rc < 0)
		return rc;
	if (!known(v))
		return say_instead(v, path, why);
	return find_lines(v);
}

void
io_view_close(struct io_view *v)
{
	io_page_close(&v->page);
	free(v->line);
	v->line = NULL;
}

void
io_view_place(const struct io_view *v, const struct flow_line *l, char *buf,
    size_t size)
{
	char name[40];

	if (l->stack < 0)
		snprintf(buf, size, "no stack known");
	else if (l->part < 0)
		snprintf(buf, size, "%d/%s", l->pkg, io_stack_name(&v->page.gather,
		    (unsigned)l->pkg, (unsigned)l->stack, name, sizeof name));
	else
		snprintf(buf, size, "%d/%s part %d", l->pkg,
		    io_stack_name(&v->page.gather, (unsigned)l->pkg,
		    (unsigned)l->stack, name, sizeof name), l->part);
}
