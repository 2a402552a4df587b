/*
 * postproc/live/live_draw.c - draws the page as lines: a head of two lines, tables, and
 * notes on their figures.
 *
 * A line of a table is NAME UNIT { NOW MINUTE } PAST: the two figures for as many columns
 * as fit, and the past of the first of these, or of the one that is sorted by.
 */
#include "postproc/live/live_page.h"

#include "lib/printable.h"
#include "postproc/metrics/figure_notes.h"
#include "postproc/pages/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts of a line ---------------------------------------------------- */

/* line_on, line_off - begin and end a style; without colours they write nothing. */
static void
line_on(FILE *f, const struct live_look *look, enum line_style style)
{
	static const char *const sgr[] = { [LINE_BOLD] = "1", [LINE_DIM] = "2",
	    [LINE_REVERSE] = "7", [LINE_RED] = "1;31", [LINE_YELLOW] = "33",
	    [LINE_PAST] = "36" };

	if (look->colour && style != LINE_PLAIN)
		fprintf(f, "\033[%sm", sgr[style]);
}

static void
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

/* line_put - writes text, cut or filled with blanks to a width. */
static void
line_put(FILE *f, const struct live_look *look, const char *s, unsigned width)
{
	unsigned n = put_cut(f, look, s, width);

	fprintf(f, "%*s", (int)(width - n), "");
}

/* line_text - writes a whole line, cut to the width of the screen. */
static void
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

/* past_width - how many of `width` characters a sparkline takes: each of its characters
 * is the mean of the same number of past values. */
static unsigned
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

/* ---- a page ------------------------------------------------------------- */

#define PAIR 18                 /* width of two figures of 8, each with a mark */
#define LEAST_PAST 8            /* least width of a sparkline, with two blanks */
#define HEAD_LINES 2
#define FOOT_LINES 2
#define UNSURE 0.1              /* part of its value from which on the error of an
				 * estimate is marked */

struct draw {
	struct live_page *p;
	const struct live_look *look;
	FILE *f;
	unsigned name, unit, past;      /* widths in characters */
	unsigned from, to;      /* columns of the table that are drawn */
	bool wrong, lacks, unsure;      /* such marks were drawn */
	struct why_not why_not;
};

unsigned
live_columns(const struct live_page *p, enum live_view view)
{
	unsigned most = 0;

	for (const struct live_table *t = p->table; t != NULL; t = t->next)
		if (t->view == view && t->ncolumn > most)
			most = t->ncolumn;
	return most;
}

bool
live_has(const struct live_page *p, enum live_view view)
{
	for (const struct live_table *t = p->table; t != NULL; t = t->next)
		if (t->view == view && t->nrow > 0)
			return true;
	return false;
}

/* ---- the head ---------------------------------------------------------- */

static void
live_draw_put_head(const struct live_page *p, const struct live_look *look,
    FILE *f)
{
	const struct follow *o = &p->follow;
	char text[512] = "no store", at[32];
	int n;

	if (o->open) {
		const struct topology *t = &o->gather.topo;

		utc_text(at, sizeof(at), o->gather.wall_last, "%H:%M:%S UTC",
		    "--:--:--");
		n = snprintf(text, sizeof(text), "%s%s  %.100s  %s  every "
		    "%g s", look->frozen ? "FROZEN  " : "", at, o->gather.host,
		    live_view_title(look->view), o->every);
		if (look->width >= 80 && t->npkg > 0)
			snprintf(text + n, sizeof(text) - (size_t)n,
			    "  %u x %u cores, %u lprocs", t->npkg,
			    t->ncore / t->npkg, t->nlproc);
	}
	line_text(f, look, look->frozen ? LINE_REVERSE : LINE_BOLD, text);
	if (o->state != FOLLOW_LIVE)
		line_text(f, look, LINE_RED, o->why.text);
	else if (p->failed)
		line_text(f, look, LINE_RED, "out of memory: the last minute "
		    "is not complete");
	else if (p->left_out > 0) {
		snprintf(text, sizeof(text), "NOT SOUND: %llu count%s of the "
		    "last %.0f s left out (tally check says which)",
		    (unsigned long long)p->left_out, p->left_out == 1 ? "" :
		    "s", p->minute_s);
		line_text(f, look, LINE_YELLOW, text);
	} else {
		snprintf(text, sizeof(text), "sound: sample %llu, %u columns",
		    (unsigned long long)intervals_last(o->gather.intervals),
		    o->gather.ncol);
		line_text(f, look, LINE_PLAIN, text);
	}
}

