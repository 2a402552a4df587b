/*
 * postproc/cmd/cmd_histogram.c - tally histogram: how much of the time a metric had
 * which value.
 *
 * Where it takes events that took turns, one value is that of a whole round of
 * their sets: in a single interval most of them were not counted.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/round.h"

#define MAX_BINS 100
#define BAR 40

static const char usage[] =
"usage: tally histogram --metric NAME [OPTION]... FILE...\n"
"How much of the time a metric had which value.\n"
"  -m, --metric NAME     as tally metrics --list has them\n"
"  -S, --scope SCOPE     lproc, core, box, package or node; default: node\n"
"  -w, --where WHERE     only this one: 1 (a package), 0/3 (a box of it)\n"
"  -n, --bins N          1 to 100; default: 10\n"
"      --max X           where the last bin ends; default: the largest value\n"
"      --low X           below it is Low; default: a third of the last bin's\n"
"                        end\n"
"      --high X          from it on is High; default: two thirds\n"
"  -M, --metrics FILE    a .metrics file, or one of Intel's lists (JSON)\n"
COMMON_HELP;

struct ask {
	struct common common;
	const char *metric, *where, *metrics;
	enum scope scope;
	unsigned bins;
	double max, low, high;          /* NaN: by default */
};

/* The values of one window. */
struct track {
	struct window window;
	char where[80];
	double *value, *seconds, *part;
	unsigned n, room;
	double unknown_s;
	double whole;           /* part of the units that the best value is of */
	struct figure best;     /* what is to be said of that one, and of all */
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

/* ---- values ---- */

static bool
keep(struct track *t, const struct figure *f, double seconds)
{
	double part = f->of > 0 ? (double)f->have / f->of : 1;
	unsigned room = t->room ? t->room * 2 : 256;
	void *p;

	if (isnan(f->value)) {
		t->unknown_s += seconds;
		return true;
	}
#define GROW(array) \
	((p = realloc(array, room * sizeof *(array))) != NULL && \
	((array) = p, true))
	if (t->n == t->room) {
		if (!GROW(t->value) || !GROW(t->seconds) || !GROW(t->part))
			return false;
		t->room = room;
	}
#undef GROW
	if (part > t->whole) {
		t->whole = part;
		t->best.have = f->have;
		t->best.of = f->of;
		t->best.domain = f->domain;
	}
	t->best.ran = f->ran < t->best.ran ? f->ran : t->best.ran;
	t->best.unscaled |= f->unscaled;
	t->best.apart |= f->apart;
	t->value[t->n] = f->value;
	t->part[t->n] = part;
	t->seconds[t->n++] = seconds;
	return true;
}

/* A value of fewer units than others is not one of the same thing. */
static void
drop_parts(struct track *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n; i++) {
		if (t->part[i] < t->whole) {
			t->unknown_s += t->seconds[i];
			continue;
		}
		t->value[n] = t->value[i];
		t->seconds[n++] = t->seconds[i];
	}
	t->n = n;
}

static bool
take_round(struct io_page *p, unsigned m, struct round *r, struct track *t,
    unsigned n)
{
	struct sums s = round_sums(r, p->gather.reader,
	    intervals_tsc_hz(p->gather.intervals));
	bool ok = true;

	for (unsigned i = 0; i < n; i++) {
		struct figure f = binding_eval(&p->gather.binding, m,
		    &t[i].window, &s);

		ok = keep(&t[i], &f, r->seconds) && ok;
	}
	round_clear(r);
	return ok;
}

static unsigned
find_tracks(const struct io_page *p, const struct ask *ask, unsigned m,
    struct track *t)
{
	const struct binding *b = &p->gather.binding;
	unsigned n = 0, max = binding_windows(b, m, ask->scope);

	for (unsigned i = 0; i < max; i++) {
		if (!binding_window(b, m, ask->scope, i, &t[n].window))
			continue;
		window_name(b, &t[n].window, t[n].where, sizeof t[n].where);
		t[n].best.ran = 1;
		if (ask->where == NULL || strcmp(ask->where, t[n].where) == 0)
			n++;
	}
	return n;
}

static unsigned
columns_of(const struct io_page *p, unsigned m)
{
	const struct binding *b = &p->gather.binding;
	const struct bound *x = &b->bound[m];
	unsigned n = 0;

	for (uint32_t i = x->op; i < x->op + x->nop; i++)
		if (b->op[i].code == EXPR_REF &&
		    b->input[b->op[i].arg].kind == INPUT_COLUMNS)
			n += input_ncolumn(b, &b->input[b->op[i].arg]);
	return n;
}

/* Columns have come: all of the round is in new places, and where they are of
 * this metric, no value so far was of all that there is. */
static int
start_again(struct io_page *p, struct round *r, struct track *t, unsigned n,
    bool more)
{
	for (unsigned i = 0; i < n; i++) {
		t[i].unknown_s += r->seconds;
		for (unsigned k = 0; more && k < t[i].n; k++)
			t[i].unknown_s += t[i].seconds[k];
		t[i].n = more ? 0 : t[i].n;
	}
	round_fini(r);
	return round_init(r, p->gather.ncol, p->gather.binding.nwatch);
}

