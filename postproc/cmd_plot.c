/*
 * postproc/cmd_plot.c - tally plot: metrics over time, in a terminal.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/array.h"
#include "postproc/commands.h"
#include "postproc/live/terminal.h"

static const char usage[] =
"usage: tally plot -m METRIC [OPTION]... FILE...\n"
"Metrics over time, drawn with characters: of each point in time the least and\n"
"the most of what is there.\n"
"  -m, --metric PATTERN  these metrics (* and ?), several with commas, or given\n"
"                        again; or events, IOMMU0.FIRST_LOOKUPS, irp/CLOCKTICKS\n"
"  -S, --scope SCOPE     lproc, core, box, package, node, several with commas,\n"
"                        or all; default: node\n"
"  -w, --where WHERE     only that one: 1, a package; 0/3, a box of it\n"
"      --every SECONDS   a value so often, not each interval\n"
"      --width N         characters of each drawing; default: the terminal's\n"
"      --height N        lines of each; default: 5\n"
"      --ascii           no braille\n"
METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

/* A character shows the least and the greatest of its values, so that no spike is lost. */

#define MAX_LINES 512

/* A figure over time. */
struct plot_line {
	uint32_t bound;
	struct window window;
	char where[64];
	double *value;          /* [plot.n]; NaN: n/a */
	unsigned room;
	bool any;               /* there is a value */
	double whole;           /* how complete values are: figure_part */
	unsigned lesser;        /* values that were less complete: not drawn */
};

struct plot {
	struct metrics metrics;
	struct gather gather;
	double *at;             /* [n] when a value ends, s after the first sample */
	unsigned n, room;
	double begin;           /* when the range begins, s after the first sample */
	struct plot_line *line;
	unsigned nline, line_room;
	char why[200];          /* the first reason why a value is n/a; or "" */
};

struct plot_ask {
	struct gather_ask in;
	struct patterns names;
	unsigned scopes;        /* 1 << enum scope, of those that are wanted */
	const char *where;      /* the only window that is wanted; NULL: all */
	double every;           /* seconds per value; 0: one per interval, or per
	                         * round of event sets */
	unsigned width, height; /* characters of one drawing */
	bool utf8;              /* draw with braille, else with ASCII */
};

/* ---- reading ---------------------------------------------------------------- */

static int
plot_add_lines(struct plot *p, const struct plot_ask *ask, uint32_t bound)
{
	const struct binding *b = &p->gather.binding;
	struct plot_line *l;
	struct window w;
	char where[64];

	for (enum scope s = 0; s < SCOPES; s++)
		for (unsigned k = 0; (ask->scopes >> s & 1) != 0 &&
		    k < binding_windows(b, bound, s); k++) {
			if (!binding_window(b, bound, s, k, &w))
				continue;
			window_name(b, &w, where, sizeof(where));
			if (ask->where != NULL && strcmp(ask->where, where))
				continue;
			if (p->nline == MAX_LINES)
				return -E2BIG;
			if (!array_room(&p->line, p->nline, &p->line_room,
			    sizeof(*p->line)))
				return -ENOMEM;
			l = &p->line[p->nline++];
			*l = (struct plot_line){ .bound = bound, .window = w };
			memcpy(l->where, where, sizeof(where));
		}
	return 0;
}

static int
bind_lines(struct plot *p, const struct plot_ask *ask, struct diag *why)
{
	uint32_t bound;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < p->metrics.n; i++) {
		const struct metric *m = metrics_at(&p->metrics, i);

		if (m->hidden || !patterns_match(&ask->names, m->name))
			continue;
		if ((rc = binding_add(&p->gather.binding, m, &bound, why)) == 0)
			rc = plot_add_lines(p, ask, bound);
	}
	if (rc == -E2BIG)
		return diag_set(why, rc, "%s: more than %d drawings: fewer "
		    "metrics, or --where", p->gather.path, MAX_LINES);
	for (unsigned i = 0; rc == 0 && p->nline == 0 && i < ask->names.n; i++)
		rc = metrics_none(&p->metrics, ask->names.pattern[i],
		    p->gather.path, why);
	if (rc == 0 && p->nline == 0)
		return diag_set(why, -ENOENT, "%s: %s is not had of that scope "
		    "and place (--scope, --where)", p->gather.path,
		    ask->names.pattern[0]);
	return rc;
}

