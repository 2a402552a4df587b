/*
 * postproc/pages/io_rows.c - the I/O report as rows, for programs.
 */
#include "postproc/pages/io_page.h"

#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "device", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "note", NULL, 0, true },
	{ "error", NULL, 4, false },
};

struct io_row {
	const char *scope, *where, *device, *metric, *unit, *note;
	const struct figure *figure;
};

static void
io_rows_put_row(struct out *out, const struct io_view *v,
    const struct io_row *row)
{
	cell_text(out, v->page.gather.host);
	cell_text(out, row->scope);
	cell_text(out, row->where);
	cell_text(out, row->device);
	cell_text(out, row->metric);
	cell_figure(out, row->figure->value);
	cell_text(out, row->unit);
	cell_text(out, row->note);
	cell_figure(out, figure_is_estimate(row->figure) &&
	    !isnan(row->figure->value) ? row->figure->error : (double)NAN);
}

static void
io_rows_put_metric(struct out *out, struct io_view *v, const char *metric,
    struct io_at at)
{
	const struct metric *m = metrics_find(&v->page.metrics, metric);
	const char *lacks = io_missing(&v->page, metric);
	struct figure f = io_view_value(v, metric, at);
	char where[64] = "", name[40], remark[600] = "", buf[40], note[200];
	char flag = io_view_flag(v, metric, f, at, note, sizeof note);

	if (at.stack >= 0)
		snprintf(where, sizeof where, "%d/%s", at.pkg,
		    io_stack_name(&v->page.gather, (unsigned)at.pkg,
		    (unsigned)at.stack, name, sizeof name));
	else if (at.pkg >= 0)
		snprintf(where, sizeof where, "%d", at.pkg);
	/* the note of a doubtful figure already says that it is outside its range */
	f.wrong &= flag != '?' && flag != '!';
	if (isnan(f.value) && lacks != NULL)
		snprintf(remark, sizeof remark, "%s%s", m != NULL ? "missing " :
		    "", lacks);
	else if (figure_note(&v->page.gather.binding, &f, note[0] != '\0' ?
	    note : NULL, remark, sizeof remark)[0] == '\0' &&
	    flag == '*')
		snprintf(remark, sizeof remark, "incomplete");
	io_rows_put_row(out, v,
	    &(struct io_row){ .scope = at.stack >= 0 ? "stack" :
	    at.pkg >= 0 ? "package" : "node", .where = where, .device = "",
	    .metric = io_stack_metric(&v->page, metric, at.pkg, at.stack, buf,
	    sizeof buf), .figure = &f, .unit = m != NULL ? m->unit : "",
	    .note = remark });
}

static void
put_device(struct out *out, struct io_view *v, const struct flow_line *l)
{
	unsigned n = v->page.nway;
	char place[64], note[400], buf[40];

	io_view_place(v, l, place, sizeof place);
	for (unsigned i = 0; i < n + 2; i++) {
		bool link = i == n + 1;
		const struct figure *f = i < n ? &l->flow.of[i] : link ?
		    &l->flow.link : &l->flow.total;

		/* a CPU that counts only by package does not know a device's traffic */
		if (!v->stacks && !link)
			continue;
		if (figure_note(&v->page.gather.binding, f, link &&
		    l->port != NULL ? l->port->missing : NULL, note,
		    sizeof note)[0] == '\0' && !isnan(f->value) &&
		    figure_lacks(f))
			snprintf(note, sizeof note, "incomplete");
		io_rows_put_row(out, v, &(struct io_row){ .scope = "device",
		    .where = place, .device = l->port != NULL ?
		    l->port->addresses : "unattributed",
		    .metric = io_stack_metric(&v->page, i < n ?
		    v->page.way[i].metric : link ? "link_utilisation" :
		    "pcie_total", l->pkg, l->stack, buf, sizeof buf),
		    .figure = f, .unit = link ? "%" : "GB/s",
		    .note = note });
	}
}

/* Puts the figures of a device's unit. */
static void
io_rows_put_unit(struct out *out, struct io_view *v, const struct flow_line *l)
{
	char place[64];

	if (l->port == NULL || l->stack < 0)
		return;
	io_view_place(v, l, place, sizeof place);
	for (unsigned i = 0; i < v->ncolumn; i++) {
		const struct io_column *c = &v->column[i];
		struct io_at at = IO_AT_STACK(l->pkg, l->stack);
		struct figure x;
		char flag[200], note[600], remark[240];

		if (c->table == IO_PAYLOAD)
			continue;
		x = io_view_value(v, c->metric, at);
		io_view_flag(v, c->metric, x, at, flag, sizeof flag);
		snprintf(remark, sizeof remark, "of its unit%s%s", flag[0] ?
		    "; " : "", flag);
		io_rows_put_row(out, v, &(struct io_row){ .scope = "device",
		    .where = place, .device = l->port->addresses,
		    .metric = c->metric, .figure = &x, .unit =
		    x.metric != NULL ? x.metric->unit : "", .note = figure_note(
		    &v->page.gather.binding, &x, remark, note, sizeof note) });
	}
}

/* Puts the counts of a stack, for each event a row: "irp[\"FAF_INSERTS\"]". */
static void
put_counts(struct out *out, const struct io_view *v, unsigned pkg,
    unsigned stack)
{
	const struct seriesset *set = &v->page.gather.series;
	char where[64], name[40], metric[128], note[200];

	snprintf(where, sizeof where, "%u/%s", pkg, io_stack_name(&v->page.gather, pkg,
	    stack, name, sizeof name));
	for (uint32_t i = 0; i < set->n; i++) {
		const char *event, *box = io_unit_event(&set->series[i], &event);
		struct figure x;

		if (box == NULL)
			continue;
		x = io_unit_count(&v->page, &set->series[i], (int)pkg,
		    (int)stack);
		snprintf(metric, sizeof metric, "%s[\"%s\"]", box, event);
		io_rows_put_row(out, v, &(struct io_row){ .scope = "stack",
		    .where = where, .device = "", .metric = metric, .figure = &x,
		    .unit = "", .note = figure_note(&v->page.gather.binding, &x,
		    NULL, note, sizeof note) });
	}
}

static int
io_rows_put_rows(struct out *out, void *what)
{
	struct io_view *v = what;
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	const struct view_line *x = NULL;

	while ((x = io_view_row(v, x)) != NULL) {
		io_rows_put_metric(out, v, x->metric, IO_AT_NODE);
		for (unsigned k = 0; k < npkg; k++)
			io_rows_put_metric(out, v, x->metric, IO_AT_PACKAGE(k));
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (unsigned i = 0; i < v->ncolumn; i++)
				io_rows_put_metric(out, v, v->column[i].metric,
				    IO_AT_STACK(k, s));
	for (unsigned i = 0; i < v->nline; i++) {
		put_device(out, v, &v->line[i]);
		io_rows_put_unit(out, v, &v->line[i]);
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			put_counts(out, v, k, s);
	return 0;
}

static int
io_rows_put_page(struct out *out, void *what)
{
	io_view_text(what, out_file(out));
	return 0;
}

const struct view io_report_view = {
	.table = { "io", columns, COUNT(columns), false },
	.rows = io_rows_put_rows, .page = io_rows_put_page, .apart = true,
};
