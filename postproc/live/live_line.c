/*
 * postproc/live/live_line.c - parts of a line on a screen.
 */
#include "postproc/live/live_page.h"

#include <math.h>
#include <string.h>

#include "postproc/pages/report.h"
#include "lib/printable.h"

void
line_on(FILE *f, const struct live_look *look, enum line_style style)
{
	static const char *const sgr[] = { [LINE_BOLD] = "1", [LINE_DIM] = "2",
	    [LINE_REVERSE] = "7", [LINE_RED] = "1;31", [LINE_YELLOW] = "33",
	    [LINE_PAST] = "36" };

	if (look->colour && style != LINE_PLAIN)
		fprintf(f, "\033[%sm", sgr[style]);
}

void
line_off(FILE *f, const struct live_look *look)
{
	if (look->colour)
		fputs("\033[m", f);
}

/* Prints at most width characters of a text; returns how many. */
static unsigned
put_cut(FILE *f, const struct live_look *look, const char *s, unsigned width)
{
	unsigned n = 0;

	for (; n < width && *s != '\0'; n++) {
		unsigned len = printable_length(s);

		if (len == 1 || (len > 1 && look->utf8))
			fprintf(f, "%.*s", (int)len, s);
		else
			putc('?', f);
		s += len > 0 ? len : 1;
	}
	return n;
}

void
line_put(FILE *f, const struct live_look *look, const char *s, unsigned width)
{
	unsigned n = put_cut(f, look, s, width);

	fprintf(f, "%*s", (int)(width - n), "");
}

void
line_text(FILE *f, const struct live_look *look, enum line_style style,
    const char *s)
{
	line_on(f, look, style);
	put_cut(f, look, s, look->width);
	line_off(f, look);
	putc('\n', f);
}

const char *
figure_fit(char *buf, size_t size, double v, int decimals)
{
	double big = fabs(v);

	if (isnan(v))
		snprintf(buf, size, "n/a");
	else if (decimals == DECIMALS_BY_SIZE && big != 0 && big < 0.001)
		snprintf(buf, size, "%.2g", v);
	else {
		if (decimals == DECIMALS_BY_SIZE)
			decimals = big < 1 ? 4 : big < 1000 ? 3 : 1;
		do
			snprintf(buf, size, "%.*f", decimals, v);
		while (strlen(buf) > 8 && decimals-- > 0);
		if (strlen(buf) > 8)
			snprintf(buf, size, "%.2e", v);
		if (strlen(buf) > 8)
			snprintf(buf, size, "%.1e", v);
	}
	return buf;
}

static unsigned
values_each(unsigned width)
{
	return (LIVE_PAST + width - 1) / width;
}

unsigned
past_width(unsigned width)
{
	return width == 0 ? 0 : LIVE_PAST / values_each(width);
}

/* The mean of the slots of a block, each * block on; NaN: none has a value.  Blocks begin
 * at multiples of `each`, so that the sparkline keeps its shape while it moves. */
static float
value_at(const struct live_page *p, const struct live_cell *c, unsigned each,
    uint64_t block)
{
	double sum = 0;
	unsigned n = 0;

	for (uint64_t s = block * each; s < (block + 1) * each; s++) {
		float v = c->past[s % LIVE_PAST];

		if (s > p->slot || s + LIVE_PAST <= p->slot || isnan(v))
			continue;
		sum += (double)v;
		n++;
	}
	return n > 0 ? (float)(sum / n) : NAN;
}

void
past_put(FILE *f, const struct live_look *look, const struct live_page *p,
    const struct live_cell *c, int decimals, unsigned width)
{
	static const char *const fine[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇",
	    "█" };
	static const char *const plain[] = { "_", ".", ":", "-", "=", "+", "*",
	    "#" };
	const char *const *level = look->utf8 ? fine : plain;
	const struct metric *m =
	    p->follow.gather.binding.bound[c->bound].metric;
	unsigned each = width > 0 ? values_each(width) : 1;
	unsigned n = past_width(width);
	uint64_t last = p->slot / each;
	double most = strcmp(m->unit, "%") == 0 ? 100 : 0;

	for (unsigned i = 0; i < LIVE_PAST; i++)
		if ((double)c->past[i] > most)
			most = (double)c->past[i];
	if (decimals != DECIMALS_BY_SIZE && most < 0.5 * pow(10, -decimals))
		most = 0;
	line_on(f, look, LINE_PAST);
	for (unsigned i = 0; i < n; i++) {
		float v = last + i + 1 < n ? NAN :
		    value_at(p, c, each, last + i + 1 - n);
		double part = most > 0 ? (double)v / most : 0;

		if (isnan(v))
			putc(' ', f);
		else
			fputs(level[part >= 1 ? 7 : part > 0 ?
			    (int)(part * 8) : 0], f);
	}
	line_off(f, look);
}
