/*
 * postproc/cmd_histogram.c - tally histogram: how much of the time a metric had
 * which value.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/tracks.h"
#include "lib/printable.h"

#define BAR 40

static const char usage[] =
"usage: tally histogram --metric NAME [OPTION]... FILE...\n"
"How much of the time a metric had which value.\n"
"  -m, --metric NAME     as tally metrics --list FILE has them\n"
"  -S, --scope SCOPE     lproc, core, ccx, box, die, numa, package, node\n"
"                        (default)\n"
"  -w, --where WHERE     only this one: 1 (a package), 0/3 (a box of it)\n"
"  -n, --bins N          1 to 100; default: 10\n"
"      --max X           where the last bin ends; default: the largest value\n"
"      --low X           below it is Low; default: a third of the last bin's\n"
"                        end\n"
"      --high X          from it on is High; default: two thirds\n"
METRICS_HELP
COMMON_HELP;

struct histogram_ask {
	struct common common;
	const char *metric, *where;
	enum scope scope;
	struct histogram_bounds bounds;
};

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "metric", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "from", NULL, 4, false }, { "to", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "seconds", "s", 3, false },
	{ "share", "%", 2, false }, { "level", NULL, 0, true },
	{ "low_below", NULL, 4, false }, { "high_from", NULL, 4, false },
	{ "note", NULL, 0, true },
};

/* A track and its histogram. */
struct sorted {
	const struct histogram_ask *ask;
	const struct io_page *page;
	const struct metric *metric;
	const struct track *track;
	struct histogram of;
	char note[300];
};

/* The load that a bin begins with. */
static const char *
load_of(const struct histogram *h, unsigned bin)
{
	return load_name(histogram_load(h, histogram_edge(h, bin)));
}

/* The note above the bins: that of the metric, and for how long it had no value. */
static const char *
note_of_rows(const struct sorted *x, char *buf, size_t size)
{
	const struct track *t = x->track;
	const char *between = x->note[0] != '\0' ? "; " : "";

	if (t->n > 0 && t->unknown_s > 0)
		snprintf(buf, size, "%s%s%.3f s without a value%s%s", x->note,
		    between, t->unknown_s, t->why[0] ? ": " : "", t->why);
	else
		snprintf(buf, size, "%s", x->note);
	return buf;
}

static int
cmd_histogram_put_rows(struct out *out, void *what)
{
	const struct sorted *x = what;
	const struct histogram *h = &x->of;
	char note[sizeof x->note + sizeof x->track->why + 60];

	note_of_rows(x, note, sizeof note);
	for (unsigned b = 0; b < h->bins; b++) {
		double seconds = histogram_seconds(h, b);

		cell_text(out, x->page->gather.host);
		cell_text(out, x->metric->name);
		cell_text(out, scope_name(x->ask->scope));
		cell_text(out, x->track->where);
		cell_figure(out, histogram_edge(h, b));
		cell_figure(out, histogram_edge(h, b + 1));
		cell_text(out, x->metric->unit);
		cell_real(out, seconds);
		cell_real(out, histogram_share(h, seconds));
		cell_text(out, load_of(h, b));
		cell_figure(out, h->low);
		cell_figure(out, h->high);
		cell_text(out, note);
	}
	return 0;
}

static void
put_bar(FILE *f, const struct histogram *h, unsigned b)
{
	double part = histogram_share(h, histogram_seconds(h, b));
	int n = (int)(part * BAR / 100 + 0.5);

	fprintf(f, "  %10.4g to %10.4g %6.2f %% %-*s", histogram_edge(h, b),
	    histogram_edge(h, b + 1), part, n > 0 ? 7 : 0, load_of(h, b));
	for (int k = 0; k < n; k++)
		putc('#', f);
	putc('\n', f);
}

static int
cmd_histogram_put_page(struct out *out, void *what)
{
	const struct sorted *x = what;
	const struct histogram *h = &x->of;
	const struct track *t = x->track;
	FILE *f = out_file(out);

	fprintf(f, "%s of %s %s%s%s, %s: %u value%s, %.2f s", x->metric->name,
	    x->page->gather.host, scope_name(x->ask->scope),
	    t->where[0] ? " " : "", t->where, x->metric->unit[0] ?
	    x->metric->unit : "no unit", t->n, plural(t->n), h->all);
	if (t->unknown_s > 0)
		fprintf(f, "; %.2f s without a value%s%s%s", t->unknown_s,
		    t->why[0] ? " (" : "", t->why, t->why[0] ? ")" : "");
	fprintf(f, "%s%s\n", x->note[0] && t->n > 0 ? "; " : "", t->n > 0 ?
	    x->note : "");
	for (unsigned b = 0; b < h->bins && h->all > 0; b++)
		put_bar(f, h, b);
	for (enum load i = 0; i < LOADS && h->all > 0; i++)
		fprintf(f, "%s%s %.2f %%", i == 0 ? "  " : "; ", load_name(i),
		    histogram_share(h, h->load[i]));
	if (h->all <= 0)
		fputs("  no values", f);
	if (!isnan(h->low) && !isnan(h->high))
		fprintf(f, " (Low below %.4g, High from %.4g)", h->low,
		    h->high);
	putc('\n', f);
	return 0;
}

