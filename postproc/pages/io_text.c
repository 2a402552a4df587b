/*
 * postproc/pages/io_text.c - the I/O report as a page: packages, stacks, devices.
 */
#include "postproc/pages/io_view.h"

#include <math.h>
#include <string.h>

static void
put_value(struct io_view *v, FILE *f, const char *metric, struct io_at at,
    int width, int decimals)
{
	struct figure x = io_view_value(v, metric, at);

	/* below the table it says of a whole column what is missing */
	if (x.missing == NULL)
		why_not_take(&v->why_not, &v->page.gather.binding, &x);
	if (isnan(x.value))
		fprintf(f, "%*s ", width, "-");
	else
		fprintf(f, "%*.*f%c", width, decimals, x.value,
		    io_view_flag(v, metric, x, at));
}

/* Of a device: its mark takes the place of a blank before the next one. */
static void
put_flow(struct io_view *v, FILE *f, const struct figure *x, int decimals)
{
	why_not_take(&v->why_not, &v->page.gather.binding, x);
	if (isnan(x->value)) {
		fprintf(f, "%9s ", "-");
		return;
	}
	v->incomplete |= figure_lacks(x);
	fprintf(f, "%9.*f%c", decimals, x->value, figure_mark(x));
}

static void
link_text(const struct io_port *x, char *buf, size_t size)
{
	if (x == NULL)
		buf[0] = '\0';
	else if (x->gt_s > 0 && x->width > 0 && x->gt_s_now > 0 &&
	    x->width_now > 0 && (x->gt_s_now < x->gt_s ||
	    x->width_now < x->width))
		snprintf(buf, size, "%g GT/s x%g, now %g x%g", x->gt_s,
		    x->width, x->gt_s_now, x->width_now);
	else if (x->gt_s > 0 && x->width > 0)
		snprintf(buf, size, "%g GT/s x%g", x->gt_s, x->width);
	else
		snprintf(buf, size, "link unknown");
}

static void
put_devices(struct io_view *v, FILE *f)
{
	fprintf(f, "\nDevices, by traffic%27s%10s%10s%10s%10s%10s  %s\n",
	    "in read", "in write", "out read", "out wr", "total",
	    "link used", "link");
	fprintf(f, "%46s%10s%10s%10s%10s%10s  %s\n", "GB/s", "GB/s", "GB/s",
	    "GB/s", "GB/s", "%", "(at most)");
	for (unsigned i = 0; i < v->nline; i++) {
		const struct flow_line *l = &v->line[i];
		char place[64], link[64];

		io_view_place(v, l, place, sizeof place);
		link_text(l->port, link, sizeof link);
		if (l->port != NULL)
			fprintf(f, "  %s (%s)\n", l->port->name,
			    l->port->addresses);
		else
			fprintf(f, "  unattributed: no device is listed "
			    "there\n");
		fprintf(f, "    %-33s", place);
		put_flow(v, f, &l->flow.in_read, 3);
		put_flow(v, f, &l->flow.in_write, 3);
		put_flow(v, f, &l->flow.out_read, 3);
		put_flow(v, f, &l->flow.out_write, 3);
		put_flow(v, f, &l->flow.total, 3);
		put_flow(v, f, &l->flow.link, 1);
		fprintf(f, " %s\n", link);
		if (l->port != NULL && l->port->missing[0] != '\0')
			fprintf(f, "    (sysfs: %s)\n", l->port->missing);
	}
	if (v->nline == 0)
		fprintf(f, "  none: the dump names no devices and has no "
		    "traffic by part\n");
}

/* Quotients of what was counted at one time and at another. */
static void
put_apart(struct io_view *v, FILE *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < io_nline; i++)
		if (io_figure(&v->page, io_lines[i].metric, -1, -1).apart)
			fprintf(f, "%s%s", n++ == 0 ? "Not counted at one time: "
			    "the events of " : ", ", io_lines[i].metric);
	if (n > 0)
		putc('\n', f);
}