static int
read_tracks(struct io_page *p, unsigned m, struct track *t, unsigned n,
    struct diag *why)
{
	unsigned size = gather_rotates(&p->gather, m) ?
	    gather_sets(&p->gather) : 1;
	unsigned ncolumn = columns_of(p, m);
	struct round r;
	int rc = round_init(&r, p->gather.ncol, p->gather.binding.nwatch);

	while (rc == 0 && (rc = gather_next(&p->gather, why)) > 0) {
		rc = 0;
		if (p->gather.ncol != r.ncol) {
			if ((rc = start_again(p, &r, t, n, columns_of(p, m) >
			    ncolumn)) < 0)
				break;
			ncolumn = columns_of(p, m);
		}
		round_add(&r, gather_interval(&p->gather));
		if (r.intervals == size && !take_round(p, m, &r, t, n))
			rc = -1;
	}
	/* a last round that is not whole would be of other events */
	round_fini(&r);
	return rc;
}

/* ---- output ---- */

/* Where a level begins: as asked, or a part of the largest value; NaN: nowhere,
 * since there is none above 0. */
static double
threshold(double asked, double max, unsigned thirds)
{
	return !isnan(asked) ? asked : max > 0 ? max * thirds / 3 : (double)NAN;
}

static const char *
level(double v, double low, double high)
{
	return v >= high ? "High" : v >= low ? "Medium" : "Low";
}

static unsigned
bin_of(double v, double max, unsigned bins)
{
	double b = max > 0 ? floor(v / max * bins) : 0;

	return b < 0 ? 0 : b >= bins ? bins - 1 : (unsigned)b;
}

static void
put_track(struct out *out, const struct ask *ask, const struct io_page *p,
    const struct metric *metric, const struct track *t)
{
	double seconds[MAX_BINS] = { 0 }, sum[3] = { 0 }, all = 0, max = 0;
	double low, high;
	char note[300];
	static const char *const word[] = { "Low", "Medium", "High" };
	bool text = ask->common.format == FORMAT_TEXT;
	FILE *f = text ? out_file(out) : NULL;
	unsigned bins = ask->bins;

	for (unsigned i = 0; i < t->n; i++)
		max = t->value[i] > max ? t->value[i] : max;
	max = isnan(ask->max) ? max : ask->max;
	figure_note(&p->gather.binding, &t->best, NULL, note, sizeof note);
	low = threshold(ask->low, max, 1);
	high = threshold(ask->high, max, 2);
	if (!(max > 0))
		bins = 1;
	for (unsigned i = 0; i < t->n; i++) {
		const char *l = level(t->value[i], low, high);

		seconds[bin_of(t->value[i], max, bins)] += t->seconds[i];
		sum[l[0] == 'L' ? 0 : l[0] == 'M' ? 1 : 2] += t->seconds[i];
		all += t->seconds[i];
	}
	if (text) {
		fprintf(f, "%s of %s %s%s%s, %s: %u values, %.2f s", metric->name,
		    p->host, scope_name(ask->scope), t->where[0] ? " " : "",
		    t->where, metric->unit[0] ? metric->unit : "no unit", t->n,
		    all);
		if (t->unknown_s > 0)
			fprintf(f, "; %.2f s without a value", t->unknown_s);
		fprintf(f, "%s%s\n", note[0] ? "; " : "", note);
	}
	for (unsigned b = 0; b < bins && (all > 0 || !text); b++) {
		double from = max * b / bins;
		double to = max * (b + 1) / bins;
		double share = all > 0 ? 100 * seconds[b] / all : NAN;

		if (!text) {
			cell_text(out, p->host);
			cell_text(out, metric->name);
			cell_text(out, scope_name(ask->scope));
			cell_text(out, t->where);
			cell_figure(out, from);
			cell_figure(out, to);
			cell_text(out, metric->unit);
			cell_real(out, seconds[b]);
			cell_real(out, share);
			cell_text(out, level(from, low, high));
			cell_figure(out, low);
			cell_figure(out, high);
			cell_text(out, note);
			continue;
		}
		fprintf(f, "  %10.4g to %10.4g %6.2f %% %-6s ", from, to, share,
		    level(from, low, high));
		for (int k = 0; k < (int)(share * BAR / 100 + 0.5); k++)
			putc('#', f);
		putc('\n', f);
	}
	for (unsigned i = 0; text && i < 3 && all > 0; i++)
		fprintf(f, "%s%s %.2f %%", i == 0 ? "  " : "; ", word[i],
		    100 * sum[i] / all);
	if (text && all <= 0)
		fputs("  no values", f);
	if (text && !isnan(low) && !isnan(high))
		fprintf(f, " (Low below %.4g, High from %.4g)", low, high);
	if (text)
		putc('\n', f);
}