/* Returns the value of a figure, or NaN where it is less complete (figure_part) than an
 * earlier one.  Where it is more complete, the earlier ones are dropped. */
static double
plot_worth(const struct plot *p, struct plot_line *l, const struct figure *f)
{
	double part = figure_part(f);

	if (isnan(f->value) || f->wrong)
		return NAN;
	for (unsigned i = 0; l->any && part > l->whole && i < p->n; i++)
		if (!isnan(l->value[i])) {
			l->value[i] = NAN;
			l->lesser++;
		}
	if (l->any && part < l->whole) {
		l->lesser++;
		return NAN;
	}
	l->any = true;
	l->whole = part;
	return f->value;
}

static int
add_point(struct plot *p, double at)
{
	const struct binding *b = &p->gather.binding;
	const struct sums *sums = gather_sums(&p->gather);

	if (!array_room(&p->at, p->n, &p->room, sizeof(*p->at)))
		return -ENOMEM;
	p->at[p->n] = at;
	for (unsigned i = 0; i < p->nline; i++) {
		struct plot_line *l = &p->line[i];
		struct figure f = binding_eval(b, l->bound, &l->window, sums);

		if (!array_room(&l->value, p->n, &l->room, sizeof(*l->value)))
			return -ENOMEM;
		l->value[p->n] = plot_worth(p, l, &f);
		if (isnan(f.value) && p->why[0] == '\0')
			figure_why(b, &f, p->why, sizeof(p->why));
	}
	p->n++;
	return 0;
}

/* Do events of some line take turns?  Then a point is a whole round. */
static bool
any_rotates(const struct plot *p)
{
	bool any = false;

	for (unsigned i = 0; i < p->nline; i++)
		any |= gather_rotates(&p->gather, p->line[i].bound);
	return any;
}

/* Reads all values.  0, -ENOENT where no metric has that name, scope and place, -ENODATA
 * where there are intervals but no whole round of them, or -errno, with words in why;
 * plot_free accepts either. */
static int
plot_read(struct plot *p, const char *path, const struct plot_ask *ask,
    struct diag *why)
{
	int rc = gather_load(&p->gather, &p->metrics, path, &ask->in, why);
	struct round round;

	if (rc < 0 || (rc = bind_lines(p, ask, why)) < 0 ||
	    (rc = gather_narrow(&p->gather, &ask->in, NARROW_BYTES, why)) < 0)
		return rc;
	round = round_begin(ask->every, any_rotates(p));
	p->begin = INFINITY;
	while ((rc = gather_next(&p->gather, why)) > 0) {
		p->begin = fmin(p->begin, p->gather.now.at -
		    p->gather.now.seconds);
		if (!round_ends(&round, &p->gather))
			continue;
		if ((rc = add_point(p, p->gather.now.at)) < 0)
			return diag_set(why, rc, "out of memory");
		gather_afresh(&p->gather);
	}
	if (rc == 0 && round_rest(&round, &p->gather))
		rc = add_point(p, p->gather.now.at);
	if (rc == 0 && p->n == 0 && isfinite(p->begin))
		rc = diag_set(why, -ENODATA, "%s: no whole rotation of its "
		    "%u event sets", path, gather_sets(&p->gather));
	return rc;
}

static void
plot_free(struct plot *p)
{
	for (unsigned i = 0; i < p->nline; i++)
		free(p->line[i].value);
	free(p->line);
	free(p->at);
	gather_unload(&p->gather, &p->metrics);
}

/* ---- drawing ------------------------------------------------------------------ */

/* What is drawn on. */
struct canvas {
	unsigned width, height;         /* characters */
	unsigned across, down;          /* dots per character: 2 x 4, or 1 x 1 */
	unsigned char *dot;             /* [height][width]: bits of braille */
};

static void
set_dot(struct canvas *c, unsigned x, unsigned y)
{
	/* dots 1 to 3 are the left column, 4 to 6 the right one, 7 and 8 below */
	static const unsigned char bit[2][4] = { { 1, 2, 4, 64 },
	    { 8, 16, 32, 128 } };

	c->dot[y / c->down * c->width + x / c->across] |=
	    bit[x % c->across][y % c->down];
}

