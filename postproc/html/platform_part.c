/*
 * postproc/html/platform_part.c - one part of the drawing of a node: which figures it
 * has, and the part as SVG: its number, its colour, and what hovering shows.
 *
 * Attributes for platform.js: data-line names the lines whose sum the number is;
 * data-load the line that the colour is of, where that is another; data-full the
 * value that has the brightest colour; data-more the lines that hovering shows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "postproc/html/markup.h"
#include "postproc/html/parts.h"

/* Writes a number with three digits, at most two of them decimals, as platform.js. */
static void
put_short(FILE *f, double v)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T", "P" };
	size_t i = 0;

	if (fabs(v) < 0.005) {
		fputs(v == 0 ? "0" : v < 0 ? "&gt;-0.01" : "&lt;0.01", f);
		return;
	}
	for (; fabs(v) >= 999.5 && i + 1 < sizeof prefix / sizeof *prefix; i++)
		v /= 1000;
	fprintf(f, "%.*f%s", fabs(v) < 10 ? 2 : fabs(v) < 100 ? 1 : 0, v,
	    prefix[i]);
}

static struct figure
platform_part_figure_of(struct platform *d, const struct part_ref *x)
{
	return page_figure(d->page, x->bound, x->scope, x->n);
}

/* The number of a part: the sum of its figures that are known.  Its mark is the worst of
 * theirs. */
static double
platform_part_number_of(struct platform *d, const struct node_part *x,
    char *mark)
{
	double sum = NAN;

	*mark = ' ';
	for (unsigned i = 0; i < x->nnumber; i++) {
		struct figure v = platform_part_figure_of(d, &x->number[i]);
		char m = isnan(v.value) && x->nnumber > 1 ? '*' :
		    figure_mark(&v);

		if (!isnan(v.value))
			sum = isnan(sum) ? v.value : sum + v.value;
		*mark = m == ' ' || *mark == '!' ? *mark : m;
	}
	return sum;
}

const struct metric *
part_metric(const struct platform *d, const struct part_ref *x)
{
	return d->page->gather.binding.bound[x->bound].metric;
}

enum part_colour
part_colour(const struct platform *d, const struct node_part *x, double *full)
{
	enum part_place place = x->place;
	const char *unit;

	*full = 0;
	if (x->nnumber == 0 || place == PLACE_TITLE)
		return COLOUR_NONE;
	unit = part_metric(d, &x->number[0])->unit;
	*full = x->loaded || strcmp(unit, "%") == 0 ? 100 :
	    strcmp(unit, "ratio") == 0 ? 1 : place == PLACE_BESIDE ?
	    d->dram_full : 0;
	if (*full > 0)
		return COLOUR_OF_PEAK;
	/* the colour of a clock would not mean load */
	*full = place == PLACE_CACHES || strcmp(unit, "GHz") == 0 ? 0 :
	    d->most[place];
	return *full > 0 ? COLOUR_OF_MOST : COLOUR_NONE;
}

/* Is the number a sum over the time?  That grows with the time, so its colour compares it
 * with other parts of its place in the same time. */
static bool
is_among_peers(const struct platform *d, const struct node_part *x)
{
	return x->nnumber > 0 && !x->loaded && metric_adds(part_metric(d,
	    &x->number[0]));
}

/* Writes a line of what hovering shows: one metric. */
static void
platform_part_say(struct pen *p, const struct node_part *x,
    const struct part_ref *ref, double v)
{
	const struct binding *b = &p->d->page->gather.binding;
	const struct metric *m = part_metric(p->d, ref);
	struct figure figure = platform_part_figure_of(p->d, ref);
	char note[300];

	putc('\n', p->f);
	markup_text(p->f, m->name);
	if (ref == x->number && x->nnumber > 1)
		fprintf(p->f, " of %u ports", x->nnumber);
	if (isfinite(v))
		fprintf(p->f, " %.4g ", v);
	else
		fputs(" n/a ", p->f);
	markup_text(p->f, isfinite(v) ? m->unit : "");
	fputs(": ", p->f);
	markup_text(p->f, m->text);
	figure_note(b, &figure, m->note, note, sizeof note);
	if (note[0] == '\0' && isnan(figure.value))
		figure_why(b, &figure, note, sizeof note);
	if (note[0] == '\0')
		return;
	fputs("; ", p->f);
	markup_text(p->f, note);
}

