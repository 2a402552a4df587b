/*
 * postproc/html/roofline_svg.c - a roofline as inline SVG: x in FLOP/byte, y in GFLOP/s,
 * on logarithmic axes of whole decades.
 */
#include "postproc/html/parts.h"

#include <math.h>

#include "postproc/html/markup.h"

#define LEFT 48.0
#define TOP 26.0
#define WIDE 412.0
#define TALL 254.0
#define DECADES 6               /* of an axis, at most */
#define COLOURS 6               /* classes h0 to h5 of page.css, early to late */

/* A roofline, with axes from one power of 10 to another. */
struct roof_axes {
	const struct roof *r;
	const struct timeline *t;
	FILE *f;
	double x0, x1, y0, y1;
};

bool
ceiling_seen(const struct ceiling *c)
{
	return c->source == PEAK_MEASURED || c->source == PEAK_GIVEN;
}

const char *
ceiling_word(const struct ceiling *c)
{
	return c->source == PEAK_MEASURED ? "measured" : c->source ==
	    PEAK_GIVEN ? "given" : c->source == PEAK_PROBED ? "probed" :
	    "table";
}

static double
roofline_svg_px(const struct roof_axes *p, double v)
{
	return LEFT + (log10(v) - p->x0) / (p->x1 - p->x0) * WIDE;
}

static double
roofline_svg_py(const struct roof_axes *p, double v)
{
	return TOP + (p->y1 - log10(v)) / (p->y1 - p->y0) * TALL;
}

/* Where the point of a bucket is; false: it is not on these axes. */
static bool
point(const struct roof_axes *p, unsigned i, double *x, double *y)
{
	const struct bucket_value *a = &p->r->intensity->in[i];
	const struct bucket_value *b = &p->r->flops->in[i];

	*x = a->weight > 0 ? a->sum / a->weight : 0;
	*y = b->weight > 0 ? b->sum / b->weight : 0;
	return *x > 0 && *y > 0;
}

static bool
inside(const struct roof_axes *p, double x, double y)
{
	return log10(x) >= p->x0 && log10(x) <= p->x1 && log10(y) >= p->y0 &&
	    log10(y) <= p->y1;
}

/* Chooses the decades of an axis.  There are at most DECADES: idle times are left out, as
 * they would make the rest small. */
static void
decades(double least, double most, double *from, double *to)
{
	*to = most > 0 ? ceil(log10(most) + 0.05) : 2;
	*from = least > 0 && least < INFINITY ? floor(log10(least)) : *to - 3;
	*from = fmin(fmax(*from, *to - DECADES), *to - 2);
}

static void
find_axes(struct roof_axes *p)
{
	const struct roof *r = p->r;
	double ridge = r->compute / r->memory;
	double xl = INFINITY, xh = 0, yl = INFINITY, yh = 0, x, y;

	for (unsigned i = 0; i < p->t->n; i++) {
		if (!point(p, i, &x, &y))
			continue;
		xl = fmin(xl, x);
		xh = fmax(xh, x);
		yl = fmin(yl, y);
		yh = fmax(yh, y);
	}
	for (unsigned i = 0; i < r->n; i++)
		if (!r->ceiling[i].memory)
			yh = fmax(yh, r->ceiling[i].value);
	decades(isnan(ridge) ? xl : fmin(xl, ridge / 10),
	    isnan(ridge) ? xh : fmax(xh, ridge * 3), &p->x0, &p->x1);
	decades(yl, yh, &p->y0, &p->y1);
}

static void
roofline_svg_put_grid(const struct roof_axes *p)
{
	for (double k = p->x0; k <= p->x1; k++) {
		double x = roofline_svg_px(p, pow(10, k));

		fprintf(p->f, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>"
		    "<text x=\"%.1f\" y=\"%.1f\" class=\"mid\">%g</text>", x,
		    TOP, TOP + TALL, x, TOP + TALL + 16, pow(10, k));
	}
	for (double k = p->y0; k <= p->y1; k++) {
		double y = roofline_svg_py(p, pow(10, k));

		fprintf(p->f, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>"
		    "<text x=\"%.1f\" y=\"%.1f\" class=\"end\">%g</text>",
		    LEFT, y, LEFT + WIDE, LEFT - 5, y + 3, pow(10, k));
	}
	fprintf(p->f, "<text x=\"4\" y=\"13\">GFLOP/s</text><text x=\"%.1f\" "
	    "y=\"%.1f\" class=\"mid\">FLOP/byte of DRAM</text>",
	    LEFT + WIDE / 2, TOP + TALL + 33);
}