static void
put_head(struct io_view *v, FILE *f)
{
	const struct gather *g = &v->page.gather;
	struct intervals *iv = v->page.gather.intervals;

	fprintf(f, "I/O of %s: samples %llu to %llu, %.2f s\n", v->page.gather.host,
	    (unsigned long long)intervals_first(iv),
	    (unsigned long long)intervals_last(iv), v->page.sums.seconds);
	if (gather_sets(g) > 1)
		fprintf(f, "%u event sets were multiplexed; their counts are "
		    "scaled to all of the time\n", gather_sets(g));
	if (gather_turns(g))
		fprintf(f, "The kernel multiplexed groups of events; their "
		    "counts are\nscaled to all of the time\n");
	put_apart(v, f);
	for (unsigned i = 0; i < gather_sets(g); i++) {
		double share;
		const char *name = gather_set(g, i, &share);

		if (!(share > 0))
			fprintf(f, "Event set %s never ran in this time: "
			    "its events are in no figure\n", name);
	}
}

static void
put_packages(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg;
	const char *most = head_row(HEAD_DRAM_MAX_BANDWIDTH)->name;

	fprintf(f, "\n%-40s%-8s", "Packages", "");
	for (unsigned k = 0; k < npkg && k < 4; k++)
		fprintf(f, "%9s %-2u", "package", k);
	fprintf(f, "%11s\n", "node");
	for (size_t i = 0; i < io_nline; i++) {
		const struct io_line *l = &io_lines[i];
		const struct metric *m = metrics_find(&v->page.metrics,
		    l->metric);
		const char *lacks = io_missing(&v->page, l->metric);

		fprintf(f, "  %-38s%-8s", l->title, m ? m->unit : "");
		if (lacks != NULL && !(v->dram_max > 0 &&
		    strcmp(l->metric, "dram_utilisation") == 0)) {
			fprintf(f, "  %s%s%s\n", m != NULL ? "missing " :
			    "", lacks, strncmp(lacks, most, strlen(most)) == 0 ?
			    " (--dram-max)" : "");
			continue;
		}
		for (unsigned k = 0; k < npkg && k < 4; k++)
			put_value(v, f, l->metric, IO_AT_PACKAGE(k), 11,
			    l->decimals);
		put_value(v, f, l->metric, IO_AT_NODE, 10, l->decimals);
		putc('\n', f);
	}
}

/* A stack without any traffic is only named. */
static bool
idle(struct io_view *v, unsigned pkg, unsigned stack)
{
	return io_view_value(v, "pcie_total", IO_AT_STACK(pkg, stack)).value == 0;
}

static void
put_idle(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page);
	char name[40];
	unsigned n = 0;

	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			if (idle(v, k, s))
				fprintf(f, "%s%u/%s", n++ == 0 ?
				    "  no traffic: " : n % 9 == 0 ? ",\n    " :
				    ", ", k, io_stack_name(&v->page, k, s, name,
				    sizeof name));
	if (n > 0)
		putc('\n', f);
}

static void
put_stacks(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page);
	char name[40];

	fprintf(f, "\n%-11s", "Stacks");
	for (size_t i = 0; i < io_ncolumn; i++)
		fprintf(f, "%7s ", io_columns[i].head);
	fprintf(f, "\n%-11s", "");
	for (size_t i = 0; i < io_ncolumn; i++)
		fprintf(f, "%7s ", io_columns[i].unit);
	putc('\n', f);
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++) {
			if (idle(v, k, s))
				continue;
			fprintf(f, "  %u/%-7s", k, io_stack_name(&v->page, k,
			    s, name, sizeof name));
			for (size_t i = 0; i < io_ncolumn; i++)
				put_value(v, f, io_columns[i].metric,
				    IO_AT_STACK(k, s), 7, io_columns[i].decimals);
			putc('\n', f);
		}
	put_idle(v, f);
	for (size_t i = 0; i < io_ncolumn; i++) {
		const char *lacks = io_missing(&v->page,
		    io_columns[i].metric);

		if (lacks != NULL)
			fprintf(f, "  %s %s: %s%s\n",
			    io_columns[i].head, io_columns[i].unit,
			    metrics_find(&v->page.metrics,
			    io_columns[i].metric) != NULL ? "missing " : "",
			    lacks);
	}
}

void
io_view_text(struct io_view *v, FILE *f)
{
	put_head(v, f);
	put_packages(v, f);
	put_stacks(v, f);
	put_devices(v, f);
	if (v->incomplete)
		fprintf(f, "\n* lacks some of its counts\n");
	why_not_put(&v->why_not, f);
	for (unsigned i = 0; i < v->nnote; i++)
		fprintf(f, "%s%s\n", i == 0 ? "\nDoubtful\n  " : "  ",
		    v->note[i]);
}