static void
platform_part_put_title(struct pen *p, const struct node_part *x, double v)
{
	fputs("<title>", p->f);
	markup_text(p->f, x->what);
	if (x->nnumber > 0)
		platform_part_say(p, x, &x->number[0], v);
	else {
		fputs("\nn/a: ", p->f);
		markup_text(p->f, x->missing);
	}
	if (x->loaded)
		platform_part_say(p, x, &x->load,
		    platform_part_figure_of(p->d, &x->load).value);
	for (unsigned i = 0; i < x->nmore; i++)
		platform_part_say(p, x, &x->more[i],
		    platform_part_figure_of(p->d, &x->more[i]).value);
	fputs("</title>", p->f);
}

/* Writes numbers of timelines, for the script: data-line="3 4". */
static void
platform_part_put_lines(struct pen *p, const char *name,
    const struct part_ref *x, unsigned n)
{
	const char *between = "";

	for (unsigned i = 0; i < n; i++) {
		if (x[i].line == NULL)
			continue;
		if (between[0] == '\0')
			fprintf(p->f, " data-%s=\"", name);
		fprintf(p->f, "%s%td", between,
		    x[i].line - p->d->timeline->line);
		between = " ";
	}
	if (between[0] != '\0')
		putc('"', p->f);
}

static int
platform_part_level_of(struct platform *d, const struct node_part *x, double v,
    double full)
{
	double load = x->loaded ? platform_part_figure_of(d, &x->load).value :
	    v;

	load = load / full;
	return isnan(load) || full <= 0 ? -1 : (int)lround(PART_LEVELS * fmax(0,
	    fmin(1, load)));
}

/* Writes the text of a part: its label above its number, or the number alone. */
static void
platform_part_put_words(struct pen *p, const struct node_part *x,
    struct area at, double v, char mark)
{
	const char *unit = x->nnumber > 0 && (x->place == PLACE_TITLE ||
	    x->place == PLACE_CACHES) ? part_metric(p->d,
	    &x->number[0])->unit : "";
	bool labelled = x->label[0] != '\0' && x->place != PLACE_STACKS;
	double middle = at.x + at.width / 2;

	if (labelled) {
		fprintf(p->f, "<text class=\"label\" x=\"%g\" y=\"%g\">", middle,
		    at.y + 11);
		markup_text(p->f, x->label);
		fputs("</text>", p->f);
	}
	fprintf(p->f, "<text%s x=\"%g\" y=\"%g\"", x->place ==
	    PLACE_SLICES || x->place == PLACE_INSIDE ?
	    " class=\"small\"" : "", middle,
	    labelled ? at.y + at.height - 6 : at.y + at.height / 2 + 3.7);
	if (unit[0] != '\0') {
		fputs(" data-unit=\" ", p->f);
		markup_text(p->f, unit);
		putc('"', p->f);
	}
	putc('>', p->f);
	if (isnan(v))
		fputs("n/a", p->f);
	else
		put_short(p->f, v);
	if (!isnan(v) && mark != ' ')
		putc(mark, p->f);
	if (!isnan(v) && unit[0] != '\0') {
		putc(' ', p->f);
		markup_text(p->f, unit);
	}
	fputs("</text>", p->f);
}