static const struct view view = {
	.table = { "histogram", columns, sizeof columns / sizeof *columns,
	    false },
	.rows = cmd_histogram_put_rows, .page = cmd_histogram_put_page,
};

/* Reads a file and prints its tracks; returns an exit status. */
static int
put_tracks(struct out *out, const struct histogram_ask *ask, struct io_page *p,
    struct tracks *t)
{
	struct diag why = { "" };
	int rc = tracks_read(t, &p->gather, &why);

	intervals_complain(p->gather.intervals);
	if (rc < 0)
		return complain_why(&why);
	if (intervals_samples(p->gather.intervals) < 2)
		return EXIT_UNUSABLE;
	if (t->track[0].n == 0 && t->track[0].unknown_s <= 0)
		return complain("%s: no whole rotation of its %u event sets",
		    p->gather.path, gather_sets(&p->gather));
	for (unsigned i = 0; i < t->n; i++) {
		const struct track *x = &t->track[i];
		struct sorted h = { .ask = ask, .page = p, .track = x,
		    .metric = p->gather.binding.bound[t->bound].metric };

		histogram_sort(&h.of, x, &ask->bounds);
		figure_note(&p->gather.binding, &x->best, x->n == 0 ? x->why :
		    x->best.left_out > 0 ? "deltas are left out" : NULL,
		    h.note, sizeof h.note);
		view_put(out, &view, &h);
	}
	return EXIT_OK;
}

static int
cmd_histogram_one_input(struct out *out, const char *path, void *asked)
{
	const struct histogram_ask *ask = asked;
	struct io_page p = { .nport = 0 };
	struct tracks t = { .n = 0 };
	struct diag why = { "" };
	int m = -1, status = EXIT_OK;

	if (io_page_load(&p, path, &ask->common.in, &why) < 0)
		status = complain_why(&why);
	else if (metrics_withheld(&p.metrics, ask->metric) != NULL)
		status = complain("%s: metric %s is not offered: %s", path,
		    ask->metric, metrics_withheld(&p.metrics, ask->metric));
	else if ((m = io_bind(&p, ask->metric)) == -ENOMEM)
		status = complain("out of memory");
	else if (m < 0)
		status = metrics_none(&p.metrics, ask->metric, path, &why) < 0 ?
		    complain_why(&why) : complain("--metric %s: one by its "
		    "name, no pattern", ask->metric);
	else if (io_missing(&p, ask->metric) != NULL)
		status = complain("%s: %s: missing %s", path, ask->metric,
		    io_missing(&p, ask->metric));
	else if (tracks_init(&t, &p.gather, (unsigned)m, ask->scope,
	    ask->where) < 0)
		status = complain("out of memory");
	else if (t.n == 0)
		status = complain("%s: %s has no %s %s (--scope says what "
		    "--where is of)", path, ask->metric,
		    scope_name(ask->scope), ask->where ? ask->where : "scope");
	else
		status = put_tracks(out, ask, &p, &t);
	tracks_fini(&t);
	io_page_close(&p);
	return status;
}

static bool
take_bound(const struct command_option *o, void *to, char *text)
{
	double *value = to;
	char *end;

	*value = strtod(text, &end);
	if (end != text && *end == '\0' && isfinite(*value))
		return true;
	complain("--%s %s: expected a number", o->name, text);
	return false;
}

static bool
take_scope(const struct command_option *o, void *to, char *arg)
{
	(void)o;
	if ((*(enum scope *)to = scope_find(arg)) != SCOPES)
		return true;
	complain("no such scope: expected lproc, core, ccx, box, die, numa, "
	    "package or node");
	return false;
}

#define INTO(member) offsetof(struct histogram_ask, member)

int
cmd_histogram(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_text, INTO(metric), false },
		{ "scope", take_scope, INTO(scope), false },
		{ "where", option_text, INTO(where), false },
		{ "bins", take_bound, INTO(bounds.bins), false },
		{ "max", take_bound, INTO(bounds.max), false },
		{ "low", take_bound, INTO(bounds.low), false },
		{ "high", take_bound, INTO(bounds.high), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "histogram", .usage = usage, .own = own, .runs = true,
		.one = cmd_histogram_one_input,
	};
	struct histogram_ask ask = { .scope = SCOPE_OF_NODE,
	    .bounds = histogram_usual() };
	const struct histogram_bounds *b = &ask.bounds;

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		return ask.common.status;
	if (!(b->bins >= 1 && b->bins <= HISTOGRAM_MAX_BINS) ||
	    (!isnan(b->max) && !(b->max > 0)) || b->low > b->high) {
		if (!(b->bins >= 1 && b->bins <= HISTOGRAM_MAX_BINS))
			complain("--bins %g: 1 to %d", b->bins,
			    HISTOGRAM_MAX_BINS);
		else if (b->low > b->high)
			complain("--low %g is more than --high %g", b->low,
			    b->high);
		else
			complain("--max %g: more than 0", b->max);
		ask.common.status = EXIT_USAGE;
	} else if (ask.metric == NULL) {
		complain("histogram of what?  --metric NAME");
		ask.common.status = EXIT_USAGE;
	} else
		ask.common.status = common_each(&line, &ask.common, &view,
		    &ask);
	common_fini(&ask.common);
	return ask.common.status;
}