/* ---- tables ------------------------------------------------------------ */

static void
live_draw_lay_out(struct draw *d, const struct live_table *t)
{
	unsigned width = d->look->width, room, n;

	d->name = t->by_metric ? (width < 80 ? 24 : 28) : 22;
	d->unit = t->by_metric ? 10 : 0;
	room = width - d->name - d->unit;
	n = (room - LEAST_PAST) / PAIR;
	n = n < 1 ? 1 : n > t->ncolumn ? t->ncolumn : n;
	d->from = d->look->across;
	if (d->from > t->ncolumn - n)
		d->from = t->ncolumn - n;
	d->to = d->from + n;
	d->past = room - n * PAIR - 2;
}

static void
put_span(char *buf, size_t size, double seconds)
{
	if (seconds >= 7199)
		snprintf(buf, size, "%.0f h", seconds / 3600);
	else if (seconds >= 59.5)
		snprintf(buf, size, "%.0f min", seconds / 60);
	else
		snprintf(buf, size, "%.0f s", seconds);
}

static void
put_heading(struct draw *d, const struct live_table *t)
{
	bool sorted = !t->by_metric && d->look->sort > 0 &&
	    d->look->sort <= t->ncolumn;
	unsigned chars = past_width(d->past);
	char minute[16], past[16], heading[24];

	put_span(minute, sizeof(minute), d->p->minute_s);
	put_span(past, sizeof(past), LIVE_PAST * d->p->step);
	line_on(d->f, d->look, LINE_BOLD);
	line_put(d->f, d->look, t->title, d->name + d->unit);
	for (unsigned c = d->from; c < d->to; c++) {
		snprintf(heading, sizeof(heading), "%s%s", sorted &&
		    d->look->sort == c + 1 ? ">" : "", t->column[c].heading);
		fprintf(d->f, "%8s %8s ", heading, minute);
	}
	if (strlen(past) + 5 <= chars)
		fprintf(d->f, "  last %s", past);
	else if (strlen(past) <= chars)
		fprintf(d->f, "  %s", past);
	line_off(d->f, d->look);
	putc('\n', d->f);
}

/* Returns the mark of a figure: as on other pages, or '~', an estimate with an error of UNSURE
 * times its value or more.  Notes which marks the page has to explain. */
static char
live_draw_mark(struct draw *d, const struct figure *x)
{
	char mark = figure_mark(x);

	d->wrong |= x->wrong;
	d->lacks |= mark == '*';
	if (mark == ' ' && figure_is_estimate(x) && x->value != 0 &&
	    x->error >= UNSURE * fabs(x->value)) {
		d->unsure = true;
		return '~';
	}
	return mark;
}

static void
live_draw_put_figure(struct draw *d, const struct figure *x, int decimals)
{
	char text[32], mark = ' ';

	if (!isnan(x->value))
		mark = live_draw_mark(d, x);
	else if (d->p->interval_count > 0)
		why_not_take(&d->why_not, &d->p->follow.gather.binding, x);
	figure_fit(text, sizeof(text), x->value, decimals);
	if (strchr(" ~", mark) == NULL || isnan(x->value))
		line_on(d->f, d->look, isnan(x->value) ? LINE_DIM :
		    x->wrong ? LINE_RED : LINE_YELLOW);
	fprintf(d->f, "%8s%c", text, mark);
	if (strchr(" ~", mark) == NULL || isnan(x->value))
		line_off(d->f, d->look);
}