void
part_put(struct pen *p, const struct node_part *x, struct area at)
{
	char mark;
	double v = platform_part_number_of(p->d, x, &mark), full;
	bool of_peak = part_colour(p->d, x, &full) == COLOUR_OF_PEAK;
	int level = platform_part_level_of(p->d, x, v, full);

	fputs("<g class=\"cell ", p->f);
	if (x->place == PLACE_TITLE)
		fputs("bare", p->f);
	else if (isnan(v))
		fputs("none", p->f);
	else if (level < 0)
		fputs("plain", p->f);
	else
		fprintf(p->f, "%c%d", of_peak ? 'l' : 'r', level);
	fputs(mark == '!' ? " wrong\" role=\"img\"" : "\" role=\"img\"", p->f);
	platform_part_put_lines(p, "line", x->number, x->nnumber);
	platform_part_put_lines(p, "load", &x->load, x->loaded);
	platform_part_put_lines(p, "more", x->more, x->nmore);
	if (full > 0 && !of_peak)
		fputs(" data-grey=\"1\"", p->f);
	if (full > 0 && is_among_peers(p->d, x))
		fprintf(p->f, " data-peers=\"%d\"", x->place);
	else if (full > 0)
		fprintf(p->f, " data-full=\"%.6g\"", full);
	fputs(">", p->f);
	platform_part_put_title(p, x, v);
	if (x->place != PLACE_TITLE)
		fprintf(p->f, "<rect x=\"%g\" y=\"%g\" width=\"%g\" "
		    "height=\"%g\" rx=\"2\"/>", at.x, at.y, at.width,
		    at.height);
	platform_part_put_words(p, x, at, v, mark);
	fputs("</g>\n", p->f);
}

/* ---- a part is found ---------------------------------------------------------- */

enum part_place
platform_place(const struct view_line *kind)
{
	static const char *const word[PLACES] = { "title", "above", "beside",
	    "cores", "modules", "caches", "slices", "inside", "below",
	    "stacks" };
	unsigned place = 0;

	while (place + 1 < PLACES && strcmp(kind->place, word[place]) != 0)
		place++;
	return (enum part_place)place;
}

struct node_part *
platform_add(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	struct node_part *x;

	if (!array_room(&d->part, d->n, &d->room, sizeof *d->part))
		return NULL;
	x = &d->part[d->n++];
	*x = (struct node_part){ .kind = kind,
	    .place = platform_place(kind), .pkg = pkg };
	return x;
}

static const struct line *
platform_find_line_of(const struct timeline *t, const char *metric,
    enum scope scope, const char *where)
{
	unsigned m = 0;

	while (m < t->nmetric && strcmp(t->metric[m].metric->name, metric) != 0)
		m++;
	for (unsigned i = 0; m < t->nmetric && i < t->nline; i++)
		if (t->line[i].metric == m && t->line[i].window.scope == scope &&
		    strcmp(t->line[i].where, where) == 0)
			return &t->line[i];
	return NULL;
}

bool
platform_ref(struct platform *d, const char *metric, enum scope scope,
    const char *where, struct part_ref *out)
{
	const struct binding *b = &d->page->gather.binding;
	unsigned n, from = out->n;
	struct window w;
	char name[40];

	*out = (struct part_ref){ .scope = scope };
	if (metric == NULL || !page_bind(d->page, metric, &out->bound))
		return false;
	n = binding_windows(b, out->bound, scope);
	for (unsigned i = 0; i < n; i++) {
		out->n = (from + i) % n;
		if (!binding_window(b, out->bound, scope, out->n, &w))
			continue;
		window_name(b, &w, name, sizeof name);
		if (strcmp(name, where) != 0)
			continue;
		out->line = platform_find_line_of(d->timeline, metric, scope,
		    where);
		return true;
	}
	return false;
}

void
platform_why(struct platform *d, const struct view_line *kind, char *buf,
    size_t size)
{
	const struct binding *b = &d->page->gather.binding;
	unsigned m;

	snprintf(buf, size, "%s", "no metric of this CPU is of it");
	for (unsigned i = 0; i < kind->nitem && !kind->item[i].with; i++) {
		const char *metric = kind->item[i].metric;

		if (metrics_find(&d->page->metrics, metric) == NULL)
			continue;
		snprintf(buf, size, "%s is not counted here", metric);
		if (!page_bind(d->page, metric, &m) && m < b->nbound &&
		    b->bound[m].nmissing > 0)
			snprintf(buf, size, "%s: missing %s", metric,
			    b->bound[m].missing[0]);
		return;
	}
}