struct extent {
	double lo, hi;
};

/* The range of the vertical axis.  It begins at 0 where values are near that, so that
 * heights can be compared. */
static struct extent
extent_of(const struct plot_line *l, unsigned n)
{
	struct extent e = { INFINITY, -INFINITY };

	for (unsigned i = 0; i < n; i++)
		if (!isnan(l->value[i])) {
			e.lo = fmin(e.lo, l->value[i]);
			e.hi = fmax(e.hi, l->value[i]);
		}
	if (e.lo > 0 && e.lo < 0.8 * e.hi)
		e.lo = 0;
	if (!(e.hi > e.lo))
		e = (struct extent){ e.lo - (e.lo > 0 ? e.lo / 2 : 0.5),
		    e.lo + (e.lo > 0 ? e.lo / 2 : 0.5) };
	return e;
}

/* The column of dots that a moment is in. */
static unsigned
column_at(const struct canvas *c, const struct plot *p, double at)
{
	unsigned w = c->width * c->across;
	double x = (at - p->begin) / (p->at[p->n - 1] - p->begin) * w;

	return x < w ? (unsigned)x : w;
}

/* Draws a line.  A value covers the columns from the end of the one before to its own
 * end; a vertical line leads from one to the next. */
static void
draw_values(struct canvas *c, const struct plot *p, const struct plot_line *l,
    const struct extent *e)
{
	unsigned h = c->height * c->down;

	for (unsigned i = 0; i < p->n; i++) {
		double y = floor((l->value[i] - e->lo) / (e->hi - e->lo) *
		    (h - 1) + 0.5);
		unsigned from = i == 0 ? 0 : column_at(c, p, p->at[i - 1]);
		unsigned to = column_at(c, p, p->at[i]);

		if (isnan(y))
			continue;
		from = from < c->width * c->across ? from :
		    c->width * c->across - 1;
		for (unsigned x = from; x < to || x == from; x++)
			set_dot(c, x, h - 1 - (unsigned)y);
		/* up or down from the value before */
		if (i > 0 && !isnan(l->value[i - 1])) {
			double was = floor((l->value[i - 1] - e->lo) /
			    (e->hi - e->lo) * (h - 1) + 0.5);

			for (double k = fmin(y, was); k <= fmax(y, was); k++)
				set_dot(c, from, h - 1 - (unsigned)k);
		}
	}
}

static void
plot_put_row(const struct canvas *c, unsigned y, FILE *f)
{
	for (unsigned x = 0; x < c->width; x++) {
		unsigned char dot = c->dot[y * c->width + x];

		if (c->across == 1)
			putc(dot != 0 ? '*' : ' ', f);
		else
			fprintf(f, "\xe2%c%c", 0xa0 | dot >> 6,
			    0x80 | (dot & 0x3f));
	}
	putc('\n', f);
}

static void
plot_draw_line(const struct plot *p, const struct plot_ask *ask,
    const struct plot_line *l, FILE *f)
{
	const struct metric *m = p->gather.binding.bound[l->bound].metric;
	struct canvas c = { .width = ask->width, .height = ask->height,
	    .across = ask->utf8 ? 2 : 1, .down = ask->utf8 ? 4 : 1 };
	struct extent e = extent_of(l, p->n);
	unsigned none = 0;
	char number[32];

	for (unsigned i = 0; i < p->n; i++)
		none += isnan(l->value[i]) != 0;
	fprintf(f, "%s%s%s, %s%s%s", m->name, m->unit[0] ? " in " : "",
	    m->unit, scope_name((enum scope)l->window.scope),
	    l->where[0] != '\0' ? " " : "", l->where);
	if (l->lesser > 0)
		fprintf(f, " (n/a in %u of %u, in %u of them deltas or units "
		    "lack)", none, p->n, l->lesser);
	else if (none > 0)
		fprintf(f, " (n/a in %u of %u)", none, p->n);
	if (l->any && l->whole < 1)
		fprintf(f, l->whole > 0 ? " (of some of its units)" :
		    " (deltas lack)");
	putc('\n', f);
	if (none == p->n || (c.dot = calloc(c.width, c.height)) == NULL) {
		fputs("  nothing to draw\n", f);
		return;
	}
	draw_values(&c, p, l, &e);
	for (unsigned y = 0; y < c.height; y++) {
		bool edge = y == 0 || y + 1 == c.height;

		fprintf(f, "%10s |", edge ? figure_text(number, sizeof(number),
		    y == 0 ? e.hi : e.lo, 2) : "");
		plot_put_row(&c, y, f);
	}
	free(c.dot);
}