static void
live_draw_put_row(struct draw *d, const struct live_table *t, unsigned r)
{
	const struct live_row *row = &t->row[r];
	unsigned spark = d->from;
	int decimals = 0;

	fputs("  ", d->f);
	line_put(d->f, d->look, row->name, d->name - 3);
	putc(' ', d->f);
	if (t->by_metric)
		line_put(d->f, d->look, row->unit, d->unit);
	for (unsigned c = d->from; c < d->to; c++) {
		decimals = t->by_metric ? t->row_decimals[r] :
		    t->column[c].decimals;
		if (row->cell[c] == NULL) {
			fprintf(d->f, "%*s", PAIR, "");
			continue;
		}
		live_draw_put_figure(d, &row->cell[c]->now, decimals);
		live_draw_put_figure(d, &row->cell[c]->minute, decimals);
	}
	if (!t->by_metric && d->look->sort > 0 && d->look->sort <= t->ncolumn)
		spark = d->look->sort - 1;
	if (row->cell[spark] != NULL) {
		fputs("  ", d->f);
		if (!t->by_metric)
			decimals = t->column[spark].decimals;
		past_put(d->f, d->look, d->p, row->cell[spark], decimals,
		    d->past);
	}
	putc('\n', d->f);
}

/* A row and the value that it is sorted by. */
struct ordered {
	unsigned row;
	double value;
};

static int
live_draw_by_value(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

static void
put_table(struct draw *d, const struct live_table *t)
{
	struct ordered *order = calloc(t->nrow + 1, sizeof(*order));
	unsigned by = t->by_metric || d->look->sort > t->ncolumn ? 0 :
	    d->look->sort;

	if (order == NULL)
		return;
	for (unsigned r = 0; r < t->nrow; r++) {
		const struct live_cell *c = by > 0 ?
		    t->row[r].cell[by - 1] : NULL;

		order[r] = (struct ordered){ r, c == NULL ||
		    isnan(c->now.value) ? -INFINITY : c->now.value };
	}
	qsort(order, t->nrow, sizeof(*order), live_draw_by_value);
	live_draw_lay_out(d, t);
	put_heading(d, t);
	for (unsigned r = 0; r < t->nrow; r++)
		live_draw_put_row(d, t,
		    order[!t->by_metric && d->look->reverse ?
		    t->nrow - 1 - r : r].row);
	free(order);
}

static void
live_draw_put_tables(struct draw *d)
{
	for (const struct live_table *t = d->p->table; t != NULL; t = t->next)
		if (t->view == d->look->view && t->nrow > 0)
			put_table(d, t);
	if (!live_has(d->p, d->look->view))
		fprintf(d->f, "no figures of %s in this store\n",
		    live_view_title(d->look->view));
}

/* ---- notes on the figures ---------------------------------------------- */

#define MARKS_LACK "* lacks units or counts"
#define MARKS_WRONG "! cannot be"
#define MARKS_UNSURE "~ +- 10 % or more"

/* Writes the legend of those marks that were drawn, separated by `between`.  Returns buf. */
static const char *
live_draw_marks(const struct draw *d, const char *between, char *buf,
    size_t size)
{
	snprintf(buf, size, "%s%s%s%s%s", d->lacks ? MARKS_LACK : "",
	    d->lacks && (d->wrong || d->unsure) ? between : "", d->wrong ?
	    MARKS_WRONG : "", d->wrong && d->unsure ? between : "", d->unsure ?
	    MARKS_UNSURE : "");
	return buf;
}

/* Writes the notes on the figures in one line, as a screen has no room for more: what marks
 * mean, and the first reason for n/a. */
static void
live_draw_put_notes(const struct draw *d, FILE *f)
{
	const struct why_not *w = &d->why_not;
	char text[600], marks[100];
	int n;

	live_draw_marks(d, "  ", marks, sizeof marks);
	n = snprintf(text, sizeof(text), "%s%s", marks, marks[0] != '\0' &&
	    w->n > 0 ? "  " : "");

	if (w->n > 0)
		snprintf(text + n, sizeof(text) - (size_t)n, "n/a: %s%s%s%s",
		    w->reason[0].why, w->reason[0].n > 0 ? ": " : "",
		    w->reason[0].n > 0 ? w->reason[0].metric[0]->name : "",
		    w->n + w->more > 1 || w->reason[0].n > 1 ? " ..." : "");
	line_text(f, d->look, LINE_DIM, text);
}

static void
put_keys(const struct draw *d, FILE *f)
{
	bool wide = d->look->width >= 100;
	char text[300];
	int n = 0;

	for (unsigned v = 0; v < LIVE_VIEWS; v++) {
		if (!live_has(d->p, v))
			continue;
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%c ",
		    live_view_name(v)[0]);
		if (wide)
			n += snprintf(text + n, sizeof(text) - (size_t)n,
			    "%s  ", live_view_title(v));
	}
	snprintf(text + n, sizeof(text) - (size_t)n, "%ss sort  r reverse  "
	    "f freeze  arrows  q quit", wide ? "" : "views  ");
	line_text(f, d->look, LINE_REVERSE, text);
}

