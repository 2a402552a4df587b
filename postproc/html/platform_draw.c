/*
 * postproc/html/platform_draw.c - the parts of a node as inline SVG, in pixels of a page
 * that is not zoomed.
 *
 * A package is WIDTH wide: links above, memory on both sides, cores and caches
 * inside, I/O below.  page.css puts packages beside or below one another.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/markup.h"
#include "postproc/html/parts.h"
#include "lib/printable.h"

#define WIDTH 360
#define DIE_X 58                /* left edge of the package's outline */
#define DIE_WIDTH (WIDTH - 2 * DIE_X)
#define PAD 6
#define STACK_ROW 19
#define STACK_WIDTH 46
/* Characters that fit before the numbers of a stack, and of one that shares a row. */
#define STACK_LETTERS 42
#define HALF_LETTERS 11

/* The n-th part of a place in a package. */
static const struct node_part *
part_at(const struct platform *d, unsigned pkg, enum part_place place, unsigned n)
{
	for (unsigned i = 0; i < d->n; i++)
		if (d->part[i].pkg == pkg && d->part[i].place == place &&
		    n-- == 0)
			return &d->part[i];
	return NULL;
}

static unsigned
count_parts(const struct platform *d, unsigned pkg, enum part_place place)
{
	unsigned n = 0;

	while (part_at(d, pkg, place, n) != NULL)
		n++;
	return n;
}

/* Writes what the parts of a place are, and the metric of their numbers. */
static void
platform_draw_put_caption(struct pen *p, const struct node_part *x, double at,
    bool brief)
{
	const struct metric *m = x->nnumber > 0 ? part_metric(p->d,
	    &x->number[0]) : NULL;
	bool said = x->place == PLACE_CORES ||
	    x->place == PLACE_SLICES || x->place == PLACE_INSIDE ||
	    x->place == PLACE_STACKS;

	fprintf(p->f, "<text class=\"caption\" x=\"%g\" y=\"%g\">", at,
	    p->y + 10);
	markup_text(p->f, x->kind->title);
	if (brief && m != NULL) {
		fprintf(p->f, "<tspan x=\"%g\" dy=\"11\">", at);
		markup_text(p->f, m->unit);
		fputs("</tspan>", p->f);
	} else if (said && m != NULL) {
		fputs(": ", p->f);
		markup_text(p->f, x->place == PLACE_STACKS ? "" :
		    m->name);
		fputs(m->unit[0] != '\0' && x->place != PLACE_STACKS ?
		    ", " : "", p->f);
		markup_text(p->f, m->unit);
	}
	fputs("</text>\n", p->f);
}

/* Draws the parts of a place in rows of so many columns. */
static void
platform_draw_put_grid(struct pen *p, enum part_place place, struct area in,
    unsigned columns)
{
	unsigned n = count_parts(p->d, p->pkg, place);
	const struct node_part *first = part_at(p->d, p->pkg, place, 0);
	double gap, width;

	if (n == 0)
		return;
	if (columns > 6 && first->label[0] != '\0') {  /* each part is several units */
		columns = 3;
		in.height = 30;
	}
	gap = columns > 6 ? 2 : 5;
	width = (in.width - gap * (columns - 1)) / columns;
	platform_draw_put_caption(p, first, in.x, false);
	p->y += 14;
	for (unsigned i = 0; i < n; i++) {
		const struct node_part *x = part_at(p->d, p->pkg, place, i);
		struct area at = { in.x + i % columns * (width + gap), p->y,
		    width, in.height };

		part_put(p, x, at);
		if (i % columns == columns - 1 || i == n - 1)
			p->y += in.height + gap;
	}
	p->y += 4;
}

static void
put_wire(struct pen *p, double x, double y, double dx, double dy)
{
	fprintf(p->f, "<path class=\"wire\" d=\"M%g %gl%g %g\"/>\n", x, y, dx,
	    dy);
}

/* Draws memory: the first half on the left, the other half on the right.  Returns how far
 * down they reach. */
