/*
 * postproc/pages/io_devices.c - parts of the I/O report: devices by traffic, each with the
 * figures of its unit, where a device without traffic has one line and all parts without
 * a device and with almost no traffic share one; the count of each event.
 */
#include "postproc/pages/io_page.h"

#include <math.h>
#include <string.h>

#define WIDTH 100
#define NEXT_TO_NOTHING 0.0005          /* GB/s: less is printed as 0.000 */

void
io_word(FILE *f, unsigned *col, const char *comma, const char *word)
{
	*col += (unsigned)fprintf(f, "%s", comma);
	if (*col + strlen(word) + 1 > WIDTH)
		*col = (unsigned)fprintf(f, "\n       ") - 1;
	*col += (unsigned)fprintf(f, " %s", word);
}

void
io_number(FILE *f, double v, int width, int decimals)
{
	if (v != 0 && fabs(v) < 0.5 * pow(10, -decimals))
		fprintf(f, "%*.1e", width, v);
	else
		fprintf(f, "%*.*f", width, decimals, v);
}

/* Prints a figure of a device; its mark takes the place of the blank after it. */
static void
put_flow(struct io_view *v, FILE *f, const struct figure *x, int decimals)
{
	why_not_take(&v->why_not, &v->page.gather.binding, x);
	if (isnan(x->value)) {
		fprintf(f, "%9s ", "-");
		return;
	}
	v->incomplete |= figure_lacks(x);
	io_number(f, x->value, 9, decimals);
	putc(figure_mark(x), f);
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

/* Prints the figures of a device's unit, from L3 to VT-d. */
static void
io_devices_put_unit(struct io_view *v, FILE *f, const struct flow_line *l)
{
	unsigned col = 0;

	for (unsigned i = 0; i < v->ncolumn && l->stack >= 0; i++) {
		const struct io_column *c = &v->column[i];
		struct io_at at = IO_AT_STACK(l->pkg, l->stack);
		struct figure x;
		char text[64], note[200];
		char mark;

		if (c->table == IO_PAYLOAD)
			continue;
		x = io_view_value(v, c->metric, at);
		if (isnan(x.value))
			continue;
		mark = io_view_flag(v, c->metric, x, at, note, sizeof note);
		snprintf(text, sizeof text, "%s%s %.*f%s%s%.1s",
		    c->table == IO_L3 ? "L3 " : "", c->head, c->decimals,
		    x.value, c->unit[0] == '/' ? "" : " ", c->unit,
		    mark == ' ' ? "" : &mark);
		if (col == 0)
			col = (unsigned)fprintf(f, "      of its unit:");
		io_word(f, &col, col > 18 ? "," : "", text);
	}
	if (col > 0)
		putc('\n', f);
}

/* A port whose stack is that of the line, but whose part is not known; NULL: none. */
static const struct io_port *
io_devices_partless(const struct io_view *v, const struct flow_line *l)
{
	for (unsigned i = 0; i < v->nline; i++) {
		const struct flow_line *x = &v->line[i];

		if (x->port != NULL && x->pkg == l->pkg && x->stack == l->stack &&
		    x->part < 0)
			return x->port;
	}
	return NULL;
}

static void
io_devices_put_line(struct io_view *v, FILE *f, const struct flow_line *l)
{
	const struct io_port *near = io_devices_partless(v, l);
	char place[64], link[64];

	io_view_place(v, l, place, sizeof place);
	link_text(l->port, link, sizeof link);
	if (l->port != NULL && l->flow.total.value == 0) {
		fprintf(f, "  no traffic: %s (%s), %s\n", l->port->name,
		    l->port->addresses, place);
		return;
	}
	if (l->port != NULL)
		fprintf(f, "  %s (%s)\n", l->port->name, l->port->addresses);
	else if (near != NULL)
		fprintf(f, "  unattributed: perhaps %s, whose part of the stack is "
		    "not known\n", near->addresses);
	else
		fprintf(f, "  unattributed: no device is listed there\n");
	fprintf(f, "    %-33s", place);
	for (unsigned i = 0; i < v->page.nway; i++)
		put_flow(v, f, &l->flow.of[i], 3);
	put_flow(v, f, &l->flow.total, 3);
	put_flow(v, f, &l->flow.link, 1);
	fprintf(f, " %s\n", link);
	if (l->port != NULL && l->port->missing[0] != '\0')
		fprintf(f, "    (sysfs: %s)\n", l->port->missing);
	if (l->port != NULL && l->flow.total.value > 0)
		io_devices_put_unit(v, f, l);
}

static bool
io_devices_small(const struct flow_line *l)
{
	return l->port == NULL && l->flow.total.value < NEXT_TO_NOTHING;
}

/* Writes which parts of a stack have no device and almost no traffic, "0/PCIe0 part 0 2
 * 3"; "" if there are none. */
static const char *
small_parts(const struct io_view *v, int pkg, int stack, char *buf, size_t size)
{
	size_t used = 0;
	char name[40];

	buf[0] = '\0';
	for (int q = 0; q < IO_PARTS; q++)
		for (unsigned i = 0; i < v->nline; i++) {
			const struct flow_line *l = &v->line[i];

			if (!io_devices_small(l) || l->pkg != pkg ||
			    l->stack != stack || l->part != q)
				continue;
			if (used == 0)
				used = (size_t)snprintf(buf, size, "%d/%s part",
				    pkg, io_stack_name(&v->page.gather, (unsigned)pkg,
				    (unsigned)stack, name, sizeof name));
			used += (size_t)snprintf(buf + used, size - used, " %d",
			    q);
		}
	return buf;
}

static void
put_small(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg, n = 0, col = 3;
	bool any = false;
	char text[80];
	double sum = 0;

	for (unsigned i = 0; i < v->nline; i++)
		if (io_devices_small(&v->line[i])) {
			sum += v->line[i].flow.total.value;
			n++;
		}
	if (n == 0)
		return;
	fprintf(f, "  unattributed, below %g GB/s each: %u part%s, %.2g GB/s "
	    "together\n   ", NEXT_TO_NOTHING, n, n == 1 ? "" : "s", sum);
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < IO_STACKS; s++) {
			if (small_parts(v, (int)k, (int)s, text,
			    sizeof text)[0] == '\0')
				continue;
			io_word(f, &col, any ? "," : "", text);
			any = true;
		}
	putc('\n', f);
}

