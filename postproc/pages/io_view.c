/*
 * postproc/pages/io_view.c - the figures of the I/O report, and what is wrong with
 * them.
 */
#include "postproc/pages/io_view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Fewer events than this are no base for a ratio. */
#define TOO_FEW 1000

/* A ratio, what is divided by what: both in events a second. */
static const struct ratio {
	const char *metric, *num, *den;
} ratios[] = {
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
	{ "in rd", "GB/s", "pcie_in_read", 3 },
	{ "in wr", "GB/s", "pcie_in_write", 3 },
	{ "out rd", "GB/s", "pcie_out_read", 3 },
	{ "out wr", "GB/s", "pcie_out_write", 3 },
	{ "rd lat", "ns", "io_read_latency", 0 },
	{ "wr lat", "ns", "io_write_latency", 0 },
	{ "confl", "%", "io_conflicts", 2 },
	{ "VT-d", "M/s", "vtd_rate", 2 },
	{ "TLBmiss", "%", "iotlb_miss", 2 },
	{ "penalty", "ns", "iotlb_penalty", 0 },
	{ "reads", "/miss", "iotlb_accesses", 2 },
};

const size_t io_ncolumn = COUNT(io_columns);

struct figure
io_view_value(struct io_view *v, const char *metric, struct io_at at)
{
	char buf[40];
	struct figure f = io_figure(&v->page, io_stack_metric(&v->page, metric,
	    at.pkg, at.stack, buf, sizeof buf), at.pkg, at.stack);

	if (strcmp(metric, "dram_utilisation") == 0 && v->dram_max > 0 &&
	    at.pkg < 0) {
		f = io_figure(&v->page, "dram_bandwidth", -1, -1);
		f.value *= 1e11 / v->dram_max;
		f.wrong = f.value > 100;
	}
	return f;
}

static void
note(struct io_view *v, const struct ratio *r, const char *why,
    struct io_at at)
{
	struct figure f = io_figure(&v->page, r->metric, at.pkg, at.stack);
	char name[32], where[64] = "node";

	if (v->nnote == MAX_NOTES)
		return;
	if (at.stack >= 0)
		snprintf(where, sizeof where, "package %d %s", at.pkg,
		    io_stack_name(&v->page, (unsigned)at.pkg,
		    (unsigned)at.stack, name, sizeof name));
	else if (at.pkg >= 0)
		snprintf(where, sizeof where, "package %d", at.pkg);
	snprintf(v->note[v->nnote++], sizeof v->note[0], "%s of %s is %.4g, "
	    "%s: %s %.6g /s, %s %.6g /s", r->metric, where, f.value, why,
	    r->num, io_figure(&v->page, r->num, at.pkg, at.stack).value,
	    r->den, io_figure(&v->page, r->den, at.pkg, at.stack).value);
}

char
io_view_flag(struct io_view *v, const char *metric, struct figure f,
    struct io_at at)
{
	for (size_t i = 0; i < COUNT(ratios) && !isnan(f.value); i++) {
		double den;

		if (strcmp(ratios[i].metric, metric) != 0)
			continue;
		den = io_figure(&v->page, ratios[i].den, at.pkg,
		    at.stack).value;
		if (!(den * v->page.sums.seconds >= TOO_FEW)) {
			note(v, &ratios[i], "by too few events", at);
			return '?';
		}
		if (f.wrong) {
			note(v, &ratios[i], "which cannot be", at);
			return '!';
		}
	}
	v->incomplete |= !isnan(f.value) && figure_lacks(&f);
	return figure_mark(&f);
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
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page);

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

/* Has the CPU's list any of the metrics of the page? */
static bool
known(const struct io_view *v)
{
	for (size_t i = 0; i < io_nline; i++)
		if (metrics_find(&v->page.metrics, io_lines[i].metric))
			return true;
	return false;
}

int
io_view_open(struct io_view *v, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = io_page_open(&v->page, path, ask, why);

	if (rc < 0)
		return rc;
	if (!known(v))
		return diag_set(why, -ENOENT, "%s: no metrics of I/O stacks "
		    "are known for this CPU; what there is of its I/O is in "
		    "tally report and tally metrics", path);
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
		snprintf(buf, size, "%d/%s", l->pkg, io_stack_name(&v->page,
		    (unsigned)l->pkg, (unsigned)l->stack, name, sizeof name));
	else
		snprintf(buf, size, "%d/%s part %d", l->pkg,
		    io_stack_name(&v->page, (unsigned)l->pkg,
		    (unsigned)l->stack, name, sizeof name), l->part);
}