static double
platform_draw_put_sides(struct pen *p, double top)
{
	unsigned n = count_parts(p->d, p->pkg, PLACE_BESIDE);
	unsigned half = (n + 1) / 2;
	double bottom = top;

	for (unsigned i = 0; i < n; i++) {
		bool right = i >= half;
		double x = right ? DIE_X + DIE_WIDTH + 8 : 0;
		double y = top + 26 + 36 * (right ? i - half : i);

		if (i == 0 || i == half) {
			struct pen pen = *p;

			pen.y = top;
			platform_draw_put_caption(&pen,
			    part_at(p->d, p->pkg, PLACE_BESIDE, 0), x, true);
		}
		put_wire(p, right ? x : x + 50, y + 15, right ? -8 : 8, 0);
		part_put(p, part_at(p->d, p->pkg, PLACE_BESIDE, i),
		    (struct area){ x, y, 50, 30 });
		bottom = fmax(bottom, y + 36);
	}
	return bottom;
}

/* Writes as much of a name as has room; names of devices begin with a blank. */
static void
platform_draw_put_name(struct pen *p, const char *label, double x,
    unsigned letters)
{
	bool device = label[0] == ' ';
	const char *s = label + device;
	char name[4 * STACK_LETTERS + 4];
	size_t used = 0;

	for (unsigned i = 0, n; i < letters && *s != '\0'; i++, s += n) {
		n = utf8_length(s, NULL);
		n = n > 0 ? n : 1;
		memcpy(name + used, s, n);
		used += n;
	}
	snprintf(name + used, sizeof name - used, "%s", *s != '\0' ? "..." :
	    "");
	fprintf(p->f, "<text class=\"%s\" x=\"%g\" y=\"%g\">", device ?
	    "device" : "stack", x + (device ? 12 : 2), p->y + 12.5);
	markup_text(p->f, name);
	fputs("</text>\n", p->f);
}

/* Draws a stack or a device: its name, and two numbers at the right. */
static void
put_stack(struct pen *p, unsigned i, struct area in, unsigned letters)
{
	const struct node_part *x = part_at(p->d, p->pkg, PLACE_STACKS, i);
	double right = in.x + in.width;

	platform_draw_put_name(p, x->label, in.x, letters);
	part_put(p, x, (struct area){ right - 2 * STACK_WIDTH - 4, p->y,
	    STACK_WIDTH, STACK_ROW - 2 });
	part_put(p, part_at(p->d, p->pkg, PLACE_STACKS, i + 1),
	    (struct area){ right - STACK_WIDTH, p->y, STACK_WIDTH,
	    STACK_ROW - 2 });
}

/* Is it a stack with a short name and no device? */
static bool
is_bare(struct pen *p, unsigned i)
{
	const struct node_part *x = part_at(p->d, p->pkg, PLACE_STACKS, i);
	const struct node_part *next = part_at(p->d, p->pkg, PLACE_STACKS, i + 2);

	return x != NULL && x->label[0] != ' ' && strlen(x->label) <=
	    HALF_LETTERS && (next == NULL || next->label[0] != ' ');
}

static void
put_ways(struct pen *p, double right)
{
	fprintf(p->f, "<text class=\"caption\" x=\"%g\" y=\"%g\">in</text>"
	    "<text class=\"caption\" x=\"%g\" y=\"%g\">out</text>\n",
	    right - 2 * STACK_WIDTH - 4, p->y + 10, right - STACK_WIDTH,
	    p->y + 10);
}

/* Draws a row for each stack or device; two stacks without devices share a row.  What the
 * columns are stands above both halves, below the caption. */
static void
platform_draw_put_stacks(struct pen *p)
{
	unsigned n = count_parts(p->d, p->pkg, PLACE_STACKS);
	const double half = (WIDTH - PAD) / 2.0;
	bool pairs = false;

	if (n == 0)
		return;
	put_wire(p, WIDTH / 2.0, p->y - 8, 0, 8);
	platform_draw_put_caption(p, part_at(p->d, p->pkg, PLACE_STACKS, 0), 0,
	    false);
	p->y += 12;
	put_ways(p, WIDTH);
	for (unsigned i = 0; !pairs && i + 1 < n; i += 2)
		pairs = is_bare(p, i) && is_bare(p, i + 2);
	if (pairs)
		put_ways(p, half);
	p->y += 14;
	for (unsigned i = 0; i + 1 < n; i += 2) {
		if (is_bare(p, i) && is_bare(p, i + 2)) {
			put_stack(p, i, (struct area){ 0, 0, half, 0 },
			    HALF_LETTERS);
			i += 2;
			put_stack(p, i, (struct area){ WIDTH - half, 0, half, 0 },
			    HALF_LETTERS);
		} else {
			put_stack(p, i, (struct area){ 0, 0, WIDTH, 0 },
			    STACK_LETTERS);
		}
		p->y += STACK_ROW;
	}
}

