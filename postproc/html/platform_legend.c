/*
 * postproc/html/platform_legend.c - what the colours of a drawing say: a share of
 * what, and on what that rests.
 */
#include <string.h>

#include "postproc/html/markup.h"
#include "postproc/html/platform.h"

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

/* The first of a place whose colour is that, and what the place is called. */
static const struct node_part *
platform_legend_first_of(const struct platform *d, enum part_place place,
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
platform_legend_put_unit(const struct metric *m, FILE *f)
{
	fputs(m->unit[0] != '\0' ? " " : "", f);
	markup_text(f, m->unit);
}

/* "of 21.33 GB/s each (measured at start)"; "utilisation" */
static void
platform_legend_put_share(const struct platform *d, const struct node_part *x,
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
	platform_legend_put_unit(m, f);
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
		const struct node_part *x = platform_legend_first_of(d, p,
		    colour, &name);
		double full;

		if (x == NULL)
			continue;
		if (!any && colour == COLOUR_OF_PEAK) {
			put_scale('l', "from dark to bright", f);
			fputs("0 to 100 %: ", f);
		} else if (!any) {
			put_scale('r', "from pale to dark grey", f);
			fputs("where what it can do is not known, beside the "
			    "most that any had in one bucket: ", f);
		}
		fprintf(f, "%s%.*s ", any ? "; " : "", (int)strcspn(name, ":,"),
		    name);
		any = true;
		part_colour(d, x, &full);
		if (colour == COLOUR_OF_PEAK) {
			platform_legend_put_share(d, x, f);
			continue;
		}
		fprintf(f, full < 1e4 ? "%.4g" : "%.0f", full);
		platform_legend_put_unit(part_metric(d, &x->number[0]), f);
	}
	fputs(any ? ". " : "", f);
}

void
platform_legend(const struct platform *d, FILE *f)
{
	fputs("<p class=\"legend\">", f);
	put_colour(d, COLOUR_OF_PEAK, f);
	put_colour(d, COLOUR_OF_MOST, f);
	fputs("Dashed: n/a, and on hover why. * lacks some of its counts, ! "
	    "cannot be; \u2248 near the figure of a stretch.</p>\n", f);
	if (d->undrawn > 0)
		fprintf(f, "<p>%u more devices: tally report --io.</p>\n",
		    d->undrawn);
}