static void
plot_draw(const struct plot *p, const struct plot_ask *ask, FILE *f)
{
	char first[32], last[32];

	for (unsigned i = 0; i < p->nline; i++)
		plot_draw_line(p, ask, &p->line[i], f);
	if (p->n == 0)
		return;
	figure_text(first, sizeof(first), p->begin, 1);
	figure_text(last, sizeof(last), p->at[p->n - 1], 1);
	fprintf(f, "%11s+%s%*s s after the first sample\n", "", first,
	    (int)ask->width - (int)strlen(first) - 1, last);
	if (p->why[0] != '\0')
		fprintf(f, "n/a: %s\n", p->why);
}

/* ---- the command ---------------------------------------------------------- */

struct plot_command {
	struct common common;
	struct plot_ask ask;
};

static const struct view plot_view = { .apart = true };

static int
cmd_plot_one_input(struct out *out, const char *path, void *asked)
{
	struct plot_command *c = asked;
	struct plot p = { .n = 0 };
	struct diag why = { "" };
	int status = EXIT_OK;

	c->ask.in = c->common.in;
	c->ask.in.events = &c->ask.names;
	if (plot_read(&p, path, &c->ask, &why) < 0) {
		status = complain_why(&why);
	} else {
		intervals_complain(p.gather.intervals);
		if (p.n == 0)
			status = EXIT_UNUSABLE;
		else
			plot_draw(&p, &c->ask, out_file(out));
		for (unsigned i = 0; p.n > 0 && i < c->ask.names.n; i++)
			if (metrics_none(&p.metrics, c->ask.names.pattern[i],
			    path, &why) < 0)
				complain_why(&why);
	}
	plot_free(&p);
	return status;
}

static bool
take_size(const struct command_option *o, void *to, char *arg)
{
	unsigned most = o->name[0] == 'w' ? 1000 : 100;
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	*(unsigned *)to = (unsigned)n;
	if (*arg >= '0' && *arg <= '9' && *end == '\0' && n > 0 && n <= most)
		return true;
	complain("--%s %s: expected a number, 1 to %u", o->name, arg, most);
	return false;
}

static bool
take_ascii(const struct command_option *o, void *to, char *arg)
{
	(void)o, (void)arg;
	*(bool *)to = false;    /* plot_ask.utf8 */
	return true;
}

/* The width of a drawing: that of the terminal, less the numbers beside it. */
static unsigned
usual_width(void)
{
	struct winsize w = { .ws_col = 0 };

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0
	    || w.ws_col == 0)
		w.ws_col = 80;
	return w.ws_col > 32 ? w.ws_col - 12 : 20;
}

#define INTO(member) offsetof(struct plot_command, ask.member)

int
cmd_plot(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_patterns, INTO(names), true },
		{ "scope", option_scopes, INTO(scopes), true },
		{ "where", option_text, INTO(where), false },
		{ "every", option_seconds, INTO(every), false },
		{ "width", take_size, INTO(width), false },
		{ "height", take_size, INTO(height), false },
		{ "ascii", take_ascii, INTO(utf8), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "plot", .usage = usage, .own = own, .runs = true,
		.one = cmd_plot_one_input,
	};
	struct plot_command c = { .ask = { .utf8 = terminal_utf8(),
	    .height = 5, .width = usual_width() } };

	if (!common_parse(&line, argc, argv, &c.common, &c))
		return c.common.status;
	if (c.ask.names.n == 0) {
		common_fini(&c.common);
		return complain("which metric? -m NAME (tally metrics --list "
		    "FILE has them)"), EXIT_USAGE;
	}
	if (c.ask.scopes == 0)
		c.ask.scopes = c.ask.where != NULL ? (1u << SCOPES) - 1 :
		    1u << SCOPE_OF_NODE;
	c.common.status = common_each(&line, &c.common, &plot_view, &c);
	common_fini(&c.common);
	return c.common.status;
}