static void
put_above(struct pen *p)
{
	unsigned n = count_parts(p->d, p->pkg, PLACE_ABOVE);
	unsigned columns = n < 4 ? n : 4;

	if (n == 0)
		return;
	platform_draw_put_grid(p, PLACE_ABOVE, (struct area){ 0, 0, WIDTH, 30 },
	    columns);
	for (unsigned i = 0; i < columns; i++)
		put_wire(p, WIDTH * (2.0 * i + 1) / (2.0 * columns), p->y - 9, 0,
		    9);
}

static void
put_package(struct pen *p)
{
	const struct area in = { DIE_X + PAD, 0, DIE_WIDTH - 2 * PAD, 18 };
	const struct area high = { in.x, 0, in.width, 30 };
	unsigned titles = count_parts(p->d, p->pkg, PLACE_TITLE), below;
	double top;

	fprintf(p->f, "<text class=\"name\" x=\"0\" y=\"14\">Package %u</text>"
	    "\n", p->pkg);
	for (unsigned i = 0; i < titles; i++)
		part_put(p, part_at(p->d, p->pkg, PLACE_TITLE, i),
		    (struct area){ WIDTH - 68.0 * (titles - i), 0, 68, 20 });
	p->y = 24;
	put_above(p);
	top = p->y;
	p->y += PAD;
	platform_draw_put_grid(p, PLACE_CORES, in, 8);
	platform_draw_put_grid(p, PLACE_MODULES, high, 4);
	platform_draw_put_grid(p, PLACE_CACHES, high, 3);
	platform_draw_put_grid(p, PLACE_SLICES, in, 8);
	platform_draw_put_grid(p, PLACE_INSIDE, in, 8);
	p->y = fmax(p->y, platform_draw_put_sides(p, top));
	fprintf(p->f, "<rect class=\"die\" x=\"%d\" y=\"%g\" width=\"%d\" "
	    "height=\"%g\" rx=\"6\"/>\n", DIE_X, top, DIE_WIDTH, p->y - top);
	p->y += 8;
	below = count_parts(p->d, p->pkg, PLACE_BELOW);
	for (unsigned i = 0; i < below; i++)
		put_wire(p, WIDTH * (2.0 * i + 1) / (2.0 * below), p->y - 8, 0,
		    22);
	platform_draw_put_grid(p, PLACE_BELOW, (struct area){ 0, 0, WIDTH, 30 },
	    below);
	platform_draw_put_stacks(p);
}

/* Draws all packages, with their positions in rows of one, two and four, of which
 * page.css takes one. */
static void
platform_draw_put_packages(struct pen *p, double *height)
{
	unsigned npkg = p->d->page->gather.topo.npkg;

	*height = 0;
	for (p->pkg = 0; p->pkg < npkg; p->pkg++) {
		p->y = 0;
		fprintf(p->f, "<g class=\"pk\" role=\"group\" aria-label=\""
		    "Package %u\" style=\"--i:%u;--c2:%u;--r2:%u;--c4:%u;"
		    "--r4:%u\">\n", p->pkg, p->pkg, p->pkg % 2, p->pkg / 2,
		    p->pkg % 4, p->pkg / 4);
		put_package(p);
		fputs("</g>\n", p->f);
		*height = fmax(*height, p->y);
	}
}

/* ---- the legend: what colours say --------------------------------------------- */

static void
put_scale(char class, const char *what, FILE *f)
{
	fprintf(f, "<svg class=\"scale\" width=\"88\" height=\"10\" role=\"img\" "
	    "aria-label=\"%s\">", what);
	for (int i = 0; i <= PART_LEVELS; i++)
		fprintf(f, "<g class=\"cell %c%d\"><rect x=\"%d\" y=\"0\" "
		    "width=\"8\" height=\"10\"/></g>", class, i, 8 * i);
	fputs("</svg> ", f);
}

/* The first part of a place that has this kind of colour; *name: what such parts are
 * called. */
static const struct node_part *
first_of(const struct platform *d, enum part_place place,
    enum part_colour colour, const char **name)
{
	const struct node_part *found = NULL;
	double full;

	*name = "";
	for (unsigned i = 0; i < d->n; i++) {
		const struct node_part *x = &d->part[i];

		if (x->place != place)
			continue;
		if ((*name)[0] == '\0' && x->kind->title[0] != '\0')
			*name = x->kind->title;
		if (found == NULL && part_colour(d, x, &full) == colour)
			found = x;
	}
	return found;
}

