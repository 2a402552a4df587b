/*
 * postproc/out/table.c - what the commands print, up to the point where the format takes
 * over: cells as text, rows, tables, views.
 */
#include "postproc/out/format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/table.h"

#define ROW(name) &format_##name,
static const struct out_format *const formats[] = { OUT_FORMATS(ROW) };

const struct out_format *
format_named(const char *word)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(word, formats[i]->name) == 0)
			return formats[i];
	return NULL;
}

const struct out_format *
format_default(void)
{
	return formats[0];
}

bool
format_dated(const struct out_format *format)
{
	return format->dated;
}

int
out_open(struct out **out, const struct outname *name,
    const struct out_format *format, const char *command, struct diag *why)
{
	struct out *o = calloc(1, sizeof(*o));
	int rc;

	*out = NULL;
	if (o == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = outfile_open(&o->file, name, why)) < 0) {
		free(o);
		return rc;
	}
	o->format = format;
	if (format->open != NULL)
		format->open(o, command);
	*out = o;
	return 0;
}

int
out_close(struct out *o, bool done, struct diag *why)
{
	int rc;

	if (o == NULL)
		return 0;
	if (o->format->close != NULL)
		o->format->close(o);
	rc = outfile_close(&o->file, done, why);
	free(o);
	return rc;
}

FILE *
out_file(struct out *o)
{
	return o->file.f;
}

