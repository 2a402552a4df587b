/*
 * postproc/pages/report_boxes.c - channels, ports and links in the report: boxes with
 * about the same value share a line; those that differ from their peers are named.
 */
#include "postproc/pages/report.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100
#define TITLE 17                /* columns, with the blanks around it */
#define NAMED 6                 /* at most so many that differ are named */
#define ALIKE 0.1               /* boxes are alike if they differ from their
                                 * median by no more than this part of the
                                 * greatest of them */
#define QUIET 0.01              /* that counts as at least this part of the
                                 * greatest box of the node */

struct box {
	double value;
	struct window window;
	char mark;
	bool apart;             /* it differs from its peers */
};

struct boxes {
	struct page *page;
	const struct view_line *line;
	FILE *f;
	unsigned col;           /* the column that the present line has reached */
	unsigned bound;
	struct box *box;        /* in order of package and number */
	unsigned n;
	double greatest;
};

/* The middle value of some boxes; NAN where none is known. */
static double
report_boxes_median(const struct box *box, unsigned n)
{
	double *v = calloc(n + 1, sizeof *v), middle = NAN;
	unsigned known = 0;

	for (unsigned i = 0; v != NULL && i < n; i++)
		if (!isnan(box[i].value))
			v[known++] = box[i].value;
	if (known > 0) {
		order_doubles(v, known);
		middle = v[known / 2];
	}
	free(v);
	return middle;
}