static void
put_unit(const struct metric *m, FILE *f)
{
	fputs(m->unit[0] != '\0' ? " " : "", f);
	markup_text(f, m->unit);
}

/* Writes what a colour is a share of: "of 21.33 GB/s each (measured at start)",
 * "utilisation". */
static void
put_share(const struct platform *d, const struct node_part *x,
    FILE *f)
{
	const struct metric *m = part_metric(d, x->loaded ? &x->load :
	    &x->number[0]);
	char words[200];
	double full;

	part_colour(d, x, &full);
	if (x->loaded || x->place != PLACE_BESIDE || full == 100 ||
	    full == 1) {
		markup_text(f, m->name);
		return;
	}
	fprintf(f, "of %.4g", full);
	put_unit(m, f);
	fputs(" each (", f);
	markup_text(f, d->dram_peak.value > 0 ? peak_words(&d->dram_peak, words,
	    sizeof words) : "16 bytes a clock");
	fputs(")", f);
}

static void
put_colour(const struct platform *d, enum part_colour colour, FILE *f)
{
	bool any = false;

	for (enum part_place p = 0; p < PLACES; p++) {
		const char *name;
		const struct node_part *x = first_of(d, p,
		    colour, &name);
		double full;

		if (x == NULL)
			continue;
		if (!any && colour == COLOUR_OF_PEAK) {
			put_scale('l', "from dark to bright", f);
			fputs("0 to 100 %: ", f);
		} else if (!any) {
			put_scale('r', "from pale to dark grey", f);
			fputs("where no peak is known, 0 to the most that one had in a "
			    "bucket of the timelines: ", f);
		}
		fprintf(f, "%s%.*s ", any ? "; " : "", (int)strcspn(name, ":,"),
		    name);
		any = true;
		part_colour(d, x, &full);
		if (colour == COLOUR_OF_PEAK) {
			put_share(d, x, f);
			continue;
		}
		fprintf(f, full < 1e4 ? "%.4g" : "%.0f", full);
		put_unit(part_metric(d, &x->number[0]), f);
	}
	fputs(any ? ". " : "", f);
}

static void
platform_legend(const struct platform *d, FILE *f)
{
	fputs("<p class=\"legend\">", f);
	put_colour(d, COLOUR_OF_PEAK, f);
	put_colour(d, COLOUR_OF_MOST, f);
	fputs("Dashed: n/a, and on hover why. * lacks some of its counts, ! "
	    "cannot be; \u2248 close to the figure of the stretch that is "
	    "chosen.</p>\n", f);
	if (d->undrawn > 0)
		fprintf(f, "<p>%u more devices: tally report --io.</p>\n",
		    d->undrawn);
}

/* ---- the section of the page ---------------------------------------------------- */

int
platform_put(struct page *page, const struct timeline *t, FILE *f)
{
	unsigned npkg = page->gather.topo.npkg;
	struct platform d;
	struct pen pen = { .d = &d };
	char *text = NULL;
	size_t size = 0;
	double height = 0;
	int rc = platform_find(&d, page, t);

	if (rc == 0 && (pen.f = open_memstream(&text, &size)) == NULL)
		rc = -ENOMEM;
	if (rc == 0) {
		platform_draw_put_packages(&pen, &height);
		/* fclose leaves text NULL where it cannot cut it to its size */
		if (fflush(pen.f) != 0 || ferror(pen.f))
			rc = -ENOMEM;
		if (fclose(pen.f) != 0 || text == NULL)
			rc = -ENOMEM;
	}
	if (rc == 0) {
		fprintf(f, "<section aria-labelledby=\"h-platform\"><h2 "
		    "id=\"h-platform\">Platform</h2>\n<svg id=\"platform\" "
		    "class=\"%s\" role=\"group\" aria-label=\"The node, drawn: "
		    "%u package%s\" style=\"--h:%.0f;--n:%u;--n2:%u;"
		    "--n4:%u\">\n", npkg > 2 ? "many" : npkg == 2 ? "two" :
		    "one", npkg, plural(npkg), height + 24, npkg,
		    (npkg + 1) / 2, (npkg + 3) / 4);
		fwrite(text, 1, size, f);
		fputs("</svg>\n", f);
		platform_legend(&d, f);
		fputs("</section>\n", f);
	}
	free(text);
	platform_fini(&d);
	return rc;
}