/* Prints n lines of a text, without the first `down`; blank lines where it has no
 * more. */
static void
live_draw_put_window(FILE *f, const char *text, unsigned down, unsigned n)
{
	for (; down > 0 && *text != '\0'; down--)
		text += strcspn(text, "\n") + 1;
	for (; n > 0; n--) {
		size_t len = strcspn(text, "\n");

		fprintf(f, "%.*s\n", (int)len, text);
		text += len + (text[len] != '\0');
	}
}

static unsigned
live_draw_count_lines(const char *text)
{
	unsigned n = 0;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

static void
live_draw_put_all(const struct draw *d, const char *text, FILE *f)
{
	char marks[100];

	fputs(text, f);
	if (live_draw_marks(d, ", ", marks, sizeof marks)[0] != '\0')
		fprintf(f, "\n%s\n", marks);
	why_not_put(&d->why_not, f);
}

static void
live_draw_put_part(const struct draw *d, struct live_look *look,
    const char *text, FILE *f)
{
	unsigned room = look->height - HEAD_LINES - FOOT_LINES;
	unsigned lines = live_draw_count_lines(text),
	    more = lines > room ? lines - room : 0;

	look->down = look->down < more ? look->down : more;
	live_draw_put_window(f, text, look->down, room);
	live_draw_put_notes(d, f);
	put_keys(d, f);
}

void
live_draw(struct live_page *p, struct live_look *look, FILE *f)
{
	struct draw d = { .p = p, .look = look };
	bool low = look->height > 0 && look->height <= HEAD_LINES + FOOT_LINES;
	char *text = NULL, few[64];
	size_t size;

	if (look->width < LIVE_WIDTH) {
		snprintf(few, sizeof(few), "%u columns: needs %u",
		    look->width, LIVE_WIDTH);
		line_text(f, look, LINE_PLAIN, few);
		return;
	}
	if (look->across >= live_columns(p, look->view))
		look->across = 0;
	live_page_minute(p, look->view);
	if ((d.f = open_memstream(&text, &size)) == NULL)
		return;
	live_draw_put_head(p, look, low ? d.f : f);
	if (p->follow.open && p->interval_count > 0)
		live_draw_put_tables(&d);
	if (fclose(d.f) != 0 || text == NULL)
		;       /* out of memory: draw nothing */
	else if (low)
		live_draw_put_window(f, text, 0, look->height);
	else if (look->height > 0)
		live_draw_put_part(&d, look, text, f);
	else
		live_draw_put_all(&d, text, f);
	free(text);
}