void
out_remark(struct out *o, const char *fmt, ...)
{
	char words[8192];
	va_list ap;

	if (o->format->remark == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	o->format->remark(o, words);
}

/* The keys of the second and later inputs begin with the number of the input. */
static void
table_put_pair(void *out, const char *key, const char *value)
{
	struct out *o = out;
	char name[1200];

	if (o->nhead > 1)
		snprintf(name, sizeof(name), "%u/%s", o->nhead, key);
	o->format->head(o, o->nhead > 1 ? name : key, value);
}

void
out_head(struct out *o, const struct reader *r)
{
	o->nhead++;
	if (o->format->head != NULL)
		head_pairs(r, table_put_pair, o);
}

void
view_begin(struct out *o, const struct view *view)
{
	if (!o->format->pages)
		table_begin(o, &view->table);
}

bool
out_for_people(const struct out *o)
{
	return o->format->pages;
}

int
view_put(struct out *o, const struct view *view, void *what)
{
	if (!o->format->pages)
		return view->rows(o, what);
	if (o->npage++ > 0 && view->apart)
		putc('\n', o->file.f);
	return view->page(o, what);
}

void
view_end(struct out *o)
{
	if (!o->format->pages)
		table_end(o);
}

void
table_begin(struct out *o, const struct out_table *table)
{
	o->column = table->column;
	o->ncolumn = table->ncolumn;
	o->at = 0;
	o->nrow = 0;
	o->left_out = table->aside && o->format->one_table;
	if (!o->left_out && o->format->begin != NULL)
		o->format->begin(o, table->name);
}

void
table_end(struct out *o)
{
	if (o->left_out)
		return;
	if (o->format->end != NULL)
		o->format->end(o);
	o->ntable++;
}

/* Gives a cell to the format.  word: it is text, which the format may have to quote. */
static void
table_cell(struct out *o, const char *s, bool word)
{
	if (o->left_out)
		return;
	o->format->cell(o, s, word);
	if (++o->at < o->ncolumn)
		return;
	if (o->format->row != NULL)
		o->format->row(o);
	o->at = 0;
	o->nrow++;
}

void
cell_text(struct out *o, const char *s)
{
	table_cell(o, s, true);
}

void
cell_none(struct out *o)
{
	table_cell(o, NULL, false);
}

void
cell_u64(struct out *o, uint64_t v)
{
	char s[24];

	snprintf(s, sizeof(s), "%" PRIu64, v);
	table_cell(o, s, false);
}

void
cell_i64(struct out *o, int64_t v)
{
	char s[24];

	snprintf(s, sizeof(s), "%" PRId64, v);
	table_cell(o, s, false);
}

static void
cell_number(struct out *o, const char *s)
{
	/* no "-0.0" */
	table_cell(o, s[0] == '-' && s[strspn(s, "-0.")] == '\0' ? s + 1 : s,
	    false);
}

void
cell_real(struct out *o, double v)
{
	char s[400];

	if (!isfinite(v)) {
		cell_none(o);
		return;
	}
	snprintf(s, sizeof(s), "%.*f", o->column[o->at].decimals, v);
	cell_number(o, s);
}

const char *
figure_text(char *s, size_t size, double v, int decimals)
{
	/* decimal exponent of its first digit: -2 for 0.05 */
	int first = v != 0 && isfinite(v) ? (int)floor(log10(fabs(v))) : 0;

	if (first < -12)
		snprintf(s, size, "%.3e", v);
	else
		snprintf(s, size, "%.*f", first < 0 && 3 - first > decimals ?
		    3 - first : decimals, v);
	return s;
}

void
words_put(FILE *f, unsigned col, unsigned indent, const char *text)
{
	while (*text != '\0') {
		int n = (int)strcspn(text, " ");

		if (col > indent && col + 1 + (unsigned)n > 100)
			col = (unsigned)fprintf(f, "\n%*s", (int)indent - 1, "") -
			    1;
		col += (unsigned)fprintf(f, " %.*s", n, text);
		text += n;
		text += strspn(text, " ");
	}
	putc('\n', f);
}

void
cell_figure(struct out *o, double v)
{
	char s[400];

	if (!isfinite(v))
		cell_none(o);
	else
		cell_number(o, figure_text(s, sizeof(s), v,
		    o->column[o->at].decimals));
}

/* ---- a dump's head as pairs of texts ----------------------------------- */

struct pairs_to {
	const struct reader *reader;
	void (*put)(void *, const char *key, const char *value);
	void *arg;
};

/* Does an earlier column have the same family? */
static bool
had_family(const struct reader *r, unsigned c)
{
	const struct column *it = read_column(r, c), *first = NULL;

	for (unsigned i = 0; i < c && first == NULL; i++)
		if (read_column(r, i)->id.family == it->id.family)
			first = read_column(r, i);
	return first != NULL;
}

/* "family=unit", a line each. */
static void
put_units(const struct reader *r, FILE *f)
{
	for (unsigned c = 0; c < read_columns(r); c++) {
		const struct family *family = read_column(r, c)->id.family;

		if (family->unit[0] != '\0' && !had_family(r, c))
			fprintf(f, "%s=%s\n", family->name, family->unit);
	}
}

/* Finds the last index of a name like name[5], and where its '[' is; false: it has
 * none. */
static bool
last_index(const char *name, unsigned *at, unsigned long *index)
{
	const char *open = strrchr(name, '[');
	char *end;

	if (open == NULL || open[1] < '0' || open[1] > '9')
		return false;
	*index = strtoul(open + 1, &end, 10);
	*at = (unsigned)(open - name);
	return strcmp(end, "]") == 0;
}

/* Is b equal to a, except that its last index is greater by `by`? */
static bool
head_pairs_goes_on(const struct constant *a, const struct constant *b,
    unsigned by)
{
	unsigned long x, y;
	unsigned n, m;

	return last_index(a->name, &n, &x) && last_index(b->name, &m, &y) &&
	    n == m && strncmp(a->name, b->name, n) == 0 && y == x + by &&
	    a->none == b->none && strcmp(a->exact, b->exact) == 0;
}

/* Gives constant i as a pair, together with those after it that have the same value, as
 * NAME[0-23].  Returns how many constants these are. */
static unsigned
put_constants(const struct pairs_to *to, unsigned i)
{
	const struct reader *r = to->reader;
	const struct constant *c = read_constant(r, i);
	char name[MAX_NAME];
	unsigned long first;
	unsigned n = 1, at;

	while (i + n < read_constants(r) &&
	    head_pairs_goes_on(c, read_constant(r, i + n), n))
		n++;
	if (c->none)
		return n;
	if (n == 1) {
		to->put(to->arg, c->name, c->exact);
	} else if (last_index(c->name, &at, &first)) {
		snprintf(name, sizeof(name), "%.*s[%lu-%lu]", (int)at,
		    c->name, first, first + n - 1);
		to->put(to->arg, name, c->exact);
	}
	return n;
}

void
head_pairs(const struct reader *r, void (*put)(void *, const char *key,
    const char *value), void *arg)
{
	struct pairs_to to = { r, put, arg };
	char *units = NULL;
	size_t size;
	FILE *f = open_memstream(&units, &size);

	if (f != NULL) {
		put_units(r, f);
		if (fclose(f) == 0)
			put(arg, "tally.units", units);
		free(units);
	}
	for (unsigned i = 0; i < read_constants(r);)
		i += put_constants(&to, i);
}