/* Prints where each device is, for CPUs that do not count by stack or port. */
static void
io_devices_put_places(const struct io_view *v, FILE *f)
{
	char place[64], link[64];

	fprintf(f, "\nDevices\n");
	for (unsigned i = 0; i < v->nline; i++) {
		const struct io_port *port = v->line[i].port;

		io_view_place(v, &v->line[i], place, sizeof place);
		link_text(port, link, sizeof link);
		fprintf(f, "  %s (%s), %s, %s\n", port->name, port->addresses,
		    place, link);
	}
}

void
io_devices_text(struct io_view *v, FILE *f)
{
	unsigned n = v->page.nway;

	if (!v->stacks) {
		io_devices_put_places(v, f);
		return;
	}
	fprintf(f, "\n%-36s", "Devices, by traffic");
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "%10s", v->page.way[i].title);
	fprintf(f, "%10s%10s  %s\n%36s", "total", "link used", "link", "");
	for (unsigned i = 0; i <= n; i++)
		fprintf(f, "%10s", "GB/s");
	fprintf(f, "%10s  %s\n", "%", "(at most)");
	for (unsigned i = 0; i < v->nline; i++)
		if (!io_devices_small(&v->line[i]))
			io_devices_put_line(v, f, &v->line[i]);
	put_small(v, f);
	if (v->nline == 0)
		fprintf(f, "  none: the dump names no devices and has no "
		    "traffic by part\n");
}

/* ---- the count of each event, by stack --------------------------------- */

#define ACROSS 6                /* stacks that are printed side by side */

/* Did the stack count any event other than clock ticks? */
static bool
io_counts_counted(const struct io_view *v, int pkg, int stack)
{
	const struct seriesset *set = &v->page.gather.series;
	const char *event;

	for (uint32_t i = 0; i < set->n; i++)
		if (io_unit_event(&set->series[i], &event) != NULL &&
		    set->series[i].cls != CLASS_TICKS && io_unit_count(
		    &v->page, &set->series[i], pkg, stack).value > 0)
			return true;
	return false;
}

static void
put_heads(const struct io_view *v, FILE *f, unsigned pkg,
    const unsigned *stack, unsigned n)
{
	char name[40], text[64];

	fprintf(f, "  %-42s", "");
	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%u/%s", pkg, io_stack_name(&v->page.gather,
		    pkg, stack[i], name, sizeof name));
		fprintf(f, " %13s", text);
	}
	putc('\n', f);
}

/* Prints the counts of an event; false: all are 0. */
static bool
put_event(const struct io_view *v, FILE *f, const struct series *s, int pkg,
    const unsigned *stack)
{
	double x[ACROSS];
	const char *event, *box = io_unit_event(s, &event);
	bool any = false;
	unsigned n = 0;

	for (; n < ACROSS && stack[n] < IO_STACKS; n++) {
		x[n] = io_unit_count(&v->page, s, pkg, (int)stack[n]).value;
		any |= x[n] != 0;
	}
	if (!any)
		return false;
	fprintf(f, "  %-6s %-35s", box, event);
	for (unsigned i = 0; i < n; i++)
		if (isnan(x[i]))
			fprintf(f, " %13s", "-");
		else
			fprintf(f, " %13.0f", x[i]);
	putc('\n', f);
	return true;
}

/* Prints the counts of up to ACROSS stacks. */
static void
io_counts_put_block(struct io_view *v, FILE *f, unsigned pkg,
    const unsigned *stack, unsigned n)
{
	static const char *const boxes[] = { "iio", "irp", "m2pcie" };
	const struct seriesset *set = &v->page.gather.series;
	unsigned nothing = 0;

	put_heads(v, f, pkg, stack, n);
	for (size_t b = 0; b < 3; b++)
		for (uint32_t i = 0; i < set->n; i++) {
			const char *event, *box = io_unit_event(&set->series[i],
			    &event);

			if (box != NULL && strcmp(box, boxes[b]) == 0)
				nothing += !put_event(v, f, &set->series[i],
				    (int)pkg, stack);
		}
	if (nothing > 0)
		fprintf(f, "  %u event%s more: 0 on all of them\n", nothing,
		    nothing == 1 ? "" : "s");
}

void
io_counts_text(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	bool any = false;

	for (unsigned k = 0; k < npkg; k++) {
		unsigned stack[ACROSS + 1], n = 0;

		for (unsigned s = 0; s <= stacks; s++) {
			if (s < stacks && io_counts_counted(v, (int)k, (int)s))
				stack[n++] = s;
			if (n == 0 || (s < stacks && n < ACROSS))
				continue;
			stack[n] = IO_STACKS;
			if (!any)
				fprintf(f, "\nEvent counts by stack%s\n",
				    gather_sets(&v->page.gather) > 1 ||
				    gather_turns(&v->page.gather) ?
				    ", scaled to all of the time" : "");
			any = true;
			io_counts_put_block(v, f, k, stack, n);
			n = 0;
		}
	}
}