/* Draws a ceiling of DRAM: a slope up to the highest ceiling of the cores, with its name
 * along it. */
static void
put_slope(const struct roof_axes *p, const struct ceiling *c, bool below)
{
	double top = isnan(p->r->compute) ? pow(10, p->y1) : p->r->compute;
	double x0 = fmax(pow(10, p->x0), pow(10, p->y0) / c->value);
	double x1 = fmin(pow(10, p->x1), top / c->value);
	double a = roofline_svg_px(p, x0),
	    b = roofline_svg_py(p, x0 * c->value);

	if (!(x1 > x0))
		return;
	fprintf(p->f, "<path class=\"roof%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>"
	    "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\" x=\"6\" "
	    "y=\"%d\">", ceiling_seen(c) ? "" : " computed", a, b,
	    roofline_svg_px(p, x1),
	    roofline_svg_py(p, x1 * c->value), a, b,
	    atan2(roofline_svg_py(p, x1 * c->value) - b,
	    roofline_svg_px(p, x1) - a) * 180 / M_PI, below ? 12 : -4);
	markup_text(p->f, c->text);
	fprintf(p->f, " %.4g GB/s, %s</text>", c->value, ceiling_word(c));
}

/* Draws a ceiling of the cores: a level line from the intensity at which DRAM is fast
 * enough for it. */
static void
put_level(const struct roof_axes *p, const struct ceiling *c)
{
	double from = isnan(p->r->memory) ? pow(10, p->x0) :
	    fmax(pow(10, p->x0), c->value / p->r->memory);
	double y = roofline_svg_py(p, c->value);

	if (!inside(p, pow(10, p->x1), c->value))
		return;
	fprintf(p->f, "<path class=\"roof%s\" d=\"M%.1f %.1fH%.1f\"/>"
	    "<text x=\"%.1f\" y=\"%.1f\" class=\"end\">", ceiling_seen(c) ? "" :
	    " computed", roofline_svg_px(p, from), y, LEFT + WIDE,
	    LEFT + WIDE - 2, y - 3);
	markup_text(p->f, c->text);
	fprintf(p->f, ": %.4g</text>", c->value);
}

/* Draws the points; returns how many buckets have none. */
static unsigned
put_points(const struct roof_axes *p)
{
	unsigned without = 0;
	double x, y;

	for (unsigned i = 0; i < p->t->n; i++)
		if (!point(p, i, &x, &y) || !inside(p, x, y))
			without++;
		else
			fprintf(p->f, "<circle class=\"h%u\" data-b=\"%u\" "
			    "cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
			    i * COLOURS / p->t->n, i, roofline_svg_px(p, x),
			    roofline_svg_py(p, y));
	if (p->r->x > 0 && p->r->y > 0 && inside(p, p->r->x, p->r->y))
		fprintf(p->f, "<path class=\"all\" d=\"M%.1f %.1fl7 7l-7 7l-7 "
		    "-7z\"/>", roofline_svg_px(p, p->r->x),
		    roofline_svg_py(p, p->r->y) - 7);
	return without;
}

unsigned
roof_svg(const struct roof *r, const struct timeline *t, FILE *f)
{
	struct roof_axes p = { .r = r, .t = t, .f = f };
	unsigned slopes = 0, without;

	find_axes(&p);
	fprintf(f, "<svg role=\"img\" viewBox=\"0 0 480 320\" data-x0=\"%g\" "
	    "data-x1=\"%g\" data-y0=\"%g\" data-y1=\"%g\" aria-label=\""
	    "Roofline of %s: %.4g GFLOP/s at %.4g FLOP/byte over all samples; "
	    "the tables below have the rest\">", p.x0, p.x1, p.y0, p.y1,
	    r->name, r->y, r->x);
	roofline_svg_put_grid(&p);
	/* slopes are drawn last, so that names of levels stand behind them */
	for (unsigned i = 0; i < r->n; i++)
		if (r->ceiling[i].memory)
			put_slope(&p, &r->ceiling[i], slopes++ > 0);
	for (unsigned i = 0; i < r->n; i++)
		if (!r->ceiling[i].memory)
			put_level(&p, &r->ceiling[i]);
	without = put_points(&p);
	fputs("</svg>", f);
	return without;
}