static int
one_input(struct out *out, const char *path, const void *asked)
{
	const struct ask *ask = asked;
	struct io_page p = { .nport = 0 };
	struct track *t = NULL;
	struct diag why = { "" };
	unsigned n = 0;
	int m = -1, status = EXIT_OK, rc;

	if ((rc = metrics_init(&p.metrics)) == 0 &&
	    (rc = gather_open(&p.gather, path, &p.metrics, NULL,
	    &ask->common.select, &why)) == 0)
		rc = io_page_metrics(&p.metrics, ask->metrics, p.gather.reader,
		    &why);
	if (rc < 0)
		status = complain_why(&why);
	else if (metrics_withheld(&p.metrics, ask->metric) != NULL)
		status = complain("%s: metric %s is not offered: %s", path,
		    ask->metric, metrics_withheld(&p.metrics, ask->metric));
	else if ((m = io_bind(&p, ask->metric)) < 0)
		status = complain("%s: no metric \"%s\" (tally metrics --list "
		    "has them)", path, ask->metric);
	else if (io_missing(&p, ask->metric) != NULL)
		status = complain("%s: %s: missing %s", path, ask->metric,
		    io_missing(&p, ask->metric));
	else if ((t = calloc(binding_windows(&p.gather.binding, (unsigned)m,
	    ask->scope) + 1, sizeof *t)) == NULL)
		status = complain("out of memory");
	else if ((n = find_tracks(&p, ask, (unsigned)m, t)) == 0)
		status = complain("%s: %s has no %s %s (--scope says what "
		    "--where is of)", path, ask->metric,
		    scope_name(ask->scope), ask->where ? ask->where : "scope");
	else {
		gather_host(&p.gather, p.host, sizeof p.host);
		rc = read_tracks(&p, (unsigned)m, t, n, &why);
		intervals_complain(p.gather.intervals);
		if (rc < 0)
			status = complain_why(&why);
		else if (intervals_samples(p.gather.intervals) < 2)
			status = EXIT_UNUSABLE;
		else if (t[0].n == 0 && t[0].unknown_s <= 0)
			status = complain("%s: no whole round of its %u event "
			    "sets", path, gather_sets(&p.gather));
		else
			for (unsigned i = 0; i < n; i++) {
				drop_parts(&t[i]);
				put_track(out, ask, &p,
				    p.gather.binding.bound[m].metric, &t[i]);
			}
	}
	for (unsigned i = 0; i < n; i++) {
		free(t[i].value);
		free(t[i].seconds);
		free(t[i].part);
	}
	free(t);
	io_page_close(&p);
	return status;
}

static bool
number(const char *name, const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end != text && *end == '\0' && isfinite(*value))
		return true;
	complain("--%s %s: expected a number", name, text);
	return false;
}

static bool
parse(struct ask *ask, int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "scope", required_argument, NULL, 'S' },
		{ "where", required_argument, NULL, 'w' },
		{ "bins", required_argument, NULL, 'n' },
		{ "max", required_argument, NULL, 1 },
		{ "low", required_argument, NULL, 2 },
		{ "high", required_argument, NULL, 3 },
		{ "metrics", required_argument, NULL, 'M' },
		COMMON_LONGOPTS
	};
	double bins = 10;
	int c;

	ask->common.status = EXIT_USAGE;
	while ((c = getopt_long(argc, argv, "m:S:w:n:M:" COMMON_OPTS, longopts,
	    NULL)) != -1)
		if (c == 'm')
			ask->metric = optarg;
		else if (c == 'S') {
			if ((ask->scope = scope_find(optarg)) == SCOPES) {
				complain("no such scope: expected lproc, core, "
				    "box, package or node");
				return false;
			}
		} else if (c == 'w')
			ask->where = optarg;
		else if (c == 'M')
			ask->metrics = optarg;
		else if (c == 'n' || (c >= 1 && c <= 3)) {
			if (!number(c == 'n' ? "bins" : c == 1 ? "max" :
			    c == 2 ? "low" : "high", optarg, c == 'n' ? &bins :
			    c == 1 ? &ask->max : c == 2 ? &ask->low :
			    &ask->high))
				return false;
		} else if (!common_option(&ask->common, c, optarg, usage))
			return false;
	if (!(bins >= 1 && bins <= MAX_BINS) ||
	    (!isnan(ask->max) && !(ask->max > 0)) || ask->low > ask->high) {
		complain("1 to %d bins, --max above 0, --low at most --high",
		    MAX_BINS);
		return false;
	}
	ask->bins = (unsigned)bins;
	if (ask->metric == NULL) {
		complain("histogram of what?  --metric NAME");
		return false;
	}
	return common_inputs(&ask->common, argc, argv, usage);
}

int
cmd_histogram(int argc, char **argv)
{
	struct ask ask = { .scope = SCOPE_OF_NODE, .max = NAN, .low = NAN,
	    .high = NAN };

	if (!parse(&ask, argc, argv))
		return ask.common.status;
	return common_each(&ask.common, "histogram", "histogram", columns,
	    sizeof columns / sizeof columns[0], one_input, &ask);
}