/* Writes a blank and some words, in a new line if this one has no room for them. */
static void report_boxes_put_words(struct boxes *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
report_boxes_put_words(struct boxes *b, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (b->col + 1 + strlen(text) > WIDTH) {
		fputc('\n', b->f);
		b->col = (unsigned)fprintf(b->f, "%*s", TITLE, "");
	}
	b->col += (unsigned)fprintf(b->f, " %s", text);
}

/* Do two values read alike, as they are printed? */
static bool
prints_alike(const struct boxes *b, double x, double y)
{
	double digits = pow(10, b->line->decimals);

	return rint(x * digits) == rint(y * digits);
}

/* Marks which of some boxes differ from their median.  Returns how many. */
static unsigned
set_apart(struct boxes *b, struct box *box, unsigned n)
{
	double middle = report_boxes_median(box, n),
	    greatest = QUIET * b->greatest;
	unsigned apart = 0;

	for (unsigned i = 0; i < n; i++)
		greatest = fmax(greatest, fabs(box[i].value));

	for (unsigned i = 0; i < n; i++) {
		box[i].apart = box[i].mark != ' ' || isnan(box[i].value) ||
		    (fabs(box[i].value - middle) > ALIKE * greatest &&
		    !prints_alike(b, box[i].value, middle));
		apart += box[i].apart;
	}
	return apart;
}

static const char *
report_boxes_name_of(const struct boxes *b, const struct box *x, char *buf,
    size_t size)
{
	window_name(&b->page->gather.binding, &x->window, buf, size);
	return buf;
}

/* Writes a box as "0/3 12.50*". */
static void
word_of(const struct boxes *b, const struct box *x, char *buf, size_t size)
{
	char name[64], value[32] = "n/a";

	if (!isnan(x->value))
		snprintf(value, sizeof value, "%.*f", b->line->decimals,
		    x->value);
	snprintf(buf, size, "%s %s%.1s",
	    report_boxes_name_of(b, x, name, sizeof name),
	    value, x->mark == ' ' ? "" : &x->mark);
}

static void
put_title(struct boxes *b)
{
	b->col = (unsigned)fprintf(b->f, "  %-*s", TITLE - 2, b->line->title);
}

/* Writes "24 alike, 14.70 (0/0) to 14.71 (1/11)" about boxes that do not differ; where
 * most do, about all boxes. */
static void
report_boxes_put_alike(struct boxes *b, const struct box *box, unsigned n,
    unsigned apart)
{
	bool differ = 2 * apart > n;
	const struct box *least = NULL, *most = NULL;
	char lo[32], hi[32], first[64], last[64];
	int decimals = b->line->decimals;
	double together = 0;

	for (unsigned i = 0; i < n; i++) {
		if (box[i].apart && (!differ || isnan(box[i].value)))
			continue;
		together += box[i].value;
		if (least == NULL || box[i].value < least->value)
			least = &box[i];
		if (most == NULL || box[i].value > most->value)
			most = &box[i];
	}
	if (least == NULL)
		return;
	report_boxes_name_of(b, least, first, sizeof first);
	report_boxes_name_of(b, most, last, sizeof last);
	snprintf(lo, sizeof lo, "%.*f", decimals, least->value);
	snprintf(hi, sizeof hi, "%.*f", decimals, most->value);
	if (differ)
		report_boxes_put_words(b, "%u differ, %s (%s) to %s (%s)", n,
		    lo, first, hi, last);
	else if (n - apart == 1)
		report_boxes_put_words(b, "%s %s", first, lo);
	else if (most->value <= QUIET * b->greatest && together <= ALIKE *
	    b->greatest)
		report_boxes_put_words(b, "%u quiet, %s%s", n - apart,
		    strcmp(lo, hi) == 0 ? "" : "at most ", hi);
	else if (strcmp(lo, hi) == 0)
		report_boxes_put_words(b, "%u alike, %s", n - apart, lo);
	else
		report_boxes_put_words(b, "%u alike, %s (%s) to %s (%s)",
		    n - apart, lo, first, hi, last);
	if (apart > 0 && !differ)
		b->col += (unsigned)fprintf(b->f, ";");
}

/* Order: boxes with a mark or without a value first, then by value from the greatest. */
static int
by_distance(const void *a, const void *b)
{
	const struct box *const *x = a, *const *y = b;
	double d = fabs((*x)->value), e = fabs((*y)->value);

	if (((*x)->mark != ' ' || isnan(d)) != ((*y)->mark != ' ' || isnan(e)))
		return (*x)->mark != ' ' || isnan(d) ? -1 : 1;
	if (d != e)
		return d > e ? -1 : 1;
	return *x < *y ? -1 : 1;
}

/* Writes "apart: 0/3 25.60 1/2 7.31 ... 1/3 0.00 (4 more)": of the boxes that differ the
 * greatest and the least, as the reader looks for either. */
static void
report_boxes_put_apart(struct boxes *b, const struct box *box, unsigned n,
    unsigned apart)
{
	const struct box **of = calloc(apart + 1, sizeof *of);
	unsigned shown = 0, k = 0, half;
	char word[128];

	if (of == NULL) {
		b->page->rc = -ENOMEM;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (box[i].apart)
			of[k++] = &box[i];
	qsort(of, apart, sizeof *of, by_distance);
	half = apart > NAMED ? NAMED / 2 : apart;
	if (apart < n)
		report_boxes_put_words(b, "apart");
	for (unsigned i = 0; i < apart; i++) {
		if (i >= half && i + NAMED / 2 < apart)
			continue;
		word_of(b, of[i], word, sizeof word);
		report_boxes_put_words(b, "%s%s", shown == half &&
		    apart > NAMED ? "... " : "", word);
		shown++;
	}
	if (shown < apart)
		report_boxes_put_words(b, "(%u more)", apart - shown);
	free(of);
}

static void
put_each(struct boxes *b, const struct box *box, unsigned n)
{
	char word[128];

	for (unsigned i = 0; i < n; i++) {
		word_of(b, &box[i], word, sizeof word);
		report_boxes_put_words(b, "%s", word);
	}
}

/* Writes a line about some boxes. */
static void
put_folded(struct boxes *b, struct box *box, unsigned n, bool of_pkg)
{
	unsigned apart = set_apart(b, box, n);

	put_title(b);
	if (of_pkg)
		report_boxes_put_words(b, "pkg %u:", box->window.pkg_lo);
	if (apart > 0 && n <= NAMED)
		put_each(b, box, n);
	else
		report_boxes_put_alike(b, box, n, apart);
	if (apart > 0 && n > NAMED && 2 * apart <= n)
		report_boxes_put_apart(b, box, n, apart);
	fputc('\n', b->f);
	b->page->folded += n > NAMED && apart < n;
}

/* Writes one line where no box differs; else a line per package, as packages may do
 * different work. */
static void
put_few(struct boxes *b)
{
	unsigned first = 0;

	if (set_apart(b, b->box, b->n) == 0) {
		put_folded(b, b->box, b->n, false);
		return;
	}
	for (unsigned i = 1; i <= b->n; i++) {
		if (i < b->n && b->box[i].window.pkg_lo ==
		    b->box[first].window.pkg_lo)
			continue;
		put_folded(b, b->box + first, i - first,
		    first > 0 || i < b->n);
		first = i;
	}
}

/* Writes every box with its value. */
static void
report_boxes_put_all(struct boxes *b)
{
	char word[128];

	for (unsigned i = 0; i < b->n; i++) {
		word_of(b, &b->box[i], word, sizeof word);
		if (i == 0 || b->box[i].window.pkg_lo !=
		    b->box[i - 1].window.pkg_lo ||
		    b->col + 1 + strlen(word) > WIDTH) {
			if (i > 0)
				fputc('\n', b->f);
			put_title(b);
		}
		b->col += (unsigned)fprintf(b->f, " %s", word);
	}
	fputc('\n', b->f);
}

static int
report_boxes_take(struct boxes *b)
{
	const struct binding *binding = &b->page->gather.binding;
	unsigned n = binding_windows(binding, b->bound, SCOPE_OF_BOX);

	if ((b->box = calloc(n + 1, sizeof *b->box)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		struct box *x = &b->box[b->n];
		struct figure v;

		if (!binding_window(binding, b->bound, SCOPE_OF_BOX, i,
		    &x->window))
			continue;
		v = page_figure(b->page, b->bound, SCOPE_OF_BOX, i);
		x->value = v.value;
		x->mark = page_mark(b->page, &v);
		b->greatest = fmax(b->greatest, fabs(v.value));
		b->n++;
	}
	return 0;
}

bool
report_boxes(struct page *p, const struct view_line *line, bool heading, FILE *f)
{
	struct boxes b = { .page = p, .line = line, .f = f };
	bool any = false;
	int rc;

	if (!page_bind(p, line->metric, &b.bound))
		return false;
	if ((rc = report_boxes_take(&b)) < 0) {
		p->rc = rc;
		return false;
	}
	any = b.n > 0 && (p->all || (!line->more && b.greatest > line->above));
	p->folded += b.n > 0 && !any;
	if (any && heading)
		fputs("\nBoxes (package/number)\n", f);
	if (any && p->all)
		report_boxes_put_all(&b);
	else if (any)
		put_few(&b);
	free(b.box);
	return any;
}
